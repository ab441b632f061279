/// Four ASCII characters packed big-endian into 32 bits, as component and format codes are written.
public struct FourCharCode: RawRepresentable, Hashable, Sendable {
  /// The first character is in the highest byte: `aufx` is 0x61756678.
  public var rawValue: UInt32

  /// Any 32 bits; they need not be printable.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The code of exactly four ASCII characters; nil for any other text.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 4, bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension FourCharCode: ExpressibleByStringLiteral {
  /// Precondition: exactly four printable ASCII characters.
  public init(stringLiteral value: String) {
    guard let code = FourCharCode(value) else {
      preconditionFailure("a four-character code has four ASCII characters, not \"\(value)\"")
    }
    self = code
  }
}

extension FourCharCode: CustomStringConvertible {
  /// The four characters, or the number in hexadecimal where a byte is not printable.
  public var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return "0x" + String(rawValue, radix: 16) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

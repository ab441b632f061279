/// The layout of one sample in memory: float or integer, width, byte order, and the place of the valid bits.
public struct SampleEncoding: Hashable, Sendable {
  /// The meaning of a sample's bits. Unsigned integers have silence in the middle of their range.
  public enum Kind: Hashable, Sendable { case float, signedInteger, unsignedInteger }

  /// Float or integer, with a sign or without.
  public let kind: Kind
  /// Valid bits, 8 to 32 for integers (1 to 32 accepted in a wider container), 32 or 64 for floats.
  public let bits: Int
  /// Bytes that one sample takes in memory: 1, 2, 3, 4 or 8.
  public let containerBytes: Int
  /// True when the high byte comes first. Has no meaning if a sample is a single byte.
  public let isBigEndian: Bool
  /// True when a sample that is narrower than its container has its valid bits at the high end, zeros below.
  public let isAlignedHigh: Bool
  /// Bits to the right of the binary point of a fixed-point sample; 24 for 8.24, 0 for plain integers.
  public let fractionBits: Int

  /// Nothing is checked here: see ``isValid``.
  ///
  /// - Parameters:
  ///   - kind: integers or floats.
  ///   - bits: bits of the container that carry the sample.
  ///   - containerBytes: nil: as few as hold the bits.
  ///   - isBigEndian: true where the most significant byte comes first.
  ///   - isAlignedHigh: true where the bits lie at the upper end of their container.
  ///   - fractionBits: bits behind the binary point of a fixed-point number.
  public init(
    kind: Kind, bits: Int, containerBytes: Int? = nil, isBigEndian: Bool = false, isAlignedHigh: Bool = false,
    fractionBits: Int = 0
  ) {
    self.kind = kind
    self.bits = bits
    self.containerBytes = containerBytes ?? (bits + 7) / 8
    self.isBigEndian = isBigEndian
    self.isAlignedHigh = isAlignedHigh
    self.fractionBits = fractionBits
  }

  /// 32-bit floats, little-endian: what the units compute in.
  public static let float32 = SampleEncoding(kind: .float, bits: 32)
  /// 64-bit floats, little-endian.
  public static let float64 = SampleEncoding(kind: .float, bits: 64)
  /// 8-bit integers with a sign, as in AIFF.
  public static let int8 = SampleEncoding(kind: .signedInteger, bits: 8)
  /// 8-bit integers without a sign, as in WAV: silence is 128.
  public static let uint8 = SampleEncoding(kind: .unsignedInteger, bits: 8)
  /// 16-bit integers, little-endian.
  public static let int16 = SampleEncoding(kind: .signedInteger, bits: 16)
  /// 24-bit integers in 3 bytes, little-endian.
  public static let int24 = SampleEncoding(kind: .signedInteger, bits: 24)
  /// 32-bit integers, little-endian.
  public static let int32 = SampleEncoding(kind: .signedInteger, bits: 32)
  /// The 8.24 fixed point of the historic mobile systems: 1.0 is 2^24.
  public static let fixed8_24 = SampleEncoding(kind: .signedInteger, bits: 32, fractionBits: 24)

  /// The same encoding in the other byte order.
  public var bigEndian: SampleEncoding {
    SampleEncoding(
      kind: kind, bits: bits, containerBytes: containerBytes, isBigEndian: true, isAlignedHigh: isAlignedHigh,
      fractionBits: fractionBits)
  }

  /// True when the valid bits fill their container.
  public var isPacked: Bool { bits == containerBytes * 8 }

  /// True when the fields agree with one another: widths that exist, a container that holds the valid bits.
  public var isValid: Bool {
    switch kind {
    case .float: (bits == 32 || bits == 64) && containerBytes == bits / 8 && fractionBits == 0
    case .signedInteger, .unsignedInteger:
      (1...32).contains(bits) && (1...4).contains(containerBytes) && bits <= containerBytes * 8
        && fractionBits >= 0 && fractionBits < bits
    }
  }

  /// The integer for 1.0: 2^(bits−1), or 2^fraction for fixed point.
  public var fullScale: Double {
    fractionBits > 0 ? Double(UInt64(1) << UInt64(fractionBits)) : Double(UInt64(1) << UInt64(bits - 1))
  }
}

extension SampleEncoding: CustomStringConvertible {
  /// `float32`, `int24 big-endian`, `int20 in 32 bits high`, `fixed8.24`.
  public var description: String {
    var text =
      switch kind {
      case .float: "float\(bits)"
      case .signedInteger: fractionBits > 0 ? "fixed\(bits - fractionBits).\(fractionBits)" : "int\(bits)"
      case .unsignedInteger: "uint\(bits)"
      }
    if !isPacked { text += " in \(containerBytes * 8) bits \(isAlignedHigh ? "high" : "low")" }
    if isBigEndian && containerBytes > 1 { text += " big-endian" }
    return text
  }
}

import Glibc

/// Bytes of the system as Swift texts, and back, without loss: file names, command lines, environment variables.
///
/// To the system a name is bytes, most often UTF-8; a Swift String holds UTF-8 only, and replaces what is not. Here a
/// byte that is no part of UTF-8 stands in the text as the private character U+10FE00 + byte, and becomes that byte
/// again where the text is given to the system. A name that has these characters as such is taken byte by byte as well,
/// so that no two names have one text. Texts are shown by ``VisibleText``, which writes such a byte as `\xFF`; in JSON
/// it is the character, written `\udbff\udeff`.
package enum ByteText {
  /// The character for the byte 0; bytes below 0x80 are always UTF-8.
  static let base: UInt32 = 0x10FE00

  /// The byte behind a character; nil for an ordinary character.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }

  /// The text of some bytes.
  package static func string(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0xF4) { return text }
    var answer = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = bytes.startIndex
    func next(_ count: Int) -> some Collection<UInt8> {
      let end = bytes.index(position, offsetBy: count)
      defer { position = end }
      return bytes[position..<end]
    }
    func keep(_ bytes: some Collection<UInt8>) {
      for byte in bytes {
        if let scalar = Unicode.Scalar(base + UInt32(byte)) { answer.append(scalar) }
      }
    }
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput: return String(answer)
      case .error(let length): keep(next(length))
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        let written = next(encoded.count)
        if byte(of: scalar) == nil { answer.append(scalar) } else { keep(written) }
      }
    }
  }

  /// The text of bytes that end with a zero.
  package static func string(cString: UnsafePointer<CChar>) -> String {
    cString.withMemoryRebound(to: UInt8.self, capacity: strlen(cString)) { start in
      string(UnsafeBufferPointer(start: start, count: strlen(cString)))
    }
  }

  /// The bytes of a text.
  package static func bytes(_ text: String) -> [UInt8] {
    guard text.utf8.contains(0xF4) else { return Array(text.utf8) }
    var answer: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(of: scalar) { answer.append(byte) } else { answer += UTF8.encode(scalar) ?? .init() }
    }
    return answer
  }

  /// Calls `body` with the bytes of a text, a zero behind them.
  package static func withCString<Result>(_ text: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // Most texts have nothing to translate.
    guard text.utf8.contains(0xF4) else { return text.withCString(body) }
    return (bytes(text) + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("there is a zero at least") }
        return body(start)
      }
    }
  }

  /// True when two texts are the same bytes. `==` also treats two spellings of an accented letter as the same, which
  /// are two names to the system.
  package static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}

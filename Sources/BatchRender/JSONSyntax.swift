/// Where a text stops being JSON. Foundation's parser has the last word; on Linux it does not say where it gave up, and a
/// person with a graph of two hundred lines and one comma too many wants to know.
struct JSONSyntax {
  /// What is wrong and where, in words; nil where nothing was found.
  static func complaint(about bytes: [UInt8]) -> String? {
    if bytes.allSatisfy({ $0 <= 0x20 }) { return "it is empty" }
    var scan = JSONSyntax(bytes: bytes)
    guard let (message, offset) = [scan.document(), scan.flaw].compactMap(\.self).min(by: { $0.offset < $1.offset })
    else {
      return String(validating: bytes, as: UTF8.self) == nil ? "it is not UTF-8 text" : nil
    }
    return place(of: offset, in: bytes) + message
  }

  /// What Foundation's parser lets pass, the first of it, in words: a key that an object has twice, of which it keeps one, and a
  /// comma behind the last value, which no other parser takes. Keys are compared as they are written, escapes and all.
  static func flaw(in bytes: [UInt8]) -> String? {
    var scan = JSONSyntax(bytes: bytes)
    _ = scan.document()
    return scan.flaw.map { place(of: $0.offset, in: bytes) + $0.message }
  }

  private static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.count { $0 == newline } + 1
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    // Columns are characters, not bytes: the bytes that continue one do not count.
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return "line \(line), column \(column): "
  }

  private typealias Failure = (message: String, offset: Int)
  private static let newline = UInt8(ascii: "\n")

  private let bytes: [UInt8]
  private var position = 0
  private var flaw: Failure?

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func expected(_ what: String) -> Failure {
    guard let byte = next else { return ("\(what) expected, but the file ends", position) }
    let shown =
      (0x21..<0x7F).contains(byte) ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
    let note = byte == UInt8(ascii: "/") ? "; JSON has no comments" : ""
    return ("\(what) expected, found \(shown)\(note)", position)
  }

  private mutating func document() -> Failure? {
    if let failure = value(depth: 0) { return failure }
    skipBlanks()
    return next == nil ? nil : expected("the end of the file")
  }

  private mutating func value(depth: Int) -> Failure? {
    skipBlanks()
    // Foundation gives up here as well, and the stack is finite.
    if depth > 512 { return ("nested too deeply", position) }
    if take("{") { return list(until: "}", depth: depth, isObject: true) }
    if take("[") { return list(until: "]", depth: depth, isObject: false) }
    if next == UInt8(ascii: "\"") { return text() }
    let start = position
    while let byte = next, "+-.eE".utf8.contains(byte) || (0x30...0x39).contains(byte) { position += 1 }
    if position > start {
      let number = String(decoding: bytes[start..<position], as: UTF8.self)
      return Double(number) == nil ? ("what begins here is no number", start) : nil
    }
    for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return nil
    }
    return expected("a value")
  }

  /// The rest of a list or an object, behind its opening bracket.
  private mutating func list(until end: Unicode.Scalar, depth: Int, isObject: Bool) -> Failure? {
    skipBlanks()
    if take(end) { return nil }
    var keys: Set<ArraySlice<UInt8>> = []
    while true {
      if isObject {
        skipBlanks()
        guard next == UInt8(ascii: "\"") else { return expected("a key in double quotes") }
        let start = position
        if let failure = text() { return failure }
        let key = bytes[start..<position]
        if !keys.insert(key).inserted && flaw == nil {
          flaw = ("the key \(excerpt(String(decoding: key, as: UTF8.self))) is in this object already", start)
        }
        skipBlanks()
        guard take(":") else { return expected("\":\"") }
      }
      if let failure = value(depth: depth + 1) { return failure }
      skipBlanks()
      if take(end) { return nil }
      let comma = position
      guard take(",") else { return expected("\",\" or \"\(Character(end))\"") }
      skipBlanks()
      if take(end) {
        if flaw == nil { flaw = ("a comma in front of \"\(Character(end))\" is one too many", comma) }
        return nil
      }
    }
  }

  private mutating func text() -> Failure? {
    let start = position
    position += 1
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        position += 1
        return nil
      }
      if byte == Self.newline { break }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, bytes.count)
    return ("the text that begins here does not end on its line", start)
  }
}

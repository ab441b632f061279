import AudioCore

/// The name of an output with places for what is known of its task: `out/{folder}/{name}-{preset}.flac`. `{index:4}` is
/// a number of four digits at least; `{{` and `}}` are braces.
package struct NameTemplate: Sendable {
  private enum Part: Sendable {
    case text(String)
    case field(String, digits: Int)
  }
  private let parts: [Part]
  private let text: String

  /// - Throws: `.usage` for braces that are not closed, and places without a name.
  package init(_ text: String, at place: String) throws(BenchError) {
    func wrong(_ message: String) -> BenchError {
      BenchError(
        .usage, at: place, "\"\(excerpt(text))\": \(message)", advice: "write out/{name}.wav, and {{ for a brace")
    }
    self.text = text
    var parts: [Part] = []
    var plain = ""
    // Scalar by scalar: a brace with an accent behind it is a brace.
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        plain.unicodeScalars.append(scalar)
        rest.removeFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}") else { throw wrong("a brace is not closed") }
        let pieces = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
          String($0)
        }
        rest = rest[rest.index(after: end)...]
        guard let name = pieces.first, !name.isEmpty else { throw wrong("a place has no name") }
        var digits = 0
        if pieces.count > 1 {
          guard let count = Int(pieces[1]), (1...20).contains(count) else {
            throw wrong("behind {\(name): stands a number of digits from 1 to 20")
          }
          digits = count
        }
        parts += [.text(plain), .field(name, digits: digits)]
        plain = ""
      case "}": throw wrong("a brace is closed that is not open")
      default: plain.unicodeScalars.append(scalar)
      }
    }
    self.parts = parts + [.text(plain)]
  }

  /// The same in a folder (empty, or ending with a slash), where the text does not begin at the root.
  package init(_ text: String, in folder: String, at place: String) throws(BenchError) {
    let isAtPlace = text.hasPrefix("{path}")
    try self.init(isAtPlace ? text : FileName.path(text, in: Self.escaped(folder)), at: place)
  }

  /// A name as a template that has no places.
  package static func escaped(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.flatMap { $0 == "{" || $0 == "}" ? [$0, $0] : [$0] }))
  }

  /// A text of a file as a part of a name: what would lead into another folder is replaced.
  static func plain(_ text: String) -> String {
    // By scalars: with an accent behind it a slash is another character to Swift, and the same to the system.
    let scalars = text.unicodeScalars.compactMap { $0 == "\0" ? nil : $0 == "/" ? "-" : $0 }
    let text = String(String.UnicodeScalarView(scalars))
    return text == "." || text == ".." ? "-" : text
  }

  /// The extension of its names; nil if it comes from a place.
  var fileExtension: String? {
    guard case .text(let end) = parts.last else { return nil }
    return FileName.fileExtension(of: end)
  }

  /// The names of its places, in order.
  package var fields: [String] { parts.compactMap { if case .field(let name, _) = $0 { name } else { nil } } }

  /// The name for some values.
  ///
  /// A place that is empty takes the slash behind it along, so that `{folder}/` of a file in the first folder is
  /// nothing.
  /// - Parameters:
  ///   - values: by the names of places; `folder` and `path` alone may have slashes.
  ///   - place: the place for errors: the input that the output is made from.
  /// - Throws: `.usage` for a place that there is no value for, and for values that would lead into other folders.
  package func name(_ values: [String: String], at place: String) throws(BenchError) -> String {
    try name(NameValues(values), at: place)
  }

  func name(_ values: NameValues, at place: String) throws(BenchError) -> String {
    var name = ""
    var isAfterNothing = false
    for part in parts {
      switch part {
      case .text(let text):
        name +=
          isAfterNothing && text.utf8.first == UInt8(ascii: "/") ? Substring(text.utf8.dropFirst()) : Substring(text)
        isAfterNothing = false
      case .field(let field, let digits):
        let value = try value(of: field, values, at: place)
        let steps = value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
        let isFolder = field == "folder" || field == "path" || field.hasSuffix(".folder")
        guard !value.utf8.contains(0), isFolder || steps.count == 1,
          field == "path" || !steps.contains([0x2E, 0x2E])
        else {
          throw BenchError(
            .usage, at: place, "{\(field)} is \"\(excerpt(value))\", which would lead into another folder",
            advice: "leave it out of \"\(excerpt(text))\"")
        }
        name += NumberText.padded(value, digits)
        isAfterNothing = value.isEmpty && (name.isEmpty || name.utf8.last == UInt8(ascii: "/"))
      }
    }
    try checkLength(name, at: place)
    return name
  }

  /// Bytes that file systems allow for a name, and the system for a path.
  private static let (longestName, longestPath) = (255, 4095)

  private func checkLength(_ name: String, at place: String) throws(BenchError) {
    guard name.utf8.count > Self.longestName else { return }
    let bytes = ByteText.bytes(name)
    let longest = bytes.split(separator: UInt8(ascii: "/")).map(\.count).max() ?? 0
    guard longest > Self.longestName || bytes.count > Self.longestPath else { return }
    throw BenchError(
      .usage, at: place,
      longest > Self.longestName
        ? "a name would have \(longest) bytes, and can have \(Self.longestName): \"\(excerpt(name))\""
        : "a path would have \(bytes.count) bytes, and can have \(Self.longestPath): \"\(excerpt(name))\"",
      advice: "leave out of \"\(excerpt(text))\" what is so long")
  }

  /// The text for some values, which may be any.
  /// - Throws: `.usage` for a place that there is no value for.
  func text(_ values: NameValues, at place: String) throws(BenchError) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let piece): text += piece
      case .field(let field, let digits): text += NumberText.padded(try value(of: field, values, at: place), digits)
      }
    }
    return text
  }

  private func value(of field: String, _ values: NameValues, at place: String) throws(BenchError) -> String {
    if let value = values[field] { return value }
    throw BenchError(
      .usage, at: place, "\"\(excerpt(text))\" asks for {\(excerpt(field))}", advice: "known here: \(values.known)")
  }
}

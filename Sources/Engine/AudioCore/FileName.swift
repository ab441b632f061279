/// The parts of a path. Cut at bytes: to Swift a slash with an accent behind it is another character than a slash.
package enum FileName {
  private static let slash = UInt8(ascii: "/")

  /// `a/b/c.wav`: `a/b`; `.` where there is no slash, `/` of what lies in the root.
  package static func folder(of path: String) -> String {
    let prefix = folderPrefix(of: path)
    guard !prefix.isEmpty else { return "." }
    let trimmed = prefix.utf8.dropLast()
    return trimmed.isEmpty ? "/" : String(Substring(trimmed))
  }

  /// `a/b/c.wav`: `a/b/`, in front of which other names can be put; empty where there is no slash.
  package static func folderPrefix(of path: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash) else { return "" }
    return String(Substring(path.utf8[...last]))
  }

  /// `a/b/c.wav`: `c.wav`.
  package static func last(of path: String) -> String {
    String(Substring(path.utf8.dropFirst(folderPrefix(of: path).utf8.count)))
  }

  /// The text behind the last point of the name, as it is written; nil without one.
  package static func fileExtension(of path: String) -> String? {
    let name = last(of: path)
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return String(Substring(name.utf8[name.utf8.index(after: point)...]))
  }

  /// Without the last point of the name and what follows it.
  package static func stem(of path: String) -> String {
    guard let ending = fileExtension(of: path) else { return path }
    return String(Substring(path.utf8.dropLast(ending.utf8.count + 1)))
  }

  /// A name as a file lying in `folder` (empty, or ending with a slash) means it: its own where it begins at the root.
  package static func path(_ name: String, in folder: String) -> String {
    name.utf8.first == slash ? name : folder + name
  }

  /// The text from which ``path(_:in:)`` makes a path; nil if the path does not begin with the folder.
  package static func below(_ folder: String, _ path: String) -> String? {
    guard !folder.isEmpty, path.utf8.starts(with: folder.utf8) else { return nil }
    return String(Substring(path.utf8.dropFirst(folder.utf8.count)))
  }

  /// A text as the name of a file: hyphens replace all but letters, digits and some marks.
  package static func plain(_ name: String, keeping marks: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || marks.contains($0) ? $0 : "-" })
  }

  /// Not empty, not ending with a slash, and without a zero, which would end it for the system.
  package static func isValid(_ path: String) -> Bool {
    !path.isEmpty && path.utf8.last != slash && !path.utf8.contains(0)
  }

  /// At most so many bytes from the beginning, without half a character at the end.
  package static func start(of name: String, bytes: Int) -> String {
    var answer = String.UnicodeScalarView()
    var count = 0
    for scalar in name.unicodeScalars {
      count += ByteText.byte(of: scalar) == nil ? UTF8.width(scalar) : 1
      if count > bytes { break }
      answer.append(scalar)
    }
    return String(answer)
  }
}

import AudioCore
import Glibc

/// Names of files with wildcards, as a shell has them: `*` and `?` within a name, `[a-c]` for one of some characters, `**` for
/// any folders, none included: `in/**/*.wav`. A backslash takes the meaning from the character behind it.
///
/// Names that begin with a point are found only where the pattern has the point. `**` does not go through links to folders,
/// which may lead back.
package struct PathPattern: Sendable {
  /// The folder in front of the first wildcard: empty, or ending with a slash.
  package let base: String
  /// What stands behind it, between slashes.
  private let names: [String]

  /// Nil for a text without wildcards, which is the name of one file.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    guard let first = parts.firstIndex(where: Self.hasWildcard) else { return nil }
    base = parts[..<first].map { $0 + "/" }.joined()
    // Two slashes are one, and any folders below any folders are any folders.
    var names: [String] = []
    for part in parts[first...] where !part.isEmpty && !(part == "**" && names.last == "**") { names.append(part) }
    self.names = names
  }

  /// - Parameters:
  ///   - base: empty, or ending with a slash; taken as it is.
  ///   - names: with wildcards or without, at least one.
  init(base: String, names: [String]) { (self.base, self.names) = (base, names) }

  private static func hasWildcard(_ name: String) -> Bool { name.utf8.contains { "*?[".utf8.contains($0) } }

  /// The files that it names, in the order of their bytes, folder by folder. What cannot be read is passed over, as a shell
  /// does.
  package func files() -> [String] {
    var found: [String] = []
    search(in: base, names[...], &found)
    return found
  }

  private func search(in folder: String, _ names: ArraySlice<String>, _ found: inout [String]) {
    guard let name = names.first, let present = FileSystem.names(in: folder.isEmpty ? "." : folder) else { return }
    let rest = names.dropFirst()
    let sorted = present.sorted { ByteText.bytes($0).lexicographicallyPrecedes(ByteText.bytes($1)) }
    if name == "**" {
      search(in: folder, rest.isEmpty ? ["*"] : rest, &found)
      for entry in sorted where !entry.hasPrefix(".") && Self.kind(of: folder + entry, follows: false) == S_IFDIR {
        search(in: folder + entry + "/", names, &found)
      }
      return
    }
    for entry in sorted where Self.matches(entry, name) {
      let kind = Self.kind(of: folder + entry, follows: true)
      if rest.isEmpty {
        // Whatever can be opened: for a pipe the reader of sound files reports the error.
        if let kind, kind != S_IFDIR { found.append(folder + entry) }
      } else if kind == S_IFDIR {
        search(in: folder + entry + "/", rest, &found)
      }
    }
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    ByteText.withCString(pattern) { pattern in ByteText.withCString(name) { fnmatch(pattern, $0, FNM_PERIOD) } } == 0
  }

  /// What a name stands for; nil for nothing.
  private static func kind(of path: String, follows: Bool) -> mode_t? {
    var status = stat()
    guard (follows ? FileSystem.status(path, &status) : FileSystem.linkStatus(path, &status)) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }
}

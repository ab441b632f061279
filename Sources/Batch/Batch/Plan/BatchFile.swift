import AudioCore
import Glibc
import SoundFile

/// A file that a batch takes, with what its output may be named after.
package struct BatchFile: Sendable, Equatable {
  package let path: String
  /// The folder of the file below the one that was searched: empty, or `a/b`.
  package let folder: String
  /// The texts in its name at the places of a pattern.
  package let captures: [String: String]

  package init(path: String, folder: String = "", captures: [String: String] = [:]) {
    (self.path, self.folder, self.captures) = (path, folder, captures)
  }

  /// The file's own places in a ``NameTemplate``: `name`, `extension`, `folder`, `path`, and those of the pattern.
  package var fields: [String: String] {
    let last = FileName.last(of: path)
    let own = [
      "name": FileName.stem(of: last), "extension": FileName.fileExtension(of: last) ?? "", "folder": folder,
      "path": FileName.stem(of: path),
    ]
    return captures.merging(own) { $1 }
  }

  /// The files that a text names: a file, the sound files in a folder and below it, those that match a pattern, or
  /// those of a list, `@LIST`, one on each line. A file of exactly that name comes first.
  /// - Parameter base: the folder that relative names count from: empty, or ending with a slash.
  /// - Throws: `.input` where there is none.
  package static func files(_ text: String, in base: String = "") throws(BenchError) -> [BatchFile] {
    if text.hasPrefix("@") && !FileSystem.exists(FileName.path(text, in: base)) {
      return try listed(FileName.path(String(text.dropFirst()), in: base), base)
    }
    let path = FileName.path(text, in: base)
    var status = stat()
    let isThere = FileSystem.status(path, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR { return try below(path) }
    if isThere { return [BatchFile(path: path)] }
    // Wildcards in the base folder's name are taken literally.
    guard let pattern = PathPattern(text) else {
      throw BenchError(.input, at: path, FileSystem.missing(path), advice: "check the path")
    }
    try pattern.check(at: "pattern")
    return try found(pattern.moved(into: base), path)
  }

  private static func found(
    _ pattern: PathPattern, _ text: String, where isWanted: (String) -> Bool = { _ in true }
  ) throws(BenchError) -> [BatchFile] {
    let files = pattern.files().filter { isWanted($0.path) }.map { match in
      let folder = FileName.folderPrefix(of: match.path).utf8.dropFirst(pattern.base.utf8.count)
      return BatchFile(
        path: match.path,
        folder: String(Substring(folder.last == UInt8(ascii: "/") ? folder.dropLast() : folder)),
        captures: match.captures)
    }
    guard !files.isEmpty else {
      throw BenchError(
        .input, at: text, "no file matches", advice: "write ** for any folders, and put the pattern into quotes")
    }
    return files
  }

  private static func below(_ folder: String) throws(BenchError) -> [BatchFile] {
    let name = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    return try found(PathPattern(base: name, names: ["**"]), folder) { path in
      FileName.fileExtension(of: path).map { SoundFileContainer(fileExtension: $0) != nil } ?? false
    }
  }

  private static func listed(_ list: String, _ base: String) throws(BenchError) -> [BatchFile] {
    let bytes = try FileSystem.bytes(of: list, atMost: 1 << 30, prefix: "the list of files cannot be read: ")
    let files = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map {
      BatchFile(path: FileName.path(ByteText.string($0), in: base))
    }
    guard !files.isEmpty else { throw BenchError(.input, at: list, "the list names no file") }
    return files
  }
}

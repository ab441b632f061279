import AudioCore
import Glibc
import SoundFile

/// A file that a batch takes, with what its output may be named after.
package struct BatchFile: Sendable, Equatable {
  package let path: String
  /// Where it lies below the folder in which it was searched: empty, or `a/b`.
  package let folder: String

  package init(path: String, folder: String) { (self.path, self.folder) = (path, folder) }

  /// The file's own places in a ``NameTemplate``: `name`, `extension` and `folder`.
  package var fields: [String: String] {
    let last = FileName.last(of: path)
    return ["name": FileName.stem(of: last), "extension": FileName.fileExtension(of: last) ?? "", "folder": folder]
  }

  /// The files that a text stands for: a file, the sound files in a folder and below it, those that match a pattern, or those
  /// of a list, `@LIST`, one on each line. A file of exactly that name comes first.
  /// - Throws: `.input` where there is none.
  package static func files(_ text: String) throws(BenchError) -> [BatchFile] {
    var status = stat()
    let isThere = FileSystem.status(text, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR { return try below(text) }
    if isThere { return [BatchFile(path: text, folder: "")] }
    if text.hasPrefix("@") { return try listed(String(text.dropFirst())) }
    guard let pattern = PathPattern(text) else {
      throw BenchError(.input, at: text, "there is no such file", advice: "check the path")
    }
    return try found(pattern, text)
  }

  private static func found(
    _ pattern: PathPattern, _ text: String, where isWanted: (String) -> Bool = { _ in true }
  ) throws(BenchError) -> [BatchFile] {
    let files = pattern.files().filter(isWanted).map { path in
      let folder = FileName.folderPrefix(of: path).utf8.dropFirst(pattern.base.utf8.count)
      return BatchFile(
        path: path, folder: String(Substring(folder.last == UInt8(ascii: "/") ? folder.dropLast() : folder)))
    }
    guard !files.isEmpty else {
      throw BenchError(
        .input, at: text, "no file matches", advice: "write ** for any folders, and put the pattern into quotes")
    }
    return files
  }

  private static func below(_ folder: String) throws(BenchError) -> [BatchFile] {
    // What is in the folder's own name is no wildcard.
    let name = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    return try found(PathPattern(base: name, names: ["**"]), folder) { path in
      FileName.fileExtension(of: path).map { SoundFileContainer(fileExtension: $0) != nil } ?? false
    }
  }

  private static func listed(_ list: String) throws(BenchError) -> [BatchFile] {
    let bytes: [UInt8]
    do throws(FileSystem.ReadFailure) { bytes = try FileSystem.contents(of: list, atMost: 1 << 30) } catch {
      throw BenchError(.input, at: list, "the list of files cannot be read: \(error.clause)")
    }
    let files = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map {
      BatchFile(path: ByteText.string($0), folder: "")
    }
    guard !files.isEmpty else { throw BenchError(.input, at: list, "the list names no file") }
    return files
  }
}

import Foundation
import Glibc

/// A folder of its own for a test, removed with the object and whatever is in it.
public final class TemporaryFolder {
  public let path: String

  public init() { path = Self.made() }

  /// - Parameter plainName: the name's beginning, of letters: for what can take no other, such as `LD_PRELOAD`, which
  ///   ends a path at a space. The folder is in `/tmp`, whatever `TMPDIR` says.
  public init(plainName: String) { path = Self.made("/tmp/\(plainName)-XXXXXX") }

  /// Makes a folder below `TMPDIR`, whose name has parts that commands and tests get wrong: a space, capitals that are
  /// placeholders in lines of commands, a letter that takes two bytes. Whoever calls it removes it.
  public static func made() -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return made("\(parent.isEmpty ? "/tmp" : parent)/aubench IN OUT ä-XXXXXX")
  }

  private static func made(_ template: String) -> String {
    var template = Array(template.utf8CString)
    guard let made = mkdtemp(&template).flatMap({ realpath($0, nil) }) else {
      preconditionFailure("no temporary folder")
    }
    defer { free(made) }
    return String(cString: made)
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  public func file(_ name: String) -> String { path + "/" + name }

  public func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }
  /// - Throws: an error if there is no such file.
  public func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: file(name)))) }

  /// The names in the folder, hidden files too.
  public var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { found.append(name) }
    }
    return found.sorted()
  }

  /// Writes a text and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) -> String {
    write(Array(text.utf8), to: name)
  }

  /// Writes bytes and returns the file's path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) -> String {
    guard let handle = fopen(file(name), "wb") else { preconditionFailure("cannot write \(file(name))") }
    fwrite(bytes, 1, bytes.count, handle)
    fclose(handle)
    return file(name)
  }
}

/// All bytes of a file; none where there is no such file.
public func bytes(ofFile path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { return [] }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  var all = [UInt8](repeating: 0, count: ftell(file))
  rewind(file)
  return Array(all[..<fread(&all, 1, all.count, file)])
}

/// The repository's `fixtures` folder.
public enum Fixtures {
  public static func path(_ name: String) -> String { "\(Repository.path)/fixtures/\(name)" }
}

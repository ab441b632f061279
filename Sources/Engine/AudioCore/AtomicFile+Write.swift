import Glibc

/// Texts and bytes to a file in one call. Pipes and devices, which have no half-written state, are written to as they
/// are.
extension AtomicFile {
  package static func write(_ text: String, to path: String, in outputs: OutputFiles? = nil) throws(BenchError) {
    try write(Array(text.utf8), to: path, in: outputs)
  }

  /// - Parameter outputs: the files whose names are given at commit; nil: it gets its name at once.
  /// - Parameter confinement: the folder in which the file may lie; then it is replaced only if it is a file itself.
  /// - Throws: `.output` if the folder is missing or may not be written to, or the disk is full. The former file is
  ///   still there then.
  package static func write(
    _ bytes: [UInt8], to path: String, in outputs: OutputFiles? = nil, overwrites: Bool = true,
    confinement: Confinement? = nil
  ) throws(BenchError) {
    var status = stat()
    if confinement == nil, FileSystem.status(path, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      guard kind != S_IFDIR else { throw BenchError(.output, at: path, "is a folder", advice: "name a file in it") }
      if kind != S_IFREG { return try writeDirectly(bytes, to: path) }
    }
    try outputs?.check(path)
    let file = try AtomicFile(path: path, overwrites: overwrites, confinement: confinement)
    do { try file.append(bytes) } catch {
      file.discard()
      throw error
    }
    guard let outputs else { return try file.publish() }
    try outputs.add(file)
  }

  /// Checks that a file could be written: call before long work.
  /// - Throws: `.output`.
  package static func check(_ path: String) throws(BenchError) {
    try checkName(path)
    var status = stat()
    if FileSystem.status(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw BenchError(.output, at: path, "is there already and is no file", advice: "name a file")
    }
    let folder = FileName.folder(of: path)
    // With "/.", as a file of that name is no folder.
    guard FileSystem.status(folder + "/.", &status) == 0, FileSystem.access(folder, W_OK) == 0 else {
      throw openError(errno, path: path, folder: folder)
    }
  }

  /// Makes the folder of a file, and those above it, where they are missing.
  /// - Throws: `.output`.
  package static func makeFolder(of path: String) throws(BenchError) {
    let folder = FileName.folder(of: path)
    let failure = FileSystem.makeFolders(folder)
    guard failure == 0 else {
      throw BenchError(.output, at: folder, "the folder cannot be made: \(systemMessage(failure))")
    }
  }

  private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(BenchError) {
    let descriptor = FileSystem.open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno, at: path) }
    defer { close(descriptor) }
    let number = writeAll(bytes, to: descriptor)
    guard number == 0 else { throw failure(number, at: path) }
  }
}

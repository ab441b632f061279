import AudioCore
import Digests
import Glibc

extension Journal {
  /// The number of pages that are copied before others may write.
  private static let pagesAtOnce: Int32 = 512

  /// Puts a copy of the journal, as it is at one moment, under a name, which may lie on shared storage: it is copied on
  /// this machine, written beside the place and renamed when it is whole and on the disk. Other threads may record
  /// meanwhile.
  /// - Throws: `.output`. The former file is still there then.
  package func publish(to place: String) throws(BenchError) {
    try copying.withLock { (_: inout Void) throws(BenchError) in
      // Its name is the journal's own, as the lock is: what a killed run has left goes now.
      let copy = target + "-copy"
      func remove() {
        FileSystem.unlink(copy)
        JournalFile.removeCompanions(of: copy)
      }
      remove()
      defer { remove() }
      try copyPages(to: copy)
      try Self.copyFile(copy, to: place)
    }
  }

  private func copyPages(to copy: String) throws(BenchError) {
    let database = try Database(path, file: copy, isNew: true)
    try database.run("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
    let pages = try tables.withLock { (tables) throws(BenchError) in
      try DatabaseCopy(from: tables.database, to: database)
    }
    defer { tables.withLock { _ in pages.finish() } }
    while try tables.withLock({ (_) throws(BenchError) in try pages.step(pages: Self.pagesAtOnce) }) {}
    tables.withLock { _ in pages.finish() }
    // The pages say that there is a log; whoever reads the copy needs none.
    try database.run("PRAGMA journal_mode=DELETE")
  }

  /// Copies a file without a writer; the copy gets its name once it is on the disk.
  static func copyFile(_ source: String, to place: String) throws(BenchError) {
    var status = stat()
    let descriptor: Int32
    do { descriptor = try FileSystem.openPlainFile(source, &status) } catch {
      throw BenchError(.input, at: source, "the journal \(error.clause)")
    }
    defer { close(descriptor) }
    let file = try AtomicFile(path: place, overwrites: true)
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw BenchError(.input, at: source, "the journal cannot be read: \(systemMessage(errno))")
      }
      if count == 0 { break }
      try file.append(count == block.count ? block : Array(block[..<count]))
    }
    try file.publish(synchronizes: true)
  }
}

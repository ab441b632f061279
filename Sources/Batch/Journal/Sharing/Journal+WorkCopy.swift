import AudioCore
import Digests
import Glibc

/// A journal that belongs on shared storage is worked on as a copy on a disk of this machine, which is published from
/// time to time.
///
/// Each publication has a name of its own, a random one, which stands in the copy and in what is published. Whoever
/// opens the journal takes the copy that a killed run has left where what is published came from it, and else what is
/// published: another machine has gone on with it.
extension Journal {
  /// Opens a journal where it is, or, where that is on shared storage, as a copy in a folder of this machine:
  /// ``publish()`` puts it back.
  /// - Parameters:
  ///   - workFolder: a folder on a disk of this machine. The next run goes on with the files that a killed run leaves
  ///     there.
  ///   - isShared: returns true for a path on shared storage.
  /// - Throws: as ``init(path:job:clock:)``.
  package static func opened(
    at path: String, workFolder: String, folder: String = "", job: String = "",
    isShared: (String) -> Bool = Journal.isOnNetworkFileSystem,
    clock: @escaping @Sendable () -> Int64 = Journal.wallClock
  ) throws(BenchError) -> Journal {
    guard isShared(path) else { return try Journal(path: path, folder: folder, job: job, clock: clock) }
    guard !isShared(workFolder) else {
      throw BenchError(
        .usage, at: workFolder, "lies on shared storage, as the journal \(path) does",
        advice: "name a folder on a disk of this machine")
    }
    let shared = try wholePath(path)
    let sharedLock = try JournalLock(path, target: shared, job: job, isShared: true)
    let name = "\(Program.name)-journal-\(Fingerprint.of(ByteText.bytes(shared)).prefix(16))"
    let target = try wholePath(workFolder + "/" + name)
    let lock = try JournalLock(workFolder + "/" + name, target: target, job: job)
    try bring(path, shared, to: target)
    return try Journal(path, target: target, folder: folder, lock: lock, sharedLock: sharedLock, clock: clock)
  }

  /// Puts the journal back where it belongs, where that is on shared storage; else does nothing. To be called from time
  /// to time, and at the end.
  /// - Throws: `.output`. The former file is still there then.
  package func publish() throws(BenchError) {
    guard isWorkCopy else { return }
    var generator = SystemRandomNumberGenerator()
    let name = Digest(high: generator.next(), low: generator.next())
    try tables.withLock { (tables) throws(BenchError) in
      let former = try tables.publications().first.map { [$0] } ?? []
      try tables.writeNote.run([
        .text(JournalTables.publications), .bytes(([name] + former).flatMap(\.bytes)),
      ])
    }
    try publish(to: path)
  }

  /// Makes the copy in the work folder the newest that there is.
  private static func bring(_ path: String, _ shared: String, to target: String) throws(BenchError) {
    let own = FileSystem.exists(target) ? (try? publications(path, of: target)) : []
    let incoming = target + "-copy"
    JournalFile.removeCompanions(of: incoming)
    defer { FileSystem.unlink(incoming) }
    if FileSystem.exists(shared) {
      try copyShared(path, shared, to: incoming)
      let published = try publications(path, of: incoming).first
      if let own, let published, own.contains(published) { return }
      remove(target)
      guard FileSystem.rename(incoming, target) == 0 else {
        throw BenchError(.output, at: target, "cannot be written: \(systemMessage(errno))")
      }
    } else if (own?.count ?? 2) > 1 {
      // It was published, and somebody has removed it.
      remove(target)
    }
  }

  private static func remove(_ target: String) {
    FileSystem.unlink(target)
    JournalFile.removeCompanions(of: target)
  }

  /// Copies a journal from shared storage, where it is only ever read as a file.
  static func copyShared(_ path: String, _ shared: String, to copy: String) throws(BenchError) {
    try JournalFile.check(path, target: shared)
    var log = stat()
    guard FileSystem.status(shared + "-wal", &log) != 0 || log.st_size == 0 else {
      throw BenchError(
        .input, at: path, "was worked on where it lies, on shared storage, and a part of it is in \(path)-wal",
        advice: "move both to a disk of one machine, open it there once, and put it back")
    }
    try copyFile(shared, to: copy)
  }

  private static func publications(_ path: String, of target: String) throws(BenchError) -> [Digest] {
    let database = try JournalFile.open(path, target: target, lock: nil, keepsForm: true)
    return try JournalTables(database).publications()
  }
}

extension JournalTables {
  static let publications = "publications"

  /// The last two, the last one first.
  func publications() throws(BenchError) -> [Digest] {
    guard case .bytes(let bytes)? = try note.first([.text(Self.publications)])?.first else { return [] }
    return stride(from: 0, to: bytes.count, by: 16).compactMap { Digest(bytes: bytes[$0...].prefix(16)) }
  }
}

import AudioCore
import Glibc

extension Journal {
  /// Takes over what another journal says of some outputs of which this one says nothing: a shard begins with what the
  /// job's journal says of its part.
  ///
  /// On shared storage the other is read as it was published. On a disk of this machine it is locked while it is read,
  /// which takes a moment; where somebody else does so, it is waited for.
  /// - Parameter patienceSeconds: the time to wait.
  /// - Returns: the number of entries.
  /// - Throws: `.output` where another run has it open all the time; `.input` where it is damaged.
  @discardableResult
  package func adopt(
    _ outputs: [String], from path: String, patienceSeconds: Double = 30,
    isShared: (String) -> Bool = Journal.isOnNetworkFileSystem
  ) throws(BenchError) -> Int {
    let target = try Self.wholePath(path)
    if isShared(path) { return try adopt(outputs, JournalTables(JournalFile.openPublished(path, target: target))) }
    let lock = try Self.lock(path, target, patienceSeconds)
    let database = try JournalFile.open(path, target: target, lock: lock, keepsForm: true)
    return try adopt(outputs, JournalTables(database))
  }

  private func adopt(_ outputs: [String], _ source: JournalTables) throws(BenchError) -> Int {
    var count = 0
    try tables.withLock { (tables) throws(BenchError) in
      try tables.database.transaction { () throws(BenchError) in
        for output in outputs {
          let key = key(of: output)
          guard try tables.entry(key) == nil, let entry = try source.entry(key) else { continue }
          try tables.writeOutput.run(entry.row)
          count += 1
        }
      }
    }
    return count
  }

  private static func lock(
    _ path: String, _ target: String, _ patienceSeconds: Double
  ) throws(BenchError) -> JournalLock {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    while true {
      do {
        return try JournalLock(path, target: target, job: "reading")
      } catch {
        guard ContinuousClock.now < end else { throw error }
        usleep(20_000)
      }
    }
  }
}

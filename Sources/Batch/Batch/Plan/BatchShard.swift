import AudioCore
import Digests

/// A part of a batch, for one of several machines: shard 3 of 8.
///
/// A task belongs to the shard that the digest of its output's name says, and all of an album to one shard. So each
/// output is in exactly one shard whatever else is in the job, and stays there when inputs come and go, even where they
/// do while other shards are being made. Shards differ in size, by about the square root of their number of tasks: with
/// several shards for each machine that evens out.
package struct BatchShard: Sendable, Hashable {
  /// From 1 on.
  package let number: Int
  package let count: Int

  package static let most = 100_000

  /// - Parameter text: `3/8`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(number: number, count: count)
  }

  /// - Parameter number: from 1 to `count`, which is from 1 to ``most``; else nil.
  package init?(number: Int, count: Int) {
    guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// - Parameter folder: that of the job, which counts for nothing: see ``BatchJob/folder``.
  func has(_ task: BatchTask, folder: String) -> Bool {
    Self.number(of: task, among: count, folder: folder) == number
  }

  /// The shard that a task belongs to, from 1 on.
  package static func number(of task: BatchTask, among count: Int, folder: String) -> Int {
    let name = task.album == nil ? task.name : FileName.folderPrefix(of: task.name)
    let digest = Fingerprint.digest(of: ByteText.bytes(FileName.below(folder, name) ?? name))
    return Int(digest.high % UInt64(count)) + 1
  }
}

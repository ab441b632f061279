// Between what knows the parts of a graph that may render side by side and the threads that render them.

import AudioCore

/// Parts of a graph that render on their own, each behind those whose output it reads.
package protocol BranchList: AnyObject {
  /// The branches that one needs, by turns; nil behind the last.
  func need(_ turn: Int, of branch: Int) -> Int?
  /// Whether a branch takes part in the slice to come.
  func isActive(_ branch: Int) -> Bool
  /// Reads what the files of a branch must give for so many frames.
  func prefetch(_ branch: Int, frames: Int)
  /// Renders a branch when it is pulled. On any thread; no allocation, no lock.
  func render(_ branch: Int, sampleTime: Int64, frames: Int) -> AudioStatus
}

/// Renders branches on several threads, the calling one among them.
package protocol BranchRunner: AnyObject, Sendable {
  /// Returns when all of them that are active are rendered. Those needed stand before what needs them. On any thread.
  func run(_ branches: Range<Int>, of list: any BranchList, sampleTime: Int64, frames: Int)
}

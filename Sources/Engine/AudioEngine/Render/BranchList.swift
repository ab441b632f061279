// The border between a graph, whose parts may render side by side, and the threads that render them.

import AudioCore
import HandOver

/// Parts of a graph that render on their own, each behind those whose output it reads.
package protocol BranchList: AnyObject {
  /// The branches that one needs, by turns; nil behind the last.
  func need(_ turn: Int, of branch: Int) -> Int?
  /// True when a branch takes part in the slice to come.
  func isActive(_ branch: Int) -> Bool
  /// Reads what the files of a branch must give for so many frames.
  func prefetch(_ branch: Int, frames: Int)
  /// Renders a branch when it is pulled. On any thread; no allocation, no lock.
  func render(_ branch: Int, sampleTime: Int64, frames: Int) -> AudioStatus
}

/// Renders branches on several threads, the calling one among them, where that is worth it.
package protocol BranchRunner: AnyObject, Sendable {
  /// Decides how branches are to be rendered: where they are not to be pulled (`plain`), ``run`` or ``release`` must
  /// follow. On any thread.
  ///
  /// - Parameter costs: the costs of rendering them so far: ``WorkCost/lengths`` figures, which stay until then.
  func claim(costs: Plane<WorkCost>, frames: Int) -> HandOverChoice
  /// Ends the claim where nothing is rendered.
  func release()
  /// Returns when all of them that are active are rendered. Those needed stand before what needs them.
  func run(
    _ choice: HandOverChoice, _ branches: Range<Int>, of list: any BranchList, costs: Plane<WorkCost>,
    sampleTime: Int64, frames: Int)
}

import AudioCore
import AudioEngine
import RenderGraph
import Testing
import TestSupport

/// Branches of a graph on several threads.
@Suite struct BranchThreadsTests {
  @Test("renderers that are gone leave no threads")
  func leftovers() throws {
    let before = try #require(FileSystem.names(in: "/proc/self/task")).count
    for _ in 0..<150 {
      let graph = try MixedGraph.all[0].make()
      _ = try graph.renderer(threads: 4).rendered(total: 1000, in: .slices(of: 100))
    }
    // Other tests have some of their own meanwhile.
    let after = try #require(FileSystem.names(in: "/proc/self/task")).count
    #expect(after < before + 200, "\(before), then \(after)")
  }

  @Test("the mixed graphs do fall into branches for several threads", arguments: MixedGraph.all)
  func branches(_ mixed: MixedGraph) throws {
    let graph = try mixed.make()
    #expect(try graph.compile(parallel: true).branchCount > 1)
    #expect(try graph.compile(parallel: false).branchCount == 0)
  }

  @Test(
    "two and four threads give the same bits twenty times over, on an idle and on a busy machine",
    arguments: MixedGraph.all, [2, 4])
  func races(_ mixed: MixedGraph, threads: Int) throws {
    let expected = try mixed.make().renderer().rendered(total: MixedGraph.frames)
    for isBusy in [false, true] {
      let load = isBusy ? BusyThreads(count: 3) : nil
      for round in 0..<20 {
        let graph = try mixed.make()
        let partition = Partition.random(seed: UInt64(100 + round))
        let bits = try graph.renderer(threads: threads).rendered(total: MixedGraph.frames, in: partition)
        let difference = firstDifference(bits, expected, bytesPerFrame: 4)
        #expect(difference == nil, "round \(round), busy: \(isBusy): \(difference ?? "")")
      }
      load?.stop()
    }
  }
}

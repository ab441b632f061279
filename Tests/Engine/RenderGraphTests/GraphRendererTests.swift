import AudioCore
import AudioEngine
import RenderGraph
import Testing
import TestSupport

/// docs/design/rules.md, rule 1: the sound depends on the graph alone, not on slices and not on threads.
@Suite struct GraphRendererTests {
  @Test(
    "slices of any length on one to four threads give the same bits", arguments: MixedGraph.all, [1, 2, 3, 4])
  func slices(_ mixed: MixedGraph, threads: Int) throws {
    let expected = try mixed.make().renderer().rendered(total: MixedGraph.frames)
    #expect(expected.count == 2)
    for buffer in expected {
      #expect(buffer.count == 4 * MixedGraph.frames)
      #expect(Set(buffer).count > 200, "next to silence proves nothing")
    }
    #expect(expected[0] != expected[1])
    for partition in Partition.all {
      let graph = try mixed.make()
      var total = MixedGraph.frames
      // On a busy machine each slice of several threads waits until all of them had their turn.
      if threads > 1, case .slices(let frames) = partition { total = min(total, 400 * frames) }
      let bits = try graph.renderer(threads: threads).rendered(total: total, in: partition)
      let difference = firstDifference(bits, expected.map { Array($0[..<(4 * total)]) }, bytesPerFrame: 4)
      #expect(difference == nil, "\(partition): \(difference ?? "")")
    }
  }

  @Test("after a reset a graph gives the bits of a new one", arguments: MixedGraph.all, [1, 2])
  func reset(_ mixed: MixedGraph, threads: Int) throws {
    let graph = try mixed.make()
    let renderer = try graph.renderer(threads: threads)
    let expected = try mixed.make().renderer().rendered(total: MixedGraph.frames)
    for stop in [1, 500, 4567] {
      let before = try renderer.rendered(total: stop, in: .slices(of: 137))
      #expect(before[0] == Array(expected[0][..<(4 * stop)]))
      graph.reset()
      let after = try renderer.rendered(total: MixedGraph.frames)
      let difference = firstDifference(after, expected, bytesPerFrame: 4)
      #expect(difference == nil, "after \(stop) frames: \(difference ?? "")")
      graph.reset()
    }
  }

  @Test("a graph that is uninitialized and compiled again gives the bits of a new one", arguments: MixedGraph.all)
  func again(_ mixed: MixedGraph) throws {
    let graph = try mixed.make()
    let expected = try graph.renderer().rendered(total: 3000)
    graph.uninitialize()
    let bits = try graph.renderer(threads: 2).rendered(total: 3000)
    #expect(firstDifference(bits, expected, bytesPerFrame: 4) == nil)
  }
}

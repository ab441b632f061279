import AudioCore
import AudioEngine
import CAllocationCounter
import HandOver
import RenderGraph
import Testing
import TestSupport

/// docs/design/rules.md, rule 3: the render call does not allocate. Counted on the calling thread.
@Suite struct GraphRendererAllocationTests {
  @Test(
    "after its first slice no mixed graph allocates in a render call",
    .enabled(if: isRelease, "counts hold in release builds only"),
    arguments: MixedGraph.all, [(1, .measured), (2, .measured), (2, .always)] as [(Int, HandOverRule)])
  func renderCalls(_ mixed: MixedGraph, _ how: (threads: Int, rule: HandOverRule)) throws {
    let graph = try mixed.make()
    let renderer = try graph.renderer(threads: how.threads, rule: how.rule)
    let sum = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    sum.initialize(to: 0)
    defer { sum.deallocate() }
    var at = 0
    var counted = 0
    for length in [100] + Partition.random(seed: 9).lengths(total: 20_000) {
      renderer.prefetch(sampleTime: Int64(at), frames: length)
      var failure = AudioStatus.noError
      allocation_counter_start()
      do throws(AudioStatus) {
        try renderer.render(sampleTime: Int64(at), frames: length) { bus, _, frames in
          for frame in 0..<frames { sum.pointee += abs(bus.planes[0][frame]) }
        }
      } catch {
        failure = error
      }
      let count = allocation_counter_stop()
      #expect(failure == .noError)
      if at > 0 {
        #expect(count == 0, "\(count) allocations in the slice of \(length) frames at \(at)")
        counted += 1
      }
      at += length
    }
    #expect(counted > 30)
    #expect(sum.pointee > 1, "the counted slices were not silence")
  }

  @Test(
    "a reset of a graph does not allocate", .enabled(if: isRelease, "counts hold in release builds only"),
    arguments: MixedGraph.all)
  func reset(_ mixed: MixedGraph) throws {
    let graph = try mixed.make()
    _ = try graph.renderer().rendered(total: 2000)
    allocation_counter_start()
    graph.reset()
    #expect(allocation_counter_stop() == 0)
  }
}

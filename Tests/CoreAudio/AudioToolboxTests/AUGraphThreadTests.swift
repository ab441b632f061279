import AudioCore
import AudioEngine
import CAudioToolbox
import Glibc
import Synchronization
import TestSupport
import Testing

import AudioToolbox

/// A graph that several threads edit while another renders it.
@Suite struct AUGraphThreadTests {
  /// One editor: nodes, connections, callbacks, listeners and updates, in an order that follows from its seed.
  private final class Editor: @unchecked Sendable {
    private let bench: GraphBench
    private let mixer: AUNode
    private let source: GraphSource
    private let bus: UInt32
    private var generator: SeededGenerator
    private var node: AUNode?
    /// Errors that must not occur.
    private(set) var surprises: [OSStatus] = []

    init(_ bench: GraphBench, mixer: AUNode, bus: UInt32, source: GraphSource) {
      (self.bench, self.mixer, self.bus, self.source) = (bench, mixer, bus, source)
      generator = SeededGenerator(seed: UInt64(bus))
    }

    private func check(_ status: OSStatus) { if status != noErr { surprises.append(status) } }

    func edit() throws {
      switch generator.next() % 8 {
      case 0, 1:
        if let node {
          check(AUGraphRemoveNode(bench.graph, node))
          self.node = nil
        } else {
          let new = try bench.addEqualizer()
          check(bench.feed(new, source))
          check(bench.connect(new, to: mixer, input: bus))
          node = new
        }
      case 2: check(bench.feed(mixer, input: bus, source))
      case 3: check(AUGraphDisconnectNodeInput(bench.graph, mixer, bus))
      case 4:
        var isUpdated = false
        check(AUGraphUpdate(bench.graph, &isUpdated))
      case 5: check(bench.update())
      case 6:
        let proc: AURenderCallback = { _, _, _, _, _, _ in noErr }
        let context = UnsafeMutableRawPointer(bitPattern: Int(bus) + 1)
        check(AUGraphAddRenderNotify(bench.graph, proc, context))
        check(AUGraphRemoveRenderNotify(bench.graph, proc, context))
      default:
        var interaction = AUNodeInteraction()
        _ = AUGraphGetInteractionInfo(bench.graph, 0, &interaction)
        if let node { check(AUGraphNodeInfo(bench.graph, node, nil, nil)) }
      }
    }
  }

  @Test("an update that waits returns when what it disconnects is out of use, whoever pulls it")
  func waiting() throws {
    let bench = try GraphBench()
    let (output, mixer) = (try bench.addOutput(), try bench.addMixer())
    expectNoError(bench.connect(mixer, to: output))
    let source = GraphSource(1)
    expectNoError(bench.feed(mixer, source))
    bench.start()
    final class Progress: Sendable { let step = Atomic<Int>(0) }
    for (pulled, frame) in [(output, 0), (mixer, 100)] {
      let progress = Progress()
      var updating: OwnThread?
      var stepInside = -1
      source.onPull = { _ in
        updating = OwnThread {
          expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 0))
          progress.step.store(1, ordering: .sequentiallyConsistent)
          expectNoError(bench.update())
          progress.step.store(2, ordering: .sequentiallyConsistent)
        }
        while progress.step.load(ordering: .sequentiallyConsistent) == 0 { sched_yield() }
        // An opportunity for an update that does not wait to give itself away.
        for _ in 0..<20 { sched_yield() }
        stepInside = progress.step.load(ordering: .sequentiallyConsistent)
      }
      expectNoError(renderSlice(try bench.unit(pulled), at: frame, frames: 16).status)
      updating?.join()
      #expect(stepInside == 1)
      source.onPull = nil
      expectNoError(bench.feed(mixer, source))
      expectNoError(bench.update())
    }
  }

  @Test("edits from two threads while a third renders: no call fails, and the graph is whole afterwards")
  func editors() throws {
    let bench = try GraphBench()
    let (output, mixer) = (try bench.addOutput(), try bench.addMixer())
    let sources = (1...3).map { GraphSource(UInt64($0)) }
    expectNoError(bench.connect(mixer, to: output))
    expectNoError(bench.feed(mixer, input: 2, sources[2]))
    bench.start()
    let editors = (0..<2).map { Editor(bench, mixer: mixer, bus: UInt32($0), source: sources[$0]) }
    final class Count: Sendable { let running = Atomic<Int>(2) }
    let count = Count()
    let threads = editors.map { editor in
      OwnThread {
        do { for _ in 0..<100 { try editor.edit() } } catch { Issue.record(error) }
        count.running.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
    let unit = try bench.unit(output)
    var at = 0
    var failures: [OSStatus] = []
    while count.running.load(ordering: .sequentiallyConsistent) > 0 {
      let status = renderSlice(unit, at: at, frames: 32).status
      if status != noErr { failures.append(status) }
      at += 32
    }
    for thread in threads { thread.join() }
    // An equalizer without its source may be pulled for a moment: what feeds it is an edit of its own.
    #expect(failures.allSatisfy { $0 == kAudioUnitErr_NoConnection })
    #expect(editors.flatMap(\.surprises) == [])
    expectNoError(bench.update())
    for bus in 0..<UInt32(2) { #expect(AUGraphDisconnectNodeInput(bench.graph, mixer, bus) == noErr) }
    expectNoError(bench.update())
    #expect(firstDifference(try render(unit, at..<at + 512), sources[2].signal(at..<at + 512)) == nil)
  }
}

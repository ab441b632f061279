import AudioToolbox
import Dispatch
import Glibc
import Synchronization
import Testing
import TestSupport

/// Edits of an initialized graph, a test for each clause.
@Suite struct AUGraphUpdateRuleTests {
  /// The events between two threads.
  private final class Meeting: Sendable {
    let step = Atomic<Int>(0)
    let inside = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
  }

  /// An initialized graph of a mixer and an output; the first source feeds the mixer's input 0.
  private let bench: GraphBench
  private let mixer: AUNode
  private let unit: AudioUnit
  private let sources = (1...4).map { GraphSource(UInt64($0)) }

  init() throws {
    bench = try GraphBench()
    mixer = try bench.addMixer()
    let output = try bench.addOutput()
    expectNoError(bench.connect(mixer, to: output))
    expectNoError(bench.feed(mixer, sources[0]))
    bench.start()
    unit = try bench.unit(output)
  }

  /// The second source at input 1, from now on, and an edit that takes it away and waits for its update.
  private func awaitDisconnection() {
    expectNoError(bench.feed(mixer, input: 1, sources[1]))
    expectNoError(bench.update())
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 1))
  }

  @Test("Edits of an initialized graph wait for an update, and hold from it on")
  func edits() throws {
    expectNoError(bench.feed(mixer, input: 1, sources[1]))
    #expect(firstDifference(try render(unit, 0..<512), sources[0].signal(0..<512)) == nil)
    #expect(sources[1].pulls == 0)
    expectNoError(bench.update())
    let both = try mixed(sources[0].signal(512..<1024), sources[1].signal(512..<1024), from: 512)
    #expect(firstDifference(try render(unit, 512..<1024), both) == nil)
  }

  @Test("With somewhere to answer, an update returns at once: no while a former cycle runs, yes afterwards")
  func answer() throws {
    awaitDisconnection()
    let bench = bench
    var answers: [Bool] = []
    sources[0].onPull = { _ in
      var isUpdated = true
      OwnThread { #expect(AUGraphUpdate(bench.graph, &isUpdated) == noErr) }.join()
      answers.append(isUpdated)
    }
    _ = try render(unit, 0..<512)
    sources[0].onPull = nil
    var isUpdated = false
    expectNoError(AUGraphUpdate(bench.graph, &isUpdated))
    #expect(answers == [false] && isUpdated)
    #expect(firstDifference(try render(unit, 512..<1024), sources[0].signal(512..<1024)) == nil)
  }

  @Test("With nowhere to answer, an update returns when the cycle that runs is over")
  func wait() throws {
    awaitDisconnection()
    let bench = bench
    let waiting = Meeting()
    var updating: OwnThread?
    var stepInside = -1
    sources[0].onPull = { _ in
      updating = OwnThread {
        waiting.inside.signal()
        expectNoError(bench.update())
        waiting.step.store(1, ordering: .sequentiallyConsistent)
      }
      waiting.inside.wait()
      // An opportunity for an update that does not wait to give itself away.
      for _ in 0..<20 { sched_yield() }
      stepInside = waiting.step.load(ordering: .sequentiallyConsistent)
    }
    _ = try render(unit, 0..<512)
    sources[0].onPull = nil
    updating?.join()
    #expect(stepInside == 0 && waiting.step.load(ordering: .sequentiallyConsistent) == 1)
  }

  @Test("Edits are done in order, up to one that fails, whose error is returned; the rest waits for the next update")
  func failure() throws {
    expectNoError(bench.feed(mixer, input: 1, sources[1]))
    expectNoError(bench.feed(mixer, input: 99, sources[2]))
    expectNoError(bench.feed(mixer, input: 2, sources[3]))
    expectStatus(-10877, bench.update())
    _ = try render(unit, 0..<512)
    #expect(sources.map(\.pulls) == [1, 1, 0, 0])
    expectNoError(bench.update())
    _ = try render(unit, 512..<1024)
    #expect(sources.map(\.pulls) == [2, 2, 0, 1])
  }

  @Test("On the thread that renders, what another thread holds is not waited for")
  func neverBlocks() throws {
    let bench = bench
    let meeting = Meeting()
    expectNoError(bench.feed(mixer, input: 3, sources[2]))
    #expect(
      AudioUnitAddPropertyListener(
        try bench.unit(mixer), kAudioUnitProperty_StreamFormat,
        { context, _, _, _, _ in
          let meeting = Unmanaged<Meeting>.fromOpaque(context).takeUnretainedValue()
          meeting.inside.signal()
          meeting.mayGo.wait()
        }, Unmanaged.passUnretained(meeting).toOpaque()) == noErr)
    var updating: OwnThread?
    var status = noErr
    sources[0].onPull = { _ in
      updating = OwnThread { #expect(bench.update() == noErr) }
      meeting.inside.wait()
      status = AUGraphUpdate(bench.graph, nil)
      meeting.mayGo.signal()
    }
    _ = try render(unit, 0..<512)
    sources[0].onPull = nil
    updating?.join()
    expectStatus(-10863, status)
  }
}

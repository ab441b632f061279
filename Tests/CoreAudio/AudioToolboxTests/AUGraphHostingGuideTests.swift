import AudioCore
import AudioEngine
import CAudioToolbox
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

import AudioToolbox

/// Figures 1-4 and 1-5 of the hosting guide: two sounds into a mixer into the output, and an iPod equalizer that is put
/// into the second branch, and taken out again, while it renders. Held to the engine's units rendered by hand, to the
/// bit.
@Suite struct AUGraphHostingGuideTests {
  private static let rock = 17
  private let bench: GraphBench
  private let output: AUNode
  private let mixer: AUNode
  private let guitar = GraphSource(1)
  private let beats = GraphSource(2)

  init() throws {
    bench = try GraphBench()
    output = try bench.addOutput()
    mixer = try bench.addMixer()
    expectNoError(bench.connect(mixer, to: output))
    expectNoError(AUGraphOpen(bench.graph))
    for node in [output, mixer] {
      var frames: UInt32 = 4096
      #expect(
        AudioUnitSetProperty(
          try bench.unit(node), kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, 4)
          == noErr)
    }
    expectNoError(bench.feed(mixer, input: 0, guitar))
    expectNoError(bench.feed(mixer, input: 1, beats))
    expectNoError(AUGraphInitialize(bench.graph))
  }

  /// The steps of the guide, up to the update.
  private func insert() throws -> AUNode {
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 1))
    let equalizer = try bench.addEqualizer()
    let unit = try bench.unit(equalizer)
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    #expect(
      AudioUnitGetProperty(
        try bench.unit(mixer), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &format, &size) == noErr)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      expectNoError(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, &format, size))
    }
    var frames: UInt32 = 4096
    #expect(
      AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, 4)
        == noErr)
    try bench.select(preset: Int32(Self.rock), equalizer)
    expectNoError(AudioUnitInitialize(unit))
    expectNoError(bench.feed(equalizer, beats))
    expectNoError(bench.connect(equalizer, to: mixer, input: 1))
    return equalizer
  }

  private func remove(_ equalizer: AUNode) {
    expectNoError(AUGraphRemoveNode(bench.graph, equalizer))
    expectNoError(bench.feed(mixer, input: 1, beats))
  }

  private func plain(_ frames: Range<Int>) throws -> [[Float]] {
    try mixed(guitar.signal(frames), beats.signal(frames), from: frames.lowerBound)
  }

  private func equalizedMix(_ frames: Range<Int>) throws -> [[Float]] {
    let start = frames.lowerBound
    return try mixed(
      guitar.signal(frames), try equalized(beats.signal(frames), preset: Self.rock, from: start), from: start)
  }

  @Test(
    "the equalizer is heard from the edge of the update on, and not a frame earlier or later",
    arguments: [1, 441, 512, 4096])
  func insertion(slice: Int) throws {
    let total = max(4 * slice, 100)
    let unit = try bench.unit(output)
    let before = 0..<total
    #expect(firstDifference(try render(unit, before, slice: slice), try plain(before)) == nil)
    let equalizer = try insert()
    let waiting = total..<2 * total
    #expect(
      firstDifference(try render(unit, waiting, slice: slice), try plain(waiting)) == nil, "not before the update")
    expectNoError(bench.update())
    let after = 2 * total..<3 * total
    #expect(firstDifference(try render(unit, after, slice: slice), try equalizedMix(after)) == nil)
    remove(equalizer)
    expectNoError(bench.update())
    let again = 3 * total..<4 * total
    #expect(firstDifference(try render(unit, again, slice: slice), try plain(again)) == nil)
    #expect(firstDifference(try equalizedMix(after), try plain(after)) != nil, "the equalizer does something")
  }

  @Test(
    "an update by another thread while the graph renders holds from one edge on, to the bit", arguments: [64, 441, 512])
  func otherThread(slice: Int) throws {
    let unit = try bench.unit(output)
    let started = DispatchSemaphore(value: 0)
    let test = self
    let progress = Progress()
    let editor = OwnThread {
      started.wait()
      do {
        let equalizer = try test.insert()
        expectNoError(test.bench.update())
        progress.step.store(1, ordering: .sequentiallyConsistent)
        while progress.rendered.load(ordering: .sequentiallyConsistent) < 2 { sched_yield() }
        test.remove(equalizer)
        expectNoError(test.bench.update())
      } catch {
        Issue.record(error)
      }
      progress.step.store(2, ordering: .sequentiallyConsistent)
    }
    // Slices before, between and after the two updates, however long these take.
    var signal: [[Float]] = [[], []]
    var extra = 0
    while extra < 4 {
      let at = signal[0].count
      let result = renderSlice(unit, at: at, frames: slice)
      try #require(result.status == noErr)
      for channel in 0..<2 { signal[channel] += result.signal[channel] }
      if at == 0 { started.signal() }
      let step = progress.step.load(ordering: .sequentiallyConsistent)
      if step == 1 { progress.rendered.add(1, ordering: .sequentiallyConsistent) }
      if step == 2 { extra += 1 }
    }
    editor.join()
    let total = signal[0].count
    let dry = try plain(0..<total)
    func differs(_ frame: Int) -> Bool { (0..<2).contains { dry[$0][frame] != signal[$0][frame] } }
    let first = try #require((0..<total).first(where: differs))
    let last = try #require((0..<total).last(where: differs))
    // The slices in which the sound first and last differs.
    let edge = first / slice * slice
    let end = (last / slice + 1) * slice
    #expect(edge > 0 && end < total)
    let wet = try equalizedMix(edge..<end)
    let found = signal.map { Array($0[edge..<end]) }
    #expect(firstDifference(found, wet) == nil)
    #expect(firstDifference(signal.map { Array($0[..<edge]) }, dry.map { Array($0[..<edge]) }) == nil)
    #expect(firstDifference(signal.map { Array($0[end...]) }, dry.map { Array($0[end...]) }) == nil)
  }

  private final class Progress: Sendable {
    let step = Atomic<Int>(0)
    let rendered = Atomic<Int>(0)
  }

  @Test("an update in the graph's own notification before a cycle holds in that cycle, inside a callback in the next")
  func fromTheRenderThread() throws {
    let unit = try bench.unit(output)
    _ = try insert()
    final class Updating {
      let graph: AUGraph
      var at: Double
      var answers: [(status: OSStatus, isUpdated: Bool)] = []
      init(_ graph: AUGraph, at: Double) { (self.graph, self.at) = (graph, at) }
    }
    let updating = Updating(bench.graph, at: 1024)
    let context = Unmanaged.passUnretained(updating).toOpaque()
    let notify: AURenderCallback = { context, flags, timeStamp, _, _, _ in
      let updating = Unmanaged<Updating>.fromOpaque(context).takeUnretainedValue()
      guard flags.pointee.contains(.unitRenderAction_PreRender), timeStamp.pointee.mSampleTime >= updating.at,
        updating.answers.count < 2
      else { return noErr }
      var isUpdated = false
      let status = AUGraphUpdate(updating.graph, &isUpdated)
      updating.answers.append((status, isUpdated))
      return noErr
    }
    expectNoError(AUGraphAddRenderNotify(bench.graph, notify, context))
    #expect(firstDifference(try render(unit, 0..<1024), try plain(0..<1024)) == nil)
    #expect(firstDifference(try render(unit, 1024..<2048), try equalizedMix(1024..<2048)) == nil)
    #expect(updating.answers.map(\.status) == [noErr, noErr])
    #expect(updating.answers.map(\.isUpdated) == [false, true], "its own cycle is one that began before")
    expectNoError(AUGraphRemoveRenderNotify(bench.graph, notify, context))

    // From inside a callback.
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 1))
    var statuses: [OSStatus] = []
    guitar.onPull = { frame in if frame == 2560 { statuses.append(self.bench.update()) } }
    _ = try render(unit, 2048..<2560)
    let pulls = beats.pulls
    _ = try render(unit, 2560..<3072)
    #expect(statuses == [noErr])
    #expect(beats.pulls == pulls + 1, "still in this cycle")
    #expect(firstDifference(try render(unit, 3072..<3584), guitar.signal(3072..<3584)) == nil)
    #expect(beats.pulls == pulls + 1)
  }

  @Test("on the thread that renders nothing waits: what another thread holds up is to be tried again")
  func noWaiting() throws {
    // The other thread holds the graph in a listener that its update calls.
    final class Meeting: Sendable {
      let inside = DispatchSemaphore(value: 0)
      let mayGo = DispatchSemaphore(value: 0)
    }
    let meeting = Meeting()
    let unit = try bench.unit(output)
    expectNoError(bench.feed(mixer, input: 2, GraphSource(3)))
    #expect(
      AudioUnitAddPropertyListener(
        try bench.unit(mixer), kAudioUnitProperty_StreamFormat,
        { context, _, _, _, _ in
          let meeting = Unmanaged<Meeting>.fromOpaque(context).takeUnretainedValue()
          meeting.inside.signal()
          meeting.mayGo.wait()
        }, Unmanaged.passUnretained(meeting).toOpaque()) == noErr)
    let bench = bench
    var answers: [OSStatus] = []
    var updating: OwnThread?
    guitar.onPull = { frame in
      guard frame == 512 else { return }
      updating = OwnThread { #expect(bench.update() == noErr) }
      meeting.inside.wait()
      var flag = false
      answers = [
        AUGraphUpdate(bench.graph, &flag), AUGraphIsRunning(bench.graph, &flag),
        AUGraphDisconnectNodeInput(bench.graph, 1, 0), AUGraphStart(bench.graph),
      ]
      meeting.mayGo.signal()
    }
    let mixerNode = mixer
    _ = try render(unit, 0..<1024)
    updating?.join()
    #expect(answers == Array(repeating: kAUGraphErr_CannotDoInCurrentContext, count: 4))
    // Once no thread holds it, the same thread may make the call.
    guitar.onPull = { frame in
      guard frame == 1024 else { return }
      var flag = true
      answers = [
        AUGraphIsRunning(bench.graph, &flag), AUGraphClose(bench.graph), AUGraphUninitialize(bench.graph),
        DisposeAUGraph(bench.graph), AUGraphRemoveNode(bench.graph, mixerNode),
      ]
    }
    _ = try render(unit, 1024..<1536)
    let refused = kAUGraphErr_CannotDoInCurrentContext
    #expect(answers == [noErr, refused, refused, refused, noErr])
    guitar.onPull = nil
  }

  @Test("an update that does not wait answers no while a cycle is under way that began before, and yes then")
  func askingAgain() throws {
    let unit = try bench.unit(output)
    let bench = bench
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 1))
    var answers: [Bool] = []
    guitar.onPull = { frame in
      guard frame == 0 else { return }
      // Another thread, while this one is in the middle of a cycle.
      var answer = true
      OwnThread { #expect(AUGraphUpdate(bench.graph, &answer) == noErr) }.join()
      answers.append(answer)
    }
    _ = try render(unit, 0..<512)
    var isUpdated = false
    expectNoError(AUGraphUpdate(bench.graph, &isUpdated))
    #expect(answers == [false])
    #expect(isUpdated)
    #expect(firstDifference(try render(unit, 512..<1024), guitar.signal(512..<1024)) == nil)
    guitar.onPull = nil
  }
}

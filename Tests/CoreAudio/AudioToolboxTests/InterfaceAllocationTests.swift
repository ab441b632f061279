// Calls on the render thread of a C program do not allocate: rendering, parameters, schedules, graphs. Counted, per
// thread, by a malloc of the tests' own; in release builds only, as without optimization Swift itself allocates.

import AudioCore
import AudioEngine
import AudioToolbox
import CAllocationCounter
import TestSupport
import Testing

@Suite("The C interface does not allocate on the render thread")
struct InterfaceAllocationTests {
  /// Slices that are not counted: the first of a process may make metadata of types.
  private static let first = 2

  @Test("the counter sees an allocation, or no count would mean anything")
  func counterCounts() {
    allocation_counter_start()
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    let count = allocation_counter_stop()
    list.unsafeMutablePointer.deallocate()
    #expect(count > 0)
  }

  @Test(
    "AudioUnitRender of each unit, with a ramp scheduled before each slice, and AudioUnitSetParameter between them",
    .enabled(if: isRelease, "counts hold in release builds only"), arguments: InterfaceSubject.all)
  func units(subject: InterfaceSubject) throws {
    // An allocation of the path comes in each of three measurements. One that comes once may be the runtime's, whose caches
    // are emptied when another thread loads a library.
    var found: [String] = []
    for _ in 0..<3 {
      found = try allocations(of: subject)
      if found.isEmpty { return }
    }
    Issue.record("\(found)")
  }

  /// The allocations of a unit's slices, in words.
  private func allocations(of subject: InterfaceSubject) throws -> [String] {
    let host = try subject.open()
    var found: [String] = []
    var at = 0
    var counted = 0
    let lengths = Partition.random(seed: 5).lengths(
      total: InterfaceSubject.frames, bounds: [100, 200] + subject.events.map(\.frame))
    for (slice, frames) in lengths.enumerated() {
      for event in subject.events where event.frame == at {
        allocation_counter_start()
        let status = host.set(event.setting)
        let count = allocation_counter_stop()
        expectNoError(status)
        if count != 0 { found.append("setting at \(at): \(String(cString: allocation_counter_first()))") }
      }
      allocation_counter_start()
      let status = host.render(at: at, frames: frames, intoOwnMemory: slice % 3 != 0)
      let count = allocation_counter_stop()
      expectNoError(status)
      if slice >= Self.first {
        if count != 0 {
          found.append(
            "\(count) allocations in the slice of \(frames) frames at \(at): \(String(cString: allocation_counter_first()))"
          )
        }
        counted += 1
      }
      at += frames
    }
    #expect(host.failures == 0 && counted > 20)
    return found
  }

  @Test(
    "setting and reading parameters at any time", .enabled(if: isRelease, "counts hold in release builds only"),
    arguments: InterfaceSubject.all)
  func parameters(subject: InterfaceSubject) throws {
    let host = try subject.open()
    guard let setting = subject.parameters.first else { return }
    let address = setting.address
    var value: Float = 0
    for turn in 0..<20 {
      allocation_counter_start()
      let status = host.set(setting)
      let read = AudioUnitGetParameter(
        host.unit, address.id, address.scope.rawValue, UInt32(address.element), &value)
      let count = allocation_counter_stop()
      #expect(status == noErr && read == noErr && value == setting.value)
      if turn >= Self.first { #expect(count == 0) }
    }
  }

  @Test("a file player that was primed", .enabled(if: isRelease, "counts hold in release builds only"))
  func filePlayer() throws {
    let path = Repository.path + "/fixtures/audio/tabla-48000.flac"
    let player = try ScheduledPlayer(
      path, StreamFormat(sampleRate: 44_100, channelCount: 2), region: 0..<9000, loops: 0, at: 0)
    for slice in 0..<20 {
      expectNoError(player.prime())
      allocation_counter_start()
      let status = player.host.render(at: slice * 512, frames: 512)
      let count = allocation_counter_stop()
      expectNoError(status)
      if slice >= Self.first { #expect(count == 0, "slice \(slice)") }
    }
  }

  /// Schedules a ramp of a mixer's output volume before each cycle of its graph, and again in the mixer's own notify.
  private final class Scheduler {
    let mixer: AudioUnit
    var calls = 0
    var failures = 0
    init(_ mixer: AudioUnit) { self.mixer = mixer }

    static let proc: AURenderCallback = { context, flags, _, _, frames, _ in
      let scheduler = Unmanaged<Scheduler>.fromOpaque(context).takeUnretainedValue()
      guard flags.pointee.contains(.unitRenderAction_PreRender) else { return noErr }
      scheduler.calls += 1
      var event = AudioUnitParameterEvent()
      event.scope = kAudioUnitScope_Output
      event.parameter = UInt32(kMultiChannelMixerParam_Volume)
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.durationInFrames = frames
      event.eventValues.ramp.startValue = 0.5
      event.eventValues.ramp.endValue = 1
      if AudioUnitScheduleParameters(scheduler.mixer, &event, 1) != noErr { scheduler.failures += 1 }
      if AudioUnitSetParameter(scheduler.mixer, event.parameter, kAudioUnitScope_Input, 1, 0.25, 0) != noErr {
        scheduler.failures += 1
      }
      return noErr
    }
  }

  @Test(
    "a graph's head, with connections, callbacks of two rates, and notifies",
    .enabled(if: isRelease, "counts hold in release builds only"))
  func graph() throws {
    let bench = try GraphBench()
    let (output, mixer, equalizer, filter) = (
      try bench.addOutput(), try bench.addMixer(), try bench.addEqualizer(), try bench.addFilter()
    )
    expectNoError(bench.connect(filter, to: mixer, input: 0))
    expectNoError(bench.connect(mixer, to: equalizer))
    expectNoError(bench.connect(equalizer, to: output))
    expectNoError(AUGraphOpen(bench.graph))
    try bench.select(preset: 17, equalizer)
    let studio = GraphBench.stereo.at(sampleRate: 48_000)
    expectNoError(try bench.set(studio, mixer, kAudioUnitScope_Input, 1))
    let sources = [
      try ByteSource(GraphBench.stereo, frames: 9000, seed: 1), try ByteSource(studio, frames: 9000, seed: 2),
    ]
    for (node, input, source) in [(filter, UInt32(0), sources[0]), (mixer, 1, sources[1])] {
      var callback = source.callback
      expectNoError(AUGraphSetNodeInputCallback(bench.graph, node, input, &callback))
    }
    expectNoError(AUGraphInitialize(bench.graph))
    let scheduler = Scheduler(try bench.unit(mixer))
    let context = Unmanaged.passUnretained(scheduler).toOpaque()
    expectNoError(AUGraphAddRenderNotify(bench.graph, Scheduler.proc, context))
    expectNoError(AudioUnitAddRenderNotify(scheduler.mixer, Scheduler.proc, context))

    let list = RenderBuffers(frames: 700)
    let head = try bench.unit(output)
    var at = 0
    var slices = 0
    for frames in [64, 64] + Partition.random(seed: 9).lengths(total: 8000) {
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = Double(at)
      stamp.mFlags = .sampleTimeValid
      for index in 0..<2 { list.list[index].mDataByteSize = UInt32(frames * 4) }
      allocation_counter_start()
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      let status = AudioUnitRender(head, &flags, &stamp, 0, UInt32(frames), list.pointer)
      let count = allocation_counter_stop()
      expectNoError(status)
      #expect(list.samples(frames: frames).contains { $0 != 0 })
      if slices >= Self.first { #expect(count == 0, "\(count) allocations at \(at)") }
      at += frames
      slices += 1
    }
    #expect(slices > 15 && scheduler.calls == 2 * slices && scheduler.failures == 0)
    withExtendedLifetime((scheduler, sources)) {}
  }
}

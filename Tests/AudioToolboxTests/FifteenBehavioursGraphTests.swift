// The behaviours that re-implementations get wrong, one test each: 8 to 12, of graphs,
// notifies, silence and parameters over time. The others are in `FifteenBehavioursTests` and
// `FifteenBehavioursPropertyTests`.

import AudioCore
import AudioToolbox
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("The fifteen behaviours: graphs, notifies, silence, schedules")
struct FifteenBehavioursGraphTests {
  static let pre = AudioUnitRenderActionFlags.unitRenderAction_PreRender
  static let post = AudioUnitRenderActionFlags.unitRenderAction_PostRender
  static let failed: AudioUnitRenderActionFlags = [.unitRenderAction_PostRender, .unitRenderAction_PostRenderError]
  static let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence

  /// What happens between the threads of test 8.
  private final class Meeting: Sendable {
    let step = Atomic<Int>(0)
    let inside = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
  }

  @Test("8. Edits of an initialized graph wait for an update, which waits or tells, stops at errors, and never blocks")
  func todoList() throws {
    let bench = try GraphBench()
    let (output, mixer) = (try bench.addOutput(), try bench.addMixer())
    let sources = (1...4).map { GraphSource(UInt64($0)) }
    #expect(bench.connect(mixer, to: output) == noErr)
    #expect(bench.feed(mixer, sources[0]) == noErr)
    bench.start()
    let unit = try bench.unit(output)
    func first(_ frames: Range<Int>) -> [[Float]] { sources[0].signal(frames) }

    // Not before the update, and from it on.
    #expect(bench.feed(mixer, input: 1, sources[1]) == noErr)
    #expect(firstDifference(try render(unit, 0..<512), first(0..<512)) == nil)
    #expect(sources[1].pulls == 0)
    #expect(bench.update() == noErr)
    let both = try mixed(first(512..<1024), sources[1].signal(512..<1024), from: 512)
    #expect(firstDifference(try render(unit, 512..<1024), both) == nil)

    // With somewhere to answer, it returns at once: no while a cycle is under way that began before, yes afterwards.
    #expect(AUGraphDisconnectNodeInput(bench.graph, mixer, 1) == noErr)
    var answers: [Bool] = []
    sources[0].onPull = { _ in
      var isUpdated = true
      OwnThread { #expect(AUGraphUpdate(bench.graph, &isUpdated) == noErr) }.join()
      answers.append(isUpdated)
    }
    _ = try render(unit, 1024..<1536)
    sources[0].onPull = nil
    var isUpdated = false
    #expect(AUGraphUpdate(bench.graph, &isUpdated) == noErr)
    #expect(answers == [false] && isUpdated)
    #expect(firstDifference(try render(unit, 1536..<2048), first(1536..<2048)) == nil)

    // With nowhere to answer, it returns when that cycle is over.
    #expect(bench.feed(mixer, input: 1, sources[1]) == noErr)
    #expect(bench.update() == noErr)
    #expect(AUGraphDisconnectNodeInput(bench.graph, mixer, 1) == noErr)
    let waiting = Meeting()
    var updating: OwnThread?
    var stepInside = -1
    sources[0].onPull = { _ in
      updating = OwnThread {
        waiting.inside.signal()
        #expect(bench.update() == noErr)
        waiting.step.store(1, ordering: .sequentiallyConsistent)
      }
      waiting.inside.wait()
      // An opportunity for an update that does not wait to give itself away.
      for _ in 0..<20 { sched_yield() }
      stepInside = waiting.step.load(ordering: .sequentiallyConsistent)
    }
    _ = try render(unit, 2048..<2560)
    sources[0].onPull = nil
    updating?.join()
    #expect(stepInside == 0 && waiting.step.load(ordering: .sequentiallyConsistent) == 1)

    // In order, up to the one that fails, whose error is returned; what comes after it waits for the next update.
    #expect(bench.feed(mixer, input: 1, sources[1]) == noErr)
    #expect(bench.feed(mixer, input: 99, sources[2]) == noErr)
    #expect(bench.feed(mixer, input: 2, sources[3]) == noErr)
    #expect(bench.update() == -10877)
    let before = sources[1].pulls
    _ = try render(unit, 2560..<3072)
    let pulls = [sources[1].pulls, sources[3].pulls]
    #expect(pulls == [before + 1, 0])
    #expect(bench.update() == noErr)
    _ = try render(unit, 3072..<3584)
    #expect([sources[1].pulls, sources[3].pulls] == [pulls[0] + 1, 1] && sources[2].pulls == 0)

    // On the thread that renders, what another thread holds is not waited for.
    let meeting = Meeting()
    #expect(bench.feed(mixer, input: 3, sources[2]) == noErr)
    #expect(
      AudioUnitAddPropertyListener(
        try bench.unit(mixer), kAudioUnitProperty_StreamFormat,
        { context, _, _, _, _ in
          let meeting = Unmanaged<Meeting>.fromOpaque(context).takeUnretainedValue()
          meeting.inside.signal()
          meeting.mayGo.wait()
        }, Unmanaged.passUnretained(meeting).toOpaque()) == noErr)
    var status = noErr
    sources[0].onPull = { _ in
      updating = OwnThread { #expect(bench.update() == noErr) }
      meeting.inside.wait()
      status = AUGraphUpdate(bench.graph, nil)
      meeting.mayGo.signal()
    }
    _ = try render(unit, 3584..<4096)
    sources[0].onPull = nil
    updating?.join()
    #expect(status == -10863)
  }

  @Test("9. A graph has one output; what takes part in nothing is not initialized; starting needs an initialized graph")
  func oneOutput() throws {
    let bench = try GraphBench()
    #expect(AUGraphStart(bench.graph) == -10863)
    let output = try bench.addOutput()
    for subType in [kAudioUnitSubType_GenericOutput, kAudioUnitSubType_RemoteIO] {
      var description = GraphBench.description(kAudioUnitType_Output, subType)
      var node: AUNode = 0
      #expect(AUGraphAddNode(bench.graph, &description, &node) == -10862)
    }
    var count: UInt32 = 0
    #expect(AUGraphGetNodeCount(bench.graph, &count) == noErr && count == 1)
    let (mixer, idle) = (try bench.addMixer(), try bench.addFilter())
    #expect(bench.connect(mixer, to: output) == noErr)
    #expect(AUGraphOpen(bench.graph) == noErr)
    #expect(AUGraphStart(bench.graph) == -10863, "open is not enough")
    #expect(bench.flag(AUGraphIsRunning) == false)
    #expect(AUGraphInitialize(bench.graph) == noErr)
    #expect(try bench.isInitialized(mixer) && bench.isInitialized(output))
    #expect(try !bench.isInitialized(idle))
    #expect(renderSlice(try bench.unit(idle), at: 0, frames: 16).status == -10867)
    #expect(AUGraphStart(bench.graph) == noErr)
    #expect(bench.flag(AUGraphIsRunning) == true)
    #expect(AUGraphStop(bench.graph) == noErr)
    // It is as soon as it takes part in something.
    #expect(bench.feed(idle, GraphSource(1)) == noErr)
    #expect(bench.connect(idle, to: mixer) == noErr)
    #expect(try !bench.isInitialized(idle))
    #expect(bench.update() == noErr)
    #expect(try bench.isInitialized(idle))

    let headless = try GraphBench()
    _ = try headless.addMixer()
    headless.start()
    #expect(AUGraphStart(headless.graph) == -10862)
  }

  /// What notifies of test 10 have heard.
  private final class Ear {
    var flags: [UInt32] = []
    var other: Ear?
    var unit: AudioUnit?

    static let proc: AURenderCallback = { context, flags, _, _, _, _ in
      Ear.of(context).flags.append(flags.pointee.rawValue)
      return noErr
    }
    static func of(_ context: UnsafeMutableRawPointer) -> Ear {
      Unmanaged<Ear>.fromOpaque(context).takeUnretainedValue()
    }
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  }

  @Test("10. Notifies hear each render once before and after, with flags of their own; their answers do not count")
  func notifies() throws {
    // Nested units: each hears its own renders, once.
    let (upstream, host) = (try RenderHost(.lowPass), try RenderHost(.nBandEQ))
    let connection = AudioUnitConnection(sourceAudioUnit: upstream.unit, sourceOutputNumber: 0, destInputNumber: 0)
    #expect(host.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection) == noErr)
    let pair: [RenderHost.Note] = [Self.pre, Self.post].map { .init(flags: $0, bus: 0, frames: 64) }
    for _ in 0..<3 {
      for each in [upstream, host] { each.forgetCalls() }
      #expect(host.render().status == noErr)
      #expect(host.notes == pair && upstream.notes == pair)
    }

    // One that fails and changes the flags: the render and its caller do not see it, the next notify does.
    let meddler: AURenderCallback = { _, flags, _, _, _, _ in
      flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return -1
    }
    let next = Ear()
    let single = try RenderHost(.lowPass)
    #expect(AudioUnitAddRenderNotify(single.unit, meddler, nil) == noErr)
    #expect(AudioUnitAddRenderNotify(single.unit, Ear.proc, next.context) == noErr)
    #expect(single.render().status == noErr)
    #expect(single.pullFlags == [[]] && single.flags == [])
    #expect(single.notes == pair, "it was asked before the meddler")
    #expect(next.flags == [0x14, 0x18])

    // Errors: of the source between both; of the arguments and of the bus not at all.
    single.forgetCalls()
    next.flags = []
    single.sourceStatus = 4711
    #expect(single.render().status == 4711)
    #expect(single.notes.map(\.flags) == [Self.pre, Self.failed] && next.flags == [0x14, 0x118])
    single.forgetCalls()
    #expect(single.render(into: RenderBuffers(channels: 1, frames: 64)).status == -50)
    #expect(single.notes.isEmpty && next.flags == [0x14, 0x118])
    single.forgetCalls()
    #expect(single.render(bus: 1).status == -10877)
    #expect(single.notes.isEmpty)
    single.sourceStatus = noErr
    // What has failed is not tried again for the same time.
    #expect(single.render().status == 4711)
    single.sampleTime += 64

    // The same function and reference are one registration, and only both together take it away.
    let ears = [Ear(), Ear()]
    for ear in [ears[0], ears[0], ears[1]] {
      #expect(AudioUnitAddRenderNotify(single.unit, Ear.proc, ear.context) == noErr)
    }
    #expect(AudioUnitRemoveRenderNotify(single.unit, meddler, nil) == noErr)
    #expect(AudioUnitRemoveRenderNotify(single.unit, meddler, ears[0].context) == noErr, "never added")
    #expect(single.render().status == noErr)
    #expect(ears.map(\.flags) == [[4, 8], [4, 8]])
    // One that is taken away while the render runs hears of its end.
    let remover: AURenderCallback = { context, _, _, _, _, _ in
      let ear = Ear.of(context)
      if let unit = ear.unit, let other = ear.other { _ = AudioUnitRemoveRenderNotify(unit, Ear.proc, other.context) }
      return noErr
    }
    let removing = Ear()
    (removing.unit, removing.other) = (single.unit, ears[0])
    #expect(AudioUnitAddRenderNotify(single.unit, remover, removing.context) == noErr)
    for _ in 0..<2 { #expect(single.render().status == noErr) }
    #expect(ears.map(\.flags) == [[4, 8, 4, 8], [4, 8, 4, 8, 4, 8]])
    withExtendedLifetime((next, ears, removing)) {}
  }

  @Test("11. Silence is a hint, honoured after latency and tail, and then zeros; the caller clears the flags")
  func silenceFlag() throws {
    let host = try RenderHost(.lowPass, initialize: false)
    #expect(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_CutoffFrequency), 0, 0, 100, 0) == noErr)
    #expect(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_Resonance), 0, 0, 20, 0) == noErr)
    #expect(AudioUnitInitialize(host.unit) == noErr)
    let tail = try #require(host.opened.get(kAudioUnitProperty_TailTime, as: Double.self).value)
    let latency = try #require(host.opened.get(kAudioUnitProperty_Latency, as: Double.self).value)
    let ring = Int(((tail + latency) * 44_100).rounded())
    #expect(ring > 640)
    host.signal = { $0 < 64 ? 1 : 0 }
    #expect(host.render().status == noErr && host.flags == [])
    host.isSilent = true
    var isSilent: [Bool] = []
    for slice in 0..<(ring / 64 + 4) {
      let samples = host.render().samples
      isSilent.append(host.flags == Self.silence)
      // Whoever sets it zeroes the buffers; until then what rings is heard.
      if host.flags == Self.silence { #expect(samples.allSatisfy { $0 == 0 }) }
      if slice < 10 { #expect(samples.contains { $0 != 0 }, "slice \(slice)") }
    }
    // A slice is silent when all of latency and tail went by before it.
    #expect(isSilent == isSilent.indices.map { $0 * 64 >= ring })
    // It is no promise: input that is not flagged is heard at once, and the flag is taken off.
    host.isSilent = false
    host.signal = { _ in 1 }
    #expect(host.render().samples.contains { $0 != 0 } && host.flags == [])

    // Zeros that nobody flags are not silence.
    host.signal = { _ in 0 }
    for _ in 0..<(2 * ring / 64) { #expect(host.render().status == noErr && host.flags == []) }
    // The word that the caller passes is the one that the source gets: what is left in it is handed on.
    host.forgetCalls()
    host.flags = Self.silence
    #expect(host.render(clearsFlags: false).status == noErr)
    #expect(host.render().status == noErr)
    #expect(host.pullFlags == [Self.silence, []])
    // One silent input says nothing about the others of a mixer, and all of them say it all.
    let mixer = try RenderHost(.mixer, initialize: false)
    let source = try RecordedSource()
    let connection = AudioUnitConnection(sourceAudioUnit: source.unit, sourceOutputNumber: 0, destInputNumber: 1)
    #expect(mixer.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, to: connection) == noErr)
    #expect(AudioUnitInitialize(mixer.unit) == noErr)
    mixer.isSilent = true
    #expect(mixer.render().samples == (0..<64).map { RecordedSource.sample($0, channel: 0) } && mixer.flags == [])
    let none = AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 1)
    #expect(mixer.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, to: none) == noErr)
    #expect(mixer.render().samples.allSatisfy { $0 == 0 } && mixer.flags == Self.silence)
  }

  /// A ramp of the volume of a mixer's input 0, scheduled before each slice until its end.
  private final class Ramp {
    let unit: AudioUnit
    var isOn = true
    var statuses: [OSStatus] = []
    init(_ unit: AudioUnit) { self.unit = unit }

    static let proc: AURenderCallback = { context, flags, timeStamp, _, _, _ in
      let ramp = Unmanaged<Ramp>.fromOpaque(context).takeUnretainedValue()
      guard ramp.isOn, flags.pointee.contains(.unitRenderAction_PreRender) else { return noErr }
      var event = volumeEvent(.parameterEvent_Ramped)
      event.eventValues.ramp.startBufferOffset = -Int32(timeStamp.pointee.mSampleTime)
      event.eventValues.ramp.durationInFrames = 128
      event.eventValues.ramp.startValue = 0
      event.eventValues.ramp.endValue = 1
      ramp.statuses.append(AudioUnitScheduleParameters(ramp.unit, &event, 1))
      return noErr
    }
  }

  private static func volumeEvent(_ type: AUParameterEventType) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.scope = kAudioUnitScope_Input
    event.parameter = UInt32(kMultiChannelMixerParam_Volume)
    event.eventType = type
    return event
  }

  /// A mixer whose one fed input is 1 throughout: what comes out is the volume.
  private static func volumes() throws -> RenderHost {
    let host = try RenderHost(.mixer)
    host.signal = { _ in 1 }
    return host
  }

  @Test("12. Scheduled events live for one slice and cut it; ramps are sent anew; setting tells no listener")
  func schedules() throws {
    let volume = UInt32(kMultiChannelMixerParam_Volume)
    let host = try Self.volumes()
    func schedule(offset: UInt32, _ value: Float) -> OSStatus {
      var event = Self.volumeEvent(.parameterEvent_Immediate)
      event.eventValues.immediate.bufferOffset = offset
      event.eventValues.immediate.value = value
      return AudioUnitScheduleParameters(host.unit, &event, 1)
    }
    // Cut at the offsets, in their order.
    for (offset, value) in [(UInt32(40), Float(0.25)), (20, 0.5)] { #expect(schedule(offset: offset, value) == noErr) }
    #expect(
      host.render().samples
        == (0..<64).map { $0 < 20 ? 1 : $0 < 40 ? 0.5 : 0.25 })
    #expect(host.render().samples.allSatisfy { $0 == 0.25 }, "stored, and not scheduled again")
    // Beyond the slice: stored at once, but no event of the next slice's.
    #expect(schedule(offset: 100, 0.75) == noErr)
    #expect(host.opened.value(volume, kAudioUnitScope_Input) == 0.75)
    #expect(host.render().samples.allSatisfy { $0 == 0.25 })
    #expect(host.render().samples.allSatisfy { $0 == 0.75 })

    // A ramp over two slices of 64, sent before each with a start that moves back.
    for isSentAgain in [true, false] {
      let host = try Self.volumes()
      let ramp = Ramp(host.unit)
      #expect(AudioUnitAddRenderNotify(host.unit, Ramp.proc, Unmanaged.passUnretained(ramp).toOpaque()) == noErr)
      var output = host.render().samples
      ramp.isOn = isSentAgain
      output += host.render().samples
      ramp.isOn = false
      let after = host.render().samples
      for frame in 0..<128 where isSentAgain || frame < 64 { #expect(abs(output[frame] - Float(frame) / 128) < 1e-6) }
      if isSentAgain {
        #expect(after.allSatisfy { $0 == 1 } && host.opened.value(volume, kAudioUnitScope_Input) == 1)
      } else {
        // It ended with its slice: what it had reached holds.
        #expect(Set(output[64...] + after).count == 1 && output[64] <= 0.5)
      }
      #expect(ramp.statuses.allSatisfy { $0 == noErr })
      withExtendedLifetime(ramp) {}
    }

    // Setting tells nobody; announcing does.
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = host.opened.parameter(volume, kAudioUnitScope_Input)
    #expect(AUListenerAddParameter(listener, nil, &parameter) == noErr)
    #expect(AudioUnitSetParameter(host.unit, volume, kAudioUnitScope_Input, 0, 0.5, 0) == noErr)
    #expect(schedule(offset: 0, 0.5) == noErr)
    #expect(host.render().samples.allSatisfy { $0 == 0.5 } && told.items.isEmpty)
    #expect(AUParameterListenerNotify(nil, nil, &parameter) == noErr)
    #expect(told.values == [0.5])

    // What is no number is refused, and leaves everything as it was; what is out of range is not.
    for value in [Float.nan, .infinity, -.infinity] {
      #expect(AudioUnitSetParameter(host.unit, volume, kAudioUnitScope_Input, 0, value, 0) == -66743)
      #expect(schedule(offset: 0, value) == -66743)
    }
    #expect(host.render().samples.allSatisfy { $0 == 0.5 })
    #expect(AudioUnitSetParameter(host.unit, volume, kAudioUnitScope_Input, 0, 7.5, 0) == noErr)
    #expect(host.opened.value(volume, kAudioUnitScope_Input) == 7.5)
    #expect(host.render().samples.allSatisfy { $0 == 7.5 })
    #expect(schedule(offset: 32, -3) == noErr)
    #expect(host.render().samples == (0..<64).map { $0 < 32 ? 7.5 : -3 })
  }
}

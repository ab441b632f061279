// The behaviours that re-implementations get wrong: 9 to 12, of graphs, notifies, silence and parameters over time. The
// others are in `FifteenBehavioursTests`, `FifteenBehavioursUpdateTests` and `FifteenBehavioursPropertyTests`.

import AudioCore
import AudioToolbox
import Glibc
import TestSupport
import Testing

@Suite("The fifteen behaviours: graphs, notifies, silence, schedules")
struct FifteenBehavioursGraphTests {
  static let pre = AudioUnitRenderActionFlags.unitRenderAction_PreRender
  static let post = AudioUnitRenderActionFlags.unitRenderAction_PostRender
  static let failed: AudioUnitRenderActionFlags = [.unitRenderAction_PostRender, .unitRenderAction_PostRenderError]
  static let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence

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

  private static let pair: [RenderHost.Note] = [pre, post].map { .init(flags: $0, bus: 0, frames: 64) }

  @Test("10. Notifies hear each render once before and after, nested ones those of their own unit")
  func notifies() throws {
    let (upstream, host) = (try RenderHost(.lowPass), try RenderHost(.nBandEQ))
    let connection = AudioUnitConnection(sourceAudioUnit: upstream.unit, sourceOutputNumber: 0, destInputNumber: 0)
    #expect(host.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection) == noErr)
    for _ in 0..<3 {
      for each in [upstream, host] { each.forgetCalls() }
      #expect(host.render().status == noErr)
      #expect(host.notes == Self.pair && upstream.notes == Self.pair)
    }
  }

  /// A notify that fails and changes the flags.
  private static let meddler: AURenderCallback = { _, flags, _, _, _, _ in
    flags.pointee.insert(.unitRenderAction_OutputIsSilence)
    return -1
  }

  /// A host whose unit has the notifies of the host itself, the meddler and the ear, in this order.
  private static func meddled(hearing next: Ear) throws -> RenderHost {
    let host = try RenderHost(.lowPass)
    #expect(AudioUnitAddRenderNotify(host.unit, meddler, nil) == noErr)
    #expect(AudioUnitAddRenderNotify(host.unit, Ear.proc, next.context) == noErr)
    return host
  }

  @Test("10. A notify's error and its changes of the flags do not reach the render or its caller, only the next notify")
  func meddling() throws {
    let next = Ear()
    let host = try Self.meddled(hearing: next)
    #expect(host.render().status == noErr)
    #expect(host.pullFlags == [[]] && host.flags == [])
    #expect(host.notes == Self.pair, "it was asked before the meddler")
    #expect(next.flags == [0x14, 0x18])
    withExtendedLifetime(next) {}
  }

  @Test("10. Errors of the source are heard between both; those of the arguments and of the bus not at all")
  func errors() throws {
    let next = Ear()
    let host = try Self.meddled(hearing: next)
    #expect(host.render().status == noErr)
    host.forgetCalls()
    next.flags = []
    host.sourceStatus = 4711
    #expect(host.render().status == 4711)
    #expect(host.notes.map(\.flags) == [Self.pre, Self.failed] && next.flags == [0x14, 0x118])
    host.forgetCalls()
    #expect(host.render(into: RenderBuffers(channels: 1, frames: 64)).status == -50)
    #expect(host.notes.isEmpty && next.flags == [0x14, 0x118])
    host.forgetCalls()
    #expect(host.render(bus: 1).status == -10877)
    #expect(host.notes.isEmpty)
    host.sourceStatus = noErr
    // What has failed is not tried again for the same time.
    #expect(host.render().status == 4711)
    host.sampleTime += 64
    #expect(host.render().status == noErr)
    withExtendedLifetime(next) {}
  }

  @Test("10. The same function and reference are one registration, and only both together take it away")
  func registrations() throws {
    let ears = [Ear(), Ear()]
    let host = try RenderHost(.lowPass)
    #expect(AudioUnitAddRenderNotify(host.unit, Self.meddler, nil) == noErr)
    for ear in [ears[0], ears[0], ears[1]] {
      #expect(AudioUnitAddRenderNotify(host.unit, Ear.proc, ear.context) == noErr)
    }
    #expect(AudioUnitRemoveRenderNotify(host.unit, Self.meddler, ears[0].context) == noErr, "never added")
    #expect(host.render().status == noErr)
    #expect(ears.map(\.flags) == [[0x14, 0x18], [0x14, 0x18]], "the meddler is still there")
    #expect(AudioUnitRemoveRenderNotify(host.unit, Self.meddler, nil) == noErr)
    for ear in ears { ear.flags = [] }
    #expect(host.render().status == noErr)
    #expect(ears.map(\.flags) == [[4, 8], [4, 8]])
    withExtendedLifetime(ears) {}
  }

  @Test("10. A notify that is taken away while a render runs hears of its end")
  func removalWhileRendering() throws {
    let remover: AURenderCallback = { context, _, _, _, _, _ in
      let ear = Ear.of(context)
      if let unit = ear.unit, let other = ear.other { _ = AudioUnitRemoveRenderNotify(unit, Ear.proc, other.context) }
      return noErr
    }
    let host = try RenderHost(.lowPass)
    let (ears, removing) = ([Ear(), Ear()], Ear())
    (removing.unit, removing.other) = (host.unit, ears[0])
    for ear in ears { #expect(AudioUnitAddRenderNotify(host.unit, Ear.proc, ear.context) == noErr) }
    #expect(AudioUnitAddRenderNotify(host.unit, remover, removing.context) == noErr)
    for _ in 0..<2 { #expect(host.render().status == noErr) }
    #expect(ears.map(\.flags) == [[4, 8], [4, 8, 4, 8]])
    withExtendedLifetime((ears, removing)) {}
  }

  @Test("11. Silence is a hint, honoured after latency and tail, and then zeros; the caller clears the flags")
  func silenceFlag() throws {
    let host = try RenderHost(.lowPass, initialize: false)
    #expect(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_CutoffFrequency), 0, 0, 100, 0) == noErr)
    #expect(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_Resonance), 0, 0, 20, 0) == noErr)
    #expect(AudioUnitInitialize(host.unit) == noErr)
    let tail = try #require(host.opened.get(kAudioUnitProperty_TailTime, as: Double.self).value)
    let latency = try #require(host.opened.get(kAudioUnitProperty_Latency, as: Double.self).value)
    let ring = Int(clamping: ((tail + latency) * 44_100).rounded())
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
      event.eventValues.ramp.startBufferOffset = -Int32(clamping: timeStamp.pointee.mSampleTime)
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

  private static let volume = UInt32(kMultiChannelMixerParam_Volume)

  private static func schedule(_ host: RenderHost, offset: UInt32, _ value: Float) -> OSStatus {
    var event = volumeEvent(.parameterEvent_Immediate)
    event.eventValues.immediate.bufferOffset = offset
    event.eventValues.immediate.value = value
    return AudioUnitScheduleParameters(host.unit, &event, 1)
  }

  @Test("12. Scheduled events live for one slice and cut it at their offsets")
  func events() throws {
    let host = try Self.volumes()
    // In the offsets' order.
    for (offset, value) in [(UInt32(40), Float(0.25)), (20, 0.5)] {
      #expect(Self.schedule(host, offset: offset, value) == noErr)
    }
    #expect(host.render().samples == (0..<64).map { $0 < 20 ? 1 : $0 < 40 ? 0.5 : 0.25 })
    #expect(host.render().samples.allSatisfy { $0 == 0.25 }, "stored, and not scheduled again")
    // Beyond the slice: stored at once, but no event of the next slice's.
    #expect(Self.schedule(host, offset: 100, 0.75) == noErr)
    #expect(host.opened.value(Self.volume, kAudioUnitScope_Input) == 0.75)
    #expect(host.render().samples.allSatisfy { $0 == 0.25 })
    #expect(host.render().samples.allSatisfy { $0 == 0.75 })
  }

  @Test("12. A ramp over two slices is sent before each with a start that moves back", arguments: [true, false])
  func ramps(isSentAgain: Bool) throws {
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
      #expect(after.allSatisfy { $0 == 1 } && host.opened.value(Self.volume, kAudioUnitScope_Input) == 1)
    } else {
      // It ended with its slice: what it had reached holds.
      #expect(Set(output[64...] + after).count == 1 && output[64] <= 0.5)
    }
    #expect(ramp.statuses.count == (isSentAgain ? 2 : 1) && ramp.statuses.allSatisfy { $0 == noErr })
    withExtendedLifetime(ramp) {}
  }

  @Test("12. Setting and scheduling tell no listener; announcing does")
  func announcements() throws {
    let host = try Self.volumes()
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = host.opened.parameter(Self.volume, kAudioUnitScope_Input)
    #expect(AUListenerAddParameter(listener, nil, &parameter) == noErr)
    #expect(AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, 0.5, 0) == noErr)
    #expect(Self.schedule(host, offset: 0, 0.5) == noErr)
    #expect(host.render().samples.allSatisfy { $0 == 0.5 } && told.items.isEmpty)
    #expect(AUParameterListenerNotify(nil, nil, &parameter) == noErr)
    #expect(told.values == [0.5])
  }

  @Test("12. What is no number is refused, and leaves everything as it was; what is out of range is not")
  func values() throws {
    let host = try Self.volumes()
    #expect(AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, 0.5, 0) == noErr)
    for value in [Float.nan, .infinity, -.infinity] {
      #expect(AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, value, 0) == -66743)
      #expect(Self.schedule(host, offset: 0, value) == -66743)
    }
    #expect(host.render().samples.allSatisfy { $0 == 0.5 })
    #expect(AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, 7.5, 0) == noErr)
    #expect(host.opened.value(Self.volume, kAudioUnitScope_Input) == 7.5)
    #expect(host.render().samples.allSatisfy { $0 == 7.5 })
    #expect(Self.schedule(host, offset: 32, -3) == noErr)
    #expect(host.render().samples == (0..<64).map { $0 < 32 ? 7.5 : -3 })
  }
}

import AudioCore
import AudioToolbox
import Glibc
import Testing
import TestSupport

/// AudioUnitScheduleParameters, and what tells listeners.
@Suite struct ScheduleParametersTests {
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

  @Test("Scheduled events live for one slice and cut it at their offsets")
  func events() throws {
    let host = try Self.volumes()
    // In the offsets' order.
    for (offset, value) in [(UInt32(40), Float(0.25)), (20, 0.5)] {
      expectNoError(Self.schedule(host, offset: offset, value))
    }
    #expect(host.render().samples == (0..<64).map { $0 < 20 ? 1 : $0 < 40 ? 0.5 : 0.25 })
    #expect(host.render().samples.allSatisfy { $0 == 0.25 }, "stored, and not scheduled again")
    // Beyond the slice: stored at once, but no event of the next slice's.
    expectNoError(Self.schedule(host, offset: 100, 0.75))
    #expect(host.opened.value(Self.volume, kAudioUnitScope_Input) == 0.75)
    #expect(host.render().samples.allSatisfy { $0 == 0.25 })
    #expect(host.render().samples.allSatisfy { $0 == 0.75 })
  }

  @Test("A ramp over two slices is sent before each with a start that moves back", arguments: [true, false])
  func ramps(isSentAgain: Bool) throws {
    let host = try Self.volumes()
    let ramp = Ramp(host.unit)
    expectNoError(AudioUnitAddRenderNotify(host.unit, Ramp.proc, Unmanaged.passUnretained(ramp).toOpaque()))
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

  @Test("Setting and scheduling tell no listener; announcing does")
  func announcements() throws {
    let host = try Self.volumes()
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = host.opened.parameter(Self.volume, kAudioUnitScope_Input)
    expectNoError(AUListenerAddParameter(listener, nil, &parameter))
    expectNoError(AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, 0.5, 0))
    expectNoError(Self.schedule(host, offset: 0, 0.5))
    #expect(host.render().samples.allSatisfy { $0 == 0.5 } && told.items.isEmpty)
    expectNoError(AUParameterListenerNotify(nil, nil, &parameter))
    #expect(told.values == [0.5])
  }

  @Test("What is no number is refused, and leaves everything as it was; what is out of range is not")
  func values() throws {
    let host = try Self.volumes()
    expectNoError(AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, 0.5, 0))
    for value in [Float.nan, .infinity, -.infinity] {
      expectStatus(-66743, AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, value, 0))
      expectStatus(-66743, Self.schedule(host, offset: 0, value))
    }
    #expect(host.render().samples.allSatisfy { $0 == 0.5 })
    expectNoError(AudioUnitSetParameter(host.unit, Self.volume, kAudioUnitScope_Input, 0, 7.5, 0))
    #expect(host.opened.value(Self.volume, kAudioUnitScope_Input) == 7.5)
    #expect(host.render().samples.allSatisfy { $0 == 7.5 })
    expectNoError(Self.schedule(host, offset: 32, -3))
    #expect(host.render().samples == (0..<64).map { $0 < 32 ? 7.5 : -3 })
  }
}

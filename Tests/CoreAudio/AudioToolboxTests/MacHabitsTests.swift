// Habits of programs from a Mac that no document requires: Apple's utility classes, its sample CAPlayThrough, and
// public test suites that hold on Macs (xamarin-macios: tests/monotouch-test/AudioUnit and AudioToolbox).

import AudioCore
import AudioEngine
import AudioToolbox
import CAudioToolbox
import Foundation
import Hardware
import Synchronization
import Testing

@Suite("Habits of a Mac") struct MacHabitsTests {
  /// All components of this package that a search finds.
  /// The units of the library: other tests of this process register some of their own.
  private static var components: [AudioComponent] {
    var wanted = AudioComponentDescription()
    var found: [AudioComponent] = []
    while let next = AudioComponentFindNext(found.last, &wanted) { found.append(next) }
    let makers: [OSType] = [kAudioUnitManufacturer_Apple, 0x6175_626E]  // 'aubn'
    return found.filter { makers.contains(description($0).componentManufacturer) }
  }

  private static func description(_ component: AudioComponent) -> AudioComponentDescription {
    var description = AudioComponentDescription()
    AudioComponentGetDescription(component, &description)
    return description
  }

  /// Apple's CAAudioUnit calls what it gets with the component's storage, which is NULL here.
  @Test("FastDispatch is a property of the Component Manager's objects, which no unit is: −10879")
  func fastDispatch() throws {
    let selectors = [
      kAudioUnitRenderSelect, kAudioUnitGetParameterSelect, kAudioUnitSetParameterSelect, kAudioUnitProcessSelect,
      kMusicDeviceMIDIEventSelect, kMusicDeviceStartNoteSelect, kMusicDeviceStopNoteSelect,
    ]
    for component in Self.components {
      var made: AudioUnit?
      try #require(AudioComponentInstanceNew(component, &made) == noErr)
      let unit = try #require(made)
      for selector in selectors {
        var (address, size) = (UInt(77), UInt32(8))
        let status = AudioUnitGetProperty(
          unit, kAudioUnitProperty_FastDispatch, kAudioUnitScope_Global, UInt32(selector), &address, &size)
        #expect(status == -10879 && address == 77)
        let info = AudioUnitGetPropertyInfo(
          unit, kAudioUnitProperty_FastDispatch, kAudioUnitScope_Global, UInt32(selector), &size, nil)
        #expect(info == -10879)
      }
      AudioComponentInstanceDispose(unit)
    }
  }

  /// CAAudioUnit::CanDo assumes "as many out as in" of effects and offline effects alone, and the worst of the others.
  @Test("every unit that is no effect says which channels it takes")
  func channels() throws {
    var said: Set<OSType> = []
    for component in Self.components {
      let description = Self.description(component)
      guard
        ![kAudioUnitType_Effect, kAudioUnitType_OfflineEffect, kAudioUnitType_Generator].contains(
          description.componentType)
      else { continue }
      let opened = try OpenedUnit(
        type: description.componentType, description.componentSubType,
        manufacturer: description.componentManufacturer)
      let pair = opened.get(kAudioUnitProperty_SupportedNumChannels, as: AUChannelInfo.self)
      expectNoError(pair.status)
      said.insert(description.componentSubType)
      if [kAudioUnitSubType_Varispeed, kAudioUnitSubType_TimePitch, kAudioUnitSubType_NewTimePitch].contains(
        description.componentSubType)
      {
        #expect(pair.value?.inChannels == -1 && pair.value?.outChannels == -1)
      }
    }
    #expect(
      said.isSuperset(of: [kAudioUnitSubType_Varispeed, kAudioUnitSubType_TimePitch, kAudioUnitSubType_NewTimePitch]))
  }

  // MARK: Output units

  /// The arguments of one device's callbacks, until a number of cycles have been played.
  private final class Listener: @unchecked Sendable {
    struct Moment {
      let sample: Double
      let host: UInt64
      let isHostValid: Bool

      init(_ time: AudioTimeStamp) {
        (sample, host, isHostValid) = (time.mSampleTime, time.mHostTime, time.mFlags.contains(.hostTimeValid))
      }
    }
    let heard = Mutex<[Moment]>([])
    let asked = Mutex<[Moment]>([])
    let done = DispatchSemaphore(value: 0)

    private static func of(_ context: UnsafeMutableRawPointer) -> Listener {
      Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    }
    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The hardware has recorded something.
    var input: AURenderCallbackStruct {
      AURenderCallbackStruct(
        inputProc: { context, _, time, _, _, _ in
          let listener = Listener.of(context)
          let count = listener.heard.withLock {
            $0.append(Moment(time.pointee))
            return $0.count
          }
          if count == 3 { listener.done.signal() }
          return noErr
        }, inputProcRefCon: context)
    }

    /// The hardware wants something to play.
    var output: AURenderCallbackStruct {
      AURenderCallbackStruct(
        inputProc: { context, _, time, _, _, _ in
          let listener = Listener.of(context)
          listener.asked.withLock { $0.append(Moment(time.pointee)) }
          return noErr
        }, inputProcRefCon: context)
    }
  }

  private static let one: UInt32 = 1
  private static let zero: UInt32 = 0

  @Test("CAPlayThrough: ahal is initialized first, then told to record and not to play, and initialized again")
  func playThrough() throws {
    let listener = Listener()
    let hal = try OpenedUnit(type: kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
    expectNoError(AudioUnitInitialize(hal.unit))
    let enable = kAudioOutputUnitProperty_EnableIO
    expectNoError(hal.set(enable, kAudioUnitScope_Input, 1, to: Self.one))
    expectNoError(hal.set(enable, kAudioUnitScope_Output, 0, to: Self.zero))
    expectNoError(hal.set(kAudioOutputUnitProperty_CurrentDevice, to: SimulatedHardware.deviceID))
    expectNoError(hal.set(kAudioOutputUnitProperty_SetInputCallback, to: listener.input))
    expectNoError(AudioUnitInitialize(hal.unit))
    #expect(hal.get(enable, kAudioUnitScope_Input, 1, as: UInt32.self).value == 1)
    #expect(hal.get(enable, kAudioUnitScope_Output, 0, as: UInt32.self).value == 0)
    // It sets the format of what it gets afterwards, and one of its successors a channel map.
    let format = pcm(.float32, rate: 44_100, isInterleaved: false)
    expectNoError(hal.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, to: format))
    // Two numbers of 32 bits, 1 and 0.
    let map: UInt64 = 1
    expectNoError(hal.set(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 1, to: map))
    // A map that leads nowhere is refused, and the unit is as it was.
    let wrong: UInt64 = 0x7FFF_FFFF
    expectStatus(-10868, hal.set(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 1, to: wrong))
    #expect(hal.get(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 1, as: UInt64.self).value == 1)
    expectNoError(AudioOutputUnitStart(hal.unit))
    // Not while it runs.
    expectStatus(-10849, hal.set(enable, kAudioUnitScope_Output, 0, to: Self.one))
    listener.done.wait()
    expectNoError(AudioOutputUnitStop(hal.unit))
    // Other tests share the hardware, and set how long its cycles are.
    let times = listener.heard.withLock { $0.map(\.sample) }
    #expect(times[0] == 0 && times[1] > 0 && times[2] == 2 * times[1])
    // Without an input, there is none to switch on.
    let output = try OpenedUnit(type: kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    expectNoError(AudioUnitInitialize(output.unit))
    expectStatus(-10865, output.set(enable, kAudioUnitScope_Input, 1, to: Self.one))
    expectNoError(output.set(enable, kAudioUnitScope_Output, 0, to: Self.zero))
    // Remote I/O is as on iOS.
    let remote = try OpenedUnit(type: kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    expectNoError(AudioUnitInitialize(remote.unit))
    expectStatus(-10849, remote.set(enable, kAudioUnitScope_Input, 1, to: Self.one))
  }

  /// The frames of a cycle are recorded from its beginning on, and played from its end on.
  @Test("output callbacks are told when their frames will be heard, a cycle after those of the input began")
  func hostTimes() throws {
    let listener = Listener()
    let hal = try OpenedUnit(type: kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
    expectNoError(hal.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, to: Self.one))
    expectNoError(hal.set(kAudioOutputUnitProperty_SetInputCallback, to: listener.input))
    expectNoError(hal.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: listener.output))
    expectNoError(AudioUnitInitialize(hal.unit))
    let before = AudioGetCurrentHostTime()
    expectNoError(AudioOutputUnitStart(hal.unit))
    listener.done.wait()
    expectNoError(AudioOutputUnitStop(hal.unit))
    let heard = listener.heard.withLock { $0 }
    let asked = listener.asked.withLock { $0 }
    let cycle = heard[1].host - heard[0].host
    #expect(asked.count >= 2)
    for (input, output) in zip(heard, asked) {
      #expect(input.sample == output.sample)
      // Times are whole nanoseconds, and not every cycle has as many.
      #expect(output.host + 1 >= input.host + cycle && output.host > before)
    }
  }

  /// Frames that are rendered ahead are heard later, and a mixer in between has the same time.
  @Test("and so behind a conversion of rates, whatever lies in between", arguments: [false, true])
  func convertedHostTimes(throughMixer: Bool) throws {
    let listener = Listener()
    let hal = try OpenedUnit(type: kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
    let mixer = try OpenedUnit(.mixer)
    let format = pcm(.float32, rate: 32_000, isInterleaved: false)
    let stream = kAudioUnitProperty_StreamFormat
    expectNoError(hal.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, to: Self.one))
    expectNoError(hal.set(kAudioOutputUnitProperty_SetInputCallback, to: listener.input))
    expectNoError(hal.set(stream, kAudioUnitScope_Input, to: format))
    let fed = throughMixer ? mixer : hal
    expectNoError(fed.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: listener.output))
    if throughMixer {
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        expectNoError(mixer.set(stream, scope, to: format))
      }
      expectNoError(AudioUnitInitialize(mixer.unit))
      let connection = AudioUnitConnection(sourceAudioUnit: mixer.unit, sourceOutputNumber: 0, destInputNumber: 0)
      expectNoError(hal.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection))
    }
    expectNoError(AudioUnitInitialize(hal.unit))
    expectNoError(AudioOutputUnitStart(hal.unit))
    listener.done.wait()
    expectNoError(AudioOutputUnitStop(hal.unit))
    expectNoError(AudioUnitUninitialize(hal.unit))
    let heard = listener.heard.withLock { $0 }
    let asked = listener.asked.withLock { $0 }
    #expect(!asked.isEmpty)
    let first = heard[0]
    let cycle = Double(heard[1].host - first.host)
    for output in asked {
      // A cycle, and the frames before these at 32 kHz; a microsecond is what roundings make.
      let nanoseconds = cycle + output.sample / 32_000 * 1e9
      #expect(output.isHostValid && Double(output.host) - Double(first.host) >= nanoseconds - 1000)
    }
  }

  // MARK: Mixers

  /// xamarin-macios, tests/monotouch-test/AudioUnit/AUGraphTestMac.cs.
  @Test("a mixer takes an input count of 0, is silent then, and a callback given to it as a whole is called")
  func noInputs() throws {
    let count = kAudioUnitProperty_ElementCount
    let mixer = try OpenedUnit(.mixer)
    expectNoError(mixer.set(count, kAudioUnitScope_Input, to: Self.zero))
    #expect(mixer.get(count, kAudioUnitScope_Input, as: UInt32.self).value == 0)
    let host = try RenderHost(.lowPass, initialize: false)
    host.signal = { Float($0 + 1) }
    let callback = kAudioUnitProperty_SetRenderCallback
    // An input that is not there has none.
    expectStatus(-10877, mixer.set(callback, kAudioUnitScope_Input, to: host.callback))
    expectNoError(AudioUnitInitialize(mixer.unit))
    func render(at time: Double) -> [Float] {
      let list = RenderBuffers(frames: 64)
      for buffer in list.list { buffer.mData?.initializeMemory(as: UInt8.self, repeating: 0x55, count: 256) }
      var stamp = host.timeStamp()
      stamp.mSampleTime = time
      expectNoError(AudioUnitRender(mixer.unit, nil, &stamp, 0, 64, list.pointer))
      return list.samples(frames: 64)
    }
    #expect(render(at: 0) == Array(repeating: 0, count: 64))
    expectStatus(-10849, mixer.set(callback, to: host.callback))
    expectNoError(AudioUnitUninitialize(mixer.unit))
    expectNoError(mixer.set(callback, to: host.callback))
    #expect(mixer.get(count, kAudioUnitScope_Input, as: UInt32.self).value == 1)
    expectNoError(AudioUnitInitialize(mixer.unit))
    #expect(render(at: 64) == (65..<129).map(Float.init))
    #expect(host.pulls == [64])
    // The output has one element, and the number of inputs is settled while it is initialized.
    #expect(mixer.set(count, kAudioUnitScope_Output, to: Self.zero) != noErr)
    expectStatus(-10849, mixer.set(count, kAudioUnitScope_Input, to: Self.zero))
  }
}

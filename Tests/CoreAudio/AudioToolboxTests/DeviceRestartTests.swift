// The frames that a device plays around its stop and the next start: none twice. Each run here ends with the cycle in
// which its callback stops it, so that no clock decides how many there are.

import AudioCore
import AudioToolbox
import CAudioToolbox
import Foundation
import Testing

@Suite("Starting a device again") struct DeviceRestartTests {
  /// A callback that stops its output in the first cycle of each run.
  private final class Player {
    var output: AudioUnit?
    var times: [Double] = []
    let called = DispatchSemaphore(value: 0)

    var callback: AURenderCallbackStruct {
      AURenderCallbackStruct(
        inputProc: { context, _, time, _, _, _ in
          let player = Unmanaged<Player>.fromOpaque(context).takeUnretainedValue()
          player.times.append(time.pointee.mSampleTime)
          if let output = player.output { AudioOutputUnitStop(output) }
          player.called.signal()
          return noErr
        }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private static let output: [OSType] = [kAudioUnitSubType_DefaultOutput, kAudioUnitSubType_RemoteIO]
  /// The unit's own format, and formats that need a converter in front of it.
  private static let formats = [
    pcm(.float32, rate: 44_100, isInterleaved: false), pcm(.float32, rate: 44_100), pcm(.int16, rate: 44_100),
  ]

  @Test(
    "A run of one cycle is not heard again at the start of the next", arguments: output, formats.indices)
  func oneCycle(_ subType: OSType, _ format: Int) throws {
    let player = Player()
    let opened = try OpenedUnit(type: kAudioUnitType_Output, subType)
    expectNoError(opened.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: Self.formats[format]))
    expectNoError(opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: player.callback))
    expectNoError(AudioUnitInitialize(opened.unit))
    player.output = opened.unit
    for _ in 0..<5 {
      expectNoError(AudioOutputUnitStart(opened.unit))
      player.called.wait()
    }
    expectNoError(AudioUnitUninitialize(opened.unit))
    // Each run begins at 0, and asks.
    #expect(player.times == [0, 0, 0, 0, 0])
  }

  @Test("nor are the slices of what it pulls", arguments: output, formats.indices)
  func connected(_ subType: OSType, _ format: Int) throws {
    let player = Player()
    let mixer = try OpenedUnit(.mixer)
    let converter = try OpenedUnit(.converter)
    // The mixer's input takes the format, through a converter of its own where it is another.
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      expectNoError(converter.set(kAudioUnitProperty_StreamFormat, scope, to: Self.formats[format]))
    }
    let opened = try OpenedUnit(type: kAudioUnitType_Output, subType)
    expectNoError(converter.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: player.callback))
    for (source, unit) in [(converter, mixer), (mixer, opened)] {
      #expect(
        unit.set(
          kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input,
          to: AudioUnitConnection(sourceAudioUnit: source.unit, sourceOutputNumber: 0, destInputNumber: 0)) == noErr)
    }
    for unit in [converter, mixer, opened] { #expect(AudioUnitInitialize(unit.unit) == noErr) }
    player.output = opened.unit
    for _ in 0..<5 {
      expectNoError(AudioOutputUnitStart(opened.unit))
      player.called.wait()
    }
    expectNoError(AudioUnitUninitialize(opened.unit))
    #expect(player.times == [0, 0, 0, 0, 0])
  }

  /// As a Python program renders what it takes for the default output: a description whose keys it misspells, no
  /// format, no source, and one interleaved buffer.
  @Test("An output without a source renders silence into one interleaved buffer, and is what any search finds first")
  func withoutSource() throws {
    var anything = AudioComponentDescription()
    let component = try #require(AudioComponentFindNext(nil, &anything))
    var found = AudioComponentDescription()
    expectNoError(AudioComponentGetDescription(component, &found))
    #expect(found.componentType == kAudioUnitType_Output && found.componentSubType == kAudioUnitSubType_DefaultOutput)
    for subType in [
      kAudioUnitSubType_DefaultOutput, kAudioUnitSubType_SystemOutput, kAudioUnitSubType_HALOutput,
      kAudioUnitSubType_RemoteIO, kAudioUnitSubType_VoiceProcessingIO,
    ] {
      for encoding in [SampleEncoding.float32, .int16, .uint8] {
        let opened = try OpenedUnit(type: kAudioUnitType_Output, subType)
        let format = pcm(encoding, rate: encoding == .int16 ? 22_050 : 44_100)
        expectNoError(opened.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: format))
        expectNoError(AudioUnitInitialize(opened.unit))
        for cycle in 0..<3 {
          let buffer = InterleavedBuffer(byteCount: 4_096, channels: 2)
          buffer.bytes = [UInt8](repeating: 0x3F, count: 4_096)
          var flags = AudioUnitRenderActionFlags(rawValue: 0)
          var stamp = AudioTimeStamp()
          stamp.mFlags = .sampleTimeValid
          stamp.mSampleTime = Double(cycle * 512)
          let (status, size) = buffer.withList { AudioUnitRender(opened.unit, &flags, &stamp, 0, 512, $0) }
          #expect(status == noErr && size == 4_096)
          #expect(buffer.bytes == [UInt8](repeating: 0, count: 4_096), "\(encoding), cycle \(cycle)")
        }
        #expect(opened.get(kAudioUnitProperty_LastRenderError, as: OSStatus.self).value == noErr)
      }
    }
    // One that drives no device has nothing to render.
    let generic = try OpenedUnit(.genericOutput)
    expectNoError(AudioUnitInitialize(generic.unit))
    expectStatus(-10876, renderSlice(generic.unit, at: 0, frames: 512).status)
  }
}

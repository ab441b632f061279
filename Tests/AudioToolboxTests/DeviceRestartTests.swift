// What a device plays around its stop and the next start: nothing twice. Each run here ends with the cycle in which its
// callback stops it, so that no clock decides how many there are.

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

  @Test("A run of one cycle is not heard again at the start of the next", arguments: output)
  func oneCycle(_ subType: OSType) throws {
    let player = Player()
    let opened = try OpenedUnit(type: kAudioUnitType_Output, subType)
    #expect(opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: player.callback) == noErr)
    #expect(AudioUnitInitialize(opened.unit) == noErr)
    player.output = opened.unit
    for _ in 0..<5 {
      #expect(AudioOutputUnitStart(opened.unit) == noErr)
      player.called.wait()
    }
    #expect(AudioUnitUninitialize(opened.unit) == noErr)
    // Each run begins at 0, and asks.
    #expect(player.times == [0, 0, 0, 0, 0])
  }

  @Test("nor are the slices of what it pulls", arguments: output)
  func connected(_ subType: OSType) throws {
    let player = Player()
    let mixer = try OpenedUnit(.mixer)
    let converter = try OpenedUnit(.converter)
    let opened = try OpenedUnit(type: kAudioUnitType_Output, subType)
    #expect(converter.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: player.callback) == noErr)
    for (source, unit) in [(converter, mixer), (mixer, opened)] {
      #expect(
        unit.set(
          kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input,
          to: AudioUnitConnection(sourceAudioUnit: source.unit, sourceOutputNumber: 0, destInputNumber: 0)) == noErr)
    }
    for unit in [converter, mixer, opened] { #expect(AudioUnitInitialize(unit.unit) == noErr) }
    player.output = opened.unit
    for _ in 0..<5 {
      #expect(AudioOutputUnitStart(opened.unit) == noErr)
      player.called.wait()
    }
    #expect(AudioUnitUninitialize(opened.unit) == noErr)
    #expect(player.times == [0, 0, 0, 0, 0])
  }
}

// Offline units as a C host drives them: the length of the input, a preflight, the render, and what tells that either
// is complete.

import AudioCore
import AudioEngine
import AudioToolbox
import Foundation
import Glibc
import Testing

@Suite("Offline effect units")
struct OfflineUnitTests {
  private static let amplitude: Float = 0.1
  private static let total = 44_100
  private static func sample(_ frame: Int) -> Float {
    amplitude * Float(sin(2 * Double.pi * 997 * Double(frame) / 44_100))
  }

  private static let source: AURenderCallback = { _, _, stamp, _, frames, data in
    guard let data else { return kAudio_ParamError }
    for buffer in UnsafeMutableAudioBufferListPointer(data) {
      guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<Int(frames) { samples[frame] = sample(Int(clamping: stamp.pointee.mSampleTime) + frame) }
    }
    return noErr
  }

  private func normalizer() throws -> OpenedUnit {
    let unit = try OpenedUnit(type: kAudioUnitType_OfflineEffect, 0x6E6F_726D, manufacturer: 0x6175_626E)
    let callback = AURenderCallbackStruct(inputProc: Self.source, inputProcRefCon: nil)
    try #require(unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: callback) == noErr)
    return unit
  }

  /// A slice with flags; the flags that come back, and the first channel.
  private func slice(
    _ unit: AudioUnit, _ flags: AudioUnitRenderActionFlags, at time: Int, frames: Int = 4410
  ) -> (status: OSStatus, flags: AudioUnitRenderActionFlags, samples: [Float]) {
    var flags = flags
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(time)
    stamp.mFlags = .sampleTimeValid
    let list = RenderBuffers(frames: frames)
    let status = AudioUnitRender(unit, &flags, &stamp, 0, UInt32(frames), list.pointer)
    return (status, flags, list.samples(frames: frames))
  }

  /// Slices until the unit says that it is complete; the sound.
  private func run(_ unit: AudioUnit, _ flags: AudioUnitRenderActionFlags, frames: Int = 4410) throws -> [Float] {
    var sound: [Float] = []
    while sound.count < 2 * Self.total {
      let result = slice(unit, flags, at: sound.count, frames: frames)
      try #require(result.status == noErr)
      sound += result.samples
      if result.flags.contains(.offlineUnitRenderAction_Complete) { break }
    }
    return sound
  }

  @Test("what its properties say")
  func properties() throws {
    let unit = try normalizer()
    #expect(
      unit.get(kAudioUnitOfflineProperty_PreflightRequirements, as: UInt32.self).value == kOfflinePreflight_Required)
    #expect(unit.get(kAudioUnitOfflineProperty_InputSize, as: UInt64.self).value == 0)
    expectNoError(unit.set(kAudioUnitOfflineProperty_InputSize, to: UInt64(1234)))
    #expect(unit.get(kAudioUnitOfflineProperty_InputSize, as: UInt64.self).value == 1234)
    #expect(unit.get(kAudioUnitOfflineProperty_OutputSize, as: UInt64.self).value == 1234)
    expectStatus(-10865, unit.set(kAudioUnitOfflineProperty_OutputSize, to: UInt64(1)))
    expectNoError(unit.set(kAudioUnitOfflineProperty_StartOffset, to: UInt64(0)))
    expectStatus(-10851, unit.set(kAudioUnitOfflineProperty_StartOffset, to: UInt64(1)))
    let name = try #require(unit.get(kAudioUnitOfflineProperty_PreflightName, as: UnsafeRawPointer?.self).value ?? nil)
    let text = Unmanaged<CFString>.fromOpaque(name).takeRetainedValue()
    #expect(TestText.string(text) == "Measuring loudness and true peak")
    // Others have none of them.
    let effect = try OpenedUnit(.lowPass)
    for id in kAudioUnitOfflineProperty_InputSize...kAudioUnitOfflineProperty_PreflightName {
      expectStatus(-10879, effect.get(id, as: UInt64.self).status)
    }
    #expect(!AudioComponentInstanceCanDo(unit.unit, Int16(kAudioUnitProcessSelect)))
    #expect(!AudioComponentInstanceCanDo(unit.unit, Int16(kAudioUnitProcessMultipleSelect)))
  }

  @Test(
    "nothing is rendered without its preflight, and none begins without a length: −10848")
  func order() throws {
    let unit = try normalizer()
    expectNoError(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(65_536)))
    expectNoError(AudioUnitInitialize(unit.unit))
    expectStatus(-10848, slice(unit.unit, [], at: 0).status)
    expectStatus(-10848, slice(unit.unit, .offlineUnitRenderAction_Render, at: 0).status)
    expectStatus(-10848, slice(unit.unit, .offlineUnitRenderAction_Preflight, at: 0).status)
    #expect(unit.get(kAudioUnitProperty_LastRenderError, as: OSStatus.self).value == -10848)
    expectNoError(unit.set(kAudioUnitOfflineProperty_InputSize, to: UInt64(Self.total)))
    let first = slice(unit.unit, .offlineUnitRenderAction_Preflight, at: 0)
    #expect(first.status == noErr && !first.flags.contains(.offlineUnitRenderAction_Complete))
    #expect(first.samples[1000] == Self.sample(1000), "a preflight lets the sound through")
    // Half a preflight is none.
    expectStatus(-10848, slice(unit.unit, .offlineUnitRenderAction_Render, at: 0).status)
  }

  /// A sine of 0.1 on two channels is −20 LUFS by BS.1770-4; −14 are requested.
  @Test(
    "a preflight, a render 6 dB louder; both say when they are complete",
    arguments: [4410, 4000, 1156, 37])
  func whole(frames: Int) throws {
    let unit = try normalizer()
    expectNoError(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(65_536)))
    expectNoError(unit.set(kAudioUnitOfflineProperty_InputSize, to: UInt64(Self.total)))
    expectNoError(AudioUnitInitialize(unit.unit))
    let slices = (Self.total + frames - 1) / frames
    #expect(try run(unit.unit, .offlineUnitRenderAction_Preflight, frames: frames).count == slices * frames)
    let sound = try run(unit.unit, .offlineUnitRenderAction_Render, frames: frames)
    #expect(sound.count == slices * frames)
    let gain = sound[100] / Self.sample(100)
    #expect(abs(20 * log10(Double(gain)) - 6) < 0.02)
    #expect(sound.indices.allSatisfy { abs(sound[$0] - Self.sample($0) * gain) < 1e-6 })
    // Once more, without another preflight, and after initialization anew.
    #expect(try run(unit.unit, .offlineUnitRenderAction_Render, frames: frames) == sound)
    #expect(AudioUnitUninitialize(unit.unit) == noErr && AudioUnitInitialize(unit.unit) == noErr)
    #expect(try run(unit.unit, .offlineUnitRenderAction_Render, frames: frames) == sound)
    // A host without support for offline units renders on, and gets no flag for the end.
    #expect(slice(unit.unit, [], at: 0, frames: frames).flags == [])
    // Another length: nothing is known any more.
    expectNoError(unit.set(kAudioUnitOfflineProperty_InputSize, to: UInt64(100)))
    expectStatus(-10848, slice(unit.unit, .offlineUnitRenderAction_Render, at: 0, frames: frames).status)
  }

  @Test("all of it in one slice: the same time of the preflight and of the render are two slices")
  func once() throws {
    let unit = try normalizer()
    expectNoError(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(65_536)))
    expectNoError(unit.set(kAudioUnitOfflineProperty_InputSize, to: UInt64(Self.total)))
    expectNoError(AudioUnitInitialize(unit.unit))
    #expect(try run(unit.unit, .offlineUnitRenderAction_Preflight, frames: Self.total).count == Self.total)
    let sound = try run(unit.unit, .offlineUnitRenderAction_Render, frames: Self.total)
    #expect(abs(20 * log10(Double(sound[100] / Self.sample(100))) - 6) < 0.02)
  }

  @Test("bypassed it passes its input, and says when it is complete; what was looked at meanwhile does not count")
  func bypassed() throws {
    let unit = try normalizer()
    expectNoError(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(65_536)))
    expectNoError(unit.set(kAudioUnitOfflineProperty_InputSize, to: UInt64(Self.total)))
    expectNoError(unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(1)))
    expectNoError(AudioUnitInitialize(unit.unit))
    for frames in [4410, 1000, Self.total] {
      for flag in [AudioUnitRenderActionFlags.offlineUnitRenderAction_Preflight, .offlineUnitRenderAction_Render] {
        let sound = try run(unit.unit, flag, frames: frames)
        #expect(sound.count == (Self.total + frames - 1) / frames * frames)
        #expect(sound.indices.allSatisfy { sound[$0] == Self.sample($0) })
      }
    }
    expectNoError(unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(0)))
    // Another time than that of the last slice, which would be returned again.
    expectStatus(-10848, slice(unit.unit, .offlineUnitRenderAction_Render, at: 1).status)
  }

  @Test("in a graph the flags reach the unit through those behind it")
  func graph() throws {
    let bench = try GraphBench()
    let output = try bench.addOutput()
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_OfflineEffect
    description.componentSubType = 0x6E6F_726D
    description.componentManufacturer = 0x6175_626E
    var node = AUNode(0)
    expectNoError(AUGraphAddNode(bench.graph, &description, &node))
    let filter = try bench.addFilter()
    expectNoError(bench.connect(node, to: filter))
    expectNoError(bench.connect(filter, to: output))
    expectNoError(AUGraphOpen(bench.graph))
    var callback = AURenderCallbackStruct(inputProc: Self.source, inputProcRefCon: nil)
    expectNoError(AUGraphSetNodeInputCallback(bench.graph, node, 0, &callback))
    expectNoError(AUGraphInitialize(bench.graph))
    let offline = try bench.unit(node)
    var frames = UInt64(Self.total)
    #expect(
      AudioUnitSetProperty(offline, kAudioUnitOfflineProperty_InputSize, kAudioUnitScope_Global, 0, &frames, 8) == noErr
    )
    var bypass: UInt32 = 1
    #expect(
      AudioUnitSetProperty(
        try bench.unit(filter), kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &bypass, 4) == noErr)
    let head = try bench.unit(output)
    expectStatus(-10848, slice(head, [], at: 0, frames: 1000).status)
    #expect(try run(head, .offlineUnitRenderAction_Preflight, frames: 900).count == 44_100)
    let sound = try run(head, .offlineUnitRenderAction_Render, frames: 900)
    #expect(sound.count == 44_100)
    let gain = sound[100] / Self.sample(100)
    #expect(abs(20 * log10(Double(gain)) - 6) < 0.02)
    #expect(sound.indices.allSatisfy { abs(sound[$0] - Self.sample($0) * gain) < 1e-6 })
    // With nothing to change it is called all the same, and its end is flagged.
    #expect(
      AudioUnitSetProperty(offline, kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &bypass, 4) == noErr)
    for flag in [AudioUnitRenderActionFlags.offlineUnitRenderAction_Preflight, .offlineUnitRenderAction_Render] {
      let passed = try run(head, flag, frames: 900)
      #expect(passed.count == 44_100 && passed.indices.allSatisfy { passed[$0] == Self.sample($0) })
    }
  }
}

import AudioToolbox
import Testing

/// Nothing but `import AudioToolbox`: what a Swift program of the package's users has.
@Suite("Swift programs host units as they do elsewhere")
struct SwiftClientTests {
  final class Ramp {
    var next: Float32 = 0
    var calls = 0
  }

  private static func openMixer() throws -> AudioUnit {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Mixer
    description.componentSubType = kAudioUnitSubType_MultiChannelMixer
    description.componentManufacturer = kAudioUnitManufacturer_Apple
    let component = try #require(AudioComponentFindNext(nil, &description))
    var created: AudioComponentInstance?
    try #require(AudioComponentInstanceNew(component, &created) == noErr)
    return try #require(created)
  }

  @Test("A property is read by reference, its size in and out; flags have types")
  func properties() throws {
    let mixer = try Self.openMixer()
    defer { AudioComponentInstanceDispose(mixer) }
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    #expect(
      AudioUnitGetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size) == noErr)
    #expect(size == 40 && format.mFormatFlags == kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved)
  }

  @Test("Closures are callbacks, buffer lists are collections")
  func closures() throws {
    let mixer = try Self.openMixer()
    defer { AudioComponentInstanceDispose(mixer) }
    let ramp = Ramp()
    var callback = AURenderCallbackStruct(
      inputProc: { context, flags, time, bus, frames, data in
        let ramp = Unmanaged<Ramp>.fromOpaque(context).takeUnretainedValue()
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
        for buffer in list {
          let samples = UnsafeMutableBufferPointer<Float32>(buffer)
          for frame in 0..<Int(frames) { samples[frame] = ramp.next + Float32(frame) }
        }
        ramp.next += Float32(frames)
        ramp.calls += 1
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(ramp).toOpaque())
    #expect(
      AudioUnitSetProperty(
        mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        UInt32(MemoryLayout.size(ofValue: callback))) == noErr)
    #expect(
      AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5, 0) == noErr)
    #expect(AudioUnitInitialize(mixer) == noErr)

    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }
    let planes = [UnsafeMutablePointer<Float32>.allocate(capacity: 128), .allocate(capacity: 128)]
    defer { for plane in planes { plane.deallocate() } }
    for (index, plane) in planes.enumerated() {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 512, mData: plane)
    }
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    for slice in 0..<3 {
      time.mSampleTime = Float64(slice * 128)
      var flags: AudioUnitRenderActionFlags = []
      try #require(AudioUnitRender(mixer, &flags, &time, 0, 128, list.unsafeMutablePointer) == noErr)
      for (index, buffer) in list.enumerated() {
        let samples = UnsafeMutableBufferPointer<Float32>(buffer)
        #expect(samples.count == 128)
        #expect(samples.enumerated().allSatisfy { $1 == Float32(slice * 128 + $0) / 2 }, "buffer \(index)")
      }
    }
    #expect(ramp.calls == 3)
    #expect(AudioUnitUninitialize(mixer) == noErr)
    #expect(AudioUnitUninitialize(mixer) == noErr)
  }
}

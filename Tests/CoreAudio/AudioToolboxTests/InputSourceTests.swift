import AudioCore
import AudioToolbox
import Testing

/// Converters in front of an input while its source comes, goes, and is refused.
@Suite("Inputs whose sources change")
struct InputSourceTests {
  /// Counts its calls; writes their number, or nothing.
  private final class Source {
    var calls = 0
    var writes = true
    var callback: AURenderCallbackStruct {
      AURenderCallbackStruct(
        inputProc: { context, _, _, _, frames, data in
          let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
          source.calls += 1
          guard source.writes, let data else { return noErr }
          for buffer in UnsafeMutableAudioBufferListPointer(data) {
            guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
            let count = Int(frames * buffer.mNumberChannels)
            for index in 0..<count { samples[index] = Float(source.calls) / 16 }
          }
          return noErr
        }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private func mixer(_ format: AudioStreamBasicDescription, _ source: Source) throws -> OpenedUnit {
    let mixer = try OpenedUnit(.mixer)
    expectNoError(mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: format))
    expectNoError(mixer.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: source.callback))
    try #require(AudioUnitInitialize(mixer.unit) == noErr)
    return mixer
  }

  @Test("An input that was off is asked again, though the slice begins where one of before began")
  func off() throws {
    let source = Source()
    // Interleaved, so that a converter stands in front of the input.
    let mixer = try mixer(pcm(.float32, rate: 44_100), source)
    func turn(_ isOn: Bool) {
      let value: AudioUnitParameterValue = isOn ? 1 : 0
      #expect(
        AudioUnitSetParameter(mixer.unit, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 0, value, 0) == noErr)
    }
    #expect(renderSlice(mixer.unit, at: 0, frames: 64).signal[0] == [Float](repeating: 1 / 16, count: 64))
    turn(false)
    #expect(renderSlice(mixer.unit, at: 64, frames: 64).signal[0] == [Float](repeating: 0, count: 64))
    turn(true)
    #expect(renderSlice(mixer.unit, at: 0, frames: 64).signal[0] == [Float](repeating: 2 / 16, count: 64))
    #expect(source.calls == 2)
    withExtendedLifetime(source) {}
  }

  @Test("A source that comes after another has gone begins anew, through a rate conversion too")
  func another() throws {
    let (first, second) = (Source(), Source())
    let mixer = try mixer(pcm(.float32, rate: 22_050, isInterleaved: false), first)
    let fresh = try self.mixer(pcm(.float32, rate: 22_050, isInterleaved: false), second)
    let expected = renderSlice(fresh.unit, at: 0, frames: 512).signal
    second.calls = 0
    expectNoError(renderSlice(mixer.unit, at: 0, frames: 512).status)
    let nothing = AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
    expectNoError(mixer.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: nothing))
    #expect(renderSlice(mixer.unit, at: 512, frames: 512).signal[0] == [Float](repeating: 0, count: 512))
    expectNoError(mixer.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: second.callback))
    #expect(renderSlice(mixer.unit, at: 0, frames: 512).signal == expected)
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "A callback that writes nothing is silence, whatever the samples",
    arguments: [SampleEncoding.float32, .int16]
      + [8, 16, 24, 32].map { SampleEncoding(kind: .unsignedInteger, bits: $0) })
  func writesNothing(encoding: SampleEncoding) throws {
    let source = Source()
    source.writes = false
    let mixer = try mixer(pcm(encoding, rate: 44_100), source)
    let silence = [Float](repeating: 0, count: 64)
    #expect(renderSlice(mixer.unit, at: 0, frames: 64).signal == [silence, silence])
    #expect(source.calls == 1)
    withExtendedLifetime(source) {}
  }

  @Test("A connection that is refused leaves the input as it was")
  func refused() throws {
    // A rate conversion of so many channels is not to be had.
    let wide = pcm(.float32, rate: 48_000, channels: 192, isInterleaved: false)
    let source = try OpenedUnit(.converter)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      expectNoError(source.set(kAudioUnitProperty_StreamFormat, scope, to: wide))
    }
    let mixer = try OpenedUnit(.mixer)
    expectNoError(mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: wide))
    try #require(AudioUnitInitialize(mixer.unit) == noErr)
    let connection = AudioUnitConnection(sourceAudioUnit: source.unit, sourceOutputNumber: 0, destInputNumber: 0)
    let status = mixer.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection)
    #expect(status == kAudioUnitErr_FormatNotSupported)
    expectNoError(renderSlice(mixer.unit, at: 0, frames: 64).status)
    // Nothing is connected, so the format is the host's to choose.
    expectNoError(AudioUnitUninitialize(mixer.unit))
    expectNoError(mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: pcm(.int16, rate: 44_100)))
    withExtendedLifetime(source) {}
  }
}

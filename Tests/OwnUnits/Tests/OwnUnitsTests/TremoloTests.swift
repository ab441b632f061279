import AudioToolbox
import Foundation
import OwnUnits
import Testing
import VerificationTesting

@Suite struct TremoloTests {
  init() throws { try ComponentRegistry.register(Tremolo.component) }

  /// An independent answer, for a constant input of 1.
  private func expected(_ frame: Int, rate: Double, depth: Double) -> Double {
    1 - depth / 100 * pow(sin(.pi * rate * Double(frame) / 48_000), 2)
  }

  private let node = #"{"unit": "tremolo", "set": {"rate": 4, "depth": 80}}"#

  @Test func inAGraphFile() throws {
    let path = NSTemporaryDirectory() + "/ones-\(UUID().uuidString).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(container: .wav, encoding: .float32), sampleRate: 48_000, channelCount: 1,
      expectedFrames: 9000)
    let ones = PlanarBuffer(channelCount: 1, frameCapacity: 9000)
    ones[0].update(repeating: 1, count: 9000)
    try writer.write(ones.planes, frames: 9000)
    _ = try writer.finish()
    let graph = try GraphFile.parse(
      #"""
      {"version": 1, "sampleRate": 48000, "nodes": [
        {"id": "in", "unit": "filePlayer", "file": "\#(path)"}, {"id": "device", \#(node.dropFirst()), {"id": "out", "unit": "genericOutput"}],
       "connections": ["in -> device", "device -> out"]}
      """#)
    let rendered = try OfflineRenderer(graph).renderToMemory()
    for (frame, sample) in rendered.channels[0].enumerated() {
      #expect(abs(Double(sample) - expected(frame, rate: 4, depth: 80)) < 1e-6, "frame \(frame)")
    }
    #expect(rendered.channels[0].count == 9000)
  }

  @Test func asADevice() throws {
    let tremolo = try GraphDevice(unit: node, named: "tremolo", channelCount: 2, sampleRate: 48_000)
    expectSliceInvariance(of: tremolo)
    expectResetEqualsNew(of: tremolo)
  }

  @Test func throughTheCInterface() throws {
    var description = AudioComponentDescription(
      componentType: 0x6175_6678, componentSubType: 0x7472_656D, componentManufacturer: 0x4163_6D65, componentFlags: 0,
      componentFlagsMask: 0)
    let component = try #require(AudioComponentFindNext(nil, &description))
    var unit: AudioUnit?
    #expect(AudioComponentInstanceNew(component, &unit) == noErr)
    let tremolo = try #require(unit)
    defer { AudioComponentInstanceDispose(tremolo) }
    #expect(AudioUnitSetParameter(tremolo, 1, kAudioUnitScope_Global, 0, 80, 0) == noErr)
    var depth: AudioUnitParameterValue = 0
    #expect(AudioUnitGetParameter(tremolo, 1, kAudioUnitScope_Global, 0, &depth) == noErr && depth == 80)
    #expect(AudioUnitSetParameter(tremolo, 0, kAudioUnitScope_Global, 0, 4, 0) == noErr)
    var format = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, mBytesPerPacket: 4,
      mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
    let size = UInt32(MemoryLayout.size(ofValue: format))
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(AudioUnitSetProperty(tremolo, kAudioUnitProperty_StreamFormat, scope, 0, &format, size) == noErr)
    }
    var ones = AURenderCallbackStruct(
      inputProc: { _, _, _, _, frames, buffers in
        let samples = buffers?.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
        samples?.update(repeating: 1, count: Int(frames))
        return noErr
      }, inputProcRefCon: nil)
    let onesSize = UInt32(MemoryLayout.size(ofValue: ones))
    #expect(
      AudioUnitSetProperty(
        tremolo, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &ones, onesSize) == noErr)
    #expect(AudioUnitInitialize(tremolo) == noErr)
    var samples = [Float](repeating: 0, count: 1000)
    samples.withUnsafeMutableBytes { memory in
      var buffers = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
      var time = AudioTimeStamp()
      time.mFlags = .sampleTimeValid
      time.mSampleTime = 500
      #expect(AudioUnitRender(tremolo, nil, &time, 0, 1000, &buffers) == noErr)
    }
    for (frame, sample) in samples.enumerated() {
      #expect(abs(Double(sample) - expected(500 + frame, rate: 4, depth: 80)) < 1e-6, "frame \(frame)")
    }
  }

  @Test func aNameThatIsTakenIsRefused() throws {
    let other = Component(
      ComponentDescription(type: .effect, subType: "othr", manufacturer: "Acme"), shortName: "nBandEQ",
      name: "Acme: Other", summary: "None."
    ) { Tremolo() }
    #expect(throws: BenchError.self) { try ComponentRegistry.register(other) }
  }

  // Also of memory that the engine makes, which is optimized in a debug build.
  @Test func anAccessBehindAPlaneEndsADebugBuild() async {
    await #expect(processExitsWith: .failure) {
      let buffer = PlanarBuffer(channelCount: 1, frameCapacity: 8)
      buffer[0].update(repeating: 1, count: 9)
      withExtendedLifetime(buffer) {}
    }
  }
}

// A component that the tests register with the process: an effect that pulls several times the frames that it renders,
// as one that converts rates does.

import AudioCore
import AudioToolbox
import Glibc
import Testing

@Suite("A component that asks its input for more than a slice")
struct GreedyComponentTests {
  /// The state of the component; one instance at a time.
  private struct Instance {
    var table: AudioComponentPlugInInterface
    var callback = AURenderCallbackStruct()
    var maximumFrames: UInt32 = 256
    var ratio: UInt32 = 1
  }

  private static let ratioProperty: AudioUnitPropertyID = 64_002
  nonisolated(unsafe) private static let component = RegisteredComponent(
    "Test: Greedy", type: kAudioUnitType_Effect, subType: 0x6772_6479, factory)

  private static let factory: AudioComponentFactoryFunction = { _ in
    RegisteredComponent.made(
      Instance(
        table: AudioComponentPlugInInterface(
          Open: { _, _ in noErr },
          Close: { object in
            object.assumingMemoryBound(to: Instance.self).deallocate()
            return noErr
          }, Lookup: { GreedyComponentTests.method($0) }, reserved: nil)))
  }

  private static func method(_ selector: Int16) -> AudioComponentMethod? {
    switch Int(selector) {
    case Int(kAudioUnitInitializeSelect), Int(kAudioUnitUninitializeSelect): { _ in noErr }
    case Int(kAudioUnitGetPropertySelect): unsafeBitCast(get, to: AudioComponentMethod.self)
    case Int(kAudioUnitSetPropertySelect): unsafeBitCast(set, to: AudioComponentMethod.self)
    case Int(kAudioUnitRenderSelect): unsafeBitCast(render, to: AudioComponentMethod.self)
    default: nil
    }
  }

  private static let get: RegisteredComponent.GetProperty = { object, id, _, _, data, size in
    let instance = object.assumingMemoryBound(to: Instance.self)
    switch id {
    case kAudioUnitProperty_StreamFormat:
      data.storeBytes(
        of: StreamFormat(sampleRate: 44_100, channelCount: 2).audioStreamBasicDescription,
        as: AudioStreamBasicDescription.self)
    case kAudioUnitProperty_MaximumFramesPerSlice: data.storeBytes(of: instance.pointee.maximumFrames, as: UInt32.self)
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  private typealias Set =
    @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeRawPointer, UInt32) -> OSStatus
  private static let set: Set = { object, id, _, _, data, _ in
    let instance = object.assumingMemoryBound(to: Instance.self)
    switch id {
    case kAudioUnitProperty_SetRenderCallback: instance.pointee.callback = data.load(as: AURenderCallbackStruct.self)
    case kAudioUnitProperty_MaximumFramesPerSlice: instance.pointee.maximumFrames = data.load(as: UInt32.self)
    case kAudioUnitProperty_StreamFormat: break
    case ratioProperty: instance.pointee.ratio = data.load(as: UInt32.self)
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  private static let render: RegisteredComponent.Render = { object, flags, timeStamp, _, frames, data in
    let instance = object.assumingMemoryBound(to: Instance.self)
    guard let proc = instance.pointee.callback.inputProc else { return kAudioUnitErr_NoConnection }
    let list = UnsafeMutableAudioBufferListPointer(data)
    let own = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(own.unsafeMutablePointer) }
    own.count = 2
    for channel in 0..<2 { own[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
    let context = unsafeBitCast(instance.pointee.callback.inputProcRefCon, to: UnsafeMutableRawPointer.self)
    let status = proc(
      context, flags, timeStamp, 0, frames &* instance.pointee.ratio, own.unsafeMutablePointer)
    guard status == noErr else { return status }
    for channel in 0..<min(2, list.count) {
      guard let from = own[channel].mData else { return kAudio_ParamError }
      // A host without memory gets the component's.
      if let to = list[channel].mData {
        to.copyMemory(from: from, byteCount: 4 * Int(frames))
      } else {
        list[channel].mData = from
      }
    }
    return noErr
  }

  /// The numbers of frames that the host was pulled for.
  private final class Host {
    var asked: [UInt32] = []
    var callback: AURenderCallbackStruct {
      AURenderCallbackStruct(
        inputProc: { context, _, _, _, frames, data in
          let host = Unmanaged<Host>.fromOpaque(context).takeUnretainedValue()
          host.asked.append(frames)
          guard let data else { return kAudio_ParamError }
          for buffer in UnsafeMutableAudioBufferListPointer(data) {
            guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
            for frame in 0..<Int(frames) { samples[frame] = 1 }
          }
          return noErr
        }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  @Test("gets -10874 where it asks for more than it has said, and what it has said also after that has changed")
  func asksForMore() throws {
    let bench = try GraphBench()
    var description = try #require(Self.component).description
    var node: AUNode = 0
    try #require(AUGraphAddNode(bench.graph, &description, &node) == noErr)
    let output = try bench.addOutput()
    expectNoError(bench.connect(node, to: output))
    let host = Host()
    var callback = host.callback
    try #require(AUGraphOpen(bench.graph) == noErr)
    expectNoError(AUGraphSetNodeInputCallback(bench.graph, node, 0, &callback))
    try #require(AUGraphInitialize(bench.graph) == noErr)
    let greedy = try bench.unit(node)
    let top = try bench.unit(output)
    expectNoError(renderSlice(top, at: 0, frames: 256).status)
    for ratio in [UInt32(4), 0x0100_0000, 0x8000_0000] {
      var ratio = ratio
      expectNoError(AudioUnitSetProperty(greedy, Self.ratioProperty, kAudioUnitScope_Global, 0, &ratio, 4))
      let status = renderSlice(top, at: Int(ratio), frames: 255).status
      #expect(status == kAudioUnitErr_TooManyFramesToProcess, "times \(ratio)")
    }
    #expect(host.asked == [256])

    // Longer slices from now on: what the host is offered follows.
    var (ratio, longer) = (UInt32(1), UInt32(4096))
    expectNoError(AudioUnitSetProperty(greedy, Self.ratioProperty, kAudioUnitScope_Global, 0, &ratio, 4))
    expectNoError(AUGraphUninitialize(bench.graph))
    #expect(
      AudioUnitSetProperty(greedy, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &longer, 4)
        == noErr)
    try #require(AUGraphInitialize(bench.graph) == noErr)
    let (status, signal) = renderSlice(top, at: 0, frames: 4096)
    #expect(status == noErr && signal[0] == [Float](repeating: 1, count: 4096))
    #expect(host.asked == [256, 4096])
    withExtendedLifetime(host) {}
  }
}

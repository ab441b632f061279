// A Swift program outside of the package, built with `swiftc` against an installed tree.
import AudioToolbox

@main
struct Client {
  static func main() {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Mixer, componentSubType: kAudioUnitSubType_MultiChannelMixer,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { fatalError("no mixer") }
    var instance: AudioComponentInstance?
    guard AudioComponentInstanceNew(component, &instance) == noErr, let mixer = instance else { fatalError("no unit") }
    var source = AURenderCallbackStruct(
      inputProc: { _, _, _, bus, frames, data in
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
        for buffer in list {
          let samples = UnsafeMutableBufferPointer<Float32>(buffer)
          for frame in 0..<Int(frames) { samples[frame] = bus == 0 ? 0.25 : 0.5 }
        }
        return noErr
      }, inputProcRefCon: nil)
    for bus in 0..<AudioUnitElement(2) {
      AudioUnitSetProperty(
        mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &source,
        UInt32(MemoryLayout<AURenderCallbackStruct>.size))
    }
    print("initialize", AudioUnitInitialize(mixer))
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    for index in list.indices {
      list[index] = AudioBuffer(UnsafeMutableBufferPointer<Float32>.allocate(capacity: 64), numberOfChannels: 1)
    }
    var flags: AudioUnitRenderActionFlags = []
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    print("render", AudioUnitRender(mixer, &flags, &time, 0, 64, list.unsafeMutablePointer))
    print("sample", UnsafeMutableBufferPointer<Float32>(list[1])[63])
    print("dispose", AudioComponentInstanceDispose(mixer))
  }
}

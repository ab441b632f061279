import AudioToolbox
import CAudioToolbox
import Testing

/// Calls of audio back ends and players of the Mac to its output units and devices, as they make them: found in
/// programs that are used, and each refused to them once.
@Suite struct BackEndTests {
  /// An output unit of the Mac or of a phone, open.
  private final class Output {
    let unit: AudioUnit

    init(_ subType: OSType, uninitialized: UInt32 = 0) throws {
      var wanted = AudioComponentDescription(
        componentType: kAudioUnitType_Output, componentSubType: subType,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: uninitialized,
        componentFlagsMask: uninitialized)
      let component = try #require(AudioComponentFindNext(nil, &wanted))
      var made: AudioComponentInstance?
      try #require(AudioComponentInstanceNew(component, &made) == noErr)
      unit = try #require(made)
    }

    deinit { AudioComponentInstanceDispose(unit) }

    func set<Value: BitwiseCopyable>(
      _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: UInt32, _ value: Value
    ) -> OSStatus {
      withUnsafeBytes(of: value) {
        AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count))
      }
    }

    func number(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: UInt32) -> UInt32? {
      var value: UInt32 = 0
      var size: UInt32 = 4
      return AudioUnitGetProperty(unit, id, scope, element, &value, &size) == noErr && size == 4 ? value : nil
    }

    func format(_ scope: AudioUnitScope) -> AudioStreamBasicDescription {
      var value = AudioStreamBasicDescription()
      var size = UInt32(MemoryLayout.size(ofValue: value))
      AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, &value, &size)
      return value
    }
  }

  private static let integers = AudioStreamBasicDescription(
    mSampleRate: 22_050, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4, mFramesPerPacket: 1,
    mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)

  @Test("a description whose flags were never set finds its component; known flags still choose")
  func uninitializedFlags() throws {
    _ = try Output(kAudioUnitSubType_DefaultOutput, uninitialized: 0xA5A5_A5A5)
    var wanted = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_DefaultOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 1, componentFlagsMask: 1)
    #expect(AudioComponentFindNext(nil, &wanted) == nil)
  }

  @Test("a Mac's output unit takes a format after it was initialized, and stays initialized")
  func formatAfterInitialize() throws {
    let output = try Output(kAudioUnitSubType_DefaultOutput)
    expectNoError(AudioUnitInitialize(output.unit))
    let property = kAudioUnitProperty_StreamFormat
    expectNoError(output.set(property, kAudioUnitScope_Input, 0, output.format(kAudioUnitScope_Output)))
    expectNoError(output.set(property, kAudioUnitScope_Input, 0, Self.integers))
    #expect(output.format(kAudioUnitScope_Input).mSampleRate == 22_050)
    expectNoError(AudioOutputUnitStart(output.unit))
    // While it runs it is locked as any other.
    expectStatus(-10865, output.set(property, kAudioUnitScope_Input, 0, output.format(kAudioUnitScope_Output)))
    expectNoError(AudioOutputUnitStop(output.unit))
    var wrong = Self.integers
    wrong.mChannelsPerFrame = 0
    expectStatus(-10868, output.set(property, kAudioUnitScope_Input, 0, wrong))
    expectNoError(AudioOutputUnitStart(output.unit))
    expectNoError(AudioOutputUnitStop(output.unit))
  }

  @Test("a phone's output unit is locked once it is initialized")
  func formatOfRemoteIO() throws {
    let output = try Output(kAudioUnitSubType_RemoteIO)
    expectNoError(AudioUnitInitialize(output.unit))
    expectStatus(-10865, output.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, Self.integers))
  }

  @Test("what the unit has once is answered on its input element and on either side")
  func anyElement() throws {
    let output = try Output(kAudioUnitSubType_HALOutput)
    let device = try #require(output.number(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0))
    expectNoError(output.set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 1, device))
    expectNoError(output.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Input, 0, UInt32(512)))
    expectNoError(output.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Output, 1, UInt32(640)))
    #expect(output.number(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0) == 640)
    #expect(output.number(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 1) == 0)
    expectNoError(output.set(kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, 0, kRenderQuality_Max))
    expectStatus(-10877, output.set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 2, device))
    expectStatus(-10866, output.set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Group, 0, device))
  }

  @Test("a callback may be set on the output scope, and the volume is the same on it")
  func outputScope() throws {
    let output = try Output(kAudioUnitSubType_HALOutput)
    let callback = AURenderCallbackStruct(inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
    expectNoError(output.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Output, 0, callback))
    expectNoError(AudioUnitSetParameter(output.unit, kHALOutputParam_Volume, kAudioUnitScope_Output, 0, 0.25, 0))
    var volume: AudioUnitParameterValue = 0
    expectNoError(AudioUnitGetParameter(output.unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, &volume))
    #expect(volume == 0.25)
  }

  @Test("the unit answers for its device")
  func deviceProperties() throws {
    let output = try Output(kAudioUnitSubType_HALOutput)
    #expect(output.number(kAudioDevicePropertySafetyOffset, kAudioUnitScope_Global, 0) == 0)
    #expect(output.number(kAudioDevicePropertyLatency, kAudioUnitScope_Input, 0) == 0)
    #expect(output.number(0x7878_7878, kAudioUnitScope_Global, 0) == nil)
    // A phone's has no devices to speak of.
    #expect(
      try Output(kAudioUnitSubType_RemoteIO).number(kAudioDevicePropertyLatency, kAudioUnitScope_Input, 0) == nil)
  }

  @Test("a device answers for its streams, and takes a rate that comes as a range")
  func streamsOfTheDevice() throws {
    var device: AudioDeviceID = 0
    var size: UInt32 = 4
    expectNoError(AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device))
    var writable = false
    #expect(
      AudioDeviceGetPropertyInfo(
        device, 0, false, kAudioStreamPropertyAvailableVirtualFormats, &size, &writable) == noErr)
    #expect(size == UInt32(MemoryLayout<AudioStreamRangedDescription>.size))
    #expect(
      AudioDeviceGetPropertyInfo(device, 0, false, kAudioDevicePropertyNominalSampleRate, nil, &writable) == noErr)
    #expect(writable)
    var rate: Float64 = 0
    size = 8
    expectNoError(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyNominalSampleRate, &size, &rate))
    var range = AudioValueRange(mMinimum: rate, mMaximum: rate)
    expectNoError(AudioDeviceSetProperty(device, nil, 0, false, kAudioDevicePropertyNominalSampleRate, 16, &range))
    size = 4
    #expect(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyNominalSampleRate, &size, &rate) != noErr)
  }

  @Test("a callback of the older kind is its own identifier, once")
  func olderCallback() throws {
    var device: AudioDeviceID = 0
    var size: UInt32 = 4
    expectNoError(AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device))
    let callback: AudioDeviceIOProc = { _, _, _, _, _, _, _ in noErr }
    #expect(AudioDeviceStart(device, callback) != noErr)
    expectNoError(AudioDeviceAddIOProc(device, callback, nil))
    #expect(AudioDeviceAddIOProc(device, callback, nil) != noErr)
    expectNoError(AudioDeviceStart(device, callback))
    expectNoError(AudioDeviceStop(device, callback))
    expectNoError(AudioDeviceRemoveIOProc(device, callback))
    #expect(AudioDeviceRemoveIOProc(device, callback) != noErr)
  }

  @Test("a listener of the older kind hears of its property until it is removed, whatever data it came with")
  func olderListener() throws {
    var device: AudioDeviceID = 0
    var size: UInt32 = 4
    expectNoError(AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device))
    let frames = kAudioDevicePropertyBufferFrameSize
    var present: UInt32 = 0
    expectNoError(AudioDeviceGetProperty(device, 0, false, frames, &size, &present))
    let heard = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    heard.initialize(to: 0)
    defer { heard.deallocate() }
    let listener: AudioDevicePropertyListenerProc = { _, channel, isInput, property, data in
      if channel == 0, !isInput, property == kAudioDevicePropertyBufferFrameSize, let data {
        data.assumingMemoryBound(to: Int.self).pointee += 1
      }
      return noErr
    }
    expectNoError(AudioDeviceAddPropertyListener(device, 0, false, frames, listener, heard))
    var other = present * 2
    expectNoError(AudioDeviceSetProperty(device, nil, 0, false, frames, 4, &other))
    #expect(heard.pointee == 1)
    expectNoError(AudioDeviceRemovePropertyListener(device, 0, false, frames, listener))
    expectNoError(AudioDeviceSetProperty(device, nil, 0, false, frames, 4, &present))
    #expect(heard.pointee == 1)
  }
}

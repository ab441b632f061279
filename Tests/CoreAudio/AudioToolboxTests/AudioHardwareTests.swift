import AudioCore
import AudioEngine
import AudioToolbox
import CAudioToolbox
import CoreFoundation
import Dispatch
import Hardware
import SoundFile
import TestSupport
import Testing

/// The hardware interface: four objects, their properties, listeners, and callbacks on the device.
@Suite struct AudioHardwareTests {
  private let hardware: SimulatedHardware
  private let system: AudioHardware

  init() {
    var configuration = DeviceConfiguration()
    configuration.sampleRate = 48_000
    configuration.clock = .free
    configuration.bufferFrames = 128
    hardware = SimulatedHardware(configuration)
    system = AudioHardware(hardware)
  }

  private func address(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ element: AudioObjectPropertyElement = 0
  ) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
  }

  private func result(_ body: () throws(AudioStatus) -> Void) -> OSStatus {
    do throws(AudioStatus) {
      try body()
      return noErr
    } catch {
      return error.rawValue
    }
  }

  /// The bytes of a property.
  private func bytes(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) throws -> [UInt8] {
    let value = try system.value(id, address, UnsafeRawBufferPointer(start: nil, count: 0))
    var memory = [UInt8](repeating: 0xEE, count: value.size + 1)
    #expect(value.write(to: &memory, room: UInt32(value.size)) == UInt32(value.size))
    #expect(memory.last == 0xEE)
    return Array(memory.dropLast())
  }

  private func number(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) throws -> UInt32 {
    let bytes = try bytes(id, address)
    try #require(bytes.count == 4)
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
  }

  private func text(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) throws -> String? {
    let bits = try bytes(id, address).withUnsafeBytes { $0.loadUnaligned(as: UInt.self) }
    return UnsafeRawPointer(bitPattern: bits).flatMap {
      TestText.string(Unmanaged<CFString>.fromOpaque($0).takeRetainedValue())
    }
  }

  private func set<Value: BitwiseCopyable>(
    _ id: AudioObjectID, _ selector: AudioObjectPropertySelector, _ value: Value
  ) -> OSStatus {
    result { () throws(AudioStatus) in
      // Typed throws do not pass through the closure's caller.
      var outcome = noErr
      withUnsafeBytes(of: value) { bytes in
        outcome = result { () throws(AudioStatus) in try system.setValue(id, address(selector), bytes) }
      }
      if outcome != noErr { throw AudioStatus(rawValue: outcome) }
    }
  }

  @Test("a program finds the device as a program does: the default, the list, the name, the streams")
  func enumeration() throws {
    let device = try number(kAudioObjectSystemObject, address(kAudioHardwarePropertyDefaultOutputDevice))
    #expect(device == SimulatedHardware.deviceID && device != kAudioObjectUnknown)
    #expect(try number(kAudioObjectSystemObject, address(kAudioHardwarePropertyDefaultInputDevice)) == device)
    #expect(try number(kAudioObjectSystemObject, address(kAudioHardwarePropertyDevices)) == device)
    #expect(try text(device, address(kAudioObjectPropertyName)) == "Simulated Device")
    #expect(try text(device, address(kAudioDevicePropertyDeviceUID))?.isEmpty == false)
    #expect(try number(device, address(kAudioDevicePropertyDeviceIsAlive)) == 1)
    #expect(try number(device, address(kAudioDevicePropertyTransportType)) == 0x7669_7274)
    let output = try number(device, address(kAudioDevicePropertyStreams, kAudioObjectPropertyScopeOutput))
    let input = try number(device, address(kAudioDevicePropertyStreams, kAudioObjectPropertyScopeInput))
    #expect(output != input)
    #expect(try bytes(device, address(kAudioDevicePropertyStreams)).count == 8)
    #expect(try number(output, address(kAudioStreamPropertyDirection)) == 0)
    #expect(try number(input, address(kAudioStreamPropertyDirection)) == 1)
    #expect(try number(output, address(kAudioObjectPropertyOwner)) == device)
    #expect(
      try text(device, address(kAudioObjectPropertyElementName, kAudioObjectPropertyScopeOutput, 2)) == "Output 2")
  }

  @Test("rates, buffers and formats are the device's")
  func figures() throws {
    let device = SimulatedHardware.deviceID
    let rate = try bytes(device, address(kAudioDevicePropertyNominalSampleRate))
    #expect(rate.withUnsafeBytes { $0.loadUnaligned(as: Double.self) } == 48_000)
    #expect(try number(device, address(kAudioDevicePropertyBufferFrameSize)) == 128)
    let range = try bytes(device, address(kAudioDevicePropertyBufferFrameSizeRange))
    #expect(range.withUnsafeBytes { $0.loadUnaligned(as: AudioValueRange.self).mMinimum } == 16)
    #expect(range.withUnsafeBytes { $0.loadUnaligned(as: AudioValueRange.self).mMaximum } == 4096)
    for (object, selector) in [
      (device, kAudioDevicePropertyStreamFormat), (SimulatedHardware.outputStreamID, kAudioStreamPropertyVirtualFormat),
      (SimulatedHardware.inputStreamID, kAudioStreamPropertyPhysicalFormat),
    ] {
      let format = try bytes(object, address(selector))
        .withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
      #expect(format.mSampleRate == 48_000 && format.mFormatID == 0x6C70_636D && format.mFormatFlags == 9)
      #expect(format.mBytesPerFrame == 8 && format.mBytesPerPacket == 8 && format.mFramesPerPacket == 1)
      #expect(format.mChannelsPerFrame == 2 && format.mBitsPerChannel == 32)
    }
    for scope in [kAudioObjectPropertyScopeInput, kAudioObjectPropertyScopeOutput] {
      let list = try bytes(device, address(kAudioDevicePropertyStreamConfiguration, scope))
      #expect(list.count == 24)
      let configuration = list.withUnsafeBytes { $0.loadUnaligned(as: AudioBufferList.self) }
      #expect(configuration.mNumberBuffers == 1 && configuration.mBuffers.mNumberChannels == 2)
    }
    let stereo = try bytes(device, address(kAudioDevicePropertyPreferredChannelsForStereo))
    #expect(stereo == [1, 0, 0, 0, 2, 0, 0, 0])
    #expect(try bytes(device, address(kAudioDevicePropertyPreferredChannelLayout)).count == 12 + 2 * 20)
  }

  @Test("each side of the device has channels of its own", arguments: [(1, 2), (2, 1), (6, 4)])
  func sides(outputs: Int, inputs: Int) throws {
    var configuration = DeviceConfiguration()
    (configuration.channelCount, configuration.inputChannelCount) = (outputs, inputs)
    let system = AudioHardware(SimulatedHardware(configuration))
    func channels(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) throws -> UInt32 {
      let value = try system.value(id, address, UnsafeRawBufferPointer(start: nil, count: 0))
      var format = AudioStreamBasicDescription()
      let room = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
      withUnsafeMutableBytes(of: &format) { bytes in
        if let memory = bytes.baseAddress { #expect(value.write(to: memory, room: room) == room) }
      }
      #expect(format.mBytesPerFrame == 4 * format.mChannelsPerFrame)
      return format.mChannelsPerFrame
    }
    for selector in [kAudioDevicePropertyStreamFormat, kAudioStreamPropertyPhysicalFormat] {
      for (scope, count) in [(kAudioObjectPropertyScopeOutput, outputs), (kAudioObjectPropertyScopeInput, inputs)] {
        #expect(try channels(SimulatedHardware.deviceID, address(selector, scope)) == count, "\(selector) \(scope)")
      }
    }
    for selector in [kAudioStreamPropertyVirtualFormat, kAudioStreamPropertyPhysicalFormat] {
      #expect(try channels(SimulatedHardware.outputStreamID, address(selector)) == outputs)
      #expect(try channels(SimulatedHardware.inputStreamID, address(selector)) == inputs)
    }
  }

  @Test("wrong objects, properties, sizes and values are the documented errors")
  func errors() throws {
    let device = SimulatedHardware.deviceID
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    func reading(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) -> OSStatus {
      result { () throws(AudioStatus) in _ = try system.value(id, address, none) }
    }
    #expect(reading(77, address(kAudioObjectPropertyName)) == 0x216F_626A)
    #expect(reading(device, address(0x7A7A_7A7A)) == 0x7768_6F3F)
    #expect(
      reading(device, address(kAudioDevicePropertyNominalSampleRate, kAudioObjectPropertyScopeGlobal, 1)) == 0x7768_6F3F
    )
    #expect(
      reading(device, address(kAudioObjectPropertyElementName, kAudioObjectPropertyScopeOutput, 3)) == 0x7768_6F3F)
    #expect(set(device, kAudioDevicePropertyNominalSampleRate, Float(44_100)) == 0x2173_697A)
    #expect(set(device, kAudioDevicePropertyNominalSampleRate, 1.0) == 0x2164_6174)
    #expect(set(device, kAudioDevicePropertyDeviceIsAlive, UInt32(0)) == 0x756E_6F70)
    #expect(set(kAudioObjectSystemObject, kAudioHardwarePropertyDefaultOutputDevice, UInt32(77)) == 0x2164_6576)
    expectNoError(set(kAudioObjectSystemObject, kAudioHardwarePropertyDefaultOutputDevice, device))
    expectNoError(set(kAudioObjectSystemObject, kAudioHardwarePropertyRunLoop, UInt(0)))
    var room = [UInt8](repeating: 0, count: 8)
    let rate = try system.value(device, address(kAudioDevicePropertyNominalSampleRate), none)
    #expect(rate.write(to: &room, room: 7) == nil)
    let streams = try system.value(device, address(kAudioDevicePropertyStreams), none)
    #expect(streams.write(to: &room, room: 7, partly: true) == 4)
    #expect(
      result { () throws(AudioStatus) in try system.start(device, 99) } == kAudioHardwareIllegalOperationError)
    #expect(result { () throws(AudioStatus) in try system.start(77, 0) } == kAudioHardwareBadDeviceError)
  }

  @Test("a device is found by its unique name")
  func translation() throws {
    func device(_ name: String) throws -> AudioObjectID {
      let string = try #require(TestText.make(name))
      defer { string.release() }
      let value = try withUnsafeBytes(of: string.toOpaque()) {
        try system.value(kAudioObjectSystemObject, address(kAudioHardwarePropertyTranslateUIDToDevice), $0)
      }
      guard case .bytes(let bytes) = value else { return .max }
      return bytes.withUnsafeBytes { $0.loadUnaligned(as: AudioObjectID.self) }
    }
    #expect(try device(SimulatedHardware.uniqueID) == SimulatedHardware.deviceID)
    #expect(try device("another") == kAudioObjectUnknown)
  }

  private final class Ear {
    var heard: [AudioObjectPropertySelector] = []
  }

  private static let listener: AudioObjectPropertyListenerProc = { _, count, addresses, userData in
    guard let userData else { return noErr }
    let ear = Unmanaged<Ear>.fromOpaque(userData).takeUnretainedValue()
    for index in 0..<Int(count) { ear.heard.append(addresses[index].mSelector) }
    return noErr
  }

  @Test("a new rate or buffer reaches the hardware and its listeners; the same again is no change")
  func listeners() throws {
    let device = SimulatedHardware.deviceID
    let ear = Ear()
    let data = Unmanaged.passUnretained(ear).toOpaque()
    let selectors = [kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyBufferFrameSize]
    for selector in selectors {
      try system.addListener(device, address(selector), Self.listener, data)
      try system.addListener(device, address(selector), Self.listener, data)
    }
    expectNoError(set(device, kAudioDevicePropertyNominalSampleRate, 44_100.0))
    expectNoError(set(device, kAudioDevicePropertyNominalSampleRate, 44_100.0))
    expectNoError(set(device, kAudioDevicePropertyBufferFrameSize, UInt32(256)))
    #expect(hardware.configuration.sampleRate == 44_100 && hardware.configuration.bufferFrames == 256)
    #expect(ear.heard == selectors)
    for selector in selectors { try system.removeListener(device, address(selector), Self.listener, data) }
    expectNoError(set(device, kAudioDevicePropertyBufferFrameSize, UInt32(512)))
    #expect(ear.heard == selectors)
    withExtendedLifetime(ear) {}
  }

  /// The arguments of a callback.
  private final class Player {
    let isDone = DispatchSemaphore(value: 0)
    var times: [Double] = []
    var inputWasSilent = true
    var flags: UInt32 = 0
    var next: Float = 0
  }

  private static let play: AudioDeviceIOProc = { _, now, input, _, output, outputTime, userData in
    guard let userData, let out = output.pointee.mBuffers.mData, let heard = input.pointee.mBuffers.mData else {
      return -1
    }
    let player = Unmanaged<Player>.fromOpaque(userData).takeUnretainedValue()
    let count = Int(output.pointee.mBuffers.mDataByteSize) / 4
    player.times.append(outputTime.pointee.mSampleTime)
    player.flags = now.pointee.mFlags.rawValue
    let silence = UnsafeRawBufferPointer(start: heard, count: Int(input.pointee.mBuffers.mDataByteSize))
    if silence.contains(where: { $0 != 0 }) { player.inputWasSilent = false }
    heard.storeBytes(of: 1, as: Float.self)
    let samples = out.assumingMemoryBound(to: Float.self)
    for index in 0..<count {
      samples[index] = player.next / 4096
      player.next += 1
    }
    if player.times.count == 3 { player.isDone.signal() }
    // Its return value is ignored.
    return -1
  }

  private func isRunning(_ system: AudioHardware) throws -> Bool {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    let running = address(kAudioDevicePropertyDeviceIsRunning)
    guard case .bytes(let bytes) = try system.value(SimulatedHardware.deviceID, running, none) else { return false }
    return bytes.contains { $0 != 0 }
  }

  @Test("a callback runs on the device: its buffers, its times, and its sound in the device's file")
  func callback() throws {
    let folder = TemporaryFolder()
    var configuration = DeviceConfiguration()
    configuration.sampleRate = 48_000
    configuration.clock = .free
    configuration.bufferFrames = 128
    configuration.seconds = 300 / 48_000
    configuration.wavePath = folder.file("out.wav")
    let system = AudioHardware(SimulatedHardware(configuration))
    let player = Player()
    let device = SimulatedHardware.deviceID
    let id = try system.addClient(device, Self.play, Unmanaged.passUnretained(player).toOpaque())
    #expect(try !isRunning(system))
    try system.start(device, id)
    #expect(try isRunning(system))
    player.isDone.wait()
    try system.stop(device, id)
    #expect(try !isRunning(system))
    try system.removeClient(device, id)
    #expect(
      result { () throws(AudioStatus) in try system.removeClient(device, id) } == kAudioHardwareIllegalOperationError)
    #expect(player.times == [0, 128, 256] && player.flags & 7 == 7 && player.inputWasSilent)
    let reader = try SoundFileReader(path: folder.file("out.wav"))
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 300)
    #expect(try reader.read(into: buffer.planes, frames: 300) == 300)
    for channel in 0..<2 {
      let samples = Array(buffer[channel].prefix(300).elements)
      #expect(samples == (0..<300).map { Float(2 * $0 + channel) / 4096 })
    }
  }

  @Test("a microphone of one channel beside two loudspeakers: each side takes its own format")
  func formatsOfSides() throws {
    var configuration = DeviceConfiguration()
    configuration.inputChannelCount = 1
    let system = AudioHardware(SimulatedHardware(configuration))
    let place = address(kAudioStreamPropertyPhysicalFormat)
    for (stream, channels) in [(SimulatedHardware.inputStreamID, 1), (SimulatedHardware.outputStreamID, 2)] {
      for wanted in 1...2 {
        let format = StreamFormat(
          sampleRate: 48_000, channelCount: wanted, encoding: .float32, isInterleaved: true)
        var description = format.audioStreamBasicDescription
        let status = result { () throws(AudioStatus) in
          try withUnsafeBytes(of: &description) { (bytes) throws(AudioStatus) in
            try system.setValue(stream, place, bytes)
          }
        }
        #expect(status == (wanted == channels ? noErr : kAudioDeviceUnsupportedFormatError), "\(stream), \(wanted)")
      }
    }
  }

  @Test("without a callback the device's clock starts and stops alone")
  func clockAlone() throws {
    #expect(try !isRunning(system))
    try system.start(SimulatedHardware.deviceID, 0)
    #expect(try isRunning(system))
    try system.stop(SimulatedHardware.deviceID, 0)
    #expect(try !isRunning(system))
  }

  @Test("the functions of the header reach the device of the process")
  func functions() throws {
    var location = address(kAudioHardwarePropertyDefaultOutputDevice)
    var device: AudioObjectID = 0
    var size: UInt32 = 4
    #expect(AudioObjectHasProperty(kAudioObjectSystemObject, &location))
    #expect(AudioObjectGetPropertyDataSize(kAudioObjectSystemObject, &location, 0, nil, &size) == noErr && size == 4)
    expectNoError(AudioObjectGetPropertyData(kAudioObjectSystemObject, &location, 0, nil, &size, &device))
    #expect(device == SimulatedHardware.deviceID)
    location = address(kAudioDevicePropertyNominalSampleRate)
    var isSettable = false
    #expect(AudioObjectIsPropertySettable(device, &location, &isSettable) == noErr && isSettable)
    var rate = 0.0
    size = 8
    #expect(AudioObjectGetPropertyData(device, &location, 0, nil, &size, &rate) == noErr && rate > 0)
    expectNoError(AudioObjectSetPropertyData(device, &location, 0, nil, 8, &rate))
    expectNoError(AudioObjectAddPropertyListener(device, &location, Self.listener, nil))
    expectNoError(AudioObjectRemovePropertyListener(device, &location, Self.listener, nil))
    var id: AudioDeviceIOProcID?
    expectNoError(AudioDeviceCreateIOProcID(device, Self.play, nil, &id))
    let made = try #require(id)
    expectNoError(AudioDeviceDestroyIOProcID(device, made))
    #expect(AudioDeviceStop(device, made) == kAudioHardwareIllegalOperationError)
  }
}

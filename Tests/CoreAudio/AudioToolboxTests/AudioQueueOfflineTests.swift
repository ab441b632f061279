import AudioCore
import AudioToolbox
import CAudioToolbox
import Foundation
import TestSupport
import Testing
import TimeStretch

/// A queue that is rendered offline: its callback fills buffers of odd sizes from some bytes.
private final class OfflineQueue {
  var queue: AudioQueueRef?
  var sound: [UInt8]
  var place = 0
  let bytesPerFrame: Int
  var callbacks = 0
  var statuses: Set<OSStatus> = []
  private var sizes: SplitMix64
  private var capture: AudioQueueBufferRef?

  init(_ format: AudioStreamBasicDescription, to output: AudioStreamBasicDescription, sound: [UInt8], seed: UInt64) {
    self.sound = sound
    bytesPerFrame = Int(format.mBytesPerFrame)
    sizes = SplitMix64(seed: seed)
    var format = format
    var output = output
    statuses.insert(
      AudioQueueNewOutput(
        &format,
        { data, queue, buffer in
          data.map { Unmanaged<OfflineQueue>.fromOpaque($0).takeUnretainedValue().fill(queue, buffer) }
        }, Unmanaged.passUnretained(self).toOpaque(), nil, nil, 0, &queue))
    guard let queue else { return }
    statuses.insert(AudioQueueSetOfflineRenderFormat(queue, &output, nil))
    statuses.insert(AudioQueueAllocateBuffer(queue, 1 << 16, &capture))
  }

  deinit { if let queue { AudioQueueDispose(queue, true) } }

  private func fill(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    callbacks += 1
    let frames = min(1 + Int(sizes.next() % 997), (sound.count - place) / bytesPerFrame)
    guard frames > 0 else {
      statuses.insert(AudioQueueStop(queue, false))
      return
    }
    let bytes = frames * bytesPerFrame
    sound.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      buffer.pointee.mAudioData.copyMemory(from: start + place, byteCount: bytes)
    }
    buffer.pointee.mAudioDataByteSize = UInt32(bytes)
    place += bytes
    statuses.insert(AudioQueueEnqueueBuffer(queue, buffer, 0, nil))
  }

  /// Renders all of it, in pieces of any size.
  func render(buffers: Int, bytesPerFrame outputBytes: Int) -> [UInt8] {
    guard let queue, let capture else { return [] }
    for _ in 0..<buffers {
      var buffer: AudioQueueBufferRef?
      statuses.insert(AudioQueueAllocateBuffer(queue, UInt32(1000 * bytesPerFrame), &buffer))
      if let buffer { fill(queue, buffer) }
    }
    statuses.insert(AudioQueueStart(queue, nil))
    var made: [UInt8] = []
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    var isRunning: UInt32 = 1
    for _ in 0..<100_000 where isRunning != 0 {
      let frames = UInt32(sizes.next() % 1500)
      statuses.insert(AudioQueueOfflineRender(queue, &time, capture, frames))
      let bytes = Int(capture.pointee.mAudioDataByteSize)
      made += UnsafeRawBufferPointer(start: capture.pointee.mAudioData, count: bytes)
      time.mSampleTime += Double(bytes / outputBytes)
      var size = UInt32(4)
      statuses.insert(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &isRunning, &size))
    }
    return made
  }
}

@Suite("Audio queues rendered offline")
struct AudioQueueOfflineTests {
  private static func pcm(
    _ rate: Double, _ channels: UInt32, bits: UInt32, isFloat: Bool = false, isBigEndian: Bool = false
  ) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mSampleRate = rate
    format.mFormatID = kAudioFormatLinearPCM
    format.mFormatFlags =
      (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
      | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
    format.mChannelsPerFrame = channels
    format.mFramesPerPacket = 1
    format.mBitsPerChannel = bits
    format.mBytesPerFrame = bits / 8 * channels
    format.mBytesPerPacket = format.mBytesPerFrame
    return format
  }

  private static func code(_ id: AudioFormatID, _ rate: Double) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mSampleRate = rate
    format.mFormatID = id
    format.mChannelsPerFrame = 1
    format.mFramesPerPacket = 1
    format.mBitsPerChannel = 8
    format.mBytesPerFrame = 1
    format.mBytesPerPacket = 1
    return format
  }

  /// The bytes that AudioConverter makes of the same sound.
  private func converted(
    _ sound: [UInt8], _ format: AudioStreamBasicDescription, _ output: AudioStreamBasicDescription
  ) throws -> [UInt8] {
    var (format, output) = (format, output)
    var reference: AudioConverterRef?
    try #require(AudioConverterNew(&format, &output, &reference) == noErr)
    let converter = try #require(reference)
    defer { AudioConverterDispose(converter) }
    final class Source {
      var sound: [UInt8] = []
      var place = 0
      var bytesPerFrame = 1
    }
    let source = Source()
    source.sound = sound
    source.bytesPerFrame = Int(format.mBytesPerFrame)
    var made: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096 * Int(output.mBytesPerFrame))
    while true {
      var packets: UInt32 = 4096
      let bytes = piece.count
      let status = piece.withUnsafeMutableBytes { memory in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: output.mChannelsPerFrame, mDataByteSize: UInt32(bytes), mData: memory.baseAddress))
        return AudioConverterFillComplexBuffer(
          converter,
          { _, packets, list, _, data in
            guard let data else { return -1 }
            let source = Unmanaged<Source>.fromOpaque(data).takeUnretainedValue()
            let frames = min(Int(packets.pointee), (source.sound.count - source.place) / source.bytesPerFrame)
            packets.pointee = UInt32(frames)
            let bytes = frames * source.bytesPerFrame
            if frames > 0, let target = list.pointee.mBuffers.mData {
              source.sound.withUnsafeBytes {
                if let start = $0.baseAddress { target.copyMemory(from: start + source.place, byteCount: bytes) }
              }
            }
            list.pointee.mBuffers.mDataByteSize = UInt32(bytes)
            source.place += bytes
            return noErr
          }, Unmanaged.passUnretained(source).toOpaque(), &packets, &list, nil)
      }
      try #require(status == noErr)
      if packets == 0 { break }
      made += piece.prefix(Int(packets) * Int(output.mBytesPerFrame))
    }
    return made
  }

  private func noise(_ bytes: Int, isFloat: Bool) -> [UInt8] {
    var random = SplitMix64(seed: 11)
    guard isFloat else { return (0..<bytes).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
    var made: [UInt8] = []
    for _ in 0..<bytes / 4 {
      let sample = Float(Double(random.next() % 20_001) / 10_000 - 1)
      withUnsafeBytes(of: sample) { made += Array($0) }
    }
    return made
  }

  @Test("what comes out is what AudioConverter makes of the same sound, bit for bit")
  func equality() throws {
    let cases: [(AudioStreamBasicDescription, AudioStreamBasicDescription)] = [
      (Self.pcm(44_100, 2, bits: 16), Self.pcm(44_100, 2, bits: 16)),
      (Self.pcm(44_100, 2, bits: 16, isBigEndian: true), Self.pcm(44_100, 2, bits: 32, isFloat: true)),
      (Self.pcm(44_100, 1, bits: 24), Self.pcm(48_000, 1, bits: 32, isFloat: true)),
      (Self.pcm(48_000, 2, bits: 32, isFloat: true), Self.pcm(22_050, 2, bits: 16)),
      (Self.code(kAudioFormatULaw, 8_000), Self.pcm(44_100, 1, bits: 16)),
      (Self.code(kAudioFormatALaw, 8_000), Self.pcm(8_000, 1, bits: 16)),
    ]
    for (index, (format, output)) in cases.enumerated() {
      let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0 && format.mFormatID == kAudioFormatLinearPCM
      let sound = noise(20_011 * Int(format.mBytesPerFrame), isFloat: isFloat)
      let expected = try converted(sound, format, output)
      for buffers in [1, 3] {
        let queue = OfflineQueue(format, to: output, sound: sound, seed: UInt64(index * 10 + buffers))
        let made = queue.render(buffers: buffers, bytesPerFrame: Int(output.mBytesPerFrame))
        #expect(queue.statuses == [noErr], "case \(index)")
        #expect(made.count == expected.count, "case \(index), \(buffers) buffers")
        #expect(made == expected, "case \(index), \(buffers) buffers")
      }
    }
  }

  @Test("time pitch plays twice as fast, and ends in half the frames")
  func speed() throws {
    let format = Self.pcm(44_100, 1, bits: 32, isFloat: true)
    for algorithm in [kAudioQueueTimePitchAlgorithm_Varispeed, kAudioQueueTimePitchAlgorithm_Spectral] {
      var sound: [UInt8] = []
      for frame in 0..<44_100 {
        let angle = 2 * Double.pi * Double(frame) / 100
        withUnsafeBytes(of: Float(0.5 * sin(angle))) { sound += Array($0) }
      }
      let queue = OfflineQueue(format, to: format, sound: sound, seed: 3)
      let reference = try #require(queue.queue)
      var (isOn, wanted) = (UInt32(1), UInt32(algorithm))
      #expect(AudioQueueSetProperty(reference, kAudioQueueProperty_EnableTimePitch, &isOn, 4) == noErr)
      #expect(AudioQueueSetProperty(reference, kAudioQueueProperty_TimePitchAlgorithm, &wanted, 4) == noErr)
      #expect(AudioQueueSetParameter(reference, kAudioQueueParam_PlayRate, 2) == noErr)
      guard algorithm == kAudioQueueTimePitchAlgorithm_Varispeed || TimeStretcher.isAvailable else {
        #expect(AudioQueueStart(reference, nil) == kAudioQueueErr_CannotStart, "time stretching is a library's")
        continue
      }
      let made = queue.render(buffers: 3, bytesPerFrame: 4)
      try #require(abs(made.count / 4 - 22_050) <= 1, "\(made.count / 4)")
      let samples: [Float] = made.withUnsafeBytes { memory in
        (0..<memory.count / 4).map { memory.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      }
      let crossings = (5000..<15_000).filter { samples[$0] < 0 && samples[$0 + 1] >= 0 }.count
      // 441 Hz at the same pitch, or an octave higher as a tape plays it.
      let expected = algorithm == kAudioQueueTimePitchAlgorithm_Varispeed ? 200 : 100
      #expect(abs(crossings - expected) <= 2, "\(crossings)")
    }
  }

  @Test("a call out of place is refused with its own error")
  func refusals() throws {
    var format = Self.pcm(44_100, 2, bits: 16)
    var queue: AudioQueueRef?
    let silent: AudioQueueOutputCallback = { _, _, _ in }
    #expect(AudioQueueNewOutput(&format, silent, nil, nil, nil, 1, &queue) == kAudio_ParamError && queue == nil)
    var unknown = format
    unknown.mFormatID = 0x696C_6263
    #expect(AudioQueueNewOutput(&unknown, silent, nil, nil, nil, 0, &queue) == 0x666D_743F && queue == nil)
    unknown = format
    unknown.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
    unknown.mBytesPerFrame = 2
    unknown.mBytesPerPacket = 2
    #expect(AudioQueueNewOutput(&unknown, silent, nil, nil, nil, 0, &queue) == 0x666D_743F)
    try #require(AudioQueueNewOutput(&format, silent, nil, nil, nil, 0, &queue) == noErr)
    let made = try #require(queue)
    var buffer: AudioQueueBufferRef?
    #expect(AudioQueueAllocateBuffer(made, 0, &buffer) == kAudio_ParamError)
    try #require(AudioQueueAllocateBufferWithPacketDescriptions(made, 400, 7, &buffer) == noErr)
    let own = try #require(buffer)
    #expect(own.pointee.mAudioDataBytesCapacity == 400 && own.pointee.mPacketDescriptionCapacity == 7)
    #expect(own.pointee.mPacketDescriptions != nil && own.pointee.mAudioDataByteSize == 0)
    #expect(AudioQueueEnqueueBuffer(made, own, 0, nil) == kAudioQueueErr_BufferEmpty)
    own.pointee.mAudioDataByteSize = 401
    #expect(AudioQueueEnqueueBuffer(made, own, 0, nil) == kAudioQueueErr_InvalidBuffer)
    own.pointee.mAudioDataByteSize = 400
    var event = AudioQueueParameterEvent(mID: 9, mValue: 0)
    #expect(
      AudioQueueEnqueueBufferWithParameters(made, own, 0, nil, 0, 0, 1, &event, nil, nil)
        == kAudioQueueErr_InvalidParameter)
    #expect(AudioQueueEnqueueBuffer(made, own, 0, nil) == noErr)
    #expect(AudioQueueEnqueueBuffer(made, own, 0, nil) == kAudioQueueErr_BufferInQueue)
    #expect(AudioQueueFreeBuffer(made, own) == kAudioQueueErr_BufferInQueue)
    var time = AudioTimeStamp()
    #expect(AudioQueueOfflineRender(made, &time, own, 10) == kAudioQueueErr_InvalidOfflineMode)
    #expect(AudioQueueSetOfflineRenderFormat(made, &format, nil) == noErr)
    #expect(AudioQueueOfflineRender(made, &time, own, 10) == kAudioQueueErr_InvalidBuffer)
    #expect(AudioQueueReset(made) == noErr)
    #expect(AudioQueueOfflineRender(made, &time, own, 10) == kAudioQueueErr_InvalidRunState)
    #expect(AudioQueueFreeBuffer(made, own) == noErr)
    #expect(AudioQueueFreeBuffer(made, own) == kAudioQueueErr_InvalidBuffer)
    #expect(AudioQueueDispose(made, true) == noErr)
    #expect(AudioQueueDispose(made, true) == kAudio_ParamError)
  }

  @Test("a property is read, written and refused as documented")
  func properties() throws {
    var format = Self.pcm(32_000, 2, bits: 16)
    var reference: AudioQueueRef?
    try #require(AudioQueueNewOutput(&format, { _, _, _ in }, nil, nil, nil, 0, &reference) == noErr)
    let queue = try #require(reference)
    defer { AudioQueueDispose(queue, true) }
    var number: UInt32 = 5
    var size: UInt32 = 0
    for (id, bytes) in [
      (kAudioQueueProperty_IsRunning, 4), (kAudioQueueDeviceProperty_SampleRate, 8),
      (kAudioQueueDeviceProperty_NumberChannels, 4), (kAudioQueueProperty_CurrentDevice, 8),
      (kAudioQueueProperty_MagicCookie, 0), (kAudioQueueProperty_MaximumOutputPacketSize, 4),
      (kAudioQueueProperty_StreamDescription, 40), (kAudioQueueProperty_EnableLevelMetering, 4),
      (kAudioQueueProperty_CurrentLevelMeter, 16), (kAudioQueueProperty_CurrentLevelMeterDB, 16),
      (kAudioQueueProperty_DecodeBufferSizeFrames, 4), (kAudioQueueProperty_ConverterError, 4),
      (kAudioQueueProperty_EnableTimePitch, 4), (kAudioQueueProperty_TimePitchAlgorithm, 4),
      (kAudioQueueProperty_TimePitchBypass, 4), (kAudioQueueProperty_HardwareCodecPolicy, 4),
    ] as [(AudioQueuePropertyID, UInt32)] {
      #expect(AudioQueueGetPropertySize(queue, id, &size) == noErr && size == bytes, "\(id)")
    }
    #expect(
      AudioQueueGetPropertySize(queue, kAudioQueueProperty_ChannelLayout, &size) == kAudioQueueErr_InvalidProperty)
    #expect(AudioQueueGetPropertySize(queue, 1234, &size) == kAudioQueueErr_InvalidProperty)
    size = 3
    #expect(
      AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &number, &size) == kAudioQueueErr_InvalidPropertySize)
    #expect(
      AudioQueueSetProperty(queue, kAudioQueueProperty_IsRunning, &number, 4) == kAudioQueueErr_InvalidProperty)
    #expect(
      AudioQueueSetProperty(queue, kAudioQueueProperty_HardwareCodecPolicy, &number, 4)
        == kAudioQueueErr_InvalidPropertyValue)
    #expect(
      AudioQueueSetProperty(queue, kAudioQueueProperty_DecodeBufferSizeFrames, &number, 2)
        == kAudioQueueErr_InvalidPropertySize)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    let bytes = UInt32(MemoryLayout<AudioChannelLayout>.size)
    #expect(AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelLayout, &layout, bytes) == noErr)
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
    #expect(
      AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelLayout, &layout, bytes)
        == kAudioQueueErr_InvalidPropertyValue)
    var given = AudioStreamBasicDescription()
    size = 40
    #expect(AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &given, &size) == noErr)
    #expect(given.mSampleRate == 32_000 && given.mBytesPerPacket == 4)
    var name: UInt = 0
    size = 8
    #expect(AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentDevice, &name, &size) == noErr && name != 0)
    #expect(AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &name, 8) == noErr)
    UnsafeRawPointer(bitPattern: name).map { Unmanaged<AnyObject>.fromOpaque($0).release() }
  }
}

import AVFAudio
import Testing

@Suite("Buffers and times")
struct AVAudioBufferTests {
  @Test("Sizes of the lists: what is there, and what there is room for")
  func sizes() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 2, interleaved: true))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10))
    #expect(buffer.frameLength == 0)
    buffer.frameLength = 3
    let readable = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList))
    #expect(readable.map(\.mDataByteSize) == [12])
    #expect(readable.map(\.mNumberChannels) == [2])
    let writable = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    #expect(writable.map(\.mDataByteSize) == [40])
    #expect(readable.map(\.mDataByteSize) == [12])
    // A list that is kept, and that a function has left smaller, is whole behind a new length, or when it is asked for.
    writable[0].mDataByteSize = 8
    buffer.frameLength = 2
    #expect(writable.map(\.mDataByteSize) == [40])
    #expect(readable.map(\.mDataByteSize) == [8])
    writable[0].mDataByteSize = 8
    #expect(UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList).map(\.mDataByteSize) == [40])
    #expect(readable.map(\.mDataByteSize) == [8])
    #expect(buffer.stride == 2)
    let samples = try #require(buffer.int16ChannelData)
    #expect(samples[1] - samples[0] == 1)
    #expect(buffer.floatChannelData == nil)
    #expect(buffer.int32ChannelData == nil)
  }

  @Test("A copy of packets has its own memory, the same packets and the same room")
  func compressedCopy() throws {
    var description = AudioStreamBasicDescription()
    (description.mSampleRate, description.mFormatID) = (44_100, kAudioFormatMPEG4AAC)
    (description.mFramesPerPacket, description.mChannelsPerFrame) = (1024, 2)
    let format = try #require(AVAudioFormat(streamDescription: &description))
    let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 3, maximumPacketSize: 100)
    (buffer.packetCount, buffer.byteLength) = (2, 150)
    let bytes = buffer.data.assumingMemoryBound(to: UInt8.self)
    for index in 0..<300 { bytes[index] = UInt8(index % 251) }
    let packets = try #require(buffer.packetDescriptions)
    packets[1] = AudioStreamPacketDescription(mStartOffset: 90, mVariableFramesInPacket: 0, mDataByteSize: 60)
    for copied in [buffer.copy(), buffer.mutableCopy()] {
      let copy = try #require(copied as? AVAudioCompressedBuffer)
      #expect((copy.packetCount, copy.packetCapacity, copy.maximumPacketSize) == (2, 3, 100))
      #expect((copy.byteLength, copy.byteCapacity) == (150, 300) && copy.format.isEqual(format))
      #expect(copy.packetDescriptions?[1].mStartOffset == 90 && copy.packetDescriptions?[1].mDataByteSize == 60)
      #expect(copy.audioBufferList.pointee.mBuffers.mDataByteSize == 150)
      bytes[149] = 0
      #expect(copy.data.assumingMemoryBound(to: UInt8.self)[149] == 149 && copy.data != buffer.data)
      bytes[149] = 149
    }
    let general: AVAudioBuffer = buffer
    #expect((general.copy() as? AVAudioCompressedBuffer)?.byteLength == 150)
  }

  @Test("A copy has its own memory")
  func copies() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    buffer.frameLength = 4
    let samples = try #require(buffer.floatChannelData)
    for channel in 0..<2 { for frame in 0..<4 { samples[channel][frame] = Float(10 * channel + frame) } }
    let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
    samples[1][3] = 99
    let copied = try #require(copy.floatChannelData)
    #expect((copy.frameLength, copied[1][3], copied[0][2]) == (4, 13, 2))
  }

  @Test("Memory of somebody else is used as it lies, and given back once")
  func lent() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2))
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 12)
    defer { memory.deallocate() }
    for index in 0..<12 { (memory + index).initialize(to: Float(index)) }
    list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 24, mData: memory)
    list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 20, mData: memory + 6)
    var returns = 0
    var buffer = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer) { _ in returns += 1 }
    #expect(buffer?.frameCapacity == 5)
    #expect(buffer?.frameLength == 5)
    #expect(buffer?.floatChannelData?[1][0] == 6)
    #expect(returns == 0)
    buffer = nil
    #expect(returns == 1)
    list.count = 1
    #expect(AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer) == nil)
  }

  @Test("A length beyond the capacity ends the process")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      let format = AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1)
      let buffer = format.flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 4) }
      buffer?.frameLength = 5
    }
  }

  @Test("A time has what its parts say, and an anchor tells the rest")
  func times() throws {
    let anchor = AVAudioTime(hostTime: 5_000_000_000, sampleTime: 480, atRate: 48_000)
    let half = AVAudioTime(sampleTime: 24_480, atRate: 48_000)
    #expect(!half.isHostTimeValid)
    #expect(half.extrapolateTime(fromAnchor: anchor)?.hostTime == 5_500_000_000)
    let before = try #require(AVAudioTime(hostTime: 4_999_000_000).extrapolateTime(fromAnchor: anchor))
    #expect((before.sampleTime, before.sampleRate, before.hostTime) == (432, 48_000, 4_999_000_000))
    #expect(half.extrapolateTime(fromAnchor: half) == nil)
    #expect(AVAudioTime.hostTime(forSeconds: 1.5) == 1_500_000_000)
    #expect(AVAudioTime.seconds(forHostTime: 250_000_000) == 0.25)
    #expect(AVAudioTime.hostTime(forSeconds: -1) == 0)
    var stamp = half.audioTimeStamp
    #expect(stamp.mFlags == .sampleTimeValid)
    #expect(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000).sampleTime == 24_480)
    stamp.mFlags = .hostTimeValid
    #expect(!AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000).isSampleTimeValid)
  }
}

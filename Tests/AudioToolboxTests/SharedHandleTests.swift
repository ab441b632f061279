import AudioToolbox
import Foundation
import TestSupport
import Testing

/// Several threads with one handle: what the state of a rate conversion did not survive.
@Suite("Handles that several threads use at once")
struct SharedHandleTests {
  @Test("A converter takes one call at a time: the others wait or are refused")
  func converter() throws {
    var source = AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagsNativeFloatPacked,
      mBytesPerPacket: 8, mFramesPerPacket: 1, mBytesPerFrame: 8, mChannelsPerFrame: 2, mBitsPerChannel: 32,
      mReserved: 0)
    var target = source
    target.mSampleRate = 48_000
    var made: AudioConverterRef?
    try #require(AudioConverterNew(&source, &target, &made) == noErr)
    let converter = try #require(made)
    defer { AudioConverterDispose(converter) }
    let handle = UInt(bitPattern: converter)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      guard let converter = AudioConverterRef(bitPattern: handle) else { return }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * 4096, alignment: 16)
      defer { memory.deallocate() }
      for turn in 0..<500 {
        if thread == 0 && turn % 7 == 0 { #expect(AudioConverterReset(converter) == noErr) }
        var packets = UInt32(1 + turn * 37 % 4096)
        var list = AudioBufferList(
          mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 8 * 4096, mData: memory))
        let status = AudioConverterFillComplexBuffer(
          converter, { _, _, _, _, _ in noErr }, nil, &packets, &list, nil)
        #expect(status == noErr || status == kAudioConverterErr_OperationNotSupported)
      }
    }
  }

  @Test("An extended file is read by several threads, each frame once")
  func extendedFile() throws {
    let url = URL(filePath: Repository.path + "/fixtures/audio/drums.flac")
    var made: ExtAudioFileRef?
    try #require(ExtAudioFileOpenURL(url, &made) == noErr)
    let file = try #require(made)
    defer { ExtAudioFileDispose(file) }
    var client = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagsNativeFloatPacked,
      mBytesPerPacket: 8, mFramesPerPacket: 1, mBytesPerFrame: 8, mChannelsPerFrame: 2, mBitsPerChannel: 32,
      mReserved: 0)
    try #require(
      ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &client)
        == noErr)
    let handle = UInt(bitPattern: file)
    let counts = UnsafeMutablePointer<Int>.allocate(capacity: 4)
    counts.initialize(repeating: 0, count: 4)
    defer { counts.deallocate() }
    let places = UInt(bitPattern: counts)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      guard let file = ExtAudioFileRef(bitPattern: handle), let counts = UnsafeMutablePointer<Int>(bitPattern: places)
      else { return }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * 1000, alignment: 16)
      defer { memory.deallocate() }
      while true {
        var frames: UInt32 = 1000
        var list = AudioBufferList(
          mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 8000, mData: memory))
        guard ExtAudioFileRead(file, &frames, &list) == noErr, frames > 0 else { break }
        counts[thread] += Int(frames)
      }
    }
    // 84000 frames at 44.1 kHz.
    #expect((0..<4).reduce(0) { $0 + counts[$1] } == 91_429)
  }
}

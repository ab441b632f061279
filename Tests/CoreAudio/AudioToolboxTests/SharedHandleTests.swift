import AudioCore
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

  /// A file in memory whose size procedure asks about the extended file that is around it.
  private final class Asking: @unchecked Sendable {
    let memory = AudioFileCallbackTests.Memory()
    var extended: ExtAudioFileRef?

    static func of(_ pointer: UnsafeMutableRawPointer) -> Asking {
      Unmanaged<Asking>.fromOpaque(pointer).takeUnretainedValue()
    }
  }

  @Test("A file's procedures may ask about the file while other threads do")
  func fileProcedures() throws {
    let asking = Asking()
    let context = Unmanaged.passRetained(asking).toOpaque()
    var (made, format) = (AudioFileID?.none, pcm(.int16))
    #expect(
      AudioFileInitializeWithCallbacks(
        context,
        { AudioFileCallbackTests.read(Asking.of($0).memory.pointer, $1, $2, $3, $4) },
        { data, position, count, bytes, actual in
          let asking = Asking.of(data)
          var frame: Int64 = 0
          if let extended = asking.extended { _ = ExtAudioFileTell(extended, &frame) }
          return AudioFileCallbackTests.write(asking.memory.pointer, position, count, bytes, actual)
        }, { AudioFileCallbackTests.size(Asking.of($0).memory.pointer) },
        { AudioFileCallbackTests.setSize(Asking.of($0).memory.pointer, $1) },
        kAudioFileWAVEType, &format, [], &made) == noErr)
    let file = try #require(made)
    expectNoError(ExtAudioFileWrapAudioFileID(file, true, &asking.extended))
    let extended = UInt(bitPattern: asking.extended)
    expectNoError(ExtAudioFileWriteAsync(try #require(asking.extended), 0, nil))
    // Four threads: the writer, the ring's, and two that call. If two locks cross, none of them ends.
    let group = DispatchGroup()
    for thread in 0..<3 {
      DispatchQueue.global().async(group: group) {
        guard let extended = ExtAudioFileRef(bitPattern: extended) else { return }
        var samples = [Int16](repeating: 7, count: 128)
        for _ in 0..<3000 {
          var frame: Int64 = 0
          guard thread == 0 else {
            _ = ExtAudioFileTell(extended, &frame)
            continue
          }
          samples.withUnsafeMutableBytes { bytes in
            var list = AudioBufferList(
              mNumberBuffers: 1,
              mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 256, mData: bytes.baseAddress))
            // Frames that are not taken in time are missing in the file.
            _ = eventually {
              ExtAudioFileWriteAsync(extended, 64, &list) != kExtAudioFileError_AsyncWriteBufferOverflow
            }
          }
        }
      }
    }
    try #require(group.wait(timeout: .now() + 100) == .success, "the threads wait for one another")
    expectNoError(ExtAudioFileDispose(try #require(asking.extended)))
    asking.extended = nil
    expectNoError(AudioFileClose(file))
    #expect(asking.memory.bytes.count >= 3000 * 256)
    Unmanaged<Asking>.fromOpaque(context).release()
  }

  @Test("An extended file that is disposed of while others begin to write to it leaves no thread behind")
  func disposed() throws {
    let folder = TemporaryFolder()
    for turn in 0..<100 {
      var (made, format) = (ExtAudioFileRef?.none, pcm(.int16, rate: 44_100))
      let url = URL(filePath: folder.file("\(turn).wav"))
      expectNoError(ExtAudioFileCreateWithURL(url, kAudioFileWAVEType, &format, nil, 0, &made))
      var client = pcm(.float32)
      expectNoError(ExtAudioFileSetProperty(try #require(made), kExtAudioFileProperty_ClientDataFormat, 40, &client))
      let handle = UInt(bitPattern: made)
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        guard let file = ExtAudioFileRef(bitPattern: handle) else { return }
        if thread == 0 {
          ExtAudioFileDispose(file)
        } else {
          let buffer = InterleavedBuffer(byteCount: 8 * 256, channels: 2)
          for _ in 0..<4 { _ = buffer.withList { ExtAudioFileWriteAsync(file, 256, $0) } }
        }
      }
    }
    // A thread of each ring that was not ended would still wait; other tests have a few.
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
    #expect(names.count { $0 == "aubench-ring\n" } < 40)
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

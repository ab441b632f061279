import AudioCore
import AudioToolbox
import Glibc
import TestSupport
import Testing

/// A render thread and a file that is slow or broken.
@Suite struct ExtAudioFileAsyncTests {
  /// A file in memory whose writes wait for the test, once it says so.
  final class SlowMemory: @unchecked Sendable {
    var bytes: [UInt8] = []
    var waits = false
    var answer: OSStatus = 0
    let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(gate, 0, 0) }
    deinit { gate.deallocate() }
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func of(_ pointer: UnsafeMutableRawPointer) -> SlowMemory {
      Unmanaged<SlowMemory>.fromOpaque(pointer).takeUnretainedValue()
    }
  }

  private func open(_ memory: SlowMemory) throws -> (AudioFileID, ExtAudioFileRef) {
    var (file, extended, format) = (AudioFileID?.none, ExtAudioFileRef?.none, pcm(.int16))
    let read: AudioFile_ReadProc = { data, position, count, buffer, actual in
      let bytes = SlowMemory.of(data).bytes
      let given = max(0, min(Int(count), bytes.count - Int(position)))
      if given > 0 { buffer.copyMemory(from: Array(bytes[Int(position)..<Int(position) + given]), byteCount: given) }
      actual.pointee = UInt32(given)
      return 0
    }
    let write: AudioFile_WriteProc = { data, position, count, buffer, actual in
      let memory = SlowMemory.of(data)
      if memory.waits {
        while sem_wait(memory.gate) != 0 {}
        memory.waits = false
      }
      guard memory.answer == 0 else { return memory.answer }
      let end = Int(position) + Int(count)
      if end > memory.bytes.count { memory.bytes += [UInt8](repeating: 0, count: end - memory.bytes.count) }
      memory.bytes.replaceSubrange(Int(position)..<end, with: UnsafeRawBufferPointer(start: buffer, count: Int(count)))
      actual.pointee = count
      return 0
    }
    try #require(
      AudioFileInitializeWithCallbacks(
        memory.pointer, read, write, { Int64(SlowMemory.of($0).bytes.count) }, { _, _ in 0 }, kAudioFileWAVEType,
        &format,
        [], &file) == 0)
    let made = try #require(file)
    try #require(ExtAudioFileWrapAudioFileID(made, true, &extended) == 0)
    let writer = try #require(extended)
    try #require(ExtAudioFileWriteAsync(writer, 0, nil) == 0)
    return (made, writer)
  }

  @Test func aFileThatIsTooSlowIsAnErrorAndLosesNothingElse() throws {
    let memory = SlowMemory()
    defer { withExtendedLifetime(memory) {} }
    let (file, writer) = try open(memory)
    memory.waits = true
    let buffer = InterleavedBuffer(byteCount: 4 * 131_072, channels: 2)
    buffer.bytes = noiseBytes(4 * 131_072)
    // The thread of the file stands still at the first of these; the ring holds 131072 frames.
    #expect(buffer.withList(room: 4 * 72) { ExtAudioFileWriteAsync(writer, 72, $0) }.0 == 0)
    #expect(buffer.withList { ExtAudioFileWriteAsync(writer, 131_000, $0) }.0 == 0)
    #expect(buffer.withList { ExtAudioFileWriteAsync(writer, 1, $0) }.0 == kExtAudioFileError_AsyncWriteBufferOverflow)
    #expect(buffer.withList { ExtAudioFileWriteAsync(writer, 131_073, $0) }.0 == kExtAudioFileError_AsyncWriteTooLarge)
    sem_post(memory.gate)
    #expect(ExtAudioFileDispose(writer) == 0)
    let read = readPackets(file, count: 131_072)
    #expect(read.bytes == Array(buffer.bytes[..<288]) + Array(buffer.bytes[..<524_000]))
    #expect(AudioFileClose(file) == 0)
  }

  @Test func anErrorOfTheFileSurfacesLater() throws {
    let memory = SlowMemory()
    defer { withExtendedLifetime(memory) {} }
    let (file, writer) = try open(memory)
    memory.answer = -1_234
    let buffer = InterleavedBuffer(byteCount: 400, channels: 2)
    #expect(buffer.withList { ExtAudioFileWriteAsync(writer, 100, $0) }.0 == 0)
    #expect(ExtAudioFileDispose(writer) == -1_234)
    memory.answer = 0
    #expect(AudioFileClose(file) == 0)
  }

  @Test func aFileWithoutSoundIsAFile() throws {
    let folder = TemporaryFolder()
    for (type, format) in AudioFilePacketTests.plain {
      let path = folder.file("empty")
      #expect(AudioFileClose(try #require(createFile(path, type, format).1)) == 0)
      let (status, file) = openFile(path)
      #expect(status == 0, "\(type)")
      guard let file else { continue }
      #expect(try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(9)) == 0)
      let answer = readPackets(file, count: 1)
      #expect(answer.status == 0 && answer.packets == 0 && answer.bytes.isEmpty)
      #expect(AudioFileClose(file) == 0)
      var extended: ExtAudioFileRef?
      #expect(ExtAudioFileOpenURL(makeURL(path), &extended) == 0)
      let reader = try #require(extended)
      let buffer = InterleavedBuffer(byteCount: Int(format.mBytesPerFrame), channels: Int(format.mChannelsPerFrame))
      var frames: UInt32 = 1
      #expect(buffer.withList { ExtAudioFileRead(reader, &frames, $0) }.0 == 0)
      #expect(frames == 0)
      #expect(ExtAudioFileDispose(reader) == 0)
    }
  }
}

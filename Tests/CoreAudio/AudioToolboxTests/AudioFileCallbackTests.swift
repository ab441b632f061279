import AudioCore
import AudioToolbox
import SoundFile
import TestSupport
import Testing

/// Files that the client keeps in memory.
@Suite struct AudioFileCallbackTests {
  /// The memory, and how it misbehaves.
  final class Memory {
    var bytes: [UInt8]
    var largestAnswer = UInt32.max
    var failure: OSStatus = 0
    var calls = 0
    /// The results of the size function, one after the other and over again; empty: the real number of bytes.
    var sizes: [Int64] = []
    private var asked = 0
    init(_ bytes: [UInt8] = []) { self.bytes = bytes }
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func size() -> Int64 {
      guard !sizes.isEmpty else { return Int64(bytes.count) }
      asked += 1
      return sizes[(asked - 1) % sizes.count]
    }

    static func of(_ pointer: UnsafeMutableRawPointer) -> Memory {
      let memory = Unmanaged<Memory>.fromOpaque(pointer).takeUnretainedValue()
      memory.calls += 1
      return memory
    }
  }

  static let read: AudioFile_ReadProc = { data, position, count, buffer, actual in
    let memory = Memory.of(data)
    if memory.failure != 0 { return memory.failure }
    let left = position < 0 ? 0 : max(0, memory.bytes.count - Int(position))
    let given = min(Int(count), left, Int(memory.largestAnswer))
    memory.bytes.withUnsafeBytes { bytes in
      if given > 0, let start = bytes.baseAddress { buffer.copyMemory(from: start + Int(position), byteCount: given) }
    }
    actual.pointee = UInt32(given)
    return left == 0 ? kAudioFileEndOfFileError : 0
  }
  static let write: AudioFile_WriteProc = { data, position, count, buffer, actual in
    let memory = Memory.of(data)
    if memory.failure != 0 { return memory.failure }
    let end = Int(position) + Int(count)
    if end > memory.bytes.count { memory.bytes += [UInt8](repeating: 0, count: end - memory.bytes.count) }
    memory.bytes.replaceSubrange(Int(position)..<end, with: UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    actual.pointee = count
    return 0
  }
  static let size: AudioFile_GetSizeProc = { Memory.of($0).size() }
  static let setSize: AudioFile_SetSizeProc = { data, size in
    let memory = Memory.of(data)
    let missing = Int(size) - memory.bytes.count
    if missing > 0 { memory.bytes += [UInt8](repeating: 0, count: missing) } else { memory.bytes.removeLast(-missing) }
    return memory.failure
  }

  @Test func aFileInMemoryIsWrittenAndReadAsOneOnDisk() throws {
    let memory = Memory(noiseBytes(50_000))
    defer { withExtendedLifetime(memory) {} }
    var (file, format) = (AudioFileID?.none, pcm(.int16))
    #expect(
      AudioFileInitializeWithCallbacks(
        memory.pointer, Self.read, Self.write, Self.size, Self.setSize, kAudioFileWAVEType, &format, [], &file) == 0)
    let new = try #require(file)
    let sound = noiseBytes(4_000, seed: 2)
    var packets: UInt32 = 1_000
    #expect(AudioFileWritePackets(new, false, 4_000, nil, 0, &packets, sound) == 0)
    #expect(AudioFileClose(new) == 0)
    let calls = memory.calls
    #expect(readPackets(new, count: 1).status == kAudioFileNotOpenError)
    #expect(memory.calls == calls)

    // The very bytes of a file on disk.
    let folder = TemporaryFolder()
    let twin = try #require(createFile(folder.file("a.wav"), kAudioFileWAVEType, format).1)
    #expect(AudioFileWritePackets(twin, false, 4_000, nil, 0, &packets, sound) == 0)
    #expect(AudioFileClose(twin) == 0)
    #expect(memory.bytes == bytes(ofFile: folder.file("a.wav")))

    // A client that gives less than requested is called again.
    memory.largestAnswer = 100
    #expect(AudioFileOpenWithCallbacks(memory.pointer, Self.read, nil, Self.size, nil, 0, &file) == 0)
    let again = try #require(file)
    #expect(readPackets(again, count: 1_000).bytes == sound)
    var count: UInt32 = 4
    #expect(AudioFileWriteBytes(again, false, 0, &count, sound) == kAudioFilePermissionsError)
    #expect(AudioFileClose(again) == 0)
  }

  @Test("a size that is another with each call ends in an answer, whatever is looked at")
  func sizesThatChange() throws {
    let folder = TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    for container in [SoundFileContainer.wav, .w64, .rf64, .aiff, .caf, .flac, .mp3, .ogg] {
      for encoding in container == .caf ? [SoundFileEncoding.pcm16, .alac16] : [nil] {
        let format = encoding.map { SoundFileFormat(container: container, encoding: $0) } ?? .init(container: container)
        try encode(folder.file("a"), format, noise(2, frames: 5_000))
        let whole = bytes(ofFile: folder.file("a"))
        let last = Int64(whole.count)
        // As long as it is up to a call, and then shorter by more and more; and anything.
        var answers = (0..<60).map { calls in
          [Int64](repeating: last, count: calls % 12) + (0..<20).map { _ in Int64(random.next() % UInt64(last)) }
        }
        answers += [
          [last, .max], [.max], [.min, last], [last, -1], [last, 0], [.max, .min, last], [last, last + 1000],
        ]
        for sizes in answers {
          let memory = Memory(whole)
          memory.sizes = sizes
          defer { withExtendedLifetime(memory) {} }
          var file: AudioFileID?
          guard AudioFileOpenWithCallbacks(memory.pointer, Self.read, nil, Self.size, nil, 0, &file) == 0, let file
          else {
            continue
          }
          for property in [
            kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyAudioDataByteCount,
            kAudioFilePropertyMaximumPacketSize, kAudioFilePropertyEstimatedDuration, kAudioFilePropertyPacketTableInfo,
            kAudioFilePropertyChannelLayout, kAudioFilePropertyMagicCookieData,
          ] {
            var room = [UInt8](repeating: 0, count: 4_096)
            var size = UInt32(room.count)
            _ = AudioFileGetProperty(file, property, &size, &room)
          }
          _ = readPackets(file, count: 100)
          #expect(AudioFileClose(file) == 0)
        }
      }
    }
  }

  @Test func everyKindIsDecodedFromMemory() throws {
    let folder = TemporaryFolder()
    for container in [SoundFileContainer.flac, .caf, .ogg, .mp3] {
      try encode(folder.file("a"), .init(container: container), noise(2, frames: 5_000))
      let memory = Memory(bytes(ofFile: folder.file("a")))
      defer { withExtendedLifetime(memory) {} }
      var (file, extended) = (AudioFileID?.none, ExtAudioFileRef?.none)
      #expect(AudioFileOpenWithCallbacks(memory.pointer, Self.read, Self.write, Self.size, Self.setSize, 0, &file) == 0)
      let opened = try #require(file)
      #expect(ExtAudioFileWrapAudioFileID(opened, false, &extended) == 0)
      let reader = try #require(extended)
      var client = pcm(.float32)
      #expect(ExtAudioFileSetProperty(reader, kExtAudioFileProperty_ClientDataFormat, 40, &client) == 0)
      let expected = try decode(folder.file("a"))
      let buffer = InterleavedBuffer(byteCount: 8 * expected[0].count, channels: 2)
      var frames = UInt32(expected[0].count)
      #expect(buffer.withList { ExtAudioFileRead(reader, &frames, $0) }.0 == 0)
      #expect(Int(frames) == expected[0].count)
      let values = buffer.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      #expect(values.enumerated().allSatisfy { $0.element == expected[$0.offset % 2][$0.offset / 2] })
      #expect(ExtAudioFileDispose(reader) == 0)
      // Wrapped, not owned.
      #expect(status(opened, kAudioFilePropertyFileFormat) == 0)
      #expect(AudioFileClose(opened) == 0)
    }
  }

  /// A client that closes its file in the middle of a write of it.
  private final class Closing {
    let memory = Memory()
    var file: AudioFileID?
    var extended: ExtAudioFileRef?
    var statuses: [OSStatus] = []

    static let write: AudioFile_WriteProc = { data, position, count, bytes, actual in
      let closing = Unmanaged<Closing>.fromOpaque(data).takeUnretainedValue()
      if let extended = closing.extended {
        closing.extended = nil
        closing.statuses.append(ExtAudioFileDispose(extended))
        if let file = closing.file { closing.statuses.append(AudioFileClose(file)) }
      }
      return AudioFileCallbackTests.write(closing.memory.pointer, position, count, bytes, actual)
    }
  }

  @Test("A file may be closed from its own procedures, whatever codes it", arguments: [true, false])
  func closesItself(isCoded: Bool) throws {
    let closing = Closing()
    var file: AudioFileID?
    var format = isCoded ? coded(kAudioFormatULaw) : pcm(.int16)
    #expect(
      AudioFileInitializeWithCallbacks(
        Unmanaged.passUnretained(closing).toOpaque(),
        { Self.read(Unmanaged<Closing>.fromOpaque($0).takeUnretainedValue().memory.pointer, $1, $2, $3, $4) },
        Closing.write, { Self.size(Unmanaged<Closing>.fromOpaque($0).takeUnretainedValue().memory.pointer) },
        { Self.setSize(Unmanaged<Closing>.fromOpaque($0).takeUnretainedValue().memory.pointer, $1) },
        kAudioFileWAVEType, &format, [], &file) == 0)
    let opened = try #require(file)
    var made: ExtAudioFileRef?
    #expect(ExtAudioFileWrapAudioFileID(opened, true, &made) == 0)
    let extended = try #require(made)
    var client = pcm(.int16)
    #expect(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, 40, &client) == 0)
    (closing.file, closing.extended) = (opened, extended)
    // More than a coder holds back.
    let buffer = InterleavedBuffer(byteCount: 4 * 20_000, channels: 2)
    buffer.bytes = noiseBytes(4 * 20_000)
    _ = buffer.withList { ExtAudioFileWrite(extended, 20_000, $0) }
    #expect(closing.extended == nil && closing.statuses.count == 2)
    #expect(buffer.withList { ExtAudioFileWrite(extended, 20_000, $0) }.0 != 0)
    #expect(AudioFileClose(opened) == kAudioFileNotOpenError)
  }

  @Test func whatTheClientAnswersIsPassedOn() throws {
    let memory = Memory()
    var (file, format) = (AudioFileID?.none, pcm(.int16))
    memory.failure = -1_234
    #expect(
      AudioFileInitializeWithCallbacks(
        memory.pointer, Self.read, Self.write, Self.size, Self.setSize, kAudioFileWAVEType, &format, [], &file)
        == -1_234)
    #expect(file == nil)
    memory.failure = 0
    #expect(
      AudioFileInitializeWithCallbacks(
        memory.pointer, Self.read, Self.write, Self.size, Self.setSize, kAudioFileWAVEType, &format, [], &file) == 0)
    let new = try #require(file)
    // The sizes wait for the close, which then has something to do.
    var defers: UInt32 = 1
    #expect(AudioFileSetProperty(new, kAudioFilePropertyDeferSizeUpdates, 4, &defers) == 0)
    var packets: UInt32 = 1
    #expect(AudioFileWritePackets(new, false, 4, nil, 0, &packets, noiseBytes(4)) == 0)
    memory.failure = -1_235
    #expect(AudioFileWritePackets(new, false, 4, nil, 1, &packets, noiseBytes(4)) == -1_235)
    #expect(packets == 0)
    #expect(AudioFileClose(new) == -1_235)
    #expect(AudioFileOpenWithCallbacks(memory.pointer, Self.read, nil, Self.size, nil, 0, &file) == -1_235)
    let short = Memory([1, 2, 3])
    defer { withExtendedLifetime((memory, short)) {} }
    #expect(
      AudioFileOpenWithCallbacks(short.pointer, Self.read, nil, Self.size, nil, 0, &file)
        == kAudioFileUnsupportedFileTypeError)
  }
}

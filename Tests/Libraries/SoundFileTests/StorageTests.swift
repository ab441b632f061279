import AudioCore
import Glibc
import SoundFile
import TestSupport
import Testing

/// Files that lie elsewhere than on the disk, and files that are written in place.
@Suite struct StorageTests {
  @Test(arguments: [SoundFileContainer.wav, .wavex, .rf64, .w64, .aiff, .caf, .flac, .ogg, .opus, .mp3, .au])
  func memoryIsReadAsTheDiskIs(_ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    try writeFile(folder.file("a"), .init(container: container), sines(2, frames: 5_000))
    let expected = try readFile(folder.file("a"))
    let storage = MemoryStorage(bytes(ofFile: folder.file("a")))
    let reader = try SoundFileReader(storage: storage, name: "memory")
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: expected[0].count)
    #expect(try reader.read(into: buffer.planes, frames: expected[0].count + 1) == expected[0].count)
    #expect(bits(buffer.channels(expected[0].count)) == bits(expected))
  }

  /// A storage that fails in the middle.
  private final class Broken: ByteStorage {
    let inner: MemoryStorage
    init(_ bytes: [UInt8]) { inner = MemoryStorage(bytes) }
    var length: Int64 { inner.length }
    func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
      if offset < 12_000, offset + Int64(count) > 8_000 { throw .status(-1_234) }
      return try inner.read(bytes, count: count, at: offset)
    }
    func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) { throw .status(-1) }
    func setLength(_ length: Int64) throws(StorageError) { throw .status(-1) }
  }

  @Test func whatAStorageAnswersIsKept() throws {
    let folder = TemporaryFolder()
    try writeFile(
      folder.file("a.wav"), .init(container: .wav, encoding: .pcm16), sines(2, frames: 5_000), expectedFrames: 5_000)
    let reader = try SoundFileReader(storage: Broken(bytes(ofFile: folder.file("a.wav"))), name: "broken")
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 5_000)
    #expect(throws: BenchError.self) { try reader.read(into: buffer.planes, frames: 5_000) }
    #expect(reader.storageError == .status(-1_234))
    #expect(throws: BenchError.self) {
      try SoundFileEncoder(
        Broken([]), name: "broken", format: .init(container: .flac), sampleRate: 48_000, channelCount: 2)
    }
  }

  /// Header, sound and sizes put together in place are, byte for byte, what libsndfile writes at one go. (Of an odd
  /// number of bytes it counts the padding in AIFF.)
  @Test(arguments: [
    (SoundFileContainer.wav, SoundFileEncoding.pcm16, ContainerLayout.Kind.wave), (.wav, .pcmU8, .wave),
    (.wav, .float32, .wave), (.aiff, .pcm24, .aiff), (.aiff, .pcmS8, .aiff), (.caf, .pcm16, .caf),
    (.caf, .float64, .caf),
    (.au, .pcm16, .au), (.w64, .pcm16, .wave64), (.rf64, .pcm24, .rf64),
  ])
  func aFileMadeInPlaceIsTheOneThatLibsndfileWrites(
    _ container: SoundFileContainer, _ encoding: SoundFileEncoding, _ kind: ContainerLayout.Kind
  ) throws {
    let folder = TemporaryFolder()
    let isBigEndian = [.aiff, .au, .caf].contains(container)
    try writeFile(
      folder.file("a"), .init(container: container, encoding: encoding), sines(1, frames: 1_000), expectedFrames: 1_000)
    let whole = bytes(ofFile: folder.file("a"))
    let header = try #require(
      PlainFileHeader.make(kind, encoding: encoding, isBigEndian: isBigEndian, sampleRate: 48_000, channelCount: 1))
    let storage = MemoryStorage(header)
    let layout = try #require(ContainerLayout(storage))
    let size = Int64((encoding.bits ?? 0) / 8)
    #expect(layout.statedBytes == 0 && layout.dataOffset == header.count)
    try storage.write(Array(whole[header.count..<header.count + 1_000 * Int(size)]), at: layout.dataOffset)
    #expect(try PlainFileHeader.setSizes(storage, layout: layout, dataBytes: 1_000 * size, bytesPerFrame: size))
    let difference = zip(storage.contents, whole).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(difference == nil && storage.contents.count == whole.count)
  }

  @Test func theLongSizeOfAnRF64FileHoldsHoweverSmall() throws {
    func layout(_ id: String, long: UInt8) -> ContainerLayout? {
      let sizes =
        Array("ds64".utf8) + [28, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [long] + [UInt8](repeating: 0, count: 19)
      let format = Array("fmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
      let data = Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 1, 2]
      return ContainerLayout(MemoryStorage(Array("\(id)\u{7F}\0\0\0WAVE".utf8) + sizes + format + data))
    }
    // In WAV files with such a chunk a size of 0 is a placeholder.
    #expect(layout("RF64", long: 1)?.statedBytes == 1 && layout("RF64", long: 0)?.statedBytes == 0)
    #expect(layout("RIFF", long: 1)?.statedBytes == 1 && layout("RIFF", long: 0)?.statedBytes == nil)
  }

  @Test func memoryHasNothingInFrontOfItsBeginningAndBehindItsEnd() throws {
    let storage = MemoryStorage([1, 2, 3])
    var bytes: [UInt8] = [9, 9, 9, 9]
    for offset in [Int64(-1), 3, 4] { #expect(try storage.read(&bytes, count: 4, at: offset) == 0) }
    #expect(bytes == [9, 9, 9, 9])
    #expect(try storage.read(&bytes, count: 4, at: 1) == 2 && bytes == [2, 3, 9, 9])
    #expect(storage.bytes(at: -1, count: 1) == nil && storage.bytes(at: 2, count: 2) == nil)
    #expect(storage.bytes(at: 0, count: 3) == [1, 2, 3] && storage.bytes(at: 3, count: 0) == [])
  }

  @Test func chunksAreFoundWhereTheyLie() throws {
    let chunk: [UInt8] = Array("note".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
    let folder = TemporaryFolder()
    try writeFile(
      folder.file("a.wav"), .init(container: .wav, encoding: .pcm16), sines(1, frames: 10), expectedFrames: 10)
    let whole = bytes(ofFile: folder.file("a.wav"))
    let layout = try #require(ContainerLayout(MemoryStorage(Array(whole[..<12]) + chunk + whole[12...] + chunk)))
    #expect(layout.chunks.map(\.headerOffset) == [12, 24, 48, 76])
    #expect(layout.chunks(0x6E6F_7465).map(\.contentBytes) == [3, 3])
    #expect(layout.soundIndex == 2 && layout.dataOffset == 56 && layout.statedBytes == 20 && layout.hasChunksAfterSound)
    #expect(ContainerLayout(MemoryStorage(Array(whole[..<40]))) == nil)
    #expect(ContainerLayout(MemoryStorage(Array("hello, world".utf8))) == nil)
  }
}

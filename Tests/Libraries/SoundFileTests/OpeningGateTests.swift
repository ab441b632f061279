import AudioCore
import Glibc
import SoundFile
import TestSupport
import Testing

@Suite struct OpeningGateTests {
  /// The words of the error of a file that cannot be read; nil: it can be.
  private static func refusal(_ path: String) -> String? {
    do {
      _ = try readFile(path)
      return nil
    } catch { return "\(error)" }
  }

  @Test func filesThatAreRefusedAtOneTimeKeepTheirOwnReasons() async throws {
    let folder = TemporaryFolder()
    try writeFile(folder.file("whole.wav"), .init(container: .wav), sines(1, frames: 64), expectedFrames: 64)
    let whole = bytes(ofFile: folder.file("whole.wav"))
    // Every byte of the header damaged in turn: libsndfile refuses some for reasons of its own.
    var reasons: [String: String] = [:]
    for offset in 0..<44 {
      var damaged = whole
      damaged[offset] ^= 0x55
      let path = folder.file("\(offset).wav")
      write(damaged, to: path)
      if let reason = Self.refusal(path) { reasons[path] = reason }
    }
    #expect(Set(reasons.map { path, reason in reason.replacing(path, with: "") }).count > 3)
    let expected = reasons
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var wrong: [String] = []
          for _ in 0..<100 {
            for (path, reason) in expected.shuffled() where Self.refusal(path) != reason {
              wrong.append("\(path): \(Self.refusal(path) ?? "read"), expected \(reason)")
            }
          }
          return wrong
        }
      }
      for await wrong in group { #expect(wrong.isEmpty, "\(wrong.prefix(3))") }
    }
  }

  /// Bytes of a client's callback, which has another thread open a file while its own is being opened.
  private final class OpeningStorage: ByteStorage, @unchecked Sendable {
    private let bytes: MemoryStorage
    private let other: String
    private(set) var reasons: [String?] = []

    init(_ bytes: [UInt8], opening other: String) {
      self.bytes = MemoryStorage(bytes)
      self.other = other
    }

    var length: Int64 { bytes.length }

    func read(_ place: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
      JoinedThread { self.reasons.append(OpeningGateTests.refusal(self.other)) }?.join()
      return try bytes.read(place, count: count, at: offset)
    }

    func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {
      throw .system(EBADF)
    }

    func setLength(_ length: Int64) throws(StorageError) { throw .system(EBADF) }
  }

  @Test(.timeLimit(.minutes(1))) func aReadThatWaitsForAnotherOpeningGetsItAndEachKeepsItsReason() throws {
    let folder = TemporaryFolder()
    try writeFile(folder.file("whole.wav"), .init(container: .wav), sines(1, frames: 64), expectedFrames: 64)
    var bytes = bytes(ofFile: folder.file("whole.wav"))
    bytes[20] ^= 0x55
    write(bytes, to: folder.file("format.wav"))
    let own = try #require(Self.refusal(folder.file("format.wav")))
    write([UInt8](repeating: 0x41, count: 300), to: folder.file("noise.wav"))
    let other = try #require(Self.refusal(folder.file("noise.wav")))
    #expect(own != other)

    let storage = OpeningStorage(bytes, opening: folder.file("noise.wav"))
    let refused = #expect(throws: BenchError.self) {
      _ = try SoundFileReader(storage: storage, name: folder.file("format.wav"))
    }
    #expect(refused.map { "\($0)" } == own)
    #expect(storage.reasons.count > 1 && storage.reasons.allSatisfy { $0 == other }, "\(storage.reasons)")
  }
}

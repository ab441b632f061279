import AudioCore
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
}

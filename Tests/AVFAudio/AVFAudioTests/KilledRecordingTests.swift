import AVFAudio
import Foundation
import Glibc
import TestSupport
import Testing

/// The end of a process in the middle of a recording.
@Suite("A process that ends while it writes a file")
struct KilledRecordingTests {
  /// The end of a process.
  enum End: String, CaseIterable, Codable, Sendable {
    case killed, terminated, exits

    var condition: ExitTest.Condition {
      switch self {
      case .killed: .signal(SIGKILL)
      case .terminated: .signal(SIGTERM)
      case .exits: .success
      }
    }

    func happen() -> Never {
      switch self {
      case .killed: kill(getpid(), SIGKILL)
      case .terminated: kill(getpid(), SIGTERM)
      case .exits: exit(0)
      }
      // A signal of the process may be taken by another thread.
      while true { sleep(1) }
    }
  }

  private let folder = TemporaryFolder()

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(
    "A recorder that is killed leaves nothing, a file of the name stays as it was; one whose program exits is whole",
    arguments: End.allCases, [true, false])
  func recorder(_ end: End, _ wasThere: Bool) async throws {
    let path = folder.file("r.wav")
    if wasThere { try Data("as it was".utf8).write(to: URL(fileURLWithPath: path)) }
    await #expect(processExitsWith: end.condition) { [path = path as String, end = end as End] in
      let harness = try HardwareHarness { $0.microphone = .tone(hertz: 100, amplitude: 0.5) }
      let recorder = try AVAudioRecorder(url: URL(fileURLWithPath: path), settings: [:], on: harness.hardware)
      guard recorder.record() else { exit(3) }
      try harness.hardware.advance(seconds: 2)
      guard recorder.currentTime == 2 else { exit(4) }
      end.happen()
    }
    // A program that exits publishes what it has recorded, as any file that it writes.
    if end == .exits {
      let recorded = try AVAudioFile(forReading: URL(fileURLWithPath: path))
      return #expect(try names() == ["r.wav"] && recorded.length > 0)
    }
    #expect(try names() == (wasThere ? ["r.wav"] : []))
    if wasThere { #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("as it was".utf8)) }
  }

  @Test(
    "A file that is killed while it is written leaves nothing; one whose program exits is whole",
    arguments: End.allCases)
  func file(_ end: End) async throws {
    let path = folder.file("f.caf")
    await #expect(processExitsWith: end.condition) { [path = path as String, end = end as End] in
      guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1) else { exit(3) }
      let file = try AVAudioFile(forWriting: URL(fileURLWithPath: path), settings: format.settings)
      for piece in 0..<20 {
        try file.write(
          from: EngineHarness.buffer(format, 10_000) { frame, _ in Float(piece * 10_000 + frame) / 262_144 })
      }
      end.happen()
    }
    guard end == .exits else { return #expect(try names() == []) }
    #expect(try names() == ["f.caf"])
    #expect(
      try PlayerHarness.samples(path)[0] == (0..<200_000).map { Float($0) / 262_144 })
  }
}

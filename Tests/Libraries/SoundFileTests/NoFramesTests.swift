import AudioCore
import SoundFile
import TestSupport
import Testing

/// A sound of no frames is a valid file or an error, whatever it is to be written as.
@Suite struct NoFramesTests {
  private let folder = TemporaryFolder()

  /// The containers that may be empty: tried with libsndfile, SoX and ffmpeg.
  private static let mayBeEmpty: Set = ["wav", "wavex", "rf64", "aiff", "caf", "au"]

  @Test(arguments: SoundFileFormat.allWritable, [Int64?.none, 0])
  func theFileIsValidOrIsNotThere(_ format: SoundFileFormat, _ expectedFrames: Int64?) throws {
    let path = folder.file("a")
    var rate = 48_000.0
    if !format.check(8_000), !format.check(48_000) { rate = 44_100 } else if !format.check(48_000) { rate = 8_000 }
    do {
      let report = try writeFile(path, format, [[]], rate: rate, expectedFrames: expectedFrames)
      #expect(report.frames == 0)
      #expect(Self.mayBeEmpty.contains(format.container.rawValue), "\(format)")
      // By libsndfile itself, and by the reader.
      #expect(sndfileRead(path) == [[]], "\(format)")
      #expect(try SoundFileReader(path: path).info.frameCount == 0, "\(format)")
    } catch {
      #expect((error as? BenchError)?.kind == .output && "\(error)".contains("no frames"), "\(format): \(error)")
      #expect(folder.names.isEmpty)
      #expect(!["wav pcm16", "wav pcm24", "aiff pcm24", "caf pcm24", "caf float32", "au pcm16"].contains("\(format)"))
    }
  }

  @Test(arguments: ["a.flac", "a.mp3", "a.opus", "a.ogg", "a.w64", "a.raw"]) func theseHaveAFrameAtLeast(_ name: String)
  {
    let error = #expect(throws: BenchError.self) {
      try writeFile(folder.file(name), try SoundFileFormat(path: name), [[]], expectedFrames: 0)
    }
    #expect(error?.kind == .output && error?.advice?.contains("WAV, AIFF or CAF") == true)
    #expect(folder.names.isEmpty)
  }
}

extension SoundFileFormat {
  fileprivate func check(_ rate: Double) -> Bool { (try? validate(sampleRate: rate, channelCount: 1)) != nil }
}

import AudioCore
import SoundFile
import TestSupport
import Testing

/// Bit rates are held by the size of the file.
@Suite struct BitRateTests {
  private func kilobits(_ name: String, _ bitRate: Int, rate: Double, channels: Int) throws -> Double {
    let folder = TemporaryFolder()
    var options = SoundFileWriterOptions()
    options.bitRate = bitRate
    let seconds = 5.0
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<channels).map { _ in
      (0..<Int(clamping: rate * seconds)).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    }
    try writeFile(folder.file(name), try SoundFileFormat(path: name), noise, rate: rate, options: options)
    return Double(try folder.bytes(name).count) * 8 / 1000 / seconds
  }

  @Test(arguments: [
    (32, 44_100.0, 1), (64, 48_000, 2), (128, 44_100, 2), (192, 44_100, 2), (320, 32_000, 2), (24, 22_050, 1),
    (160, 16_000, 2), (8, 8_000, 1), (64, 8_000, 1),
  ])
  func anMP3IsOfConstantRate(_ bitRate: Int, _ rate: Double, _ channels: Int) throws {
    let found = try kilobits("a.mp3", bitRate, rate: rate, channels: channels)
    #expect(abs(found / Double(bitRate) - 1) < 0.06, "\(found)")
  }

  @Test(arguments: [(24, 1), (64, 1), (96, 2), (256, 2), (448, 2)])
  func anOpusFileHasTheMean(_ bitRate: Int, _ channels: Int) throws {
    let found = try kilobits("a.opus", bitRate, rate: 48_000, channels: channels)
    #expect(abs(found / Double(bitRate) - 1) < 0.1, "\(found)")
  }

  @Test(arguments: [
    ("a.mp3", 100, "96, 112"), ("a.mp3", 512, "320"), ("a.opus", 300, "6 to 256"), ("a.ogg", 128, "quality"),
    ("a.flac", 128, "no bit rate"), ("a.wav", 128, "MP3, AAC and Opus"), ("a.m4a", 400, "8 to 160"),
  ])
  func otherRatesAreRefusedWithThoseThereAre(_ name: String, _ bitRate: Int, _ words: String) {
    let error = #expect(throws: BenchError.self) { try kilobits(name, bitRate, rate: 48_000, channels: 1) }
    #expect(error?.kind == .usage && "\(error as Any)".contains(words), "\(error as Any)")
  }
}

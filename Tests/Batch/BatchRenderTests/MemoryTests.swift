import BatchRender
import Glibc
import TestSupport
import Testing

/// docs/design/rules.md, rule 4: memory does not grow with duration.
@Suite struct MemoryTests {
  /// The most memory that this process ever had, KiB.
  static func peakKibibytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }

  /// In a process of its own, so that no other test's memory is counted.
  @Test("half an hour takes no more memory than a minute: files, conversion, taps and two threads")
  func constant() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let text = graphText(
        rate: 22_050,
        [
          #"{ "id": "crow", "unit": "filePlayer", "file": "crow-22050.flac", "loops": -1 }"#,
          #"{ "id": "bass", "unit": "filePlayer", "file": "bass.flac", "loops": -1, "quality": "linear" }"#,
          #"{ "id": "low", "unit": "lowPassFilter" }"#,
          #"{ "id": "mix", "unit": "multichannelMixer", "format": { "channels": 1 } }"#,
          #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["crow -> low", "low -> mix", "bass -> mix:1", "mix -> out"])
      func render(seconds: Double) throws -> Int {
        let graph = try GraphFile.parse(text, folder: Fixtures.path("audio/"))
        let format = SoundFileFormat(container: .wav, encoding: .pcmU8)
        var options = OfflineRenderer.Options(.seconds(seconds), threads: 2)
        options.taps = [OfflineRenderer.Tap(node: "low", path: folder.file("t.wav"), format: format)]
        let report = try OfflineRenderer(graph).render(to: folder.file("a.wav"), as: format, options: options)
        #expect(report.frames == Int64(clamping: seconds * 22_050))
        _ = try FileConversion.convert(
          folder.file("a.wav"), to: folder.file("b.wav"), as: format,
          options: {
            var options = FileConversion.Options()
            options.sampleRate = 16_000
            options.quality = .linear
            return options
          }())
        return MemoryTests.peakKibibytes()
      }
      let short = try render(seconds: 60)
      let long = try render(seconds: 1800)
      #expect(short > 1000)
      #expect(long - short < 8 << 10, "\(short) KiB for a minute, \(long) KiB for half an hour")
    }
  }
}

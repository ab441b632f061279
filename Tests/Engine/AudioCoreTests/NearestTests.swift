import AudioCore
import Testing

@Suite("What somebody may have meant")
struct NearestTests {
  static let units = [
    "genericOutput", "filePlayer", "multichannelMixer", "iPodEQ", "nBandEQ", "lowPassFilter", "highPassFilter",
    "bandPassFilter", "lowShelfFilter", "highShelfFilter", "parametricEQ", "formatConverter",
  ]

  @Test(
    "is found in capitals or not, by its beginning, by a part of it, and by few wrong letters",
    arguments: [
      ("lowpass", "lowPassFilter"), ("LOWPASSFILTER", "lowPassFilter"), ("low-pass-filter", "lowPassFilter"),
      ("low_pass", "lowPassFilter"), ("lowPasFilter", "lowPassFilter"), ("mixer", "multichannelMixer"),
      ("ipod", "iPodEQ"),
      ("nbandeq", "nBandEQ"), ("converter", "formatConverter"), ("player", "filePlayer"), ("filePlayr", "filePlayer"),
      ("lowshelf", "lowShelfFilter"), ("genericOuput", "genericOutput"), ("output", "genericOutput"),
    ])
  func first(_ text: String, _ wanted: String) {
    #expect(nearest(to: text, in: Self.units).first == wanted)
  }

  @Test("is at most three, each once, and nothing where nothing is like it")
  func limits() {
    #expect(nearest(to: "pass", in: Self.units + Self.units).count == 3)
    #expect(Set(nearest(to: "filter", in: Self.units)).count == 3)
    for text in ["zzzzzzzzz", "", "-", "x"] { #expect(nearest(to: text, in: Self.units).isEmpty, "\(text)") }
    // A graph may have as many nodes, with as long names, as it likes.
    let many = (0..<100_000).map { "node\($0)" + String(repeating: "x", count: 1000) }
    #expect(nearest(to: String(repeating: "y", count: 100_000), in: many).isEmpty)
  }
}

import Foundation
import TestSupport
import Testing

@Suite("aubench measure --plot")
struct MeasurePlotTests {
  /// Quick: one method, a short response.
  static let device = ["measure", "lowPassFilter", "--methods", "impulse", "--response-frames", "4096"]

  private struct Saved: Decodable {
    struct Measurement: Decodable { let curves: [Curve] }
    struct Curve: Decodable {
      let id: String
      let x: [Double]
      let y: [Double?]
    }
    let measurements: [Measurement]
  }

  @Test("A picture and its data appear whole, and the output says where")
  func pictureAndData() throws {
    let folder = TemporaryFolder()
    let bare = try Program.run(Self.device + ["--plot", "out.svg"], in: folder)
    #expect(bare.code == 0 && folder.names == ["out-impulse.svg", "out.svg"], "\(folder.names)")
    let result = try Program.run(Self.device + ["--plot", "out.svg", "--data"], in: folder)
    try #require(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("picture: out.svg\n") && result.output.contains("picture: out-impulse.svg\n"))
    #expect(
      folder.names
        == ["out-impulse.json", "out-impulse.svg", "out-impulse.tsv", "out.json", "out.svg", "out.tsv"])
    let picture = String(decoding: try folder.bytes("out.svg"), as: UTF8.self)
    #expect(picture.hasPrefix("<?xml") && picture.trimmingCharacters(in: .newlines).hasSuffix("</svg>"))
    for text in ["Response of lowPassFilter", "magnitude (dB)", "phase (°)", "group delay (µs)"] {
      #expect(picture.contains(">\(text)<"), "\(text)")
    }
  }

  @Test("The table beside a picture holds the values that --json prints")
  func tableHoldsTheFindings() throws {
    let folder = TemporaryFolder()
    let result = try Program.run(Self.device + ["--json", "--plot", "out.png", "--data"], in: folder)
    try #require(result.code == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["pictures"] as? [String] == ["out.png", "out-impulse.png"])
    // Read by the decoder: JSONSerialization rounds in the last digit.
    let saved = try JSONDecoder().decode(Saved.self, from: Data(result.output.utf8))
    let magnitude = try #require(saved.measurements[0].curves.first { $0.id == "magnitude" })
    let table = String(decoding: try folder.bytes("out.tsv"), as: UTF8.self).split(separator: "\n")
    let rows = table.dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let column = try #require(
      table[0].split(separator: "\t").firstIndex { $0.hasPrefix("magnitude") && !$0.contains("er (dB)") })
    let values = rows.compactMap { row in Double(row[0]).flatMap { x in Double(row[column]).map { (x, $0) } } }
    #expect(values.map(\.0) == magnitude.x && values.map(\.1) == magnitude.y)
    // The signature, and the chunk that ends a PNG.
    #expect(try folder.bytes("out.png").starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(try folder.bytes("out.png").suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }

  @Test("Several measurements get a picture each, by name")
  func onePicturePerMeasurement() throws {
    let folder = TemporaryFolder()
    let result = try Program.run(Self.device + ["--what", "linear,levels", "--plot", "out.pdf"], in: folder)
    try #require(result.code == 0, "\(result.errors)")
    #expect(folder.names.filter { $0.hasSuffix(".pdf") } == ["out-linear-impulse.pdf", "out-linear.pdf"])
    #expect(result.output.contains("levels: no curves, so no picture"))
  }

  @Test("An earlier measurement is drawn over the present one, and a table of another kind is said not to be")
  func references() throws {
    let folder = TemporaryFolder()
    let saved = try Program.run(Self.device + ["--set", "cutoffFrequency=500", "--json"], in: folder)
    folder.write(saved.output, to: "before.json")
    folder.write("# frequency Hz\tloudness sone\n20\t1\n2000\t2\n", to: "sone.tsv")
    let result = try Program.run(
      Self.device + ["--against", "before.json", "--against", "sone.tsv", "--plot", "out.svg"], in: folder)
    try #require(result.code == 0, "\(result.errors)")
    let picture = String(decoding: try folder.bytes("out.svg"), as: UTF8.self)
    #expect(picture.contains(">before.json<") && !picture.contains(">sone.tsv<"))
    #expect(result.output.contains("sone.tsv: no curve that was measured is of its kind"))
  }

  @Test("A chart in the terminal has the axes' names and no file is written")
  func terminalChart() throws {
    let folder = TemporaryFolder()
    let result = try Program.run(Self.device + ["--plot", "-"], in: folder)
    try #require(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("magnitude (dB)") && result.output.contains("frequency (Hz)"))
    #expect(folder.names.isEmpty)
  }

  @Test("Without librsvg a PNG has exit code 5 before anything is measured, and nothing is left")
  func missingConverter() throws {
    let folder = TemporaryFolder()
    let words = Self.device.joined(separator: " ")
    let result = try Program.shell("PATH=/nonexistent $AUBENCH \(words) --plot out.png", in: folder)
    #expect(result.code == 5)
    #expect(result.errors.contains("install librsvg2-bin"))
    #expect(result.output.isEmpty && folder.names.isEmpty)
  }

  @Test("A failed case leaves its pictures where there is no program at all")
  func picturesNeedNoProgram() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"version": 1, "cases": [{"id": "sound", "device": {"unit": "lowPassFilter"},
        "checks": [{"check": "sameAs", "device": {"unit": "highPassFilter"}, "peak": -120}]}]}
      """, to: "suite.json")
    let result = try Program.shell("PATH=/nonexistent $AUBENCH verify suite.json --artifacts art", in: folder)
    #expect(result.code == 7)
    #expect(!result.output.contains("no pictures"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("art/suite/sound")).sorted()
    #expect(files == ["actual.wav", "close-up.svg", "difference.wav", "expected.wav", "spectrum.svg", "waveform.svg"])
  }

  @Test(
    "What cannot go together is refused before anything is measured",
    arguments: [
      (["--plot", "-", "--json"], 2), (["--against", "x.tsv"], 2), (["--plot", "out.bmp"], 2),
      (["--plot", "nowhere/out.svg"], 5), (["--plot", "out.svg", "--against", "none.tsv"], 4),
    ] as [([String], Int32)])
  func refusals(words: [String], code: Int32) throws {
    let folder = TemporaryFolder()
    let result = try Program.run(Self.device + words, in: folder)
    #expect(result.code == code, "\(result.errors)")
    #expect(folder.names.isEmpty)
  }
}

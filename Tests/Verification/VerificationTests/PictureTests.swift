import Foundation
import FoundationXML
import Measurement
import Plotting
import TestSupport
import Reporting
import Testing
import Verification

@Suite("Pictures of measurements and of failed cases")
struct PictureTests {
  static let figures = FindingsFigures(device: "device", sampleRate: 48_000)

  /// A curve over frequency; points as given.
  static func curve(
    _ id: String, unit: Reading.Unit = .decibels, channel: Int = 0, _ points: [Curve.Point]
  ) -> Curve {
    Curve(id, id, x: .frequency, y: Curve.Axis("magnitude", unit), points: points, channel: channel)
  }

  static let hertz = stride(from: 0, through: 10, by: 0.25).map { 20 * exp2($0) }

  /// A low-pass of the first order: −10·log10(1 + (f / fc)²).
  static func lowPass(channel: Int = 0, gain: Double = 0, uncertainty: Double? = nil) -> Curve {
    curve(
      "magnitude", channel: channel,
      hertz.map { Curve.Point($0, gain - 10 * log10(1 + $0 * $0 / 1e6), uncertainty: uncertainty) })
  }

  // MARK: Findings

  @Test("The data beside a picture are the findings, digit by digit")
  func dataAreTheFindings() throws {
    let found = Findings(curves: [Self.lowPass(), Self.lowPass(channel: 1, gain: -3)])
    let figure = try #require(Self.figures.figures(of: found).first).figure
    let lines = figure.tabSeparatedValues.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(lines[0] == ["frequency (Hz)", "magnitude: channel 0 (dB)", "magnitude: channel 1 (dB)"])
    #expect(lines.count == 1 + Self.hertz.count)
    for (line, (left, right)) in zip(lines.dropFirst(), zip(found.curves[0].points, found.curves[1].points)) {
      #expect(line.map { Double($0) } == [left.x, left.y, right.y])
    }
  }

  @Test("Channels that do the same are one line with both names")
  func equalChannelsAreOneLine() throws {
    let found = Findings(curves: [Self.lowPass(), Self.lowPass(channel: 1)])
    let panel = try #require(Self.figures.figures(of: found).first?.figure.panels.first)
    #expect(panel.series.map(\.name) == ["channels 0, 1"])
  }

  @Test("A flat response fills neither the panel with its rounding errors nor the axis with their digits")
  func flatResponseIsFlat() throws {
    let flat = Self.curve(
      "magnitude", Self.hertz.enumerated().map { Curve.Point($1, $0 % 2 == 0 ? 1e-6 : -1e-6) })
    let figure = try #require(Self.figures.figures(of: Findings(curves: [flat])).first).figure
    let labels = try Self.texts(inSVG: figure)
    #expect(labels.contains("1.0") && labels.contains("−1.0"))
    #expect(!labels.contains { $0.contains("e") && Double($0.replacing("−", with: "-")) != nil })
  }

  @Test("A floor of −200 dB does not squeeze the curve: no more than 120 dB are shown")
  func deepFloorIsCut() throws {
    let deep = Self.curve("magnitude", Self.hertz.map { Curve.Point($0, $0 < 2000 ? 0 : -200) })
    let figure = try #require(Self.figures.figures(of: Findings(curves: [deep])).first).figure
    let levels = try Self.texts(inSVG: figure).compactMap { Double($0.replacing("−", with: "-")) }.filter { $0 < 0 }
    #expect(levels.min().map { $0 >= -130 && $0 <= -100 } ?? false)
  }

  @Test("The bound of the error is an area where it can be seen: 6.02 dB of doubt reach down to nothing")
  func errorsAreAreas() throws {
    let doubted = Findings(curves: [Self.lowPass(uncertainty: 20 * log10(2) + 1e-9)])
    let band = try #require(Self.figures.figures(of: doubted).first?.figure.panels[0].bands.first)
    #expect(band.lower.allSatisfy { $0 == -.infinity })
    #expect(abs(band.upper[0] - 6.0206) < 0.01)
    // 1 + 0.1 in amplitude up is 1 − 0.1 down.
    let tenth = Findings(curves: [Self.lowPass(uncertainty: 20 * log10(1.1))])
    let narrow = try #require(Self.figures.figures(of: tenth).first?.figure.panels[0].bands.first)
    #expect(abs(narrow.lower[0] - (Self.lowPass().points[0].y + 20 * log10(0.9))) < 1e-9)
    let exact = Findings(curves: [Self.lowPass(uncertainty: 1e-6)])
    #expect(Self.figures.figures(of: exact).first?.figure.panels[0].bands.isEmpty == true)
  }

  @Test("The phase of a delay of 64 frames is drawn without it, and flat")
  func delayIsTakenOutOfThePhase() throws {
    var phase = Self.curve(
      "phase", unit: .degrees,
      Self.hertz.map { hertz in
        let angle = -360 * hertz * 64 / 48_000
        return Curve.Point(hertz, angle - 360 * (angle / 360).rounded())
      })
    phase.y.name = "phase"
    let delay = Self.curve("groupDelay", unit: .frames, Self.hertz.map { Curve.Point($0, 64) })
    let magnitude = Self.curve("magnitude", Self.hertz.map { Curve.Point($0, 0) })
    let panels = try #require(
      Self.figures.figures(of: Findings(curves: [magnitude, phase, delay])).first
    ).figure.panels
    #expect(panels.map(\.y.label) == ["magnitude", "phase less 64 frames", "magnitude"])
    // 64 frames of 48 000 in a second.
    #expect(panels[2].y.unit == "s" && panels[2].series[0].y.allSatisfy { abs($0 - 64 / 48_000) < 1e-12 })
    #expect(panels[1].series[0].y.allSatisfy { abs($0) < 1e-9 })
  }

  @Test("A low-pass is late at low frequencies, but has no delay to be taken out")
  func filterKeepsItsPhase() throws {
    let delay = Self.curve("groupDelay", unit: .frames, Self.hertz.map { Curve.Point($0, 15 / (1 + $0 * $0 / 1e6)) })
    let phase = Self.curve("phase", unit: .degrees, Self.hertz.map { Curve.Point($0, -$0 / 1000) })
    let found = Findings(curves: [Self.curve("magnitude", Self.hertz.map { Curve.Point($0, 0) }), phase, delay])
    let panels = try #require(Self.figures.figures(of: found).first).figure.panels
    #expect(panels[1].series[0].y == phase.points.map(\.y))
  }

  @Test("A phase that goes round the circle leaves no line across the panel")
  func phaseIsBrokenAtJumps() throws {
    let phase = Self.curve("phase", unit: .degrees, [.init(100, 170), .init(200, -170), .init(400, -160)])
    let series = try #require(Self.figures.figures(of: Findings(curves: [phase])).first).figure.panels[0].series[0]
    #expect(series.y.count == 4 && series.y[1].isNaN && series.x[1] > 100 && series.x[1] < 200)
    #expect([series.y[0], series.y[2], series.y[3]] == [170, -170, -160])
  }

  @Test("A static curve stands beside the line of a device that does nothing")
  func staticCurveHasTheDiagonal() throws {
    let axis = Curve.Axis("input level", .decibelsFullScale)
    let points = [Curve.Point(-60, -50), .init(-30, -30), .init(0, -20)]
    let found = Findings(curves: [
      Curve("staticCurve", "Static curve", x: axis, y: Curve.Axis("output level", .decibelsFullScale), points: points)
    ])
    let panel = try #require(Self.figures.figures(of: found).first).figure.panels[0]
    let line = try #require(panel.series.first { $0.name == "1:1" })
    #expect(line.x == [-60, 0] && line.y == [-60, 0] && line.role == .auxiliary)
  }

  @Test("Channels that distort differently get panels of their own; the harmonics shown are the highest five")
  func distortionByChannel() throws {
    func curves(_ channel: Int, _ offset: Double) -> [Curve] {
      [Self.curve("thdPlusNoiseByFrequency", channel: channel, [.init(100, -40 + offset), .init(1000, -50)])]
        + (2...10).map { order in
          Self.curve(
            "harmonic\(order)ByFrequency", channel: channel,
            [.init(100, -40 + offset - Double(order)), .init(1000, -60)])
        }
    }
    let same = try #require(Self.figures.figures(of: Findings(curves: curves(0, 0) + curves(1, 0))).first).figure
    #expect(same.panels.count == 1 && same.panels[0].title.hasSuffix("channels 0, 1"))
    #expect(same.panels[0].series.map(\.name).filter { $0.hasPrefix("harmonic") }.count == 5)
    #expect(same.panels[0].series.contains { $0.name == "harmonic2ByFrequency" })
    let apart = try #require(Self.figures.figures(of: Findings(curves: curves(0, 0) + curves(1, 3))).first).figure
    #expect(apart.panels.count == 2)
  }

  @Test("Findings without curves make no figure, and curves that nobody knows make one")
  func unknownCurvesAreDrawn() {
    #expect(Self.figures.figures(of: Findings()).isEmpty)
    let strange = Self.curve("fluxCapacitance", unit: .percent, [.init(100, 1), .init(200, 2)])
    #expect(Self.figures.figures(of: Findings(curves: [strange])).first?.figure.panels.count == 1)
  }

  @Test("Several values of one setting are drawn over each other, by the names of the values")
  func variationsShareAPanel() throws {
    let parts = [("500", Self.lowPass()), ("1000", Self.lowPass(gain: -2))].map {
      (label: $0.0, findings: Findings(curves: [$0.1]))
    }
    let figure = try #require(Self.figures.figures(of: parts).first).figure
    #expect(figure.panels.count == 1)
    #expect(figure.panels[0].series.map(\.name) == ["500", "1000"])
  }

  @Test("A value that is varied has one colour in all panels, a channel one line; what is silent is told")
  func variationsHaveColours() throws {
    func phase(_ channel: Int) -> Curve {
      Self.curve("phase", unit: .degrees, channel: channel, [.init(20, 0), .init(9000, 1)])
    }
    let silent = Self.curve("magnitude", channel: 1, Self.hertz.map { Curve.Point($0, -.infinity) })
    let parts = [
      (label: "−1", findings: Findings(curves: [Self.lowPass(), silent, phase(0)])),
      ("0", Findings(curves: [Self.lowPass(), Self.lowPass(channel: 1, gain: -3), phase(0), phase(1)])),
    ]
    let figure = try #require(Self.figures.figures(of: parts).first).figure
    #expect(figure.panels[0].remark == "−1: nothing in channel 1")
    #expect(figure.panels[0].series.map(\.family) == ["−1", "0", "0"])
    #expect(figure.panels[1].series.map(\.name) == ["channel 0", "channels 0, 1"])
    let texts = try Self.texts(inSVG: figure)
    for name in ["−1", "0", "channel 0", "channel 1", "channels 0, 1"] { #expect(texts.contains(name), "\(name)") }
    #expect(!texts.contains { $0.hasPrefix("−1, ") })
  }

  @Test("Harmonics that a sweep cannot tell apart are not drawn: the second of a square is all there is")
  func sweptHarmonics() throws {
    let square = FunctionDevice("square", precision: .float32) { input in
      var output = input
      output.channels = input.channels.map { $0.map { $0 + 0.01 * $0 * $0 } }
      return SamplePrecision.float32.rounded(output)
    }
    let found = try MeasurementKind.linear.findings(of: square, MeasurementSettings(channelCount: 1))
    let harmonics = try #require(Self.figures.figures(of: found).first { $0.name == "harmonics" }).figure.panels[0]
    #expect(
      harmonics.series.map(\.name) == ["harmonic 2"] && harmonics.remark.contains("3–9 at the floor"),
      "\(harmonics.remark)")
    let drawn = zip(harmonics.series[0].x, harmonics.series[0].y).filter { $0.1.isFinite }
    // sin² = (1 − cos 2θ)/2: 0.01·a/2, and nothing below the frequencies that a sweep tells apart.
    let expected = 20 * log10(0.005 * pow(10, -12.0 / 20))
    #expect(drawn.count > 100 && drawn.allSatisfy { $0.0 > 90 && abs($0.1 - expected) < 0.05 })
  }

  @Test("The first sample of an impulse response does not lie on the frame")
  func impulseHasRoom() throws {
    let impulse = Curve(
      "impulseResponse", "impulse", x: .time, y: Curve.Axis("amplitude", .amplitude),
      points: (0..<64).map { Curve.Point(Double($0) / 48_000, $0 == 0 ? 1 : 0) }, channel: 0)
    let figure = try #require(Self.figures.figures(of: Findings(curves: [impulse])).first).figure
    #expect(figure.panels[0].x.range?.lowerBound == -2.0 / 48_000)
  }

  // MARK: References

  @Test("A table without a head lies over the magnitude; one with a head over the curve that it names")
  func tablesAreReferences() throws {
    let folder = TemporaryFolder()
    let bare = folder.write("20\t-1\n20000\t-2\n", to: "bare.tsv")
    let named = folder.write("# frequency Hz\tmagnitude °\n20\t5\n20000\t6\n", to: "named.tsv")
    var figures = Self.figures
    figures.references = try ReferenceCurve.curves(contentsOf: bare) + ReferenceCurve.curves(contentsOf: named)
    let phase = Self.curve("phase", unit: .degrees, [.init(20, 0), .init(20_000, 1)])
    let drawn = figures.figures(of: Findings(curves: [Self.lowPass(), phase]))
    let panels = try #require(drawn.first).figure.panels
    #expect(
      panels.map { $0.series.filter { $0.role == .expected }.map(\.name) } == [["bare.tsv"], [], ["named.tsv"], []],
      "and below each the difference")
    #expect(panels[0].series.last?.y == [-1, -2])
    #expect(figures.references.allSatisfy { FindingsFigures.hasDrawn($0, in: drawn) })
  }

  @Test("What is no curve is refused by its name and line", arguments: [("{}", ""), ("a\tb\n", ":1"), ("", "")])
  func badReferences(text: String, line: String) {
    let folder = TemporaryFolder()
    let path = folder.write(text, to: "bad.tsv")
    let error = #expect(throws: (any Error).self) { try ReferenceCurve.curves(contentsOf: path) }
    #expect("\(error as Any)".contains("bad.tsv\(line)"))
  }

  // MARK: Failed cases

  @Test(
    "A failed case leaves its curves with their mask, a close-up, the waveform and the spectrum; a good one nothing")
  func failedCasesLeavePictures() throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"version": 1, "cases": [
        {"id": "sound", "device": {"unit": "lowPassFilter"}, "stimulus": {"type": "noise", "seconds": 0.05},
         "checks": [{"check": "sameAs", "device": {"unit": "highPassFilter"}, "peak": -120}]},
        {"id": "good", "device": {"unit": "lowPassFilter"}, "stimulus": {"type": "noise", "seconds": 0.05},
         "checks": [{"check": "length", "channels": 2}]}
      ]}
      """, to: "suite.json")
    let suite = try SuiteFile(path: path)
    let artifacts = NSTemporaryDirectory() + "/aubench-pictures-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: artifacts) }
    var runner = CaseRunner()
    runner.pictures = CasePictures.draw
    runner.artifactFolder = artifacts
    let failed = runner.run(suite.cases[0], of: suite)
    #expect(failed.verdict == .failed)
    #expect(failed.message == nil)
    #expect(failed.files.pictures.map(\.title) == ["close-up", "waveform", "spectrum"])
    for (_, path) in failed.files.pictures {
      #expect(try XMLDocument(data: Data(bytes(ofFile: path))).rootElement()?.name == "svg")
    }
    let mono = try SuiteFile(
      path: folder.write(
        """
        {"version": 1, "cases": [{"id": "mono", "device": {"unit": "lowPassFilter", "channels": 1},
          "stimulus": {"type": "noise", "frames": 1},
          "checks": [{"check": "sameAs", "device": {"unit": "highPassFilter", "channels": 1}, "peak": -120}]}]}
        """, to: "mono.json"))
    // One channel, and few frames, are a picture too.
    #expect(runner.run(mono.cases[0], of: mono).files.pictures.map(\.title).first == "close-up")
    let good = runner.run(suite.cases[1], of: suite)
    #expect(good.verdict == .passed && good.files.pictures.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: artifacts + "/suite/good"))
  }

  @Test("Two cases never leave their files in one folder")
  func foldersOfTheirOwn() {
    let ids = ["s/x+1", "s/x-1", "s/x 1", "s/x_1", "s/x.1", "s/é", "s/x*1"]
    let folders = ids.map { CaseRunner.artifactFolder(of: $0, in: "top") }
    #expect(Set(folders).count == ids.count, "\(folders)")
    #expect(folders.allSatisfy { $0.hasPrefix("top/s/") && !$0.contains { "+ *".contains($0) } }, "\(folders)")
    #expect(folders[1] == "top/s/x-1" && folders[5] == "top/s/é")
  }

  @Test("A response that leaves its mask is drawn with what was expected and what is allowed")
  func masksAreDrawn() throws {
    let folder = TemporaryFolder()
    let table = folder.write("# frequency Hz\tmagnitude dB\n10\t0\n24000\t0\n", to: "flat.tsv")
    let path = folder.write(
      """
      {"version": 1, "cases": [{"id": "curve", "device": {"unit": "lowPassFilter"},
        "checks": [{"check": "response", "against": {"file": "\(table)"}, "within": 0.5, "from": 20, "to": 20000}]}]}
      """, to: "suite.json")
    let suite = try SuiteFile(path: path)
    let artifacts = NSTemporaryDirectory() + "/aubench-pictures-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: artifacts) }
    var runner = CaseRunner()
    runner.pictures = CasePictures.draw
    runner.artifactFolder = artifacts
    let outcome = runner.run(suite.cases[0], of: suite)
    #expect(outcome.verdict == .failed)
    let picture = try #require(outcome.files.pictures.first?.path)
    #expect(picture == artifacts + "/suite/curve/response.svg")
    let text = try String(contentsOfFile: picture, encoding: .utf8)
    #expect(text.hasPrefix("<?xml") && text.trimmingCharacters(in: .newlines).hasSuffix("</svg>"))
    for name in ["found", "expected", "allowed", "found − expected (dB)"] {
      #expect(text.contains(">\(name)<"), "\(name)")
    }
  }

  @Test("A harmonic that noise could read as is not drawn, and the title says so")
  func harmonicsAtTheFloor() throws {
    func harmonic(_ order: Int, _ level: Double, doubt: Double) -> Curve {
      Self.curve("harmonic\(order)ByLevel", [100, 1000].map { Curve.Point($0, level, uncertainty: doubt) })
    }
    let found = Findings(curves: [
      Self.curve("thdPlusNoiseByLevel", [.init(100, -60, uncertainty: 0.1), .init(1000, -60, uncertainty: 0.1)]),
      harmonic(2, -60, doubt: 0.1), harmonic(3, -130, doubt: 6), harmonic(4, -131, doubt: 7),
      harmonic(5, -150, doubt: 1),
    ])
    let panel = try #require(Self.figures.figures(of: found).first?.figure.panels.first)
    #expect(panel.remark == "not drawn: 3–4 at the floor, 5 lower", "\(panel.remark)")
    #expect(panel.series.map(\.name).filter { $0.hasPrefix("harmonic") } == ["harmonic2ByLevel"])
  }

  @Test("Crosstalk is drawn from each input to each output, but for what no more than rounding could read as")
  func crosstalk() throws {
    let device = FunctionDevice("leak") { signal in
      var output = signal
      for frame in 0..<signal.frameCount { output.channels[1][frame] += signal.channels[0][frame] / 1000 }
      return output
    }
    let found = try CrosstalkMeasurement.findings(of: device)
    let panel = try #require(Self.figures.figures(of: found).first?.figure.panels.first)
    #expect(panel.remark == "at the floor: input 1 to output 0")
    let leak = try #require(panel.series.first { $0.name == "input 0 to output 1" })
    #expect(leak.y.count == 31 && leak.y.allSatisfy { abs($0 + 60) < 0.001 }, "\(leak.y)")
  }

  @Test("Gains by angle are around a circle, closed where the angles go all the way round")
  func polar() throws {
    let parts = stride(from: -180.0, to: 180, by: 45).map { degrees in
      (degrees: degrees, findings: Findings(curves: [Self.lowPass(gain: -abs(degrees) / 10)]))
    }
    let figure = try #require(Self.figures.polarFigure(of: parts)).figure
    #expect(figure.panels.count == 3 && figure.panels.allSatisfy(\.isPolar))
    let line = figure.panels[1].series[0]
    #expect(line.x == [0, 45, 90, 135, 180, 225, 270, 315, 360])
    // At 1 kHz the low-pass has −10·log10(2).
    #expect(
      abs(line.y[4] - (-18 - 10 * log10(2))) < 0.02 && line.y[0] == line.y[8] && abs(line.y[0] + 10 * log10(2)) < 0.02)
  }

  /// The texts of an SVG.
  private static func texts(inSVG figure: Figure) throws -> [String] {
    let text = String(decoding: try figure.rendered(as: .svg), as: UTF8.self)
    return text.matches(of: />([^<>]+)<\/(tspan|text)>/).map {
      String($0.output.1).trimmingCharacters(in: .whitespaces)
    }
  }
}

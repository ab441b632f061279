import Foundation
import Measurement
import Plotting
import Reporting
import TestSupport
import Testing

@Suite("Pictures of measurements say what they show")
struct PictureReadingTests {
  private static let figures = PictureTests.figures
  private static let lowPass = PictureTests.lowPass()

  private func panels(_ figures: FindingsFigures, _ curves: Curve..., readings: [Reading] = []) throws -> [Panel] {
    try #require(figures.figures(of: Findings(readings: readings, curves: curves)).first).figure.panels
  }

  // MARK: References

  private func saved(_ curves: [(id: String, y: [Double])], _ hertz: [Double]) throws -> [ReferenceCurve] {
    let folder = TemporaryFolder()
    let lines = curves.map { #"{"id": "\#($0.id)", "channel": 0, "x": \#(hertz), "y": \#($0.y)}"# }
    return try ReferenceCurve.curves(
      contentsOf: folder.write(#"{"measurements": [{"curves": [\#(lines.joined(separator: ","))]}]}"#, to: "old.json"))
  }

  @Test("A saved response lies over each panel in its unit, and below it is how far the two are apart")
  func differences() throws {
    let hertz = [100.0, 1000, 10_000]
    var figures = Self.figures
    figures.references = try saved(
      [("magnitude", [0, -1, -2]), ("phase", [170, 10, 0]), ("groupDelay", [48, 24, 0])], hertz)
    func curve(_ id: String, _ unit: Reading.Unit, _ y: [Double]) -> Curve {
      var curve = PictureTests.curve(id, unit: unit, zip(hertz, y).map { Curve.Point($0, $1) })
      curve.y.name = id
      return curve
    }
    let panels = try panels(
      figures, curve("magnitude", .decibels, [0.25, -1, -1.5]), curve("phase", .degrees, [-170, 10, 0]),
      curve("groupDelay", .frames, [72, 24, 0]))
    try #require(panels.count == 6, "\(panels.map(\.y.label))")
    let above = panels.filter(\.title.isEmpty)
    for (panel, expected) in zip(above, [[0, -1, -2], [170, 10, 0], [0.001, 0.0005, 0]]) {
      // 48 frames of 48,000 in a second are a millisecond.
      let drawn = try #require(panel.series.first { $0.role == .expected })
      #expect(drawn.name == "old.json" && drawn.y.filter(\.isFinite) == expected)
    }
    let below = panels.filter { $0.title.hasSuffix("found − expected") }
    #expect(below.map(\.y.title) == ["difference (dB)", "difference (°)", "difference (s)"])
    // From 170° up to −170° are 20° more.
    for (panel, expected) in zip(below, [[0.25, 0, 0.5], [20, 0, 0], [0.0005, 0, 0]]) {
      #expect(zip(panel.series[0].y, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(panel.series[0].y)")
    }
  }

  @Test("A table of few points is read between them along its line, and a closed form has no panel of its own")
  func tables() throws {
    let folder = TemporaryFolder()
    var figures = Self.figures
    figures.references = try ReferenceCurve.curves(contentsOf: folder.write("100\t0\n10000\t-2\n", to: "few.tsv"))
    let point = PictureTests.curve("magnitude", [.init(100, 0), .init(1000, 0), .init(10_000, 0)])
    // Halfway on a logarithmic axis from 100 Hz to 10 kHz is 1 kHz.
    #expect(try panels(figures, point)[1].series[0].y == [0, 1, 2])
    #expect(try panels(Self.figures, point).count == 1)
  }

  // MARK: Kinds

  @Test("Noise says that its levels are of thirds of octaves")
  func noise() throws {
    let curve = Curve(
      "noiseByThirdOctave", "Noise", x: .frequency, y: Curve.Axis("level", .decibelsFullScale),
      points: [.init(100, -100), .init(125, -99)], channel: 0)
    let panel = try panels(Self.figures, curve)[0]
    #expect(panel.y.title == "level in a third of an octave (dBFS)" && panel.series[0].mark == .markedLine)
  }

  @Test("Attack and release have their times marked, on an axis of three times their length")
  func dynamics() throws {
    // A gain that comes to rest after a two-hundredth of its course.
    func course(_ id: String, _ seconds: Double, channel: Int) -> Curve {
      Curve(
        id, id, x: .time, y: Curve.Axis("gain", .decibels),
        points: (0...1000).map { Curve.Point(seconds * Double($0) / 1000, $0 < 5 ? -6 : -Double(channel)) },
        channel: channel)
    }
    func time(_ id: String, _ seconds: Double, _ channel: Int) -> Reading {
      Reading("\(id)Time", id, seconds, .seconds, channel: channel)
    }
    let panels = try panels(
      Self.figures, course("attack", 1, channel: 0), course("attack", 1, channel: 1), course("release", 3, channel: 0),
      readings: [time("attack", 0.012_34, 0), time("attack", 0.012_34, 1), time("release", 2, 0)])
    #expect(
      panels.map(\.markers) == [
        [PlotMarker(.x(0.012_34), "attack 12.3 ms")], [PlotMarker(.x(2), "release 2 s")],
      ])
    #expect(panels.map(\.x.range) == [0...(3 * 0.012_34), 0...3])
    let apart = try self.panels(
      Self.figures, course("attack", 1, channel: 0), course("attack", 1, channel: 1),
      readings: [time("attack", 0.01, 0), time("attack", 0.02, 1)])
    #expect(apart[0].markers.map(\.label) == ["attack 10 ms, channel 0", "attack 20 ms, channel 1"])
    // A delay too short to be resolved: known to a period, and drawn for twice as long as it moves.
    var early = time("attack", 0, 0)
    early.uncertainty = 0.0005
    let seen = try self.panels(Self.figures, course("attack", 1, channel: 0), readings: [early])[0]
    #expect(seen.markers.map(\.label) == ["attack < 0.5 ms"] && seen.x.range == 0...0.008)
    let untimed = try self.panels(Self.figures, course("attack", 1, channel: 0))
    #expect(untimed[0].x.range == 0...1 && untimed[0].markers.isEmpty)
  }

  @Test("All panels of a resampler have one axis")
  func resampler() throws {
    func curve(_ id: String, _ points: [(Double, Double)]) -> Curve {
      Curve(
        id, id, x: .frequency, y: Curve.Axis("gain", .decibels), points: points.map { Curve.Point($0, $1) }, channel: 0)
    }
    let panels = try panels(
      Self.figures, curve("response", [(20, 0), (15_000, 0), (18_000, -6), (22_000, -90)]),
      curve("imagesByFrequency", [(20, -100), (22_000, -100)]),
      curve("aliasesByFrequency", [(22_100, -100), (23_900, -90)]))
    #expect(panels.map(\.x.range) == [0...24_000, 0...24_000, 0...24_000])
    let svg = String(decoding: try Figure("", panels: panels).rendered(as: .svg), as: UTF8.self)
    #expect(svg.matches(of: />frequency \(Hz\)</).count == 1)
  }

  @Test("What a remark begins with is not said twice")
  func voice() throws {
    let figure = try #require(
      FindingsFigures(device: "d", sampleRate: 16_000).figures(
        of: Findings(curves: [Self.lowPass], remarks: ["16000 Hz; gain control off; 5 scenes"])
      ).first
    ).figure
    #expect(figure.subtitle == "16000 Hz; gain control off; 5 scenes")
  }

  // MARK: Variations

  @Test("A remark that all values have is said once; one of some of them has their values alone")
  func remarks() throws {
    func part(_ value: String, silent: [Int]) -> (label: String, findings: Findings) {
      let curves = (0..<3).map { channel in
        PictureTests.curve(
          "magnitude", channel: channel,
          [
            .init(100, silent.contains(channel) ? -.infinity : Double(channel)),
            .init(200, silent.contains(channel) ? -.infinity : 0),
          ])
      }
      return ("gain = \(value) dB", Findings(curves: curves))
    }
    func remark(_ parts: (label: String, findings: Findings)...) -> String? {
      Self.figures.figures(of: parts).first?.figure.panels[0].remark
    }
    #expect(remark(part("1", silent: [2]), part("2", silent: [2])) == "nothing in channel 2")
    #expect(
      remark(part("1", silent: [2]), part("2", silent: [1]), part("3", silent: [2]))
        == "1 dB, 3 dB: nothing in channel 2; 2 dB: nothing in channel 1")
  }
}

import Plotting
import Testing

@Suite("Axes") struct AxisTests {
  static func labels(_ axis: PlotAxis, _ low: Double, _ high: Double, count: Int = 12) -> [String] {
    AxisTicks(axis, AxisScale(axis.scale, low: low, high: high), count: count).major.map(\.label)
  }

  @Test("A frequency axis has the ticks that audio engineers read by") func frequencies() {
    #expect(
      Self.labels(.frequency(), 20, 20_000)
        == ["20", "50", "100", "200", "500", "1k", "2k", "5k", "10k", "20k"])
    #expect(Self.labels(.frequency(), 20, 20_000, count: 4) == ["100", "1k", "10k"])
    #expect(Self.labels(.frequency(scale: .linear), 0, 24_000, count: 6) == ["0", "5k", "10k", "15k", "20k"])
    // Too narrow for decades.
    #expect(
      Self.labels(.frequency(), 900, 1100, count: 4) == ["900", "950", "1k", "1.05k", "1.1k"])
  }

  @Test("Between the labels of a logarithmic axis lie all digits of a decade") func minorTicks() {
    let ticks = AxisTicks(.frequency(), AxisScale(.logarithmic, low: 100, high: 1000), count: 10)
    #expect(ticks.major.map(\.value) == [100, 200, 500, 1000])
    #expect(ticks.minor == [300, 400, 600, 700, 800, 900])
  }

  @Test("A small panel around 0 has a label besides 0") func moreThanOneLabel() {
    #expect(Self.labels(PlotAxis("amplitude"), -0.09, 0.08, count: 3) == ["-0.05", "0", "0.05"])
    #expect(Self.labels(PlotAxis("amplitude"), -0.15, 0.17, count: 3) == ["-0.1", "0", "0.1"])
  }

  @Test("Decibels step by 1, 2, 3, 6, 10, 20") func decibels() {
    #expect(Self.labels(.decibels(), -12, 6, count: 8) == ["-12", "-9", "-6", "-3", "0", "3", "6"])
    #expect(Self.labels(.decibels(), -120, 0, count: 8) == ["-120", "-100", "-80", "-60", "-40", "-20", "0"])
    #expect(Self.labels(.decibels(), -0.001, 0.001, count: 5) == ["-0.0010", "-0.0005", "0", "0.0005", "0.0010"])
    #expect(Self.labels(.degrees(), -180, 180, count: 5) == ["-180", "-90", "0", "90", "180"])
  }

  @Test("Time is shown in the unit that suits it") func times() {
    func unit(_ high: Double) -> String {
      AxisTicks(.time(), AxisScale(.linear, low: 0, high: high), count: 6).unit
    }
    #expect(unit(5e-5) == "µs")
    #expect(unit(0.02) == "ms")
    #expect(unit(30) == "s")
    #expect(unit(600) == "min:s")
    #expect(unit(7200) == "h:min:s")
    #expect(Self.labels(.time(), 0, 0.02, count: 6) == ["0", "5", "10", "15", "20"])
    #expect(Self.labels(.time(), 0, 150, count: 6) == ["0:00", "0:30", "1:00", "1:30", "2:00", "2:30"])
    #expect(Self.labels(.time(), 0, 7200, count: 5) == ["0:00", "30:00", "1:00:00", "1:30:00", "2:00:00"])
  }

  @Test("A constant curve lies in the middle of a panel, whatever its rounding errors") func constants() {
    let flat = Panel(
      x: .frequency(), y: .decibels(), series: [PlotSeries("", x: [20, 20_000], y: [0, 1e-13])])
    let scale = PanelScales.of(flat).y
    #expect(scale.low <= -1 && scale.high >= 1)
    #expect(abs(scale.position(0) - 0.5) < 0.01)
    let one = Panel(x: .time(), y: PlotAxis("value"), series: [PlotSeries("", x: [1], y: [4])])
    let scales = PanelScales.of(one)
    #expect(scales.x.contains(1) && scales.y.contains(4) && scales.emptiness == nil)
  }

  @Test("A notch of -300 dB does not flatten the rest, and infinities set no range") func notches() {
    let panel = Panel(
      x: .frequency(), y: .decibels(),
      series: [PlotSeries("", x: [20, 100, 200, 20_000], y: [0, -300, -.infinity, -1])])
    let scale = PanelScales.of(panel).y
    #expect(scale.high >= 0 && scale.high < 20)
    #expect(scale.low < -150 && scale.low > -200)
  }

  @Test(
    "What cannot be shown says so",
    arguments: [
      ([Double.nan], "no values to show"), ([], "no values to show"), ([-Double.infinity], "every value is −∞"),
    ])
  func emptiness(_ values: [Double], _ text: String) {
    let panel = Panel(x: .time(), y: .decibels(), series: [PlotSeries("a", x: values.map { _ in 1 }, y: values)])
    #expect(PanelScales.of(panel).emptiness == text)
  }

  @Test("Panels that share x have one range; others keep theirs") func sharing() {
    let a = Panel(x: .time(), y: PlotAxis("a"), series: [PlotSeries("", x: [0, 1], y: [0, 1])])
    let b = Panel(x: .time(), y: PlotAxis("b"), series: [PlotSeries("", x: [2, 5], y: [0, 1])])
    let shared = PanelScales.of(Figure("", panels: [a, b])).map(\.x)
    #expect(shared.map(\.low) == [0, 0] && shared.map(\.high) == [5, 5])
    let apart = PanelScales.of(Figure("", panels: [a, b], sharesX: false)).map(\.x)
    #expect(apart.map(\.low) == [0, 0] || apart.map(\.low) == [0, 2])
  }

  @Test(
    "Ranges that no axis can have are passed over",
    arguments: [
      (PlotAxis.Scale.logarithmic, 0.0...10.0), (.logarithmic, -1...1), (.linear, 3...3),
      (.linear, 0...Double.infinity),
    ])
  func impossibleRanges(_ scale: PlotAxis.Scale, _ range: ClosedRange<Double>) {
    let axis = PlotAxis("x", scale: scale, range: range)
    let panel = Panel(x: axis, y: axis, series: [PlotSeries("", x: [1, 2], y: [1, 2])])
    let scales = PanelScales.of(panel)
    #expect(scales.x.contains(1) && scales.x.contains(2) && scales.y.contains(1.5))
  }

  @Test(
    "The largest numbers there are have an axis",
    arguments: [
      [-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude],
      [Double.leastNonzeroMagnitude, .leastNormalMagnitude], [1e308, 1.0000000001e308],
    ])
  func extremes(_ values: [Double]) {
    for scale in [PlotAxis.Scale.linear, .logarithmic] {
      let panel = Panel(
        x: PlotAxis("x", scale: scale), y: PlotAxis("y", scale: scale),
        series: [PlotSeries("", x: values, y: values)])
      let scales = PanelScales.of(panel)
      #expect(scales.y.low < scales.y.high)
      #expect(AxisTicks(panel.y, scales.y, count: 8).major.count < 30)
    }
  }
}

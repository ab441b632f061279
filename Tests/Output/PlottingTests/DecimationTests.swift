import Plotting
import Testing

@Suite("Decimation") struct DecimationTests {
  static let unit = AxisScale(.linear, low: 0, high: 1)

  @Test("A million points become a few thousand, and the one that stands out stays") func peaks() {
    let count = 1_000_000
    var y = [Double](repeating: 0.5, count: count)
    y[123_456] = 1
    y[654_321] = 0
    let x = (0..<count).map { Double($0) / Double(count) }
    let lines = Decimation(x: Self.unit, y: Self.unit, columns: 1000).lines(PlotSeries("", x: x, y: y))
    #expect(lines.count == 1)
    #expect(lines[0].count <= 4000)
    #expect(lines[0].contains { $0.y == 1 && abs($0.x - 0.123456) < 1e-9 })
    #expect(lines[0].contains { $0.y == 0 && abs($0.x - 0.654321) < 1e-9 })
    #expect(lines[0].first?.x == 0 && lines[0].last?.x == x[count - 1])
  }

  @Test("What is no number interrupts a line; an infinity leads out of the panel") func gaps() {
    let series = PlotSeries("", x: [0, 0.2, 0.4, 0.6, 0.8], y: [0.5, .nan, 0.5, -.infinity, 0.5])
    let lines = Decimation(x: Self.unit, y: Self.unit, columns: 100).lines(series)
    #expect(lines.map(\.count) == [1, 3])
    #expect(lines[1][1].y < -1)
  }

  @Test("A logarithmic axis leaves out what is not above 0 along it, and 0 lies below everything") func logarithms() {
    let scale = AxisScale(.logarithmic, low: 1, high: 100)
    let series = PlotSeries("", x: [-1, 0, 1, 10, 100], y: [1, 1, 1, 0, 100])
    let lines = Decimation(x: scale, y: scale, columns: 100).lines(series)
    #expect(lines == [[.init(x: 0, y: 0), lines[0][1], .init(x: 1, y: 1)]])
    #expect(lines[0][1].x == 0.5 && lines[0][1].y < -1)
  }

  @Test("Of what lies outside of the range, the nearest points stay: lines lead to the edges") func edges() {
    let x = (0..<100).map { Double($0) / 10 - 4 }
    let lines = Decimation(x: Self.unit, y: Self.unit, columns: 1000).lines(PlotSeries("", x: x, y: x))
    let places = lines[0].map(\.x)
    #expect(places.count == 13)
    #expect(abs(places[0] + 0.1) < 1e-9 && abs(places[12] - 1.1) < 1e-9)
  }

  @Test("A curve that runs back and forth keeps its order") func loops() {
    let series = PlotSeries("", x: [0, 1, 0.5, 0.2], y: [0, 1, 0.2, 0.9])
    let lines = Decimation(x: Self.unit, y: Self.unit, columns: 10).lines(series)
    #expect(lines[0].map(\.x) == [0, 1, 0.5, 0.2])
  }

  @Test("A band keeps its widest places") func bands() {
    let count = 10_000
    let x = (0..<count).map { Double($0) / Double(count) }
    var upper = [Double](repeating: 0.6, count: count)
    upper[7_777] = 0.9
    let band = PlotBand("", x: x, lower: x.map { _ in 0.4 }, upper: upper)
    let strips = Decimation(x: Self.unit, y: Self.unit, columns: 100).strips(band)
    #expect(strips.count == 1 && strips[0].count == 100)
    #expect(strips[0][77].upper == 0.9 && strips[0][76].upper == 0.6)
  }

  @Test("A map keeps the largest value of what a cell covers, and places cells by the axes") func maps() {
    // Values 0 ... 15: column × 4 + row.
    let map = HeatMap(
      columnCount: 4, rowCount: 4, x: .init(0.5, 3.5), y: .init(0.5, 3.5), values: (0..<16).map(Float.init),
      colour: .decibels())
    let whole = AxisScale(.linear, low: 0, high: 4)
    let halved = map.resampled(columns: 2, rows: 2, x: whole, y: whole)
    #expect(halved.values == [5, 7, 13, 15])
    let same = map.resampled(columns: 100, rows: 100, x: whole, y: whole)
    #expect(same.values == map.values)
    let part = map.resampled(columns: 100, rows: 100, x: AxisScale(.linear, low: 2, high: 4), y: whole)
    #expect(part.columnCount == 2 && part.values == Array(map.values[8...]))
    // From 1 to 4 in two parts with equal ratios: 1 ... 2 and 2 ... 4.
    let ratios = map.resampled(
      columns: 1, rows: 2, x: AxisScale(.linear, low: 0, high: 1), y: AxisScale(.logarithmic, low: 1, high: 4))
    #expect(ratios.values == [1, 3])
  }

  @Test("A map without numbers stays without, and one that lies elsewhere shows nothing") func emptyMaps() {
    let map = HeatMap(
      columnCount: 2, rowCount: 1, x: .init(0, 1), y: .init(0, 0), values: [.nan, -.infinity], colour: .decibels())
    let scale = AxisScale(.linear, low: -0.5, high: 1.5)
    let values = map.resampled(columns: 2, rows: 1, x: scale, y: AxisScale(.linear, low: -0.5, high: 0.5)).values
    #expect(values[0].isNaN && values[1] == -.infinity)
    let far = AxisScale(.linear, low: 10, high: 20)
    let nothing = map.resampled(columns: 5, rows: 5, x: far, y: far).values
    #expect(nothing.allSatisfy { $0.isNaN })
  }
}

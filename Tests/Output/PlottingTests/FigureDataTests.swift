import Foundation
import Plotting
import Testing

@Suite("Data beside pictures") struct FigureDataTests {
  static let figure = Figure(
    "two\tpanels",
    panels: [
      Panel(
        x: .frequency(), y: .decibels("magnitude"),
        series: [
          PlotSeries("measured", x: [100, 50, 200], y: [1.5, -.infinity, .nan]),
          PlotSeries("expected", x: [50, 300], y: [0, 0.1], role: .expected),
        ], bands: [PlotBand("mask", x: [50], lower: [-1], upper: [1])]),
      Panel(x: .frequency(), y: PlotAxis("delay\nin all", unit: "frames"), series: [PlotSeries("", x: [50], y: [3])]),
    ])

  @Test("The table has a row for each x, names and units above") func table() {
    let expected = """
      frequency (Hz)|magnitude: measured (dB)|magnitude: expected (dB)|magnitude: mask, lower (dB)|\
      magnitude: mask, upper (dB)|delay in all (frames)
      50|-inf|0|-1|1|3
      100|1.5||||
      200|nan||||
      300||0.1|||

      """
    #expect(Self.figure.tabSeparatedValues == expected.replacing("|", with: "\t"))
  }

  @Test("A map is a column for each y; axes that differ make tables of their own") func maps() {
    let map = HeatMap(
      columnCount: 2, rowCount: 2, x: .init(0, 0.5), y: .init(100, 200), values: [-1, -2.1, -3, .nan],
      colour: .decibels("level", unit: "dBFS"))
    let figure = Figure(
      "",
      panels: [
        Panel(x: .time(), y: .frequency(), map: map),
        Panel(x: .frequency(), y: .decibels(), series: [PlotSeries("", x: [1], y: [2])]),
      ])
    let expected = """
      time (s)|level at 100.0 Hz (dBFS)|level at 200.0 Hz (dBFS)
      0|-1.0|-2.1
      0.5|-3.0|nan

      frequency (Hz)|magnitude (dB)
      1|2

      """
    #expect(figure.tabSeparatedValues == expected.replacing("|", with: "\t"))
  }

  @Test("The JSON holds the curves in full, null for what is not finite") func json() throws {
    let data = try Self.figure.json()
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["aubenchFigure"] as? Int == 1)
    let panels = try #require(object["panels"] as? [[String: Any]])
    let series = try #require(panels[0]["series"] as? [[String: Any]])
    #expect(series[0]["x"] as? [Double] == [100, 50, 200])
    let values = try #require(series[0]["y"] as? [Any])
    #expect(values[0] as? Double == 1.5 && values[1] is NSNull && values[2] is NSNull)
    #expect(series[1]["role"] as? String == "expected")
    #expect((panels[0]["x"] as? [String: Any])?["unit"] as? String == "Hz")
    let text = String(decoding: try Self.figure.json(), as: UTF8.self)
    #expect(text.hasPrefix("{\"aubenchFigure\":1,"))
  }

  @Test(
    "Data have the picture's name",
    arguments: [
      ("a.svg", "a.tsv", "a.json"), ("x.y/b.c.png", "x.y/b.c.tsv", "x.y/b.c.json"),
      ("/t/é.pdf", "/t/é.tsv", "/t/é.json"),
    ])
  func names(_ path: String, _ tsv: String, _ json: String) {
    let paths = Figure.dataPaths(beside: path)
    #expect(paths.tsv == tsv && paths.json == json)
  }
}

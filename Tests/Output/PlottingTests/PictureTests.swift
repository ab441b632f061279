import AudioCore
import Foundation
import Plotting
import TestSupport
import Testing

/// A figure with all there is, and whether it can be drawn.
enum Sample {
  static let hasConverter = (try? Figure("", panels: []).rendered(as: .png)) != nil

  static let frequencies = (0..<200).map { 20 * exp(log(1000) * Double($0) / 199) }

  /// Curves, a mask, a map, markers: all there is.
  static func figure(_ text: String = "peak") -> Figure {
    let curve = frequencies.map { 6 / (1 + pow(log2($0 / 1000), 2)) }
    let response = Panel(
      text, x: .frequency(text), y: .decibels(text, unit: text),
      series: [
        PlotSeries(text, x: frequencies, y: curve), PlotSeries(text, x: frequencies, y: curve, role: .expected),
        PlotSeries(text, x: [100, 1000], y: [1, 2], role: .auxiliary, mark: .dots),
      ],
      bands: [PlotBand(text, x: frequencies, lower: curve.map { $0 - 1 }, upper: curve.map { _ in .infinity })],
      markers: [PlotMarker(.x(1000), text), PlotMarker(.y(3), text), PlotMarker(.point(x: 1000, y: 6), text)])
    let map = HeatMap(
      columnCount: 3, rowCount: 2, x: .init(0, 2), y: .init(100, 200), values: [-10, -20, .nan, -.infinity, -30, 0],
      colour: .decibels(text, unit: text))
    return Figure(text, subtitle: text, panels: [response, Panel(text, x: .time(text), y: .frequency(text), map: map)])
  }
}

/// Pictures by the machine's librsvg.
@Suite("Pictures", .enabled(if: Sample.hasConverter, "librsvg2-bin is not installed")) struct PictureTests {
  @Test("The same figure is the same bytes", arguments: PictureFormat.allCases) func reproducible(
    _ format: PictureFormat
  )
    throws
  {
    let first = try Sample.figure().rendered(as: format)
    #expect(first.count > 2000)
    // A date of seconds would differ, which only time brings.
    let second = time(nil)
    #expect(eventually { time(nil) != second })
    #expect(try Sample.figure().rendered(as: format) == first)
  }

  static let hostile = [
    "<script>&amp;]]>", "\"/><script>", "' onload='alert(1)", "]]>\u{338}", "<\u{338}a", "&lt;", "&#0;", "%s%n%d", "\\",
    "'",
    "\"", "#", "\u{0}\u{1B}[2J", "a\r\nb", "é 音 🎵 ∞ \u{202E}rtl", "\u{2028}a", "\u{FFFE}", "\u{E000}", "", " ",
    String(repeating: "long ", count: 5000), String(repeating: "x", count: 100_000),
  ]

  @Test("Texts of users are texts, whatever is in them", arguments: hostile) func hostileTexts(_ text: String) throws {
    let figure = Sample.figure(text)
    for format in PictureFormat.allCases { #expect(format.isBegunBy(try figure.rendered(as: format))) }
    let document = try SVGReader(figure)
    #expect(document.text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(document.names.isSubset(of: ["svg", "title", "style", "g", "path", "rect", "text", "circle", "image"]))
    if text.count < 60, text.contains(where: { !$0.isWhitespace }) {
      #expect(document.texts.contains(VisibleText.line(text)), "\(document.texts)")
    }
    let chart = TerminalChart(width: 60, height: 12, usesUnicode: false).text(figure)
    #expect(chart.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
    #expect(chart.split(separator: "\n").allSatisfy { $0.count <= 60 })
  }

  @Test("A waveform of a million points is a small picture") func large() throws {
    let count = 1_000_000
    var generator = SeededGenerator(seed: 1)
    let y = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
    let x = (0..<count).map { Double($0) / 48_000 }
    let figure = Figure(
      "noise", panels: [Panel(x: .time(), y: PlotAxis("amplitude"), series: [PlotSeries("", x: x, y: y)])])
    #expect(try figure.rendered(as: .svg).count < 400_000)
  }

  @Test("Panels with nothing in them, or without any panel, are pictures too") func empty() throws {
    let axis = PlotAxis.decibels()
    let none = HeatMap(columnCount: 0, rowCount: 0, x: .init(0, 0), y: .init(0, 0), values: [], colour: .decibels())
    let column = HeatMap(
      columnCount: 0, rowCount: 9, x: .init(0, 0), y: .init(0, 20_000), values: [], colour: .decibels())
    for panels in [
      [], [Panel(x: .frequency(), y: axis)], [Panel(x: .time(), y: axis, series: [PlotSeries("a", x: [], y: [])])],
      [Panel(x: .time(), y: axis, series: [PlotSeries("a", x: [.nan, 1], y: [1, .nan])])],
      [Panel(x: .time(), y: axis, map: none)],
      [Panel(x: .time(), y: axis, series: [PlotSeries("a", x: [1], y: [2])])],
      [Panel(x: .time(), y: .frequency(), map: column)],
    ] {
      let figure = Figure("empty", panels: panels)
      #expect(try figure.rendered(as: .svg).count > 500)
      for usesUnicode in [false, true] {
        #expect(TerminalChart(usesUnicode: usesUnicode).text(figure).hasPrefix("empty\n"))
      }
    }
  }

  @Test("A picture appears with its data, whole, and replaces the one before") func files() throws {
    let folder = TemporaryFolder()
    for format in PictureFormat.allCases {
      try Sample.figure().write(to: folder.file("a.\(format)"))
      #expect(format.isBegunBy(Data(bytes(ofFile: folder.file("a.\(format)")))))
    }
    #expect(folder.names == ["a.json", "a.pdf", "a.png", "a.svg", "a.tsv"])
    try Sample.figure().write(to: folder.file("b.SVG"), withData: false)
    #expect(folder.names.count == 6)
  }

  @Test("A file that is no data of a picture is not overwritten by such", arguments: ["json", "tsv"])
  func otherFiles(_ ending: String) throws {
    let folder = TemporaryFolder()
    folder.write("{ \"version\": 1 }", to: "graph.\(ending)")
    let error = #expect(throws: BenchError.self) { try Sample.figure().write(to: folder.file("graph.svg")) }
    #expect(error?.kind == .output && error?.place.hasSuffix("graph.\(ending)") == true)
    #expect(folder.names == ["graph.\(ending)"])
  }
}

/// Without librsvg's program.
@Suite("Pictures that cannot be") struct FailingPictureTests {
  @Test("Without the converter the error says what to install, and SVG needs none") func missing() throws {
    let error = #expect(throws: BenchError.self) {
      try PictureConverter(executable: "no-such-program").picture(Data(), as: .png)
    }
    #expect(error?.kind == .output && error?.advice == "install librsvg2-bin, or write an .svg")
  }

  @Test("A converter that fails is an error with its words, as is one that answers with something else")
  func failing() throws {
    let folder = TemporaryFolder()
    func run(_ script: String) throws -> Data {
      let path = folder.write("#!/bin/sh\n\(script)\n", to: "converter")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      return try PictureConverter(executable: path).picture(Data(), as: .png)
    }
    let failed = #expect(throws: BenchError.self) { try run("echo no font >&2; exit 3") }
    #expect(failed?.message == "failed with code 3: no font")
    let other = #expect(throws: BenchError.self) { try run("echo hello") }
    #expect(other?.message.contains("something else than PNG") == true)
    let killed = #expect(throws: BenchError.self) { try run("kill -9 $$") }
    #expect(killed?.message.contains("signal 9") == true)
  }

  @Test("Other extensions are refused before any work", arguments: ["a", "a.gif", "a.svg.gz", ".svg/a", "svg"])
  func extensions(_ path: String) {
    let error = #expect(throws: BenchError.self) { try Sample.figure().write(to: path) }
    #expect(error?.kind == .usage && error?.advice == "end the name with .svg, .png or .pdf")
  }

  @Test("A path where nothing can be written is an error about it, and leaves nothing") func paths() throws {
    let folder = TemporaryFolder()
    let missing = #expect(throws: BenchError.self) { try Sample.figure().write(to: folder.file("no/a.svg")) }
    #expect(missing?.message.contains("there is no folder") == true)
    mkdir(folder.file("d.svg"), 0o755)
    let taken = #expect(throws: BenchError.self) { try Sample.figure().write(to: folder.file("d.svg")) }
    #expect(taken?.message == "is there already and is no file")
    rmdir(folder.file("d.svg"))
    #expect(folder.names.isEmpty)
  }
}

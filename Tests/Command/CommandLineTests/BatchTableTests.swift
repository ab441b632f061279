import Foundation
import TestSupport
import Testing

/// Tables, patterns, sheets and names that somebody else has written, for a batch. Time and memory of each run have a
/// bound, many times what it needs: what grew with a power of its input would not come to an end.
@Suite("Tables, patterns and sheets that a batch is given")
struct BatchTableTests {
  private let folder = TemporaryFolder()

  /// - Parameter megabytes: the address space.
  private func run(_ line: String, megabytes: Int = 2000) throws -> Program.Result {
    try Program.shell("ulimit -v \(megabytes * 1024); timeout -s KILL 60 \"$AUBENCH\" \(line)", in: folder)
  }

  private func sound(_ name: String) { folder.write(WaveFile.noise(frames: 100).bytes, to: name) }

  @Test func noCellOfAReportIsAFormula() throws {
    for name in ["=1+2.wav", "+cmd.wav", "-2+3.wav", "@sum.wav", "plain.wav", "'=x.wav", "-7.wav"] { sound(name) }
    let made = try run("convert ./*.wav -o '{name}.flac' --csv r.csv -q")
    #expect(made.code == 0, "\(made.errors)")
    let text = String(decoding: try folder.bytes("r.csv"), as: UTF8.self)
    let outputs = text.split(whereSeparator: \.isNewline).dropFirst().map { $0.prefix { $0 != "," } }
    #expect(
      Set(outputs.map(String.init)) == [
        "'=1+2.flac", "'+cmd.flac", "'-2+3.flac", "'@sum.flac", "plain.flac", "''=x.flac", "'-7.flac",
      ])
    // Levels are numbers still: these are below 0 dBFS, or there is no more to be read of them.
    let peaks = text.split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[7]
    }
    #expect(peaks.allSatisfy { Double($0) != nil }, "\(peaks)")
    // The report is a table of inputs: its names lead to the files.
    folder.write(
      #"{"version": 1, "table": "r.csv", "columns": {"output": "input"}, "output": "again/{index}.wav"}"#,
      to: "job.json")
    let again = try run("batch job.json")
    #expect(again.code == 0 && again.output.hasPrefix("7 of 7 files made\n"), "\(again.errors)")
  }

  @Test func aMessageOfSeveralLinesIsOneCell() throws {
    sound("a\nb.wav")
    folder.write("no sound", to: "c\r\nd.wav")
    let result = try run("convert ./*.wav -o 'out/{index}.flac' --csv r.csv -q")
    #expect(result.code == 4, "\(result.errors)")
    let text = String(decoding: try folder.bytes("r.csv"), as: UTF8.self)
    // Three lines, as RFC 4180 ends them.
    #expect(text.utf8.count { $0 == 0x0A } == 3 && text.utf8.count { $0 == 0x0D } == 3, "\(text)")
    #expect(text.contains("c\\r\\nd.wav: is not a sound file"))
  }

  @Test func aFileThatTwoDoubleStarsFindIsMadeOnce() throws {
    try FileManager.default.createDirectory(atPath: folder.file("in/a/a/a"), withIntermediateDirectories: true)
    for name in ["in/a/x.wav", "in/a/a/y.wav", "in/a/a/a/z.wav"] { sound(name) }
    let made = try run("convert 'in/**/a/**/*.wav' -o 'out/{name}.flac'")
    #expect(made.code == 0 && made.output.hasPrefix("3 of 3 files made\n"), "\(made.errors)")
  }

  @Test func manyColumnsPlacesAndRowsTakeTheirTimeOnce() throws {
    sound("a.wav")
    let columns = (0..<100_000).map { "c\($0)" }.joined(separator: ",")
    let cells = [String](repeating: "1", count: 99_999).joined(separator: ",")
    folder.write("\(columns)\na.wav,\(cells)\n", to: "wide.csv")
    func job(_ text: String) { folder.write("{\"version\": 1, \(text)}", to: "job.json") }
    job(#""table": "wide.csv", "columns": {"c0": "input"}, "output": "out/{c99999}.flac""#)
    let wide = try run("batch job.json")
    #expect(wide.code == 0 && wide.output.hasPrefix("1 of 1 file made\n"), "\(wide.errors)")
    // A place that there is not, and a column, do not print all that there are.
    job(#""table": "wide.csv", "columns": {"c0": "input"}, "output": "out/{none}.flac""#)
    let place = try run("batch job.json")
    #expect(place.code == 2 && place.errors.contains("{none}") && place.errors.utf8.count < 2000)
    job(#""table": "wide.csv", "columns": {"none": "input"}, "output": "out/{c1}.flac""#)
    let column = try run("batch job.json")
    #expect(column.code == 2 && column.errors.contains("no column") && column.errors.utf8.count < 2000)
    for (text, code) in [
      (#""inputs": "PLACES.wav", "output": "out/x.flac""#, 2), (#""inputs": "a.wav", "output": "out/PLACES.flac""#, 2),
    ] as [(String, Int32)] {
      job(text.replacing("PLACES", with: (0..<20_000).map { "{p\($0)}" }.joined()))
      let places = try run("batch job.json")
      #expect(places.code == code && places.errors.utf8.count < 2000, "\(places.errors.prefix(2000))")
    }
    // 200 000 rows: what each takes is bounded by the address space of the whole.
    folder.write("input,n\n" + (0..<200_000).map { "in/file-\($0).wav,\($0)\n" }.joined(), to: "long.csv")
    job(#""table": "long.csv", "output": "out/{n}.flac", "encoding": "pcm16""#)
    let rows = try run("batch job.json --shard 1/1000 --fail-fast", megabytes: 1000)
    #expect(rows.code == 4, "\(rows.errors.prefix(2000))")
  }

  @Test func aTitleOfMegabytesIsNotPrinted() throws {
    sound("a.wav")
    let title = String(repeating: "title ", count: 1_000_000)
    folder.write("FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"\(title)\"\nINDEX 01 00:00:00\n", to: "a.cue")
    for output in ["{title}.flac", "{track}.flac"] {
      let result = try run("convert a.wav -o '\(output)' --split '{path}.cue' --csv r.csv")
      #expect(result.code == (output == "{title}.flac" ? 2 : 0), "\(result.errors.prefix(1000))")
      #expect(result.errors.utf8.count < 20_000 && result.output.utf8.count < 20_000)
    }
  }

  @Test func libraryLinesAboutADamagedMP3AreNotPrinted() throws {
    folder.write(WaveFile.noise(channels: 2, frames: 44_100).bytes, to: "a.wav")
    #expect(try run("convert a.wav a.mp3 -q").code == 0)
    var bytes = try folder.bytes("a.mp3")
    for index in stride(from: 2000, to: bytes.count, by: 97) { bytes[index] ^= 0x5A }
    folder.write(bytes, to: "bad.mp3")
    let result = try run("convert bad.mp3 b.wav -q")
    #expect([0, 4].contains(result.code))
    #expect(
      result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("aubench: ") }, "\(result.errors.prefix(500))")
  }
}

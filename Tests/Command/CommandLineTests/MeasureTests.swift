import Foundation
import TestSupport
import Testing

/// `aubench measure`, as a user runs it.
@Suite struct MeasureTests {
  static let wrong: [(words: [String], code: Int32, message: String)] = [
    ([], 2, "DEVICE is missing"),
    (["lowPasFilter"], 2, "did you mean lowPassFilter"),
    (["lowPassFilter", "--set", "cutof=1"], 2, "cutof"),
    (["lowPassFilter", "--set", "cutoffFrequency=x"], 2, "finite number"),
    (["lowPassFilter", "--what", "linaer"], 2, "choose from linear"),
    (["lowPassFilter", "--methods", "x"], 2, "impulse, sweep"),
    (["lowPassFilter", "--level", "3"], 2, "at most 0 dBFS"),
    (["lowPassFilter", "--rate", "0"], 2, "a rate from 1 to 3000000 Hz"),
    (["lowPassFilter", "--channels", "0"], 2, "from 1 to 1024"),
    (["lowPassFilter", "--keys", "x"], 2, "not JSON"),
    (["lowPassFilter", "--keys", "[]"], 2, "expected an object"),
    (["lowPassFilter", "--input", "p"], 2, "is not for a unit"),
    (["iPodEQ", "--preset", "nan"], 2, "there is no preset \"nan\""),
    (["iPodEQ", "--preset", "-inf"], 2, "there is no preset \"-inf\""),
    (["iPodEQ", "--preset", "1e999"], 2, "there is no preset \"1e999\""),
    (["iPodEQ", "--preset", "0.5"], 2, "found 0.5"),
    (["lowPassFilter", "--encoding", "pcm16"], 2, "is not for a graph or a unit"),
    (["none.json"], 3, "no such graph file"),
    (["s.json"], 3, "nodes"),
    (["--", "cp", "{in}", "x"], 2, "{out} is missing"),
    (["--", "cp", "x", "{out}"], 2, "{in} is missing"),
    (["--", "no-such-program", "{in}", "{out}"], 2, "no such program"),
    (["--encoding", "mp3", "--", "cp", "{in}", "{out}"], 2, "float64"),
    (["--preset", "Rock", "--", "cp", "{in}", "{out}"], 2, "is not for a command"),
    (["--", "false", "{in}", "{out}"], 6, "ended with code 1"),
    (["--", "true", "{in}", "{out}"], 6, "wrote nothing to {out}"),
    (["--", "sh", "-c", "echo hello > $2", "sh", "{in}", "{out}"], 6, "no sound file"),
    (["--", "sh", "-c", "kill -SEGV $$", "sh", "{in}", "{out}"], 9, "SIGSEGV"),
    (["--time-limit", "0.1", "--", "sh", "-c", "sleep 1000", "sh", "{in}", "{out}"], 9, "0.1 seconds"),
  ]

  @Test(arguments: wrong.indices)
  func aWrongDeviceSaysWhatIsWrong(_ index: Int) throws {
    let (words, code, message) = Self.wrong[index]
    let folder = TemporaryFolder()
    folder.write(#"{"version": 1, "nodez": []}"#, to: "s.json")
    let result = try Program.run(["measure"] + words, in: folder)
    #expect(result.code == code && result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty && result.errors.filter { $0 == "\n" }.count == 1)
    #expect(folder.names == ["s.json"])
  }

  private func measurement(_ words: [String], in folder: TemporaryFolder? = nil) throws -> [String: Any] {
    let result = try Program.run(["measure", "--json"] + words, in: folder)
    #expect(result.code == 0, "\(result.errors)")
    return try #require((try result.value("measurements") as? [[String: Any]])?.first)
  }

  private func reading(_ id: String, in measurement: [String: Any]) throws -> Double {
    let readings = try #require(measurement["readings"] as? [[String: Any]])
    return try #require(readings.first { $0["id"] as? String == id }?["value"] as? Double)
  }

  private func magnitude(_ measurement: [String: Any], atHertz hertz: Double) throws -> Double {
    let curves = try #require(measurement["curves"] as? [[String: Any]])
    let curve = try #require(curves.first { $0["id"] as? String == "magnitude" })
    #expect(
      (curve["xAxis"] as? [String: String])?["unit"] == "Hz" && (curve["yAxis"] as? [String: String])?["unit"] == "dB")
    let (x, y) = (try #require(curve["x"] as? [Double]), try #require(curve["y"] as? [Any]))
    #expect(x.count == y.count && zip(x, x.dropFirst()).allSatisfy { $0 < $1 })
    let index = try #require(x.indices.min { abs(x[$0] / hertz - 1) < abs(x[$1] / hertz - 1) })
    try #require(abs(x[index] / hertz - 1) < 0.03)
    return try #require(y[index] as? Double)
  }

  @Test func aUnitHasItsClosedForm() throws {
    // Twelve dB at the centre of a band of one octave, and nothing three decades below.
    let keys = #"{"bands": [{"frequency": 2000, "bandwidth": 1, "gain": 12}]}"#
    let found = try measurement(["nBandEQ", "--keys", keys, "--channels", "1"])
    #expect(found["measurement"] as? String == "linear")
    #expect(abs(try magnitude(found, atHertz: 2000) - 12) < 0.1)
    #expect(abs(try magnitude(found, atHertz: 25)) < 0.01)
    #expect(abs(try reading("gainMaximum", in: found) - 12) < 0.1)
  }

  @Test func aGraphIsMeasuredThroughItsPlayer() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 100).bytes, to: "in.wav")
    // A factor of 0.5, which is −6.0206 dB.
    folder.write(
      """
      {"version": 1, "nodes": [{"id": "p", "unit": "filePlayer", "file": "in.wav"},
        {"id": "mix", "unit": "multichannelMixer", "format": {"channels": 1}, "set": {"volume@output": 1}},
        {"id": "out", "unit": "genericOutput"}], "connections": ["p -> mix", "mix -> out"]}
      """, to: "g.json")
    let found = try measurement(["g.json", "--set", "mix.volume@output=0.5"], in: folder)
    #expect(abs(try magnitude(found, atHertz: 1000) + 6.0206) < 0.001)
    #expect(abs(try reading("latency", in: found)) < 0.01)
  }

  @Test func aCommandIsMeasuredByItsFiles() throws {
    let found = try measurement(["--channels", "1", "--", "cp", "{in}", "{out}"])
    #expect(abs(try magnitude(found, atHertz: 1000)) < 0.0001)
    #expect(abs(try reading("delay", in: found)) < 0.001)
    #expect(try reading("polarity", in: found) == 1)
  }

  @Test func theTextNamesTheDeviceAndItsFigures() throws {
    let result = try Program.run("measure", "iPodEQ", "--preset", "Rock", "--channels", "1", "--methods", "impulse")
    #expect(result.code == 0 && result.errors.isEmpty)
    #expect(result.output.hasPrefix("iPodEQ\n\nlinear\n"))
    for word in ["latency", "dB", "Hz", "1000"] { #expect(result.output.contains(word)) }
  }
}

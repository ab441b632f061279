import Foundation
import TestSupport
import Testing

@Suite("Values outside the range of their parameter")
struct RangeTests {
  private func graph(_ node: String) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(rate: 48_000, frames: 1000).bytes, to: "in.wav")
    folder.write(
      """
      {"version": 1, "sampleRate": 48000, "nodes": [
        {"id": "p", "unit": "filePlayer", "file": "in.wav"}, {"id": "x", \(node)},
        {"id": "out", "unit": "genericOutput"}], "connections": ["p -> x", "x -> out"]}
      """, to: "g.json")
    return folder
  }

  @Test(
    arguments: [
      (
        "\"unit\": \"lowPassFilter\", \"set\": {\"cutoffFrequency\": 90000}",
        ["cutoffFrequency is 90000", "10 to 24000 Hz"]
      ),
      ("\"unit\": \"nBandEQ\", \"globalGain\": 300", ["globalGain is 300", "-96 to 24 dB"]),
      ("\"unit\": \"nBandEQ\", \"globalGain\": -300", ["globalGain is -300", "-96 to 24 dB"]),
      ("\"unit\": \"nBandEQ\", \"bands\": [{\"gain\": 99}]", ["gain0 is 99", "-96 to 24 dB"]),
      ("\"unit\": \"nBandEQ\", \"bands\": [{\"frequency\": 5}]", ["frequency0 is 5", "20 to 24000 Hz"]),
      ("\"unit\": \"multichannelMixer\", \"set\": {\"pan@input:0\": 2}", ["pan@input:0 is 2", "-1 to 1"]),
      (
        "\"unit\": \"parametricEQ\", \"ramp\": [{\"parameter\": \"gain\", \"points\": [[0, 0], [100, 99]]}]",
        ["gain is 99", "-20 to 20 dB"]
      ),
    ])
  func areErrorsThatNameTheRange(node: String, words: [String]) throws {
    let folder = try graph(node)
    let refused = try Program.run("render", "g.json", "-o", "x.wav", in: folder)
    #expect(refused.code == 3)
    for word in words + ["node \"x\"", "clamp"] { #expect(refused.errors.contains(word), "\(word): \(refused.errors)") }
    let clamped = try graph("\"clamp\": true, " + node)
    let result = try Program.run("render", "g.json", "-o", "x.wav", in: clamped)
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test func theCommandLineIsHeldToThemToo() throws {
    let folder = try graph("\"unit\": \"lowPassFilter\"")
    let result = try Program.run("render", "g.json", "-o", "x.wav", "--set", "x.cutoffFrequency=90000", in: folder)
    // The graph is well.
    #expect(result.code == 2 && result.errors.contains("setting x.cutoffFrequency: "), "\(result.errors)")
    #expect(result.errors.contains("10 to 24000 Hz") && !result.errors.contains("clamp"), "\(result.errors)")
    let described = try Program.run("describe", "g.json", "--set", "x.cutoffFrequency=90000", in: folder)
    #expect(described.code == 2 && described.errors.contains("setting x.cutoffFrequency: "), "\(described.errors)")
    let measured = try Program.run("measure", "lowPassFilter", "--set", "cutoffFrequency=90000", in: folder)
    #expect(measured.code == 2 && measured.errors.contains("10 to 24000 Hz"), "\(measured.errors)")
    #expect(measured.errors.contains(#"parameter "cutoffFrequency""#), "\(measured.errors)")
    #expect(measured.errors.contains(#"--keys '{"clamp": true}'"#), "\(measured.errors)")
    // The advice does what it says.
    let clamped = try Program.run(
      "measure", "lowPassFilter", "--set", "cutoffFrequency=90000", "--keys", #"{"clamp": true}"#, "--what", "levels",
      in: folder)
    #expect(clamped.code == 0, "\(clamped.errors)")
  }

  @Test("A ramp takes the place of what the line sets: its values are the graph's")
  func rampsAreTheGraphs() throws {
    let folder = try graph(
      "\"unit\": \"parametricEQ\", \"ramp\": [{\"parameter\": \"gain\", \"points\": [[0, 0], [100, 99]]}]")
    let result = try Program.run("render", "g.json", "-o", "x.wav", "--set", "x.gain=1", in: folder)
    #expect(result.code == 3 && result.errors.contains("node \"x\": gain is 99"), "\(result.errors)")
  }

  @Test("a mixer's volume takes any number, and what nobody has set is not looked at")
  func whatIsTaken() throws {
    let loud = try graph("\"unit\": \"multichannelMixer\", \"set\": {\"volume@input:0\": 4}")
    #expect(try Program.run("render", "g.json", "-o", "x.wav", "-e", "float32", in: loud).code == 0)
    // The default of 6900 Hz lies above half of 8 kHz.
    let slow = try graph("\"unit\": \"lowPassFilter\"")
    #expect(try Program.run("render", "g.json", "-o", "x.wav", "--graph-rate", "8000", in: slow).code == 0)
    let bands = try graph("\"unit\": \"nBandEQ\", \"bands\": [{\"gain\": 3}]")
    #expect(try Program.run("render", "g.json", "-o", "x.wav", "--graph-rate", "1000", in: bands).code == 0)
    // The same value, written, is somebody's wish.
    let written = try graph("\"unit\": \"lowPassFilter\", \"set\": {\"cutoffFrequency\": 6900}")
    let refused = try Program.run("render", "g.json", "-o", "x.wav", "--graph-rate", "8000", in: written)
    #expect(refused.code == 3 && refused.errors.contains("cutoffFrequency is 6900"), "\(refused.errors)")
  }
}

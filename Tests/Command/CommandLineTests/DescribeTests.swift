import Foundation
import TestSupport
import Testing

@Suite struct DescribeTests {
  @Test func theDemoIsDescribedAsItRenders() throws {
    let folder = TemporaryFolder()
    let description = try Program.run("describe", Program.demo, "--json")
    #expect(description.code == 0)
    let render = try Program.run("render", Program.demo, "-o", "x.wav", "--json", in: folder)
    #expect(try description.value("renderFrames") as? Int == render.value("file.frames") as? Int)
    let nodes = try #require(try description.value("nodes") as? [[String: Any]])
    #expect(nodes.count == 17)
    #expect(nodes.allSatisfy { $0["isRendered"] as? Bool == true })
    #expect(nodes.last?["id"] as? String == "out")
    #expect(try (description.value("connections") as? [Any])?.count == 16)

    let text = try Program.run("describe", Program.demo).output
    for word in ["drumsRock", "preset Rock", "multichannelMixer", "piano.flac", "sources end", "until it has decayed"] {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test func convertersAndNodesWithoutUseAreShown() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(rate: 22_050, frames: 2205).bytes, to: "in.wav")
    folder.write(
      """
      {"version": 1, "nodes": [
        {"id": "p", "unit": "filePlayer", "file": "in.wav", "loops": 1, "start": 100},
        {"id": "slow", "unit": "filePlayer", "file": "in.wav", "format": {"sampleRate": 32000}},
        {"id": "lone", "unit": "nBandEQ"},
        {"id": "mix", "unit": "multichannelMixer"},
        {"id": "out", "unit": "genericOutput"}],
       "connections": ["p -> mix", "slow -> mix:1", "mix -> out"]}
      """, to: "g.json")
    let text = try Program.run("describe", "g.json", "--rate", "48000", in: folder).output
    #expect(text.contains("slow -> mix:1  32000 Hz, 1 ch, converted to 44100 Hz, 1 ch in front of the input"))
    #expect(text.contains("lone (nBandEQ) does not lead to the output"))
    #expect(text.contains("converts from 44100 Hz, 2 ch"))
    // 2 passes of 2205 frames at 22050 Hz are 8820 at 44100 Hz.
    #expect(text.contains("22050 Hz, converted to 44100 Hz (best), from frame 100 on, 2 times, ends at frame 8920"))
    let json = try Program.run("describe", "g.json", "--json", in: folder)
    let connections = try #require(try json.value("connections") as? [[String: Any]])
    #expect(
      connections.map { ($0["convertedFormat"] as? [String: Any])?["sampleRateHertz"] as? Int } == [nil, 44_100, nil])
  }

  @Test func lengthsBeyondAllClocksAreGivenInFrames() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(rate: 1, frames: 10).bytes, to: "slow.wav")
    folder.write(
      """
      {"version": 1, "sampleRate": 0.5, "nodes": [
        {"id": "p", "unit": "filePlayer", "file": "slow.wav", "start": 9007199254740992},
        {"id": "out", "unit": "genericOutput"}], "connections": ["p -> out"]}
      """, to: "g.json")
    let result = try Program.run("describe", "g.json", in: folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("… (9007199254740997 frames)"), "\(result.output)")
  }

  @Test func dotIsTakenByGraphvizEvenWithHostileNames() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 10).bytes, to: "a\"b\\.wav")
    folder.write(
      #"{"version": 1, "nodes": [{"id": "p\"\\<&", "unit": "filePlayer", "file": "a\"b\\.wav"},"#
        + #"{"id": "out", "unit": "genericOutput"}], "connections": ["p\"\\<& -> out"]}"#, to: "g.json")
    let dot = try Program.run("describe", "g.json", "--dot", in: folder)
    #expect(dot.code == 0, "\(dot.errors)")
    #expect(dot.output.hasPrefix("digraph \"g.json\" {\n"))
    #expect(dot.output.contains(#"label="p\"\\<&\nfilePlayer\na\"b\\.wav""#), "\(dot.output)")
    #expect(dot.output.contains(#"n0 -> n1 [label="44100 Hz, 1 ch""#))
    if try Program.shell("which dot").code == 0 {
      folder.write(dot.output, to: "g.dot")
      #expect(try Program.shell("dot -Tsvg g.dot > g.svg", in: folder).errors.isEmpty)
    }
  }

  @Test func unitsShowsTheirTables() throws {
    let list = try Program.run("units")
    #expect(list.code == 0)
    let units = try #require(try Program.run("units", "--json").value("units") as? [[String: Any]])
    #expect(units.count >= 12)
    for unit in units {
      let name = try #require(unit["name"] as? String)
      #expect(list.output.contains(name))
      let text = try Program.run("units", name).output
      for row in try #require(unit["properties"] as? [[String: Any]]) { #expect(text.contains("\(row["name"] ?? "")")) }
      for row in try #require(unit["presets"] as? [[String: Any]]) { #expect(text.contains("\(row["name"] ?? "")")) }
    }
    let low = try Program.run("units", "lpas")
    #expect(low.output.contains("  cutoffFrequency  0   global  10 to rate/2  6900     Hz"))
    #expect(try Program.run("units", "aufx lpas appl").output == low.output)
    #expect(try Program.run("units", "nBandEQ").output.contains("5=bandPass"))
    let presets = try #require(try Program.run("units", "iPodEQ", "--json").value("presets") as? [Any])
    #expect(presets.count == 23)
  }
}

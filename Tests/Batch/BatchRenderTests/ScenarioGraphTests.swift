import AudioCore
import BatchRender
import Foundation
import SoundFile
import TestSupport
import Testing

/// Graph files whose head is an output unit of scripted hardware.
@Suite("A scenario pulls a graph")
struct ScenarioGraphTests {
  private let folder = TemporaryFolder()

  private func graph(
    _ scenario: String, unit: String = "remoteIO", keys: String = "", nodes: String = "",
    connections: String = #""io:1 -> io""#,
    rate: Int = 44_100
  ) throws -> String {
    try scenario.write(toFile: folder.file("scenario.json"), atomically: true, encoding: .utf8)
    let path = folder.file("graph.json")
    try """
    {"version": 1, "sampleRate": \(rate), "nodes": [\(nodes)
      {"id": "io", "unit": "\(unit)", "scenario": "scenario.json"\(keys)}], "connections": [\(connections)]}
    """.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func render(
    _ path: String, _ options: OfflineRenderer.Options = .init()
  ) throws -> (channels: [[Float]], report: RenderReport) {
    try OfflineRenderer(try GraphFile.load(path)).renderToMemory(options: options)
  }

  private static let tone = #""microphone": {"type": "tone", "frequency": 441, "level": -6}"#

  @Test("the microphone's tone is played, sample for sample, as long as the scenario")
  func through() throws {
    let (channels, report) = try render(
      graph(#"{"version": 1, "device": {"slices": [93, 93, 92]}, "seconds": 0.5, \#(Self.tone)}"#))
    #expect(report.frames == 22_050 && report.sampleRate == 44_100)
    #expect(channels.count == 2 && channels[0] == channels[1])
    let expected = (0..<22_050).map { 0.501187 * sin(2 * .pi * Double($0) / 100) }
    #expect(zip(channels[0], expected).allSatisfy { abs(Double($0) - $1) < 1e-4 })
  }

  @Test("another graph's rate: converted both ways, and nothing missing")
  func rates() throws {
    let (channels, report) = try render(
      graph(#"{"version": 1, "device": {"slices": [512]}, "seconds": 1, \#(Self.tone)}"#, rate: 22_050))
    #expect(report.frames == 44_100)
    let steady = channels[0][10_000..<40_000]
    #expect(steady.indices.allSatisfy { abs(channels[0][$0] - channels[0][$0 - 100]) < 1e-4 })
  }

  @Test("an interruption is silence, and sound goes on after it; a blocked change of route is a gap")
  func events() throws {
    let (channels, _) = try render(
      graph(
        """
        {"version": 1, "device": {"slices": [441]}, "seconds": 3, \(Self.tone), "events": [
          {"at": 0.5, "interruption": {"edge": "begin"}}, {"at": 1, "interruption": {"edge": "end"}},
          {"at": 2, "route": {"blocked": 0.2, "sampleRate": 48000}}]}
        """))
    func loudness(_ seconds: ClosedRange<Double>) -> Float {
      channels[0][Int(clamping: seconds.lowerBound * 44_100)..<Int(clamping: seconds.upperBound * 44_100)].map(abs)
        .max() ?? 0
    }
    #expect(channels[0].count == 132_300)
    #expect(loudness(0.1...0.5) > 0.4 && loudness(0.51...0.99) == 0 && loudness(1.02...1.99) > 0.4)
    // The sound behind the change of rate comes back converted.
    #expect(loudness(2.02...2.18) < 1e-3 && loudness(2.3...2.9) > 0.4)
  }

  @Test("an interruption whose end is not told, or not to be resumed after, stays silence")
  func untold() throws {
    for end in [#""told": false"#, #""resumes": false"#] {
      let (channels, _) = try render(
        graph(
          """
          {"version": 1, "device": {"slices": [441]}, "seconds": 1, \(Self.tone), "events": [
            {"at": 0.2, "interruption": {"edge": "begin"}}, {"at": 0.4, "interruption": {"edge": "end", \(end)}}]}
          """))
      #expect(channels[0][9000...].allSatisfy { $0 == 0 })
    }
  }

  @Test(
    "with a filter and a file beside the microphone: the same bits on each run, with any threads")
  func sameBits() throws {
    let file = folder.file("beat.wav")
    let samples = (0..<44_100).map { Float(sin(Double($0) * 0.1)) * 0.2 }
    try writeSound(file, [samples], encoding: .float32)
    let path = try graph(
      #"{"version": 1, "device": {"slices": [512]}, "seconds": 1.2, "cost": 0.012, \#(Self.tone)}"#,
      nodes: """
        {"id": "low", "unit": "lowPassFilter", "set": {"cutoffFrequency": 900}},
        {"id": "beat", "unit": "filePlayer", "file": "beat.wav"}, {"id": "mix", "unit": "multichannelMixer"},
        """, connections: #""io:1 -> low", "low -> mix:0", "beat -> mix:1", "mix -> io""#)
    let (first, report) = try render(path)
    var options = OfflineRenderer.Options()
    options.threads = 2
    #expect(try render(path, options).channels == first)
    // A cost of 12 ms does not fit into a slice of 11.6 ms: the gaps that follow are silence.
    #expect(first[0].contains { $0 != 0 } && report.frames == 52_920)
    let renderer = OfflineRenderer(try GraphFile.load(path))
    #expect(try renderer.renderToMemory().channels == first)
    #expect(try renderer.renderToMemory().channels == first, "the same graph again")
  }

  @Test(
    "a file that plays goes on where it is in time when the hardware's rate changes",
    arguments: ["48000", "8000", "48000, then 44100"])
  func positions(_ rates: String) throws {
    let count = 132_300
    try writeSound(
      folder.file("ramp.wav"), [(0..<count).map { Float($0) / Float(1 << 18) }], encoding: .float32)
    let list = rates.split(separator: ", then ")
    let events = list.enumerated().map { index, rate in
      #"{"at": \#(1 + index), "route": {"blocked": \#(index == 0 ? 0.1 : 0), "sampleRate": \#(rate)}}"#
    }.joined(separator: ", ")
    let (channels, report) = try render(
      graph(
        #"{"version": 1, "device": {"slices": [441]}, "seconds": 3, "events": [\#(events)]}"#,
        nodes: #"{"id": "ramp", "unit": "filePlayer", "file": "ramp.wav"},"#, connections: #""ramp -> io""#))
    #expect(report.frames == Int64(count) && channels[0].count == count)
    for seconds in [0.5, 0.95, 1.2, 1.9, 2.1, 2.9] {
      let frame = Int(clamping: seconds * 44_100)
      let ahead = Double(channels[0][frame]) * Double(1 << 18) - Double(frame)
      // A filter of a conversion leaves a straight line straight; a frame at 8 kHz is as long as six.
      let most = seconds < 1 ? 0.01 : 6
      #expect((-0.5...most).contains(ahead), "\(rates) at \(seconds) s: \(ahead) frames")
    }
  }

  @Test("a rate that changes while an interruption lasts is taken over when it has ended")
  func changeWhileStopped() throws {
    try writeSound(
      folder.file("ramp.wav"), [(0..<220_500).map { Float($0) / Float(1 << 18) }], encoding: .float32)
    let (channels, _) = try render(
      graph(
        """
        {"version": 1, "device": {"slices": [441]}, "seconds": 4, "events": [
          {"at": 1, "interruption": {"edge": "begin"}}, {"at": 1.5, "route": {"blocked": 0, "sampleRate": 48000}},
          {"at": 2, "interruption": {"edge": "end"}}]}
        """, nodes: #"{"id": "ramp", "unit": "filePlayer", "file": "ramp.wav"},"#, connections: #""ramp -> io""#))
    for seconds in [0.5, 2.1, 3, 3.9] {
      let frame = Int(clamping: seconds * 44_100)
      let position = Double(channels[0][frame]) * Double(1 << 18) / 44_100
      // The second of the interruption is not played.
      let expected = seconds < 1 ? seconds : seconds - 1
      #expect(abs(position - expected) < 0.011, "at \(seconds) s: \(position)")
    }
    #expect(abs(channels[0][160_000] - channels[0][159_000] - 1000 / Float(1 << 18)) < 1e-6)
  }

  @Test("no longer than the scenario, and exactly as long as is asked for")
  func lengths() throws {
    let path = try graph(#"{"version": 1, "seconds": 0.5, \#(Self.tone)}"#)
    var options = OfflineRenderer.Options()
    options.length = .frames(12_345)
    #expect(try render(path, options).channels[0].count == 12_345)
    let graph = try GraphFile.load(path)
    #expect(try graph.soundEnd().sources == 22_050)
    options.length = .seconds(0.6)
    #expect {
      _ = try render(path, options)
    } throws: {
      "\($0)".contains(#"node "io": 0.6 s are asked for, and its scenario ends after 0.5 s"#)
    }
    options.length = .sources(tail: true)
    options.sliceFrames = 64
    #expect {
      _ = try render(path, options)
    } throws: {
      "\($0)".contains("in which slices it is pulled")
    }
  }

  @Test("what a device refuses of programs' formats is not refused to a graph")
  func profiles() throws {
    for profile in ["phone", "noMono", "fixedRate"] {
      let path = try graph(
        #"{"version": 1, "device": {"profile": "\#(profile)"}, "seconds": 0.2, \#(Self.tone)}"#, rate: 22_050)
      #expect(try render(path).channels[0].contains { abs($0) > 0.4 }, "\(profile)")
    }
  }

  @Test("a voice processor in a graph does not hear what it plays")
  func voice() throws {
    // The loudspeaker is heard 40 ms later; a loop through the microphone would go on and on.
    let scenario = { (unit: String) in
      """
      {"version": 1, "device": {"sampleRate": 16000, "slices": [160], "outputChannels": 1}, "seconds": 6,
       "microphone": {"type": "silence"}, "loudspeaker": {"file": "\(unit).wav", "echo": [{"delay": 0.04, "gain": -6}]}}
      """
    }
    let file = folder.file("far.wav")
    var random = SplitMix64(seed: 5)
    let noise = (0..<96_000).map { _ in Float.random(in: -0.1...0.1, using: &random) }
    try writeSound(file, [noise], rate: 16_000, encoding: .float32)
    var echoes: [String: Float] = [:]
    for unit in ["remoteIO", "voiceProcessingIO"] {
      let path = try graph(
        scenario(unit), unit: unit, keys: unit == "voiceProcessingIO" ? #", "gainControl": false"# : "",
        nodes: """
          {"id": "far", "unit": "filePlayer", "file": "far.wav"}, {"id": "mix", "unit": "multichannelMixer"},
          """, connections: #""io:1 -> mix:0", "far -> mix:1", "mix -> io""#, rate: 16_000)
      let (channels, _) = try render(path)
      // The part of the far end that comes again, at any delay up to 120 ms.
      let played = noise[64_000..<90_000].reduce(0) { $0 + $1 * $1 }
      echoes[unit] = (300..<2000).map { lag in
        abs((64_000..<90_000).reduce(Float(0)) { $0 + channels[0][$1] * noise[$1 - lag] }) / played
      }.max()
    }
    let (plain, processed) = (try #require(echoes["remoteIO"]), try #require(echoes["voiceProcessingIO"]))
    // A mono input is 3 dB down in a mixer, the room 6.
    #expect(abs(plain - 0.25) < 0.03 && processed < plain / 10, "\(processed) of \(plain)")
  }

  @Test("without a scenario the microphone is silent, and the host pulls")
  func withoutScenario() throws {
    let path = folder.file("graph.json")
    try #"{"version": 1, "nodes": [{"id": "io", "unit": "remoteIO"}], "connections": ["io:1 -> io"]}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    #expect { _ = try render(path) } throws: { "\($0)".contains(#"node "io": has no scenario"#) }
    var options = OfflineRenderer.Options()
    options.length = .frames(1000)
    let (channels, report) = try render(path, options)
    #expect(report.frames == 1000 && channels[0].allSatisfy { $0 == 0 })
  }

  @Test("what cannot be is an error with its place")
  func errors() throws {
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "no error"
      } catch { return "\(error)" }
    }
    let endless = try graph(#"{"version": 1}"#)
    #expect(message { _ = try render(endless) }.contains(#"node "io": its scenario has no end of its own"#))
    var options = OfflineRenderer.Options()
    options.length = .seconds(0.1)
    #expect(try render(endless, options).report.frames == 4410)
    options.memoryTaps = ["io"]
    #expect(message { _ = try render(endless, options) }.contains("nothing is tapped, edited or trimmed"))
    let wrong = try graph(#"{"version": 1, "device": {"clock": "slow"}}"#)
    #expect(
      message { _ = try GraphFile.load(wrong) }.contains(#"scenario.json: device, key "clock""#),
      "\(message { _ = try GraphFile.load(wrong) })")
    let keys = try graph(
      #"{"version": 1, "seconds": 1}"#, unit: "voiceProcessingIO",
      keys: #", "voiceQuality": 127, "bypass": true, "quality": "best""#)
    #expect(throws: Never.self) { try GraphFile.load(keys) }
    let tooGood = try graph(
      #"{"version": 1, "seconds": 1}"#, unit: "voiceProcessingIO", keys: #", "voiceQuality": 128"#)
    #expect(message { _ = try GraphFile.load(tooGood) }.contains(#"key "voiceQuality""#))
    let looped = try graph(#"{"version": 1}"#, connections: #""io -> io""#)
    #expect(message { _ = try GraphFile.load(looped) }.contains(#"output bus 0 of "io" goes to the hardware"#))
    let deaf = try graph(#"{"version": 1, "device": {"inputChannels": 0}, "seconds": 1}"#)
    #expect(message { _ = try render(deaf) }.contains(#"node "io""#))
  }
}

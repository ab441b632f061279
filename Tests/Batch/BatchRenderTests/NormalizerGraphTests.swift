// Graphs with offline units: each sees its whole input before anything is rendered.

import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import Glibc
import Loudness
import RenderGraph
import TestSupport
import Testing

@Suite struct NormalizerGraphTests {
  let folder = TemporaryFolder()

  private func graph(_ nodes: String, _ connections: String) throws -> Graph {
    try GraphFile.parse(
      """
      {"version": 1, "sampleRate": 44100, "nodes": [
        {"id": "in", "unit": "filePlayer", "file": "\(Fixtures.path("audio/drums.flac"))"}, \(nodes)
        {"id": "out", "unit": "genericOutput"}],
       "connections": [\(connections)]}
      """)
  }
  private static let chain = #""in -> norm", "norm -> out""#

  private func rendered(
    _ graph: Graph, slice: Int? = nil, threads: Int = 1, length: RenderLength = .standard
  ) throws -> [[Float]] {
    var options = OfflineRenderer.Options(length)
    options.sliceFrames = slice
    options.threads = threads
    return try OfflineRenderer(graph).renderToMemory(options: options).channels
  }

  /// By libebur128, called as the program's own meter does.
  private func readings(_ sound: [[Float]], rate: Double = 44_100) throws -> LoudnessReadings {
    let meter = try LoudnessMeter(sampleRate: rate, channels: LoudnessChannel.usual(count: sound.count))
    let buffer = PlanarBuffer(sound)
    meter.add(buffer.planes, frames: sound[0].count)
    return meter.finish()
  }

  @Test("a file comes out at the loudness that was asked for, as libebur128 measures it", arguments: [-14.0, -23, -30])
  func loudness(level: Double) throws {
    let sound = try rendered(
      try graph(#"{"id": "norm", "unit": "normalizer", "set": {"level": \#(level)}},"#, Self.chain))
    let source = try rendered(try graph("", #""in -> out""#))
    let (there, was) = (try readings(sound), try readings(source))
    let peak = 20 * log10(was.truePeaks.max() ?? 1)
    let wanted = try min(level, #require(was.integratedLUFS) - 1 - peak)
    #expect(abs(try #require(there.integratedLUFS) - wanted) < 0.3)
    if wanted == level { #expect(abs(try #require(there.integratedLUFS) - wanted) < 0.05) }
    // One gain over all of it.
    let gain = sound[0][5000] / source[0][5000]
    #expect(zip(sound[0], source[0]).allSatisfy { abs($0 - $1 * gain) < 1e-6 })
  }

  @Test(
    "the meter of the preflight agrees with libebur128",
    arguments: [(44_100.0, 1), (48_000, 2), (96_000, 6), (22_050, 5)])
  func meter(rate: Double, channels: Int) throws {
    // Stretches of different levels, so that both gates have something to do.
    var sound = noise(channels, frames: Int(clamping: 12 * rate), seed: 7)
    for channel in sound.indices {
      for frame in sound[channel].indices {
        let stretch = frame / Int(clamping: 1.7 * rate)
        sound[channel][frame] *= [1, 0.03, 0.4, 0.0001, 0.2, 0.6, 0.1, 0.35][stretch % 8]
      }
    }
    let path = try writeSound(folder.file("noise.wav"), sound, rate: rate)
    let graph = try GraphFile.parse(
      """
      {"version": 1, "sampleRate": \(rate), "nodes": [
        {"id": "in", "unit": "filePlayer", "file": "\(path)"}, {"id": "norm", "unit": "normalizer"},
        {"id": "out", "unit": "genericOutput"}], "connections": [\(Self.chain)]}
      """)
    let samples = try readSound(path)
    _ = try rendered(graph)
    let unit = try #require(graph.node(named: "norm")?.unit as? Normalizer)
    let wanted = try readings(samples, rate: rate)
    #expect(abs(try #require(unit.measuredLUFS) - #require(wanted.integratedLUFS)) < 0.02)
    // 8 points a sample here, 4 or 2 there, which read low by what the meter's own comment says.
    let peak = try #require(unit.measuredPeakDecibels)
    let theirs = 20 * log10(wanted.truePeaks.max() ?? 1)
    #expect(peak > theirs - 0.3 && peak < theirs + 2)
  }

  @Test("slices and threads change nothing; a graph renders again to the same")
  func same() throws {
    let text = #"""
      {"id": "eq", "unit": "nBandEQ", "bands": [{"type": "parametric", "frequency": 1000, "bandwidth": 0.5, "gain": 9}]},
      {"id": "norm", "unit": "normalizer", "set": {"level": -20}},
      """#
    let chain = #""in -> eq", "eq -> norm", "norm -> out""#
    let there = try graph(text, chain)
    let wanted = try rendered(there)
    #expect(try rendered(there) == wanted)
    #expect(try rendered(try graph(text, chain), slice: 777) == wanted)
    #expect(try rendered(try graph(text, chain), threads: 2) == wanted)
    #expect(abs(try #require(try readings(wanted).integratedLUFS) + 20) < 0.01)
  }

  @Test("of two in a row the second measures what the first gives")
  func two() throws {
    let sound = try rendered(
      try graph(
        #"""
        {"id": "first", "unit": "normalizer", "set": {"level": -40}},
        {"id": "norm", "unit": "normalizer", "set": {"mode": 1, "level": -6}},
        """#, #""in -> first", "first -> norm", "norm -> out""#))
    let peak = try readings(sound).truePeaks.max() ?? 0
    #expect(abs(20 * log10(peak) + 6) < 0.3)
  }

  @Test("a bypassed one asks for nothing and changes nothing")
  func bypassed() throws {
    let sound = try rendered(
      try graph(#"{"id": "norm", "unit": "normalizer", "bypass": true},"#, Self.chain))
    #expect(try sound == rendered(try graph("", #""in -> out""#)))
  }

  @Test("a render that is a part of the sound is measured by that part alone")
  func part() throws {
    let sound = try rendered(
      try graph(#"{"id": "norm", "unit": "normalizer", "set": {"mode": 1, "level": -3, "ceiling": 0}},"#, Self.chain),
      length: .seconds(0.2))
    #expect(sound[0].count == 8820)
    let peak = try readings(sound).truePeaks.max() ?? 0
    #expect(abs(20 * log10(peak) + 3) < 0.3)
  }

  /// BS.1770 knows the loudness of blocks of 400 ms above −70 LUFS.
  @Test(
    "what has no loudness stays as it is, and the report says so",
    arguments: [
      (17_000, Float(0.5), "so it has no loudness"), (60_000, 1e-5, "so it has no loudness"), (60_000, 0, "silent"),
    ])
  func noLoudness(frames: Int, amplitude: Float, words: String) throws {
    let sound = noise(2, frames: frames, seed: 9, amplitude: amplitude)
    try writeSound(folder.file("a.wav"), sound, encoding: .float32)
    func graph(_ more: String = "") throws -> Graph {
      try GraphFile.parse(
        graphText(
          [
            #"{"id": "in", "unit": "filePlayer", "file": "a.wav"\#(more)}"#, #"{"id": "norm", "unit": "normalizer"}"#,
            #"{"id": "out", "unit": "genericOutput"}"#,
          ], ["in -> norm", "norm -> out"]), folder: folder.path + "/")
    }
    let (found, report) = try OfflineRenderer(graph()).renderToMemory()
    #expect(found == sound)
    #expect(report.levelsNotSet.count == 1 && report.levelsNotSet[0].name == "norm")
    #expect(report.levelsNotSet[0].reason.contains(words))
    var broken = noise(2, frames: 60_000, seed: 9)
    broken[1][5000] = .nan
    try writeSound(folder.file("a.wav"), broken, encoding: .float32)
    let kept = try OfflineRenderer(graph(#", "nonfinite": "keep""#)).renderToMemory().report
    #expect(kept.levelsNotSet.map(\.reason) == ["it has samples that are NaN or infinite"])
    #expect(kept.firstNonFiniteNode == "in" && kept.nonFiniteSamples.count == 1)
  }
}

// The three mixed graphs that every law about whole graphs is tried on, and how a graph is rendered here.

import AudioCore
import AudioEngine
import BuiltInUnits
import HandOver
import RenderGraph
import SampleRate
import Testing
import TestSupport

/// A graph of files, rate conversions, equalizers, mixers and ramps.
struct MixedGraph: Sendable, CustomTestStringConvertible {
  let name: String
  let make: @Sendable () throws -> Graph
  var testDescription: String { name }

  /// Frames that a test renders of it.
  static let frames = 6000
  static let all: [MixedGraph] = [session, fanOut, manyBranches, severalOutputs]

  /// Files with loops and rate conversions, into mixers of mixers, with ramps and every kind of effect.
  static let session = MixedGraph(name: "loops, conversions, submixes and ramps") {
    let graph = Graph(sampleRate: 44_100)
    let drums = try graph.add(try player("drums.flac", region: 2000..<3500, loops: 2), as: "drums")
    let tabla = try graph.add(try player("tabla-48000.flac", region: 0..<2000, loops: -1, start: 321), as: "tabla")
    let crow = try graph.add(try player("crow-22050.flac", quality: .fast), as: "crow")
    let piano = try graph.add(try player("piano.flac", start: 100), as: "piano")
    let drumsTone = try graph.add(try NBandEQ(bands, globalGainDecibels: -2), as: "drumsTone")
    try drumsTone.setTimeline(.through((0, 300), (5000, 3000)), for: NBandEQ.address(.frequency, band: 1))
    try drumsTone.setTimeline(.through((1003, -9), (4099, 9)), for: NBandEQ.address(.gain, band: 1))
    let crowTone = try graph.add(IPodEQ(preset: 17), as: "crowTone")
    let pianoTone = try graph.add(IPodEQ(preset: 3), as: "pianoTone")
    let low = try graph.add(LowPassFilter(), as: "low")
    let submix = try graph.add(MultichannelMixer(inputs: 2), as: "submix")
    let inner = try graph.add(MultichannelMixer(inputs: 3), as: "inner")
    let narrow = try graph.add(FormatConverterUnit(), as: "narrow")
    try graph.setOutputFormat(
      Graph.WantedFormat(sampleRate: 32_000, encoding: .int16, isInterleaved: true), of: narrow)
    narrow.options.ditherSeed = 5
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    let master = try graph.add(try NBandEQ(bands, globalGainDecibels: 1), as: "master")
    let out = try graph.add(GenericOutput(), as: "out")
    try graph.connect(drums, to: drumsTone)
    try graph.connect(drumsTone, to: mix, input: 0)
    try graph.connect(crow, to: crowTone)
    try graph.connect(tabla, to: submix, input: 0)
    try graph.connect(crowTone, to: submix, input: 1)
    try graph.connect(submix, to: inner, input: 0)
    try graph.connect(piano, to: pianoTone)
    try graph.connect(pianoTone, to: low)
    try graph.connect(low, to: inner, input: 2)
    try graph.connect(inner, to: narrow)
    try graph.connect(narrow, to: mix, input: 2)
    try graph.connect(mix, to: master)
    try graph.connect(master, to: out)
    try submix.setTimeline(.through((0, -1), (4001, 1)), for: mixerParameter(.pan, input: 1))
    try inner.setTimeline(.through((777, 0.2), (3333, 1.1), (5000, 0)), for: mixerParameter(.volume, input: 2))
    try mix.setVolume(0.7, input: 2)
    try mix.setPan(-0.3, input: 0)
    try mix.setTimeline(
      .through((2000, 1), (2000, 0), (2500, 0), (2500, 1)), for: mixerParameter(.enable, input: 0))
    return graph
  }

  /// One file into two equalizers and straight on, and one equalizer into two mixers.
  static let fanOut = MixedGraph(name: "nodes that feed several others") {
    let graph = Graph(sampleRate: 48_000, maximumFramesPerSlice: 4096)
    let piano = try graph.add(try player("piano.flac", quality: .fast), as: "piano")
    let bright = try graph.add(IPodEQ(preset: 20), as: "bright")
    let dark = try graph.add(try NBandEQ(bands), as: "dark")
    let left = try graph.add(MultichannelMixer(inputs: 2), as: "left")
    let right = try graph.add(MultichannelMixer(inputs: 3), as: "right")
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    let out = try graph.add(GenericOutput(), as: "out")
    try graph.connect(piano, to: bright)
    try graph.connect(piano, to: dark)
    try graph.connect(piano, to: mix, input: 2)
    try graph.connect(bright, to: left, input: 0)
    try graph.connect(dark, to: left, input: 1)
    try graph.connect(dark, to: right, input: 0)
    try graph.connect(left, to: right, input: 2)
    try graph.connect(left, to: mix, input: 0)
    try graph.connect(right, to: mix, input: 1)
    try graph.connect(mix, to: out)
    try right.setVolume(-0.4, input: 2)
    try left.setTimeline(.through((0, 1), (5555, 0.25)), for: mixerParameter(.volume, input: 1))
    try mix.setTimeline(.through((10, -1), (3000, 1)), for: mixerParameter(.pan, input: 1))
    return graph
  }

  /// Splitters between branches, and a matrix mixer whose outputs go different ways to the mix.
  static let severalOutputs = MixedGraph(name: "units of several outputs") {
    let graph = Graph(sampleRate: 44_100)
    let piano = try graph.add(try player("piano.flac", quality: .fast), as: "piano")
    let drums = try graph.add(try player("drums.flac", quality: .fast), as: "drums")
    let splitter = try graph.add(Splitter(), as: "splitter")
    let many = try graph.add(MultiSplitter(outputs: 3), as: "many")
    let dark = try graph.add(try NBandEQ(bands), as: "dark")
    let bright = try graph.add(IPodEQ(preset: 20), as: "bright")
    let matrix = try graph.add(MatrixMixer(inputs: 3, outputs: 2), as: "matrix")
    let low = try graph.add(LowPassFilter(), as: "low")
    let high = try graph.add(HighPassFilter(), as: "high")
    let mix = try graph.add(MultichannelMixer(inputs: 4), as: "mix")
    let out = try graph.add(GenericOutput(), as: "out")
    try graph.connect(piano, to: splitter)
    try graph.connect(splitter, output: 0, to: dark)
    try graph.connect(splitter, output: 1, to: bright)
    try graph.connect(drums, to: many)
    try graph.connect(dark, to: matrix, input: 0)
    try graph.connect(bright, to: matrix, input: 1)
    try graph.connect(many, output: 2, to: matrix, input: 2)
    try graph.connect(matrix, output: 0, to: low)
    try graph.connect(matrix, output: 1, to: high)
    try graph.connect(low, to: mix, input: 0)
    try graph.connect(high, to: mix, input: 1)
    try graph.connect(many, output: 0, to: mix, input: 2)
    try graph.connect(matrix, output: 1, to: mix, input: 3)
    try graph.connect(mix, to: out)
    try matrix.setMatrixLevels((0..<7 * 5).map { Float(($0 * 37) % 23) / 20 - 0.4 })
    try matrix.setTimeline(.through((100, 0), (4001, 1)), for: MatrixMixer.crosspointAddress(input: 4, output: 3))
    try mix.setPan(0.3, input: 2)
    return graph
  }

  /// Forty files, each equalized, of three rates.
  static let manyBranches = MixedGraph(name: "forty branches") {
    let graph = Graph(sampleRate: 44_100)
    let mix = try graph.add(MultichannelMixer(inputs: 40), as: "mix")
    let out = try graph.add(GenericOutput(), as: "out")
    let files = ["drums.flac", "bass.flac", "tabla-48000.flac", "tabla.flac", "crow-22050.flac"]
    for branch in 0..<40 {
      let source = try graph.add(
        try player(files[branch % files.count], start: Int64(branch * 13), quality: .linear), as: "file\(branch)")
      let tone = try graph.add(
        try NBandEQ(
          [NBandEQ.Band(.parametric, frequencyHertz: 100 * Float(branch + 1), bandwidthOctaves: 1, gainDecibels: 4)]),
        as: "tone\(branch)")
      try graph.connect(source, to: tone)
      try graph.connect(tone, to: mix, input: branch)
      try mix.setVolume(0.05 + Float(branch) / 200, input: branch)
      try mix.setPan(Float(branch) / 20 - 1, input: branch)
    }
    try mix.setTimeline(.through((0, 0), (2000, 0.3), (4000, 0)), for: mixerParameter(.volume, input: 7))
    try graph.connect(mix, to: out)
    return graph
  }

  private static let bands = [
    NBandEQ.Band(.lowShelf, frequencyHertz: 150, gainDecibels: 3),
    NBandEQ.Band(.parametric, frequencyHertz: 1200, bandwidthOctaves: 1, gainDecibels: -5),
    NBandEQ.Band(.highShelf, frequencyHertz: 7000, gainDecibels: 2),
  ]
}

private func player(
  _ file: String, region: Range<Int64>? = nil, loops: Int = 0, start: Int64 = 0,
  quality: RateConversionQuality = .standard
) throws -> FilePlayer {
  let player = try FilePlayer(Fixtures.path("audio/" + file))
  player.region = region
  player.loops = loops
  player.startFrame = start
  player.quality = quality
  return player
}

func mixerParameter(_ parameter: MultichannelMixer.Parameter, input bus: Int) -> ParameterAddress {
  ParameterAddress(parameter.rawValue, scope: .input, element: bus)
}

extension ParameterTimeline {
  /// A timeline that a test knows to be right.
  static func through(_ points: (Int64, Float)...) -> ParameterTimeline {
    guard let timeline = ParameterTimeline(points.map { Point(frame: $0.0, value: $0.1) }) else {
      preconditionFailure("points in order of time")
    }
    return timeline
  }
}

// MARK: Rendering

extension GraphRenderer {
  /// The bytes of every buffer of the output, for `total` frames from `start` on.
  func rendered(
    total: Int, from start: Int64 = 0, in partition: Partition = .reference
  ) throws -> [[UInt8]] {
    let format = presentPlan.headFormat
    var bytes = [[UInt8]](repeating: [], count: format.bufferCount)
    var at = 0
    for length in partition.lengths(total: total) {
      prefetch(sampleTime: start + Int64(at), frames: length)
      var delivered = 0
      try render(sampleTime: start + Int64(at), frames: length) { bus, offset, frames in
        precondition(offset == delivered, "steps follow one another")
        delivered += frames
        for index in 0..<bus.count {
          bytes[index] += UnsafeRawBufferPointer(start: bus.buffers[index], count: frames * format.bytesPerFrame)
        }
      }
      #expect(delivered == length)
      at += length
    }
    return bytes
  }

  /// The samples of a Float32 output with a buffer per channel.
  func renderedSignal(total: Int, from start: Int64 = 0, in partition: Partition = .reference) throws -> [[Float]] {
    precondition(presentPlan.headFormat.isFloatPlanar)
    return try rendered(total: total, from: start, in: partition).map { bytes in
      bytes.withUnsafeBytes { raw in
        (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      }
    }
  }
}

extension Graph {
  /// A renderer of what the graph is now. Threads get work however little it is, so that tests see what they do.
  func renderer(threads: Int = 1, rule: HandOverRule = .always) throws -> GraphRenderer {
    GraphRenderer(try compile(parallel: threads > 1), threads: threads, rule: rule)
  }
}

import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import RenderGraph
import Testing
import TestSupport

/// Graphs of callbacks against closed forms. The law of the mixer stands at MultichannelMixer, that of pan in
/// PanLaw.swift.
@Suite struct GraphRendererSumTests {
  static let total = 3000

  @Test("a mixer of mixers is the sum of products, exactly where they are exact in Float32", arguments: [1, 2, 3])
  func sums(threads: Int) throws {
    let graph = Graph(sampleRate: 48_000)
    let sources = (0..<5).map { seed in FunctionSource(mayRunBesideOthers: true, steps(Int64(seed))) }
    let inner = try graph.add(MultichannelMixer(inputs: 3), as: "inner")
    let outer = try graph.add(MultichannelMixer(inputs: 3), as: "outer")
    let out = try graph.add(GenericOutput(), as: "out")
    for (index, source) in sources.enumerated() {
      let unit = try graph.addSource(source, as: "source\(index)")
      try graph.connect(unit, to: index < 3 ? inner : outer, input: index < 3 ? index : index - 2)
    }
    try graph.connect(inner, to: outer, input: 0)
    try graph.connect(outer, to: out)
    for (bus, volume) in [0.5, -0.25, 2].enumerated() { try inner.setVolume(Float(volume), input: bus) }
    try inner.setOutputVolume(0.5)
    for (bus, volume) in [0.5, 1, 0.125].enumerated() { try outer.setVolume(Float(volume), input: bus) }
    try outer.setPan(-0.5, input: 1)
    try outer.setPan(0.75, input: 2)
    let signal = try graph.renderer(threads: threads).renderedSignal(total: Self.total, in: .slices(of: 333))
    #expect(signal.count == 2 && signal[0].count == Self.total)
    // Balance: left 1 for p <= 0, else 1 - p; right 1 for p >= 0, else 1 + p.
    let balance: [[Double]] = [[1, 0.25], [0.5, 1]]
    var sound: Double = 0
    for channel in 0..<2 {
      for frame in 0..<Self.total {
        func source(_ index: Int) -> Double { Double(steps(Int64(index))(Int64(frame), channel)) }
        let low = 0.5 * (0.5 * source(0) - 0.25 * source(1) + 2 * source(2))
        let expected = 0.5 * low + balance[channel][0] * source(3) + 0.125 * balance[channel][1] * source(4)
        #expect(Double(signal[channel][frame]) == expected, "channel \(channel), frame \(frame)")
        sound += abs(expected)
      }
    }
    #expect(sound > 100)
  }

  @Test("a mono input is panned with equal power: cos and sin of π/4 · (1 + p)", arguments: [-1, -0.3, 0, 0.5, 1])
  func pan(position: Float) throws {
    let graph = Graph(sampleRate: 48_000)
    let source = try graph.addSource(FunctionSource(steps(1)), as: "source", channels: 1)
    let mix = try graph.add(MultichannelMixer(inputs: 1), as: "mix")
    let out = try graph.add(GenericOutput(), as: "out")
    try graph.connect(source, to: mix)
    try graph.connect(mix, to: out)
    try mix.setPan(position, input: 0)
    let signal = try graph.renderer().renderedSignal(total: 1000)
    let angle = Double.pi / 4 * (1 + Double(position))
    for frame in 0..<1000 {
      let value = Double(steps(1)(Int64(frame), 0))
      // One rounding of the gain and one of the product: 2 × 2^-24, relative.
      #expect(abs(Double(signal[0][frame]) - cos(angle) * value) <= 1.3e-7)
      #expect(abs(Double(signal[1][frame]) - sin(angle) * value) <= 1.3e-7)
    }
  }

  @Test("a ramp of a volume is a straight line from point to point on every thread count", arguments: [1, 2])
  func ramp(threads: Int) throws {
    let graph = Graph(sampleRate: 48_000)
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    let out = try graph.add(GenericOutput(), as: "out")
    for bus in 0..<2 {
      let one = FunctionSource(mayRunBesideOthers: true) { _, _ in 1 }
      try graph.connect(try graph.addSource(one, as: "one\(bus)"), to: mix, input: bus)
    }
    try graph.connect(mix, to: out)
    try mix.setTimeline(.through((100, 0), (1124, 1)), for: mixerParameter(.volume, input: 0))
    try mix.setVolume(0, input: 1)
    let signal = try graph.renderer(threads: threads).renderedSignal(total: 1500, in: .slices(of: 77))
    for frame in 0..<1500 {
      let expected = min(1, max(0, Double(frame - 100) / 1024))
      #expect(abs(Double(signal[0][frame]) - expected) <= 1e-6, "frame \(frame)")
    }
  }

  @Test("a sound passes through a node of every effect that is set to do nothing, unchanged")
  func neutral() throws {
    let graph = Graph(sampleRate: 44_100)
    let source = try graph.addSource(FunctionSource(steps(4)), as: "source")
    let flat = try graph.add(IPodEQ(preset: 0), as: "flat")
    let conv = try graph.add(FormatConverterUnit(), as: "conv")
    let bypassed = try graph.add(LowPassFilter(), as: "bypassed")
    let mix = try graph.add(MultichannelMixer(inputs: 8), as: "mix")
    let out = try graph.add(GenericOutput(), as: "out")
    bypassed.setBypass(true)
    // Frames of 24 bits hold all multiples of 1/128 below full scale.
    try graph.setOutputFormat(Graph.WantedFormat(encoding: .int24, isInterleaved: true), of: conv)
    try graph.connect(source, to: flat)
    try graph.connect(flat, to: bypassed)
    try graph.connect(bypassed, to: conv)
    try graph.connect(conv, to: mix, input: 7)
    try graph.connect(mix, to: out)
    let signal = try graph.renderer().renderedSignal(total: 2000)
    for channel in 0..<2 {
      for frame in 0..<2000 { #expect(signal[channel][frame] == steps(4)(Int64(frame), channel)) }
    }
  }
}

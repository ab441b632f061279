import AudioCore
import AudioEngine
import BuiltInUnits
import DSPKernels
import Glibc
import Testing

/// Units keep values outside a range as given, so every finite value must render to
/// something finite: clamped in CookbookFilter's `Prototype`, in the pan laws, and nowhere else.
@Suite struct ExtremeParameterTests {
  static let values: [Float] = [
    0, -0.0, -1, 1e-30, -1e30, 1e30, 1e-6, 20, 22_049, 22_050, 44_100, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]

  /// Renders noise with silence after it: neither may turn into NaN, nor run away.
  private func expectFinite(_ unit: Unit, _ note: @autoclosure () -> String, limit: Float = .infinity) throws {
    let output = try renderedSignal(unit, total: 12_000, in: .slices(of: 3000))
    for channel in output {
      for sample in channel where sample.isNaN || abs(sample) > limit {
        Issue.record("\(sample) with \(note())")
        return
      }
    }
    #expect(output[0].count == 12_000)
  }

  static let filters = ComponentRegistry.builtIn.components.filter { $0.make() is SecondOrderFilter }

  @Test("the single-section filters stay finite for any pair of values", arguments: filters, values)
  func singleSections(_ component: Component, _ value: Float) throws {
    #expect(Self.filters.count == 6)
    let signal = noise(1, frames: 6000)
    for other in Self.values {
      let unit = component.make()
      for (index, row) in unit.allParameters.enumerated() {
        try unit.setParameter(row.address, to: index == 0 ? value : other)
      }
      // A boost of 120 dB on noise of 0.5, with a resonance of any height on top of it.
      try expectFinite(try fed(unit, signal), "\(component.shortName) at \(value), \(other)", limit: 1e12)
      let tail = unit.tailFrames ?? -1
      #expect((0...Int64(60 * 44_100)).contains(tail))
    }
  }

  @Test(
    "the N-band equalizer stays finite for any values of any type", arguments: NBandEQ.FilterType.allCases, values)
  func nBands(_ type: NBandEQ.FilterType, _ frequency: Float) throws {
    let signal = noise(1, frames: 6000)
    for width in Self.values {
      for gain: Float in [0, 24, -96, 1e30, -1e30] {
        let band = NBandEQ.Band(type, frequencyHertz: frequency, bandwidthOctaves: width, gainDecibels: gain)
        let unit = try fed(try NBandEQ([band]), signal)
        try expectFinite(unit, "\(type.name) at \(frequency) Hz, \(width) octaves, \(gain) dB", limit: 1e12)
      }
    }
  }

  @Test("a whole equalizer of extremes gives no NaN", arguments: [44_100.0, 8000, 192_000, 3_000_000])
  func whole(_ rate: Double) throws {
    let bands = Self.values.flatMap { value in
      NBandEQ.FilterType.allCases.prefix(3).map {
        NBandEQ.Band($0, frequencyHertz: value, bandwidthOctaves: value, gainDecibels: value)
      }
    }
    let unit = try fed(try NBandEQ(bands, globalGainDecibels: 1e30), noise(1, frames: 6000), sampleRate: rate)
    try expectFinite(unit, "a band of each value")
  }

  @Test("extreme gains of the whole equalizer silence or boost, and give no NaN")
  func globalGain() throws {
    let signal = noise(1, frames: 6000)
    for gain: Float in [1e30, -1e30, 300, -300] {
      let unit = try fed(try NBandEQ([NBandEQ.Band()], globalGainDecibels: gain), signal)
      try expectFinite(unit, "global gain \(gain)")
      unit.reset()
      let output = try renderedSignal(unit, total: 6000)[0]
      #expect(output.contains { $0 != 0 } == (gain > 0 || gain == -300))
    }
  }

  @Test("ramps between extremes stay finite")
  func ramps() throws {
    let unit = try NBandEQ([NBandEQ.Band(gainDecibels: 12)])
    try unit.setTimeline(.through((0, -1e30), (3000, 1e30), (6000, 0)), for: NBandEQ.address(.frequency, band: 0))
    try unit.setTimeline(.through((0, 1e30), (4000, -1)), for: NBandEQ.address(.bandwidth, band: 0))
    try unit.setTimeline(.through((0, -500), (5000, 500)), for: NBandEQ.address(.globalGain, band: 0))
    try expectFinite(try fed(unit, noise(1, frames: 6000)), "ramps")
  }

  @Test("a filter type outside the eleven is the nearest of them")
  func filterType() throws {
    let signal = noise(1, frames: 1000)
    func output(_ type: Float) throws -> Signal {
      let unit = try NBandEQ([NBandEQ.Band(gainDecibels: 6)])
      try unit.setParameter(NBandEQ.address(.filterType, band: 0), to: type)
      return try renderedSignal(try fed(unit, signal), total: 1000)
    }
    #expect(try output(-1e30) == output(0) && output(1e30) == output(10) && output(0) != output(10))
  }

  @Test("the mixer gives no NaN for extreme volumes, pans, matrices and outputs", arguments: values)
  func mixer(_ value: Float) throws {
    for other: Float in [0, 1, -1e30, 1e30, .greatestFiniteMagnitude] {
      let unit = MultichannelMixer(inputs: 1)
      // Silence first: an infinite gain times nothing would show.
      let signal: Signal = [[Float](repeating: 0, count: 1000) + noise(1, frames: 1000, amplitude: 0.5)[0]]
      let format = StreamFormat(sampleRate: 44_100, channelCount: 1)
      try unit.setStreamFormat(format, .input)
      try unit.setRenderCallback(Source(signal, format: format).callback, input: 0)
      try unit.setVolume(value, input: 0)
      try unit.setPan(other, input: 0)
      if other == -1e30 { try unit.setMatrixLevels([value, -value], input: 0) }
      try unit.setOutputVolume(other)
      try unit.initialize()
      let output = try renderedSignal(unit, total: 1500)
      #expect(!output.contains { $0.contains { $0.isNaN } }, "volume \(value), pan and output \(other)")
    }
  }

  /// At these rates: one that is far too low for every unit, the usual one, and the highest.
  @Test(
    "every parameter of every unit takes any finite number, and its tail stays within two minutes",
    arguments: Configuration.components, [1.0, 44_100, 3_000_000])
  func anyNumber(_ component: Component, _ rate: Double) throws {
    // What takes much memory takes long to initialize.
    let isLarge =
      component.make().elementCount(.input) > 0
      && (try? fed(component.make(), noise(frames: 600), sampleRate: rate)).map { $0.memoryBytes > 1 << 20 } ?? false
    let values = isLarge || rate > 44_100 ? [-1e30, 1e30] : Self.values
    let addresses = component.make().allParameters.filter { !$0.descriptor.isReadOnly && $0.address.element == 0 }
      .map(\.address)
    for address in addresses {
      for value in values {
        let unit = component.make()
        try unit.setParameter(address, to: value)
        guard unit.elementCount(.input) > 0, unit.elementCount(.output) > 0 else {
          // A generator, or an output unit.
          try? unit.initialize()
          continue
        }
        // A unit may refuse the rate; it must not end the process.
        guard (try? fed(unit, noise(frames: 600), sampleRate: rate)) != nil else { continue }
        let note = "\(component.shortName), parameter \(address.id) at \(value), \(rate) Hz"
        #expect((0...Int64(clamping: 120 * rate) + 65_536).contains(unit.tailFrames ?? 0), "\(note)")
        #expect(unit.latencyFrames >= 0 && unit.processorBytes >= 0, "\(note)")
        if rate <= 44_100 { _ = try? renderedSignal(unit, total: 512) }
      }
    }
  }

  @Test("within the tables' ranges nothing is clamped: Q, width and frequency at their ends")
  func rangesAreUntouched() {
    // The cookbook's own formula, for the narrowest, widest, lowest and highest that a table allows.
    for (hertz, rate, octaves) in [(10.0, 3_000_000.0, 0.05), (20, 44_100, 10), (21_000, 44_100, 10), (10, 8000, 0.05)]
    {
      let w0 = 2 * Double.pi * hertz / rate
      let alpha = sin(w0) * sinh(0.34657359027997264 * octaves * w0 / sin(w0))
      let section = CookbookFilter.bandPass(atHertz: hertz, sampleRate: rate, width: .bandwidthOctaves(octaves))
      #expect(abs(section.b0 - alpha / (1 + alpha)) <= 1e-12 * abs(section.b0))
    }
  }
}

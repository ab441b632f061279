import AudioCore
import AudioEngine
import BuiltInUnits
import DSPKernels
import Glibc
import Testing
import UnitTestSupport

/// Values far outside the ranges of the filters with one section.
@Suite struct FilterEffectExtremeTests {
  static let filters = ComponentRegistry.builtIn.components.filter { $0.make() is SecondOrderFilter }

  @Test("the single-section filters stay finite for any pair of values", arguments: filters, extremeFloats)
  func singleSections(_ component: Component, _ value: Float) throws {
    #expect(Self.filters.count == 6)
    let signal = noise(1, frames: 6000)
    for other in extremeFloats {
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

/// Renders noise with silence after it: neither may turn into NaN, nor run away.
func expectFinite(_ unit: Unit, _ note: @autoclosure () -> String, limit: Float = .infinity) throws {
  let output = try renderedSignal(unit, total: 12_000, in: .slices(of: 3000))
  for channel in output {
    for sample in channel where sample.isNaN || abs(sample) > limit {
      Issue.record("\(sample) with \(note())")
      return
    }
  }
  #expect(output[0].count == 12_000)
}

import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// Truth from outside: every filter against magnitudes that scipy computed from the cookbook's formulas.
@Suite struct FilterProcessorCurveTests {
  /// The requirement, in dB, from 20 Hz to 0.45 × rate.
  static let tolerance = 0.001

  /// Rounding each output sample to Float32 moves it by at most 2⁻²⁴ of itself, so |H| by at most 2⁻²⁴·Σ|h|: far below
  /// 0.001 dB where a filter passes, and all there is to see where it stops. That much is allowed on top, no more.
  private func check(_ curve: ReferenceCurve) throws {
    let response = try ImpulseResponse(of: try curve.makeUnit(), sampleRate: curve.sampleRate)
    let rounding = response.absoluteSum * 0x1p-24
    #expect(curve.hertz.count == 25 && curve.decibels.count == 25)
    for (hertz, decibels) in zip(curve.hertz, curve.decibels) {
      #expect(hertz >= 20 && hertz <= 0.45 * curve.sampleRate + 1e-6)
      let measured = response.magnitude(atHertz: hertz, sampleRate: curve.sampleRate)
      if decibels == -.infinity {
        #expect(measured <= 1e-7 + rounding, "\(hertz) Hz: \(20 * log10(measured)) dB in place of nothing")
        continue
      }
      let expected = pow(10, decibels / 20)
      let allowed = expected * (pow(10, Self.tolerance / 20) - 1) + rounding
      #expect(
        abs(measured - expected) <= allowed, "\(hertz) Hz: \(20 * log10(measured)) dB in place of \(decibels) dB")
      if decibels > -40 {
        #expect(abs(20 * log10(measured) - decibels) <= Self.tolerance, "\(hertz) Hz")
      }
    }
  }

  @Test("every type, unit, rate and corner is among the rows")
  func coverage() {
    let rows = ReferenceCurve.equalizers
    #expect(rows.count == 566)
    #expect(Set(rows.map(\.sampleRate)) == [8000, 44_100, 48_000, 96_000, 192_000])
    #expect(Set(rows.filter { $0.unit == "nBandEQ" }.map(\.type)) == Set(NBandEQ.FilterType.allCases.map(\.name)))
    let filters = ComponentRegistry.builtIn.components.map { $0.make() }.filter {
      // Several sections in series: `GraphicEQTests` and `MultibandFilterTests` hold them to what they are made of.
      $0 is FilterEffect && !($0 is GraphicEQ) && !($0 is MultibandFilter)
    }
    #expect(Set(rows.map(\.unit)) == Set(filters.map(\.component.shortName)))
    let presets = ReferenceCurve.iPodPresets
    #expect(Set(presets.map(\.type)) == Set(IPodEQ.presets.dropFirst().map(\.name)))
    #expect(presets.count == 22 * 5)
  }

  @Test("equalizers and filters have the cookbook's magnitude within 0.001 dB", arguments: ReferenceCurve.equalizers)
  func equalizer(_ curve: ReferenceCurve) throws { try check(curve) }

  @Test("the iPod presets have their curves within 0.001 dB", arguments: ReferenceCurve.iPodPresets)
  func preset(_ curve: ReferenceCurve) throws { try check(curve) }

  /// scipy.signal.sosfilt in float64; the unit's output is rounded to Float32, and a band's parameters are Float32.
  @Test("impulse responses are those of scipy's sosfilt", arguments: CascadeReference.all)
  func impulseResponse(_ cascade: CascadeReference) throws {
    let bands = cascade.bands
    #expect(cascade.response.count == 64 && !bands.isEmpty)
    let unit: Unit
    var share = 0x1p-24
    if let preset = IPodEQ.presets.first(where: { $0.name == cascade.name }) {
      unit = IPodEQ(preset: Int(preset.number))
    } else {
      let equalizer = try NBandEQ(bands.map(\.band))
      // A gain or a bandwidth that is no Float32 number moves a coefficient by about its own rounding.
      share = 1e-6
      let coefficients = try equalizer.property(.biquadCoefficients)
      guard case .float64s(let values) = coefficients else {
        Issue.record("coefficients come as doubles")
        return
      }
      // The coefficients at the unit's initial rate are not those of the file, but their number is.
      #expect(values.count == 5 * bands.count)
      try equalizer.setStreamFormat(StreamFormat(sampleRate: cascade.sampleRate, channelCount: 2), .output)
      guard case .float64s(let designed) = try equalizer.property(.biquadCoefficients) else { return }
      for (index, value) in designed.enumerated() {
        #expect(abs(value - bands[index / 5].coefficients[index % 5]) < 1e-6)
      }
      unit = equalizer
    }
    let ready = try fed(unit, impulse(), sampleRate: cascade.sampleRate)
    let samples = try renderedSignal(ready, total: 64, in: .slices(of: 64))[0]
    let largest = cascade.response.map { abs($0) }.max() ?? 0
    for (index, expected) in cascade.response.enumerated() {
      let error = abs(Double(samples[index]) - expected)
      #expect(error <= share * max(abs(expected), share == 0x1p-24 ? 0 : largest) + 1e-12 * largest, "sample \(index)")
    }
  }
}

/// One cascade of filter-response.tsv.
struct CascadeReference: Sendable, CustomTestStringConvertible {
  var name = ""
  var sampleRate = 0.0
  var bands: [(band: NBandEQ.Band, coefficients: [Double])] = []
  var response: [Double] = []
  var testDescription: String { name }

  static let all: [CascadeReference] = {
    var cascades: [CascadeReference] = []
    for fields in ReferenceFile.rows("filter-response.tsv") {
      let numbers = fields.dropFirst().compactMap(Double.init)
      switch fields[0] {
      case "cascade": cascades.append(CascadeReference(name: fields[1], sampleRate: Double(fields[2]) ?? .nan))
      case "band":
        guard let type = NBandEQ.FilterType(name: fields[1]) else { preconditionFailure("type \(fields[1])") }
        let values = fields.dropFirst(2).map { Double($0) ?? 0 }
        let band = NBandEQ.Band(
          type, frequencyHertz: Float(values[0]), bandwidthOctaves: Float(values[1]), gainDecibels: Float(values[2]))
        cascades[cascades.count - 1].bands.append((band, Array(values[3...])))
      default: cascades[cascades.count - 1].response = numbers
      }
    }
    precondition(cascades.count == 3, "three cascades are in the file")
    return cascades
  }()
}

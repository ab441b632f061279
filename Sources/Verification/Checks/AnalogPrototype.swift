import AudioUnits
import BatchRender
import Glibc
import Spectrum

/// The magnitude of the equalizers in closed form, by another way than the units take: the analogue prototypes of the Audio
/// EQ Cookbook at s = i·tan(ω/2)/tan(ω₀/2), which the bilinear transform makes of z = e^(iω). No coefficients are made.
package struct AnalogPrototype {
  private enum Shape {
    case lowPass, highPass, bandPass, notch
    case peaking(gainDecibels: Double)
    case lowShelf(gainDecibels: Double)
    case highShelf(gainDecibels: Double)
  }

  private struct Section {
    let shape: Shape
    let hertz: Double
    /// 1/Q.
    let damping: Double
  }

  private var sections: [Section] = []
  private var gainDecibels = 0.0
  private let sampleRate: Double

  /// The prototype of a unit as a graph file writes its node; nil for a unit that has no closed form here, and for one
  /// that moves.
  package init?(node: JSONValue, sampleRate: Double) {
    guard case .object(let object) = node, case .string(let unit)? = object["unit"], object["ramp"] == nil else {
      return nil
    }
    self.sampleRate = sampleRate
    var settings: [String: Double] = [:]
    if case .object(let written)? = object["set"] {
      for (key, value) in written {
        guard case .number(let number) = value else { return nil }
        settings[String(key.prefix { $0 != "@" })] = Double(Float(number))
      }
    }
    if object["bypass"] == .bool(true) { return }
    func value(_ name: String, _ initial: Double) -> Double { settings[name] ?? initial }
    switch unit {
    case "lowPassFilter":
      add(.lowPass, value("cutoffFrequency", 6900), damping: pow(10, -value("resonance", 0) / 20))
    case "highPassFilter":
      add(.highPass, value("cutoffFrequency", 6900), damping: pow(10, -value("resonance", 0) / 20))
    case "bandPassFilter":
      add(.bandPass, value("centerFrequency", 5000), octaves: value("bandwidth", 600) / 1200)
    case "lowShelfFilter":
      add(.lowShelf(gainDecibels: value("gain", 0)), value("cutoffFrequency", 80), damping: 2.squareRoot())
    case "highShelfFilter":
      add(.highShelf(gainDecibels: value("gain", 0)), value("cutoffFrequency", 10_000), damping: 2.squareRoot())
    case "parametricEQ":
      add(
        .peaking(gainDecibels: value("gain", 0)), value("centerFrequency", 2000), damping: 1 / value("q", 1))
    case "iPodEQ":
      guard let number = Self.preset(object["preset"]) else { return nil }
      for band in IPodEQ.bands(ofPreset: number) where band.centreHertz < 0.45 * sampleRate {
        add(.peaking(gainDecibels: band.gainDecibels), band.centreHertz, octaves: 1)
      }
    case "nBandEQ":
      if case .number(let gain)? = object["globalGain"] { gainDecibels = gain }
      guard case .array(let bands)? = object["bands"] else { return nil }
      for band in bands { guard addBand(band) else { return nil } }
    default: return nil
    }
  }

  private static func preset(_ value: JSONValue?) -> Int? {
    switch value {
    case nil: 0
    case .string(let name): IPodEQ.presets.first { $0.name == name }.map { Int($0.number) }
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }

  private mutating func addBand(_ value: JSONValue) -> Bool {
    guard case .object(let band) = value else { return false }
    func number(_ key: String, _ initial: Double) -> Double {
      if case .number(let number)? = band[key] { return Double(Float(number)) }
      return initial
    }
    if band["bypass"] == .bool(true) { return true }
    var type = "parametric"
    if case .string(let name)? = band["type"] { type = name }
    let (hertz, octaves, gain) = (number("frequency", 1000), number("bandwidth", 0.5), number("gain", 0))
    // A width in octaves that is not bent by the transform: 1/Q = 2·sinh(ln 2/2 · B).
    let resonance = 2 * sinh(M_LN2 / 2 * octaves)
    switch type {
    case "parametric": add(.peaking(gainDecibels: gain), hertz, octaves: octaves)
    case "lowPass": add(.lowPass, hertz, damping: 2.squareRoot())
    case "highPass": add(.highPass, hertz, damping: 2.squareRoot())
    case "resonantLowPass": add(.lowPass, hertz, damping: resonance)
    case "resonantHighPass": add(.highPass, hertz, damping: resonance)
    case "bandPass": add(.bandPass, hertz, octaves: octaves)
    case "bandStop": add(.notch, hertz, octaves: octaves)
    case "lowShelf": add(.lowShelf(gainDecibels: gain), hertz, damping: 2.squareRoot())
    case "highShelf": add(.highShelf(gainDecibels: gain), hertz, damping: 2.squareRoot())
    case "resonantLowShelf": add(.lowShelf(gainDecibels: gain), hertz, damping: resonance)
    case "resonantHighShelf": add(.highShelf(gainDecibels: gain), hertz, damping: resonance)
    default: return false
    }
    return true
  }

  private mutating func add(_ shape: Shape, _ hertz: Double, damping: Double) {
    sections.append(Section(shape: shape, hertz: min(hertz, 0.49 * sampleRate), damping: damping))
  }

  /// A width between half-gain points in octaves, kept by the transform: 1/Q = 2·sinh(ln 2/2 · B · ω₀/sin ω₀).
  private mutating func add(_ shape: Shape, _ hertz: Double, octaves: Double) {
    let omega = 2 * Double.pi * min(hertz, 0.49 * sampleRate) / sampleRate
    add(shape, hertz, damping: 2 * sinh(M_LN2 / 2 * octaves * omega / sin(omega)))
  }

  /// The magnitude in dB; nil above half the rate.
  package func magnitudeDecibels(atHertz hertz: Double) -> Double? {
    guard hertz > 0, hertz < sampleRate / 2 else { return nil }
    var decibels = gainDecibels
    for section in sections {
      let x = tan(.pi * hertz / sampleRate) / tan(.pi * section.hertz / sampleRate)
      // s = i·x, s² = −x².
      let (s, squared) = (Complex(0, x), -x * x)
      let plain = Complex(1 + squared) + s * section.damping
      let ratio: Complex
      switch section.shape {
      case .lowPass: ratio = Complex(1) / plain
      case .highPass: ratio = Complex(squared) / plain
      case .bandPass: ratio = s * section.damping / plain
      case .notch: ratio = Complex(1 + squared) / plain
      case .peaking(let gain):
        let a = pow(10, gain / 40)
        ratio =
          (Complex(1 + squared) + s * (section.damping * a)) / (Complex(1 + squared) + s * (section.damping / a))
      case .lowShelf(let gain):
        let a = pow(10, gain / 40)
        let middle = s * (a.squareRoot() * section.damping)
        ratio = (Complex(a + squared) + middle) * a / (Complex(1 + a * squared) + middle)
      case .highShelf(let gain):
        let a = pow(10, gain / 40)
        let middle = s * (a.squareRoot() * section.damping)
        ratio = (Complex(1 + a * squared) + middle) * a / (Complex(a + squared) + middle)
      }
      decibels += 20 * log10(ratio.magnitude)
    }
    return decibels
  }
}

import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// Precision: what a unit puts out in Float32 against a second-order section written here, in Double and another form.
@Suite struct FilterProcessorResidualTests {
  enum Stimulus: String, CaseIterable, Sendable { case noise, sine }

  struct Case: Sendable, CustomTestStringConvertible {
    let type: NBandEQ.FilterType
    let hertz: Double
    let sampleRate: Double
    let stimulus: Stimulus
    var testDescription: String {
      "\(type.name), \(Int(clamping: hertz)) Hz at \(Int(clamping: sampleRate)) Hz, \(stimulus)"
    }
  }

  /// The corners of the requirement, the worst of them a band at 20 Hz at 192 kHz.
  static let cases: [Case] = NBandEQ.FilterType.allCases.flatMap { type in
    [(20.0, 192_000.0), (20, 44_100), (1000, 48_000), (15_000, 44_100)].flatMap { hertz, rate in
      Stimulus.allCases.map { Case(type: type, hertz: hertz, sampleRate: rate, stimulus: $0) }
    }
  }

  @Test("the residual against a Double reference is below −140 dB", arguments: cases)
  func residual(_ test: Case) throws {
    let frames = 40_000
    // The sine lies where every type lets it pass.
    let signal =
      test.stimulus == .noise
      ? noise(1, frames: frames, amplitude: 0.9)
      : [sine(hertz: test.hertz * (test.type == .bandStop ? 1.6 : 1), sampleRate: test.sampleRate, frames: frames)]
    let bandwidth = 0.5
    let gain = 9.0
    let unit = try fed(
      try NBandEQ([
        NBandEQ.Band(
          test.type, frequencyHertz: Float(test.hertz), bandwidthOctaves: Float(bandwidth), gainDecibels: Float(gain))
      ]), signal, sampleRate: test.sampleRate)
    let output = try renderedSignal(unit, total: frames, in: .slices(of: 4096))[0]
    var reference = DirectFormOne(
      test.type, hertz: test.hertz, sampleRate: test.sampleRate, octaves: bandwidth, gainDecibels: gain)
    var (signalPower, residualPower) = (0.0, 0.0)
    for frame in 0..<frames {
      let expected = reference.next(Double(signal[0][frame]))
      let difference = Double(output[frame]) - expected
      signalPower += expected * expected
      residualPower += difference * difference
    }
    #expect(signalPower > 1e-9, "the filter lets nothing pass, so nothing is measured")
    let decibels = 10 * log10(residualPower / signalPower)
    #expect(decibels < -140, "\(decibels) dB")
  }
}

/// A second-order section as the Audio EQ Cookbook prints it, in direct form I and Double: other arithmetic than the
/// unit's, so that an error of one is not an error of both.
struct DirectFormOne {
  private var b: (Double, Double, Double)
  private var a: (Double, Double)
  private var x: (Double, Double) = (0, 0)
  private var y: (Double, Double) = (0, 0)

  /// Width by type as NBandEQ.swift defines it.
  init(_ type: NBandEQ.FilterType, hertz: Double, sampleRate: Double, octaves: Double, gainDecibels: Double) {
    let w0 = 2 * Double.pi * hertz / sampleRate
    let (cosine, sine) = (cos(w0), sin(w0))
    let amplitude = pow(10, gainDecibels / 40)
    let q = 1 / (2 * sinh(log(2) / 2 * octaves))
    let alpha =
      switch type {
      case .parametric, .bandPass, .bandStop: sine * sinh(log(2) / 2 * octaves * w0 / sine)
      case .lowPass, .highPass, .lowShelf, .highShelf: sine / 2.0.squareRoot()
      case .resonantLowPass, .resonantHighPass, .resonantLowShelf, .resonantHighShelf: sine / (2 * q)
      }
    var (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    // 1 − cos w0 is taken from the half angle: as printed it keeps nine digits at 20 Hz and 192 kHz.
    let versine = 2 * sin(w0 / 2) * sin(w0 / 2)
    switch type {
    case .parametric:
      b = (1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude)
      (a0, a2) = (1 + alpha / amplitude, 1 - alpha / amplitude)
    case .lowPass, .resonantLowPass: b = (versine / 2, versine, versine / 2)
    case .highPass, .resonantHighPass: b = ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
    case .bandPass: b = (alpha, 0, -alpha)
    case .bandStop: b = (1, -2 * cosine, 1)
    case .lowShelf, .resonantLowShelf:
      let slope = 2 * amplitude.squareRoot() * alpha
      let (up, down) = (amplitude + 1, amplitude - 1)
      b = (
        amplitude * (up - down * cosine + slope), 2 * amplitude * (down - up * cosine),
        amplitude * (up - down * cosine - slope)
      )
      (a0, a1, a2) = (up + down * cosine + slope, -2 * (down + up * cosine), up + down * cosine - slope)
    case .highShelf, .resonantHighShelf:
      let slope = 2 * amplitude.squareRoot() * alpha
      let (up, down) = (amplitude + 1, amplitude - 1)
      b = (
        amplitude * (up + down * cosine + slope), -2 * amplitude * (down + up * cosine),
        amplitude * (up + down * cosine - slope)
      )
      (a0, a1, a2) = (up - down * cosine + slope, 2 * (down - up * cosine), up - down * cosine - slope)
    }
    b = (b.0 / a0, b.1 / a0, b.2 / a0)
    a = (a1 / a0, a2 / a0)
  }

  mutating func next(_ input: Double) -> Double {
    let output = b.0 * input + b.1 * x.0 + b.2 * x.1 - a.0 * y.0 - a.1 * y.1
    x = (input, x.0)
    y = (output, y.0)
    return output
  }
}

import AudioCore
import Glibc
import Spectrum

/// The course of a tone within a stretch: its level and phase in parts of it, one beside the other and half a part
/// apart, each a spectrum of its own.
struct ToneCourse: Sendable {
  /// The largest difference of a part from the mean of all, relative to that, as complex amplitudes.
  let change: Double
  /// The change that noise and rounding explain.
  let floor: Double
  /// The levels of all parts, decibels less the level of the mean.
  let levels: ClosedRange<Double>
  /// True when the tone moves, and does so less at the end than at the beginning.
  let settles: Bool

  static let partCount = 8

  /// Parts of segments of one length.
  struct Parts {
    let transform: WindowedSpectrum.Transform
    init(frames: Int) { transform = WindowedSpectrum.Transform(length: max(1024, frames / ToneCourse.partCount)) }
  }

  /// - Parameters:
  ///   - hertz: the frequency with which the tone came back.
  ///   - others: frequencies of what else is played, hertz.
  ///   - rounding: the deviation of an amplitude by rounding, in so many frames.
  init(
    _ samples: ArraySlice<Double>, hertz: Double, beside others: [Double] = [], sampleRate: Double,
    rounding: (_ part: ArraySlice<Double>) -> Double, _ parts: Parts
  ) {
    let length = parts.transform.length
    var amplitudes: [Complex] = []
    var noise = 0.0
    let multiples = (0...max(1, Int(clamping: sampleRate / 2 / hertz))).map { Double($0) * hertz }
    for start in stride(from: 0, through: samples.count - length, by: length / 2) {
      let part = samples[samples.startIndex + start..<samples.startIndex + start + length]
      let spectrum = parts.transform.spectrum(part, sampleRate: sampleRate)
      let turn = hertz * Double(start) / sampleRate
      amplitudes.append(
        spectrum.amplitude(at: hertz) * Complex(magnitude: 1, phase: -2 * .pi * (turn - turn.rounded(.down))))
      let around = spectrum.noiseAmplitude(at: hertz, excluding: spectrum.lobes(of: multiples + others))
      noise = max(noise, around, rounding(part))
    }
    // A frequency that is read a little amiss turns all parts alike: that is no change.
    let spin = Self.spin(amplitudes)
    amplitudes = amplitudes.enumerated().map { part, value in
      value * Complex(magnitude: 1, phase: -spin * Double(part))
    }
    let sum = amplitudes.reduce(Complex(0)) { $0 + $1 }
    let mean = amplitudes.isEmpty ? Complex(0) : sum * (1 / Double(amplitudes.count))
    let size = max(mean.magnitude, 1e-300)
    change = amplitudes.reduce(0) { max($0, ($1 - mean).magnitude) } / size
    // The largest of fifteen; and the window's side lobes.
    floor = 4 * noise / size + 4e-9
    let last = amplitudes.last ?? mean
    func move(_ part: ArraySlice<Complex>) -> Double { part.reduce(0) { max($0, ($1 - last).magnitude) } / size }
    let half = amplitudes.count / 2
    settles = change > floor && move(amplitudes[..<half]) > 2 * move(amplitudes[half...])
    let decibels = amplitudes.map { Decibels.of(amplitude: $0.magnitude / size) }
    levels = (decibels.min() ?? 0)...(decibels.max() ?? 0)
  }

  /// Radians by which the phase goes on from part to part, on average.
  private static func spin(_ amplitudes: [Complex]) -> Double {
    guard amplitudes.count > 2 else { return 0 }
    var phases = [amplitudes[0].phase]
    for value in amplitudes.dropFirst() {
      let last = phases[phases.count - 1]
      phases.append(last + (value.phase - last).remainder(dividingBy: 2 * Double.pi))
    }
    let middle = Double(phases.count - 1) / 2
    var (moment, square) = (0.0, 0.0)
    for (part, phase) in phases.enumerated() {
      let place = Double(part) - middle
      moment += place * phase
      square += place * place
    }
    return moment / square
  }

  /// True when the tone moves by more than noise explains.
  var moves: Bool { change > floor }

  /// By how much its level moves, for a remark.
  var text: String {
    let span = levels.upperBound - levels.lowerBound
    return
      "by \(NumberText.significant(100 * change, digits: 2)) %, its level by \(NumberText.significant(span, digits: 2)) dB"
  }
}

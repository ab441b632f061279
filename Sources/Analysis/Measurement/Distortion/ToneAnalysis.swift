import AudioCore
import Glibc
import Spectrum

/// The parts of a segment of samples with a tone of known frequency: harmonics, DC, noise.
///
/// Fundamental and harmonics are windowed projections at their exact frequencies (seven-term window, side lobes at −180
/// dB); the residual is what is left when fundamental and DC are subtracted, limited in frequency as AES17 does with
/// its 20 kHz low-pass. AES17's notch takes a band of an octave or so with it; the subtraction removes the tone alone,
/// so that noise and modulation close to it count in full.
public struct ToneAnalysis: Sendable {
  /// The fundamental or a harmonic.
  public struct Component: Hashable, Sendable {
    /// 1 is the fundamental.
    public let order: Int
    /// The order times that of the fundamental.
    public let frequencyHertz: Double
    /// Peak; full scale is 1.
    public let amplitude: Double
    /// Radians, of a sine, at the first sample.
    public let phase: Double
    /// The deviation that the noise around it adds to its amplitude, as of a complex value.
    public let noise: Double
    /// The deviation of the amplitude by rounding, which repeats with the tone and so falls on its frequency.
    public let rounding: Double

    /// The deviation of the amplitude: half of the noise's power changes its phase only.
    var deviation: Double { max(noise / 2.0.squareRoot(), rounding) }
    /// The size that noise or rounding alone may have.
    var spread: Double { max(noise, rounding) }
    /// The largest amplitude to expect of noise alone, which exceeds it once in eight thousand times.
    public var floor: Double { 3 * spread }
    /// True when noise or rounding alone could have made it.
    public var isBelowFloor: Bool { amplitude <= floor }
    /// The uncertainty of the amplitude, as ``Reading/uncertainty``.
    public var uncertainty: Double { Uncertainty.coverageFactor * deviation }
  }

  /// The band of the residual, and the number of harmonics.
  public struct Options: Hashable, Sendable {
    /// The band of the residual, hertz. The upper end also ends the harmonics.
    public var bandHertz: ClosedRange<Double> = 20...20_000
    /// The highest harmonic that counts; nil: all in the band.
    public var highestHarmonic: Int?
    /// The amplitude that rounding to the device's sample format leaves at a harmonic: see ``RoundingLines``.
    var roundingAmplitude = 0.0
    /// The device's clock over that of its input: the tone comes back at its frequency times this, or near it.
    var clockRatio = 1.0
    /// 20 Hz to 20 kHz, and all harmonics within that.
    public init() {}
  }

  /// The tone itself, at the frequency with which it came back.
  public let fundamental: Component
  /// From the second on, as far as the band goes.
  public let harmonics: [Component]
  /// The mean.
  public let dc: Double
  /// The rms of all in the band but fundamental and DC.
  public let residualRMS: Double
  /// The same without the harmonics: noise, hum, aliases.
  public let noiseRMS: Double
  /// Lines so close to the tone that a spectrum does not show it; part of the residual.
  let close: CloseLines
  /// The rest without the tone, DC and the lines beside it.
  let residual: [Double]
  /// The amplitude that modulation may have which the segment is too short to tell from a level that settles or drifts:
  /// twice the largest change of the tone within it. 0 where the tone does not move.
  let movingAmplitude: Double
  /// The deviation of the noise's mean square.
  private let noiseDeviation: Double
  /// The scatter of the residual's mean square over that of Gaussian noise of one level: noise that comes and goes,
  /// with the tone too, has the power of fewer samples.
  let burstiness: Double
  /// The deviation of the mean by the noise.
  public let dcNoise: Double
  /// The spectrum of the residual, before the band is cut out.
  public let residualSpectrum: WindowedSpectrum
  /// The lines of the residual's spectrum.
  let residualLines: SpectrumLines

  /// - Parameters:
  ///   - samples: the steady state; 65536 or more for levels below −120 dB.
  ///   - frequencyHertz: the fundamental: above 8 ÷ the segment's duration, below half the rate.
  ///   - sampleRate: hertz.
  ///   - options: the band, and how many harmonics count.
  ///   - transform: a transform of the samples' length, if many are analysed; nil: a new one.
  public init(
    _ samples: some Collection<Double>, frequencyHertz: Double, sampleRate: Double, options: Options = Options(),
    transform: WindowedSpectrum.Transform? = nil
  ) {
    let transform = transform ?? WindowedSpectrum.Transform(length: samples.count)
    var rest = Array(samples)
    precondition(rest.count == transform.length && frequencyHertz > 0 && frequencyHertz < sampleRate / 2)
    let whole = transform.spectrum(rest, sampleRate: sampleRate)
    let expected = min(frequencyHertz * options.clockRatio, 0.499 * sampleRate)
    let close = CloseLines(whole, hertz: expected)
    self.close = close
    for line in close.lines { Self.subtract(line, from: &rest, sampleRate: sampleRate) }
    let frequencyHertz = close.tone.hertz
    // Twice, as the first pass leaves what the window lets pass of one into the other.
    var (dc, cosine, sine) = (0.0, 0.0, 0.0)
    for _ in 0..<2 {
      let found = Self.projections(rest, frequencyHertz, sampleRate, transform)
      rest.withUnsafeMutableBufferPointer { rest in
        Tone.walk(frequencyHertz, phase: 0, frames: 0..<rest.count, sampleRate: sampleRate) { index, c, s in
          rest[index] -= found.dc + found.cosine * c + found.sine * s
        }
      }
      (dc, cosine, sine) = (dc + found.dc, cosine + found.cosine, sine + found.sine)
    }
    self.dc = dc
    residual = rest
    let spectrum = transform.spectrum(rest, sampleRate: sampleRate)
    residualSpectrum = spectrum
    residualLines = spectrum.lines()
    let count = Int(clamping: sampleRate / 2 / frequencyHertz)
    let harmonicLobes = spectrum.lobes(of: (0...max(1, count)).map { Double($0) * frequencyHertz })
    dcNoise = spectrum.noiseAmplitude(at: 0, excluding: harmonicLobes) / 2
    func component(_ order: Int, amplitude: Double, phase: Double, close: Double = 0) -> Component {
      let frequency = Double(order) * frequencyHertz
      return Component(
        order: order, frequencyHertz: frequency, amplitude: amplitude, phase: phase,
        noise: spectrum.noiseAmplitude(at: frequency, excluding: harmonicLobes),
        rounding: max(close, options.roundingAmplitude))
    }
    fundamental = component(
      1, amplitude: hypot(cosine, sine), phase: atan2(cosine, sine),
      close: close.lines.isEmpty ? 0 : close.tone.deviation)
    let edge = min(options.bandHertz.upperBound, sampleRate / 2 - Double(spectrum.lobeBins) * spectrum.binHertz)
    let highest = min(
      options.highestHarmonic ?? .max, max(1, Int(clamping: (edge / frequencyHertz + 1e-9).rounded(.down))))
    harmonics = (2..<max(2, highest + 1)).map { order in
      let found = spectrum.amplitude(at: Double(order) * frequencyHertz)
      return component(order, amplitude: found.magnitude, phase: atan2(found.real, -found.imaginary))
    }
    let closeSquare = close.meanSquare(in: options.bandHertz)
    residualRMS = (spectrum.meanSquare(in: options.bandHertz) + closeSquare).squareRoot()
    movingAmplitude =
      close.movingMeanSquare > 0
      ? 2 * fundamental.amplitude
        * ToneCourse(
          Array(samples)[...], hertz: frequencyHertz, sampleRate: sampleRate, rounding: { _ in 0 },
          ToneCourse.Parts(frames: samples.count)
        ).change : 0
    let lobes = spectrum.lobes(of: [0, frequencyHertz] + harmonics.map(\.frequencyHertz))
    noiseRMS = spectrum.meanSquare(in: options.bandHertz, excluding: lobes).squareRoot()
    burstiness = Self.burstiness(rest)
    noiseDeviation =
      spectrum.meanSquareDeviation(in: options.bandHertz, excluding: lobes, residualLines) * burstiness
  }

  /// The mean square of n independent samples has the variance (κ − 1)·σ⁴ ÷ n, with their kurtosis κ: 3 of Gaussian
  /// ones.
  private static func burstiness(_ samples: [Double]) -> Double {
    let squares = samples.sumOfSquares / Double(samples.count)
    let fourths = samples.reduce(0) { $0 + $1 * $1 * $1 * $1 } / Double(samples.count)
    return squares > 0 ? max(1, (fourths / (squares * squares) - 1) / 2).squareRoot() : 1
  }

  private static func subtract(_ line: CloseLines.Line, from samples: inout [Double], sampleRate: Double) {
    let (real, imaginary) = (line.amplitude.real, line.amplitude.imaginary)
    samples.withUnsafeMutableBufferPointer { samples in
      Tone.walk(line.hertz, phase: 0, frames: 0..<samples.count, sampleRate: sampleRate) { index, cosine, sine in
        samples[index] -= real * cosine - imaginary * sine
      }
    }
  }

  private static func projections(
    _ samples: [Double], _ frequencyHertz: Double, _ sampleRate: Double, _ transform: WindowedSpectrum.Transform
  ) -> (dc: Double, cosine: Double, sine: Double) {
    var windowed = samples
    return windowed.withUnsafeMutableBufferPointer { windowed in
      transform.window.withUnsafeBufferPointer { window in
        for index in 0..<windowed.count { windowed[index] *= window[index] }
      }
      let all = UnsafeBufferPointer(windowed)
      let sums = Tone.projection(all, frequencyHertz: frequencyHertz, sampleRate: sampleRate)
      let scale = 2 / transform.windowSum
      return (all.reduce(0, +) / transform.windowSum, sums.cosine * scale, sums.sine * scale)
    }
  }

  /// The fundamental's level, full-scale sine = 0.
  public var levelDecibels: Double { Decibels.of(amplitude: fundamental.amplitude) }

  /// Harmonics that stand above the noise around them; all where none does.
  private var counted: [Component] {
    let above = harmonics.filter { !$0.isBelowFloor }
    return above.isEmpty ? harmonics : above
  }

  /// √Σ harmonics² ÷ fundamental, as an amplitude ratio, of those that stand above the noise. Not a number where there
  /// is no tone, or no harmonic in the band.
  public var thd: Double {
    guard !harmonics.isEmpty else { return .nan }
    return counted.map(\.amplitude).sumOfSquares.squareRoot() / fundamental.amplitude
  }

  /// The THD that noise alone could produce: the mean of its power and five deviations.
  public var thdFloor: Double {
    let powers = harmonics.map { $0.spread * $0.spread }
    let deviation = powers.sumOfSquares.squareRoot()
    let floor = (powers.reduce(0, +) + 5 * deviation).squareRoot() / fundamental.amplitude
    // If one harmonic stands out, so does the sum.
    return harmonics.contains { !$0.isBelowFloor } ? min(floor, 0.999 * thd) : floor
  }

  /// The uncertainty of ``thd``: the noise on each harmonic, and the possible part of those below the noise.
  public var thdUncertainty: Double {
    let sum = counted.map(\.amplitude).sumOfSquares
    guard sum > 0 else { return 0 }
    let hidden = harmonics.filter(\.isBelowFloor).map(\.spread).sumOfSquares
    var uncertainty = Uncertainty()
    let noise = counted.reduce(0) { $0 + $1.amplitude * $1.amplitude * $1.deviation * $1.deviation } / sum
    uncertainty.add(standard: noise.squareRoot() / fundamental.amplitude)
    uncertainty.add(halfWidth: ((sum + hidden).squareRoot() - sum.squareRoot()) / fundamental.amplitude)
    uncertainty.add(standard: thd * fundamental.deviation / fundamental.amplitude)
    return uncertainty.expanded
  }

  /// Rms of the residual ÷ rms of all, as AES17 has it.
  public var thdPlusNoise: Double { residualPart(residualRMS * residualRMS) }

  /// The part that a residual of a mean square is of all, as rms.
  func residualPart(_ square: Double) -> Double {
    let tone = fundamental.amplitude * fundamental.amplitude / 2
    return (square / (tone + square)).squareRoot()
  }

  /// The THD+N that a tone which moves could have; 0 where it does not, or where other things are louder.
  public var thdPlusNoiseFloor: Double {
    let moving = movingAmplitude / max(fundamental.amplitude, 1e-300)
    return moving > 0.5 * thdPlusNoise ? max(moving, 1.01 * thdPlusNoise) : 0
  }

  /// The uncertainty of ``thdPlusNoise``, which falls with the seconds of noise that were measured.
  public var thdPlusNoiseUncertainty: Double {
    let square = residualRMS * residualRMS
    guard square > 0 else { return 0 }
    let harmonic = harmonics.reduce(0) { $0 + $1.amplitude * $1.amplitude * $1.deviation * $1.deviation }
    var uncertainty = Uncertainty()
    uncertainty.add(standard: thdPlusNoise * fundamental.deviation / fundamental.amplitude)
    uncertainty.add(standard: thdPlusNoise * hypot(noiseDeviation, harmonic.squareRoot()) / (2 * square))
    uncertainty.add(standard: thdPlusNoise * close.meanSquareDeviation / (2 * square))
    // A part that moves with the tone may be as large as that, or nothing.
    let moving = movingAmplitude / max(fundamental.amplitude, 1e-300)
    uncertainty.add(
      standard: (hypot(thdPlusNoise, moving) - thdPlusNoise) / Uncertainty.coverageFactor)
    return uncertainty.expanded
  }

  /// A harmonic relative to the fundamental, decibels; nil where it lies outside the band.
  public func harmonicDecibels(_ order: Int) -> Double? {
    guard order >= 2, order - 2 < harmonics.count else { return nil }
    return Decibels.of(amplitude: harmonics[order - 2].amplitude / fundamental.amplitude)
  }

  /// ``thd`` in decibels: below 0 where the fundamental is stronger than its harmonics.
  public var thdDecibels: Double { Decibels.of(amplitude: thd) }
  /// ``thdPlusNoise`` in decibels: 0 or less.
  public var thdPlusNoiseDecibels: Double { Decibels.of(amplitude: thdPlusNoise) }
  /// All ÷ (noise and distortion): the reverse of THD+N.
  public var sinadDecibels: Double { -thdPlusNoiseDecibels }
}

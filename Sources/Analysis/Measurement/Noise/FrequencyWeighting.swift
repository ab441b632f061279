import AudioCore
import Glibc
import Spectrum

/// The weighting of noise by frequency.
public enum FrequencyWeighting: String, Hashable, Sendable, CaseIterable {
  case flat
  /// IEC 61672-1, annex E: 0 dB at 1 kHz.
  case a
  /// ITU-R BS.468-4: 0 dB at 1 kHz, 12.2 dB at 6.3 kHz.
  case itu468
  /// The curve of BS.468-4 with 0 dB at 2 kHz, read as rms: CCIR-RMS of AES17, "CCIR/ARM" and "CCIR-2k" elsewhere.
  case ccirRMS

  /// As an amplitude ratio.
  public func gain(at hertz: Double) -> Double { response(at: hertz).magnitude }

  /// As decibels.
  public func gainDecibels(at hertz: Double) -> Double { 20 * log10(gain(at: hertz)) }

  /// As a ratio of powers.
  func power(at hertz: Double) -> Double { response(at: hertz).squaredMagnitude }

  /// With its phase, as the analogue network has it.
  public func response(at hertz: Double) -> Complex {
    switch self {
    case .flat: Complex(1)
    case .a: Self.unscaledA(hertz) / Self.unscaledA(1000).magnitude
    case .itu468: Self.unscaled468(hertz) / Self.unscaled468(1000).magnitude
    case .ccirRMS: Self.unscaled468(hertz) / Self.unscaled468(2000).magnitude
    }
  }

  /// s⁴ ÷ ((s + ω₁)²·(s + ω₂)·(s + ω₃)·(s + ω₄)²), each frequency in hertz (IEC 61672-1, equations E.1 to E.8).
  private static func unscaledA(_ hertz: Double) -> Complex {
    let s = Complex(0, hertz)
    let poles = [20.598997, 20.598997, 107.65265, 737.86223, 12194.217, 12194.217]
    let bottom = poles.reduce(Complex(1)) { $0 * (s + Complex($1)) / 1000 }
    let square = s * s / 1e6
    return square * square / bottom
  }

  /// The passive network of the recommendation's figure 1a as one rational function of frequency: its numerator over
  /// the even and the odd part of its denominator, a polynomial of the sixth order in i·f.
  private static func unscaled468(_ hertz: Double) -> Complex {
    let f = hertz
    let square = f * f
    let even =
      ((-4.737338981378384e-24 * square + 2.043828333606125e-15) * square - 1.363894795463638e-7) * square + 1
    let odd = ((1.306612257412824e-19 * square - 2.118150887518656e-11) * square + 5.559488023498642e-4) * f
    return Complex(0, 1.246332637532143e-4 * f) / Complex(even, odd)
  }

  /// Filters samples as the analogue network does, limited to a band. The tail behind the end is cut off.
  public func apply(
    to samples: some Collection<Double>, sampleRate: Double, bandHertz: ClosedRange<Double> = 0...Double.infinity
  ) -> [Double] {
    let fft = RealFFT(length: RealFFT.fastLength(atLeast: samples.count + Int(clamping: sampleRate / 5)))
    fft.forward(samples)
    for bin in 0..<fft.binCount {
      let hertz = Double(bin) * sampleRate / Double(fft.length)
      fft.bins[bin] = bandHertz.contains(hertz) ? fft.bins[bin] * response(at: hertz) : Complex(0)
    }
    fft.inverse()
    return Array(fft.samples.prefix(samples.count))
  }
}

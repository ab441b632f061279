import Glibc
import SampleRate
import TestSupport
import Testing

@Suite("Each quality is as good as it says")
struct QualityTests {
  private func fit(_ quality: RateConversionQuality, _ frequency: Double, _ from: Double, _ to: Double) throws
    -> SineFit
  {
    let frames = max(12_000, Int(8_000 * from / to))
    let input = sine(frequency: frequency, sampleRate: from, frames: frames)
    let output = try RateConverter.convert([input], from: from, to: to, quality: quality)[0]
    return SineFit(output, frequency: frequency, sampleRate: to, range: output.count / 4..<output.count * 3 / 4)
  }

  /// Half a decibel of room: another length of signal meets other rounding.
  @Test("the figures of the table hold, both ways between 44.1 and 48 kHz", arguments: RateConversionQuality.allCases)
  func table(quality: RateConversionQuality) throws {
    var worst = Double.infinity
    var narrowest = Double.infinity
    for (from, to) in [(44100.0, 48000.0), (48000, 44100)] {
      for part in [0.025, 0.125, 0.25, 0.5, 0.75] {
        worst = min(worst, try fit(quality, part * 22050, from, to).signalToNoiseDecibels)
      }
      narrowest = min(narrowest, try fit(quality, quality.passband * 22050, from, to).amplitude / 0.5)
      let beyond = try fit(quality, min(0.999, quality.passband + 0.1) * 22050, from, to).amplitude / 0.5
      #expect(beyond < 0.72)
    }
    #expect(worst > quality.signalToNoiseDecibels - 0.5)
    #expect(worst < quality.signalToNoiseDecibels + 3)
    #expect(narrowest > 0.7 && narrowest < 0.75)
  }

  /// Floors: the single-sine rows of libsamplerate's own `tests/snr_bw_test.c`, version 0.2.2: frequency over the input
  /// rate, output over input rate, decibels. That test compares spectral peaks; a sine fit counts all that is left
  /// over as noise, which is the harder test, so `fast` has the 97 dB here that `src_get_description` promises.
  @Test(
    "libsamplerate's sinc converters pass its own signal-to-noise floors",
    arguments: [
      (RateConversionQuality.fast, 97.0, 0.351111), (.medium, 100, 0.431111), (.best, 100, 0.471111),
    ])
  func librarySincFloors(quality: RateConversionQuality, lowFloor: Double, highFrequency: Double) throws {
    for ratio in [3.0, 0.6, 0.3, 1.001] {
      #expect(try fit(quality, 0.01111111, 1, ratio).signalToNoiseDecibels > lowFloor, "ratio \(ratio)")
    }
    #expect(try fit(quality, highFrequency, 1, 1.33).signalToNoiseDecibels > 97)
  }

  /// Expected, for a sine of ω radians a frame and output positions spread evenly between the samples: holding errs by
  /// ωt·cos, t uniform in 0 to 1, whose variance about its mean is 1/12; of the errors in phase and in quadrature this
  /// leaves ω²/12, so 12 ÷ ω². A straight line errs by ω²t(1 − t)/2, and t(1 − t) has the variance 1/180: 720 ÷ ω⁴.
  @Test(
    "the interpolators leave as much noise as theory says",
    arguments: [(RateConversionQuality.zeroOrderHold, 12.0, 2.0), (.linear, 720, 4)])
  func interpolators(quality: RateConversionQuality, factor: Double, power: Double) throws {
    let expected = 10 * log10(factor / pow(2 * .pi * 0.01111111, power))
    for ratio in [2.937, 0.637, 0.293, 1.001] {
      let found = try fit(quality, 0.01111111, 1, ratio).signalToNoiseDecibels
      #expect(abs(found - expected) < 0.3, "ratio \(ratio)")
    }
  }

  /// Floors: what libsamplerate says of its converters (`src_get_description`): 80, 90 and 96 %, to −3 dB, at its
  /// bandwidth test's ratio of 1.999.
  @Test(
    "the sinc converters are as wide as libsamplerate says",
    arguments: [(RateConversionQuality.fast, 0.80), (.medium, 0.90), (.best, 0.96)])
  func libraryBandwidth(quality: RateConversionQuality, fraction: Double) throws {
    #expect(try fit(quality, fraction / 2, 1, 1.999).amplitude / 0.5 > 0.7079)
  }

  @Test(
    "libsoxr's qualities are 140 dB clean up to 0.9 of Nyquist",
    arguments: [RateConversionQuality.mastering, .minimumPhase])
  func mastering(quality: RateConversionQuality) throws {
    for (from, to) in [(44100.0, 48000.0), (48000, 44100), (96000, 44100), (44100, 192000)] {
      for part in [0.03, 0.3, 0.6, 0.9] {
        let found = try fit(quality, part * min(from, to) / 2, from, to)
        #expect(found.signalToNoiseDecibels > 140, "\(from) to \(to) Hz at \(part) of Nyquist")
        #expect(abs(20 * log10(found.amplitude / 0.5)) < 0.01, "\(from) to \(to) Hz at \(part) of Nyquist")
      }
    }
  }

  /// Expected: nothing; 30 kHz cannot be represented in 48,000 frames a second.
  @Test(
    "a tone above the new Nyquist frequency is gone",
    arguments: [
      (RateConversionQuality.fast, -96.0), (.medium, -114), (.best, -140), (.mastering, -140), (.minimumPhase, -140),
    ])
  func aliases(quality: RateConversionQuality, floor: Double) throws {
    let input = sine(frequency: 30_000, sampleRate: 96_000, frames: 40_000)
    let output = try RateConverter.convert([input], from: 96_000, to: 48_000, quality: quality)[0]
    let middle = output[5_000..<15_000]
    let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
    #expect(10 * log10(power / 0.125) < floor)
  }
}

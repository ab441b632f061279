// The seven filters by name, and what each does. Help texts read this table.

import AudioCore
import CSamplerate

/// The filter of a rate conversion: from cheap and coarse to expensive and exact.
public enum RateConversionQuality: String, NamedChoice {
  /// Straight lines between samples (libsamplerate).
  case linear
  /// Each sample held until the next (libsamplerate).
  case zeroOrderHold = "zero-order-hold"
  /// Short windowed sinc (libsamplerate's fastest).
  case fast
  /// Middling windowed sinc (libsamplerate's medium).
  case medium
  /// Long windowed sinc (libsamplerate's best). The default.
  case best
  /// Linear phase at 28 bits (libsoxr's very high quality).
  case mastering
  /// Minimum phase at 28 bits (libsoxr's very high quality): hardly any ringing before an onset, but the delay moves
  /// with frequency. Aligned as libsoxr gives it: measured from 44,100 Hz to 48,000 Hz, in input frames, the group
  /// delay is −1.2 below 1 kHz, −0.7 at 6.6 kHz, 0.4 at 11 kHz and 3.6 at 15.4 kHz, and an impulse peaks 0.8 before its
  /// own time (48,000 Hz to 44,100 Hz: −1.5 below 1 kHz; 96,000 Hz to 44,100 Hz: −2.0). Upward to 48 times the rate at
  /// the most.
  case minimumPhase = "minimum-phase"

  /// As graph files and the command line write it: `zero-order-hold`.
  public var name: String { rawValue }

  /// The quality of a conversion if no other is set.
  public static let standard = RateConversionQuality.best

  /// True for a windowed sinc of libsamplerate, which is available as a filter bank.
  var isSinc: Bool { self == .fast || self == .medium || self == .best }

  enum Library {
    case libsamplerate(converter: Int)
    case libsoxr(minimumPhase: Bool)
  }

  var library: Library {
    switch self {
    case .linear: .libsamplerate(converter: SRC_LINEAR)
    case .zeroOrderHold: .libsamplerate(converter: SRC_ZERO_ORDER_HOLD)
    case .fast: .libsamplerate(converter: SRC_SINC_FASTEST)
    case .medium: .libsamplerate(converter: SRC_SINC_MEDIUM_QUALITY)
    case .best: .libsamplerate(converter: SRC_SINC_BEST_QUALITY)
    case .mastering: .libsoxr(minimumPhase: false)
    case .minimumPhase: .libsoxr(minimumPhase: true)
    }
  }
}

/// The implementation of a conversion's filter, if it is one of libsamplerate's sinc filters.
public enum RateConversionMethod: String, CaseIterable, Sendable {
  /// A bank of the filter's phases, read from libsamplerate when it is first needed. If there is none (rates whose
  /// ratio in whole numbers is too large), the library.
  case bank
  /// The library: it finds each weight anew for each sample.
  case library

  /// The method of a conversion if no other is set.
  public static let standard = RateConversionMethod.bank
}

/// The memory of a converter, for adding it up before it is made: libsamplerate's own constants; libsoxr's measured.
extension RateConversionQuality {
  private var need: (halfLengthFrames: Int, kibibytesPerChannel: Int) {
    switch self {
    case .linear, .zeroOrderHold: (1, 1)
    case .fast: (20, 60)
    case .medium: (46, 140)
    case .best: (143, 430)
    case .mastering, .minimumPhase: (4096, 1024)
    }
  }

  /// About how many frames at the lower rate the filter looks ahead.
  var halfLengthFrames: Int { need.halfLengthFrames }

  /// The library's own memory for a channel, at any ratio.
  var bytesPerChannel: Int { need.kibibytesPerChannel << 10 }
}

/// Figures for help texts, measured through ``RateConverter`` (libsamplerate 0.2.2, libsoxr 0.1.3) between 44,100 Hz
/// and 48,000 Hz, the worse of both directions, rounded down; `QualityTests` measures them again.
extension RateConversionQuality {
  /// The title in lists for people.
  public var title: String {
    switch self {
    case .linear: "Linear interpolation"
    case .zeroOrderHold: "Zero-order hold"
    case .fast: "Sinc, fast"
    case .medium: "Sinc, medium"
    case .best: "Sinc, best"
    case .mastering: "Mastering, linear phase"
    case .minimumPhase: "Mastering, minimum phase"
    }
  }

  private var figures: (passband: Double, signalToNoiseDecibels: Double, relativeSpeed: Double) {
    switch self {
    case .linear: (0.636, 8, 1.4)
    case .zeroOrderHold: (0.884, 2, 1.5)
    case .fast: (0.802, 96, 2.1)
    case .medium: (0.905, 120, 2.1)
    case .best: (0.960, 140, 1)
    case .mastering: (0.950, 148, 1)
    case .minimumPhase: (0.950, 150, 1)
    }
  }

  /// The frequency at which the response is 3 dB down, as a fraction of the lower rate's Nyquist frequency. Found by
  /// bisection on the amplitude of a sine.
  public var passband: Double { figures.passband }

  /// The power of a sine over that of all else in the output, images included: the worst of sines at 1/40, 1/8, 1/4,
  /// 1/2 and 3/4 of the lower Nyquist frequency. Float32 itself ends near 150 dB.
  public var signalToNoiseDecibels: Double { figures.signalToNoiseDecibels }

  /// Frames per second against `best`: stereo, 44,100 Hz to 48,000 Hz, pops of 512, by banks, CPU time of one thread,
  /// best of seven, on x86-64 with AVX-512. `best` then took 18 ns a frame.
  public var relativeSpeed: Double { figures.relativeSpeed }
}

// The seven filters by name, and what each is worth. The one table that help texts read.

import CSamplerate

/// Which filter converts a sample rate: from cheap and coarse to dear and exact.
///
/// The figures are measured through ``RateConverter`` from 44,100 Hz to 48,000 Hz.
public enum RateConversionQuality: String, CaseIterable, Sendable {
  /// Straight lines between samples (libsamplerate).
  case linear
  /// Each sample held until the next (libsamplerate).
  case zeroOrderHold = "zero-order-hold"
  /// Short windowed sinc (libsamplerate's fastest).
  case fast
  /// Middling windowed sinc (libsamplerate's medium). The default.
  case medium
  /// Long windowed sinc (libsamplerate's best).
  case best
  /// Linear phase at 28 bits (libsoxr's very high quality).
  case mastering
  /// Minimum phase at 28 bits (libsoxr's very high quality): no ringing before an onset, but phase moves with frequency.
  case minimumPhase = "minimum-phase"

  /// What a conversion uses where nothing else is asked for.
  public static let standard = RateConversionQuality.medium

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

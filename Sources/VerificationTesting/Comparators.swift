import Verification

// How far off may be, as tests write it: `.exact`, `.ulps(4)`, `.residual(peak: -120)`.

extension SignalComparator where Self == ExactComparator {
  /// Bit for bit.
  public static var exact: Self { ExactComparator() }
}

extension SignalComparator where Self == UlpComparator {
  /// At most so many units in the last place of Float.
  /// - Parameter floor: a difference of samples, full scale being 1, that is not looked at.
  public static func ulps(_ limit: Int64, floor: Double = 0) -> Self { UlpComparator(limit: limit, floor: floor) }
}

extension SignalComparator where Self == ResidualComparator {
  /// A difference no louder than this in any window: peak and RMS in dBFS, RMS against the signal in dB.
  /// - Parameter window: seconds.
  public static func residual(
    peak: Double? = nil, rms: Double? = nil, relative: Double? = nil,
    window: Double = ResidualComparator.defaultWindow
  ) -> Self {
    ResidualComparator(peakLimit: peak, rmsLimit: rms, relativeLimit: relative, window: window)
  }
}

extension SignalComparator where Self == AlignedNullComparator {
  /// What is left when gain and delay are taken away, against the signal, in dB; both are found, told, and limited.
  /// - Parameters:
  ///   - delay: frames, either way.
  ///   - gain: dB, either way.
  public static func alignedNull(
    _ depth: Double = -60, delay: Double = AlignedNullComparator.delayTolerance,
    gain: Double = AlignedNullComparator.gainTolerance, allowsInversion: Bool = false
  ) -> Self {
    AlignedNullComparator(delayLimit: delay, gainLimit: gain, allowsInversion: allowsInversion, nullLimit: depth)
  }
}

extension SignalComparator where Self == BandComparator {
  /// Levels of third octaves no further off, dB.
  public static func bands(_ limit: Double) -> Self { BandComparator(limit: limit) }
}

/// Arithmetic between frame counts of different sample rates. Time is an integer frame count everywhere else.
public enum FrameCount {
  /// `frames × outputRate ÷ inputRate`, rounded half up: the exact length of a rate conversion.
  ///
  /// Whole-number rates are computed in integers (no rounding before the last step); others in Double.
  /// - Parameters:
  ///   - frames: 0 or more; below, they are none.
  ///   - inputRate: hertz, above 0.
  ///   - outputRate: hertz, above 0.
  /// - Returns: saturates at `Int64.max`; 0 for rates that are none.
  public static func converted(_ frames: Int64, from inputRate: Double, to outputRate: Double) -> Int64 {
    guard frames > 0, inputRate > 0, outputRate > 0 else { return 0 }
    if inputRate == outputRate { return frames }
    guard let wholeIn = UInt64(exactly: inputRate), let wholeOut = UInt64(exactly: outputRate) else {
      let exact = (Double(frames) * outputRate / inputRate + 0.5).rounded(.down)
      return exact >= 0x1p63 ? .max : Int64(clamping: exact)
    }
    let product = UInt64(frames).multipliedFullWidth(by: wholeOut)
    let (low, carry) = product.low.addingReportingOverflow(wholeIn / 2)
    let high = product.high + (carry ? 1 : 0)
    guard high < wholeIn else { return .max }
    // (2·frames·out + in) ÷ (2·in) with `in` odd: adding the floor of in/2 rounds the same way, as the product is
    // whole.
    return Int64(clamping: wholeIn.dividingFullWidth((high, low)).quotient)
  }

  /// A duration in seconds as frames, rounded to the nearest frame; nil where it is negative, not finite or too long.
  public static func from(seconds: Double, sampleRate: Double) -> Int64? {
    let frames = (seconds * sampleRate).rounded()
    guard frames.isFinite, frames >= 0, frames < 0x1p62 else { return nil }
    return Int64(clamping: frames)
  }
}

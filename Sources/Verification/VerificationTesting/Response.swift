import AudioCore
import Measurement
import Verification

/// The required response, and its tolerance.
public struct Response: Sendable {
  /// A limit at a frequency; straight lines over the logarithm of the frequency lie between.
  public struct Corner: Sendable {
    /// Above 0, and above that of the corner before.
    public var hertz: Double
    /// Against what it should be, in the curve's unit.
    public var lower: Double
    /// As ``lower``, and at least as much.
    public var upper: Double
    /// A corner of a mask; what is wrong with it is reported by the expectation that uses it.
    public init(_ hertz: Double, lower: Double, upper: Double) {
      (self.hertz, self.lower, self.upper) = (hertz, lower, upper)
    }
  }

  enum Reference: Sendable {
    case function(@Sendable (Double) -> Double?)
    case device(any Device)
    case golden(Golden)
    case zero
  }
  enum Limits: Sendable {
    case within(Double)
    case mask([Corner])
  }
  let reference: Reference
  let limits: Limits

  /// At most so far from an answer in closed form.
  /// - Parameters:
  ///   - tolerance: dB for the magnitude, degrees for the phase, frames for the group delay.
  ///   - answer: the required value at a frequency in hertz; nil if it is not checked there.
  public static func within(_ tolerance: Double, of answer: @escaping @Sendable (_ hertz: Double) -> Double?) -> Self {
    Self(reference: .function(answer), limits: .within(tolerance))
  }

  /// At most so far from the response of another device.
  public static func within(_ tolerance: Double, of device: some Device) -> Self {
    Self(reference: .device(device), limits: .within(tolerance))
  }

  /// At most so far from the curve that was kept.
  public static func within(_ tolerance: Double, of golden: Golden) -> Self {
    Self(reference: .golden(golden), limits: .within(tolerance))
  }

  /// Between the limits of a mask; two corners at least, the frequencies rising.
  public static func inside(_ mask: [Corner]) -> Self { Self(reference: .zero, limits: .mask(mask)) }
}

/// A curve of the linear measurement.
public enum ResponseCurve: String, Sendable, CaseIterable {
  /// dB.
  case magnitude
  /// Degrees.
  case phase
  /// Frames.
  case groupDelay
}

extension Response {
  /// - Throws: `.usage` for limits that are none.
  func mask(from: Double, to: Double) throws(BenchError) -> FrequencyMask {
    switch limits {
    case .within(let tolerance):
      guard tolerance >= 0, from > 0, from < to, to.isFinite else {
        throw BenchError(
          .usage, at: "response",
          "expected a tolerance of 0 or more, and 0 < from < to; found \(tolerance), \(from), \(to)")
      }
      return FrequencyMask([
        .init(x: from, lower: -tolerance, upper: tolerance), .init(x: to, lower: -tolerance, upper: tolerance),
      ])
    case .mask(let corners):
      let isRising = zip(corners, corners.dropFirst()).allSatisfy { $0.hertz < $1.hertz }
      guard corners.count >= 2, isRising, corners[0].hertz > 0, corners.allSatisfy({ $0.lower <= $0.upper }) else {
        throw BenchError(
          .usage, at: "response", "a mask has two corners or more, with hertz rising and lower at most upper")
      }
      return FrequencyMask(corners.map { .init(x: $0.hertz, lower: $0.lower, upper: $0.upper) })
    }
  }
}

import AudioCore
import Glibc
import Measurement
import Spectrum

/// A second-order section of the Audio EQ Cookbook, computed here in double so that nothing of the product judges
/// itself.
public struct KnownSection: Sendable {
  public enum Shape: CaseIterable, Sendable {
    case peaking, lowPass, highPass, bandPass, notch, allPass, lowShelf, highShelf
  }
  let b: [Double]
  let a: [Double]

  public init(_ shape: Shape, hertz: Double, quality: Double, gainDecibels: Double, sampleRate: Double) {
    let omega = 2 * Double.pi * hertz / sampleRate
    let (c, s) = (cos(omega), sin(omega))
    let alpha = s / (2 * quality)
    let gain = pow(10, gainDecibels / 40)
    let root = 2 * gain.squareRoot() * alpha
    let (b, a): ([Double], [Double]) =
      switch shape {
      case .peaking: ([1 + alpha * gain, -2 * c, 1 - alpha * gain], [1 + alpha / gain, -2 * c, 1 - alpha / gain])
      case .lowPass: ([(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha])
      case .highPass: ([(1 + c) / 2, -1 - c, (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha])
      case .bandPass: ([alpha, 0, -alpha], [1 + alpha, -2 * c, 1 - alpha])
      case .notch: ([1, -2 * c, 1], [1 + alpha, -2 * c, 1 - alpha])
      case .allPass: ([1 - alpha, -2 * c, 1 + alpha], [1 + alpha, -2 * c, 1 - alpha])
      case .lowShelf:
        (
          [
            gain * (gain + 1 - (gain - 1) * c + root), 2 * gain * (gain - 1 - (gain + 1) * c),
            gain * (gain + 1 - (gain - 1) * c - root),
          ],
          [gain + 1 + (gain - 1) * c + root, -2 * (gain - 1 + (gain + 1) * c), gain + 1 + (gain - 1) * c - root]
        )
      case .highShelf:
        (
          [
            gain * (gain + 1 + (gain - 1) * c + root), -2 * gain * (gain - 1 + (gain + 1) * c),
            gain * (gain + 1 + (gain - 1) * c - root),
          ],
          [gain + 1 - (gain - 1) * c + root, 2 * (gain - 1 - (gain + 1) * c), gain + 1 - (gain - 1) * c - root]
        )
      }
    self.b = b.map { $0 / a[0] }
    self.a = a.map { $0 / a[0] }
  }

  /// Poles at a radius and an angle, with a gain of 1 at the angle's frequency or thereabouts.
  public init(poleRadius: Double, angle: Double) {
    a = [1, -2 * poleRadius * cos(angle), poleRadius * poleRadius]
    b = [(1 - poleRadius * poleRadius) / 2, 0, -(1 - poleRadius * poleRadius) / 2]
  }

  public func run(_ samples: [Double]) -> [Double] {
    var output = samples
    var (first, second) = (0.0, 0.0)
    for index in output.indices {
      let x = output[index]
      let y = b[0] * x + first
      first = b[1] * x - a[1] * y + second
      second = b[2] * x - a[2] * y
      // A denormal takes a hundred times as long.
      if abs(first) < 1e-200 { first = 0 }
      if abs(second) < 1e-200 { second = 0 }
      output[index] = y
    }
    return output
  }

  /// |H|.
  public func gain(atHertz hertz: Double, sampleRate: Double) -> Double {
    let omega = 2 * Double.pi * hertz / sampleRate
    func size(_ c: [Double]) -> Double {
      hypot(c[0] + c[1] * cos(omega) + c[2] * cos(2 * omega), c[1] * sin(omega) + c[2] * sin(2 * omega))
    }
    return size(b) / size(a)
  }
}

/// The largest and smallest values of a function over a range, by a dense search around places of interest and a golden
/// section.
public func extremes(
  in range: ClosedRange<Double>, near places: [Double], of function: (Double) -> Double
) -> (least: Double, most: Double) {
  var points = (0...4000).map { range.lowerBound * pow(range.upperBound / range.lowerBound, Double($0) / 4000) }
  for place in places {
    for step in -2000...2000 {
      // From a millionth of the place to twice it, on both sides.
      let offset = place * 1e-6 * pow(1e6, Double(abs(step)) / 2000) * (step < 0 ? -1 : 1)
      if range.contains(place + offset) { points.append(place + offset) }
    }
    if range.contains(place) { points.append(place) }
  }
  points.sort()
  func refined(_ sign: Double) -> Double {
    let values = points.map { sign * function($0) }
    guard let index = values.indices.max(by: { values[$0] < values[$1] }) else { return .nan }
    var (low, high) = (points[max(0, index - 1)], points[min(points.count - 1, index + 1)])
    for _ in 0..<120 {
      let (a, b) = (high - 0.618_033_988_75 * (high - low), low + 0.618_033_988_75 * (high - low))
      if sign * function(a) > sign * function(b) { high = b } else { low = a }
    }
    return max(values[index], sign * function((low + high) / 2))
  }
  return (-refined(-1), refined(1))
}

import AudioCore
import Glibc
import Measurement
import Spectrum

/// Sharpens a delay to fractions of a frame, and finds drift.
///
/// The two signals are cut into Hann-windowed segments that overlap by half, the actual one moved by the delay that is
/// known so far, its window by the fraction of it. The remaining delay is the τ at which Re Σ A(ω)·E*(ω)·e^{jωτ}, the
/// cross-correlation at a point between frames, is largest: by Newton's method, over all segments at once, or, with
/// drift, per segment and a straight line through them, each weighed by the curvature of its peak.
struct DelayRefinement {
  private let actual: AudioSignal
  private let expected: AudioSignal
  private let length: Int
  private let window: [Double]
  private let forActual: RealFFT
  private let forExpected: RealFFT

  init(_ actual: AudioSignal, _ expected: AudioSignal, segmentFrames: Int) {
    self.actual = actual
    self.expected = expected
    length = RealFFT.fastLength(atLeast: max(256, min(segmentFrames, 2 * actual.frameCount)))
    window = Window.hann.samples(length)
    forActual = RealFFT(length: length)
    forExpected = RealFFT(length: length)
  }

  /// A delay at frame 0 and what it grows by per frame.
  struct Line {
    var delay: Double
    var slope: Double = 0
    func at(_ frame: Double) -> Double { delay + slope * frame }
  }

  /// The delay of all, without drift.
  func constant(from start: Double) -> Double {
    var delay = start
    for round in 0..<8 {
      var sum = [Complex](repeating: Complex(0), count: forActual.binCount)
      eachSegment { segment in
        let cross = spectrum(segment, delay: delay)
        for bin in sum.indices { sum[bin] += cross[bin] }
      }
      let step = CorrelationPeak(sum, length: length, searches: round == 0).offset
      delay += step
      if abs(step) < 1e-9 { break }
    }
    return delay
  }

  /// Delay and drift.
  func line(from start: Line) -> Line {
    var line = start
    for round in 0..<6 {
      var points: [(x: Double, y: Double, weight: Double)] = []
      eachSegment { segment in
        let middle = Double(segment + length / 2)
        let cross = spectrum(segment, delay: line.at(middle))
        let peak = CorrelationPeak(cross, length: length, searches: round == 0)
        if peak.curvature > 0 { points.append((middle, peak.offset, peak.curvature)) }
      }
      guard let step = Self.fit(points) else { break }
      line.delay += step.delay
      line.slope += step.slope
      if abs(step.delay) + abs(step.slope) * Double(actual.frameCount) < 1e-7 { break }
    }
    return line
  }

  private func eachSegment(_ body: (Int) -> Void) {
    var start = -length / 2
    while start < actual.frameCount {
      body(start)
      start += length / 2
    }
  }

  /// A·E* of one segment, the delay taken out.
  private func spectrum(_ start: Int, delay: Double) -> [Complex] {
    let whole = delay.rounded()
    let fraction = delay - whole
    var cross = [Complex](repeating: Complex(0), count: forActual.binCount)
    for channel in 0..<actual.channelCount {
      forActual.fill(actual.channels[channel], from: start + Int(clamping: whole), count: length)
      forExpected.fill(expected.channels[channel], from: start, count: length)
      let (a, e) = (forActual.samples, forExpected.samples)
      let turn = 2 * Double.pi / Double(length)
      for index in 0..<length {
        a[index] *= fraction == 0 ? window[index] : 0.5 - 0.5 * cos(turn * (Double(index) - fraction))
        e[index] *= window[index]
      }
      forActual.forward()
      forExpected.forward()
      let (x, y) = (forActual.bins, forExpected.bins)
      // The constant and the Nyquist frequency have no phase to tell a delay by.
      for bin in 1..<max(1, (length + 1) / 2) {
        cross[bin] += x[bin] * y[bin].conjugate * Complex(magnitude: 1, phase: turn * Double(bin) * fraction)
      }
    }
    return cross
  }

  /// The straight line through weighed points; those far off the others are left out in a second round.
  private static func fit(_ points: [(x: Double, y: Double, weight: Double)]) -> Line? {
    guard let first = leastSquares(points) else { return nil }
    let distances = points.map { abs($0.y - first.at($0.x)) }.sorted()
    let limit = 4 * distances[distances.count / 2] + 1e-6
    return leastSquares(points.filter { abs($0.y - first.at($0.x)) <= limit }) ?? first
  }

  private static func leastSquares(_ points: [(x: Double, y: Double, weight: Double)]) -> Line? {
    var (weight, x, y) = (0.0, 0.0, 0.0)
    for point in points {
      weight += point.weight
      x += point.weight * point.x
      y += point.weight * point.y
    }
    guard weight > 0, weight.isFinite else { return nil }
    (x, y) = (x / weight, y / weight)
    var (xx, xy) = (0.0, 0.0)
    for point in points {
      xx += point.weight * (point.x - x) * (point.x - x)
      xy += point.weight * (point.x - x) * (point.y - y)
    }
    let slope = xx > 0 ? xy / xx : 0
    return Line(delay: y - slope * x, slope: slope)
  }
}

/// The largest value of a correlation, at a point between frames, from its spectrum.
private struct CorrelationPeak {
  /// Frames from 0.
  var offset = 0.0
  /// −r″ at the peak, 0 where there is none: how sharp it is.
  var curvature = 0.0

  /// - Parameter searches: over a quarter of the length both ways first; else near 0 only.
  init(_ cross: [Complex], length: Int, searches: Bool) {
    let turn = 2 * Double.pi / Double(length)
    var start = 0.0
    if searches {
      let transform = RealFFT(length: length)
      for bin in cross.indices { transform.bins[bin] = cross[bin] }
      transform.inverse()
      var best = 0.0
      for distance in 0...length / 4 {
        for lag in [distance, -distance] {
          let value = abs(transform.samples[(lag + length) % length])
          if value > best * (1 + 1e-9) {
            best = value
            start = Double(lag)
          }
        }
      }
      guard best > 0 else { return }
    }
    let sign = Self.derivatives(cross, turn, start).value < 0 ? -1.0 : 1.0
    var point = start
    for _ in 0..<30 {
      let here = Self.derivatives(cross, turn, point)
      let curvature = -sign * here.second
      guard curvature > 0 else { return }
      let step = min(max(sign * here.first / curvature, -0.25), 0.25)
      point += step
      self.curvature = curvature
      if abs(step) < 1e-11 { break }
    }
    guard abs(point - start) < 2 else {
      curvature = 0
      return
    }
    offset = point
  }

  /// r(τ) = Re Σ C·e^{jωτ}, and its derivatives by τ.
  private static func derivatives(
    _ cross: [Complex], _ turn: Double, _ offset: Double
  ) -> (value: Double, first: Double, second: Double) {
    var (value, first, second) = (0.0, 0.0, 0.0)
    cross.withUnsafeBufferPointer { cross in
      for bin in cross.indices {
        let frequency = turn * Double(bin)
        let (s, c) = (sin(frequency * offset), cos(frequency * offset))
        let real = cross[bin].real * c - cross[bin].imaginary * s
        let imaginary = cross[bin].real * s + cross[bin].imaginary * c
        value += real
        first -= frequency * imaginary
        second -= frequency * frequency * real
      }
    }
    return (value, first, second)
  }
}

import AudioCore
import CMySOFA
import DSPKernels
import Glibc

/// The responses of a file without the sound's way to the ear, and how long that is.
struct MeasuredResponses {
  let count: Int
  let tapCount: Int
  /// The direction that is nearest to straight ahead.
  private let front: Int
  private let directions: [(x: Double, y: Double, z: Double)]
  /// By direction, by ear, by tap; and by direction, by ear, in frames.
  private let aligned: [Float]
  private let delays: [Double]
  private let earliestDelay: Double

  /// - Parameters:
  ///   - lead: frames that stay in front of a response's beginning.
  ///   - threshold: the part of its peak that a response reaches where it begins.
  init(_ set: mysofa_set, sampleRate: Double, lead: Double, _ threshold: Double) {
    let (directionCount, taps) = (Int(set.directions), Int(set.taps))
    (count, tapCount) = (directionCount, taps)
    directions = (0..<directionCount).map { index in
      Self.vector(azimuth: Double(set.positions[3 * index]), elevation: Double(set.positions[3 * index + 1]))
    }
    var aligned = [Float](repeating: 0, count: 2 * directionCount * taps)
    var delays = [Double](repeating: 0, count: 2 * directionCount)
    for place in 0..<2 * directionCount {
      let response = UnsafeBufferPointer(start: set.responses + place * taps, count: taps)
      let shift = Self.onset(response, threshold) - lead
      delays[place] = shift + Double(set.delays[place])
      let kernel = ShiftKernel(shift)
      for tap in 0..<taps { aligned[place * taps + tap] = kernel.value(of: response, at: tap) }
    }
    self.aligned = aligned
    self.delays = delays
    earliestDelay = delays.min() ?? 0
    front = Self.nearestIndex(to: (1, 0, 0), in: directions)
  }

  /// The power at both ears together from pink noise in front, 100 Hz to 10 kHz: the mean of the squared magnitudes
  /// over frequencies that are equally far apart in octaves, the same at any rate.
  ///
  /// - Parameter window: a weight for each tap that counts.
  func frontPower(sampleRate: Double, window: [Double]) -> Double {
    let frequencies = (0..<160).map { 100 * pow(100, (Double($0) + 0.5) / 160) }.filter { $0 < 0.45 * sampleRate }
    var total = 0.0
    for ear in 0..<2 {
      let weighted = zip(response(front, ear), window).map { Double($0) * $1 }
      for hertz in frequencies {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in weighted.enumerated() {
          let angle = 2 * .pi * hertz / sampleRate * Double(frame)
          real += sample * cos(angle)
          imaginary -= sample * sin(angle)
        }
        total += real * real + imaginary * imaginary
      }
    }
    return total / Double(max(1, frequencies.count))
  }

  /// Adds the weighted responses of directions to a row, and gives their delay behind the earliest of all.
  /// - Parameter window: a weight for each tap that counts.
  func mix(
    _ near: [(direction: Int, weight: Double)], _ ear: Int, _ window: [Double],
    into row: Plane<Float>
  ) -> Float {
    var delay = 0.0
    for (direction, weight) in near {
      delay += weight * (delays[2 * direction + ear] - earliestDelay)
      let response = response(direction, ear)
      for tap in window.indices {
        row[tap] += Float(weight * window[tap] * Double(response[response.startIndex + tap]))
      }
    }
    return Float(delay)
  }

  private func response(_ direction: Int, _ ear: Int) -> ArraySlice<Float> {
    aligned[(2 * direction + ear) * tapCount..<(2 * direction + ear + 1) * tapCount]
  }

  /// The directions that one is made of, with weights that come to 1.
  ///
  /// - Parameters:
  ///   - azimuth: degrees, counted to the left.
  ///   - elevation: degrees, −90 to 90.
  func nearest(azimuth: Double, elevation: Double) -> [(direction: Int, weight: Double)] {
    let wanted = Self.vector(azimuth: azimuth, elevation: elevation)
    var best: [(direction: Int, cosine: Double)] = []
    for (index, direction) in directions.enumerated() {
      let cosine = Self.cosine(direction, wanted)
      if best.count == 3 && cosine <= best[2].cosine { continue }
      best.append((index, cosine))
      best.sort { $0.cosine > $1.cosine }
      if best.count > 3 { best.removeLast() }
    }
    // As near as this a direction is the measured one: files write theirs in single precision.
    let angles = best.map { acos(min(1, max(-1, $0.cosine))) }
    if angles[0] < 2e-3 { return [(best[0].direction, 1)] }
    let weights = angles.map { 1 / ($0 * $0) }
    let sum = weights.reduce(0, +)
    return zip(best, weights).map { ($0.direction, $1 / sum) }
  }

  private static func nearestIndex(
    to wanted: (x: Double, y: Double, z: Double), in directions: [(x: Double, y: Double, z: Double)]
  ) -> Int {
    directions.indices.max { cosine(directions[$0], wanted) < cosine(directions[$1], wanted) } ?? 0
  }

  private static func vector(azimuth: Double, elevation: Double) -> (x: Double, y: Double, z: Double) {
    let (turn, up) = (azimuth * .pi / 180, elevation * .pi / 180)
    return (cos(turn) * cos(up), sin(turn) * cos(up), sin(up))
  }

  private static func cosine(
    _ one: (x: Double, y: Double, z: Double), _ other: (x: Double, y: Double, z: Double)
  ) -> Double { one.x * other.x + one.y * other.y + one.z * other.z }

  /// The first place at which a response reaches a part of its peak, in frames, to an eighth of one. 0 for silence.
  private static func onset(_ response: UnsafeBufferPointer<Float>, _ threshold: Double) -> Double {
    let peak = response.reduce(Float(0)) { max($0, abs($1)) }
    guard peak > 0, peak.isFinite, let last = response.firstIndex(where: { abs($0) == peak }) else { return 0 }
    let first = response.firstIndex { abs($0) >= peak * Float(threshold) / 2 } ?? 0
    for frame in max(0, first - 1)...last {
      for part in 0..<8 where abs(kernels[part].value(of: response, at: frame)) >= peak * Float(threshold) {
        return Double(frame) + Double(part) / 8
      }
    }
    return Double(last)
  }

  private static let kernels = (0..<8).map { ShiftKernel(Double($0) / 8) }
}

/// A shift in time, by a sinc of 64 taps under a Kaiser window.
private struct ShiftKernel {
  private static let reach = 32
  private let whole: Int
  private let taps: [Double]

  /// - Parameter shift: frames by which what is read lies later; any number.
  init(_ shift: Double) {
    whole = Int(clamping: shift.rounded(.down))
    let fraction = shift - Double(whole)
    taps = (0..<2 * Self.reach).map { tap in
      let distance = Double(tap - Self.reach + 1) - fraction
      return Sinc.value(distance) * Kaiser.value(distance / Double(Self.reach), beta: 8)
    }
  }

  func value(of response: UnsafeBufferPointer<Float>, at frame: Int) -> Float {
    let start = frame + whole - Self.reach + 1
    var sum = 0.0
    for tap in max(0, -start)..<max(max(0, -start), min(taps.count, response.count - start)) {
      sum += taps[tap] * Double(response[start + tap])
    }
    return Float(sum)
  }
}

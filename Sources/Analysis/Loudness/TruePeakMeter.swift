import AudioCore
import DSPKernels
import Glibc

/// The largest magnitude of one channel between and at its samples: of the band-limited course Σ x[n]·sinc(t − n), with
/// silence before the first sample and behind the last.
///
/// A search at four points a sample (a sinc of 256 taps under a Kaiser window) finds the places that may be the
/// largest; at each of them the sum is taken over ``reach`` samples on both sides, and its summit is found by Newton's
/// method. The error of the search at these places says how far below the largest another one may safely be left out.
final class TruePeakMeter {
  /// Samples that are summed on either side of a peak.
  static let reach = 8_192
  private static let hopFrames = 4_096
  private static let margin = 64
  private static let taps = 256
  private static let phases = 4
  /// The places that are looked at closely in each hop.
  private static let closeLooks = 3

  /// The part of a peak, 0.0026 dB, that is not told apart: of a tone at half the rate 64 points a sample miss as much.
  private static let resolution = 3e-4

  /// By phase and tap, the newest sample's first.
  private static let coefficients: [Float] = (1..<phases).flatMap { phase in
    let row = (0..<taps).map { tap -> Double in
      let distance = Double(phase) / Double(phases) - Double(taps / 2 - tap)
      return Sinc.value(distance) * Kaiser.value(distance / Double(taps / 2), beta: 6)
    }
    let sum = row.reduce(0, +)
    return row.map { Float($0 / sum) }
  }
  /// No sum of the search is larger than this times the largest sample.
  private static let searchGain = (0..<phases - 1).reduce(1.0) { most, phase in
    max(most, 1.001 * (0..<taps).reduce(0.0) { $0 + Double(abs(coefficients[phase * taps + $1])) })
  }

  /// The samples around the present hop, which begins at `reach`.
  private let samples = FlatMemory<Double>(repeating: 0, count: 2 * reach + hopFrames)
  private let floats = FlatMemory<Float>(repeating: 0, count: hopFrames + 2 * taps)
  private let kernel = FlatMemory(coefficients)
  private let sums = FlatMemory<Float>(repeating: 0, count: hopFrames + 3)
  /// The search's course, from one sample before the hop to two behind.
  private let course = FlatMemory<Float>(repeating: 0, count: phases * (hopFrames + 3))
  /// Frames of ``samples`` that are filled.
  private var filled = reach + margin
  /// The place of the stream's first sample in ``samples``; it moves out of it to the left.
  private var streamStart = reach + margin
  /// As ``streamStart``, behind the last sample, once that is known.
  private var streamEnd: Int?

  /// The largest so far; 0 for silence.
  private var best = Peak()
  /// The largest difference between the search and the whole sum.
  private var searchError = 0.0
  /// The largest place that was not looked at closely.
  private var passedOver = 0.0

  /// A summit of the course.
  private struct Peak {
    var height = 0.0
    /// The deviation of the height by samples that lie too far away to be summed.
    var truncation = 0.0
    /// The change of the height if the sound went on beyond the ends of the stream, mirrored, in place of silence.
    var ends = 0.0
  }

  /// A place of the search, in frames from the hop's first sample.
  private struct Candidate {
    let place: Double
    let height: Double
  }

  /// Takes the next samples.
  func add(_ source: Plane<Double>, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(samples.count - filled, frames - done)
      (samples.all + filled).update(from: source + done, count: count)
      filled += count
      done += count
      if filled == samples.count { endHop() }
    }
  }

  /// The largest magnitude, and the half width of the interval around it in which the truth lies in 95 of 100 cases.
  /// Nothing can be added afterwards.
  func finish() -> (amplitude: Double, uncertainty: Double) {
    streamEnd = filled
    while let end = streamEnd, end > Self.reach - Self.margin {
      (samples.all + filled).update(repeating: 0, count: samples.count - filled)
      endHop()
    }
    let missed = max(0, passedOver + searchError - best.height)
    return (best.height, 2.1 * best.truncation + missed + best.ends + Self.resolution * best.height)
  }

  private func endHop() {
    search()
    let kept = samples.count - Self.hopFrames
    samples.all.update(from: samples.all + Self.hopFrames, count: kept)
    filled = max(0, filled - Self.hopFrames)
    streamStart = max(-2 * Self.reach, streamStart - Self.hopFrames)
    if let end = streamEnd { streamEnd = end - Self.hopFrames }
  }

  // MARK: The search

  private func search() {
    let (first, half) = (Self.reach, Self.taps / 2)
    var loudest = 0.0
    for frame in first - half - 1..<first + Self.hopFrames + half + 2 {
      loudest = max(loudest, abs(samples[frame]))
    }
    // Not a number, or beyond what floats hold: there is no course.
    guard loudest > 0, loudest < 1e30, loudest * Self.searchGain > best.height else { return }
    // Floats below 1 keep what is quiet from underflowing.
    let scale = 1 / loudest
    let place = samples.all + (first - half - 1)
    for frame in 0..<Self.hopFrames + Self.taps + 3 { floats[frame] = Float(place[frame] * scale) }
    let frames = Self.hopFrames + 3
    for frame in 0..<frames { course[Self.phases * frame] = floats[half + frame] }
    for phase in 1..<Self.phases {
      FIRKernels.process(
        taps: (kernel.all + (phase - 1) * Self.taps).prefix(Self.taps), input: floats.all + (2 * half - Self.taps + 1),
        output: sums.all, frames: frames)
      for frame in 0..<frames { course[Self.phases * frame + phase] = sums[frame] }
    }
    for candidate in candidates(scale: scale) { lookClosely(at: candidate) }
  }

  /// The largest places of the hop; what else might be as large is counted as passed over.
  private func candidates(scale: Double) -> [Candidate] {
    var found: [Candidate] = []
    // No summit is higher than this times the largest of its points.
    let mostBetween = 1.09
    var least = max(0, best.height - slack) * scale / mostBetween
    for point in Self.phases..<Self.phases * (Self.hopFrames + 1) {
      let middle = abs(course[point])
      guard Double(middle) >= least, middle >= abs(course[point - 1]), middle > abs(course[point + 1])
      else {
        continue
      }
      let summit = Self.summit(
        Double(course[point - 1]), Double(course[point]), Double(course[point + 1]))
      let candidate = Candidate(
        place: (Double(point) + summit.offset) / Double(Self.phases) - 1, height: summit.height / scale)
      let index = found.firstIndex { $0.height < candidate.height } ?? found.count
      found.insert(candidate, at: index)
      if found.count > Self.closeLooks {
        passedOver = max(passedOver, found.removeLast().height)
        least = max(least, (found.last?.height ?? 0) * scale / mostBetween)
      }
    }
    return found
  }

  /// The height of the sine through three points around its summit, and where that is, from the middle one.
  private static func summit(_ before: Double, _ middle: Double, _ behind: Double) -> (height: Double, offset: Double) {
    let cosine = (before + behind) / (2 * middle)
    guard cosine > 0.5, cosine < 1 else { return (abs(middle), 0) }
    let quadrature = (behind - before) / (2 * (1 - cosine * cosine).squareRoot())
    let turn = atan2(middle < 0 ? -quadrature : quadrature, abs(middle))
    return (hypot(middle, quadrature), max(-0.6, min(0.6, turn / acos(cosine))))
  }

  // MARK: The whole sum

  /// A place whose height by the search lies by more than this below the largest is not the largest.
  private var slack: Double { max(0.02 * best.height, 2 * searchError) }

  private func lookClosely(at candidate: Candidate) {
    guard candidate.height > best.height - slack else { return passedOver = max(passedOver, candidate.height) }
    let guess = Double(Self.reach) + candidate.place
    let window = max(0, Int(clamping: guess) - Self.reach + 1)..<min(samples.count, Int(clamping: guess) + Self.reach)
    var time = guess
    for _ in 0..<12 {
      let here = sum(window, at: time)
      guard here.bend != 0, here.value * here.bend < 0 else { break }
      let step = max(-0.25, min(0.25, -here.slope / here.bend))
      time += step
      if abs(step) < 1e-5 { break }
    }
    if abs(time - guess) > 1 { time = guess }
    let (value, truncation) = shells(window, at: time)
    var peak = Peak(height: abs(value), truncation: truncation)
    // The search may have been closer to a sample than the sum is to its summit.
    let nearest = abs(samples[min(samples.count - 1, max(0, Int(clamping: guess.rounded())))])
    peak.height = max(peak.height, nearest)
    searchError = max(searchError, abs(peak.height - candidate.height))
    guard peak.height > best.height else { return }
    peak.ends = abs(mirrored(window, at: time))
    best = peak
  }

  /// The sum, and the deviation of what lies farther away: the shells between distances that double each tell half of
  /// the variance of the next inner one where the sound is a noise, and more where it is a tone close to half the rate.
  private func shells(_ window: Range<Int>, at time: Double) -> (value: Double, deviation: Double) {
    let middle = Int(clamping: time)
    var (value, variance, weight, count) = (0.0, 0.0, 1.0, 0.0)
    var outer = window
    for halving in 1...7 {
      let half = Self.reach >> halving
      let inner = max(outer.lowerBound, middle - half)..<min(outer.upperBound, middle + half)
      let part =
        sum(outer.lowerBound..<inner.lowerBound, at: time).value
        + sum(inner.upperBound..<outer.upperBound, at: time).value
      value += part
      variance += part * part * weight
      weight /= 2
      count += 1
      outer = inner
    }
    value += sum(outer, at: time).value
    return (value, (variance / count).squareRoot())
  }

  /// The part that the sound beyond the ends of the stream would have, if it were the sound within, mirrored.
  private func mirrored(_ window: Range<Int>, at time: Double) -> Double {
    var part = 0.0
    // Around the first and the last sample itself: neither a slow tone nor a fast one turns over there.
    func add(_ place: Int, _ mirror: Int) {
      guard window.contains(mirror) else { return }
      part += samples[mirror] * Sinc.value(time - Double(place))
    }
    if streamStart > window.lowerBound {
      for place in window.lowerBound..<min(streamStart, window.upperBound) { add(place, 2 * streamStart - place) }
    }
    if let end = streamEnd, end < window.upperBound {
      for place in max(end, window.lowerBound)..<window.upperBound { add(place, 2 * end - 2 - place) }
    }
    return part
  }

  /// Σ x[n]·sinc(t − n) over some frames, and its first two derivatives. The sine and the cosine are the same in all
  /// terms but for their sign.
  private func sum(_ range: Range<Int>, at time: Double) -> (value: Double, slope: Double, bend: Double) {
    typealias Lanes = SIMD4<Double>
    let nearest = time.rounded()
    let rest = time - nearest
    let (sine, cosine) = (sin(.pi * rest), cos(.pi * rest))
    let middle = Int(clamping: nearest)
    let near = range.clamped(to: max(0, middle - 2)..<max(0, middle + 2))
    // Σ ±x/d, Σ ±x/d² and Σ ±x/d³ with d = t − n.
    var (first, second, third) = (0.0, 0.0, 0.0)
    func far(_ range: Range<Int>) {
      let signs = Lanes(1, -1, 1, -1) * ((range.lowerBound - middle) & 1 == 0 ? 1 : -1)
      var (one, two, three) = (Lanes.zero, Lanes.zero, Lanes.zero)
      var place = range.lowerBound
      var distance = Lanes(repeating: time - Double(place)) - Lanes(0, 1, 2, 3)
      while place + 4 <= range.upperBound {
        let at = samples.all + place
        let inverse = Lanes(repeating: 1) / distance
        let term = signs * Lanes(at[0], at[1], at[2], at[3]) * inverse
        one += term
        let square = term * inverse
        two += square
        three += square * inverse
        distance -= 4
        place += 4
      }
      (first, second, third) = (first + one.sum(), second + two.sum(), third + three.sum())
      while place < range.upperBound {
        let inverse = 1 / (time - Double(place))
        let term = ((place - middle) & 1 == 0 ? samples[place] : -samples[place]) * inverse
        first += term
        second += term * inverse
        third += term * inverse * inverse
        place += 1
      }
    }
    if near.isEmpty {
      far(range)
    } else {
      far(range.lowerBound..<near.lowerBound)
      far(near.upperBound..<range.upperBound)
    }
    var value = sine / .pi * first
    var slope = cosine * first - sine / .pi * second
    var bend = -.pi * sine * first - 2 * cosine * second + 2 * sine / .pi * third
    for place in near {
      let (a, b, c) = Self.sinc(time - Double(place))
      value += samples[place] * a
      slope += samples[place] * b
      bend += samples[place] * c
    }
    return (value, slope, bend)
  }

  /// sinc and its first two derivatives.
  private static func sinc(_ x: Double) -> (Double, Double, Double) {
    let u = Double.pi * x * Double.pi * x
    if u < 0.5 {
      // The terms of the closed form would cancel.
      return (
        1 - u / 6 * (1 - u / 20 * (1 - u / 42 * (1 - u / 72))),
        -.pi * .pi * x / 3 * (1 - u / 10 * (1 - u / 28 * (1 - u / 54 * (1 - u / 88)))),
        -.pi * .pi / 3 * (1 - 3 * u / 10 * (1 - 5 * u / 84 * (1 - 7 * u / 270 * (1 - 9 * u / 616))))
      )
    }
    let (s, c) = (sin(.pi * x), cos(.pi * x))
    return (
      s / (.pi * x), c / x - s / (.pi * x * x), -.pi * s / x - 2 * c / (x * x) + 2 * s / (.pi * x * x * x)
    )
  }
}

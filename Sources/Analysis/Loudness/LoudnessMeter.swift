import AudioCore
import CEBUR128
import Glibc

/// Loudness, loudness range and true peak of a stream of any length: libebur128, fed with planes.
///
/// Momentary and short-term maxima are taken every 10 ms (20 or more at rates that have no whole number of frames in
/// that). True peaks are those of the band-limited course itself, at every rate, each with its error: the interpolator
/// of BS.1770-4, annex 2, reads up to 0.69 dB low with 4 points a sample, and 3 dB with 2. Memory: a few seconds of
/// samples, and below 1 MB for each hour, since every 100 ms are gated again at the end. One caller at a time.
public final class LoudnessMeter {
  /// The position of each channel's loudspeaker, which weights it in the sum (BS.1770-4); one for each channel.
  public let channels: [LoudnessChannel]
  /// Whole Hertz.
  public let sampleRate: Int
  /// The last 400 ms and the last 3 s in LUFS, at most 10 ms old; nil until there are so many; −∞ for digital silence.
  public private(set) var momentaryLUFS: Double?
  /// As ``momentaryLUFS``, over the last 3 s.
  public private(set) var shortTermLUFS: Double?

  /// Numbers of channels that libebur128 takes.
  public static let channelCountRange = 1...64
  /// Rates in whole Hertz that libebur128 takes.
  public static let sampleRateRange = 16...2_822_400

  private var state: UnsafeMutablePointer<ebur128_state>?
  /// The last 3 s of weighted powers, a step each, in a ring.
  private var steps: StepRing
  private var framesInStep = 0
  private var momentaryMaximum: Double?
  private var shortTermMaximum: Double?
  /// False once a sample was NaN or infinite: there is no loudness then, and no peak.
  public private(set) var isFinite = true
  /// Frames of what has been added.
  public private(set) var frameCount: Int64 = 0
  private let interleaved: FlatMemory<Double>
  /// One channel of a step.
  private let plane: FlatMemory<Double>
  private let peakMeters: [TruePeakMeter]

  /// - Parameters:
  ///   - sampleRate: Hertz, rounded to whole ones.
  ///   - channels: one for each channel, see ``LoudnessChannel/usual(count:)``.
  /// - Throws: `.input` for a rate or a number of channels that libebur128 does not take.
  public init(sampleRate: Double, channels: [LoudnessChannel]) throws(BenchError) {
    guard Self.channelCountRange.contains(channels.count) else {
      throw BenchError(.input, "loudness is measured of 1 to 64 channels, not of \(channels.count)")
    }
    let range = Self.sampleRateRange
    guard let rate = Int(exactly: sampleRate.rounded()), range.contains(rate) else {
      throw BenchError(
        .input, "loudness is measured at \(range.lowerBound) to \(range.upperBound) Hz, not at \(sampleRate) Hz")
    }
    let mode =
      EBUR128_MODE_M.rawValue | EBUR128_MODE_S.rawValue | EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
      | EBUR128_MODE_SAMPLE_PEAK.rawValue
    guard let state = ebur128_init(UInt32(channels.count), UInt(rate), Int32(mode)) else {
      throw BenchError(.input, "libebur128 cannot measure \(NumberText.count(channels.count, "channel")) at \(rate) Hz")
    }
    for (index, channel) in channels.enumerated() { ebur128_set_channel(state, UInt32(index), channel.code) }
    self.state = state
    self.sampleRate = rate
    self.channels = channels
    steps = StepRing(sampleRate: rate)
    interleaved = FlatMemory(repeating: 0, count: steps.frames * channels.count)
    plane = FlatMemory(repeating: 0, count: steps.frames)
    peakMeters = channels.map { _ in TruePeakMeter() }
  }

  deinit {
    if state != nil { ebur128_destroy(&state) }
  }

  /// Takes the next block: `frames` samples of each channel.
  public func add(_ planes: Planes<Float>, frames: Int) {
    add(frames: frames) { channel, frame in Double(planes[channel][frame]) }
  }

  /// As the one for Float: `frames` samples of each channel.
  public func add(_ planes: Planes<Double>, frames: Int) {
    add(frames: frames) { channel, frame in planes[channel][frame] }
  }

  /// Ends the measurement and returns the readings. Nothing can be added afterwards.
  public func finish() -> LoudnessReadings {
    precondition(state != nil, "a loudness meter that was finished cannot be read again")
    var (integrated, range) = (0.0, 0.0)
    ebur128_loudness_global(state, &integrated)
    ebur128_loudness_range(state, &range)
    let hasRange = (shortTermMaximum ?? -.infinity) >= -70
    var readings = LoudnessReadings(
      integratedLUFS: integrated.isFinite ? integrated : nil, momentaryMaximumLUFS: momentaryMaximum,
      shortTermMaximumLUFS: shortTermMaximum, rangeLU: hasRange ? range : nil, truePeaks: [],
      truePeakUncertainties: [], samplePeaks: [])
    for (channel, meter) in peakMeters.enumerated() {
      var sample = 0.0
      ebur128_sample_peak(state, UInt32(channel), &sample)
      let peak = meter.finish()
      readings.samplePeaks.append(sample)
      readings.truePeaks.append(max(sample, peak.amplitude))
      readings.truePeakUncertainties.append(peak.uncertainty)
    }
    ebur128_destroy(&state)
    return isFinite ? readings : readings.withoutNumbers
  }

  /// The integrated loudness of several streams as one, LUFS; nil where all are silent or short. None may be finished.
  package static func integratedLUFS(of meters: [LoudnessMeter]) -> Double? {
    var states = meters.map { meter -> UnsafeMutablePointer<ebur128_state>? in
      precondition(meter.state != nil, "a loudness meter that was finished cannot be read again")
      return meter.state
    }
    var loudness = 0.0
    ebur128_loudness_global_multiple(&states, states.count, &loudness)
    return loudness.isFinite && meters.allSatisfy(\.isFinite) ? loudness : nil
  }

  private func add(frames: Int, _ sample: (Int, Int) -> Double) {
    precondition(state != nil && frames >= 0)
    frameCount += Int64(frames)
    var done = 0
    while done < frames {
      let count = min(frames - done, steps.frames - framesInStep)
      var sum = 0.0
      for channel in channels.indices {
        var at = channel
        let plane = plane.all
        for frame in done..<done + count {
          let value = sample(channel, frame)
          interleaved[at] = value
          plane[frame - done] = value
          // 0 for every finite sample; not a number otherwise.
          sum += value * 0
          at += channels.count
        }
        peakMeters[channel].add(plane, frames: count)
      }
      if sum != 0 { isFinite = false }
      ebur128_add_frames_double(state, interleaved.all.start(of: count * channels.count), count)
      done += count
      framesInStep += count
      if framesInStep == steps.frames { endStep() }
    }
  }

  private func endStep() {
    framesInStep = 0
    var loudness = -Double.infinity
    ebur128_loudness_window(state, UInt(steps.milliseconds), &loudness)
    // libebur128's own: −0.691 + 10·log10(power).
    steps.append(loudness == -.infinity ? 0 : pow(10, (loudness + 0.691) / 10))
    momentaryLUFS = steps.loudness(milliseconds: 400)
    shortTermLUFS = steps.loudness(milliseconds: 3_000)
    if let momentaryLUFS { momentaryMaximum = max(momentaryMaximum ?? -.infinity, momentaryLUFS) }
    if let shortTermLUFS { shortTermMaximum = max(shortTermMaximum ?? -.infinity, shortTermLUFS) }
  }
}

/// The weighted powers of the last 3 s, in steps.
private struct StepRing {
  /// The length of a step.
  let milliseconds: Int
  let frames: Int
  private var powers: [Double]
  private var count = 0

  init(sampleRate: Int) {
    // 400 ms and 3 s are whole numbers of each of these.
    milliseconds = [10, 20, 40, 50, 100, 200].first { sampleRate * $0 % 1_000 == 0 } ?? max(10, 1_000 / sampleRate + 1)
    frames = max(1, sampleRate * milliseconds / 1_000)
    powers = Array(repeating: 0, count: max(1, 3_000 / milliseconds))
  }

  mutating func append(_ power: Double) {
    powers[count % powers.count] = power
    count += 1
  }

  /// The loudness of the last so many milliseconds; nil if fewer were measured.
  func loudness(milliseconds: Int) -> Double? {
    let steps = max(1, milliseconds / self.milliseconds)
    guard count >= steps else { return nil }
    var sum = 0.0
    for step in count - steps..<count { sum += powers[step % powers.count] }
    return sum > 0 ? 10 * log10(sum / Double(steps)) - 0.691 : -.infinity
  }
}

extension LoudnessReadings {
  /// The same with not a number for every value.
  fileprivate var withoutNumbers: LoudnessReadings {
    let none = [Double](repeating: .nan, count: truePeaks.count)
    return LoudnessReadings(
      integratedLUFS: .nan, momentaryMaximumLUFS: .nan, shortTermMaximumLUFS: .nan, rangeLU: .nan, truePeaks: none,
      truePeakUncertainties: none, samplePeaks: none)
  }
}

import AudioCore
import Glibc
import Spectrum

/// The delay of each output channel of a device, and the speed of its clock: found before a measurement plays its own
/// sounds.
///
/// A quiet chirp (50 Hz to 3 kHz, 0.1 s) is played three times on all input channels. If a channel does not answer
/// within 0.6 s, they are played again with more time to listen. The time between two answers, against that between
/// the chirps, is the clock's; if both such times disagree, the device varies in time.
package struct DeviceTiming: Sendable {
  /// By output channel, frames of the output; nil: nothing was heard there.
  package let latencies: [Int?]
  /// Frames of output for each frame of input, over what the rates say: 1 for a device with the clock of its input,
  /// and where the difference is within noise.
  package private(set) var stretch: Double
  /// True when the time from answer to answer changes by more than a clock explains.
  package let isUnsteady: Bool
  /// The rate of the output; nil where it was not looked at.
  let outputRate: Double?
  /// Seconds that the device was listened to.
  package let listenedSeconds: Double

  /// The longest delay that is found, unless the device reports a longer one, in seconds.
  package static let longestSeconds = 5.0
  /// The largest difference of clocks that is taken for one: a thousandth. Beyond, the device changes the pitch.
  static let largestDifference = 1e-3
  private static let shortSeconds = 0.6
  private static let leadSeconds = 0.1
  private static let chirpSeconds = 0.1

  /// The latest channel; 0 where none was heard.
  var longestLatency: Int { latencies.compactMap { $0 }.max() ?? 0 }
  /// True when an output channel answered.
  package var isHeard: Bool { latencies.contains { $0 != nil } }

  /// The same with another clock, known better.
  func clocked(_ stretch: Double) -> DeviceTiming {
    var timing = self
    timing.stretch = stretch
    return timing
  }

  /// A device whose delay is known.
  init(latency: Int, channelCount: Int) {
    latencies = Array(repeating: latency, count: channelCount)
    (stretch, isUnsteady, listenedSeconds, outputRate) = (1, false, 0, nil)
  }

  /// Plays the chirps and listens.
  /// - Parameters:
  ///   - outputRate: the rate of the output, if it is another.
  ///   - takesAnyRate: true if the output may have any rate.
  ///   - channelCount: the channels of the stimulus.
  ///   - decibels: the chirps' peak, dBFS.
  /// - Throws: the device's errors; `.render` for an output that has no channels, another rate, or is not finite.
  package init(
    of device: some Device, sampleRate: Double, outputRate: Double? = nil, takesAnyRate: Bool = false,
    channelCount: Int,
    decibels: Double = -12
  ) throws(BenchError) {
    let outputRate = outputRate ?? sampleRate
    let reported = max(0, device.reportedLatencyFrames ?? 0) / outputRate
    var answer = try Answer(
      of: device, sampleRate, takesAnyRate ? nil : outputRate, channelCount, decibels,
      listening: max(Self.shortSeconds, reported + 0.4))
    if answer.latencies.contains(nil) {
      answer = try Answer(
        of: device, sampleRate, takesAnyRate ? nil : outputRate, channelCount, decibels,
        listening: max(Self.longestSeconds, reported + 0.4))
    }
    latencies = answer.latencies
    self.outputRate = answer.outputRate
    (stretch, isUnsteady) = answer.clock
    listenedSeconds = answer.listeningSeconds
  }

  /// The remark on a device that ``isUnsteady``.
  static let unsteadyText = "the delay varies in time: that of a clock's difference is not told from it"

  /// The remark on an output channel that gave no answer.
  func unheardText(_ channel: Int) -> String {
    "channel \(channel) was not heard: no chirp came out within \(NumberText.decimal(listenedSeconds, digits: 1)) s"
  }

  /// The chirp's highest frequency, hertz.
  static func chirpTop(_ sampleRate: Double, _ outputRate: Double) -> Double {
    min(3000, 0.3 * min(sampleRate, outputRate))
  }

  /// 50 Hz to a frequency in 0.1 s, with soft ends.
  static func chirp(to top: Double, sampleRate: Double, amplitude: Double) -> [Double] {
    let count = Int(clamping: chirpSeconds * sampleRate)
    return (0..<count).map { frame in
      let seconds = Double(frame) / sampleRate
      let angle = 2 * Double.pi * (50 * seconds + (top - 50) * seconds * seconds / (2 * chirpSeconds))
      return amplitude * (0.5 - 0.5 * cos(2 * Double.pi * seconds / chirpSeconds)) * sin(angle)
    }
  }

  /// The output for three chirps: the second when the listening is over, the third soon after it.
  private struct Answer {
    let listeningSeconds: Double
    private(set) var latencies: [Int?] = []
    let outputRate: Double
    private(set) var clock = (stretch: 1.0, isUnsteady: false)

    init(
      of device: some Device, _ sampleRate: Double, _ expectedRate: Double?, _ channelCount: Int, _ decibels: Double,
      listening: Double
    ) throws(BenchError) {
      listeningSeconds = listening
      let top = DeviceTiming.chirpTop(sampleRate, expectedRate ?? min(sampleRate, 8000))
      let chirp = DeviceTiming.chirp(to: top, sampleRate: sampleRate, amplitude: Decibels.amplitude(decibels))
      // The second is no answer to the first, however quiet that one comes out.
      let gap = listening + 2 * chirpSeconds
      let starts = [0, gap, gap + shortSeconds].map { Int(clamping: (leadSeconds + $0) * sampleRate) }
      let frames = starts[2] + Int(clamping: (listening + 2 * chirpSeconds) * sampleRate)
      try AudioSignal.checkMemory(frames: frames, channels: channelCount, at: "stimulus")
      var samples = Stimulus.silence(frames: frames)
      for start in starts { samples.replaceSubrange(start..<start + chirp.count, with: chirp) }
      let output = try device.process(AudioSignal(sampleRate: sampleRate, channelCount: channelCount, samples))
      try output.check(device, rate: expectedRate ?? output.sampleRate)
      outputRate = output.sampleRate

      let reference = DeviceTiming.chirp(to: top, sampleRate: outputRate, amplitude: 1)
      let places = starts.map { Double($0) / sampleRate * outputRate }
      // Pieces begin at whole frames.
      let offsets = places.map { $0.rounded() - $0 }
      let search = Int(clamping: listening * outputRate)
      let lead = Int(clamping: places[0])
      let finder = ChirpFinder(reference, search: search)
      let piece = reference.count + Int(clamping: 0.3 * outputRate)
      let matcher = PieceMatcher(frames: piece, topPart: top / outputRate)
      var best: (first: Lag, second: Lag)?
      for channel in output.channels {
        let latency = finder.delay(in: channel.dropFirst(lead))
        latencies.append(latency)
        guard let latency else { continue }
        // A little before, for what rings before its time.
        let pieces = places.map { Int(clamping: $0.rounded()) + latency - reference.count / 2 }
        guard pieces[0] >= 0, pieces[2] + piece <= channel.count else { continue }
        let heard = pieces.map { channel[$0..<$0 + piece] }
        let (first, second) = (matcher.lag(heard[0], heard[1]), matcher.lag(heard[1], heard[2]))
        guard let first, let second, first.deviation < best?.first.deviation ?? .infinity else { continue }
        best = (first + (offsets[1] - offsets[0]), second + (offsets[2] - offsets[1]))
      }
      guard let best else { return }
      let (long, short) = (gap * outputRate, shortSeconds * outputRate)
      let (one, two) = (best.first.frames / long, best.second.frames / short)
      let deviation = hypot(best.first.deviation / long, best.second.deviation / short)
      // A thousandth of a frame is what the ends of the pieces may do.
      guard abs(one - two) <= 4 * deviation + 0.002 / short, abs(one) <= largestDifference else {
        clock = (1, true)
        return
      }
      let all = (best.first.frames + best.second.frames) / (long + short)
      if abs(all) > 4 * deviation + 1e-4 / short { clock.stretch = 1 + all }
    }
  }
}

/// The time from one piece of a signal to a later one that is like it, beyond the time between them, frames.
private struct Lag {
  let frames: Double
  let deviation: Double

  static func + (lag: Lag, more: Double) -> Lag { Lag(frames: lag.frames + more, deviation: lag.deviation) }
}

/// Finds a chirp by the largest cross-correlation.
private struct ChirpFinder {
  private let reference: [Double]
  private let search: Int
  private let fft: RealFFT

  init(_ reference: [Double], search: Int) {
    (self.reference, self.search) = (reference, search)
    fft = RealFFT(length: RealFFT.fastLength(atLeast: search + 2 * reference.count))
  }

  /// Nil if it does not stand out.
  func delay(in samples: ArraySlice<Double>) -> Int? {
    fft.correlate(samples.prefix(search + reference.count), with: reference)
    let heights = fft.samples.prefix(search)
    let peak = heights.largest
    // With noise alone, the highest of so many is about five times the rms.
    let limit = 8 * (heights.sumOfSquares / Double(search)).squareRoot()
    return peak.magnitude > limit ? peak.place : nil
  }
}

/// Finds by how much one piece of a signal is later than another that is like it: by the slope of the phase between
/// them, where they have energy.
private struct PieceMatcher {
  private let frames: Int
  private let fft: RealFFT
  private let topBin: Int

  init(frames: Int, topPart: Double) {
    self.frames = frames
    fft = RealFFT(length: RealFFT.fastLength(atLeast: 2 * frames))
    topBin = min(fft.binCount - 1, Int(clamping: topPart * Double(fft.length)))
  }

  /// Nil where they are not alike.
  func lag(_ first: ArraySlice<Double>, _ second: ArraySlice<Double>) -> Lag? {
    fft.correlate(second, with: first)
    let peak = fft.samples.largest
    let energies = (first.sumOfSquares * second.sumOfSquares).squareRoot()
    guard energies > 0, peak.magnitude > 0.5 * energies else { return nil }
    let whole = peak.place < fft.length / 2 ? peak.place : peak.place - fft.length
    fft.forward(first)
    let reference = Array(fft.bins)
    fft.forward(second)
    let step = 2 * Double.pi / Double(fft.length)
    var (top, bottom) = (0.0, 0.0)
    func cross(_ bin: Int) -> Complex {
      fft.bins[bin] * reference[bin].conjugate
        * Complex(magnitude: 1, phase: step * Double(bin) * Double(whole))
    }
    let polarity = fft.samples[peak.place] < 0 ? -1.0 : 1
    for bin in 1...max(1, topBin) {
      let value = cross(bin) * polarity
      let omega = step * Double(bin)
      top -= value.phase * value.magnitude * omega
      bottom += value.magnitude * omega * omega
    }
    guard bottom > 0 else { return nil }
    let part = top / bottom
    var scatter = 0.0
    for bin in 1...max(1, topBin) {
      let value = cross(bin) * polarity
      let omega = step * Double(bin)
      let rest = value.phase + part * omega
      scatter += pow(rest * value.magnitude * omega, 2)
    }
    return Lag(frames: Double(whole) + part, deviation: scatter.squareRoot() / bottom)
  }
}

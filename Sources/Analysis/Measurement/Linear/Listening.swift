import AudioCore
import Glibc
import Spectrum

/// Measures how long a device rings, and whether its response is the same afterwards: one impulse on all channels, a
/// long time to listen, and the same impulse again.
struct Listening {
  /// The frames in which the response is above the device's noise: a power of two from
  /// ``LinearSettings/leastResponseFrames`` on, at most ``LinearSettings/longestResponseFrames``.
  private(set) var responseFrames: Int
  private let settings: LinearSettings
  /// By output channel; empty where the device gave something that the measurement refuses.
  private var outputs: [[Double]] = []
  private let precision: SamplePrecision
  /// The frames from the first impulse to the second.
  private var longest = 0
  /// By how many frames the output was shorter than the input.
  private(set) var missingFrames = 0
  /// The frames from the first impulse to where the last channel is over.
  private var neededFrames = 0

  private static let blockFrames = 64
  /// Below the largest sample by so much, a float's response counts as over: what is left of H is a billionth.
  private static let leastPart = 1e-9
  /// Around a frequency, at so many others noise is taken to be alike.
  private static let noiseNeighbours = 12

  /// The sentence on a device that may not be over: it was silent before its last sound for more than half as long as it
  /// was listened to afterwards; nil: it is over.
  private(set) var openEnd: String?
  /// The tones that the device gives by itself.
  private(set) var steadyLines = SteadyLines()

  /// A device that was silent for so many seconds, and then sounded again, is listened to for ``longSeconds``.
  private static let gapSeconds = 0.25
  private static let longSeconds = 40.0

  init(to device: any Device, _ settings: LinearSettings) throws(BenchError) {
    self.settings = settings
    precision = device.precision
    longest = settings.longestResponseFrames
    responseFrames = settings.responseFrames
    guard longest > LinearSettings.leastResponseFrames else {
      responseFrames = longest
      return
    }
    fitIntoMemory(times: 1)
    guard var heard = try listen(to: device) else {
      // The measurement reports it, with the stimulus.
      return
    }
    let leastGap = Int(clamping: Self.gapSeconds * settings.sampleRate)
    if settings.mayListenLonger, heard.gap > leastGap {
      while Double(longest) < Self.longSeconds * settings.sampleRate { longest *= 2 }
      // The sweep is four times as long as the response.
      fitIntoMemory(times: 5)
      if let again = try listen(to: device) { heard = again }
    }
    neededFrames = heard.last
    if settings.mayListenLonger, heard.gap > leastGap, heard.last + 2 * heard.gap > longest {
      func seconds(_ frames: Int) -> String { NumberText.decimal(Double(frames) / settings.sampleRate, digits: 2) }
      openEnd =
        "it was silent for \(seconds(heard.gap)) s before its last sound, and was listened to for \(seconds(longest - heard.last)) s more: more may follow"
    }
    steadyLines = Self.lines(of: outputs, before: settings.leadFrames + longest, behind: neededFrames, settings)
    var frames = LinearSettings.leastResponseFrames
    while frames < neededFrames, frames < longest { frames *= 2 }
    responseFrames = min(frames, longest)
  }

  /// Many channels may not fit into memory for as long.
  private mutating func fitIntoMemory(times factor: Int) {
    while longest > 2 * LinearSettings.leastResponseFrames {
      do {
        try AudioSignal.checkMemory(frames: factor * longest, channels: settings.channelCount, at: "stimulus")
        break
      } catch { longest /= 2 }
    }
  }

  /// Plays the two impulses; the frame behind the last sound of the first, and the longest silence before a sound. Nil:
  /// the measurement refuses what comes.
  private mutating func listen(to device: any Device) throws(BenchError) -> (last: Int, gap: Int)? {
    let lead = settings.leadFrames
    var input = AudioSignal(
      sampleRate: settings.sampleRate, channelCount: settings.channelCount,
      Stimulus.silence(frames: lead + longest + LinearSettings.leastResponseFrames))
    for channel in input.channels.indices {
      // No two alike: what subtracts one channel from another would hear nothing.
      let part = (Double(channel) * 0.618).truncatingRemainder(dividingBy: 1)
      for frame in [lead, lead + longest] {
        input.channels[channel][frame] = settings.amplitude * (1 - 0.37 * part)
      }
    }
    let output = try device.process(device.precision.rounded(input))
    guard output.sampleRate == settings.sampleRate, !output.hasNonFiniteSamples else { return nil }
    outputs = output.channels
    missingFrames = max(0, input.frameCount - output.frameCount)
    let end = lead + longest
    var heard = (last: 0, gap: 0)
    for samples in outputs {
      let quiet = Self.withoutHum(samples, before: end, lead: lead, settings)
      let one = Self.heard(in: quiet.prefix(end), lead: lead, precision: precision)
      heard = (max(heard.last, one.last - lead), max(heard.gap, one.gap))
    }
    return heard
  }

  /// The samples without tones that stand in the end of the pause and were there before the impulse: a hum of several
  /// tones has crests that would count as sounds.
  private static func withoutHum(
    _ samples: [Double], before end: Int, lead: Int, _ settings: LinearSettings
  ) -> [Double] {
    let frames = min(1 << 17, (end - lead) / 2)
    guard samples.count >= end, frames > 8192 else { return samples }
    let (silence, pause) = (0..<lead / 2, end - frames..<end)
    let lines = SteadyLines(in: samples[pause], sampleRate: settings.sampleRate)
    guard let fit = lines.fit(to: samples, silent: [silence, pause], sampleRate: settings.sampleRate) else {
      return samples
    }
    var quiet = samples
    fit.subtract(from: &quiet)
    // A sound that rings was not there before.
    return quiet[silence].sumOfSquares < 0.1 * samples[silence].sumOfSquares ? quiet : samples
  }

  /// The tones of all outputs while nothing comes in and nothing rings.
  private static func lines(
    of outputs: [[Double]], before end: Int, behind needed: Int, _ settings: LinearSettings
  ) -> SteadyLines {
    let frames = min(1 << 17, end - settings.leadFrames - needed)
    let found = outputs.map { samples in
      samples.count >= end && frames > 8192
        ? SteadyLines(in: samples[end - frames..<end], sampleRate: settings.sampleRate) : SteadyLines()
    }
    return found.max { $0.lines.first?.amplitude ?? 0 < $1.lines.first?.amplitude ?? 0 } ?? SteadyLines()
  }

  /// The responses to the first impulse and to the second beside each other; nil where the first was not over by then.
  /// - Parameter scatter: the scatter of impulses at the same level, if they were played.
  func constancy(_ output: Int, scatter: ScatteredResponse?) -> StimulusAgreement.Comparison? {
    let (lead, frames) = (settings.leadFrames, LinearSettings.leastResponseFrames)
    let (pauses, spare) = (max(neededFrames, frames), longest - 2 * lead)
    guard output < outputs.count, outputs[output].count >= lead + longest + frames, pauses + 2 * frames <= spare else {
      return nil
    }
    let hertz = settings.trustedFrequencies
    let quiet = min(1 << 16, spare - pauses)
    // The silence behind the first impulse, and that in front of the second.
    let around = [0..<lead / 2, lead + pauses..<lead + pauses + quiet]
    let before = [longest - quiet..<longest]
    let hums = [around, before].map {
      steadyLines.fit(to: outputs[output], silent: $0, sampleRate: settings.sampleRate)
    }
    func values(from start: Int) -> [Complex] {
      var samples = outputs[output][start - lead..<start + frames].map { $0 }
      hums[start == lead ? 0 : 1]?.subtract(from: &samples, startingAt: start - lead)
      samples = samples.map { $0 / settings.amplitude }
      return ImpulseResponse(samples, leadFrames: lead, sampleRate: settings.sampleRate).values(atHertz: hertz)
    }
    let (first, second) = (values(from: lead), values(from: lead + longest))
    // The device's output in the pause, over parts of the same length.
    let parts = (spare - pauses) / frames
    var squares = [Double](repeating: 0, count: hertz.count)
    for part in 0..<min(8, parts) {
      let start = longest - (part + 1) * frames
      for (index, value) in values(from: start).enumerated() { squares[index] += value.squaredMagnitude }
    }
    let count = Double(min(8, parts))
    // If rounding is distinguished from noise, a response of so many frames may have been rounded otherwise.
    var rounding = 0.0
    if case .integer = precision {
      let step = precision.roundingDeviation(peak: settings.amplitude) / settings.amplitude
      rounding = 2 * step * step * Double(min(neededFrames, frames))
    }
    var deviations: [Double: Double] = [:]
    for (index, frequency) in hertz.enumerated() {
      let near = squares[max(0, index - Self.noiseNeighbours)...min(squares.count - 1, index + Self.noiseNeighbours)]
      let noise = max(squares[index], near.mean) / count
      let scattered = scatter.map { $0.noise.variance(atHertz: frequency) * Double($0.playCount) } ?? 0
      deviations[frequency] = (2 * max(noise, scattered) + rounding).squareRoot()
    }
    let seconds = ((Double(longest) / settings.sampleRate) * 10).rounded() / 10
    return StimulusAgreement.Comparison(
      "impulse and the same \(seconds) s later",
      zip(hertz, zip(first, second)).map { ($0, $1.0, $1.1) },
      top: first.reduce(0) { max($0, $1.magnitude) }, deviation: { deviations[$0] ?? 0 }, bias: { _ in 0 })
  }

  /// The frame behind the last block that stands out, and the longest silence before such a block.
  private static func heard(
    in samples: ArraySlice<Double>, lead: Int, precision: SamplePrecision
  ) -> (last: Int, gap: Int) {
    let silence = samples.prefix(lead / 2)
    guard !silence.isEmpty else { return (0, 0) }
    let mean = silence.mean
    var variance = silence.map { ($0 - mean) * ($0 - mean) }.mean
    let top = samples.reduce(0) { max($0, abs($1 - mean)) }
    if case .integer = precision {
      // A step up or down is rounding.
      let step = precision.roundingDeviation(peak: top) * 12.0.squareRoot()
      variance += step * step
    }
    let least = max(leastPart * top, 6.5 * variance.squareRoot())
    // A hum that is left has crests.
    let crest = stride(from: 0, to: silence.count - blockFrames, by: blockFrames).reduce(0.0) { most, start in
      let block = silence.dropFirst(start).prefix(blockFrames)
      return max(most, block.reduce(0) { $0 + ($1 - mean) * ($1 - mean) })
    }
    var (last, gap) = (lead, 0)
    for start in stride(from: lead, to: samples.count, by: blockFrames) {
      let end = min(samples.count, start + blockFrames)
      var (energy, peak) = (0.0, 0.0)
      for frame in start..<end {
        let sample = samples[frame] - mean
        energy += sample * sample
        peak = max(peak, abs(sample))
      }
      if peak > least
        || (variance > 0 && energy > max(3 * variance * Double(end - start), 1.5 * crest) && peak > leastPart * top)
      {
        gap = max(gap, start - last)
        last = end
      }
    }
    return (last, gap)
  }
}

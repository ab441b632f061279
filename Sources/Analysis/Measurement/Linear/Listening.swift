import AudioCore
import Glibc
import Spectrum

/// Measures how long a device rings, and whether its response is the same afterwards: one impulse on all channels, a
/// long time to listen, and the same impulse again.
struct Listening {
  /// The frames in which the response is above the device's noise: a power of two from
  /// ``LinearSettings/leastResponseFrames`` on, at most ``LinearSettings/longestResponseFrames``.
  let responseFrames: Int
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

  init(to device: any Device, _ settings: LinearSettings) throws(BenchError) {
    self.settings = settings
    precision = device.precision
    longest = settings.longestResponseFrames
    guard longest > LinearSettings.leastResponseFrames else {
      responseFrames = longest
      return
    }
    // Many channels may not fit into memory for as long.
    while longest > 2 * LinearSettings.leastResponseFrames {
      do throws(BenchError) {
        try AudioSignal.checkMemory(frames: longest, channels: settings.channelCount, at: "stimulus")
        break
      } catch { longest /= 2 }
    }
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
    guard output.sampleRate == settings.sampleRate, !output.hasNonFiniteSamples else {
      // The measurement reports it, with the stimulus.
      responseFrames = settings.responseFrames
      return
    }
    outputs = output.channels
    missingFrames = max(0, input.frameCount - output.frameCount)
    let end = lead + longest
    neededFrames =
      outputs.map { Self.last(in: $0.prefix(end), lead: lead, precision: device.precision) - lead }.max() ?? 0
    var frames = LinearSettings.leastResponseFrames
    while frames < neededFrames, frames < settings.longestResponseFrames { frames *= 2 }
    responseFrames = min(frames, settings.longestResponseFrames)
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
    func values(from start: Int) -> [Complex] {
      let samples = outputs[output][start - lead..<start + frames].map { $0 / settings.amplitude }
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

  /// The frame behind the last block that stands out.
  private static func last(in samples: ArraySlice<Double>, lead: Int, precision: SamplePrecision) -> Int {
    let silence = samples.prefix(lead / 2)
    guard !silence.isEmpty else { return 0 }
    let mean = silence.mean
    var variance = silence.map { ($0 - mean) * ($0 - mean) }.mean
    let top = samples.reduce(0) { max($0, abs($1 - mean)) }
    if case .integer = precision {
      // A step up or down is rounding.
      let step = precision.roundingDeviation(peak: top) * 12.0.squareRoot()
      variance += step * step
    }
    let least = max(leastPart * top, 6.5 * variance.squareRoot())
    var end = samples.count
    while end > lead {
      let start = max(lead, end - blockFrames)
      var (energy, peak) = (0.0, 0.0)
      for frame in start..<end {
        let sample = samples[frame] - mean
        energy += sample * sample
        peak = max(peak, abs(sample))
      }
      if peak > least || (variance > 0 && energy > 3 * variance * Double(end - start) && peak > leastPart * top) {
        return end
      }
      end = start
    }
    return lead
  }
}

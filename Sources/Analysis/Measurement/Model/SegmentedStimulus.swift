import AudioCore
import Glibc
import Spectrum

/// Several sounds one behind the other, silence between them, so that a device runs once for all.
///
/// A quiet chirp (50 Hz to 3 kHz, 0.1 s) comes first: by it the device's delay is found, so that of each sound the
/// settled middle can be read. The output may have another rate.
struct SegmentedStimulus: Sendable {
  /// The settled part of a sound in the input, in frames.
  struct Segment: Hashable, Sendable {
    let start: Int
    let frames: Int
  }

  let sampleRate: Double
  private(set) var samples: [Double]
  /// The chirp's highest frequency, hertz.
  private let markerTop: Double
  private let searchFrames: Int
  private static let markerSeconds = 0.1

  /// - Parameters:
  ///   - markerDecibels: the chirp's peak, dBFS.
  ///   - searchSeconds: the longest delay that is looked for; as much silence follows the chirp, and the last sound.
  ///   - outputRate: the rate of the device's output, if it is another.
  /// - Throws: `.usage`, as ``append(_:settleSeconds:frames:gapSeconds:)``, where it would take more memory than it
  ///   may.
  init(
    sampleRate: Double, outputRate: Double? = nil, markerDecibels: Double, searchSeconds: Double
  ) throws(BenchError) {
    self.sampleRate = sampleRate
    markerTop = min(3000, 0.3 * min(sampleRate, outputRate ?? sampleRate))
    searchFrames = Int(clamping: searchSeconds * sampleRate)
    try AudioSignal.checkMemory(frames: MemoryBudget.product(searchFrames, 2), channels: 1, at: "stimulus")
    samples = Self.marker(to: markerTop, sampleRate: sampleRate, amplitude: Decibels.amplitude(markerDecibels))
    samples += Stimulus.silence(frames: searchFrames)
  }

  /// Half a second, or longer where a device is known to be later.
  static func searchSeconds(_ device: some Device, latencyFrames: Double?, outputRate: Double) -> Double {
    max(0.5, (latencyFrames ?? device.reportedLatencyFrames ?? 0) / outputRate + 0.25)
  }

  private static func marker(to top: Double, sampleRate: Double, amplitude: Double) -> [Double] {
    let count = Int(clamping: markerSeconds * sampleRate)
    return (0..<count).map { frame in
      let seconds = Double(frame) / sampleRate
      let angle = 2 * Double.pi * (50 * seconds + (top - 50) * seconds * seconds / (2 * markerSeconds))
      return amplitude * (0.5 - 0.5 * cos(2 * Double.pi * seconds / markerSeconds)) * sin(angle)
    }
  }

  /// Appends tones: time to settle, the part that is measured (frame 0 of the tones), a little more, silence.
  mutating func append(
    _ tones: [Tone], settleSeconds: Double, frames: Int, gapSeconds: Double
  ) throws(BenchError) -> Segment {
    let settle = Int(clamping: settleSeconds * sampleRate)
    let behind = Int(clamping: 0.02 * sampleRate)
    try checkMemory(adding: settle + frames + behind)
    var sound = Tone.samples(tones, frames: -settle..<frames + behind, sampleRate: sampleRate)
    // Soft edges: a click would have to settle too.
    let fade = min(settle, behind) / 2
    for index in 0..<fade {
      let factor = 0.5 - 0.5 * cos(Double.pi * (Double(index) + 0.5) / Double(fade))
      sound[index] *= factor
      sound[sound.count - 1 - index] *= factor
    }
    return try append(sound, measuredFrom: settle, frames: frames, gapSeconds: gapSeconds)
  }

  /// Appends samples of which a part is measured, and silence.
  mutating func append(
    _ sound: [Double], measuredFrom first: Int, frames: Int, gapSeconds: Double
  ) throws(BenchError) -> Segment {
    precondition(first + frames <= sound.count)
    try checkMemory(adding: sound.count + Int(clamping: gapSeconds * sampleRate))
    let segment = Segment(start: samples.count + first, frames: frames)
    samples += sound
    samples += Stimulus.silence(frames: Int(clamping: gapSeconds * sampleRate))
    return segment
  }

  /// On one channel: of all channels ``run(through:channelCount:latencyFrames:outputRate:segments:)`` asks.
  private func checkMemory(adding frames: Int) throws(BenchError) {
    try AudioSignal.checkMemory(
      frames: MemoryBudget.sum(samples.count + searchFrames, frames), channels: 1, at: "stimulus")
  }

  /// The output, and the places of the segments in it.
  struct Response: Sendable {
    let output: AudioSignal
    /// Output frames ÷ input frames.
    let ratio: Double
    /// Whole frames of the output.
    let latencyFrames: Int
    let remarks: [String]

    /// The frames of a segment in the output.
    func frames(_ segment: Segment) -> Range<Int> {
      let start = Int(clamping: (Double(segment.start) * ratio).rounded()) + latencyFrames
      return start..<start + Int(clamping: (Double(segment.frames) * ratio).rounded())
    }

    func samples(of segment: Segment, channel: Int) -> ArraySlice<Double> { output.channels[channel][frames(segment)] }
  }

  /// All of it, with silence behind for the device's delay.
  var input: [Double] { samples + Stimulus.silence(frames: searchFrames) }

  /// Runs it through a device.
  /// - Parameters:
  ///   - latencyFrames: the latency of the device, in output frames; nil: found by the chirp, or what the device
  ///     reports if it cannot be.
  ///   - segments: those that the output must hold.
  /// - Throws: `.usage` where so many channels would take more memory than they may; what the device throws; `.render`
  ///   for an output that has no channels, is too short, or is not finite.
  func run(
    through device: some Device, channelCount: Int, latencyFrames: Double? = nil, outputRate: Double? = nil,
    segments: [Segment]
  ) throws(BenchError) -> Response {
    let input = self.input
    try AudioSignal.checkMemory(frames: input.count, channels: channelCount, at: "stimulus")
    let output = try device.process(AudioSignal(sampleRate: sampleRate, channelCount: channelCount, input))
    try output.check(device, rate: outputRate ?? sampleRate)
    let found = latencyFrames ?? delay(in: output)
    let latency = Int(clamping: (found ?? device.reportedLatencyFrames ?? 0).rounded())
    let response = Response(
      output: output, ratio: output.sampleRate / sampleRate, latencyFrames: latency,
      remarks: found == nil
        ? [
          "the delay could not be found from the chirp at the start; taken to be \(NumberText.count(latency, "frame"))"
        ] : [])
    for frames in segments.map(response.frames) {
      guard frames.upperBound <= output.frameCount, frames.lowerBound >= 0 else {
        throw BenchError(
          .render, at: device.name,
          "the output ends after \(NumberText.count(output.frameCount, "frame")); \(frames.upperBound) were expected of \(input.count) in",
          advice:
            "a device has to give all of its input back, and its delay must be below \(NumberText.count(searchFrames, "frame"))"
        )
      }
    }
    return response
  }

  /// The delay of the chirp in the output, by the largest cross-correlation; nil if it does not stand out.
  private func delay(in output: AudioSignal) -> Double? {
    let marker = Self.marker(to: markerTop, sampleRate: output.sampleRate, amplitude: 1)
    let search = Int(clamping: Double(searchFrames) / sampleRate * output.sampleRate)
    let fft = RealFFT(length: RealFFT.fastLength(atLeast: search + 2 * marker.count))
    var best: (place: Int, magnitude: Double)?
    for channel in output.channels {
      fft.correlate(channel.prefix(search + marker.count), with: marker)
      let heights = fft.samples.prefix(search)
      let peak = heights.largest
      // With noise alone, the highest of so many is about five times the rms.
      let limit = 8 * (heights.sumOfSquares / Double(search)).squareRoot()
      if peak.magnitude > limit, peak.magnitude > best?.magnitude ?? 0 { best = peak }
    }
    return best.map { Double($0.place) }
  }
}

extension AudioSignal {
  /// - Throws: `.render` where a device's output cannot be measured: no channels, another rate, samples that are not
  ///   finite.
  func check(_ device: some Device, rate: Double) throws(BenchError) {
    guard channelCount > 0 else { throw BenchError(.render, at: device.name, "the output has no channels") }
    guard sampleRate == rate else {
      throw BenchError(
        .render, at: device.name, "the output is at \(sampleRate) Hz; \(rate) Hz was expected",
        advice: "measure a device that changes the rate by --what resampler")
    }
    try checkFinite(device)
  }

  /// - Throws: `.render` where a sample of a device's output is NaN or infinite: no figure follows from that.
  func checkFinite(_ device: some Device) throws(BenchError) {
    let found = nonFiniteSamples
    guard !found.isEmpty else { return }
    throw BenchError(
      .render, at: device.name, "in its output \(found)", advice: "a device must give finite samples")
  }
}

import AudioCore
import Glibc
import Spectrum

/// Several sounds one behind the other, silence between them, so that a device runs once for all. The output may have
/// another rate.
struct SegmentedStimulus: Sendable {
  /// The settled part of a sound in the input, in frames.
  struct Segment: Hashable, Sendable {
    let start: Int
    let frames: Int
  }

  let sampleRate: Double
  /// The sounds.
  private(set) var samples: [Double]
  private let chirpDecibels: Double
  /// Seconds of silence before the first sound, and behind the last, on top of the device's delay.
  private static let restSeconds = 0.5

  /// - Parameters:
  ///   - outputRate: the rate of the device's output, if it is another.
  ///   - chirpDecibels: the peak of the chirps by which the device's timing is found, dBFS. One stands at the beginning
  ///     of the sounds too: what follows levels has then heard something.
  init(sampleRate: Double, outputRate: Double? = nil, chirpDecibels: Double) {
    self.sampleRate = sampleRate
    self.chirpDecibels = chirpDecibels
    samples =
      DeviceTiming.chirp(
        to: DeviceTiming.chirpTop(sampleRate, outputRate ?? sampleRate), sampleRate: sampleRate,
        amplitude: Decibels.amplitude(chirpDecibels))
      + Stimulus.silence(frames: Int(clamping: Self.restSeconds * sampleRate))
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
    try AudioSignal.checkMemory(frames: MemoryBudget.sum(samples.count, frames), channels: 1, at: "stimulus")
  }

  /// The output, and the places of the segments in it.
  struct Response: Sendable {
    let output: AudioSignal
    private(set) var timing: DeviceTiming
    /// Output frames ÷ input frames by the rates alone: segments are as long as their tones were planned for.
    fileprivate let rates: Double
    /// The same, the device's clock included.
    var ratio: Double { rates * timing.stretch }
    /// Frames that went in.
    let inputFrames: Int
    /// The latency that is assumed of channels that were not heard.
    fileprivate let assumedLatency: Int
    let remarks: [String]

    /// Whole frames of the output.
    func latencyFrames(_ channel: Int) -> Int {
      timing.latencies.indices.contains(channel) ? timing.latencies[channel] ?? assumedLatency : assumedLatency
    }

    /// The frames of a segment in a channel of the output.
    func frames(_ segment: Segment, channel: Int) -> Range<Int> {
      let start = Int(clamping: (Double(segment.start) * ratio).rounded()) + latencyFrames(channel)
      return start..<start + Int(clamping: (Double(segment.frames) * rates).rounded())
    }

    /// The same with another clock, known better.
    func clocked(_ stretch: Double, of device: some Device, segments: [Segment]) throws(BenchError) -> Response {
      var response = self
      response.timing = timing.clocked(stretch)
      try response.check(device, segments)
      return response
    }

    /// - Throws: `.render` where a segment lies beyond the output.
    fileprivate func check(_ device: some Device, _ segments: [Segment]) throws(BenchError) {
      for channel in output.channels.indices {
        for frames in segments.map({ self.frames($0, channel: channel) }) {
          guard frames.upperBound <= output.frameCount, frames.lowerBound >= 0 else {
            throw BenchError(
              .render, at: device.name,
              "the output ends after \(NumberText.count(output.frameCount, "frame")); \(frames.upperBound) were expected of \(inputFrames) in",
              advice: "a device has to give all of its input back")
          }
        }
      }
    }

    func samples(of segment: Segment, channel: Int) -> ArraySlice<Double> {
      output.channels[channel][frames(segment, channel: channel)]
    }
  }

  /// Finds the device's timing, and runs the sounds through it.
  /// - Parameters:
  ///   - latencyFrames: the latency of the device, in output frames; nil: found, or what the device reports if it
  ///     cannot be.
  ///   - segments: those that the output must hold.
  /// - Throws: `.usage` where so many channels would take more memory than they may; what the device throws; `.render`
  ///   for an output that has no channels, is too short, or is not finite.
  func run(
    through device: some Device, channelCount: Int, latencyFrames: Double? = nil, outputRate: Double? = nil,
    segments: [Segment]
  ) throws(BenchError) -> Response {
    try AudioSignal.checkMemory(frames: samples.count, channels: channelCount, at: "stimulus")
    let rate = outputRate ?? sampleRate
    let known = latencyFrames.map { Int(clamping: $0.rounded()) }
    let timing =
      if let known {
        DeviceTiming(latency: known, channelCount: channelCount)
      } else {
        try DeviceTiming(
          of: device, sampleRate: sampleRate, outputRate: rate, channelCount: channelCount, decibels: chirpDecibels)
      }
    let assumed = known ?? Int(clamping: (device.reportedLatencyFrames ?? 0).rounded())
    let late = Double(max(timing.longestLatency, assumed)) / rate + Self.restSeconds
    // A slow clock needs more time for the same.
    let rest = late * sampleRate + max(0, timing.stretch - 1) * Double(samples.count)
    // An even number: a plan of odd length stays odd.
    let input = samples + Stimulus.silence(frames: 2 * Int(clamping: rest / 2))
    try AudioSignal.checkMemory(frames: input.count, channels: channelCount, at: "stimulus")
    let output = try device.process(AudioSignal(sampleRate: sampleRate, channelCount: channelCount, input))
    try output.check(device, rate: rate)
    let response = Response(
      output: output, timing: timing, rates: rate / sampleRate, inputFrames: input.count, assumedLatency: assumed,
      remarks: timing.latencies.indices.filter { timing.latencies[$0] == nil }.map {
        "\(timing.unheardText($0)); its delay is taken to be \(NumberText.count(assumed, "frame"))"
      })
    try response.check(device, segments)
    return response
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

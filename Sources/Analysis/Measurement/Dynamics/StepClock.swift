import AudioCore
import Glibc
import Spectrum

/// The clock of a device by the phase of the staircase's tone, from step to step: a compressor makes another chirp of
/// each, of which the clock is not known well enough to find a jump half a minute later.
enum StepClock {
  /// A step counts if its tone is so much larger than the noise around it.
  private static let leastRatio = 30.0
  /// Frames that the end of the stimulus may be off by for a clock that counts as the input's own.
  private static let leastFrames = 0.01

  /// Frames of output for each frame of input; nil where the phases do not follow a clock.
  static func stretch(
    of response: SegmentedStimulus.Response, _ stimulus: DynamicsStimulus, frequencyHertz: Double, sampleRate: Double,
    _ transforms: StaticTransforms
  ) -> Double? {
    let old = response.timing.stretch
    let hertz = frequencyHertz / old
    let input = stimulus.stimulus.samples
    let lobesOf = stride(from: 0, to: sampleRate / 2, by: hertz)
    /// The phase beyond what the old clock explains, by frame of the output, and its deviation.
    func errors(_ channel: Int) -> [(frame: Double, phase: Double, deviation: Double)] {
      stimulus.steps.compactMap { segment in
        let frames = response.frames(segment, channel: channel)
        let spectrum = transforms.whole.spectrum(response.output.channels[channel][frames], sampleRate: sampleRate)
        let found = spectrum.amplitude(at: hertz)
        let noise = spectrum.noiseAmplitude(at: hertz, excluding: spectrum.lobes(of: lobesOf))
        guard found.magnitude > leastRatio * noise, found.magnitude > 0 else { return nil }
        let given = transforms.whole.spectrum(
          input[segment.start..<segment.start + segment.frames], sampleRate: sampleRate
        ).amplitude(at: frequencyHertz)
        let late = Double(frames.lowerBound - response.latencyFrames(channel)) / old - Double(segment.start)
        let phase = found.phase - given.phase - 2 * .pi * frequencyHertz * late / sampleRate
        return (Double(frames.lowerBound), phase, max(noise / found.magnitude, 1e-9))
      }
    }
    let channels = response.output.channels.indices.map(errors)
    guard var points = channels.max(by: { $0.count < $1.count }), points.count >= 6 else { return nil }
    for index in points.indices.dropFirst() {
      points[index].phase =
        points[index - 1].phase + (points[index].phase - points[index - 1].phase).remainder(dividingBy: 2 * .pi)
    }
    let weights = points.map { 1 / ($0.deviation * $0.deviation) }
    let total = weights.reduce(0, +)
    func mean(_ value: (Int) -> Double) -> Double { points.indices.reduce(0) { $0 + weights[$1] * value($1) } / total }
    let (middle, level) = (mean { points[$0].frame }, mean { points[$0].phase })
    let spread = mean { pow(points[$0].frame - middle, 2) }
    guard spread > 0 else { return nil }
    let slope = mean { (points[$0].frame - middle) * (points[$0].phase - level) } / spread
    let rest = mean { pow(points[$0].phase - level - slope * (points[$0].frame - middle), 2) }.squareRoot()
    // A phase that wanders by more is no clock's.
    guard rest < 0.05 else { return nil }
    let deviation = rest / (spread * Double(points.count)).squareRoot()
    let step = 2 * Double.pi * frequencyHertz / sampleRate
    let inverse = 1 / old + slope / step
    let stretch = 1 / inverse
    let frames = Double(input.count)
    let isOwn = abs(stretch - 1) * frames < max(leastFrames, 3 * deviation / step * frames)
    return isOwn ? 1 : stretch
  }
}

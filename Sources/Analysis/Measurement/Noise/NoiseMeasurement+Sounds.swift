import AudioCore
import Glibc

extension NoiseMeasurement {
  /// The outputs of a device for silence and for the tone, by output channel, settled and behind its delay.
  struct Sounds {
    private(set) var idle: [Idle] = []
    private(set) var played: [Played] = []

    /// The output for silence.
    struct Idle {
      let samples: [Double]
      let mean: Double
      /// The level of the samples less their mean.
      let spectrum: WindowedSpectrum
      let course: NoiseCourse
      let comesAndGoes: Bool
      /// True when the channel answered to a sound.
      let isHeard: Bool
    }

    /// The output for the tone.
    struct Played {
      let tone: ToneAnalysis
      let course: ToneCourse
      let noiseCourse: NoiseCourse
      let comesAndGoes: Bool
      let isHeard: Bool
      /// True when the tone, or something beside it, is weaker at the end than at the beginning.
      let settles: Bool
    }

    /// True when a channel has not settled.
    var settle: Bool { played.contains(where: \.settles) }

    /// The widest ± of noise that comes and goes, decibels; 0 where none does.
    var widestDecibels: Double {
      (idle.filter(\.comesAndGoes).map(\.course) + played.filter(\.comesAndGoes).map(\.noiseCourse)).reduce(0) {
        max($0, $1.uncertaintyDecibels)
      }
    }

    init(of device: some Device, _ timing: DeviceTiming, _ settings: NoiseMeasurement) throws(BenchError) {
      let (rate, frames) = (settings.sampleRate, settings.frames)
      let reported = Int(clamping: max(0, device.reportedLatencyFrames ?? 0).rounded())
      let latest = max(timing.longestLatency, reported)
      // Half a second stands before and behind: what a device rings moves nothing that counts.
      let lead = Int(clamping: (settings.settleSeconds + 0.5) * rate)
      let behind = Int(clamping: rate / 2) + latest
      let tone = Tone(settings.toneHertz, amplitude: Decibels.amplitude(settings.toneDecibels))
      let channels = device.inputChannelCount ?? settings.channelCount
      try AudioSignal.checkMemory(frames: lead + frames + behind, channels: channels, at: "stimulus")
      let sound = Tone.samples([tone], frames: -lead..<frames + behind, sampleRate: rate)
      func run(_ samples: [Double]) throws(BenchError) -> AudioSignal {
        let output = try device.process(AudioSignal(sampleRate: rate, channelCount: channels, samples))
        try output.check(device, rate: rate)
        guard output.frameCount >= lead + latest + frames else {
          throw BenchError(
            .render, at: device.name, "the output has \(output.frameCount) frames of \(samples.count) that went in")
        }
        return output
      }
      let silence = try run(Stimulus.silence(frames: sound.count))
      let output = try run(sound)
      func latency(_ channel: Int) -> Int? {
        timing.latencies.indices.contains(channel) ? timing.latencies[channel] : nil
      }
      let transform = WindowedSpectrum.Transform(length: frames)
      for (channel, samples) in silence.channels.enumerated() {
        let start = lead + (latency(channel) ?? reported)
        idle.append(
          Self.idle(
            Array(samples[start..<start + frames]), transform, settings, isHeard: latency(channel) != nil))
      }
      let parts = ToneCourse.Parts(frames: frames)
      let half = WindowedSpectrum.Transform(length: frames / 2)
      for (channel, samples) in output.channels.enumerated() {
        let start = lead + (latency(channel) ?? reported)
        let segment = samples[start..<start + frames]
        var options = ToneAnalysis.Options()
        options.bandHertz = settings.bandHertz
        options.clockRatio = 1 / timing.stretch
        let tone = ToneAnalysis(
          segment, frequencyHertz: settings.toneHertz, sampleRate: rate, options: options, transform: transform)
        let lines = RoundingLines(
          device.precision, of: [settings.toneHertz], sampleRate: rate, frames: frames / ToneCourse.partCount)
        let course = ToneCourse(
          segment, hertz: tone.fundamental.frequencyHertz, sampleRate: rate, rounding: lines.amplitude, parts)
        let (found, _, noiseCourse) = NoiseCourse.found(
          in: tone.residual, tone.residualSpectrum, settings.bandHertz, standing: settings.idleToneDecibels)
        let fading = Fading(
          tone, sampleRate: rate,
          excluding: [0, tone.fundamental.frequencyHertz] + tone.harmonics.map(\.frequencyHertz), half: half)
        played.append(
          Played(
            tone: tone, course: course, noiseCourse: noiseCourse, comesAndGoes: found,
            isHeard: latency(channel) != nil, settles: course.settles || fading.amplitude > 0))
      }
    }

    private static func idle(
      _ samples: [Double], _ transform: WindowedSpectrum.Transform, _ settings: NoiseMeasurement, isHeard: Bool
    ) -> Idle {
      let mean = samples.mean
      let centred = samples.map { $0 - mean }
      let spectrum = transform.spectrum(centred, sampleRate: settings.sampleRate)
      let (found, _, course) = NoiseCourse.found(
        in: centred, spectrum, settings.bandHertz, standing: settings.idleToneDecibels)
      return Idle(
        samples: samples, mean: mean, spectrum: spectrum, course: course, comesAndGoes: found, isHeard: isHeard)
    }
  }
}

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
      let comesAndGoes: Bool
      let isHeard: Bool
    }

    /// True when the noise of a channel comes and goes.
    var comeAndGo: Bool { idle.contains(where: \.comesAndGoes) || played.contains(where: \.comesAndGoes) }

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
        played.append(
          Played(
            tone: tone, course: course,
            comesAndGoes: Self.comesAndGoes(tone.residual, tone.residualSpectrum, settings).found,
            isHeard: latency(channel) != nil))
      }
    }

    private static func idle(
      _ samples: [Double], _ transform: WindowedSpectrum.Transform, _ settings: NoiseMeasurement, isHeard: Bool
    ) -> Idle {
      let mean = samples.mean
      let centred = samples.map { $0 - mean }
      let spectrum = transform.spectrum(centred, sampleRate: settings.sampleRate)
      let (found, course) = comesAndGoes(centred, spectrum, settings)
      return Idle(
        samples: samples, mean: mean, spectrum: spectrum, course: course, comesAndGoes: found, isHeard: isHeard)
    }

    /// Flat, and weighted as the ear hears it: hum may hide clicks.
    private static func comesAndGoes(
      _ samples: [Double], _ spectrum: WindowedSpectrum, _ settings: NoiseMeasurement
    ) -> (found: Bool, course: NoiseCourse) {
      guard samples.contains(where: { $0 != samples[0] }) else {
        return (false, NoiseCourse(samples, sampleRate: settings.sampleRate))
      }
      let lines = spectrum.lines(standing: settings.idleToneDecibels)
      let courses = [FrequencyWeighting.flat, .itu468].map { weighting in
        let course = NoiseCourse(
          weighting.apply(to: samples, sampleRate: settings.sampleRate, bandHertz: settings.bandHertz),
          sampleRate: settings.sampleRate)
        let square = spectrum.meanSquare(in: settings.bandHertz, weight: weighting.power)
        let deviation = spectrum.meanSquareDeviation(in: settings.bandHertz, lines, weight: weighting.power)
        return (course, square > 0 && course.comesAndGoes(explained: deviation / square))
      }
      return (courses.contains { $0.1 }, courses[0].0)
    }
  }
}

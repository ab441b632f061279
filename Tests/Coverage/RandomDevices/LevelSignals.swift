import AudioCore
import Glibc
import Measurement

/// Random steady signals for the level measurement: two channels, each a tone and DC, whose levels are known in closed
/// form.
public enum LevelSignals {
  /// The uncertainty of true peak and loudness is that of their methods for any signal: it may be far wider than the
  /// error of this one.
  public static let family = CoverageFamily("levels", .levels, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "levels", number)
    let rate = LinearDevices.rate(&draw)
    let frames = Int(clamping: rate) * draw.whole(4, 8)
    // Whole periods, so that means are exact.
    let tones = (0..<2).map { _ in
      Tone(
        Double(draw.whole(40, Int(clamping: 0.4 * rate / 10)) * 10), amplitude: draw.logarithmic(0.01, 0.9),
        phase: draw.uniform(0, 2 * .pi))
    }
    let offsets = (0..<2).map { _ in draw.whole(0, 2) == 0 ? 0 : draw.sign() * draw.logarithmic(1e-5, 0.05) }
    let name = "tones \(tones.map { [$0.frequencyHertz, $0.amplitude, $0.phase] }), offsets \(offsets), \(rate) Hz"
    let device = FunctionDevice(name) { (_) throws(BenchError) in
      AudioSignal(
        sampleRate: rate,
        channels: (0..<2).map { channel in
          Tone.samples([tones[channel]], frames: 0..<frames, sampleRate: rate).map { $0 + offsets[channel] }
        })
    }
    var known = KnownDevice(name, device)
    known.sampleRate = rate
    known.channelCount = 2
    var squares: [Double] = []
    for (channel, tone) in tones.enumerated() {
      let square = tone.amplitude * tone.amplitude / 2 + offsets[channel] * offsets[channel]
      squares.append(square)
      known.truths[.init("rms", channel: channel)] = .value(10 * log10(square))
      known.truths[.init("dc", channel: channel)] = .value(offsets[channel])
      known.truths[.init("truePeak", channel: channel)] = .value(20 * log10(tone.amplitude + abs(offsets[channel])))
    }
    known.truths[.init("balance", channel: 1)] = .value(10 * log10(squares[1] / squares[0]))
    // DC does not pass the weighting; a steady sound passes every gate.
    let weighted = tones.reduce(0) { sum, tone in
      sum + tone.amplitude * tone.amplitude / 2 * pow(10, KnownWeighting.k(tone.frequencyHertz) / 10)
    }
    for id in ["loudnessIntegrated", "loudnessMomentaryMax", "loudnessShortTermMax"] {
      known.truths[.init(id)] = .value(10 * log10(weighted) - 0.691)
    }
    return known
  } measure: { known in
    try LevelMeasurement.findings(
      of: known.device.process(AudioSignal(sampleRate: known.sampleRate, channelCount: 1, [0])))
  }
}

extension KnownWeighting {
  /// Decibels; ITU-R BS.1770-4, annex 1: both filters as the recommendation prints them, for 48 kHz.
  static func k(_ hertz: Double) -> Double {
    func gain(_ b: [Double], _ a: [Double]) -> Double {
      let omega = 2 * Double.pi * hertz / 48_000
      func size(_ c: [Double]) -> Double {
        hypot(c[0] + c[1] * cos(omega) + c[2] * cos(2 * omega), c[1] * sin(omega) + c[2] * sin(2 * omega))
      }
      return 20 * log10(size(b) / size(a))
    }
    return gain(
      [1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585])
      + gain([1, -2, 1], [1, -1.99004745483398, 0.99007225036621])
  }
}

import AudioCore
import Measurement

/// Stimuli that are written in Swift: what a suite file would say, or samples.
extension StimulusDescription {
  /// White noise, each channel its own, the same in every run.
  /// - Parameters:
  ///   - seconds: the length.
  ///   - levelDecibels: the peak, dBFS.
  ///   - seed: another seed gives other noise.
  public static func noise(seconds: Double = 0.5, levelDecibels: Double = -12, seed: UInt32 = 1) -> Self {
    written([
      "type": "noise", "seconds": seconds, "level": levelDecibels,
      "seed": Int(seed),
    ])
  }

  /// One sample at the start, silence behind it.
  public static func impulse(frames: Int, levelDecibels: Double = 0) -> Self {
    written(["type": "impulse", "frames": frames, "level": levelDecibels])
  }

  /// An exponential sweep from 20 Hz to half the rate.
  public static func sweep(seconds: Double = 1, levelDecibels: Double = -12) -> Self {
    written(["type": "sweep", "seconds": seconds, "level": levelDecibels])
  }

  /// A sine from phase 0, hertz, the same on each channel.
  /// - Parameters:
  ///   - frequencyHertz: hertz.
  ///   - seconds: the length.
  ///   - levelDecibels: the peak, dBFS.
  public static func sine(_ frequencyHertz: Double, seconds: Double = 0.5, levelDecibels: Double = -12) -> Self {
    written([
      "type": "sine", "frequency": frequencyHertz, "seconds": seconds,
      "level": levelDecibels,
    ])
  }

  /// Zeros on all channels.
  public static func silence(seconds: Double = 0.5) -> Self {
    written(["type": "silence", "seconds": seconds])
  }

  /// A sound file, at its own rate.
  public static func file(_ path: String) -> Self { written(["type": "file", "file": path]) }

  /// These samples.
  public static func signal(_ signal: AudioSignal) -> Self {
    var description = silence()
    description.definition = ["type": "signal", "digest": .string(SampleDigest(signal).text)]
    description.samples = signal
    return description
  }

  /// - Precondition: numbers that a suite file may have: lengths above 0, up to an hour.
  private static func written(_ fields: KeyValuePairs<String, (any JSONRepresentable)?>) -> Self {
    do { return try Self(JSONObject(JSONValue(fields), at: "stimulus", kind: .suite)) } catch {
      preconditionFailure("\(error)")
    }
  }
}

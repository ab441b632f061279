import AudioCore
import BatchRender
import Measurement

/// Stimuli that are written in Swift: what a suite file would say, or samples.
extension StimulusDescription {
  /// White noise, each channel its own, the same in every run.
  /// - Parameter levelDecibels: the peak, dBFS.
  public static func noise(seconds: Double = 0.5, levelDecibels: Double = -12, seed: UInt32 = 1) -> Self {
    written([
      "type": .string("noise"), "seconds": .number(seconds), "level": .number(levelDecibels),
      "seed": .number(Double(seed)),
    ])
  }

  /// One sample at the start, silence behind it.
  public static func impulse(frames: Int, levelDecibels: Double = 0) -> Self {
    written(["type": .string("impulse"), "frames": .number(Double(frames)), "level": .number(levelDecibels)])
  }

  /// An exponential sweep from 20 Hz to half the rate.
  public static func sweep(seconds: Double = 1, levelDecibels: Double = -12) -> Self {
    written(["type": .string("sweep"), "seconds": .number(seconds), "level": .number(levelDecibels)])
  }

  /// A sine from phase 0, hertz, the same on each channel.
  /// - Parameter levelDecibels: the peak, dBFS.
  public static func sine(_ frequencyHertz: Double, seconds: Double = 0.5, levelDecibels: Double = -12) -> Self {
    written([
      "type": .string("sine"), "frequency": .number(frequencyHertz), "seconds": .number(seconds),
      "level": .number(levelDecibels),
    ])
  }

  /// Zeros on all channels.
  public static func silence(seconds: Double = 0.5) -> Self {
    written(["type": .string("silence"), "seconds": .number(seconds)])
  }

  /// A sound file, at its own rate.
  public static func file(_ path: String) -> Self { written(["type": .string("file"), "file": .string(path)]) }

  /// These samples.
  public static func signal(_ signal: AudioSignal) -> Self {
    let digest = JSONValue.string(SampleDigest(signal).text)
    var description = written(["type": .string("silence")], definition: ["type": .string("signal"), "digest": digest])
    description.samples = signal
    return description
  }

  /// - Precondition: numbers that a suite file may have: lengths above 0, up to an hour.
  private static func written(
    _ fields: [String: JSONValue], definition: [String: JSONValue]? = nil
  ) -> Self {
    do throws(BenchError) {
      var stimulus = try Self(JSONObject(.object(fields), at: "stimulus", kind: .suite))
      stimulus.definition = .object(definition ?? fields)
      return stimulus
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

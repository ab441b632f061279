import AudioCore
import Glibc

/// A compressor that is told its input's level and follows a closed form: soft knee, and a gain that moves in decibels
/// along an exponential. What a measurement reads of it beside that is the measurement's error.
struct KnownCompressor: Sendable {
  let device: FunctionDevice
  private let threshold: Double
  private let settings: DynamicsMeasurement
  private static let ratio = 4.0
  private static let knee = 6.0
  /// Seconds.
  private static let attack = 0.01
  private static let release = 0.1

  init(settings: DynamicsMeasurement, stimulus: DynamicsStimulus, precision: SamplePrecision) {
    let threshold = ((settings.levels.min() ?? -80) + 2 * (settings.levels.max() ?? 0)) / 3
    let rate = settings.sampleRate
    self.threshold = threshold
    self.settings = settings
    let (levels, jump) = (stimulus.levels, stimulus.jump)
    let (attackFrame, releaseFrame) = (jump.start + stimulus.attackFrame, jump.start + stimulus.releaseFrame)
    let (low, high) = (
      Self.gain(settings.lowDecibels, threshold), Self.gain(settings.highDecibels, threshold)
    )
    let atRelease = high + (low - high) * exp(-Double(releaseFrame - attackFrame) / (Self.attack * rate))
    device = FunctionDevice("known compressor", precision: precision) { (input) throws(BenchError) in
      var output = precision.rounded(input)
      let gains = (0..<input.frameCount).map { frame -> Double in
        guard frame < levels.count, let level = levels[frame] else { return 1 }
        var gain = Self.gain(level, threshold)
        if frame >= releaseFrame {
          gain = low + (atRelease - low) * exp(-Double(frame - releaseFrame) / (Self.release * rate))
        } else if frame >= attackFrame {
          gain = high + (low - high) * exp(-Double(frame - attackFrame) / (Self.attack * rate))
        }
        return Decibels.amplitude(gain)
      }
      output.channels = output.channels.map { zip($0, gains).map { $0 * $1 } }
      return precision.rounded(output)
    }
  }

  private static func gain(_ level: Double, _ threshold: Double) -> Double {
    let u = level - threshold
    let slope = 1 / ratio - 1
    if u <= -knee / 2 { return 0 }
    return u >= knee / 2 ? slope * u : slope * (u + knee / 2) * (u + knee / 2) / (2 * knee)
  }

  func answer(to reading: Reading) -> Double? {
    let change = abs(Self.gain(settings.highDecibels, threshold) - Self.gain(settings.lowDecibels, threshold))
    func time(_ constant: Double) -> Double {
      switch settings.arrival {
      case .withinDecibels(let decibels): constant * log(change / decibels)
      case .fractionOfChange(let fraction): -constant * log(1 - fraction)
      }
    }
    return switch reading.id {
    case "threshold": threshold
    case "ratio": Self.ratio
    case "knee": Self.knee
    case "thresholdGain": 0
    case "attackTime": time(Self.attack)
    case "releaseTime": time(Self.release)
    default: nil
    }
  }
}

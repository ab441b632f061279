import AudioCore
import Glibc

/// A compressor that knows its input's level and follows a closed form: the curve and the times that were found of a
/// device, with a gain that moves in decibels along an exponential. The difference of a reading from the closed form is
/// the measurement's error.
struct KnownCompressor: Sendable {
  let device: FunctionDevice
  private let fit: GainCurveFit
  private let (attackSeconds, releaseSeconds): (Double?, Double?)

  /// - Parameters:
  ///   - fit: the fit of the static curve.
  ///   - findings: the times and gains of the jumps, of one channel.
  init(
    _ settings: DynamicsMeasurement, _ stimulus: DynamicsStimulus, fit: GainCurveFit, findings: [Reading]
  ) {
    func value(_ id: String) -> Double? { findings.first { $0.id == id }?.value }
    self.fit = fit
    (attackSeconds, releaseSeconds) = (value("attackTime"), value("releaseTime"))
    let low = value("releaseGain") ?? fit.gain(at: settings.lowDecibels)
    let high = value("attackGain") ?? fit.gain(at: settings.highDecibels)
    let rate = settings.sampleRate
    /// The exponential that arrives after so many seconds, as a part of the way per frame.
    func constant(_ seconds: Double?) -> Double {
      let ways: Double =
        switch settings.arrival {
        case .withinDecibels(let decibels): log(max(1.000_001, abs(high - low) / decibels))
        case .fractionOfChange(let fraction): -log(1 - fraction)
        }
      return max(1e-9, (seconds ?? 0) / ways * rate)
    }
    let (up, down) = (constant(attackSeconds), constant(releaseSeconds))
    let (levels, jump) = (stimulus.levels, stimulus.jump)
    let (attackFrame, releaseFrame) = (jump.start + stimulus.attackFrame, jump.start + stimulus.releaseFrame)
    let atRelease = high + (low - high) * exp(-Double(releaseFrame - attackFrame) / up)
    device = FunctionDevice("known compressor") { (input) throws(BenchError) in
      var output = input
      let gains = (0..<input.frameCount).map { frame -> Double in
        guard frame < levels.count, let level = levels[frame] else { return 1 }
        let gain =
          if frame >= jump.start + jump.frames {
            fit.gain(at: level)
          } else if frame >= releaseFrame {
            low + (atRelease - low) * exp(-Double(frame - releaseFrame) / down)
          } else if frame >= attackFrame {
            high + (low - high) * exp(-Double(frame - attackFrame) / up)
          } else if frame >= jump.start {
            low
          } else {
            fit.gain(at: level)
          }
        return Decibels.amplitude(gain)
      }
      output.channels = output.channels.map { zip($0, gains).map { $0 * $1 } }
      return output
    }
  }

  func answer(to reading: Reading) -> Double? {
    switch reading.id {
    case "threshold": fit.thresholdDecibels
    case "ratio": fit.ratio
    case "knee": fit.kneeDecibels
    case "thresholdGain": fit.gainDecibels
    case "slopeBelow": fit.slopeBelow
    case "slopeAbove": fit.slopeAbove
    case "attackTime": attackSeconds
    case "releaseTime": releaseSeconds
    default: nil
    }
  }
}

extension GainCurveFit {
  /// Decibels.
  fileprivate func gain(at level: Double) -> Double { output(at: level) - level }
}

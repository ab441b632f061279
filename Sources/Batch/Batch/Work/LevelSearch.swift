import AudioCore

/// The gain of an output, and the ceiling of the limiter behind it; nil: there is no limiter.
struct LevelSetting: Equatable {
  var gainDecibels: Double
  var ceilingDecibels: Double?
}

/// Looks for the gain, and the ceiling of the limiter, with which an output has its loudness and keeps its limit as it is
/// read back: codecs and the limiter move both. At most ``mostPasses`` tries.
struct LevelSearch {
  /// The error of a reading of loudness, LU (EBU Tech 3341).
  static let loudnessError = 0.1
  static let mostPasses = 6
  /// Decibels below the limit that are aimed at from try to try: the overshoot of a codec is another one at each gain.
  private static let margins = [0.02, 0.05, 0.1, 0.2, 0.4]
  /// The most gain that makes up for the limiter, dB.
  private static let mostMakeUp = 12.0

  private(set) var setting: LevelSetting
  private(set) var passes = 1
  /// Nil: the loudness is not looked for, as it is that of an album or of the whole of which this is a piece.
  private let targetLUFS: Double?
  private let limitDecibels: Double
  var aimsAtLoudness: Bool { targetLUFS != nil }
  /// True for a sound of an album: only the limiter may change.
  private let keepsGain: Bool
  /// True when a limiter may be used.
  private let limits: Bool
  private let firstGain: Double
  private var hasLowered = false
  /// Gain and loudness of the former try.
  private var former: (gain: Double, loudness: Double)?

  /// - Parameters:
  ///   - peakDecibels: the true peak of the sound, without gain.
  ///   - isPiece: true for the pieces of a sound that is cut.
  init(
    _ loudness: Finishing.Loudness, gainDecibels: Double, peakDecibels: Double, isPiece: Bool
  ) {
    keepsGain = loudness.isAlbum
    targetLUFS = isPiece || loudness.isAlbum ? nil : loudness.targetLUFS
    (limitDecibels, limits, firstGain) = (loudness.limitDecibels, loudness.limits, gainDecibels)
    let isLimited = limits && peakDecibels + gainDecibels > limitDecibels
    setting = LevelSetting(gainDecibels: gainDecibels, ceilingDecibels: isLimited ? limitDecibels : nil)
  }

  /// Takes the levels of the outputs of a try; all have one setting. Answers true when they are to be written again.
  mutating func goesOn(after levels: [OutputLevels]) -> Bool {
    guard passes < Self.mostPasses, let excess = levels.map({ $0.truePeakDecibels - limitDecibels }).max() else {
      return false
    }
    let isOver = levels.contains { $0.excess(over: limitDecibels) != nil }
    let loudness = levels.count == 1 ? levels[0].loudnessLUFS : nil
    let missing = targetLUFS.flatMap { target in loudness.map { target - $0 } }
    let before = setting
    let margin = Self.margins[passes - 1]
    if setting.ceilingDecibels != nil || isOver && limits {
      if isOver { setting.ceilingDecibels = (setting.ceilingDecibels ?? limitDecibels) - excess - margin }
      if let missing, let loudness, abs(missing) > Self.loudnessError / 2 { makeUp(missing, loudness) }
    } else if keepsGain {
      return false
    } else if isOver {
      setting.gainDecibels += min(-excess - margin, missing ?? 0)
      hasLowered = true
    } else if let missing, missing < -Self.loudnessError {
      setting.gainDecibels += missing
    } else if let missing, missing > Self.loudnessError, !hasLowered {
      let room = limits ? missing : min(missing, -excess - margin)
      if room > Self.loudnessError / 2 { setting.gainDecibels += room }
    }
    guard setting != before else { return false }
    passes += 1
    return true
  }

  /// The limiter turns down the more, the more gain there is in front of it.
  private mutating func makeUp(_ missing: Double, _ loudness: Double) {
    var slope = 1.0
    if let former, abs(setting.gainDecibels - former.gain) > 0.01 {
      slope = min(1.2, max(0.2, (loudness - former.loudness) / (setting.gainDecibels - former.gain)))
    }
    former = (setting.gainDecibels, loudness)
    setting.gainDecibels = min(firstGain + Self.mostMakeUp, setting.gainDecibels + missing / slope)
  }
}

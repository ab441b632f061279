// The readings of all measurements. Ranges are what can be read at all: a distortion is no larger than the signal, a
// delay no longer than a device is listened to. `copyLevel` is what a copy of the input reads.

extension ReadingKind {
  /// All rows, by measurement.
  public static let all: [ReadingKind] = linear + distortion + noise + dynamics + levels + crosstalk + resampler + voice

  private static let decibels = -400.0...400.0
  /// Levels of which less is better, beside the signal.
  private static let below = -400.0...0.0
  /// Listening ends after 11 s; sound may come that much before its cause where a device drops frames.
  private static let seconds = -11.0...44.0

  private static let linear: [ReadingKind] = [
    ReadingKind("gainMaximum", decibels, copyLevel: 0, of: "linear"),
    ReadingKind("gainMinimum", decibels, copyLevel: 0, of: "linear"),
    ReadingKind("latency", seconds, of: "linear"),
    ReadingKind("delay", seconds, of: "linear"),
    ReadingKind("tail", 0...44, of: "linear"),
    ReadingKind("polarity", -1...1, of: "linear"),
    // A level that changes by 20 dB makes 19.1.
    ReadingKind("nonlinearity", -400...19, of: "linear"),
    ReadingKind("timeVariance", -400...19, of: "linear"),
    ReadingKind("leak", decibels, copyLevel: 0, .whereFound, of: "linear"),
    ReadingKind("closedFormDifference", -60...60, copyLevel: 0, .alike, of: "linear"),
  ]

  private static let distortion: [ReadingKind] = [
    ReadingKind("thd", below, of: "distortion"),
    ReadingKind("thdPercent", 0...100, of: "distortion"),
    ReadingKind("thdPlusNoise", below, of: "distortion"),
    ReadingKind("thdPlusNoisePercent", 0...100, of: "distortion"),
    ReadingKind("sinad", 0...400, of: "distortion"),
    ReadingKind("fundamental", -400...120, copyLevel: -1, of: "distortion"),
    ReadingKind("toneDC", -1...1, of: "distortion"),
    ReadingKind("clockDifference", -3000...3000, .alike, of: "distortion"),
    ReadingKind("timeVariance", -400...19, of: "distortion"),
    ReadingKind("harmonic", below, of: "distortion"),
    ReadingKind("imdSMPTE", below, .alike, of: "distortion"),
    ReadingKind("imdSMPTEPercent", 0...100, .alike, of: "distortion"),
    ReadingKind("imdSMPTEOrder", below, .alike, of: "distortion"),
    ReadingKind("imdDifference", below, .alike, of: "distortion"),
    ReadingKind("imdDifferencePercent", 0...100, .alike, of: "distortion"),
    ReadingKind("imdDifferenceOrder", below, .alike, of: "distortion"),
    ReadingKind("imdDifferenceFolded", below, .whereFound, of: "distortion"),
    ReadingKind("aliasing", below, of: "distortion"),
    ReadingKind("aliasingFrequency", 0...1.5e6, of: "distortion"),
    ReadingKind("aliasingTone", 0...1.5e6, of: "distortion"),
    ReadingKind("nonHarmonic", below, of: "distortion"),
  ]

  private static let noise: [ReadingKind] = [
    ReadingKind("noise", below, of: "noise"),
    ReadingKind("noiseA", below, of: "noise"),
    ReadingKind("noise468", -400...13, of: "noise"),
    ReadingKind("noiseCCIR", -400...7, of: "noise"),
    ReadingKind("noise468QuasiPeak", -400...20, of: "noise"),
    ReadingKind("noiseWithTone", below, of: "noise"),
    ReadingKind("noiseWithToneA", below, of: "noise"),
    ReadingKind("noiseWithToneCCIR", -400...7, of: "noise"),
    ReadingKind("dynamicRange", 0...400, of: "noise"),
    ReadingKind("dynamicRangeA", 0...400, of: "noise"),
    ReadingKind("dynamicRangeCCIR", 0...400, of: "noise"),
    ReadingKind("idleDC", -1...1, of: "noise"),
    ReadingKind("noiseVariation", 0...60, .alike, of: "noise"),
    ReadingKind("timeVariance", -400...19, of: "noise"),
    ReadingKind("idleTone", below, .whereFound, of: "noise"),
  ]

  /// Steps from −80 to 0 dBFS, jumps that hold for 1 and 3 s.
  private static let dynamics: [ReadingKind] = [
    ReadingKind("threshold", -80...0, .alike, of: "dynamics"),
    ReadingKind("ratio", 1...1e6, .alike, of: "dynamics"),
    ReadingKind("knee", 0...80, .alike, of: "dynamics"),
    ReadingKind("thresholdGain", decibels, copyLevel: 0, .alike, of: "dynamics"),
    ReadingKind("slopeBelow", -10...1000, .alike, of: "dynamics"),
    ReadingKind("slopeAbove", -10...1000, .alike, of: "dynamics"),
    ReadingKind("staticSlope", -10...1000, .alike, of: "dynamics"),
    ReadingKind("attackTime", 0...1, of: "dynamics"),
    ReadingKind("releaseTime", 0...3, of: "dynamics"),
    ReadingKind("attackGain", decibels, copyLevel: 0, of: "dynamics"),
    ReadingKind("releaseGain", decibels, copyLevel: 0, of: "dynamics"),
    ReadingKind("fitDeviation", 0...80, .alike, of: "dynamics"),
  ]

  /// Readings of noise with a peak of −12 dBFS, or of the sound that a graph plays.
  private static let levels: [ReadingKind] = [
    ReadingKind("peak", -400...120, copyLevel: -12, of: "levels"),
    ReadingKind("truePeak", -400...120, copyLevel: -6, of: "levels"),
    ReadingKind("rms", -400...120, copyLevel: -16.8, of: "levels"),
    ReadingKind("crest", 0...90, of: "levels"),
    ReadingKind("dc", -1...1, of: "levels"),
    ReadingKind("clippedRuns", 0...1e9, of: "levels"),
    ReadingKind("clippedSamples", 0...1e9, of: "levels"),
    ReadingKind("notNumbers", 0...1e9, of: "levels"),
    ReadingKind("infinities", 0...1e9, of: "levels"),
    ReadingKind("subnormals", 0...1e9, of: "levels"),
    ReadingKind("loudnessIntegrated", -70...120, copyLevel: -10.6, .whole, of: "levels"),
    ReadingKind("loudnessMomentaryMax", -70...120, copyLevel: -10.6, .whole, of: "levels"),
    ReadingKind("loudnessShortTermMax", -70...120, copyLevel: -10.6, .whole, of: "levels"),
    ReadingKind("loudnessRange", 0...50, .whole, of: "levels"),
    ReadingKind("balance", decibels, copyLevel: 0, .whole, of: "levels"),
    ReadingKind("correlation", -1...1, .whole, of: "levels"),
  ]

  private static let crosstalk: [ReadingKind] = [
    ReadingKind("level", decibels, copyLevel: 0, of: "crosstalk"),
    ReadingKind("crosstalk", below, .whereFound, of: "crosstalk"),
    ReadingKind("balance", decibels, copyLevel: 0, .whole, of: "crosstalk"),
    ReadingKind("polarity", -1...1, .whole, of: "crosstalk"),
    ReadingKind("loudestOutput", 0...1023, .whole, of: "crosstalk"),
    ReadingKind("timeVariance", -400...19, .whole, of: "crosstalk"),
  ]

  private static let resampler: [ReadingKind] = [
    ReadingKind("length", 0...5000, .whole, of: "resampler"),
    ReadingKind("lengthExcess", -5000...5000, .whole, of: "resampler"),
    ReadingKind("gain", decibels, copyLevel: 0, of: "resampler"),
    ReadingKind("passbandRipple", 0...20, of: "resampler"),
    ReadingKind("minus01dB", 0...1.5e6, of: "resampler"),
    ReadingKind("minus1dB", 0...1.5e6, of: "resampler"),
    ReadingKind("minus3dB", 0...1.5e6, of: "resampler"),
    ReadingKind("images", below, .whereFound, of: "resampler"),
    ReadingKind("imagesToNyquist", below, of: "resampler"),
    ReadingKind("aliases", below, .whereFound, of: "resampler"),
    ReadingKind("aliasesToNyquist", below, .alike, of: "resampler"),
    ReadingKind("thd", below, of: "resampler"),
    ReadingKind("thdPlusNoise", below, of: "resampler"),
    ReadingKind("delay", seconds, of: "resampler"),
    ReadingKind("delayDeviation", 0...44, of: "resampler"),
  ]

  /// Digital silence is a loss of 80 dB.
  private static let voice: [ReadingKind] =
    [
      ReadingKind("voiceLatency", seconds, .whole, of: "voice"),
      ReadingKind("echoReturnLossSpeech", -60...80, copyLevel: 0, .whole, of: "voice"),
      ReadingKind("echoReturnLossNoise", -60...80, copyLevel: 0, .whole, of: "voice"),
      ReadingKind("echoReturnLossMusic", -60...80, copyLevel: 0, .whole, of: "voice"),
      ReadingKind("convergenceSpeech", 0...8, .whole, of: "voice"),
      ReadingKind("convergenceNoise", 0...8, .whole, of: "voice"),
      ReadingKind("convergenceMusic", 0...8, .whole, of: "voice"),
    ] + voiceOfOtherPaths + [
      ReadingKind("doubleTalkDamage", 0...80, .whole, of: "voice"),
      ReadingKind("doubleTalkBias", -80...80, copyLevel: 0, .whole, of: "voice"),
      ReadingKind("speechDamage", 0...80, .whole, of: "voice"),
      ReadingKind("gainControlLow", -180...120, copyLevel: -40, .whole, of: "voice"),
      ReadingKind("gainControlHigh", -180...120, copyLevel: -16, .whole, of: "voice"),
      ReadingKind("gainControlFall", 0...12, .whole, of: "voice"),
      ReadingKind("gainControlRise", 0...12, .whole, of: "voice"),
    ]

  /// Readings of echo paths beside the standard one.
  static let voiceOfOtherPaths: [ReadingKind] = [
    ReadingKind("echoReturnLossPath", -60...80, copyLevel: 0, .whole, of: "voice"),
    ReadingKind("echoReturnLossDelay", -60...80, copyLevel: 0, .whole, of: "voice"),
    ReadingKind("echoReturnLossDistortion", -60...80, copyLevel: 0, .whole, of: "voice"),
    ReadingKind("echoReturnLossRoomNoise", -60...80, copyLevel: 0, .whole, of: "voice"),
    ReadingKind("echoReturnLossDrift", -60...80, copyLevel: 0, .whole, of: "voice"),
    ReadingKind("reconvergence", 0...8, .whole, of: "voice"),
  ]
}

/// The factory presets of the distortion: what each sets beside the values that all have.
enum DistortionPresets {
  private static let named: [(name: String, values: [String: Double])] = [
    ("Drums Bit Brush", ["decimation": 38, "rounding": 72, "decimationMix": 85, "softClipGain": 3, "finalMix": 70]),
    (
      "Drums Buffer Beats",
      [
        "delay": 92, "decay": 0.55, "delayMix": 55, "decimation": 25, "decimationMix": 40, "softClipGain": 2,
        "finalMix": 75,
      ]
    ),
    (
      "Drums LoFi",
      [
        "decimation": 46, "rounding": 58, "decimationMix": 100, "squaredTerm": 0.8, "polynomialMix": 50,
        "softClipGain": 3, "finalMix": 80,
      ]
    ),
    (
      "Multi Broken Speaker",
      [
        "delay": 1.3, "decay": 0.6, "delayMix": 45, "squaredTerm": 4, "cubicTerm": 9, "polynomialMix": 75,
        "softClipGain": 4, "finalMix": 80,
      ]
    ),
    (
      "Multi Cellphone Concert",
      [
        "delay": 0.35, "decay": 0.9, "delayMix": 50, "decimation": 50, "rounding": 45, "decimationMix": 90,
        "cubicTerm": 5, "polynomialMix": 60, "softClipGain": 3, "finalMix": 90,
      ]
    ),
    ("Multi Decimated 1", ["decimation": 28, "decimationMix": 100, "finalMix": 60]),
    ("Multi Decimated 2", ["decimation": 42, "rounding": 30, "decimationMix": 100, "finalMix": 70]),
    ("Multi Decimated 3", ["decimation": 58, "rounding": 50, "decimationMix": 100, "finalMix": 75]),
    ("Multi Decimated 4", ["decimation": 74, "rounding": 70, "decimationMix": 100, "softClipGain": 3, "finalMix": 80]),
    (
      "Multi Distorted Funk",
      [
        "delay": 3.7, "decay": 0.5, "delayMix": 35, "squaredTerm": 5, "cubicTerm": 3, "polynomialMix": 60,
        "ringModFreq1": 1.7, "ringModFreq2": 2.3, "ringModMix": 20, "softClipGain": 4, "finalMix": 65,
      ]
    ),
    ("Multi Distorted Cubed", ["cubicTerm": 20, "polynomialMix": 70, "softClipGain": -2, "finalMix": 75]),
    ("Multi Distorted Squared", ["squaredTerm": 12, "polynomialMix": 60, "softClipGain": 1, "finalMix": 65]),
    ("Multi Echo 1", ["delay": 250, "decay": 0.7, "delayMix": 45]),
    (
      "Multi Echo 2",
      ["delay": 420, "decay": 0.45, "delayMix": 50, "decimation": 20, "decimationMix": 30, "softClipGain": 2]
    ),
    ("Multi Echo Tight 1", ["delay": 34, "decay": 0.6, "delayMix": 45]),
    ("Multi Echo Tight 2", ["delay": 71, "decay": 0.4, "delayMix": 50]),
    (
      "Multi Everything Is Broken",
      [
        "delay": 140, "decay": 0.5, "delayMix": 40, "decimation": 55, "rounding": 62, "decimationMix": 80,
        "squaredTerm": 6, "cubicTerm": 10, "polynomialMix": 60, "ringModFreq1": 73, "ringModFreq2": 510,
        "ringModMix": 35, "softClipGain": 8, "finalMix": 85,
      ]
    ),
    (
      "Speech Alien Chatter",
      [
        "delay": 22, "decay": 0.8, "delayMix": 35, "ringModFreq1": 190, "ringModFreq2": 830, "ringModBalance": 40,
        "ringModMix": 85, "softClipGain": 6, "finalMix": 90,
      ]
    ),
    (
      "Speech Cosmic Interference",
      [
        "delay": 180, "decay": 0.6, "delayMix": 30, "decimation": 35, "rounding": 40, "decimationMix": 60,
        "ringModFreq1": 9, "ringModFreq2": 2600, "ringModBalance": 45, "ringModMix": 70, "softClipGain": 6,
        "finalMix": 85,
      ]
    ),
    (
      "Speech Golden Pi",
      [
        "delay": 161.8, "decay": 0.618, "delayMix": 30, "ringModFreq1": 314.16, "ringModFreq2": 161.8, "ringModMix": 60,
        "softClipGain": 4, "finalMix": 75,
      ]
    ),
    (
      "Speech Radio Tower",
      [
        "delay": 0.5, "decay": 1.2, "delayMix": 40, "decimation": 40, "rounding": 50, "decimationMix": 70,
        "squaredTerm": 3, "polynomialMix": 70, "ringModFreq1": 1400, "ringModFreq2": 50, "ringModBalance": 70,
        "ringModMix": 25, "softClipGain": 8, "finalMix": 85,
      ]
    ),
    (
      "Speech Waves",
      [
        "delay": 19, "decay": 0.9, "delayMix": 30, "ringModFreq1": 0.7, "ringModFreq2": 3.1, "ringModMix": 70,
        "softClipGain": 5, "finalMix": 80,
      ]
    ),
  ]

  /// By their numbers, with the values of all parameters.
  static let all: [(name: String, values: [String: Double])] = named.map { preset in
    var values: [String: Double] = [:]
    for parameter in DistortionLaw.parameters { values[parameter.name] = parameter.initial }
    for name in ["delayMix", "decimation", "decimationMix", "polynomialMix", "ringModMix", "softClipGain"] {
      values[name] = 0
    }
    values["finalMix"] = 100
    return (preset.name, values.merging(preset.values) { _, own in own })
  }
}

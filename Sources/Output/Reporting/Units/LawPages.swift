/// The pages in `docs/laws`, by the units whose laws they have. Each unit is a section of its own there.
package enum LawPages {
  package static let pages: KeyValuePairs<String, [String]> = [
    "generators": ["toneGenerator", "noiseGenerator"],
    "mixers": ["multichannelMixer", "matrixMixer", "splitter", "multiSplitter", "merger"],
    "spatial": ["spatialMixer", "mixer3D"],
    "filters": [
      "lowPassFilter", "highPassFilter", "bandPassFilter", "lowShelfFilter", "highShelfFilter", "parametricEQ",
      "nBandEQ",
      "iPodEQ", "graphicEQ", "multibandFilter",
    ],
    "effects": ["sampleDelay", "delay", "distortion", "reverb"],
    "dynamics": ["dynamicsProcessor", "peakLimiter", "normalizer"],
    "time": ["varispeed", "timePitch", "newTimePitch", "formatConverter", "genericOutput", "filePlayer"],
    "devices": ["remoteIO", "voiceProcessingIO"],
  ]

  /// The section of a unit, from `docs` on; nil where there is none.
  package static func section(of unit: String) -> String? {
    pages.first { $0.value.contains(unit) }.map { "laws/\($0.key).md#\(unit.lowercased())" }
  }
}

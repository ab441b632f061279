import AudioEngine
import DSPKernels

/// The curves of the iPod equalizer.
///
/// Apple publishes the names of the presets and not their curves. These are this project's definition: the widely
/// published ten-band presets of the same names of Apple's desktop player, as ten peaking filters in series (Audio EQ
/// Cookbook, bandwidth one octave). A band at or above 0.45 × sample rate is left out.
enum IPodEQCurves {
  static let centresHertz: [Double] = [32, 64, 125, 250, 500, 1000, 2000, 4000, 8000, 16000]
  static let bandwidthOctaves = 1.0
  static let highestBand = 0.45

  struct Curve: Sendable {
    let name: String
    let gainsDecibels: [Double]
    init(_ name: String, _ gainsDecibels: [Double]) {
      self.name = name
      self.gainsDecibels = gainsDecibels
    }
  }

  /// By preset number; number 0 passes the sound unchanged.
  static let all: [Curve] = [
    Curve("Disabled", []),
    Curve("Acoustic", [5, 4.9, 3.95, 1.05, 2.15, 1.75, 3.5, 4.1, 3.55, 2.15]),
    Curve("Bass Booster", [5.5, 4.25, 3.5, 2.5, 1.25, 0, 0, 0, 0, 0]),
    Curve("Bass Reducer", [-5.5, -4.25, -3.5, -2.5, -1.25, 0, 0, 0, 0, 0]),
    Curve("Classical", [4.75, 3.75, 3, 2.5, -1.5, -1.5, 0, 2.25, 3.25, 3.75]),
    Curve("Dance", [3.57, 6.55, 4.99, 0, 1.92, 3.65, 5.15, 4.54, 3.59, 0]),
    Curve("Deep", [4.95, 3.55, 1.75, 1, 2.85, 2.5, 1.45, -2.15, -3.55, -4.6]),
    Curve("Electronic", [4.25, 3.8, 1.2, 0, -2.15, 2.25, 0.85, 1.25, 3.95, 4.8]),
    Curve("Flat", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    Curve("Hip-Hop", [5, 4.25, 1.5, 3, -1, -1, 1.5, -0.5, 2, 3]),
    Curve("Jazz", [4, 3, 1.5, 2.25, -1.5, -1.5, 0, 1.5, 3, 3.75]),
    Curve("Latin", [4.5, 3, 0, 0, -1.5, -1.5, -1.5, 0, 3, 4.5]),
    Curve("Loudness", [6, 4, 0, 0, -2, 0, -1, -5, 5, 1]),
    Curve("Lounge", [-3, -1.5, -0.5, 1.5, 4, 2.5, 0, -1.5, 2, 1]),
    Curve("Piano", [3, 2, 0, 2.5, 3, 1.5, 3.5, 4.5, 3, 3.5]),
    Curve("Pop", [-1.5, -1, 0, 2, 4, 4, 2, 0, -1, -1.5]),
    Curve("R&B", [2.62, 6.92, 5.65, 1.33, -2.19, -1.5, 2.32, 2.65, 3, 3.75]),
    Curve("Rock", [5, 4, 3, 1.5, -0.5, -1, 0.5, 2.5, 3.5, 4.5]),
    Curve("Small Speakers", [5.5, 4.25, 3.5, 2.5, 1.25, 0, -1.25, -2.5, -3.5, -4.25]),
    Curve("Spoken Word", [-3.46, -0.47, 0, 0.69, 3.46, 4.61, 4.84, 4.28, 2.54, 0]),
    Curve("Treble Booster", [0, 0, 0, 0, 0, 1.25, 2.5, 3.5, 4.25, 5.5]),
    Curve("Treble Reducer", [0, 0, 0, 0, 0, -1.25, -2.5, -3.5, -4.25, -5.5]),
    Curve("Vocal Booster", [-1.5, -3, -3, 1.5, 3.75, 3.75, 3, 1.5, 0, -1.5]),
  ]

  /// The sections of a preset at a sample rate.
  static func sections(ofPreset number: Int, sampleRate: Double) -> [BiquadCoefficients] {
    zip(centresHertz, all[number].gainsDecibels)
      .filter { centre, _ in centre < highestBand * sampleRate }
      .map { centre, gain in
        CookbookFilter.peaking(
          atHertz: centre, sampleRate: sampleRate, width: .bandwidthOctaves(bandwidthOctaves), gainDecibels: gain)
      }
  }
}

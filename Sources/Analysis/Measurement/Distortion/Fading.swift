import AudioCore
import Glibc

/// The strongest component beside a tone that becomes weaker within the segment: what a device still rings of the
/// tone's beginning, or of the sound before, is no distortion.
struct Fading {
  /// Its amplitude, mean of both halves; 0 where there is none.
  private(set) var amplitude = 0.0
  /// Hertz; 0 where there is none.
  private(set) var hertz = 0.0

  /// A part by which a component must have become weaker: one that stays may lose so much by noise.
  private static let leastPart = 0.05

  /// - Parameters:
  ///   - tone: the analysis of the whole segment.
  ///   - transform: one of half a segment.
  ///   - known: frequencies that do not count, hertz.
  init(
    _ tone: ToneAnalysis, sampleRate: Double, excluding known: [Double], half transform: WindowedSpectrum.Transform
  ) {
    let samples = tone.residual
    let early = transform.spectrum(samples.prefix(transform.length), sampleRate: sampleRate)
    let excluded = early.lobes(of: known)
    guard let strongest = early.strongest(in: 20...sampleRate / 2, excluding: excluded), strongest.amplitude > 0 else {
      return
    }
    let late = transform.spectrum(samples.suffix(transform.length), sampleRate: sampleRate)
    let place = strongest.frequencyHertz
    func size(_ spectrum: WindowedSpectrum) -> (amplitude: Double, deviation: Double) {
      let middle = Int(clamping: (place / spectrum.binHertz).rounded())
      let bins = max(0, middle - spectrum.lobeBins)...min(spectrum.binCount - 1, middle + spectrum.lobeBins)
      let square = bins.reduce(0) { $0 + (excluded[$1] ? 0 : spectrum.meanSquare(ofBin: $1)) }
      let share = spectrum.noiseMeanSquarePerBin(at: place, excluding: spectrum.lobes(of: known + [place]))
      return ((2 * square).squareRoot(), (2 * share * Double(bins.count)).squareRoot())
    }
    let (first, second) = (size(early), size(late))
    let fall = first.amplitude - second.amplitude
    guard fall > Self.leastPart * first.amplitude + 3 * hypot(first.deviation, second.deviation) else { return }
    (amplitude, hertz) = ((first.amplitude + second.amplitude) / 2, place)
  }
}

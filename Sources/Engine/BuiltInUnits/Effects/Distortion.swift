import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// Six stages in series: echo, lower rate, fewer bits, polynomial, ring modulation, soft clip.
///
/// Each stage but the last has a mix m of its own, in a straight line: out = (1 − m) · in + m · stage, m = …Mix/100. In
/// order:
///
///     echo         u[n] = x[n] + e^(−decay) · u[n − D],  stage = u[n − D],   D = delay · rate in whole frames, 1 at least
///     decimation   a sample is taken and held, h times a second,             h = rate · (500 Hz/rate)^(decimation/100)
///     rounding     to the nearest multiple of 2^(1 − bits),                  bits = 16 − 14 · rounding/100; at 0 not at all
///     polynomial   linearTerm · x + squaredTerm · (x² − s) + cubicTerm · x³  s = x² behind a low pass of first order at 10 Hz
///     ring         x · ((1 − b) · sin(2π·ringModFreq1·t) + b · sin(2π·ringModFreq2·t)),   b = ringModBalance/100
///     soft clip    f(10^(softClipGain/20) · x),   f(u) = u · (27 + u²)/(27 + 9·u²) for |u| < 3, ±1 beyond
///
/// and finalMix mixes that with what came in, equally late. Decimation and rounding share one mix. s removes the
/// constant that squares have, which would shift all that follows off its middle. f has a slope of 1 at 0; its first
/// two derivatives are 0 where it reaches ±1.
///
/// Polynomial, ring and soft clip run at eight times the rate (`Oversampler`), so that harmonics above half the rate
/// are lost and do not come back as other tones. The aliases of decimation and rounding are wanted and stay. The
/// filters' latency is 84 frames. Without what they cut off, a clipped wave swings past ±1: by a tenth at single edges,
/// up to twice in clipped noise. A ramp is heard up to 84 frames before the sound that came in with it. Within the
/// stages a NaN counts as 0, and what is beyond ±10⁶ as ±10⁶.
///
/// Another delay is a crossfade of 20 ms from the one echo to the other; what is set meanwhile begins when it has
/// ended. Mixes, balance, terms, the gain and e^(−decay) follow a ramp in straight lines from cell to cell of 32
/// frames; decimation, rounding and the oscillators' frequencies are constant in a cell, without a jump of the phase.
/// The oscillators begin at 0 when the unit is initialized or reset, and stand still while their mix is 0.
///
/// Ids, ranges and defaults are those of Apple's unit, but for the default of decimation, which is not published: 50
/// here. The effect of the parameters and the values of the 22 presets are this project's own.
///
/// ```swift
/// let distortion = Distortion()
/// let radio = try #require(Distortion.presets.first { $0.name.contains("Radio") })
/// try distortion.select(preset: radio.number)
/// try distortion.set(.finalMix, to: 40)
/// expectSliceInvariance(of: distortion)
/// ```
public final class Distortion: EffectUnit, HasNamedParameters, LongTailUnit, @unchecked Sendable {
  /// `aufx dist appl`, in graph files `distortion`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "dist"), shortName: "distortion", name: "Apple: AUDistortion",
    summary: "Echo, lower rate, fewer bits, polynomial, ring modulation and soft clip."
  ) { Distortion() }

  /// `delay` in milliseconds, mixes, `decimation`, `rounding` and `ringModBalance` in percent, frequencies in hertz,
  /// `softClipGain` in decibels; the rest are plain numbers.
  public enum Parameter: UInt32, Sendable {
    case delay, decay, delayMix, decimation, rounding, decimationMix, linearTerm, squaredTerm, cubicTerm, polynomialMix
    case ringModFreq1, ringModFreq2, ringModBalance, ringModMix, softClipGain, finalMix
  }

  private static let table = [
    row(.delay, .milliseconds, 0.1...500, 0.1, canRamp: false), row(.decay, .rate, 0.1...50, 1),
    row(.delayMix, .percent, 0...100, 50), row(.decimation, .percent, 0...100, 50),
    row(.rounding, .percent, 0...100, 0), row(.decimationMix, .percent, 0...100, 50),
    row(.linearTerm, .linearGain, 0...1, 1), row(.squaredTerm, .linearGain, 0...20, 0),
    row(.cubicTerm, .linearGain, 0...20, 0), row(.polynomialMix, .percent, 0...100, 50),
    row(.ringModFreq1, .hertz, 0.5...8000, 100), row(.ringModFreq2, .hertz, 0.5...8000, 100),
    row(.ringModBalance, .percent, 0...100, 50), row(.ringModMix, .percent, 0...100, 0),
    row(.softClipGain, .decibels, -80...20, -6), row(.finalMix, .percent, 0...100, 50),
  ]

  /// The published defaults.
  public init() { super.init(Self.component, parameters: Self.table) }

  // MARK: Presets

  /// −1 until one is selected.
  private var presetNumber: Int32 = -1

  /// All presets, by number.
  public static let presets = distortions.enumerated().map { Preset(number: Int32($0.offset), name: $0.element.name) }
  public override var factoryPresets: [Preset] { Self.presets }
  /// The one that was selected last; number −1 where none was.
  public var preset: Preset { Preset.selected(presetNumber, of: Self.presets) }

  public override var ownProperties: [PropertyDescriptor] { super.ownProperties + Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [.presentPreset(\Distortion.presetNumber)]

  /// Sets all 16 parameters.
  public override func select(preset number: Int32) throws(AudioStatus) {
    guard Self.distortions.indices.contains(Int(number)) else { throw .invalidPropertyValue }
    for row in Self.table {
      guard let parameter = Parameter(rawValue: row.id) else { continue }
      try set(
        parameter, to: Self.distortions[Int(number)].values[parameter] ?? Self.silentStages[parameter] ?? row.initial)
    }
    presetNumber = number
  }

  // MARK: Render half

  static let longestMilliseconds = 500.0

  private var longestFrames: Int { Self.frames(Self.longestMilliseconds, format.sampleRate) }

  static func frames(_ milliseconds: Double, _ sampleRate: Double) -> Int {
    max(1, Int(clamping: (min(max(0.1, milliseconds), longestMilliseconds) / 1000 * sampleRate).rounded()))
  }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor {
    DistortionProcessor(format, longestFrames: longestFrames)
  }

  public override var latencyFrames: Int { isBypassed ? 0 : Oversampler.latencyFrames }

  public override var processorBytes: Int {
    MemoryBudget.product(format.channelCount, MemoryBudget.product(4, longestFrames) + Oversampler.bytes + 4096)
      + (16 << 10)
  }

  /// Until the echoes and what is taken from squares are 120 dB below full scale; what is held for the longest, and the
  /// filters. One minute at most.
  public override var tailFrames: Int64? {
    if isBypassed { return 0 }
    func values(_ parameter: Parameter) -> [Float] { knownValues(ofParameter: parameter.rawValue) }
    let rate = format.sampleRate
    let gain = Decibels.amplitude(Double(min(20, values(.softClipGain).max() ?? 0)))
    let decay = Double(max(0.1, values(.decay).min() ?? 0.1))
    let delay = Double(values(.delay).map { Self.frames(Double($0), rate) }.max() ?? 1)
    let isHeard = (values(.delayMix).max() ?? 0) > 0
    // A loud constant adds up in the loop to 1/(1 − e^(−decay)).
    let rounds = isHeard ? 1 + (max(0, log(1e6 * gain / (1 - exp(-decay)))) / decay).rounded(.up) : 0
    let squares = Double(max(0, values(.squaredTerm).max() ?? 0))
    let settling = squares > 0 ? max(0, log(1e6 * gain * min(20, squares))) / (2 * .pi * 10) * rate : 0
    let frames = rounds * delay + settling + max(1, rate / 500) + Double(Oversampler.latencyFrames)
    return Int64(clamping: min(LongestTail.seconds * rate, frames.rounded(.up)))
  }
}

import AudioCore
import AudioEngine
import DSPKernels
import Glibc
import Synchronization

/// An offline effect that brings a whole sound to a level: it measures all of its input first, and then only
/// multiplies.
///
/// Law, with L the integrated loudness of the input in LUFS (BS.1770-4, see `LoudnessGate`) and P its true peak in
/// dBFS:
///
///     gain = min(level − L, ceiling − P)  dB       mode 0, loudness
///     gain = min(level, ceiling) − P      dB       mode 1, peak
///     y[n] = x[n] · 10^(gain/20)
///
/// P is found between the samples by 128 taps (`TruePeakDetector`): below 0.47 of the rate to 0.01 dB, so that no true
/// peak of such a sound exceeds the ceiling; that of noise up to half the rate may by 0.3 dB. A sound that is silent, or in mode 0 has nothing above −70 LUFS
/// for 400 ms, passes as it is, and so does one that was not measured, and one with samples that are NaN or infinite,
/// of which there is no level.
///
/// ```swift
/// let normalizer = Normalizer()
/// try normalizer.set(.level, to: -23)
/// let graph = Graph(sampleRate: 44_100)
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: graph.add(normalizer))
/// try graph.connect(normalizer, to: graph.add(GenericOutput()))
/// let channels = try OfflineRenderer(graph).renderToMemory().channels.map { $0.map(Double.init) }
/// let levels = try LevelMeasurement.findings(of: AudioSignal(sampleRate: 44_100, channels: channels))
/// #expect(abs(try #require(levels.reading("loudnessIntegrated")).value + 23) < 0.1)
/// ```
public final class Normalizer: OfflineEffectUnit, HasNamedParameters, @unchecked Sendable {
  /// `auol norm aubn`, in graph files `normalizer`.
  package static let component = Component(
    ComponentDescription(type: .offlineEffect, subType: "norm", manufacturer: "aubn"), shortName: "normalizer",
    name: "aubench: normalizer",
    summary: "Brings a whole sound to a loudness or a peak: measures it first, then multiplies."
  ) { Normalizer() }

  /// `mode`: 0 loudness, 1 peak. `level` in LUFS or dBFS, `ceiling` in dBFS.
  public enum Parameter: UInt32, Sendable { case mode, level, ceiling }

  private static let table = [
    row(.mode, .indexed, 0...1, 0, valueNames: ["loudness", "peak"]),
    row(.level, .decibels, -70...0, -14),
    row(.ceiling, .decibels, -60...0, -1),
  ]

  fileprivate let measurement = NormalizerMeasurement()

  /// To −14 LUFS, no true peak above −1 dBFS.
  public init() { super.init(Self.component, parameters: Self.table) }

  public override var preflightName: String { "Measuring loudness and true peak" }
  public override func forgetPreflight() { measurement.forget() }

  /// The integrated loudness of what was measured, LUFS; nil where that has none, or nothing was measured.
  public var measuredLUFS: Double? { measurement.loudness }
  /// The true peak of what was measured, dBFS; −∞ for silence; nil where nothing was measured, or a sample was not
  /// finite.
  public var measuredPeakDecibels: Double? { measurement.peak.map { Decibels.of(amplitude: $0) } }
  /// Why a sound that was measured passes as it is; nil where it gets a gain, or nothing was measured.
  package var passesAsItIs: String? {
    guard measurement.isMeasured else { return nil }
    guard let peak = measurement.peak else { return "it has samples that are NaN or infinite" }
    if peak == 0 { return "it is silent" }
    let mode = try? parameter(ParameterAddress(Parameter.mode.rawValue))
    return mode ?? 0 < 0.5 && measurement.loudness == nil
      ? "nothing in it is above -70 LUFS for 400 ms, so it has no loudness" : nil
  }

  public override var tailFrames: Int64? { 0 }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor { NormalizerProcessor(self) }

  public override var processorBytes: Int {
    MemoryBudget.sum(
      LoudnessGate.bytes(channelCount: format.channelCount), MemoryBudget.product(format.channelCount, 8192))
  }
}

/// The results of a preflight. Written by the render side, read by all.
private final class NormalizerMeasurement: Sendable {
  // As bits; not a number: not measured, or none.
  private let loudnessBits = Atomic<UInt64>(Double.nan.bitPattern)
  private let peakBits = Atomic<UInt64>(Double.nan.bitPattern)
  private let wasMeasured = Atomic<Bool>(false)

  var isMeasured: Bool { wasMeasured.load(ordering: .relaxed) }
  private func value(_ bits: borrowing Atomic<UInt64>) -> Double? {
    let value = Double(bitPattern: bits.load(ordering: .relaxed))
    return value.isNaN ? nil : value
  }
  var loudness: Double? { value(loudnessBits) }
  /// As an amplitude.
  var peak: Double? { value(peakBits) }

  func set(loudness: Double?, peak: Double?) {
    loudnessBits.store((loudness ?? .nan).bitPattern, ordering: .relaxed)
    peakBits.store((peak ?? .nan).bitPattern, ordering: .relaxed)
    wasMeasured.store(true, ordering: .relaxed)
  }
  func forget() {
    set(loudness: nil, peak: nil)
    wasMeasured.store(false, ordering: .relaxed)
  }
}

private final class NormalizerProcessor: OfflineEffectProcessor {
  private static let blockFrames = 256

  private let channelCount: Int
  private let measurement: NormalizerMeasurement
  private let gate: LoudnessGate
  private let detectors: [TruePeakDetector]
  private let between = FlatMemory<Float>(repeating: 0, count: NormalizerProcessor.blockFrames)
  private let silence = FlatMemory<Float>(repeating: 0, count: NormalizerProcessor.blockFrames)
  private var peak: Float = 0
  private var isFinite = true

  init(_ unit: Normalizer) {
    channelCount = unit.format.channelCount
    measurement = unit.measurement
    gate = LoudnessGate(
      sampleRate: unit.format.sampleRate, channelCount: channelCount, layout: unit.inputs[0].layout)
    detectors = (0..<channelCount).map { _ in TruePeakDetector() }
    super.init(unit)
  }

  // MARK: Preflight

  override func beginPreflight() {
    gate.reset()
    for detector in detectors { detector.reset() }
    (peak, isFinite) = (0, true)
    measurement.forget()
  }

  override func preflight(_ piece: RenderPiece, frames: Int) {
    gate.add(piece.inputs[0].planes, offset: piece.offset, frames: frames)
    for channel in 0..<channelCount {
      let input = piece.input(channel)
      notePeak(input, frames: frames)
      var done = 0
      while done < frames {
        let count = min(frames - done, Self.blockFrames)
        addPeaks(input + done, channel, frames: count)
        done += count
      }
    }
  }

  private func notePeak(_ samples: Plane<Float>, frames: Int) {
    let most = LevelKernels.absolutePeak(samples, frames: frames)
    if most.isFinite { peak = max(peak, most) } else { isFinite = false }
  }

  private func addPeaks(_ input: Plane<Float>, _ channel: Int, frames: Int) {
    between.all.update(repeating: 0, count: frames)
    // Values below the peak so far do not change it.
    detectors[channel].addPeaks(of: input, to: between.all, frames: frames, above: peak)
    notePeak(between.all, frames: frames)
  }

  override func endPreflight() {
    // The detectors look ahead.
    for channel in 0..<channelCount { addPeaks(silence.all, channel, frames: 2 * detectors[channel].delayFrames) }
    measurement.set(loudness: isFinite ? gate.integratedLUFS : nil, peak: isFinite ? Double(peak) : nil)
  }

  // MARK: Render

  override func renderOffline(_ piece: RenderPiece) throws(AudioStatus) {
    let ramp = CellRamp(piece) { value in
      self.gain(mode: value(0), level: min(0, max(-70, value(1))), ceiling: min(0, max(-60, value(2))))
    }
    guard ramp.isMoving || ramp.value(at: 0) != 1 else { return copyInput(piece) }
    let still = ramp.value(at: 0)
    for channel in 0..<channelCount {
      let input = piece.input(channel)
      let output = piece.output(channel)
      if ramp.isMoving {
        for frame in 0..<piece.frames { output[frame] = input[frame] * ramp.value(at: frame) }
      } else {
        for frame in 0..<piece.frames { output[frame] = input[frame] * still }
      }
    }
  }

  private func gain(mode: Double, level: Double, ceiling: Double) -> Double {
    guard let amplitude = measurement.peak, amplitude > 0, amplitude.isFinite else { return 1 }
    let peak = Decibels.of(amplitude: amplitude)
    if mode >= 0.5 { return Decibels.amplitude(min(level, ceiling) - peak) }
    guard let loudness = measurement.loudness else { return 1 }
    return Decibels.amplitude(min(level - loudness, ceiling - peak))
  }
}

import AudioCore
import AudioEngine
import Glibc
import TimeStretch

/// The common law of both time pitch units: the rate plays faster or slower at the same pitch, the pitch moves all
/// frequencies at the same speed. By SoundTouch, in the time domain: see `TimeStretcher`.
///
/// Law, with r[n] the rate, from cell to cell of 64 absolute output frames what the parameter is at the cell's first
/// frame:
///
///     p[0] = 0, p[n + 1] = p[n] + r[n]     the place in the input that output frame n belongs to
///     f_out = f_in · 2^(pitch / 1200)
///
/// The output at n comes from around p[n]; over any length the rate is kept, so that N frames of the input become N / r
/// of the output. Rate and pitch that are set in between apply when the library begins its next piece.
///
/// Pieces play at their own speed, so that within one the place runs ahead of p[n], or behind it. With the pitch factor
/// q = 2^(pitch / 1200), t = r / q the tempo of the pieces, L the length of one without its crossfade (82 ms from t = 0.5
/// down, 32 ms from 2 up, a straight line between; 22 ms with `enableTransientPreservation` and the usual smoothness) and
/// S the stretch over which it is looked for (20 to 15 ms; 12 ms), a sound comes on the average
///
///     (L/2 · (1 − t) + s) / t / max(1, q) early, 0 ≤ s ≤ S      t < 1
///     L/2 · (t − 1) / t / max(1, q) late                        t > 1
///
/// and each by as much again either way. Measured at pitch 0: rate 0.25 129 ms early (newTimePitch 60), 0.5 49 (20), 0.7
/// 20 (11), 1.5 12 late (6), 2 7 (7), 4 14 (10). It is not reported as latency, as frame 0 stays frame 0. From a tempo of
/// about 1.5 up, short sounds can fall between two pieces and be missing.
///
/// At rate 1 and pitch 0 from the start on, frames pass bit for bit. At the first other value the library takes over in
/// a crossfade of 10 ms, and keeps on until the unit is reset or bypassed: on the way back through rate 1 and pitch 0
/// nothing changes but these. Bypass passes frames from the place that was reached; where the rate has run more than a
/// second ahead, from the oldest frame that is kept.
///
/// The bits depend on the version of the library and on the kind of processor: suites compare this unit with tolerance.
/// It takes 1 to 16 channels. While it renders, the library allocates: while its queues grow, and whenever the pitch
/// moves.
public class TimePitchUnit: RateUnit, @unchecked Sendable {
  static let soundTouchAllocates =
    "SoundTouch allocates and frees in render calls while its queues grow, and whenever the pitch moves"
  static let allRates = Double(TimeStretcher.tempos.lowerBound)...Double(TimeStretcher.tempos.upperBound)
  static let rateRow = ParameterDescriptor(0, "rate", unit: .rate, 1 / 32...32, initial: 1)
  static let pitchRow = ParameterDescriptor(1, "pitch", unit: .cents, -2400...2400, initial: 0)
  private static let rate = ParameterAddress(0)

  /// The places of the other parameters in the table, behind rate and pitch.
  struct Slots: Sendable {
    var blend: Int?
    var smoothness: Int?
    var preservesTransients: Int?
  }
  var slots: Slots { Slots() }

  final override var rates: ClosedRange<Double> { Self.allRates }

  override var course: RateCourse {
    if let timeline = timelines[Self.rate] { return RateCourse(timeline, isCents: false, rates: Self.allRates) }
    let rate = (try? parameter(Self.rate)).map(Double.init) ?? 1
    return RateCourse(constant: min(Self.allRates.upperBound, max(Self.allRates.lowerBound, rate)))
  }

  /// The rest of a piece of the library, which is 40 ms long where it may end behind the input, and its crossfade. 0
  /// where rate and pitch are those of the input.
  public final override var tailFrames: Int64? {
    let isStill =
      knownValues(ofParameter: Self.rateRow.id).allSatisfy { $0 == 1 }
      && knownValues(ofParameter: Self.pitchRow.id).allSatisfy { $0 == 0 }
    if isBypassed || isStill { return 0 }
    let overlap =
      slots.smoothness.map { _ in knownValues(ofParameter: NewTimePitch.Parameter.smoothness.rawValue) } ?? [8]
    let seconds = 0.04 + Double(min(32, max(3, overlap.max() ?? 8))) / 1000
    return Int64(clamping: (seconds * format.sampleRate).rounded(.up))
  }

  public final override func makeProcessor() throws(AudioStatus) -> Processor {
    let stretcher: TimeStretcher
    do {
      stretcher = try TimeStretcher(sampleRate: format.sampleRate, channelCount: format.channelCount)
    } catch {
      preparationFailure = error
      throw TimeStretcher.isAvailable ? .formatNotSupported : .failedInitialization
    }
    return TimePitchProcessor(
      format, stretcher, maximumFrames: maximumFramesPerSlice, isBypassed: isBypassed, slots: slots,
      course: hasTimeline(Self.rate) ? course : nil)
  }

  /// The place in the input that the next output frame belongs to, and how far it moves on for each; nil while not
  /// initialized. For the thread that renders.
  package final var presentPlace: (frame: Double, rate: Double)? {
    (node?.processor as? TimePitchProcessor)?.presentPlace
  }

  public final override var processorBytes: Int {
    MemoryBudget.sum(
      TimePitchProcessor.windowExtent(format, maximumFrames: maximumFramesPerSlice).byteCount,
      // The library's queues.
      MemoryBudget.product(format.channelCount, 2 << 20))
  }
}

/// Speed and pitch apart from one another, and a mix with what came in: the older of the two.
///
/// `effectBlend` is the part of the effect in percent, in a straight line: 0 is the input. It counts where the rate is
/// 1; at any other there is nothing on the output's clock to mix with, and only the effect is heard. The pieces are the
/// library's own. Ranges of rate and pitch are those of ``NewTimePitch``. For the law see ``TimePitchUnit``.
///
/// ```swift
/// let slower = TimePitch()
/// try slower.set(.rate, to: 0.5)
/// let graph = Graph(sampleRate: 44_100)
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: graph.add(slower))
/// try graph.connect(slower, to: graph.add(GenericOutput()))
/// ```
public final class TimePitch: TimePitchUnit, HasNamedParameters, @unchecked Sendable {
  /// `aufc tmpt appl`, in graph files `timePitch`.
  package static let component = Component(
    ComponentDescription(type: .formatConverter, subType: "tmpt"), shortName: "timePitch", name: "Apple: AUTimePitch",
    summary: "Changes tempo and pitch apart from one another, by SoundTouch.",
    realtimeException: TimePitchUnit.soundTouchAllocates
  ) { TimePitch() }

  /// `rate` as a factor, `pitch` in cents, `effectBlend` in percent.
  public enum Parameter: UInt32, Sendable { case rate, pitch, effectBlend }

  private static let table = [
    rateRow, pitchRow,
    row(.effectBlend, .percent, 0...100, 100),
  ]

  /// At the original speed and pitch.
  public init() { super.init(Self.component, parameters: Self.table) }

  override var slots: Slots { Slots(blend: 2) }
}

/// Speed and pitch apart from one another: the newer of the two.
///
/// `smoothness` is the library's crossfade in milliseconds. `enableTransientPreservation` has it cut short pieces (30
/// ms, looked for over 12 ms), so that attacks are neither doubled nor left out as often; off, pieces are the library's
/// own, 40 to 90 ms, and low notes are steadier. Both hold for what begins after them: they are taken over when the
/// library is next started. Neither moves under a ramp. `enableSpectralCoherence` has no effect: in the time domain the
/// phases of each piece stay together anyhow. For the law see ``TimePitchUnit``.
///
/// ```swift
/// let higher = NewTimePitch()
/// try higher.set(.pitch, to: 700)
/// try higher.set(.enableTransientPreservation, to: 1)
/// let graph = Graph(sampleRate: 44_100)
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: graph.add(higher))
/// try graph.connect(higher, to: graph.add(GenericOutput()))
/// ```
public final class NewTimePitch: TimePitchUnit, HasNamedParameters, @unchecked Sendable {
  /// `aufc nutp appl`, in graph files `newTimePitch`.
  package static let component = Component(
    ComponentDescription(type: .formatConverter, subType: "nutp"), shortName: "newTimePitch",
    name: "Apple: AUNewTimePitch", summary: "Changes tempo and pitch apart from one another, by SoundTouch.",
    realtimeException: TimePitchUnit.soundTouchAllocates
  ) { NewTimePitch() }

  /// `rate` as a factor, `pitch` in cents, `smoothness` in milliseconds of crossfade, and two switches.
  public enum Parameter: UInt32, Sendable {
    case rate = 0
    case pitch = 1
    case smoothness = 4
    case enableSpectralCoherence = 6
    case enableTransientPreservation = 7
  }

  private static let table = [
    rateRow, pitchRow,
    row(.smoothness, .generic, 3...32, 8, canRamp: false),
    row(.enableSpectralCoherence, .boolean, 0...1, 1),
    row(.enableTransientPreservation, .boolean, 0...1, 1),
  ]

  /// At the original speed and pitch.
  public init() { super.init(Self.component, parameters: Self.table) }

  override var slots: Slots { Slots(smoothness: 2, preservesTransients: 4) }
}

import AudioCore
import AudioEngine
import DSPKernels
import Glibc
import Synchronization

/// Plays its input faster or slower, as a tape does: pitch and tempo move together.
///
/// Law, with r[n] the playback rate at output frame n, clamped to 1/4 to 4:
///
///     p[0] = 0, p[n + 1] = p[n] + r[n]      the place in the input, in double precision
///     y[n] = x(p[n])                        by a windowed sinc, band-limited for the rate: see ``SlidingSinc``
///
/// At rate 1, from the start on, frames pass bit for bit. ``Parameter/playbackRate`` and ``Parameter/playbackCents``
/// are two views of one value, rate = 2^(cents / 1200): setting one sets the other. Each follows a ramp or a timeline
/// of its own: the rate a straight line, the cents a straight line in cents (with 2^(cents / 1200) at the ends of cells
/// of 32 frames and straight lines between). The one that moved last counts; if both move, the rate. A timeline counts
/// before anything else, that of the rate before that of the cents.
///
/// A jump of the output's clock goes to the place that belongs to its frame: by the timeline, or else frame · r.
///
/// ```swift
/// let speed = Varispeed()
/// try speed.set(.playbackRate, to: 2)
/// let tone = ToneGenerator()
/// try tone.setLength(frames: 48_000)
/// let graph = Graph(sampleRate: 48_000)
/// try graph.connect(graph.add(tone), to: graph.add(speed))
/// try graph.connect(speed, to: graph.add(GenericOutput()))
/// #expect(try OfflineRenderer(graph).renderToMemory().report.frames < 24_100)
/// ```
public final class Varispeed: RateUnit, GraphFileUnit, HasNamedParameters, @unchecked Sendable {
  /// `aufc vari appl`, in graph files `varispeed`.
  package static let component = Component(
    ComponentDescription(type: .formatConverter, subType: "vari"), shortName: "varispeed", name: "Apple: AUVarispeed",
    summary: "Plays faster or slower as a tape does, pitch and tempo together."
  ) { Varispeed() }

  /// `playbackRate` as a factor, `playbackCents` in cents: two views of one value.
  public enum Parameter: UInt32, Sendable { case playbackRate, playbackCents }

  private static let table = [
    row(.playbackRate, .rate, 0.25...4, 1),
    row(.playbackCents, .cents, -2400...2400, 0),
  ]
  private static let rate = ParameterAddress(Parameter.playbackRate.rawValue)
  private static let cents = ParameterAddress(Parameter.playbackCents.rawValue)

  private let view = SpeedView()

  /// At the original speed.
  public init() { super.init(Self.component, parameters: Self.table) }

  public override func parameterDidChange(_ address: ParameterAddress) {
    switch address {
    case Self.rate: adoptParameter(Self.cents, value: Float(1200 * log2(SpeedView.clamped(shown(Self.rate)))))
    case Self.cents: adoptParameter(Self.rate, value: Float(SpeedView.rate(cents: shown(Self.cents))))
    default: return
    }
    view.note(
      edited: SpeedView.State(
        rate: shown(Self.rate), cents: shown(Self.cents), countsCents: address == Self.cents))
  }

  /// The value in the store, whichever of the two counts.
  private func shown(_ address: ParameterAddress) -> Double {
    guard let slot = try? slot(of: address) else { return 0 }
    return Double(store[slot])
  }

  /// A parameter that a scheduled event has left behind is read as the other one says.
  public override func meterValue(_ address: ParameterAddress) -> Float? {
    guard address == Self.rate || address == Self.cents else { return nil }
    let (rate, cents) = (shown(Self.rate), shown(Self.cents))
    let (byRate, byCents) = (SpeedView.clamped(rate), SpeedView.rate(cents: cents))
    let agree = abs(byCents / byRate - 1) < 1e-6
    if agree || hasTimeline(Self.rate) || hasTimeline(Self.cents) { return nil }
    let countsCents = view.countsCents
    if address == Self.rate { return countsCents ? Float(byCents) : nil }
    return countsCents ? nil : Float(1200 * log2(byRate))
  }

  /// The timeline of the rate settles the cents as well, and the other way round.
  package func conflict(withSetting address: ParameterAddress) -> String? {
    let other = address == Self.rate ? Self.cents : Self.rate
    guard hasTimeline(other) else { return nil }
    let name = other == Self.rate ? "playbackRate" : "playbackCents"
    return "it is another view of \"\(name)\", which has a ramp"
  }

  override var rates: ClosedRange<Double> { SlidingSinc.rates }

  override var course: RateCourse {
    for address in [Self.rate, Self.cents] {
      guard let timeline = timelines[address] else { continue }
      return RateCourse(timeline, isCents: address == Self.cents, rates: SlidingSinc.rates)
    }
    return RateCourse(constant: SpeedView.clamped((try? parameter(Self.rate)).map(Double.init) ?? 1))
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    let hasRate = hasTimeline(Self.rate)
    let isFixed = hasRate || hasTimeline(Self.cents)
    return VarispeedProcessor(
      format, maximumFrames: maximumFramesPerSlice, isBypassed: isBypassed, course: isFixed ? course : nil,
      timelineCountsCents: isFixed ? !hasRate : nil, view: view)
  }

  public override var processorBytes: Int {
    SpeedReader.byteCount(
      channelCount: format.channelCount, maximumFrames: maximumFramesPerSlice, keepsFilters: true) + (64 << 10)
  }
}

/// The view of a speed that counts: of the pair of values that the edit side has set last, and of the present.
final class SpeedView: Sendable {
  struct State: Equatable {
    var rate: Double
    var cents: Double
    var countsCents: Bool
  }

  private let editedValues = Atomic<UInt64>(UInt64(Float(1).bitPattern) << 32)
  private let editedCents = Atomic<Bool>(false)
  private let presentCents = Atomic<Bool>(false)

  /// The pair that the edit side has set last.
  var edited: State {
    let bits = editedValues.load(ordering: .acquiring)
    return State(
      rate: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))),
      cents: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))),
      countsCents: editedCents.load(ordering: .relaxed))
  }

  func note(edited state: State) {
    editedCents.store(state.countsCents, ordering: .relaxed)
    let bits = UInt64(Float(state.rate).bitPattern) << 32 | UInt64(Float(state.cents).bitPattern)
    editedValues.store(bits, ordering: .releasing)
    note(countsCents: state.countsCents)
  }

  /// True where the cents count at present.
  var countsCents: Bool { presentCents.load(ordering: .relaxed) }
  func note(countsCents: Bool) { presentCents.store(countsCents, ordering: .relaxed) }

  /// A playback rate as it is applied.
  static func clamped(_ rate: Double) -> Double { min(4, max(0.25, rate)) }
  static func rate(cents: Double) -> Double { clamped(exp2(min(2400, max(-2400, cents)) / 1200)) }
}

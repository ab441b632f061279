import AudioCore
import AudioEngine
import DSPKernels

/// A delay by a whole number of frames, up to one second.
///
/// output[n] = input[n − d]; in front of the first frame lies silence. A change of d takes effect on a frame at once:
/// what was heard last is left, or heard again.
///
/// ```swift
/// let delay = try SampleDelay(frames: 480)
/// var law = try FormulaDevice([Formula("in(c, n - 480)")])
/// law.outputFrames = 24_480
/// expect(delay, equals: law)
/// ```
public final class SampleDelay: EffectUnit, HasNamedParameters, @unchecked Sendable {
  /// `aufx sdly appl`, in graph files `sampleDelay`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "sdly"), shortName: "sampleDelay", name: "Apple: AUSampleDelay",
    summary: "A delay by a whole number of frames, up to one second."
  ) { SampleDelay() }

  /// `delayFrames`: 0 up to the sample rate, rounded to whole frames.
  public enum Parameter: UInt32, Sendable { case delayFrames }

  /// A delay of 0 frames.
  public init() {
    super.init(
      Self.component, parameters: [Self.row(.delayFrames, .sampleFrames, 0...Float.infinity, 0, canRamp: false)])
  }

  /// A delay of so many frames: 0 up to the sample rate.
  public convenience init(frames: Int) throws(AudioStatus) {
    self.init()
    try set(.delayFrames, to: Float(frames))
  }

  /// One second; a value beyond its range is clamped to that.
  private var longestFrames: Int { Int(clamping: format.sampleRate) }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor {
    SampleDelayProcessor(
      channelCount: format.channelCount, longestFrames: longestFrames, maximumFrames: maximumFramesPerSlice)
  }

  public override var processorBytes: Int {
    MemoryBudget.product(
      format.channelCount, MemoryBudget.product(4, longestFrames + maximumFramesPerSlice) + 64)
  }

  /// The tail is the longest delay: the present one, or one of its timeline.
  public override var tailFrames: Int64? {
    if isBypassed { return 0 }
    return knownValues(ofParameter: Parameter.delayFrames.rawValue).map {
      Int64(clamping: min(max(0, $0), Float(longestFrames)).rounded())
    }.max()
  }

  public override func closedForm(sampleRate: Double) -> AnalogResponse? { AnalogResponse(sampleRate: sampleRate) }
}

/// A ring for each channel, of the longest delay and one slice.
private final class SampleDelayProcessor: EffectProcessor {
  private let ring: PlanarBuffer
  private let longestFrames: Int
  private let capacity: Int
  /// The place of the next frame.
  private var head = 0

  init(channelCount: Int, longestFrames: Int, maximumFrames: Int) {
    self.longestFrames = longestFrames
    capacity = longestFrames + maximumFrames
    ring = PlanarBuffer(channelCount: channelCount, frameCapacity: capacity)
    super.init()
    reset()
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    let delay = Int(clamping: min(max(0, piece.parameters[0]), Float(longestFrames)).rounded())
    for channel in 0..<ring.channelCount {
      let memory = ring.planes[channel]
      let input = piece.input(channel)
      let output = piece.output(channel)
      copy(piece.frames, from: head) { (memory + $0).update(from: input + $1, count: $2) }
      copy(piece.frames, from: (head - delay + capacity) % capacity) {
        (output + $1).update(from: memory + $0, count: $2)
      }
    }
    head = (head + piece.frames) % capacity
  }

  /// The pieces of so many frames of the ring, with where they lie in the ring and in the piece.
  private func copy(_ frames: Int, from start: Int, _ body: (_ place: Int, _ frame: Int, _ count: Int) -> Void) {
    let first = min(frames, capacity - start)
    body(start, 0, first)
    if first < frames { body(0, first, frames - first) }
  }

  override func reset() {
    for channel in 0..<ring.channelCount { ring.planes[channel].update(repeating: 0, count: capacity) }
    head = 0
  }
}

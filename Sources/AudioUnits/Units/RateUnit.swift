import AudioCore

/// What units have in common that play their input at another speed: one input, one output of the same format, and
/// bypass.
///
/// Frame 0 of the output belongs to frame 0 of the input. For each output frame the place in the input moves on by the
/// rate at that frame; what is pulled follows from the place, and so does what the unit is late by: nothing.
open class RateUnit: Unit, @unchecked Sendable {
  /// What ``setBypass(_:)`` has set; false in a fresh unit.
  public final private(set) var isBypassed = false

  /// One input and one output of the initial format, not bypassed.
  public init(_ component: Component) { super.init(component, inputs: 1, outputs: 1) }

  open override func checkFormats() throws(AudioStatus) {
    guard inputs[0].format == outputs[0].format else { throw .formatNotSupported }
  }

  /// The format of the input and of the output.
  public final var format: StreamFormat { outputs[0].format }

  /// Whether the input passes unchanged, at the original speed, from the frame on at which it has arrived.
  public final func setBypass(_ isOn: Bool) {
    isBypassed = isOn
    edit(RateProcessor.self) { $0.bypass.set(isOn) }
  }

  open override var ownProperties: [PropertyDescriptor] { [Self.bypassProperty] }

  private static let bypassProperty = PropertyDescriptor.bypass(
    of: RateUnit.self, get: { $0.isBypassed }, set: { $0.setBypass($1) })

  /// The parameter by which the rate is set, and how its values become rates; the course of it where it has a timeline.
  var course: RateCourse { RateCourse(constant: 1) }

  /// The rate that the output frames follow: not bypassed, the course of the parameters.
  final var effectiveCourse: RateCourse { isBypassed ? RateCourse(constant: 1) : course }

  public final override func outputEnd(ofInputEnd frames: Int64) -> Int64 { effectiveCourse.firstFrame(from: frames) }
}

/// The render half of a ``RateUnit``. Runs on the render thread: no allocation, no lock.
class RateProcessor: Processor {
  fileprivate let bypass: BypassSwitch
  /// Whether the input passes unchanged in the present slice.
  var isBypassed: Bool { bypass.isOn }

  init(isBypassed: Bool) { bypass = BypassSwitch(isBypassed) }

  final override var pullsItsInputs: Bool { true }
  final override var isSynchronous: Bool { false }

  final override func latch() {
    let former = bypass.isOn
    _ = bypass.latch()
    if bypass.isOn && !former { beginBypass() }
  }

  /// Called in front of a slice from which on the input passes unchanged.
  func beginBypass() {}
}

/// Frames of the input that are kept around the place that is read. The render side's.
final class InputWindow {
  let buffer: PlanarBuffer
  private let channelCount: Int
  private let longestPull: Int
  /// The input frame at the beginning of the buffer, and how many frames are there.
  private var origin: Int64 = 0
  private var count = 0

  /// - Parameters:
  ///   - frames: the most that are kept at one time.
  ///   - longestPull: the most frames that the source may be asked for at once.
  init(channelCount: Int, frames: Int, longestPull: Int) {
    self.channelCount = channelCount
    self.longestPull = longestPull
    // Twice as much, so that what is kept is moved to the front now and then only.
    buffer = PlanarBuffer(channelCount: channelCount, frameCapacity: Self.capacity(frames, longestPull))
  }

  static func byteCount(channelCount: Int, frames: Int, longestPull: Int) -> Int {
    MemoryBudget.product(channelCount, 4 * capacity(frames, longestPull) + 256)
  }

  private static func capacity(_ frames: Int, _ longestPull: Int) -> Int { 2 * frames + longestPull }

  /// The input frame that is pulled next.
  var end: Int64 { origin + Int64(count) }

  /// Begins at an input frame, with silence in front of it.
  func restart(at frame: Int64, silence: Int) {
    origin = frame - Int64(silence)
    count = silence
    buffer.clear(frames: silence)
  }

  /// Pulls what is missing in front of frame `end`; of what there is, frames from `first` on are kept.
  func pull(_ piece: RenderPiece, before end: Int64, keepingFrom first: Int64) throws(AudioStatus) {
    while self.end < end {
      let frames = Int(min(Int64(longestPull), end - self.end))
      let input = try piece.pull(bus: 0, sampleTime: self.end, frames: frames)
      guard input.count > 0 else { throw .noConnection }
      if count + frames > buffer.frameCapacity { drop(before: first) }
      precondition(count + frames <= buffer.frameCapacity, "more input than there is room for")
      for channel in 0..<channelCount {
        (buffer.planes[channel] + count).update(from: input.planes[channel], count: frames)
      }
      count += frames
    }
  }

  private func drop(before frame: Int64) {
    let past = Int(min(Int64(count), max(0, frame - origin)))
    guard past > 0 else { return }
    for channel in 0..<channelCount {
      buffer.planes[channel].update(from: buffer.planes[channel] + past, count: count - past)
    }
    origin += Int64(past)
    count -= past
  }

  /// Where an input frame lies in the buffer's planes.
  @inline(__always)
  func place(of frame: Int64) -> Int { Int(frame - origin) }
}

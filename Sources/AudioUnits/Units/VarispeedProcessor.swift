// Step 8 of the path of one slice: work. What renders the varispeed unit. Runs on the render thread: no allocation, no
// lock.

import AudioCore
import DSPKernels

final class VarispeedProcessor: RateProcessor {
  private let channelCount: Int
  private let maximumFrames: Int
  private let course: RateCourse?
  /// Which parameter's timeline counts; nil: neither has one.
  private let timelineCountsCents: Bool?
  private let view: SpeedView
  private let sinc = SlidingSinc()
  private let window: InputWindow
  /// For the frames of a step: the input frame at or before their places, how far behind it these lie, and the filters.
  private let frames: FlatMemory<Int64>
  private let fractions: FlatMemory<Double>
  private let cutoffs: FlatMemory<Double>

  /// The place in the input of the next output frame.
  private var place: Int64 = 0
  private var fraction = 0.0
  /// Nil: whatever comes next is the start.
  private var nextOutputTime: Int64?
  /// Which view counts, and the values for which that is known; nil: as ``SpeedView`` has it.
  private var speed: SpeedView.State?
  private var presentRate = 1.0

  init(
    _ format: StreamFormat, maximumFrames: Int, isBypassed: Bool, course: RateCourse?, timelineCountsCents: Bool?,
    view: SpeedView
  ) {
    channelCount = format.channelCount
    self.maximumFrames = maximumFrames
    self.course = course
    self.timelineCountsCents = timelineCountsCents
    self.view = view
    window = InputWindow(
      channelCount: format.channelCount, frames: Self.windowFrames(maximumFrames), longestPull: maximumFrames)
    frames = FlatMemory(repeating: 0, count: maximumFrames)
    fractions = FlatMemory(repeating: 0, count: maximumFrames)
    cutoffs = FlatMemory(repeating: 1, count: maximumFrames)
    super.init(isBypassed: isBypassed)
  }

  /// What is read around the frames of a step, which itself covers no more of the input than a slice may have.
  static func windowFrames(_ maximumFrames: Int) -> Int {
    maximumFrames + SlidingSinc.mostBehind + SlidingSinc.mostAhead + 16
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let rate = rate(of: piece)
    if piece.sampleTime != nextOutputTime { restart(at: piece.sampleTime, rate: rate.exactValue(at: 0)) }
    if piece.frames == 0 {
      // Whatever stands behind refuses no frames as it does some.
      let input = try piece.pull(bus: 0, sampleTime: window.end, frames: 0)
      guard input.count > 0 else { throw .noConnection }
      return
    }
    var done = 0
    while done < piece.frames {
      let count = step(from: done, of: piece, rate)
      let first = frames.start[0] - Int64(SlidingSinc.mostBehind)
      try window.pull(piece, before: neededEnd(count), keepingFrom: first)
      for frame in 0..<count {
        sinc.apply(
          input: window.buffer.planes, place: window.place(of: frames.start[frame]), fraction: fractions.start[frame],
          cutoff: cutoffs.start[frame], isSettled: !rate.isMoving, output: piece.outputs[0].planes,
          frame: piece.offset + done + frame, channelCount: channelCount)
      }
      done += count
    }
    nextOutputTime = piece.sampleTime + Int64(piece.frames)
  }

  /// Finds the places of as many frames as the window has room for, one at least, and returns how many these are.
  private func step(from first: Int, of piece: RenderPiece, _ rate: CellRamp) -> Int {
    var present = isBypassed ? 1 : rate.exactValue(at: first)
    var cutoff = SlidingSinc.cutoff(rate: present)
    let start = place
    var count = 0
    while first + count < piece.frames && place - start < Int64(maximumFrames) && count < maximumFrames {
      if rate.isMoving && !isBypassed {
        present = SpeedView.clamped(rate.exactValue(at: first + count))
        cutoff = SlidingSinc.cutoff(rate: present)
      }
      frames.start[count] = place
      fractions.start[count] = fraction
      cutoffs.start[count] = cutoff
      fraction += present
      let whole = fraction.rounded(.down)
      fraction -= whole
      place += Int64(whole)
      count += 1
    }
    presentRate = present
    return count
  }

  private func neededEnd(_ count: Int) -> Int64 {
    var end = Int64.min
    for frame in 0..<count {
      let ahead = SlidingSinc.framesAhead(fraction: fractions.start[frame], cutoff: cutoffs.start[frame])
      end = max(end, frames.start[frame] + Int64(ahead) + 1)
    }
    return end
  }

  // MARK: The rate

  private func rate(of piece: RenderPiece) -> CellRamp {
    let countsCents = timelineCountsCents ?? countsCents(piece)
    return CellRamp(piece) { value in
      countsCents ? SpeedView.rate(cents: value(1)) : SpeedView.clamped(value(0))
    }
  }

  /// Which of the two parameters counts: what moved last.
  private func countsCents(_ piece: RenderPiece) -> Bool {
    let parameters = piece.parameters
    let isMoving = parameters.isMoving
    let former = speed ?? view.state
    let (rate, cents) = (parameters.start(0), parameters.start(1))
    let (endRate, endCents) = isMoving ? (parameters.end(0), parameters.end(1)) : (rate, cents)
    var now = SpeedView.State(rate: endRate, cents: endCents, countsCents: former.countsCents)
    if rate != former.rate || endRate != rate {
      now.countsCents = false
    } else if cents != former.cents || endCents != cents {
      now.countsCents = true
    }
    if now != speed {
      speed = now
      view.publish(now)
    }
    return now.countsCents
  }

  // MARK: Time

  /// A jump in time, or the start.
  private func restart(at sampleTime: Int64, rate: Double) {
    let position: Double
    if isBypassed {
      position = Double(sampleTime)
    } else if let course {
      position = course.position(at: sampleTime)
    } else {
      position = Double(sampleTime) * rate
    }
    // Beyond this the source cannot be asked.
    let most = Double(1 << 61 as Int64)
    let whole = min(most, max(-most, position)).rounded(.down)
    place = Int64(whole)
    fraction = abs(position) < most ? position - whole : 0
    window.restart(at: place, silence: SlidingSinc.mostBehind)
  }

  override func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int) {
    (window.end, Int((Double(frames) * presentRate).rounded(.up)) + SlidingSinc.mostAhead)
  }

  /// From here on whole frames pass: the place is rounded to the nearest.
  override func beginBypass() {
    if fraction >= 0.5 { place += 1 }
    fraction = 0
  }

  override func reset() {
    nextOutputTime = nil
    speed = nil
    presentRate = 1
  }
}

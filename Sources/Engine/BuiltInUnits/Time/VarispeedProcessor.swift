// The path of one slice: work. The processor of the varispeed unit. Runs on the render thread: no allocation, no lock.

import AudioCore
import AudioEngine
import DSPKernels

final class VarispeedProcessor: RateProcessor {
  private let course: RateCourse?
  /// The parameter whose timeline counts; nil: neither has one.
  private let timelineCountsCents: Bool?
  private let view: SpeedView
  private let reader: SpeedReader
  /// Nil: whatever comes next is the start.
  private var nextOutputTime: Int64?
  /// The view that counts, and the values for which that is known; nil: as in ``SpeedView``.
  private var speed: SpeedView.State?

  init(
    _ format: StreamFormat, maximumFrames: Int, isBypassed: Bool, course: RateCourse?, timelineCountsCents: Bool?,
    view: SpeedView
  ) {
    self.course = course
    self.timelineCountsCents = timelineCountsCents
    self.view = view
    reader = SpeedReader(channelCount: format.channelCount, maximumFrames: maximumFrames, keepsFilters: true)
    super.init(isBypassed: isBypassed)
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let ramp = self.rate(of: piece)
    let isMoving = ramp.isMoving && !isBypassed
    func rate(_ frame: Int) -> Double {
      if isBypassed { return 1 }
      return isMoving ? SpeedView.clamped(ramp.exactValue(at: frame)) : ramp.exactValue(at: 0)
    }
    if piece.sampleTime != nextOutputTime { restart(at: piece.sampleTime, rate: ramp.exactValue(at: 0)) }
    if piece.frames == 0 {
      // Whatever stands behind refuses no frames as it does some.
      let input = try piece.pull(bus: 0, sampleTime: reader.inputTime, frames: 0)
      guard input.count > 0 else { throw .noConnection }
      return
    }
    try reader.read(piece.frames, into: piece.outputs[0].planes, from: piece.offset, isMoving: isMoving, rate: rate) {
      (time, frames) throws(AudioStatus) in try piece.pull(bus: 0, sampleTime: time, frames: frames)
    }
    nextOutputTime = piece.sampleTime + Int64(piece.frames)
  }

  // MARK: The rate

  private func rate(of piece: RenderPiece) -> CellRamp {
    let countsCents = timelineCountsCents ?? countsCents(piece)
    return CellRamp(piece) { value in
      countsCents ? SpeedView.rate(cents: value(1)) : SpeedView.clamped(value(0))
    }
  }

  /// True when the cents count of the two parameters: the one that was set counts, also while it is smoothed, and behind
  /// events the one that moved last.
  private func countsCents(_ piece: RenderPiece) -> Bool {
    let parameters = piece.parameters
    let isMoving = parameters.isMoving
    let edited = view.edited
    let former = speed ?? edited
    let (rate, cents) = (parameters.start(0), parameters.start(1))
    let (endRate, endCents) = isMoving ? (parameters.end(0), parameters.end(1)) : (rate, cents)
    func moves(_ slot: Int) -> Bool { !parameters.isSmoothed(slot, at: piece.sampleTime) }
    var now = SpeedView.State(rate: endRate, cents: endCents, countsCents: former.countsCents)
    if Double(parameters.latchedValue(0)) == edited.rate, Double(parameters.latchedValue(1)) == edited.cents {
      now.countsCents = edited.countsCents
    } else if (rate != former.rate || endRate != rate) && moves(0) {
      now.countsCents = false
    } else if (cents != former.cents || endCents != cents) && moves(1) {
      now.countsCents = true
    }
    if now != speed {
      speed = now
      view.note(countsCents: now.countsCents)
    }
    return now.countsCents
  }

  // MARK: Time

  /// A jump in time, or the start.
  private func restart(at sampleTime: Int64, rate: Double) {
    if isBypassed {
      reader.restart(at: Double(sampleTime))
    } else if let course {
      reader.restart(at: course.position(at: sampleTime))
    } else {
      reader.restart(at: Double(sampleTime) * rate)
    }
  }

  override func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int) { reader.demand(frames) }

  /// From here on whole frames pass: the place is rounded to the nearest.
  override func beginBypass() { reader.roundPlace() }

  override func reset() {
    nextOutputTime = nil
    speed = nil
    reader.reset()
  }
}

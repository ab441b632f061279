// The path of one slice: work, in the spatial mixer: one source, its filters and its way from one place to the next.
// Runs on the render thread; allocates nothing after init.

import AudioCore
import AudioEngine
import DSPKernels

/// A channel of an input, or all of them together, as a source.
///
/// If parameters move, a source moves from its placement at the beginning of a cell to that at its end in a straight
/// line; jumps are crossfaded over ``fadeSeconds``, and jumps meanwhile wait for the end of the fade. So nothing
/// clicks.
final class SpatialVoice {
  static let fadeSeconds = 0.01

  private let stage: SpatialStage
  private let channel: Int
  private let fadeFrames: Int
  /// The source's past, and a slice.
  private let memory: FlatMemory<Float>
  /// Before the obstruction: what the reverb gets.
  private let early: FlatMemory<Float>
  private var occlusion = OnePole()
  private var obstruction = OnePole()
  private var present: SpatialPlacement
  private var next: SpatialPlacement
  private var old: SpatialPlacement
  /// Nil: nothing fades.
  private var fadePosition: Int?
  private(set) var isClear = true

  init(_ stage: SpatialStage, channel: Int, maximumFrames: Int) {
    self.stage = stage
    self.channel = channel
    fadeFrames = max(1, Int(clamping: (Self.fadeSeconds * stage.sampleRate).rounded()))
    memory = FlatMemory(repeating: 0, count: stage.pastFrames + maximumFrames)
    early = FlatMemory(repeating: 0, count: maximumFrames)
    present = SpatialPlacement(stage)
    next = SpatialPlacement(stage)
    old = SpatialPlacement(stage)
  }

  static func bytes(sampleRate: Double, maximumFrames: Int, outputs: Int) -> Int {
    let past = SpatialStage.pastFrames(sampleRate: sampleRate)
    return 4 * (past + 2 * maximumFrames + 3 * (2 * past + outputs + 1)) + 2048
  }

  /// Silence came before, from nowhere.
  func clear() {
    guard !isClear else { return }
    isClear = true
    memory.all.fill(0)
    (occlusion, obstruction) = (OnePole(), OnePole())
    present.clear()
    next.clear()
    fadePosition = nil
  }

  /// The place for the frames of a piece, up to a slice of them.
  var input: Plane<Float> { early.all }

  /// The values over a piece: keys and poles at both ends of its cell.
  struct Course {
    var start: SpatialKey
    /// Nil where nothing moves.
    var end: SpatialKey?
    var cellPosition = 0
    var cellFrames = 1
    var occlusion = PoleCourse()
    var obstruction = PoleCourse()
  }

  /// Adds the source, which stands in ``input``, to the outputs and to the send behind them.
  ///
  /// - Parameters:
  ///   - output: for a channel, its first frame.
  ///   - scratch: three rows of so many frames.
  func add(
    _ course: Course, frames: Int, scratch: Plane<Float>, stride: Int,
    output: (_ channel: Int) -> Plane<Float>
  ) {
    isClear = false
    let past = memory.all + stage.pastFrames
    occlusion.process(early.all, early.all, course.occlusion, frames: frames)
    obstruction.process(early.all, past, course.obstruction, frames: frames)
    var done = 0
    while done < frames {
      follow(course, at: done)
      let moves = course.end != nil && next.key != nil
      var count = frames - done
      if let fadePosition { count = min(count, fadeFrames - fadePosition) }
      for channel in 0...stage.outputChannels {
        let (plane, send) = (memory.all + done, early.all + done)
        let sum = scratch
        var isHeard = present.write(channel, from: plane, early: send, frames: count, to: sum)
        if moves {
          let other = scratch + stride
          isHeard = blend(channel, next, plane, send, count, sum, other, isHeard) { frame in
            Float(Double(course.cellPosition + done + frame) / Double(course.cellFrames))
          }
        }
        if let fadePosition {
          let other = scratch + stride
          let length = Double(fadeFrames)
          isHeard = blend(channel, old, plane, send, count, sum, other, isHeard) { frame in
            Float(1 - Double(fadePosition + frame) / length)
          }
        }
        if isHeard { MixKernels.accumulate(output(channel) + done, sum, gain: 1, frames: count) }
      }
      done += count
      if let position = fadePosition {
        fadePosition = position + count == fadeFrames ? nil : position + count
      }
    }
    memory.all.update(from: memory.all + frames, count: stage.pastFrames)
  }

  /// sum += share · (other − sum), frame by frame; returns whether there is any.
  private func blend(
    _ channel: Int, _ placement: SpatialPlacement, _ plane: Plane<Float>, _ send: Plane<Float>,
    _ count: Int, _ sum: Plane<Float>, _ other: Plane<Float>, _ isHeard: Bool,
    _ share: (_ frame: Int) -> Float
  ) -> Bool {
    let isOtherHeard = placement.write(channel, from: plane, early: send, frames: count, to: other)
    guard isHeard || isOtherHeard else { return false }
    if !isHeard { sum.update(repeating: 0, count: count) }
    if !isOtherHeard { other.update(repeating: 0, count: count) }
    for frame in 0..<count { sum[frame] += share(frame) * (other[frame] - sum[frame]) }
    return true
  }

  /// Takes over what a piece's course wants, where no fade stands against it.
  private func follow(_ course: Course, at done: Int) {
    if let key = present.key, key != course.start {
      if next.key == course.start {
        (present, next) = (next, present)
        next.clear()
      } else {
        // A move under way ends at the nearer placement.
        if next.key != nil {
          if 2 * (course.cellPosition + done) > course.cellFrames { (present, next) = (next, present) }
          next.clear()
        }
        guard fadePosition == nil else { return }
        (old, present) = (present, old)
        fadePosition = 0
      }
    }
    present.build(course.start, channel: channel)
    guard let end = course.end, end != course.start else { return next.clear() }
    next.build(end, channel: channel)
  }
}

/// A pole over a cell in a straight line, and where in the cell a piece begins.
struct PoleCourse {
  var start = 0.0
  var step = 0.0
  var position = 0
}

/// y[n] = (1 − a)·x[n] + a·y[n − 1].
struct OnePole {
  private var last = 0.0

  mutating func process(
    _ input: Plane<Float>, _ output: Plane<Float>, _ course: PoleCourse, frames: Int
  ) {
    if course.start == 0 && course.step == 0 {
      if output.start != input.start { output.update(from: input, count: frames) }
      if frames > 0 { last = Double(input[frames - 1]) }
      return
    }
    var last = last
    for frame in 0..<frames {
      let pole = course.start + course.step * Double(course.position + frame)
      let x = Double(input[frame])
      last = x + pole * (last - x)
      output[frame] = Float(last)
    }
    self.last = last
  }
}

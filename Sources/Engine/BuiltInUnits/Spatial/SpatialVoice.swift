// The path of one slice: work, in the spatial mixer: one source, its filters and its way from one place to the next.
// Runs on the render thread; allocates nothing after init.

import AudioCore
import AudioEngine
import DSPKernels

/// A channel of an input, or all of them together, as a source.
///
/// If parameters move, a source moves from its placement at the beginning of a cell to that at its end in a straight
/// line. Where it jumps it stays where it has come to, and is crossfaded over ``fadeSeconds`` to the new place; jumps
/// meanwhile wait for the end of the fade. So nothing clicks.
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
  private var way: Way
  /// The place that fades out, which stands still.
  private var former: Way
  /// True after a jump that waits for the end of a fade: the present way stands still too.
  private var waits = false
  /// Nil: nothing fades.
  private var fadePosition: Int?
  private(set) var isClear = true

  /// From one placement to the next one.
  private struct Way {
    var from: SpatialPlacement
    /// Without a key where nothing moves.
    var to: SpatialPlacement
    /// The part that is behind the source at the next frame.
    var part = 0.0

    init(_ stage: SpatialStage) { (from, to) = (SpatialPlacement(stage), SpatialPlacement(stage)) }

    mutating func clear() {
      from.clear()
      to.clear()
      part = 0
    }
  }

  init(_ stage: SpatialStage, channel: Int, maximumFrames: Int) {
    self.stage = stage
    self.channel = channel
    fadeFrames = max(1, Int(clamping: (Self.fadeSeconds * stage.sampleRate).rounded()))
    memory = FlatMemory(repeating: 0, count: stage.pastFrames + maximumFrames)
    early = FlatMemory(repeating: 0, count: maximumFrames)
    way = Way(stage)
    former = Way(stage)
  }

  static func bytes(sampleRate: Double, maximumFrames: Int, outputs: Int) -> Int {
    let past = SpatialStage.pastFrames(sampleRate: sampleRate)
    return 4 * (past + 2 * maximumFrames + 4 * (2 * past + outputs + 1)) + 2560
  }

  /// Silence came before, from nowhere.
  func clear() {
    guard !isClear else { return }
    isClear = true
    memory.all.fill(0)
    (occlusion, obstruction) = (OnePole(), OnePole())
    way.clear()
    former.clear()
    waits = false
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
      let moves = way.to.key != nil && !waits
      var count = frames - done
      if let fadePosition { count = min(count, fadeFrames - fadePosition) }
      let first = course.cellPosition + done
      for channel in 0...stage.outputChannels {
        let (plane, send) = (memory.all + done, early.all + done)
        let (sum, other) = (scratch, scratch + stride)
        let part = way.part
        var isHeard = write(channel, way, plane, send, count, sum, other) { frame in
          moves ? Float(Double(first + frame) / Double(course.cellFrames)) : Float(part)
        }
        if let fadePosition {
          let length = Double(fadeFrames)
          let part = Float(former.part)
          let isOtherHeard = write(channel, former, plane, send, count, other, scratch + 2 * stride) { _ in part }
          isHeard = blend(isHeard, sum, isOtherHeard, other, count) { frame in
            Float(1 - Double(fadePosition + frame) / length)
          }
        }
        if isHeard { MixKernels.accumulate(output(channel) + done, sum, gain: 1, frames: count) }
      }
      if moves { way.part = Double(first + count) / Double(course.cellFrames) }
      done += count
      if let position = fadePosition {
        fadePosition = position + count == fadeFrames ? nil : position + count
      }
    }
    memory.all.update(from: memory.all + frames, count: stage.pastFrames)
  }

  /// Writes what an output gets of a source on its way; false, and nothing is written, where it gets nothing.
  private func write(
    _ channel: Int, _ way: Way, _ plane: Plane<Float>, _ send: Plane<Float>, _ count: Int, _ sum: Plane<Float>,
    _ other: Plane<Float>, _ share: (_ frame: Int) -> Float
  ) -> Bool {
    let isHeard = way.from.write(channel, from: plane, early: send, frames: count, to: sum)
    guard way.to.key != nil else { return isHeard }
    let isOtherHeard = way.to.write(channel, from: plane, early: send, frames: count, to: other)
    return blend(isHeard, sum, isOtherHeard, other, count, share)
  }

  /// sum += share · (other − sum), frame by frame; returns whether there is any.
  private func blend(
    _ isHeard: Bool, _ sum: Plane<Float>, _ isOtherHeard: Bool, _ other: Plane<Float>, _ count: Int,
    _ share: (_ frame: Int) -> Float
  ) -> Bool {
    guard isHeard || isOtherHeard else { return false }
    if !isHeard { sum.update(repeating: 0, count: count) }
    if !isOtherHeard { other.update(repeating: 0, count: count) }
    for frame in 0..<count { sum[frame] += share(frame) * (other[frame] - sum[frame]) }
    return true
  }

  /// Takes over what a piece's course wants, where no fade stands against it.
  private func follow(_ course: Course, at done: Int) {
    let part = course.end == nil ? 0 : Double(course.cellPosition + done) / Double(course.cellFrames)
    if way.from.key != nil {
      if !waits && way.from.key == course.start && way.to.key == course.end && way.part == part { return }
      if way.part >= 1 { (way.from, way.to) = (way.to, way.from) }
      if way.part == 0 || way.part >= 1 {
        way.to.clear()
        way.part = 0
      }
      if way.to.key != nil || way.from.key != course.start {
        waits = fadePosition != nil
        guard !waits else { return }
        (way, former) = (former, way)
        fadePosition = 0
      }
    }
    waits = false
    way.from.build(course.start, channel: channel)
    if let end = course.end { way.to.build(end, channel: channel) } else { way.to.clear() }
    way.part = part
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

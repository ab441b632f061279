// Rate conversion at a ratio of whole numbers, by a bank of phases. `process` runs on the render thread: it neither
// allocates, locks nor throws. The arithmetic is that of `filter_bank.h` in CKernels: the same bits everywhere.

import AudioCore
import CKernels

/// A filter that makes L output frames of every M input frames: each output frame is the sum of the input frames around
/// it, times the filter's values at their distances. The distances repeat after L outputs, so the filter is a table of
/// L phases.
///
/// Output frame n lies at n × M ÷ L input frames. It has no state: any frames, in any order, on any thread.
public final class FilterBank: Sendable {
  /// L: output frames after which the distances repeat.
  public let outputsPerCycle: Int
  /// M: input frames after which the distances repeat.
  public let inputsPerCycle: Int
  /// Input frames in front of the one at or before an output's position that the bank reads, at the most.
  public let lookBehindFrames: Int
  /// Input frames from the one at or before an output's position on, that one included, that the bank reads, at the
  /// most.
  public let lookAheadFrames: Int
  /// Input frames that are read for an output.
  public let tapCount: Int
  /// The memory of the bank.
  public let byteCount: Int

  private let phaseCount: Int
  private let stepCount: Int
  private let advanceFrames: Int
  private let taps: FlatMemory<Float>
  private let starts: FlatMemory<Int>

  /// - Parameters:
  ///   - outputs: L, 1 or more.
  ///   - inputs: M, 1 or more, with no common divisor with L.
  ///   - prototype: the filter at every L-th part of an input frame: an odd number of values, the one in the middle at
  ///     distance 0. The value at place k is for input frames that lie (k − middle) ÷ L behind the output.
  public init(outputs: Int, inputs: Int, prototype: [Float]) {
    precondition(outputs >= 1 && inputs >= 1 && prototype.count % 2 == 1)
    outputsPerCycle = outputs
    inputsPerCycle = inputs
    let reach = prototype.count / 2
    // Few phases are written down several times over, so that whole groups of four come out of them.
    let size = filter_bank_group_phases
    let lanes = filter_bank_lanes
    let cycles = outputs < 64 ? [1, 2].first { outputs * $0 % size == 0 } ?? size : 1
    let phases = outputs * cycles
    let groups = (phases + size - 1) / size
    func firstTap(_ phase: Int) -> Int { (phase * inputs - reach).dividedRoundingUp(by: outputs) }
    func lastTap(_ phase: Int) -> Int { (phase * inputs + reach).dividedRoundingDown(by: outputs) }
    func members(_ group: Int) -> Range<Int> { group * size..<min(phases, (group + 1) * size) }
    let most =
      (0..<groups).map { lastTap(members($0).upperBound - 1) - firstTap(members($0).lowerBound) + 1 }.max() ?? 1
    let steps = (most + lanes - 1) / lanes
    tapCount = steps * lanes

    let count = groups * steps * size * lanes
    byteCount = count * MemoryLayout<Float>.stride
    taps = FlatMemory(repeating: 0, count: count)
    starts = FlatMemory(count: groups) { firstTap(members($0).lowerBound) }
    var (behind, ahead) = (0, 0)
    for group in 0..<groups {
      let start = starts[group]
      for phase in members(group) {
        let position = (phase * inputs).dividedRoundingDown(by: outputs)
        behind = max(behind, position - start)
        ahead = max(ahead, start + steps * lanes - position)
        let row = taps.all + group * steps * size * lanes + (phase - group * size) * lanes
        for frame in firstTap(phase)...lastTap(phase) {
          let (step, lane) = (frame - start).quotientAndRemainder(dividingBy: lanes)
          // The outermost steps come first, the one in the middle last: see the header.
          let place = 2 * step < steps ? 2 * step : 2 * (steps - 1 - step) + 1
          row[place * size * lanes + lane] = prototype[frame * outputs - phase * inputs + reach]
        }
      }
    }
    lookBehindFrames = behind
    lookAheadFrames = ahead
    (phaseCount, stepCount, advanceFrames) = (phases, steps, inputs * cycles)
    // The environment is read here, once in a process, and not while rendering.
    _ = kernels_active_instruction_set()
  }

  /// The input frame at or before the position of an output frame, 0 or later.
  public func inputFrame(under output: Int64) -> Int64 {
    let (cycle, place) = output.quotientAndRemainder(dividingBy: Int64(outputsPerCycle))
    return cycle * Int64(inputsPerCycle) + place * Int64(inputsPerCycle) / Int64(outputsPerCycle)
  }

  /// The input frames that are read for some output frames; they may begin below 0.
  public func inputRange(of outputs: Range<Int64>) -> Range<Int64> {
    guard !outputs.isEmpty else { return 0..<0 }
    return inputFrame(under: outputs.lowerBound) - Int64(lookBehindFrames)..<inputFrame(under: outputs.upperBound - 1)
      + Int64(lookAheadFrames)
  }

  /// Computes output frames.
  ///
  /// - Parameters:
  ///   - input: `channelCount` planes, each from input frame `inputOrigin` on. They hold ``inputRange(of:)``.
  ///   - output: as many planes, written from frame `offset` on; they overlap no input.
  ///   - first: the first output frame, 0 or later.
  ///   - frames: the number of frames.
  public func process(
    input: FloatPlanes, inputOrigin: Int64, output: FloatPlanes, channelCount: Int, offset: Int = 0, first: Int64,
    frames: Int
  ) {
    precondition(first >= 0 && frames >= 0 && offset >= 0)
    let range = inputRange(of: first..<first + Int64(frames))
    precondition(frames == 0 || range.lowerBound >= inputOrigin)
    var bank = filter_bank(
      taps: taps.all.start, starts: starts.all.start, phase_count: phaseCount, step_count: stepCount,
      advance_frames: advanceFrames)
    let inputs = input.starts(of: channelCount, frames: frames == 0 ? 0 : Int(range.upperBound - inputOrigin))
    let outputs = output.starts(of: channelCount, frames: offset + frames)
    inputs.withMemoryRebound(to: UnsafePointer<Float>.self, capacity: channelCount) { inputs in
      filter_bank_process(&bank, inputs, inputOrigin, outputs, channelCount, offset, first, frames)
    }
  }
}

extension Int {
  /// By a divisor above 0.
  fileprivate func dividedRoundingDown(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
  fileprivate func dividedRoundingUp(by divisor: Int) -> Int { -(-self).dividedRoundingDown(by: divisor) }
}

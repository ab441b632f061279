// Runs on the render thread; nothing here allocates but `init`. The arithmetic is that of `feedback_network.h` in
// CKernels: the same bits everywhere.

import AudioCore
import CKernels

/// Sixteen delay lines that feed each other through a Hadamard matrix: u_i = present_i · read_i[n] + former_i ·
/// read_i[n − 1]; the output is a signed sum of all u, and the lines get a quarter of the matrix's product and of the
/// signed inputs. See `feedback_network.h`.
///
/// Frames are read and written in groups of ``lanes``: up to seven behind the last are of no meaning.
public final class FeedbackNetwork {
  public static let lineCount = Int(FEEDBACK_LINES)
  public static let lanes = Int(FEEDBACK_LANES)

  private let lines: FlatMemory<feedback_line>
  private let inputs: FlatMemory<UnsafePointer<Float>>
  private let outputs: FlatMemory<UnsafeMutablePointer<Float>>

  /// - Parameters:
  ///   - inputs: a row of one or two channels each, for as long as this lives.
  ///   - outputs: as many.
  public init(inputs: [UnsafeMutablePointer<Float>], outputs: [UnsafeMutablePointer<Float>]) {
    precondition((1...Int(FEEDBACK_CHANNELS)).contains(inputs.count) && inputs.count == outputs.count)
    let nowhere = outputs[0]
    lines = FlatMemory(
      repeating: feedback_line(read: UnsafePointer(nowhere), write: nowhere, present: 0, former: 0),
      count: Self.lineCount)
    self.inputs = FlatMemory(count: inputs.count) { UnsafePointer(inputs[$0]) }
    self.outputs = FlatMemory(count: outputs.count) { outputs[$0] }
  }

  /// The weights of the present and of the former frame, of a line.
  public func setWeights(_ line: Int, present: Float, former: Float) {
    (lines.start[line].present, lines.start[line].former) = (present, former)
  }

  /// Sets the places at which a line's next frames are read, and written.
  public func setPlace(_ line: Int, read: UnsafePointer<Float>, write: UnsafeMutablePointer<Float>) {
    (lines.start[line].read, lines.start[line].write) = (read, write)
  }

  /// Computes frames of all lines and channels, from their places on.
  public func process(frames: Int) {
    feedback_network_process(lines.start, inputs.start, outputs.start, inputs.count, frames)
  }

  /// write[n] = samples[n] + gain · read[n], samples[n] = read[n] − gain · write[n]: none overlaps another.
  public static func allPass(
    _ samples: UnsafeMutablePointer<Float>, read: UnsafePointer<Float>, write: UnsafeMutablePointer<Float>,
    gain: Float, frames: Int
  ) { feedback_all_pass(samples, read, write, gain, frames) }
}

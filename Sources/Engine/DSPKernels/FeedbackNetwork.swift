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
  private let rows: Planes<Float>
  private let channelCount: Int

  /// - Parameter rows: the inputs of one or two channels, then as many outputs, for as long as this lives.
  public init(rows: Planes<Float>) {
    channelCount = rows.channelCount / 2
    precondition((1...Int(FEEDBACK_CHANNELS)).contains(channelCount) && rows.channelCount % 2 == 0)
    let nowhere = rows[0].start
    lines = FlatMemory(
      repeating: feedback_line(read: nowhere, write: nowhere, present: 0, former: 0), count: Self.lineCount)
    self.rows = rows
  }

  /// The weights of the present and of the former frame, of a line.
  public func setWeights(_ line: Int, present: Float, former: Float) {
    (lines[line].present, lines[line].former) = (present, former)
  }

  /// Sets the places at which a line's next frames are read, and written.
  ///
  /// - Parameters:
  ///   - read: the frame before the first, and those that are read.
  ///   - frames: as ``process(frames:)`` will be called with.
  public func setPlace(_ line: Int, read: Plane<Float>, write: Plane<Float>, frames: Int) {
    let groups = (frames + Self.lanes - 1) / Self.lanes * Self.lanes
    (lines[line].read, lines[line].write) = (UnsafePointer(read.start(of: 1 + groups) + 1), write.start(of: groups))
  }

  /// Computes frames of all lines and channels, from their places on.
  public func process(frames: Int) {
    let starts = rows.starts(of: 2 * channelCount, frames: frames)
    starts.withMemoryRebound(to: UnsafePointer<Float>.self, capacity: channelCount) { inputs in
      feedback_network_process(lines.all.start, inputs, starts + channelCount, channelCount, frames)
    }
  }

  /// write[n] = samples[n] + gain · read[n], samples[n] = read[n] − gain · write[n]: none overlaps another.
  public static func allPass(
    _ samples: Plane<Float>, read: Plane<Float>, write: Plane<Float>,
    gain: Float, frames: Int
  ) {
    feedback_all_pass(samples.start(of: frames), read.start(of: frames), write.start(of: frames), gain, frames)
  }
}

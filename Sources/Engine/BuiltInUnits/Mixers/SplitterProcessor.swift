// The path of one slice: work. The processors of the splitter and the merger. Runs on the render thread: no allocation,
// no lock.

import AudioCore
import AudioEngine
import DSPKernels

/// The render half of the splitters: every output bus gets the frames of the input.
final class SplitterProcessor: Processor {
  private let outputCount: Int

  init(outputs: Int) { outputCount = outputs }

  override var worksInPlace: Bool { true }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let channelCount = piece.inputs[0].count
    guard channelCount > 0 else { throw .noConnection }
    for bus in 0..<outputCount {
      for channel in 0..<channelCount {
        MixKernels.copy(piece.output(channel, bus: bus), piece.input(channel), frames: piece.frames)
      }
    }
  }
}

/// The render half of the merger: the channels of each input, one input behind the other.
final class MergerProcessor: Processor {
  private let inputCount: Int

  init(inputs: Int) { inputCount = inputs }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    var next = 0
    for bus in 0..<inputCount {
      let channelCount = piece.inputs[bus].count
      guard channelCount > 0 else { throw .noConnection }
      for channel in 0..<channelCount {
        MixKernels.copy(piece.output(next), piece.input(channel, bus: bus), frames: piece.frames)
        next += 1
      }
    }
  }
}

extension Unit {
  /// Throws unless every bus has the format of input 0.
  final func checkOneFormat() throws(AudioStatus) {
    guard (inputs + outputs).allSatisfy({ $0.format == inputs[0].format }) else { throw .formatNotSupported }
  }
}

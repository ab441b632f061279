// The path of one slice: convert. The processor of the format converter unit, the generic output, and the converters in
// front of mixer inputs. Runs on the render thread.

import AudioCore

/// Pulls one input through a ``FormatConverter``, as many frames on its own clock as the conversion needs.
package final class ConversionProcessor: Processor {
  let converter: FormatConverter
  private let maximumFrames: Int
  /// True when frames leave as they come: nothing is converted.
  private let passes: Bool
  private let bytesPerFrame: Int
  private var nextOutputTime: Int64 = 0
  private var nextInputTime: Int64 = 0
  /// The last pull.
  private var lastPull = (time: Int64.min, frames: 0)

  /// - Throws: the error of ``FormatConverter`` for a conversion that cannot be made.
  init(
    from input: StreamFormat, to output: StreamFormat, maximumFrames: Int, options: FormatConverter.Options
  ) throws(BenchError) {
    self.maximumFrames = maximumFrames
    bytesPerFrame = input.bytesPerFrame
    passes = input == output && input.encoding.kind == .float && options.channels.map(\.isIdentity) ?? true
    converter = try FormatConverter(from: input, to: output, maximumFrames: maximumFrames, options: options)
  }

  package override var pullsItsInputs: Bool { !passes }
  package override var worksInPlace: Bool { passes }
  package override var isSynchronous: Bool { converter.isSynchronous }
  package override var clippedSamples: Int64 { converter.clippedSamples }
  package override var nonFiniteSamples: Int64 { converter.nonFiniteSamples }

  package override func process(_ piece: RenderPiece) throws(AudioStatus) {
    if passes {
      guard piece.inputs[0].count > 0 else { throw .noConnection }
      return piece.passInput(bytesPerFrame: bytesPerFrame)
    }
    try convert(piece, sampleTime: piece.sampleTime, frames: piece.frames, into: piece.outputs[0])
  }

  /// Converts frames from a time on, on the clock of what is converted to, into a buffer.
  @inline(never)
  package func convert(
    _ piece: RenderPiece, sampleTime: Int64, frames wanted: Int, into output: BusBuffer
  ) throws(AudioStatus) {
    if converter.isSynchronous {
      if sampleTime != nextOutputTime { converter.restart(atOutputFrame: sampleTime) }
      nextOutputTime = sampleTime + Int64(wanted)
      let input = try pull(piece, sampleTime: sampleTime, frames: wanted)
      converter.convert(input, to: output, frames: wanted)
      return
    }
    var needed = demand(sampleTime: sampleTime, frames: wanted).frames
    // A pull of no frames is passed on too, so that the source can refuse it as it does any other.
    if wanted == 0 { _ = try pull(piece, sampleTime: nextInputTime, frames: 0) }
    while needed > 0 {
      var frames = min(needed, maximumFrames)
      // A source has rendered a frame of its clock once, with as many frames as were asked for then.
      if nextInputTime == lastPull.time { frames = min(frames, lastPull.frames) }
      lastPull = (nextInputTime, frames)
      let input = try pull(piece, sampleTime: nextInputTime, frames: frames)
      converter.push(input, frames: frames)
      nextInputTime += Int64(frames)
      needed -= frames
    }
    converter.pop(into: output, frames: wanted)
    nextOutputTime = sampleTime + Int64(wanted)
  }

  /// The frames that a rate conversion will pull for a slice: from which frame of the input's clock on, and how many.
  package override func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int) {
    if sampleTime != nextOutputTime { restart(at: sampleTime) }
    return (nextInputTime, converter.inputFramesNeeded(toProduce: frames))
  }

  /// A jump in time: the conversion begins anew at the input frame that lies under the output frame.
  private func restart(at sampleTime: Int64) {
    converter.restart(atOutputFrame: sampleTime)
    let frames = FrameCount.converted(
      Int64(clamping: sampleTime.magnitude), from: converter.outputFormat.sampleRate,
      to: converter.inputFormat.sampleRate)
    nextInputTime = sampleTime < 0 ? -frames : frames
    nextOutputTime = sampleTime
  }

  private func pull(_ piece: RenderPiece, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    let input = try piece.pull(bus: 0, sampleTime: sampleTime, frames: frames)
    guard input.count > 0 else { throw .noConnection }
    return input
  }

  package override func reset() {
    converter.reset()
    nextOutputTime = 0
    nextInputTime = 0
  }
}

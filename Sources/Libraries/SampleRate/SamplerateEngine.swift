// libsamplerate as it comes, behind a small type. Runs inside RateConverter.push, on the caller's thread; allocates at
// init only. Channels go through one interleaved state, because the sinc converters then compute
// each coefficient once for all channels; the bits are those of mono states (tested).

import AudioCore
import CSamplerate

/// libsamplerate numbers 128 channels at the most (its sinc converters hold that many sums).
let samplerateMaximumChannels = 128

/// A state of one of the library's converters, which the caller deletes.
/// - Throws: `.render` where the library has no memory.
func newSamplerateState(_ converter: Int, channelCount: Int) throws(BenchError) -> OpaquePointer {
  var code: Int32 = 0
  if let state = src_new(Int32(converter), Int32(channelCount), &code) { return state }
  throw BenchError(.render, at: "rate conversion", String(cString: src_strerror(code)))
}

final class SamplerateEngine: LibraryEngine {
  let blockFrames: Int
  private(set) var lookAheadFrames = 0
  private let state: OpaquePointer
  private let channelCount: Int
  private let ratio: Double
  private let input: FlatMemory<Float>
  private let output: FlatMemory<Float>
  private let outputCapacity: Int
  /// Linear and zero-order hold start with a quirk of one frame: see `convertBlock`.
  private let holdsLastFrame: Bool
  private var isFirstBlock = true

  init(converter: Int, ratio: Double, channelCount: Int) throws(BenchError) {
    state = try newSamplerateState(converter, channelCount: channelCount)
    self.ratio = ratio
    self.channelCount = channelCount
    holdsLastFrame = converter == SRC_LINEAR || converter == SRC_ZERO_ORDER_HOLD
    blockFrames = conversionBlockFrames(ratio: ratio)
    outputCapacity = Int(clamping: Double(blockFrames) * ratio) + 16
    input = FlatMemory(repeating: 0, count: blockFrames * channelCount)
    output = FlatMemory(repeating: 0, count: outputCapacity * channelCount)
    lookAheadFrames = measuredLookAhead()
    reset()
  }

  deinit {
    src_delete(state)
  }

  func store(_ planes: FloatPlanes?, offset: Int, frames: Int, at start: Int) {
    precondition(start >= 0 && frames >= 0 && start + frames <= blockFrames)
    guard let planes else {
      (input.all + start * channelCount).update(repeating: 0, count: frames * channelCount)
      return
    }
    for channel in 0..<channelCount {
      let plane = planes[channel] + offset
      let destination = input.all + start * channelCount + channel
      for frame in 0..<frames { destination[frame * channelCount] = plane[frame] }
    }
  }

  func convertBlock(into queue: inout OutputQueue) {
    let made = convertBlock()
    precondition(queue.makeRoom() >= made, "output queue overrun")
    for channel in 0..<channelCount {
      let plane = queue.tail[channel]
      let source = output.all + channel
      for frame in 0..<made { plane[frame] = source[frame * channelCount] }
    }
    queue.append(made)
  }

  func reset() {
    src_reset(state)
    isFirstBlock = true
  }

  /// Converts the full block into `output`; returns its frames.
  ///
  /// After a reset, linear and zero-order hold take the first frame they see for the one before it, and so lag by one
  /// input frame. A call that offers the first frame with no room for output only makes the converter remember it;
  /// the stream then goes on with the second frame, and nothing lags.
  private func convertBlock() -> Int {
    var skipped = 0
    if isFirstBlock {
      isFirstBlock = false
      if holdsLastFrame {
        _ = process(from: 0, frames: 1, room: 0)
        skipped = 1
      }
    }
    return process(from: skipped, frames: blockFrames - skipped, room: outputCapacity)
  }

  private func process(from start: Int, frames: Int, room: Int) -> Int {
    var data = SRC_DATA()
    data.data_in = UnsafePointer((input.all + start * channelCount).start(of: frames * channelCount))
    data.data_out = output.all.start
    data.input_frames = frames
    data.output_frames = room
    data.src_ratio = ratio
    let code = src_process(state, &data)
    precondition(code == 0, "libsamplerate refused a block it was made for")
    precondition(room == 0 || data.input_frames_used == frames, "libsamplerate left input of a block")
    return data.output_frames_gen
  }

  /// Lets silence in until output comes, and bounds by it how far the converter looks ahead.
  ///
  /// Output n exists once `floor(n ÷ ratio) + halfLength + 1` frames are in. After a block the first missing output
  /// lies `hold` frames behind the input, and `halfLength <= hold + 1 ÷ ratio` since the one before it exists.
  private func measuredLookAhead() -> Int {
    var fed = 0
    var made = 0
    var blocksWithOutput = 0
    var hold = 0.0
    while blocksWithOutput < 3 {
      fed += blockFrames
      let frames = convertBlock()
      made += frames
      if frames > 0 { blocksWithOutput += 1 }
      if made > 0 { hold = max(hold, Double(fed) - Double(made) / ratio) }
    }
    return Int(clamping: (hold + 1 / ratio).rounded(.up)) + 2
  }
}

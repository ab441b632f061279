// What a resampling library must offer to RateConverter: blocks of input in, some frames of output out.

/// One library's state for all channels of a converter. Blocks come at fixed absolute positions, so the same stream
/// is always cut in the same way and the bits cannot depend on the caller's slices.
protocol ConversionEngine: AnyObject {
  /// Input frames a block holds; every block is full.
  var blockFrames: Int { get }
  /// Input frames, from the one at an output's own position on, that surely bring that output forth.
  var lookAheadFrames: Int { get }

  /// Puts frames into the open block, from frame `start` of the block.
  func store(_ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int, at start: Int)
  /// The same with silence.
  func storeSilence(frames: Int, at start: Int)
  /// Converts the full block and appends all that comes out. Does not allocate.
  func convertBlock(into queue: inout OutputQueue)
  /// Back to the state of a new engine, bit for bit.
  func reset()
}

/// How many input frames a block holds at a ratio (output ÷ input): 128, fewer where they would make more than about
/// 256 output frames, so that little is read ahead; never under 16.
func conversionBlockFrames(ratio: Double) -> Int {
  max(16, min(128, Int(256 / ratio)))
}

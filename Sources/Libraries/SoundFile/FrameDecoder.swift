// The sources of a reader's frames: samples as they lie in the file, and libsndfile's decoders. libFLAC's and chains of
// Ogg streams have files of their own.

import AudioCore
import CSndfile
import Glibc

/// Interleaved frames of a file, in order. One thread at a time.
protocol FrameDecoder: AnyObject {
  /// Up to `count` frames into `block`, and their encoding there; 0 at the end, and where no more can be decoded.
  /// - Parameter wide: true for doubles where the file holds more than Float can.
  func fetch(_ count: Int, into block: UnsafeMutableRawPointer, wide: Bool) -> (frames: Int, encoding: SampleEncoding)
  /// True where a jump lands exactly; false where only decoding up to a frame does.
  var jumps: Bool { get }
  /// Makes `frame` the next one; false where that fails, and any frame may then be the next.
  func jump(to frame: Int64) -> Bool
  /// Makes frame 0 the next one; false where the file can no longer be opened.
  func rewind() -> Bool
  /// The reason for which no more frames come although some are missing; nil: the file has ended.
  var damage: String? { get }
}

extension FrameDecoder {
  var damage: String? { nil }
}

/// Samples that lie in the file as they are.
final class PlainDecoder: FrameDecoder {
  private let io: SoundFileIO
  private let dataOffset: Int64
  private let encoding: SampleEncoding
  private let bytesPerFrame: Int
  private let frameCount: Int64
  private var position: Int64 = 0

  init(_ io: SoundFileIO, dataOffset: Int64, frameCount: Int64, encoding: SampleEncoding, channelCount: Int) {
    self.io = io
    self.dataOffset = dataOffset
    self.frameCount = frameCount
    self.encoding = encoding
    bytesPerFrame = encoding.containerBytes * channelCount
  }

  func fetch(_ count: Int, into block: UnsafeMutableRawPointer, wide: Bool) -> (frames: Int, encoding: SampleEncoding) {
    let wanted = Int(min(Int64(count), frameCount - position))
    guard wanted > 0 else { return (0, encoding) }
    let got = io.read(block, count: wanted * bytesPerFrame, at: dataOffset + position * Int64(bytesPerFrame))
    let frames = got / bytesPerFrame
    position += Int64(frames)
    return (frames, encoding)
  }

  let jumps = true

  func jump(to frame: Int64) -> Bool {
    position = frame
    return true
  }

  func rewind() -> Bool { jump(to: 0) }
}

/// Frames that libsndfile decodes.
final class SndfileDecoder: FrameDecoder {
  private let io: SoundFileIO
  private(set) var handle: OpaquePointer
  /// False where libsndfile lands some frames off, or on other values.
  let jumps: Bool
  private let channelCount: Int

  /// Takes over `handle`.
  init(_ io: SoundFileIO, _ handle: OpaquePointer, channelCount: Int, jumps: Bool) {
    self.io = io
    self.handle = handle
    self.channelCount = channelCount
    self.jumps = jumps
  }

  deinit { sf_close(handle) }

  func fetch(_ count: Int, into block: UnsafeMutableRawPointer, wide: Bool) -> (frames: Int, encoding: SampleEncoding) {
    let got =
      wide
      ? sf_readf_double(handle, block.assumingMemoryBound(to: Double.self), sf_count_t(count))
      : sf_readf_float(handle, block.assumingMemoryBound(to: Float.self), sf_count_t(count))
    let encoding: SampleEncoding = wide ? .float64 : .float32
    return (max(0, Int(got)), encoding.native)
  }

  func jump(to frame: Int64) -> Bool {
    sf_seek(handle, sf_count_t(frame), SEEK_SET) == sf_count_t(frame)
  }

  func rewind() -> Bool {
    var raw = SF_INFO()
    io.rewind()
    guard let fresh = io.open(mode: Int32(SFM_READ), info: &raw) else { return false }
    sf_close(handle)
    handle = fresh
    return true
  }

  /// Decodes to the end, to know how many frames there are, and goes back to the beginning; nil where the file can no
  /// longer be opened.
  func countFrames() -> Int64? {
    let blockFrames = max(256, 65_536 / channelCount)
    let block = UnsafeMutableRawPointer.allocate(byteCount: blockFrames * channelCount * 8, alignment: 64)
    defer { block.deallocate() }
    guard rewind() else { return nil }
    var frames: Int64 = 0
    while case let got = fetch(blockFrames, into: block, wide: false).frames, got > 0 { frames += Int64(got) }
    return rewind() ? frames : nil
  }
}

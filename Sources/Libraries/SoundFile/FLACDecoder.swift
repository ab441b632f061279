// FLAC by libFLAC itself: libsndfile refuses samples of 12 or 20 bits, and takes what STREAMINFO says for granted. Here
// the frames say what they are. RFC 9639.

import AudioCore
import CFLAC
import Glibc

/// Decodes a FLAC file. Samples come as integers at the top of 32 bits.
final class FLACDecoder: FrameDecoder {
  /// Rate, channels and bits of a sample, as a header has them.
  struct Facts: Equatable {
    var sampleRate: UInt32
    var channelCount: UInt32
    var bits: UInt32
  }

  /// The file's header; nil where it has none.
  private(set) var stated: Facts?
  /// Frames of sound as the header has them; 0 where it leaves them open.
  private(set) var statedFrames: UInt64 = 0
  private(set) var comments: [String] = []
  /// The first frame of the file; nil where none can be decoded.
  private(set) var found: Facts?
  /// Frames of sound in the first one.
  private(set) var firstBlock: Int64 = 0
  /// The number of its first sample: more than 0 in a piece of a stream.
  private(set) var origin: Int64 = 0
  private(set) var damage: String?

  private let io: SoundFileIO
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  /// The frame that was decoded last.
  private var samples: [Int32] = []
  private var sampleFrames = 0
  private var taken = 0
  /// The frame that the next one decoded begins with.
  private var next: Int64 = 0
  private var hasWrongChecksum = false
  /// Frames of every block as the header has them; 0 where they differ. libFLAC makes sample numbers of them.
  private var statedBlock: UInt32 = 0
  private var isJumping = false

  /// False where the header has another size of blocks than the frames, so that their numbers mean nothing.
  private var hasNumbers: Bool { statedBlock == 0 || Int64(statedBlock) == firstBlock }

  /// Reads the header and the first frame; nil where libFLAC has no memory.
  init?(_ io: SoundFileIO, isOgg: Bool = false) {
    guard let decoder = FLAC__stream_decoder_new() else { return nil }
    self.io = io
    self.decoder = decoder
    FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
    io.rewind()
    let begin = isOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
    let status = begin(
      decoder,
      { _, bytes, count, data in FLACDecoder.from(data).read(bytes, count) },
      { _, offset, data in
        FLACDecoder.from(data).io.seek(Int64(clamping: offset), whence: SEEK_SET) >= 0
          ? FLAC__STREAM_DECODER_SEEK_STATUS_OK : FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
      },
      { _, offset, data in
        offset?.pointee = UInt64(FLACDecoder.from(data).io.tell)
        return FLAC__STREAM_DECODER_TELL_STATUS_OK
      },
      { _, length, data in
        length?.pointee = UInt64(FLACDecoder.from(data).io.length)
        return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
      },
      { _, data in
        let io = FLACDecoder.from(data).io
        return io.tell >= io.length ? 1 : 0
      },
      { _, frame, channels, data in FLACDecoder.from(data).take(frame, channels) },
      { _, block, data in FLACDecoder.from(data).note(block) },
      { _, status, data in
        guard status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH else { return }
        FLACDecoder.from(data).hasWrongChecksum = true
      }, Unmanaged.passUnretained(self).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else { return nil }
    _ = decodeNext()
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  var jumps: Bool { hasNumbers }

  func fetch(_ count: Int, into block: UnsafeMutableRawPointer, wide: Bool) -> (frames: Int, encoding: SampleEncoding) {
    let encoding = SampleEncoding.int32.native
    guard taken < sampleFrames || decodeNext() else { return (0, encoding) }
    let channels = Int(found?.channelCount ?? 1)
    let frames = min(count, sampleFrames - taken)
    samples.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      block.copyMemory(from: start + taken * channels * 4, byteCount: frames * channels * 4)
    }
    taken += frames
    return (frames, encoding)
  }

  func jump(to frame: Int64) -> Bool {
    damage = nil
    let first = next - Int64(sampleFrames)
    if frame >= first, frame <= next {
      taken = Int(frame - first)
      return true
    }
    (sampleFrames, taken, next, isJumping) = (0, 0, frame, true)
    defer { isJumping = false }
    guard FLAC__stream_decoder_seek_absolute(decoder, UInt64(frame + origin)) != 0, damage == nil,
      next - Int64(sampleFrames) == frame
    else { return false }
    return true
  }

  func rewind() -> Bool {
    (sampleFrames, taken, next, damage, hasWrongChecksum) = (0, 0, 0, nil, false)
    // Resetting goes back to the beginning by the seek callback.
    return FLAC__stream_decoder_reset(decoder) != 0
  }

  /// Decodes from where it is to the end.
  /// - Returns: the frames of the whole file.
  func countFrames() -> Int64 {
    while decodeNext() {}
    return next
  }

  /// The next frame into `samples`; false at the end, and at damage.
  private func decodeNext() -> Bool {
    (sampleFrames, taken) = (0, 0)
    while sampleFrames == 0, damage == nil {
      guard FLAC__stream_decoder_process_single(decoder) != 0 else { return sampleFrames > 0 }
      let state = FLAC__stream_decoder_get_state(decoder)
      if state == FLAC__STREAM_DECODER_END_OF_STREAM || state.rawValue > FLAC__STREAM_DECODER_END_OF_STREAM.rawValue {
        return sampleFrames > 0
      }
    }
    return sampleFrames > 0
  }

  private func read(
    _ bytes: UnsafeMutablePointer<FLAC__byte>?, _ count: UnsafeMutablePointer<Int>?
  ) -> FLAC__StreamDecoderReadStatus {
    guard let bytes, let count, count.pointee > 0 else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
    count.pointee = io.read(bytes, count: count.pointee)
    return count.pointee > 0
      ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
  }

  private func take(
    _ frame: UnsafePointer<FLAC__Frame>?, _ channels: UnsafePointer<UnsafePointer<Int32>?>?
  ) -> FLAC__StreamDecoderWriteStatus {
    guard let header = frame?.pointee.header, let channels else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
    let facts = Facts(
      sampleRate: header.sample_rate, channelCount: header.channels, bits: header.bits_per_sample)
    if found == nil { origin = Int64(clamping: header.number.sample_number) }
    let place = Int64(clamping: header.number.sample_number) - origin
    if hasWrongChecksum {
      damage = "a frame of its sound is damaged: its checksum is wrong"
    } else if let found, found != facts {
      damage = "its sound becomes another: \(facts.words), before \(found.words)"
    } else if found != nil, hasNumbers, place > next || isJumping && place != next {
      damage = "\(NumberText.count(place - next, "frame")) of its sound are missing"
    }
    if damage != nil { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
    if found == nil { (found, firstBlock) = (facts, Int64(header.blocksize)) }
    let (frames, count, shift) = (Int(header.blocksize), Int(header.channels), Int32(32 - header.bits_per_sample))
    if samples.count < frames * count { samples = [Int32](repeating: 0, count: frames * count) }
    samples.withUnsafeMutableBufferPointer { target in
      for channel in 0..<count {
        guard let plane = channels[channel] else { continue }
        for index in 0..<frames { target[index * count + channel] = plane[index] &<< shift }
      }
    }
    (sampleFrames, taken, next) = (frames, 0, next + Int64(frames))
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
  }

  private func note(_ block: UnsafePointer<FLAC__StreamMetadata>?) {
    guard let block = block?.pointee else { return }
    if block.type == FLAC__METADATA_TYPE_STREAMINFO {
      let header = block.data.stream_info
      stated = Facts(
        sampleRate: header.sample_rate, channelCount: header.channels, bits: header.bits_per_sample)
      statedFrames = header.total_samples
      statedBlock = header.min_blocksize == header.max_blocksize ? header.min_blocksize : 0
    } else if block.type == FLAC__METADATA_TYPE_VORBIS_COMMENT {
      let list = block.data.vorbis_comment
      for index in 0..<Int(list.num_comments) {
        guard let bytes = list.comments?[index].entry else { continue }
        let text = UnsafeBufferPointer(start: bytes, count: Int(list.comments[index].length))
        comments.append(ByteText.string(text))
      }
    }
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> FLACDecoder {
    guard let data else { preconditionFailure("libFLAC gives back the data that it was given") }
    return Unmanaged<FLACDecoder>.fromOpaque(data).takeUnretainedValue()
  }
}

extension FLACDecoder.Facts {
  /// "44100 Hz, 2 channels, 16 bits".
  var words: String {
    "\(sampleRate) Hz, \(NumberText.count(channelCount, "channel")), \(NumberText.count(bits, "bit"))"
  }
}

import AudioCore
import CFLAC
import SoundFile
import TestSupport
import Testing

/// FLAC files that libFLAC has written, of all widths and with other headers than they should have.
@Suite struct FLACReadingTests {
  private let folder = TemporaryFolder()

  /// Integers of `bits` bits, the ends of their range among them.
  private func samples(_ bits: Int, channels: Int, frames: Int) -> [Int32] {
    var generator = SeededGenerator(seed: UInt64(bits))
    let most = Int32(truncatingIfNeeded: (Int64(1) << Int64(bits - 1)) - 1)
    return (0..<frames * channels).map { index in
      switch index {
      case 0: most
      case 1: -most - 1
      default: Int32(truncatingIfNeeded: Int64(bitPattern: generator.next())) >> Int32(32 - bits)
      }
    }
  }

  private func encode(
    _ samples: [Int32], bits: Int, channels: Int, blockFrames: UInt32 = 576, to path: String
  ) throws {
    let encoder = try #require(FLAC__stream_encoder_new())
    defer { FLAC__stream_encoder_delete(encoder) }
    FLAC__stream_encoder_set_channels(encoder, UInt32(channels))
    FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bits))
    FLAC__stream_encoder_set_sample_rate(encoder, 44_100)
    FLAC__stream_encoder_set_streamable_subset(encoder, 0)
    FLAC__stream_encoder_set_blocksize(encoder, blockFrames)
    try #require(
      FLAC__stream_encoder_init_file(encoder, path, nil, nil) == FLAC__STREAM_ENCODER_INIT_STATUS_OK)
    try #require(FLAC__stream_encoder_process_interleaved(encoder, samples, UInt32(samples.count / channels)) != 0)
    try #require(FLAC__stream_encoder_finish(encoder) != 0)
  }

  private func doubles(_ path: String, allowTruncated: Bool = false) throws -> [Double] {
    let reader = try SoundFileReader(path: path, allowTruncated: allowTruncated)
    let buffer = DoubleBuffer(channelCount: reader.info.channelCount, frameCapacity: Int(reader.info.frameCount))
    let got = try reader.read(into: buffer.planes, frames: buffer.frameCapacity)
    return (0..<got * reader.info.channelCount).map {
      buffer.planes[$0 % reader.info.channelCount][$0 / reader.info.channelCount]
    }
  }

  private func expected(_ samples: [Int32], bits: Int) -> [Double] {
    samples.map { Double($0) / Double(Int64(1) << Int64(bits - 1)) }
  }

  @Test("every width comes back to the bit", arguments: [4, 8, 12, 16, 20, 24])
  func widths(_ bits: Int) throws {
    let path = folder.file("a.flac")
    let sound = samples(bits, channels: 2, frames: 3_000)
    try encode(sound, bits: bits, channels: 2, to: path)
    #expect(try doubles(path) == expected(sound, bits: bits))
    let info = try SoundFileReader(path: path).info
    #expect(info.sourceBits == bits && info.frameCount == 3_000 && info.remarks == [])
    #expect(info.encoding == (bits <= 8 ? .pcmS8 : bits <= 16 ? .pcm16 : .pcm24))
  }

  /// STREAMINFO lies at byte 8: rate, channels, bits and frames in bytes 18 to 25.
  private func changed(_ whole: [UInt8], rate: Int = 44_100, channels: Int, bits: Int, frames: Int64) -> [UInt8] {
    let word = Int64(rate) << 44 | Int64(channels - 1) << 41 | Int64(bits - 1) << 36 | frames
    return Array(whole[..<18]) + word.bigEndianBytes + Array(whole[26...])
  }

  @Test("a header that differs from the frames is told, and the frames count")
  func wrongHeaders() throws {
    let path = folder.file("a.flac")
    let sound = samples(16, channels: 1, frames: 2_000)
    try encode(sound, bits: 16, channels: 1, to: path)
    let whole = bytes(ofFile: path)
    for (header, figures) in [
      (changed(whole, channels: 1, bits: 24, frames: 2_000), ["24 bits", "16 bits"]),
      (changed(whole, channels: 5, bits: 16, frames: 2_000), ["5 channels", "1 channel,"]),
      (changed(whole, channels: 1, bits: 16, frames: 700), ["700 frames", "2000 are there"]),
      (changed(whole, channels: 1, bits: 16, frames: 0), []),
      // Another size of blocks, of which libFLAC makes the numbers of samples.
      (Array(whole[..<8]) + [0, 16, 0, 16] + Array(whole[12...]), []),
    ] {
      write(header, to: path)
      #expect(try doubles(path) == expected(sound, bits: 16), "\(figures)")
      let remarks = try SoundFileReader(path: path).info.remarks.joined()
      #expect(figures.allSatisfy(remarks.contains) && remarks.isEmpty == figures.isEmpty, "\(remarks)")
      // Jumps go to any frame, whatever the header says.
      let reader = try SoundFileReader(path: path)
      let buffer = DoubleBuffer(channelCount: 1, frameCapacity: 10)
      for start in [1_500, 3, 699, 1_990] {
        try reader.seek(toFrame: Int64(start))
        #expect(try reader.read(into: buffer.planes, frames: 10) == 10)
        #expect((0..<10).allSatisfy { buffer.planes[0][$0] == expected(sound, bits: 16)[start + $0] })
      }
    }
    write(changed(whole, channels: 1, bits: 16, frames: 2_100), to: path)
    #expect(throws: BenchError.self) { try doubles(path) }
    #expect(try doubles(path, allowTruncated: true) == expected(sound, bits: 16))
  }

  @Test("damage and a missing end are errors with the place; what comes before can be kept")
  func damage() throws {
    let path = folder.file("a.flac")
    let sound = samples(16, channels: 1, frames: 5_760)
    try encode(sound, bits: 16, channels: 1, to: path)
    let whole = bytes(ofFile: path)
    write(Array(whole.dropLast(300)), to: path)
    func refusal() -> String {
      do throws(BenchError) {
        let reader = try SoundFileReader(path: path)
        let buffer = PlanarBuffer(channelCount: 1, frameCapacity: 6_000)
        _ = try reader.read(into: buffer.planes, frames: 6_000)
        return "none"
      } catch { return "\(error)" }
    }
    #expect(refusal().contains("ends at frame 5184, where its header promises 5760"), "\(refusal())")
    #expect(try doubles(path, allowTruncated: true) == Array(expected(sound, bits: 16)[..<5_184]))
    var broken = whole
    broken[whole.count / 2] ^= 0x40
    write(broken, to: path)
    #expect(refusal().contains("at frame "), "\(refusal())")
    // Tags at the end are no damage.
    write(whole + Array("TAG".utf8) + [UInt8](repeating: 32, count: 125), to: path)
    #expect(try doubles(path) == expected(sound, bits: 16))
    #expect(try SoundFileReader(path: path).info.remarks == [])
  }
}

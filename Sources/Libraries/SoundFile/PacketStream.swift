// Packets that a program hands in one by one, through the decoders that files have: what comes out is the file's sound.

import AudioCore
import CMPEGDecoder
import PacketDecoding
import PacketFiles

/// Decodes the packets of one stream, in order. One thread at a time.
package final class PacketStream {
  /// The decoder of a codec.
  private enum Codec {
    /// Each packet is decoded by itself, as a file of one packet.
    case lonePackets
    case mpeg(MPEGStream)
    case program(PacketDecoder)
  }

  /// Codecs whose packets need nothing of those before them.
  private static func areLone(_ format: PacketFormat) -> Bool {
    ["alac", "flac", "ima4"].contains(format.code) || format.isBlockADPCM
  }

  private static func isMPEG(_ format: PacketFormat) -> Bool { [".mp1", ".mp2", ".mp3"].contains(format.code) }

  /// The native encoding of the frames that come out.
  package let encoding: SampleEncoding
  private let format: PacketFormat
  private let cookie: [UInt8]
  private let codec: Codec

  /// The encoding of a codec's frames; nil for what has no decoder here.
  package static func encoding(of format: PacketFormat, cookie: [UInt8] = []) -> SampleEncoding? {
    guard format.isPossible else { return nil }
    if areLone(format) {
      if format.code == "flac" { return format.channelCount > 8 ? nil : SampleEncoding.int32.native }
      let isWide = format.code == "alac" && format.flags == losslessOf32Bits
      return isWide ? SampleEncoding.float64.native : SampleEncoding.float32.native
    }
    if isMPEG(format) { return SampleEncoding.float32.native }
    var track = PacketTrack(format)
    track.cookie = cookie.isEmpty ? PacketTrack.lowComplexityCookie(format) : cookie
    // Opus cannot do without its cookie; whether there is a decoder does not depend on it.
    return format.code == "opus" || DecoderOrder(track) != nil ? SampleEncoding.float32.native : nil
  }

  /// The flag of Apple Lossless that says 32 bits: such samples are more than a float holds.
  private static let losslessOf32Bits: UInt32 = 4

  /// The formats that are decoded on this machine.
  package static var formatIDs: [UInt32] {
    let own: [FourCharCode] = ["alac", "flac", "ima4", ".mp1", ".mp2", ".mp3"]
    let others: [FourCharCode] = [
      "aac ", "aach", "aacp", "aacl", "aace", "ac-3", "ec-3", "opus", "samr", "sawb", "agsm", "MAC3", "MAC6",
    ]
    return own.map(\.rawValue) + [waveCode(2), waveCode(17)]
      + (PacketDecoder.isInstalled ? others.map(\.rawValue) + [waveCode(49)] : [])
  }

  /// The reason for which a known codec is not decoded on this machine; nil: it is.
  package static func refusal(of format: PacketFormat) -> PacketDecoder.Refusal? {
    areLone(format) || isMPEG(format) || PacketDecoder.isInstalled ? nil : PacketDecoder.notInstalled
  }

  /// Opens the decoder.
  /// - Parameter cookie: the configuration as files keep it; empty where there is none. Apple Lossless and Opus need it.
  package init(_ format: PacketFormat, cookie: [UInt8]) throws(PacketDecoder.Refusal) {
    var track = PacketTrack(format)
    track.cookie = cookie
    guard let encoding = Self.encoding(of: format, cookie: cookie) else {
      throw PacketDecoder.Refusal(
        reason: "there is no decoder for \(format.codecName) here", advice: "use another codec")
    }
    if Self.areLone(format) {
      if format.code == "alac", cookie.isEmpty { throw Self.withoutCookie(format) }
      if format.code == "flac", cookie.isEmpty { track.cookie = Self.streamInfo(format) }
      codec = .lonePackets
    } else if Self.isMPEG(format) {
      guard let stream = MPEGStream() else {
        throw PacketDecoder.Refusal(
          reason: "libmpg123, which decodes MPEG audio, is not there", advice: "install libmpg123-0")
      }
      codec = .mpeg(stream)
    } else {
      if cookie.isEmpty { track.cookie = PacketTrack.lowComplexityCookie(format) }
      guard let order = DecoderOrder(track) else { throw Self.withoutCookie(format) }
      codec = .program(try PacketDecoder(order))
    }
    (self.format, self.cookie, self.encoding) = (format, track.cookie, encoding)
  }

  private static func withoutCookie(_ format: PacketFormat) -> PacketDecoder.Refusal {
    PacketDecoder.Refusal(
      reason: "\(format.codecName) cannot be decoded with this magic cookie, or without one",
      advice: "set the file's cookie at the decoder")
  }

  /// Decodes a packet, and adds its interleaved frames to `frames`: none where the decoder holds them back.
  /// - Returns: false for a packet that cannot be decoded, or whose rate or channels are not the format's.
  package func decode(_ packet: UnsafeRawBufferPointer, onto frames: inout [UInt8]) -> Bool {
    guard packet.count > 0, packet.count < 1 << 26 else { return packet.count == 0 }
    switch codec {
    case .lonePackets: return decodeAlone(Array(packet), onto: &frames)
    case .mpeg(let stream): return stream.decode(packet, format, onto: &frames)
    case .program(let decoder): return add(decoder.decode(Array(packet)), to: &frames)
    }
  }

  /// Adds the frames that the decoder holds back behind the last packet.
  package func drain(onto frames: inout [UInt8]) {
    guard case .program(let decoder) = codec else { return }
    _ = add(decoder.drain(), to: &frames)
  }

  /// Begins anew: the next packet is a first one.
  package func restart() {
    switch codec {
    case .lonePackets: break
    case .mpeg(let stream): stream.restart()
    case .program(let decoder): _ = decoder.openDecoder()
    }
  }

  private func add(_ samples: PacketDecoder.Samples?, to frames: inout [UInt8]) -> Bool {
    guard let samples else { return false }
    guard samples.frameCount > 0 else { return true }
    guard samples.sampleRate == format.sampleRate, samples.channelCount == Int(format.channelCount) else {
      return false
    }
    samples.values.withUnsafeBytes { frames += $0 }
    return true
  }

  private func decodeAlone(_ packet: [UInt8], onto frames: inout [UInt8]) -> Bool {
    var track = PacketTrack(format)
    track.cookie = cookie
    var places = PacketPlaces(packetBytes: Int64(format.bytesPerPacket), offset: 0, length: Int64(packet.count))
    if format.bytesPerPacket == 0 {
      places = PacketPlaces()
      guard places.append(offset: 0, bytes: Int64(packet.count)) else { return false }
    }
    guard places.count == 1 else { return false }
    track.places = places
    let file = PacketFile(.caf, [track])
    guard
      let rewrapped = try? RewrappedSound(
        MemoryStorage(packet), file, track: 0, path: "a packet", allowTruncated: true)
    else { return false }
    let channels = Int(format.channelCount)
    guard rewrapped.sound.info.channelCount == channels, rewrapped.sound.info.sampleRate == format.sampleRate else {
      return false
    }
    let bytesPerFrame = channels * encoding.containerBytes
    // In pieces: how many frames a packet has is the program's word.
    let room = 4_608
    var isExpected = true
    while isExpected {
      let start = frames.count
      frames.append(contentsOf: repeatElement(0, count: room * bytesPerFrame))
      let got = frames.withUnsafeMutableBytes { memory -> Int in
        guard let base = memory.baseAddress else { return 0 }
        let got = rewrapped.sound.decoder.fetch(room, into: base + start, wide: encoding.bits == 64)
        isExpected = got.encoding == encoding
        return isExpected ? got.frames : 0
      }
      frames.removeLast((room - min(room, got)) * bytesPerFrame)
      if got == 0 { break }
    }
    return isExpected && rewrapped.sound.decoder.damage == nil
  }

  /// The block STREAMINFO of FLAC that a format says: blocks of one size, sizes of frames and the checksum left open.
  private static func streamInfo(_ format: PacketFormat) -> [UInt8] {
    let block = UInt16(clamping: format.framesPerPacket > 0 ? format.framesPerPacket : 4_096)
    let bits: UInt64 = [1: 16, 2: 20, 3: 24, 4: 32][format.flags] ?? 16
    let rate = UInt64(clamping: Int64(clamping: format.sampleRate))
    let packed = rate << 44 | UInt64(format.channelCount - 1) << 41 | (bits - 1) << 36
    return block.bigEndianBytes + block.bigEndianBytes + [0, 0, 0, 0, 0, 0] + packed.bigEndianBytes
      + [UInt8](repeating: 0, count: 16)
  }
}

/// Frames of MPEG audio through libmpg123.
private final class MPEGStream {
  private let decoder: UnsafeMutableRawPointer
  private var samples = [Float](repeating: 0, count: mostSamples)

  /// Samples of a frame of two channels, with room for one that was waited for.
  private static let mostSamples = 2 * 2 * 1_152

  /// Nil where the library is not there.
  init?() {
    guard let decoder = mpeg_stream_new() else { return nil }
    self.decoder = decoder
  }

  deinit { mpeg_stream_delete(decoder) }

  func restart() { _ = mpeg_stream_restart(decoder) }

  func decode(_ packet: UnsafeRawBufferPointer, _ format: PacketFormat, onto frames: inout [UInt8]) -> Bool {
    guard let bytes = packet.bindMemory(to: UInt8.self).baseAddress else { return true }
    var made = mpeg_samples()
    guard mpeg_stream_decode(decoder, bytes, packet.count, &samples, samples.count, &made) else { return false }
    guard made.count > 0 else { return true }
    guard Double(made.sample_rate) == format.sampleRate, Int(made.channels) == Int(format.channelCount) else {
      return false
    }
    samples.withUnsafeBytes { frames += $0.prefix(Int(made.count) * 4) }
    return true
  }
}

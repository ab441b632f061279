// Header values of an MPEG file, read without decoding: its frames' headers, and the tags around and among them.

import AudioCore
/// The four bytes that begin a frame of MPEG-1 or MPEG-2 audio (ISO 11172-3, 2.4.1.3).
package struct MPEGFrameHeader: Sendable {
  package let layer: Int
  package let sampleRate: Int
  /// The size of the whole frame.
  package let bytes: Int
  /// Frames of sound in it.
  package let frames: Int
  /// Bits a second.
  package let bitRate: Int
  package let channelCount: Int
  private let version: Int

  package init?(_ word: [UInt8]) {
    guard word.count >= 4, word[0] == 0xFF, word[1] & 0xE0 == 0xE0 else { return nil }
    version = Int(word[1] >> 3 & 3)
    layer = 4 - Int(word[1] >> 1 & 3)
    let bitRateIndex = Int(word[2] >> 4)
    let rateIndex = Int(word[2] >> 2 & 3)
    guard version != 1, layer != 4, bitRateIndex != 0, bitRateIndex != 15, rateIndex != 3 else { return nil }
    let isFirst = version == 3
    sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let kilobits =
      switch (isFirst, layer) {
      case (true, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
      case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
      case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
      case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
      }
    let bits = kilobits[bitRateIndex - 1] * 1_000
    bitRate = bits
    channelCount = word[3] >> 6 == 3 ? 1 : 2
    let padding = Int(word[2] >> 1 & 1)
    frames = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1_152
    bytes = layer == 1 ? (12 * bits / sampleRate + padding) * 4 : frames / 8 * bits / sampleRate + padding
  }

  package func sounds(like other: MPEGFrameHeader) -> Bool {
    layer == other.layer && sampleRate == other.sampleRate && version == other.version
  }

  /// The offset at which sound may begin: behind ID3 tags of version 2.
  package static func start(of storage: any ByteStorage) -> Int64 { SoundBody.tagEnd(storage) }

  /// Moves `offset` to the next frame that has another like it behind it, or the file's end; nil where there is none.
  package static func find(in storage: any ByteStorage, from offset: inout Int64) -> MPEGFrameHeader? {
    let length = storage.length
    // Half a megabyte of rubbish is as much as a player would look through.
    let limit = min(length - 4, offset + 524_288)
    while offset <= limit {
      guard let block = storage.bytes(at: offset, count: Int(min(65_536, length - offset))), block.count >= 4 else {
        return nil
      }
      for index in 0...block.count - 4 where block[index] == 0xFF {
        guard let header = MPEGFrameHeader(Array(block[index..<index + 4])) else { continue }
        let next = offset + Int64(index + header.bytes)
        let follower = storage.bytes(at: next, count: 4).flatMap(MPEGFrameHeader.init)
        if follower?.sounds(like: header) == true || next == length || isTrailer(storage, at: next) {
          offset += Int64(index)
          return header
        }
      }
      offset += Int64(block.count - 3)
    }
    return nil
  }

  /// True when an ID3 tag of version 1 lies at `offset`.
  package static func isTrailer(_ storage: any ByteStorage, at offset: Int64) -> Bool {
    storage.bytes(at: offset, count: 3)?.elementsEqual("TAG".utf8) ?? false
  }

  /// True when a frame has the length of the file instead of sound.
  package static func isTag(_ frame: [UInt8]) -> Bool { frame.count > 44 && namesLength(frame[4..<44]) }

  /// True when a tag with a length is among `bytes`: "Xing" or "Info" (LAME and most others), "VBRI" (Fraunhofer).
  private static func namesLength(_ bytes: ArraySlice<UInt8>) -> Bool {
    let names = ["Xing", "Info", "VBRI"].map { Array($0.utf8) }
    return bytes.indices.dropLast(3).contains { names.contains(Array(bytes[$0..<$0 + 4])) }
  }
}

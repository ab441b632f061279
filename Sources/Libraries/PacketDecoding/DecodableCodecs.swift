// The codecs that the decoding program takes, by Core Audio's names and libavcodec's.

import AudioCore
import PacketFiles

/// The settings of a decoder for the packets of a track.
package struct DecoderOrder: Sendable {
  /// libavcodec's name of the decoder.
  let name: String
  let sampleRate: UInt32
  let channelCount: UInt32
  let blockBytes: UInt32
  let bits: UInt32
  /// The configuration in the form that libavcodec takes.
  let extra: [UInt8]
  /// True for AAC, whose channels have an order of their own.
  var isAAC: Bool { name == "aac" }

  /// Nil for a codec that the program is not asked for.
  package init?(_ track: PacketTrack) {
    let format = track.format
    guard format.isPossible, let rate = UInt32(exactly: format.sampleRate) else { return nil }
    var extra: [UInt8] = []
    switch format.code {
    case "aac ", "aach", "aacp", "aacl", "aace":
      guard let config = track.specificConfig else { return nil }
      (name, extra) = ("aac", config)
    case "ac-3": name = "ac3"
    case "ec-3": name = "eac3"
    case "samr": name = "amrnb"
    case "sawb": name = "amrwb"
    case "opus":
      // The cookie is the box of MPEG-4: big-endian, and without the name that Ogg's header begins with.
      guard track.cookie.count >= 11, track.cookie[0] == 0 else { return nil }
      let box = track.cookie
      let numbers = [box[3], box[2]] + box[4...7].reversed() + [box[9], box[8]]
      (name, extra) = ("opus", Array("OpusHead".utf8) + [1, box[1]] + numbers + box[10...])
    case "MAC3": name = "mace3"
    case "MAC6": name = "mace6"
    case "agsm": name = "gsm"
    case _ where format.id == waveCode(0x31): name = "gsm_ms"
    default: return nil
    }
    (sampleRate, channelCount, self.extra) = (rate, format.channelCount, extra)
    (blockBytes, bits) = (format.bytesPerPacket, format.bitsPerChannel)
  }
}

/// Loudspeakers of a decoder's channels, in the order of its bits (that of WAVE's mask), and in the codec's own.
enum CodecChannels {
  /// AAC's: centre, front pairs from the inside out, sides, back, low frequencies (ISO 14496-3, table 1.19).
  private static let ranks: [Int: Int] = [2: 0, 6: 1, 7: 2, 0: 3, 1: 4, 9: 5, 10: 6, 4: 7, 5: 8, 8: 9, 3: 10]

  /// For each channel in AAC's order the decoder's; nil where both are the same, or the mask does not say it.
  static func aac(_ mask: UInt64, channelCount: Int) -> [Int]? {
    let bits = (0..<64).filter { mask >> UInt64($0) & 1 == 1 }
    guard channelCount > 2, bits.count == channelCount, bits.allSatisfy({ ranks[$0] != nil }) else { return nil }
    let order = bits.indices.sorted { ranks[bits[$0], default: 99] < ranks[bits[$1], default: 99] }
    return order == Array(bits.indices) ? nil : order
  }
}

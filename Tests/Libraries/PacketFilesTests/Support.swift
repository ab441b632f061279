import AudioCore
import PacketFiles
import Testing

/// Bytes in memory that count as a file.
final class Bytes: PacketBytes {
  let content: [UInt8]

  init(_ content: [UInt8]) { self.content = content }

  var length: Int64 { Int64(content.count) }

  func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= length - Int64(count) else { return nil }
    return Array(content[Int(offset)..<Int(offset) + count])
  }
}

func be(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

func le(_ value: Int, _ count: Int) -> [UInt8] { be(value, count).reversed() }

func text(_ characters: String) -> [UInt8] { Array(characters.utf8) }

/// A chunk of CAF.
func cafChunk(_ name: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
  text(name) + be(size ?? content.count, 8) + content
}

/// The description of a CAF file.
func cafDescription(
  _ code: String, rate: Double = 44_100, flags: Int = 0, bytes: Int, frames: Int, channels: Int = 1, bits: Int = 0
) -> [UInt8] {
  cafChunk(
    "desc",
    be(Int(bitPattern: UInt(rate.bitPattern)), 8) + text(code) + be(flags, 4) + be(bytes, 4) + be(frames, 4)
      + be(channels, 4) + be(bits, 4))
}

let cafHead: [UInt8] = text("caff") + [0, 1, 0, 0]

/// A box of MPEG-4.
func box(_ type: String, _ content: [UInt8]) -> [UInt8] { box(text(type), content) }

func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] { be(content.count + 8, 4) + type + content }

/// A box with version 0 and no flags.
func full(_ type: String, _ content: [UInt8], version: UInt8 = 0, flags: Int = 0) -> [UInt8] {
  box(type, [version] + be(flags, 3) + content)
}

/// The places of all packets.
func places(_ track: PacketTrack) -> [[Int64]] {
  (0..<(track.packetCount ?? 0)).compactMap { number in
    track.places?.place(of: number).map { [$0.offset, Int64($0.bytes)] }
  }
}

// A sound file taken apart into packets, whatever codec they are of. Nothing is decoded, and no library is called.

import AudioCore

/// The tracks of sound in a file, and what lies beside them.
package struct PacketFile: Sendable {
  /// Kinds of file.
  package enum Container: Hashable, Sendable {
    case caf, aiff, aifc, wave, rf64, bw64, wave64
    /// MPEG-4, QuickTime and 3GPP, by the first brand that the file names.
    case mpeg4(brand: UInt32)
    case adts, loas, ac3, amr
  }

  /// A chunk of a container that has them; of MPEG-4 a box of the user data.
  package struct Chunk: Hashable, Sendable {
    /// Four characters.
    package let id: UInt32
    /// The place of its content.
    package let offset: Int64
    package let length: Int64
  }

  package let container: Container
  /// One for each track of sound, in the order of the file; at least one.
  package var tracks: [PacketTrack]
  package var chunks: [Chunk] = []
  /// Texts by the names that Core Audio gives them: "title", "artist", "album" …
  package var texts: [(key: String, value: String)] = []

  /// The file in `storage`; nil where it is of no kind that is known here, or its header is damaged.
  ///
  /// Takes a few reads for a file of another kind, and memory by the number of packets: see ``PacketPlaces``.
  package init?(_ storage: any PacketBytes) {
    guard let beginning = storage.code(at: 0) else { return nil }
    let found: PacketFile? =
      switch FourCharCode(rawValue: beginning) {
      case "caff": .caf(storage)
      case "RIFF", "RIFX", "RF64", "BW64", "riff": .wave(storage)
      case "FORM": .aiff(storage)
      default: .mpeg4(storage) ?? .raw(storage)
      }
    guard let found, !found.tracks.isEmpty else { return nil }
    self = found
  }

  package init(_ container: Container, _ tracks: [PacketTrack]) { (self.container, self.tracks) = (container, tracks) }
}

/// The packets of one track of sound.
package struct PacketTrack: Sendable {
  /// The format that every decoder gives: of layered codecs the lowest layer.
  package var format: PacketFormat
  /// Formats of higher layers, the richest first.
  package var richerFormats: [PacketFormat] = []
  /// Nil where nothing says where one packet ends and the next begins.
  package var places: PacketPlaces?
  package var durations = PacketDurations()
  /// The place of the first packet, or of the bytes that hold all of them.
  package var dataOffset: Int64 = 0
  /// Bytes of packets.
  package var dataBytes: Int64 = 0
  /// Frames in front of the sound and behind it that decoding gives, and those between; nil where the file says none.
  package var trim: Trim?
  /// The configuration that a decoder needs besides the format.
  package var cookie: [UInt8] = []
  /// A channel layout as a 'chan' chunk has it: tag, bitmap, descriptions; empty where the file says none.
  package var layout: [UInt8] = []
  /// Bits of a sample before coding; nil where nothing says it.
  package var sourceBits: Int?
  /// The number of the track; 0 in files that have only one.
  package var number: UInt32 = 0
  /// Differences between what the header says and what is there.
  package var remarks: [String] = []

  /// Frames of the sound among those that decoding gives.
  package struct Trim: Hashable, Sendable {
    package var priming: Int64
    package var valid: Int64
    package var remainder: Int64

    package init(priming: Int64, valid: Int64, remainder: Int64) {
      (self.priming, self.valid, self.remainder) = (priming, valid, remainder)
    }
  }

  package init(_ format: PacketFormat) { self.format = format }

  package var packetCount: Int64? { places?.count }
  /// Frames that decoding all packets gives.
  package var codedFrames: Int64 {
    if format.framesPerPacket > 0, let places {
      return places.count.multipliedReportingOverflow(by: Int64(format.framesPerPacket)).partialValue
    }
    return durations.frameCount
  }
  /// Frames of sound: those that the file says are valid, else all.
  package var frameCount: Int64 { trim?.valid ?? (durations.packetCount > 0 ? durations.frameCount : codedFrames) }

  /// Packets of one size between two places of the file.
  mutating func setFixed(offset: Int64, length: Int64) {
    (dataOffset, dataBytes) = (offset, max(0, length))
    guard format.bytesPerPacket > 0 else { return }
    let places = PacketPlaces(packetBytes: Int64(format.bytesPerPacket), offset: offset, length: dataBytes)
    durations = PacketDurations(count: places.count, frames: Int64(format.framesPerPacket))
    self.places = places
  }
}

import AudioCore
import SoundFile

extension SoundFileMetadata.Field {
  /// The property of this text.
  package var propertyName: String { rawValue.uppercased() }

  /// The text that a property is; nil for all others.
  package init?(propertyName: String) { self.init(rawValue: propertyName.lowercased()) }
}

/// The properties that are valid for another file too.
package enum TagNames {
  /// Those that say how the file was written, or how long it is: of no other file.
  package static func isOfFile(_ name: String) -> Bool {
    ofFile.contains(name) || name.hasPrefix("COMMENT:ITUN")
  }

  /// Those that were measured of the sound, so that they hold as long as it stays what it is.
  package static func isMeasured(_ name: String) -> Bool {
    name.hasPrefix("REPLAYGAIN_") || name.hasPrefix("R128_") || name.hasPrefix("ACOUSTID_FINGERPRINT")
  }

  /// True for a genre as ID3 writes it by its number, `(17)` or `17`, or by two letters. TagLib has the name.
  static func isGenreNumber(_ text: String) -> Bool {
    let inside = text.hasPrefix("(") && text.hasSuffix(")") ? text.dropFirst().dropLast() : text[...]
    return genreCodes[text] != nil || !inside.isEmpty && inside.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The genres without a number: https://id3.org/id3v2.3.0, TCON.
  static let genreCodes = ["(RX)": "Remix", "(CR)": "Cover", "RX": "Remix", "CR": "Cover"]

  /// True when a name can be given to a property in all kinds of files: Vorbis comments have letters of ASCII without
  /// the equals sign.
  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }
  }

  /// The mask of loudspeakers, for FLAC files whose channels are not the usual ones of their number.
  static let channelMask = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

  private static let ofFile: Set = [
    "ENCODER", "ENCODING", "ENCODERSETTINGS", "ENCODER_OPTIONS", "FILETYPE", "LENGTH", "ORIGINALFILENAME",
    "PLAYLISTDELAY", channelMask, "MAJOR_BRAND", "MINOR_VERSION", "COMPATIBLE_BRANDS",
  ]
}

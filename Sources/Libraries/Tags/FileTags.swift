import AudioCore
import SoundFile

/// Texts and pictures of a sound file: all that it says of the sound, beside the ten texts of ``SoundFileMetadata`` or
/// with them.
public struct FileTags: Hashable, Sendable {
  /// Texts by property name, as TagLib names them whatever the kind of file: `ALBUMARTIST`, `ISRC`,
  /// `REPLAYGAIN_TRACK_GAIN`. One name may have several texts, in order; none is empty.
  public var texts: [String: [String]]
  /// Covers and other pictures, in the order in which they lie in the file.
  public var pictures: [TagPicture]

  /// Nothing unless something is given.
  public init(texts: [String: [String]] = [:], pictures: [TagPicture] = []) {
    self.texts = texts
    self.pictures = pictures
  }

  /// True when there is neither a text nor a picture.
  public var isEmpty: Bool { texts.isEmpty && pictures.isEmpty }

  /// The texts and pictures that other tags have too, letter by letter and byte by byte.
  package func common(with other: FileTags) -> FileTags {
    FileTags(
      texts: texts.filter { name, values in other.texts[name].map { Self.isSame($0, values) } ?? false },
      pictures: pictures.filter(other.pictures.contains))
  }

  /// Names of texts that `other` does not have as they are here, and the pictures that it does not have.
  func difference(from other: FileTags) -> (texts: [String], pictures: [TagPicture]) {
    let texts = texts.filter { name, values in !(other.texts[name].map { Self.isSame($0, values) } ?? false) }
    return (texts.keys.sorted(), pictures.filter { !other.pictures.contains($0) })
  }

  static func isSame(_ a: [String], _ b: [String]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { ByteText.isSame($0, $1) }
  }
}

/// A picture in a sound file. Two are the same where kind, type and bytes are, whatever is written beside them.
public struct TagPicture: Sendable {
  /// The kind of picture, as ID3 numbers it: 3 is the front cover, 4 the back, 0 something else.
  public var kind: Int
  /// `image/png`, `image/jpeg`, or what the file says.
  public var mimeType: String
  /// Some words, often none.
  public var text: String
  /// The picture file, whole.
  public var bytes: [UInt8]

  /// A picture without a check of its bytes: see ``init(frontCover:at:)``.
  public init(kind: Int, mimeType: String, text: String = "", bytes: [UInt8]) {
    self.kind = kind
    self.mimeType = mimeType
    self.text = text
    self.bytes = bytes
  }

  /// The number of the front cover.
  public static let frontCover = 3
  /// The largest picture that is read or written.
  public static let byteLimit = 64 << 20

  /// The kind in words.
  package var title: String {
    switch kind {
    case Self.frontCover: "front cover"
    case 4: "back cover"
    case 5: "leaflet page"
    case 6: "picture of the medium"
    case 1, 2: "icon"
    case 7, 8: "picture of the artist"
    default: "picture"
    }
  }
}

extension TagPicture: Hashable {
  public static func == (a: TagPicture, b: TagPicture) -> Bool {
    a.kind == b.kind && ByteText.isSame(a.mimeType, b.mimeType) && a.bytes == b.bytes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(bytes.count)
  }
}

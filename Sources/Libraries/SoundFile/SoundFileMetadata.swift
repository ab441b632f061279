import AudioCore
import CSndfile

/// The texts that sound files carry. Each container keeps some of them.
public struct SoundFileMetadata: Hashable, Sendable {
  /// One kind of text; the raw value is its name on the command line.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    case title, copyright, software, artist, comment, date, album, license, tracknumber, genre

    var stringType: Int32 {
      let type =
        switch self {
        case .title: SF_STR_TITLE
        case .copyright: SF_STR_COPYRIGHT
        case .software: SF_STR_SOFTWARE
        case .artist: SF_STR_ARTIST
        case .comment: SF_STR_COMMENT
        case .date: SF_STR_DATE
        case .album: SF_STR_ALBUM
        case .license: SF_STR_LICENSE
        case .tracknumber: SF_STR_TRACKNUMBER
        case .genre: SF_STR_GENRE
        }
      return Int32(type)
    }
  }

  /// The texts by field; a field without a text is absent.
  public var values: [Field: String]

  /// No texts unless some are given.
  public init(_ values: [Field: String] = [:]) { self.values = values }

  /// True when there is no field at all.
  public var isEmpty: Bool { values.isEmpty }

  /// The text of a field; nil: none. Setting nil takes it away.
  public subscript(field: Field) -> String? {
    get { values[field] }
    set { values[field] = newValue }
  }

  /// The same in UTF-8: a text of other bytes as the Latin-1 that it most often is.
  package var inUTF8: SoundFileMetadata { SoundFileMetadata(values.mapValues(Self.utf8)) }

  package static func utf8(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(ByteText.byte(of: scalar).map { Unicode.Scalar($0) } ?? scalar) }
    return String(scalars)
  }

  /// The texts of an open file.
  init(handle: OpaquePointer) {
    values = [:]
    for field in Field.allCases {
      guard let text = sf_get_string(handle, field.stringType) else { continue }
      let value = ByteText.string(cString: text)
      if !value.isEmpty { values[field] = value }
    }
  }

  /// Gives the texts to a file being written, in a fixed order. Fields that it refuses at once are returned.
  func apply(to handle: OpaquePointer) -> [Field] {
    Field.allCases.filter { field in
      guard let value = values[field] else { return false }
      return ByteText.withCString(value) { sf_set_string(handle, field.stringType, $0) } != 0
    }
  }
}

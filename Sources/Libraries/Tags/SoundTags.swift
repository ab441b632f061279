import AudioCore
import SoundFile

/// The facts about a sound besides its samples: texts that libsndfile writes, all others, which are added to the
/// complete file, markers and other chunks, and the loudspeakers of its channels.
package struct SoundTags: Hashable, Sendable {
  package var metadata: SoundFileMetadata
  /// Not among them: single texts of ``metadata``.
  package var further: FileTags
  /// Markers, instrument and chunks, in frames of this sound.
  package var extras = SoundExtras()
  /// The loudspeakers of the channels; nil: not known.
  package var layout: ChannelLayout?

  package init(
    metadata: SoundFileMetadata = SoundFileMetadata(), further: FileTags = FileTags(), layout: ChannelLayout? = nil
  ) {
    self.metadata = metadata
    self.further = further
    self.layout = layout
  }

  /// All that holds of the sound of an open file, whatever file it goes to.
  package init(of info: SoundFileInfo) {
    let all = FileTags(path: info.path)
    var metadata = info.metadata
    // In MPEG files libsndfile reads a tag of version 1, whose texts are cut off, where it cannot read the one in front.
    for field in SoundFileMetadata.Field.allCases where info.container == .mp3 {
      if all.texts[field.propertyName]?.count == 1 { metadata[field] = nil }
    }
    self.init(metadata: metadata, all: all)
    layout = info.layout
    extras = SoundExtras(path: info.path)
  }

  /// Joins what libsndfile has read with all that was read.
  package init(metadata: SoundFileMetadata, all: FileTags) {
    self.metadata = metadata
    further = all
    for field in SoundFileMetadata.Field.allCases {
      // Several of one name are more than libsndfile knows of.
      guard let values = all.texts[field.propertyName], values.count == 1 else { continue }
      further.texts[field.propertyName] = nil
      let isNumber = field == .genre && metadata[field].map(TagNames.isGenreNumber) ?? false
      if metadata[field] == nil || isNumber { self.metadata[field] = TagNames.genreCodes[values[0]] ?? values[0] }
    }
    further.texts = further.texts.filter { !TagNames.isOfFile($0.key) }
  }

  /// The tags that both have.
  package func common(with other: SoundTags) -> SoundTags {
    let texts = metadata.values.filter { field, value in
      other.metadata[field].map { ByteText.isSame($0, value) } ?? false
    }
    var common = SoundTags(
      metadata: SoundFileMetadata(texts), further: further.common(with: other.further),
      layout: layout == other.layout ? layout : nil)
    common.extras = extras.common(with: other.extras)
    return common
  }

  /// Without what was measured of the sound: of sound that is another now.
  package var ofAnotherSound: SoundTags {
    var tags = self
    tags.further.texts = further.texts.filter { !TagNames.isMeasured($0.key) }
    return tags
  }

  /// All texts by property, for a file to which libsndfile's are not written.
  var allTexts: [String: [String]] {
    var texts = further.texts
    for (field, value) in metadata.values where texts[field.propertyName] == nil && !value.isEmpty {
      texts[field.propertyName] = [SoundFileMetadata.utf8(value)]
    }
    return texts
  }

  var textsBeyondASCII: [SoundFileMetadata.Field] {
    metadata.values.filter { !$0.value.utf8.allSatisfy { $0 < 0x80 } }.map(\.key)
  }

  var textsThatAreNoUTF8: [SoundFileMetadata.Field] {
    metadata.values.filter { !Self.isUTF8($0.value) }.map(\.key)
  }

  /// True when the bytes of a text are UTF-8; only the ten texts of ``metadata`` may have others.
  package static func isUTF8(_ text: String) -> Bool { !text.unicodeScalars.contains { ByteText.byte(of: $0) != nil } }
}

/// The tags of a sound that replace those of its sources.
public struct TagChanges: Hashable, Sendable {
  /// The treatment of the pictures.
  public enum Cover: Hashable, Sendable {
    /// They stay.
    case kept
    /// None of them stays.
    case removed
    /// Another front cover; the other pictures stay.
    case replaced(TagPicture)
  }

  /// Texts by property name: one of ``SoundFileMetadata/Field`` or any other; an empty text takes the property away.
  public private(set) var texts: [String: String]
  public var cover: Cover

  /// Nothing, unless some are given.
  public init(texts: [String: String] = [:], cover: Cover = .kept) {
    self.texts = [:]
    self.cover = cover
    for (name, text) in texts { self[name] = text }
  }

  /// The text that is set under a name, in letters of any case; empty: none is to be.
  public subscript(name: String) -> String? {
    get { texts[name.uppercased()] }
    set { texts[name.uppercased()] = newValue }
  }

  /// True when nothing changes.
  public var isEmpty: Bool { texts.isEmpty && cover == .kept }

  package func applied(to tags: SoundTags) -> SoundTags {
    var tags = tags
    for (name, text) in texts {
      tags.further.texts[name] = nil
      if let field = SoundFileMetadata.Field(propertyName: name) {
        tags.metadata[field] = text.isEmpty ? nil : text
      } else if !text.isEmpty {
        tags.further.texts[name] = [text]
      }
    }
    switch cover {
    case .kept: break
    case .removed: tags.further.pictures = []
    case .replaced(let picture):
      tags.further.pictures.removeAll { $0.kind == TagPicture.frontCover }
      tags.further.pictures.insert(picture, at: 0)
    }
    return tags
  }
}

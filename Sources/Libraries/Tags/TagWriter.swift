// Adds tags to a complete sound file that has no name yet. FLAC and Ogg are written by TagLib; an ID3 tag is put into
// the other containers here, as a chunk behind the sound or in front of it. The sound's own bytes stay what they are.

import AudioCore
import Glibc
import SoundFile

extension SoundFileContainer {
  /// True when further tags and pictures can be added to a file of this kind.
  public var holdsTags: Bool { TagForm(self) != nil }
}

/// The form of tags in a container.
private enum TagForm {
  case own(TagList.OwnForm)
  /// An ID3 tag in front of the sound.
  case id3
  /// An ID3 tag in a chunk.
  case chunk(isBigEndian: Bool)
  /// The texts of CAF.
  case info

  /// Nil where it holds none. RF64 is left as it is: few programs look for an ID3 chunk there.
  init?(_ container: SoundFileContainer) {
    switch container {
    case .flac: self = .own(.flac)
    case .ogg: self = .own(.vorbis)
    case .opus: self = .own(.opus)
    case .mp3: self = .id3
    case .wav, .wavex: self = .chunk(isBigEndian: false)
    case .aiff: self = .chunk(isBigEndian: true)
    case .caf: self = .info
    default: return nil
    }
  }
}

extension SoundFileWriter {
  /// Completes the file with tags of which libsndfile has written ``SoundTags/metadata`` already.
  ///
  /// If there is nothing to add, the file stays as libsndfile has written it.
  /// - Throws: `.output`; nothing is left then.
  func completeTexts(with tags: SoundTags) throws(BenchError) -> SoundFileWriteReport {
    var report = try complete()
    guard let form = TagForm(report.container) else {
      report.note(missing: tags.further.difference(from: FileTags()))
      return report
    }
    // FLAC and Ogg have a place for all of libsndfile's texts. Without sound, none of them can be read back. Which
    // program wrote a file is libsndfile's to say.
    let lost = report.frames > 0 && !form.isOwn ? report.droppedMetadata.filter { $0 != .software } : []
    // LAME writes an ID3 tag of version 1 as long as texts are short. libsndfile gives it UTF-8, where others read
    // Latin-1.
    let misnamed = form.isID3 && report.frames > 0 ? tags.textsBeyondASCII : []
    let mask = placement.flacMask
    guard !tags.further.isEmpty || !lost.isEmpty || !misnamed.isEmpty || mask != nil else { return report }
    let anew = lost + misnamed + (form.replacesTexts ? tags.textsThatAreNoUTF8 : [])
    var added = tags.further
    let allTexts = tags.allTexts
    for field in anew { added.texts[field.propertyName] = allTexts[field.propertyName] }
    if let mask { added.texts[TagNames.channelMask] = ["0x" + String(mask, radix: 16, uppercase: true)] }
    added.pictures.removeAll { $0.bytes.count > form.pictureLimit }
    try amend { descriptor in form.add(added, id3Texts: allTexts, to: descriptor) }

    let kept = FileTags(descriptor: descriptor)
    report.note(missing: tags.further.difference(from: kept))
    report.droppedMetadata = SoundFileMetadata.Field.allCases.filter { field in
      guard let value = tags.metadata[field] else { return false }
      guard anew.contains(field) else { return report.droppedMetadata.contains(field) }
      return !(kept.texts[field.propertyName].map { FileTags.isSame($0, [value]) } ?? false)
    }
    report.bytes = length
    return report
  }
}

extension SoundFileWriteReport {
  fileprivate mutating func note(missing: (texts: [String], pictures: [TagPicture])) {
    droppedTags = missing.texts
    droppedPictures = missing.pictures.map(\.title)
  }
}

extension TagForm {
  /// The largest picture: a block of FLAC has a length of 24 bits.
  var pictureLimit: Int {
    if case .own(.flac) = self { return (1 << 24) - 4_096 }
    if case .info = self { return 0 }
    return TagPicture.byteLimit
  }

  var isOwn: Bool {
    if case .own = self { return true }
    return false
  }

  var isID3: Bool {
    if case .id3 = self { return true }
    return false
  }

  /// True when TagLib writes libsndfile's texts anew.
  var replacesTexts: Bool {
    if case .chunk = self { return false }
    return true
  }

  /// Adds tags; 0 or an errno. Tags that do not fit are left out.
  /// - Parameter id3Texts: the texts of an ID3 tag: those too that libsndfile has put elsewhere, for programs that look
  ///   there alone.
  func add(_ tags: FileTags, id3Texts: [String: [String]], to descriptor: Int32) -> Int32 {
    let texts = id3Texts.filter { $0.key != SoundFileMetadata.Field.software.propertyName }
    if case .info = self {
      guard !texts.isEmpty else { return 0 }
      do throws(StorageError) {
        try CAFTexts.write(texts, to: DescriptorStorage(borrowing: descriptor))
        return 0
      } catch {
        return error.errorNumber
      }
    }
    let id3 = isOwn ? nil : TagList(FileTags(texts: texts, pictures: tags.pictures))
    switch self {
    case .info: return 0
    case .own(let kind):
      guard let list = TagList(tags) else { return ENOMEM }
      let status = list.write(to: descriptor, as: kind)
      return status == EILSEQ ? 0 : status
    case .id3:
      let old = ID3Frames(DescriptorStorage(borrowing: descriptor), at: 0)
      guard let tag = id3?.renderID3(over: old?.tag ?? []) else { return ENOMEM }
      return TagList.splice(descriptor, at: 0, replacing: old?.byteCount ?? 0, with: tag)
    case .chunk(let isBigEndian):
      guard let tag = id3?.renderID3(over: []) else { return ENOMEM }
      return Self.appendChunk(tag, to: descriptor, isBigEndian: isBigEndian)
    }
  }

  /// Appends a chunk to a RIFF or FORM file; one that would grow beyond what its sizes can say stays as it is.
  private static func appendChunk(_ content: [UInt8], to descriptor: Int32, isBigEndian: Bool) -> Int32 {
    let storage = DescriptorStorage(borrowing: descriptor)
    func size(_ count: Int) -> [UInt8] {
      isBigEndian ? UInt32(count).bigEndianBytes : UInt32(count).littleEndianBytes
    }
    guard let start = storage.bytes(at: 0, count: 4), start.elementsEqual((isBigEndian ? "FORM" : "RIFF").utf8) else {
      return 0
    }
    let length = storage.length
    // Chunks begin at even places.
    let lead = [UInt8](repeating: 0, count: Int(length & 1))
    let chunk = lead + Array("ID3 ".utf8) + size(content.count) + content + (content.count & 1 == 1 ? [0] : [])
    let end = length + Int64(chunk.count)
    guard end - 8 <= 0xFFFF_FFFF else { return 0 }
    do throws(StorageError) {
      try storage.write(chunk, at: length)
      try storage.write(size(Int(end) - 8), at: 4)
      return 0
    } catch {
      return error.errorNumber
    }
  }
}

import AudioCore
import CTagLib
import Glibc
import SoundFile

/// TagLib's list of texts and pictures, and ``FileTags`` into it and out of it.
final class TagList {
  private let handle: OpaquePointer

  /// More texts than any file has; a file may say that it has any number.
  static let textCountLimit = 10_000
  static let pictureCountLimit = 256
  /// Bytes of all texts together: what goes into one block of FLAC, with room to spare.
  private static let textLimit = 8 << 20

  /// Nil for want of memory.
  init?(_ tags: FileTags = FileTags()) {
    guard let handle = tag_make() else { return nil }
    self.handle = handle
    for (name, values) in tags.texts.sorted(by: { $0.key < $1.key }) {
      for value in values {
        let status = with(name) { name in with(value) { tag_add_text(handle, name, $0) } }
        guard status == 0 else { return nil }
      }
    }
    for picture in tags.pictures {
      let header = PictureHeader(picture.bytes)
      let status = with(picture.mimeType) { mime in
        with(picture.text) { text in
          with(picture.bytes) { data in
            tag_add_picture(
              handle,
              tag_picture(
                mime: mime, description: text, data: data, kind: Int32(clamping: picture.kind),
                width: Int32(clamping: header?.width ?? 0), height: Int32(clamping: header?.height ?? 0),
                depth: Int32(clamping: header?.depth ?? 0)))
          }
        }
      }
      guard status == 0 else { return nil }
    }
  }

  deinit { tag_free(handle) }

  /// The tags in the list, pictures that are too large left out.
  var tags: FileTags {
    var tags = FileTags()
    var left = Self.textLimit
    for index in 0..<min(tag_text_count(handle), Self.textCountLimit) {
      let (name, value) = (string(tag_text_name(handle, index)), string(tag_text(handle, index)))
      left -= name.utf8.count + value.utf8.count
      if !name.isEmpty, !value.isEmpty, left >= 0 { tags.texts[name, default: []].append(value) }
    }
    for index in 0..<min(tag_picture_count(handle), Self.pictureCountLimit) {
      let picture = tag_picture_at(handle, index)
      guard (1...TagPicture.byteLimit).contains(picture.data.count) else { continue }
      tags.pictures.append(
        TagPicture(
          kind: Int(picture.kind), mimeType: string(picture.mime), text: string(picture.description),
          bytes: bytes(picture.data)))
    }
    return tags
  }

  // A damaged block adds nothing.
  func addComments(_ block: [UInt8]) { with(block) { _ = tag_parse_comments(handle, $0) } }
  func addPicture(_ block: [UInt8]) { with(block) { _ = tag_parse_picture(handle, $0) } }
  func addID3(_ tag: [UInt8]) { with(tag) { _ = tag_parse_id3(handle, $0) } }

  /// An ID3 tag of what `old` has and the list besides; nil for want of memory.
  func renderID3(over old: [UInt8]) -> [UInt8]? {
    var rendered = tag_bytes()
    guard with(old, { tag_render_id3(handle, $0, &rendered) }) == 0 else { return nil }
    return bytes(rendered)
  }

  /// Adds the list to a file of ours. Answers 0 or an errno.
  func write(to descriptor: Int32, as kind: OwnForm) -> Int32 { tag_write(handle, descriptor, kind.number) }

  /// The files that TagLib writes itself.
  enum OwnForm {
    case flac, vorbis, opus

    fileprivate var number: Int32 {
      switch self {
      case .flac: Int32(tag_flac)
      case .vorbis: Int32(tag_vorbis)
      case .opus: Int32(tag_opus)
      }
    }
  }

  /// Puts bytes in place of others; what lies behind them moves. Answers 0 or an errno.
  static func splice(_ descriptor: Int32, at start: Int64, replacing count: Int64, with new: [UInt8]) -> Int32 {
    Tags.with(new) { tag_splice(descriptor, start, count, $0) }
  }
}

private func with<Answer>(_ text: String, _ body: (tag_bytes) -> Answer) -> Answer { with(Array(text.utf8), body) }

private func with<Answer>(_ bytes: [UInt8], _ body: (tag_bytes) -> Answer) -> Answer {
  bytes.withUnsafeBytes { body(tag_bytes(start: $0.baseAddress, count: $0.count)) }
}

private func bytes(_ bytes: tag_bytes) -> [UInt8] {
  Array(UnsafeRawBufferPointer(start: bytes.start, count: bytes.count))
}

private func string(_ text: tag_bytes) -> String {
  String(decoding: UnsafeRawBufferPointer(start: text.start, count: text.count), as: UTF8.self)
}

// The part of a track that is heard: by its edit list, or by the comment in which iTunes says it.

import AudioCore

/// The edits of a track.
struct MPEG4Edits {
  private struct Edit {
    /// Units of the movie's time; 0: to the end.
    let duration: Int64
    /// Units of the track's time; −1: nothing is heard.
    let mediaTime: Int64
  }

  /// The part that is heard, in frames.
  struct HeardPart {
    /// Nil where the file does not say.
    var start: Int64?
    /// Nil: to the end.
    var length: Int64?
    var remark: String?
  }

  private var edits: [Edit] = []

  init(_ storage: any PacketBytes, _ box: MPEG4Box?) {
    guard let box, let bytes = storage.bytes(in: box.content, most: 65_536), let count = bytes.number(4, 4) else {
      return
    }
    let isLong = bytes[0] == 1
    let size = isLong ? 20 : 12
    for index in 0..<Int(min(count, 3_000)) {
      let at = 8 + index * size
      guard let duration = bytes.number(at, isLong ? 8 : 4),
        let time = bytes.number(at + (isLong ? 8 : 4), isLong ? 8 : 4)
      else { break }
      edits.append(Edit(duration: duration, mediaTime: isLong ? time : Int64(Int32(truncatingIfNeeded: time))))
    }
  }

  /// The part of `total` frames that is heard.
  ///
  /// Silence in front is left out. Edits that follow one another in the track are one. An edit that ends less than a
  /// unit of the movie's time from the end of the track goes to its end: programs round it.
  /// - Parameter gapless: the same by iTunes' comment. It counts where there is no edit, and where the edit says the
  ///   same as exactly as its unit allows.
  func cut(rate: Int64, mediaScale: Int64, movieScale: Int64, total: Int64, gapless: PacketTrack.Trim?) -> HeardPart {
    var comment = gapless.flatMap { $0.priming.plus($0.valid) <= total ? $0 : nil }
    let heard = edits.drop { $0.mediaTime < 0 }
    guard let first = heard.first else {
      return comment.map { HeardPart(start: $0.priming, length: $0.valid) } ?? HeardPart()
    }
    var result = HeardPart(start: first.mediaTime.scaled(by: rate, over: mediaScale) ?? 0)
    var end: Int64? = first.mediaTime
    var duration: Int64 = 0
    for edit in heard {
      guard edit.mediaTime >= 0, let place = end,
        abs(edit.mediaTime.subtractingReportingOverflow(place).partialValue) <= 1
      else {
        return HeardPart(
          start: 0, length: nil,
          remark: "its edit list leaves out or repeats parts of the sound: all of it is read as it lies in the file")
      }
      guard edit.duration > 0 else {
        end = nil
        continue
      }
      duration = duration.plus(edit.duration)
      end = edit.duration.scaled(by: mediaScale, over: movieScale).map { place.plus($0) }
    }
    let start = min(result.start ?? 0, total)
    guard duration > 0, end != nil, movieScale > 0, let length = duration.scaled(by: rate, over: movieScale) else {
      return result
    }
    // One unit of the movie, in frames, rounded up.
    let unit = (rate + movieScale - 1) / movieScale
    if let stated = comment, stated.priming != start || abs(stated.valid - length) > unit { comment = nil }
    if let comment, unit > 1 {
      result.length = comment.valid
    } else if abs(total - start - length) >= (unit > 1 ? unit + 1 : 1) {
      result.length = length
    }
    return result
  }
}

/// Texts of a file as iTunes keeps them.
struct MPEG4Texts {
  private(set) var texts: [(key: String, value: String)] = []
  /// Frames in front and behind as "iTunSMPB" has them.
  private(set) var gapless: PacketTrack.Trim?

  /// Names of the boxes, each with what Core Audio calls the text.
  static let names: [UInt32: String] = [
    0xA96E_616D: "title", 0xA941_5254: "artist", 0xA961_6C62: "album", 0xA963_6D74: "comments",
    0xA964_6179: "year", 0xA967_656E: "genre", 0xA977_7274: "composer", 0xA974_6F6F: "encoding application",
    0x6370_7274: "copyright", 0xA96C_7972: "lyrics",
  ]

  init(_ storage: any PacketBytes, _ movie: MPEG4Box) {
    guard let meta = storage.box("udta", "meta", in: movie.content) else { return }
    // QuickTime's has no version.
    let hasVersion = storage.code(at: meta.content.lowerBound + 4) != ("hdlr" as FourCharCode).rawValue
    let start = min(meta.content.upperBound, meta.content.lowerBound + (hasVersion ? 4 : 0))
    guard let list = storage.box("ilst", in: start..<meta.content.upperBound) else { return }
    for item in storage.boxes(in: list.content).prefix(4_096) {
      guard let data = storage.box("data", in: item.content),
        let bytes = storage.bytes(in: data.content, most: 1 << 16),
        bytes.count >= 8
      else { continue }
      let content = bytes[8...]
      if let name = Self.names[item.type.rawValue], bytes.word(0) == 1 {
        texts.append((name, String(decoding: content, as: UTF8.self)))
      } else if item.type == "trkn", let track = bytes.number(10, 2), let count = bytes.number(12, 2) {
        texts.append(("track number", count > 0 ? "\(track)/\(count)" : "\(track)"))
      } else if item.type == "----", let name = storage.box("name", in: item.content),
        let label = storage.bytes(in: name.content, most: 64), label.dropFirst(4).elementsEqual("iTunSMPB".utf8)
      {
        gapless = Self.gapless(String(decoding: content, as: UTF8.self))
      }
    }
  }

  /// Hexadecimal numbers: a zero, frames in front, frames behind, frames between.
  private static func gapless(_ text: String) -> PacketTrack.Trim? {
    let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard numbers.count == 4, let priming = numbers[1], let remainder = numbers[2], let valid = numbers[3],
      (0..<1 << 31).contains(priming), (0..<1 << 31).contains(remainder), (1..<1 << 60).contains(valid)
    else { return nil }
    return PacketTrack.Trim(priming: priming, valid: valid, remainder: remainder)
  }
}

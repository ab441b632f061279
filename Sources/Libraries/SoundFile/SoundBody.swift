// The part of a file that is the sound file: without the tags that other programs put in front of it or behind it, and
// without bytes in front of its header that belong to nothing.

import AudioCore

/// A file without what lies around it.
package struct SoundBody {
  /// The whole file where it begins with its header.
  package let storage: any ByteStorage
  /// Bytes in front of the header that are no tag.
  package let strayBytes: Int64
  /// The end of the sound where no header says it: in front of tags at the end of the file. Counted in ``storage``.
  let end: Int64

  package init(_ file: any ByteStorage) {
    let tagged = Self.tagEnd(file)
    let start = Self.headerStart(file, from: tagged)
    strayBytes = max(0, start - tagged)
    let whole: any ByteStorage = start > 0 ? StoragePart(file, from: start) : file
    let copy = Self.repeatedHeader(whole)
    storage = copy > 0 ? StoragePart(file, from: start + copy) : whole
    var end = Self.end(storage)
    while copy > 0, end > copy, Self.isSame(storage, 0, end - copy) { end -= copy }
    self.end = end
  }

  /// libsndfile, as SoX uses it, goes back to write a header again. Into a pipe that puts copies of it in front of the
  /// sound and behind it.
  /// - Returns: the size of the header where a copy follows it; 0 where there is none.
  private static func repeatedHeader(_ file: any ByteStorage) -> Int64 {
    guard let layout = ContainerLayout(file), layout.kind == .wave64 || layout.kind == .caf,
      layout.statedBytes ?? 0 == 0, isSame(file, 0, layout.dataOffset)
    else { return 0 }
    return layout.dataOffset
  }

  /// True where the first bytes of a header are at both places.
  private static func isSame(_ file: any ByteStorage, _ first: Int64, _ second: Int64) -> Bool {
    guard let one = file.bytes(at: first, count: 16), let other = file.bytes(at: second, count: 16) else {
      return false
    }
    return one == other
  }

  /// Bytes that are looked through for a header.
  private static let mostStrayBytes = 65_536

  /// The place behind the ID3 tags of version 2 in front of a file.
  static func tagEnd(_ file: any ByteStorage) -> Int64 {
    var offset: Int64 = 0
    for _ in 0..<16 {
      guard let header = file.bytes(at: offset, count: 10), header.starts(with: "ID3".utf8), header[3] < 0xFF,
        header[6..<10].allSatisfy({ $0 < 0x80 })
      else { break }
      // Four times seven bits; neither the header's ten bytes are counted nor those of the copy behind the tag.
      let size = header[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
      let next = offset + 10 + size + (header[5] & 0x10 != 0 ? 10 : 0)
      guard next < file.length else { break }
      offset = next
    }
    return offset
  }

  /// The place of the header; 0 where it is at the beginning, or is not one that can be looked for.
  private static func headerStart(_ file: any ByteStorage, from offset: Int64) -> Int64 {
    if let word = file.bytes(at: offset, count: 4), beginnings.contains(where: word.elementsEqual) { return offset }
    // libsndfile knows of no footer of a tag in front of MPEG audio, which has no header.
    if file.bytes(at: offset - 10, count: 3)?.elementsEqual("3DI".utf8) ?? false {
      var first = offset
      if MPEGFrameHeader.find(in: file, from: &first) != nil, first == offset { return offset }
    }
    guard let block = file.bytes(at: offset, count: Int(min(Int64(mostStrayBytes), max(0, file.length - offset)))),
      let place = block.indices.dropLast(12).first(where: { isHeader(block[$0...]) })
    else { return 0 }
    // MPEG audio has no header, and rubbish in front of it may hold anything.
    var first = offset
    if MPEGFrameHeader.find(in: file, from: &first) != nil, first < offset + Int64(place) { return 0 }
    return offset + Int64(place)
  }

  /// First bytes of files that are left as they are.
  private static let beginnings: [[UInt8]] = [
    "RIFF", "RIFX", "RF64", "BW64", "FORM", "caff", "riff", "fLaC", "OggS", ".snd", "dns.", "Crea", "NIST", "PVF1",
    "2BIT", "MATL", "Exte", " paf", "fap ", "SOUN",
  ].map { Array($0.utf8) }

  /// True for the header of a container that says twice what it is.
  private static func isHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
    func word(_ at: Int) -> String { String(decoding: bytes.dropFirst(at).prefix(4), as: UTF8.self) }
    switch bytes.first {
    case UInt8(ascii: "R"), UInt8(ascii: "B"):
      return ["RIFF", "RIFX", "RF64", "BW64"].contains(word(0)) && word(8) == "WAVE"
    case UInt8(ascii: "F"): return word(0) == "FORM" && ["AIFF", "AIFC"].contains(word(8))
    case UInt8(ascii: "c"): return word(0) == "caff" && word(8) == "desc"
    case UInt8(ascii: "f"): return word(0) == "fLaC" && bytes.dropFirst(4).starts(with: [0, 0, 0, 34])
    case UInt8(ascii: "O"): return word(0) == "OggS" && bytes.dropFirst(4).starts(with: [0, 2])
    default: return false
    }
  }

  /// The first byte of the tags at the end of a file.
  private static func end(_ storage: any ByteStorage) -> Int64 {
    var end = storage.length
    if MPEGFrameHeader.isTrailer(storage, at: end - 128) { end -= 128 }
    for _ in 0..<4 {
      guard let size = tagSize(storage, endingAt: end), size <= end else { break }
      end -= size
    }
    return end
  }

  /// The size of an APE tag, an ID3 tag of version 2.4 or a Lyrics3 tag of which `end` is the end.
  private static func tagSize(_ storage: any ByteStorage, endingAt end: Int64) -> Int64? {
    if let footer = storage.bytes(at: end - 32, count: 32), footer.starts(with: "APETAGEX".utf8) {
      let size = footer[12..<16].reversed().bigEndianValue
      return size + (footer[23] & 0x80 != 0 ? 32 : 0)
    }
    if let footer = storage.bytes(at: end - 10, count: 10), footer.starts(with: "3DI".utf8) {
      return 20 + footer[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
    }
    guard let footer = storage.bytes(at: end - 15, count: 15) else { return nil }
    let (count, name) = (footer[..<6], footer[6...])
    if name.elementsEqual("LYRICS200".utf8), count.allSatisfy({ (0x30...0x39).contains($0) }) {
      return 15 + count.reduce(Int64(0)) { $0 * 10 + Int64($1 & 0xF) }
    }
    guard name.elementsEqual("LYRICSEND".utf8) else { return nil }
    // The first version says no size: 5100 bytes of text are the most.
    let beginning = Array("LYRICSBEGIN".utf8)
    let most = min(end, Int64(5_100 + beginning.count + name.count))
    guard let bytes = storage.bytes(at: end - most, count: Int(most)) else { return nil }
    let place = bytes.indices.dropLast(beginning.count).last { bytes[$0...].starts(with: beginning) }
    return place.map { most - Int64($0) }
  }

  /// True where something begins that programs put behind a sound file.
  static func isTag(_ storage: any ByteStorage, at offset: Int64) -> Bool {
    if MPEGFrameHeader.isTrailer(storage, at: offset) { return true }
    guard let start = storage.bytes(at: offset, count: 8) else { return false }
    return ["APETAGEX", "ID3", "LYRICSBE"].contains { start.starts(with: $0.utf8) }
  }
}

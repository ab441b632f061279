// The texts of an ID3 tag of version 2 in a program's memory, as the dictionary that AudioFormat makes of one. Any
// thread. Frames: the informal standards of id3.org, versions 2.2, 2.3 and 2.4. No size in a tag is believed further
// than its bytes.

import AudioCore
import CAudioToolbox

struct ID3Texts {
  /// The keys of `kAFInfoDictionary_`, by the names of frames of the versions 2.3 and 2.4, and 2.2.
  private static let keys: [String: String] = [
    "TIT2": kAFInfoDictionary_Title, "TT2": kAFInfoDictionary_Title,
    "TPE1": kAFInfoDictionary_Artist, "TP1": kAFInfoDictionary_Artist,
    "TALB": kAFInfoDictionary_Album, "TAL": kAFInfoDictionary_Album,
    "TCON": kAFInfoDictionary_Genre, "TCO": kAFInfoDictionary_Genre,
    "TRCK": kAFInfoDictionary_TrackNumber, "TRK": kAFInfoDictionary_TrackNumber,
    "TYER": kAFInfoDictionary_Year, "TDRC": kAFInfoDictionary_Year, "TYE": kAFInfoDictionary_Year,
    "TCOM": kAFInfoDictionary_Composer, "TCM": kAFInfoDictionary_Composer,
    "TEXT": kAFInfoDictionary_Lyricist, "TXT": kAFInfoDictionary_Lyricist,
    "TCOP": kAFInfoDictionary_Copyright, "TCR": kAFInfoDictionary_Copyright,
    "TBPM": kAFInfoDictionary_Tempo, "TBP": kAFInfoDictionary_Tempo,
    "TKEY": kAFInfoDictionary_KeySignature, "TKE": kAFInfoDictionary_KeySignature,
    "TSSE": kAFInfoDictionary_EncodingApplication, "TSS": kAFInfoDictionary_EncodingApplication,
    "COMM": kAFInfoDictionary_Comments, "COM": kAFInfoDictionary_Comments,
  ]

  /// By key, the first of each; in the order of the tag.
  private(set) var entries: [(key: String, text: String)] = []

  /// Nil where the bytes begin with no tag of these versions.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), (2...4).contains(bytes[3]) else { return nil }
    let version = bytes[3]
    let size = Self.number(bytes[6..<10], bitsEach: 7)
    var body = Array(bytes[10..<min(bytes.count, 10 + size)])
    let isUnsynchronized = bytes[5] & 0x80 != 0
    // In version 2.4 each frame has its own flag for that.
    if isUnsynchronized && version < 4 { body = Self.synchronized(body) }
    var place = 0
    if bytes[5] & 0x40 != 0, version > 2, body.count >= 4 {
      // An extended header, whose size counts itself in version 2.4 alone.
      place = version == 4 ? Self.number(body[0..<4], bitsEach: 7) : 4 + Self.number(body[0..<4], bitsEach: 8)
    }
    read(body, from: place, version: version)
  }

  private mutating func read(_ body: [UInt8], from start: Int, version: UInt8) {
    let nameBytes = version == 2 ? 3 : 4
    let headBytes = version == 2 ? 6 : 10
    var place = start
    // Behind the last frame there are zeros.
    while place <= body.count - headBytes, body[place] != 0 {
      let name = String(decoding: body[place..<place + nameBytes], as: UTF8.self)
      let sizeField = body[place + nameBytes..<place + 2 * nameBytes]
      let size = Self.number(sizeField, bitsEach: version == 4 ? 7 : 8)
      let content = place + headBytes
      guard size > 0, size <= body.count - content else { return }
      // Flags of compression, encryption and the like: such frames are passed over.
      let isPlain = version == 2 || body[place + 9] & (version == 4 ? 0x0F : 0xE0) == 0
      if isPlain, let key = Self.keys[name], !entries.contains(where: { $0.key == key }),
        let text = Self.text(body[content..<content + size], isComment: name.hasPrefix("COM"))
      {
        entries.append((key, text))
      }
      place = content + size
    }
  }

  /// A frame's text up to its end or the first zero: behind the encoding and, in a comment, its language and title.
  private static func text(_ frame: ArraySlice<UInt8>, isComment: Bool) -> String? {
    guard let encoding = frame.first, encoding <= 3 else { return nil }
    let isWide = encoding == 1 || encoding == 2
    var units = units(frame.dropFirst(isComment ? 4 : 1), isWide: isWide, isBigEndian: encoding == 2)
    if isComment {
      guard let end = units.firstIndex(of: 0) else { return nil }
      units = Array(units[(end + 1)...])
      // The text has a mark of its own.
      if encoding == 1, let mark = units.first, mark == 0xFEFF || mark == 0xFFFE { units.removeFirst() }
    }
    units = Array(units.prefix { $0 != 0 })
    guard !units.isEmpty else { return nil }
    // ISO 8859-1 is the first page of Unicode.
    return encoding == 3
      ? String(decoding: units.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
      : String(decoding: units, as: UTF16.self)
  }

  private static func units(_ bytes: ArraySlice<UInt8>, isWide: Bool, isBigEndian: Bool) -> [UInt16] {
    guard isWide else { return bytes.map(UInt16.init) }
    let bytes = Array(bytes)
    let hasMark = bytes.count >= 2 && (bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF)
    let isBig = hasMark ? bytes[0] == 0xFE : isBigEndian
    return stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { at in
      let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
  }

  /// Big-endian, of so many bits in each byte.
  private static func number(_ bytes: ArraySlice<UInt8>, bitsEach bits: Int) -> Int {
    bytes.reduce(0) { $0 << bits | Int($1) & (1 << bits - 1) }
  }

  /// Without the zeros that were put behind each 0xFF.
  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == 0, index > 0, bytes[index - 1] == 0xFF { continue }
      result.append(byte)
    }
    return result
  }
}

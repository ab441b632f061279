// Texts of CAF files: the `info` chunk of Apple's "Core Audio Format Specification 1.0". libsndfile knows seven of them.

import AudioCore
import SoundFile

enum CAFTexts {
  /// The texts by property name; empty where there are none.
  static func read(_ storage: any ByteStorage) -> [String: [String]] {
    guard let chunk = ContainerLayout(storage)?.chunks(info).first,
      let bytes = storage.bytes(
        at: chunk.contentOffset,
        count: Int(min(max(0, chunk.contentBytes), byteLimit, max(0, storage.length - chunk.contentOffset))))
    else { return [:] }
    var texts: [String: [String]] = [:]
    let parts = bytes.dropFirst(4).split(
      separator: 0, maxSplits: 2 * TagList.textCountLimit, omittingEmptySubsequences: false)
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      let name = name(ofKey: SoundFileMetadata.utf8(ByteText.string(parts[index])))
      let value = SoundFileMetadata.utf8(ByteText.string(parts[index + 1]))
      if TagNames.isValid(name), !value.isEmpty { texts[name, default: []].append(value) }
    }
    return texts
  }

  /// Writes all texts behind the sound, in place of those that libsndfile has written.
  static func write(_ texts: [String: [String]], to storage: any ByteStorage) throws(StorageError) {
    guard let layout = ContainerLayout(storage), layout.kind == .caf else { return }
    for chunk in layout.chunks(info) { try storage.write(Array("free".utf8), at: chunk.headerOffset) }
    var (count, content) = (UInt32(0), [UInt8]())
    for (name, values) in texts.sorted(by: { $0.key < $1.key }) {
      for value in values {
        content += Array(key(ofName: name).utf8) + [0] + value.utf8.filter { $0 != 0 } + [0]
        count += 1
      }
    }
    let size = Int64(content.count + 4)
    try storage.write(Array("info".utf8) + size.bigEndianBytes + count.bigEndianBytes + content, at: storage.length)
  }

  private static let info: UInt32 = 0x696E_666F
  private static let byteLimit: Int64 = 1 << 20

  private static func name(ofKey key: String) -> String {
    let name = key.uppercased()
    return names[name] ?? name
  }

  private static func key(ofName name: String) -> String {
    (names.first { $0.value == name && !libraryNames.contains(name) }?.key ?? name).lowercased()
  }

  /// The keys that Apple writes otherwise than tags have them.
  private static let names = [
    "COMMENTS": "COMMENT", "TRACK NUMBER": "TRACKNUMBER", "YEAR": "DATE", "TEMPO": "BPM", "KEY SIGNATURE": "INITIALKEY",
    "ENCODING APPLICATION": "ENCODER", "SOURCE ENCODER": "ENCODING", "APPROXIMATE DURATION IN SECONDS": "LENGTH",
  ]
  /// Those that libsndfile looks for under their own name.
  private static let libraryNames: Set = ["COMMENT", "TRACKNUMBER"]
}

// Chunks of WAV in a FLAC file, in APPLICATION blocks as `flac --keep-foreign-metadata` has them: one with the header of
// the file, then one for each chunk; of the sound only the header. https://xiph.org/flac/id.html lists the id "riff".
// Cue sheets: RFC 9639, section 8.7.

import AudioCore
import Glibc
import SoundFile

struct FLACForeignBlocks {
  private var blocks: [(kind: UInt8, bytes: [UInt8])] = []
  /// The names of chunks that are too large for a block.
  private(set) var refused: [String] = []

  init(_ chunks: [SoundExtras.Chunk], bits: Int, channelCount: Int, sampleRate: Double, frames: Int64) {
    var foreign: [[UInt8]] = []
    for chunk in chunks {
      if chunk.family == .flac {
        blocks.append((chunk.name == "CUESHEET" ? 5 : 2, chunk.bytes))
        continue
      }
      var whole = ChunkMaker(isBigEndian: false)
      whole.add(chunk.name, chunk.bytes)
      if whole.bytes.count + 4 < 1 << 24 { foreign.append(whole.bytes) } else { refused.append(chunk.name) }
    }
    guard !foreign.isEmpty else { return }
    let frameBytes = (bits + 7) / 8 * channelCount
    let soundBytes = frames.multipliedReportingOverflow(by: Int64(frameBytes))
    let sound = soundBytes.overflow ? Int64(UInt32.max) : soundBytes.partialValue
    var (format, data, file) = (
      ChunkMaker(isBigEndian: false), ChunkMaker(isBigEndian: false), ChunkMaker(isBigEndian: false)
    )
    format.add(UInt16(1))
    format.add(UInt16(clamping: channelCount))
    format.add(UInt32(clamping: Int64(clamping: sampleRate)))
    format.add(UInt32(clamping: Int64(clamping: sampleRate * Double(frameBytes))))
    format.add(UInt16(clamping: frameBytes))
    format.add(UInt16(clamping: bits))
    var head = ChunkMaker(isBigEndian: false)
    head.add("fmt ", format.bytes)
    data.add(name: "data")
    data.add(UInt32(clamping: sound))
    let others = foreign.reduce(Int64(head.bytes.count + 12)) { $0 + Int64($1.count) }
    file.add(name: "RIFF")
    file.add(UInt32(clamping: others + min(sound, Int64(UInt32.max)) + (sound & 1)))
    file.add(name: "WAVE")
    blocks += ([file.bytes, head.bytes, data.bytes] + foreign).map { (2, "riff".utf8 + $0) }
  }

  /// Puts the blocks behind the first one. Answers 0 or an errno.
  func write(to storage: DescriptorStorage) throws(StorageError) -> Int32 {
    guard !blocks.isEmpty else { return 0 }
    guard let start = storage.bytes(at: 0, count: 8), start.starts(with: "fLaC".utf8) else { return EIO }
    let isLast = start[4] & 0x80 != 0
    let place = 8 + start[5...].bigEndianValue
    var bytes: [UInt8] = []
    for (index, block) in blocks.enumerated() {
      let flag: UInt8 = isLast && index == blocks.count - 1 ? 0x80 : 0
      bytes += [block.kind | flag] + UInt32(block.bytes.count).bigEndianBytes.suffix(3) + block.bytes
    }
    if isLast { try storage.write([start[4] & 0x7F], at: 4) }
    return TagList.splice(storage.descriptor, at: place, replacing: 0, with: bytes)
  }
}

extension SoundExtras {
  /// A cue sheet of FLAC as markers, for files and changes that it does not go with.
  package var withCueSheetAsMarkers: SoundExtras {
    guard let sheet = chunks.first(where: { $0.family == .flac && $0.name == "CUESHEET" }) else { return self }
    var answer = self
    answer.chunks.removeAll { $0.family == .flac && $0.name == "CUESHEET" }
    let fields = ChunkFields(bytes: sheet.bytes, isBigEndian: true)
    var place = 396
    for _ in 0..<(fields.number(395, 1) ?? 0) {
      guard let offset = fields.number(place, 8), let number = fields.number(place + 8, 1),
        let indices = fields.number(place + 35, 1)
      else { break }
      var first = offset
      for index in 0..<Int(indices) where fields.number(place + 36 + 12 * index + 8, 1) == 1 {
        let (sum, overflow) = offset.addingReportingOverflow(fields.number(place + 36 + 12 * index, 8) ?? 0)
        if !overflow { first = sum }
      }
      place += 36 + 12 * Int(indices)
      // 170 and 255 are the end of the sound.
      guard number < 100, (0..<1 << 40).contains(first) else { continue }
      answer.markers.append(Marker(position: first, name: "Track \(number)"))
    }
    return answer
  }
}

// Finds markers, instruments and other chunks of a file that anybody may have made: by its content, whatever it is
// called, and within bounds, whatever its lengths say.

import AudioCore
import Glibc
import SoundFile

extension SoundExtras {
  /// All that a file has besides sound, texts and pictures; none where it is no sound file, or cannot be read.
  public init(path: String) {
    self.init()
    let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return }
    let storage = DescriptorStorage(owning: descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    self.init(storage)
  }

  package init(_ file: any ByteStorage) {
    self.init()
    note(ID3Frames(file, at: 0))
    let body = SoundBody(file)
    let storage = body.storage
    if storage.bytes(at: 0, count: 4).map({ $0.elementsEqual("fLaC".utf8) }) ?? false {
      readFLAC(storage)
    } else if let extent = SoundExtent(body), let family = Family(extent.layout) {
      read(extent.chunks(of: storage), storage, extent.layout, family)
    }
  }

  private mutating func read(
    _ chunks: [ContainerLayout.Chunk], _ storage: any ByteStorage, _ layout: ContainerLayout, _ family: Family
  ) {
    var found: [Chunk] = []
    var left = Self.mostBytes
    for chunk in chunks {
      guard let name = Self.name(chunk, in: layout) else {
        if chunk.id != 0 { lost = Self.unique(lost + ["a chunk without a name"]) }
        continue
      }
      if ["id3 ", "ID3 "].contains(name) { note(ID3Frames(storage, at: chunk.contentOffset)) }
      guard !Self.isElsewhere(name, family) else { continue }
      let there = max(0, min(chunk.contentBytes, storage.length - chunk.contentOffset))
      if chunk.contentBytes < 0 || there < chunk.contentBytes {
        remarks.append("its \(Self.shown(name)) chunk is cut off after \(NumberText.count(there, "byte"))")
      }
      guard there <= left else {
        remarks.append("its \(Self.shown(name)) chunk of \(there) bytes is left out: it is too large")
        lost.append(Self.shown(name))
        continue
      }
      left -= there
      guard let bytes = storage.bytes(at: chunk.contentOffset, count: Int(there)) else { continue }
      found.append(Chunk(name: name, bytes: bytes, family: family, isTimeless: false))
    }
    take(found, isBigEndian: layout.isBigEndian)
  }

  /// Frames of an ID3 tag that are neither texts nor pictures: chapters, ratings, data of programs.
  private mutating func note(_ tag: ID3Frames?) { lost = Self.unique(lost + (tag?.leftOut ?? []).map { "ID3 " + $0 }) }

  /// The chunks of a file, of one family.
  private mutating func take(_ found: [Chunk], isBigEndian: Bool) {
    guard let family = found.first?.family else { return }
    let marking = found.filter { Self.isMarking($0, family) }
    switch family {
    case .riff: readRIFF(marking, isBigEndian: isBigEndian)
    case .aiff: readAIFF(marking)
    case .caf: readCAF(marking)
    case .flac: break
    }
    if family != .riff || !isBigEndian, !markers.isEmpty || instrument != nil { literal = marking }
    if literal.isEmpty, hasFurtherComments {
      hasFurtherComments = false
      chunks += marking.filter { $0.name == "COMT" }.map {
        Chunk(name: $0.name, bytes: $0.bytes, family: family, isTimeless: true)
      }
    }
    for chunk in found where !Self.isMarking(chunk, family) {
      // The name of the program, which is a tag.
      if chunk.name == "APPL", chunk.bytes.starts(with: "m3ga".utf8) { continue }
      if chunk.name == "LIST", chunk.bytes.starts(with: "INFO".utf8) {
        takeTexts(chunk, isBigEndian: isBigEndian)
      } else if chunk.name == "bext", broadcast == nil, family != .riff || !isBigEndian {
        if chunk.bytes.count < Self.leastBroadcastBytes {
          remarks.append(
            "its bext chunk has \(NumberText.count(chunk.bytes.count, "byte")), where the shortest has "
              + "\(Self.leastBroadcastBytes)")
        }
        broadcast = chunk.bytes
      } else {
        var kept = chunk
        let isPortable = Self.portable.contains(chunk.name)
        // The numbers in it are the other way round than those of any file that is written.
        if family == .riff, isBigEndian, !isPortable {
          lost = Self.unique(lost + [chunk.shownName])
          continue
        }
        kept.isTimeless = isPortable || Self.timeless.contains(chunk.name)
        if isPortable { kept.family = nil }
        chunks.append(kept)
      }
    }
  }

  /// Texts of an `INFO` list that libsndfile does not know.
  private mutating func takeTexts(_ list: Chunk, isBigEndian: Bool) {
    let fields = ChunkFields(bytes: list.bytes, isBigEndian: isBigEndian)
    var place = 4
    while chunks.count < Self.mostChunks, let name = fields.name(place), let size = fields.number(place + 4, 4) {
      let content = place + 8
      let end = content + Int(min(size, Int64(list.bytes.count - content)))
      if !Self.knownTexts.contains(name), end > content {
        chunks.append(
          Chunk(name: "INFO " + name, bytes: Array(list.bytes[content..<end]), family: .riff, isTimeless: true))
      }
      place = content + Int(size + (size & 1))
    }
  }

  /// The `APPLICATION` blocks in which FLAC files keep chunks of WAV or AIFF, and the cue sheet.
  private mutating func readFLAC(_ storage: any ByteStorage) {
    var foreign: [Chunk] = []
    var offset: Int64 = 4
    var left = Self.mostBytes
    for _ in 0..<10_000 {
      guard let header = storage.bytes(at: offset, count: 4) else { break }
      let count = header[1...].bigEndianValue
      let kind = header[0] & 0x7F
      if kind == 2 || kind == 5, foreign.count + chunks.count < Self.mostChunks {
        left -= count
        if left >= 0, let block = storage.bytes(at: offset + 4, count: Int(count)) {
          if kind == 5 {
            chunks.append(Chunk(name: "CUESHEET", bytes: block, family: .flac, isTimeless: false))
          } else if block.count >= 12, let family = Self.foreign(block),
            block[4..<8].allSatisfy({ (0x20..<0x7F).contains($0) })
          {
            let name = String(decoding: block[4..<8], as: UTF8.self)
            let size = ChunkFields(bytes: block, isBigEndian: family == .aiff).number(8, 4) ?? 0
            if !Self.isElsewhere(name, family), foreign.first?.family ?? family == family {
              let content = Array(block[12...].prefix(Int(size)))
              if Int64(content.count) < size {
                remarks.append("its \(Self.shown(name)) chunk is cut off after \(content.count) bytes")
              }
              foreign.append(Chunk(name: name, bytes: content, family: family, isTimeless: false))
            }
          } else {
            chunks.append(Chunk(name: "APPLICATION", bytes: block, family: .flac, isTimeless: true))
          }
        } else {
          remarks.append("a metadata block of \(count) bytes is left out: it is cut off, or too large")
        }
      }
      if header[0] & 0x80 != 0 { break }
      offset += 4 + count
    }
    take(foreign, isBigEndian: false)
    if foreign.first?.family == .aiff { literal = [] }
  }

  private static func foreign(_ block: [UInt8]) -> Family? {
    block.starts(with: "riff".utf8) ? .riff : block.starts(with: "aiff".utf8) ? .aiff : nil
  }

  /// The name in letters as WAV has it; Wave64 writes lists in small ones.
  /// - Returns: nil for four bytes that are no letters.
  private static func name(_ chunk: ContainerLayout.Chunk, in layout: ContainerLayout) -> String? {
    let letters = chunk.id.bigEndianBytes
    guard letters.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    let name = String(decoding: letters, as: UTF8.self)
    return layout.kind == .wave64 && name == "list" ? "LIST" : name
  }

  /// True for chunks that hold markers and instruments.
  private static func isMarking(_ chunk: Chunk, _ family: Family) -> Bool {
    switch family {
    case .riff:
      ["cue ", "smpl", "inst"].contains(chunk.name) || chunk.name == "LIST" && chunk.bytes.starts(with: "adtl".utf8)
    case .aiff: ["MARK", "INST", "COMT"].contains(chunk.name)
    case .caf: ["mark", "regn", "strg", "inst"].contains(chunk.name)
    case .flac: false
    }
  }

  /// True for chunks that say how the sound lies in the file, that are filled with nothing, that were measured of the
  /// samples, or whose texts and pictures are tags.
  private static func isElsewhere(_ name: String, _ family: Family) -> Bool {
    if ["id3 ", "ID3 "].contains(name) { return true }
    return switch family {
    case .riff:
      ["fmt ", "data", "fact", "ds64", "JUNK", "junk", "PAD ", "FLLR", "fllr", "PEAK", "RIFF", "RF64"].contains(name)
    case .aiff:
      ["COMM", "SSND", "FVER", "NAME", "AUTH", "(c) ", "ANNO", "CHAN", "PEAK", "FORM"].contains(name)
    case .caf: ["desc", "data", "pakt", "kuki", "chan", "free", "info", "ldsc", "peak"].contains(name)
    case .flac: false
    }
  }

  private static func shown(_ name: String) -> String {
    Chunk(name: name, bytes: [], family: nil, isTimeless: true).shownName
  }

  /// Those that any container with chunks can hold under the same name.
  private static let portable: Set = ["iXML", "axml", "bxml", "chna", "_PMX", "umid"]
  /// Those that say nothing of frames.
  private static let timeless: Set = ["DISP", "afsp", "APPL", "SAXL", "uuid"]
  /// Those of an `INFO` list that are tags already.
  private static let knownTexts: Set = [
    "INAM", "IART", "ICMT", "ICOP", "ICRD", "ISFT", "IGNR", "IPRD", "ITRK",
  ]
  /// A `bext` chunk without coding history.
  private static let leastBroadcastBytes = 602
  /// Bytes of chunks that are kept of one file.
  private static let mostBytes: Int64 = 64 << 20
  private static let mostChunks = 10_000
}

extension SoundExtras.Family {
  /// The family of a container as it lies on the disk.
  package init?(_ layout: ContainerLayout) {
    switch layout.kind {
    case .wave, .rf64, .bw64, .wave64: self = .riff
    case .aiff, .aifc: self = .aiff
    case .caf: self = .caf
    case .au: return nil
    }
  }
}

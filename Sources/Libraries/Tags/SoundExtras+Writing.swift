// Adds markers, instruments and other chunks to a complete sound file that has no name yet, behind what is there. The
// sound's own bytes stay what they are.

import AudioCore
import Glibc
import SoundFile

extension SoundFileContainer {
  /// The chunks of a container; nil where it has none.
  fileprivate var extrasFamily: SoundExtras.Family? {
    switch self {
    case .wav, .wavex, .rf64, .w64: .riff
    case .aiff: .aiff
    case .caf: .caf
    case .flac: .flac
    default: nil
    }
  }

  /// True when a file of this kind can have markers and other chunks.
  public var holdsChunks: Bool { extrasFamily != nil }
}

extension SoundFileWriter {
  /// Completes the file with tags, of which libsndfile has written ``SoundTags/metadata`` already, and with what else
  /// there is. All that can still fail is the name.
  /// - Throws: `.output`; nothing is left then.
  package func complete(with tags: SoundTags) throws(BenchError) -> SoundFileWriteReport {
    var report = try completeTexts(with: tags)
    let extras = tags.extras
    guard !extras.isEmpty, let family = report.container.extrasFamily else {
      report.droppedChunks = SoundExtras.unique(extras.lost + extras.names)
      return report
    }
    var (chunks, lost) = extras.chunks(for: family, sampleRate: sampleRate)
    var refused: [String] = []
    try amend { descriptor in
      let storage = DescriptorStorage(borrowing: descriptor)
      do throws(StorageError) {
        if family == .flac {
          let blocks = FLACForeignBlocks(
            chunks, bits: format.encoding.bits ?? 16, channelCount: channelCount, sampleRate: sampleRate,
            frames: report.frames)
          refused = blocks.refused
          return try blocks.write(to: storage)
        }
        refused = try Self.append(chunks, to: storage)
        return 0
      } catch {
        return error.errorNumber
      }
    }
    chunks.removeAll { !refused.contains($0.name) }
    lost += chunks.map { SoundExtras.markNames[$0.name] ?? $0.shownName }
    report.droppedChunks = SoundExtras.unique(extras.lost + lost)
    report.bytes = length
    return report
  }

  /// Appends chunks to a RIFF, FORM, CAF or Wave64 file.
  /// - Returns: the names of those that would grow it beyond what its sizes can say.
  private static func append(
    _ chunks: [SoundExtras.Chunk], to storage: DescriptorStorage
  ) throws(StorageError) -> [String] {
    guard let layout = ContainerLayout(storage) else { return chunks.map(\.name) }
    var refused: [String] = []
    var end = storage.length
    if layout.kind == .caf, layout.statedBytes == nil, let sound = layout.soundIndex.map({ layout.chunks[$0] }) {
      try storage.write((end - sound.contentOffset).bigEndianBytes, at: sound.headerOffset + 4)
    }
    let alignment: Int64 = layout.kind == .caf ? 1 : layout.kind == .wave64 ? 8 : 2
    func padding(_ length: Int64) -> [UInt8] {
      [UInt8](repeating: 0, count: Int((alignment - length % alignment) % alignment))
    }
    for chunk in chunks {
      let size = Int64(chunk.bytes.count)
      let header =
        switch layout.kind {
        case .wave64: wave64Name(chunk.name) + (size + 24).littleEndianBytes
        case .caf: Array(chunk.name.utf8) + size.bigEndianBytes
        case .aiff, .aifc: Array(chunk.name.utf8) + UInt32(clamping: size).bigEndianBytes
        default: Array(chunk.name.utf8) + UInt32(clamping: size).littleEndianBytes
        }
      let whole = padding(end) + header + chunk.bytes
      let next = end + Int64(whole.count)
      let isShort = layout.kind == .wave || layout.isAIFF
      guard size <= Int64(UInt32.max) - 8, !isShort || next <= Int64(UInt32.max) else {
        refused.append(chunk.name)
        continue
      }
      let all = whole + padding(next)
      try storage.write(all, at: end)
      end += Int64(all.count)
    }
    switch layout.kind {
    case .wave: try storage.write(UInt32(clamping: end - 8).littleEndianBytes, at: 4)
    case .aiff, .aifc: try storage.write(UInt32(clamping: end - 8).bigEndianBytes, at: 4)
    case .wave64: try storage.write(end.littleEndianBytes, at: 16)
    case .rf64, .bw64:
      if let sizes = layout.chunks(0x6473_3634).first {
        try storage.write((end - 8).littleEndianBytes, at: sizes.contentOffset)
      }
    case .caf, .au: break
    }
    return refused
  }

  /// The sixteen bytes by which Wave64 names a chunk of WAV.
  private static func wave64Name(_ name: String) -> [UInt8] {
    name == "LIST"
      ? Array("list".utf8) + [0x2F, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
      : Array(name.utf8) + [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
  }
}

extension SoundExtras {
  /// The chunks for a file of a family, and the names of what it has no place for.
  package func chunks(for family: Family, sampleRate: Double) -> (chunks: [Chunk], lost: [String]) {
    let whole = family == .flac ? self : withCueSheetAsMarkers
    var lost: [String] = []
    let own: Family = family == .flac ? .riff : family
    if hasFurtherComments, literal.first?.family != own { lost.append("COMT") }
    var made =
      switch own {
      case _ where whole.literal.first?.family == own: whole.literal
      case .aiff: whole.aiffChunks(lost: &lost)
      case .caf: whole.cafChunks(lost: &lost)
      case .riff, .flac: whole.riffChunks(sampleRate: sampleRate, lost: &lost)
      }
    if let broadcast { made.append(Chunk(name: "bext", bytes: broadcast, family: nil, isTimeless: true)) }
    var texts = ChunkMaker(isBigEndian: false)
    for chunk in whole.chunks {
      if chunk.family.map({ $0 != own && $0 != family }) ?? false {
        lost.append(chunk.shownName)
      } else if chunk.name.hasPrefix("INFO ") {
        texts.add(String(chunk.name.dropFirst(5)), chunk.bytes)
      } else {
        made.append(chunk)
      }
    }
    if !texts.bytes.isEmpty {
      made.append(Chunk(name: "LIST", bytes: "INFO".utf8 + texts.bytes, family: .riff, isTimeless: true))
    }
    return (made, lost)
  }

  /// The names of chunks that are markers and instruments, as reports have them.
  static let markNames = [
    "cue ": "markers", "LIST": "names of markers", "MARK": "markers", "COMT": "notes of markers", "mark": "markers",
    "regn": "markers", "strg": "names of markers", "smpl": "instrument", "inst": "instrument", "INST": "instrument",
  ]
}

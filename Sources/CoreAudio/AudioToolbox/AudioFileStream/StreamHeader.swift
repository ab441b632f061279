// The header of a stream: how many bytes of it are needed, and the file that they describe. Every container is read by
// the parser that reads it as a file, from a storage that has the beginning alone.

import AudioCore
import CAudioToolbox
import PacketFiles
import SoundFile

/// Collects the bytes in front of the first packet.
struct StreamHeader {
  /// The bytes so far.
  let bytes = StreamBytes()
  /// Bytes that the next step has to see.
  private(set) var needed = 12
  private var stage = Stage.beginning
  private let hint: AudioFileTypeID
  /// Steps through chunks and boxes, after which a header is taken for endless.
  private var stepsLeft = 2_000

  private enum Stage {
    case beginning
    /// Chunks, from a place on.
    case chunks(start: Int64)
    /// Metadata blocks of FLAC: where the first and the next begin.
    case blocks(start: Int64, next: Int64)
    /// Boxes of MPEG-4, the next of which begins at a place.
    case boxes(next: Int64)
    /// Frames without a container, that begin at a place.
    case frames(start: Int64)
    /// The same with bytes in front of them that are none.
    case search(start: Int64, next: Int64)
  }

  /// Bytes of the longest header.
  private static let most = 64 << 20
  /// Bytes that are looked through for the first frame.
  private static let mostSearched: Int64 = 524_288

  init(hint: AudioFileTypeID) { self.hint = hint }

  /// Goes on once ``needed`` bytes are there.
  /// - Returns: nil where more bytes are needed.
  /// - Throws: 'typ?', 'fmt?' and 'dta?' for unknown types, codecs and damage, 'optm' where what describes the sound lies
  ///   behind it.
  mutating func step() throws(AudioStatus) -> StreamShape? {
    switch stage {
    case .beginning: try begin()
    case .chunks(let start): return try chunks(start)
    case .blocks(let start, let next): return try blocks(start, next)
    case .boxes(let next): return try boxes(next)
    case .frames(let start): return try frames(start)
    case .search(let start, let next): return try search(start, next)
    }
    return nil
  }

  private mutating func need(_ count: Int64) throws(AudioStatus) {
    stepsLeft -= 1
    guard count <= Self.most else { throw .fileInvalid }
    needed = max(needed, Int(count))
  }

  /// Steps over tags, and decides by the first bytes.
  private mutating func begin() throws(AudioStatus) {
    let start = MPEGFrameHeader.start(of: bytes)
    try need(start + 12)
    guard needed <= bytes.known.count else { return }
    let head = Array(bytes.known[Int(start)...])
    func begins(_ names: [String], at offset: Int = 0) -> Bool {
      names.contains { head[offset...].starts(with: $0.utf8) }
    }
    let isWave = begins(["RIFF", "RIFX", "RF64", "BW64"]) && begins(["WAVE"], at: 8)
    let isAIFF = begins(["FORM"]) && begins(["AIFF", "AIFC"], at: 8)
    if isWave || isAIFF || begins(["riff", "caff", ".snd", "dns."]) {
      stage = .chunks(start: start)
    } else if begins(["fLaC"]) {
      stage = .blocks(start: start, next: start + 4)
      try need(start + 42)
    } else if start == 0, begins(["ftyp", "styp", "moov", "mdat", "wide", "free", "skip", "pnot"], at: 4) {
      stage = .boxes(next: 0)
      try need(MPEG4Box.headerBytes)
    } else if begins(["OggS", "RIFF", "FORM"]) {
      throw .fileTypeUnsupported
    } else if let count = RawStream.bytesToFind(head[...]) {
      stage = .frames(start: start)
      try need(start + Int64(count))
    } else {
      stage = .search(start: start, next: start)
    }
  }

  private mutating func chunks(_ start: Int64) throws(AudioStatus) -> StreamShape? {
    let file: any ByteStorage = start > 0 ? StoragePart(bytes, from: start) : bytes
    var missing: Int64?
    guard let layout = ContainerLayout(file, missing: &missing) else {
      guard let missing, stepsLeft > 0 else { throw .fileInvalid }
      try need(start.addingOrMax(missing))
      return nil
    }
    let dataOffset = start.addingOrMax(layout.dataOffset)
    try need(dataOffset)
    guard needed <= bytes.known.count else { return nil }
    return try StreamShape(chunks: layout, bytes, start: start)
  }

  private mutating func blocks(_ start: Int64, _ next: Int64) throws(AudioStatus) -> StreamShape? {
    guard stepsLeft > 0, let block = FLACHeader.block(bytes, at: next) else { throw .fileInvalid }
    if block.isLast, Int64(bytes.known.count) >= block.end {
      return try StreamShape(flac: bytes, start: start, soundOffset: block.end)
    }
    if !block.isLast { stage = .blocks(start: start, next: block.end) }
    try need(block.isLast ? block.end : block.end + 4)
    return nil
  }

  private mutating func boxes(_ next: Int64) throws(AudioStatus) -> StreamShape? {
    guard stepsLeft > 0, let box = MPEG4Box.box(bytes, at: next) else { throw .fileInvalid }
    switch box.type {
    case "mdat", "moof": throw .fileNotOptimized
    case "moov" where Int64(bytes.known.count) >= box.content.upperBound: return try StreamShape(mpeg4: bytes)
    case "moov": try need(box.content.upperBound)
    default:
      stage = .boxes(next: box.content.upperBound)
      try need(box.content.upperBound.addingOrMax(MPEG4Box.headerBytes))
    }
    return nil
  }

  private mutating func frames(_ start: Int64) throws(AudioStatus) -> StreamShape? {
    if let stream = RawStream.find(bytes, at: start) { return try StreamShape(raw: stream, bytes) }
    stage = .search(start: start, next: start)
    return nil
  }

  /// Looks for frames: of MPEG audio, or of what the client says it is.
  private mutating func search(_ start: Int64, _ next: Int64) throws(AudioStatus) -> StreamShape? {
    let isRaw = [kAudioFileAAC_ADTSType, kAudioFileAC3Type, kAudioFileLATMInLOASType].contains(hint)
    var index = next
    while index - start < Self.mostSearched {
      let end = Int64(bytes.known.count)
      guard index + 10 <= end else {
        stage = .search(start: start, next: index)
        try need(max(end + 1, index + 10))
        stepsLeft += 1
        return nil
      }
      let head = bytes.known[Int(index)..<Int(index) + 10]
      if isRaw, let count = RawStream.bytesToFind(head) {
        guard index + Int64(count) <= end else {
          stage = .search(start: start, next: index)
          try need(index + Int64(count))
          return nil
        }
        if let stream = RawStream.find(bytes, at: index) { return try StreamShape(raw: stream, bytes) }
      } else if !isRaw, let first = MPEGFrameHeader(Array(head.prefix(4))) {
        let second = index + Int64(first.bytes)
        guard second + 4 <= end else {
          stage = .search(start: start, next: index)
          try need(second + 4)
          return nil
        }
        if MPEGFrameHeader(Array(bytes.known[Int(second)..<Int(second) + 4]))?.sounds(like: first) ?? false {
          return try StreamShape(mpeg: first, bytes, offset: index)
        }
      }
      index += 1
    }
    throw .fileTypeUnsupported
  }
}

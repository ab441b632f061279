// The frames of a file: those that its header says, beside those that are there, and the words about a difference.

import AudioCore

struct SoundLength {
  /// Frames that are read.
  var frames: Int64
  /// Frames that the header promises, where the file ends before them.
  private(set) var promisedFrames: Int64?
  /// The difference between header and file, in words; nil where there is none.
  var remark: String?
  /// True where the file ends before its header says.
  var isCut = false

  /// - Parameters:
  ///   - frames: as libsndfile has it, from a header that was mended.
  ///   - bytesPerFrame: the size of a frame of plain samples; nil for coded files.
  init(
    _ extent: SoundExtent?, frames: Int64, encoding: SoundFileEncoding?, bytesPerFrame: Int?, storage: any ByteStorage
  ) {
    self.frames = frames
    guard let extent else { return }
    if let bytesPerFrame {
      self.frames = extent.dataBytes / Int64(bytesPerFrame)
      trimToCommon(extent, Int64(bytesPerFrame), storage)
      trimToPadding(extent, Int64(bytesPerFrame), storage)
    } else {
      trimToFact(extent, encoding, storage)
    }
    note(extent, bytesPerFrame: bytesPerFrame)
  }

  /// Words about what ``SoundExtent`` has found.
  private mutating func note(_ extent: SoundExtent, bytesPerFrame: Int?) {
    let stated = extent.statedBytes ?? 0
    let unit = bytesPerFrame ?? 1
    func length(_ bytes: Int64) -> String {
      bytesPerFrame == nil
        ? "\(NumberText.count(bytes, "byte")) of sound"
        : NumberText.count(bytes / Int64(unit), "frame")
    }
    switch extent.finding {
    case .agrees:
      if extent.statedBytes != nil, stated % Int64(unit) != 0, !isFilled(extent, frames * Int64(unit), stated) {
        note("its header says \(stated) bytes of sound, which is no whole number of frames: the last is left out")
      }
    case .cutOff(let missing):
      isCut = true
      if bytesPerFrame == nil {
        note("the file ends \(missing) bytes before its header says")
      } else {
        promisedFrames = stated / Int64(unit)
        note("the file ends at frame \(frames), where its header promises \(stated / Int64(unit)) frames")
      }
    case .goesOn:
      guard extent.dataBytes / Int64(unit) != stated / Int64(unit) else { return }
      note("its header says \(length(stated)), and \(length(extent.dataBytes)) are there: all of it is read")
    case .surplus(let bytes):
      note(
        "its header says \(length(stated)); \(NumberText.count(bytes, "byte")) behind them belong to nothing and are left "
          + "out")
    }
  }

  private mutating func note(_ words: String) { remark = remark.map { "\($0); \(words)" } ?? words }

  /// The error about a file that was cut off.
  func cutError(_ path: String) -> BenchError? {
    guard isCut, let remark else { return nil }
    return BenchError(.input, at: path, remark, advice: SoundFileReader.truncationAdvice)
  }

  /// AIFF counts frames besides bytes: of an odd number of bytes some programs count the padding with them.
  private mutating func trimToCommon(_ extent: SoundExtent, _ bytesPerFrame: Int64, _ storage: any ByteStorage) {
    guard extent.layout.isAIFF, extent.finding == .agrees, let stated = extent.statedBytes,
      let common = extent.layout.first(0x434F_4D4D),
      let counted = storage.bytes(at: common.contentOffset + 2, count: 4)?.bigEndianValue, counted != frames
    else { return }
    if counted < frames, stated - counted * bytesPerFrame == 1 {
      frames = counted
    } else {
      note("its header says \(NumberText.count(counted, "frame")), and has \(frames): these are read")
    }
  }

  /// FFmpeg counts what fills the last eight bytes of a Wave64 file with its sound; a `fact` chunk may tell them apart.
  private mutating func trimToPadding(_ extent: SoundExtent, _ bytesPerFrame: Int64, _ storage: any ByteStorage) {
    guard extent.layout.kind == .wave64, extent.finding == .agrees, let stated = extent.statedBytes,
      let fact = extent.layout.statedFrames(storage), fact < frames, stated / bytesPerFrame == frames,
      isFilled(extent, fact * bytesPerFrame, stated)
    else { return }
    frames = fact
  }

  /// True where the bytes behind the last frame fill the chunk up, and its size counts them.
  private func isFilled(_ extent: SoundExtent, _ bytes: Int64, _ stated: Int64) -> Bool {
    let rest = stated - bytes
    if extent.layout.isAIFF { return rest == 1 && bytes % 2 == 1 }
    return extent.layout.kind == .wave64 && stated % 8 == 0 && (0..<8).contains(rest)
  }

  /// Codecs of blocks fill the last one; the header has the frames that went in.
  private mutating func trimToFact(_ extent: SoundExtent, _ encoding: SoundFileEncoding?, _ storage: any ByteStorage) {
    guard let block = extent.layout.block(encoding, storage) else { return }
    // libsndfile takes the byte that makes a chunk even for another block.
    frames = min(frames, (extent.dataBytes + block.bytes - 1) / block.bytes * block.frames)
    // SoX counts it with the sound.
    if extent.dataBytes % block.bytes == 1, extent.dataBytes % 2 == 0 {
      frames = min(frames, extent.dataBytes / block.bytes * block.frames)
    }
    guard let fact = extent.layout.statedFrames(storage), fact > 0, fact != frames else { return }
    if fact < frames, frames - fact < block.frames {
      frames = fact
    } else if extent.finding == .agrees {
      note("its header says \(NumberText.count(fact, "frame")), and \(frames) are there: all of them are read")
    }
  }
}

extension ContainerLayout {
  /// The size of a block of ADPCM or GSM, and the frames in it; nil for other codecs.
  func block(_ encoding: SoundFileEncoding?, _ storage: any ByteStorage) -> (bytes: Int64, frames: Int64)? {
    func number(_ id: UInt32, _ offset: Int64, _ count: Int) -> Int64 {
      guard let chunk = first(id), let field = storage.bytes(at: chunk.contentOffset + offset, count: count) else {
        return 0
      }
      return isBigEndian ? field.bigEndianValue : field.reversed().bigEndianValue
    }
    let found: (bytes: Int64, frames: Int64)
    switch (kind, encoding) {
    case (.wave, .gsm610), (.rf64, .gsm610), (.bw64, .gsm610), (.wave64, .gsm610): found = (65, 320)
    case (.wave, .imaADPCM), (.wave, .msADPCM), (.rf64, .imaADPCM), (.rf64, .msADPCM), (.bw64, .imaADPCM),
      (.bw64, .msADPCM), (.wave64, .imaADPCM), (.wave64, .msADPCM):
      found = (number(0x666D_7420, 12, 2), number(0x666D_7420, 18, 2))
    case (.caf, .imaADPCM): found = (number(0x6465_7363, 16, 4), number(0x6465_7363, 20, 4))
    default: return nil
    }
    return found.bytes > 0 && found.frames > 0 ? found : nil
  }

  /// Frames of sound as a `fact` chunk has them, the long sizes of RF64, or the packet table of CAF; nil where none are
  /// stated.
  func statedFrames(_ storage: any ByteStorage) -> Int64? {
    func number(_ at: Int64, _ count: Int) -> Int64? {
      guard let field = storage.bytes(at: at, count: count) else { return nil }
      return isBigEndian ? field.bigEndianValue : field.reversed().bigEndianValue
    }
    if kind == .caf {
      return first(0x7061_6B74).flatMap {
        number($0.contentOffset + 16, 4) == 0 ? number($0.contentOffset + 8, 8) : nil
      }
    }
    let fact = first(0x6661_6374)
    let short = fact.flatMap { number($0.contentOffset, kind == .wave64 && $0.contentBytes >= 8 ? 8 : 4) }
    guard kind == .rf64 || kind == .bw64, short == nil || short == 0xFFFF_FFFF else {
      // libsndfile leaves any number in Wave64 with Microsoft's ADPCM.
      return short == 0xFFFF_FFFF || short.map { $0 >= 1 << 48 } ?? false ? nil : short
    }
    return first(Self.ds64).flatMap { number($0.contentOffset + 16, 8) }
  }
}

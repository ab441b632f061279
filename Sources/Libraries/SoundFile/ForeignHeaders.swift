// Headers that are right, and that libsndfile does not take, or takes for another format. It is given what it takes:
// other fields, or the coded stream without its container.

import AudioCore

extension ContainerLayout {
  /// Fields as libsndfile understands them, each with its place.
  func rewordings(_ storage: any ByteStorage) -> [(offset: Int64, bytes: [UInt8])] {
    switch kind {
    case .wave64:
      // It takes every extensible header of Wave64 for one of integers.
      guard let header = extensibleHeader(storage),
        let name = storage.bytes(at: header.contentOffset + 24, count: 16), Array(name[2...]) == Self.formatTail
      else { return [] }
      return [(header.contentOffset, Array(name[..<2]))]
    case .caf:
      // The bits of Apple Lossless stand in its cookie; FFmpeg does not repeat them as flags of the format.
      guard let format = first(0x6465_7363), let head = storage.bytes(at: format.contentOffset + 8, count: 8),
        head.elementsEqual(Array("alac".utf8) + [0, 0, 0, 0]), let flag = losslessFlag(storage)
      else { return [] }
      return [(format.contentOffset + 12, [0, 0, 0, flag])]
    default: return []
    }
  }

  /// `kAppleLosslessFormatFlag_16BitSourceData` to `…_32BitSourceData`, by the cookie.
  private func losslessFlag(_ storage: any ByteStorage) -> UInt8? {
    guard let cookie = first(0x6B75_6B69), var bytes = storage.bytes(at: cookie.contentOffset, count: 10) else {
      return nil
    }
    // Older cookies have two atoms of twelve bytes in front.
    if bytes[4..<8].elementsEqual("frma".utf8) {
      guard let inner = storage.bytes(at: cookie.contentOffset + 24, count: 10) else { return nil }
      bytes = inner
    }
    let flags: [UInt8: UInt8] = [16: 1, 20: 2, 24: 3, 32: 4]
    return flags[bytes[5]]
  }

  /// True where the sound is an MPEG stream, whose headers say all that there is to know of it.
  func holdsMPEG(_ storage: any ByteStorage) -> Bool {
    switch kind {
    case .wave, .rf64, .bw64, .wave64:
      guard let header = first(0x666D_7420), let code = storage.bytes(at: header.contentOffset, count: 2) else {
        return false
      }
      // WAVE_FORMAT_MPEG and WAVE_FORMAT_MPEGLAYER3.
      return [0x50, 0x55].contains(isBigEndian ? code.bigEndianValue : code.reversed().bigEndianValue)
    case .caf:
      guard let format = first(0x6465_7363), let name = storage.bytes(at: format.contentOffset + 8, count: 4) else {
        return false
      }
      return [".mp1", ".mp2", ".mp3"].contains(String(decoding: name, as: UTF8.self))
    case .aiff, .aifc, .au: return false
    }
  }
}

extension OpenedSound {
  /// Opens an MPEG stream in another container: libsndfile guesses its length by a size, or refuses it.
  /// - Returns: the sound, and the file as its decoder reads it.
  static func mpeg(
    in extent: SoundExtent, _ body: SoundBody, path: String, allowTruncated: Bool
  ) throws(BenchError) -> (sound: OpenedSound, io: SoundFileIO) {
    if case .cutOff(let missing) = extent.finding, !allowTruncated {
      throw BenchError(
        .input, at: path, "the file ends \(missing) bytes before its header says",
        advice: SoundFileReader.truncationAdvice)
    }
    let start = extent.layout.dataOffset
    let stream = SoundBody(StoragePart(body.storage, from: start, to: start.addingOrMax(extent.dataBytes)))
    let length = MPEGLength(stream)
    let io = SoundFileIO(length?.mended(stream.storage) ?? stream.storage)
    let opened = try OpenedSound(
      io, stream, extent: nil, mpeg: length, path: path, allowTruncated: allowTruncated)
    guard opened.info.encoding?.isMPEG ?? false else { throw SoundFileReader.refusal(path, io: io, extent) }
    let container = extent.layout.kind.container
    let info = SoundFileInfo(
      path: path, frameCount: opened.info.frameCount, sampleRate: opened.info.sampleRate,
      channelCount: opened.info.channelCount, container: container, encoding: opened.info.encoding,
      containerName: sndfileName(of: container.majorFormat), encodingName: opened.info.encodingName,
      isSeekable: opened.info.isSeekable, metadata: opened.info.metadata, promisedFrames: opened.info.promisedFrames,
      remarks: [body.strayRemark].compactMap { $0 } + opened.info.remarks, layout: opened.info.layout)
    return (OpenedSound(decoder: opened.decoder, info: info), io)
  }
}

extension SoundFileEncoding {
  /// True for the three layers of MPEG audio.
  var isMPEG: Bool { self == .mp1 || self == .mp2 || self == .mp3 }
}

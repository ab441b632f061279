// Opening a FLAC file: what its header says of the sound, beside what its frames are.

import AudioCore
import CSndfile

extension OpenedSound {
  /// True for a file that libFLAC decodes: one that begins with its mark.
  static func isFLAC(_ body: SoundBody) -> Bool {
    body.storage.bytes(at: 0, count: 4)?.elementsEqual("fLaC".utf8) ?? false || isOggFLAC(body)
  }

  /// True for FLAC in Ogg pages: its first packet begins behind a header of one segment.
  private static func isOggFLAC(_ body: SoundBody) -> Bool {
    guard let start = body.storage.bytes(at: 0, count: 33), start.starts(with: "OggS".utf8) else { return false }
    return start[28] == 0x7F && start[29...].elementsEqual("FLAC".utf8)
  }

  init(flac io: SoundFileIO, _ body: SoundBody, path: String, allowTruncated: Bool) throws(BenchError) {
    io.limitReading()
    let isOgg = Self.isOggFLAC(body)
    guard let flac = FLACDecoder(io, isOgg: isOgg) else {
      throw BenchError(.input, at: path, "libFLAC has no memory for it")
    }
    guard !io.hasGivenUp, let found = flac.found else {
      if flac.stated != nil, !io.hasGivenUp, io.errorNumber == 0 {
        throw BenchError(
          .input, at: path, "has no frame of sound that can be decoded\(flac.damage.map { ": \($0)" } ?? "")",
          advice: "copy it again, or look at it with \"flac --test\"")
      }
      throw SoundFileReader.refusal(path, io: io, nil)
    }
    io.liftBudget()
    var remarks = [body.strayRemark].compactMap { $0 }
    if let stated = flac.stated, stated != found {
      remarks.append("its header says \(stated.words), and its frames have \(found.words): these are read")
    } else if flac.stated == nil {
      remarks.append("its header has no STREAMINFO; its frames have \(found.words)")
    }

    let stated = Int64(clamping: flac.statedFrames)
    var frames = stated
    var promised: Int64?
    let end =
      isOgg
      ? OggEnding(body.storage)?.lastPosition
      : FLACTail.endFrame(body.storage, end: body.end, blockFrames: flac.firstBlock)
    let tail = end.map { $0 - flac.origin }
    if let tail, tail > 0 { frames = tail }
    if tail == nil || stated != 0 && tail != stated {
      frames = flac.countFrames()
      let damage = flac.damage.map { "\($0), at frame \(frames)" }
      guard flac.rewind() else { throw BenchError(.input, at: path, "cannot be read a second time") }
      if frames < stated || damage != nil {
        let words = damage ?? "the file ends at frame \(frames), where its header promises \(stated) frames"
        guard allowTruncated else {
          throw BenchError(.input, at: path, words, advice: SoundFileReader.truncationAdvice)
        }
        remarks.append(words)
        promised = stated > frames ? stated : nil
      } else if stated > 0, frames > stated {
        remarks.append("its header says \(NumberText.count(stated, "frame")), and \(frames) are there: all are read")
      }
    }
    try SoundFileReader.checkHeader(
      SF_INFO(
        frames: sf_count_t(frames), samplerate: Int32(clamping: found.sampleRate),
        channels: Int32(clamping: found.channelCount), format: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16), sections: 1,
        seekable: 1), path: path)
    let layout = StatedLayout(flacComments: flac.comments, channelCount: Int(found.channelCount))
    if let remark = layout.remark { remarks.append(remark) }
    let bits = Int(found.bits)
    let container = isOgg ? SoundFileContainer.ogg : .flac
    let encoding: SoundFileEncoding = bits <= 8 ? .pcmS8 : bits <= 16 ? .pcm16 : bits <= 24 ? .pcm24 : .pcm32
    info = SoundFileInfo(
      path: path, frameCount: frames, sampleRate: Double(found.sampleRate), channelCount: Int(found.channelCount),
      container: container, encoding: encoding, containerName: sndfileName(of: container.majorFormat),
      encodingName: isOgg ? "FLAC, \(bits) bit PCM" : "Signed \(bits) bit PCM", isSeekable: true,
      metadata: SoundFileMetadata(comments: flac.comments),
      promisedFrames: promised, remarks: remarks, exactBits: bits == encoding.bits ? nil : bits, layout: layout.layout)
    decoder = flac
  }
}

extension SoundFileMetadata {
  /// Those of Vorbis comments, each `NAME=text`, that have a field here.
  init(comments: [String]) {
    values = [:]
    for comment in comments {
      guard let sign = comment.utf8.firstIndex(of: UInt8(ascii: "=")),
        let field = Field(rawValue: comment[..<sign].lowercased())
      else { continue }
      let text = String(comment[sign...].dropFirst())
      if !text.isEmpty, values[field] == nil { values[field] = text }
    }
  }
}

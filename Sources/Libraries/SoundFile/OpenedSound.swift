// A sound file as it is opened: the decoder of its frames, its facts, and how its header's lengths compare with what is
// there. The rules are those of docs/files.md.

import AudioCore
import CSndfile

/// A file whose sound can be read from its beginning.
struct OpenedSound {
  let decoder: any FrameDecoder
  let info: SoundFileInfo
  /// The encoding of samples that lie in the file as they are; nil for everything coded.
  var plainEncoding: SampleEncoding?
  /// The bytes of the sound; nil for containers that are not taken apart here.
  var extent: SoundExtent?
}

extension OpenedSound {
  /// Opens what libsndfile reads.
  init(
    _ io: SoundFileIO, _ body: SoundBody, extent: SoundExtent?, mpeg: MPEGLength? = nil, path: String,
    allowTruncated: Bool
  ) throws(BenchError) {
    let (handle, raw) = try SoundFileReader.open(io, extent: extent, path: path)
    let channels = Int(raw.channels)
    let container = SoundFileContainer(majorFormat: raw.format & Int32(SF_FORMAT_TYPEMASK))
    let encoding = SoundFileEncoding(subtype: raw.format & Int32(SF_FORMAT_SUBMASK))
    let plain = SoundFileReader.plainSample(of: handle, container, encoding)
    let coded = SndfileDecoder(
      io, handle, channelCount: channels,
      jumps: raw.seekable != 0 && !SoundFileReader.seeksInexactly(encoding))
    let metadata = SoundFileMetadata(handle: handle)

    var length = SoundLength(
      extent, frames: raw.frames, encoding: encoding, bytesPerFrame: plain.map { channels * $0.containerBytes },
      storage: body.storage)
    if container == .voc, let sound = VoiceFile.soundBytes(body.storage), sound.isWrong {
      length.frames = min(length.frames, sound.size / Int64(channels))
    }
    if container == .ogg || container == .opus, let remark = OggEnding(body.storage)?.remark {
      (length.isCut, length.remark) = (true, remark)
    } else if container == .mp3, let mpeg {
      (length.isCut, length.remark) = (mpeg.isCut, mpeg.remark)
    }
    if !allowTruncated, let cut = length.cutError(path) { throw cut }
    let isGuessed = container == .mp3 && mpeg == nil
    if length.frames == Int64.max || isGuessed {
      // libsndfile stops at its guess even where more follows: a file taken for longer is guessed longer than it is.
      if isGuessed { io.pretendLength(factor: 64) }
      guard let counted = coded.countFrames() else {
        throw BenchError(.input, at: path, "the file cannot be opened a second time: \(sndfileMessage(nil))")
      }
      length.frames = counted
    }
    var remarks = length.remark.map { [$0] } ?? []
    if let stray = body.strayRemark { remarks.insert(stray, at: 0) }
    let stated = StatedLayout(body.storage, extent?.layout, channelCount: channels, encoding: encoding)
    if let remark = stated.remark { remarks.append(remark) }
    info = SoundFileInfo(
      path: path, frameCount: length.frames, sampleRate: Double(raw.samplerate), channelCount: channels,
      container: container, encoding: encoding, containerName: sndfileName(of: raw.format & Int32(SF_FORMAT_TYPEMASK)),
      encodingName: sndfileName(of: raw.format & Int32(SF_FORMAT_SUBMASK)), isSeekable: raw.seekable != 0,
      metadata: metadata, promisedFrames: length.promisedFrames, remarks: remarks,
      layout: stated.layout)
    if let plain, let extent {
      decoder = PlainDecoder(
        io, dataOffset: extent.layout.dataOffset, frameCount: length.frames, encoding: plain, channelCount: channels)
      plainEncoding = plain
    } else {
      decoder = coded
    }
    self.extent = extent
  }
}

extension SoundBody {
  /// The words about bytes in front of the header that belong to nothing.
  var strayRemark: String? {
    strayBytes == 0
      ? nil : "\(NumberText.count(strayBytes, "byte")) in front of its header belong to nothing and are left out"
  }
}

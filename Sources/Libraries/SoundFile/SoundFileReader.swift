// Reads sound files into planes. Opens, allocates and fails before the first frame; a read allocates nothing.
// Plain PCM comes as raw blocks through PCMCodec (faster than libsndfile's own conversion, and the same values);
// everything else through libsndfile's decoders.

import AudioCore
import CSndfile
import DSPKernels
import Glibc
import PacketFiles

/// A sound file being read from its beginning, or from wherever ``seek(toFrame:)`` put it. One thread at a time.
public final class SoundFileReader: @unchecked Sendable {
  /// The facts that were found when the file was opened.
  public let info: SoundFileInfo
  /// The frame that the next read begins with.
  public private(set) var position: Int64 = 0
  /// The treatment of samples that are NaN or infinite; nil: they are not counted, and are passed on. Set before the
  /// first read.
  public var nonFinitePolicy: NonFinitePolicy?
  /// Those that have been read so far, each once; none while ``nonFinitePolicy`` is nil. With `.error` those of the
  /// whole file, from the first one on, when a read has failed.
  public internal(set) var nonFiniteSamples = NonFiniteSamples()
  /// Frames whose samples have been counted.
  var nonFiniteFramesSeen: Range<Int64> = 0..<0
  /// The error of every read after one that met such samples, until a ``seek(toFrame:)``.
  private var refusal: (error: BenchError, frame: Int64)?
  /// The first frame that could not be read for such samples: those in front of it lie in the planes.
  package var refusedFrame: Int64? { refusal?.frame }

  private let io: SoundFileIO
  private let decoder: any FrameDecoder
  private let allowTruncated: Bool
  /// The encoding of samples that lie in the file as they are; nil for everything coded.
  package let plainEncoding: SampleEncoding?
  /// The file without what lies in front of its header; ``layout`` and the places of its packets are counted in it.
  package let storage: any ByteStorage
  /// The chunks of the file and the place of its sound; nil for containers that are not taken apart here.
  package let layout: ContainerLayout?
  /// Bytes of sound, by `layout`.
  package let dataBytes: Int64
  /// The file in packets, where libsndfile does not know the container and is given another one; nil: it reads the file.
  package let packetFile: PacketFile?
  /// The codec of such a file by Core Audio's four characters, and the frames of its packets.
  package var packetCodec: (id: UInt32, framesPerPacket: UInt32)? {
    packetFile?.tracks.first.map { ($0.format.id, $0.format.framesPerPacket) }
  }
  /// The error of the storage in a read or in opening.
  package var storageError: StorageError? { io.failure }
  private let canBeNonFinite: Bool
  private let block: UnsafeMutableRawPointer
  private let blockFrames: Int

  /// Opens `path` and compares what its header says with what is there; ``SoundFileInfo/remarks`` say what differs.
  /// - Parameter allowTruncated: take a file that ends before its header says for what is left of it.
  /// - Throws: `.input` for a file that is missing, not a file, not readable, empty, damaged, cut off or of unknown
  ///   kind.
  public convenience init(path: String, allowTruncated: Bool = false) throws(BenchError) {
    let (descriptor, _) = try Self.openDescriptor(path)
    try self.init(storage: DescriptorStorage(owning: descriptor), name: path, allowTruncated: allowTruncated)
  }

  /// As ``init(path:allowTruncated:)``, from bytes that may lie anywhere.
  /// - Parameters:
  ///   - path: the name in messages.
  ///   - track: the track of sound that is read, of a file that may have several.
  package init(
    storage: any ByteStorage, name path: String, allowTruncated: Bool = false, track: Int = 0
  ) throws(BenchError) {
    let examined = ExaminedStorage(storage)
    packetFile = RewrappedSound.packetFile(examined)
    if let packetFile {
      let rewrapped: RewrappedSound
      do throws(BenchError) {
        rewrapped = try RewrappedSound(
          examined, packetFile, track: track, path: path, allowTruncated: allowTruncated)
      } catch { throw examined.refusal(path) ?? error }
      if let refusal = examined.refusal(path) { throw refusal }
      (self.storage, self.allowTruncated, io, decoder) = (
        storage, allowTruncated, rewrapped.io, rewrapped.sound.decoder
      )
      (info, plainEncoding, layout, dataBytes) = (rewrapped.sound.info, rewrapped.sound.plainEncoding, nil, 0)
      canBeNonFinite = Self.canBeNonFinite(info.encoding)
      (block, blockFrames) = Self.makeBlock(
        channelCount: info.channelCount, isPlain: rewrapped.sound.plainEncoding != nil)
      return
    }
    let body = SoundBody(examined)
    let extent = SoundExtent(body)
    let mpeg = extent == nil ? MPEGLength(body) : nil
    let opened: OpenedSound
    do throws(BenchError) {
      if let extent, extent.layout.holdsMPEG(body.storage) {
        let found = try OpenedSound.mpeg(in: extent, body, path: path, allowTruncated: allowTruncated)
        (opened, io) = (found.sound, found.io)
      } else {
        let joined = extent == nil ? try VoiceFile.joined(body.storage, path) : nil
        io = SoundFileIO(extent?.mended(body.storage) ?? mpeg?.mended(body.storage) ?? joined ?? body.storage)
        opened = try Self.open(io, body, extent, mpeg, path: path, allowTruncated: allowTruncated)
      }
    } catch { throw examined.refusal(path) ?? ForeignCodec.refusal(body.storage, path) ?? error }
    if let refusal = examined.refusal(path) { throw refusal }
    self.storage = body.storage === examined ? storage : body.storage
    self.allowTruncated = allowTruncated
    decoder = opened.decoder
    info = opened.info
    plainEncoding = opened.plainEncoding
    layout = extent?.layout
    dataBytes = extent?.dataBytes ?? 0
    canBeNonFinite = Self.canBeNonFinite(opened.info.encoding)
    (block, blockFrames) = Self.makeBlock(
      channelCount: opened.info.channelCount, isPlain: opened.plainEncoding != nil)
  }

  /// Memory for one piece of the file.
  private static func makeBlock(channelCount: Int, isPlain: Bool) -> (UnsafeMutableRawPointer, frames: Int) {
    let bytesPerFrame = channelCount * 8
    // Plain samples are read faster in long pieces. In a damaged coded file the piece in which libsndfile finds the
    // damage is lost.
    let longest = isPlain ? max(4_096, 32_768 / channelCount) : 4_096
    let frames = max(256, min(longest, (4 << 20) / bytesPerFrame))
    return (.allocate(byteCount: frames * bytesPerFrame, alignment: 64), frames)
  }

  /// Opens what is no MPEG stream in another container.
  private static func open(
    _ io: SoundFileIO, _ body: SoundBody, _ extent: SoundExtent?, _ mpeg: MPEGLength?, path: String,
    allowTruncated: Bool
  ) throws(BenchError) -> OpenedSound {
    let links = OggLinks.ranges(body.storage) ?? []
    if links.count < 2, OpenedSound.isFLAC(body) {
      return try OpenedSound(flac: io, body, path: path, allowTruncated: allowTruncated)
    }
    if links.count > 1 { return try OpenedSound(chain: links, body, path: path, allowTruncated: allowTruncated) }
    return try OpenedSound(io, body, extent: extent, mpeg: mpeg, path: path, allowTruncated: allowTruncated)
  }

  deinit { block.deallocate() }

  /// Reads up to `frames` frames to `planes`, from frame `offset` of each plane on.
  ///
  /// To Float the values are those of libsndfile's `sf_readf_float`: integers ÷ full scale. Double is exact for 32-bit
  /// integers and float64 too.
  /// - Returns: `frames`, or what is left before the end of the file; 0 at the end.
  /// - Throws: `.input` where the file ends before its header says (unless allowed), the system fails, or a sample is
  ///   not finite and ``nonFinitePolicy`` is `.error`.
  public func read<Sample: PlaneSample>(
    into planes: Planes<Sample>, offset: Int = 0, frames: Int
  ) throws(BenchError) -> Int {
    if let refusal { throw refusal.error }
    let wanted = Int(clamping: min(Int64(max(0, frames)), info.frameCount - position))
    var done = 0
    while done < wanted {
      let (got, encoding) = decoder.fetch(
        min(blockFrames, wanted - done), into: block, wide: Sample.self == Double.self)
      if got == 0 {
        try endEarly()
        break
      }
      PCMCodec.decodeInterleaved(
        block, as: encoding, channelCount: info.channelCount, frames: got, into: planes, offset: offset + done)
      if canBeNonFinite, let nonFinitePolicy {
        let found = noteNonFinite(planes, offset: offset + done, frames: got, first: position, nonFinitePolicy)
        if nonFinitePolicy == .error, !found.isEmpty {
          position += Int64(got)
          countNonFiniteRest(of: Sample.self)
          let error = nonFiniteRefusal(found, isWide: Sample.self == Double.self)
          refusal = (error, found.firstFrame)
          throw error
        }
      }
      done += got
      position += Int64(got)
    }
    return done
  }

  /// Reads on to the end of the file, so that the error that follows can say how many there are.
  private func countNonFiniteRest<Sample: PlaneSample>(of type: Sample.Type) {
    let samples = FlatMemory<Sample>(unwritten: blockFrames)
    let plane = samples.all
    while position < info.frameCount {
      let (got, encoding) = decoder.fetch(
        Int(min(Int64(blockFrames), info.frameCount - position)), into: block, wide: Sample.self == Double.self)
      guard got > 0 else { return }
      let bytes = encoding.containerBytes
      for channel in 0..<info.channelCount {
        PCMCodec.decode(
          block + channel * bytes, as: encoding, stride: bytes * info.channelCount, frames: got, into: plane)
        _ = noteNonFinite(plane, channel: channel, frames: got, first: position)
      }
      noteSeen(position..<position + Int64(got))
      position += Int64(got)
    }
  }

  /// Makes frame `frame` the next to be read, exactly, in every kind of file.
  ///
  /// Vorbis, Opus and MP3 are decoded up to it (from the beginning, to go back), which takes time and memory for
  /// none but one block.
  /// - Throws: `.input` where there is no such frame, or the file cannot be decoded that far.
  public func seek(toFrame frame: Int64) throws(BenchError) {
    guard (0...info.frameCount).contains(frame) else {
      throw BenchError(.input, at: info.path, "there is no frame \(frame); the file has \(info.frameCount)")
    }
    refusal = nil
    if frame == position { return }
    if decoder.jumps, decoder.jump(to: frame) {
      position = frame
      return
    }
    if frame < position || decoder.jumps {
      guard decoder.rewind() else {
        throw BenchError(.input, at: info.path, "cannot be opened a second time: \(sndfileMessage(nil))")
      }
      position = 0
    }
    while position < frame {
      let got = decoder.fetch(Int(min(Int64(blockFrames), frame - position)), into: block, wide: false).frames
      if got == 0 { return try endEarly() }
      position += Int64(got)
    }
  }

  /// Called where no more frames come although the header promises some.
  private func endEarly() throws(BenchError) {
    if io.errorNumber != 0 {
      throw BenchError(.input, at: info.path, "cannot be read: \(systemMessage(io.errorNumber))")
    }
    if allowTruncated { return }
    if let damage = decoder.damage {
      throw BenchError(.input, at: info.path, "\(damage), at frame \(position)", advice: Self.truncationAdvice)
    }
    throw BenchError(
      .input, at: info.path,
      "the file ends at frame \(position), where its header promises \(info.frameCount) frames",
      advice: Self.truncationAdvice)
  }

  /// Behind every error about a file that was cut off. Who has another way to allow it, as a key of a job, says that in
  /// its place.
  package static let truncationAdvice =
    "copy or render it again; \"aubench convert --allow-truncated\" keeps what is left of it"
}

// The object behind an AudioFileID: the bytes of a file, the place of its sound in them, and its packets. Any thread;
// one call at a time (`withLock`). Decoding is not done here but by the readers that `makeReader` gives.

import AudioCore
import CAudioToolbox
import PacketFiles
import SoundFile
import Transcripts

final class AudioFileObject: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .audioFile }

  /// The name of the file in a transcript of calls.
  let callSubject = CallRecorder.shared?.makeSubject("file")
  /// Nil for a file behind callbacks.
  let path: String?
  let storage: any ByteStorage
  let type: AudioFileType
  let canRead: Bool
  let canWrite: Bool
  /// The file in packets, where it is read so; nil where libsndfile knows the container.
  let packetFile: PacketFile?
  /// The track of ``packetFile`` that all calls are about.
  private(set) var trackIndex = 0
  /// That track; nil without ``packetFile``.
  var track: PacketTrack? {
    packetFile.flatMap { $0.tracks.indices.contains(trackIndex) ? $0.tracks[trackIndex] : nil }
  }
  /// The format of the file's own packets. A coded file that is created may leave its rate to the client's format: 0
  /// till then.
  private(set) var dataFormat: AudioStreamBasicDescription
  /// Texts such as the title.
  let metadata: SoundFileMetadata
  /// Bits of a sample before coding, negative for floats; nil for codecs that have none.
  private(set) var sourceBitDepth: Int32?

  /// The chunks of containers that have them.
  var layout: ContainerLayout?
  /// The offset of the first packet.
  var dataOffset: Int64
  /// Bytes of packets.
  var dataBytes: Int64
  /// Frames that decoding gives.
  private(set) var codedFrames: Int64
  var packets: PacketMap
  /// Writes coded files, for the extended interface only.
  private(set) var encoder: SoundFileEncoder?

  /// True when the header's sizes wait for the next reader, optimization or the close; else each write that makes the
  /// file longer brings them up to date, so that it is whole whenever its writer dies.
  var defersSizeUpdates = false
  var sizesAreStale = false
  var reserveDuration = 0.0
  /// The layout that a coded file says.
  private(set) var codedLayout: ChannelLayout?
  /// A layout that the program has set and that the file cannot say.
  var statedLayout: ChannelLayoutData?
  /// The reader that the opening made, for the first call that needs one.
  private var firstReader: SoundFileReader?
  /// A client's callback may ask about the file that it is called for.
  let lock = RecursiveLock()

  /// - Parameters:
  ///   - texts: those of a file without a reader.
  ///   - speakers: the layout that its codec has.
  init(
    storage: any ByteStorage, path: String?, type: AudioFileType, canRead: Bool, canWrite: Bool,
    shape: Shape, layout: ContainerLayout?, reader: SoundFileReader?, packetFile: PacketFile? = nil,
    texts: SoundFileMetadata? = nil, speakers: ChannelLayout? = nil
  ) {
    self.storage = storage
    self.path = path
    self.type = type
    self.canRead = canRead
    self.canWrite = canWrite
    self.layout = layout
    dataFormat = shape.format
    dataOffset = shape.dataOffset
    dataBytes = shape.dataBytes
    packets = shape.packets
    sourceBitDepth = shape.sourceBitDepth
    self.packetFile = packetFile
    metadata = reader?.info.metadata ?? texts ?? SoundFileMetadata(named: packetFile?.texts ?? [])
    codedLayout = reader?.info.layout ?? speakers
    codedFrames = reader?.info.frameCount ?? packetFile?.tracks.first?.frameCount ?? 0
    firstReader = canWrite ? nil : reader
  }

  func withLock<R>(_ body: () -> R) -> R { lock.withLock(body) }

  /// Frames of sound at the file's rate.
  var frameCount: Int64 {
    if let encoder { return encoder.framesWritten }
    if case .fixed(let bytes, 1) = packets { return dataBytes / bytes }
    return codedFrames
  }

  /// Hertz.
  var sampleRate: Double { dataFormat.mSampleRate }
  var channelCount: Int { Int(dataFormat.mChannelsPerFrame) }

  /// The samples as they lie in the file; nil for everything coded.
  var plainFormat: StreamFormat? {
    dataFormat.mFormatID == kAudioFormatLinearPCM ? StreamFormat(dataFormat) : nil
  }

  /// A reader of the file's sound from its beginning, of its own and for one thread at a time.
  ///
  /// It stays good after AudioFileClose for a file on disk; behind callbacks it then fails.
  /// - Throws: `.input` where the file can no longer be read, or is being coded.
  func makeReader() throws(BenchError) -> SoundFileReader {
    if let reader = firstReader, !canWrite {
      firstReader = nil
      return reader
    }
    guard encoder == nil else { throw BenchError(.input, at: name, "is still being written") }
    do { try flush() } catch {
      throw BenchError(.input, at: name, "its header cannot be written: \(error)")
    }
    return try SoundFileReader(storage: storage, name: name, track: trackIndex)
  }

  /// Makes another track of the file the one that all calls are about.
  /// - Throws: -50 where there is no such track.
  func useTrack(_ index: UInt32) throws(AudioStatus) {
    guard index < (packetFile?.tracks.count ?? 1) else { throw .parameterError }
    guard let packetFile, Int(index) != trackIndex else { return }
    trackIndex = Int(index)
    let track = packetFile.tracks[trackIndex]
    let shape = Self.shape(track, type: type.id)
    (dataFormat, dataOffset, dataBytes, packets) = (shape.format, shape.dataOffset, shape.dataBytes, shape.packets)
    (sourceBitDepth, codedFrames, codedLayout) = (shape.sourceBitDepth, track.frameCount, nil)
    firstReader = nil
  }

  /// The name of the file in messages.
  var name: String { path ?? "the file behind the callbacks" }

  /// Writes the header's sizes where they are behind the sound.
  func flush() throws(AudioStatus) {
    guard sizesAreStale, let layout, case .fixed(let bytes, _) = packets else { return }
    let fits = try stored { () throws(StorageError) -> Bool in
      try PlainFileHeader.setSizes(storage, layout: layout, dataBytes: dataBytes, bytesPerFrame: bytes)
    }
    guard fits else { throw .fileTooLarge }
    sizesAreStale = false
  }

  /// The sound has another length than the header says: the header is updated now or later.
  func sizesChanged() throws(AudioStatus) {
    sizesAreStale = true
    if !defersSizeUpdates { try flush() }
  }

  /// Ends all writing and lets go of the client's callbacks.
  func close() throws(AudioStatus) {
    defer { (((storage as? StoragePart)?.base ?? storage) as? CallbackStorage)?.close() }
    if let encoder {
      guard encoder.finish() else { throw encoder.storageError.map(AudioStatus.init) ?? .fileUnspecified }
      // libsndfile gives the container its older name.
      if type.id == kAudioFileBW64Type { try stored(try storage.write(Array("BW64".utf8), at: 0)) }
    }
    try flush()
  }

  /// Takes over the client's rate, where the file was created without one.
  func setSampleRate(_ rate: Double) {
    if dataFormat.mSampleRate == 0 { dataFormat.mSampleRate = rate }
  }

  /// Gives the file to a coder: samples instead of packets are written from now on.
  /// - Throws: 'op??' where packets have been written already, 'fmt?' where the coder refuses.
  func beginCoding() throws(AudioStatus) {
    guard encoder == nil else { return }
    guard canWrite, dataBytes == 0, let container = type.container else { throw .fileOperationUnsupported }
    let format: SoundFileFormat
    switch try type.coding(dataFormat) {
    case .coded(let coded): format = coded
    case .plain(_, let encoding, _): format = SoundFileFormat(container: container, encoding: encoding)
    }
    do {
      encoder = try SoundFileEncoder(
        storage, name: name, format: format, sampleRate: sampleRate, channelCount: channelCount)
    } catch {
      throw error.kind == .usage ? .fileFormatUnsupported : .fileUnspecified
    }
    sizesAreStale = false
  }
}

/// The places of a file's packets.
enum PacketMap {
  /// One behind the other, each of so many bytes and frames.
  case fixed(bytes: Int64, frames: Int64)
  /// Each where the file's table, or the scan of its frames, says.
  case table(PacketTable)
  /// Each where a track of ``AudioFileObject/packetFile`` has it.
  case places(PacketPlaces)
  /// To be found by a scan, when it is first read.
  case unscanned(framesPerPacket: Int64)
  /// Not to be had: the container is not taken apart here.
  case unknown
}

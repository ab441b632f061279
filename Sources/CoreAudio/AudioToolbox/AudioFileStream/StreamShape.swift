// The file that a stream's header describes: its answers, and how its sound is divided into packets.

import AudioCore
import CAudioToolbox
import PacketFiles
import SoundFile

/// A stream whose header is read.
struct StreamShape {
  /// The file as the file reader opens it: it answers most properties.
  let file: AudioFileObject
  /// The place in the stream of ``AudioFileObject/dataOffset``.
  private(set) var dataOffset: Int64
  private(set) var framer: any StreamFramer
  /// Bytes of sound and packets; nil where the header does not say them.
  private(set) var byteCount: Int64?
  private(set) var packetCount: Int64?
  /// Bytes of the largest packet; nil where the header does not say it.
  private(set) var largestPacket: UInt32?
  /// Bytes that no packet exceeds.
  private(set) var packetBound: UInt32
  /// Bytes of a packet in the mean; nil where the header does not say it.
  private(set) var meanPacketBytes: Double?
  /// Frames in front of the sound and behind it; nil where the header does not say them.
  private(set) var trim: AudioFilePacketTableInfo?
  /// Bits a second; nil where the header does not say it.
  private(set) var bitRate: UInt32?
  /// Seconds; nil where the header does not say it.
  private(set) var duration: Double?

  /// WAVE and its relatives, AIFF, CAF and AU.
  /// - Parameter start: the place of the file in the stream, behind tags.
  init(chunks layout: ContainerLayout, _ bytes: StreamBytes, start: Int64) throws(AudioStatus) {
    let describing: UInt32? =
      switch layout.kind {
      case .wave, .rf64, .bw64, .wave64: ChunkID.format
      case .aiff, .aifc: ChunkID.common
      case .caf: ChunkID.description
      case .au: nil
      }
    if let describing, layout.chunks(describing).isEmpty { throw .fileNotOptimized }
    // The table may come behind the sound.
    let isWithoutTable = layout.kind == .caf && layout.chunks(ChunkID.packetTable).isEmpty
    if isWithoutTable, let description = layout.chunks(ChunkID.description).first,
      let fields = bytes.bytes(at: start + description.contentOffset + 16, count: 4), fields.allSatisfy({ $0 == 0 })
    {
      throw .fileNotOptimized
    }
    let sound = start.addingOrMax(layout.dataOffset)
    // A length of nothing is what programs write that do not know it yet.
    let stated = layout.statedBytes.flatMap { $0 > 0 && $0 < StreamBytes.unknownLength ? $0 : nil }
    bytes.soundOffset = sound
    bytes.length = stated.map { sound + $0 } ?? StreamBytes.unknownLength
    file = try Self.open(layout, bytes, start: start)
    dataOffset = start + file.dataOffset
    packetBound = file.largestPacket(scans: false)
    let isWhole = stated != nil
    switch file.packets {
    case .fixed(let size, _):
      guard size > 0, size <= PlacedFramer.mostPacketBytes else { throw .fileInvalid }
      framer = FixedFramer(packetBytes: Int(size), start: dataOffset, end: isWhole ? dataOffset + file.dataBytes : nil)
    case .table(let table):
      framer = PlacedFramer { index in
        guard index >= 0, index < table.count else { return nil }
        return (start + table.offsets[Int(index)], Int64(table.sizes[Int(index)]), 0)
      }
    case .places(let places):
      guard places.packetBytes <= PlacedFramer.mostPacketBytes else { throw .fileInvalid }
      guard places.count > 0 || places.packetBytes > 0 else {
        throw isWithoutTable ? .fileNotOptimized : .fileFormatUnsupported
      }
      if places.packetBytes > 0 {
        framer = FixedFramer(
          packetBytes: Int(places.packetBytes), start: dataOffset, end: isWhole ? dataOffset + file.dataBytes : nil)
      } else {
        framer = Self.placed(places, file, start: start)
      }
    case .unknown where isWithoutTable: throw .fileNotOptimized
    case .unscanned, .unknown: throw .fileFormatUnsupported
    }
    guard isWhole else { return }
    byteCount = file.dataBytes
    packetCount = file.packetCount
    largestPacket = file.largestPacket(scans: true)
    complete()
  }

  /// MPEG-4 with the movie in front of the sound.
  init(mpeg4 bytes: StreamBytes) throws(AudioStatus) {
    guard let packets = PacketFile(bytes) else { throw .fileInvalid }
    file = try AudioFileObject.packets(of: packets, bytes, path: nil, permissions: 1, reader: nil)
    guard let places = packets.tracks.first?.places, places.count > 0 else { throw .fileNotOptimized }
    dataOffset = file.dataOffset
    framer = Self.placed(places, file, start: 0)
    byteCount = places.byteCount
    packetCount = places.count
    largestPacket = places.largest
    packetBound = places.largest
    complete()
  }

  /// Frames of AAC, AC-3 or AMR.
  init(raw stream: RawStream, _ bytes: StreamBytes) throws(AudioStatus) {
    var track = stream.track
    track.dataOffset = stream.start
    file = try AudioFileObject.packets(
      of: PacketFile(stream.container, [track]), bytes, path: nil, permissions: 1, reader: nil)
    dataOffset = stream.start
    framer = FrameFramer(.raw(stream), start: stream.start)
    packetBound = stream.largestPacket
  }

  /// MPEG audio.
  /// - Parameter offset: the place of the first frame.
  init(mpeg first: MPEGFrameHeader, _ bytes: StreamBytes, offset: Int64) throws(AudioStatus) {
    let layers: [(AudioFileTypeID, AudioFormatID)] = [
      (kAudioFileMP1Type, kAudioFormatMPEGLayer1), (kAudioFileMP2Type, kAudioFormatMPEGLayer2),
      (kAudioFileMP3Type, kAudioFormatMPEGLayer3),
    ]
    guard layers.indices.contains(first.layer - 1) else { throw .fileTypeUnsupported }
    let (type, id) = layers[first.layer - 1]
    var format = AudioStreamBasicDescription()
    (format.mFormatID, format.mSampleRate) = (id, Double(first.sampleRate))
    (format.mChannelsPerFrame, format.mFramesPerPacket) = (UInt32(first.channelCount), UInt32(first.frames))
    file = try Self.file(
      AudioFileObject.Shape(
        type: type, format: format, dataOffset: offset, packets: .unscanned(framesPerPacket: Int64(first.frames))),
      bytes,
      texts: (try? SoundFileReader(
        storage: MemoryStorage(bytes.known), name: "the stream", allowTruncated: true))?.info.metadata,
      speakers: ChannelLayout(channelCount: first.channelCount))
    dataOffset = offset
    packetBound = file.largestPacket(scans: false)
    let frame = Array(bytes.known[Int(offset)..<Int(offset) + first.bytes])
    let beginsWithTag = MPEGFrameHeader.isTag(frame)
    let tag = beginsWithTag ? MPEGTag(frame) : nil
    let packets = tag?.packets.flatMap { $0 > 0 ? $0 : nil }
    var mean: Double?
    if let packets, let size = tag?.bytes, size > 0 { mean = Double(size) / Double(packets + 1) }
    meanPacketBytes = mean
    framer = FrameFramer(.mpeg(like: first), start: offset, beginsWithTag: beginsWithTag, statedMean: mean)
    bitRate = UInt32(clamping: first.bitRate)
    guard let packets else { return }
    packetCount = packets
    byteCount = tag?.bytes.flatMap { $0 > 0 ? $0 : nil }
    let total = packets * Int64(first.frames)
    var valid = total
    if let delays = tag?.delays {
      // A decoder leaves out as much as the encoder says is no sound.
      valid = max(0, total - (delays.front - 529) - delays.back)
      let remainder = total - delays.front - valid
      if remainder >= 0 {
        trim = AudioFilePacketTableInfo(
          mNumberValidFrames: valid, mPrimingFrames: Int32(clamping: delays.front),
          mRemainderFrames: Int32(clamping: remainder))
      }
    }
    duration = Double(valid) / Double(first.sampleRate)
    if let byteCount, let duration, duration > 0 {
      bitRate = UInt32(clamping: Int64(clamping: (Double(byteCount) * 8 / duration).rounded()))
    }
  }

  /// FLAC.
  init(flac bytes: StreamBytes, start: Int64, soundOffset: Int64) throws(AudioStatus) {
    // Behind the name the block STREAMINFO: sizes of blocks and frames, then 20 bits of rate, 3 of channels, 5 of bits and
    // 36 of frames.
    let info = bytes.known[Int(start) + 8..<Int(start) + 42]
    guard bytes.known[Int(start) + 4] & 0x7F == 0, soundOffset >= start + 42 else { throw .fileInvalid }
    let packed = UInt64(bitPattern: info.dropFirst(10).prefix(8).bigEndianValue)
    let frames = packed & (1 << 36 - 1)
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatFLAC
    format.mFormatFlags = .depth(Int(packed >> 36 & 31) + 1)
    format.mSampleRate = Double(packed >> 44)
    format.mChannelsPerFrame = UInt32(packed >> 41 & 7) + 1
    format.mFramesPerPacket = UInt32(FLACHeader.framesPerPacket(bytes, from: start) ?? 0)
    guard format.mSampleRate > 0 else { throw .fileFormatUnsupported }
    let texts = FLACTexts(
      MemoryStorage(Array(bytes.known[Int(start)...])), channelCount: Int(format.mChannelsPerFrame))
    file = try Self.file(
      AudioFileObject.Shape(
        type: kAudioFileFLACType, format: format, dataOffset: soundOffset,
        packets: .unscanned(framesPerPacket: Int64(format.mFramesPerPacket)),
        sourceBitDepth: Int32(packed >> 36 & 31) + 1),
      bytes, texts: texts.metadata, speakers: texts.layout)
    dataOffset = soundOffset
    packetBound = file.largestPacket(scans: false)
    framer = FLACFramer(
      start: soundOffset, streamInfo: Array(info), totalFrames: frames, blockFrames: UInt64(format.mFramesPerPacket))
    guard frames > 0 else { return }
    duration = Double(frames) / format.mSampleRate
    let least = UInt32(truncatingIfNeeded: info.prefix(2).bigEndianValue)
    if least == format.mFramesPerPacket, least > 0 {
      packetCount = Int64(clamping: (frames - 1) / UInt64(least) + 1)
    }
  }

  /// Fills in what follows from a known length.
  private mutating func complete() {
    duration = file.duration
    if case .bytes(let value)? = try? file.property(kAudioFilePropertyPacketTableInfo),
      value.count == MemoryLayout<AudioFilePacketTableInfo>.size
    {
      trim = value.withUnsafeBytes { $0.loadUnaligned(as: AudioFilePacketTableInfo.self) }
    }
    if case .fixed = file.packets {
      if case .bytes(let value)? = try? file.property(kAudioFilePropertyBitRate), value.count == 4 {
        bitRate = value.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      }
      return
    }
    // A reader of a file that is not all there counts other frames.
    if let trim, file.sampleRate > 0 { duration = Double(trim.mNumberValidFrames) / file.sampleRate }
    if let byteCount, let duration, duration > 0 {
      bitRate = UInt32(clamping: Int64(clamping: (Double(byteCount) * 8 / duration).rounded()))
    }
  }

  /// Codecs that the file reader opens by the header alone; of others it decodes some sound, which is not there yet.
  private static let opened: Set<AudioFormatID> = [
    kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4, kAudioFormatAppleLossless,
    AudioFormatCode.microsoftADPCM, AudioFormatCode.intelIMA, AudioFormatCode.microsoftGSM,
  ]

  /// The file as the file reader has it; of other codecs by its packets alone.
  private static func open(
    _ layout: ContainerLayout, _ bytes: StreamBytes, start: Int64
  ) throws(AudioStatus) -> AudioFileObject {
    let part: any ByteStorage = start > 0 ? StoragePart(bytes, from: start) : bytes
    guard layout.kind != .au else {
      // Integers, floats, µ-law and A-law.
      let code = part.bytes(at: 12, count: 4).map {
        layout.isBigEndian ? $0.bigEndianValue : $0.reversed().bigEndianValue
      }
      guard let code, (1...7).contains(code) || code == 27 else { throw .fileFormatUnsupported }
      return try AudioFileObject.open(bytes, path: nil, permissions: 1, hint: 0)
    }
    guard let packets = PacketFile(part), let track = packets.tracks.first else { throw .fileInvalid }
    if opened.contains(track.format.id) {
      do throws(AudioStatus) { return try AudioFileObject.open(bytes, path: nil, permissions: 1, hint: 0) } catch {
        guard track.places != nil else { throw error }
      }
    }
    return try AudioFileObject.packets(of: packets, part, path: nil, permissions: 1, reader: nil)
  }

  /// A file of which the beginning is there, without a reader.
  private static func file(
    _ shape: AudioFileObject.Shape, _ bytes: StreamBytes, texts: SoundFileMetadata?, speakers: ChannelLayout?
  ) throws(AudioStatus) -> AudioFileObject {
    guard let type = AudioFileType.find(shape.type) else { throw .fileTypeUnsupported }
    return AudioFileObject(
      storage: bytes, path: nil, type: type, canRead: true, canWrite: false, shape: shape, layout: nil, reader: nil,
      texts: texts, speakers: speakers)
  }

  private static func placed(_ places: PacketPlaces, _ file: AudioFileObject, start: Int64) -> PlacedFramer {
    let durations = file.dataFormat.mFramesPerPacket == 0 ? file.track?.durations : nil
    return PlacedFramer { index in
      places.place(of: index).map { (start + $0.offset, Int64($0.bytes), durations?.frames(of: index) ?? 0) }
    }
  }
}

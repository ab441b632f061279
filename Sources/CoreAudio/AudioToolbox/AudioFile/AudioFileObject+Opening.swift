// Opening and creating: everything that can be wrong with a file before its first packet, as a result code.

import AudioCore
import CAudioToolbox
import Glibc
import PacketFiles
import SoundFile

extension AudioFileObject {
  /// Opens the file at `path`.
  /// - Parameters:
  ///   - permissions: 1 read, 2 write, 3 both. Writing needs packets of one size (PCM, µ-law, A-law).
  ///   - hint: a type, or 0. It is not needed: the bytes say what the file is.
  static func open(path: String, permissions: Int8, hint: AudioFileTypeID) throws(AudioStatus) -> AudioFileObject {
    guard (1...3).contains(permissions) else { throw .filePermissions }
    // Reading is needed to know the file, whatever the permission.
    let storage = try regularFile(path, permissions == 1 ? O_RDONLY : O_RDWR, otherwise: .fileTypeUnsupported)
    return try open(storage, path: path, permissions: permissions, hint: hint)
  }

  static func open(
    _ storage: any ByteStorage, path: String?, permissions: Int8, hint: AudioFileTypeID
  ) throws(AudioStatus) -> AudioFileObject {
    let reader: SoundFileReader
    do {
      reader = try SoundFileReader(storage: storage, name: path ?? "the file behind the callbacks")
    } catch {
      if let failure = (storage as? CallbackStorage)?.failure { throw AudioStatus(failure) }
      if let file = try openPackets(storage, path: path, permissions: permissions) { return file }
      throw refusal(storage)
    }
    if let packetFile = reader.packetFile {
      return try packets(of: packetFile, storage, path: path, permissions: permissions, reader: reader)
    }
    // Bytes in front of the file's header are none of it.
    let (storage, hasLead) = (reader.storage, reader.storage !== storage)
    let layout = reader.layout
    let shape: Shape
    do throws(AudioStatus) { shape = try self.shape(reader, storage: storage, layout: layout) } catch {
      // A codec that libsndfile decodes, and that its own names do not describe.
      guard !hasLead, let packetFile = PacketFile(storage) else { throw error }
      return try packets(of: packetFile, storage, path: path, permissions: permissions, reader: reader)
    }
    guard let type = AudioFileType.find(shape.type) else { throw .fileTypeUnsupported }
    let isWritable = permissions != 1
    if isWritable {
      // A file that is opened for writing must be plain: packets of one size in a container that can grow.
      guard layout != nil, !hasLead, case .fixed(_, 1) = shape.packets else { throw .fileOperationUnsupported }
    }
    return AudioFileObject(
      storage: storage, path: path, type: type, canRead: permissions != 2, canWrite: isWritable,
      shape: shape, layout: layout, reader: reader)
  }

  /// Creates a file at `path`, under its own name at once: it is whole after AudioFileClose.
  /// - Parameters:
  ///   - codes: samples will be written (by the extended interface), so that formats with a coder will do.
  /// - Throws: 'typ?', 'fmt?' before anything is touched; 'prm?' where a file exists and may not be erased.
  static func create(
    path: String, type: AudioFileTypeID, format: AudioStreamBasicDescription, flags: UInt32, codes: Bool = false
  ) throws(AudioStatus) -> AudioFileObject {
    let plan = try Plan(type: type, format: format, codes: codes)
    let erases = flags & AudioFileFlags.eraseFile.rawValue != 0
    let storage = try regularFile(path, O_RDWR | O_CREAT | (erases ? 0 : O_EXCL), otherwise: .filePermissions)
    return try plan.begin(storage, path: path)
  }

  /// As ``create(path:type:format:flags:codes:)``, in whatever the client's callbacks reach; it is emptied.
  static func create(
    _ storage: any ByteStorage, type: AudioFileTypeID, format: AudioStreamBasicDescription
  ) throws(AudioStatus) -> AudioFileObject {
    try Plan(type: type, format: format, codes: false).begin(storage, path: nil)
  }

  /// A file that can be written, before there is anything of it.
  private struct Plan {
    let type: AudioFileType
    let format: AudioStreamBasicDescription
    /// Nil where a coder writes the header.
    var header: [UInt8]?

    init(type id: AudioFileTypeID, format: AudioStreamBasicDescription, codes: Bool) throws(AudioStatus) {
      guard let type = AudioFileType.find(id), !type.writableFormats.isEmpty else { throw .fileTypeUnsupported }
      self.type = type
      var format = format
      switch try Self.coding(format, in: type) {
      case .plain(let kind, let encoding, let isBigEndian):
        // The client's format brings the rate that is left open, and its coder writes the header anew.
        let leavesRateOpen = codes && format.mSampleRate == 0 && format.mFormatID != kAudioFormatLinearPCM
        guard
          let header = PlainFileHeader.make(
            kind, encoding: encoding, isBigEndian: isBigEndian, sampleRate: leavesRateOpen ? 8_000 : format.mSampleRate,
            channelCount: Int(format.mChannelsPerFrame))
        else { throw .fileFormatUnsupported }
        self.header = header
        if let stream = StreamFormat(format) {
          var interleaved = stream
          interleaved.isInterleaved = true
          format = interleaved.audioStreamBasicDescription
        } else {
          format.mFormatFlags = 0
          format.mBytesPerPacket = format.mChannelsPerFrame
          format.mBytesPerFrame = format.mChannelsPerFrame
          format.mFramesPerPacket = 1
          format.mBitsPerChannel = 8
        }
      case .coded(let coded):
        // Packets cannot be written as they are: libsndfile codes the sound itself.
        guard codes else { throw .fileOperationUnsupported }
        do {
          let rate = format.mSampleRate == 0 ? 48_000 : format.mSampleRate
          try coded.validate(sampleRate: rate, channelCount: Int(format.mChannelsPerFrame))
        } catch { throw .fileFormatUnsupported }
        format.mFormatFlags = coded.encoding.bits == 24 ? 3 : 1
        format.mFramesPerPacket = 4_096
        format.mBytesPerPacket = 0
        format.mBytesPerFrame = 0
        format.mBitsPerChannel = 0
      }
      self.format = format
    }

    /// As the type has it; a refusal is explained where that is wanted.
    private static func coding(
      _ format: AudioStreamBasicDescription, in type: AudioFileType
    ) throws(AudioStatus) -> FileCoding {
      do { return try type.coding(format) } catch {
        let formats = type.streamDescriptions(format.mFormatID).map { description in
          let order = description.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 ? "little-endian" : "big-endian"
          let kind = description.mFormatFlags & kAudioFormatFlagIsFloat == 0 ? "integer" : "float"
          return "\(description.mBitsPerChannel)-bit \(order) \(kind)"
        }
        RefusalLog.note(
          "\(type.name) file: format refused ('fmt?'): found "
            + (StreamFormat(format).map { "\($0)" } ?? "'\(AudioCore.FourCharCode(rawValue: format.mFormatID))'")
            + ", expected "
            + (formats.isEmpty ? "another codec" : formats.joined(separator: ", ") + ", interleaved"))
        throw error
      }
    }

    func begin(_ storage: any ByteStorage, path: String?) throws(AudioStatus) -> AudioFileObject {
      try stored { () throws(StorageError) in
        try storage.setLength(0)
        if let header { try storage.write(header, at: 0) }
      }
      let layout = header == nil ? nil : ContainerLayout(storage)
      let bits = Int32(
        StreamFormat(format).map { $0.encoding.kind == .float ? -$0.encoding.bits : $0.encoding.bits } ?? 16)
      let shape = Shape(
        type: type.id, format: format, dataOffset: layout?.dataOffset ?? 0,
        packets: header == nil ? .unknown : .fixed(bytes: Int64(format.mBytesPerPacket), frames: 1),
        sourceBitDepth: header == nil && format.mFormatFlags == 3 ? 24 : bits)
      let file = AudioFileObject(
        storage: storage, path: path, type: type, canRead: true, canWrite: true, shape: shape, layout: layout,
        reader: nil)
      if layout != nil { try file.sizesChanged() }
      if header == nil && format.mSampleRate > 0 { try file.beginCoding() }
      return file
    }
  }

  /// A file on disk; `refusal` is thrown for what is there and is none.
  private static func regularFile(
    _ path: String, _ flags: Int32, otherwise refusal: AudioStatus
  ) throws(AudioStatus) -> DescriptorStorage {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .fileNotFound }
    // A pipe must not make the opening wait.
    let descriptor = FileSystem.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw AudioStatus(errorNumber: errno) }
    let storage = DescriptorStorage(owning: descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw refusal }
    return storage
  }

  /// Why libsndfile would not open it: of no known type, of a known type with an unknown codec, or damaged.
  private static func refusal(_ storage: any ByteStorage) -> AudioStatus {
    guard let start = storage.bytes(at: 0, count: Int(min(12, storage.length))), start.count == 12 else {
      return .fileTypeUnsupported
    }
    func begins(_ text: String, at offset: Int = 0) -> Bool { start[offset...].starts(with: text.utf8) }
    let isChunked =
      ["RIFF", "RIFX", "RF64", "BW64"].contains { begins($0) } && begins("WAVE", at: 8)
      || begins("FORM") && (begins("AIFF", at: 8) || begins("AIFC", at: 8)) || begins("caff") || begins("riff")
    let isOther = ["fLaC", "OggS", ".snd", "dns.", "ID3"].contains { begins($0) }
    guard isChunked || isOther else { return .fileTypeUnsupported }
    guard let layout = ContainerLayout(storage), hasForeignCodec(storage, layout: layout) else { return .fileInvalid }
    return .fileFormatUnsupported
  }

  /// A whole header whose codec libsndfile does not have.
  private static func hasForeignCodec(_ storage: any ByteStorage, layout: ContainerLayout) -> Bool {
    guard layout.dataOffset.addingReportingOverflow(layout.statedBytes ?? 0).partialValue <= storage.length else {
      return false
    }
    func content(_ id: UInt32, _ offset: Int64, _ count: Int) -> [UInt8]? {
      layout.chunks(id).first.flatMap { storage.bytes(at: $0.contentOffset + offset, count: count) }
    }
    switch layout.kind {
    case .wave, .rf64, .bw64, .wave64:
      let tags: [[UInt8]] = [[1, 0], [3, 0], [6, 0], [7, 0], [2, 0], [0x11, 0], [0x31, 0], [0xFE, 0xFF]]
      return content(ChunkID.format, 0, 2).map { !tags.contains($0) } ?? false
    case .aifc:
      let known = [
        "NONE", "sowt", "twos", "raw ", "fl32", "FL32", "fl64", "FL64", "ulaw", "ULAW", "alaw", "ALAW", "ima4",
      ]
      return content(ChunkID.common, 18, 4).map { found in !known.contains { found.elementsEqual($0.utf8) } } ?? false
    case .caf:
      let known = ["lpcm", "ulaw", "alaw", "alac", "ima4"]
      return content(ChunkID.description, 8, 4).map { found in !known.contains { found.elementsEqual($0.utf8) } }
        ?? false
    case .aiff, .au: return false
    }
  }
}

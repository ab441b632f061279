// The properties of a file, read and set.

import AudioCore
import CAudioToolbox
import PacketFiles
import SoundFile

extension AudioFileObject {
  /// The value of a property that needs nothing but the file.
  /// - Throws: 'pty?' for what this file does not have.
  func property(_ id: AudioFilePropertyID) throws(AudioStatus) -> CValue {
    switch id {
    case kAudioFilePropertyFileFormat: return CValue(type.id)
    case kAudioFilePropertyDataFormat: return CValue(dataFormat)
    case kAudioFilePropertyIsOptimized: return CValue(UInt32(layout?.hasChunksAfterSound == true ? 0 : 1))
    case kAudioFilePropertyMagicCookieData: return .bytes(try magicCookie())
    case kAudioFilePropertyAudioDataByteCount:
      if track != nil { return CValue(UInt64(max(0, dataBytes))) }
      guard case .fixed = packets else {
        return CValue(UInt64(max(0, encoder == nil ? dataBytes : storage.length)))
      }
      return CValue(UInt64(dataBytes))
    case kAudioFilePropertyAudioDataPacketCount:
      guard let packetCount else { throw .filePropertyUnsupported }
      return CValue(UInt64(packetCount))
    case kAudioFilePropertyMaximumPacketSize: return CValue(largestPacket(scans: true))
    case kAudioFilePropertyPacketSizeUpperBound: return CValue(largestPacket(scans: false))
    case kAudioFilePropertyDataOffset:
      // Tags in front of the sound's own header are a part of the file.
      return CValue(dataOffset + ((storage as? StoragePart)?.start ?? 0))
    case kAudioFilePropertyChannelLayout:
      guard let channelLayout = channelLayout() else { throw .filePropertyUnsupported }
      return .bytes(channelLayout.structureBytes)
    case kAudioFilePropertyDeferSizeUpdates: return CValue(UInt32(defersSizeUpdates ? 1 : 0))
    case kAudioFilePropertyMarkerList: return try markerList()
    case kAudioFilePropertyRegionList: return try regionList()
    case kAudioFilePropertyRestrictsRandomAccess: return CValue(UInt32(0))
    case kAudioFilePropertyChunkIDs:
      return CValue(array: packetFile?.chunks.map(\.id) ?? (layout?.chunks ?? []).map(\.id))
    case kAudioFilePropertyInfoDictionary: return information(seconds: duration)
    case kAudioFilePropertyPacketTableInfo: return CValue(try packetTableInfo())
    case kAudioFilePropertyFormatList:
      var item = AudioFormatListItem()
      item.mASBD = dataFormat
      if let track, !track.richerFormats.isEmpty { return CValue(array: formatList(track)) }
      item.mChannelLayoutTag =
        (channelLayout() ?? ChannelLayoutData(channelCount: channelCount))?.tag
        ?? (kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channelCount))
      return CValue(item)
    case kAudioFilePropertyReserveDuration: return CValue(reserveDuration)
    case kAudioFilePropertyEstimatedDuration: return CValue(duration)
    case kAudioFilePropertyBitRate: return CValue(bitRate)
    case kAudioFilePropertyID3Tag, kAudioFilePropertyID3TagOffset:
      let length = MPEGFrameHeader.start(of: storage)
      guard length > 0, layout == nil else { throw .filePropertyUnsupported }
      if id == kAudioFilePropertyID3TagOffset { return CValue(Int64(0)) }
      guard length < 1 << 28, let bytes = storage.bytes(at: 0, count: Int(length)) else { throw .fileInvalid }
      return .bytes(bytes)
    case kAudioFilePropertySourceBitDepth:
      guard let sourceBitDepth else { throw .filePropertyUnsupported }
      return CValue(sourceBitDepth)
    case kAudioFilePropertyAudioTrackCount: return CValue(UInt32(packetFile?.tracks.count ?? 1))
    case kAudioFilePropertyDataFormatName: return .text(formatName)
    default: throw .filePropertyUnsupported
    }
  }

  /// Properties that may be set now.
  func isSettable(_ id: AudioFilePropertyID) -> Bool {
    switch id {
    case kAudioFilePropertyDeferSizeUpdates, kAudioFilePropertyReserveDuration: canWrite
    case kAudioFilePropertyChannelLayout: canWrite
    case kAudioFilePropertyMagicCookieData: canWrite && layout?.kind == .caf
    case kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList: takesMarkers
    case kAudioFilePropertyUseAudioTrack: true
    default: false
    }
  }

  func setProperty(_ id: AudioFilePropertyID, size: Int, data: UnsafeRawPointer) throws(AudioStatus) {
    func value<T: BitwiseCopyable>(_ type: T.Type) throws(AudioStatus) -> T {
      guard size == MemoryLayout<T>.size else { throw .filePropertySize }
      return data.loadUnaligned(as: type)
    }
    switch id {
    case kAudioFilePropertyUseAudioTrack:
      try useTrack(try value(UInt32.self))
    case kAudioFilePropertyDeferSizeUpdates:
      let defers = try value(UInt32.self) != 0
      guard canWrite else { throw .filePermissions }
      defersSizeUpdates = defers
      if !defers { try flush() }
    case kAudioFilePropertyReserveDuration:
      let seconds = try value(Float64.self)
      guard canWrite else { throw .filePermissions }
      guard seconds >= 0 else { throw .parameterError }
      reserveDuration = seconds
    case kAudioFilePropertyChannelLayout:
      guard let wanted = ChannelLayoutData(data, size: size) else { throw .filePropertySize }
      guard canWrite else { throw .filePermissions }
      try setChannelLayout(wanted)
    case kAudioFilePropertyMagicCookieData:
      guard canWrite else { throw .filePermissions }
      guard layout?.kind == .caf else { throw .filePropertyUnsupported }
      if size == 0 { return }
      try setChunk(ChunkID.cookie, index: 0, bytes: Array(UnsafeRawBufferPointer(start: data, count: size)))
    case kAudioFilePropertyMarkerList: try setMarkerList(data, size: size)
    case kAudioFilePropertyRegionList: try setRegionList(data, size: size)
    case kAudioFilePropertyPacketTableInfo:
      let wanted = try value(AudioFilePacketTableInfo.self)
      let current = try packetTableInfo()
      guard total(wanted) == total(current) else { throw .parameterError }
      throw .filePermissions
    default:
      // Known, but not to be set; or unknown.
      throw .filePropertyUnsupported
    }
  }

  /// Seconds.
  var duration: Double { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }

  private var bitRate: UInt32 {
    if case .fixed(let bytes, let frames) = packets {
      return UInt32(clamping: Int64(clamping: (Double(bytes) * 8 * sampleRate / Double(frames)).rounded()))
    }
    return duration > 0 ? UInt32(clamping: Int64(clamping: (Double(dataBytes) * 8 / duration).rounded())) : 0
  }

  private func total(_ info: AudioFilePacketTableInfo) -> Int64 {
    info.mNumberValidFrames &+ Int64(info.mPrimingFrames) &+ Int64(info.mRemainderFrames)
  }

  private func packetTableInfo() throws(AudioStatus) -> AudioFilePacketTableInfo {
    if let track {
      guard let trim = track.trim else { throw .filePropertyUnsupported }
      return AudioFilePacketTableInfo(
        mNumberValidFrames: trim.valid, mPrimingFrames: Int32(clamping: trim.priming),
        mRemainderFrames: Int32(clamping: trim.remainder))
    }
    guard let info = statedTrim() else { throw .filePropertyUnsupported }
    return info
  }

  private func magicCookie() throws(AudioStatus) -> [UInt8] {
    if let track {
      guard !track.cookie.isEmpty else { throw .filePropertyUnsupported }
      return track.cookie
    }
    guard layout?.kind == .caf, encoder == nil, let (offset, bytes) = try? chunk(ChunkID.cookie, index: 0),
      bytes < 1 << 24, let content = storage.bytes(at: offset, count: Int(bytes))
    else { throw .filePropertyUnsupported }
    return content
  }

  /// Bytes of the largest packet; without a scan a bound that none exceeds.
  func largestPacket(scans: Bool) -> UInt32 {
    switch scans ? scannedPackets() : packets {
    case .fixed(let bytes, _): return UInt32(clamping: bytes)
    case .table(let table): return table.largest
    case .places(let places): return places.largest
    case .unscanned(let frames) where type.id != kAudioFileFLACType:
      // Layer III at 320 kbit/s and 8 kHz is the longest that a header can say, layers I and II stay below.
      return UInt32(frames / 8 * 320_000 / 8_000 + 4)
    case .unscanned, .unknown:
      let frames = max(4_096, Int64(dataFormat.mFramesPerPacket))
      // Samples as they are, of at most four bytes, and a header.
      return UInt32(clamping: max(65_307, frames * Int64(channelCount) * 4 + 1_024))
    }
  }

  /// The channel layout of the file, or the one that the program has set that writes it; nil without either.
  func channelLayout() -> ChannelLayoutData? {
    if let track {
      let stated = track.layout.isEmpty ? nil : ChannelLayoutData(chunk: track.layout)
      if let stated, stated.channelCount == channelCount { return stated }
      return codedLayout.flatMap { ChannelLayoutData(chunk: $0.chunk) }
    }
    let known: ChannelLayoutData?
    switch layout?.kind {
    case .caf, .aiff, .aifc:
      let id = layout?.kind == .caf ? ChunkID.coreAudioLayout : ChunkID.aiffLayout
      let content = (try? chunk(id, index: 0)).flatMap {
        storage.bytes(at: $0.offset, count: Int(min($0.bytes, 1 << 16)))
      }
      known = content.flatMap(ChannelLayoutData.init(chunk:))
    case .wave, .rf64, .bw64, .wave64:
      known = waveMaskOffset.flatMap { storage.bytes(at: $0, count: 4) }.flatMap { bytes in
        let mask = UInt32(bytes.reversed().bigEndianValue)
        guard mask.nonzeroBitCount == channelCount else { return nil }
        return ChannelLayoutData(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: mask)
      }
    // MPEG, FLAC and Ogg say it by how they code the channels, or in a comment.
    case nil where encoder == nil: known = codedLayout.flatMap { ChannelLayoutData(chunk: $0.chunk) }
    default: known = nil
    }
    return known ?? statedLayout
  }

  /// The formats of a layered codec, the richest first, and the one that every decoder gives.
  private func formatList(_ track: PacketTrack) -> [AudioFormatListItem] {
    (track.richerFormats + [track.format]).map { format in
      var item = AudioFormatListItem()
      item.mASBD = Self.description(format)
      item.mChannelLayoutTag =
        ChannelLayoutData(channelCount: Int(format.channelCount))?.tag
        ?? (kAudioChannelLayoutTag_DiscreteInOrder | format.channelCount)
      return item
    }
  }

  /// The offset of the speakers in an extensible header.
  private var waveMaskOffset: Int64? {
    guard let header = layout?.chunks(ChunkID.format).first, header.contentBytes >= 40,
      storage.bytes(at: header.contentOffset, count: 2) == [0xFE, 0xFF]
    else { return nil }
    return header.contentOffset + 20
  }

  func setChannelLayout(_ wanted: ChannelLayoutData) throws(AudioStatus) {
    guard wanted.channelCount == channelCount else { throw .parameterError }
    switch layout?.kind {
    case .caf: try setChunk(ChunkID.coreAudioLayout, index: 0, bytes: wanted.chunkBytes)
    case .aiff, .aifc: try setChunk(ChunkID.aiffLayout, index: 0, bytes: wanted.chunkBytes)
    case .wave, .rf64, .bw64, .wave64:
      if let offset = waveMaskOffset, let mask = wanted.waveMask {
        try stored(try storage.write(mask.littleEndianBytes, at: offset))
        return
      }
      fallthrough
    default:
      // A file that cannot say it needs not say what goes without saying.
      guard wanted == ChannelLayoutData(channelCount: channelCount) else { throw .fileOperationUnsupported }
      statedLayout = wanted
    }
  }

  /// Texts, and how long the sound is, where that is known.
  func information(seconds: Double?) -> CValue {
    let names: [(SoundFileMetadata.Field, String)] = [
      (.title, kAFInfoDictionary_Title), (.artist, kAFInfoDictionary_Artist), (.album, kAFInfoDictionary_Album),
      (.comment, kAFInfoDictionary_Comments), (.copyright, kAFInfoDictionary_Copyright),
      (.date, kAFInfoDictionary_RecordedDate), (.genre, kAFInfoDictionary_Genre),
      (.software, kAFInfoDictionary_EncodingApplication), (.tracknumber, kAFInfoDictionary_TrackNumber),
    ]
    let texts = names.compactMap { field, key in metadata[field].map { (key: key, value: $0) } }
    let length = seconds.map { [(key: kAFInfoDictionary_ApproximateDurationInSeconds, value: milliseconds($0))] } ?? []
    return .object(.table((texts + length).map { ($0.key, .text($0.value)) }))
  }

  /// Seconds with three decimals.
  private func milliseconds(_ seconds: Double) -> String {
    let whole = Int64(clamping: min(seconds * 1_000, 1e15).rounded())
    let rest = String(whole % 1_000)
    return "\(whole / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  private var formatName: String {
    if let plainFormat { return "\(plainFormat)" }
    return
      "\(AudioCore.FourCharCode(rawValue: dataFormat.mFormatID)), \(NumberText.short(sampleRate)) Hz, \(channelCount) ch"
  }
}

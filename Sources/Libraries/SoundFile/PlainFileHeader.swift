// The header of a file of plain samples that is written in place, and its sizes as the file grows.
// libsndfile makes the header of an empty file; from then on only the fields that hold lengths change.

import AudioCore
import CSndfile

package enum PlainFileHeader {
  /// The bytes of a file without sound.
  /// - Parameters:
  ///   - kind: wave, rf64, bw64, aiff, aifc, caf, wave64 or au.
  ///   - isBigEndian: byte order of the samples, where the container leaves a choice.
  /// - Returns: nil where libsndfile cannot write it so.
  package static func make(
    _ kind: ContainerLayout.Kind, encoding: SoundFileEncoding, isBigEndian: Bool, sampleRate: Double, channelCount: Int
  ) -> [UInt8]? {
    let container: SoundFileContainer =
      switch kind {
      case .wave: channelCount > 2 ? .wavex : .wav
      case .rf64, .bw64: .rf64
      case .aiff, .aifc: .aiff
      case .caf: .caf
      case .wave64: .w64
      case .au: .au
      }
    guard let rate = Int32(exactly: sampleRate), rate > 0 else { return nil }
    var info = SF_INFO()
    info.format = container.majorFormat | encoding.subtype
    if container == .caf || container == .aiff && !isBigEndian {
      info.format |= Int32(isBigEndian ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE)
    }
    info.channels = Int32(channelCount)
    info.samplerate = rate
    guard sf_format_check(&info) != 0 else { return nil }
    let storage = MemoryStorage()
    let io = SoundFileIO(storage)
    guard let handle = io.open(mode: Int32(SFM_WRITE), info: &info) else { return nil }
    sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    sf_close(handle)
    // A first header with a PEAK chunk was longer: what is left of it behind the beginning of the sound is none.
    guard let layout = ContainerLayout(storage) else { return nil }
    try? storage.setLength(min(storage.length, layout.dataOffset))
    try? FixedBytes.blankPeaks(storage)
    var bytes = storage.contents
    // libsndfile takes so many channels for a layout; nothing is known of them yet.
    if channelCount > 2, let header = layout.extensibleHeader(storage) {
      let mask = Int(header.contentOffset) + 20
      bytes.replaceSubrange(mask..<mask + 4, with: [0, 0, 0, 0])
    }
    if kind == .bw64 { bytes.replaceSubrange(0..<4, with: "BW64".utf8) }
    if kind == .aifc { bytes = asAIFC(bytes, storage: storage) }
    return bytes
  }

  /// Sets every length in the header to `dataBytes` of sound, of which a frame takes `bytesPerFrame`, and evens out the
  /// end. Where `bytesPerFrame` is nil, fields that count frames stay.
  /// - Returns: false where the header's fields cannot hold it.
  package static func setSizes(
    _ storage: any ByteStorage, layout: ContainerLayout, dataBytes: Int64, bytesPerFrame: Int64?
  ) throws(StorageError) -> Bool {
    let end = layout.dataOffset + dataBytes
    let frames = bytesPerFrame.map { $0 > 0 ? dataBytes / $0 : 0 }
    // Chunks begin at even places. (In Wave64 at every eighth byte; but there libsndfile takes a padding at the end for
    // sound.)
    let pads =
      switch layout.kind {
      case .aiff, .aifc, .wave, .rf64, .bw64: true
      case .caf, .wave64, .au: false
      }
    let isPadded = pads && end % 2 == 1 && !layout.hasChunksAfterSound
    if isPadded { try storage.write([0], at: end) }
    // A client's own size function may be behind what its write function has taken.
    let length = max(storage.length, isPadded ? end + 1 : end)
    // Called with every write that makes a file longer: eight bytes on the stack and one write for each field.
    func put(_ value: Int64, _ count: Int, at offset: Int64) throws(StorageError) {
      let shift = UInt64(64 - 8 * count)
      let bits = UInt64(bitPattern: value)
      let field = layout.isBigEndian ? (bits << shift).bigEndian : bits.littleEndian
      try withUnsafeBytes(of: field) { (bytes) throws(StorageError) in
        if let start = bytes.baseAddress { try storage.write(start, count: count, at: offset) }
      }
    }
    let sound = layout.soundIndex.map { layout.chunks[$0] }
    switch layout.kind {
    case .au:
      guard dataBytes < Self.limit32 else { return false }
      try put(dataBytes, 4, at: 8)
    case .rf64 where layout.first(ContainerLayout.ds64) == nil, .bw64 where layout.first(ContainerLayout.ds64) == nil,
      .wave, .aiff, .aifc:
      guard let sound, length - 8 < Self.limit32 else { return false }
      try put(length - 8, 4, at: 4)
      try put(end - sound.contentOffset, 4, at: sound.contentOffset - 4)
      if let frames, let common = layout.first(0x434F_4D4D), layout.isAIFF {
        try put(frames, 4, at: common.contentOffset + 2)
      }
      if let frames, let fact = layout.first(0x6661_6374), !layout.isAIFF { try put(frames, 4, at: fact.contentOffset) }
    case .rf64, .bw64:
      guard let sizes = layout.first(ContainerLayout.ds64), let sound else { return false }
      try put(length - 8, 8, at: sizes.contentOffset)
      try put(dataBytes, 8, at: sizes.contentOffset + 8)
      if let frames { try put(frames, 8, at: sizes.contentOffset + 16) }
      try put(0xFFFF_FFFF, 4, at: sound.contentOffset - 4)
    case .caf:
      guard let sound else { return false }
      try put(dataBytes + 4, 8, at: sound.contentOffset - 8)
    case .wave64:
      guard let sound else { return false }
      try put(length, 8, at: 16)
      try put(dataBytes + 24, 8, at: sound.contentOffset - 8)
      if let frames, let fact = layout.first(0x6661_6374) { try put(frames, 8, at: fact.contentOffset) }
    }
    return true
  }

  /// Bytes of sound from which on the sizes of a container no longer hold it; nil where it has 64 bits.
  package static func dataLimit(_ layout: ContainerLayout) -> Int64? {
    switch layout.kind {
    case .wave, .aiff, .aifc, .au: limit32 - layout.dataOffset - 8
    case .rf64, .bw64, .caf, .wave64: nil
    }
  }

  private static let limit32: Int64 = 0xFFFF_F000

  /// libsndfile writes big-endian integers as AIFF; AIFF-C says the same with a version and the compression "none".
  private static func asAIFC(_ bytes: [UInt8], storage: MemoryStorage) -> [UInt8] {
    guard let layout = ContainerLayout(storage), layout.kind == .aiff, let common = layout.first(0x434F_4D4D)
    else { return bytes }
    let version: [UInt8] = Array("FVER".utf8) + [0, 0, 0, 4, 0xA2, 0x80, 0x51, 0x40]
    let compression = Array("NONE".utf8) + [14] + Array("not compressed".utf8) + [0]
    var result = bytes
    let end = Int(common.contentOffset + common.contentBytes)
    result.insert(contentsOf: compression, at: end)
    result[Int(common.contentOffset) - 1] = UInt8(Int(common.contentBytes) + compression.count)
    result.replaceSubrange(8..<12, with: "AIFC".utf8)
    result.insert(contentsOf: version, at: 12)
    return result
  }
}

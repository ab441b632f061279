// The sound block of a Creative Voice file. libsndfile 1.2 counts the byte that ends the file with a last block of
// µ-law or A-law, when it writes and when it reads.

import AudioCore

enum VoiceFile {
  /// Bytes of sound in a file whose only sound is one block of the newer kind (9); nil for others.
  static func soundBytes(_ storage: any ByteStorage) -> (size: Int64, sizeOffset: Int64, isWrong: Bool)? {
    guard let header = storage.bytes(at: 0, count: 22), header.starts(with: "Creative Voice File".utf8) else {
      return nil
    }
    let offset = header[20..<22].reversed().bigEndianValue
    guard let block = storage.bytes(at: offset, count: 16), block[0] == 9 else { return nil }
    let size = block[1..<4].reversed().bigEndianValue
    let end = offset + 4 + size
    // Behind the last block there is a 0 that ends the file.
    let isWrong = end == storage.length && storage.bytes(at: end - 1, count: 1) == [0]
    return (max(0, size - 12 - (isWrong ? 1 : 0)), offset + 1, isWrong)
  }

  /// Sets the size of the block to what is there.
  static func correct(_ storage: any ByteStorage) throws(StorageError) {
    guard let sound = soundBytes(storage), sound.isWrong else { return }
    try storage.write(
      Array((UInt32(truncatingIfNeeded: sound.size + 12)).littleEndianBytes[..<3]), at: sound.sizeOffset)
  }
}

/// The frames that went into a codec of blocks, in the header of a file that libsndfile has written.
enum StatedFrames {
  static func write(_ frames: Int64, _ encoding: SoundFileEncoding, to storage: any ByteStorage) throws(StorageError) {
    guard let layout = ContainerLayout(storage), layout.block(encoding, storage) != nil else { return }
    if layout.kind == .caf {
      guard layout.first(0x7061_6B74) == nil, let block = layout.block(encoding, storage) else { return }
      let packets = (frames + block.frames - 1) / block.frames
      let rest = Int32(truncatingIfNeeded: packets * block.frames - frames)
      let table = packets.bigEndianBytes + frames.bigEndianBytes + Int32(0).bigEndianBytes + rest.bigEndianBytes
      return try storage.write(
        Array("pakt".utf8) + Int64(table.count).bigEndianBytes + table, at: storage.length)
    }
    if let sizes = layout.first(ContainerLayout.ds64) {
      try storage.write(frames.littleEndianBytes, at: sizes.contentOffset + 16)
    }
    guard let fact = layout.first(0x6661_6374) else { return }
    if layout.kind == .wave64, fact.contentBytes >= 8 {
      try storage.write(frames.littleEndianBytes, at: fact.contentOffset)
    } else {
      let short = UInt32(clamping: frames)
      try storage.write(layout.isBigEndian ? short.bigEndianBytes : short.littleEndianBytes, at: fact.contentOffset)
    }
  }
}

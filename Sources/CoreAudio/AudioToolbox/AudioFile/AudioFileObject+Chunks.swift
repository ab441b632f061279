// User data: the chunks of a container by name and index. Chunks with the format or the sound are not available.

import AudioCore
import CAudioToolbox
import SoundFile

extension AudioFileObject {
  func chunkCount(_ id: UInt32) throws(AudioStatus) -> Int {
    if let packetFile { return packetFile.chunks.count { $0.id == id } }
    return try chunkLayout().chunks(id).count
  }

  /// The content of a chunk: where it lies, and its bytes as far as the file has them.
  func chunk(_ id: UInt32, index: UInt32) throws(AudioStatus) -> (offset: Int64, bytes: Int64) {
    if let packetFile {
      let found = packetFile.chunks.filter { $0.id == id }
      guard index < found.count else { throw .fileChunk }
      return (found[Int(index)].offset, found[Int(index)].length)
    }
    let found = try chunkLayout().chunks(id)
    guard index < found.count else { throw .fileChunk }
    let chunk = found[Int(index)]
    // The sound's own size may be a placeholder.
    let stated =
      layout?.dataOffset == nil || !isSound(chunk) ? chunk.contentBytes : dataBytes + dataOffset - chunk.contentOffset
    return (chunk.contentOffset, max(0, min(stated, storage.length - chunk.contentOffset)))
  }

  /// Puts `bytes` into the chunk of that name and index; where there is none of that index, or its size changes, a new
  /// one is made: before the sound while there is none, behind it else.
  func setChunk(_ id: UInt32, index: UInt32, bytes: [UInt8]) throws(AudioStatus) {
    let layout = try writableLayout(id)
    let found = layout.chunks(id)
    guard index <= found.count else { throw .fileChunk }
    if index < found.count {
      let chunk = found[Int(index)]
      if chunk.contentBytes == Int64(bytes.count) {
        try stored(try storage.write(bytes, at: chunk.contentOffset))
        return
      }
      try removeChunk(id, index: index)
    }
    try flush()
    let new = try newChunk(id, bytes: bytes, kind: layout.kind)
    let isBeforeSound = dataBytes == 0 && !(self.layout ?? layout).hasChunksAfterSound
    try stored { () throws(StorageError) in
      if isBeforeSound, let sound = layout.soundIndex.map({ layout.chunks[$0] }) {
        let head = storage.bytes(at: sound.headerOffset, count: Int(layout.dataOffset - sound.headerOffset)) ?? []
        try storage.write(new + head, at: sound.headerOffset)
      } else {
        try storage.write(new, at: storage.length)
      }
    }
    try relearn()
  }

  /// Makes a chunk a filler of the same size, which readers skip; the last one is removed.
  func removeChunk(_ id: UInt32, index: UInt32) throws(AudioStatus) {
    let layout = try writableLayout(id)
    let found = layout.chunks(id)
    guard index < found.count else { throw .fileChunk }
    let chunk = found[Int(index)]
    let filler = layout.kind == .caf ? ChunkID.filler : ChunkID.junk
    try stored { () throws(StorageError) in
      if chunk.headerOffset == layout.chunks.last?.headerOffset {
        try storage.setLength(chunk.headerOffset)
      } else {
        try storage.write(filler.bigEndianBytes, at: chunk.headerOffset)
      }
    }
    try relearn()
  }

  /// Moves the sound behind all other chunks. Takes as long as copying the file.
  func optimize() throws(AudioStatus) {
    guard canWrite else { throw .filePermissions }
    try flush()
    guard let layout, layout.hasChunksAfterSound, let index = layout.soundIndex else { return }
    guard index + 1 < layout.chunks.count, layout.kind != .au else { return }
    let sound = layout.chunks[index]
    let tailStart = layout.chunks[index + 1].headerOffset
    let length = storage.length
    // Chunks of more than 256 MiB are not what this is for.
    guard length - tailStart < 1 << 28, let tail = storage.bytes(at: tailStart, count: Int(length - tailStart)) else {
      throw .fileOperationUnsupported
    }
    try stored { () throws(StorageError) in
      // From the end, so that nothing is overwritten before it was moved.
      var end = tailStart
      let moved = Int64(tail.count)
      while end > sound.headerOffset {
        let start = max(sound.headerOffset, end - 1 << 20)
        guard let block = storage.bytes(at: start, count: Int(end - start)) else { throw .system(5) }
        try storage.write(block, at: start + moved)
        end = start
      }
      try storage.write(tail, at: sound.headerOffset)
    }
    try relearn()
  }

  /// Reads the layout anew after chunks have changed, and sets the sizes.
  private func relearn() throws(AudioStatus) {
    guard let fresh = ContainerLayout(storage) else { throw .fileInvalid }
    layout = fresh
    dataOffset = fresh.dataOffset
    sizesAreStale = true
    try flush()
  }

  private func isSound(_ chunk: ContainerLayout.Chunk) -> Bool {
    layout.flatMap { file in file.soundIndex.map { file.chunks[$0].headerOffset } } == chunk.headerOffset
  }

  private func chunkLayout() throws(AudioStatus) -> ContainerLayout {
    guard encoder == nil, let layout, layout.kind != .au else { throw .fileOperationUnsupported }
    try flush()
    return self.layout ?? layout
  }

  private func writableLayout(_ id: UInt32) throws(AudioStatus) -> ContainerLayout {
    guard canWrite else { throw .filePermissions }
    let layout = try chunkLayout()
    // Wave64 names chunks by 16 bytes, which four characters do not give.
    guard layout.kind != .wave64 else { throw .fileOperationUnsupported }
    let own: [UInt32] = [
      ChunkID.format, ChunkID.common, ChunkID.description, ChunkID.packetTable, 0x6461_7461, 0x5353_4E44, 0x6473_3634,
    ]
    guard !own.contains(id) else { throw .fileChunk }
    return layout
  }

  private func newChunk(
    _ id: UInt32, bytes: [UInt8], kind: ContainerLayout.Kind
  ) throws(AudioStatus) -> [UInt8] {
    let isBigEndian = layout?.isBigEndian ?? true
    let size = UInt64(bytes.count).littleEndianBytes.prefix(kind == .caf ? 8 : 4)
    let padding: [UInt8] = kind != .caf && bytes.count % 2 == 1 ? [0] : []
    return id.bigEndianBytes + (isBigEndian ? size.reversed() : Array(size)) + bytes + padding
  }
}

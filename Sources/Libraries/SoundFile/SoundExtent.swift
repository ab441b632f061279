// The one place where the lengths in a header are compared with the bytes that are there. docs/files.md says what is
// chosen, and why. Containers with chunks, and AU; what is coded has the lengths of its stream besides: CodedLength.

import AudioCore

/// The bytes of sound in a file, beside what its header says of them.
package struct SoundExtent {
  /// How the two compare.
  enum Finding: Equatable {
    /// The header is right, or leaves the length open: then the sound goes on to the end of the file.
    case agrees
    /// The file ends before its sound should: bytes that are missing.
    case cutOff(missing: Int64)
    /// The header says 0, or too little, and nothing else says that it is right: the sound goes on to the end.
    case goesOn
    /// Bytes behind the end of the file as its header has it, which belong to nothing.
    case surplus(Int64)
  }

  package let layout: ContainerLayout
  /// Bytes of sound that are there.
  let dataBytes: Int64
  let finding: Finding
  /// Bytes of sound as the header states them; nil where it leaves them open.
  var statedBytes: Int64? { layout.statedBytes }

  /// Nil where this is no such container, or its sound is not found.
  package init?(_ body: SoundBody) {
    guard let layout = ContainerLayout(body.storage) else { return nil }
    self.layout = layout
    let storage = body.storage
    let start = layout.dataOffset
    let open = max(0, body.end - start)
    guard let stated = layout.statedBytes else {
      (dataBytes, finding) = (open, .agrees)
      return
    }
    let present = max(0, storage.length - start)
    guard stated <= present else {
      (dataBytes, finding) = (present, .cutOff(missing: start.addingOrMax(stated) - storage.length))
      return
    }
    let rest = ChunkRest(storage, layout, from: start + stated, tags: body.end)
    if rest.isEmpty && (stated > 0 || present == 0) || rest.isKnown && (stated > 0 || rest.isWhole) {
      (dataBytes, finding) = (stated, .agrees)
    } else if open > stated, stated == 0 || !layout.isConfirmed(end: start + stated, rest: rest) {
      (dataBytes, finding) = (open, .goesOn)
    } else {
      (dataBytes, finding) = (stated, .surplus(present - stated))
    }
  }

  /// The chunks beside the sound, in order, as far as they can be told from other bytes.
  package func chunks(of storage: any ByteStorage) -> [ContainerLayout.Chunk] {
    guard let sound = layout.soundIndex else { return [] }
    var chunks = Array(layout.chunks[..<sound])
    guard finding == .agrees, let statedBytes else { return chunks }
    let end = layout.dataOffset + statedBytes
    let starts = [layout.aligned(end), end]
    guard var offset = starts.first(where: { layout.chunk(of: storage, at: $0) != nil }) else { return chunks }
    while chunks.count < 10_000, !SoundBody.isTag(storage, at: offset),
      let chunk = layout.chunk(of: storage, at: offset)
    {
      let header: Int64 = layout.kind == .wave64 ? 24 : layout.kind == .caf ? 12 : 8
      guard let id = storage.bytes(at: offset, count: 4)?.bigEndianValue else { break }
      chunks.append(
        ContainerLayout.Chunk(
          id: UInt32(truncatingIfNeeded: id), headerOffset: offset, contentOffset: offset + header,
          contentBytes: chunk.end - offset - header))
      guard chunk.end <= storage.length else { break }
      offset = layout.aligned(chunk.end)
    }
    return chunks
  }

  /// Chunks of an odd size in front of the sound.
  private var oddChunks: [ContainerLayout.Chunk] {
    layout.chunks[..<(layout.soundIndex ?? 0)].filter { $0.contentBytes & 1 == 1 }
  }

  /// The file as its header should have been.
  /// - Parameter bytesPerFrame: the size of a frame of plain samples; nil: frames in the header stay as they are.
  func mended(_ storage: any ByteStorage) -> any ByteStorage {
    let odd = layout.kind == .rf64 || layout.kind == .bw64 ? oddChunks : []
    let rewordings = layout.rewordings(storage)
    // A length that is left open is made one that every reader takes: some libraries refuse it.
    guard finding != .agrees || statedBytes == nil || !odd.isEmpty || !rewordings.isEmpty else { return storage }
    let mended = StoragePart(storage, from: 0)
    for field in rewordings { try? mended.write(field.bytes, at: field.offset) }
    // libsndfile does not step over the byte that makes such a chunk of RF64 even.
    for chunk in odd {
      try? mended.write(UInt32(clamping: chunk.contentBytes + 1).littleEndianBytes, at: chunk.headerOffset + 4)
    }
    guard finding != .agrees || statedBytes == nil else { return mended }
    // Larger than 32 bits hold: plain samples are read without the header's size.
    let most = PlainFileHeader.dataLimit(layout) ?? .max
    _ = try? PlainFileHeader.setSizes(
      mended, layout: layout, dataBytes: min(dataBytes, most & ~0xFFFF), bytesPerFrame: nil)
    if layout.kind == .rf64 || layout.kind == .bw64, layout.first(ContainerLayout.ds64) == nil {
      try? mended.write(Array("RIFF".utf8), at: 0)
    }
    return mended
  }
}

/// The bytes behind the sound, as far as they are chunks or tags.
private struct ChunkRest {
  /// True where there is nothing but padding.
  let isEmpty: Bool
  /// True where it begins with a chunk or a tag.
  let isKnown: Bool
  /// True where it is chunks up to a tag, or up to the end of the file.
  let isWhole: Bool
  /// The places at which a chunk ends.
  let ends: Set<Int64>

  /// - Parameter tags: the place at which the tags at the end of the file begin.
  init(_ storage: any ByteStorage, _ layout: ContainerLayout, from end: Int64, tags: Int64) {
    let left = storage.length - end
    guard left > 0 else {
      (isEmpty, isKnown, isWhole, ends) = (true, true, true, [end])
      return
    }
    // Some programs leave out the byte that makes an odd chunk even.
    var best: (known: Bool, whole: Bool, ends: Set<Int64>) = (false, false, [end])
    for first in [layout.aligned(end), end] {
      var walk = layout.chunks(of: storage, from: first, tags: tags)
      walk.ends.insert(end)
      if walk.known && (!best.known || walk.whole) { best = walk }
    }
    // Chunks begin at even places, in Wave64 at every eighth byte. CAF knows no filling, but libsndfile fills.
    isEmpty =
      !best.known && layout.kind != .au && left < (layout.kind == .wave64 ? 8 : layout.kind == .caf ? 1 : 2)
      || layout.kind == .caf && left == 1 && end % 2 == 1 && storage.bytes(at: end, count: 1) == [0]
    (isKnown, isWhole, ends) = (best.known, best.whole, best.ends)
  }
}

extension ContainerLayout {
  fileprivate func aligned(_ offset: Int64) -> Int64 {
    let alignment: Int64 = kind == .wave64 ? 8 : kind == .caf || kind == .au ? 1 : 2
    return (offset + alignment - 1) / alignment * alignment
  }

  /// The chunks from a place on.
  fileprivate func chunks(
    of storage: any ByteStorage, from first: Int64, tags: Int64 = .max
  ) -> (known: Bool, whole: Bool, ends: Set<Int64>) {
    var (offset, count, ends) = (first, 0, Set<Int64>())
    while count < 1_000 {
      let left = storage.length - offset
      // An APE tag need not have anything at its beginning that names it.
      if left < 8 || offset >= tags || SoundBody.isTag(storage, at: offset) {
        return (count > 0 || left >= 8, true, ends)
      }
      guard kind != .au, let chunk = chunk(of: storage, at: offset) else { return (count > 0, false, ends) }
      count += 1
      guard chunk.end <= storage.length else { return (chunk.isUsual || count > 1, chunk.isUsual, ends) }
      offset = aligned(chunk.end)
      ends.formUnion([chunk.end, offset])
    }
    return (true, false, ends)
  }

  /// The end of the chunk at a place, and true where it has one of the usual names; nil where there is none.
  fileprivate func chunk(of storage: any ByteStorage, at offset: Int64) -> (end: Int64, isUsual: Bool)? {
    let isLong = kind == .wave64
    let sizeBytes = isLong || kind == .caf ? 8 : 4
    let header = (isLong ? 16 : 4) + sizeBytes
    guard let bytes = storage.bytes(at: offset, count: header) else { return nil }
    let name = bytes[..<4]
    guard name.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0xA9 }), name[0] != 0x20 else { return nil }
    let field = bytes[(header - sizeBytes)...]
    let size = isBigEndian ? field.bigEndianValue : field.reversed().bigEndianValue
    guard size >= (isLong ? Int64(header) : 0) else { return nil }
    let isUsual = Self.usual.contains(String(decoding: name, as: UTF8.self))
    let end = offset.addingOrMax(isLong ? size : size.addingOrMax(Int64(header)))
    guard end <= storage.length || isUsual else { return nil }
    return (end, isUsual)
  }

  private static let usual: Set<String> = [
    "LIST", "list", "id3 ", "ID3 ", "bext", "cue ", "smpl", "inst", "iXML", "axml", "chna", "_PMX", "JUNK", "junk",
    "fact", "PEAK", "PAD ", "afsp", "NAME", "AUTH", "(c) ", "ANNO", "COMT", "MARK", "INST", "APPL", "COMM", "FVER",
    "info", "mark", "regn", "midi", "free", "pakt", "kuki", "chan", "strg", "uuid", "DISP", "SAUR", "minf", "elm1",
  ]

  /// True where another length in the header confirms that the sound ends at `end`: that of the whole file.
  fileprivate func isConfirmed(end: Int64, rest: ChunkRest) -> Bool {
    guard let fileEnd = outerEnd else { return false }
    return rest.ends.contains(fileEnd) || fileEnd == aligned(end)
  }
}

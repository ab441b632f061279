// The channel layout that a file states, by its own bytes: libsndfile loses the mask of WAVE headers that it has no
// list for, and the labels of CAF and AIFF.

import AudioCore

/// The layout in a header, and what does not go together there.
struct StatedLayout {
  var layout: ChannelLayout?
  var remark: String?

  /// The layout of what libsndfile reads.
  init(
    _ storage: any ByteStorage, _ chunks: ContainerLayout?, channelCount: Int, encoding: SoundFileEncoding?
  ) {
    layout = ChannelLayout(channelCount: channelCount)
    switch encoding {
    case .vorbis: layout = ChannelPlacement.oggLayout(channelCount)
    case .opus:
      // The mapping family in the first packet: 0 and 1 have the order of Vorbis, others no loudspeakers.
      let family = storage.bytes(at: 46, count: 1)?.first ?? 0
      layout = family < 2 ? ChannelPlacement.oggLayout(channelCount) : nil
    default:
      let isALAC = encoding?.isALAC ?? false
      if isALAC { layout = ChannelPlacement.alacLayout(channelCount) }
      readChunks(storage, chunks, channelCount: channelCount, isALAC: isALAC)
    }
  }

  /// The layout of a FLAC file with these comments.
  init(flacComments comments: [String], channelCount: Int) {
    layout = ChannelPlacement.flacLayout(channelCount)
    let name = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK="
    guard let comment = comments.first(where: { $0.uppercased().hasPrefix(name) }) else { return }
    let text = comment.dropFirst(name.count).lowercased()
    guard text.hasPrefix("0x"), let mask = UInt32(text.dropFirst(2), radix: 16) else {
      remark = "its channel mask \"\(VisibleText.of(String(text.prefix(20))))\" is no number"
      return
    }
    set(mask: mask, channelCount: channelCount)
  }

  private mutating func readChunks(
    _ storage: any ByteStorage, _ chunks: ContainerLayout?, channelCount: Int, isALAC: Bool
  ) {
    guard let chunks else { return }
    switch chunks.kind {
    case .wave, .rf64, .bw64, .wave64:
      guard let header = chunks.extensibleHeader(storage),
        let bytes = storage.bytes(at: header.contentOffset + 20, count: 4)
      else { return }
      let value = chunks.isBigEndian ? bytes.bigEndianValue : bytes.reversed().bigEndianValue
      set(mask: UInt32(truncatingIfNeeded: value), channelCount: channelCount)
    case .caf, .aiff, .aifc:
      guard let chunk = chunks.first(chunks.kind == .caf ? 0x6368_616E : 0x4348_414E),
        let bytes = storage.bytes(
          at: chunk.contentOffset, count: Int(clamping: min(max(0, chunk.contentBytes), 32_768)))
      else { return }
      guard let stated = ChannelLayout(chunk: bytes) else { return }
      if stated.channelCount == channelCount {
        // The elements of Apple Lossless have one order, whatever the chunk says: FFmpeg writes its own there.
        let isFixed = isALAC && layout.map { stated.order(as: $0.positions) != nil } ?? false
        if !isFixed { layout = stated }
      } else {
        remark =
          "its header has a layout of \(NumberText.count(stated.channelCount, "channel")), \(stated), and the sound has \(channelCount): it is left out"
      }
    case .au: break
    }
  }

  private mutating func set(mask: UInt32, channelCount: Int) {
    layout =
      ChannelLayout(waveMask: mask, channelCount: channelCount) ?? ChannelLayout(channelCount: channelCount)
    let known = (mask & ChannelNumbers.bitmapMask).nonzeroBitCount
    let hexadecimal = "0x" + String(mask, radix: 16, uppercase: true)
    if mask & ~ChannelNumbers.bitmapMask != 0 {
      remark = "its channel mask \(hexadecimal) has bits that name no loudspeaker: they are left out"
    } else if known > channelCount {
      remark = "its channel mask \(hexadecimal) names \(known) loudspeakers: the first \(channelCount) count"
    }
  }
}

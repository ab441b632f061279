// Sound in containers that libsndfile does not know (MPEG-4, QuickTime), or not with that codec (IMA4 in CAF): its
// packets are taken out, and given to the decoder in a container that it knows. Nothing is copied: headers are made in
// memory, packets are read where they lie.

import AudioCore
import CSndfile
import PacketDecoding
import PacketFiles

struct RewrappedSound {
  let sound: OpenedSound
  let io: SoundFileIO

  /// The file in packets, where it has to be read so; nil for all others.
  static func packetFile(_ storage: any ByteStorage) -> PacketFile? {
    guard let head = storage.bytes(at: 0, count: 32) else { return nil }
    if head.starts(with: "caff".utf8) {
      // The description comes first, in every file but odd ones.
      let isUsual = head[8..<12].elementsEqual("desc".utf8)
      if isUsual, knownInCAF.contains(FourCharCode(rawValue: UInt32(head[28..<32].bigEndianValue))) { return nil }
      guard let file = PacketFile(storage), let code = file.tracks.first?.format.code else { return nil }
      return knownInCAF.contains(code) ? nil : file
    }
    if beginnings.contains(where: { head[4..<8].elementsEqual($0.utf8) }) { return PacketFile(storage) }
    // AAC in ADTS, which may have tags in front as MP3 has them, AC-3 and AMR.
    let isFrame = head[0] == 0xFF && head[1] & 0xF6 == 0xF0 || head[0] == 0x0B && head[1] == 0x77
    guard isFrame || head.starts(with: "ID3".utf8) || head.starts(with: "#!AMR".utf8),
      let file = PacketFile(storage), [.adts, .ac3, .amr].contains(file.container)
    else { return nil }
    return file
  }

  private static let beginnings = ["ftyp", "styp", "moov", "mdat", "wide", "free", "skip", "pnot"]
  private static let knownInCAF: Set<FourCharCode> = ["lpcm", "ulaw", "alaw", "alac", ".mp1", ".mp2", ".mp3"]

  /// Opens one track.
  /// - Throws: `.input` where there is no such track, or no decoder for it.
  init(
    _ storage: any ByteStorage, _ file: PacketFile, track number: Int, path: String, allowTruncated: Bool
  ) throws(BenchError) {
    guard file.tracks.indices.contains(number) else {
      throw BenchError(.input, at: path, "has no track \(number) of sound; there are \(file.tracks.count)")
    }
    let track = file.tracks[number]
    if let cut = track.remarks.first(where: { $0.hasPrefix("the file ends") }), !allowTruncated {
      throw BenchError(.input, at: path, cut, advice: SoundFileReader.truncationAdvice)
    }
    var remarks = track.remarks
    if file.tracks.count > 1 {
      remarks.append("has \(file.tracks.count) tracks of sound: track \(number + 1) of them is read")
    }
    guard let header = DecoderHeader(track) else {
      guard let order = DecoderOrder(track) else { throw ForeignCodec.error(track, file.container, path) }
      io = SoundFileIO(storage)
      sound = try ForeignSound(storage, file, track, order, remarks: remarks, path: path).sound
      return
    }
    let pieces = track.places?.extents.map { JoinedStorage.Piece.range($0.offset..<$0.offset + $0.length) } ?? []
    let joined = JoinedStorage(storage, [.bytes(header.bytes)] + pieces)
    let inner = SoundBody(joined)
    let mpeg = header.bytes.isEmpty ? MPEGLength(inner) : nil
    io = SoundFileIO(mpeg?.mended(joined) ?? joined)
    let opened: OpenedSound
    if OpenedSound.isFLAC(inner) {
      opened = try OpenedSound(flac: io, inner, path: path, allowTruncated: true)
    } else {
      opened = try OpenedSound(
        io, inner, extent: header.bytes.isEmpty ? nil : SoundExtent(inner), mpeg: mpeg, path: path, allowTruncated: true
      )
    }
    // The decoder may give less than the packets should hold, never more.
    let first = min(track.trim?.priming ?? 0, opened.info.frameCount)
    let frames = min(track.trim?.valid ?? opened.info.frameCount, opened.info.frameCount - first)
    let info = SoundFileInfo(
      path: path, frameCount: frames, sampleRate: opened.info.sampleRate, channelCount: opened.info.channelCount,
      container: file.container.ofFiles, encoding: opened.info.encoding,
      containerName: file.container == .caf ? sndfileName(of: SoundFileContainer.caf.majorFormat) : "MPEG-4",
      encodingName: opened.info.encodingName, isSeekable: opened.info.isSeekable,
      metadata: SoundFileMetadata(named: file.texts),
      promisedFrames: nil, remarks: remarks, exactBits: opened.info.exactBits, layout: opened.info.layout)
    let isWhole = first == 0 && frames == opened.info.frameCount
    sound = OpenedSound(
      decoder: isWhole ? opened.decoder : TrimmedDecoder(opened.decoder, frames: first..<first + frames), info: info,
      plainEncoding: opened.plainEncoding)
  }
}

extension PacketFile.Container {
  /// The kind of file, where it is one that is written here too; nil for others.
  var ofFiles: SoundFileContainer? {
    switch self {
    case .caf: .caf
    case .mpeg4: .m4a
    default: nil
    }
  }
}

extension SoundFileMetadata {
  private static let names: [String: Field] = [
    "title": .title, "artist": .artist, "album": .album, "comments": .comment, "copyright": .copyright,
    "year": .date, "recorded date": .date, "genre": .genre, "track number": .tracknumber,
    "encoding application": .software,
  ]

  /// Its texts by the names that Core Audio has for them, in a fixed order.
  var named: [(key: String, value: String)] {
    Self.names.filter { $0.key != "recorded date" }.sorted { $0.key < $1.key }
      .compactMap { name in self[name.value].flatMap { $0.isEmpty ? nil : (name.key, $0) } }
  }

  /// Texts by the names that Core Audio has for them.
  package init(named texts: [(key: String, value: String)]) {
    let names = Self.names
    values = [:]
    for text in texts where !text.value.isEmpty {
      if let field = names[text.key.lowercased()], values[field] == nil { values[field] = text.value }
    }
  }
}

/// A range of what another decoder gives.
final class TrimmedDecoder: FrameDecoder {
  private let inner: any FrameDecoder
  private let range: Range<Int64>
  /// The frame of the other decoder that comes next; −1 before its first frame of the range was looked for.
  private var position: Int64 = -1

  init(_ inner: any FrameDecoder, frames range: Range<Int64>) { (self.inner, self.range) = (inner, range) }

  var jumps: Bool { inner.jumps }
  var damage: String? { inner.damage }

  func fetch(_ count: Int, into block: UnsafeMutableRawPointer, wide: Bool) -> (frames: Int, encoding: SampleEncoding) {
    if position < 0 {
      position = 0
      if inner.jumps, range.lowerBound > 0, inner.jump(to: range.lowerBound) { position = range.lowerBound }
    }
    while position < range.lowerBound {
      let got = inner.fetch(Int(min(Int64(count), range.lowerBound - position)), into: block, wide: wide)
      if got.frames == 0 { return got }
      position += Int64(got.frames)
    }
    let wanted = Int(min(Int64(count), range.upperBound - position))
    guard wanted > 0 else { return (0, wide ? .float64.native : .float32.native) }
    let got = inner.fetch(wanted, into: block, wide: wide)
    position += Int64(got.frames)
    return got
  }

  func jump(to frame: Int64) -> Bool {
    guard inner.jump(to: range.lowerBound + frame) else {
      position = -1
      return false
    }
    position = range.lowerBound + frame
    return true
  }

  func rewind() -> Bool {
    position = -1
    return inner.rewind()
  }
}

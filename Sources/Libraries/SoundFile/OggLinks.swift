// Chained Ogg files: several streams one behind the other in one file (RFC 3533, section 4), of which libsndfile reads
// the first alone. Each is opened by itself, and they are one sound if rates and channels are equal.

import AudioCore
import CSndfile

/// The places of the streams in an Ogg file.
enum OggLinks {
  /// Streams after which a file is taken for endless.
  private static let most = 10_000

  /// One range for each stream, in order; nil for a file of another kind, and where no page follows another.
  static func ranges(_ storage: any ByteStorage) -> [Range<Int64>]? {
    guard storage.bytes(at: 0, count: 4)?.elementsEqual("OggS".utf8) ?? false else { return nil }
    let length = storage.length
    var window = (offset: Int64(0), bytes: [UInt8]())
    /// Up to the longest header from `offset` on.
    func header(_ offset: Int64) -> ArraySlice<UInt8>? {
      let wanted = min(282, length - offset)
      guard wanted >= 27 else { return nil }
      if offset < window.offset || offset + wanted > window.offset + Int64(window.bytes.count) {
        guard let bytes = storage.bytes(at: offset, count: Int(min(65_536, length - offset))) else { return nil }
        window = (offset, bytes)
      }
      let index = Int(offset - window.offset)
      return window.bytes[index..<index + Int(wanted)]
    }
    var starts: [Int64] = []
    var offset: Int64 = 0
    var isBeginning = false
    while let page = header(offset), starts.count < most {
      let first = page.startIndex
      guard page.starts(with: "OggS".utf8), first + 27 + Int(page[first + 26]) <= page.endIndex else {
        // Something between two pages; the next one is looked for.
        guard let next = nextPage(storage, from: offset + 1) else { break }
        offset = next
        continue
      }
      let begins = page[first + 5] & 2 != 0
      if begins, !isBeginning { starts.append(offset) }
      isBeginning = begins
      let segments = Int(page[first + 26])
      offset += Int64(27 + segments) + page[(first + 27)..<(first + 27 + segments)].reduce(0) { $0 + Int64($1) }
    }
    guard !starts.isEmpty else { return nil }
    return starts.indices.map { starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : length) }
  }

  /// The next place of "OggS", in what is as long as the longest page at the most.
  private static func nextPage(_ storage: any ByteStorage, from offset: Int64) -> Int64? {
    let count = Int(min(65_536, storage.length - offset))
    guard count > 27, let bytes = storage.bytes(at: offset, count: count) else { return nil }
    return bytes.indices.dropLast(27).first { bytes[$0] == 0x4F && bytes[$0...].starts(with: "OggS".utf8) }
      .map { offset + Int64($0) }
  }
}

/// The streams of a chained file, one after the other.
final class OggChain: FrameDecoder {
  private let storage: any ByteStorage
  private let links: [(range: Range<Int64>, start: Int64)]
  private let channelCount: Int
  private var current: (index: Int, decoder: SndfileDecoder)?
  private(set) var damage: String?

  /// - Parameter links: the place of each stream, and its first frame.
  init(_ storage: any ByteStorage, links: [(range: Range<Int64>, start: Int64)], channelCount: Int) {
    (self.storage, self.links, self.channelCount) = (storage, links, channelCount)
  }

  let jumps = true

  /// Decodes from the beginning of the stream that the frame is in.
  func jump(to frame: Int64) -> Bool {
    damage = nil
    let index = max(0, links.lastIndex { $0.start <= frame } ?? 0)
    guard begin(index) else { return false }
    let blockFrames = max(256, 65_536 / channelCount)
    let block = UnsafeMutableRawPointer.allocate(byteCount: blockFrames * channelCount * 4, alignment: 64)
    defer { block.deallocate() }
    var left = frame - links[index].start
    while left > 0 {
      let got = fetch(Int(min(left, Int64(blockFrames))), into: block, wide: false).frames
      guard got > 0 else { return false }
      left -= Int64(got)
    }
    return true
  }

  func rewind() -> Bool {
    (current, damage) = (nil, nil)
    return true
  }

  func fetch(_ count: Int, into block: UnsafeMutableRawPointer, wide: Bool) -> (frames: Int, encoding: SampleEncoding) {
    let nothing = (0, (wide ? SampleEncoding.float64 : .float32).native)
    while true {
      if let current {
        let got = current.decoder.fetch(count, into: block, wide: wide)
        if got.frames > 0 { return got }
      }
      let index = current.map { $0.index + 1 } ?? 0
      guard index < links.count, damage == nil, begin(index) else { return nothing }
    }
  }

  private func begin(_ index: Int) -> Bool {
    let range = links[index].range
    let io = SoundFileIO(StoragePart(storage, from: range.lowerBound, to: range.upperBound))
    var raw = SF_INFO()
    guard let handle = io.open(mode: Int32(SFM_READ), info: &raw) else {
      damage = "part \(index + 1) of \(links.count) cannot be decoded"
      return false
    }
    current = (index, SndfileDecoder(io, handle, channelCount: channelCount, jumps: false))
    return true
  }
}

extension OpenedSound {
  /// Opens a file of several streams.
  /// - Throws: `.input` where they have different rates or channels, or one of them cannot be opened.
  init(chain ranges: [Range<Int64>], _ body: SoundBody, path: String, allowTruncated: Bool) throws(BenchError) {
    var first: SoundFileInfo?
    var links: [(range: Range<Int64>, start: Int64)] = []
    var frames: Int64 = 0
    var remarks = [body.strayRemark].compactMap { $0 }
    for (index, range) in ranges.enumerated() {
      let part = StoragePart(body.storage, from: range.lowerBound, to: range.upperBound)
      let io = SoundFileIO(part)
      let place = "\(path), part \(index + 1) of \(ranges.count)"
      let info: SoundFileInfo
      do throws(BenchError) {
        info = try OpenedSound(
          io, SoundBody(part), extent: nil, path: place, allowTruncated: allowTruncated || index + 1 < ranges.count
        ).info
      } catch {
        guard allowTruncated, first != nil else { throw error }
        remarks.append("\(error)")
        break
      }
      if let first, info.sampleRate != first.sampleRate || info.channelCount != first.channelCount {
        func words(_ info: SoundFileInfo) -> String {
          "\(NumberText.short(info.sampleRate)) Hz and \(NumberText.count(info.channelCount, "channel"))"
        }
        throw BenchError(
          .input, at: path,
          "is a chain of \(ranges.count) streams: the first has \(words(first)), number \(index + 1) has \(words(info))",
          advice: "split it into a file for each, and convert these to one rate and number of channels")
      }
      first = first ?? info
      if index + 1 == ranges.count { remarks += info.remarks }
      links.append((range, frames))
      frames += info.frameCount
    }
    guard let first else { throw BenchError(.input, at: path, "has no stream of sound") }
    decoder = OggChain(body.storage, links: links, channelCount: first.channelCount)
    info = SoundFileInfo(
      path: path, frameCount: frames, sampleRate: first.sampleRate, channelCount: first.channelCount,
      container: first.container, encoding: first.encoding, containerName: first.containerName,
      encodingName: first.encodingName, isSeekable: false, metadata: first.metadata, promisedFrames: nil,
      remarks: remarks, layout: first.layout)
  }
}

// The tables of a track: sizes, chunks and times of its packets ('stsz', 'stz2', 'stsc', 'stco', 'co64', 'stts'), and
// the same in fragments of a movie ('moof').

import AudioCore

/// The tables as they lie in the file; each is cut at 64 MiB.
struct MPEG4SampleTable {
  private var sizes: [UInt8] = []
  private var sizeBits = 32
  private var commonSize: Int64 = 0
  private var sampleCount: Int64 = 0
  private var chunkOffsets: [UInt8] = []
  private var offsetBytes = 4
  private var chunkRuns: [UInt8] = []
  private var times: [UInt8] = []

  private static let most = 64 << 20

  init(_ storage: any PacketBytes, _ range: Range<Int64>) {
    for box in storage.boxes(in: range).prefix(64) {
      func table(from start: Int64) -> [UInt8] {
        let first = box.content.lowerBound + start
        return first < box.content.upperBound
          ? storage.bytes(in: first..<box.content.upperBound, most: Self.most) ?? [] : []
      }
      switch box.type {
      case "stsz":
        let head = storage.bytes(at: box.content.lowerBound, count: 12) ?? []
        commonSize = head.number(4, 4) ?? 0
        sampleCount = head.number(8, 4) ?? 0
        if commonSize == 0 { sizes = table(from: 12) }
      case "stz2":
        let head = storage.bytes(at: box.content.lowerBound, count: 12) ?? []
        sizeBits = Int(head.number(7, 1) ?? 0)
        sampleCount = head.number(8, 4) ?? 0
        sizes = table(from: 12)
      case "stco", "co64":
        offsetBytes = box.type == "co64" ? 8 : 4
        chunkOffsets = table(from: 8)
      case "stsc": chunkRuns = table(from: 8)
      case "stts": times = table(from: 8)
      default: break
      }
    }
  }

  /// The size of a sample; nil where the table has none.
  private func size(_ index: Int64) -> Int64? {
    if commonSize > 0 { return commonSize }
    guard index < Int64(PacketPlaces.most) * 2 else { return nil }
    switch sizeBits {
    case 4: return sizes.number(Int(index / 2), 1).map { index % 2 == 0 ? $0 >> 4 : $0 & 15 }
    case 8, 16, 32: return sizes.number(Int(index) * sizeBits / 8, sizeBits / 8)
    default: return nil
    }
  }

  /// Adds the packets to a track, chunk by chunk, as far as they lie in the file.
  func read(_ storage: any PacketBytes, into track: inout MPEG4Track) {
    let length = storage.length
    var sample: Int64 = 0
    var run = 0
    var perChunk: Int64 = 0
    var nextChange: Int64 = 1
    var isCut = false
    let chunks = chunkOffsets.count / offsetBytes
    scan: for chunk in 0..<chunks {
      if sample >= sampleCount { break }
      while Int64(chunk) + 1 >= nextChange, let count = chunkRuns.number(run * 12 + 4, 4) {
        perChunk = count
        run += 1
        nextChange = chunkRuns.number(run * 12, 4) ?? .max
      }
      guard perChunk > 0, var offset = chunkOffsets.number(chunk * offsetBytes, offsetBytes), offset >= 0 else {
        continue
      }
      let count = min(perChunk, sampleCount - sample)
      if track.entry.isFixed {
        // The table counts packets, or (QuickTime's older ones, which then say a size of 1) their frames.
        let countsPackets = commonSize == track.places.packetBytes
        let packets = countsPackets ? count : count / max(1, track.entry.samplesPerPacket)
        let room = max(0, length - offset) / max(1, track.places.packetBytes)
        guard track.places.append(offset: offset, packets: min(packets, room)) else { break }
        sample += count
        if room < packets {
          isCut = true
          break
        }
        continue
      }
      for _ in 0..<count {
        guard let size = size(sample), offset.plus(size) <= length else {
          isCut = true
          break scan
        }
        guard track.places.append(offset: offset, bytes: size) else { break scan }
        offset += size
        sample += 1
      }
    }
    readTimes(into: &track)
    if isCut { track.remarks.append("the file ends before its sound does") }
  }

  private func readTimes(into track: inout MPEG4Track) {
    guard !track.entry.isFixed else { return }
    var left = track.places.count
    for index in 0..<times.count / 8 {
      guard left > 0, let count = times.number(index * 8, 4), let ticks = times.number(index * 8 + 4, 4) else { break }
      track.ticks.append(count: min(count, left), ticks: ticks)
      left -= min(count, left)
    }
  }
}

/// The values of a track's fragments that they need not say.
struct MPEG4FragmentDefaults {
  var duration: Int64 = 0
  var size: Int64 = 0

  /// By the number of the track.
  static func all(_ storage: any PacketBytes, _ movie: MPEG4Box) -> [UInt32: MPEG4FragmentDefaults] {
    guard let extends = storage.box("mvex", in: movie.content) else { return [:] }
    var found: [UInt32: MPEG4FragmentDefaults] = [:]
    for box in storage.boxes(in: extends.content).filter({ $0.type == "trex" }).prefix(256) {
      guard let bytes = storage.bytes(in: box.content, most: 24), let track = bytes.word(4) else { continue }
      found[track] = MPEG4FragmentDefaults(duration: bytes.number(12, 4) ?? 0, size: bytes.number(16, 4) ?? 0)
    }
    return found
  }
}

/// A fragment of a movie.
enum MPEG4Fragment {
  /// Adds the packets of a fragment to the tracks that it names.
  static func read(
    _ storage: any PacketBytes, _ fragment: MPEG4Box, defaults: [UInt32: MPEG4FragmentDefaults],
    into tracks: inout [MPEG4Track]
  ) {
    // The place behind the data of the part before, where a part names none.
    var end = fragment.start
    for part in storage.boxes(in: fragment.content).filter({ $0.type == "traf" }).prefix(256) {
      guard let header = storage.box("tfhd", in: part.content), let bytes = storage.bytes(in: header.content, most: 40),
        let flags = bytes.word(0), let number = bytes.word(4)
      else { continue }
      var values = defaults[number] ?? MPEG4FragmentDefaults()
      var base = flags & 0x2_0000 != 0 ? fragment.start : end
      var at = 8
      if flags & 1 != 0 {
        base = bytes.number(at, 8) ?? base
        at += 8
      }
      if flags & 2 != 0 { at += 4 }
      if flags & 8 != 0 {
        values.duration = bytes.number(at, 4) ?? values.duration
        at += 4
      }
      if flags & 0x10 != 0 { values.size = bytes.number(at, 4) ?? values.size }
      let index = tracks.firstIndex { $0.number == number }
      var place = base
      for run in storage.boxes(in: part.content).filter({ $0.type == "trun" }).prefix(4_096) {
        guard let content = storage.bytes(in: run.content, most: 64 << 20) else { continue }
        readRun(content, base: base, values: values, place: &place, length: storage.length) { offset, size, ticks in
          guard let index, number == tracks[index].number else { return true }
          return tracks[index].append(offset: offset, size: size, ticks: ticks)
        }
      }
      end = place
    }
  }

  private static func readRun(
    _ bytes: [UInt8], base: Int64, values: MPEG4FragmentDefaults, place: inout Int64, length: Int64,
    add: (_ offset: Int64, _ size: Int64, _ ticks: Int64) -> Bool
  ) {
    guard let flags = bytes.word(0), let count = bytes.number(4, 4) else { return }
    var at = 8
    if flags & 1 != 0 {
      place = base.plus(Int64(Int32(truncatingIfNeeded: bytes.number(at, 4) ?? 0)))
      at += 4
    }
    if flags & 4 != 0 { at += 4 }
    for _ in 0..<count {
      var (ticks, size) = (values.duration, values.size)
      for flag in [UInt32(0x100), 0x200, 0x400, 0x800] where flags & flag != 0 {
        guard let value = bytes.number(at, 4) else { return }
        if flag == 0x100 { ticks = value } else if flag == 0x200 { size = value }
        at += 4
      }
      // Samples without bytes of their own would go on for ever.
      guard place >= 0, size > 0, place.plus(size) <= length, add(place, size, ticks) else { return }
      place += size
    }
  }
}

extension MPEG4Track {
  /// Adds a packet of a fragment.
  mutating func append(offset: Int64, size: Int64, ticks duration: Int64) -> Bool {
    if entry.isFixed {
      guard size % max(1, places.packetBytes) == 0 else { return false }
      return places.append(offset: offset, packets: size / max(1, places.packetBytes))
    }
    guard places.append(offset: offset, bytes: size) else { return false }
    ticks.append(count: 1, ticks: duration)
    return true
  }
}

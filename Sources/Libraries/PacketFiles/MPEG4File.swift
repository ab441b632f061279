// MPEG-4, QuickTime and 3GPP: the movie, its tracks of sound, and what fragments add to them.

import AudioCore

extension PacketFile {
  static func mpeg4(_ storage: any PacketBytes) -> PacketFile? {
    guard let type = storage.code(at: 4) else { return nil }
    let beginnings: [FourCharCode] = ["ftyp", "styp", "moov", "mdat", "wide", "free", "skip", "pnot"]
    guard beginnings.contains(FourCharCode(rawValue: type)) else { return nil }
    var brand: UInt32 = 0
    var movie: MPEG4Box?
    var fragments: [MPEG4Box] = []
    for box in storage.boxes(in: 0..<storage.length) {
      switch box.type {
      case "ftyp": brand = storage.code(at: box.content.lowerBound) ?? 0
      case "moov": movie = movie ?? box
      case "moof": fragments.append(box)
      default: break
      }
    }
    guard let movie else { return nil }
    let scale = MPEG4Movie(storage, movie)
    var tracks = storage.boxes(in: movie.content).filter { $0.type == "trak" }.prefix(256)
      .compactMap { MPEG4Track(storage, $0, movie: scale) }
    let defaults = MPEG4FragmentDefaults.all(storage, movie)
    for fragment in fragments { MPEG4Fragment.read(storage, fragment, defaults: defaults, into: &tracks) }
    let texts = MPEG4Texts(storage, movie)
    let gapless = tracks.count == 1 ? texts.gapless : nil
    let done = tracks.compactMap { $0.finish(gapless: gapless) }
    guard !done.isEmpty else { return nil }
    var file = PacketFile(.mpeg4(brand: brand), done)
    file.texts = texts.texts
    if let userData = storage.box("udta", in: movie.content) {
      file.chunks = storage.boxes(in: userData.content).prefix(10_000).map {
        Chunk(
          id: $0.type.rawValue, offset: $0.content.lowerBound, length: $0.content.upperBound - $0.content.lowerBound)
      }
    }
    return file
  }
}

/// The header of the movie.
struct MPEG4Movie {
  /// Units of time a second; 0: unknown.
  var timeScale: Int64 = 0

  init(_ storage: any PacketBytes, _ movie: MPEG4Box) {
    guard let header = storage.box("mvhd", in: movie.content), let bytes = storage.bytes(in: header.content, most: 32)
    else { return }
    timeScale = bytes.number(bytes.first == 1 ? 20 : 12, 4) ?? 0
  }
}

/// Durations in a track's own units, run by run.
struct TickRuns {
  private(set) var runs: [(count: Int64, ticks: Int64)] = []
  private(set) var total: Int64 = 0
  private(set) var count: Int64 = 0

  mutating func append(count: Int64, ticks: Int64) {
    guard count > 0, ticks >= 0, count < 1 << 33, ticks < 1 << 32, runs.count < PacketPlaces.most else { return }
    let (product, overflow) = count.multipliedReportingOverflow(by: ticks)
    guard !overflow, product < 1 << 60, total < 1 << 60 else { return }
    total += product
    self.count += count
    if let last = runs.last, last.ticks == ticks {
      runs[runs.count - 1].count += count
    } else {
      runs.append((count, ticks))
    }
  }
}

/// A track of sound on the way: its packets, before edits are applied.
struct MPEG4Track {
  let number: UInt32
  let timeScale: Int64
  let movieScale: Int64
  var entry: MPEG4SampleEntry
  var places: PacketPlaces
  var ticks = TickRuns()
  let edits: MPEG4Edits
  var remarks: [String] = []

  /// Nil where the track is no sound, or its tables are missing.
  init?(_ storage: any PacketBytes, _ box: MPEG4Box, movie: MPEG4Movie) {
    guard let media = storage.box("mdia", in: box.content), let handler = storage.box("hdlr", in: media.content),
      storage.code(at: handler.content.lowerBound + 8) == ("soun" as FourCharCode).rawValue,
      let header = storage.box("mdhd", in: media.content), let times = storage.bytes(in: header.content, most: 32),
      let scale = times.number(times.first == 1 ? 20 : 12, 4), scale > 0,
      let tables = storage.box("minf", "stbl", in: media.content),
      let description = storage.box("stsd", in: tables.content),
      let entry = MPEG4SampleEntry(storage, description, timeScale: scale)
    else { return nil }
    number =
      storage.box("tkhd", in: box.content).flatMap { storage.bytes(in: $0.content, most: 32) }
      .flatMap { $0.word($0.first == 1 ? 20 : 12) } ?? 0
    (self.entry, timeScale, movieScale) = (entry, scale, movie.timeScale)
    edits = MPEG4Edits(storage, storage.box("edts", "elst", in: box.content))
    places = PacketPlaces(packetBytes: Int64(entry.format.bytesPerPacket))
    let table = MPEG4SampleTable(storage, tables.content)
    table.read(storage, into: &self)
  }

  /// The track as it is heard: with its edits, or what iTunes says of the gaps.
  func finish(gapless: PacketTrack.Trim?) -> PacketTrack? {
    var format = entry.format
    let rate = Int64(clamping: format.sampleRate)
    // A codec whose packets are all alike, or plain samples, need no times.
    var durations = PacketDurations()
    let uniform =
      ticks.runs.count == 1 || ticks.runs.count == 2 && ticks.runs[1].count == 1 ? ticks.runs.first?.ticks : nil
    if format.framesPerPacket == 0, let uniform, let frames = uniform.scaled(by: rate, over: timeScale),
      let exact = UInt32(exactly: frames)
    {
      format.framesPerPacket = exact
    }
    if entry.isFixed {
      durations = PacketDurations(count: places.count, frames: Int64(format.framesPerPacket))
    } else {
      for run in ticks.runs where durations.packetCount < places.count {
        let frames = run.ticks.scaled(by: rate, over: timeScale) ?? 0
        durations.append(count: min(run.count, places.count - durations.packetCount), frames: frames)
      }
      durations.append(count: places.count - durations.packetCount, frames: Int64(format.framesPerPacket))
    }
    var track = PacketTrack(format)
    track.durations = durations
    track.richerFormats = entry.richerFormats
    track.cookie = entry.cookie
    track.layout = entry.layout
    track.sourceBits = entry.sourceBits
    track.number = number
    track.remarks = remarks
    track.dataOffset = places.extents.first?.offset ?? 0
    track.dataBytes = places.byteCount
    track.places = places
    let decoded = format.framesPerPacket > 0 ? track.codedFrames : durations.frameCount
    // Plain samples end with their last; the last packet of a codec is as long as the times say.
    let total = min(decoded, entry.isFixed ? decoded : exactTotal(rate) ?? durations.frameCount)
    let cut = edits.cut(rate: rate, mediaScale: timeScale, movieScale: movieScale, total: total, gapless: gapless)
    if let remark = cut.remark { track.remarks.append(remark) }
    let priming = min(cut.start ?? Int64(entry.preSkip), total)
    let valid = max(0, min(cut.length ?? .max, total - priming))
    if cut.start != nil || entry.preSkip > 0 || valid != decoded {
      track.trim = PacketTrack.Trim(priming: priming, valid: valid, remainder: max(0, decoded - priming - valid))
    }
    return track
  }

  /// Frames by the sum of all times, which is rounded once.
  private func exactTotal(_ rate: Int64) -> Int64? {
    ticks.count == places.count ? ticks.total.scaled(by: rate, over: timeScale) : nil
  }
}

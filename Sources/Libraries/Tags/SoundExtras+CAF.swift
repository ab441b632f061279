// Markers, regions and instruments of CAF: Apple's "Core Audio Format Specification 1.0".

import AudioCore
import SoundFile

extension SoundExtras {
  /// Reads `mark`, `regn`, `inst` and the names in `strg`.
  mutating func readCAF(_ chunks: [Chunk]) {
    let names = Self.names(chunks.first { $0.name == "strg" })
    for chunk in chunks where chunk.name == "mark" {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: true)
      let stated = fields.number(4, 4) ?? 0
      var count: Int64 = 0
      while count < stated, markers.count < Self.mostMarkers, let point = Point(fields, 8 + 28 * Int(count)) {
        count += 1
        guard let position = point.position else { continue }
        markers.append(Marker(position: position, name: names[point.id] ?? ""))
      }
      if count < stated { remarks.append("its mark chunk says \(stated) markers, and has \(count)") }
    }
    var regions: [Int64: (marker: Marker, flags: Int64)] = [:]
    var order: [Int64] = []
    for chunk in chunks where chunk.name == "regn" {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: true)
      let stated = fields.number(4, 4) ?? 0
      var (place, count) = (8, Int64(0))
      while count < stated, order.count < Self.mostMarkers, let id = fields.number(place, 4),
        let flags = fields.number(place + 4, 4), let points = fields.number(place + 8, 4)
      {
        count += 1
        place += 12
        var (start, end): (Int64?, Int64?)
        var used: Int64 = 0
        while used < points, let point = Point(fields, place) {
          used += 1
          place += 28
          switch point.kind {
          case Self.regionStart: start = start ?? point.position
          case Self.regionEnd: end = end ?? point.position
          default:
            if let position = point.position, markers.count < Self.mostMarkers {
              markers.append(Marker(position: position, name: names[point.id] ?? ""))
            }
          }
        }
        guard let start, regions[id] == nil else { continue }
        regions[id] = (
          Marker(position: start, length: max(0, (end ?? start) - start), name: names[id] ?? ""), flags
        )
        order.append(id)
      }
      if count < stated { remarks.append("its regn chunk says \(stated) regions, and has \(count)") }
    }
    if let chunk = chunks.first(where: { $0.name == "inst" }) {
      let used = readInstrument(ChunkFields(bytes: chunk.bytes, isBigEndian: true), regions)
      order.removeAll { used.contains($0) }
    }
    markers += order.compactMap { regions[$0]?.marker }
  }

  /// The texts of a `strg` chunk by number.
  private static func names(_ chunk: Chunk?) -> [Int64: String] {
    guard let chunk else { return [:] }
    let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: true)
    let count = min(fields.number(0, 4) ?? 0, Int64(chunk.bytes.count / 12), Int64(Self.mostMarkers))
    let texts = 4 + 12 * Int(count)
    var names: [Int64: String] = [:]
    var left = chunk.bytes.count
    for index in 0..<Int(count) {
      guard let id = fields.number(4 + 12 * index, 4), let offset = fields.number(8 + 12 * index, 8), offset >= 0,
        offset < Int64(chunk.bytes.count - texts), left > 0
      else { continue }
      // All names together are no longer than the chunk, however they overlap.
      let name = fields.text(texts + Int(offset)..<min(chunk.bytes.count, texts + Int(offset) + left))
      left -= name.utf8.count + 1
      names[id] = name
    }
    return names
  }

  /// - Returns: the regions that are loops of the instrument.
  private mutating func readInstrument(
    _ fields: ChunkFields, _ regions: [Int64: (marker: Marker, flags: Int64)]
  ) -> Set<Int64> {
    func float(_ place: Int) -> Double? {
      fields.number(place, 4).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    }
    guard let note = float(0), let gain = float(8), fields.bytes.count >= 28 else {
      remarks.append("its inst chunk of \(NumberText.count(fields.bytes.count, "byte")) is cut off")
      return []
    }
    var instrument = Instrument()
    if note.isFinite, (0..<128).contains(note) {
      instrument.baseNote = Int(clamping: note.rounded(.down))
      instrument.detuneCents = (note - note.rounded(.down)) * 100
    }
    if let notes = fields.range(4) { instrument.notes = notes }
    if let velocities = fields.range(6) { instrument.velocities = velocities }
    if gain.isFinite { instrument.gainDecibels = gain }
    var used: Set<Int64> = []
    for (place, isRelease) in [(16, false), (20, true)] {
      guard let id = fields.number(place, 4), let region = regions[id], region.marker.length > 0 else { continue }
      let forward = region.flags & 2 != 0
      let direction: Loop.Direction = region.flags & 4 == 0 ? .forward : forward ? .alternating : .backward
      let start = region.marker.position
      instrument.loops.append(
        Loop(start..<start + region.marker.length, direction: direction, isRelease: isRelease))
      used.insert(id)
    }
    self.instrument = instrument
    return used
  }

  /// The chunks of CAF for markers and instrument; `lost` gets the names of what they have no place for.
  func cafChunks(lost: inout [String]) -> [Chunk] {
    var made: [Chunk] = []
    func add(_ name: String, _ bytes: [UInt8]) {
      made.append(Chunk(name: name, bytes: bytes, family: .caf, isTimeless: false))
    }
    if markers.contains(where: { !$0.note.isEmpty }) { lost.append("notes of markers") }
    let loops = instrument?.loops ?? []
    let used = [false, true].map { isRelease in loops.first { $0.isRelease == isRelease } }
    if used.filter({ $0 != nil }).count < loops.count || loops.contains(where: { $0.count != 0 }) {
      lost.append("loops")
    }
    let points = markers.enumerated().filter { $0.element.length == 0 }
    let regions = markers.enumerated().filter { $0.element.length > 0 }
    if !points.isEmpty {
      var mark = ChunkMaker(isBigEndian: true)
      mark.add(UInt32(0))
      mark.add(UInt32(points.count))
      for (index, point) in points { mark.addPoint(kind: 0, point.position, id: UInt32(index + 1)) }
      add("mark", mark.bytes)
    }
    if !regions.isEmpty || used.contains(where: { $0 != nil }) {
      var regn = ChunkMaker(isBigEndian: true)
      regn.add(UInt32(0))
      regn.add(UInt32(regions.count + used.filter { $0 != nil }.count))
      for (index, region) in regions {
        regn.addRegion(id: index + 1, flags: 0, region.position..<region.position + region.length)
      }
      for (index, loop) in used.enumerated() {
        guard let loop else { continue }
        let flags: UInt32 = loop.direction == .forward ? 3 : loop.direction == .backward ? 5 : 7
        regn.addRegion(id: markers.count + 1 + index, flags: flags, loop.range)
      }
      add("regn", regn.bytes)
    }
    let named = markers.enumerated().filter { !$0.element.name.isEmpty }
    if !named.isEmpty {
      var (strings, texts) = (ChunkMaker(isBigEndian: true), [UInt8]())
      strings.add(UInt32(named.count))
      for (index, marker) in named {
        strings.add(UInt32(index + 1))
        strings.add(Int64(texts.count))
        texts += Array(marker.name.utf8) + [0]
      }
      strings.add(texts)
      add("strg", strings.bytes)
    }
    guard let instrument else { return made }
    var inst = ChunkMaker(isBigEndian: true)
    inst.add(Float(Double(instrument.baseNote) + instrument.detuneCents / 100).bitPattern)
    for range in [instrument.notes, instrument.velocities] {
      inst.add(UInt8(clamping: range.lowerBound))
      inst.add(UInt8(clamping: range.upperBound))
    }
    inst.add(Float(instrument.gainDecibels).bitPattern)
    inst.add(UInt32(0))
    for (index, loop) in used.enumerated() { inst.add(UInt32(loop == nil ? 0 : markers.count + 1 + index)) }
    inst.add(UInt32(0))
    add("inst", inst.bytes)
    return made
  }

  static let regionStart: Int64 = 0x7262_6567
  static let regionEnd: Int64 = 0x7265_6E64

  /// A marker as CAF has it.
  private struct Point {
    let kind: Int64
    /// Nil where it is no frame.
    let position: Int64?
    let id: Int64

    init?(_ fields: ChunkFields, _ place: Int) {
      guard let kind = fields.number(place, 4), let frame = fields.number(place + 4, 8),
        let id = fields.number(place + 12, 4), fields.number(place + 24, 4) != nil
      else { return nil }
      (self.kind, self.id) = (kind, id)
      let value = Double(bitPattern: UInt64(bitPattern: frame))
      // A frame that can be scaled to any rate.
      position = value >= 0 && value < 0x1p40 ? Int64(clamping: value.rounded()) : nil
    }
  }
}

extension ChunkMaker {
  fileprivate mutating func addPoint(kind: Int64, _ position: Int64, id: UInt32) {
    add(UInt32(clamping: kind))
    add(Double(position).bitPattern)
    add(id)
    // No SMPTE time, all channels.
    add([UInt8](repeating: 0xFF, count: 4) + [UInt8](repeating: 0, count: 8))
  }

  fileprivate mutating func addRegion(id: Int, flags: UInt32, _ range: Range<Int64>) {
    add(UInt32(clamping: id))
    add(flags)
    add(UInt32(2))
    addPoint(kind: SoundExtras.regionStart, range.lowerBound, id: 0)
    addPoint(kind: SoundExtras.regionEnd, range.upperBound, id: 0)
  }
}

// Markers and instruments of WAV, RF64, Wave64 and of FLAC, which keeps the chunks of WAV: Microsoft's "Multimedia
// Programming Interface and Data Specifications 1.0" and "New Multimedia Data Types and Data Techniques".

import AudioCore
import SoundFile

extension SoundExtras {
  /// Reads `cue `, the `adtl` lists, `smpl` and `inst`.
  mutating func readRIFF(_ chunks: [Chunk], isBigEndian: Bool) {
    var points: [(id: Int64, marker: Marker)] = []
    var places: [Int64: Int] = [:]
    for chunk in chunks where chunk.name == "cue " {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: isBigEndian)
      let stated = fields.number(0, 4) ?? 0
      var count: Int64 = 0
      while count < stated, points.count < Self.mostMarkers {
        let start = 4 + 24 * Int(count)
        guard let id = fields.number(start, 4), let order = fields.number(start + 4, 4),
          let offset = fields.number(start + 20, 4)
        else { break }
        count += 1
        // Some programs fill the place in a playlist alone.
        places[id] = points.count
        points.append((id, Marker(position: offset == 0 ? order : offset)))
      }
      if count < stated { remarks.append("its cue chunk says \(stated) markers, and has \(count)") }
    }
    for chunk in chunks where chunk.name == "LIST" {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: isBigEndian)
      var place = 4
      while let name = fields.name(place), let size = fields.number(place + 4, 4) {
        let content = place + 8
        let end = content + Int(min(size, Int64(fields.bytes.count - content)))
        if let id = fields.number(content, 4), let index = places[id] {
          switch name {
          case "labl": points[index].marker.name = fields.text(content + 4..<max(content + 4, end))
          case "note": points[index].marker.note = fields.text(content + 4..<max(content + 4, end))
          case "ltxt":
            points[index].marker.length = fields.number(content + 4, 4) ?? 0
            if end > content + 20, points[index].marker.name.isEmpty {
              points[index].marker.name = fields.text(content + 20..<end)
            }
          default: break
          }
        }
        place = content + Int(size + (size & 1))
      }
    }
    markers += points.map(\.marker)
    readInstrument(chunks, isBigEndian: isBigEndian)
  }

  private mutating func readInstrument(_ chunks: [Chunk], isBigEndian: Bool) {
    for chunk in chunks where chunk.name == "inst" {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: isBigEndian)
      guard let note = fields.number(0, 1), let detune = fields.signedByte(1), let gain = fields.signedByte(2) else {
        continue
      }
      var instrument = instrument ?? Instrument()
      instrument.baseNote = Int(min(127, note))
      instrument.detuneCents = Double(detune)
      instrument.gainDecibels = Double(gain)
      if let notes = fields.range(3) { instrument.notes = notes }
      if let velocities = fields.range(5) { instrument.velocities = velocities }
      self.instrument = instrument
    }
    for chunk in chunks where chunk.name == "smpl" {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: isBigEndian)
      guard let note = fields.number(12, 4), let fraction = fields.number(16, 4), let stated = fields.number(28, 4)
      else {
        remarks.append("its smpl chunk of \(NumberText.count(chunk.bytes.count, "byte")) is cut off")
        continue
      }
      var instrument = instrument ?? Instrument()
      instrument.baseNote = Int(min(127, note))
      if instrument.detuneCents == 0 { instrument.detuneCents = Double(fraction) / 0x1p32 * 100 }
      var count: Int64 = 0
      while count < stated, instrument.loops.count < Self.mostMarkers {
        let start = 36 + 24 * Int(count)
        guard let kind = fields.number(start + 4, 4), let first = fields.number(start + 8, 4),
          let last = fields.number(start + 12, 4), let repeats = fields.number(start + 20, 4)
        else { break }
        count += 1
        instrument.loops.append(
          Loop(
            first..<max(first, last) + 1, direction: Loop.Direction(rawValue: UInt32(clamping: kind)) ?? .forward,
            count: UInt32(clamping: repeats)))
      }
      if count < stated { remarks.append("its smpl chunk says \(stated) loops, and has \(count)") }
      self.instrument = instrument
    }
  }

  /// The chunks of RIFF for markers and instrument; `lost` gets the names of what they have no place for.
  func riffChunks(sampleRate: Double, lost: inout [String]) -> [Chunk] {
    var made: [Chunk] = []
    func add(_ name: String, _ bytes: [UInt8]) {
      made.append(Chunk(name: name, bytes: bytes, family: .riff, isTimeless: false))
    }
    let points = markers.filter { $0.position <= Int64(UInt32.max) && $0.length <= Int64(UInt32.max) }
    if points.count < markers.count { lost.append("markers") }
    if !points.isEmpty {
      var (cue, list) = (ChunkMaker(isBigEndian: false), ChunkMaker(isBigEndian: false))
      cue.add(UInt32(points.count))
      list.add(name: "adtl")
      for (index, point) in points.enumerated() {
        let id = UInt32(index + 1)
        let position = UInt32(clamping: point.position)
        cue.add(id)
        cue.add(position)
        cue.add(name: "data")
        cue.add(UInt32(0))
        cue.add(UInt32(0))
        cue.add(position)
        if !point.name.isEmpty { list.add("labl", id.littleEndianBytes + point.name.utf8 + [0]) }
        if !point.note.isEmpty { list.add("note", id.littleEndianBytes + point.note.utf8 + [0]) }
        if point.length > 0 {
          let length = UInt32(clamping: point.length).littleEndianBytes
          list.add("ltxt", id.littleEndianBytes + length + "rgn ".utf8 + [UInt8](repeating: 0, count: 8))
        }
      }
      add("cue ", cue.bytes)
      if list.bytes.count > 4 { add("LIST", list.bytes) }
    }
    guard let instrument else { return made }
    var smpl = ChunkMaker(isBigEndian: false)
    let loops = instrument.loops.filter { $0.range.upperBound <= Int64(UInt32.max) }
    if loops.count < instrument.loops.count || loops.contains(where: \.isRelease) { lost.append("loops") }
    let cents = min(99.999_999, max(0, instrument.detuneCents))
    smpl.add(UInt32(0))
    smpl.add(UInt32(0))
    smpl.add(UInt32(clamping: Int64(clamping: (1e9 / max(1, sampleRate)).rounded())))
    smpl.add(UInt32(clamping: instrument.baseNote))
    smpl.add(UInt32(clamping: Int64(clamping: (cents / 100 * 0x1p32).rounded())))
    smpl.add(UInt32(0))
    smpl.add(UInt32(0))
    smpl.add(UInt32(clamping: loops.count))
    smpl.add(UInt32(0))
    for (index, loop) in loops.enumerated() {
      smpl.add(UInt32(clamping: index))
      smpl.add(loop.direction.rawValue)
      smpl.add(UInt32(clamping: loop.range.lowerBound))
      smpl.add(UInt32(clamping: max(loop.range.lowerBound, loop.range.upperBound - 1)))
      smpl.add(UInt32(0))
      smpl.add(loop.count)
    }
    add("smpl", smpl.bytes)
    add("inst", instrument.sevenBytes)
    return made
  }

  /// Markers and loops that are read of one file at the most.
  package static let mostMarkers = 100_000
}

extension ChunkFields {
  /// Two bytes that are the lowest and the highest of something.
  func range(_ place: Int) -> ClosedRange<Int>? {
    guard let low = number(place, 1), let high = number(place + 1, 1), low <= high, high <= 127 else { return nil }
    return Int(low)...Int(high)
  }
}

extension SoundExtras.Instrument {
  /// The bytes of `inst`: note, tuning, gain, lowest and highest note and velocity.
  fileprivate var sevenBytes: [UInt8] {
    let values = [
      baseNote, Int(clamping: detuneCents.rounded()), Int(clamping: gainDecibels.rounded()), notes.lowerBound,
      notes.upperBound, velocities.lowerBound, velocities.upperBound,
    ]
    return values.map { UInt8(bitPattern: Int8(clamping: $0)) }
  }
}

// Markers and instruments of AIFF: "Audio Interchange File Format: AIFF, Version 1.3", Apple 1989.

import AudioCore
import SoundFile

extension SoundExtras {
  /// Reads `MARK`, the comments of `COMT` that belong to markers, and `INST`.
  mutating func readAIFF(_ chunks: [Chunk]) {
    var points: [(id: Int64, marker: Marker)] = []
    var places: [Int64: Int] = [:]
    for chunk in chunks where chunk.name == "MARK" {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: true)
      let stated = fields.number(0, 2) ?? 0
      var (place, count) = (2, Int64(0))
      while count < stated, let id = fields.number(place, 2), let position = fields.number(place + 2, 4),
        let letters = fields.number(place + 6, 1)
      {
        count += 1
        places[id] = points.count
        points.append((id, Marker(position: position, name: fields.text(place + 7..<place + 7 + Int(letters)))))
        place += 7 + Int(letters) + (letters & 1 == 0 ? 1 : 0)
      }
      if count < stated { remarks.append("its MARK chunk says \(stated) markers, and has \(count)") }
    }
    for chunk in chunks where chunk.name == "COMT" {
      let fields = ChunkFields(bytes: chunk.bytes, isBigEndian: true)
      var place = 2
      while let id = fields.number(place + 4, 2), let letters = fields.number(place + 6, 2) {
        if let index = places[id] {
          points[index].marker.note = fields.text(place + 8..<place + 8 + Int(letters))
        } else {
          hasFurtherComments = true
        }
        place += 8 + Int(letters + (letters & 1))
      }
    }
    if let chunk = chunks.first(where: { $0.name == "INST" }) {
      readInstrument(ChunkFields(bytes: chunk.bytes, isBigEndian: true)) { id in
        places[id].map { points[$0].marker.position }
      }
    }
    // Those that were made for the ends of a loop are no markers of the sound.
    let ends = Set((instrument?.loops ?? []).flatMap { [$0.range.lowerBound, $0.range.upperBound] })
    markers += points.map(\.marker).filter { !(Self.loopNames.contains($0.name) && ends.contains($0.position)) }
  }

  private mutating func readInstrument(_ fields: ChunkFields, position: (Int64) -> Int64?) {
    guard fields.bytes.count >= 20, let note = fields.number(0, 1), let detune = fields.signedByte(1),
      let gain = fields.number(6, 2)
    else {
      remarks.append("its INST chunk of \(NumberText.count(fields.bytes.count, "byte")) is cut off")
      return
    }
    var instrument = Instrument()
    instrument.baseNote = Int(min(127, note))
    instrument.detuneCents = Double(detune)
    if let notes = fields.range(2) { instrument.notes = notes }
    if let velocities = fields.range(4) { instrument.velocities = velocities }
    instrument.gainDecibels = Double(Int16(truncatingIfNeeded: gain))
    for (place, isRelease) in [(8, false), (14, true)] {
      guard let mode = fields.number(place, 2), mode == 1 || mode == 2, let start = fields.number(place + 2, 2),
        let end = fields.number(place + 4, 2), let first = position(start), let last = position(end), first < last
      else { continue }
      instrument.loops.append(
        Loop(first..<last, direction: mode == 1 ? .forward : .alternating, isRelease: isRelease))
    }
    self.instrument = instrument
  }

  /// The chunks of AIFF for markers and instrument; `lost` gets the names of what they have no place for.
  func aiffChunks(lost: inout [String]) -> [Chunk] {
    var made: [Chunk] = []
    func add(_ name: String, _ bytes: [UInt8]) {
      made.append(Chunk(name: name, bytes: bytes, family: .aiff, isTimeless: false))
    }
    let loops = instrument?.loops ?? []
    let used = [false, true].map { isRelease in
      loops.first {
        $0.isRelease == isRelease && $0.direction != .backward && $0.range.upperBound <= Int64(UInt32.max)
      }
    }
    if used.filter({ $0 != nil }).count < loops.count || loops.contains(where: { $0.count != 0 }) {
      lost.append("loops")
    }
    var points = markers.filter { $0.position <= Int64(UInt32.max) }
    // Numbers are 1 to 32767, some of which the loops need.
    if points.count > 32_000 { points.removeLast(points.count - 32_000) }
    if points.count < markers.count { lost.append("markers") }
    if points.contains(where: { $0.length > 0 }) { lost.append("lengths of regions") }
    func number(of position: Int64, _ name: String) -> Int16 {
      if let index = points.firstIndex(where: { $0.position == position }) { return Int16(index + 1) }
      points.append(Marker(position: position, name: name))
      return Int16(points.count)
    }
    let numbers = used.map { loop in
      loop.map {
        (number(of: $0.range.lowerBound, Self.loopNames[0]), number(of: $0.range.upperBound, Self.loopNames[1]))
      }
    }
    if !points.isEmpty {
      var (mark, notes) = (ChunkMaker(isBigEndian: true), ChunkMaker(isBigEndian: true))
      mark.add(UInt16(points.count))
      let noted = points.indices.filter { !points[$0].note.isEmpty }
      notes.add(UInt16(noted.count))
      for (index, point) in points.enumerated() {
        mark.add(UInt16(index + 1))
        mark.add(UInt32(clamping: point.position))
        let name = Self.prefix(point.name, bytes: 255)
        mark.add([UInt8(name.count)] + name + (name.count & 1 == 0 ? [0] : []))
      }
      for index in noted {
        let text = Self.prefix(points[index].note, bytes: 65_535)
        notes.add(UInt32(0))
        notes.add(UInt16(index + 1))
        notes.add(UInt16(text.count))
        notes.add(text + (text.count & 1 == 1 ? [0] : []))
      }
      add("MARK", mark.bytes)
      if !noted.isEmpty { add("COMT", notes.bytes) }
    }
    guard let instrument else { return made }
    var inst = ChunkMaker(isBigEndian: true)
    inst.add(UInt8(clamping: instrument.baseNote))
    inst.add(Int8(clamping: instrument.detuneCents.rounded()))
    for range in [instrument.notes, instrument.velocities] {
      inst.add(UInt8(clamping: range.lowerBound))
      inst.add(UInt8(clamping: range.upperBound))
    }
    inst.add(Int16(clamping: instrument.gainDecibels.rounded()))
    for (loop, numbers) in zip(used, numbers) {
      inst.add(Int16(loop == nil ? 0 : loop?.direction == .alternating ? 2 : 1))
      inst.add(numbers?.0 ?? 0)
      inst.add(numbers?.1 ?? 0)
    }
    add("INST", inst.bytes)
    return made
  }

  /// The names of markers that are there for a loop alone.
  private static let loopNames = ["beg loop", "end loop"]

  /// As many whole letters as there is room for.
  private static func prefix(_ text: String, bytes: Int) -> [UInt8] {
    var letters = Array(text.utf8.prefix(bytes))
    if text.utf8.count > bytes {
      while let last = letters.last, last & 0xC0 == 0x80 { letters.removeLast() }
      if let last = letters.last, last >= 0xC0 { letters.removeLast() }
    }
    return letters
  }
}

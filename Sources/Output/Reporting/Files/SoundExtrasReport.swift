import AudioCore
import Tags

// Markers, instrument and chunks of a file, as `describe` shows them.

extension SoundExtras {
  /// Markers that are shown one by one.
  private static let mostShown = 20

  /// Lines for people: each marker, the instrument with its loops, and the other chunks by name and size.
  var lines: [String] {
    var lines = markers.prefix(Self.mostShown).map(\.line)
    if markers.count > Self.mostShown { lines.append("and \(markers.count - Self.mostShown) more markers") }
    if let instrument { lines += [instrument.line] + instrument.loops.prefix(Self.mostShown).map(\.line) }
    if let broadcast {
      let time = timeReference.map { ", begins at frame \($0) after midnight" } ?? ""
      lines.append("bext: \(NumberText.count(broadcast.count, "byte"))\(time)")
    }
    lines += chunks.prefix(Self.mostShown).map {
      "\(VisibleText.name($0.shownName)): \(NumberText.count($0.bytes.count, "byte"))"
    }
    return lines + remarks
  }
}

extension SoundExtras.Marker {
  fileprivate var line: String {
    let place = length > 0 ? "region of frames \(position) to \(position + length)" : "marker at frame \(position)"
    return [place, VisibleText.name(name), VisibleText.name(note)].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension SoundExtras.Loop {
  fileprivate var line: String {
    let often = count == 0 ? "" : ", \(NumberText.count(count, "time"))"
    return
      "\(isRelease ? "release loop" : "loop") of frames \(range.lowerBound) to \(range.upperBound), \(direction)\(often)"
  }
}

extension SoundExtras.Instrument {
  fileprivate var line: String {
    "instrument: note \(baseNote), \(NumberText.short(detuneCents)) cents, \(NumberText.short(gainDecibels)) dB, notes "
      + "\(notes.lowerBound) to \(notes.upperBound), velocities \(velocities.lowerBound) to \(velocities.upperBound)"
  }
}

extension SoundExtras: JSONRepresentable {
  package var json: JSONValue {
    let all = (broadcast.map { [("bext", $0.count)] } ?? []) + chunks.map { ($0.shownName, $0.bytes.count) }
    return JSONValue([
      "markers": markers.isEmpty ? nil : markers, "instrument": instrument, "timeReferenceFrames": timeReference,
      "chunks": all.map { JSONValue(["name": $0.0, "bytes": $0.1]) },
      "remarks": remarks.isEmpty ? nil : remarks,
    ])
  }
}

extension SoundExtras.Marker: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "frame": position, "frames": length > 0 ? length : nil, "name": name.isEmpty ? nil : name,
      "note": note.isEmpty ? nil : note,
    ])
  }
}

extension SoundExtras.Instrument: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "baseNote": baseNote, "detuneCents": detuneCents, "gainDecibels": gainDecibels,
      "notes": [notes.lowerBound, notes.upperBound], "velocities": [velocities.lowerBound, velocities.upperBound],
      "loops": loops.map { loop in
        JSONValue([
          "direction": "\(loop.direction)", "startFrame": loop.range.lowerBound, "endFrame": loop.range.upperBound,
          "count": loop.count > 0 ? Int(loop.count) : nil, "release": loop.isRelease ? true : nil,
        ])
      },
    ])
  }
}

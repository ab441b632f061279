import AudioCore
import SoundFile
import Tags

// Pieces by what a sound file itself has: regions, markers, a cue sheet of FLAC, chapters in Vorbis comments.
extension CuePoints {
  /// The word in place of a name: each input is cut by its own.
  package static let ownMarkers = "markers"

  /// The regions of a file, in order of their starts; without any, the stretches from each marker to the next one, the
  /// last to the end. Names are titles.
  /// - Throws: `.input` where there are none, or the file is no sound that can be read.
  static func pieces(ofSound path: String) throws(BenchError) -> [Piece] {
    let info = try SoundFileReader(path: path, allowTruncated: true).info
    var points = SoundExtras(path: path).withCueSheetAsMarkers.markers
    if points.isEmpty { points = chapters(FileTags(path: path), rate: info.sampleRate) }
    points = points.filter { (0..<info.frameCount).contains($0.position) }
    points = points.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
    let regions = points.filter { $0.length > 0 }
    if regions.isEmpty {
      // The first of several at one place counts: a piece has a length.
      points = points.enumerated().filter { $0 == 0 || points[$0 - 1].position < $1.position }.map(\.element)
    }
    let chosen = regions.isEmpty ? points : regions
    guard !chosen.isEmpty else {
      throw BenchError(
        .input, "has no markers, regions or chapters to be cut by",
        advice: "cut it by a cue sheet, --split '{path}.cue', or a table, --split '{path}.csv'")
    }
    return chosen.enumerated().map { index, point in
      let next = index + 1 < chosen.count ? chosen[index + 1].position : nil
      let end = point.length > 0 ? min(point.position.addingOrMax(point.length), info.frameCount) : next
      return Piece(
        start: Double(point.position) / info.sampleRate, end: end.map { Double($0) / info.sampleRate },
        fields: point.name.isEmpty ? [:] : ["title": point.name])
    }
  }

  /// `CHAPTER001=00:01:02.345` and `CHAPTER001NAME=Second`, as Ogg and FLAC files have them.
  private static func chapters(_ tags: FileTags, rate: Double) -> [SoundExtras.Marker] {
    var found: [(number: String, marker: SoundExtras.Marker)] = []
    for (name, texts) in tags.texts where name.hasPrefix("CHAPTER") && name.utf8.count == 10 {
      let parts = (texts.first ?? "").split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
        case let time = (hours * 60 + minutes) * 60 + seconds, (0..<1e9).contains(time)
      else { continue }
      found.append(
        (
          name,
          SoundExtras.Marker(
            position: Int64(clamping: (time * rate).rounded()), name: tags.texts[name + "NAME"]?.first ?? "")
        ))
    }
    return found.sorted { $0.number < $1.number }.map(\.marker)
  }
}

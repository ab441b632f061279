import AudioCore

/// The points at which a file is cut into pieces: read from a cue sheet, a table, or the markers of a sound file.
package struct CuePoints: Sendable {
  /// A piece, in seconds of the file.
  package struct Piece: Sendable, Equatable {
    package let start: Double
    /// Nil: the end of the file.
    package let end: Double?
    /// The fields of the piece in the file: `title`, `performer`, or columns of the table.
    package let fields: [String: String]
  }

  package let pieces: [Piece]

  /// Fields of pieces that players show, and the tags that they become.
  static let tags = [
    ("title", "TITLE"), ("performer", "ARTIST"), ("album", "ALBUM"), ("isrc", "ISRC"), ("genre", "GENRE"),
    ("date", "DATE"),
  ]

  /// - Parameter isSound: true for a sound file that is cut by its own markers.
  /// - Throws: `.input` for what cannot be read, has no piece, or pieces that run backwards.
  package init(path: String, isSound: Bool = false) throws(BenchError) {
    do throws(BenchError) {
      if isSound {
        pieces = try Self.pieces(ofSound: path)
        return
      }
      switch FileName.fileExtension(of: path)?.lowercased() {
      case "cue": pieces = try Self.sheet(path)
      case "csv": pieces = try Self.table(try CommaSeparatedValues(path: path))
      default:
        throw BenchError(
          .usage, "is no list of pieces",
          advice: "name a cue sheet (.cue) or a table (.csv with start, end, title), or write markers")
      }
    } catch {
      throw error.place.utf8.starts(with: path.utf8) ? error : error.inside(path)
    }
  }

  /// A table with the column `start`, and `end` where there are gaps: `90`, `1:30.5`. Without an end a piece goes to
  /// the next one's start.
  private static func table(_ table: CommaSeparatedValues) throws(BenchError) -> [Piece] {
    guard let start = table.columns.firstIndex(of: "start") else {
      throw BenchError(
        .input, "the table has no column \"start\"",
        advice: table.separatorAdvice ?? "name its columns start,end,title")
    }
    let end = table.columns.firstIndex(of: "end")
    func time(_ text: String, _ row: Int) throws(BenchError) -> Double {
      guard let seconds = try? Quantity.value(text, .time), seconds >= 0 else {
        throw BenchError(
          .input, at: "row \(row + 1)", "\"\(excerpt(text))\" is no time", advice: "write 90, 90s or 1:30.5")
      }
      return seconds
    }
    var pieces: [Piece] = []
    for (index, row) in table.rows.enumerated() {
      let last = end.map { row[$0] } ?? ""
      pieces.append(
        Piece(
          start: try time(row[start], index), end: last.isEmpty ? nil : try time(last, index),
          fields: Dictionary(uniqueKeysWithValues: zip(table.columns, row))))
    }
    return try checked(
      pieces.enumerated().map { index, piece in
        let next = index + 1 < pieces.count ? pieces[index + 1].start : nil
        return Piece(start: piece.start, end: piece.end ?? next, fields: piece.fields)
      })
  }

  /// A cue sheet's tracks, from `INDEX 01` to that of the next.
  private static func sheet(_ path: String) throws(BenchError) -> [Piece] {
    let bytes: [UInt8]
    do throws(FileSystem.ReadFailure) { bytes = try FileSystem.contents(of: path, atMost: 16 << 20) } catch {
      throw BenchError(.input, "the cue sheet cannot be read: \(error.clause)")
    }
    var tracks: [(start: Double?, fields: [String: String])] = []
    var common: [String: String] = [:]
    // Empty lines count; a line that ends with two characters is one.
    let end: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
    for (number, line) in bytes.split(separator: end, omittingEmptySubsequences: false).enumerated() {
      var words = words(ByteText.string(line))
      // Genre and date stand in remarks: no command of the format has them, and all programs that write sheets do it
      // so.
      if words.first?.uppercased() == "REM", words.count > 2, ["GENRE", "DATE"].contains(words[1].uppercased()) {
        words = [words[1], words.dropFirst(2).joined(separator: " ")]
      }
      guard let command = words.first?.uppercased() else { continue }
      switch command {
      case "TRACK": tracks.append((nil, common))
      case "TITLE", "PERFORMER", "SONGWRITER", "ISRC", "GENRE", "DATE":
        guard words.count > 1 else { continue }
        if tracks.isEmpty {
          // Fields of the whole: its title is the album's.
          common[command == "TITLE" ? "album" : command.lowercased()] = words[1]
        } else {
          tracks[tracks.count - 1].fields[command.lowercased()] = words[1]
        }
      case "INDEX" where words.count > 2 && Int(words[1]) == 1 && !tracks.isEmpty:
        guard let start = time(words[2]) else {
          throw BenchError(
            .input, at: "line \(number + 1)", "\"\(excerpt(words[2]))\" is no time of a cue sheet",
            advice: "it is written minutes:seconds:frames, 75 frames to a second")
        }
        tracks[tracks.count - 1].start = start
      case "FILE" where !tracks.isEmpty:
        throw BenchError(
          .input, at: "line \(number + 1)", "the sheet is of several files", advice: "split one file by one sheet")
      default: break
      }
    }
    if let silent = tracks.firstIndex(where: { $0.start == nil }) {
      throw BenchError(.input, at: "track \(silent + 1)", "it has no INDEX 01")
    }
    let starts = tracks.compactMap(\.start)
    return try checked(
      zip(tracks, starts.dropFirst().map { $0 } + [nil]).map { Piece(start: $0.start ?? 0, end: $1, fields: $0.fields) }
    )
  }

  /// Words of a line; those in quotes may have blanks.
  private static func words(_ line: String) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index % 2 == 1
        ? [String(part)]
        : part.split(whereSeparator: { " \t\r".unicodeScalars.contains($0.unicodeScalars.first ?? "x") }).map(
          String.init)
    }
  }

  /// `minutes:seconds:frames`.
  private static func time(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
      minutes >= 0, (0..<60).contains(seconds), (0..<75).contains(frames), minutes < 1 << 20
    else { return nil }
    return Double((minutes * 60 + seconds) * 75 + frames) / 75
  }

  private static func checked(_ pieces: [Piece]) throws(BenchError) -> [Piece] {
    guard !pieces.isEmpty else { throw BenchError(.input, "there is no piece in it") }
    for (index, piece) in pieces.enumerated() where (piece.end ?? .infinity) <= piece.start {
      throw BenchError(
        .input, at: "piece \(index + 1)",
        "it ends at \(NumberText.short(piece.end ?? 0)) s, not behind its start at "
          + "\(NumberText.short(piece.start)) s")
    }
    for (index, pair) in zip(pieces, pieces.dropFirst()).enumerated() where pair.1.start < pair.0.start {
      throw BenchError(.input, at: "piece \(index + 2)", "it starts in front of the piece before it")
    }
    return pieces
  }
}

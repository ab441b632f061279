// All that a sound file has besides sound, texts and pictures: docs/files.md has the table of what is kept where.

import AudioCore
import SoundFile

/// Markers, loops, the broadcast extension and other chunks of a sound file. Positions are in frames of the sound.
public struct SoundExtras: Hashable, Sendable {
  /// A point or a region of the sound.
  public struct Marker: Hashable, Sendable {
    /// The frame in front of which it is.
    public var position: Int64
    /// Frames of a region; 0: a point.
    public var length: Int64
    /// The label, often empty.
    public var name: String
    /// Words about it, mostly none.
    public var note: String

    /// A point without a name unless more is said.
    public init(position: Int64, length: Int64 = 0, name: String = "", note: String = "") {
      (self.position, self.length, self.name, self.note) = (position, length, name, note)
    }
  }

  /// A part of the sound that a sampler repeats.
  public struct Loop: Hashable, Sendable {
    /// The direction; the raw values are those of a `smpl` chunk.
    public enum Direction: UInt32, Hashable, Sendable { case forward, alternating, backward }
    public var direction: Direction
    /// The frames that are repeated.
    public var range: Range<Int64>
    /// The number of times; 0: as long as the note sounds.
    public var count: UInt32
    /// True for the loop after the note's end.
    public var isRelease: Bool

    /// A loop that goes on while the note sounds unless more is said.
    public init(
      _ range: Range<Int64>, direction: Direction = .forward, count: UInt32 = 0, isRelease: Bool = false
    ) {
      (self.range, self.direction, self.count, self.isRelease) = (range, direction, count, isRelease)
    }
  }

  /// The way in which a sampler plays the sound.
  public struct Instrument: Hashable, Sendable {
    /// MIDI numbers; 60 is the middle C.
    public var baseNote = 60
    /// By how much the sound is above its note, in hundredths of a semitone.
    public var detuneCents = 0.0
    public var notes = 0...127
    public var velocities = 1...127
    public var gainDecibels = 0.0
    public var loops: [Loop] = []

    public init() {}
  }

  /// A chunk that is not interpreted.
  public struct Chunk: Hashable, Sendable {
    /// Its four letters as the container has them.
    public var name: String
    public var bytes: [UInt8]
    /// The containers that have a place for it; nil: all that have chunks.
    package var family: Family?
    /// True when what it says holds however long the sound is and whatever its rate.
    package var isTimeless: Bool

    package init(name: String, bytes: [UInt8], family: Family?, isTimeless: Bool) {
      (self.name, self.bytes, self.family, self.isTimeless) = (name, bytes, family, isTimeless)
    }
  }

  /// Containers with the same chunks.
  package enum Family: Hashable, Sendable { case riff, aiff, caf, flac }

  /// In the order of the file.
  public var markers: [Marker] = []
  public var instrument: Instrument?
  /// The contents of a `bext` chunk (EBU Tech 3285).
  public var broadcast: [UInt8]?
  /// iXML, axml, chna and all others, in the order of the file.
  public var chunks: [Chunk] = []
  /// Chunks with markers and instruments as the file has them, for a file of the same family with the same frames.
  package var literal: [Chunk] = []
  /// True for an AIFF file with comments that belong to no marker: they stay in ``literal``.
  package var hasFurtherComments = false
  /// Words about what could not be read.
  package var remarks: [String] = []
  /// The parts that were left out on the way to a file, by name.
  package var lost: [String] = []

  public init() {}

  /// True when there is nothing to be kept.
  public var isEmpty: Bool { markers.isEmpty && instrument == nil && broadcast == nil && chunks.isEmpty }

  /// The first frame's time since midnight, in frames, as the broadcast extension has it.
  public var timeReference: Int64? {
    get {
      guard let broadcast, broadcast.count >= Self.timeReferencePlace + 8 else { return nil }
      let value = broadcast[Self.timeReferencePlace..<Self.timeReferencePlace + 8].reversed().bigEndianValue
      return value < 0 ? nil : value
    }
    set {
      guard let newValue, let count = broadcast?.count, count >= Self.timeReferencePlace + 8 else { return }
      broadcast?.replaceSubrange(
        Self.timeReferencePlace..<Self.timeReferencePlace + 8, with: newValue.littleEndianBytes)
    }
  }

  /// Behind description, originator, reference, date and time.
  private static let timeReferencePlace = 338

  /// The names of all that there is, as reports have them.
  package var names: [String] {
    var names: [String] = []
    if !markers.isEmpty { names.append("markers") }
    if instrument != nil { names.append("instrument") }
    if broadcast != nil { names.append("bext") }
    return Self.unique(names + chunks.map(\.shownName))
  }

  package static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// The parts that other sounds have too; the rest is lost.
  package func common(with other: SoundExtras) -> SoundExtras {
    var common = self
    if other.markers != markers { common.markers = [] }
    if other.instrument != instrument { common.instrument = nil }
    if other.broadcast != broadcast { common.broadcast = nil }
    if common.markers.isEmpty || common.instrument != instrument || other.literal != literal { common.literal = [] }
    common.chunks = chunks.filter(other.chunks.contains)
    common.remarks = Self.unique(remarks + other.remarks)
    common.lost = Self.unique(lost + other.lost + (names + other.names).filter { !common.names.contains($0) })
    return common
  }

  /// Nothing but the names of what there is.
  package var leftOut: SoundExtras {
    var none = SoundExtras()
    none.lost = Self.unique(lost + names)
    none.remarks = remarks
    return none
  }
}

extension SoundExtras.Chunk {
  /// Without the spaces that make four letters of it.
  package var shownName: String {
    var letters = name[...]
    while letters.last == " " { letters.removeLast() }
    return String(letters)
  }
}

// Positions under a change of rate and a cut.
extension SoundExtras {
  /// The same for the sound at another rate.
  package func converted(from rate: Double, to newRate: Double) -> SoundExtras {
    guard rate != newRate else { return self }
    return withCueSheetAsMarkers.placed { FrameCount.converted($0, from: rate, to: newRate) }
  }

  /// The same for a piece of the sound: what is outside is cut with it.
  package func cut(to range: Range<Int64>, of frames: Int64) -> SoundExtras {
    guard range != 0..<frames else { return self }
    var piece = withCueSheetAsMarkers.placed { $0 }
    piece.markers = piece.markers.compactMap { marker in
      let end = marker.position.addingReportingOverflow(marker.length)
      let isRegion = marker.length > 0
      let start = max(marker.position, range.lowerBound)
      let last = min(end.overflow ? .max : end.partialValue, range.upperBound)
      guard isRegion ? start < last : range.lowerBound <= marker.position && marker.position <= range.upperBound else {
        return nil
      }
      var cut = marker
      cut.position = start - range.lowerBound
      cut.length = isRegion ? last - start : 0
      return cut
    }
    piece.instrument?.loops = (instrument?.loops ?? []).compactMap { loop in
      guard range.lowerBound <= loop.range.lowerBound, loop.range.upperBound <= range.upperBound else { return nil }
      var cut = loop
      cut.range = loop.range.lowerBound - range.lowerBound..<loop.range.upperBound - range.lowerBound
      return cut
    }
    if let reference = timeReference {
      let (moved, overflow) = reference.addingReportingOverflow(range.lowerBound)
      if !overflow { piece.timeReference = moved }
    }
    return piece
  }

  /// Each position put elsewhere; chunks that may have others are lost.
  private func placed(_ place: (Int64) -> Int64) -> SoundExtras {
    var moved = self
    moved.literal = []
    moved.markers = markers.map { marker in
      var other = marker
      let end = marker.position.addingReportingOverflow(marker.length)
      other.position = place(marker.position)
      // A region stays one.
      if marker.length > 0, other.position < .max {
        other.length = max(1, place(end.overflow ? .max : end.partialValue) - other.position)
      } else {
        other.length = 0
      }
      return other
    }
    moved.instrument?.loops = (instrument?.loops ?? []).map { loop in
      var other = loop
      let start = place(loop.range.lowerBound)
      other.range = start..<max(start < .max ? start + 1 : start, place(loop.range.upperBound))
      return other
    }
    if let reference = timeReference { moved.timeReference = place(reference) }
    moved.chunks = chunks.filter(\.isTimeless)
    moved.lost = Self.unique(lost + chunks.filter { !$0.isTimeless }.map(\.shownName))
    return moved
  }

  /// The same for sound whose channels are others: what numbers them is lost.
  package var ofOtherChannels: SoundExtras {
    var other = self
    other.chunks.removeAll { $0.name == "chna" }
    other.lost = Self.unique(lost + chunks.filter { $0.name == "chna" }.map(\.shownName))
    return other
  }
}

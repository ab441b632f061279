import AudioCore

/// Finds what a name has at the places of a pattern. Each place takes as much as it can, the first one first.
///
/// From the end on, it notes from which bytes on the rest of the pattern matches, so that no dead end is tried: the
/// time grows with places times bytes. If a place occurs twice, its texts have to agree too, and combinations are tried
/// one after another, up to a bound.
struct PlaceSearch {
  /// By the names of places.
  private(set) var captures: [String: String] = [:]

  private let name: [UInt8]
  private let places: [String]
  /// For each piece between places, and each byte from which on it may stand: where it may end.
  private var ends: [[[Int]]] = []
  /// For each place: from which bytes on it and all behind it match.
  private var isPossible: [[Bool]] = []
  private var stepsLeft = 1_000_000

  /// Nil where the name does not match.
  /// - Parameters:
  ///   - between: the pieces in front of, between and behind the places: one more than places, with wildcards or
  ///     without.
  ///   - matches: returns true if a text matches wildcards.
  init?(_ name: [UInt8], places: [String], between: [String], matches: (String, String) -> Bool) {
    (self.name, self.places) = (name, places)
    for (index, piece) in between.enumerated() {
      ends.append(Self.ends(of: piece, in: name, isLast: index == places.count, matches))
    }
    var possible = [Bool](repeating: false, count: name.count + 1)
    var all: [[Bool]] = []
    for index in places.indices.reversed() {
      // A place ends anywhere in front of a byte from which on the rest matches.
      let rest = index == places.count - 1 ? ends[places.count].map { !$0.isEmpty } : possible
      let last = rest.lastIndex(of: true) ?? -1
      possible = (0...name.count).map { start in ends[index][start].contains { $0 <= last } }
      all.append(possible)
    }
    isPossible = all.reversed()
    guard isPossible[0][0], search(from: 0, place: 0) else { return nil }
  }

  /// The ends that are possible for a piece that begins at each byte; for the last one only the end of the name.
  private static func ends(
    of piece: String, in name: [UInt8], isLast: Bool, _ matches: (String, String) -> Bool
  ) -> [[Int]] {
    let bytes = ByteText.bytes(piece)
    let isPlain = !bytes.contains { "*?[\\".utf8.contains($0) }
    return (0...name.count).map { start in
      if isPlain {
        let end = start + bytes.count
        guard end <= name.count, !isLast || end == name.count, name[start..<end].elementsEqual(bytes) else { return [] }
        return [end]
      }
      if piece == "*" { return Array((isLast ? name.count : start)...name.count) }
      return ((isLast ? name.count : start)...name.count).filter { matches(ByteText.string(name[start..<$0]), piece) }
    }
  }

  private mutating func search(from start: Int, place index: Int) -> Bool {
    guard index < places.count else { return true }
    let rest = index == places.count - 1 ? ends[places.count].map { !$0.isEmpty } : isPossible[index + 1]
    let former = captures[places[index]].map { ($0, ByteText.bytes($0)) }
    for begin in ends[index][start] {
      // A text that is known already has one end.
      let last = former.map { begin + $0.1.count } ?? name.count
      guard last <= name.count else { continue }
      for end in ((former == nil ? begin : last)...last).reversed() where rest[end] {
        stepsLeft -= 1
        guard stepsLeft > 0 else { return false }
        if let former, !name[begin..<end].elementsEqual(former.1) { continue }
        captures[places[index]] = ByteText.string(name[begin..<end])
        if search(from: end, place: index + 1) { return true }
        captures[places[index]] = former?.0
      }
    }
    return false
  }
}

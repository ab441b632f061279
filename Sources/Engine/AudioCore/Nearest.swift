/// The up to three `candidates` that may have been meant by `text`, the likeliest first: the same but for upper and
/// lower case, hyphens, underscores and blanks; those that begin with it; those that have it within them; and those
/// that few edits lead to, none that needs more than half of its letters.
public func nearest(to text: String, in candidates: [String]) -> [String] {
  let wanted = letters(of: text)
  guard !wanted.isEmpty else { return [] }
  var ranked: [(name: String, rank: Int, distance: Int)] = []
  var seen: Set<String> = []
  // A graph may have any number of names.
  for candidate in candidates.prefix(1024) where seen.insert(candidate).inserted {
    let other = letters(of: candidate)
    let most = max(2, wanted.count / 2)
    let distance =
      abs(wanted.count - other.count) <= most ? edits(from: wanted, to: other) : max(wanted.count, other.count)
    let rank: Int
    if other == wanted {
      rank = 0
    } else if wanted.count >= 2 && other.starts(with: wanted) {
      rank = 1
    } else if wanted.count >= 2 && contains(other, wanted) {
      rank = 2
    } else if distance <= most && distance < max(wanted.count, other.count) {
      rank = distance <= 2 ? 1 : 3
    } else if other.count >= 4 && contains(wanted, other) {
      rank = 3
    } else {
      continue
    }
    ranked.append((candidate, rank, distance))
  }
  return ranked.enumerated().sorted { a, b in
    (a.element.rank, a.element.distance, a.offset) < (b.element.rank, b.element.distance, b.offset)
  }.prefix(3).map(\.element.name)
}

/// In lower case, without what people leave out or put between words.
private func letters(of text: String) -> [Character] {
  Array(text.prefix(64).lowercased()).filter { !"-_ ".contains($0) }
}

private func contains(_ text: [Character], _ part: [Character]) -> Bool {
  guard text.count >= part.count else { return false }
  return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
}

/// The number of letters that are inserted, removed or replaced (Levenshtein).
private func edits(from text: [Character], to other: [Character]) -> Int {
  var row = Array(0...other.count)
  for (i, a) in text.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, b) in other.enumerated() {
      let next = min(row[j + 1] + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
      diagonal = row[j + 1]
      row[j + 1] = next
    }
  }
  return row[other.count]
}

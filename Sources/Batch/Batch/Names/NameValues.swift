import AudioCore

/// The values of places of names in one task: texts of its own, and in front of them the values of a row, which are
/// looked up in place, as a table may have very many.
struct NameValues {
  private var own: [String: String]
  private let row: BatchJob.Row?

  init(_ own: [String: String] = [:], row: BatchJob.Row? = nil) { (self.own, self.row) = (own, row) }

  /// The text of a place; nil if it has no value. A value that was set overrides the row's.
  subscript(place: String) -> String? {
    get { own[place] ?? row?.text(of: place) }
    set { own[place] = newValue }
  }

  mutating func merge(_ more: [String: String]) { own.merge(more) { $1 } }

  func merging(_ more: [String: String]) -> NameValues {
    var values = self
    values.merge(more)
    return values
  }

  /// The available places, for errors: the first of them, in order.
  var known: String {
    let names = Set(own.keys).union((row?.columns.names ?? []).prefix(Self.mostShown)).sorted()
    let more = max(own.count, row?.columns.names.count ?? 0) > Self.mostShown ? " ..." : ""
    return names.prefix(Self.mostShown).map(excerpt).joined(separator: ", ") + more
  }

  private static let mostShown = 40
}

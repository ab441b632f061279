/// The changes that are still to be delivered to a listener, in that order.
///
/// If one parameter changes several times only the last value is delivered, as far as the changes lie close together:
/// for a parameter listener all that are waiting; for an event listener those within its granularity, counted from the
/// first of them, and none across the beginning or end of a gesture.
struct ChangeQueue {
  /// A change that one registration has asked for.
  struct Entry {
    let object: UInt
    var change: Change
    /// The time of the first of the merged values, in nanoseconds.
    let since: UInt64
  }

  private(set) var entries: [Entry] = []
  var isEmpty: Bool { entries.isEmpty }

  /// - Parameter granularity: in nanoseconds; nil: however far apart.
  mutating func add(_ change: Change, object: UInt, granularity: UInt64?) {
    var since = change.hostTime
    if change.key.kind == ChangeKey.value, let index = lastValue(change.key, object),
      granularity.map({ change.hostTime - entries[index].since < $0 }) ?? true
    {
      since = entries[index].since
      entries.remove(at: index)
    }
    entries.append(Entry(object: object, change: change, since: since))
  }

  /// The waiting value of a parameter, unless a gesture has begun or ended since.
  private func lastValue(_ key: ChangeKey, _ object: UInt) -> Int? {
    for index in entries.indices.reversed() {
      let entry = entries[index]
      guard entry.object == object, !entry.change.key.isProperty else { continue }
      let other = entry.change.key
      guard (other.unitBits, other.id, other.scope, other.element) == (key.unitBits, key.id, key.scope, key.element)
      else { continue }
      return other.kind == ChangeKey.value ? index : nil
    }
    return nil
  }

  /// Forgets what is waiting for one registration.
  mutating func remove(_ key: ChangeKey, object: UInt) {
    entries.removeAll { $0.object == object && $0.change.key == key }
  }

  mutating func takeAll() -> [Entry] {
    defer { entries = [] }
    return entries
  }
}

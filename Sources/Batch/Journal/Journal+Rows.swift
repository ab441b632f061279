import AudioCore

extension Journal {
  /// The entries of a journal, counted.
  package struct Counts: Hashable, Sendable {
    package var begun = 0
    package var made = 0
    package var failed = 0
    /// Rows that are not as they were written, and count as not there.
    package var damaged = 0

    package init(begun: Int = 0, made: Int = 0, failed: Int = 0, damaged: Int = 0) {
      (self.begun, self.made, self.failed, self.damaged) = (begun, made, failed, damaged)
    }

    package mutating func add(_ entry: JournalEntry) {
      switch entry.state {
      case .begun: begun += 1
      case .made: made += 1
      case .failed: failed += 1
      }
    }
  }

  /// Goes through what a journal says, in the order of the bytes of the outputs' names. Others may write meanwhile;
  /// what they say behind the place that is reached is seen.
  package struct Entries {
    private let journal: Journal
    private var rows: ArraySlice<[SQLValue]> = []
    private var last: [UInt8] = []
    private var hasEnded = false
    /// The number of damaged rows that were skipped so far.
    package private(set) var damaged = 0

    init(_ journal: Journal) { self.journal = journal }

    /// Nil at the end.
    package mutating func next() throws(BenchError) -> JournalEntry? {
      while let row = try nextRow() {
        if let entry = JournalEntry(row: row) { return entry }
        damaged += 1
      }
      return nil
    }

    /// Whole or not.
    mutating func nextRow() throws(BenchError) -> [SQLValue]? {
      if rows.isEmpty, !hasEnded {
        let last = last
        rows = try journal.tables.withLock { (tables) throws(BenchError) in
          var rows: [[SQLValue]] = []
          try tables.outputsFrom.each([.bytes(last)]) { rows.append($0) }
          return rows[...]
        }
        hasEnded = rows.count < JournalTables.rowsAtOnce
      }
      guard let row = rows.popFirst() else { return nil }
      // The order is SQLite's promise, which a damaged page breaks: this would never end then.
      guard case .bytes(let output)? = row.first, last.lexicographicallyPrecedes(output) else {
        throw JournalFile.damaged(journal.path, "its rows are not in order")
      }
      last = output
      return row
    }
  }

  package func entries() -> Entries { Entries(self) }

  /// Reads every row.
  package func counts() throws(BenchError) -> Counts {
    var counts = Counts()
    var entries = entries()
    while let entry = try entries.next() { counts.add(entry) }
    counts.damaged = entries.damaged
    return counts
  }

  /// Removes the entries of outputs that are no longer wanted. The files stay.
  /// - Returns: the number of removed entries.
  @discardableResult
  package func prune(keeping isWanted: (String) -> Bool) throws(BenchError) -> Int {
    var count = 0
    var entries = entries()
    var unwanted: [[SQLValue]] = []
    func remove() throws(BenchError) {
      try tables.withLock { (tables) throws(BenchError) in
        try tables.database.transaction { () throws(BenchError) in
          for key in unwanted { try tables.removeOutput.run(key) }
        }
      }
      count += unwanted.count
      unwanted = []
    }
    while let row = try entries.nextRow() {
      guard case .bytes(let output) = row[0], !isWanted(ByteText.string(output)) else { continue }
      unwanted.append([row[0]])
      if unwanted.count == 10_000 { try remove() }
    }
    try remove()
    return count
  }
}

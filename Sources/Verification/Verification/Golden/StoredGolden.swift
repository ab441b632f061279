/// The record and files under a golden's name, checked against the digests.
package struct StoredGolden: Sendable {
  /// Nil where there is one that cannot be read.
  package var record: GoldenRecord?
  /// The damaged files: a clause for each, beginning with its name. Empty: the golden is whole.
  package var damage: [String] = []
  /// The record without what is damaged: what the next blessing keeps.
  var kept: GoldenRecord?

  /// True where what lies there is the record of a golden, damaged or not: nothing else is ever replaced.
  var isRecord = true
  /// Endings of the files that the record names, also those of the golden that it replaces.
  var endings: Set<String> = []

  package var isWhole: Bool { damage.isEmpty }

  /// The finding of a check on a damaged golden.
  /// - Parameter distance: how far the output is from the stored files, or why that is unknown.
  func damageText(_ distance: String) -> String {
    damage.joined(separator: "; ") + "; \(distance); restore it from version control, or "
      + (isRecord
        ? "bless it again with a reason" : "move it away and bless it again: what is no record is not replaced")
  }
}

extension StoredGolden {
  init(whole record: GoldenRecord, endings: Set<String>) {
    self.init(record: record, kept: record, endings: endings)
  }
}

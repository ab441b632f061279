/// What lies under a golden's name, held to its seal.
package struct StoredGolden: Sendable {
  /// Nil where there is one that cannot be read.
  package var record: GoldenRecord?
  /// What is not as it was blessed: a clause for each file, which begins with its name. Empty: the golden is whole.
  package var damage: [String] = []
  /// The record without what is damaged: what the next blessing keeps.
  var kept: GoldenRecord?

  init(whole record: GoldenRecord) { (self.record, kept) = (record, record) }

  init(_ record: GoldenRecord?, damage: [String], kept: GoldenRecord?) {
    (self.record, self.damage, self.kept) = (record, damage, kept)
  }

  package var isWhole: Bool { damage.isEmpty }

  /// What a check finds of a golden that is damaged.
  /// - Parameter distance: how far the output is from what is there, where that can be said.
  func damageText(_ distance: String?) -> String {
    damage.joined(separator: "; ") + (distance.map { "; \($0)" } ?? "")
      + "; restore it from version control, or bless it again with a reason"
  }

  /// What a check finds where it passes, but there is no digest of the file that it compares with.
  static func unsealedText(_ found: String) -> String {
    "the golden has no seal, as it was blessed before there were any: bless it again; it passes otherwise (\(found))"
  }
}

import AudioCore

/// By what a golden is known, and of what it was made.
package struct GoldenIdentity: Sendable {
  /// The case that it belongs to, `suite/case`.
  package var id: String
  /// The golden's name in its store.
  package var name: String
  /// The device, stimulus and settings that it was made from, as written: a golden of another definition is out of
  /// date.
  package var definition: JSONValue

  package init(id: String, name: String, definition: JSONValue) {
    self.id = id
    self.name = name
    self.definition = definition
  }
}

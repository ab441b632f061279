import AudioCore

/// A unit of which the keys of a graph file's node may contradict one another.
package protocol GraphFileUnit: Unit {
  /// The number of output channels that a key has settled, beside which no other may be asked for.
  var settledOutputChannels: (count: Int, key: String)? { get }
  /// The reason why a node must not set or move a parameter, which other keys have settled or taken out of use; nil: it
  /// may.
  func conflict(withSetting address: ParameterAddress) -> String?
  /// Called for each parameter that a file sets or moves, before it is looked up: formats, on which the number of
  /// elements may depend, are not known yet.
  func makeRoom(forElement element: Int, column: Int?, of scope: String)
}

extension GraphFileUnit {
  package var settledOutputChannels: (count: Int, key: String)? { nil }
  package func conflict(withSetting address: ParameterAddress) -> String? { nil }
  package func makeRoom(forElement element: Int, column: Int?, of scope: String) {}
}

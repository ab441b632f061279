import AudioCore

/// Samples that are NaN or infinite in a file that was read, and what has become of them.
public struct NonFiniteFile: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// The node that plays it; nil for a conversion.
  public let node: String?
  /// The number of these samples, and the first of them: frames of the file.
  public let samples: NonFiniteSamples
  /// The treatment that they got: `.silence` or `.keep`, as nothing is made with `.error`.
  public let policy: NonFinitePolicy

  package init(path: String, node: String?, samples: NonFiniteSamples, policy: NonFinitePolicy) {
    (self.path, self.node, self.samples, self.policy) = (path, node, samples, policy)
  }

  /// The warning for the user.
  var warning: String {
    let place = node.map { "node \"\($0)\": " } ?? ""
    return "\(place)\(path): \(samples): \(policy == .keep ? "passed on" : "each was made 0")"
  }
}

extension [NonFiniteFile] {
  /// The node that lets the first of them into a graph; nil where none does.
  var firstNode: String? { first { $0.policy == .keep }?.node }
}

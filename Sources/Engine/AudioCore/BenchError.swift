/// An error that says where it is and how to fix it, for everything a user touches: files, graphs, options.
///
/// Units answer with ``AudioStatus``; a layer that knows the file, the node and the bus wraps it in one of these.
public struct BenchError: Error, Hashable, Sendable {
  /// The sort of error, by what has to be fixed. Each kind has its own exit code on the command line.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A wrong option or argument.
    case usage
    /// A graph file or a graph built in code that cannot run.
    case graph
    /// A suite of checks, or a golden, that is not as it should be.
    case suite
    /// An input file that is missing, damaged or of an unknown kind.
    case input
    /// An output file that cannot be written: folder, permission, encoding, full disk.
    case output
    /// A render that failed while running.
    case render
    /// A device under test that crashed, in a process of its own.
    case deviceCrash
    /// A device under test that took longer than it may.
    case deviceTimeout
    /// Stopped from outside by a signal.
    case interrupted
  }

  /// The sort of error.
  public let kind: Kind
  /// Where: a file, `node "eq"`, `node "mix", input bus 3`, an option. Empty where the message says it all.
  public let place: String
  /// The error, with the expected and the found value.
  public let message: String
  /// The way to fix it, if known.
  public let advice: String?

  /// - Parameters:
  ///   - kind: decides the exit code.
  ///   - place: empty where the message says it all.
  ///   - message: the error, in lower case and without a full stop: it stands behind the place.
  ///   - advice: how to mend it; nil: there is nothing to advise.
  public init(_ kind: Kind, at place: String = "", _ message: String, advice: String? = nil) {
    self.kind = kind
    self.place = place
    self.message = message
    self.advice = advice
  }

  /// The same error seen from further out: `place` goes in front.
  public func inside(_ outer: String) -> BenchError {
    BenchError(kind, at: place.isEmpty ? outer : "\(outer): \(place)", message, advice: advice)
  }
}

extension BenchError: CustomStringConvertible {
  /// `place: message; advice`, without the parts that are not there.
  public var description: String {
    (place.isEmpty ? "" : "\(place): ") + message + (advice.map { "; \($0)" } ?? "")
  }
}

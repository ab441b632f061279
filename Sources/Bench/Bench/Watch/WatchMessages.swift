/// What the process whose render calls are watched is told behind its subject: a line of JSON.
package struct WatchOrder: Codable, Hashable, Sendable {
  /// Of sound, in frames: as much of the subject's as there is, and silence behind it.
  package var frames: Int64
  /// At most, of a render call.
  package var mostFrames: Int
  /// The node whose parameters are set at random between render calls; nil: none.
  package var node: String?

  package init(frames: Int64, mostFrames: Int, node: String?) {
    (self.frames, self.mostFrames, self.node) = (frames, mostFrames, node)
  }
}

/// What render calls have done that a realtime thread must not do.
package struct WatchReport: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case allocation
    case release
    /// What may wait for another thread.
    case lock
    case systemCall = "system call"
    /// An instruction whose operand or result is denormal.
    case denormal
  }

  /// Where an address is.
  package struct Frame: Codable, Hashable, Sendable {
    /// The file; empty: nobody knows.
    package var module: String
    /// Behind the beginning of the module, bytes. Of calls: where they return to.
    package var offset: UInt64
    /// The function, and the line of its source where that is known.
    package var name: String?
    package var line: String?
  }

  package struct Finding: Codable, Hashable, Sendable {
    package var kind: Kind
    /// Nil: between nodes.
    package var node: String?
    /// What was called; of a system call without a name its number.
    package var function: String
    package var count: UInt64
    /// Of memory, in all.
    package var bytes: UInt64
    /// Whether it happened in the first render call alone.
    package var isOfFirstCallAlone: Bool
    /// The innermost first.
    package var stack: [Frame]
  }

  /// What could be watched here.
  package var kinds: [Kind]
  package var calls: Int
  package var frames: Int64
  package var findings: [Finding]
  /// How many places there was no room for.
  package var lost: UInt64
  /// How many times as long those calls take in which denormals are met, where nothing takes denormals for zero; nil: there were none.
  package var denormalFactor: Double?
  /// Nodes that the bench has put around what it was asked for, and which are not counted against it; nil: none.
  package var ownNodes: [String]?

  /// False for what a node of the bench does.
  package func counts(_ finding: Finding) -> Bool { !(ownNodes ?? []).contains { $0 == finding.node } }

  /// What is counted, without denormals, which this program takes for zero.
  package var violations: [Finding] { findings.filter { $0.kind != .denormal && counts($0) } }
  package var denormals: [Finding] { findings.filter { $0.kind == .denormal } }
}

/// The order to the process whose render calls are watched, behind its subject: a line of JSON.
package struct WatchOrder: Codable, Hashable, Sendable {
  /// The length of the sound, in frames: as much of the subject's as there is, and silence behind it.
  package var frames: Int64
  /// At most, of a render call.
  package var mostFrames: Int
  /// The node whose parameters are set at random between render calls; nil: none.
  package var node: String?

  package init(frames: Int64, mostFrames: Int, node: String?) {
    (self.frames, self.mostFrames, self.node) = (frames, mostFrames, node)
  }
}

/// The activity of render calls that a realtime thread must avoid.
package struct WatchReport: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case allocation
    case release
    /// A call that may wait for another thread.
    case lock
    case systemCall = "system call"
    /// An instruction whose operand or result is denormal.
    case denormal
  }

  /// The place of an address.
  package struct Frame: Codable, Hashable, Sendable {
    /// The file; empty if unknown.
    package var module: String
    /// The offset from the beginning of the module, bytes. For calls it is the return address.
    package var offset: UInt64
    /// The function, and the line of its source where that is known.
    package var name: String?
    package var line: String?
  }

  package struct Finding: Codable, Hashable, Sendable {
    package var kind: Kind
    /// Nil: between nodes.
    package var node: String?
    /// The function; for a system call without a name its number.
    package var function: String
    package var count: UInt64
    /// The bytes of memory, in all.
    package var bytes: UInt64
    /// True when it happened in the first render call alone.
    package var isOfFirstCallAlone: Bool
    /// The innermost first.
    package var stack: [Frame]
  }

  /// The kinds that could be watched here.
  package var kinds: [Kind]
  package var calls: Int
  package var frames: Int64
  package var findings: [Finding]
  /// The number of places for which there was no room.
  package var lost: UInt64
  /// The ratio of the time of calls that meet denormals to their time with zeros instead, while the processor handles
  /// denormals; nil: there were none.
  package var denormalFactor: Double?
  /// Nodes that the bench has put around the subject, and which are not counted against it; nil: none.
  package var ownNodes: [String]?

  /// False for what a node of the bench does.
  package func counts(_ finding: Finding) -> Bool { !(ownNodes ?? []).contains { $0 == finding.node } }

  /// The findings that count, without denormals, which this program takes for zero.
  package var violations: [Finding] { findings.filter { $0.kind != .denormal && counts($0) } }
  package var denormals: [Finding] { findings.filter { $0.kind == .denormal } }
}

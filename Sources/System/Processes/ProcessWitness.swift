import AudioCore

/// Says which third-party code has ended a process, by memory that both share: such code can end it by more ways than
/// its exit code or its standard error show.
package protocol ProcessWitness: AnyObject, Sendable {
  /// The descriptor of that memory, which the process gets as ``ProcessWitnesses/descriptor``.
  var descriptor: Int32 { get }
  /// The code that was running, or that was there; nil where the process came to its own end, or has said it itself.
  var culprit: String? { get }
}

/// The witnesses of processes that answer on descriptor 3.
package enum ProcessWitnesses {
  /// The number of the descriptor in the process.
  package static let descriptor: Int32 = 4

  private static let maker = Locked<(@Sendable () -> (any ProcessWitness)?)?>(nil)

  /// Sets what makes one for each process. A program that loads no third-party code needs none.
  package static func make(by body: @escaping @Sendable () -> (any ProcessWitness)?) { maker.withLock { $0 = body } }

  static func new() -> (any ProcessWitness)? { maker.withLock { $0 }?() }
}

import AudioCore
import CAudioToolbox

/// Saying what feeds what, and asking for it.
///
/// Answers count an edit from the moment it is made, whether or not an update has carried it out.
extension GraphModel {
  /// - Throws: -10860; -10861 for a connection to itself, for one that would close a circle, and for one into a graph.
  func connect(_ source: AUNode, bus sourceBus: UInt32, to input: GraphInput) throws(AudioStatus) {
    let isRecorded = try node(source).isOutput && sourceBus > 0
    guard try node(input.node).member == nil else { throw .invalidConnection }
    // The connection that this one replaces comes in front of the input: it is no part of a circle.
    guard isRecorded || !presentInteractions.reaches(from: input.node, to: source) else { throw .invalidConnection }
    make(
      .feed(
        Interaction(
          input: input, source: isRecorded ? .recorded(source, bus: sourceBus) : .node(source, bus: sourceBus))))
  }

  /// - Parameter proc: nil takes the source away.
  func setCallback(
    _ proc: AURenderCallback?, userData: UnsafeMutableRawPointer?, input: GraphInput
  ) throws(AudioStatus) {
    guard try node(input.node).member == nil else { throw .invalidConnection }
    if let proc {
      make(.feed(Interaction(input: input, source: .callback(proc, userData: userData))))
    } else {
      make(.disconnect(input))
    }
  }

  /// Takes an input its source. Nothing happens where it has none.
  func disconnect(_ input: GraphInput) throws(AudioStatus) {
    _ = try node(input.node)
    make(.disconnect(input))
  }

  func clear() { make(.clear) }

  /// Carries an edit out, or puts it on the list of things to do where the graph is initialized.
  func make(_ edit: GraphEdit) {
    let touched = presentInteractions.apply(edit)
    if state == .initialized {
      todo.append(edit)
    } else {
      interactions = presentInteractions
      if state == .open { abandoned.formUnion(touched) }
    }
  }

  func interactions(of number: AUNode) throws(AudioStatus) -> [Interaction] {
    _ = try node(number)
    return presentInteractions.involving(number)
  }
}

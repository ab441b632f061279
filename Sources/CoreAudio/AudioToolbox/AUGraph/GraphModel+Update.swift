// The list of things to do of an initialized graph. The edit side prepares; the render side takes all of it over at one
// edge between two slices.

import AudioCore
import AudioEngine
import CAudioToolbox

extension GraphModel {
  /// Carries out what is to be done, here and in the graphs inside, up to the first thing that fails; that one is
  /// forgotten, and what comes after it stays to be done.
  ///
  /// Edits hold from the edge before the next slice on; if a listener of the graph calls this before a cycle, from that
  /// very cycle on. Nothing is done if the graph is not initialized: ``initialize()`` does it.
  ///
  /// - Parameter waits: until what was replaced is out of use. Never on the thread that renders.
  /// - Returns: true if everything is done and no cycle is under way that began before. On the thread that renders, the
  ///   present cycle is such a one.
  func update(waits: Bool) throws(AudioStatus) -> Bool {
    guard !isUpdating else { return false }
    guard state == .initialized else { return true }
    isUpdating = true
    defer { isUpdating = false }
    var edits: [SharedValue.Edit] = []
    let failure = carryOutTodo(&edits)
    domain.post(edits)
    if !edits.isEmpty || !retired.isEmpty { awaitPresentCycles() }
    if !domain.isRenderingHere {
      // Units may be pulled past the graph's output too: that is no cycle of the graph.
      let isSettled = waits && !edits.isEmpty
      if isSettled { domain.settle() }
      if waits || !isOutstanding { retire(isSettled: isSettled) }
    }
    if let failure { throw failure }
    return todo.isEmpty && !isOutstanding
  }

  private func carryOutTodo(_ edits: inout [SharedValue.Edit]) -> AudioStatus? {
    for member in members where member.state == .initialized {
      if let failure = member.carryOutTodo(&edits) { return failure }
    }
    var failure: AudioStatus?
    var count = todo.count
    // Each turn tries fewer edits than the one before: those in front of what failed.
    while count > 0 {
      let plan = UpdatePlan(self, todo[..<count])
      if let circle = plan.circle {
        (failure, count) = (.invalidConnection, circle)
        continue
      }
      var work = GraphWork()
      do {
        try carryOut(plan.wanted, touched: Set(plan.touched.keys), involved: Set(plan.involved.keys), &work)
        work.commit()
        edits += work.edits
        break
      } catch {
        work.undo()
        (failure, count) = (error.status, plan.index(of: error.place))
      }
    }
    for edit in todo.prefix(count) {
      interactions.apply(edit)
      guard case .remove(let number) = edit else { continue }
      retired += nodes.filter { $0.number == number }
      nodes.removeAll { $0.number == number }
    }
    todo.removeFirst(min(todo.count, failure == nil ? count : count + 1))
    presentInteractions = interactions.applying(todo)
    return failure
  }

  // MARK: Replaced parts

  private func awaitPresentCycles() {
    awaited = []
    var graph: GraphModel? = self
    while let present = graph {
      if let number = present.cycle.number { awaited.append((present.cycle, number)) }
      graph = present.parent
    }
  }

  /// True while a render cycle is under way that began before the last update was posted.
  var isOutstanding: Bool { awaited.contains { $0.cycle.number == $0.number } }

  /// Waits until what was removed is out of use, unless that is so, and ends it. Not on the thread that renders.
  func retire(isSettled: Bool = false) {
    if !isSettled && !retired.isEmpty { domain.settle() }
    awaited = []
    let nodes = retired
    retired = []
    for node in nodes { dispose(node) }
    for member in members { member.retire(isSettled: isSettled) }
  }
}

/// The combined result of a list of edits.
private struct UpdatePlan {
  private(set) var wanted: InteractionList
  /// The inputs that get another source, each with the last edit that changes it.
  private(set) var touched: [GraphInput: Int] = [:]
  /// The nodes that are part of what is connected, each with the first edit that brings it in.
  private(set) var involved: [AUNode: Int] = [:]
  /// The first edit that closes a circle.
  private(set) var circle: Int?

  init(_ graph: GraphModel, _ edits: ArraySlice<GraphEdit>) {
    wanted = graph.interactions
    for (index, edit) in edits.enumerated() {
      for input in wanted.apply(edit) { touched[input] = index }
      if case .feed(let interaction) = edit, let source = interaction.feeder,
        wanted.reaches(from: interaction.input.node, to: source)
      {
        circle = index
        return
      }
      // A removed node needs no sources any more.
      if case .remove(let number) = edit { touched = touched.filter { $0.key.node != number } }
    }
    let inputs = Set(touched.keys)
    // A node counts for the first edit that brings it in, with all that it pulls.
    for (input, index) in touched.sorted(by: { $0.value < $1.value }) where wanted[input] != nil {
      for node in graph.upstream(of: [input.node], wanted, inputs, except: involved.keys) { involved[node] = index }
    }
  }

  func index(of place: GraphFailure.Place) -> Int {
    switch place {
    case .input(let input): touched[input] ?? 0
    case .node(let node): involved[node] ?? 0
    }
  }
}

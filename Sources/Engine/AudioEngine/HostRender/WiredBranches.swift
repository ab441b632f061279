// The path of one slice: pull, for units that a host connects: branches that render on several threads. Runs on the
// render thread, and `render` also on the workers beside it: no allocation, no lock.
//
// Wires (`Wire.swift`) make trees: a wired unit is pulled by exactly one other. The trees at the inputs of a mixer may
// render side by side, ahead of the mixer's pull, as long as no code of the host runs in them, nor between them in the
// order in which they would be pulled: a callback may change what is pulled after it. The branches between two such
// places are a group; the pull of the first renders all of them. So a program gets the same bits as from one thread.

import AudioCore
import CRealtime
import HandOver

/// The parts of wired trees that render ahead of the units that pull them.
package final class WiredBranches: BranchList, @unchecked Sendable {
  typealias Node = NodePointer

  /// The last unit of a branch, with the first of the branches that it needs: all from there to its own place.
  struct Head: BitwiseCopyable {
    let node: Node
    let firstNeed: Int
    let visit: Int
    var isActive = false
    var hasFailed = false
  }

  /// A unit on the way to a head, or a head.
  struct Visit: BitwiseCopyable {
    let node: Node
    /// The visit of the unit that pulls it, at which input; −1: no wire pulls it.
    let parent: Int
    let bus: Int
    /// Its place among the heads; −1: it is none.
    var head = -1
    var isActive = false
  }

  /// Branches between which no code of the host runs, as places among the heads and the visits.
  struct Group: BitwiseCopyable {
    let firstHead: Int
    let lastHead: Int
    let firstVisit: Int
    let lastVisit: Int
    /// The longest slice of all units in it.
    let maximumFrames: Int
    /// The slice whose branches are pulled as any unit is: decided once, at the pull of the first.
    var pulledTime = Int64.min
  }

  /// The group that figures of costs belong to.
  private struct CostOwner: BitwiseCopyable {
    let first: Node
    let headCount: Int
  }

  /// Branches of one graph; further ones are rendered by the units that pull them.
  package static let capacity = 1024
  private static let visitCapacity = 8 * capacity

  private let runner: any BranchRunner
  private let heads = FlatMemory<Head>(unwritten: capacity)
  private let visits = FlatMemory<Visit>(unwritten: visitCapacity)
  private let groupMemory = FlatMemory<Group>(unwritten: capacity)
  /// The costs of the groups, in their order. Groups that are found anew keep the figures of the ones in their places
  /// as long as those begin with the same unit and have as many branches.
  private let costMemory = FlatMemory<WorkCost>(unwritten: capacity * WorkCost.lengths)
  private let costOwnerMemory = FlatMemory<CostOwner>(unwritten: capacity)
  private var costOwnerCount = 0
  private var headCount = 0
  private var visitCount = 0
  private var groupCount = 0
  // The group that is being found.
  private var firstHead = 0
  private var firstVisit = 0
  private var maximumFrames = Int.max

  init(_ runner: any BranchRunner) { self.runner = runner }

  // MARK: Finding the branches

  /// Finds the branches of wired units anew. Between two slices.
  ///
  /// - Parameter first: the first of the wired sources (``RenderDomain/firstSource``).
  func find(from first: Node?) {
    (headCount, visitCount, groupCount) = (0, 0, 0)
    each(from: first) { _, host in
      host.pointee.group = -1
      host.pointee.isRenderedAhead = false
      host.pointee.hostCode = .unknown
    }
    each(from: first) { source, _ in _ = runsNoHostCode(source) }
    each(from: first) { _, host in
      guard let root = host.pointee.wire?.reader, let rootHost = root.pointee.host.state, rootHost.pointee.wire == nil,
        rootHost.pointee.hostCode != .root, Self.followsItsClock(root), visitCount < Self.visitCapacity
      else { return }
      rootHost.pointee.hostCode = .root
      beginGroup()
      visits[visitCount] = Visit(node: root, parent: -1, bus: 0)
      visitCount += 1
      _ = collect(root, visit: visitCount - 1)
      endGroup()
    }
    // Roots are no sources, and may be classified again.
    for place in 0..<visitCount where visits[place].parent < 0 {
      visits[place].node.pointee.host.state?.pointee.hostCode = .unknown
    }
  }

  private func each(from first: Node?, _ body: (Node, HostPointer) -> Void) {
    var next = first
    while let source = next, let host = source.pointee.host.state {
      body(source, host)
      next = host.pointee.wire?.nextSource
    }
  }

  /// True when output frame n needs just input frame n, pulled with the same slice.
  private static func followsItsClock(_ node: Node) -> Bool {
    node.pointee.processor._withUnsafeGuaranteedRef { $0.isSynchronous && !$0.pullsItsInputs }
  }

  private static func wiredSource(_ node: Node, _ bus: Int) -> Node? {
    node.pointee.slots[bus].node.flatMap { $0.pointee.host.state == nil ? nil : $0 }
  }

  /// True when no code of the host runs in a wired unit, or in the units that it pulls.
  private func runsNoHostCode(_ node: Node) -> Bool {
    guard let host = node.pointee.host.state else { return false }
    if host.pointee.hostCode != .unknown { return host.pointee.hostCode == .absent }
    host.pointee.hostCode = .present
    guard !node.pointee.hasListeners, Self.followsItsClock(node),
      !node.pointee.processor._withUnsafeGuaranteedRef({ $0.runsHostCode })
    else { return false }
    // A unit that needs a source and has none fails, and the units that would be pulled after it are not.
    for bus in 0..<node.pointee.inputBuffers.count where !(host.pointee.isMixer && node.pointee.slots[bus].isEmpty) {
      guard let source = Self.wiredSource(node, bus), runsNoHostCode(source) else { return false }
    }
    host.pointee.hostCode = .absent
    return true
  }

  /// Collects the heads below a unit, along its inputs in the order in which they are pulled.
  ///
  /// - Returns: true when there are any.
  private func collect(_ node: Node, visit: Int) -> Bool {
    maximumFrames = min(maximumFrames, node.pointee.maximumFrames)
    let joins = (node.pointee.host.state?.pointee.isMixer ?? false) && node.pointee.inputBuffers.count > 1
    var hasHeads = false
    for bus in 0..<node.pointee.inputBuffers.count {
      guard let source = Self.wiredSource(node, bus), Self.followsItsClock(source), visitCount < Self.visitCapacity
      else {
        if !node.pointee.slots[bus].isEmpty { breakGroup() }
        continue
      }
      let place = visitCount
      let firstNeed = headCount
      visits[place] = Visit(node: source, parent: visit, bus: bus)
      visitCount += 1
      var isNeeded = collect(source, visit: place)
      if !runsNoHostCode(source) {
        breakGroup()
      } else if joins && headCount < Self.capacity {
        visits[place].head = headCount
        heads[headCount] = Head(node: source, firstNeed: firstNeed, visit: place)
        headCount += 1
        isNeeded = true
      }
      if isNeeded {
        hasHeads = true
      } else {
        visitCount = place
        firstVisit = min(firstVisit, place)
      }
    }
    return hasHeads
  }

  private func breakGroup() {
    endGroup()
    beginGroup()
  }

  private func beginGroup() { (firstHead, firstVisit, maximumFrames) = (headCount, visitCount, Int.max) }

  /// One branch alone renders as well where it is pulled.
  private func endGroup() {
    guard headCount - firstHead > 1 else {
      for place in firstHead..<headCount { visits[heads[place].visit].head = -1 }
      headCount = firstHead
      return
    }
    for place in firstHead..<headCount { heads[place].node.pointee.host.state?.pointee.group = groupCount }
    groupMemory[groupCount] = Group(
      firstHead: firstHead, lastHead: headCount - 1, firstVisit: firstVisit, lastVisit: visitCount - 1,
      maximumFrames: maximumFrames)
    keepCosts(of: groupCount)
    groupCount += 1
  }

  private func keepCosts(of number: Int) {
    let owner = CostOwner(first: heads[firstHead].node, headCount: headCount - firstHead)
    if number < costOwnerCount {
      let former = costOwnerMemory[number]
      if former.first == owner.first && former.headCount == owner.headCount { return }
    }
    costOwnerMemory[number] = owner
    costOwnerCount = max(costOwnerCount, number + 1)
    for length in 0..<WorkCost.lengths { costMemory[number * WorkCost.lengths + length] = WorkCost() }
  }

  // MARK: Rendering them

  /// Renders the branches of a group for the pull of the first. Does nothing where they cannot be rendered ahead.
  ///
  /// - Parameter reader: the unit that pulls that branch, in a slice of its own.
  func render(
    group number: Int, for reader: HostPointer, sampleTime: Int64, frames: Int
  ) {
    let group = groupMemory[number]
    guard frames > 0 && frames <= group.maximumFrames, group.pulledTime != sampleTime else { return }
    let costs = costMemory.all + number * WorkCost.lengths
    let choice = runner.claim(costs: costs, frames: frames)
    if case .plain = choice {
      groupMemory[number].pulledTime = sampleTime
      return
    }
    guard choose(group, for: reader) > 1 else { return runner.release() }
    for place in group.firstHead...group.lastHead where heads[place].isActive {
      begin(heads[place].node, for: reader, frames: frames)
    }
    runner.run(
      choice, group.firstHead..<group.lastHead + 1, of: self, costs: costs, sampleTime: sampleTime, frames: frames)
    for place in group.firstHead...group.lastHead where heads[place].isActive && heads[place].hasFailed {
      reportFailures(heads[place].node)
    }
  }

  /// Finds the branches that would be pulled: those that some active unit pulls. Takes over parameters that were edited
  /// since the slice before, as the pulls would do.
  private func choose(_ group: Group, for reader: HostPointer) -> Int {
    var count = 0
    for place in group.firstVisit...group.lastVisit {
      let visit = visits[place]
      let isActive =
        visit.parent < 0
        || (visit.parent < group.firstVisit || visits[visit.parent].isActive)
          && visits[visit.parent].node.wantsInput(visit.bus)
      visits[place].isActive = isActive
      // A unit that has begun its slice has taken over its values.
      if isActive && !visit.node.pointee.isRendering { visit.node.latch() }
      guard visit.head >= 0, let host = visit.node.pointee.host.state else { continue }
      heads[visit.head].isActive = isActive && !host.pointee.clock.hasSlice(of: reader.pointee.call)
      heads[visit.head].hasFailed = false
      if heads[visit.head].isActive { count += 1 }
    }
    return count
  }

  private func begin(_ node: Node, for reader: HostPointer, frames: Int) {
    guard let host = node.pointee.host.state else { return }
    host.pointee.ownFlags.pointee = 0
    _ = node.beginForWire(reader, host, flags: host.pointee.ownFlags, frames: frames)
    host.pointee.call.isAhead = true
  }

  package func need(_ turn: Int, of branch: Int) -> Int? {
    let need = heads[branch].firstNeed + turn
    return need < branch ? need : nil
  }

  package func isActive(_ branch: Int) -> Bool { heads[branch].isActive }

  /// Players read when they are pulled.
  package func prefetch(_ branch: Int, frames: Int) {}

  package func render(_ branch: Int, sampleTime: Int64, frames: Int) -> AudioStatus {
    let node = heads[branch].node
    guard let host = node.pointee.host.state, realtime_begin_pull() else { return .cannotDoInCurrentContext }
    defer { realtime_end_pull() }
    let status = node.renderForWire(host, isNew: true, sampleTime: sampleTime, frames: frames)
    heads[branch].hasFailed = status != .noError
    host.pointee.isRenderedAhead = true
    return status
  }

  /// Notifies the feeds of units that failed on a worker, in the order in which they are pulled.
  private func reportFailures(_ node: Node) {
    for bus in 0..<node.pointee.inputBuffers.count {
      if let source = Self.wiredSource(node, bus) { reportFailures(source) }
    }
    guard node.pointee.host.hasFailedAhead else { return }
    node.pointee.host.hasFailedAhead = false
    let status = node.pointee.failure
    node.pointee.host.feed?._withUnsafeGuaranteedRef { $0.renderFailed(status) }
  }
}

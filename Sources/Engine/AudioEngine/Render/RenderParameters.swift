// The path of one slice: parameters. Runs on the thread that renders the node; allocates nothing after init. A moving
// parameter is evaluated on cells of 32 absolute frames, cut at every bend of its course, so that the values depend on
// frame numbers alone and never on slices (definition of this project).

import AudioCore
import Synchronization

/// The parameter values of one node while it renders: a look into memory that the node owns.
public struct RenderParameters: @unchecked Sendable {
  /// Moving parameters are evaluated at absolute frame numbers divisible by this.
  package static let gridFrames: Int64 = 32

  @usableFromInline let state: UnsafeMutablePointer<ParameterState>

  /// Memory for a node's values. ``free()`` must follow; a node does it for its own.
  init(store: ParameterStore, timelines: [ParameterAddress: ParameterTimeline], smoothingFrames: Int) {
    state = ParameterState.pool.take()
    state.initialize(to: ParameterState(store: store, timelines: timelines, smoothingFrames: smoothingFrames))
  }

  func free() {
    state.deinitialize(count: 1)
    ParameterState.pool.giveBack(state)
  }

  /// The value of a slot at the first frame of the present cell; where nothing moves, over the whole piece. Slots count
  /// the rows of the parameter tables: those of the global scope, of each input, of each output.
  @inlinable public subscript(slot: Int) -> Float { Float(state.pointee.startValues[slot]) }
  /// The value at the first frame of the present cell, unrounded.
  @inlinable public func start(_ slot: Int) -> Double { state.pointee.startValues[slot] }
  /// The value that the present cell runs towards: that of the frame after its last.
  @inlinable public func end(_ slot: Int) -> Double { state.pointee.endValues[slot] }
  /// Another number whenever any value may have changed: what follows from the values need not be looked at in between.
  package var version: Int { state.pointee.version }
  /// The straight piece of a slot's course that holds at a frame of the present slice, whatever piece is rendered: for
  /// what renders before the node itself does.
  package func segment(of slot: Int, at frame: Int64) -> RampSegment { state.pointee.heldSegment(of: slot, at: frame) }
  /// The value that a slot was set to when the slice began, wherever it is on its way there.
  package func latchedValue(_ slot: Int) -> Float { state.pointee.latched[slot] }
  /// True when a slot's present value is not that of the rest of the slice: it follows a timeline or has events in this
  /// slice, or smoothing moves it or has moved it.
  package func mayMove(_ slot: Int) -> Bool { state.pointee.mayMove(slot) }
  /// True while a value that was set is on its way in a straight line.
  package func isSmoothed(_ slot: Int, at frame: Int64) -> Bool { state.pointee.isSmoothed(slot, at: frame) }
  /// True when any parameter moves within the present piece.
  @inlinable public var isMoving: Bool { state.pointee.isMoving }
  /// The first frame of the present cell: the frames over which moving parameters run in a straight line.
  @inlinable public var cellStart: Int64 { state.pointee.cellStart }
  /// The frame after the last of the cell: where ``end(_:)`` is reached.
  @inlinable public var cellEnd: Int64 { state.pointee.cellEnd }
}

/// The state behind ``RenderParameters``. The thread that renders the node has it to itself.
@usableFromInline
struct ParameterState: ~Copyable {
  static let pool = SlabPool<ParameterState>()

  private static let gridFrames = RenderParameters.gridFrames

  private let store: ParameterStore
  private let count: Int
  /// Per slot: what the store held when the slice began.
  fileprivate let latched: FlatMemory<Float>
  /// Per slot: the value that holds where no timeline or smoothing moves it.
  private let settled: FlatMemory<Float>
  /// Per slot: the course of smoothing towards `settled`; inactive where its end is `.min`, never begun where its start
  /// is `.min` too.
  private let smoothing: FlatMemory<RampSegment>
  private let timelines: FlatMemory<ParameterTimeline?>
  /// Slots that may move. First the lasting ones: slots with a timeline, or all slots if smoothing is on. Behind them:
  /// slots that have had a scheduled event.
  private let dynamicSlots: FlatMemory<Int>
  private var dynamicCount: Int
  private let lastingDynamicCount: Int
  private let isDynamic: FlatMemory<Bool>
  /// The events that are scheduled for the present slice.
  private var courses: ParameterCourses
  private let eventStates: FlatMemory<EventState>

  /// The state of a slot's scheduled events.
  private struct EventState {
    /// The value in front of the slice's first event.
    var base: Float = 0
    /// The values in the store, unless it is set in the meantime: the one that is in force, and the one that is shown.
    var held: Float = 0
    var shown: Float = 0
    var isTouched = false
    /// The time of the last course's last bend: cells of other parameters begin anew there, as they do at a timeline's
    /// points.
    var bend = Int64.min
    /// The same for the present course, once it has begun.
    var presentBend: Int64?
  }
  private let smoothingFrames: Int64
  /// The number of edits, and that number when values were latched and when a slice began.
  private let edits: Plane<Atomic<UInt>>
  private var latchedEdits = UInt.max
  private var begunEdits = UInt.max
  /// See ``RenderParameters/version``.
  fileprivate var version = 0
  /// True when a slice's beginning has nothing left to do.
  private var isSettled = false
  private var isFirstSlice = true
  private let canRamp: FlatMemory<Bool>

  // The present piece.
  @usableFromInline let startValues: FlatMemory<Double>
  @usableFromInline let endValues: FlatMemory<Double>
  /// True when any parameter moves within the present piece.
  @usableFromInline private(set) var isMoving = false
  /// The cell of frames over which moving parameters run in a straight line: first frame, and the frame after its last.
  @usableFromInline private(set) var cellStart: Int64 = 0
  @usableFromInline private(set) var cellEnd: Int64 = 0

  init(store: ParameterStore, timelines: [ParameterAddress: ParameterTimeline], smoothingFrames: Int) {
    self.store = store
    self.smoothingFrames = Int64(smoothingFrames)
    edits = store.edits
    count = store.count
    let held = (0..<count).map { store.held($0) }
    let values = held.map { Double($0) }
    latched = FlatMemory(held)
    settled = FlatMemory(held)
    startValues = FlatMemory(values)
    endValues = FlatMemory(values)
    smoothing = FlatMemory(repeating: RampSegment(from: .min, to: .min, 0, 0), count: count)
    self.timelines = FlatMemory(store.addresses.map { timelines[$0] })
    canRamp = FlatMemory(store.descriptors.map(\.canRamp))
    let dynamic = (0..<count).filter {
      timelines[store.addresses[$0]] != nil || (smoothingFrames > 0 && store.descriptors[$0].canRamp)
    }
    dynamicSlots = FlatMemory(repeating: 0, count: count)
    dynamicSlots.all.update(from: dynamic)
    isDynamic = FlatMemory(repeating: false, count: count)
    for slot in dynamic { isDynamic.all[slot] = true }
    courses = ParameterCourses(capacity: store.schedule.capacity, slotCount: count)
    eventStates = FlatMemory(repeating: EventState(), count: count)
    dynamicCount = dynamic.count
    lastingDynamicCount = dynamic.count
  }

  /// True when a slot follows a timeline or has events in this slice, or smoothing moves it or has moved it: its
  /// present value is not that of the rest of the slice. Smoothing ends within slices, and the result must not depend
  /// on where they begin.
  package func mayMove(_ slot: Int) -> Bool {
    timelines[slot] != nil || courses.has(slot) || smoothing[slot].startFrame != .min
      || (latched[slot] != settled[slot] && smoothingFrames > 0 && canRamp[slot] && !isFirstSlice)
  }

  /// True when the edit side has changed anything, or an earlier change is not through, so that ``latch()`` has work.
  @inline(__always)
  var hasNews: Bool { edits[0].load(ordering: .acquiring) != latchedEdits }

  /// Takes over what the edit side has set so far. Called once a slice, before anything of it renders.
  mutating func latch() {
    // Edits from here on may be seen or not: the next slice looks again.
    latchedEdits = edits[0].load(ordering: .acquiring)
    if courses.count > 0 { endCourses() }
    for slot in 0..<count { latched[slot] = store.held(slot) }
    isSettled = false
  }

  /// Makes latched values hold from `frame` on, and takes over what is scheduled for the slice of so many frames.
  @inline(__always)
  mutating func begin(at frame: Int64, frames: Int) {
    if isSettled && edits[0].load(ordering: .acquiring) == begunEdits { return }
    settle(at: frame, frames: frames)
  }

  /// Latched values hold at once or, with smoothing, are reached in a straight line.
  private mutating func settle(at frame: Int64, frames: Int) {
    let present = edits[0].load(ordering: .acquiring)
    // No frames are no slice: events wait on.
    if frames > 0 {
      begunEdits = present
      if store.schedule.hasEvents { takeEvents(at: frame) }
    }
    for slot in 0..<count where latched[slot] != settled[slot] {
      let former = smoothing[slot]
      if smoothingFrames > 0 && canRamp[slot] && !isFirstSlice && timelines[slot] == nil {
        let from = former.covers(frame) ? former.value(at: frame) : Double(settled[slot])
        smoothing[slot] = RampSegment(from: frame, to: frame + smoothingFrames, Float(from), latched[slot])
        // Unrounded: what moves goes on from where it is.
        smoothing[slot].startValue = from
      }
      settled[slot] = latched[slot]
      startValues[slot] = Double(settled[slot])
      endValues[slot] = startValues[slot]
      version += 1
    }
    isFirstSlice = false
    if courses.count > 0 { settleCourses(before: frame + Int64(frames)) }
    isSettled = courses.count == 0
    // Courses end in front of the next slice, edits or no edits.
    if !isSettled { latchedEdits = .max }
  }

  /// Lays out the courses of the slice that begins at `frame`. They hold until values are latched again: a slice may be
  /// rendered in several steps.
  private mutating func takeEvents(at frame: Int64) {
    if courses.count > 0 { endCourses() }
    store.schedule.drain { entry in
      let slot = Int(entry.slot)
      guard slot >= 0 && slot < count else { return }
      // The course of a timeline is fixed for as long as the node lives.
      guard timelines[slot] == nil else { return store.adoptShown(slot) }
      guard courses.append(entry, at: frame) else { return store.adoptShown(slot) }
      if !isDynamic[slot] {
        isDynamic[slot] = true
        dynamicSlots[dynamicCount] = slot
        dynamicCount += 1
      }
      if !eventStates[slot].isTouched {
        eventStates[slot].isTouched = true
        eventStates[slot].base = latched[slot]
        eventStates[slot].held = latched[slot]
        eventStates[slot].shown = latched[slot]
      }
      if !entry.isRamp { eventStates[slot].shown = entry.endValue }
    }
    courses.arrange()
  }

  /// Makes what the events come to until `end` the value that is set: it holds where nothing more is scheduled.
  private mutating func settleCourses(before end: Int64) {
    for index in 0..<courses.touchedCount {
      let slot = courses.touchedSlot(index)
      let state = eventStates[slot]
      let outcome = courses.outcome(of: slot, before: end, base: state.base, canRamp: canRamp[slot])
      settled[slot] = outcome.value
      latched[slot] = outcome.value
      eventStates[slot].presentBend = outcome.bend
      let next = outcome.next ?? outcome.value
      if next != state.held || next != state.shown {
        store.settle(slot, former: state.held, held: next, formerShown: state.shown, shown: next)
        eventStates[slot].held = next
        eventStates[slot].shown = next
      }
    }
  }

  private mutating func endCourses() {
    for index in 0..<courses.touchedCount {
      let slot = courses.touchedSlot(index)
      eventStates[slot].isTouched = false
      if let bend = eventStates[slot].presentBend {
        eventStates[slot].bend = bend
        smoothing[slot].endFrame = .min
      }
      eventStates[slot].presentBend = nil
    }
    courses.removeAll()
  }

  func isSmoothed(_ slot: Int, at frame: Int64) -> Bool { smoothing[slot].covers(frame) }

  /// True when a slice is one piece: nothing can bend in it.
  @inline(__always)
  var isStill: Bool { dynamicCount == 0 }

  /// Sets the values of the piece that begins at `frame` and returns the frame before which it ends, at most `limit`.
  mutating func cut(at frame: Int64, limit: Int64) -> Int64 {
    isMoving = false
    guard dynamicCount > 0 else { return limit }
    version += 1
    var bend = limit
    var lastBend = Int64.min
    for index in 0..<dynamicCount {
      let slot = dynamicSlots[index]
      let segment = segment(of: slot, at: frame)
      bend = min(bend, segment.endFrame)
      lastBend = max(lastBend, segment.startFrame)
      if !segment.isConstant && canRamp[slot] { isMoving = true }
      startValues[slot] = segment.startValue
      endValues[slot] = segment.startValue
    }
    guard isMoving else { return bend }
    let grid = frame & ~(Self.gridFrames - 1)
    cellStart = max(grid, lastBend)
    cellEnd = grid + Self.gridFrames
    // An event that is still to come cuts the piece and not the cell: in another slice it would not be known yet.
    for index in 0..<dynamicCount {
      cellEnd = min(cellEnd, segment(of: dynamicSlots[index], at: frame).lineEnd)
    }
    for index in 0..<dynamicCount {
      let slot = dynamicSlots[index]
      guard canRamp[slot] else { continue }
      let segment = segment(of: slot, at: frame)
      startValues[slot] = segment.value(at: cellStart)
      endValues[slot] = segment.value(at: cellEnd)
    }
    return min(cellEnd, bend)
  }

  private mutating func segment(of slot: Int, at frame: Int64) -> RampSegment {
    // A jump back in time ends smoothing: in front of its first frame the straight line means nothing.
    if timelines[slot] == nil && smoothing[slot].endFrame != .min && !smoothing[slot].covers(frame) {
      let hasEvent = courses.count > 0 && courses.has(slot) && courses.firstStart(slot) <= frame
      if !hasEvent { smoothing[slot].endFrame = .min }
    }
    return presentSegment(of: slot, at: frame)
  }

  /// The same for a parameter that may not ramp: a line is its first value.
  fileprivate func heldSegment(of slot: Int, at frame: Int64) -> RampSegment {
    let segment = presentSegment(of: slot, at: frame)
    return canRamp[slot] ? segment : segment.held
  }

  private func presentSegment(of slot: Int, at frame: Int64) -> RampSegment {
    if let timeline = timelines[slot] { return timeline.segment(at: frame) }
    if courses.count > 0 && courses.has(slot) {
      if let segment = courses.segment(of: slot, at: frame) { return segment }
      var segment = quietSegment(of: slot, at: frame, eventStates[slot].base)
      segment.cut(at: courses.firstStart(slot))
      return segment
    }
    return quietSegment(of: slot, at: frame, settled[slot])
  }

  /// The piece of a slot that nothing but smoothing moves.
  private func quietSegment(of slot: Int, at frame: Int64, _ value: Float) -> RampSegment {
    if smoothing[slot].covers(frame) { return smoothing[slot] }
    let bend = eventStates[slot].bend
    return RampSegment(from: bend <= frame ? bend : .min, to: .max, value, value)
  }

  /// Back to the state of a newly made node: present values hold at once, smoothing ends, what is scheduled is dropped.
  mutating func reset() {
    store.schedule.drainForReset { entry in
      if (0..<count).contains(Int(entry.slot)) { store.adoptShown(Int(entry.slot)) }
    }
    courses.removeAll()
    for index in lastingDynamicCount..<dynamicCount { isDynamic[dynamicSlots[index]] = false }
    dynamicCount = lastingDynamicCount
    for slot in 0..<count {
      latched[slot] = store.held(slot)
      settled[slot] = latched[slot]
      smoothing[slot] = RampSegment(from: .min, to: .min, 0, 0)
      startValues[slot] = Double(settled[slot])
      endValues[slot] = startValues[slot]
      eventStates[slot] = EventState()
    }
    isMoving = false
    isFirstSlice = true
    isSettled = false
    version += 1
  }
}

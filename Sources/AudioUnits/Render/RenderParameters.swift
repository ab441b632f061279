// Step 7 of the path of one slice: parameters. Runs on the thread that renders the node; allocates nothing after init.
// A moving parameter is evaluated on cells of 32 absolute frames, cut at every bend of its course, so that the values
// depend on frame numbers alone and never on slices (definition of this project).

import AudioCore

/// The parameter values of one node while it renders.
public final class RenderParameters: @unchecked Sendable {
  /// Moving parameters are evaluated at absolute frame numbers divisible by this.
  public static let gridFrames: Int64 = 32

  private let store: ParameterStore
  private let count: Int
  /// Per slot: what the store held when the slice began.
  private let latched: UnsafeMutablePointer<Float>
  /// Per slot: the value that holds where no timeline or smoothing moves it.
  private let settled: UnsafeMutablePointer<Float>
  /// Per slot: the course of smoothing towards `settled`; inactive where its end is `.min`, never begun where its start
  /// is `.min` too.
  private let smoothing: UnsafeMutablePointer<RampSegment>
  private let timelines: UnsafeMutablePointer<ParameterTimeline?>
  /// Slots that may move: those with a timeline, and all where smoothing is on.
  private let dynamicSlots: UnsafeMutablePointer<Int>
  private let dynamicCount: Int
  private let smoothingFrames: Int64
  private var isFirstSlice = true
  private let canRamp: UnsafeMutablePointer<Bool>

  // The present piece.
  private let startValues: UnsafeMutablePointer<Double>
  private let endValues: UnsafeMutablePointer<Double>
  /// Whether any parameter moves within the present piece.
  public private(set) var isMoving = false
  /// The cell of frames over which moving parameters run in a straight line: first frame, and the frame after its last.
  public private(set) var cellStart: Int64 = 0
  public private(set) var cellEnd: Int64 = 0

  init(store: ParameterStore, timelines: [ParameterAddress: ParameterTimeline], smoothingFrames: Int) {
    self.store = store
    self.smoothingFrames = Int64(smoothingFrames)
    count = store.count
    let capacity = max(1, count)
    latched = .allocate(capacity: capacity)
    settled = .allocate(capacity: capacity)
    smoothing = .allocate(capacity: capacity)
    self.timelines = .allocate(capacity: capacity)
    dynamicSlots = .allocate(capacity: capacity)
    canRamp = .allocate(capacity: capacity)
    startValues = .allocate(capacity: capacity)
    endValues = .allocate(capacity: capacity)
    var dynamic = 0
    for slot in 0..<count {
      let timeline = timelines[store.addresses[slot]]
      latched[slot] = store[slot]
      settled[slot] = store[slot]
      startValues[slot] = Double(store[slot])
      endValues[slot] = startValues[slot]
      (smoothing + slot).initialize(to: RampSegment(from: .min, to: .min, 0, 0))
      (self.timelines + slot).initialize(to: timeline)
      canRamp[slot] = store.descriptors[slot].canRamp
      if timeline != nil || (smoothingFrames > 0 && canRamp[slot]) {
        dynamicSlots[dynamic] = slot
        dynamic += 1
      }
    }
    dynamicCount = dynamic
  }

  deinit {
    timelines.deinitialize(count: count)
    timelines.deallocate()
    smoothing.deallocate()
    latched.deallocate()
    settled.deallocate()
    dynamicSlots.deallocate()
    canRamp.deallocate()
    startValues.deallocate()
    endValues.deallocate()
  }

  /// The value of a slot at the first frame of the present cell; where nothing moves, over the whole piece.
  public subscript(slot: Int) -> Float { Float(startValues[slot]) }
  /// The value at the first frame of the present cell, unrounded.
  func start(_ slot: Int) -> Double { startValues[slot] }
  /// The value that the present cell runs towards: that of the frame after its last.
  func end(_ slot: Int) -> Double { endValues[slot] }

  /// The value that a slot was set to when the slice began, wherever it is on its way there.
  func latchedValue(_ slot: Int) -> Float { latched[slot] }

  /// Whether a slot follows a timeline, or smoothing moves it or has moved it: its present value says nothing about the
  /// rest of the slice. Smoothing ends within slices, and what is asked here must not depend on where they begin.
  func mayMove(_ slot: Int) -> Bool {
    timelines[slot] != nil || smoothing[slot].startFrame != .min
      || (latched[slot] != settled[slot] && smoothingFrames > 0 && canRamp[slot] && !isFirstSlice)
  }

  /// Takes over what the edit side has set so far. Called once a slice, before anything of it renders.
  func latch() {
    for slot in 0..<count { latched[slot] = store.unchecked(slot) }
  }

  /// Makes latched values hold from `frame` on, at once or, with smoothing, in a straight line.
  func begin(at frame: Int64) {
    for slot in 0..<count where latched[slot] != settled[slot] {
      let former = smoothing[slot]
      if smoothingFrames > 0 && canRamp[slot] && !isFirstSlice && timelines[slot] == nil {
        let from = former.covers(frame) ? former.value(at: frame) : Double(settled[slot])
        smoothing[slot] = RampSegment(from: frame, to: frame + smoothingFrames, Float(from), latched[slot])
      }
      settled[slot] = latched[slot]
      startValues[slot] = Double(settled[slot])
      endValues[slot] = startValues[slot]
    }
    isFirstSlice = false
  }

  /// Sets the values of the piece that begins at `frame` and returns the frame before which it ends, at most `limit`.
  func cut(at frame: Int64, limit: Int64) -> Int64 {
    isMoving = false
    guard dynamicCount > 0 else { return limit }
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
    for index in 0..<dynamicCount {
      cellEnd = min(cellEnd, segment(of: dynamicSlots[index], at: frame).endFrame)
    }
    for index in 0..<dynamicCount {
      let slot = dynamicSlots[index]
      guard canRamp[slot] else { continue }
      let segment = segment(of: slot, at: frame)
      startValues[slot] = segment.value(at: cellStart)
      endValues[slot] = segment.value(at: cellEnd)
    }
    return min(cellEnd, limit)
  }

  private func segment(of slot: Int, at frame: Int64) -> RampSegment {
    if let timeline = timelines[slot] { return timeline.segment(at: frame) }
    if smoothing[slot].endFrame != .min {
      // A jump back in time ends it: in front of its first frame the straight line means nothing.
      if smoothing[slot].covers(frame) { return smoothing[slot] }
      smoothing[slot].endFrame = .min
    }
    return RampSegment(from: .min, to: .max, settled[slot], settled[slot])
  }

  /// Back to the state of a newly made node: present values hold at once, smoothing ends.
  func reset() {
    for slot in 0..<count {
      latched[slot] = store.unchecked(slot)
      settled[slot] = latched[slot]
      smoothing[slot] = RampSegment(from: .min, to: .min, 0, 0)
      startValues[slot] = Double(settled[slot])
      endValues[slot] = startValues[slot]
    }
    isMoving = false
    isFirstSlice = true
  }
}

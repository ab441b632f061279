// The path of one slice: parameters. The courses that scheduled events give to parameters. Runs on the thread that
// renders the node; allocates nothing after init.

import AudioCore

/// The events of one slice, by slot and in order of time.
struct ParameterCourses: ~Copyable {
  /// One event on absolute frames.
  struct Event: BitwiseCopyable {
    var slot: Int
    var start: Int64
    /// The frame from which `endValue` is held: `start` itself for an immediate event.
    var end: Int64
    var startValue: Float
    var endValue: Float
    var isRamp: Bool
  }

  /// The result of a slot's events at the end of a slice.
  struct Outcome {
    var value: Float
    /// The time of the course's last bend; nil if no event has begun.
    var bend: Int64?
    /// The value of the last immediate event, where it lies behind the slice's end: it has no sound in this slice and
    /// holds from the next one on.
    var next: Float?
  }

  private let events: FlatMemory<Event>
  private let capacity: Int
  package private(set) var count = 0
  /// Per slot: where its events are, and how many they are.
  private let firsts: FlatMemory<Int32>
  private let counts: FlatMemory<Int32>
  /// Slots that have events, in order.
  private let touched: FlatMemory<Int>
  private(set) var touchedCount = 0

  init(capacity: Int, slotCount: Int) {
    self.capacity = capacity
    events = FlatMemory(unwritten: capacity)
    let slots = max(1, slotCount)
    firsts = FlatMemory(repeating: 0, count: slots)
    counts = FlatMemory(repeating: 0, count: slots)
    touched = FlatMemory(repeating: 0, count: slots)
  }

  func has(_ slot: Int) -> Bool { counts[slot] > 0 }
  func touchedSlot(_ index: Int) -> Int { touched[index] }

  mutating func removeAll() {
    for index in 0..<touchedCount { counts[touched[index]] = 0 }
    touchedCount = 0
    count = 0
  }

  /// Adds an event of the slice that begins at `frame`; ``arrange()`` follows behind the last.
  ///
  /// - Returns: false where it does not fit: more events than the schedule holds, or a frame that has no number.
  mutating func append(_ entry: ParameterSchedule.Entry, at frame: Int64) -> Bool {
    guard count < capacity else { return false }
    let (start, isLate) = frame.addingReportingOverflow(entry.offset)
    guard !isLate else { return false }
    let (end, isEndless) = start.addingReportingOverflow(entry.isRamp ? Int64(entry.durationFrames) : 0)
    events[count] = Event(
      slot: Int(entry.slot), start: start, end: isEndless ? .max : end, startValue: entry.startValue,
      endValue: entry.endValue, isRamp: entry.isRamp)
    count += 1
    return true
  }

  /// Puts the events in order, by slot and time; those of one frame stay in the order in which they were scheduled.
  mutating func arrange() {
    // By insertion: hosts schedule in order, more or less, and few.
    for index in stride(from: 1, to: count, by: 1) {
      let event = events[index]
      var place = index
      while place > 0 {
        let other = events[place - 1]
        guard (other.slot, other.start) > (event.slot, event.start) else { break }
        events[place] = other
        place -= 1
      }
      events[place] = event
    }
    for index in 0..<count {
      let slot = events[index].slot
      if counts[slot] == 0 {
        firsts[slot] = Int32(index)
        touched[touchedCount] = slot
        touchedCount += 1
      }
      counts[slot] += 1
    }
  }

  /// The frame at which the first event of a slot begins.
  func firstStart(_ slot: Int) -> Int64 { events[Int(firsts[slot])].start }

  /// The straight piece that holds at a frame; nil in front of the slot's first event.
  package func segment(of slot: Int, at frame: Int64) -> RampSegment? {
    let first = Int(firsts[slot])
    let begun = countOfEvents(of: slot, startingBefore: frame + 1)
    guard begun > 0 else { return nil }
    let event = events[first + begun - 1]
    let next = begun < Int(counts[slot]) ? events[first + begun].start : .max
    var segment =
      frame < event.end
      ? RampSegment(from: event.start, to: event.end, event.startValue, event.endValue)
      : RampSegment(from: event.end, to: .max, event.endValue, event.endValue)
    segment.cut(at: next)
    return segment
  }

  /// The values of a slot behind a slice that ends in front of `end`.
  ///
  /// - Parameter base: the value in front of the slot's events.
  /// - Parameter canRamp: false: a ramp jumps where it ends.
  func outcome(of slot: Int, before end: Int64, base: Float, canRamp: Bool) -> Outcome {
    let first = Int(firsts[slot])
    let begun = countOfEvents(of: slot, startingBefore: end)
    var next: Float?
    for index in begun..<Int(counts[slot]) where !events[first + index].isRamp { next = events[first + index].endValue }
    guard begun > 0 else { return Outcome(value: base, bend: nil, next: next) }
    let event = events[first + begun - 1]
    if event.end <= end { return Outcome(value: event.endValue, bend: event.end, next: next) }
    let line = RampSegment(from: event.start, to: event.end, event.startValue, event.endValue)
    let value = canRamp ? Float(line.value(at: end)) : event.startValue
    return Outcome(value: value, bend: end, next: next)
  }

  private func countOfEvents(of slot: Int, startingBefore frame: Int64) -> Int {
    let own = events.all + Int(firsts[slot])
    return (0..<Int(counts[slot])).endOfPrefix { own[$0].start < frame }
  }
}

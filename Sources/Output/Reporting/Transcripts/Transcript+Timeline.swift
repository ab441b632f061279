import AudioCore
import Plotting
import Transcripts

extension Transcript {
  /// The transcript as a picture over time: a lane for each unit, callback and cycle, and for what listens; what
  /// happens to the hardware is marked. Under a scenario whose clock is not the real one, its clock says when: pauses
  /// and bursts are seen as they come. Without one each call stands where its sample time lies, and what a program
  /// calls between two cycles at the end of the one before.
  ///
  /// - Parameter title: the title of the picture.
  package func timeline(title: String) -> Timeline {
    let calls = threads.flatMap(\.calls).sorted { $0.order < $1.order }
    let hasSeconds =
      calls.contains { $0.clockSeconds != nil }
      || calls.allSatisfy { !$0.hasTime || $0.hasRate }
    var drawing = TimelineDrawing(hasSeconds: hasSeconds)
    for call in calls { drawing.add(call) }
    drawing.endCycles()
    let callCount = drawing.lanes.reduce(0) { $0 + $1.spans.count }
    var subtitle = "\(NumberText.count(callCount, "call")) in \(NumberText.count(threads.count, "thread"))"
    if drawing.failureCount > 0 { subtitle += ", \(drawing.failureCount) failed" }
    if drawing.leftOut > 0 { subtitle += "; lanes of \(drawing.leftOut) names more are left out" }
    return Timeline(
      title, subtitle: subtitle, axis: hasSeconds ? "seconds" : "frames of the output", lanes: drawing.lanes,
      marks: drawing.marks)
  }
}

// The program that was traced writes the numbers of its calls: only those of a clock are drawn.
extension Transcript.Call {
  fileprivate var hasTime: Bool { abs(moment.sampleTime) <= 0x1p53 }
  fileprivate var hasRate: Bool { (1...3e6).contains(Double(moment.sampleRate)) }
}

private struct TimelineDrawing {
  private static let mostLanes = 40
  private static let program = "the program"
  private static let listeners = "listeners"

  /// True when times are drawn in seconds; in frames if no rate is known.
  private let hasSeconds: Bool
  private(set) var lanes: [Timeline.Lane] = []
  private(set) var marks: [Timeline.Mark] = []
  private(set) var failureCount = 0
  private var places: [String: Int] = [:]
  private var namesWithoutLane: Set<String> = []
  /// By the name of a call that no other one has made: where the last one has ended by its own clock, and what is added
  /// to that.
  private var ends: [String: Double] = [:]
  private var origins: [String: Double] = [:]
  private var sampleRate = 44_100.0
  /// The end of the last call that has a time.
  private var now = 0.0

  init(hasSeconds: Bool) { self.hasSeconds = hasSeconds }

  var leftOut: Int { namesWithoutLane.count }

  /// A call that no other one has made.
  mutating func add(_ call: Transcript.Call) {
    let clock = hasSeconds ? call.clockSeconds : nil
    let isTimed = call.hasTime
    if call.kind == .event, !isTimed {
      marks.append(Timeline.Mark(at: clock ?? now, text: call.arguments.isEmpty ? call.name : call.arguments))
      return
    }
    guard isTimed else {
      let at = clock ?? now
      return put(call, from: at, to: at, lane: call.kind == .callback ? Self.listeners : Self.program)
    }
    let length = length(call.moment.frames, call)
    let start = clock ?? own(call, length: length)
    put(call, from: start, to: start + length, lane: call.name)
    now = max(now, start + length)
  }

  /// Frames of a call's clock as they are drawn; of a call whose rate is not known, by that of the call before.
  private mutating func length(_ frames: Int32, _ call: Transcript.Call) -> Double {
    let frames = Double(max(0, frames))
    if call.hasRate { sampleRate = Double(call.moment.sampleRate) }
    return hasSeconds ? frames / sampleRate : frames
  }

  /// The place of a call by its sample time. A unit that is started again may begin with 0 again: its calls are then
  /// drawn behind the former ones.
  private mutating func own(_ call: Transcript.Call, length: Double) -> Double {
    let time = hasSeconds ? call.moment.sampleTime / sampleRate : call.moment.sampleTime
    if time < ends[call.name, default: time] { origins[call.name] = max(now, origins[call.name, default: 0]) - time }
    ends[call.name] = time + length
    return time + origins[call.name, default: 0]
  }

  /// A call that came earlier than it is played, as in bursts, ends when the next begins.
  mutating func endCycles() {
    for lane in lanes.indices {
      lanes[lane].spans.sort { $0.from < $1.from }
      let spans = lanes[lane].spans
      for (place, next) in spans.dropFirst().enumerated() where next.from > spans[place].from {
        lanes[lane].spans[place].to = min(spans[place].to, next.from)
      }
    }
  }

  private mutating func put(_ call: Transcript.Call, from start: Double, to end: Double, lane: String) {
    add(Timeline.Span(from: start, to: end, text: text(of: call), hasFailed: call.status != 0), to: lane)
    for inner in call.calls {
      var (from, to) = (start, end)
      // A step within a slice, by the same clock; what a cycle of the hardware asks for may go by another.
      let step = inner.moment.sampleTime - call.moment.sampleTime
      if call.kind != .cycle, call.kind != .callback, step >= 0, inner.moment.frames >= 0,
        step + Double(inner.moment.frames) <= Double(call.moment.frames), call.moment.frames > 0
      {
        let frame = (end - start) / Double(call.moment.frames)
        from = start + step * frame
        to = from + Double(inner.moment.frames) * frame
      }
      let isListener = inner.kind == .callback && !inner.hasTime
      put(inner, from: from, to: to, lane: isListener ? Self.listeners : inner.name)
    }
  }

  private func text(of call: Transcript.Call) -> String {
    var text = call.name
    if !call.arguments.isEmpty { text += ": \(call.arguments)" }
    if let status = call.status {
      if status != 0 { text += ": \(AudioStatus(status))" }
    } else {
      text += ": did not return"
    }
    return text
  }

  private mutating func add(_ span: Timeline.Span, to name: String) {
    if span.hasFailed { failureCount += 1 }
    let place: Int
    if let known = places[name] {
      place = known
    } else {
      guard lanes.count < Self.mostLanes else {
        namesWithoutLane.insert(name)
        return
      }
      place = lanes.count
      places[name] = place
      lanes.append(Timeline.Lane(name))
    }
    lanes[place].spans.append(span)
  }
}

import AudioCore
import Plotting
import Transcripts

extension Transcript {
  /// The transcript as a picture: a lane for each unit, callback and cycle, over the frames of the clock that asks; what happens
  /// to the hardware is marked. What a program calls between two cycles stands at the end of the one before.
  ///
  /// - Parameter title: of the picture.
  package func timeline(title: String) -> Timeline {
    var drawing = TimelineDrawing()
    for call in threads.flatMap(\.calls).sorted(by: { $0.order < $1.order }) { drawing.add(call) }
    let callCount = drawing.lanes.reduce(0) { $0 + $1.spans.count }
    var subtitle = "\(callCount) calls in \(threads.count) thread\(threads.count == 1 ? "" : "s")"
    if drawing.failureCount > 0 { subtitle += ", \(drawing.failureCount) failed" }
    if drawing.leftOut > 0 { subtitle += "; lanes of \(drawing.leftOut) names more are left out" }
    return Timeline(
      title, subtitle: subtitle, axis: "frames of the clock that asks", lanes: drawing.lanes, marks: drawing.marks)
  }
}

private struct TimelineDrawing {
  private static let mostLanes = 40
  private static let mostMarks = 40
  private static let program = "the program"

  private(set) var lanes: [Timeline.Lane] = []
  private(set) var marks: [Timeline.Mark] = []
  private(set) var failureCount = 0
  private var places: [String: Int] = [:]
  private var namesWithoutLane: Set<String> = []
  /// By the name of a call that no other one has made: where the last one has ended by its own clock, and what is added to that.
  private var ends: [String: Double] = [:]
  private var origins: [String: Double] = [:]
  /// Where the last call that has a time has ended.
  private var now = 0.0

  var leftOut: Int { namesWithoutLane.count }

  /// A call that no other one has made.
  mutating func add(_ call: Transcript.Call) {
    if call.kind == .event {
      if marks.count < Self.mostMarks {
        marks.append(Timeline.Mark(at: now, text: call.arguments.isEmpty ? call.name : call.arguments))
      }
      return
    }
    guard !call.moment.sampleTime.isNaN else {
      put(call, from: now, to: now, lane: Self.program)
      return addCalls(of: call, from: now, to: now)
    }
    // A unit that is started again may begin with 0 again: that is drawn behind what was before.
    let time = call.moment.sampleTime
    if time < ends[call.name, default: time] { origins[call.name] = max(now, origins[call.name, default: 0]) - time }
    ends[call.name] = time + Double(max(0, call.moment.frames))
    let start = time + origins[call.name, default: 0]
    let end = start + Double(max(0, call.moment.frames))
    put(call, from: start, to: end, lane: call.name)
    addCalls(of: call, from: start, to: end)
    now = end
  }

  private mutating func addCalls(of call: Transcript.Call, from start: Double, to end: Double) {
    guard !call.calls.isEmpty else { return }
    for inner in call.calls {
      var (from, to) = (start, end)
      // A step within a slice, by the same clock; what a cycle of the hardware asks for may go by another.
      let (time, frames) = (inner.moment.sampleTime - call.moment.sampleTime + start, Double(inner.moment.frames))
      if call.kind != .cycle, call.kind != .callback, time >= start, time + frames <= end {
        (from, to) = (time, time + frames)
      }
      put(inner, from: from, to: to, lane: inner.name)
      addCalls(of: inner, from: from, to: to)
    }
  }

  private mutating func put(_ call: Transcript.Call, from start: Double, to end: Double, lane name: String) {
    let hasFailed = call.status != 0
    if hasFailed { failureCount += 1 }
    var text = call.name
    if !call.arguments.isEmpty { text += ": \(call.arguments)" }
    if let status = call.status {
      if status != 0 { text += ": \(AudioStatus(status))" }
    } else {
      text += ": did not return"
    }
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
    lanes[place].spans.append(Timeline.Span(from: start, to: end, text: text, hasFailed: hasFailed))
  }
}

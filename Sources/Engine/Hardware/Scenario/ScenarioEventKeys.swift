// Keys of scenario files for events: a route, an interruption, a burst, and changes of the device.

import AudioCore
import JSONFiles

enum EventKeys {
  static let at = JSONKey(required: "at", JSONForm<Double>.number(.time), "seconds from the start of the scenario")
  static let slices = JSONKey(
    optional: "slices",
    JSONForm<[Int]>([
      "type": "array",
      "items": [
        "type": "integer", "minimum": 1, "maximum": .number(Double(DeviceConfiguration.bufferFrameCounts.upperBound)),
      ],
    ]) { (object, key) throws(BenchError) in
      if case .array(let list) = object.peek(key), list.isEmpty {
        _ = object.take(key)
        return []
      }
      return try DeviceKeys.slices.take(&object, key)
    }, "frames of one cycle after another, repeated; an empty list: as the program prefers")
  static let burst = JSONKey(
    optional: "burst", JSONForm<JSONObject>.object("#/$defs/burst"), "callbacks come in groups")
  static let route = JSONKey(optional: "route", JSONForm<JSONObject>.object("#/$defs/route"), "the route changes")
  static let interruption = JSONKey(
    optional: "interruption", JSONForm<JSONObject>.object("#/$defs/interruption"), "as by a phone call")
  static let microphone = JSONKey(
    optional: "microphone", JSONForm<JSONObject>.object("#/$defs/source"), "its sound from now on")
  static let microphoneFails = JSONKey(
    optional: "microphoneFails", JSONForm<Bool>.boolean, "true: it gives silence until a unit is started again")
  static let drift = JSONKey(
    optional: "drift", JSONForm<Double>.number(.from(-100_000, upTo: 100_000)),
    "the excess of the clock over its nominal rate, parts per million")
  static let late = JSONKey(
    optional: "late", JSONForm<Double>.number(.from(0, upTo: 3600)),
    "the delay of callbacks behind the beginning of their cycle from now on, seconds")
  static let cost = JSONKey(
    optional: "cost", JSONForm<Double>.number(.from(0, upTo: 3600)),
    "the assumed cost of a cycle's callbacks from now on, seconds")
  static let otherAudio = JSONKey(
    optional: "otherAudio", JSONForm<JSONObject>.object("#/$defs/source"), "the sound of another program from now on")
  static let volume = JSONKey(
    optional: "volume", JSONForm<Double>.number(.from(0, upTo: 1)), "the loudspeaker's volume, a factor")
  static let all: [any SchemaKey] = [
    at, slices, burst, route, interruption, microphone, microphoneFails, drift, late, cost, otherAudio, volume,
  ]

  static func read(_ written: JSONObject, of device: ScenarioDevice) throws(BenchError) -> ScenarioEvent {
    var object = written
    let seconds = try object.take(at)
    var changes: [ScenarioEvent.Change] = []
    if let frames = try object.take(slices) { changes.append(.slices(frames)) }
    if let burst = try object.take(burst) { changes.append(.burst(try BurstKeys.read(burst))) }
    if let route = try object.take(route) { changes.append(.route(try RouteKeys.read(route, of: device))) }
    if let part = try object.take(interruption) { changes.append(try InterruptionKeys.read(part)) }
    if let source = try object.take(microphone) { changes.append(.microphone(try SourceKeys.read(source))) }
    if let fails = try object.take(microphoneFails) {
      guard fails else { throw object.error("microphoneFails", "expected true, found false") }
      changes.append(.microphoneFails)
    }
    if let ppm = try object.take(drift) { changes.append(.drift(ppm)) }
    if let seconds = try object.take(late) { changes.append(.late(seconds)) }
    if let seconds = try object.take(cost) { changes.append(.cost(seconds)) }
    if let source = try object.take(otherAudio) {
      let source = try SourceKeys.read(source)
      changes.append(.otherAudio(source == .silence ? nil : source))
    }
    if let factor = try object.take(volume) { changes.append(.volume(factor)) }
    try object.finish()
    guard changes.count == 1 else {
      throw BenchError(
        .input, at: object.place, changes.isEmpty ? "says when, and not what" : "has \(changes.count) changes",
        advice: "give each event \"at\" and one of "
          + all.dropFirst().map(\.name).joined(separator: ", "))
    }
    return ScenarioEvent(seconds: seconds, changes[0])
  }
}

enum BurstKeys {
  static let callbacks = JSONKey(
    "callbacks", JSONForm<Int>.count(in: 1...1000), initial: 1, "of a group; 1: one a cycle again")
  static let pause = JSONKey(
    "pause", JSONForm<Double>.number(.from(0, upTo: 3600)), initial: 0,
    "seconds without any; what is left of the cycles lies between them")
  static let all: [any SchemaKey] = [callbacks, pause]

  static func read(_ written: JSONObject) throws(BenchError) -> ScenarioEvent.Burst? {
    var object = written
    let burst = ScenarioEvent.Burst(callbacks: try object.take(callbacks), pauseSeconds: try object.take(pause))
    try object.finish()
    return burst.callbacks > 1 ? burst : nil
  }
}

enum RouteKeys {
  static let output = JSONKey(
    optional: "output", JSONForm<String>.choice(from: DeviceRoute.outputs), "the device that plays")
  static let input = JSONKey(
    optional: "input", JSONForm<String>.choice(from: DeviceRoute.inputs), "the device that records")
  static let blocked = JSONKey(
    "blocked", JSONForm<Double>.number(.from(0, upTo: 60)), initial: 0.2, "seconds without callbacks")
  static let sampleRate = JSONKey(optional: "sampleRate", DeviceKeys.rate, "the rate of the new hardware, hertz")
  static let inputChannels = JSONKey(
    optional: "inputChannels", JSONForm<Int>.count(in: 0...8), "the input channels of the new hardware")
  static let reason = JSONKey(
    "reason",
    JSONForm<String>.choice(from: DeviceRoute.Reason.allCases.map { String(describing: $0) }), initial: "unknown",
    "the reason that listeners get")
  static let all: [any SchemaKey] = [output, input, blocked, sampleRate, inputChannels, reason]

  static func read(
    _ written: JSONObject, of device: ScenarioDevice
  ) throws(BenchError) -> ScenarioEvent.RouteChange {
    var object = written
    var change = ScenarioEvent.RouteChange()
    change.route = DeviceRoute(output: try object.take(output), input: try object.take(input))
    change.blockedSeconds = try object.take(blocked)
    change.sampleRate = try object.take(sampleRate).map(Double.init)
    change.inputChannels = try object.take(inputChannels)
    let name = try object.take(reason)
    change.reason = DeviceRoute.Reason.allCases.first { String(describing: $0) == name } ?? .unknown
    try object.finish()
    return change
  }
}

enum InterruptionKeys {
  enum Edge: String, CaseIterable { case begin, end }
  static let edge = JSONKey(required: "edge", JSONForm<Edge>.rawValue)
  static let resumes = JSONKey(
    "resumes", JSONForm<Bool>.boolean, initial: true, "of an end: whether the program should go on")
  static let isTold = JSONKey(
    "told", JSONForm<Bool>.boolean, initial: true, "of an end: whether the program learns of it")
  static let all: [any SchemaKey] = [edge, resumes, isTold]

  static func read(_ written: JSONObject) throws(BenchError) -> ScenarioEvent.Change {
    var object = written
    let edge = try object.take(edge)
    var end = ScenarioEvent.InterruptionEnd()
    end.resumes = try object.take(resumes)
    end.isTold = try object.take(isTold)
    try object.finish()
    return edge == .begin ? .interruptionBegins : .interruptionEnds(end)
  }
}

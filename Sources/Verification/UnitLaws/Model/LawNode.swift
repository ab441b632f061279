/// A change of a node in front of one frame of its output.
struct LawEvent: Sendable {
  var frame: Int
  /// Parameters by their full names, in the order in which they are written.
  var settings: [String: Double] = [:]
  var preset: LawValue?
  var bypass: Bool?
  /// True when the node forgets its past in front of the frame.
  var resets = false
  /// True when it is scheduled within a slice, which is not cut there.
  var isScheduled = false
  /// Frames of a straight line to the new values; 0 for a step.
  var rampFrames = 0
}

/// One node of a graph with all that happens to it: the values of its parameters for each frame.
struct LawNode: Sendable {
  let id: String
  let unit: String
  /// As written in the graph file.
  var keys: [String: LawValue]
  /// In the order of their frames.
  var events: [LawEvent] = []
  /// Hertz, of the node's output.
  var rate = 0.0
  /// Frames that are wanted of the graph's output; nil: as many as there are.
  var wantedFrames: Int?
  /// Frames over which a parameter that is set moves to its value.
  var smoothingFrames = 0
  /// Outputs that are connected, and those in front of them.
  var outputCount = 1
  var surroundings = LawSurroundings()

  /// A parameter's start value: what `set` says, or the unit's default.
  ///
  /// Values are 32-bit floats, as the interface of Audio Units has them.
  func start(_ name: String, _ initial: Double) -> Double {
    Double(Float(written(name) ?? initial))
  }

  /// True when `set` or an event names the parameter.
  func sets(_ name: String) -> Bool {
    written(name) != nil || events.contains { $0.settings[Self.fullName(name)] != nil }
  }

  private func written(_ name: String) -> Double? {
    for (key, value) in keys["set"]?.members ?? [:] where Self.fullName(key) == Self.fullName(name) {
      return value.number
    }
    return nil
  }

  /// `name@scope:element`, also where the scope or the element are left out.
  static func fullName(_ name: String) -> String {
    guard let at = name.firstIndex(of: "@") else { return name + "@global:0" }
    let place = name[name.index(after: at)...]
    return place.contains(":") || place == "master" ? name : name + ":0"
  }

  /// The same with what presets set, at the start and by events, as values of parameters.
  /// - Parameter presets: by their numbers.
  func resolving(_ presets: [(name: String, values: [String: Double])]) throws(LawError) -> LawNode {
    func values(_ written: LawValue) throws(LawError) -> [String: Double] {
      if let number = written.integer, presets.indices.contains(number) { return presets[number].values }
      guard let preset = presets.first(where: { $0.name == written.text }) else {
        throw LawError("\(unit) has no such preset")
      }
      return preset.values
    }
    var node = self
    if let preset = keys["preset"] {
      var set: LawValue = keys["set"] ?? [:]
      for (name, value) in try values(preset) where written(name) == nil { set[name] = .number(value) }
      node.keys["set"] = set
    }
    for index in node.events.indices {
      guard let preset = node.events[index].preset else { continue }
      for (name, value) in try values(preset) { node.events[index].settings[Self.fullName(name)] = value }
    }
    return node
  }

  /// The points of a parameter's ramp; nil: it has none.
  func points(_ name: String) -> [(frame: Int, value: Double)]? {
    for ramp in keys["ramp"]?.list ?? [] {
      guard let parameter = ramp["parameter"]?.text, Self.fullName(parameter) == Self.fullName(name) else { continue }
      return (ramp["points"]?.list ?? []).compactMap { point in
        guard let pair = point.list, pair.count == 2, let frame = pair[0].integer, let value = pair[1].number else {
          return nil
        }
        return (frame, Double(Float(value)))
      }
    }
    return nil
  }

  /// True for each frame that passes unchanged.
  func bypassed(frames: Int) -> [Bool] {
    var state = [Bool](repeating: keys["bypass"]?.flag ?? false, count: frames)
    for event in events {
      guard let isOn = event.bypass, event.frame < frames else { continue }
      for frame in event.frame..<frames { state[frame] = isOn }
    }
    return state
  }

  /// Frames in front of which the node forgets its past: by a reset, and where a bypass ends.
  func restarts(frames: Int) -> Set<Int> {
    var starts: Set<Int> = []
    var isBypassed = keys["bypass"]?.flag ?? false
    for event in events {
      if event.resets || (isBypassed && event.bypass == false) { starts.insert(event.frame) }
      isBypassed = event.bypass ?? isBypassed
    }
    return starts
  }
}

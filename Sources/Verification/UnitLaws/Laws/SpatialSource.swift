import Glibc

/// Settings of one input that stay the same for the whole render.
struct LawSpatialSettings {
  let algorithm: String
  let mode: String
  let curve: String
  let reference: Double
  let maximum: Double
  let attenuation: Double
  let flags: Set<String>
  /// True when the level does not fall with distance.
  private let isNear: Bool
  /// True when there is a room and the input is heard in it.
  let sends: Bool

  init(_ node: LawNode, bus: Int, inputs: Int) {
    let own = node.keys["sources"]?.list.flatMap { $0.indices.contains(bus) ? $0[bus] : nil }
    func key(_ name: String) -> LawValue? { own?[name] ?? node.keys[name] }
    algorithm = key("algorithm")?.text ?? "equalPowerPanning"
    mode = key("sourceMode")?.text ?? "spatializeIfMono"
    curve = key("attenuationCurve")?.text ?? "inverse"
    reference = key("distances")?["reference"]?.number ?? 1
    maximum = key("distances")?["maximum"]?.number ?? 10_000
    attenuation = key("distances")?["attenuation"]?.number ?? 80
    flags = Set(
      key("renderingFlags")?.list?.compactMap(\.text) ?? ["interAuralDelay", "distanceAttenuation"])
    let isBed = mode == "ambienceBed" && ![3, 7, 8].contains(inputs)
    isNear = !flags.contains("distanceAttenuation") || mode == "bypass" || isBed
    sends = flags.contains("reverbSend") && node.keys["usesInternalReverb"]?.flag == true
  }

  var hasTwoEars: Bool {
    mode != "bypass" && ["sphericalHead", "hrtf", "hrtfHighQuality"].contains(algorithm)
  }

  /// The factor of a distance in metres.
  func attenuation(at distance: Double) -> Double {
    guard !isNear else { return 1 }
    let d = min(max(distance, 0), 100_000)
    let a = pow(10, -attenuation / 20)
    if d <= reference { return 1 }
    if d >= maximum { return a }
    let t = (d - reference) / (maximum - reference)
    if flags.contains("linearAttenuation") { return 1 - (1 - a) * t }
    return switch curve {
    case "power": pow(a, t)
    case "exponential": pow(a, log(d / reference) / log(maximum / reference))
    case "linear": 1 - (1 - a) * t
    default: 1 / (1 + (1 / a - 1) * t)
    }
  }
}

/// The values of an input's parameters at a frame.
struct SpatialValues: Equatable {
  var azimuth = 0.0
  var elevation = 0.0
  var distance = 0.0
  var gain = 0.0
  var minGain = 0.0
  var maxGain = 10.0
  var blend = 0.0
  var yaw = 0.0
  var pitch = 0.0
  var roll = 0.0

  private var share: Double { min(max(blend / 100, 0), 1) * .pi / 2 }

  func level(_ settings: LawSpatialSettings) -> Double {
    clamped(factor * settings.attenuation(at: distance)) * (settings.sends ? cos(share) : 1)
  }

  /// The gain of what is sent to the room.
  func sent(_ settings: LawSpatialSettings) -> Double {
    guard settings.sends else { return 0 }
    let isConstant = settings.flags.contains("constantReverbBlend")
    return clamped(factor * (isConstant ? settings.attenuation(at: distance) : 1)) * sin(share)
  }

  private var factor: Double { pow(10, min(max(gain, -120), 20) / 20) }
  private func clamped(_ factor: Double) -> Double { min(max(factor, minGain), maxGain) }

  func direction(beside azimuth: Double = 0) -> LawDirection {
    LawDirection(azimuth: self.azimuth + azimuth, elevation: elevation, head: (yaw, pitch, roll))
  }
}

/// A source, or all channels of an input that go straight.
struct SpatialSource {
  enum Way {
    /// One signal, in a direction beside the input's; degrees.
    case placed(beside: Double)
    /// Each signal to an output of its own; signals of so many channels.
    case straight(outputs: [Int], of: Int)
  }

  /// The channels of the input that each signal is the mean of.
  let channels: [[Int]]
  let way: Way

  static func all(_ settings: LawSpatialSettings, inputs: Int) -> [SpatialSource] {
    func straight(_ channels: [Int]) -> SpatialSource {
      SpatialSource(channels: channels.map { [$0] }, way: .straight(outputs: channels, of: inputs))
    }
    let every = Array(0..<inputs)
    if settings.algorithm == "stereoPassThrough", settings.mode == "pointSource" {
      return [SpatialSource(channels: [every], way: .straight(outputs: [0], of: 1))]
    }
    if settings.mode == "bypass" || settings.algorithm == "stereoPassThrough" { return [straight(every)] }
    switch settings.mode {
    case "pointSource": return [SpatialSource(channels: [every], way: .placed(beside: 0))]
    case "ambienceBed":
      let places = SpatialPanning.loudspeakers(inputs)
      let silent = every.filter { places[$0] == nil }
      return every.compactMap { channel in
        places[channel].map { SpatialSource(channels: [[channel]], way: .placed(beside: $0)) }
      } + (silent.isEmpty ? [] : [straight(silent)])
    default: return inputs == 1 ? [SpatialSource(channels: [every], way: .placed(beside: 0))] : [straight(every)]
    }
  }
}

/// The sounds of a source behind its low passes, from the last restart on.
struct SpatialSounds {
  /// For each signal.
  private(set) var sounds: [[Double]]
  /// In front of the second low pass, at the last frame.
  var early: [Double]
  /// The same behind the recursion of the sphere's filter.
  private(set) var shaded: [[Double]]
  private let rate: Double

  init(signals: Int, rate: Double) {
    (sounds, early) = (Array(repeating: [], count: signals), Array(repeating: 0, count: signals))
    self.rate = rate
    shaded = sounds
  }

  mutating func append(_ sample: Double, to signal: Int) {
    sounds[signal].append(sample)
    shaded[signal].append(SphereEar.pole(sample, shaded[signal].last ?? 0, rate: rate))
  }
}

/// All that a source's sound depends on: where this changes in a step, the source jumps.
struct SpatialKeys: Equatable {
  let level: Double
  /// The gain of the send to the room.
  let sent: Double
  /// The part inside the head.
  let near: Double
  /// Azimuth beside the head's, elevation, pitch and roll; nothing for what goes straight.
  private let angles: [Double]
  let direction: LawDirection?

  init(_ values: SpatialValues, _ source: SpatialSource, _ settings: LawSpatialSettings, outputs: Int) {
    (level, sent) = (values.level(settings), values.sent(settings))
    guard case .placed(let beside) = source.way, outputs > 1 else {
      (near, angles, direction) = (0, [], nil)
      return
    }
    let isNear = settings.mode == "pointSource" && values.distance < SphereEar.radius
    near = isNear ? 1 - values.distance / SphereEar.radius : 0
    angles = [values.azimuth + beside - values.yaw, values.elevation, values.pitch, values.roll]
    direction = values.direction(beside: beside)
  }

  static func == (one: SpatialKeys, other: SpatialKeys) -> Bool {
    (one.level, one.sent, one.near) == (other.level, other.sent, other.near) && one.angles == other.angles
  }
}

/// The way of a source's signals to the outputs and to the room.
struct SpatialPath {
  let keys: SpatialKeys
  /// For each signal, of each output.
  private var gains: [[Double]]
  private var ears: [SphereEar] = []
  private let latency: Int
  private let rate: Double

  init(
    _ keys: SpatialKeys, _ source: SpatialSource, _ settings: LawSpatialSettings, outputs: Int, latency: Int,
    rate: Double
  ) {
    (self.keys, self.latency, self.rate) = (keys, latency, rate)
    func straight(_ level: Double, _ places: [Int], of count: Int) -> [[Double]] {
      if outputs == 1 { return places.map { _ in [level / Double(count)] } }
      if count == 1 { return [[level / sqrt(2), level / sqrt(2)] + Array(repeating: 0, count: outputs - 2)] }
      return places.map { place in (0..<outputs).map { $0 == place ? level : 0 } }
    }
    if case .straight(let places, let count) = source.way {
      gains = straight(keys.level, places, of: count)
      return
    }
    guard let direction = keys.direction else {
      gains = [[keys.level]]
      return
    }
    gains = straight(keys.near * keys.level, [0], of: 1)
    let direct = (1 - keys.near) * keys.level
    if settings.hasTwoEars {
      ears = [-1, 1].map {
        SphereEar(
          direction, side: $0, isDelayed: settings.flags.contains("interAuralDelay"), gain: direct / sqrt(2))
      }
    } else {
      let placed = SpatialPanning.gains(settings.algorithm, direction, channels: outputs)
      gains[0] = zip(gains[0], placed).map { $0 + $1 * direct }
    }
  }

  /// The outputs, and behind them the room's part, at the last frame of the sounds.
  func output(_ source: SpatialSounds) -> [Double] {
    var output = [Double](repeating: 0, count: gains[0].count)
    for (signal, sound) in source.sounds.enumerated() {
      let frame = sound.count - 1 - latency
      if frame >= 0 { for channel in output.indices { output[channel] += gains[signal][channel] * sound[frame] } }
      for (side, ear) in ears.enumerated() {
        output[side] += ear.output(source.shaded[signal], at: Double(frame), rate: rate)
      }
    }
    return output + [source.early.reduce(0, +) * keys.sent]
  }
}

/// A path that follows the values of the parameters: in straight lines over each cell where they move, over 10 ms where
/// they jump. What fades out stands still where it had come to; so does what a jump during a fade ends, which waits.
struct SpatialMovement {
  /// From one path to another, and how far.
  private struct Way {
    var from: SpatialPath
    var to: SpatialPath
    var part: Double

    func output(_ source: SpatialSounds) -> [Double] {
      zip(from.output(source), to.output(source)).map { $0 + ($1 - $0) * part }
    }
  }

  private let make: (SpatialKeys) -> SpatialPath
  private let length: Double
  private var present: Way?
  private var former: Way?
  private var fadeStart = 0
  /// The cell that the present way runs over; nil while it stands still.
  private var cell: (start: Int, end: Int)?

  init(length: Double, make: @escaping (SpatialKeys) -> SpatialPath) { (self.length, self.make) = (length, make) }

  /// - Parameters:
  ///   - cell: the frames over which the source moves.
  ///   - start: its place at the start of the cell.
  ///   - end: that at its end.
  mutating func output(
    _ source: SpatialSounds, frame: Int, cell: (start: Int, end: Int), start: SpatialKeys, end: SpatialKeys
  ) -> [Double] {
    if former != nil, Double(frame - fadeStart) >= length { former = nil }
    let part = Double(frame - cell.start) / Double(cell.end - cell.start)
    let begun = Way(from: present?.from ?? make(start), to: present?.to ?? make(end), part: part)
    if var way = present {
      let goesOn =
        self.cell.map { $0 == cell } ?? false && way.from.keys == start && way.to.keys == end
      if goesOn {
        way.part = part
        present = way
      } else {
        // The place that the former cell has brought it to.
        if let cell = self.cell { way.part = Double(frame - cell.start) / Double(cell.end - cell.start) }
        let stands = way.from.keys == way.to.keys
        let place = stands || way.part == 0 ? way.from.keys : way.part >= 1 ? way.to.keys : nil
        if place == start {
          present = Way(from: make(start), to: make(end), part: part)
          self.cell = cell
        } else if former == nil {
          (former, fadeStart) = (way, frame)
          present = Way(from: make(start), to: make(end), part: part)
          self.cell = cell
        } else {
          present = way
          self.cell = nil
        }
      }
    } else {
      present = begun
      self.cell = cell
    }
    var output = (present ?? begun).output(source)
    if let former {
      let share = Double(frame - fadeStart) / length
      output = zip(former.output(source), output).map { $0 * (1 - share) + $1 * share }
    }
    return output
  }
}

import Glibc

/// Sources around a head or among loudspeakers: two low passes, a level by distance, a direction, and a room.
protocol SpatialLaw: UnitLaw {
  /// The gain limits as factors.
  static func limit(_ value: Double) -> Double
  static var globals: [LawParameter] { get }
  static func parameters(ofBus bus: Int) -> [LawParameter]
}

struct SpatialMixerLaw: SpatialLaw {
  static let unit = "spatialMixer"
  static let globals = [
    LawParameter("globalReverbGain", -40...40, initial: 0), LawParameter("gain@output:0", -120...20, initial: 0),
    LawParameter("headYaw", -180...180, initial: 0), LawParameter("headPitch", -90...90, initial: 0),
    LawParameter("headRoll", -180...180, initial: 0),
  ]
  static func limit(_ value: Double) -> Double { value }
  static func parameters(ofBus bus: Int) -> [LawParameter] {
    spatialParameters(ofBus: bus)
      + [
        LawParameter("minGain@input:\(bus)", 0...10, initial: 0),
        LawParameter("maxGain@input:\(bus)", 0...10, initial: 10),
      ]
  }
}

struct Mixer3DLaw: SpatialLaw {
  static let unit = "mixer3D"
  static let globals = Array(SpatialMixerLaw.globals.prefix(2))
  static func limit(_ value: Double) -> Double { value <= -120 ? 0 : pow(10, min(value, 20) / 20) }
  static func parameters(ofBus bus: Int) -> [LawParameter] {
    spatialParameters(ofBus: bus)
      + [
        LawParameter("minGain@input:\(bus)", -120...20, initial: -120),
        LawParameter("maxGain@input:\(bus)", -120...20, initial: 20),
      ]
  }
}

private func spatialParameters(ofBus bus: Int) -> [LawParameter] {
  [
    LawParameter("azimuth@input:\(bus)", -180...180, initial: 0),
    LawParameter("elevation@input:\(bus)", -90...90, initial: 0),
    LawParameter("distance@input:\(bus)", 0...10_000, initial: 0, form: .small),
    LawParameter("gain@input:\(bus)", -120...20, initial: 0),
    LawParameter("reverbBlend@input:\(bus)", 0...100, initial: 30),
    LawParameter("occlusionAttenuation@input:\(bus)", -100...0, initial: 0),
    LawParameter("obstructionAttenuation@input:\(bus)", -100...0, initial: 0),
    LawParameter("playbackRate@input:\(bus)", 0.5...2, initial: 1, form: .geometric),
    LawParameter("enable@input:\(bus)", 0...1, initial: 1, form: .whole),
  ]
}

extension SpatialLaw {
  static var residual: Double { -100 }
  static var keys: Set<String> {
    [
      "sources", "algorithm", "sourceMode", "attenuationCurve", "distances", "renderingFlags", "usesInternalReverb",
      "reverbRoom",
    ]
  }
  static func parameters(of node: LawNode, inputs: [LawSignal?]) -> [LawParameter] {
    globals + inputs.indices.flatMap { parameters(ofBus: $0) }
  }

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    let frames = node.wantedFrames ?? inputs.compactMap { $0?.frames }.max() ?? 0
    let channels = node.keys["format"]?["channels"]?.integer ?? 2
    let globals = SpatialMixerLaw.globals
    let courses = LawCourses(node, globals + inputs.indices.flatMap { parameters(ofBus: $0) })
    let settings = inputs.enumerated().map { bus, input in
      LawSpatialSettings(node, bus: bus, inputs: input?.channels.count ?? 0)
    }
    let hasEars = channels > 1 && settings.contains { $0.hasTwoEars }
    guard !settings.contains(where: { $0.algorithm.hasPrefix("hrtf") }) else {
      throw LawError("a measured head has no law")
    }
    let path = (SphereEar.radius / SphereEar.soundSpeed * node.rate).rounded(.up)
    let latency = hasEars ? 15 + (Int(exactly: path) ?? 0) : 0
    var mix = LawSignal.silence(rate: node.rate, channels: channels, frames: frames)
    var sent = [Double](repeating: 0, count: frames)
    let restarts = node.restarts(frames: frames)
    for (bus, input) in inputs.enumerated() {
      guard let input = try input.map(node.converted) else { continue }
      var render = SpatialInput(
        settings[bus], first: globals.count + 11 * bus, inputs: input.channels.count, outputs: channels,
        latency: latency, rate: node.rate, limit: limit)
      let sums =
        node.points("playbackRate@input:\(bus)") != nil
        || (settings[bus].flags.contains("dopplerShift") && node.points("distance@input:\(bus)") != nil)
      for frame in 0..<frames {
        if restarts.contains(frame) { render.forget() }
        let (direct, send) = render.output(input, courses, at: frame, sums: sums)
        for channel in direct.indices { mix.channels[channel][frame] += direct[channel] }
        sent[frame] += send
      }
    }
    if node.keys["usesInternalReverb"]?.flag == true {
      let name = node.keys["reverbRoom"]?.text ?? "Small Room"
      guard let room = ReverbLaw.presets.first(where: { $0.name == name })?.seconds.map(single) else {
        throw LawError("no such room")
      }
      var network = LawReverbNetwork(rate: node.rate, channels: 2)
      network.take(LawReverbNetwork.lengths(room[0], room[1], seed: 1, rate: node.rate))
      for frame in 0..<frames {
        if restarts.contains(frame) { network.restart() }
        let wet = network.output([sent[frame], sent[frame]], low: room[2], high: room[3])
        let gain = courses.ramped(frame) { pow(10, min(max($0[0], -40), 40) / 20) }
        for channel in 0..<min(2, channels) { mix.channels[channel][frame] += gain * wet[channel] }
      }
    }
    for frame in 0..<frames {
      let gain = courses.ramped(frame) { pow(10, min(max($0[1], -120), 20) / 20) }
      for channel in 0..<channels { mix.channels[channel][frame] *= gain }
    }
    return [mix]
  }

  static func draw(_ draw: inout CrossDraw) { draw.spatialCase(Self.self) }
}

/// One input of a spatial mixer.
struct SpatialInput {
  private let settings: LawSpatialSettings
  private let first: Int
  private let rate: Double
  private let limit: (Double) -> Double
  private let sources: [SpatialSource]
  private let makes: [(SpatialKeys) -> SpatialPath]
  private let outputs: Int
  private var movements: [SpatialMovement] = []
  /// The signals of each source behind the first low pass, and all behind the second one.
  private var muffled: [[Double]] = []
  private var sounds: [SpatialSounds] = []
  private var place = 0.0
  /// The first frame of the input since it was switched on.
  private var origin = 0
  private var wasOn = false

  init(
    _ settings: LawSpatialSettings, first: Int, inputs: Int, outputs: Int, latency: Int, rate: Double,
    limit: @escaping (Double) -> Double
  ) {
    (self.settings, self.first, self.rate, self.limit) = (settings, first, rate, limit)
    self.outputs = outputs
    sources = SpatialSource.all(settings, inputs: inputs)
    makes = sources.map { source in
      { keys in SpatialPath(keys, source, settings, outputs: outputs, latency: latency, rate: rate) }
    }
  }

  /// Forgets its past in front of the next frame.
  mutating func forget() { wasOn = false }

  private mutating func restart() {
    movements = makes.map { SpatialMovement(length: (0.01 * rate).rounded(), make: $0) }
    muffled = sources.map { Array(repeating: 0, count: $0.channels.count) }
    sounds = sources.map { SpatialSounds(signals: $0.channels.count, rate: rate) }
  }

  /// The outputs of a frame, and what goes to the room.
  /// - Parameter sums: true where ramps decide which place of the input belongs to a frame.
  mutating func output(
    _ input: LawSignal, _ courses: LawCourses, at frame: Int, sums: Bool
  ) -> ([Double], Double) {
    let values = courses.held(at: frame)
    guard values[first + 8] >= 0.5 else {
      wasOn = false
      return ([], 0)
    }
    let rate = speed(courses, at: frame)
    if !wasOn {
      restart()
      // A ramp holds from the first frame on: what is set later does not count.
      place =
        sums
        ? (0..<frame).map { speed(courses, at: $0, own: courses.first(first + 7, at: $0)) }.reduce(0, +)
        : Double(frame) * rate
      origin = Int(exactly: place.rounded(.down)) ?? 0
    }
    wasOn = true
    let samples = input.channels.map { VarispeedLaw.sample(of: $0, at: place, rate: rate, from: origin) }
    place += rate

    let cell = courses.cell(at: frame)
    let ends = [cell.start, cell.end].map { end in self.values(cell.pieces.map { $0.value(at: end) }) }
    let occlusion = courses.ramped(frame) { values in
      let air = settings.flags.contains("distanceFilter") ? -0.04 * min(max(values[first + 2], 0), 100_000) : 0
      return pole(min(max(min(max(values[first + 5], -100), 0) + air, -200), 0))
    }
    let obstruction = courses.ramped(frame) { pole(min(max($0[first + 6], -100), 0)) }

    var output = [Double](repeating: 0, count: outputs + 1)
    for (index, source) in sources.enumerated() {
      for (signal, channels) in source.channels.enumerated() {
        let x = channels.map { samples[$0] }.reduce(0, +) / Double(channels.count)
        let y = x + occlusion * (muffled[index][signal] - x)
        muffled[index][signal] = y
        sounds[index].early[signal] = y
        sounds[index].append(y + obstruction * ((sounds[index].sounds[signal].last ?? 0) - y), to: signal)
      }
      let keys = ends.map { SpatialKeys($0, source, settings, outputs: outputs) }
      let made = movements[index].output(
        sounds[index], frame: frame, cell: (cell.start, cell.end), start: keys[0], end: keys[1])
      output = zip(output, made).map { $0 + $1 }
    }
    return (Array(output.dropLast()), output[outputs])
  }

  private func values(_ values: [Double]) -> SpatialValues {
    SpatialValues(
      azimuth: values[first], elevation: values[first + 1], distance: values[first + 2], gain: values[first + 3],
      minGain: limit(values[first + 9]), maxGain: limit(values[first + 10]), blend: values[first + 4],
      yaw: values[2], pitch: values[3], roll: values[4])
  }

  /// Input frames for each output frame.
  /// - Parameter own: the playback rate where it is not that of the frame.
  private func speed(_ courses: LawCourses, at frame: Int, own: Double? = nil) -> Double {
    let plain = min(max(own ?? courses.value(first + 7, at: frame), 0.5), 2)
    guard settings.flags.contains("dopplerShift") else { return plain }
    let away = courses.slope(first + 2, at: frame) * rate
    let sound = SphereEar.soundSpeed
    return plain * (away <= -sound ? 2 : min(max(sound / (sound + away), 0.5), 2))
  }

  /// The pole of a low pass that attenuates 5 kHz by so many dB.
  private func pole(_ decibels: Double) -> Double {
    guard decibels < 0 else { return 0 }
    let w = 2 * Double.pi * min(5000, rate / 2) / rate
    let s = pow(10, decibels / 10)
    let h = 1 - s * cos(w)
    return (h - sqrt(h * h - (1 - s) * (1 - s))) / (1 - s)
  }
}

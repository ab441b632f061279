import Glibc

/// A network of 16 delay lines beside the dry sound:
///
///     y = 10^(gain/20)·((1 − m)·x + m·wet)      m = dryWetMix/100
///
/// Other lengths of the lines are taken up in silence: the wet part fades out over 10 ms and, with empty lines, in again.
struct ReverbLaw: EffectLaw {
  static let unit = "reverb"
  static let keys: Set = ["preset"]
  static let residual = -115.0
  static let parameters = [
    LawParameter("dryWetMix", 0...100, initial: 100), LawParameter("gain", -20...20, initial: 0),
    LawParameter("minDelayTime", 0.0001...1, initial: 0.008, form: .geometric, steps: true),
    LawParameter("maxDelayTime", 0.0001...1, initial: 0.05, form: .geometric, steps: true),
    LawParameter("decayTimeAt0Hz", 0.001...20, initial: 1, form: .geometric),
    LawParameter("decayTimeAtNyquist", 0.001...20, initial: 0.5, form: .geometric),
    LawParameter("randomizeReflections", 1...1000, initial: 1, form: .whole),
  ]
  /// minDelayTime, maxDelayTime, decayTimeAt0Hz, decayTimeAtNyquist.
  static let presets: [(name: String, seconds: [Double])] = [
    ("Small Room", [0.004, 0.018, 0.45, 0.25]), ("Medium Room", [0.007, 0.030, 0.8, 0.4]),
    ("Large Room", [0.011, 0.045, 1.2, 0.55]), ("Medium Hall", [0.014, 0.060, 1.9, 0.8]),
    ("Large Hall", [0.018, 0.080, 2.8, 1.0]), ("Plate", [0.003, 0.022, 1.8, 1.3]),
    ("Medium Chamber", [0.006, 0.036, 1.3, 0.9]), ("Large Chamber", [0.009, 0.055, 1.9, 1.2]),
    ("Cathedral", [0.030, 0.110, 5.5, 1.4]), ("Large Room 2", [0.013, 0.050, 1.5, 0.7]),
    ("Medium Hall 2", [0.016, 0.066, 2.2, 0.9]), ("Medium Hall 3", [0.012, 0.070, 1.7, 0.6]),
    ("Large Hall 2", [0.022, 0.090, 3.4, 1.2]),
  ]

  private let rate: Double
  private let courses: LawCourses
  private let length: Double
  private var network: LawReverbNetwork
  /// The frame at which other lengths were wanted, and at which they were taken up.
  private var fadesFrom: Int?
  private var tookAt: Int?
  private var isNew = true
  /// The lengths for the values of three parameters.
  private var wanted: [Int] = []
  private var wantedFor: [Double] = []
  /// The values for which the lines have their lengths: others begin a fade, even where the lengths are the same.
  private var takenFor: [Double] = []

  init(_ node: LawNode, channels: Int, frames: Int) throws(LawError) {
    rate = node.rate
    courses = LawCourses(
      try node.resolving(
        Self.presets.map { preset in
          (preset.name, Dictionary(uniqueKeysWithValues: zip(Self.parameters[2...5].map(\.name), preset.seconds)))
        }), Self.parameters)
    length = (0.01 * node.rate).rounded()
    network = LawReverbNetwork(rate: node.rate, channels: channels)
  }

  mutating func restart() {
    network.restart()
    (fadesFrom, tookAt, isNew) = (nil, nil, true)
  }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let values = courses.held(at: frame)
    let choice = [values[2], values[3], values[6].rounded()]
    if choice != wantedFor {
      wantedFor = choice
      wanted = LawReverbNetwork.lengths(values[2], values[3], seed: values[6], rate: rate)
    }
    if isNew {
      network.take(wanted)
      (takenFor, isNew) = (choice, false)
    }
    if let start = tookAt, Double(frame - start) >= length { tookAt = nil }
    if let start = fadesFrom, Double(frame - start) >= length {
      network.take(wanted)
      (takenFor, fadesFrom, tookAt) = (choice, nil, frame)
    }
    if fadesFrom == nil, tookAt == nil, choice != takenFor { fadesFrom = frame }

    let fadeIn = tookAt.map { Double(frame - $0 + 1) / length } ?? 1
    let fadeOut = fadesFrom.map { 1 - Double(frame - $0 + 1) / length } ?? 1
    let wet = network.output(samples, low: values[4], high: values[5], fade: fadeIn)
    let dryGain = courses.ramped(frame) { Self.gain($0) * (1 - $0[0] / 100) }
    let wetGain = courses.ramped(frame) { Self.gain($0) * $0[0] / 100 }
    return zip(samples, wet).map { $0 * dryGain + $1 * wetGain * fadeIn * fadeOut }
  }

  private static func gain(_ values: [Double]) -> Double { pow(10, min(max(values[1], -20), 20) / 20) }

  static func draw(_ draw: inout CrossDraw) {
    draw.channels = min(2, draw.channels)
    let names = presets.enumerated().map { draw.random.chance(0.5) ? .text($1.name) : LawValue.whole($0) }
    var node: LawValue = ["unit": .text(unit)]
    if draw.random.chance(0.3) { node["preset"] = draw.random.pick(names) }
    draw.effectCase(node, parameters, canBypass: true, presets: names)
  }
}

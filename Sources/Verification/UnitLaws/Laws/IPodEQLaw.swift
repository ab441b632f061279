/// Ten peaking sections of one octave in series, with the gains of a preset.
///
/// A preset that is selected fades in over 10 ms from rest, while the former one runs on; one that is selected meanwhile
/// waits for the end.
struct IPodEQLaw: EffectLaw {
  static let unit = "iPodEQ"
  static let keys: Set = ["preset"]
  private static let presets: [(name: String, gains: [Double])] = [
    ("Disabled", []), ("Acoustic", [5, 4.9, 3.95, 1.05, 2.15, 1.75, 3.5, 4.1, 3.55, 2.15]),
    ("Bass Booster", [5.5, 4.25, 3.5, 2.5, 1.25, 0, 0, 0, 0, 0]),
    ("Bass Reducer", [-5.5, -4.25, -3.5, -2.5, -1.25, 0, 0, 0, 0, 0]),
    ("Classical", [4.75, 3.75, 3, 2.5, -1.5, -1.5, 0, 2.25, 3.25, 3.75]),
    ("Dance", [3.57, 6.55, 4.99, 0, 1.92, 3.65, 5.15, 4.54, 3.59, 0]),
    ("Deep", [4.95, 3.55, 1.75, 1, 2.85, 2.5, 1.45, -2.15, -3.55, -4.6]),
    ("Electronic", [4.25, 3.8, 1.2, 0, -2.15, 2.25, 0.85, 1.25, 3.95, 4.8]),
    ("Flat", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ("Hip-Hop", [5, 4.25, 1.5, 3, -1, -1, 1.5, -0.5, 2, 3]),
    ("Jazz", [4, 3, 1.5, 2.25, -1.5, -1.5, 0, 1.5, 3, 3.75]),
    ("Latin", [4.5, 3, 0, 0, -1.5, -1.5, -1.5, 0, 3, 4.5]), ("Loudness", [6, 4, 0, 0, -2, 0, -1, -5, 5, 1]),
    ("Lounge", [-3, -1.5, -0.5, 1.5, 4, 2.5, 0, -1.5, 2, 1]), ("Piano", [3, 2, 0, 2.5, 3, 1.5, 3.5, 4.5, 3, 3.5]),
    ("Pop", [-1.5, -1, 0, 2, 4, 4, 2, 0, -1, -1.5]),
    ("R&B", [2.62, 6.92, 5.65, 1.33, -2.19, -1.5, 2.32, 2.65, 3, 3.75]),
    ("Rock", [5, 4, 3, 1.5, -0.5, -1, 0.5, 2.5, 3.5, 4.5]),
    ("Small Speakers", [5.5, 4.25, 3.5, 2.5, 1.25, 0, -1.25, -2.5, -3.5, -4.25]),
    ("Spoken Word", [-3.46, -0.47, 0, 0.69, 3.46, 4.61, 4.84, 4.28, 2.54, 0]),
    ("Treble Booster", [0, 0, 0, 0, 0, 1.25, 2.5, 3.5, 4.25, 5.5]),
    ("Treble Reducer", [0, 0, 0, 0, 0, -1.25, -2.5, -3.5, -4.25, -5.5]),
    ("Vocal Booster", [-1.5, -3, -3, 1.5, 3.75, 3.75, 3, 1.5, 0, -1.5]),
  ]
  static var presetNames: [String] { presets.map(\.name) }
  private static let centres: [Double] = [32, 64, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]

  private struct Curve {
    private let sections: [CookbookSection]
    private var states: [[SectionState]]

    init(_ preset: Int, rate: Double, channels: Int) {
      let gains = IPodEQLaw.presets[preset].gains
      sections = zip(IPodEQLaw.centres, gains).filter { $0.0 < 0.45 * rate }.map { centre, gain in
        .peaking(centre, .octaves(1), gain: gain, rate)
      }
      states = Array(repeating: Array(repeating: SectionState(), count: sections.count), count: channels)
    }

    mutating func output(_ samples: [Double]) -> [Double] {
      var samples = samples
      for channel in samples.indices {
        for (index, section) in sections.enumerated() {
          samples[channel] = states[channel][index].output(samples[channel], section)
        }
      }
      return samples
    }
  }

  private let rate: Double
  private let channels: Int
  private let wanted: [Int]
  private var preset: Int?
  private var present: Curve
  private var former: Curve
  private var fadeStart: Int?

  init(_ node: LawNode, channels: Int, frames: Int) throws(LawError) {
    (rate, self.channels) = (node.rate, channels)
    var course = [Int](repeating: try Self.number(node.keys["preset"] ?? 0), count: frames)
    for event in node.events where event.frame < frames {
      guard let written = event.preset else { continue }
      let number = try Self.number(written)
      for frame in event.frame..<frames { course[frame] = number }
    }
    wanted = course
    present = Curve(0, rate: rate, channels: channels)
    former = present
  }

  private static func number(_ written: LawValue) throws(LawError) -> Int {
    if let number = written.integer, presets.indices.contains(number) { return number }
    guard let number = presets.firstIndex(where: { $0.name == written.text }) else {
      throw LawError("the iPodEQ has no such preset")
    }
    return number
  }

  mutating func restart() { (preset, fadeStart) = (nil, nil) }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let length = max(1, Int(exactly: (0.01 * rate).rounded()) ?? 1)
    if let start = fadeStart, frame >= start + length { fadeStart = nil }
    if fadeStart == nil, preset != wanted[frame] {
      if preset != nil { (former, fadeStart) = (present, frame) }
      preset = wanted[frame]
      present = Curve(wanted[frame], rate: rate, channels: channels)
    }
    let new = present.output(samples)
    guard let start = fadeStart else { return new }
    let part = Double(frame - start) / Double(length)
    return zip(former.output(samples), new).map { $0 * (1 - part) + $1 * part }
  }

  static func draw(_ draw: inout CrossDraw) {
    draw.channels = min(2, draw.channels)
    let names = presets.enumerated().map { draw.random.chance(0.5) ? .text($1.name) : LawValue.whole($0) }
    var node: LawValue = ["unit": .text(unit)]
    if draw.random.chance(0.8) { node["preset"] = draw.random.pick(names) }
    draw.effectCase(node, [], canBypass: true, presets: names)
  }
}

import Glibc

/// A unit without input that sounds for the frames that its node names.
protocol GeneratorLaw: UnitLaw {
  init(_ node: LawNode, channels: Int)
  /// At rest, as at the first frame, but in front of another one.
  mutating func restart(at frame: Int)
  /// A sample for each channel; frames come in order.
  mutating func output(at frame: Int) -> [Double]
}

extension GeneratorLaw {
  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    guard let channels = node.keys["format"]?["channels"]?.integer, let frames = node.keys["frames"]?.integer else {
      throw LawError("a generator without channels and frames has no law")
    }
    var law = Self(node, channels: channels)
    let restarts = node.restarts(frames: frames)
    var output = LawSignal.silence(rate: node.rate, channels: channels, frames: frames)
    for frame in 0..<frames {
      if frame == 0 || restarts.contains(frame) { law.restart(at: frame) }
      for (channel, sample) in law.output(at: frame).enumerated() { output.channels[channel][frame] = sample }
    }
    return [output]
  }

  static func draw(_ draw: inout CrossDraw) { draw.generatorCase(unit, parameters) }
}

/// y[n] = 10^(level/20)·sin(2π·φ[n]), and φ[n + 1] = φ[n] + frequency/R, on all channels.
struct ToneGeneratorLaw: GeneratorLaw {
  static let unit = "toneGenerator"
  static let keys: Set = ["frames"]
  static let parameters = [
    LawParameter("frequency", from: 0, toRate: 0.5, initial: 1000), LawParameter("level", -120...0, initial: -12),
  ]

  private let rate: Double
  private let courses: LawCourses
  private let channels: Int
  private var turns = 0.0

  init(_ node: LawNode, channels: Int) {
    rate = node.rate
    courses = LawCourses(node, Self.parameters)
    self.channels = channels
  }

  private func step(_ frame: Int) -> Double { courses.ramped(frame) { [rate] in min(max($0[0] / rate, 0), 0.5) } }

  mutating func restart(at frame: Int) { turns = (step(frame) * Double(frame)).truncatingRemainder(dividingBy: 1) }

  mutating func output(at frame: Int) -> [Double] {
    let level = courses.ramped(frame) { pow(10, $0[1] / 20) }
    let sample = level * sin(2 * .pi * turns)
    turns = (turns + step(frame)).truncatingRemainder(dividingBy: 1)
    return Array(repeating: sample, count: channels)
  }
}

/// White noise: a number for each seed, channel and frame, by SplitMix64; or pink, by seven sections in series behind it, each
/// two octaves above the one before, and a last one of two weights.
struct NoiseGeneratorLaw: GeneratorLaw {
  static let unit = "noiseGenerator"
  static let keys: Set = ["frames"]
  static let parameters = [
    LawParameter("level", -120...0, initial: -20), LawParameter("color", 0...1, initial: 0, steps: true),
    LawParameter("seed", 0...1_000_000, initial: 1, form: .whole),
  ]

  private let courses: LawCourses
  private let poles: [Double]
  private let zeros: [Double]
  private let energy: Double
  /// w[n − 1] of each section and s[n − 1], for each channel.
  private var past: [[Double]]
  private let channels: Int

  init(_ node: LawNode, channels: Int) {
    courses = LawCourses(node, Self.parameters)
    self.channels = channels
    let corners = (0..<7).map { 10 * pow(4, Double($0)) }
    poles = corners.map { exp(-2 * .pi * $0 / node.rate) }
    zeros = corners.map { exp(-4 * .pi * $0 / node.rate) }
    past = []
    var state = [Double](repeating: 0, count: 8)
    var energy = 0.0
    for frame in 0..<(Int(exactly: min(max(node.rate, 8000), 96_000).rounded()) ?? 48_000) {
      let sample = Self.pink(frame == 0 ? 1 : 0, poles, zeros, &state)
      energy += sample * sample
    }
    self.energy = energy
  }

  private static func pink(_ white: Double, _ poles: [Double], _ zeros: [Double], _ state: inout [Double]) -> Double {
    var sample = white
    for section in poles.indices {
      let now = sample + poles[section] * state[section]
      sample = now - zeros[section] * state[section]
      state[section] = now
    }
    defer { state[poles.count] = sample }
    return sample + 0.1 * state[poles.count]
  }

  mutating func restart(at frame: Int) {
    past = Array(repeating: [Double](repeating: 0, count: 8), count: channels)
  }

  mutating func output(at frame: Int) -> [Double] {
    let values = courses.held(at: frame)
    let seed = UInt64(min(max(values[2].rounded(), 0), 1_000_000))
    let gain = courses.ramped(frame) { pow(10, $0[0] / 20) }
    return (0..<channels).map { channel in
      let key = (seed &* 0x9E37 &+ UInt64(channel)) &* 0xD134_2543_DE82_EF95
      let bits = splitMix(key &+ UInt64(frame) &+ 0x9E37_79B9_7F4A_7C15)
      let white = sqrt(3) * (2 * Double(bits >> 11) * 0x1p-53 - 1)
      guard values[1] >= 0.5 else { return gain * white }
      return gain / sqrt(energy) * Self.pink(white, poles, zeros, &past[channel])
    }
  }
}

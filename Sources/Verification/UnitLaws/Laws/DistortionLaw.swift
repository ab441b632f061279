import Glibc

/// Echo, lower rate and fewer bits, and at eight times the rate polynomial, ring modulation and soft clip; each but the last
/// is mixed with its input. The page has the formulas.
struct DistortionLaw: EffectLaw {
  static let unit = "distortion"
  static let keys: Set = ["preset"]
  static let residual = -90.0
  static let parameters = [
    LawParameter("delay", 0.1...500, initial: 0.1, form: .geometric, steps: true),
    LawParameter("decay", 0.1...50, initial: 1, form: .geometric), LawParameter("delayMix", 0...100, initial: 50),
    LawParameter("decimation", 0...100, initial: 50), LawParameter("rounding", 0...100, initial: 0),
    LawParameter("decimationMix", 0...100, initial: 50), LawParameter("linearTerm", 0...1, initial: 1),
    LawParameter("squaredTerm", 0...20, initial: 0), LawParameter("cubicTerm", 0...20, initial: 0),
    LawParameter("polynomialMix", 0...100, initial: 50),
    LawParameter("ringModFreq1", 0.5...8000, initial: 100, form: .geometric),
    LawParameter("ringModFreq2", 0.5...8000, initial: 100, form: .geometric),
    LawParameter("ringModBalance", 0...100, initial: 50), LawParameter("ringModMix", 0...100, initial: 0),
    LawParameter("softClipGain", -80...20, initial: -6), LawParameter("finalMix", 0...100, initial: 50),
  ]

  private enum Place: Int {
    case delay, decay, delayMix, decimation, rounding, decimationMix, linearTerm, squaredTerm, cubicTerm, polynomialMix
    case ringModFreq1, ringModFreq2, ringModBalance, ringModMix, softClipGain, finalMix
  }

  private struct Channel {
    /// u of the echo.
    var line: [Double] = []
    var held = 0.0
    var eightfold = EightfoldLaw()
    /// μ, the running mean of the squares.
    var mean = 0.0
    var input: [Double] = []
  }

  private let rate: Double
  private let courses: LawCourses
  private var channels: [Channel]
  private var delay: FadedDelay
  /// The clock of the decimation.
  private var clock = 1.0
  /// Turns of the two oscillators.
  private var turns = (0.0, 0.0)

  init(_ node: LawNode, channels: Int, frames: Int) throws(LawError) {
    rate = node.rate
    courses = LawCourses(try node.resolving(DistortionPresets.all), Self.parameters)
    self.channels = Array(repeating: Channel(), count: channels)
    delay = FadedDelay(length: (0.02 * node.rate).rounded())
  }

  mutating func restart() {
    channels = channels.map { _ in Channel() }
    (clock, turns) = (1, (0, 0))
    delay.restart()
  }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let held = courses.held(at: frame)
    func value(_ place: Place) -> Double { held[place.rawValue] }
    func line(_ place: Place, _ part: Double = 0, _ number: @escaping (Double) -> Double = { $0 / 100 }) -> Double {
      courses.ramped(frame, part: part) { number($0[place.rawValue]) }
    }
    /// True where a share is zero at both ends of the cell.
    func isOff(_ place: Place) -> Bool { courses.ends(frame, place.rawValue).allSatisfy { $0 == 0 } }

    let decay = line(.decay) { exp(-$0) }
    delay.take(max(1, Int(exactly: (value(.delay) / 1000 * rate).rounded()) ?? 1), at: frame)
    let step = min(1, pow(500 / rate, value(.decimation) / 100))
    let takes = clock >= 1
    let decimationMix = line(.decimationMix)

    var stages: [[Double]] = []
    for (index, sample) in samples.enumerated() {
      let x = min(max(sample, -1e6), 1e6)
      let echo = Double(Float(delay.value(channels[index].line, at: frame)))
      channels[index].line.append(single(x + single(single(decay) * echo)))
      let mix = line(.delayMix)
      let echoed = mix == 0 ? x : single(single(single(1 - mix) * x) + single(single(mix) * echo))
      var crushed = echoed
      if !isOff(.decimationMix) {
        if takes { channels[index].held = Self.rounded(echoed, value(.rounding)) }
        crushed = (1 - decimationMix) * echoed + decimationMix * channels[index].held
      }
      channels[index].input.append(sample)
      stages.append(channels[index].eightfold.up(crushed))
    }
    if isOff(.decimationMix) { clock = 1 } else { clock = (takes ? clock - 1 : clock) + step }

    let frequencies = (value(.ringModFreq1), value(.ringModFreq2))
    let (squaresOff, ringOff) = (isOff(.squaredTerm) || isOff(.polynomialMix), isOff(.ringModMix))
    var output = samples
    for index in samples.indices {
      let squares = stages[index].map { $0 * $0 }.reduce(0, +) / 8
      let former = squaresOff ? 0 : channels[index].mean
      let present = squaresOff ? 0 : former + (1 - exp(-20 * .pi / rate)) * (squares - former)
      channels[index].mean = present
      for p in 0..<8 {
        let part = Double(p) / 8
        var x = stages[index][p]
        let mean = former + (present - former) * Double(p + 1) / 8
        let polynomial =
          line(.linearTerm, part) { $0 } * x + line(.squaredTerm, part) { $0 } * (x * x - mean)
          + line(.cubicTerm, part) { $0 } * x * x * x
        let polynomialMix = line(.polynomialMix, part)
        x = (1 - polynomialMix) * x + polynomialMix * polynomial
        let balance = line(.ringModBalance, part)
        let first = sin(2 * .pi * (turns.0 + frequencies.0 / rate * part))
        let second = sin(2 * .pi * (turns.1 + frequencies.1 / rate * part))
        let ringMix = line(.ringModMix, part)
        x = (1 - ringMix) * x + ringMix * x * ((1 - balance) * first + balance * second)
        let driven = min(max(line(.softClipGain, part) { pow(10, $0 / 20) } * x, -3), 3)
        stages[index][p] = driven * (27 + driven * driven) / (27 + 9 * driven * driven)
      }
      let mix = line(.finalMix)
      let late = channels[index].input.count - 1 - 84
      let dry = late >= 0 ? channels[index].input[late] : 0
      output[index] = (1 - mix) * dry + mix * channels[index].eightfold.down(stages[index])
    }
    if !ringOff { turns = (turns.0 + frequencies.0 / rate, turns.1 + frequencies.1 / rate) }
    return output
  }

  /// To the nearest multiple of 2^(1 − bits), halves to even.
  private static func rounded(_ x: Double, _ percent: Double) -> Double {
    guard percent > 0 else { return x }
    let unit = pow(2, 1 - (16 - 14 * percent / 100))
    return (x / unit).rounded(.toNearestOrEven) * unit
  }

  static func draw(_ draw: inout CrossDraw) {
    draw.channels = min(draw.channels, 3)
    let names = DistortionPresets.all.map { LawValue.text($0.name) }
    var node: LawValue = ["unit": .text(unit)]
    if draw.random.chance(0.3) { node["preset"] = draw.random.pick(names) }
    draw.effectCase(node, parameters, canBypass: true, presets: names)
  }
}

import AudioCore
import Glibc

/// Computes the values of formulas, some frames at a time.
struct FormulaValues {
  let signals: [String: AudioSignal]
  let sampleRate: Double
  /// Frames at a time: enough that the walk through the tree costs little.
  static let blockFrames = 4096

  /// The values of one output channel.
  /// - Throws: `.suite` for a channel that a signal does not have.
  func values(of formula: Formula, channel: Int, frames: Int) throws(BenchError) -> [Double] {
    var output: [Double] = []
    output.reserveCapacity(frames)
    var start = 0
    while start < frames {
      let count = min(Self.blockFrames, frames - start)
      var block = Block(values: self, formula: formula, channel: channel, start: start, count: count)
      output += try block.evaluate(formula.root)
      start += count
    }
    return output
  }
}

/// One block of one channel; what definitions come to is computed once.
private struct Block {
  let values: FormulaValues
  let formula: Formula
  let channel: Int
  let start: Int
  let count: Int
  var known: [String: [Double]] = [:]

  mutating func evaluate(_ node: Formula.Node) throws(BenchError) -> [Double] {
    switch node {
    case .number(let number): return constant(number)
    case .variable(let variable): return self.variable(variable)
    case .definition(let name):
      if let present = known[name] { return present }
      guard let definition = formula.definitions[name] else { preconditionFailure("the parser knows the definitions") }
      let found = try evaluate(definition)
      known[name] = found
      return found
    case .sample(let signal, let channel, let frame):
      return try samples(of: signal, try evaluate(channel), try evaluate(frame))
    case .not(let value): return try evaluate(value).map { $0 == 0 ? 1 : 0 }
    case .negative(let value): return try evaluate(value).map { -$0 }
    case .binary(let found, let left, let right): return binary(found, try evaluate(left), try evaluate(right))
    case .call(let function, let nodes):
      var lists: [[Double]] = []
      for node in nodes { lists.append(try evaluate(node)) }
      return call(function, lists)
    }
  }

  private func constant(_ number: Double) -> [Double] { [Double](repeating: number, count: count) }

  private func variable(_ variable: Formula.Variable) -> [Double] {
    switch variable {
    case .frame: (start..<(start + count)).map(Double.init)
    case .time: (start..<(start + count)).map { Double($0) / values.sampleRate }
    case .channel: constant(Double(channel))
    case .sampleRate: constant(values.sampleRate)
    case .inputFrames: constant(Double(values.signals["in"]?.frameCount ?? 0))
    case .pi: constant(.pi)
    }
  }

  private func samples(
    of name: String, _ channels: [Double], _ frames: [Double]
  ) throws(BenchError) -> [Double] {
    guard let signal = values.signals[name] else { preconditionFailure("the parser knows the signals") }
    var found = constant(0)
    for index in 0..<count {
      let asked = Int(exactly: channels[index])
      guard let channel = asked, signal.channels.indices.contains(channel) else {
        throw BenchError(
          .suite, at: "formula \"\(excerpt(formula.text))\"",
          "\(name) has \(NumberText.count(signal.channelCount, "channel")), counted from 0, so there is no "
            + "channel \(asked.map(String.init) ?? String(channels[index]))")
      }
      let frame = frames[index].rounded(.down)
      guard frame >= 0, frame < Double(signal.frameCount) else { continue }
      found[index] = signal.channels[channel][Int(clamping: frame)]
    }
    return found
  }

  private func binary(_ found: Formula.Operator, _ a: [Double], _ b: [Double]) -> [Double] {
    func each(_ body: (Double, Double) -> Double) -> [Double] { zip(a, b).map(body) }
    func test(_ body: (Double, Double) -> Bool) -> [Double] { zip(a, b).map { body($0, $1) ? 1 : 0 } }
    return switch found {
    case .add: each(+)
    case .subtract: each(-)
    case .multiply: each(*)
    case .divide: each(/)
    case .modulo: each { $0 - $1 * ($0 / $1).rounded(.down) }
    case .power: each(pow)
    case .less: test(<)
    case .lessOrEqual: test(<=)
    case .greater: test(>)
    case .greaterOrEqual: test(>=)
    case .equal: test(==)
    case .unequal: test(!=)
    case .and: test { $0 != 0 && $1 != 0 }
    case .or: test { $0 != 0 || $1 != 0 }
    }
  }

  private func call(_ function: Formula.Function, _ lists: [[Double]]) -> [Double] {
    func each(_ body: (Double) -> Double) -> [Double] { lists[0].map(body) }
    func fold(_ body: (Double, Double) -> Double) -> [Double] {
      lists.dropFirst().reduce(lists[0]) { zip($0, $1).map(body) }
    }
    func three(_ body: (Double, Double, Double) -> Double) -> [Double] {
      (0..<count).map { body(lists[0][$0], lists[1][$0], lists[2][$0]) }
    }
    return switch function {
    case .abs: each(Swift.abs)
    case .floor: each { $0.rounded(.down) }
    case .ceil: each { $0.rounded(.up) }
    case .round: each { $0.rounded(.toNearestOrEven) }
    case .sqrt: each { $0.squareRoot() }
    case .sin: each(Glibc.sin)
    case .cos: each(Glibc.cos)
    case .tan: each(Glibc.tan)
    case .exp: each(Glibc.exp)
    case .log: each(Glibc.log)
    case .log10: each(Glibc.log10)
    case .float: each { Double(Float($0)) }
    case .db: each { pow(10, $0 / 20) }
    case .min: fold(Swift.min)
    case .max: fold(Swift.max)
    case .clip: three { Swift.min(Swift.max($0, $1), $2) }
    case .choose: three { $0 != 0 ? $1 : $2 }
    case .dither: three(KnownDither.value)
    }
  }
}

/// The dither of integer conversions, from its published law and without the engine's code: what it must be, step by
/// step.
///
/// The key of a stream is seed ⊕ (channel + 1)·K, K = D6E8FEB86659FD93 hexadecimal: twice w ← (w ⊕ w >> 32)·K, then w ⊕
/// w >> 32. A frame's word is SplitMix64's output number frame + 1 for that key (Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014); its two halves, as signed integers, and one, over 2^32,
/// are the value.
enum KnownDither {
  static func value(_ seed: Double, _ channel: Double, _ frame: Double) -> Double {
    guard let seed = UInt64(exactly: seed), let channel = UInt64(exactly: channel), let frame = UInt64(exactly: frame)
    else { return .nan }
    let multiplier: UInt64 = 0xD6E8_FEB8_6659_FD93
    var key = seed ^ ((channel &+ 1) &* multiplier)
    for _ in 0..<2 { key = (key ^ key >> 32) &* multiplier }
    key ^= key >> 32
    var generator = SplitMix64(seed: key &+ frame &* SplitMix64.step)
    let word = generator.next()
    let (low, high) = (Int32(truncatingIfNeeded: word), Int32(truncatingIfNeeded: word >> 32))
    return (Double(low) + Double(high) + 1) / 4_294_967_296
  }
}

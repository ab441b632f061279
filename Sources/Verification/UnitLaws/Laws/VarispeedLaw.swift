import Glibc

/// The input at places that move on by the rate: p[n + 1] = p[n] + r[n], and between its samples a sinc of 48 zero
/// crossings to either side under Kaiser's window of 120 dB, lower the faster it goes:
///
///     y[n] = Σ_k x[k]·c·sinc(c·(k − p[n]))·w(c·(k − p[n])/48)
///     c = min(1, 1/r)/(1 + 0.0813·min(1, 12·|log₂ r|))
struct VarispeedLaw: UnitLaw {
  static let unit = "varispeed"
  /// Each of some hundred weights is within 10⁻⁷.
  static let residual = -95.0
  static let parameters = [
    LawParameter("playbackRate", 0.25...4, initial: 1, form: .geometric),
    LawParameter("playbackCents", -2400...2400, initial: 0),
  ]

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    let input = try input(inputs)
    let rates = Rates(node)
    let restarts = node.restarts(frames: node.wantedFrames ?? 8 * input.frames)
    var (place, origin) = (0.0, 0)
    var made: [[Double]] = input.channels.map { _ in [] }
    var frame = 0
    // A length that is asked for may reach beyond the input's end, where the window still sees it.
    while node.wantedFrames.map({ frame < $0 }) ?? (place < Double(input.frames)) {
      let rate = rates.rate(at: frame)
      if restarts.contains(frame) {
        place = rates.hasRamp ? (0..<frame).map(rates.rate).reduce(0, +) : Double(frame) * rate
        origin = Int(exactly: place.rounded(.down)) ?? 0
      }
      for (channel, samples) in input.channels.enumerated() {
        made[channel].append(sample(of: samples, at: place, rate: rate, from: origin))
      }
      place += rate
      frame += 1
    }
    return [LawSignal(rate: input.rate, channels: made)]
  }

  /// The rate at each frame, by whichever of the two parameters has a ramp or is set.
  private struct Rates {
    let byRate: LawCourse
    let byCents: LawCourses
    let usesCents: Bool
    let hasRamp: Bool

    init(_ node: LawNode) {
      byRate = LawCourse("playbackRate", 1, steps: false, of: node)
      byCents = LawCourses(node, [parameters[1]])
      hasRamp = node.points("playbackRate") != nil || node.points("playbackCents") != nil
      usesCents =
        node.points("playbackRate") == nil && (node.points("playbackCents") != nil || node.sets("playbackCents"))
    }

    func rate(at frame: Int) -> Double {
      let rate =
        usesCents
        ? byCents.ramped(frame) { pow(2, min(max($0[0], -2400), 2400) / 1200) } : byRate.value(at: frame)
      return min(max(rate, 0.25), 4)
    }
  }

  private static let windowShape = 0.1102 * (120 - 8.7)

  /// The sound at a place between its frames.
  /// - Parameter origin: the first frame that counts.
  static func sample(of samples: [Double], at place: Double, rate: Double, from origin: Int) -> Double {
    if rate == 1, place == place.rounded(), let whole = Int(exactly: place) {
      return samples.indices.contains(whole) && whole >= origin ? samples[whole] : 0
    }
    let cutoff = rate == 1 ? 1 : min(1, 1 / rate) / (1 + 0.0813 * min(1, 12 * abs(log2(rate))))
    let reach = 48 / cutoff
    guard let low = Int(exactly: (place - reach).rounded(.up)), let high = Int(exactly: (place + reach).rounded(.down))
    else { return 0 }
    let first = max(0, origin, low)
    let last = min(samples.count - 1, high)
    guard first <= last else { return 0 }
    var sum = 0.0
    for k in first...last {
      let u = cutoff * (Double(k) - place)
      sum += samples[k] * cutoff * KaiserWindow.sinc(u) * KaiserWindow.value(u / 48, shape: windowShape)
    }
    return sum
  }

  static func draw(_ draw: inout CrossDraw) {
    draw.fileCase(["id": "device", "unit": .text(unit)], draw.random.pick(parameters), canReset: true)
  }
}

/// Kaiser's window and the sinc, by their series.
enum KaiserWindow {
  /// I₀(β·√(1 − u²))/I₀(β) for |u| below 1, and 0 beyond.
  static func value(_ u: Double, shape: Double) -> Double {
    abs(u) < 1 ? bessel(shape * sqrt(1 - u * u)) / bessel(shape) : 0
  }

  static func sinc(_ u: Double) -> Double { u == 0 ? 1 : sin(.pi * u) / (.pi * u) }

  /// The modified Bessel function of the first kind and order zero.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, k) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= (x / (2 * k)) * (x / (2 * k))
      sum += term
      k += 1
    }
    return sum
  }
}

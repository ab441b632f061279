import Glibc

/// A sound that is measured first and then multiplied by one gain: to a loudness, or to a peak.
///
///     gain = min(level − N, ceiling − P)  dB       mode 0
///     gain = min(level, ceiling) − P      dB       mode 1
struct NormalizerLaw: UnitLaw {
  static let unit = "normalizer"
  static let parameters = [
    LawParameter("mode", 0...1, initial: 0, form: .whole), LawParameter("level", -70...0, initial: -14),
    LawParameter("ceiling", -60...0, initial: -1),
  ]

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    let input = try input(inputs)
    let loudness = IntegratedLoudness.value(of: input)
    let peak = 20 * log10(truePeak(of: input))
    guard peak > -.infinity else { return [input] }
    let courses = LawCourses(node, parameters)
    let bypassed = node.bypassed(frames: input.frames)
    var output = input
    for frame in 0..<input.frames where !bypassed[frame] {
      let byPeak = courses.held(at: frame)[0] >= 0.5
      guard byPeak || loudness != nil else { continue }
      let gain = courses.ramped(frame) { values in
        let (level, ceiling) = (min(max(values[1], -70), 0), min(max(values[2], -60), 0))
        return pow(10, (byPeak ? min(level, ceiling) - peak : min(level - (loudness ?? 0), ceiling - peak)) / 20)
      }
      for channel in output.channels.indices { output.channels[channel][frame] *= single(gain) }
    }
    return [output]
  }

  /// The largest magnitude of the samples and of the waveform between them, zeros around the sound.
  private static func truePeak(of signal: LawSignal) -> Double {
    signal.channels.map { samples in
      (-65...(samples.count + 64)).map { BandLimitedPeak.value(samples, $0, half: 64) }.max() ?? 0
    }.max() ?? 0
  }

  static func draw(_ draw: inout CrossDraw) {
    draw.channels = draw.random.pick([1, 2, 2, draw.channels])
    // Slices that differ cut the render by edits, which a normalizer does not take.
    draw.slices = [draw.slices[0]]
    draw.rate = draw.random.pick([8000, 11_025, 16_000, 44_100])
    draw.frames = draw.random.whole(Int(0.35 * draw.rate)...Int(1.2 * draw.rate))
    if draw.random.chance(0.4) {
      // Loud and quiet parts, for the gates.
      let (place, quiet) = (draw.random.whole(0...draw.frames), draw.random.pick([0.3, 0.1, 0.01, 0.0001]))
      draw.stimulusFormula = "if(n < \(place), 0.9, \(quiet)) * sin(n * n / 9000 + c)"
    }
    draw.effectCase(["unit": .text(unit)], parameters, canBypass: true, hasEdits: false)
  }
}

/// The integrated loudness of ITU-R BS.1770-4 with two gates; the second one by classes of 0.01 LU.
enum IntegratedLoudness {
  /// LUFS; nil where no block of 400 ms reaches −70.
  static func value(of signal: LawSignal) -> Double? {
    let step = max(1, Int(exactly: (signal.rate / 10).rounded()) ?? 1)
    var powers = [Double](repeating: 0, count: max(0, signal.frames / step - 3))
    for (channel, samples) in signal.channels.enumerated() {
      let weighted = self.weighted(samples, signal.rate)
      for block in powers.indices {
        let sum = weighted[(block * step)..<((block + 4) * step)].map { $0 * $0 }.reduce(0, +)
        powers[block] += weight(channel, of: signal.channels.count) * sum / Double(4 * step)
      }
    }
    var classes: [Int: [Double]] = [:]
    for power in powers where loudness(power) >= -70 {
      classes[Int(exactly: ((loudness(power) + 70) / 0.01).rounded(.down)) ?? .max, default: []].append(power)
    }
    let counted = classes.values.flatMap { $0 }
    guard !counted.isEmpty else { return nil }
    let gate = loudness(mean(counted)) - 10
    return loudness(mean(classes.values.filter { loudness(mean($0)) >= gate }.flatMap { $0 }))
  }

  private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private static func weight(_ channel: Int, of channels: Int) -> Double {
    if channel == 3, channels == 6 || channels == 8 { return 0 }
    let firstSurround = [4: 2, 5: 3, 6: 4, 8: 6][channels] ?? channels
    return channel >= firstSurround ? 1.41 : 1
  }

  private static func weighted(_ samples: [Double], _ rate: Double) -> [Double] {
    let (shelf, pass) = sections(rate)
    var (first, second) = (SectionState(), SectionState())
    return samples.map { second.output(first.output($0, shelf), pass) }
  }

  private static func sections(_ rate: Double) -> (CookbookSection, CookbookSection) {
    func poles(_ hertz: Double, _ q: Double) -> (k: Double, d: Double, a: (Double, Double, Double)) {
      let k = tan(.pi * min(hertz, 0.49 * rate) / rate)
      let d = 1 + k / q + k * k
      return (k, d, (1, 2 * (k * k - 1) / d, (1 - k / q + k * k) / d))
    }
    let q = 0.7071752369554196
    let (k, d, a) = poles(1681.974450955533, q)
    let g = pow(10, 3.999843853973347 / 20)
    let m = pow(g, 0.4996667741545416)
    let b = ((g + m * k / q + k * k) / d, 2 * (k * k - g) / d, (g - m * k / q + k * k) / d)
    let pass = poles(38.13547087602444, 0.5003270373238773)
    return (CookbookSection(b: b, a: a), CookbookSection(b: (1, -2, 1), a: pass.a))
  }
}

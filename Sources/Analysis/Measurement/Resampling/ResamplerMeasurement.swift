import AudioCore
import Glibc

/// The effects of a change of sample rate on sound: response, images, aliases, THD+N, delay, length; from one run of
/// the device.
///
/// The lower Nyquist frequency is half the lower of both rates. Levels of images and aliases are of the worst single
/// component, relative to the tone that went in.
///
/// ```swift
/// let converter = LibraryConversionDevice(.best, to: 48_000)
/// var measurement = ResamplerMeasurement(from: 44_100, to: 48_000)
/// measurement.measuredFrames = 1 << 14
/// let ripple = try #require(try measurement.measure(converter).reading("passbandRipple", channel: 0))
/// #expect(ripple.value < 0.1)
/// ```
public struct ResamplerMeasurement: Sendable {
  /// Hertz, at least 8000.
  public var inputRate: Double
  /// Hertz, at least 8000.
  public var outputRate: Double
  /// The channels of the stimulus, if the device takes any number.
  public var channelCount = 1
  /// Peak of each sound, dBFS.
  public var levelDecibels = -1.0
  /// The frequency of the tone whose THD+N is read: AES17's by default.
  public var frequencyHertz = 997.0
  /// Up to where ripple is read, and to where images and aliases count as in the passband: a fraction of the lower
  /// Nyquist frequency.
  public var passbandEdge = 0.8
  /// The number of single tones that look for images.
  public var imageToneCount = 12
  /// The number of tones that sound at once for the response, images and aliases; 8 or more.
  public var tonesAtOnce = 60
  /// Frames at the lower rate that are analysed of each sound, at least.
  public var measuredFrames = 1 << 16
  /// Seconds before each analysed segment, and of silence behind it.
  public var settleSeconds = 0.1
  /// Seconds of silence behind each analysed segment, for the device to ring out.
  public var gapSeconds = 0.05
  /// The device's delay in frames of the output, to a frame; nil: found.
  public var latencyFrames: Double?

  /// - Parameters:
  ///   - inputRate: hertz, at least 8000.
  ///   - outputRate: hertz, at least 8000: the rate that the device gives.
  public init(from inputRate: Double, to outputRate: Double) {
    self.inputRate = inputRate
    self.outputRate = outputRate
  }

  /// Runs the device, and finds floors and errors with what an ideal resampler would have given.
  /// - Throws: `.usage` for settings that cannot be, and what the device throws.
  public func measure(_ device: some Device) throws(BenchError) -> Findings {
    guard inputRate >= 8000, outputRate >= 8000, channelCount > 0 else {
      throw BenchError(
        .usage, at: "resampling", "rates of at least 8000 Hz are needed; there are \(inputRate) and \(outputRate) Hz")
    }
    guard (0.1...0.99).contains(passbandEdge), measuredFrames >= 1 << 14, tonesAtOnce >= 8, imageToneCount >= 2,
      settleSeconds >= 0.02, gapSeconds >= 0
    else {
      throw BenchError(
        .usage, at: "resampling",
        "the passband's edge must lie between 0.1 and 0.99, with 16384 frames, 8 tones at once, 2 tones for images "
          + "and 0.02 s to settle at the least")
    }
    guard frequencyHertz >= 100, frequencyHertz <= 0.45 * min(inputRate, outputRate) else {
      throw BenchError(
        .usage, at: "resampling",
        "the tone of \(frequencyHertz) Hz must lie between 100 and \(0.45 * min(inputRate, outputRate)) Hz")
    }
    let plan = try ResamplerPlan(self)
    var findings = try findings(of: device, plan)
    var alone = self
    alone.channelCount = 1
    alone.latencyFrames = 0
    let ideal = try alone.findings(of: plan.idealDevice(precision: device.precision), plan)
    Calibration.setFloors(
      // The tones that come out are others than those that go in: their rounding falls otherwise.
      &findings, from: ideal, marginDecibels: 6,
      ids: [
        "thd", "thdPlusNoise", "images", "imagesToNyquist", "aliases", "aliasesToNyquist", "imagesByFrequency",
        "aliasesByFrequency",
      ])
    Calibration.addErrors(&findings, known: ideal) { reading in
      ["passbandRipple", "delay", "delayDeviation", "gain"].contains(reading.id) ? 0 : nil
    }
    return findings
  }

  var lowerNyquist: Double { min(inputRate, outputRate) / 2 }
  var passbandHertz: Double { passbandEdge * lowerNyquist }

  /// The frequency at which another appears at the output's rate.
  func folded(_ hertz: Double) -> Double {
    let rest = hertz.truncatingRemainder(dividingBy: outputRate)
    return min(rest, outputRate - rest)
  }

  private func findings(of device: some Device, _ plan: ResamplerPlan) throws(BenchError) -> Findings {
    let response = try plan.stimulus.run(
      through: device, channelCount: device.inputChannelCount ?? channelCount, latencyFrames: latencyFrames,
      outputRate: outputRate, segments: plan.sounds.map(\.segment))
    let transform = WindowedSpectrum.Transform(length: plan.outputFrames)
    var findings = lengthFindings(response, plan)
    for channel in 0..<response.output.channelCount {
      findings.add(
        channelFindings(channel, response, plan, transform, device.precision).of(channel: channel))
    }
    return findings
  }

  private func lengthFindings(_ response: SegmentedStimulus.Response, _ plan: ResamplerPlan) -> Findings {
    var findings = Findings(remarks: response.remarks)
    let input = response.inputFrames
    let expected = FrameCount.converted(Int64(input), from: inputRate, to: outputRate)
    let excess = Int64(response.output.frameCount) - expected
    findings.readings += [
      Reading("length", "Length of the output", Double(response.output.frameCount), .frames),
      Reading(
        "lengthExcess", "Length above the exact ratio", Double(excess), .frames,
        remark: "\(NumberText.count(input, "frame")) in; the exact ratio, rounded half up, is \(expected)"),
    ]
    // Seconds of sound behind the end are no filter's.
    if abs(excess) > expected / 200 {
      findings.remarks.append(
        "the output has \(NumberText.count(response.output.frameCount, "frame")), where \(expected) belong to \(NumberText.significant(outputRate)) Hz: "
          + "either its rate or its length is wrong, and the figures of the tones are not valid")
    }
    return findings
  }

  private func channelFindings(
    _ channel: Int, _ response: SegmentedStimulus.Response, _ plan: ResamplerPlan,
    _ transform: WindowedSpectrum.Transform, _ precision: SamplePrecision
  ) -> Findings {
    var findings = Findings()
    var points: [ResponsePoint] = []
    var images: [Spurious] = []
    var aliases: [Spurious] = []
    for sound in plan.sounds {
      let samples = response.samples(of: sound.segment, channel: channel)
      guard samples.contains(where: { $0 != 0 }) || sound.kind == .aliases else {
        findings.remarks.append("channel \(channel) is silent where a tone was played")
        continue
      }
      switch sound.kind {
      case .tone:
        let rounding = RoundingLines(
          precision, of: sound.tones.map(\.frequencyHertz), sampleRate: outputRate, frames: samples.count)
        findings.readings += toneReadings(samples, rounding, transform)
      case .response:
        points += responsePoints(samples, sound, response, transform, channel: channel)
        images += imagesOf(sound.tones, samples, plan, transform)
      case .image: images.append(imageOf(sound.tones[0], samples, transform))
      case .aliases: aliases += aliasesOf(sound.tones, samples, transform)
      }
    }
    points.sort { $0.hertz < $1.hertz }
    findings.add(responseFindings(points, latencyFrames: response.latencyFrames(channel), channel: channel))
    findings.add(spuriousFindings(images: images, aliases: aliases))
    return findings
  }
}

/// The sounds of one run.
struct ResamplerPlan: Sendable {
  enum Kind: Hashable {
    case tone
    case response
    case image
    case aliases
  }

  struct Sound: Sendable {
    let kind: Kind
    let tones: [Tone]
    let segment: SegmentedStimulus.Segment
  }

  private let settings: ResamplerMeasurement
  private(set) var stimulus: SegmentedStimulus
  private(set) var sounds: [Sound] = []
  /// Frames of each segment at either rate: of the same duration, exactly where both rates are whole numbers.
  let inputFrames: Int
  let outputFrames: Int
  /// The width of a transform's bin, at either rate.
  let binHertz: Double

  init(_ settings: ResamplerMeasurement) throws(BenchError) {
    self.settings = settings
    (inputFrames, outputFrames) = Self.frames(settings)
    binHertz = settings.inputRate / Double(inputFrames)
    stimulus = SegmentedStimulus(
      sampleRate: settings.inputRate, outputRate: settings.outputRate,
      chirpDecibels: min(-12, settings.levelDecibels))
    let full = Decibels.amplitude(settings.levelDecibels)
    try add(.tone, [Tone(settings.frequencyHertz, amplitude: full)])
    for number in 0..<4 { try add(.response, together(responseTones(number), full)) }
    let nyquist = settings.lowerNyquist
    for index in 1...settings.imageToneCount {
      // Three quarters of them in the passband.
      let inBand = (settings.imageToneCount * 3 + 3) / 4
      let hertz =
        index <= inBand
        ? settings.passbandHertz * Double(index) / Double(inBand)
        : settings.passbandHertz + (0.998 * nyquist - settings.passbandHertz) * Double(index - inBand)
          / Double(settings.imageToneCount - inBand)
      try add(.image, [Tone(onBin(hertz), amplitude: full)])
    }
    if settings.outputRate < settings.inputRate {
      for number in 0..<2 { try add(.aliases, together(aliasTones(number), full)) }
    }
    // An odd length, so that the exact ratio has something to round.
    let more = stimulus.samples.count % 2 == 0 ? 101 : 102
    _ = try stimulus.append(Stimulus.silence(frames: more), measuredFrom: 0, frames: 0, gapSeconds: 0)
  }

  private static func frames(_ settings: ResamplerMeasurement) -> (Int, Int) {
    let (a, b) = (settings.inputRate, settings.outputRate)
    guard let wholeA = Int(exactly: a), let wholeB = Int(exactly: b) else {
      let scale = Double(settings.measuredFrames) / min(a, b)
      return (Int(clamping: (scale * a).rounded()), Int(clamping: (scale * b).rounded()))
    }
    var (x, y) = (wholeA, wholeB)
    while y != 0 { (x, y) = (y, x % y) }
    let (inUnit, outUnit) = (wholeA / x, wholeB / x)
    let units = (settings.measuredFrames + min(inUnit, outUnit) - 1) / min(inUnit, outUnit)
    return (inUnit * units, outUnit * units)
  }

  private mutating func add(_ kind: Kind, _ tones: [Tone]) throws(BenchError) {
    guard !tones.isEmpty else { return }
    let segment = try stimulus.append(
      tones, settleSeconds: settings.settleSeconds, frames: inputFrames, gapSeconds: settings.gapSeconds)
    sounds.append(Sound(kind: kind, tones: tones, segment: segment))
  }

  private func onBin(_ hertz: Double) -> Double { Double(Int(clamping: (hertz / binHertz).rounded()) | 1) * binHertz }

  /// Tones at these frequencies with Newman's phases, all of one amplitude, their sum's peak at most `peak`.
  private func together(_ frequencies: [Double], _ peak: Double) -> [Tone] {
    let tones = frequencies.enumerated().map { index, hertz in
      Tone(hertz, amplitude: 1, phase: Double.pi * Double(index * index) / Double(frequencies.count))
    }
    let sum = Tone.samples(tones, frames: 0..<inputFrames, sampleRate: settings.inputRate)
    let scale = peak / sum.reduce(1e-9) { max($0, abs($1)) }
    return tones.map { Tone($0.frequencyHertz, amplitude: scale, phase: $0.phase) }
  }

  /// A quarter of the response's tones: a sixth of them logarithmic up to an eighth of the lower Nyquist frequency, the
  /// rest evenly spread up to it: a filter's ripple is even over frequency.
  private func responseTones(_ number: Int) -> [Double] {
    let nyquist = settings.lowerNyquist
    let low = max(20, 16 * binHertz)
    let lowCount = settings.tonesAtOnce / 6
    let highCount = settings.tonesAtOnce - lowCount
    let part = Double(number) / 4
    let lower = (0..<lowCount).map { index -> Double in
      low * pow(nyquist / 8 / low, (Double(index) + part) / Double(lowCount))
    }
    let upper = (0..<highCount).map { index -> Double in
      nyquist * (0.125 + 0.873 * (Double(index) + part + 0.25) / Double(highCount))
    }
    return apart(lower + upper) { imagePlaces(of: $0) }
  }

  /// The images of the first three multiples of the input's rate, as the output folds them.
  func imagePlaces(of hertz: Double) -> [Double] {
    (1...3).flatMap { multiple in
      [-1.0, 1].map { settings.folded(Double(multiple) * settings.inputRate + $0 * hertz) }
    }
  }

  /// Half of the tones above the output's Nyquist frequency, up to the input's.
  private func aliasTones(_ number: Int) -> [Double] {
    let (low, high) = (settings.outputRate / 2, settings.inputRate / 2)
    let count = settings.tonesAtOnce
    let wanted = (0..<count).map { index -> Double in
      low + (high - low) * (0.002 + 0.996 * (Double(index) + Double(number) / 2) / Double(count))
    }
    return apart(wanted, lowest: low + 9 * binHertz) { [settings.folded($0)] }
  }

  /// Frequencies near the wanted ones, on bins, such that neither they nor what they leave elsewhere are closer than 16
  /// bins to one another; those that cannot be placed are left out.
  private func apart(
    _ wanted: [Double], lowest: Double = 0, _ traces: (Double) -> [Double]
  ) -> [Double] {
    let top = settings.inputRate / 2 - 9 * binHertz
    var taken = Set<Int>()
    func isFree(_ hertz: Double) -> Bool {
      let bin = Int(clamping: (hertz / binHertz).rounded())
      return (bin - 16...bin + 16).allSatisfy { !taken.contains($0) }
    }
    return wanted.compactMap { hertz in
      for move in 0..<60 {
        let candidate = onBin(hertz + Double(move % 2 == 0 ? move : -move) * 2 * binHertz)
        guard candidate < top, candidate > max(lowest, 8 * binHertz) else { continue }
        // A tone above the output's Nyquist frequency appears where it folds to.
        let places = [settings.folded(candidate)] + traces(candidate)
        guard places.allSatisfy({ isFree($0) }) else { continue }
        for place in places { taken.insert(Int(clamping: (place / binHertz).rounded())) }
        return candidate
      }
      return nil
    }
  }

  /// A device that gives what an ideal resampler would: the tones at the output's rate, those that fit it, with no
  /// delay.
  func idealDevice(precision: SamplePrecision) -> FunctionDevice {
    let (sounds, settings, outputFrames) = (sounds, settings, outputFrames)
    return FunctionDevice("ideal resampler", precision: precision) { (input) throws(BenchError) in
      var output = Stimulus.silence(frames: input.frameCount(atRate: settings.outputRate))
      for sound in sounds {
        let exact = Double(sound.segment.start) * settings.outputRate / settings.inputRate
        let start = Int(clamping: exact.rounded())
        // The segment begins between two frames of the output.
        let late = (Double(start) - exact) / settings.outputRate
        let tones = sound.tones.filter { $0.frequencyHertz < settings.outputRate / 2 }.map {
          Tone($0.frequencyHertz, amplitude: $0.amplitude, phase: $0.phase + 2 * .pi * $0.frequencyHertz * late)
        }
        let samples = Tone.samples(tones, frames: 0..<outputFrames, sampleRate: settings.outputRate)
        output.replaceSubrange(start..<start + outputFrames, with: samples)
      }
      return precision.rounded(
        AudioSignal(sampleRate: settings.outputRate, channelCount: input.channelCount, output))
    }
  }
}

extension MeasurementKind {
  /// ``ResamplerMeasurement`` at the rate, the level and with the channels of the settings, one unless they say.
  ///
  /// The rate of the output is found out with 1024 frames of silence.
  public static let resampler = MeasurementKind(
    "resampler", "of a device that changes the rate: passband, −3 dB point, images, aliases, THD+N, delay, length"
  ) { (device, settings) throws(BenchError) in
    let rate = settings.sampleRate(for: device)
    let channels = settings.channelCount(for: device, otherwise: 1)
    try AudioSignal.checkMemory(frames: 1024, channels: channels, at: "stimulus")
    let answer = try device.process(
      AudioSignal(sampleRate: rate, channelCount: channels, Stimulus.silence(frames: 1024)))
    var resampler = ResamplerMeasurement(from: rate, to: answer.sampleRate)
    resampler.channelCount = channels
    if let level = settings.levelDecibels { resampler.levelDecibels = level }
    return try resampler.measure(device)
  }
}

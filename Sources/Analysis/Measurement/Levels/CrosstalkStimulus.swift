import AudioCore
import Glibc
import Spectrum

/// The signals of a crosstalk measurement, and how they are found again.
struct CrosstalkStimulus {
  let settings: CrosstalkSettings
  let inputCount: Int
  /// The amplitude of one tone.
  let toneAmplitude: Double
  /// The side lobes of the spectrum's window: −180 dB.
  private static let sideLobe = 1e-9

  init(settings: CrosstalkSettings, inputCount: Int?) throws(BenchError) {
    self.settings = settings
    self.inputCount = inputCount ?? settings.channelCount
    toneAmplitude = Decibels.amplitude(settings.level) / Double(max(1, settings.frequenciesHertz.count))
    guard settings.sampleRate >= 1_000, settings.sampleRate.isFinite, self.inputCount > 0 else {
      throw BenchError(.usage, "crosstalk is measured at 1000 Hz and more, of one channel and more")
    }
    let frequencies = settings.frequenciesHertz.sorted()
    let limit = 0.45 * settings.sampleRate
    guard let lowest = frequencies.first, let highest = frequencies.last, lowest >= 20, highest <= limit,
      zip(frequencies, frequencies.dropFirst()).allSatisfy({ $1 - $0 >= 20 })
    else {
      throw BenchError(
        .usage, "the tones of a crosstalk measurement lie 20 Hz apart, from 20 to \(limit) Hz",
        advice: "found: \(settings.frequenciesHertz)")
    }
    guard settings.settlingSeconds >= 0, settings.settlingSeconds <= 600, settings.windowSeconds >= 1,
      settings.windowSeconds <= 600
    else {
      throw BenchError(.usage, "crosstalk needs windows of 1 to 600 s, and 0 to 600 s to settle")
    }
    try AudioSignal.checkMemory(
      frames: stimulusFrames,
      channels: self.inputCount, at: "stimulus")
  }

  private var stimulusFrames: Int {
    frames(2 * settings.settlingSeconds + settings.windowSeconds, at: settings.sampleRate)
  }

  /// The frames that are examined.
  private func window(at sampleRate: Double) -> Range<Int> {
    let start = frames(settings.settlingSeconds, at: sampleRate)
    return start..<start + frames(settings.windowSeconds, at: sampleRate)
  }

  private func frames(_ seconds: Double, at sampleRate: Double) -> Int {
    Int(clamping: (seconds * sampleRate).rounded())
  }

  private func signal(_ samples: [Double], on input: Int) -> AudioSignal {
    var channels = Array(repeating: Stimulus.silence(frames: samples.count), count: inputCount)
    channels[input] = samples
    return AudioSignal(sampleRate: settings.sampleRate, channels: channels)
  }

  /// Tones on one channel, silence on the others; as long as settling, the window, and settling again.
  func tones(on input: Int) -> AudioSignal {
    var samples = Stimulus.silence(frames: stimulusFrames)
    for hertz in settings.frequenciesHertz {
      let tone = Stimulus.sine(
        frames: stimulusFrames, frequencyHertz: hertz, sampleRate: settings.sampleRate, amplitude: toneAmplitude)
      for frame in samples.indices { samples[frame] += tone[frame] }
    }
    return signal(samples, on: input)
  }

  /// White noise on one channel: a second, then half a second of silence.
  func noise(on input: Int) -> AudioSignal {
    let rate = settings.sampleRate
    let amplitude = Decibels.amplitude(settings.level)
    var state: UInt64 = 1
    var samples = Stimulus.silence(frames: frames(1.5, at: rate))
    for frame in 0..<frames(1, at: rate) {
      // Knuth's MMIX generator; its high bits.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      samples[frame] = amplitude * (Double(state >> 11) / Double(1 << 52) - 1)
    }
    return signal(samples, on: input)
  }

  /// A tone in a channel of an output: its amplitude, and what the noise around it does to that.
  struct Found {
    let amplitude: Double
    /// The deviation of a complex amplitude.
    let noise: Double
    /// Mean square of that noise per hertz.
    let density: Double
    /// The largest amplitude to expect of noise alone, which exceeds it once in eight thousand times.
    var floor: Double { 3 * noise }
    var uncertainty: Double { Uncertainty.coverageFactor * noise / 2.0.squareRoot() }
  }

  /// Each tone in each channel of an output.
  /// - Parameter precision: the format that the output's samples were rounded to.
  func tones(in output: AudioSignal, from name: String, precision: SamplePrecision) throws(BenchError) -> [[Found]] {
    let window = window(at: output.sampleRate)
    guard output.frameCount >= window.upperBound else {
      throw BenchError(
        .render, at: name,
        "puts out \(NumberText.count(output.frameCount, "frame")) where \(window.upperBound) are needed",
        advice: "a device must put out as much as goes in")
    }
    let transform = WindowedSpectrum.Transform(length: window.count)
    return output.channels.map { samples in
      let segment = samples[window]
      let spectrum = transform.spectrum(segment, sampleRate: output.sampleRate)
      let lobes = spectrum.lobes(of: settings.frequenciesHertz)
      let amplitudes = settings.frequenciesHertz.map { spectrum.amplitude(at: $0).magnitude }
      // The window's side lobes of the tones themselves are no noise; what they hide of rounding is known.
      let sideLobes = Self.sideLobe * amplitudes.reduce(0, +)
      // Input and output are both rounded.
      let rounding =
        2 * precision.roundingDeviation(of: segment)
        * (2 * spectrum.noiseBandwidthBins / Double(window.count)).squareRoot()
      return zip(settings.frequenciesHertz, amplitudes).map { hertz, amplitude in
        let noise = spectrum.noiseAmplitude(at: hertz, excluding: lobes)
        let known = noise > sideLobes ? noise : rounding
        return Found(
          amplitude: amplitude, noise: known,
          density: known * known / (2 * spectrum.noiseBandwidthBins * spectrum.binHertz))
      }
    }
  }

  /// Below this the arithmetic of the analysis decides.
  private static let arithmeticFloor = -300.0

  /// For each tone the decibels over it that are read, at its frequency and beside it, in what the rounding to a sample
  /// format adds to the tones.
  func floors(precision: SamplePrecision) throws(BenchError) -> [Double] {
    let clean = tones(on: 0)
    var error = try FunctionDevice.identity(precision).process(clean)
    for frame in clean.channels[0].indices { error.channels[0][frame] -= clean.channels[0][frame] }
    let window = window(at: clean.sampleRate)
    let spectrum = WindowedSpectrum.Transform(length: window.count).spectrum(
      error.channels[0][window], sampleRate: clean.sampleRate)
    return settings.frequenciesHertz.map { hertz in
      let worst = [-3.0, -1.5, 0, 1.5, 3].map { spectrum.amplitude(at: hertz + $0 * spectrum.binHertz).magnitude }.max()
      return max(Self.arithmeticFloor, Decibels.of(amplitude: (worst ?? 0) / toneAmplitude))
    }
  }

  /// Decibels of a response over the noise that caused it, in thirds of an octave from 20 Hz on. The uncertainty is
  /// what the device adds by itself; an output without a sound reads −∞.
  /// - Parameter tones: the tones found in this output, with the noise beside each.
  func levels(of response: [Double], over noise: [Double], _ tones: [Found]) -> [Curve.Point] {
    let length = RealFFT.fastLength(atLeast: max(noise.count, response.count))
    let fft = RealFFT(length: length)
    func powers(_ samples: [Double]) -> [Double] {
      fft.forward(samples)
      return fft.bins.map(\.squaredMagnitude)
    }
    let binHertz = settings.sampleRate / Double(length)
    let (found, given) = (powers(response), powers(noise))
    return FrequencyGrid.thirdOctaves(19...min(21_000, 0.44 * settings.sampleRate)).map { band in
      let bins = Int(clamping: (band.lowHertz / binHertz).rounded(.up))...Int(clamping: band.highHertz / binHertz)
      func sum(_ powers: [Double]) -> Double { bins.reduce(0) { $0 + powers[$1] } }
      let (out, into) = (sum(found), sum(given))
      let nearest = settings.frequenciesHertz.indices.min {
        abs(log(settings.frequenciesHertz[$0] / band.centreHertz))
          < abs(log(settings.frequenciesHertz[$1] / band.centreHertz))
      }
      // As the transform has it: the mean square of a signal is 2·Σ|X|² ÷ N² over the bins above 0.
      let density = nearest.map { tones[$0].density } ?? 0
      let own = density * Double(bins.count) * binHertz * Double(length) * Double(noise.count) / 2
      let ratio = (out / into).squareRoot()
      return Curve.Point(
        band.centreHertz, amplitude: ratio, uncertainty: (own / into).squareRoot() * 2)
    }
  }

  /// The cross-correlation coefficient of largest magnitude of a signal with its response, over all delays.
  static func match(_ signal: [Double], _ response: [Double]) -> Double {
    let (a, b) = (signal.sumOfSquares, response.sumOfSquares)
    guard a > 0, b > 0 else { return 0 }
    let fft = RealFFT(length: RealFFT.fastLength(atLeast: signal.count + response.count))
    fft.correlate(response, with: signal)
    var largest = 0.0
    for value in fft.samples where abs(value) > abs(largest) { largest = value }
    return largest / (a * b).squareRoot()
  }
}

import AudioCore
import Glibc
import Spectrum

/// The signals of a crosstalk measurement, and how they are found again.
struct CrosstalkStimulus {
  let settings: CrosstalkSettings
  let inputCount: Int
  /// The amplitude of one tone.
  let toneAmplitude: Double
  /// By so much the tones are quieter the second time, decibels.
  static let quieterDecibels = 20.0
  /// The device's delay, and its clock: as if it had none before they are known.
  private let latencySeconds: Double
  private let clockRatio: Double
  /// The side lobes of the spectrum's window: −180 dB.
  private static let sideLobe = 1e-9

  init(
    settings: CrosstalkSettings, inputCount: Int?, latencySeconds: Double = 0, clockRatio: Double = 1
  ) throws(BenchError) {
    self.settings = settings
    self.latencySeconds = latencySeconds
    self.clockRatio = clockRatio
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
    frames(3 * settings.settlingSeconds + 2 * settings.windowSeconds + 2 * latencySeconds, at: settings.sampleRate)
  }

  /// The frames that are examined: of the tones at their level, and of the same ones quieter.
  private func windows(at sampleRate: Double) -> [Range<Int>] {
    let window = frames(settings.windowSeconds, at: sampleRate)
    let starts = [
      settings.settlingSeconds + latencySeconds,
      2 * settings.settlingSeconds + settings.windowSeconds + 2 * latencySeconds,
    ]
    return starts.map { start in
      let first = frames(start, at: sampleRate)
      return first..<first + window
    }
  }

  private func frames(_ seconds: Double, at sampleRate: Double) -> Int {
    Int(clamping: (seconds * sampleRate).rounded())
  }

  private func signal(_ samples: [Double], on input: Int) -> AudioSignal {
    var channels = Array(repeating: Stimulus.silence(frames: samples.count), count: inputCount)
    channels[input] = samples
    return AudioSignal(sampleRate: settings.sampleRate, channels: channels)
  }

  /// Tones on one channel, silence on the others: at their level, then quieter by ``quieterDecibels``, each as long as
  /// settling and the window; and as long as settling again.
  func tones(on input: Int) -> AudioSignal {
    var samples = Stimulus.silence(frames: stimulusFrames)
    for hertz in settings.frequenciesHertz {
      let tone = Stimulus.sine(
        frames: stimulusFrames, frequencyHertz: hertz, sampleRate: settings.sampleRate, amplitude: toneAmplitude)
      for frame in samples.indices { samples[frame] += tone[frame] }
    }
    // Until then an output that is not late is within its first window.
    let first = frames(settings.settlingSeconds + settings.windowSeconds, at: settings.sampleRate)
    let latency = frames(latencySeconds, at: settings.sampleRate)
    let quieter = Decibels.amplitude(-Self.quieterDecibels)
    for frame in samples.indices where frame >= first + latency { samples[frame] *= quieter }
    return signal(samples, on: input)
  }

  /// White noise on one channel: a second, then half a second of silence.
  func noise(on input: Int) -> AudioSignal {
    let rate = settings.sampleRate
    let amplitude = Decibels.amplitude(settings.level)
    var state: UInt64 = 1
    var samples = Stimulus.silence(frames: frames(1.5 + latencySeconds, at: rate))
    for frame in 0..<frames(1, at: rate) {
      // Knuth's MMIX generator; its high bits.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      samples[frame] = amplitude * (Double(state >> 11) / Double(1 << 52) - 1)
    }
    return signal(samples, on: input)
  }

  /// A tone in a channel of an output: its amplitude, and what the noise around it does to that.
  struct Found {
    var amplitude: Double
    /// The deviation of a complex amplitude.
    let noise: Double
    /// Mean square of that noise per hertz.
    let density: Double
    /// The parts of the tone by which it changes within its window, and from level to level; 0 where that is noise.
    var change = 0.0
    var bend = 0.0
    /// The change within the window, for a remark.
    var changeText: String?
    /// The change relative to the tone that is read, and that which noise explains.
    var course: (change: Double, floor: Double) = (0, 0)
    /// The largest amplitude to expect of noise alone, which exceeds it once in eight thousand times.
    var floor: Double { 3 * noise }
    var isHeard: Bool { amplitude > 4 * noise && amplitude > 0 }
    var uncertainty: Double {
      hypot(Uncertainty.coverageFactor * noise / 2.0.squareRoot(), hypot(change, bend) * amplitude)
    }
  }

  /// Each tone in each channel of an output.
  /// - Parameter precision: the format that the output's samples were rounded to.
  func tones(in output: AudioSignal, from name: String, precision: SamplePrecision) throws(BenchError) -> [[Found]] {
    let windows = windows(at: output.sampleRate)
    guard output.frameCount >= windows[1].upperBound else {
      throw BenchError(
        .render, at: name,
        "puts out \(NumberText.count(output.frameCount, "frame")) where \(windows[1].upperBound) are needed",
        advice: "a device must put out as much as goes in")
    }
    let transform = WindowedSpectrum.Transform(length: windows[0].count)
    let parts = ToneCourse.Parts(frames: windows[0].count)
    let spectra = output.channels.map { transform.spectrum($0[windows[0]], sampleRate: output.sampleRate) }
    // The clock is that of the loudest output; others have the tones at the same frequencies.
    let lines = settings.frequenciesHertz.map { hertz -> CloseLines? in
      let expected = hertz * clockRatio
      let loudest = spectra.max { $0.amplitude(at: expected).magnitude < $1.amplitude(at: expected).magnitude }
      return loudest.map { CloseLines($0, hertz: expected) }
    }
    let frequencies = zip(settings.frequenciesHertz, lines).map { $1?.tone.hertz ?? $0 * clockRatio }
    return zip(output.channels, spectra).map { samples, spectrum in
      let lobes = spectrum.lobes(of: frequencies)
      let amplitudes = frequencies.map { amplitude(in: spectrum, at: $0) }
      let quiet = transform.spectrum(samples[windows[1]], sampleRate: output.sampleRate)
      // The tones that are played are rounded too, by errors that repeat with them and lie on their own lines.
      func rounding(frames: Int) -> (ArraySlice<Double>) -> Double {
        RoundingLines(precision, of: settings.frequenciesHertz, sampleRate: output.sampleRate, frames: frames).amplitude
      }
      // The window's side lobes of the tones themselves are no noise.
      let sideLobes = Self.sideLobe * amplitudes.reduce(0, +)
      let rounded = rounding(frames: windows[0].count)(samples[windows[0]])
      return zip(frequencies, amplitudes).map { hertz, amplitude in
        let noise = spectrum.noiseAmplitude(at: hertz, excluding: lobes)
        let known = max(noise > sideLobes ? noise : 0, rounded)
        var found = Found(
          amplitude: amplitude, noise: known,
          density: known * known / (2 * spectrum.noiseBandwidthBins * spectrum.binHertz))
        guard found.isHeard else { return found }
        let course = ToneCourse(
          samples[windows[0]], hertz: hertz, beside: frequencies, sampleRate: output.sampleRate,
          rounding: rounding(frames: windows[0].count / ToneCourse.partCount), parts)
        found.course = (course.change, course.floor)
        if course.moves {
          found.change = pow(10, max(course.levels.upperBound, -course.levels.lowerBound) / 20) - 1
          found.changeText = course.text
        }
        let quieter = self.amplitude(in: quiet, at: hertz) * Decibels.amplitude(Self.quieterDecibels)
        let quietNoise =
          max(
            quiet.noiseAmplitude(at: hertz, excluding: lobes), rounding(frames: windows[1].count)(samples[windows[1]]))
          * Decibels.amplitude(Self.quieterDecibels)
        let bend = abs(quieter - amplitude)
        if bend > 3 * hypot(known, quietNoise) + 1e-8 * amplitude { found.bend = bend / amplitude }
        return found
      }
    }
  }

  /// The amplitude of a tone, without what lines beside it do to it.
  private func amplitude(in spectrum: WindowedSpectrum, at hertz: Double) -> Double {
    let close = CloseLines(spectrum, hertz: hertz)
    return close.lines.isEmpty ? spectrum.amplitude(at: hertz).magnitude : close.tone.amplitude.magnitude
  }

  /// Below this the arithmetic of the analysis decides.
  private static let arithmeticFloor = -300.0

  /// For each tone the decibels over it that are read, at its frequency and beside it, in what the rounding to a sample
  /// format adds to the tones.
  func floors(precision: SamplePrecision) throws(BenchError) -> [Double] {
    let clean = tones(on: 0)
    var error = try FunctionDevice.identity(precision).process(clean)
    for frame in clean.channels[0].indices { error.channels[0][frame] -= clean.channels[0][frame] }
    let window = windows(at: clean.sampleRate)[0]
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

  /// The cross-correlation coefficient of largest magnitude of a signal with its response, over all delays: of as much
  /// of it as another clock does not shift by a part of a frame.
  func match(_ signal: [Double], _ response: [Double]) -> Double {
    let difference = abs(clockRatio - 1)
    let count = min(signal.count, max(2048, Int(clamping: 0.3 / max(difference, 1e-12))))
    let part = signal.prefix(count)
    // Behind the delay, and as long.
    let first = frames(max(0, latencySeconds - 0.05), at: settings.sampleRate)
    let heard =
      count == signal.count
      ? response[...] : response.dropFirst(first).prefix(count + frames(0.1, at: settings.sampleRate))
    let fft = RealFFT(length: RealFFT.fastLength(atLeast: part.count + heard.count))
    fft.correlate(heard, with: part)
    var (largest, place) = (0.0, 0)
    for (index, value) in fft.samples.enumerated() where abs(value) > abs(largest) { (largest, place) = (value, index) }
    let like = count == signal.count ? heard : heard.dropFirst(min(place, heard.count)).prefix(count)
    let (a, b) = (part.sumOfSquares, like.sumOfSquares)
    return a > 0 && b > 0 ? max(-1, min(1, largest / (a * b).squareRoot())) : 0
  }
}

import AudioCore
import Glibc
import Spectrum

/// The estimate by one stimulus of the way from one input channel to one output channel.
struct TransferEstimate {
  /// The whole response, for stimuli that give it.
  var response: ImpulseResponse?
  /// H at the stimulus' own frequencies, for those that do not.
  var points: [(hertz: Double, value: Complex)] = []
  /// The deviation of a complex value of H, by frequency, from the device's own noise and the rounding to its sample
  /// format.
  var noise: @Sendable (_ hertz: Double) -> Double = { _ in 0 }
  /// The deviation of H by what the device puts out in silence alone, for a whole response of an impulse of the
  /// stimulus' height.
  var silence = 0.0
  /// By frequency, of noise: how much of the output is a linear image of the input.
  var coherence: [(hertz: Double, value: Double)] = []
  /// Responses of the harmonics 2, 3, …, each read at its own frequency.
  var harmonics: [ImpulseResponse] = []
}

/// Plays a stimulus into one channel of a device and makes out what the way to each output channel does.
struct TransferEstimator {
  let settings: LinearSettings
  /// Frames by which everything is played later than usual: a device that does not vary in time does not notice.
  var shiftFrames = 0
  /// Decibels by which everything is played louder: a linear device does not notice.
  var gainDecibels = 0.0

  /// Frames of silence in front of the stimulus.
  private var lead: Int { settings.leadFrames + shiftFrames }
  /// The factor from the deviation of a sample to that of the sum over a response.
  private var rootOfFrames: Double { Double(settings.responseFrames).squareRoot() }
  private var amplitude: Double { settings.amplitude * Decibels.amplitude(gainDecibels) }

  func estimates(
    of device: any Device, by method: LinearSettings.Method, input channel: Int
  ) throws(BenchError) -> [TransferEstimate] {
    try checkMemory(of: method)
    return switch method {
    case .impulse: try impulse(device, channel)
    case .sweep: try sweep(device, channel)
    case .multitone: try multitone(device, channel)
    case .noise: try noise(device, channel)
    }
  }

  /// - Throws: `.usage` where the stimulus on all channels would take more memory than it may.
  func checkMemory(of method: LinearSettings.Method) throws(BenchError) {
    try AudioSignal.checkMemory(frames: frames(of: method), channels: settings.channelCount, at: "stimulus")
  }

  /// The frames of silence after a stimulus, in which the response ends.
  private func silentEnd(of method: LinearSettings.Method) -> Int {
    method == .multitone ? settings.leadFrames : settings.responseFrames + settings.endFrames
  }

  // MARK: Stimuli

  /// The frames of a whole stimulus, with the silence before and behind it.
  private func frames(of method: LinearSettings.Method) -> Int {
    return switch method {
    case .impulse: lead + settings.responseFrames + settings.endFrames
    case .sweep: lead + sweepFrames + settings.responseFrames + settings.endFrames
    case .multitone: lead + 3 * period + settings.leadFrames
    case .noise: lead + 9 * segmentFrames + settings.responseFrames + settings.endFrames
    }
  }

  private var sweepFrames: Int { max(1 << 17, 4 * settings.responseFrames) }
  /// The period of the multitone.
  private var period: Int { max(1 << 16, settings.responseFrames) }
  /// The segment of the noise's spectra.
  private var segmentFrames: Int { max(1 << 16, 2 * settings.responseFrames) }

  private func impulse(_ device: any Device, _ channel: Int) throws(BenchError) -> [TransferEstimate] {
    let played = Stimulus.impulse(
      frames: frames(of: .impulse), at: lead, amplitude: amplitude)
    let (sent, output) = try run(device, channel, played, .impulse)
    let height = sent[lead]
    return output.channels.map { samples in
      let noise = deviation(samples, of: device) * rootOfFrames / height
      let window = Array(samples[shiftFrames...].prefix(settings.leadFrames + settings.responseFrames))
      return TransferEstimate(
        response: ImpulseResponse(
          window.map { $0 / height }, leadFrames: settings.leadFrames, sampleRate: settings.sampleRate),
        noise: { _ in noise },
        silence: silence(samples) * rootOfFrames / height)
    }
  }

  private func sweep(_ device: any Device, _ channel: Int) throws(BenchError) -> [TransferEstimate] {
    let sweep = ExponentialSweep(
      // So low that only the bin at 0 Hz is extrapolated.
      startHertz: settings.sampleRate / (1.6 * Double(frames(of: .sweep) - shiftFrames)),
      endHertz: settings.sampleRate / 2, frames: sweepFrames,
      sampleRate: settings.sampleRate)
    let silence = Stimulus.silence(frames: settings.responseFrames + settings.endFrames)
    let played = Stimulus.silence(frames: lead) + sweep.samples(amplitude: amplitude) + silence
    let (sent, output) = try run(device, channel, played, .sweep)
    // A stimulus that is played later is read later: nothing else changes.
    let deconvolution = Deconvolution(
      stimulus: Array(sent[shiftFrames...]), sampleRate: settings.sampleRate, startHertz: sweep.startHertz)
    return output.channels.map { samples in
      let whole = deconvolution.response(of: Array(samples[shiftFrames..<played.count]))
      let noise = deviation(samples, of: device) * rootOfFrames
      var estimate = TransferEstimate(
        response: deconvolution.window(
          whole, from: -settings.leadFrames, frames: settings.leadFrames + settings.responseFrames),
        noise: { noise / deconvolution.stimulusMagnitude(atHertz: $0) })
      for order in 2...9 {
        // Half the way to the neighbours on both sides, with soft edges.
        let middle = -sweep.leadFrames(ofHarmonic: order)
        let width = Int(clamping: sweep.growthFrames * log(Double(order + 1) / Double(order)) * 0.8)
        estimate.harmonics.append(
          deconvolution.softWindow(whole, middle: Int(clamping: middle.rounded()), frames: width))
      }
      return estimate
    }
  }

  private func multitone(_ device: any Device, _ channel: Int) throws(BenchError) -> [TransferEstimate] {
    let tones = Multitone(
      period: period, startHertz: 20, endHertz: settings.sampleRate * 0.46, tonesPerOctave: 12,
      sampleRate: settings.sampleRate)
    let one = tones.samples(amplitude: amplitude)
    // The last period but its end is settled; what compensates its latency reads ahead into one more.
    let played = Stimulus.silence(frames: lead) + one + one + one + one.prefix(settings.leadFrames)
    let (sent, output) = try run(device, channel, played, .multitone)
    let transform = RealFFT(length: period)
    let start = lead + 2 * period
    transform.forward(sent[start..<start + period])
    let stimulus = Array(transform.bins)
    return output.channels.map { samples in
      transform.forward(samples[start..<start + period])
      var estimate = TransferEstimate()
      for bin in tones.bins {
        let hertz = Double(bin) * settings.sampleRate / Double(period)
        estimate.points.append((hertz, transform.bins[bin] / stimulus[bin]))
      }
      let level = stimulus[tones.bins[0]].magnitude
      let noise = deviation(samples, of: device) * Double(period).squareRoot() / level
      estimate.noise = { _ in noise }
      return estimate
    }
  }

  private func noise(_ device: any Device, _ channel: Int) throws(BenchError) -> [TransferEstimate] {
    let length = segmentFrames
    let played =
      Stimulus.silence(frames: lead)
      + Stimulus.whiteNoise(frames: 9 * length, amplitude: amplitude)
      + Stimulus.silence(frames: settings.responseFrames + settings.endFrames)
    let (sent, output) = try run(device, channel, played, .noise)
    // A delay against the window would take coherence away: the device's own is taken out first, and put back.
    let delay = output.channels.map { Self.coarseDelay(sent, $0, atMost: settings.responseFrames) }
    return output.channels.enumerated().map { index, samples in
      let shifted = Array(samples.dropFirst(delay[index])) + Stimulus.silence(frames: delay[index])
      let range = lead..<lead + 9 * length
      let spectrum = CrossSpectrum(
        sampleRate: settings.sampleRate, reference: Array(sent[range]), responses: [Array(shifted[range])],
        settings: SegmentSettings(segmentLength: length), threads: 1)
      let (transfer, coherence) = (spectrum.transferFunction(), spectrum.coherence())
      var estimate = TransferEstimate()
      let grid = LinearSettings.grid(sampleRate: settings.sampleRate, pointsPerOctave: 12)
      var bins: [Int] = []
      for hertz in grid where settings.trustedHertz.contains(hertz) {
        let bin = Int(clamping: (hertz * Double(length) / settings.sampleRate).rounded())
        if bin > bins.last ?? 0, bin < transfer.count { bins.append(bin) }
      }
      for bin in bins {
        let hertz = Double(bin) * settings.sampleRate / Double(length)
        let turn = Complex(magnitude: 1, phase: -2 * .pi * hertz * Double(delay[index]) / settings.sampleRate)
        estimate.points.append((hertz, transfer[bin] * turn))
      }
      // σ|H|/|H| = √((1 − γ²)/(2·n·γ²)) of n segments (Bendat and Piersol).
      let segments = Double(max(1, spectrum.segmentCount))
      let rate = settings.sampleRate
      estimate.noise = { hertz in
        let bin = min(max(1, Int(clamping: (hertz * Double(length) / rate).rounded())), transfer.count - 1)
        let squared = min(max(coherence[bin], 1e-12), 1)
        return transfer[bin].magnitude * ((1 - squared) / (2 * segments * squared)).squareRoot()
      }
      estimate.coherence = bins.map { (Double($0) * rate / Double(length), coherence[$0]) }
      return estimate
    }
  }

  /// Whole frames by which a signal comes later, by the largest cross-correlation.
  private static func coarseDelay(_ sent: [Double], _ received: [Double], atMost: Int) -> Int {
    let fft = RealFFT(length: RealFFT.fastLength(atLeast: sent.count + atMost))
    fft.correlate(received.prefix(fft.length), with: sent)
    return fft.samples.prefix(atMost).largest.place
  }

  // MARK: Running

  /// Plays samples and returns them as the device's ends keep them, and the output, at least as long.
  private func run(
    _ device: any Device, _ channel: Int, _ samples: [Double], _ method: LinearSettings.Method
  ) throws(BenchError) -> (sent: [Double], output: AudioSignal) {
    var input = AudioSignal(
      sampleRate: settings.sampleRate, channelCount: settings.channelCount, Stimulus.silence(frames: samples.count)
    )
    input.channels[channel] = samples
    input = device.precision.rounded(input)
    var output = try device.process(input)
    guard output.sampleRate == settings.sampleRate else {
      throw BenchError(
        .render, at: device.name,
        "it gives \(output.sampleRate) Hz for \(settings.sampleRate) Hz, and a linear response is at one rate",
        advice: "measure it by --what resampler")
    }
    try output.checkFinite(device)
    let least = samples.count - silentEnd(of: method)
    guard output.frameCount >= least else {
      throw BenchError(
        .render, at: device.name,
        "the output ends after \(NumberText.count(output.frameCount, "frame")), before the \(method.rawValue) that "
          + "went in is over (\(NumberText.count(least, "frame")))",
        advice: "a device has to give all of its input back: at least as many frames as it gets")
    }
    // Before the stimulus, and behind what it leaves.
    let end = method == .multitone ? samples.count : samples.count - settings.endFrames
    for index in output.channels.indices {
      settings.steadyLines.fit(
        to: output.channels[index], silent: [0..<lead / 2, end..<samples.count], sampleRate: settings.sampleRate
      )?.subtract(from: &output.channels[index])
    }
    removeOffset(&output)
    let missing = samples.count - output.frameCount
    if missing > 0 {
      for index in output.channels.indices { output.channels[index] += Stimulus.silence(frames: missing) }
    }
    return (input.channels[channel], output)
  }

  /// Takes away the offset that a device has while nothing comes in: it is no part of what it does to sound.
  private func removeOffset(_ output: inout AudioSignal) {
    for index in output.channels.indices {
      let silence = output.channels[index].prefix(lead / 2)
      guard !silence.isEmpty, silence.contains(where: { $0 != 0 }) else { continue }
      let mean = silence.mean
      let squares = silence.map { ($0 - mean) * ($0 - mean) }.mean
      // A mean within the noise is left: subtracting it would add as much.
      guard mean * mean * Double(silence.count) > 25 * squares else { continue }
      for frame in output.channels[index].indices { output.channels[index][frame] -= mean }
    }
  }

  /// The deviation of an output sample: the device's output before any input has arrived, and the rounding to its
  /// format.
  private func deviation(_ samples: [Double], of device: any Device) -> Double {
    hypot(silence(samples), device.precision.roundingDeviation(peak: amplitude))
  }

  private func silence(_ samples: [Double]) -> Double {
    let silence = samples.prefix(lead / 2)
    return (silence.sumOfSquares / Double(max(1, silence.count))).squareRoot()
  }
}

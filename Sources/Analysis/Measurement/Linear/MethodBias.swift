import AudioCore
import Glibc
import Spectrum

/// By how much a stimulus is off by itself: what the same measurement is off by of a device that does exactly what was
/// found of this one, in double precision, where nothing is rounded and nothing scatters.
struct BiasByFrequency: Sendable {
  /// The error of a complex value of H, at rising frequencies.
  private let errors: [(hertz: Double, error: Double)]
  let groupDelayFrames: Double
  /// The error of the time of the largest peak.
  let arrivalFrames: Double
  /// The harmonics that are read of a device without any, as a part of the linear response; by order from 2 on.
  let harmonics: [Double]

  /// An impulse shows the response itself.
  static let none = BiasByFrequency()

  private init() { (errors, groupDelayFrames, arrivalFrames, harmonics) = ([], 0, 0, []) }

  /// Measures the error on a device with a known response.
  init(of method: LinearSettings.Method, on response: ImpulseResponse, _ settings: LinearSettings) throws(BenchError) {
    let device = FunctionDevice("what was found") { (input) throws(BenchError) in response.applied(to: input) }
    try self.init(of: method, on: device, arrival: response.arrivalFrames, settings) { response.transfers(atHertz: $0) }
  }

  /// Measures the error on ``KnownFilter``, for stimuli that give no whole response.
  init(of method: LinearSettings.Method, _ settings: LinearSettings) throws(BenchError) {
    let filter = KnownFilter(sampleRate: settings.sampleRate)
    try self.init(of: method, on: filter.device(.float64), arrival: nil, settings) {
      $0.map { filter.transfer(atHertz: $0) }
    }
  }

  /// - Parameter transfers: the truth by frequency.
  private init(
    of method: LinearSettings.Method, on device: FunctionDevice, arrival: Double?, _ settings: LinearSettings,
    _ transfers: ([Double]) -> [(value: Complex, slope: Complex)]
  ) throws(BenchError) {
    let frequencies = settings.trustedFrequencies
    let truths = zip(frequencies, transfers(frequencies)).map { (hertz: $0, truth: $1) }
    var settings = settings
    settings.channelCount = 1
    let estimate = try TransferEstimator(settings: settings).estimates(of: device, by: method, input: 0)[0]
    let top = truths.reduce(0) { max($0, $1.truth.value.magnitude) }
    var errors: [(hertz: Double, error: Double)] = []
    var delay = 0.0
    if let response = estimate.response {
      for (known, found) in zip(truths, response.transfers(atHertz: truths.map(\.hertz))) {
        errors.append((known.hertz, (found.value - known.truth.value).magnitude))
        guard known.truth.value.magnitude > top * 1e-3 else { continue }
        delay = max(
          delay, abs(ImpulseResponse.groupDelayFrames(found) - ImpulseResponse.groupDelayFrames(known.truth)))
      }
    }
    for point in estimate.points where settings.trustedHertz.contains(point.hertz) {
      errors.append((point.hertz, (point.value - transfers([point.hertz])[0].value).magnitude))
    }
    self.errors = errors
    groupDelayFrames = delay
    arrivalFrames = abs((estimate.response?.arrivalFrames ?? 0) - (arrival ?? estimate.response?.arrivalFrames ?? 0))
    harmonics = estimate.harmonics.enumerated().map { index, harmonic in
      let order = Double(index + 2)
      let heard = truths.filter { $0.hertz * order < settings.sampleRate * 0.45 }
      let levels = harmonic.values(atHertz: heard.map { $0.hertz * order }).map(\.magnitude)
      return (levels.max() ?? 0) / max(top, 1e-300)
    }
  }

  /// The error of |H|: the largest within half an octave to either side.
  func error(atHertz hertz: Double) -> Double {
    errors.reduce(0) { most, next in
      next.hertz > hertz / 1.42 && next.hertz < hertz * 1.42 ? max(most, next.error) : most
    }
  }
}

extension ImpulseResponse {
  /// The output of a device with this response for a signal, as long as the signal.
  func applied(to signal: AudioSignal) -> AudioSignal {
    let transform = RealFFT(length: RealFFT.fastLength(atLeast: signal.frameCount + samples.count))
    transform.forward(samples)
    let filter = Array(transform.bins)
    let channels = signal.channels.map { channel -> [Double] in
      transform.forward(channel)
      for bin in filter.indices { transform.bins[bin] = transform.bins[bin] * filter[bin] }
      transform.inverse()
      return Array(transform.samples[leadFrames..<leadFrames + channel.count])
    }
    return AudioSignal(sampleRate: signal.sampleRate, channels: channels)
  }
}

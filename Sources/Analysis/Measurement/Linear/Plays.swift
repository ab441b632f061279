import AudioCore
import Glibc
import Spectrum

/// Several plays of one stimulus, at other times and levels.
struct Plays {
  let method: LinearSettings.Method
  /// The first play, by output channel.
  private let estimates: [TransferEstimate]
  /// The same, only later.
  private let laterEstimates: [TransferEstimate]
  private let scatters: [ScatteredResponse?]
  /// Frames later, decibels louder. Levels that differ a little are rounded in other places.
  private static let variations = [(0, 0.0), (1009, -0.7), (2027, -1.3), (353, -2.1)]
  static let laterFrames = 1009
  /// The deviation of H, relative to its largest value, from which on a device counts as noisy: −110 dB.
  private static let noisyPart = 3e-6

  init(of device: any Device, channel: Int, _ settings: LinearSettings) throws(BenchError) {
    let method = settings.methods[0]
    self.method = method
    func play(_ shift: Int, _ gain: Double) throws(BenchError) -> [TransferEstimate] {
      try TransferEstimator(settings: settings, shiftFrames: shift, gainDecibels: gain)
        .estimates(of: device, by: method, input: channel)
    }
    var plays: [[TransferEstimate]] = []
    // Methods without a whole response report their scatter themselves.
    let hasResponse = method == .impulse || method == .sweep
    for (shift, gain) in Self.variations.prefix(hasResponse ? Self.variations.count : 1) {
      plays.append(try play(shift, gain))
    }
    estimates = plays[0]
    laterEstimates = try play(Self.laterFrames, 0)
    let outputs = plays.reduce(laterEstimates.count) { min($0, $1.count) }
    let height = settings.amplitude
    scatters = (0..<outputs).map { output in
      let responses = plays.compactMap { $0[output].response }
      guard responses.count > 1 else { return nil }
      // A sweep has so many samples that their scatter says it all.
      return ScatteredResponse(responses) {
        method == .impulse ? device.precision.roundingDeviation(peak: $0 * height) / height : 0
      }
    }
  }

  var outputCount: Int { scatters.count }
  func scattered(_ output: Int) -> ScatteredResponse? { scatters[output] }
  /// The first.
  func estimate(_ output: Int) -> TransferEstimate { estimates[output] }
  func later(_ output: Int) -> TransferEstimate { laterEstimates[output] }

  func isNoisy(_ output: Int) -> Bool {
    guard let scatter = scatters[output] else { return false }
    let rate = scatter.mean.sampleRate
    let frequencies = (1...16).map { rate * 0.45 * Double($0) / 16 }
    let top = scatter.mean.values(atHertz: frequencies).reduce(0) { max($0, $1.magnitude) }
    return estimates[output].silence > Self.noisyPart * top
  }
}

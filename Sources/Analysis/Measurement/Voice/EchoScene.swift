import AudioCore
import Glibc
import Spectrum

/// The input of a voice processor: what the loudspeaker plays, and its echo at the microphone with near-end speech.
package struct EchoScene: Sendable {
  /// The path of sound from the loudspeaker to the microphone.
  package struct Path: Hashable, Sendable {
    /// From the playing of a frame to the end of its echo, which has fallen by 60 dB there, seconds.
    package var seconds = 0.1
    /// Until the first of the echo, seconds.
    package var delaySeconds = 0.02
    /// The level of the echo over what is played, both as rms, dB.
    package var gainDecibels = -6.0
    /// The harmonics of a loudspeaker, as parts of a sine whose peak is 12.6 dB above the far end's rms: tanh. 0 is
    /// linear.
    package var distortion = 0.0
    /// The excess of the microphone's clock over the loudspeaker's, parts per million.
    package var driftPartsPerMillion = 0.0

    package init() {}
  }

  /// Hertz.
  package let sampleRate: Double
  /// The signal that the loudspeaker plays.
  package let far: [Double]
  /// The echo of ``far`` at the microphone.
  package var echo: [Double]
  /// The near-end speech at the microphone.
  package var near: [Double]
  /// Besides, a noise in the room.
  package var noise: [Double]

  package var microphone: [Double] { far.indices.map { echo[$0] + near[$0] + noise[$0] } }

  /// A scene without near-end speech and noise.
  ///
  /// - Parameter seed: the seed of the path: an exponentially decaying noise.
  package init(far: [Double], path: Path, sampleRate: Double, seed: UInt64) {
    self.sampleRate = sampleRate
    self.far = far
    near = [Double](repeating: 0, count: far.count)
    noise = near
    echo = Self.echo(of: far, path, sampleRate, seed)
  }

  private static func echo(of far: [Double], _ path: Path, _ sampleRate: Double, _ seed: UInt64) -> [Double] {
    let rms = VoiceFigures.rms(far)
    var played = far
    if path.distortion > 0, rms > 0 {
      let drive = drive(distortion: path.distortion) / (3 * rms * 2.0.squareRoot())
      played = far.map { tanh(drive * $0) / drive }
    }
    let (frames, delay) = (Int(clamping: path.seconds * sampleRate), Int(clamping: path.delaySeconds * sampleRate))
    var signals = VoiceSignals(sampleRate: sampleRate, seed: seed &+ 1000)
    let tail = max(1, frames - delay)
    var response = [Double](repeating: 0, count: delay)
    for (frame, sample) in signals.noise(frames: tail, rmsDecibels: 0).enumerated() {
      response.append(sample * pow(10, -3 * Double(frame) / Double(tail)))
    }
    var echo = convolved(played, response)
    if path.driftPartsPerMillion != 0 { echo = stretched(echo, by: 1 + path.driftPartsPerMillion * 1e-6) }
    let gain = rms * Decibels.amplitude(path.gainDecibels) / max(VoiceFigures.rms(echo), 1e-12)
    return echo.map { $0 * gain }
  }

  /// The peak of a sine whose tanh has so much harmonic distortion.
  private static func drive(distortion: Double) -> Double {
    func harmonics(_ peak: Double) -> Double {
      let count = 512
      let wave = (0..<count).map { tanh(peak * sin(2 * .pi * Double($0) / Double(count))) }
      func part(_ order: Int) -> Double {
        2 / Double(count)
          * wave.enumerated().reduce(0) { $0 + $1.element * sin(2 * .pi * Double(order * $1.offset) / Double(count)) }
      }
      let others = stride(from: 3, through: 31, by: 2).reduce(0) { $0 + part($1) * part($1) }
      return others.squareRoot() / part(1)
    }
    var (low, high) = (1e-3, 5.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if harmonics(middle) > distortion { high = middle } else { low = middle }
    }
    return low
  }

  /// As long as the signal.
  private static func convolved(_ signal: [Double], _ response: [Double]) -> [Double] {
    let length = RealFFT.fastLength(atLeast: signal.count + response.count)
    let transform = RealFFT(length: length)
    transform.forward(response)
    let factors = transform.bins.map { $0 }
    transform.forward(signal)
    for bin in 0..<transform.binCount { transform.bins[bin] = transform.bins[bin] * factors[bin] }
    transform.inverse()
    return (0..<signal.count).map { transform.samples[$0] }
  }

  /// The signal at the frames of a clock that runs faster by a factor: interpolated by 64 points of a sinc under a Hann
  /// window.
  private static func stretched(_ signal: [Double], by factor: Double) -> [Double] {
    let half = 32
    return signal.indices.map { frame in
      let time = Double(frame) * factor
      let nearest = Int(clamping: time.rounded(.down))
      let fraction = time - Double(nearest)
      var sum = 0.0
      for offset in (1 - half)...half {
        let place = nearest + offset
        guard signal.indices.contains(place) else { continue }
        let distance = Double(offset) - fraction
        let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
        sum += signal[place] * sinc * (0.5 + 0.5 * cos(.pi * distance / Double(half)))
      }
      return sum
    }
  }
}

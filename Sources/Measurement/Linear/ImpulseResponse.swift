import AudioCore
import Glibc
import Spectrum

/// What a linear device makes of an impulse of height 1 at frame 0, and what follows from it.
public struct ImpulseResponse: Hashable, Sendable {
  /// Hertz.
  public let sampleRate: Double
  /// From frame −``leadFrames`` on.
  public let samples: [Double]
  /// Frames before frame 0: what a device with compensated latency rings before its time.
  public let leadFrames: Int

  public init(_ samples: [Double], leadFrames: Int = 0, sampleRate: Double) {
    self.samples = samples
    self.leadFrames = leadFrames
    self.sampleRate = sampleRate
  }

  /// H(f) = Σ h[n]·e^(−2πifn/rate), and −dH/d(iω) = Σ n·h[n]·e^(−iωn), of which group delay is made.
  public func transfer(atHertz hertz: Double) -> (value: Complex, slope: Complex) { transfers(atHertz: [hertz])[0] }

  /// As ``transfer(atHertz:)``, of many frequencies: eight side by side.
  public func transfers(atHertz frequencies: [Double]) -> [(value: Complex, slope: Complex)] {
    typealias Lanes = SIMD8<Double>
    // Trailing zeros add nothing.
    let end = (samples.lastIndex { $0 != 0 } ?? -1) + 1
    var results: [(value: Complex, slope: Complex)] = []
    results.reserveCapacity(frequencies.count)
    samples.withUnsafeBufferPointer { samples in
      for first in stride(from: 0, to: frequencies.count, by: Lanes.scalarCount) {
        let count = min(Lanes.scalarCount, frequencies.count - first)
        var omega = Lanes.zero
        for lane in 0..<count { omega[lane] = 2 * Double.pi * frequencies[first + lane] / sampleRate }
        let (stepCosine, stepSine) = Self.turn(omega)
        var (real, imaginary, slopeReal, slopeImaginary) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var start = 0
        while start < end {
          // The rotation is exact again every 512 frames.
          var (cosine, sine) = Self.turn(omega * Double(start - leadFrames))
          let stop = min(start + 512, end)
          for index in start..<stop {
            let (inPhase, quadrature) = (cosine * samples[index], sine * samples[index])
            real += inPhase
            imaginary -= quadrature
            slopeReal += inPhase * Double(index - leadFrames)
            slopeImaginary -= quadrature * Double(index - leadFrames)
            (cosine, sine) = (cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine)
          }
          start = stop
        }
        for lane in 0..<count {
          results.append(
            (Complex(real[lane], imaginary[lane]), Complex(slopeReal[lane], slopeImaginary[lane])))
        }
      }
    }
    return results
  }

  /// Cosines and sines of angles in radians.
  private static func turn(_ angles: SIMD8<Double>) -> (SIMD8<Double>, SIMD8<Double>) {
    var (cosines, sines) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    for lane in 0..<8 { (cosines[lane], sines[lane]) = (cos(angles[lane]), sin(angles[lane])) }
    return (cosines, sines)
  }

  /// Frames by which the envelope of a tone is delayed: Re(Σ n·h·e^(−iωn) ÷ Σ h·e^(−iωn)).
  public static func groupDelayFrames(_ transfer: (value: Complex, slope: Complex)) -> Double {
    (transfer.slope / transfer.value).real
  }

  /// The largest magnitude, and the frame it has.
  public var peak: (frame: Int, magnitude: Double) {
    var best = (frame: 0, magnitude: 0.0)
    for (index, sample) in samples.enumerated() where abs(sample) > best.magnitude {
      best = (index - leadFrames, abs(sample))
    }
    return best
  }

  /// The frame at which the band-limited response has its largest magnitude: for a pure delay by any fraction, the delay.
  ///
  /// h(t) = (1/N)·Σ X[k]·e^(2πikt/N), maximised by Newton's method from the largest sample on. Nil for silence.
  public var arrivalFrames: Double? {
    let peak = peak
    guard peak.magnitude > 0 else { return nil }
    let length = RealFFT.fastLength(atLeast: samples.count)
    let transform = RealFFT(length: length)
    transform.forward(samples)
    return Self.peakFrames(of: transform, near: Double(peak.frame + leadFrames)).map { $0 - Double(leadFrames) }
  }

  /// The time of the largest magnitude of a band-limited signal, given by its bins, near a first guess.
  static func peakFrames(of transform: RealFFT, near guess: Double) -> Double? {
    let length = transform.length
    let bins = transform.bins
    /// h, h', h'' at t.
    func derivatives(_ time: Double) -> (Double, Double, Double) {
      var (value, slope, bend) = (bins[0].real, 0.0, 0.0)
      let omega = 2 * Double.pi / Double(length)
      for index in 1..<bins.count {
        // The turn is taken modulo N first: late frames are as exact as early ones.
        let place = (Double(index) * time).truncatingRemainder(dividingBy: Double(length))
        let part = bins[index] * Complex(magnitude: 1, phase: omega * place)
        let weight = 2 * index == length ? 1.0 : 2.0
        let frequency = omega * Double(index)
        value += weight * part.real
        slope -= weight * frequency * part.imaginary
        bend -= weight * frequency * frequency * part.real
      }
      return (value, slope, bend)
    }
    // Between two samples the largest magnitude may lie on either side: look at quarters first.
    var time = guess
    var best = 0.0
    for quarter in -4...4 {
      let candidate = guess + Double(quarter) / 4
      let value = abs(derivatives(candidate).0)
      if value > best { (best, time) = (value, candidate) }
    }
    for _ in 0..<20 {
      let (_, slope, bend) = derivatives(time)
      guard bend != 0, slope.isFinite else { return nil }
      let step = max(-0.25, min(0.25, -slope / bend))
      time += step
      if abs(step) < 1e-9 { break }
    }
    return abs(time - guess) <= 1.5 ? time : guess
  }

  /// The frame behind the last one whose magnitude is above −120 dB of the impulse: how long it rings.
  public func lengthFrames(floorDecibels: Double = -120) -> Int {
    let threshold = pow(10, floorDecibels / 20)
    guard let last = samples.lastIndex(where: { abs($0) > threshold }) else { return 0 }
    return last + 1 - leadFrames
  }

  /// What a step of height 1 at frame 0 becomes: the running sum, from frame −``leadFrames`` on.
  public var step: [Double] {
    var sum = 0.0
    return samples.map {
      sum += $0
      return sum
    }
  }

  /// The delay beyond that of the minimum-phase device of the same magnitude, in frames: what is left of the phase when
  /// the phase that the magnitude implies is taken away (by the real cepstrum), read as a delay. 0 for an equalizer, the
  /// latency of a delay line, also behind an equalizer.
  public var pureDelayFrames: Double? {
    guard peak.magnitude > 0 else { return nil }
    let length = RealFFT.fastLength(atLeast: 4 * samples.count)
    let (response, cepstrum) = (RealFFT(length: length), RealFFT(length: length))
    response.forward(samples)
    let top = response.bins.reduce(0) { max($0, $1.squaredMagnitude) }
    let floor = top * 1e-16
    for index in cepstrum.bins.indices {
      cepstrum.bins[index] = Complex(0.5 * log(max(response.bins[index].squaredMagnitude, floor)))
    }
    cepstrum.inverse()
    // Folding the cepstrum onto positive times makes its transform log|H| + i·(minimum phase).
    for index in 1..<length where 2 * index != length {
      cepstrum.samples[index] = 2 * index < length ? 2 * cepstrum.samples[index] : 0
    }
    cepstrum.forward()
    var weights = 0.0
    for index in response.bins.indices {
      let squared = response.bins[index].squaredMagnitude
      // Only where the device lets sound pass does its phase mean anything.
      guard squared > top * 1e-6, index > 0, 2 * index < length else {
        response.bins[index] = Complex(0)
        continue
      }
      let unit = response.bins[index] / squared.squareRoot()
      response.bins[index] = unit * Complex(magnitude: 1, phase: -cepstrum.bins[index].imaginary)
      weights += 1
    }
    guard weights > 0 else { return nil }
    let allPass = RealFFT(length: length)
    for index in allPass.bins.indices { allPass.bins[index] = response.bins[index] }
    response.inverse()
    var (best, place) = (0.0, 0)
    for index in 0..<length where abs(response.samples[index]) > best {
      (best, place) = (abs(response.samples[index]), index)
    }
    let frames = place > length / 2 ? place - length : place
    return Self.peakFrames(of: allPass, near: Double(frames)).map { $0 - Double(leadFrames) }
  }
}

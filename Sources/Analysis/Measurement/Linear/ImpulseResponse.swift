import AudioCore
import Glibc
import Spectrum

/// The response of a linear device to an impulse of height 1 at frame 0, and values derived from it.
public struct ImpulseResponse: Hashable, Sendable {
  /// Hertz.
  public let sampleRate: Double
  /// From frame −``leadFrames`` on.
  public let samples: [Double]
  /// Frames before frame 0: what a device with compensated latency rings before its time.
  public let leadFrames: Int

  /// - Parameters:
  ///   - samples: from frame −`leadFrames` on.
  ///   - leadFrames: samples in front of frame 0.
  ///   - sampleRate: hertz.
  public init(_ samples: [Double], leadFrames: Int = 0, sampleRate: Double) {
    self.samples = samples
    self.leadFrames = leadFrames
    self.sampleRate = sampleRate
  }

  /// H(f) = Σ h[n]·e^(−2πifn/rate), and −dH/d(iω) = Σ n·h[n]·e^(−iωn), of which group delay is made.
  public func transfer(atHertz hertz: Double) -> (value: Complex, slope: Complex) { transfers(atHertz: [hertz])[0] }

  /// As ``transfer(atHertz:)``, of many frequencies: eight side by side.
  public func transfers(atHertz frequencies: [Double]) -> [(value: Complex, slope: Complex)] {
    sums(atHertz: frequencies, withSlope: true) { ($0, $1) }
  }

  /// H alone, in about half the time.
  public func values(atHertz frequencies: [Double]) -> [Complex] {
    sums(atHertz: frequencies, withSlope: false) { value, _ in value }
  }

  @inline(__always)
  private func sums<Result>(
    atHertz frequencies: [Double], withSlope: Bool, _ result: (Complex, Complex) -> Result
  ) -> [Result] {
    typealias Lanes = SIMD8<Double>
    var results: [Result] = []
    results.reserveCapacity(frequencies.count)
    // Zeros at the end add nothing.
    let end = (samples.lastIndex { $0 != 0 } ?? -1) + 1
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
          if withSlope {
            slopeReal += inPhase * Double(index - leadFrames)
            slopeImaginary -= quadrature * Double(index - leadFrames)
          }
          (cosine, sine) = (cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine)
        }
        start = stop
      }
      for lane in 0..<count {
        results.append(
          result(Complex(real[lane], imaginary[lane]), Complex(slopeReal[lane], slopeImaginary[lane])))
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
    let (place, magnitude) = samples.largest
    return (magnitude > 0 ? place - leadFrames : 0, magnitude)
  }

  /// The largest magnitude of a band-limited response.
  struct Arrival {
    /// Frames from frame 0 on.
    var frames: Double
    let height: Double
    /// The second derivative there, per frame squared.
    let curvature: Double
  }

  /// The frame at which the band-limited response has its largest magnitude: for a pure delay by any fraction, the
  /// delay.
  ///
  /// h(t) = Σ h[n]·sinc(t − n), maximised by Newton's method from the largest sample on. Nil for silence.
  public var arrivalFrames: Double? { arrival?.frames }

  var arrival: Arrival? {
    let peak = peak
    guard peak.magnitude > 0 else { return nil }
    var arrival = Self.summit(near: Double(peak.frame + leadFrames), tolerance: 1e-12) { course(at: $0) }
    arrival?.frames -= Double(leadFrames)
    return arrival
  }

  /// The place of a course's largest magnitude near a first guess, by Newton's method.
  /// - Parameter course: its value and first two derivatives at a time in frames.
  private static func summit(
    near guess: Double, tolerance: Double, _ course: (Double) -> (value: Double, slope: Double, bend: Double)
  ) -> Arrival? {
    // Between two samples the largest magnitude may lie on either side: look at quarters first.
    var time = guess
    var best = 0.0
    for quarter in -4...4 {
      let candidate = guess + Double(quarter) / 4
      let value = abs(course(candidate).value)
      if value > best { (best, time) = (value, candidate) }
    }
    for _ in 0..<20 {
      let here = course(time)
      guard here.bend != 0, here.slope.isFinite else { return nil }
      let step = max(-0.25, min(0.25, -here.slope / here.bend))
      time += step
      if abs(step) < tolerance { break }
    }
    if abs(time - guess) > 1.5 { time = guess }
    let top = course(time)
    return Arrival(frames: time, height: top.value, curvature: top.bend)
  }

  /// The band-limited course Σ h[n]·sinc(t − n) and its first two derivatives, t in frames from the first sample on.
  /// The sine and the cosine are the same in all terms but for their sign.
  private func course(at time: Double) -> (value: Double, slope: Double, bend: Double) {
    let nearest = time.rounded()
    let rest = time - nearest
    let (sine, cosine) = (sin(.pi * rest), cos(.pi * rest))
    var (value, slope, bend) = (0.0, 0.0, 0.0)
    let middle = Int(clamping: nearest)
    for index in samples.indices where index != middle {
      let inverse = 1 / (time - Double(index))
      let sample = (index - middle) & 1 == 0 ? samples[index] : -samples[index]
      let (s, c) = (sine / .pi * inverse, cosine * inverse)
      value += sample * s
      slope += sample * (c - s * inverse)
      bend += sample * (2 * s * inverse * inverse - 2 * c * inverse - .pi * sine * inverse)
    }
    guard samples.indices.contains(middle) else { return (value, slope, bend) }
    // Around its own middle a sinc by its series: the terms above would cancel.
    let u = Double.pi * rest * Double.pi * rest
    let sample = samples[middle]
    value += sample * (1 - u / 6 * (1 - u / 20 * (1 - u / 42 * (1 - u / 72))))
    slope += sample * -.pi * .pi * rest / 3 * (1 - u / 10 * (1 - u / 28 * (1 - u / 54 * (1 - u / 88))))
    bend += sample * -.pi * .pi / 3 * (1 - 3 * u / 10 * (1 - 5 * u / 84 * (1 - 7 * u / 270 * (1 - 9 * u / 616))))
    return (value, slope, bend)
  }

  /// The distance between samples that are nearly as large as the largest: noise may make any of them the peak. Nil:
  /// none is.
  func rivalDistance(within difference: Double) -> Double? {
    guard difference > 0 else { return nil }
    let nearly = peak.magnitude - difference
    let first = samples.firstIndex { abs($0) >= nearly } ?? 0
    let last = samples.lastIndex { abs($0) >= nearly } ?? 0
    return last - first > 1 ? Double(last - first) : nil
  }

  /// The largest magnitude of a band-limited signal, given by its bins, near a first guess.
  static func peak(of transform: RealFFT, near guess: Double) -> Arrival? {
    let length = transform.length
    let bins = transform.bins
    /// h, h', h'' at t.
    func derivatives(_ time: Double) -> (value: Double, slope: Double, bend: Double) {
      let omega = 2 * Double.pi / Double(length)
      var (value, slope, bend) = (bins[0].real, 0.0, 0.0)
      let step = Complex(magnitude: 1, phase: omega * time.truncatingRemainder(dividingBy: Double(length)))
      var turn = step
      for index in 1..<bins.count {
        if index & 255 == 0 {
          // The rotation is exact again; the turn is taken modulo N first, so that late frames are as exact as early
          // ones.
          let place = (Double(index) * time).truncatingRemainder(dividingBy: Double(length))
          turn = Complex(magnitude: 1, phase: omega * place)
        }
        let part = bins[index] * turn
        let weight = 2 * index == length ? 1.0 : 2.0
        let frequency = omega * Double(index)
        value += weight * part.real
        slope -= weight * frequency * part.imaginary
        bend -= weight * frequency * frequency * part.real
        turn = turn * step
      }
      return (value, slope, bend)
    }
    return summit(near: guess, tolerance: 1e-9, derivatives).map { top in
      Arrival(
        frames: top.frames, height: top.height / Double(length), curvature: top.curvature / Double(length))
    }
  }

  /// The frame behind the last one whose magnitude is above −120 dB of the impulse: how long it rings.
  public func lengthFrames(floorDecibels: Double = -120) -> Int {
    let threshold = Decibels.amplitude(floorDecibels)
    guard let last = samples.lastIndex(where: { abs($0) > threshold }) else { return 0 }
    return last + 1 - leadFrames
  }

  /// The response to a step of height 1 at frame 0: the running sum, from frame −``leadFrames`` on.
  public var step: [Double] {
    var sum = 0.0
    return samples.map {
      sum += $0
      return sum
    }
  }

  /// The delay beyond that of the minimum-phase device of the same magnitude, in frames: what is left of the phase when
  /// the phase that the magnitude implies is taken away (by the real cepstrum), read as a delay. 0 for an equalizer,
  /// the latency of a delay line, also behind an equalizer.
  public var pureDelayFrames: Double? { pureDelayFrames(padding: 4) }

  /// - Parameters:
  ///   - padding: the length of the transform over the response's: the cepstrum is endless, and what does not fit folds
  ///     back.
  ///   - floor: the least |H|², by frequency: noise or rounding below it says nothing of its phase.
  func pureDelayFrames(padding: Int, floor least: (Double) -> Double = { _ in 0 }) -> Double? {
    guard peak.magnitude > 0 else { return nil }
    let length = RealFFT.fastLength(atLeast: padding * max(8192, samples.count))
    let (response, cepstrum) = (RealFFT(length: length), RealFFT(length: length))
    response.forward(samples)
    let top = response.bins.reduce(0) { max($0, $1.squaredMagnitude) }
    let floor = top * 1e-16
    for index in cepstrum.bins.indices {
      let least = max(floor, least(Double(index) * sampleRate / Double(length)))
      cepstrum.bins[index] = Complex(0.5 * log(max(response.bins[index].squaredMagnitude, least)))
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
    let place = response.samples.largest.place
    let frames = place > length / 2 ? place - length : place
    return Self.peak(of: allPass, near: Double(frames)).map { $0.frames - Double(leadFrames) }
  }
}

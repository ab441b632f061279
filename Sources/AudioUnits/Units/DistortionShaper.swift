// The stages of a distortion at eight times the rate: polynomial, ring modulation, soft clip. Runs on the render thread; allocates
// nothing after init. Formulas: Distortion.swift.

import AudioCore
import DSPKernels
import Glibc

extension CellRamp {
  /// Whether it is 0 at both ends of the cell.
  var isZero: Bool { !isMoving && exactValue(at: 0) == 0 }
}

/// Two oscillators that all channels share: sine and cosine at each frame, and what they turn by within one.
final class RingOscillators: @unchecked Sendable {
  private let sampleRate: Double
  private let first: Oscillator
  private let second: Oscillator

  /// A point that turns on the circle.
  private final class Oscillator: @unchecked Sendable {
    let sines = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)
    let cosines = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)
    /// By eighths of a frame.
    let parts = FlatMemory<(sine: Float, cosine: Float)>(repeating: (0, 1), count: Oversampler.factor)
    private var turnsPerFrame = -1.0
    private var turn = (sine: 0.0, cosine: 1.0)
    private var point = (sine: 0.0, cosine: 1.0)

    func set(turnsPerFrame: Double) {
      guard turnsPerFrame != self.turnsPerFrame else { return }
      self.turnsPerFrame = turnsPerFrame
      let angle = 2 * .pi * turnsPerFrame
      turn = (sin(angle), cos(angle))
      for part in 0..<parts.count {
        let angle = angle * Double(part) / Double(parts.count)
        parts.start[part] = (Float(sin(angle)), Float(cos(angle)))
      }
    }

    func turn(_ count: Int) {
      var (sine, cosine) = point
      for frame in 0..<count {
        sines.start[frame] = Float(sine)
        cosines.start[frame] = Float(cosine)
        let next = (sine * turn.cosine + cosine * turn.sine, cosine * turn.cosine - sine * turn.sine)
        // Back to the circle, from which rounding leads away.
        let scale = 1.5 - 0.5 * (next.0 * next.0 + next.1 * next.1)
        (sine, cosine) = (next.0 * scale, next.1 * scale)
      }
      point = (sine, cosine)
    }

    func reset() { point = (0, 1) }

    /// Of eight frames, an eighth's multiple later.
    func values(from frame: Int, part: Int) -> SIMD8<Float> {
      let (sine, cosine) = parts.start[part]
      return lanes(sines.start + frame) * cosine + lanes(cosines.start + frame) * sine
    }
  }

  init(_ format: StreamFormat) {
    sampleRate = format.sampleRate
    (first, second) = (Oscillator(), Oscillator())
  }

  /// Takes over frequencies, hertz.
  func begin(_ one: Double, _ other: Double) {
    first.set(turnsPerFrame: min(8000, max(0.5, one)) / sampleRate)
    second.set(turnsPerFrame: min(8000, max(0.5, other)) / sampleRate)
  }

  /// Computes the frames of a block.
  func turn(_ count: Int) {
    first.turn(count)
    second.turn(count)
  }

  /// What eight frames are multiplied by, `part` eighths later.
  func values(from frame: Int, part: Int, balance: SIMD8<Float>) -> SIMD8<Float> {
    (1 - balance) * first.values(from: frame, part: part) + balance * second.values(from: frame, part: part)
  }

  func reset() {
    first.reset()
    second.reset()
  }
}

@inline(__always)
private func lanes(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
  UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
}

/// One channel at eight times its rate.
final class DistortionShaper: @unchecked Sendable {
  struct Ramps {
    let linear: CellRamp
    let squared: CellRamp
    let cubic: CellRamp
    let polynomialMix: CellRamp
    let ringBalance: CellRamp
    let ringMix: CellRamp
    let gain: CellRamp

    var isMoving: Bool {
      linear.isMoving || squared.isMoving || cubic.isMoving || polynomialMix.isMoving || ringBalance.isMoving
        || ringMix.isMoving || gain.isMoving
    }
  }

  private let oversampler = Oversampler()
  /// How much of the difference the low pass of the squares takes over in a frame, and where it is.
  private let share: Double
  private var mean = 0.0
  /// Of each frame of a block: the squares' mean over its eight samples, then the low pass behind it; and that of the frame before.
  private let means = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)
  private let formerMeans = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)

  init(_ format: StreamFormat) { share = 1 - exp(-2 * .pi * 10 / format.sampleRate) }

  func process(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ ramps: Ramps, from offset: Int, _ ring: RingOscillators
  ) {
    oversampler.up(samples, frames: count)
    let hasPolynomial = !ramps.polynomialMix.isZero
    if hasPolynomial && !ramps.squared.isZero { findMeans(count) } else { mean = 0 }
    let hasMeans = hasPolynomial && !ramps.squared.isZero
    for part in 0..<Oversampler.factor {
      if hasPolynomial { polynomial(part, count, ramps, from: offset, hasMeans: hasMeans) }
      if !ramps.ringMix.isZero { modulate(part, count, ramps, from: offset, ring) }
      clip(part, count, ramps.gain, from: offset)
    }
    oversampler.down(to: samples, frames: count)
  }

  private static func limited(_ values: SIMD8<Float>, _ most: Float) -> SIMD8<Float> {
    let low = values.replacing(with: SIMD8(repeating: -most), where: values .< -most)
    return low.replacing(with: SIMD8(repeating: most), where: low .> most)
  }

  private func findMeans(_ count: Int) {
    let (means, former) = (means.start, formerMeans.start)
    means.update(repeating: 0, count: Oversampler.blockFrames)
    for part in 0..<Oversampler.factor {
      let plane = oversampler.plane(part)
      for frame in stride(from: 0, to: count, by: 8) {
        let x = lanes(plane + frame)
        store(lanes(means + frame) + 0.125 * (x * x), means + frame)
      }
    }
    for frame in 0..<count {
      former[frame] = Float(mean)
      mean += share * (Double(means[frame]) - mean)
      means[frame] = Float(mean)
    }
  }

  @inline(__always)
  private func store(_ values: SIMD8<Float>, _ samples: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(samples).storeBytes(of: values, as: SIMD8<Float>.self)
  }

  private func polynomial(_ part: Int, _ count: Int, _ ramps: Ramps, from offset: Int, hasMeans: Bool) {
    let plane = oversampler.plane(part)
    let place = Double(part) / Double(Oversampler.factor)
    let step = Float(part + 1) / Float(Oversampler.factor)
    let isMoving = ramps.isMoving
    func values(_ ramp: CellRamp, _ frame: Int) -> SIMD8<Float> { ramp.values(from: offset + frame, later: place) }
    var (linear, squared) = (values(ramps.linear, 0), values(ramps.squared, 0))
    var (cubic, mix) = (values(ramps.cubic, 0), values(ramps.polynomialMix, 0))
    for frame in stride(from: 0, to: count, by: 8) {
      if isMoving && frame > 0 {
        (linear, squared) = (values(ramps.linear, frame), values(ramps.squared, frame))
        (cubic, mix) = (values(ramps.cubic, frame), values(ramps.polynomialMix, frame))
      }
      let x = lanes(plane + frame)
      let square = x * x
      var sum = linear * x + cubic * (square * x)
      if hasMeans {
        let former = lanes(formerMeans.start + frame)
        sum += squared * (square - (former + (lanes(means.start + frame) - former) * step))
      }
      store((1 - mix) * x + mix * sum, plane + frame)
    }
  }

  private func modulate(_ part: Int, _ count: Int, _ ramps: Ramps, from offset: Int, _ ring: RingOscillators) {
    let plane = oversampler.plane(part)
    let place = Double(part) / Double(Oversampler.factor)
    for frame in stride(from: 0, to: count, by: 8) {
      let balance = ramps.ringBalance.values(from: offset + frame, later: place)
      let mix = ramps.ringMix.values(from: offset + frame, later: place)
      let x = lanes(plane + frame)
      store((1 - mix) * x + mix * (x * ring.values(from: frame, part: part, balance: balance)), plane + frame)
    }
  }

  private func clip(_ part: Int, _ count: Int, _ ramp: CellRamp, from offset: Int) {
    let plane = oversampler.plane(part)
    let place = Double(part) / Double(Oversampler.factor)
    let isMoving = ramp.isMoving
    var gain = ramp.values(from: offset, later: place)
    for frame in stride(from: 0, to: count, by: 8) {
      if isMoving { gain = ramp.values(from: offset + frame, later: place) }
      let u = Self.limited(gain * lanes(plane + frame), 3)
      let square = u * u
      store(u * (27 + square) / (27 + 9 * square), plane + frame)
    }
  }

  func reset() {
    oversampler.reset()
    mean = 0
  }
}

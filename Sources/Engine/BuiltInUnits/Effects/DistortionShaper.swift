// The stages of a distortion at eight times the rate: polynomial, ring modulation, soft clip. Runs on the render
// thread; allocates nothing after init. Formulas: Distortion.swift.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc

extension CellRamp {
  /// True when it is 0 at both ends of the cell.
  var isZero: Bool { !isMoving && exactValue(at: 0) == 0 }
}

/// Two oscillators that all channels share: sine and cosine at each frame, and what they turn by within one.
final class RingOscillators {
  private let sampleRate: Double
  private let first: Oscillator
  private let second: Oscillator

  /// A point that turns on the circle.
  private final class Oscillator {
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
        parts[part] = (Float(sin(angle)), Float(cos(angle)))
      }
    }

    func turn(_ count: Int) {
      var (sine, cosine) = point
      for frame in 0..<count {
        sines[frame] = Float(sine)
        cosines[frame] = Float(cosine)
        let next = (sine * turn.cosine + cosine * turn.sine, cosine * turn.cosine - sine * turn.sine)
        // Back to the circle, from which rounding leads away.
        let scale = 1.5 - 0.5 * (next.0 * next.0 + next.1 * next.1)
        (sine, cosine) = (next.0 * scale, next.1 * scale)
      }
      point = (sine, cosine)
    }

    func reset() { point = (0, 1) }

    /// An eighth's multiple later.
    func turned(_ part: Int) -> ShaperKernels.Oscillator {
      let (sine, cosine) = parts[part]
      return (sines.all, cosines.all, sine, cosine)
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

  /// Multiplies the samples of a block that are `part` eighths of a frame behind each.
  func modulate(
    _ samples: Plane<Float>, part: Int, balance: Plane<Float>, mix: Plane<Float>, frames: Int
  ) {
    ShaperKernels.modulate(
      samples, first.turned(part), second.turned(part), balance: balance, mix: mix, frames: frames)
  }

  func reset() {
    first.reset()
    second.reset()
  }
}

/// The values of ramps at the samples of a block, a row for each ramp.
final class RampRows {
  private let memory: FlatMemory<Float>

  init(count: Int) { memory = FlatMemory(repeating: 0, count: count * Oversampler.blockFrames) }

  /// - Parameters:
  ///   - part: eighths of a frame that the samples lie behind each frame. A ramp that stands still is only looked at
  ///     where it is 0.
  ///   - offset: the block's first frame, of the ramp's piece.
  func row(_ index: Int, _ ramp: CellRamp, part: Int, from offset: Int, frames: Int) -> Plane<Float> {
    let row = memory.all + index * Oversampler.blockFrames
    if ramp.isMoving {
      let later = Double(part) / Double(Oversampler.factor)
      for frame in stride(from: 0, to: frames, by: 8) {
        row[eight: frame] = ramp.values(from: offset + frame, later: later)
      }
    } else if part == 0 {
      row.update(repeating: ramp.value(at: offset), count: frames)
    }
    return row
  }
}

/// One channel at eight times its rate.
final class DistortionShaper {
  struct Ramps {
    let linear: CellRamp
    let squared: CellRamp
    let cubic: CellRamp
    let polynomialMix: CellRamp
    let ringBalance: CellRamp
    let ringMix: CellRamp
    let gain: CellRamp
  }

  private let oversampler = Oversampler()
  private let rows = RampRows(count: 7)
  /// The share of the difference that the low pass of the squares takes over in a frame, and its state.
  private let share: Double
  private var mean = 0.0
  /// The squares' mean over the eight samples of each frame of a block, then the low pass behind it; and that of the
  /// frame before.
  private let means = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)
  private let formerMeans = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)

  init(_ format: StreamFormat) { share = 1 - exp(-2 * .pi * 10 / format.sampleRate) }

  func process(
    _ samples: Plane<Float>, _ count: Int, _ ramps: Ramps, from offset: Int, _ ring: RingOscillators
  ) {
    oversampler.up(samples, frames: count)
    let hasPolynomial = !ramps.polynomialMix.isZero
    let hasMeans = hasPolynomial && !ramps.squared.isZero
    if hasMeans { findMeans(count) } else { mean = 0 }
    for part in 0..<Oversampler.factor {
      let plane = oversampler.plane(part)
      func row(_ index: Int, _ ramp: CellRamp) -> Plane<Float> {
        rows.row(index, ramp, part: part, from: offset, frames: count)
      }
      if hasPolynomial {
        ShaperKernels.polynomial(
          plane, linear: row(0, ramps.linear), squared: row(1, ramps.squared), cubic: row(2, ramps.cubic),
          mix: row(3, ramps.polynomialMix),
          means: hasMeans ? (formerMeans.all, means.all) : nil,
          part: Float(part + 1) / Float(Oversampler.factor), frames: count)
      }
      if !ramps.ringMix.isZero {
        ring.modulate(
          plane, part: part, balance: row(4, ramps.ringBalance), mix: row(5, ramps.ringMix), frames: count)
      }
      ShaperKernels.clip(plane, gain: row(6, ramps.gain), frames: count)
    }
    oversampler.down(to: samples, frames: count)
  }

  private func findMeans(_ count: Int) {
    let (means, former) = (means.all, formerMeans.all)
    means.update(repeating: 0, count: Oversampler.blockFrames)
    for part in 0..<Oversampler.factor {
      let plane = oversampler.plane(part)
      for frame in stride(from: 0, to: count, by: 8) {
        let x = plane[eight: frame]
        means[eight: frame] += 0.125 * (x * x)
      }
    }
    for frame in 0..<count {
      former[frame] = Float(mean)
      mean += share * (Double(means[frame]) - mean)
      means[frame] = Float(mean)
    }
  }

  func reset() {
    oversampler.reset()
    mean = 0
  }
}

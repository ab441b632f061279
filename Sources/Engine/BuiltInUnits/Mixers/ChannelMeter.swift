// Ballistics are this project's definition (no public one exists): average = RMS with an exponential window of 300 ms;
// peak hold = the largest sample, held for 1 s, then falling by 20 dB a second; both per sample, so that slices do not
// matter; dBFS re 1.0, floor −120 dB in units. The render thread writes, any thread reads.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc
import Synchronization

/// The meter of one channel.
package final class ChannelMeter {
  package static let floorDecibels: Float = -120
  private static let averageSeconds = 0.3
  private static let holdSeconds = 1.0
  private static let fallDecibelsPerSecond = 20.0

  private let floorDecibels: Float
  private let averageShare: Double
  private let holdFrames: Int64
  private let fallPerFrame: Double
  private var meanSquare = 0.0
  private var held = 0.0
  private var framesHeld: Int64 = 0

  private let averageBits: Atomic<UInt32>
  private let holdBits: Atomic<UInt32>
  private let peakBits = Atomic<UInt32>(0)
  private let sawNotANumberFlag = Atomic<Bool>(false)
  private let sawInfinityFlag = Atomic<Bool>(false)

  /// - Parameters:
  ///   - sampleRate: hertz.
  ///   - floorDecibels: the level of silence; none is lower.
  package init(sampleRate: Double, floorDecibels: Float = ChannelMeter.floorDecibels) {
    self.floorDecibels = floorDecibels
    averageBits = Atomic(floorDecibels.bitPattern)
    holdBits = Atomic(floorDecibels.bitPattern)
    averageShare = 1 - exp(-1 / (Self.averageSeconds * sampleRate))
    holdFrames = Int64(clamping: (Self.holdSeconds * sampleRate).rounded())
    fallPerFrame = pow(10, -Self.fallDecibelsPerSecond / 20 / sampleRate)
  }

  /// Takes in samples and publishes the levels. Nil samples: silence.
  package func measure(_ samples: Plane<Float>?, frames: Int) {
    measure(samples, frames: frames, gain: GainCourse(constant: 1))
  }

  /// Takes in samples, each times a gain that runs in a straight line, and publishes the levels. Nil samples: silence.
  func measure(_ samples: Plane<Float>?, frames: Int, gain: GainCourse) {
    var meanSquare = self.meanSquare
    var held = self.held
    var age = framesHeld
    var peak = Double(Float(bitPattern: peakBits.load(ordering: .relaxed)))
    for frame in 0..<frames {
      let sample = samples.map { Double($0[frame]) * gain.value(at: frame) } ?? 0
      guard sample.isFinite else {
        if sample.isNaN { sawNotANumberFlag.store(true, ordering: .relaxed) }
        if sample.isInfinite { sawInfinityFlag.store(true, ordering: .relaxed) }
        continue
      }
      let magnitude = abs(sample)
      meanSquare += averageShare * (sample * sample - meanSquare)
      if magnitude >= held {
        held = magnitude
        age = 0
      } else {
        age += 1
        if age > holdFrames { held *= fallPerFrame }
      }
      if magnitude > peak { peak = magnitude }
    }
    self.meanSquare = meanSquare
    self.held = held
    framesHeld = age
    averageBits.store(decibels(meanSquare.squareRoot()).bitPattern, ordering: .relaxed)
    holdBits.store(decibels(held).bitPattern, ordering: .relaxed)
    peakBits.store(Float(peak).bitPattern, ordering: .relaxed)
  }

  /// RMS, dBFS. Any thread.
  package var averageDecibels: Float { Float(bitPattern: averageBits.load(ordering: .relaxed)) }
  /// The largest magnitude that is held, dBFS. Any thread.
  package var peakHoldDecibels: Float { Float(bitPattern: holdBits.load(ordering: .relaxed)) }

  /// The largest magnitude since this was last asked, and whether infinity or not-a-number passed by.
  func takePeak() -> (peak: Float, sawInfinity: Bool, sawNotANumber: Bool) {
    (
      Float(bitPattern: peakBits.exchange(0, ordering: .relaxed)),
      sawInfinityFlag.exchange(false, ordering: .relaxed), sawNotANumberFlag.exchange(false, ordering: .relaxed)
    )
  }

  package func reset() {
    meanSquare = 0
    held = 0
    framesHeld = 0
    averageBits.store(floorDecibels.bitPattern, ordering: .relaxed)
    holdBits.store(floorDecibels.bitPattern, ordering: .relaxed)
    _ = takePeak()
  }

  private func decibels(_ amplitude: Double) -> Float {
    amplitude > 0 ? max(floorDecibels, Float(20 * log10(amplitude))) : floorDecibels
  }
}

/// The meters of one channel in front of its volume and behind it.
struct MeterPair {
  let pre: ChannelMeter
  let post: ChannelMeter

  /// New ones for so many channels.
  static func row(_ count: Int, sampleRate: Double) -> [MeterPair] {
    (0..<count).map { _ in
      MeterPair(pre: ChannelMeter(sampleRate: sampleRate), post: ChannelMeter(sampleRate: sampleRate))
    }
  }

  /// Nil samples: silence.
  func measure(_ samples: Plane<Float>?, frames: Int, volume: GainCourse) {
    pre.measure(samples, frames: frames, gain: GainCourse(constant: 1))
    post.measure(samples, frames: frames, gain: volume)
  }

  func reset() {
    pre.reset()
    post.reset()
  }

  /// The largest magnitudes since this was last asked, over all channels of a bus.
  static func takePeak(_ meters: [MeterPair]) -> (pre: Float, post: Float, sawInfinity: Bool, sawNotANumber: Bool) {
    meters.reduce((0, 0, false, false)) { sum, pair in
      let pre = pair.pre.takePeak()
      let post = pair.post.takePeak()
      return (
        max(sum.pre, pre.peak), max(sum.post, post.peak), sum.sawInfinity || pre.sawInfinity,
        sum.sawNotANumber || pre.sawNotANumber
      )
    }
  }
}

/// A gain over the frames of a piece: a straight line, or a constant, and how far into it the piece begins.
struct GainCourse {
  let ramp: LinearRamp
  let position: Int64

  init(constant: Double) { self.init(LinearRamp(from: constant, to: constant, durationFrames: 0), position: 0) }

  init(_ ramp: LinearRamp, position: Int64) {
    self.ramp = ramp
    self.position = position
  }

  var isConstant: Bool { ramp.start == ramp.end }

  func value(at frame: Int) -> Double { Double(ramp.value(at: position + Int64(frame))) }

  /// The course times a factor that runs in a straight line between the same frames.
  /// Clamped to the range of Float: silence times infinity would be no number.
  func times(from start: Double, to end: Double) -> GainCourse {
    let limit = Double(Float.greatestFiniteMagnitude)
    func bounded(_ gain: Double) -> Double { min(limit, max(-limit, gain)) }
    return GainCourse(
      LinearRamp(from: bounded(ramp.start * start), to: bounded(ramp.end * end), durationFrames: ramp.durationFrames),
      position: position)
  }
}

// The integrated loudness of a stream, as it comes: part of the path of one slice. No allocation, no lock.

import AudioCore
import AudioEngine
import Glibc

/// Integrated loudness by ITU-R BS.1770-4: the K-weighted power of blocks of 400 ms, one every 100 ms, gated at −70
/// LUFS and at 10 LU below the mean of what that leaves.
///
/// Weighting filter at any rate: the two second-order sections whose analogue prototypes give the coefficients of the
/// standard at 48 kHz (1681.97 Hz, +4.0 dB, Q 0.707; 38.14 Hz, Q 0.500), as libebur128 has them too. Memory does not
/// grow: the powers of blocks are summed in classes of 0.01 LU, and a class counts for the second gate as a whole, by
/// its mean.
final class LoudnessGate {
  private static let classesPerLU = 100.0
  private static let lowest = -70.0
  private static let classCount = 10_000

  /// b0, b1, b2, a1, a2.
  private typealias Section = (Double, Double, Double, Double, Double)
  private let shelf: Section
  private let highPass: Section
  /// Channels are worked on in pairs; an odd one's other half is a copy of it that does not count.
  private typealias Two = SIMD2<Double>
  /// Two of either section, by pair.
  private let states: FlatMemory<Two>
  /// By pair.
  private let weights: [Two]
  /// By pair: the sums of squares in the present step.
  private let sums: FlatMemory<Two>
  private let channelCount: Int
  private let stepFrames: Int
  private var framesInStep = 0
  /// The weighted sums of the last four steps.
  private var steps = (0.0, 0.0, 0.0, 0.0)
  private var stepCount = 0
  private let powers: FlatMemory<Double>
  private let counts: FlatMemory<Double>

  /// - Parameter layout: the loudspeakers, which weigh as BS.1770-4 has it. Nil: left, right, surround … as in a WAV file
  ///   of so many channels: the surrounds of 4, 5, 6 and 8 weigh 1.41, the low frequency effects of 6 and 8 nothing.
  init(sampleRate: Double, channelCount: Int, layout: ChannelLayout? = nil) {
    let k1 = tan(.pi * min(1681.974450955533, 0.49 * sampleRate) / sampleRate)
    let (gain, q1) = (pow(10, 3.999843853973347 / 20), 0.7071752369554196)
    let middle = pow(gain, 0.4996667741545416)
    let d1 = 1 + k1 / q1 + k1 * k1
    shelf = (
      (gain + middle * k1 / q1 + k1 * k1) / d1, 2 * (k1 * k1 - gain) / d1, (gain - middle * k1 / q1 + k1 * k1) / d1,
      2 * (k1 * k1 - 1) / d1, (1 - k1 / q1 + k1 * k1) / d1
    )
    let (k2, q2) = (tan(.pi * min(38.13547087602444, 0.49 * sampleRate) / sampleRate), 0.5003270373238773)
    let d2 = 1 + k2 / q2 + k2 * k2
    highPass = (1, -2, 1, 2 * (k2 * k2 - 1) / d2, (1 - k2 / q2 + k2 * k2) / d2)
    self.channelCount = channelCount
    let pairCount = (channelCount + 1) / 2
    states = FlatMemory(repeating: .zero, count: 4 * pairCount)
    sums = FlatMemory(repeating: .zero, count: pairCount)
    let known = layout.flatMap { $0.channelCount == channelCount ? $0.loudnessWeights : nil }
    func weight(_ channel: Int) -> Double {
      guard let known, channel < channelCount else { return Self.weight(channel, of: channelCount) }
      return known[channel]
    }
    weights = (0..<pairCount).map { Two(weight(2 * $0), weight(2 * $0 + 1)) }
    stepFrames = max(1, Int(clamping: (sampleRate / 10).rounded()))
    powers = FlatMemory(repeating: 0, count: Self.classCount)
    counts = FlatMemory(repeating: 0, count: Self.classCount)
  }

  /// Its memory.
  static func bytes(channelCount: Int) -> Int { 16 * classCount + 48 * (channelCount + 1) }

  private static func weight(_ channel: Int, of count: Int) -> Double {
    switch (count, channel) {
    case (_, count...): 0
    case (6, 3), (8, 3): 0
    case (4, 2...), (5, 3...), (6, 4...), (8, 6...): 1.41
    default: 1
    }
  }

  /// Takes the next frames.
  func add(_ planes: FloatPlanes, offset: Int, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(frames - done, stepFrames - framesInStep)
      for pair in weights.indices where weights[pair] != .zero {
        let other = min(2 * pair + 1, channelCount - 1)
        filter(planes[2 * pair] + offset + done, planes[other] + offset + done, pair, frames: count)
      }
      done += count
      framesInStep += count
      if framesInStep == stepFrames { endStep() }
    }
  }

  private func filter(_ one: Plane<Float>, _ other: Plane<Float>, _ pair: Int, frames: Int) {
    let state = states.all + 4 * pair
    var (s1, s2, s3, s4) = (state[0], state[1], state[2], state[3])
    var sum = sums[pair]
    let (b0, b1, b2, a1, a2) = shelf
    let (c1, c2) = (highPass.3, highPass.4)
    for frame in 0..<frames {
      let x = Two(Double(one[frame]), Double(other[frame]))
      let y = b0 * x + s1
      s1 = b1 * x - a1 * y + s2
      s2 = b2 * x - a2 * y
      let z = y + s3
      s3 = -2 * y - c1 * z + s4
      s4 = y - c2 * z
      sum += z * z
    }
    (state[0], state[1], state[2], state[3]) = (s1, s2, s3, s4)
    sums[pair] = sum
  }

  private func endStep() {
    framesInStep = 0
    var sum = 0.0
    for pair in weights.indices {
      let state = states.all + 4 * pair
      for half in 0..<2 {
        // Without weight nothing was summed, or the sum of another half.
        if weights[pair][half] > 0 { sum += weights[pair][half] * sums[pair][half] }
        // A value that is not a number does not count, and is removed.
        for index in 0..<4 where !state[index][half].isFinite { state[index][half] = 0 }
      }
      sums[pair] = .zero
    }
    steps = (steps.1, steps.2, steps.3, sum)
    stepCount = min(4, stepCount + 1)
    guard stepCount == 4 else { return }
    let power = (steps.0 + steps.1 + steps.2 + steps.3) / Double(4 * stepFrames)
    let loudness = Self.loudness(power)
    guard loudness >= Self.lowest, power.isFinite else { return }
    let place = min(Self.classCount - 1, Int(clamping: (loudness - Self.lowest) * Self.classesPerLU))
    powers[place] += power
    counts[place] += 1
  }

  private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  /// LUFS; nil where nothing is above the gate.
  var integratedLUFS: Double? {
    func mean(above gate: Double) -> Double? {
      var (power, count) = (0.0, 0.0)
      for place in 0..<Self.classCount where counts[place] > 0 {
        guard powers[place] / counts[place] >= gate else { continue }
        power += powers[place]
        count += counts[place]
      }
      return count > 0 ? power / count : nil
    }
    guard let all = mean(above: 0), let gated = mean(above: all / 10) else { return nil }
    return Self.loudness(gated)
  }

  func reset() {
    states.all.fill(.zero)
    sums.all.fill(.zero)
    powers.all.fill(0)
    counts.all.fill(0)
    (framesInStep, stepCount, steps) = (0, 0, (0, 0, 0, 0))
  }
}

// The laws of positions in space: directions, levels, gains of loudspeakers, ears of a sphere. Pure functions: tests
// compute them another way.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// A direction as the listener's head has it, in degrees.
struct SpatialDirection: Equatable {
  /// 0 ahead, 90 right, 180 behind.
  var azimuth: Double
  /// 90 above, −90 below.
  var elevation: Double

  /// Right, ahead and up: of length 1.
  var vector: (x: Double, y: Double, z: Double) {
    let (turn, up) = (azimuth * .pi / 180, elevation * .pi / 180)
    return (sin(turn) * cos(up), cos(turn) * cos(up), sin(up))
  }

  /// Part of the way to the right: −1 at the left ear, 1 at the right one.
  var lateral: Double { vector.x }

  /// As the listener hears it who has turned to the right by yaw, then raised the face by pitch, then lowered the right
  /// ear by roll; degrees.
  func heard(yaw: Double, pitch: Double, roll: Double) -> SpatialDirection {
    // Asked at both ends of each cell of a source that moves.
    if yaw == 0 && pitch == 0 && roll == 0 { return self }
    let (x, y, z) = SpatialDirection(azimuth: azimuth - yaw, elevation: elevation).vector
    let (p, r) = (pitch * .pi / 180, roll * .pi / 180)
    let (ahead, up) = (y * cos(p) + z * sin(p), z * cos(p) - y * sin(p))
    let (right, above) = (x * cos(r) - up * sin(r), x * sin(r) + up * cos(r))
    return SpatialDirection(
      azimuth: atan2(right, ahead) * 180 / .pi, elevation: asin(min(1, max(-1, above))) * 180 / .pi)
  }
}

enum SpatialLaws {
  /// A source that is heard everywhere at once: 1/√2 in either ear.
  static let middle = 0.5.squareRoot()
  /// The absorption of air at 5 kHz, in dB a metre: about ISO 9613-1's at 20 °C and half the humidity.
  static let airDecibelsPerMeter = 0.04
  /// Metres a second.
  static let speedOfSound = 343.0

  // MARK: Level

  /// The gain at a distance: 1 up to the reference, the whole attenuation from the maximum on.
  static func distanceGain(_ distance: Double, _ curve: AttenuationCurve, _ range: DistanceRange) -> Double {
    let (reference, maximum) = (Double(range.reference), Double(range.maximum))
    let least = Decibels.amplitude(-Double(range.attenuationDecibels))
    if distance <= reference { return 1 }
    if distance >= maximum { return least }
    let share = (distance - reference) / (maximum - reference)
    return switch curve {
    case .power: pow(least, share)
    case .exponential: pow(least, log(distance / reference) / log(maximum / reference))
    case .inverse: 1 / (1 + (1 / max(1e-30, least) - 1) * share)
    case .linear: 1 - (1 - least) * share
    }
  }

  /// The pole a of y[n] = (1 − a)·x[n] + a·y[n − 1] that attenuates 5 kHz by so many decibels: of
  /// (1 − a)² = g²·(1 − 2a·cos ω + a²) the root below 1.
  static func pole(decibelsAt5kHz decibels: Double, sampleRate: Double) -> Double {
    let decibels = min(0, max(-200, decibels))
    if decibels == 0 { return 0 }
    let omega = 2 * Double.pi * min(5_000, 0.5 * sampleRate) / sampleRate
    // The filter falls to (1 − a)/(1 + a) at half the sample rate: near it, and for small g, no pole is too near to 1.
    let square = pow(10, decibels / 10)
    let half = 1 - square * cos(omega)
    return (half - max(0, half * half - (1 - square) * (1 - square)).squareRoot()) / (1 - square)
  }

  /// The absorption of air at 5 kHz over so many metres: 0 dB and less.
  static func airDecibels(meters: Double) -> Double { -airDecibelsPerMeter * meters }

  // MARK: Loudspeakers

  /// The position of each output channel's loudspeaker, in degrees; nil: it has no direction.
  static func speakers(_ channels: Int) -> [Double?] {
    switch channels {
    case 1: [0]
    case 2: [-30, 30]
    case 4: [-45, 45, -135, 135]
    case 5: [-30, 30, -110, 110, 0]
    case 6: [-30, 30, 0, nil, -110, 110]
    default: Array(repeating: nil, count: channels)
    }
  }

  /// cos and sin of π/4·(1 + p), where p is the lateral angle of the direction, asin(sin azimuth · cos elevation), over
  /// 90°: a source behind is panned like one as far to the side in front.
  static func equalPower(_ direction: SpatialDirection) -> (left: Double, right: Double) {
    let angle = (asin(direction.lateral) / (.pi / 2) + 1) * .pi / 4
    return (cos(angle), sin(angle))
  }

  /// Cardioids that look at the loudspeakers, ½·(1 + cos γ) with γ the angle between loudspeaker and source, together
  /// of power 1. Those of two loudspeakers look to the sides.
  static func soundField(_ direction: SpatialDirection, _ speakers: [Double?], to gains: Plane<Double>) {
    let (x, y, _) = direction.vector
    var power = 0.0
    for (channel, speaker) in speakers.enumerated() {
      guard let speaker else {
        gains[channel] = 0
        continue
      }
      let angle = (speakers.count == 2 ? 3 * speaker : speaker) * .pi / 180
      gains[channel] = (1 + x * sin(angle) + y * cos(angle)) / 2
      power += gains[channel] * gains[channel]
    }
    scale(gains, speakers.count, 1 / power.squareRoot())
  }

  /// The two loudspeakers beside the azimuth, by the gains whose vectors come to its direction (Pulkki 1997), of power
  /// 1. The higher or lower a source, the more all loudspeakers share it: g² = cos² elevation · g² + sin² elevation /
  /// loudspeakers. Two loudspeakers: as ``equalPower(_:)``.
  static func vectorBased(_ direction: SpatialDirection, _ speakers: [Double?], to gains: Plane<Double>) {
    let count = speakers.count
    if count == 2 {
      (gains[0], gains[1]) = equalPower(direction)
      return
    }
    for channel in 0..<count { gains[channel] = 0 }
    var (left, right) = (-1, -1)
    var (behind, ahead) = (Double.infinity, Double.infinity)
    var number = 0.0
    for channel in 0..<count {
      guard let speaker = speakers[channel] else { continue }
      number += 1
      let turn = turned(speaker - direction.azimuth)
      // From the source counted: the nearest to the right, and the nearest to the left.
      if turn < ahead { (right, ahead) = (channel, turn) }
      let back = turn == 0 ? 0 : 360 - turn
      if back < behind { (left, behind) = (channel, back) }
    }
    guard left >= 0, right >= 0 else { return }
    if left == right {
      gains[left] = 1
    } else {
      let (a, b) = (ahead * .pi / 180, behind * .pi / 180)
      // sin of the other's angle over that of the sum, of power 1.
      let (one, other) = (sin(b), sin(a))
      let length = (one * one + other * other).squareRoot()
      (gains[right], gains[left]) = (one / length, other / length)
    }
    let up = sin(direction.elevation * .pi / 180)
    guard up != 0 else { return }
    for channel in 0..<count where speakers[channel] != nil {
      gains[channel] = ((1 - up * up) * gains[channel] * gains[channel] + up * up / number).squareRoot()
    }
  }

  /// 0 up to 360.
  private static func turned(_ degrees: Double) -> Double {
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    return turn < 0 ? (turn + 360).truncatingRemainder(dividingBy: 360) : turn
  }

  private static func scale(_ gains: Plane<Double>, _ count: Int, _ factor: Double) {
    for channel in 0..<count { gains[channel] *= factor }
  }
}

/// The sound of a far source at the ears of a rigid sphere of 8.75 cm, at 90° to either side.
///
/// The way, from Woodworth's formula: with θ the angle between source and ear, sound arrives −(a/c)·cos θ after it
/// would at the middle of the head where θ ≤ 90°, and (a/c)·(θ − π/2) after it beyond. The shadow, by Brown and Duda
/// (1998): a filter (1 + jα·ω/2ω₀) / (1 + jω/2ω₀) with ω₀ = c/a and α = (1 + α₀/2) + (1 − α₀/2)·cos(θ · 180°/150°), α₀
/// = 0.1, made digital by the bilinear transform. Low frequencies are as loud in both ears, high ones up to 26 dB less
/// in the far one.
enum SphericalHead {
  /// Metres.
  static let radius = 0.0875
  /// Seconds that sound takes from the sphere's nearest point to its middle.
  static let seconds = radius / SpatialLaws.speedOfSound
  private static let leastAlpha = 0.1

  /// Radians between the direction and an ear.
  static func angle(_ direction: SpatialDirection, isRight: Bool) -> Double {
    acos(isRight ? direction.lateral : -direction.lateral)
  }

  /// Seconds after the arrival at the middle of the head; below 0 at the near ear.
  static func arrival(_ angle: Double) -> Double {
    angle <= .pi / 2 ? -seconds * cos(angle) : seconds * (angle - .pi / 2)
  }

  /// The gain at the highest frequencies, beside 1 at the lowest.
  static func alpha(_ angle: Double) -> Double {
    (1 + leastAlpha / 2) + (1 - leastAlpha / 2) * cos(angle * 180 / 150)
  }

  /// y[n] = b0·x[n] + b1·x[n − 1] − a1·y[n − 1].
  static func shadow(_ angle: Double, sampleRate: Double) -> (b0: Double, b1: Double, a1: Double) {
    // jω/2ω₀ becomes k·(1 − z⁻¹)/(1 + z⁻¹).
    let k = seconds * sampleRate
    let alpha = alpha(angle)
    return ((1 + alpha * k) / (1 + k), (1 - alpha * k) / (1 + k), (1 - k) / (1 + k))
  }

  /// Taps until the shadow's response has fallen by 120 dB, and those of the delay in front of it.
  static func tapCount(sampleRate: Double) -> Int {
    let k = seconds * sampleRate
    let pole = abs((1 - k) / (1 + k))
    return FractionalDelay.tapCount + Int(clamping: max(2, Decay.steps(factor: pole)).rounded(.up))
  }

  /// Writes an ear's filter: a delay by a part of a frame and the shadow behind it.
  static func write(
    _ angle: Double, fraction: Double, gain: Double, sampleRate: Double, to taps: Plane<Float>,
    count: Int
  ) {
    FractionalDelay.write(fraction: fraction, gain: gain, to: taps)
    let (b0, b1, a1) = shadow(angle, sampleRate: sampleRate)
    var (former, last) = (0.0, 0.0)
    for tap in 0..<count {
      let x = tap < FractionalDelay.tapCount ? Double(taps[tap]) : 0
      last = b0 * x + b1 * former - a1 * last
      former = x
      taps[tap] = Float(last)
    }
  }
}

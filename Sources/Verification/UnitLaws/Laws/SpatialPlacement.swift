import Glibc

/// A vector from the middle of the head: right, ahead, up.
struct LawDirection {
  var right: Double
  var ahead: Double
  var up: Double

  /// Degrees; azimuth to the right, as a head hears it that is turned by yaw, then pitch, then roll.
  init(azimuth: Double, elevation: Double, head: (yaw: Double, pitch: Double, roll: Double)) {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (alpha, epsilon) = (radians(azimuth - head.yaw), radians(min(max(elevation, -90), 90)))
    let (p, q) = (radians(head.pitch), radians(head.roll))
    let flat = (right: sin(alpha) * cos(epsilon), ahead: cos(alpha) * cos(epsilon), up: sin(epsilon))
    ahead = flat.ahead * cos(p) + flat.up * sin(p)
    let pitched = flat.up * cos(p) - flat.ahead * sin(p)
    right = flat.right * cos(q) - pitched * sin(q)
    up = flat.right * sin(q) + pitched * cos(q)
  }

  /// λ: −1 at the left ear, 1 at the right one.
  var lateral: Double { min(max(right, -1), 1) }
}

/// The gains with which loudspeakers play a source.
enum SpatialPanning {
  /// Degrees, by the number of output channels; nil for one without a direction.
  static func loudspeakers(_ channels: Int) -> [Double?] {
    switch channels {
    case 1: [0]
    case 2: [-30, 30]
    case 4: [-45, 45, -135, 135]
    case 5: [-30, 30, -110, 110, 0]
    case 6: [-30, 30, 0, nil, -110, 110]
    default: Array(repeating: nil, count: channels)
    }
  }

  static func gains(_ algorithm: String, _ direction: LawDirection, channels: Int) -> [Double] {
    if channels == 1 { return [1] }
    return switch algorithm {
    case "soundField": soundField(direction, channels)
    case "vectorBasedPanning", "useOutputType":
      channels == 2 ? equalPower(direction, 2) : vectorBased(direction, channels)
    default: equalPower(direction, channels)
    }
  }

  private static func equalPower(_ direction: LawDirection, _ channels: Int) -> [Double] {
    let angle = (asin(direction.lateral) / (.pi / 2) + 1) * .pi / 4
    return [cos(angle), sin(angle)] + Array(repeating: 0, count: channels - 2)
  }

  private static func soundField(_ direction: LawDirection, _ channels: Int) -> [Double] {
    let places = channels == 2 ? [-90, 90] : loudspeakers(channels)
    let plain = places.map { place in
      place.map { (1 + direction.right * sin($0 * .pi / 180) + direction.ahead * cos($0 * .pi / 180)) / 2 } ?? 0
    }
    let root = sqrt(plain.map { $0 * $0 }.reduce(0, +))
    return plain.map { $0 / root }
  }

  private static func vectorBased(_ direction: LawDirection, _ channels: Int) -> [Double] {
    let azimuth = atan2(direction.right, direction.ahead)
    // How far each loudspeaker is away, counted to the right, 0 up to a whole turn.
    let turn = 2 * Double.pi
    let away = loudspeakers(channels).enumerated().compactMap { index, place in
      place.map { place -> (index: Int, angle: Double) in
        let angle = (place * .pi / 180 - azimuth).truncatingRemainder(dividingBy: turn)
        return (index, angle < 0 ? angle + turn : angle)
      }
    }
    var gains = [Double](repeating: 0, count: channels)
    guard let right = away.min(by: { $0.angle < $1.angle }), let left = away.max(by: { $0.angle < $1.angle }) else {
      return gains
    }
    let (a, b) = (right.angle, turn - left.angle)
    let root = sqrt(sin(a) * sin(a) + sin(b) * sin(b))
    gains[right.index] = sin(b) / root
    gains[left.index] = sin(a) / root
    let u = direction.up
    for (index, _) in away {
      gains[index] = sqrt((1 - u * u) * gains[index] * gains[index] + u * u / Double(away.count))
    }
    return gains
  }
}

/// An ear of a sphere: the delay beside the middle of the head, and the head's shadow as a filter of first order.
struct SphereEar: Equatable {
  static let radius = 0.0875
  static let soundSpeed = 343.0

  /// Seconds.
  var delay: Double
  private var alpha: Double
  var gain: Double

  /// - Parameter side: 1 for the right ear, −1 for the left one.
  init(_ direction: LawDirection, side: Double, isDelayed: Bool, gain: Double) {
    let angle = acos(side * direction.lateral)
    let time = Self.radius / Self.soundSpeed
    delay = !isDelayed ? 0 : angle <= .pi / 2 ? -time * cos(angle) : time * (angle - .pi / 2)
    alpha = 1.05 + 0.95 * cos(angle * 180 / 150)
    self.gain = gain
  }

  /// The next sample of the filter's recursion, which is the same for all directions.
  static func pole(_ x: Double, _ former: Double, rate: Double) -> Double {
    let k = radius / soundSpeed * rate
    return (x - (1 - k) * former) / (1 + k)
  }

  /// The ear's sample, with its gain, at a place in the middle of the head's sound.
  /// - Parameter sound: the sound behind the filter's recursion.
  func output(_ sound: [Double], at middle: Double, rate: Double) -> Double {
    let (k, place) = (Self.radius / Self.soundSpeed * rate, middle - delay * rate)
    return gain
      * ((1 + alpha * k) * Self.sample(of: sound, at: place) + (1 - alpha * k) * Self.sample(of: sound, at: place - 1))
  }

  /// A sample of a sound between its frames: 32 taps of a sinc under Kaiser's window, for a fraction between two of 512
  /// steps a straight line between theirs.
  static func sample(of sound: [Double], at place: Double) -> Double {
    let whole = place.rounded(.up)
    let fraction = (whole - place) * 512
    let step = fraction.rounded(.down)
    func value(_ step: Int) -> Double {
      var sum = 0.0
      for (t, weight) in taps[step].enumerated() {
        let index = (Int(exactly: whole) ?? 0) + 15 - t
        if sound.indices.contains(index) { sum += weight * sound[index] }
      }
      return sum
    }
    let first = Int(exactly: step) ?? 0
    return value(first) + (value(first + 1) - value(first)) * (fraction - step)
  }

  /// For each step of 1/512 of a frame, both ends among them.
  private static let taps = (0...512).map { step in
    let plain = (0..<32).map { t in
      let u = Double(t) - 15 - Double(step) / 512
      return KaiserWindow.sinc(u) * KaiserWindow.value(u / 16, shape: 6)
    }
    let sum = plain.reduce(0, +)
    return plain.map { $0 / sum }
  }
}

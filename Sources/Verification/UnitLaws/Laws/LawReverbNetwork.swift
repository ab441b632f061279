import Glibc

/// The room of the reverb: all-passes in front of 16 delay lines that feed one another, for one or two channels.
struct LawReverbNetwork {
  /// Delays of the all-passes of the first channel, seconds.
  private static let diffusion = [0.0031, 0.0053, 0.0079, 0.0113]

  private let rate: Double
  private let channels: Int
  private(set) var lengths: [Int] = []
  /// z of each line from the last clearing on.
  private var lines: [[Double]] = []
  /// u of each all-pass of each channel.
  private var allPasses: [[[Double]]] = []
  private let allPassLengths: [[Int]]
  /// g and h of each line, and what they were computed for.
  private var gains: [(g: Double, h: Double)] = []
  private var gainsAreOf: (lengths: [Int], low: Double, high: Double) = ([], 0, 0)

  init(rate: Double, channels: Int) {
    (self.rate, self.channels) = (rate, channels)
    allPassLengths = (0..<channels).map { channel in
      Self.diffusion.map { Self.prime(from: ($0 * (channel == 0 ? 1 : 1.083) * rate).rounded(.down)) }
    }
    restart()
  }

  mutating func restart() {
    clearLines()
    allPasses = Array(repeating: Array(repeating: [], count: 4), count: channels)
  }

  private mutating func clearLines() { lines = Array(repeating: [], count: 16) }

  /// Gives the lines their lengths, and clears them.
  mutating func take(_ lengths: [Int]) {
    self.lengths = lengths
    clearLines()
  }

  // MARK: Lengths

  /// - Parameters:
  ///   - first: seconds of one end of the range.
  ///   - second: seconds of the other one.
  ///   - seed: the place of the lengths between the first and the last.
  static func lengths(_ first: Double, _ second: Double, seed: Double, rate: Double) -> [Int] {
    let ends = [first, second].map { min(max($0, 0.0001), 1) }
    let (a, b) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    var state = UInt64(min(max(seed.rounded(), 1), 1000))
    func part() -> Double {
      state = state &+ 0x9E37_79B9_7F4A_7C15
      return Double(splitMix(state) >> 11) * 0x1p-53
    }
    var lengths: [Int] = []
    for i in 0..<16 {
      let shift = i == 0 || i == 15 ? 0 : 0.7 * (part() - 0.5)
      var length = prime(from: (a * pow(b / a, (Double(i) + shift) / 15) * rate).rounded())
      while lengths.contains(length) { length = prime(from: Double(length + 1)) }
      lengths.append(length)
    }
    return lengths
  }

  /// The first prime from a number on, and from 17 on.
  private static func prime(from number: Double) -> Int {
    var candidate = max(17, Int(exactly: number) ?? 17)
    while (2..<candidate).prefix(while: { $0 * $0 <= candidate }).contains(where: { candidate % $0 == 0 }) {
      candidate += 1
    }
    return candidate
  }

  // MARK: Sound

  /// True where the number of ones in the binary form is odd.
  private static func isOdd(_ number: Int) -> Bool { number.nonzeroBitCount % 2 == 1 }

  /// The sample that came so many frames before the next one.
  private static func sample(_ line: [Double], _ delay: Int) -> Double {
    line.count >= delay ? line[line.count - delay] : 0
  }

  /// The wet output of a frame.
  /// - Parameters:
  ///   - low: the decay time at 0 Hz, seconds.
  ///   - high: the decay time at half the rate, seconds.
  ///   - fade: the factor of what goes into the network.
  mutating func output(_ samples: [Double], low: Double, high: Double, fade: Double = 1) -> [Double] {
    let (low, high) = (min(max(low, 0.001), 20), min(max(high, 0.001), 20))
    var diffuse = samples
    for channel in 0..<channels {
      for stage in 0..<4 {
        let g = min(0.62, pow(10, -9 * Self.diffusion[stage] / min(low, high)))
        let length = allPassLengths[channel][stage]
        let late = Self.sample(allPasses[channel][stage], length)
        let u = diffuse[channel] + g * late
        allPasses[channel][stage].append(u)
        diffuse[channel] = late - g * u
      }
    }

    if gainsAreOf.lengths != lengths || gainsAreOf.low != low || gainsAreOf.high != high {
      gainsAreOf = (lengths, low, high)
      gains = lengths.map { (pow(10, -3 * Double($0) / rate / low), pow(10, -3 * Double($0) / rate / high)) }
    }
    var energy = 0.0
    var v = [Double](repeating: 0, count: 16)
    for (i, (g, h)) in gains.enumerated() {
      energy += (g * g + h * h) / 2 / 16
      v[i] =
        (g + h) / 2 * Self.sample(lines[i], lengths[i]) + (g - h) / 2 * Self.sample(lines[i], lengths[i] + 1)
    }
    for i in 0..<16 {
      var sum = 0.0
      for j in 0..<16 { sum += Self.isOdd(i & j) ? -v[j] : v[j] }
      for channel in 0..<channels {
        sum += fade * (Self.isOdd(i & (1 + channel)) ? -diffuse[channel] : diffuse[channel])
      }
      lines[i].append(sum / 4)
    }
    let scale = sqrt((1 - energy) / (max(energy, 1e-12) * Double(channels)))
    return (0..<channels).map { channel in
      var sum = 0.0
      for i in 0..<16 { sum += Self.isOdd(i & (5 + 5 * channel)) ? -v[i] : v[i] }
      return scale * sum
    }
  }
}

import AudioCore
import Glibc
import Measurement

/// Random matrices for the crosstalk measurement: two to four channels, gains of either sign, some of them nothing,
/// with noise.
public enum CrosstalkDevices {
  public static let family = CoverageFamily("crosstalk", .crosstalk) { seed, number in
    var draw = Draw(seed: seed, "crosstalk", number)
    let rate = LinearDevices.rate(&draw)
    let count = draw.whole(2, 4)
    let noise = number % 3 == 0 ? 0 : draw.logarithmic(1e-7, 1e-3)
    // A level within the noise is reported as a bound only; it is drawn on purpose below.
    let least = max(1e-6, 30 * noise)
    let gains = (0..<count).map { input in
      (0..<count).map { output -> Double in
        if input == output { return draw.sign() * draw.logarithmic(0.1, 1) }
        return draw.whole(0, 3) == 0 ? 0 : draw.sign() * draw.logarithmic(least, 0.09)
      }
    }
    let seed = draw.seed()
    let name = "matrix \(gains), noise \(noise), \(rate) Hz"
    let device = FunctionDevice(name, inputChannelCount: count, precision: .float32) { (input) throws(BenchError) in
      let rounded = SamplePrecision.float32.rounded(input)
      var output = rounded
      for channel in 0..<count {
        let first = UInt64(bitPattern: Int64(clamping: (input.channels.map { $0[1] }.reduce(0) { 3 * $0 + $1 } * 1e12)))
        var generator = GaussianNoise(seed: seed ^ UInt64(channel &* 77) ^ first)
        for frame in 0..<rounded.frameCount {
          var sum = noise > 0 ? noise * generator.next() : 0
          for from in 0..<count { sum += gains[from][channel] * rounded.channels[from][frame] }
          output.channels[channel][frame] = sum
        }
      }
      return SamplePrecision.float32.rounded(output)
    }
    var known = KnownDevice(name, device)
    known.sampleRate = rate
    known.channelCount = count
    for input in 0..<count {
      let direct = abs(gains[input][input])
      for output in 0..<count {
        for hertz in [97.0, 997, 9973] {
          let at = ["input": Double(input), "frequency": hertz]
          let gain = abs(gains[input][output])
          known.truths[.init("level", channel: output, at: at)] = gain == 0 ? .nothing : .value(20 * log10(gain))
          guard output != input else { continue }
          known.truths[.init("crosstalk", channel: output, at: at)] =
            gain == 0 ? .nothing : .value(20 * log10(gain / direct))
        }
      }
      known.truths[.init("loudestOutput", at: ["input": Double(input)])] = .value(Double(input))
      known.truths[.init("polarity", at: ["input": Double(input)])] = .value(gains[input][input] > 0 ? 1 : -1)
      guard input > 0 else { continue }
      for hertz in [97.0, 997, 9973] {
        known.truths[.init("balance", at: ["input": Double(input), "frequency": hertz])] =
          .value(20 * log10(direct / abs(gains[0][0])))
      }
    }
    return known
  }
}

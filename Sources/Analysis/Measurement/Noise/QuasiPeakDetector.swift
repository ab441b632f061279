import AudioCore
import Glibc

/// The quasi-peak meter of ITU-R BS.468-4: rectifies, and follows what it gets faster up than down, twice.
///
/// The recommendation gives no circuit, but what a meter must read of 5 kHz tone bursts (tables 2 and 3). The four time
/// constants were fitted to those tables behind the weighting network: every reading lies within a sixth of the way
/// from the nominal value to its limit. A steady sine at 1 kHz reads its rms.
public struct QuasiPeakDetector: Sendable {
  /// Seconds: up and down, of the first follower and of the second.
  static let timeConstants = (up1: 1.540e-3, down1: 0.2993, up2: 0.2143, down2: 0.3960)

  private let up1, down1, up2, down2: Double
  private var first = 0.0
  private var second = 0.0
  private var scale = 1.0

  /// A meter at rest. It is adjusted with two seconds of a sine, which takes some time.
  ///
  /// - Parameter sampleRate: hertz, above 2000.
  public init(sampleRate: Double) {
    func step(_ seconds: Double) -> Double { -expm1(-1 / (seconds * sampleRate)) }
    let times = Self.timeConstants
    (up1, down1, up2, down2) = (step(times.up1), step(times.down1), step(times.up2), step(times.down2))
    // Two seconds, until the needle stands.
    var meter = self
    let sine = (0..<Int(clamping: 2 * sampleRate)).map { sin(2 * Double.pi * 1000 * Double($0) / sampleRate) }
    scale = 0.5.squareRoot() / meter.process(sine)
  }

  /// Takes weighted samples.
  /// - Returns: the highest reading while they last, as an rms of a steady tone would read.
  public mutating func process(_ samples: some Collection<Double>) -> Double {
    var (a, b, highest) = (first, second, 0.0)
    for sample in samples {
      let value = abs(sample)
      a -= down1 * a
      if value > a { a += up1 * (value - a) }
      b -= down2 * b
      if a > b { b += up2 * (a - b) }
      if b > highest { highest = b }
    }
    (first, second) = (a, b)
    return highest * scale
  }
}

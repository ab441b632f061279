import AudioCore
import Glibc
import Measurement

/// Devices with a clock of their own, 0.1 to 300 ppm from that of their input: shapers and noises that read and write
/// at their own times.
public enum ClockedDevices {
  static let families = [distortion, noise, crosstalk]

  /// Samples between samples: a sinc that ends at 0.8 of half the rate, by polynomials between 512 phases of it.
  struct Interpolation: Sendable {
    private static let (half, phases) = (48, 512)
    private let taps: [Double]

    init() {
      let (half, phases) = (Self.half, Self.phases)
      taps = (-1...phases + 2).flatMap { phase in
        (0..<2 * half).map { tap -> Double in
          let x = Double(tap - half + 1) - Double(phase) / Double(phases)
          let y = min(1, abs(x) / Double(half))
          // Blackman and Harris, seven terms.
          let coefficients = [
            0.27105140069342, 0.43329793923448, 0.21812299954311, 0.06592544638803, 0.01081174209837, 0.00077658482522,
            0.00001388721735,
          ]
          let window = coefficients.enumerated().reduce(0) { $0 + $1.element * cos(.pi * y * Double($1.offset)) }
          return (abs(x) < 1e-12 ? 0.8 : sin(0.8 * .pi * x) / (.pi * x)) * window
        }
      }
    }

    /// The samples of each 1 ÷ step of a second's frames.
    func run(_ samples: [Double], step: Double) -> [Double] {
      let (half, phases) = (Self.half, Self.phases)
      let count = 2 * half
      return taps.withUnsafeBufferPointer { taps in
        samples.withUnsafeBufferPointer { samples in
          samples.indices.map { frame in
            let time = Double(frame) * step
            let whole = Int(clamping: time)
            guard whole >= half, whole + half < samples.count else { return 0 }
            let place = (time - Double(whole)) * Double(phases)
            let phase = Int(clamping: place)
            let u = place - Double(phase)
            let weights = [
              -u * (u - 1) * (u - 2) / 6, (u + 1) * (u - 1) * (u - 2) / 2, -(u + 1) * u * (u - 2) / 2,
              (u + 1) * u * (u - 1) / 6,
            ]
            var sum = 0.0
            for (other, weight) in weights.enumerated() {
              let first = (phase + other) * count
              var part = 0.0
              for tap in 0..<count { part += samples[whole - half + 1 + tap] * taps[first + tap] }
              sum += weight * part
            }
            return sum
          }
        }
      }
    }
  }

  private static let interpolation = Interpolation()

  private static func clock(_ draw: inout Draw) -> Double { draw.sign() * draw.logarithmic(0.1, 300) }

  /// A shaper behind the clock.
  static let distortion = CoverageFamily("clocked distortion", .distortion, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "clocked distortion", number)
    let clock = clock(&draw)
    let noise = number % 2 == 0 ? 0 : draw.logarithmic(1e-7, 3e-4)
    var known = DistortionDevices.shaper(&draw, noise: noise) { samples in
      interpolation.run(samples, step: 1 + clock * 1e-6)
    }
    known = known.renamed("\(known.description), clock \(clock) ppm off")
    for id in ["imdSMPTE", "imdDifference"] {
      for suffix in ["", "Percent", "Order"] {
        for key in known.truths.keys.filter({ $0.id == id + suffix }) { known.truths[key] = nil }
      }
    }
    known.truthsOfFindings = nil
    known.truths[.init("clockDifference")] = .value(clock)
    return known
  } measure: { known in
    var measurement = DistortionMeasurement()
    measurement.parts = [.tone]
    measurement.sampleRate = known.sampleRate
    return try measurement.measure(known.device)
  }

  static let noise = CoverageFamily("clocked noise", .noise, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "clocked noise", number)
    let (rate, clock) = (LinearDevices.rate(&draw), clock(&draw))
    var source = NoiseSource(sampleRate: rate, seed: draw.seed())
    source.deviation = draw.logarithmic(1e-7, 1e-3)
    source.more = "clock \(clock) ppm off, "
    source.through = { interpolation.run($0, step: 1 + clock * 1e-6) }
    return source.known
  }

  static let crosstalk = CoverageFamily("clocked crosstalk", .crosstalk, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "clocked crosstalk", number)
    let clock = clock(&draw)
    var known = CrosstalkDevices.family.draw(seed, number)
    // The interpolation ends below the highest tone.
    known = known.changedChannels("\(known.description), clock \(clock) ppm off") {
      interpolation.run($0, step: 1 + clock * 1e-6)
    }
    return known
  }
}

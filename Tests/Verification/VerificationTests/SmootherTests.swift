// The example of docs/swift-testing.md, line by line: a test holds the two together.

import Foundation
import Testing
import VerificationTesting

/// The code under test: y[n] = y[n−1] + a·(x[n] − y[n−1]), a = 1 − e^(−2π·f/rate).
struct Smoother {
  let coefficient: Float
  var held: [Float]

  init(hertz: Double, sampleRate: Double, channels: Int) {
    coefficient = Float(1 - exp(-2 * .pi * hertz / sampleRate))
    held = Array(repeating: 0, count: channels)
  }

  mutating func process(_ slice: inout [[Float]]) {
    for channel in slice.indices {
      for frame in slice[channel].indices {
        held[channel] += coefficient * (slice[channel][frame] - held[channel])
        slice[channel][frame] = held[channel]
      }
    }
  }

  mutating func reset() { for channel in held.indices { held[channel] = 0 } }
}

@Suite struct SmootherTests {
  /// A device that makes a smoother, hands it slices, and resets it.
  let smoother: SlicedDevice<Smoother> = {
    var device = SlicedDevice("smoother", sampleRate: 48_000) { rate, channels in
      Smoother(hertz: 1000, sampleRate: rate, channels: channels)
    } reset: { smoother in
      smoother.reset()
    } process: { smoother, slice in
      smoother.process(&slice)
    }
    device.reportedTailFrames = 110
    return device
  }()

  @Test func responseIsItsClosedForm() {
    let a = 1 - exp(-2 * Double.pi * 1000 / 48_000)
    expect(
      smoother,
      response: .within(0.01) { hertz in
        let omega = 2 * Double.pi * hertz / 48_000
        return 20 * log10(a / hypot(1 - (1 - a) * cos(omega), (1 - a) * sin(omega)))
      }, from: 20, to: 20_000)
  }

  @Test func nothingIsHeardOfHowItIsRun() {
    expectSliceInvariance(of: smoother)
    expectResetEqualsNew(of: smoother)
    expectSilence(afterTailOf: smoother)
  }

  @Test func soundIsWhatItWas() {
    expect(smoother, matches: "smoother/noise", within: .residual(peak: -120), given: .noise(seconds: 0.1))
  }

  @Test func unitsAreTestedAlike() throws {
    let peak = try ParametricEQ(centerHertz: 1000, q: 1, gainDecibels: 6)
    expect(peak, reading: "gainMaximum", of: .linear, equals: 6, within: 0.01)
  }
}

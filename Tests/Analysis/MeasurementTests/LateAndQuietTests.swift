import Foundation
import Measurement
import Testing

/// Devices that sound again after seconds, hum, or let nearly nothing through.
@Suite("The linear measurement of what is late, hums or is very quiet")
struct LateAndQuietTests {
  private static let rate = 8_000.0

  private func findings(_ device: FunctionDevice) throws -> Findings {
    try MeasurementKind.linear.findings(of: device, MeasurementSettings(sampleRate: Self.rate, channelCount: 1))
  }

  /// The input and its echoes after so many frames, each a half of the one before.
  private static func echoes(_ frames: [Int]) -> FunctionDevice {
    FunctionDevice("echoes", precision: .float32) { input in
      var output = input
      var part = 1.0
      for late in frames {
        part /= 2
        for channel in output.channels.indices {
          for frame in late..<max(late, input.frameCount) {
            output.channels[channel][frame] += part * input.channels[channel][frame - late]
          }
        }
      }
      return output.roundedToFloat()
    }
  }

  @Test(
    "an echo that comes long after another is waited for: ringing to its last frame, and its part of the group delay")
  func lateEchoes() throws {
    let found = try findings(Self.echoes([52_000, 150_000]))
    let tail = try #require(found.reading("tail"))
    #expect(tail.value == 150_001 && tail.bound == nil)
    let delay = try #require(found.curve("groupDelay")?.points.first { abs($0.x - 1000) < 1 })
    // Re(Σ n·h·e^(−iωn) ÷ Σ h·e^(−iωn)); 1000 Hz goes round in 8 frames, and both echoes are whole turns late but for 4
    // of 8 and 6 of 8 frames.
    let omega = 2 * Double.pi * delay.x / Self.rate
    var (value, slope) = ((0.0, 0.0), (0.0, 0.0))
    for (late, part) in [(0, 1.0), (52_000, 0.5), (150_000, 0.25)] {
      let angle = -omega * Double(late)
      value = (value.0 + part * cos(angle), value.1 + part * sin(angle))
      slope = (slope.0 + Double(late) * part * cos(angle), slope.1 + Double(late) * part * sin(angle))
    }
    let truth = (slope.0 * value.0 + slope.1 * value.1) / (value.0 * value.0 + value.1 * value.1)
    #expect(abs(delay.y - truth) <= max(delay.uncertainty ?? 0, 1e-3))
  }

  @Test("a device that was silent for longer than it was listened to afterwards may not be over")
  func openEnd() throws {
    let found = try findings(Self.echoes([40_000, 240_000]))
    let tail = try #require(found.reading("tail"))
    #expect(tail.bound == .atLeast && tail.value == 240_001)
    #expect(found.remarks.contains { $0.hasPrefix("it may not be over: it was silent for 24.99 s") })
  }

  @Test("a hum of −80 dBFS does not count as response: the gain of a copy is 0 dB, and known", arguments: [50.0, 61.3])
  func hum(_ hertz: Double) throws {
    let device = FunctionDevice("hum", precision: .float32) { input in
      var output = input
      for channel in output.channels.indices {
        for frame in output.channels[channel].indices {
          output.channels[channel][frame] += 1e-4 * sin(1 + 2 * .pi * hertz / Self.rate * Double(frame))
        }
      }
      return output.roundedToFloat()
    }
    let found = try findings(device)
    for id in ["gainMaximum", "gainMinimum"] {
      let gain = try #require(found.reading(id))
      #expect(abs(gain.value) <= gain.uncertainty ?? 0 && gain.uncertainty ?? 1 < 0.02, "\(gain)")
    }
  }

  @Test("far beyond a filter's corner a point of a curve is a bound, that the truth keeps")
  func floors() throws {
    // Six sections of the same low-pass: y[n] = 0.2·x[n] + 0.8·y[n − 1], three times two.
    let pole = 0.97
    let device = FunctionDevice("steep", precision: .float32) { input in
      var output = input
      for channel in output.channels.indices {
        for _ in 0..<12 {
          var last = 0.0
          for frame in output.channels[channel].indices {
            last = (1 - pole) * output.channels[channel][frame] + pole * last
            output.channels[channel][frame] = last
          }
        }
      }
      return output.roundedToFloat()
    }
    let found = try findings(device)
    let points = try #require(found.curve("magnitude")).points.filter { $0.x > 20 && $0.x < 3_500 }
    let below = points.filter(\.isBelowFloor)
    #expect(below.count > 10 && points.count > below.count + 10)
    for point in points {
      let omega = 2 * Double.pi * point.x / Self.rate
      let truth = 12 * 20 * log10((1 - pole) / hypot(1 - pole * cos(omega), pole * sin(omega)))
      if point.isBelowFloor {
        #expect(truth <= point.floor ?? -.infinity, "\(point)")
      } else {
        #expect(abs(truth - point.y) <= max(1.5 * (point.uncertainty ?? 0), 1e-4), "\(point), \(truth)")
      }
    }
  }
}

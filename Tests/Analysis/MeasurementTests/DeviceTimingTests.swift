import AudioCore
import Foundation
import Measurement
import TestSupport
import Testing

/// Devices whose delay and clock are known: what they put out is computed from the time, not from samples.
@Suite("Timing of a device")
struct DeviceTimingTests {
  static let rate = 48_000.0

  /// The input a whole number of frames later, by channel; nil: nothing.
  static func late(_ frames: [Int?], gain: Double = 1, noise: Double = 0) -> FunctionDevice {
    FunctionDevice("late") { (input) throws(BenchError) in
      var output = input
      for channel in input.channels.indices {
        var generator = SeededGenerator(seed: UInt64(channel + 1))
        let samples = input.channels[channel]
        output.channels[channel] = samples.indices.map { frame in
          var value = 0.0
          if let late = frames[channel % frames.count], frame >= late { value = gain * samples[frame - late] }
          return noise > 0 ? value + noise * (2 * generator.nextUniform() - 1) : value
        }
      }
      return output
    }
  }

  @Test("a delay is found to the frame, however long, in noise and by channel")
  func delays() throws {
    var generator = SeededGenerator(seed: 42)
    for number in 0..<6 {
      let seconds = number == 0 ? 0 : 4 * (generator.nextUniform() + 1) / 2
      let frames = Int(clamping: seconds * Self.rate)
      let other = Int(clamping: (generator.nextUniform() + 1) * Self.rate)
      let device = Self.late([frames, other], gain: number % 2 == 0 ? 1 : -0.05, noise: number > 2 ? 1e-3 : 0)
      let timing = try DeviceTiming(of: device, sampleRate: Self.rate, channelCount: 2)
      #expect(timing.latencies == [frames, other])
      #expect(timing.stretch == 1 && !timing.isUnsteady)
    }
  }

  @Test("what gives nothing was not heard, and what gives noise alone neither")
  func unheard() throws {
    let timing = try DeviceTiming(of: Self.late([0, nil]), sampleRate: Self.rate, channelCount: 2)
    #expect(timing.latencies == [0, nil])
    #expect(timing.listenedSeconds == DeviceTiming.longestSeconds)
    let noise = try DeviceTiming(of: Self.late([nil], noise: 0.1), sampleRate: Self.rate, channelCount: 1)
    #expect(noise.latencies == [nil] && !noise.isHeard)
  }

  @Test("the delay of a device that changes the rate is in frames of its output", arguments: [0, 700, 40_000])
  func otherRate(_ late: Int) throws {
    // The chirps end far below half of the lower rate.
    let device = FunctionDevice("every second sample") { (input) throws(BenchError) in
      AudioSignal(
        sampleRate: input.sampleRate / 2,
        channels: input.channels.map { samples in
          stride(from: -2 * late, to: samples.count - 2 * late, by: 2).map { $0 < 0 ? 0 : samples[$0] }
        })
    }
    let timing = try DeviceTiming(of: device, sampleRate: Self.rate, takesAnyRate: true, channelCount: 1)
    #expect(timing.latencies == [late] && timing.stretch == 1)
  }

  @Test("the first chirp may come out quieter than the second: that is no delay")
  func quietFirst() throws {
    let device = FunctionDevice("wakes") { (input) throws(BenchError) in
      var output = input
      output.channels[0] = input.channels[0].enumerated().map { $0.offset < 24_000 ? 0.02 * $0.element : $0.element }
      return output
    }
    #expect(try DeviceTiming(of: device, sampleRate: Self.rate, channelCount: 1).latencies == [0])
  }

  /// The input read at another speed: a sum of sincs under a Kaiser window, by definition.
  @Test("another clock is found, to a millionth of its frames", arguments: [-300.0, -20, -0.1, 0.1, 3, 20, 300])
  func clock(partsPerMillion: Double) throws {
    let device = OtherClock.device(partsPerMillion: partsPerMillion)
    let timing = try DeviceTiming(of: device, sampleRate: Self.rate, channelCount: 1)
    // The first answer comes when its clock says so.
    #expect(abs(try #require(timing.latencies[0])) <= 2)
    #expect(abs(timing.stretch * (1 + partsPerMillion * 1e-6) - 1) < 3e-8, "\(timing.stretch)")
  }

  @Test("a delay that moves is no clock")
  func moving() throws {
    let device = OtherClock.device("vibrato") { frame in
      frame + 30 * sin(2 * .pi * 0.4 * frame / Self.rate) - 30
    }
    let timing = try DeviceTiming(of: device, sampleRate: Self.rate, channelCount: 1)
    #expect(timing.isUnsteady && timing.stretch == 1)
  }
}

/// Devices that read their input at other times than its frames.
enum OtherClock {
  /// A clock that is faster by so many millionths: the output is shorter, and higher in pitch.
  static func device(partsPerMillion: Double, precision: SamplePrecision = .float64) -> FunctionDevice {
    let speed = 1 + partsPerMillion * 1e-6
    return device("clock of \(partsPerMillion) ppm", precision) { $0 * speed }
  }

  static func device(
    _ name: String, _ precision: SamplePrecision = .float64, _ place: @escaping @Sendable (Double) -> Double
  ) -> FunctionDevice {
    FunctionDevice(name, precision: precision) { (input) throws(BenchError) in
      var output = precision.rounded(input)
      let channel = output.channels[0]
      let read = channel.withUnsafeBufferPointer { samples in
        kaiser.withUnsafeBufferPointer { window in
          samples.indices.map { value(of: samples, window, at: place(Double($0))) }
        }
      }
      for index in output.channels.indices { output.channels[index] = read }
      return precision.rounded(output)
    }
  }

  private static let half = 48

  /// 2·48 samples around the place, a Kaiser window of β = 16 (side lobes below −150 dB up to 0.45 × rate).
  private static func value(
    of samples: UnsafeBufferPointer<Double>, _ kaiser: UnsafeBufferPointer<Double>, at place: Double
  ) -> Double {
    let whole = Int(clamping: place.rounded(.down))
    let part = place - Double(whole)
    if part == 0 { return samples.indices.contains(whole) ? samples[whole] : 0 }
    let first = max(0, whole + 1 - half)
    let last = min(samples.count - 1, whole + half)
    guard first <= last, samples[first] != 0 || samples[last] != 0 || samples[(first + last) / 2] != 0 else { return 0 }
    let sine = sin(.pi * part) / .pi
    let scale = Double(tableSteps) / Double(half)
    var sum = 0.0
    for frame in first...last {
      let distance = part - Double(frame - whole)
      let row = abs(distance) * scale
      let index = Int(clamping: row)
      let window = kaiser[index] + (kaiser[index + 1] - kaiser[index]) * (row - Double(index))
      sum += samples[frame] * ((frame - whole) & 1 == 0 ? sine : -sine) / distance * window
    }
    return sum
  }

  private static let tableSteps = 200_000
  private static let kaiser: [Double] = (0...tableSteps + 1).map { step in
    let x = Double(step) / Double(tableSteps)
    return bessel(16 * max(0, 1 - x * x).squareRoot()) / bessel(16)
  }

  private static func bessel(_ x: Double) -> Double {
    var (sum, term, order) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= (x / 2 / order) * (x / 2 / order)
      sum += term
      order += 1
    }
    return sum
  }
}

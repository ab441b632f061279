import AudioCore
import BatchRender
import Foundation
import Measurement
import TestSupport
import Testing
import VerificationTesting

/// The records of expectations.
struct Recorded {
  var issues: [Issue] = []
  /// The texts, one after another.
  var text: String { issues.flatMap(\.comments).map(\.rawValue).joined(separator: "\n") }
  var failures: Int { issues.count { $0.isFailure } }
}

/// Runs expectations and takes what they record, so that it does not count against the test.
func recorded(_ body: () throws -> Void) rethrows -> Recorded {
  let issues = Locked<[Issue]>([])
  try withKnownIssue("recorded on purpose", isIntermittent: true) {
    try body()
  } matching: { issue in
    issues.withLock { $0.append(issue) }
    return true
  }
  return Recorded(issues: issues.withLock { $0 })
}

/// A folder for goldens and what failures leave, and expectations that go by it and not by the environment.
final class ExpectationFolder {
  let path: String
  init() throws {
    path = TemporaryFolder.made()
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  var goldens: String { path + "/goldens" }

  func recorded(_ environment: [String: String] = [:], _ body: () throws -> Void) rethrows -> Recorded {
    let settings = ExpectationSettings(environment.merging(["AUBENCH_ARTIFACTS": path + "/artifacts"]) { a, _ in a })
    return try ExpectationSettings.$current.withValue(settings) { try VerificationTests.recorded(body) }
  }

  /// Writes goldens, and says what was recorded besides.
  @discardableResult
  func blessing(_ mode: String = "missing", _ body: () throws -> Void) rethrows -> Recorded {
    try recorded(["AUBENCH_BLESS": mode, "AUBENCH_BLESS_REASON": "a test"], body)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  /// Paths below the folder that the text names.
  func named(in text: String) -> [String] {
    text.ranges(of: path + "/").map { path + "/" + text[$0.upperBound...].prefix { !$0.isWhitespace } }
  }
}

/// y[n] = y[n−1] + a·(x[n] − y[n−1]): what a user of the package might have written.
struct OnePole: Sendable {
  let coefficient: Float
  var held: [Float]

  init(hertz: Double, sampleRate: Double, channels: Int) {
    coefficient = Float(Self.coefficient(hertz: hertz, sampleRate: sampleRate))
    held = Array(repeating: 0, count: channels)
  }

  static func coefficient(hertz: Double, sampleRate: Double) -> Double { 1 - exp(-2 * Double.pi * hertz / sampleRate) }

  /// |a / (1 − (1 − a)·e^(−iω))| in dB.
  static func decibels(hertz: Double, sampleRate: Double, at frequency: Double) -> Double {
    let (a, omega) = (coefficient(hertz: hertz, sampleRate: sampleRate), 2 * Double.pi * frequency / sampleRate)
    return 20 * log10(a / hypot(1 - (1 - a) * cos(omega), (1 - a) * sin(omega)))
  }

  mutating func process(_ slice: inout [[Float]]) {
    for channel in slice.indices {
      var y = held[channel]
      for frame in slice[channel].indices {
        y += coefficient * (slice[channel][frame] - y)
        slice[channel][frame] = y
      }
      held[channel] = y
    }
  }

  enum Fault { case none, forgetsBetweenSlices, keepsItsStateOnReset }

  static func device(hertz: Double = 1000, _ fault: Fault = .none) -> SlicedDevice<OnePole> {
    var device = SlicedDevice("one pole", sampleRate: 48_000) { rate, channels in
      OnePole(hertz: hertz, sampleRate: rate, channels: channels)
    } reset: { pole in
      if fault != .keepsItsStateOnReset { pole.held = pole.held.map { _ in 0 } }
    } process: { pole, slice in
      if fault == .forgetsBetweenSlices { pole.held = pole.held.map { _ in 0 } }
      pole.process(&slice)
    }
    // (1 − a)^n = −120 dB at n = 106 for 1 kHz.
    device.reportedTailFrames = 110
    return device
  }
}

/// A player of half a second of noise, a shelf, an output.
func shelfGraph(gainDecibels: Float, in folder: ExpectationFolder) throws -> Graph {
  let path = folder.path + "/noise.wav"
  try AudioSignal(
    sampleRate: 48_000, channelCount: 2, Stimulus.whiteNoise(frames: 24_000, amplitude: 0.25, seed: 7)
  ).write(to: path)
  let graph = Graph(sampleRate: 48_000)
  let player = try graph.add(FilePlayer(path), as: "noise")
  let shelf = try graph.add(LowShelfFilter(cutoffHertz: 200, gainDecibels: gainDecibels), as: "shelf")
  let output = try graph.add(GenericOutput(), as: "out")
  try graph.connect(player, to: shelf)
  try graph.connect(shelf, to: output)
  return graph
}

// The spectra that scipy makes of known noise (fixtures/reference/spectra.tsv), and that noise.

import AudioCore
import Spectrum
import TestSupport
import Testing

/// The spectra of one choice of segments.
struct SpectrumCase: Sendable, CustomTestStringConvertible {
  let settings: SegmentSettings
  let windowName: String
  let frames: Int
  /// Every which bin has a value.
  let step: Int
  var values: [String: [Double]] = [:]
  var testDescription: String { "\(settings.segmentLength)-\(settings.overlapFrames) \(windowName)" }

  static let sampleRate = 48_000.0

  static let all: [SpectrumCase] = {
    guard let text = try? Repository.text("fixtures/reference/spectra.tsv") else {
      preconditionFailure("no fixtures/reference/spectra.tsv")
    }
    var cases: [SpectrumCase] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t").map(String.init)
      guard let length = Int(fields[1]), let overlap = Int(fields[2]), let frames = Int(fields[4]),
        let step = Int(fields[5]), let window = window(fields[3])
      else { preconditionFailure("a damaged row: \(line.prefix(60))") }
      let settings = SegmentSettings(segmentLength: length, overlapFrames: overlap, window: window)
      if cases.last?.settings != settings {
        cases.append(SpectrumCase(settings: settings, windowName: fields[3], frames: frames, step: step))
      }
      cases[cases.count - 1].values[fields[0]] = fields.dropFirst(6).compactMap(Double.init)
    }
    return cases
  }()

  private static func window(_ name: String) -> Window? {
    switch name {
    case "hann": .hann
    case "blackmanHarris": .blackmanHarris
    case "rectangular": .rectangular
    case "kaiser 8.5": .kaiser(beta: 8.5)
    default: nil
    }
  }

  /// scipy's values of a quantity.
  func expected(_ quantity: String) throws -> [Double] {
    let values = try #require(values[quantity])
    try #require(values.count == (settings.binCount + step - 1) / step)
    return values
  }

  /// The bins that have a value.
  func chosen<Value>(_ bins: [Value]) -> [Value] { stride(from: 0, to: bins.count, by: step).map { bins[$0] } }

  /// x of the file's header.
  var noise: [Double] { Self.noise(seed: 1, frames: frames) }

  /// y of the file's header.
  var response: [Double] {
    let (x, e) = (noise, Self.noise(seed: 2, frames: frames))
    return x.indices.map { n in
      0.5 * x[n] + 0.25 * (n >= 1 ? x[n - 1] : 0) - 0.125 * (n >= 3 ? x[n - 3] : 0) + 0.125 * e[n]
    }
  }

  static func noise(seed: UInt64, frames: Int) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    return (0..<frames).map { _ in Double(generator.next() >> 11) / Double(1 << 52) - 1 }
  }
}

/// Hands a signal to `body` in blocks of these lengths, as pointers to the planes.
func inBlocks<Sample: BinaryFloatingPoint & BitwiseCopyable & Sendable>(
  _ channels: [[Sample]], _ lengths: [Int], _ body: (Planes<Sample>, Int) -> Void
) {
  var start = 0
  for length in lengths {
    let block = SampleBuffer(channels.map { Array($0[start..<start + length]) })
    withExtendedLifetime(block) { body(block.planes, length) }
    start += length
  }
}

/// The largest difference of two curves, relative to the expected value.
func largestRelativeDifference(_ found: [Double], _ expected: [Double]) -> Double {
  precondition(found.count == expected.count)
  return zip(found, expected).map { abs($0 - $1) / max(abs($1), .leastNormalMagnitude) }.max() ?? 0
}

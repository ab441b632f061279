// The answers of scipy in fixtures/reference, and the measurement that is held against them.

import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// One row of a curve file: a unit's settings at a rate, and its magnitudes in dB.
struct ReferenceCurve: Sendable, CustomTestStringConvertible {
  let sampleRate: Double
  let unit: String
  let type: String
  let parameters: [String: Float]
  let hertz: [Double]
  /// −∞: at most −140 dB.
  let decibels: [Double]
  var testDescription: String { "\(unit) \(type) \(parameters) at \(Int(clamping: sampleRate)) Hz" }

  static let equalizers = load("equalizer-curves.tsv")
  static let iPodPresets = load("ipod-eq-curves.tsv")

  private static func load(_ name: String) -> [ReferenceCurve] {
    var hertz: [Double] = []
    return ReferenceFile.rows(name).compactMap { fields in
      let numbers = fields.dropFirst(4).compactMap(Double.init)
      precondition(numbers.count == fields.count - 4, "a damaged row in \(name)")
      // The file has four columns before the magnitudes: rate, unit, type, parameters.
      if fields[1] == "hertz" {
        hertz = numbers
        return nil
      }
      let pairs = fields[3].split(separator: " ").compactMap { pair -> (String, Float)? in
        let parts = pair.split(separator: "=")
        return parts.count == 2 ? Float(parts[1]).map { (String(parts[0]), $0) } : nil
      }
      return ReferenceCurve(
        sampleRate: Double(fields[0]) ?? .nan, unit: fields[1], type: fields[2],
        parameters: Dictionary(uniqueKeysWithValues: pairs), hertz: hertz, decibels: numbers)
    }
  }

  /// The unit of the row, not yet initialized.
  func makeUnit() throws -> Unit {
    switch unit {
    case "nBandEQ":
      let type = try #require(NBandEQ.FilterType(name: type))
      let frequency = try #require(parameters["frequency"])
      return try NBandEQ([
        NBandEQ.Band(
          type, frequencyHertz: frequency, bandwidthOctaves: parameters["bandwidth"] ?? 0.5,
          gainDecibels: parameters["gain"] ?? 0)
      ])
    case "iPodEQ":
      let preset = try #require(IPodEQ.presets.first { $0.name == type })
      return IPodEQ(preset: Int(preset.number))
    default:
      let made = try #require(ComponentRegistry.builtIn.named(unit)).make()
      for (name, value) in parameters {
        let row = try #require(made.allParameters.first { $0.descriptor.name == name })
        try made.setParameter(row.address, to: value)
      }
      return made
    }
  }
}

enum ReferenceFile {
  /// The rows of a file of fixtures/reference as fields, without comments.
  static func rows(_ name: String) -> [[String]] {
    guard let text = try? Repository.text("fixtures/reference/" + name) else {
      preconditionFailure("no reference file \(name)")
    }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

/// The response of a unit to an impulse of height 1 in Float32, and what follows from it.
struct ImpulseResponse {
  let samples: [Float]
  /// Σ|h|.
  let absoluteSum: Double

  /// Renders until the tail is gone: by what the unit says of itself (−120 dB of its slowest section), twice over.
  init(of unit: Unit, sampleRate: Double) throws {
    let ready = try fed(unit, impulse(), sampleRate: sampleRate)
    let frames = 4096 + 2 * Int(try #require(ready.tailFrames))
    samples = try renderedSignal(ready, total: frames, in: .slices(of: 4096))[0]
    absoluteSum = samples.reduce(0) { $0 + Double(abs($1)) }
  }

  /// |H| at a frequency: the sum of h·e^(−jωn) in Double, ω exact again every 1024 samples.
  func magnitude(atHertz hertz: Double, sampleRate: Double) -> Double {
    let omega = 2 * Double.pi * hertz / sampleRate
    let (stepCosine, stepSine) = (cos(omega), sin(omega))
    var (real, imaginary) = (0.0, 0.0)
    samples.withUnsafeBufferPointer { samples in
      var start = 0
      while start < samples.count {
        var (cosine, sine) = (cos(omega * Double(start)), sin(omega * Double(start)))
        for index in start..<min(start + 1024, samples.count) {
          let sample = Double(samples[index])
          real += sample * cosine
          imaginary += sample * sine
          (cosine, sine) = (cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine)
        }
        start += 1024
      }
    }
    return (real * real + imaginary * imaginary).squareRoot()
  }
}

import AudioCore
import Foundation
import Measurement
import Testing
import VerificationTesting

import Verification

/// A limit that anything keeps is refused: by a table of readings, which measurements hold to be true here.
@Suite("Limits mean something")
struct MeaninglessLimitTests: CheckTrial {
  private func findings(_ kind: MeasurementKind, _ device: FunctionDevice) throws -> Findings {
    var settings = MeasurementSettings()
    settings.channelCount = kind == .levels || kind == .crosstalk ? 2 : 1
    return try kind.findings(of: device, settings)
  }

  @Test(
    "Rows are what a copy reads, and a copy 20 dB louder or quieter; each reading has a row and lies in its range",
    arguments: MeasurementKind.general)
  func rows(kind: MeasurementKind) throws {
    let copy = try findings(kind, identity)
    for factor in [0.1, 1, 10] {
      let found = factor == 1 ? copy : try findings(kind, gain(factor))
      for reading in found.readings {
        let row = try #require(ReadingKind.of(reading.id, in: kind), "\(kind.rawValue) \(reading.id) has no row")
        let scale = reading.unit == .frames ? 48_000 : 1.0
        if reading.value.isFinite {
          #expect(
            (row.range.lowerBound * scale...row.range.upperBound * scale).contains(reading.value), "\(reading)")
        }
        if factor == 1 { edges(reading, kind, row, scale) }
        // The tones at other outputs than that of their input are no copies.
        guard let level = row.copyLevel, !reading.isBelowFloor, reading.value.isFinite,
          reading.at["input"].map({ $0 == Double(reading.channel ?? 0) }) ?? true, reading.id != "balance"
        else { continue }
        #expect(abs(reading.value - level - 20 * log10(factor)) < 2, "\(row.id) \(reading.text), \(level)")
      }
    }
  }

  /// A limit is refused on both sides where nothing could fail it, and not a hair inside.
  private func edges(_ reading: Reading, _ kind: MeasurementKind, _ row: ReadingKind, _ scale: Double) {
    func isRefused(_ least: Double?, _ most: Double?, around: Bool = false) -> Bool {
      ReadingKind.refusal(
        of: reading, in: kind, least: least, most: most, isAround: around, sampleRate: 48_000) != nil
    }
    var (low, high) = (row.range.lowerBound * scale, row.range.upperBound * scale)
    if let level = row.copyLevel { (low, high) = (max(low, level - 20), min(high, level + 20)) }
    let hair = max(1e-6, abs(high - low) * 1e-9)
    #expect(isRefused(low, nil) && isRefused(nil, high) && isRefused(low, high), "\(row.id)")
    #expect(!isRefused(low + hair, nil) && !isRefused(nil, high - hair), "\(row.id)")
    #expect(isRefused((low + high) / 2 - 2 * (high - low), (low + high) / 2 + 2 * (high - low), around: true))
    // At the end of a range one side is enough.
    #expect(!isRefused(high - hair, high + hair, around: true), "\(row.id)")
  }

  @Test("In suites, for each measurement on a device that is measured once")
  func suites() throws {
    let copy = try context(identity)
    for limit in [
      #""reading": "gainMaximum", "max": 300"#, #""reading": "gainMaximum", "max": 25"#,
      #""reading": "gainMaximum", "min": -300"#,
      #""reading": "gainMaximum", "value": 0, "within": 59"#, #""reading": "gainMaximum", "min": -59, "max": 59"#,
      #""reading": "gainMinimum", "min": -25"#, #""reading": "polarity", "min": -1"#,
      #""reading": "polarity", "max": 1"#,
      #""reading": "polarity", "value": 0, "within": 1"#, #""reading": "latency", "max": 1e8"#,
      #""reading": "tail", "min": 0"#, #""reading": "nonlinearity", "max": 40"#,
      #""reading": "timeVariance", "min": -500"#,
      #""measure": "levels", "reading": "correlation", "min": -1"#,
      #""measure": "levels", "reading": "crest", "min": 0"#,
      #""measure": "levels", "reading": "peak", "max": 10"#, #""measure": "levels", "reading": "rms", "min": -60"#,
      #""measure": "levels", "reading": "loudnessIntegrated", "min": -70"#,
      #""measure": "levels", "reading": "balance", "max": 90"#,
      #""measure": "levels", "reading": "subnormals", "min": 0"#, #""measure": "levels", "reading": "dc", "max": 3"#,
      #""measure": "noise", "reading": "dynamicRange", "min": 0"#,
      #""measure": "noise", "reading": "noise", "max": 10"#,
      #""measure": "distortion", "reading": "thdPlusNoise", "max": 0"#,
      #""measure": "distortion", "reading": "sinad", "min": 0"#,
      #""measure": "dynamics", "reading": "staticSlope", "min": -100"#,
    ] {
      expectFailure(.suite, ["cannot fail"]) { _ = try check(#"{"check": "measure", \#(limit)}"#, in: copy) }
    }
    let compressed = try context(compressor)
    for limit in [#""reading": "ratio", "min": 0"#, #""reading": "attackTime", "max": 100"#] {
      expectFailure(.suite, ["cannot fail"]) {
        _ = try check(#"{"check": "measure", "measure": "dynamics", \#(limit)}"#, in: compressed)
      }
    }
    for limit in [#""within": 59"#, #""within": 20"#, #""mask": [[20, -59, 59], [20000, -59, 59]]"#] {
      let outcome = try check(#"{"check": "response", "against": "nothing", \#(limit)}"#, in: copy)
      #expect(outcome.verdict == .error && outcome.found.contains("cannot be passed"), "\(outcome)")
    }
  }

  @Test("A response within 19.9 dB, and a mask with an upper limit alone, mean something")
  func meantResponses() throws {
    let copy = try context(identity)
    #expect(try check(#"{"check": "response", "against": "nothing", "within": 19.9}"#, in: copy).verdict == .passed)
    let mask = #"{"check": "response", "against": "nothing", "mask": [[20, -400, 0.1], [20000, -400, 0.1]]}"#
    #expect(try check(mask, in: copy).verdict == .passed)
    #expect(try check(mask, on: gain(1.1)).verdict == .failed)
  }

  @Test(
    "Comparators, when the suite is read",
    arguments: [
      #""bands": 59"#, #""bands": 20"#, #""loudness": 59"#, #""loudness": 20"#, #""spectrum": 50"#, #""spectrum": 20"#,
      #""ulps": 40000000"#, #""ulps": 27262976"#, #""relative": -0.9"#, #""align": {"null": -0.5}"#,
      #""align": {"gain": 20}"#,
    ])
  func comparators(limit: String) throws {
    #expect(throws: BenchError.self) {
      try check(#"{"check": "sameAs", "device": {"formula": "in(c)"}, \#(limit)}"#, on: identity)
    }
  }

  @Test("Comparators, by the signal at hand", arguments: [#""peak": -12.9"#, #""rms": -17"#])
  func levels(limit: String) throws {
    func run(_ limit: String) throws -> CheckOutcome {
      try check(#"{"check": "sameAs", "device": {"formula": "in(c)"}, \#(limit)}"#, on: identity)
    }
    expectFailure(.suite, ["tells nothing here", "20 dB quieter"]) { _ = try run(limit) }
    #expect(try run(limit.replacing("-1", with: "-3")).verdict == .passed)
  }

  @Test("In Swift, limits are refused alike")
  func swift() throws {
    let folder = try ExpectationFolder()
    let noise = noiseSignal(frames: 48_000)
    func text(_ comparator: some SignalComparator) -> String {
      folder.recorded { expect(noise, equals: noise, comparator) }.text
    }
    for found in [
      text(.bands(20)), text(.spectrum(50)), text(.loudness(59)), text(.ulps(40_000_000)),
      text(.residual(relative: -0.5)),
      text(.residual(peak: 6)),
    ] { #expect(found.contains("tells nothing here"), "\(found)") }
    #expect(folder.recorded { expect(noise, equals: noise, .bands(19)) }.issues.isEmpty)
    let reading = folder.recorded { expect(identity, reading: "gainMaximum", of: .linear, atMost: 300) }.text
    #expect(reading.contains("cannot fail"), "\(reading)")
  }

  @Test("On the command line files are compared by limits that the file 20 dB quieter would not keep")
  func files() throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(frames: 48_000), "noise.wav")
    func compare(_ comparator: any SignalComparator) throws -> Bool {
      var options = FileComparison.Options()
      options.comparators = [comparator]
      return try FileComparison.compare(folder.file("noise.wav"), with: folder.file("noise.wav"), options: options)
        .isSame
    }
    #expect(try compare(ResidualComparator(peakLimit: -20)) && compare(BandComparator(limit: 1)))
    for wide: any SignalComparator in [
      ResidualComparator(peakLimit: 0), UlpComparator(limit: 40_000_000), BandComparator(limit: 20),
      LoudnessComparator(limit: 30),
    ] {
      expectFailure(.usage, ["tells nothing here"]) { _ = try compare(wide) }
    }
  }

  @Test("Silence that sounds 20 dB below the peak, and parameters beyond their range")
  func others() throws {
    for below in ["-0.001", "-19"] {
      #expect(throws: BenchError.self) { try check(#"{"check": "silence", "below": \#(below)}"#, on: identity) }
    }
    let unit = #"{"unit": "lowPassFilter", "set": {"cutoffFrequency": 500}}"#
    func verdict(_ limit: String) throws -> Verdict {
      try SuiteFolder().run(
        caseText("a", unit, checks: #"{"check": "parameter", "parameter": "cutoffFrequency", \#(limit)}"#)
      ).verdict
    }
    for limit in [#""min": -1e9"#, #""max": 1e9"#, #""min": 400, "max": 1e9"#, #""value": 500, "within": 1e6"#] {
      #expect(try verdict(limit) == .error, "\(limit)")
    }
    #expect(try verdict(#""value": 500, "within": 1"#) == .passed)
    #expect(try verdict(#""min": 499"#) == .passed)
  }
}

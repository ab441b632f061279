import Reporting
import Foundation
import Measurement
import TestSupport
import Verification

/// Outcomes with everything that can be in one, for the tests of the reports.
enum ReportFixture {
  /// Texts as a hostile suite, a broken device or a friendly person writes them.
  static let script = "<script>document.documentElement.dataset.owned = 1</script>"
  static let image = "\"><img src=x onerror=\"document.documentElement.dataset.owned = 1\">"
  static let strange =
    "]]> & 'single' \"double\" \u{1}\u{8}\u{1B}[31mred\u{1B}[0m \u{7F}\u{FFFE} \u{202E}abc\u{202C} 🎧 e\u{301} 日本 |"
  static let long = String(repeating: "0123456789 ", count: 930)

  /// A low-pass of the second order, from 20 Hz to 20 kHz: 1 / √(1 + (f / fc)⁴) in dB.
  static func lowPass(_ id: String, cutoff: Double, points: Int = 400, offset: Double = 0) -> Curve {
    Curve(
      id, "magnitude, \(id)", x: .frequency, y: Curve.Axis("magnitude", .decibels),
      points: (0..<points).map { index in
        let frequency = 20 * pow(1000, Double(index) / Double(points - 1))
        return Curve.Point(frequency, -10 * log10(1 + pow(frequency / cutoff, 4)) + offset)
      }, channel: 0)
  }

  /// Found 0.3 dB too low about 12.1 kHz, expected, and limits of ±0.1 dB.
  static func overlay() -> CheckOutcome.Overlay {
    let expected = lowPass("expected", cutoff: 1000)
    var actual = expected
    actual.id = "actual"
    actual.name = "lowPassFilter, cutoff 1 kHz"
    for index in actual.points.indices {
      let octaves = log2(actual.points[index].x / 12_100)
      actual.points[index].y -= 0.31 * exp(-octaves * octaves * 8) + 0.02 * sin(Double(index) / 9)
    }
    actual.points[100].y = .nan
    actual.points[101].y = -.infinity
    return CheckOutcome.Overlay(
      actual: actual, expected: expected, lower: lowPass("lower", cutoff: 1000, offset: -0.1),
      upper: lowPass("upper", cutoff: 1000, offset: 0.1))
  }

  static func failed(files: CaseOutcome.Files = CaseOutcome.Files()) -> CaseOutcome {
    var outcome = CaseOutcome(
      "equalizers/lowPass-1k", .failed, device: "graph equalizers/lowPass-1k.json", seconds: 0.31,
      checks: [
        CheckOutcome(
          "response", .failed, found: "worst at 12.1 kHz: −0.31 dB",
          expected: "the analytic curve from 20 Hz to 20 kHz",
          readings: [
            Reading("deviation", "largest deviation", -0.31, .decibels, floor: -140, uncertainty: 0.001, channel: 0),
            Reading("thdn", "THD+N, 997 Hz, 20 kHz", -152, .decibels, floor: -141.2),
            Reading("latency", "latency", .nan, .frames, remark: "no impulse found"),
            Reading("peak", "peak", -.infinity, .decibelsFullScale, channel: 1, at: ["frequency": 997]),
          ], firstFailure: CheckOutcome.Place(frame: 4711, seconds: 4711.0 / 44100, channel: 1), overlay: overlay()),
        CheckOutcome("sliceInvariance", .passed, found: "the same in 12 partitions", expected: "the same bits"),
      ])
    outcome.checks[0].limit = "±0.1 dB"
    outcome.suitePath = "suites/equalizers.json"
    outcome.firstDifferentNode = "eq"
    outcome.log = (1...14).map { "line \($0)" }.joined(separator: "\n") + "\n\u{1B}[31mclipping\u{1B}[0m\n"
    outcome.command = "aubench verify suites/equalizers.json --case 'equalizers/lowPass-1k'"
    outcome.files = files
    return outcome
  }

  /// A case of each verdict, with hostile texts wherever a text can be.
  static func everything(files: CaseOutcome.Files = CaseOutcome.Files()) -> RunOutcome {
    var passed = CaseOutcome(
      "equalizers/highPass-100", .passed, device: "highPassFilter", seconds: 0.12,
      checks: [
        CheckOutcome("response", .passed, found: "within 0.002 dB", expected: "within ±0.01 dB", overlay: overlay())
      ])
    passed.suitePath = "suites/equalizers.json"
    let skipped = CaseOutcome(
      "mixers/surround", .skipped, device: "mixer", seconds: 0, message: "needs eight channels; the device has two")
    let unblessed = CaseOutcome(
      "mixers/ramp", .unblessed, device: "mixer", seconds: 0.8,
      checks: [
        CheckOutcome(
          "golden", .unblessed, found: "no fixtures/golden/mixer/ramp.flac", expected: "a golden of version 2")
      ])
    var crashed = CaseOutcome(
      "mixers/\(script)", .crashed, device: image, seconds: 1.5, message: "SIGSEGV after 0.4 s\n" + strange)
    crashed.log = strange + script + "\r\n" + long
    crashed.firstDifferentNode = image
    crashed.command = "aubench verify '" + script + "'"
    crashed.files.actual = "/nowhere/\(script).wav"
    crashed.files.pictures = [(image, "/nowhere/\"><script>.png")]
    let timedOut = CaseOutcome(
      "mixers/slow", .timedOut, device: "-- sleep 100", seconds: 60, message: "took more than 60 s")
    let error = CaseOutcome(strange, .error, device: long, seconds: .nan, message: long)
    let odd = CaseOutcome(
      "mixers/odd", .failed, device: "d", seconds: 2,
      checks: [
        CheckOutcome(
          script, .failed, found: image + strange, expected: script + strange,
          readings: [Reading(script, image, .infinity, .amplitude, floor: .nan, at: [script: .nan], remark: strange)],
          overlay: CheckOutcome.Overlay(
            actual: Curve(
              "odd", script, x: Curve.Axis(image, .seconds), y: Curve.Axis(strange, .amplitude),
              points: [Curve.Point(0, .nan), Curve.Point(.infinity, 1), Curve.Point(1, 2), Curve.Point(2, -.infinity)]))
        ),
        CheckOutcome(
          "empty", .failed, found: "", expected: "", overlay: .init(actual: Curve("none", "none", x: .time, y: .time))),
      ])
    var run = RunOutcome(
      suites: ["suites/equalizers.json", "suites/mixers.json", "suites/empty \(script).json"],
      cases: [passed, skipped, unblessed, failed(files: files), crashed, timedOut, error, odd], seconds: 9.3,
      program: "aubench 0.1.0", machine: [("processor", "x86-64, AVX2"), (script, image + strange)])
    run.startTime = "2026-03-01T09:30:00Z"
    return run
  }

  static func allPassed(_ count: Int = 212) -> RunOutcome {
    RunOutcome(
      suites: ["suites/many.json"],
      cases: (0..<count).map { index in
        CaseOutcome(
          "many/case-\(index)", .passed, device: "lowPassFilter", seconds: 0.01 + Double(index % 7) / 100,
          checks: [
            CheckOutcome(
              "response", .passed, found: "within 0.002 dB", expected: "within ±0.01 dB", overlay: overlay()),
            CheckOutcome("sliceInvariance", .passed, found: "the same in 12 partitions", expected: "the same bits"),
          ])
      }, seconds: 9.3, program: "aubench 0.1.0", machine: [("processor", "x86-64")])
  }

  /// Sounds of a second as WAV of Float32 and a picture, as a failed case leaves them in a folder.
  static func files(in folder: TemporaryFolder) -> CaseOutcome.Files {
    func wave(_ name: String, _ gain: Double) -> String {
      let samples = (0..<88_200).map { index in
        Float(gain * sin(2 * .pi * 440 * Double(index / 2) / 44100))
      }
      var bytes: [UInt8] = []
      func append(_ value: UInt32, _ count: Int) {
        for shift in 0..<count { bytes.append(UInt8(value >> (8 * UInt32(shift)) & 255)) }
      }
      bytes += Array("RIFF".utf8)
      append(UInt32(36 + samples.count * 4), 4)
      bytes += Array("WAVEfmt ".utf8)
      for (value, count) in [(16, 4), (3, 2), (2, 2), (44100, 4), (44100 * 8, 4), (8, 2), (32, 2)] {
        append(UInt32(value), count)
      }
      bytes += Array("data".utf8)
      append(UInt32(samples.count * 4), 4)
      for sample in samples { append(sample.bitPattern, 4) }
      return folder.write(bytes, to: name)
    }
    var files = CaseOutcome.Files()
    files.actual = wave("actual.wav", 1.5)
    files.expected = wave("expected.wav", 0.5)
    files.difference = wave("difference <1>.wav", 0.000_01)
    let picture = """
      <svg xmlns="http://www.w3.org/2000/svg" width="600" height="120"><rect width="600" height="120" fill="#eee"/>\
      <path d="M0 60h600" stroke="#0072b2"/></svg>
      """
    files.pictures = [("residual", folder.write(picture, to: "residual.svg"))]
    return files
  }
}

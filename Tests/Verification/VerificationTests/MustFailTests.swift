import AudioCore
import Foundation
import Measurement
import TestSupport
import Testing

import Verification

/// Every limit of every check has a device that exceeds it, on each side: made from the tables of checks, comparators
/// and readings, so that a new one without such a device fails here.
@Suite("Every limit fails in every direction")
struct MustFailTests: CheckTrial {
  // MARK: Readings

  /// Devices of which together every reading is known.
  private var measured: [(kind: MeasurementKind, device: FunctionDevice)] {
    let bent = device("bent") { (input) throws(BenchError) in
      mapped(input) { sample in sample + 0.01 * sample * sample + 1e-4 * sin(12345.678 * sample) }
    }
    let hum = device("hum") { (input) throws(BenchError) in
      var output = input
      output.channels = input.channels.map { samples in
        samples.enumerated().map { frame, sample in
          Double(
            Float(
              sample + 1e-3 * sin(2 * .pi * 3001 * Double(frame) / input.sampleRate) + 1e-5
                * sin(Double(frame * frame) * 0.37)))
        }
      }
      return output
    }
    let leak = device("leak") { (input) throws(BenchError) in
      var output = input
      guard input.channelCount == 2 else { return input }
      output.channels[1] = zip(input.channels[1], input.channels[0]).map { Double(Float(0.5 * $0 + 0.1 * $1)) }
      return output
    }
    return [
      (.linear, leak), (.distortion, bent), (.noise, hum), (.dynamics, compressor), (.dynamics, identity),
      (.levels, leak),
      (.crosstalk, leak),
      (
        .resampler,
        device("one pole") { (input) throws(BenchError) in
          var output = input
          output.channels = input.channels.map { samples in
            var held = 0.0
            return samples.map { sample in
              held += 0.5 * (sample - held)
              return Double(Float(held))
            }
          }
          return output
        }
      ),
    ]
  }

  @Test("Readings, by a limit just below and just above what is read")
  func readings() throws {
    var seen: Set<String> = []
    let folder = try SuiteFolder()
    for (kind, device) in measured {
      let stereo = kind == .linear || kind == .levels || kind == .crosstalk
      let suite = try folder.suite(
        caseText(
          "a", #"{"command": ["cp", "{in}", "{out}"], "channels": \#(stereo ? 2 : 1)}"#,
          checks: #"{"check": "reset"}"#,
          more: stereo ? #""nonlinear": true, "routing": [0, [1, 0]],"# : #""nonlinear": true,"#))
      let context = CheckContext(
        CheckSubject(suite.cases[0]), device: device, goldens: suite.goldens, others: suite.cases)
      for reading in try context.findings(kind).readings where !reading.value.isNaN {
        seen.insert("\(kind.rawValue) \(reading.id)")
        func passes(_ least: Double?, _ most: Double?) -> Bool {
          let check = MeasureCheck(
            reading.id, of: kind, channel: reading.channel, at: reading.at,
            ValueLimits(least: least, most: most, isAround: true))
          return (try? check.run(context).verdict) == .passed
        }
        let value = reading.isBelowFloor ? reading.floor ?? reading.value : reading.value
        let step = max(1e-3 * abs(value), 1e-3)
        #expect(!passes(value + step, nil), "\(kind.rawValue) \(reading.text) passes at least \(value + step)")
        #expect(!passes(nil, value - step), "\(kind.rawValue) \(reading.text) passes at most \(value - step)")
      }
    }
    let all = Set(ReadingKind.all.map { "\($0.measurement) \($0.id)" }.filter { !$0.hasPrefix("voice ") })
    // The reading of a unit with a closed form, which `measure` adds; down-converters alone have aliases.
    let elsewhere: Set = ["linear closedFormDifference", "resampler aliases", "resampler aliasesToNyquist"]
    #expect(all.subtracting(seen).subtracting(elsewhere).isEmpty, "no case: \(all.subtracting(seen).sorted())")
    #expect(seen.subtracting(all).isEmpty, "no row: \(seen.subtracting(all).sorted())")
  }

  // MARK: Comparators

  /// By limit: its value, and devices that are beyond it, in each direction.
  private var beyond: [String: (limit: String, devices: [FunctionDevice])] {
    func offset(_ by: Double) -> FunctionDevice {
      device { (input) throws(BenchError) in mapped(input) { $0 + by } }
    }
    func early(_ frames: Int) -> FunctionDevice {
      device { (input) throws(BenchError) in
        var output = input
        output.channels = input.channels.map { Array($0.dropFirst(frames)) + Array(repeating: 0, count: frames) }
        return output
      }
    }
    func late(_ frames: Int) -> FunctionDevice {
      device { (input) throws(BenchError) in
        var output = input
        output.channels = input.channels.map { Array(repeating: 0, count: frames) + Array($0.dropLast(frames)) }
        return output
      }
    }
    func drifting(_ partsPerMillion: Double) -> FunctionDevice {
      device { (input) throws(BenchError) in
        var output = input
        output.channels = input.channels.map { samples in
          samples.indices.map { frame -> Double in
            let place = Double(frame) * (1 + partsPerMillion * 1e-6)
            let first = Int(clamping: place)
            guard first + 1 < samples.count else { return 0 }
            return Double(Float(samples[first] + (samples[first + 1] - samples[first]) * (place - Double(first))))
          }
        }
        return output
      }
    }
    return [
      "exact": ("true", [gain(1 + 1e-6), gain(1 - 1e-6)]), "ulps": ("4", [gain(1 + 1e-5), gain(1 - 1e-5)]),
      "peak": ("-60", [offset(0.01), offset(-0.01)]), "rms": ("-60", [offset(0.01), offset(-0.01)]),
      "relative": ("-60", [gain(1.01), gain(0.99)]), "window": ("0.01", []),
      "align": ("{}", [gain(1.01), gain(0.99), late(1), early(1), gain(-1)]),
      "delay": (#"{"delay": 3}"#, [late(4), early(4)]), "gain": (#"{"gain": 0.5}"#, [gain(1.07), gain(0.93)]),
      "drift": (#"{"delay": "any", "drift": 20}"#, [drifting(90), drifting(-90)]),
      "inverted": (#"{"inverted": false}"#, [gain(-1)]), "null": (#"{"null": -80}"#, [offset(1e-3), offset(-1e-3)]),
      "bands": ("0.5", [gain(1.1), gain(0.9)]), "spectrum": ("0.5", [gain(1.1), gain(0.9)]),
      "loudness": ("0.5", [gain(1.1), gain(0.9)]),
    ]
  }

  @Test("Comparators, by their limits")
  func comparators() throws {
    let cases = beyond
    for limit in ComparatorKind.all.flatMap(\.limits) {
      let (value, devices) = try #require(cases[limit.name], "the limit \(limit.name) has no device that is beyond it")
      let key = limit.group ?? limit.name
      let written = value.replacing(#""delay": "any""#, with: #""delay": 1000"#)
      let text =
        #"{"check": "sameAs", "device": {"formula": "in(c)"}, "\#(key)": \#(written)\#(key == "window" ? #", "peak": -60"# : "")}"#
      let noise = #"{"type": "noise", "frames": 48000}"#
      #expect(try check(text, on: identity, stimulus: noise).verdict == .passed, "\(limit.name)")
      for device in devices {
        #expect(try check(text, on: device, stimulus: noise).verdict == .failed, "\(limit.name): \(text)")
      }
    }
  }

  // MARK: Other limits

  /// Keys that choose what is looked at, or how; they are no limits.
  private static let choices: Set = [
    "golden.bits", "response.curve", "response.channel", "response.against", "measure.measure", "measure.reading",
    "measure.channel", "measure.at", "sameAs.device", "sameAs.eachChannel", "law.slices", "order.seed", "order.others",
    "parameter.node", "parameter.parameter", "parameter.channel", "parameter.frames",
  ]
  /// Limits that other suites of tests exceed on both sides.
  private static let elsewhere: Set = ["law.within", "sameAs.file", "slices.threads", "parameter.value"]

  /// A check by the key of its limit, with a device that passes and devices that are beyond it.
  private func limits() throws -> [String: (text: String, good: CheckContext, bad: [CheckContext])] {
    let (copy, louder, quieter) = (try context(identity), try context(gain(1.05)), try context(gain(0.95)))
    func response(_ limits: String) -> (String, CheckContext, [CheckContext]) {
      (#"{"check": "response", "against": "nothing", \#(limits)}"#, copy, [louder, quieter])
    }
    func measure(_ limits: String, _ bad: CheckContext...) -> (String, CheckContext, [CheckContext]) {
      (#"{"check": "measure", "reading": "gainMaximum", \#(limits)}"#, copy, bad)
    }
    func length(_ limits: String, _ bad: FunctionDevice...) throws -> (String, CheckContext, [CheckContext]) {
      (#"{"check": "length", \#(limits)}"#, copy, try bad.map(context))
    }
    func changed(_ body: @escaping @Sendable (inout AudioSignal) -> Void) -> FunctionDevice {
      device { (input) throws(BenchError) in
        var output = input
        body(&output)
        return output
      }
    }
    let ringing = changed { signal in
      for channel in signal.channels.indices {
        for frame in signal.channels[channel].indices.dropFirst() where signal.channels[channel][frame] == 0 {
          signal.channels[channel][frame] = Double(Float(0.9999 * signal.channels[channel][frame - 1]))
        }
      }
    }
    let refuses = device { (_) throws(BenchError) in throw BenchError(.graph, at: "here", "no such node") }
    let other = device { (_) throws(BenchError) in throw BenchError(.graph, at: "here", "another error") }
    return [
      "response.within": response(#""within": 0.1"#), "response.from": response(#""within": 0.1, "from": 100"#),
      "response.to": response(#""within": 0.1, "to": 10000"#),
      "response.mask": response(#""mask": [[20, -0.1, 0.1], [20000, -0.2, 0.2]]"#),
      "measure.value": measure(#""value": 0, "within": 0.1"#, louder, quieter),
      "measure.within": measure(#""value": 0, "within": 0.1"#, louder, quieter),
      "measure.min": measure(#""min": -0.1"#, quieter), "measure.max": measure(#""max": 0.1"#, louder),
      "length.frames": try length(
        #""frames": 24000"#, changed { $0.channels = $0.channels.map { $0 + [0] } },
        changed { $0.channels = $0.channels.map { $0.dropLast() } }),
      "length.channels": try length(
        #""channels": 2"#, changed { $0.channels.removeLast() }, changed { $0.channels.append($0.channels[0]) }),
      "length.sampleRate": try length(
        #""sampleRate": 48000"#, changed { $0.sampleRate = 48_001 }, changed { $0.sampleRate = 47_999 }),
      "silence.below": (#"{"check": "silence", "below": -60}"#, copy, [try context(ringing)]),
      "silence.after": (#"{"check": "silence", "after": 100}"#, copy, [try context(ringing)]),
      "fails.says": (
        #"{"check": "fails", "says": ["no such node"]}"#, try context(refuses), [copy, try context(other)]
      ),
    ]
  }

  @Test("All other limits, by the keys of the checks")
  func otherLimits() throws {
    let comparing = Set(ComparatorKind.all.flatMap(\.limits).map(\.name))
    let cases = try limits()
    for kind in CheckReader.kinds {
      for key in kind.keys.map({ $0.name }) where !comparing.contains(key) || !["golden", "sameAs"].contains(kind.name)
      {
        let name = "\(kind.name).\(key)"
        if Self.choices.contains(name) || Self.elsewhere.contains(name) || Self.sliced.contains(name)
          || Self.shown.contains(name)
        {
          continue
        }
        let (text, good, bad) = try #require(cases[name], "the limit \(name) has no device that is beyond it")
        #expect(try check(text, in: good).verdict == .passed, "\(name)")
        #expect(!bad.isEmpty)
        for device in bad { #expect(try check(text, in: device).verdict == .failed, "\(name): \(text)") }
      }
    }
  }

  // MARK: The suite

  @Test("The suite of judges tries every reading, comparator and check, and knows the range of each reading")
  func suiteOfJudges() throws {
    let tables = try Repository.files(below: "fixtures/suites/judges", suffix: ".txt")
    func rows(_ path: String) throws -> [String] {
      try String(contentsOfFile: "\(Repository.path)/\(path)", encoding: .utf8).split(separator: "\n").map(String.init)
    }
    let ranges = try rows("fixtures/suites/judges/ranges.txt")
    let lines = try tables.filter { !$0.hasSuffix("/ranges.txt") }.flatMap(rows)
    // A voice processor takes minutes; `closedFormDifference` is a reading of `aubench measure` alone.
    for kind in ReadingKind.all where kind.measurement != "voice" && kind.id != "closedFormDifference" {
      let name = "\(kind.measurement) \(kind.id) "
      let own = lines.filter { $0.hasPrefix(name) }.map { $0.split(separator: " ") }
      #expect(own.contains { $0.count == 6 }, "no device has a known \(name)")
      let row = try #require(ranges.first { $0.hasPrefix(name) }, "no range of \(name)").split(separator: " ")
      #expect(
        Double(row[2]) == kind.range.lowerBound && Double(row[3]) == kind.range.upperBound
          && Double(row[5]) == kind.copyLevel, "another range: \(row)")
    }
    func has(_ verdict: String, _ words: String...) -> Bool {
      lines.contains { line in line.hasPrefix(verdict) && words.allSatisfy(line.contains) }
    }
    for limit in ComparatorKind.all.flatMap(\.limits) {
      let key = "\"\(limit.name)\": "
      let isTried = has("compare \(limit.name) ") || has("compare align \(limit.name) ")
      #expect(
        isTried || (has("pass", key) && has("fail", key)) || limit.name == "exact", "no comparison by \(limit.name)")
    }
    // No device of a suite depends on what was rendered before it, or on the instruction set; goldens have suites.
    for kind in CheckReader.kinds where !["order", "instructionSets", "golden", "measure"].contains(kind.name) {
      let check = "\"check\": \"\(kind.name)\""
      #expect(has("fail", check), "nothing fails \(kind.name)")
      for key in kind.keys.map(\.name) where !Self.choices.contains("\(kind.name).\(key)") && kind.name != "sameAs" {
        #expect(has("pass", check, "\"\(key)\":"), "nothing passes \(kind.name).\(key)")
        #expect(has("fail", check, "\"\(key)\":"), "nothing fails \(kind.name).\(key)")
      }
    }
  }

  private static let sliced: Set = ["slices.frames"]
  private static let shown: Set = ["parameter.within", "parameter.min", "parameter.max"]

  @Test("Slices, resets and parameters")
  func units() throws {
    let slices = #"{"check": "slices", "frames": [37], "threads": [1]}"#
    #expect(try check(slices, on: OnePole.device()).verdict == .passed)
    #expect(try check(slices, on: OnePole.device(hertz: 1000, .forgetsBetweenSlices)).verdict == .failed)
    #expect(try check(#"{"check": "reset"}"#, on: OnePole.device()).verdict == .passed)
    #expect(
      try check(#"{"check": "reset"}"#, on: OnePole.device(hertz: 1000, .keepsItsStateOnReset)).verdict == .failed)
    func verdict(_ limit: String, _ hertz: Int) throws -> Verdict {
      try SuiteFolder().run(
        caseText(
          "a", #"{"unit": "lowPassFilter", "set": {"cutoffFrequency": \#(hertz)}}"#,
          checks: #"{"check": "parameter", "parameter": "cutoffFrequency", \#(limit)}"#)
      ).verdict
    }
    for (limit, bad) in [
      (#""value": 500, "within": 1"#, [498, 502]), (#""min": 499"#, [498]), (#""max": 501"#, [502]),
    ] {
      #expect(try verdict(limit, 500) == .passed)
      for hertz in bad { #expect(try verdict(limit, hertz) == .failed, "\(limit), \(hertz)") }
    }
  }
}

import AudioEngine
import BatchRender
import BuiltInUnits
import TestSupport
import Testing

import Verification

/// The closed form that suites hold units to, against scipy's answers: two ways to the same numbers that share no step.
@Suite("Closed forms of the equalizers")
struct ClosedFormTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let sampleRate: Double
    let node: JSONValue
    let hertz: [Double]
    let decibels: [Double]
    var testDescription: String { "\(node.text) at \(sampleRate) Hz" }
  }

  static func rows(_ name: String) throws -> [Row] {
    var hertz: [Double] = []
    var rows: [Row] = []
    for line in try Repository.text("fixtures/reference/\(name)").split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let numbers = fields.dropFirst(4).compactMap { Double($0) }
      try #require(numbers.count == fields.count - 4)
      if fields[1] == "hertz" {
        hertz = numbers
        continue
      }
      var settings: [String: JSONValue] = [:]
      for pair in fields[3].split(separator: " ") where pair.contains("=") {
        let parts = pair.split(separator: "=")
        settings[String(parts[0])] = .number(try #require(Double(parts[1])))
      }
      let node: [String: JSONValue] =
        switch fields[1] {
        case "nBandEQ": ["bands": .array([.object(settings.merging(["type": .string(fields[2])]) { $1 })])]
        case "iPodEQ": ["preset": .string(fields[2])]
        default: ["set": .object(settings)]
        }
      rows.append(
        Row(
          sampleRate: try #require(Double(fields[0])),
          node: .object(node.merging(["unit": .string(fields[1])]) { $1 }), hertz: hertz, decibels: numbers))
    }
    return rows
  }

  @Test(
    "Every row of scipy, within a millionth of a dB down to -100 dB",
    arguments: ["equalizer-curves.tsv", "ipod-eq-curves.tsv"])
  func scipy(_ file: String) throws {
    let rows = try Self.rows(file)
    #expect(rows.count >= 100)
    var compared = 0
    for row in rows {
      let prototype = try #require(
        GraphFile.closedForm(ofNode: row.node, sampleRate: row.sampleRate), "\(row.node.text)")
      var worst = (off: 0.0, hertz: 0.0)
      for (hertz, expected) in zip(row.hertz, row.decibels) where expected > -100 && hertz < row.sampleRate / 2 {
        let found = try #require(prototype.magnitudeDecibels(atHertz: hertz))
        compared += 1
        if !(abs(found - expected) <= worst.off) { worst = (abs(found - expected), hertz) }
      }
      #expect(worst.off < 1e-6, "\(worst.off) dB at \(worst.hertz) Hz: \(row.testDescription)")
    }
    #expect(compared > 1000)
  }

  private func node(_ text: String) throws -> JSONValue { try JSONValue.document(.init(text.utf8), kind: .suite) }

  @Test("Bands add up in decibels, those that are bypassed add nothing, and the global gain is added")
  func cascade() throws {
    let first = #"{"type": "parametric", "frequency": 1000, "gain": 6, "bandwidth": 1}"#
    let second = #"{"type": "highShelf", "frequency": 5000, "gain": -9}"#
    let off = #"{"type": "lowPass", "frequency": 100, "bypass": true}"#
    func prototype(_ bands: String, gain: Double = 0) throws -> AnalogResponse {
      try #require(
        GraphFile.closedForm(
          ofNode: node(#"{"unit": "nBandEQ", "globalGain": \#(gain), "bands": [\#(bands)]}"#), sampleRate: 44_100))
    }
    for hertz in [20.0, 1000, 5000, 20_000] {
      let a = try #require(prototype(first).magnitudeDecibels(atHertz: hertz))
      let b = try #require(prototype(second).magnitudeDecibels(atHertz: hertz))
      let both = try #require(prototype("\(first), \(second), \(off)", gain: -2.5).magnitudeDecibels(atHertz: hertz))
      #expect(abs(both - (a + b - 2.5)) < 1e-9)
    }
    // A peak has its whole gain at its centre.
    #expect(abs(try #require(prototype(first).magnitudeDecibels(atHertz: 1000)) - 6) < 1e-9)
  }

  @Test("Where there is no closed form there is no answer")
  func noAnswer() throws {
    for text in [
      #"{"unit": "formatConverter"}"#, #"{"unit": "aufx demo Acme"}"#, #"{"unit": "iPodEQ", "preset": "Nothing"}"#,
      #"{"unit": "lowPassFilter", "ramp": [{"parameter": "resonance", "points": [[0, 1], [9, 2]]}]}"#,
      #"{"unit": "nBandEQ", "bands": [{"type": "comb"}]}"#, "[]",
    ] {
      #expect(try GraphFile.closedForm(ofNode: node(text), sampleRate: 48_000) == nil, "\(text)")
    }
    for text in [#"{"unit": "lowPassFilter", "bypass": true}"#, #"{"unit": "nBandEQ"}"#] {
      let flat = try #require(try GraphFile.closedForm(ofNode: node(text), sampleRate: 48_000))
      #expect(flat.magnitudeDecibels(atHertz: 20_000) == 0)
      #expect(flat.magnitudeDecibels(atHertz: 24_000) == nil && flat.magnitudeDecibels(atHertz: 0) == nil)
    }
  }

  @Test("Values beside a range: held to it where the node says so, as in a render; else it has no closed form")
  func clamped() throws {
    func answer(_ node: String) throws -> Double? {
      try GraphFile.closedForm(ofNode: self.node(node), sampleRate: 48_000)?.magnitudeDecibels(atHertz: 3000)
    }
    let outside = #""unit": "nBandEQ", "bands": [{"gain": 400, "frequency": 1e6}], "set": {"filterType0": -5}"#
    let inside = #""unit": "nBandEQ", "bands": [{"gain": 24, "frequency": 24000, "type": "parametric"}]"#
    let expected = try #require(try answer("{\(inside)}"))
    #expect(try answer(#"{\#(outside), "clamp": true}"#) == expected && expected > 0)
    #expect(try answer("{\(outside)}") == nil)
    // A unit takes any number by itself, and renders it as the end of the range.
    let unit = NBandEQ(numberOfBands: 1)
    for (value, type) in [(Float(-5), NBandEQ.FilterType.parametric), (99, .resonantHighShelf)] {
      try unit.setBand(0, to: .init(type, gainDecibels: 6))
      let right = unit.closedForm(sampleRate: 48_000)?.magnitudeDecibels(atHertz: 3000)
      try unit.setParameter(NBandEQ.address(.filterType, band: 0), to: value)
      #expect(right != nil && unit.closedForm(sampleRate: 48_000)?.magnitudeDecibels(atHertz: 3000) == right)
    }
  }
}

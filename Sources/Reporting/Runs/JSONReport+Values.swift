import FoundationEssentials
import Measurement
import Verification

/// The outcome's types as JSON. The extensions are the file's own, so that no other code comes to depend on the layout.

struct JSONRun: Encodable {
  let outcome: RunOutcome

  func encode(to encoder: any Encoder) throws {
    var run = encoder.container(keyedBy: JSONKey.self)
    try run.encode("aubench verify report", forKey: "format")
    try run.encode(JSONReport.version, forKey: "version")
    try run.encode(outcome.program, forKey: "program")
    try run.encodeIfPresent(outcome.startTime, forKey: "startTime")
    try run.encode(number: outcome.seconds, forKey: "seconds")
    try run.encode(outcome.verdict.rawValue, forKey: "verdict")
    // A number per verdict, also where it is 0.
    var counts = run.nestedContainer(keyedBy: JSONKey.self, forKey: "counts")
    for verdict in Verdict.allCases {
      try counts.encode(outcome.count(verdict), forKey: JSONKey(stringValue: verdict.rawValue))
    }
    var suites = run.nestedUnkeyedContainer(forKey: "suites")
    for group in SuiteGroup.groups(of: outcome) {
      var suite = suites.nestedContainer(keyedBy: JSONKey.self)
      try suite.encodeIfPresent(group.path, forKey: "path")
      try suite.encode(group.name, forKey: "name")
      try suite.encode(group.cases.count, forKey: "cases")
      try suite.encode(number: group.seconds, forKey: "seconds")
    }
    try run.encode(outcome.cases.map { JSONCase(outcome: $0) }, forKey: "cases")
    try run.encode(outcome.machine.map { ["name": $0.name, "value": $0.value] }, forKey: "machine")
  }
}

private struct JSONCase: Encodable {
  let outcome: CaseOutcome

  func encode(to encoder: any Encoder) throws {
    var one = encoder.container(keyedBy: JSONKey.self)
    try one.encode(outcome.id, forKey: "id")
    try one.encode(outcome.verdict.rawValue, forKey: "verdict")
    try one.encodeIfPresent(outcome.suitePath, forKey: "suite")
    try one.encodeIfPresent(outcome.command, forKey: "command")
    try one.encode(outcome.device, forKey: "device")
    try one.encode(number: outcome.seconds, forKey: "seconds")
    try one.encodeIfPresent(outcome.firstDifferentNode, forKey: "firstDifferentNode")
    try one.encodeIfPresent(outcome.message, forKey: "message")
    try one.encodeIfPresent(outcome.log, forKey: "standardError")
    try one.encode(outcome.checks.map { JSONCheck(outcome: $0) }, forKey: "checks")
    var files = one.nestedContainer(keyedBy: JSONKey.self, forKey: "files")
    try files.encodeIfPresent(outcome.files.actual, forKey: "actual")
    try files.encodeIfPresent(outcome.files.expected, forKey: "expected")
    try files.encodeIfPresent(outcome.files.difference, forKey: "difference")
    try files.encode(outcome.files.pictures.map { ["title": $0.title, "path": $0.path] }, forKey: "pictures")
  }
}

private struct JSONCheck: Encodable {
  let outcome: CheckOutcome

  func encode(to encoder: any Encoder) throws {
    var check = encoder.container(keyedBy: JSONKey.self)
    try check.encode(outcome.id, forKey: "id")
    try check.encode(outcome.verdict.rawValue, forKey: "verdict")
    try check.encode(outcome.found, forKey: "found")
    try check.encode(outcome.expected, forKey: "expected")
    try check.encodeIfPresent(outcome.limit, forKey: "limit")
    if let examined = outcome.examined {
      var fields = check.nestedContainer(keyedBy: JSONKey.self, forKey: "examined")
      try fields.encodeIfPresent(examined.renders, forKey: "renders")
      try fields.encodeIfPresent(examined.frames, forKey: "frames")
      try fields.encodeIfPresent(examined.channels, forKey: "channels")
      try fields.encodeIfPresent(examined.points, forKey: "points")
      if let lowest = examined.lowestHertz { try fields.encode(number: lowest, forKey: "lowestHertz") }
      if let highest = examined.highestHertz { try fields.encode(number: highest, forKey: "highestHertz") }
      try fields.encodeIfPresent(examined.values, forKey: "values")
    }
    try check.encode(outcome.readings.map { JSONReading(reading: $0) }, forKey: "readings")
    if let place = outcome.firstFailure {
      var firstFailure = check.nestedContainer(keyedBy: JSONKey.self, forKey: "firstFailure")
      try firstFailure.encode(place.frame, forKey: "frame")
      try firstFailure.encode(number: place.seconds, forKey: "seconds")
      try firstFailure.encode(place.channel, forKey: "channel")
    }
    if let overlay = outcome.overlay {
      var curves = check.nestedContainer(keyedBy: JSONKey.self, forKey: "overlay")
      try curves.encode(JSONCurve(curve: overlay.actual), forKey: "actual")
      try curves.encodeIfPresent(overlay.expected.map { JSONCurve(curve: $0) }, forKey: "expected")
      try curves.encodeIfPresent(overlay.lower.map { JSONCurve(curve: $0) }, forKey: "lower")
      try curves.encodeIfPresent(overlay.upper.map { JSONCurve(curve: $0) }, forKey: "upper")
    }
  }
}

private struct JSONReading: Encodable {
  let reading: Reading

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: JSONKey.self)
    try fields.encode(reading.id, forKey: "id")
    try fields.encode(reading.name, forKey: "name")
    try fields.encode(number: reading.value, forKey: "value")
    try fields.encode(reading.unit.rawValue, forKey: "unit")
    if let floor = reading.floor {
      try fields.encode(number: floor, forKey: "floor")
      try fields.encode(reading.isBelowFloor, forKey: "isBelowFloor")
    }
    if let uncertainty = reading.uncertainty { try fields.encode(number: uncertainty, forKey: "uncertainty") }
    if let bound = reading.bound { try fields.encode(bound, forKey: "bound") }
    try fields.encodeIfPresent(reading.channel, forKey: "channel")
    if !reading.at.isEmpty {
      var at = fields.nestedContainer(keyedBy: JSONKey.self, forKey: "at")
      for (name, value) in reading.at { try at.encode(number: value, forKey: JSONKey(stringValue: name)) }
    }
    try fields.encodeIfPresent(reading.remark, forKey: "remark")
  }
}

/// Columns rather than an object per point: a fifth of the size, and what plotting programs want.
private struct JSONCurve: Encodable {
  let curve: Curve

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: JSONKey.self)
    try fields.encode(curve.id, forKey: "id")
    try fields.encode(curve.name, forKey: "name")
    try fields.encode(["name": curve.x.name, "unit": curve.x.unit.rawValue], forKey: "xAxis")
    try fields.encode(["name": curve.y.name, "unit": curve.y.unit.rawValue], forKey: "yAxis")
    try fields.encodeIfPresent(curve.channel, forKey: "channel")
    try fields.encodeIfPresent(curve.inputChannel, forKey: "inputChannel")
    try encode(curve.points.map(\.x), as: "x", to: &fields)
    try encode(curve.points.map(\.y), as: "y", to: &fields)
    if curve.points.contains(where: { $0.uncertainty != nil }) {
      try fields.encode(
        curve.points.map { $0.uncertainty?.isFinite == true ? $0.uncertainty : nil }, forKey: "uncertainty")
    }
  }

  /// The numbers, null where one is not finite; which one it was goes by its index into a second object.
  private func encode(
    _ values: [Double], as name: String, to fields: inout KeyedEncodingContainer<JSONKey>
  ) throws {
    try fields.encode(values.map { $0.isFinite ? $0 : nil }, forKey: JSONKey(stringValue: name))
    let texts = values.enumerated().filter { !$1.isFinite }.map { ("\($0)", JSONKey.text(of: $1)) }
    guard !texts.isEmpty else { return }
    try fields.encode(
      Dictionary(texts, uniquingKeysWith: { first, _ in first }), forKey: JSONKey(stringValue: name + "Text"))
  }
}

/// A key of any name.
struct JSONKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral value: String) { stringValue = value }
  init?(intValue: Int) { nil }

  static func text(of value: Double) -> String { value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
}

extension KeyedEncodingContainer<JSONKey> {
  /// A number, or null with a text beside it.
  mutating func encode(number: Double, forKey key: JSONKey) throws {
    if number.isFinite { return try encode(number, forKey: key) }
    try encodeNil(forKey: key)
    try encode(JSONKey.text(of: number), forKey: JSONKey(stringValue: key.stringValue + "Text"))
  }
}

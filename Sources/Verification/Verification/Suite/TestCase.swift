import AudioCore

/// One case of a suite: a device, what it is given, and what must hold.
public struct TestCase: Sendable {
  /// `suite/case`.
  public let id: String
  /// Without the suite.
  public let name: String
  /// The file that the case is of, as it was given.
  public let suitePath: String
  /// The device, and the rate at which it is rendered.
  public let device: DeviceDescription
  /// The stimulus; nil: none, the graph plays files of its own.
  public let stimulus: StimulusDescription?
  package let checks: [any Check]
  /// True when the device may be nonlinear, or vary in time, and is measured all the same.
  public let isNonlinear: Bool
  /// True when the output may be silent.
  public var mayBeSilent: Bool { routes.mayBeSilent }
  /// The case's statements about the device's outputs.
  let routes: StatedRoutes
  /// Why it is left out; nil: it is not.
  public let skipReason: String?
  /// Seconds and bytes that its process may take; the suite's where the case does not say.
  public let limits: CaseLimits
  /// The golden's name in the suite's store.
  public let goldenName: String
  /// The commands that running it would start, for people: its device, and what its checks compare with.
  public var commands: [String] { ([device] + checks.compactMap(\.device)).filter(\.isCommand).map(\.name) }
  /// The definition of a golden: device and stimulus, as written.
  package let definition: JSONValue

  init(
    _ value: JSONValue, at place: String, suite: String, suitePath: String, folder: String,
    defaults: SuiteFile.CaseDefaults
  ) throws(BenchError) {
    let name = try Self.name(value, at: place)
    var object = try JSONObject(value, at: "case \"\(name)\"", folder: folder, kind: .suite)
    _ = object.take("id")
    _ = try object.string("about")
    self.name = name
    id = "\(suite)/\(name)"
    self.suitePath = suitePath
    isNonlinear = try object.bool("nonlinear") ?? false
    routes = try StatedRoutes(&object)
    skipReason = try object.string("skip")
    if let skipReason, !skipReason.contains(where: { $0.isLetter || $0.isNumber }) {
      throw object.error("skip", "why the case is left out is missing")
    }
    goldenName = try Self.goldenName(&object) ?? name
    var limits = defaults.limits
    try limits.read(&object)
    self.limits = limits
    let rate = try SuiteFile.CaseDefaults.sampleRate(&object) ?? defaults.sampleRate
    guard let written = try object.object("device") else {
      throw object.error("device", "the key is missing", advice: "name a unit, a graph or a command")
    }
    device = try DeviceDescription(written, sampleRate: rate)
    stimulus = try StimulusDescription.read(try object.object("stimulus"), device: device)
    checks = try Self.checks(&object, sampleRate: rate)
    for check in checks where check.isOfItself(device) {
      throw object.error(
        "checks", "check \"\(check.id)\" compares the device with itself, and holds whatever it does",
        advice: "compare it with a formula, a library, a file, a golden or another program")
    }
    definition = .object([
      "device": device.definition, "stimulus": stimulus?.definition ?? .null, "sampleRate": .number(rate),
    ])
    try object.finish()
  }

  private static func name(_ value: JSONValue, at place: String) throws(BenchError) -> String {
    var bare = try JSONObject(value, at: place, kind: .suite)
    let name = try bare.requiredString("id")
    guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 200,
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "/" })
    else {
      throw bare.error(
        "id",
        "an id is one line of 1 to 200 bytes, without / and not beginning with a point, found \(excerpt(name).debugDescription)"
      )
    }
    return name
  }

  private static func goldenName(_ object: inout JSONObject) throws(BenchError) -> String? {
    guard let name = try object.fileName("golden") else { return nil }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw object.error(
        "golden", "a golden lies in the suite's own folder of goldens, found \"\(excerpt(name))\"")
    }
    return name
  }

  private static func checks(_ object: inout JSONObject, sampleRate: Double) throws(BenchError) -> [any Check] {
    var checks: [any Check] = []
    var counts: [String: Int] = [:]
    for (index, value) in (try object.list("checks") ?? []).enumerated() {
      var check = try CheckReader(sampleRate: sampleRate).check(object.part(value, at: "checks[\(index)]"))
      // Two checks of a kind are numbered, unless the suite names them.
      counts[check.id, default: 0] += 1
      if let count = counts[check.id], count > 1 { check.id += "-\(count)" }
      checks.append(check)
    }
    guard !checks.isEmpty else {
      throw object.error("checks", "the case checks nothing", advice: "as \"checks\": [{\"check\": \"golden\"}]")
    }
    if checks.count > 1, checks.contains(where: { $0 is FailsCheck }) {
      throw object.error(
        "checks", "what fails has no output to check besides", advice: "leave \"fails\" alone in its case")
    }
    return checks
  }
}

import AudioCore
import BatchRender
import Measurement

/// A suite of checks, version 1: cases of a device under test, what it is given, and what must hold. The schema is
/// `docs/suite-file.schema.json`.
public struct SuiteFile: Sendable {
  /// As it was given; paths inside the suite begin at its folder.
  public let path: String
  /// The suite's name, which distinguishes its cases from those of other suites: the file's name without its extension.
  public let name: String
  /// As written; at least one.
  public let cases: [TestCase]
  /// The goldens of the suite.
  public let goldens: GoldenStore
  /// The texts of its cases that may name files.
  package let fileTexts: Set<String>

  /// Reads a suite.
  /// - Throws: `.suite` for what is wrong in it, naming case and key.
  public init(path: String) throws(BenchError) { try self.init(path: path, drawing: nil) }

  /// Reads a suite for one of its cases, without the drawn cases that this one does not need: to draw a cross of hundreds
  /// takes longer than to run one of them.
  /// - Throws: as ``init(path:)``.
  package init(path: String, forCase name: String) throws(BenchError) {
    let suite = try Self(path: path, drawing: name)
    let needsOthers = suite.cases.first { $0.name == name }?.checks.contains { $0 is OrderCheck }
    self = needsOthers == false ? suite : try Self(path: path)
  }

  private init(path: String, drawing name: String?) throws(BenchError) {
    let data = try JSONFile.read(path, kind: .suite, what: "suite")
    do {
      try self.init(try JSONValue.document(data, kind: .suite), path: path, drawing: name)
    } catch {
      throw error.inside(path)
    }
  }

  private init(_ document: JSONValue, path: String, drawing drawn: String?) throws(BenchError) {
    self.path = path
    let folder = FileName.folderPrefix(of: path)
    let file = FileName.last(of: path)
    name = FileName.fileExtension(of: file) == "json" ? FileName.stem(of: file) : file
    var top = try JSONObject(document, at: "", folder: folder, kind: .suite)
    _ = top.take("$schema")
    _ = try top.string("about")
    guard let version = try top.integer("version", in: 0...Int64(Int32.max)) else {
      throw top.error("version", "the key is missing", advice: "write \"version\": 1")
    }
    guard version == 1 else {
      throw top.error("version", "this program reads version 1, the file has version \(version)")
    }
    goldens = try Self.goldens(&top, name: name, folder: folder)
    let defaults = try CaseDefaults(&top)
    let list = try top.list("cases") ?? []
    try top.finish()
    guard !list.isEmpty else {
      throw BenchError(.suite, "the suite has no cases", advice: "write them as a list under \"cases\"")
    }
    var cases: [TestCase] = []
    var fileTexts: Set<String> = []
    var names = Names()
    for (index, value) in list.enumerated() {
      let place = "cases[\(index)]"
      let written = try CaseCross.expand(value, at: place, drawing: drawn)
      for expanded in try written.count == 1 ? CaseMatrix.expand(written[0], at: place) : written {
        fileTexts.formUnion(expanded.fileTexts)
        let testCase = try TestCase(
          expanded, at: "cases[\(index)]", suite: name, suitePath: path, folder: folder, defaults: defaults)
        try names.add(testCase, goldens)
        cases.append(testCase)
      }
    }
    self.cases = cases
    self.fileTexts = fileTexts
  }

  private static func goldens(
    _ top: inout JSONObject, name: String, folder: String
  ) throws(BenchError) -> GoldenStore {
    let written = try top.fileName("goldens") ?? "golden/\(name)"
    let trimmed = String(written.reversed().drop { $0 == "/" }.reversed())
    guard !trimmed.isEmpty else { throw top.error("goldens", "expected a folder, found \"\(excerpt(written))\"") }
    let place = FileName.path(trimmed, in: folder)
    switch GoldenPlace.confinement(place, ofSuiteIn: folder) {
    case .success(let confinement): return GoldenStore(folder: place, confinement: confinement)
    case .failure(let refusal):
      throw top.error("goldens", refusal.clause, advice: GoldenPlace.Refusal.advice)
    }
  }

  /// Ids are each case's own; cases with one golden are the same case.
  private struct Names {
    private var ids: Set<String> = []
    private var owners: [String: TestCase] = [:]

    mutating func add(_ testCase: TestCase, _ goldens: GoldenStore) throws(BenchError) {
      guard ids.insert(testCase.id).inserted else {
        throw BenchError(
          .suite, at: "case \"\(testCase.name)\"", "two cases have this id",
          advice: "give each its own; in one with a matrix, as \"low-{f}\"")
      }
      let file = goldens.path(testCase.goldenName, "json")
      if let owner = owners[file], owner.definition != testCase.definition {
        throw BenchError(
          .suite, at: "case \"\(testCase.name)\"",
          "its golden would be \(file), as that of case \"\(owner.name)\" is",
          advice: "give one of them another name by \"golden\"")
      }
      owners[file] = testCase
    }
  }

  /// The limits and the rate of cases that do not set them.
  struct CaseDefaults: Sendable {
    var sampleRate = MeasurementSettings.defaultSampleRate
    var limits = CaseLimits()

    init(_ object: inout JSONObject) throws(BenchError) {
      sampleRate = try Self.sampleRate(&object) ?? sampleRate
      try limits.read(&object)
    }

    /// Hertz, where the key is there.
    static func sampleRate(_ object: inout JSONObject) throws(BenchError) -> Double? {
      guard let rate = try object.number("sampleRate") else { return nil }
      guard rate >= 1, rate <= 3_000_000 else {
        throw object.error("sampleRate", "a rate lies from 1 to 3000000 Hz, found \(rate)")
      }
      return rate
    }
  }
}

/// The limits of one case.
public struct CaseLimits: Hashable, Sendable {
  /// Wall-clock time.
  public var seconds = 60.0
  /// Address space.
  public var memoryBytes: UInt64 = 8 << 30

  /// Takes over what an object says under `limits`.
  mutating func read(_ object: inout JSONObject) throws(BenchError) {
    guard var written = try object.object("limits") else { return }
    if let seconds = try written.number("seconds") {
      guard seconds >= 0.01, seconds <= 1e6 else {
        throw written.error("seconds", "a limit lies from 0.01 to 1000000 s, found \(seconds)")
      }
      self.seconds = seconds
    }
    if let megabytes = try written.integer("memoryMegabytes", in: 64...(1 << 20)) {
      memoryBytes = UInt64(megabytes) << 20
    }
    try written.finish()
  }
}

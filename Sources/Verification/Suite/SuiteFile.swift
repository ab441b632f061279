import AudioCore
import BatchRender
import Foundation

/// A suite of checks, version 1: cases of a device under test, what it is given, and what must hold. The schema is
/// `docs/suite-file.schema.json`.
public struct SuiteFile: Sendable {
  public let path: String
  /// By what cases are told apart from those of other suites: the file's name without its extension.
  public let name: String
  public let cases: [TestCase]
  /// Where goldens lie.
  public let goldens: GoldenStore

  /// Reads a suite.
  /// - Throws: `.suite` for what is wrong in it, naming case and key.
  public init(path: String) throws(BenchError) {
    let data = try JSONFile.read(path, kind: .suite, what: "suite")
    do throws(BenchError) {
      try self.init(try JSONValue.document(data, kind: .suite), path: path)
    } catch {
      throw error.kind == .suite ? error.inside(path) : error
    }
  }

  private init(_ document: JSONValue, path: String) throws(BenchError) {
    self.path = path
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let file = String(path.dropFirst(folder.count))
    name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    var top = try JSONObject(document, at: "", kind: .suite)
    _ = top.take("$schema")
    _ = try top.string("about")
    guard let version = try top.integer("version", in: 0...Int64(Int32.max)) else {
      throw top.error("version", "the key is missing", advice: "write \"version\": 1")
    }
    guard version == 1 else {
      throw top.error("version", "this program reads version 1, the file has version \(version)")
    }
    goldens = GoldenStore(folder: folder + (try top.string("goldens") ?? "golden/\(name)"))
    let defaults = try CaseDefaults(&top)
    let list = try top.list("cases") ?? []
    try top.finish()
    guard !list.isEmpty else {
      throw BenchError(.suite, "the suite has no cases", advice: "write them as a list under \"cases\"")
    }
    var cases: [TestCase] = []
    var seen: Set<String> = []
    for (index, value) in list.enumerated() {
      for expanded in try CaseMatrix.expand(value, at: "cases[\(index)]") {
        let testCase = try TestCase(
          expanded, at: "cases[\(index)]", suite: name, suitePath: path, folder: folder, defaults: defaults)
        guard seen.insert(testCase.id).inserted else {
          throw BenchError(.suite, at: "case \"\(testCase.id)\"", "two cases have this id", advice: "give each its own")
        }
        cases.append(testCase)
      }
    }
    self.cases = cases
  }

  /// What one process may take, and what cases have where they do not say.
  struct CaseDefaults: Sendable {
    var sampleRate = 48_000.0
    var limits = CaseLimits()

    init(_ object: inout JSONObject) throws(BenchError) {
      if let rate = try object.number("sampleRate") {
        guard rate >= 1, rate <= 3_000_000 else {
          throw object.error("sampleRate", "a rate lies from 1 to 3000000 Hz, found \(rate)")
        }
        sampleRate = rate
      }
      if var written = try object.object("limits") {
        if let seconds = try written.number("seconds") { limits.seconds = max(0.01, seconds) }
        if let megabytes = try written.integer("memoryMegabytes", in: 64...(1 << 20)) {
          limits.memoryBytes = UInt64(megabytes) << 20
        }
        try written.finish()
      }
    }
  }
}

/// What one case may take.
public struct CaseLimits: Hashable, Sendable {
  /// Of wall-clock time.
  public var seconds = 60.0
  /// Of address space.
  public var memoryBytes: UInt64 = 8 << 30
}

/// Cases written once for several values: `"matrix": {"f": [100, 1000]}` makes two, in which `{f}` stands for a value.
enum CaseMatrix {
  private static let most = 10_000

  static func expand(_ value: JSONValue, at place: String) throws(BenchError) -> [JSONValue] {
    guard case .object(var object) = value, let matrix = object.removeValue(forKey: "matrix") else { return [value] }
    guard case .object(let axes) = matrix, !axes.isEmpty else {
      throw BenchError(.suite, at: "\(place), key \"matrix\"", "expected an object of lists, found \(matrix.kind)")
    }
    var settings: [[String: JSONValue]] = [[:]]
    for (name, list) in axes.sorted(by: { $0.key < $1.key }) {
      guard case .array(let values) = list, !values.isEmpty else {
        throw BenchError(
          .suite, at: "\(place), key \"matrix\", \"\(name)\"", "expected a list of values, found \(list.kind)")
      }
      guard settings.count * values.count <= most else {
        throw BenchError(.suite, at: "\(place), key \"matrix\"", "it makes more than \(most) cases")
      }
      settings = settings.flatMap { setting in
        values.map { value in setting.merging([name: value]) { $1 } }
      }
    }
    return settings.map { replaced(.object(object), by: $0) }
  }

  /// A text that is only `{name}` becomes the value itself; inside a text it becomes its text.
  private static func replaced(_ value: JSONValue, by setting: [String: JSONValue]) -> JSONValue {
    switch value {
    case .string(var text):
      for (name, value) in setting {
        if text == "{\(name)}" { return value }
        guard text.contains("{\(name)}") else { continue }
        text = text.replacing("{\(name)}", with: plain(value))
      }
      return .string(text)
    case .array(let list): return .array(list.map { replaced($0, by: setting) })
    case .object(let object): return .object(object.mapValues { replaced($0, by: setting) })
    default: return value
    }
  }

  private static func plain(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    return value.text
  }
}

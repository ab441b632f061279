import AudioCore
import BatchRender
import Foundation
import Measurement
import Processes
import Synchronization

/// Runs the cases of suites, each in a process of its own within its limits, several at a time.
///
/// A case that crashes, hangs or grows beyond its memory is a result of its own; the others go on.
public struct SuiteRunner: Sendable {
  /// Words that start this program as the process of one case, without what `CaseRequest.arguments` adds.
  public var program: [String]
  /// Cases at a time.
  public var jobs = 2
  /// The goldens to write; none unless set.
  public var policy = GoldenPolicy()
  /// The folder for the files of failed cases, a folder for each; nil: they are not written.
  public var artifactFolder: String?
  /// Slices and threads of graphs, unless a check sets them.
  public var partition = RenderPartition()
  /// Only cases whose id matches one of these patterns (`*` matches anything); all if empty.
  public var patterns: [String] = []
  /// In which order cases start; nil: as written.
  public var shuffleSeed: UInt64?

  /// Two cases at a time, of all that the suites have; no goldens and no files are written.
  public init(program: [String]) { self.program = program }

  /// Runs the cases.
  /// - Parameters:
  ///   - suites: the files, in the order of the report.
  ///   - finished: called for each case as it ends, one at a time.
  ///   - goesOn: asked again and again; false ends the run with all that is at work.
  /// - Throws: `.suite` if no case matches, `.interrupted` after a request to end.
  public func run(
    _ suites: [SuiteFile], finished: @escaping @Sendable (CaseOutcome) -> Void = { _ in },
    goesOn: @escaping @Sendable () -> Bool = { true }
  ) throws(BenchError) -> RunOutcome {
    let clock = Stopwatch()
    let start = Date().formatted(.iso8601)
    var work = try selection(of: suites)
    if let seed = shuffleSeed {
      var generator = SplitMix64(seed: seed)
      work.shuffle(using: &generator)
    }
    let list = work
    let next = Atomic<Int>(0)
    let outcomes = Locked<[CaseOutcome?]>(Array(repeating: nil, count: work.count))
    let reporting = Locked(())
    let stopped = Atomic<Bool>(false)
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, work.count))) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < list.count, !stopped.load(ordering: .relaxed) else { return }
        guard goesOn() else { return stopped.store(true, ordering: .relaxed) }
        let outcome = runChild(list[index].testCase, of: list[index].suite, goesOn: goesOn)
        guard goesOn() else { return stopped.store(true, ordering: .relaxed) }
        outcomes.withLock { $0[index] = outcome }
        reporting.withLock { _ in finished(outcome) }
      }
    }
    if stopped.load(ordering: .relaxed) { throw BenchError(.interrupted, "stopped before the last case") }
    let order = Dictionary(
      uniqueKeysWithValues: suites.flatMap(\.cases).map(\.id).uniqued().enumerated().map { ($1, $0) })
    let cases = outcomes.withLock { $0.compactMap { $0 } }.sorted { (order[$0.id] ?? 0) < (order[$1.id] ?? 0) }
    var outcome = RunOutcome(
      suites: suites.map(\.path), cases: cases, seconds: clock.seconds,
      program: Machine.program,
      machine: Machine.facts.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    outcome.startTime = start
    return outcome
  }

  /// The cases whose ids match the patterns, as written.
  /// - Throws: `.usage` where none does.
  public func selection(
    of suites: [SuiteFile]
  ) throws(BenchError) -> [(suite: SuiteFile, testCase: TestCase)] {
    let found = suites.flatMap { suite in suite.cases.filter(isWanted).map { (suite: suite, testCase: $0) } }
    guard !found.isEmpty else {
      throw BenchError(
        .usage, at: "case \(patterns.joined(separator: ", "))", "no case of the suites has such an id",
        advice: "write its id, or a pattern as \"equalizers/*\"")
    }
    return found
  }

  /// True when one of the patterns matches the case.
  public func isWanted(_ testCase: TestCase) -> Bool {
    patterns.isEmpty || patterns.contains { Self.matches($0, testCase.id) || Self.matches($0, testCase.name) }
  }

  /// `*` matches any characters.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return pattern == text }
    guard text.hasPrefix(first), text.count >= first.count else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let place = rest.range(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  // MARK: One process

  private func runChild(_ testCase: TestCase, of suite: SuiteFile, goesOn: () -> Bool) -> CaseOutcome {
    let clock = Stopwatch()
    var outcome = CaseOutcome(testCase.id, .error, device: testCase.device.name, seconds: 0)
    outcome.suitePath = suite.path
    let request = CaseRequest(
      suitePath: suite.path, name: testCase.name, policy: policy, artifactFolder: artifactFolder, partition: partition)
    var child = ChildProcess(program + request.arguments)
    child.limits = ChildProcess.Limits(seconds: testCase.limits.seconds, memoryBytes: testCase.limits.memoryBytes)
    // The case may plan with the same memory as this process, not with a part of its own limit.
    child.environment[MemoryBudget.environmentVariable] = String(
      min(MemoryBudget.standardLimitBytes, Int(clamping: testCase.limits.memoryBytes)))
    child.reports = true
    do {
      // Whatever the case and its device leave among temporary files goes with this folder.
      let scratch = try ScratchFolder()
      child.environment["TMPDIR"] = scratch.path
      let result = try withExtendedLifetime(scratch) { try child.run(goesOn: goesOn) }
      outcome = Self.outcome(of: result, outcome, limits: testCase.limits)
      let log = String(decoding: result.errors.suffix(4000), as: UTF8.self)
      if !log.isEmpty { outcome.log = log }
    } catch let error as ChildProcess.StartFailure {
      outcome.message = "the process of the case cannot be run: \(error.reason)"
    } catch {
      outcome.message = "the case cannot be run: \(error)"
    }
    outcome.command = "aubench verify \(ShellText.shown(suite.path)) --case \(ShellText.shown(testCase.id))"
    outcome.seconds = clock.seconds
    return outcome
  }

  private static func outcome(
    of result: ChildProcess.Result, _ empty: CaseOutcome, limits: CaseLimits
  ) -> CaseOutcome {
    var outcome = empty
    let culprit = result.culprit.map { result.end.text(by: $0) }
    switch result.end {
    case .timedOut, .stopped:
      outcome.verdict = .timedOut
      outcome.message =
        "it had not ended after \(limits.seconds) s; a case takes more by \"limits\": {\"seconds\": ...}"
    case .signalled(_, let name):
      outcome.verdict = .crashed
      outcome.message = culprit ?? "the process of the case was ended by \(name)"
    case .exited(let code):
      guard !result.report.isEmpty else {
        outcome.verdict = .crashed
        outcome.message = culprit ?? "the process of the case ended with code \(code) and no result"
        return outcome
      }
      guard let report = try? CaseRequest.decoder.decode(CaseRequest.Report.self, from: Data(result.report)) else {
        outcome.message = "the result of the case cannot be read"
        return outcome
      }
      if let found = report.outcome, code == 0 {
        outcome = found
      } else if let failure = report.failure {
        outcome.message = failure
      } else {
        outcome.verdict = .crashed
        outcome.message = "the process of the case ended with code \(code) behind its result"
      }
    }
    return outcome
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, where it comes first.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// The request that is passed to the process of one case.
public struct CaseRequest: Sendable {
  /// The suite file, as the process of the case finds it.
  public var suitePath: String
  /// The case, without the suite's name.
  public var name: String
  /// The goldens that the case writes.
  public var policy: GoldenPolicy
  /// The folder for its files if it fails; nil: they are not written.
  public var artifactFolder: String?
  /// Slices and threads of graphs, unless a check sets them.
  public var partition = RenderPartition()

  /// Words behind the program's own.
  var arguments: [String] {
    [
      suitePath, name, policy.mode.rawValue, policy.reason, artifactFolder ?? "",
      partition.sliceFrames.map(String.init) ?? "", String(partition.threads),
    ]
  }

  /// The report of the process of a case.
  struct Report: Codable {
    var outcome: CaseOutcome?
    /// Why there is none.
    var failure: String?
  }

  /// The descriptor for the report: a pipe, because a report file would not fit on a full disk.
  private static let reportDescriptor: Int32 = 3

  /// Runs the case and reports its outcome to descriptor 3.
  /// - Parameters:
  ///   - options: how graph files are read.
  ///   - pictures: as ``CaseRunner/pictures``.
  public func run(
    options: GraphFile.Options = GraphFile.Options(), pictures: CaseRunner.Pictures? = nil
  ) throws(BenchError) {
    do {
      try Self.send(Report(outcome: try outcome(options, pictures)))
    } catch {
      try Self.send(Report(failure: "\(error)"))
      throw error
    }
  }

  private func outcome(
    _ options: GraphFile.Options, _ pictures: CaseRunner.Pictures?
  ) throws(BenchError) -> CaseOutcome {
    let suite = try SuiteFile(path: suitePath, forCase: name)
    guard let testCase = suite.cases.first(where: { $0.name == name }) else {
      throw BenchError(.suite, at: suitePath, "there is no case \"\(name)\"")
    }
    var runner = CaseRunner()
    runner.policy = policy
    runner.artifactFolder = artifactFolder
    runner.graphOptions = options
    runner.pictures = pictures
    runner.partition = partition
    return runner.run(testCase, of: suite)
  }

  private static func send(_ report: Report) throws(BenchError) {
    guard let data = try? encoder.encode(report) else { preconditionFailure("an outcome can be written") }
    let failure = writeAll(Array(data), to: reportDescriptor)
    guard failure != 0 else { return }
    throw BenchError(.output, "the result of the case cannot be passed on: \(systemMessage(failure))")
  }

  /// Infinities and what is no number are texts here.
  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()
}

extension CaseRequest {
  /// Takes the words apart again; nil for any others.
  public init?(arguments: [String]) {
    guard arguments.count == 7, let mode = GoldenPolicy.Mode(rawValue: arguments[2]),
      let threads = Int(arguments[6])
    else { return nil }
    self.init(
      suitePath: arguments[0], name: arguments[1], policy: GoldenPolicy(mode, reason: arguments[3]),
      artifactFolder: arguments[4].isEmpty ? nil : arguments[4],
      partition: RenderPartition(sliceFrames: Int(arguments[5]), threads: threads))
  }
}

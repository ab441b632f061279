import AudioCore
import Batch
import BatchRender
import Digests
import Glibc
import Journal
import Reporting
import Slurm

extension CommandOption {
  static let slurm = CommandOption("slurm", "as a Slurm array")
  static let shardCount = CommandOption(
    "shards", value: "N",
    "into how many shards the job is split (default: one for each 100 tasks, at most 1000)")
  static let sbatchOption = CommandOption(
    "sbatch", value: "OPTION", isRepeatable: true,
    "an option of sbatch: --sbatch=--partition=long; --sbatch=--cpus-per-task=4 gives each shard four threads")
  static let resubmissions = CommandOption(
    "resubmit", value: "N",
    "submit a shard that was lost up to N times again: its node has died, it was killed (default 3)")
}

extension Command {
  static let batchSubmit = Command(
    "batch submit", "make a job's files on the machines of a cluster",
    description: """
      Splits a job into shards and submits them as a Slurm array, watches it, submits shards again that were lost, and merges: \
      outputs, journal and report are those of "aubench batch JOB". The job file, its inputs, its outputs and this program must \
      lie on storage that all nodes have, at the same paths. Ended and started again, it watches what it has submitted before.
      """,
    operands: [Operand("JOB", "the job file")],
    options: [.slurm, .shardCount, .sbatchOption, .resubmissions, .retries] + BatchCommand.reports + [.json, .quiet],
    examples: [
      Example("aubench batch submit episodes.json --slurm", "make all of its outputs on the cluster"),
      Example(
        "aubench batch submit episodes.json --slurm --shards 64 --sbatch=--partition=long --sbatch=--cpus-per-task=4",
        "in 64 shards of four threads each"),
    ],
    exitCodes: [3, 4, 5, 6, ExitCode.severalFailures],
    interruption: "while it watched: the shards go on, and the same command watches them again; scancel ends them"
  ) { (arguments) throws(BenchError) in
    guard arguments.has(.slurm) else {
      throw BenchError(.usage, at: "batch submit", "what runs the shards is not named", advice: "add --slurm")
    }
    try BatchSubmission(arguments).run()
  }
}

/// `batch submit`: a job whose shards others make.
private struct BatchSubmission {
  private let arguments: Arguments
  private let job: BatchJob
  private let plan: BatchPlan
  private let journals: BatchJournals
  private let order: ShardArray.Order

  init(_ arguments: Arguments) throws(BenchError) {
    self.arguments = arguments
    let path = arguments.operands[0]
    var job = try JobFile.load(path, graphOptions: GraphArguments.thirdPartyUnits)
    try BatchCommand(arguments: arguments, verb: "").takeRunOptions(&job)
    let plan = try BatchPlan(job, beside: arguments.run.outputs)
    (self.job, self.plan, journals) = (job, plan, BatchJournals(ofJob: path))
    let count = try arguments.integer(
      .shardCount, "a number of shards from 1 to \(BatchShard.most)", in: 1...BatchShard.most)
    let shardCount = count ?? max(1, min(1000, (plan.tasks.count + 99) / 100))
    let shards = Set(plan.tasks.map { BatchShard.number(of: $0, among: shardCount, folder: job.folder) })
    guard let whole = FileSystem.realPath(path), let program = FileSystem.realPath("/proc/self/exe") else {
      throw BenchError(.input, at: path, "its whole path cannot be had: \(systemMessage(errno))")
    }
    let folder = BatchJournals(ofJob: whole).shardFolder
    let retries = max(1, job.retries)
    order = ShardArray.Order(
      folder: folder, name: FileName.stem(of: FileName.last(of: path)),
      identity: Fingerprint.of(Array(try JSONFile.read(path, kind: .usage, what: "job"))), shards: shards.sorted(),
      shardCount: shardCount,
      command: [
        .init(.text(program)), .init(.text("batch")), .init(.text(whole)), .init(.text("--shard")),
        .init(.shard, .text("/\(shardCount)")), .init(.text("--journal")),
        .init(.text(folder + "/"), .shard, .text("."), .attempt, .text(".journal")), .init(.text("--threads")),
        .init(.processors), .init(.text("--retries")), .init(.text("\(retries)")), .init(.text("--quiet")),
      ],
      options: arguments.all(.sbatchOption),
      resubmissions: try arguments.integer(.resubmissions, "a number of times from 0 to 100", in: 0...100) ?? 3)
  }

  func run() throws(BenchError) {
    let batch = BatchCommand(arguments: arguments, verb: "")
    try batch.checkReports()
    let origin = batch.origin
    let clock = ContinuousClock.now
    let progress = SubmissionProgress(arguments)
    let array = try ShardArray(order, told: progress.tell)
    // The codes of failures are in the journal by output. Others are of a program that was killed or not found.
    let ends = try array.run(isFinal: { $0 < 100 }) { (shards) throws(BenchError) in
      // The next attempt of a lost shard finds the finished outputs in the job's journal.
      let journal = try openJournal()
      for shard in shards { merge(shard, array.attempt(ofShard: shard), into: journal, isFinal: false) }
      try journal.publish()
    }
    progress.erase()
    let journal = try openJournal()
    for shard in order.shards {
      for attempt in 1...array.attempt(ofShard: shard) {
        merge(shard, attempt, into: journal, isFinal: attempt == array.attempt(ofShard: shard))
      }
    }
    let outcomes = try plan.outcomes(in: journal)
    try journal.publish()
    let report = BatchReport(
      plan, outcomes, seconds: clock.duration(to: .now) / .seconds(1), origin: origin)
    explain(ends, array)
    tidy(keepsLogs: !report.failures.isEmpty)
    try batch.reportMerged(report)
  }

  /// A shard may read it at this moment.
  private func openJournal() throws(BenchError) -> Journal {
    let end = ContinuousClock.now + .seconds(30)
    while true {
      do { return try BatchJournals.open(journals.path, job) } catch {
        guard error.kind == .output, ContinuousClock.now < end else { throw error }
        usleep(50_000)
      }
    }
  }

  /// Merges a shard's journal; if it cannot be read, its outputs are reported as not made.
  private func merge(_ shard: Int, _ attempt: Int, into journal: Journal, isFinal: Bool) {
    let path = "\(order.folder)/\(ShardArray.name(shard: shard, attempt: attempt)).journal"
    guard FileSystem.exists(path) else { return }
    do {
      try Journal.merge([path], into: journal)
    } catch {
      // A lost attempt may still be running, and have its journal open.
      if isFinal { ErrorOutput.warn(error.description) }
    }
  }

  /// Why shards have made nothing, in the words of their own logs.
  private func explain(_ ends: [Int: ShardArray.End], _ array: ShardArray) {
    for shard in order.shards {
      let log = "\(order.folder)/\(ShardArray.name(shard: shard, attempt: array.attempt(ofShard: shard))).log"
      switch ends[shard] {
      case .ended(code: 0), nil: break
      case .ended(code: 2):
        let text = (try? FileSystem.contents(of: log, atMost: 1 << 16)).map { ByteText.string($0) } ?? ""
        let last = text.split(separator: "\n").last.map { ": \(excerpt(String($0)))" } ?? ""
        ErrorOutput.warn("shard \(shard) could not begin\(last)")
      case .ended: break
      case .cancelled: ErrorOutput.warn("shard \(shard) was cancelled")
      case .lost(let how): ErrorOutput.warn("shard \(shard) was lost each time, at last by \(how); its log is \(log)")
      }
    }
  }

  /// Removes what the shards have written for the watch; logs stay where something failed.
  private func tidy(keepsLogs: Bool) {
    for name in FileSystem.names(in: order.folder) ?? [] {
      let isLog = name.hasSuffix(".log") || name.hasSuffix(".out")
      if !(isLog && keepsLogs) { FileSystem.unlink("\(order.folder)/\(name)") }
    }
    if !keepsLogs { _ = FileSystem.removeFolder(order.folder) }
  }
}

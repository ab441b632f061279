import AudioCore
import FoundationEssentials
import Glibc

/// The shards of a job as tasks of Slurm arrays: submits them, watches them, and submits those again that were lost.
/// Its submissions are recorded in a file, so that a second process goes on where the first was ended.
///
/// A task writes a file with its program's exit code; the file gets its name when the program has put its journal
/// there. Slurm's own state is used for the rest only: it forgets tasks, reports "failed" for a script that was killed,
/// and goes on running tasks of nodes that it has lost sight of.
package final class ShardArray {
  /// The end of a shard.
  package enum End: Hashable, Sendable {
    /// With this exit code of its program.
    case ended(code: Int32)
    /// Somebody has cancelled it.
    case cancelled
    /// It was lost as often as it may be; how the last time.
    case lost(String)
  }

  /// An event while the shards run.
  package enum Event: Sendable {
    case submitted(job: String, shards: [Int])
    /// Found as a former process has left it.
    case foundAgain(jobs: [String])
    case lost(shard: Int, how: String, isSubmittedAgain: Bool)
    /// The controller does not answer: running tasks go on, and it is queried again.
    case unknown
    case counted(waiting: Int, running: Int, ended: Int)
  }

  package struct Order: Sendable {
    /// The folder that the tasks write into, on storage that all nodes have; a whole path.
    package let folder: String
    /// The name of the job in the queue.
    package let name: String
    /// Tells one job from another: a watch goes on only with its own.
    package let identity: String
    package let shards: [Int]
    package let shardCount: Int
    /// Words of the program that a task runs: of an attempt of a shard.
    package let command: [Word]
    /// Further options of sbatch.
    package let options: [String]
    /// The number of times that a shard is submitted again.
    package let resubmissions: Int

    /// A word of a command, part by part.
    package struct Word: Sendable {
      package enum Part: Sendable {
        case text(String)
        /// Its number.
        case shard
        case attempt
        /// The number of processors that the task has.
        case processors
      }
      package let parts: [Part]
      package init(_ parts: Part...) { self.parts = parts }
    }

    package init(
      folder: String, name: String, identity: String, shards: [Int], shardCount: Int, command: [Word],
      options: [String], resubmissions: Int
    ) {
      (self.folder, self.name, self.identity) = (folder, name, identity)
      (self.shards, self.shardCount, self.command) = (shards, shardCount, command)
      (self.options, self.resubmissions) = (options, resubmissions)
    }
  }

  private struct Submission: Codable {
    var version = 1
    var identity: String
    var shardCount: Int
    var shards: [Int: Attempt] = [:]
  }

  private struct Attempt: Codable {
    var number: Int
    var job: String
  }

  private let order: Order
  private let slurm: Slurm
  private let told: (Event) -> Void
  private var submission: Submission
  private var ends: [Int: End] = [:]
  /// Since when a shard is neither active nor has said how it ended.
  private var missingSince: [Int: ContinuousClock.Instant] = [:]
  private var wasUnknown = false

  /// The time that a task's file may take to become visible here: other machines' writes to shared storage are cached.
  private static let patience = Duration.seconds(20)

  /// - Throws: `.usage` where another job is under way in the folder, `.output` where the folder cannot be written.
  package init(_ order: Order, slurm: Slurm = Slurm(), told: @escaping (Event) -> Void) throws(BenchError) {
    (self.order, self.slurm, self.told) = (order, slurm, told)
    submission = Submission(identity: order.identity, shardCount: order.shardCount)
    let failure = FileSystem.makeFolders(order.folder)
    guard failure == 0 else {
      throw BenchError(.output, at: order.folder, "the folder cannot be made: \(systemMessage(failure))")
    }
    if let former = try formerSubmission() { submission = former }
  }

  private var stateFile: String { order.folder + "/submission.json" }

  private func formerSubmission() throws(BenchError) -> Submission? {
    guard FileSystem.exists(stateFile) else { return nil }
    guard let bytes = try? FileSystem.contents(of: stateFile, atMost: 1 << 26),
      let former = try? JSONDecoder().decode(Submission.self, from: Data(bytes)), former.version == 1
    else {
      throw BenchError(
        .input, at: stateFile, "does not say what was submitted",
        advice: "cancel what is under way, then remove \(order.folder)")
    }
    guard former.identity == order.identity, former.shardCount == order.shardCount else {
      let jobs = Set(former.shards.values.map(\.job)).sorted().joined(separator: " ")
      throw BenchError(
        .usage, at: order.folder,
        "\(former.shardCount) shards of the job as it was are under way here, as Slurm's job \(jobs)",
        advice: "wait for them with the former job file, or scancel \(jobs) and remove the folder")
    }
    return former
  }

  /// Watches until every shard has come to its end.
  /// - Parameters:
  ///   - isFinal: returns true for an exit code that is final; if not, the shard counts as lost.
  ///   - beforeResubmission: called with the shards that are about to be submitted again.
  /// - Throws: `.output` where Slurm takes no tasks, or the folder cannot be written.
  package func run(
    isFinal: (Int32) -> Bool, beforeResubmission: ([Int]) throws(BenchError) -> Void
  ) throws(BenchError) -> [Int: End] {
    if !submission.shards.isEmpty { told(.foundAgain(jobs: jobs)) }
    try submit(order.shards.filter { submission.shards[$0] == nil })
    let start = ContinuousClock.now
    while true {
      let lost = try look(isFinal: isFinal)
      if !lost.isEmpty {
        try beforeResubmission(lost)
        try submit(lost)
      }
      if ends.count == order.shards.count { return ends }
      // Often at first, so that small jobs are quick; then as a controller of many users likes it.
      let elapsed = start.duration(to: .now) / .seconds(1)
      usleep(UInt32(clamping: min(10, 0.5 + elapsed / 20) * 1e6))
    }
  }

  /// The jobs whose tasks are not at their end.
  private var jobs: [String] {
    Set(submission.shards.filter { ends[$0.key] == nil }.values.map(\.job)).sorted()
  }

  /// The present attempt of a shard, from 1 on.
  package func attempt(ofShard shard: Int) -> Int { submission.shards[shard]?.number ?? 1 }

  private func submit(_ shards: [Int]) throws(BenchError) {
    // An array is of one attempt, which is an argument of its script.
    for (number, shards) in Dictionary(grouping: shards, by: { (submission.shards[$0]?.number ?? 0) + 1 }) {
      let script = order.folder + "/task"
      try AtomicFile.write(ByteText.bytes(self.script), to: script)
      let job = try slurm.submit(
        script, ["\(number)"], indexes: shards, name: VisibleText.name(order.name),
        output: Slurm.pattern(of: order.folder) + "/%A-%a.out", options: order.options)
      for shard in shards { submission.shards[shard] = Attempt(number: number, job: job) }
      guard let data = try? JSONEncoder().encode(submission) else { preconditionFailure("numbers and texts") }
      try AtomicFile.write(String(decoding: data, as: UTF8.self), to: stateFile)
      told(.submitted(job: job, shards: shards.sorted()))
    }
  }

  /// Looks once, and answers which shards are to be submitted again.
  private func look(isFinal: (Int32) -> Bool) throws(BenchError) -> [Int] {
    let codes = self.codes()
    var open: [Int] = []
    var lost: [(shard: Int, how: String)] = []
    for shard in order.shards where ends[shard] == nil {
      guard let code = codes[shard] else {
        open.append(shard)
        continue
      }
      if isFinal(code) { ends[shard] = .ended(code: code) } else { lost.append((shard, "exit code \(code)")) }
    }
    var running = 0
    if !open.isEmpty {
      let states = try slurm.states(ofJobs: jobs)
      if states == nil, !wasUnknown { told(.unknown) }
      wasUnknown = states == nil
      for shard in open {
        guard let states, let attempt = submission.shards[shard] else { continue }
        let state = states[Slurm.Task(job: attempt.job, index: shard)]
        if case .active(let isRunning) = state {
          missingSince[shard] = nil
          running += isRunning ? 1 : 0
        } else if state == .cancelled {
          ends[shard] = .cancelled
        } else if case .lost(let how) = state {
          lost.append((shard, how))
        } else if ContinuousClock.now - missingSince[shard, default: .now] > Self.patience {
          lost.append((shard, "ended without a word"))
        } else if missingSince[shard] == nil {
          missingSince[shard] = .now
        }
      }
    }
    var again: [Int] = []
    for (shard, how) in lost {
      missingSince[shard] = nil
      let isSubmittedAgain = attempt(ofShard: shard) <= order.resubmissions
      if isSubmittedAgain { again.append(shard) } else { ends[shard] = .lost(how) }
      told(.lost(shard: shard, how: how, isSubmittedAgain: isSubmittedAgain))
    }
    told(.counted(waiting: order.shards.count - ends.count - running, running: running, ended: ends.count))
    return again
  }

  /// The exit codes in the present attempts' files, by their shards. The folder is listed: on shared storage a name
  /// that was missing once may stay missing for a while.
  private func codes() -> [Int: Int32] {
    var codes: [Int: Int32] = [:]
    for name in FileSystem.names(in: order.folder) ?? [] where name.hasSuffix(".code") {
      let parts = name.split(separator: ".")
      guard parts.count == 3, let shard = Int(parts[0]), Int(parts[1]) == attempt(ofShard: shard),
        submission.shards[shard] != nil,
        let bytes = try? FileSystem.contents(of: "\(order.folder)/\(name)", atMost: 64),
        let code = Int32(ByteText.string(bytes).prefix { $0.isNumber })
      else { continue }
      codes[shard] = code
    }
    return codes
  }

  /// The name of a task's files beside its journal and its log: `3.1` is the first attempt of shard 3.
  package static func name(shard: Int, attempt: Int) -> String { "\(shard).\(attempt)" }

  /// The script of every task; Slurm runs a copy of it. Text from outside is quoted by ``ShellText``.
  private var script: String {
    let command = order.command.map(Self.shellWord).joined(separator: " ")
    return """
      #!/bin/sh
      # A task of "\(ShellText.comment(order.name))", made by \(Program.name): one shard, of which $1 says the attempt.
      place=\(ShellText.quoted(order.folder))/"$SLURM_ARRAY_TASK_ID.$1"
      \(command) </dev/null >"$place.log" 2>&1
      code=$?
      echo "$code" >"$place.code-new" && /bin/mv "$place.code-new" "$place.code"
      exit "$code"

      """
  }

  private static func shellWord(_ word: Order.Word) -> String {
    word.parts.map { part in
      switch part {
      case .text(let text): ShellText.quoted(text)
      case .shard: "\"$SLURM_ARRAY_TASK_ID\""
      case .attempt: "\"$1\""
      case .processors: "\"${SLURM_CPUS_PER_TASK:-1}\""
      }
    }.joined()
  }
}

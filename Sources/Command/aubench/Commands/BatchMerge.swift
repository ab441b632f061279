import AudioCore
import Batch
import Journal
import Reporting

extension Command {
  static let batchMerge = Command(
    "batch merge", "put together what shards of a job have made",
    description: """
      Takes what the journals of shards say into the job's own, which then knows all outputs, and reports them as one run: those \
      that no shard has made count as failed. Journals that are named stay as they are; the others, of "aubench batch JOB \
      --shard K/N", lie beside the job file and are removed when the job's journal has all that they say. Inputs are not looked at.
      """,
    operands: [
      Operand("JOB", "the job file"),
      Operand(
        "JOURNAL", isRequired: false, isRepeatable: true,
        "the journals of its shards (default: the job file's name with .shard-K-of-N.journal)"),
    ],
    options: [.journal] + BatchCommand.reports + [.json, .quiet],
    examples: [
      Example("aubench batch merge episodes.json", "after --shard 1/8 to --shard 8/8, on one machine or several"),
      Example(
        "aubench batch merge episodes.json a.journal b.journal --html report.html",
        "name the journals, and keep a report"),
    ],
    exitCodes: [3, 4, 5, 6, ExitCode.severalFailures]
  ) { (arguments) throws(BenchError) in
    let batch = BatchCommand(arguments: arguments, verb: "merging")
    let job = try JobFile.load(arguments.operands[0], graphOptions: GraphArguments.thirdPartyUnits)
    let plan = try BatchPlan(job, beside: arguments.run.outputs)
    let journals = BatchJournals(ofJob: arguments.operands[0])
    try batch.checkReports()
    let named = Array(arguments.operands.dropFirst())
    let found = named.isEmpty ? journals.ofShards : []
    let path = arguments[.journal] ?? journals.path
    guard !(named + found).isEmpty || FileSystem.exists(path) else {
      throw BenchError(
        .input, at: arguments.operands[0], "no shard of it has left a journal",
        advice: "run its shards: aubench batch \(FileName.last(of: arguments.operands[0])) --shard 1/2")
    }
    for text in journals.missingShards { ErrorOutput.warn("there is no journal of shard \(text)") }
    let journal = try BatchJournals.open(path, job)
    let merged = try Journal.merge(named + found, into: journal)
    if merged.damaged > 0 {
      ErrorOutput.warn("\(NumberText.count(merged.damaged, "row")) of journals are damaged, and were left out")
    }
    let outcomes = try plan.outcomes(in: journal)
    try journal.publish()
    for path in found { FileSystem.unlink(path) }
    try batch.reportMerged(BatchReport(plan, outcomes, seconds: nil, origin: batch.origin))
  }
}

import AudioCore
import Batch

extension Command {
  static let batch = Command(
    "batch", "make many files by a job file",
    description: """
      Reads a job file (JSON): which graphs, inputs and settings make which outputs, and what is done to their sound before it \
      is written. Names in it are relative to its folder. Outputs appear when they are whole; one that fails is reported \
      and the others go on. What each was made of is kept in a journal beside the job file, so that a second run makes only \
      what is missing or has changed, also where the first was killed.
      """,
    operands: [Operand("JOB", "the job file, version 1: see docs/job-file.schema.json")],
    options: BatchCommand.options + [.threads, .json, .quiet],
    examples: [
      Example("aubench batch episodes.json", "make all of its outputs"),
      Example("aubench batch episodes.json --dry-run", "show what would be made of what"),
      Example(
        "aubench batch episodes.json --shard 3/8", "make an eighth of them; \"aubench batch merge\" puts all together"),
      Example("aubench batch episodes.json --csv report.csv --html report.html", "and keep reports of it"),
    ],
    exitCodes: [3, 4, 5, 6, 9, ExitCode.severalFailures, ExitCode.componentCrash]
  ) { (arguments) throws(BenchError) in
    let batch = BatchCommand(arguments: arguments, verb: "making")
    var job = try JobFile.load(arguments.operands[0], graphOptions: GraphArguments.thirdPartyUnits)
    try batch.takeRunOptions(&job)
    try batch.run(job)
  }
}

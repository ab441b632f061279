import AudioCore

extension CommandOption {
  static let slices = CommandOption(
    "slice", value: "FRAMES", isRepeatable: true,
    "frames of a render call; may be repeated (default: 512, or what the graph allows)")
  static let benchThreads = CommandOption(
    "threads", letter: "t", value: "N", isRepeatable: true,
    "threads that render; may be repeated (default 1). Nodes are measured with one")
  static let benchSeconds = CommandOption(
    "seconds", value: "S", "the most time to measure for, for all cases together (default 10)")
  static let benchRate = CommandOption(
    "rate", value: "HZ",
    "the rate of the graph, or of a unit's input (default: the graph's, 48000 for a unit)")
  static let benchCSV = newFile(
    "csv", "write the figures as a table")
  static let benchMarkdown = newFile(
    "markdown", "write the figures as a page of Markdown")

  static let instructions = CommandOption(
    "instructions", "count the instructions of a frame as well, by valgrind: slow, and the same on a busy machine")
  static let threshold = CommandOption(
    "threshold", value: "PERCENT",
    "with --instructions: end with 7 if the count is higher by this share than that of the other, or of the last "
      + "run in the history; times are printed, but do not decide")
  static let history = newFile(
    "history", "add the figures to this file as a line of JSON, with the time")

  static let benchAgainst = file(
    "against", value: "GRAPH",
    "render this graph in turn with the subject, and say which is slower, node by node, and whether both sound the same"
  )
  static let againstBinary = file(
    "against-binary", "the same with another build of aubench, which renders the same subject")
  static let benchVary = CommandOption(
    "vary", value: "KEY=V1,V2,...",
    "a case for each value: \(BenchVariation.keysOfAll); for units also \(BenchVariation.keysOfUnits); NODE.PARAM, as in --set; or {KEY} in "
      + "the subject, in --keys or in the words of a command. With three numbers or more it reports how the cost grows")
  static let benchKeys = CommandOption(
    "keys", value: "JSON",
    "further keys of a unit, as a graph file writes them: '{\"bands\": [{\"type\": \"lowPass\", \"frequency\": 800}]}'; {KEY} of --vary "
      + "may stand in it")
  static let benchPlot = newFile(
    "plot",
    "draw the times of the render calls and the nodes' shares (FILE-nodes), or with --vary how the cost grows: a .svg, .png or "
      + ".pdf; - draws in the terminal")
  static let benchHTML = newFile(
    "html",
    "write a page with all figures and pictures, and with --history all runs in it; without a subject those alone")
  static let realtime = CommandOption(
    "realtime",
    "end with 7 if a render call allocates, frees, waits for a lock or calls the system, and show all stacks; times "
      + "are printed, but do not decide")
  static let requireTimes = CommandOption(
    "require-times",
    "end with 7 if a time is too noisy to be given, and with --against if it is longer or there is no answer, as without "
      + "--realtime and --threshold")
}

extension Command {
  static let bench = Command(
    "bench", "measure what a render costs, node by node",
    description: """
      Renders graphs, or units fed with noise, over and over and says what a frame costs: in all, and in each node. Cases \
      (subjects, values, slices, numbers of threads) are rendered in turn, each by a process of its own, until the medians are \
      certain enough, or the time is over; the first blocks are left out where they are slower than the rest. A figure whose \
      95 % interval is wider than ±5 % is not given. A single thread is timed by its own processor time, without that of other \
      programs. Writing files is not included, and reading is reported separately. Allocations, locks and system calls \
      in render calls, which a realtime thread must avoid, are found as well. A command is timed from start to end.
      """,
    operands: [
      Operand(
        "SUBJECT", isRequired: false, isRepeatable: true,
        "a graph file, a unit by its name (see \"aubench units\"), or behind -- the words of a command")
    ],
    options: [
      .slices, .benchThreads, .benchSeconds, .benchRate, .set, .benchKeys, .input, .benchVary, .benchAgainst,
      .againstBinary,
      .benchPlot, .benchHTML, .benchCSV, .benchMarkdown, .realtime, .requireTimes, .instructions, .threshold, .history,
      .json, .quiet,
    ],
    examples: [
      Example("aubench bench song.json", "which node costs most"),
      Example("aubench bench song.json --slice 64 --slice 512 --threads 1 --threads 2", "by slice and threads"),
      Example("aubench bench nBandEQ --vary bands=1,2,4,8,16,32 --plot bands.svg", "how the cost grows"),
      Example(
        "aubench bench song.json --against-binary old/aubench", "whether a change made it slower, or sound otherwise"),
      Example(
        "aubench bench iPodEQ --set unit.preset=Rock --realtime", "whether a unit may be used in a realtime thread"),
      Example("aubench bench --vary q=-l,-h -- sox in.wav -n rate {q} 48k", "commands, in turn"),
    ],
    exitCodes: [3, 4, 5, 6, 9, ExitCode.checkFailed]
  ) { (arguments) throws(BenchError) in
    try BenchCommand(arguments).run()
  }
}

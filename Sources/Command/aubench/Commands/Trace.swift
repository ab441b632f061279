import AudioCore
import Glibc
import Hardware
import Plotting
import Processes
import Reporting
import Transcripts
import Verification

extension CommandOption {
  static let transcript = newFile(
    "output", letter: "o", value: "OUT", "the text file to write; without it the transcript is printed")
  static let timeline = newFile(
    "plot", letter: "p", value: "OUT", "draw the transcript as a timeline: .svg, .png or .pdf")
  static let traceGolden = file(
    "golden", "compare with the transcript that was kept in FILE: end with 7 if a call differs, and show the difference"
  )
  static let blessTranscript = CommandOption(
    "bless", "with --golden: keep this transcript in FILE, in place of one that is there")
  static let everyCall = CommandOption(
    "every",
    "a line for each call; otherwise calls that a thread repeats are shown once, with their number")
  static let scenario = file(
    "scenario", "the events of the simulated hardware: a scenario file, see docs/scenarios.md")
}

extension Command {
  static let trace = Command(
    "trace", "write down all calls between program, units and hardware",
    description: """
      Runs a program that uses the C interface, or renders a graph file, and writes down each call between the program, \
      the units and the simulated hardware: in order for each thread, with sample time, frames, flags and \
      results. There are no handles, addresses and wall times in it: the same program under the same scenario has the \
      same transcript, and one that was kept (--golden) shows a change in the order of calls. The words behind the \
      program are its arguments, whatever they begin with: options of aubench stand in front of it. What it prints goes to standard \
      error unless -o, --plot or --golden is given. If a program crashes, its calls up to then are written.
      """,
    operands: [
      Operand(
        "PROGRAM", isRepeatable: true,
        "a program, looked for on the path, and its arguments; or a graph file (.json)")
    ],
    options: [
      .transcript, .timeline, .traceGolden, .blessTranscript, .everyCall, .scenario, .seconds, .frames, .slice, .set,
      .input, .graphRate, .quiet,
    ],
    examples: [
      Example("aubench trace --scenario call.json ./recorder", "what a recorder does while a phone call comes in"),
      Example(
        "aubench trace --golden recorder.txt ./recorder --seconds 2",
        "whether it makes the calls that were kept"),
      Example("aubench trace song.json --seconds 0.1 --plot song.svg", "the first renders of a graph, as a picture"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9], interruption: "before the end; nothing was written", plansMemory: false,
    isFollowedByItsOwn: { FileName.fileExtension(of: $0) != "json" }
  ) { (arguments) throws(BenchError) in
    try TraceCommand(arguments: arguments).run()
  }
}

/// One run of `aubench trace`.
private struct TraceCommand {
  let arguments: Arguments

  private var isGraph: Bool { FileName.fileExtension(of: arguments.operands[0]) == "json" }

  func run() throws(BenchError) {
    try checkArguments()
    let golden = try arguments[.traceGolden].map { path throws(BenchError) in try TraceGolden(path) }
    if let golden, golden.text == nil, !arguments.has(.blessTranscript) {
      ErrorOutput.fail("\(golden.path): there is no transcript yet to compare with; add --bless to keep this one")
      arguments.run.exitCode = ExitCode.of(.unblessed)
      return
    }
    guard let (memory, descriptor) = CallMemory.shared() else {
      throw BenchError(.render, at: "trace", "the system gives no memory for a transcript")
    }
    defer { close(descriptor) }
    let (words, scratch) = try words()
    let end = try withExtendedLifetime(scratch) { () throws(BenchError) in try start(words, descriptor) }
    guard memory.wasUsed || isGraph else {
      throw BenchError(
        .deviceCrash, at: arguments.operands[0], "called nothing of the library" + ended(end),
        advice: "it has to be built against libAudioToolbox of aubench")
    }
    if memory.wasUsed { try tell(Transcript(memory), golden) }
    if memory.otherProcesses > 0 {
      ErrorOutput.warn(
        "the calls of \(NumberText.count(memory.otherProcesses, "further program")) are not written down: only those of the first"
      )
    }
    guard end != .exited(code: 0) else { return }
    // The transcript up to then is an output like any other.
    ErrorOutput.fail("\(arguments.operands[0]) \(end.text)")
    if case .exited(let code) = end, isGraph { arguments.run.exitCode = code } else { arguments.run.exitCode = 9 }
  }

  private func ended(_ end: ChildProcess.End) -> String { end == .exited(code: 0) ? "" : ", and \(end.text)" }

  private func checkArguments() throws(BenchError) {
    if arguments.has(.blessTranscript), !arguments.has(.traceGolden) {
      throw Arguments.error(.blessTranscript, "needs --golden", advice: "name the file, as --golden calls.txt")
    }
    if let path = arguments[.scenario] {
      guard !isGraph else {
        throw Arguments.error(
          .scenario, "is for a program: a graph names its scenario in the node of its output unit",
          advice: "set it there, as --set io.scenario=\(path)")
      }
      // Errors of the scenario are reported before the program runs, sound files that cannot be read too.
      try SimulatedHardware(DeviceConfiguration()).follow(ScenarioFile.load(path))
    }
    if isGraph, ScenarioFile.isScenario(arguments.operands[0]) {
      throw BenchError(
        .usage, at: arguments.operands[0], "is a scenario, and no graph file or program",
        advice: "name the program that it happens to: aubench trace --scenario \(arguments.operands[0]) ./program")
    }
    if let golden = arguments[.traceGolden] {
      for option in [CommandOption.transcript, .timeline] where arguments[option] == golden {
        throw Arguments.error(option, "names the file that is compared with", advice: "write to another one")
      }
    }
    let ofGraphs = [CommandOption.seconds, .frames, .slice, .set, .input, .graphRate]
    if !isGraph, let option = ofGraphs.first(where: { arguments.has($0) }) {
      throw Arguments.error(option, "is for a graph file", advice: "leave it out, or put it behind the program")
    }
    if isGraph, arguments.operands.count > 1 {
      throw BenchError(
        .usage, at: "trace", "\"\(arguments.operands[1])\" is one word too many",
        advice: "one graph is rendered at a time")
    }
    if let path = arguments[.timeline] { try Figure.check(path: path, withData: false) }
    if let path = arguments[.transcript] { try AtomicFile.check(path) }
  }

  /// The command to run; a graph is rendered by this very program, into a file that is removed.
  private func words() throws(BenchError) -> (words: [String], scratch: ScratchFolder?) {
    guard isGraph else { return (arguments.operands, nil) }
    guard let program = Aubench.program else {
      throw BenchError(.render, at: "trace", "the program does not find itself")
    }
    let scratch = try ScratchFolder()
    var words = [program, "render", arguments.operands[0], "-o", scratch.file("out.wav"), "--quiet", "--threads=1"]
    words.append("--encoding=float32")
    for option in [CommandOption.seconds, .frames, .slice, .set, .input, .graphRate] {
      for value in arguments.all(option) { words += ["--\(option.name)", value] }
    }
    return (words, scratch)
  }

  private func start(_ words: [String], _ descriptor: Int32) throws(BenchError) -> ChildProcess.End {
    var process = ForegroundProcess(words)
    process.descriptors = [descriptor]
    process.environment = [
      "AUBENCH_TRACE_MEMORY": CallMemory.place(of: descriptor, asDescriptor: 3), "AUBENCH_TRACE": nil,
    ]
    if let scenario = arguments[.scenario] { process.environment["AUBENCH_DEVICE_SCENARIO"] = scenario }
    process.outputGoesToErrors = ![CommandOption.transcript, .timeline, .traceGolden].contains { arguments.has($0) }
    do { return try process.run() } catch {
      let isHere = !words[0].contains("/") && FileSystem.exists(words[0])
      guard error.number == ENOENT, !FileSystem.exists(words[0]) || isHere else {
        throw BenchError(.input, at: words[0], "cannot be run: \(error.reason)")
      }
      throw BenchError(
        .usage, at: words[0], "there is no such program to run: \(error.reason)",
        advice: isHere ? "name it with its folder, as ./\(words[0])" : "build or install it, or name its path")
    }
  }

  private func tell(_ transcript: Transcript, _ golden: TraceGolden?) throws(BenchError) {
    let text = transcript.text(folds: !arguments.has(.everyCall))
    if transcript.lostCalls > 0 {
      ErrorOutput.warn("the first \(CallMemory.capacity) calls are written down; \(transcript.lostCalls) more are not")
    }
    let outputs = arguments.run.outputs
    if let path = arguments[.transcript] { try AtomicFile.write(text, to: path, in: outputs) }
    if let path = arguments[.timeline] {
      let name = FileName.last(of: arguments.operands[0])
      try transcript.timeline(title: "Calls of \(name)").write(to: path, in: outputs)
    }
    if let golden { return try compare(text, with: golden) }
    if !arguments.has(.transcript), !arguments.has(.timeline) { StandardOutput.print(text) }
  }

  private func compare(_ text: String, with golden: TraceGolden) throws(BenchError) {
    if arguments.has(.blessTranscript) {
      // It is read by every other run, and so no output of this one but for the option.
      try AtomicFile.write(text, to: golden.path)
      if !arguments.has(.quiet) { StandardOutput.print("kept: \(golden.path)\n") }
      return
    }
    guard let difference = TranscriptDifference(expected: golden.text ?? "", found: text) else {
      if !arguments.has(.quiet) { StandardOutput.print("the same calls as in \(golden.path)\n") }
      return
    }
    if !arguments.has(.quiet) {
      StandardOutput.print("\(golden.path), line \(difference.line): another call\n\(difference.text)\n")
    }
    ErrorOutput.fail("the calls are not those that \(golden.path) has")
    arguments.run.exitCode = ExitCode.checkFailed
  }
}

/// A transcript that was kept.
private struct TraceGolden {
  let path: String
  /// Nil: there is none yet.
  let text: String?

  /// - Throws: `.input` for a file that cannot be read, or that is no transcript: it is not to be replaced by one.
  init(_ path: String) throws(BenchError) {
    self.path = path
    guard FileSystem.exists(path) else {
      text = nil
      return
    }
    let bytes = try FileSystem.bytes(of: path, atMost: 1 << 30)
    let version = bytes.isEmpty ? Transcript.version : Transcript.version(of: bytes)
    if let version, version != Transcript.version {
      throw BenchError(
        .input, at: path, "is a transcript of version \(version); this program reads version \(Transcript.version)",
        advice: "compare with the program that wrote it, or name a new file with --bless")
    }
    guard version != nil else {
      throw BenchError(
        .input, at: path, "is no transcript of calls",
        advice:
          "a transcript begins with the line \"\(Transcript.beginning) \(Transcript.version)\"; name another file, or a new one with --bless"
      )
    }
    text = bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

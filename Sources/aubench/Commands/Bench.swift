import AudioCore
import AudioUnits
import BatchRender
import Bench
import Glibc
import Processes
import Reporting
import SoundFile

extension CommandOption {
  static let slices = CommandOption(
    "slice", value: .required("FRAMES"), isRepeatable: true,
    "frames of a render call; may be repeated (default: 512, or what the graph allows)")
  static let benchThreads = CommandOption(
    "threads", letter: "t", value: .required("N"), isRepeatable: true,
    "threads that render; may be repeated (default 1). Nodes are measured with one")
  static let benchSeconds = CommandOption(
    "seconds", value: .required("S"), "the most time to measure for, for all cases together (default 10)")
  static let benchRate = CommandOption(
    "rate", value: .required("HZ"),
    "the rate of the graph, or of a unit's input (default: the graph's, 48000 for a unit)")
  static let benchCSV = CommandOption(
    "csv", value: .required("FILE"), completion: .newFile, "write the figures as a table")
  static let benchMarkdown = CommandOption(
    "markdown", value: .required("FILE"), completion: .newFile, "write the figures as a page of Markdown")

  static let instructions = CommandOption(
    "instructions", "count the instructions of a frame as well, by valgrind: slow, and the same on a busy machine")
  static let threshold = CommandOption(
    "threshold", value: .required("PERCENT"),
    "with --instructions, against another: end with 7 where there are more of them by this share")
  static let history = CommandOption(
    "history", value: .required("FILE"), completion: .newFile,
    "add the figures to this file as a line of JSON, with the time")

  static let benchAgainst = CommandOption(
    "against", value: .required("GRAPH"), completion: .file,
    "render this graph in turn with the subject, and say which is slower, node by node, and whether both sound the same"
  )
  static let againstBinary = CommandOption(
    "against-binary", value: .required("FILE"), completion: .file,
    "the same with another build of aubench, which renders the same subject")
}

extension Command {
  static let bench = Command(
    "bench", "measure what a render costs, node by node",
    description: """
      Renders a graph, or a unit fed with noise, over and over and says what a frame costs: in all, and in each node. Cases \
      (slices, numbers of threads) are rendered in turn, each by a process of its own, until the medians are certain enough, or \
      the time is over; the first blocks are left out where they are slower than the rest. A figure whose 95 % interval is wider \
      than ±5 % is not given. What one thread renders is timed by its own work, so that other programs take nothing away. Writing \
      of files is no part of it, and reading is told apart.
      """,
    operands: [Operand("SUBJECT", "a graph file, or a unit by its name: see \"aubench units\"")],
    options: [
      .slices, .benchThreads, .benchSeconds, .benchRate, .set, .input, .benchAgainst, .againstBinary, .benchCSV,
      .benchMarkdown, .instructions, .threshold, .history, .json, .quiet,
    ],
    examples: [
      Example("aubench bench song.json", "which node costs most"),
      Example("aubench bench song.json --slice 64 --slice 512 --threads 1 --threads 2", "by slice and threads"),
      Example(
        "aubench bench song.json --against-binary old/aubench", "whether a change made it slower, or sound otherwise"),
      Example("aubench bench iPodEQ --set unit.preset=Rock", "a unit"),
    ],
    exitCodes: [3, 4, 5, 6, 9, ExitCode.checkFailed]
  ) { (arguments) throws(BenchError) in
    try BenchCommand(arguments).run()
  }
}

private struct BenchCommand {
  private let arguments: Arguments
  private let title: String
  /// Where the noise lies that a unit is fed with.
  private let noise: ScratchFolder?
  private let subject: BenchSubject
  private let slices: [Int]
  private let threads: [Int]

  /// Of the noise that units are fed with.
  private static let noiseSeconds = 10.0
  private static let unitRate = 48_000.0

  init(_ arguments: Arguments) throws(BenchError) {
    self.arguments = arguments
    title = arguments.operands[0]
    slices = try Self.numbers(arguments, .slices, "a number of frames from 1 to 1048576", in: 1...(1 << 20)) ?? [512]
    threads = try Self.numbers(arguments, .benchThreads, "a number of threads from 1 to 256", in: 1...256) ?? [1]
    let rate = try GraphArguments.sampleRate(.benchRate, arguments)
    let options = GraphArguments.thirdPartyUnits
    var other: Component?
    var own: BenchSubject
    if !FileSystem.exists(title) { other = try options.findOther(title) }
    if !FileSystem.exists(title), let component = options.registry.named(title) ?? other {
      let folder = try ScratchFolder()
      noise = folder
      own = try Self.subject(of: component, named: title, rate: rate ?? Self.unitRate, in: folder, slices)
    } else {
      noise = nil
      guard FileSystem.exists(title) else {
        throw BenchError(
          .graph, at: title, "there is no such graph file, and no unit of this name",
          advice: "check the path, or choose from \"aubench units\"")
      }
      let data = try JSONFile.read(title, kind: .graph, what: "graph")
      own = BenchSubject(
        graph: ByteText.string(Array(data)), folder: FileName.folderPrefix(of: title), slice: 512, threads: 1)
      own.sampleRate = rate
    }
    for (node, file) in try arguments.pairs(.input, "NODE=FILE") { own.inputs[node] = file }
    for (key, value) in try arguments.pairs(.set, "NODE.PARAM@SCOPE:EL=VALUE") {
      own.settings.append(BenchSubject.Setting(key: key, text: value))
    }
    subject = own
  }

  func run() throws(BenchError) {
    guard let program = Aubench.program else {
      throw BenchError(.render, "this program's own file cannot be found")
    }
    if arguments.has(.threshold), !arguments.has(.instructions) {
      throw Arguments.error(.threshold, "goes with --instructions", advice: "add it, or leave this out")
    }
    for option in [CommandOption.benchCSV, .benchMarkdown] {
      if let path = arguments[option] { try AtomicFile(path: path, overwrites: true).discard() }
    }
    let former = try self.former(program)
    var cases: [BenchRun.Case] = []
    for slice in slices {
      for threads in threads {
        let name =
          NumberText.count(slice, "frame") + (self.threads == [1] ? "" : ", \(NumberText.count(threads, "thread"))")
        // Those that are compared stand side by side.
        for (subject, program) in (former.map { [($0.subject, $0.program)] } ?? []) + [(subject, program)] {
          var one = subject
          (one.slice, one.threads) = (slice, threads)
          cases.append(BenchRun.Case(name: name, subject: one, words: [program, BenchWorker.word]))
        }
      }
    }
    var options = BenchRun.Options()
    options.seconds =
      try arguments.number(.benchSeconds, "a number of seconds above 0", in: .time, where: { $0 > 0 })
      ?? options.seconds
    if former != nil { options.launches = Self.launches }
    let machine = BenchMachine.present
    let run = try BenchRun(cases, options: options)
    guard run.facts.allSatisfy(\.isReleaseBuild) else {
      throw BenchError(
        .usage, at: "bench", "this is a debug build, whose figures say nothing of a release build",
        advice: "build with -c release")
    }
    let progress = ProgressBar("measuring", arguments)
    let clock = ContinuousClock.now
    let results = try run.run { share in
      progress.show(["measuring  \(Int(min(1, share) * 100)) %"], at: clock.duration(to: .now) / .seconds(1))
    }
    let counts = try instructions(cases, run.facts, progress)
    progress.erase()
    if let former {
      try compare(results, run, counts, former.name, machine)
    } else {
      try report(results, counts, machine)
    }
  }

  /// Of each case, a frame; empty where nobody asks.
  private func instructions(
    _ cases: [BenchRun.Case], _ facts: [BenchFacts], _ progress: ProgressBar
  ) throws(BenchError) -> [Double] {
    guard arguments.has(.instructions) else { return [] }
    let count = try InstructionCount()
    var counts: [Double] = []
    for (index, one) in cases.enumerated() {
      progress.show(["counting instructions  \(index + 1) of \(cases.count)"], at: .infinity)
      counts.append(try count.perFrame(of: one, lengthFrames: facts[index].lengthFrames))
    }
    return counts
  }

  private func report(
    _ results: [BenchRun.Result], _ instructions: [Double], _ machine: BenchMachine
  ) throws(BenchError) {
    let report = CostReport(title, results, instructions: instructions, machine)
    arguments.print(report.json, orText: report.text)
    if let path = arguments[.benchCSV] { try AtomicFile.write(report.csv, to: path) }
    if let path = arguments[.benchMarkdown] { try AtomicFile.write(report.markdown, to: path) }
    try note(report.json)
    if results.contains(where: \.isNoisy) { arguments.run.exitCode = ExitCode.checkFailed }
  }

  /// Results in pairs: what was there before, and what is there now.
  private func compare(
    _ results: [BenchRun.Result], _ run: BenchRun, _ instructions: [Double], _ former: String, _ machine: BenchMachine
  ) throws(BenchError) {
    let folder = try ScratchFolder()
    var parts: [CostComparisonReport.Part] = []
    for index in stride(from: 0, to: results.count, by: 2) {
      let (before, now) = (results[index], results[index + 1])
      let sound: SoundDifference
      if (before.facts.sampleRate, before.facts.channels) == (now.facts.sampleRate, now.facts.channels) {
        sound = SoundDifference(
          former: try run.sound(ofCase: index, frames: Self.comparedFrames, in: folder.path),
          present: try run.sound(ofCase: index + 1, frames: Self.comparedFrames, in: folder.path))
      } else {
        sound = .incomparable(
          "\(NumberText.short(before.facts.sampleRate)) Hz and \(before.facts.channels) channels against "
            + "\(NumberText.short(now.facts.sampleRate)) Hz and \(now.facts.channels)")
      }
      parts.append(
        .init(
          BenchComparison(now.name, former: before, present: now), sound,
          instructions: instructions.isEmpty ? nil : (instructions[index], instructions[index + 1])))
    }
    let report = CostComparisonReport(former: former, present: title, parts, machine)
    arguments.print(report.json, orText: report.text)
    if let path = arguments[.benchCSV] { try AtomicFile.write(report.csv, to: path) }
    if let path = arguments[.benchMarkdown] { try AtomicFile.write(report.markdown, to: path) }
    try note(report.json)
    let mayRise = try arguments.number(
      .threshold, "a number of per cent from 0 on", in: .plain, where: { $0 >= 0 })
    if report.isWorse || report.isUnclear || (mayRise.map { report.instructionsRise > $0 / 100 } ?? false) {
      arguments.run.exitCode = ExitCode.checkFailed
    }
  }

  /// Adds a line to the history: whole, as one write of a file that is only added to.
  private func note(_ figures: JSONValue) throws(BenchError) {
    guard let path = arguments[.history] else { return }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let line = figures.adding(["unixTimeSeconds": time.tv_sec]).text + "\n"
    let descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    let failure = descriptor < 0 ? errno : writeAll(Array(line.utf8), to: descriptor)
    if descriptor >= 0 { close(descriptor) }
    if failure != 0 { throw AtomicFile.failure(failure, at: path) }
  }

  /// How often two that are compared are started.
  private static let launches = 10

  /// Enough for every filter to ring.
  private static let comparedFrames: Int64 = 1 << 19

  /// What the subject is compared with: what it is called, and who renders it.
  private func former(_ program: String) throws(BenchError) -> (name: String, subject: BenchSubject, program: String)? {
    switch (arguments[.benchAgainst], arguments[.againstBinary]) {
    case (nil, nil): return nil
    case (.some, .some):
      throw Arguments.error(.benchAgainst, "goes not with --against-binary", advice: "leave one of the two out")
    case (let graph?, nil):
      var other = subject
      let data = try JSONFile.read(graph, kind: .graph, what: "graph")
      (other.graph, other.folder) = (ByteText.string(Array(data)), FileName.folderPrefix(of: graph))
      return (graph, other, program)
    case (nil, let binary?):
      guard FileSystem.access(binary, X_OK) == 0 else {
        throw BenchError(.input, at: binary, "is no program that can be run: \(systemMessage(errno))")
      }
      return (binary, subject, FileSystem.realPath(binary) ?? binary)
    }
  }

  /// All values of an option, each once, in order.
  private static func numbers(
    _ arguments: Arguments, _ option: CommandOption, _ what: String, in range: ClosedRange<Int>
  ) throws(BenchError) -> [Int]? {
    var numbers: [Int] = []
    for text in arguments.all(option).flatMap({ $0.split(separator: ",").map(String.init) }) {
      guard let number = Int(text), range.contains(number) else {
        throw Arguments.error(option, "\"\(text)\" is not \(what)")
      }
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers.isEmpty ? nil : numbers
  }

  /// A graph of one unit, which stereo noise is played into where it has an input.
  private static func subject(
    of component: Component, named name: String, rate: Double, in folder: ScratchFolder, _ slices: [Int]
  ) throws(BenchError) -> BenchSubject {
    guard component.description.type != .output else {
      throw BenchError(.usage, at: name, "is an output unit, which renders nothing of its own")
    }
    var nodes: [JSONValue] = [JSONValue(["id": "unit", "unit": name])]
    var connections = ["unit -> out"]
    if component.make().elementCount(.input) > 0 {
      let path = folder.file("noise.wav")
      try writeNoise(rate: rate, to: path)
      nodes.insert(JSONValue(["id": "noise", "unit": "filePlayer", "file": path]), at: 0)
      connections.insert("noise -> unit", at: 0)
    }
    nodes.append(JSONValue(["id": "out", "unit": "genericOutput"]))
    let graph = JSONValue([
      "version": 1, "sampleRate": rate, "maximumFramesPerSlice": max(4096, slices.max() ?? 0), "nodes": nodes,
      "connections": connections,
    ])
    return BenchSubject(graph: graph.text, folder: "", slice: 512, threads: 1)
  }

  private static func writeNoise(rate: Double, to path: String) throws(BenchError) {
    let frames = Int(noiseSeconds * rate)
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: frames)
    var generator = SplitMix64(seed: 1)
    for channel in 0..<2 {
      for frame in 0..<frames { buffer[channel][frame] = Float.random(in: -0.25...0.25, using: &generator) }
    }
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(container: .wav, encoding: .float32), sampleRate: rate, channelCount: 2,
      expectedFrames: Int64(frames))
    try writer.write(buffer.planes, offset: 0, frames: frames)
    _ = try writer.finish()
  }
}

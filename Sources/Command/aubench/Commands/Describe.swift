import AudioCore
import Reporting

extension CommandOption {
  static let dot = CommandOption("dot", letter: "d", "print the graph in the DOT language, for Graphviz")
}

extension Command {
  static let describe = Command(
    "describe", "show how a graph will run: formats, files, latency, tail",
    description: """
      Reads a graph file, opens the sound files that it names, checks everything that a render checks before its first \
      frame, and shows what will run: every unit with what it puts out, the format of every connection, the converters \
      in front of mixer inputs, latencies and tails, and how long a render is.
      """,
    operands: [Operand("GRAPH", "the graph file, version 1")],
    options: [.dot] + GraphArguments.options + [.json],
    examples: [
      Example("aubench describe song.json", "as text"),
      Example("aubench describe song.json --dot | dot -Tsvg -o song.svg", "as a picture, by Graphviz"),
    ],
    exitCodes: [3, 4, 9, ExitCode.componentCrash]
  ) { (arguments) throws(BenchError) in
    guard !(arguments.has(.dot) && arguments.has(.json)) else {
      throw BenchError(.usage, at: "describe", "--dot and --json are two forms", advice: "leave one of them out")
    }
    let graph = try GraphArguments.load(arguments)
    let path = arguments.operands[0]
    let description: GraphDescription
    do throws(BenchError) { description = try GraphDescription(graph, path: path) } catch {
      throw error.kind == .graph ? error.inside(path) : error
    }
    description.warnings.forEach(ErrorOutput.warn)
    arguments.print(description.json, orText: arguments.has(.dot) ? description.dot : description.text)
  }
}

import AudioCore
import Bench

/// The run times of commands, from start to end.
package struct CommandCostReport {
  private let title: String
  private let results: [CommandRun.Result]
  private let startSeconds: Double
  private let machine: BenchMachine
  private let growth: Growth?
  private let isVaried: Bool

  /// - Parameters:
  ///   - startSeconds: the time that a command takes that does nothing.
  ///   - varied: the number that each command has, nil if it has none; nil: there is one command.
  package init(
    _ title: String, _ results: [CommandRun.Result], startSeconds: Double, _ machine: BenchMachine, varied: [Double?]?
  ) {
    (self.title, self.results, self.startSeconds, self.machine) = (title, results, startSeconds, machine)
    isVaried = varied != nil
    let x = varied?.compactMap(\.self) ?? []
    growth = x.count == results.count ? Growth(x, results.map { Array($0.rounds[$0.warmUpRuns...]) }) : nil
  }

  /// The ratio to the first, in the same rounds.
  private func ratio(_ result: CommandRun.Result) -> Statistics {
    let warmUp = max(result.warmUpRuns, results[0].warmUpRuns)
    return Statistics(zip(result.rounds, results[0].rounds).dropFirst(warmUp).map { $0 / $1 })
  }

  package var text: String {
    var rows = [["", "ms", "±", "times the first", "CPU ms", "peak MiB", "runs"]]
    for result in results {
      let ratio = ratio(result)
      rows.append([
        result.name, result.isNoisy ? "-" : CostReport.number(result.wall.median * 1e3),
        CostReport.percent(result.wall.uncertainty),
        "\(NumberText.fixed(ratio.median, 3)) (\(NumberText.fixed(ratio.interval.lowerBound, 3))..\(NumberText.fixed(ratio.interval.upperBound, 3)))",
        CostReport.number(result.work.median * 1e3), NumberText.fixed(Double(result.peakBytes) / 1048576, 1),
        "\(result.wall.count)",
      ])
    }
    if results.count == 1 { rows = rows.map { $0.enumerated().filter { $0.offset != 3 }.map(\.element) } }
    var text = "\(VisibleText.line(title)): what it takes from start to end\n\n" + TextLayout.columns(rows)
    for result in results where result.isNoisy {
      text +=
        "\(result.name): too noisy for a figure: runs differ by \(CostReport.percent(result.wall.spread)); measure longer, or on a quiet machine\n"
    }
    if let growth, isVaried {
      let form =
        growth.kind == .constant
        ? "does not depend on it"
        : "\(CostReport.number(growth.base * 1e3)) + \(CostReport.number(growth.factor * 1e3)) · x^\(NumberText.fixed(growth.exponent, 2)) ms"
      text += "growth: \(form), at most \(CostReport.percent(growth.largestDeviation)) off\n"
    }
    text += "starting a process, which is part of it: \(CostReport.number(startSeconds * 1e3)) ms\n"
    return text + "\n" + machine.text
  }

  private static let columns = ["case", "seconds", "lower", "upper", "spread", "cpu seconds", "peak bytes", "runs"]

  /// RFC 4180.
  package var csv: String {
    CommaSeparatedText.lines(
      [Self.columns]
        + results.map { result in
          let wall = result.wall
          let seconds =
            result.isNoisy
            ? ["", "", ""] : [wall.median, wall.interval.lowerBound, wall.interval.upperBound].map(Self.cell)
          return [result.name] + seconds
            + [Self.cell(wall.spread), Self.cell(result.work.median), "\(result.peakBytes)", "\(wall.count)"]
        })
  }

  /// To a microsecond.
  private static func cell(_ value: Double) -> String { NumberText.withoutZeros(NumberText.fixed(value, 6)) }

  package var json: JSONValue {
    JSONValue([
      "subject": title, "machine": machine.json, "startSeconds": startSeconds,
      "cases": results.map { result in
        JSONValue([
          "name": result.name, "words": result.words, "seconds": result.wall.json, "isNoisy": result.isNoisy,
          "cpuSeconds": result.work.json, "peakBytes": Int(result.peakBytes), "timesTheFirst": ratio(result).json,
          "roundsSeconds": result.rounds, "warmUpRounds": result.warmUpRuns,
        ])
      },
    ])
  }
}

import AudioCore
import Bench
import Measurement

/// What renders cost: as text, JSON, CSV and Markdown.
package struct CostReport {
  private let title: String
  private let results: [BenchRun.Result]
  /// Of a frame, by case; empty where they were not counted.
  private let instructions: [Double]
  private let machine: BenchMachine

  /// - Parameters:
  ///   - title: what was rendered.
  ///   - instructions: of a frame, by case; empty: they were not counted.
  package init(_ title: String, _ results: [BenchRun.Result], instructions: [Double], _ machine: BenchMachine) {
    (self.title, self.results, self.instructions, self.machine) = (title, results, instructions, machine)
  }

  private static let quantiles: [(name: String, share: Double)] = [
    ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1),
  ]

  // MARK: Text

  package var text: String {
    let head = ["", "ns/frame", "±", "x realtime"] + Self.quantiles.map { "\($0.name) µs" } + ["blocks"]
    var text = "\(VisibleText.name(title)): the cost of a render\n\n"
    text += TextLayout.columns([head] + results.map(row))
    for result in results where result.isNoisy {
      text += "\(result.name): too noisy for a figure: blocks differ by \(Self.percent(result.frame.spread)), "
      text +=
        "and the median is uncertain by \(Self.percent(result.frame.uncertainty)); measure longer, or on a quiet machine\n"
    }
    for (result, count) in zip(results, instructions) {
      text += "\(result.name): \(NumberText.factor(count)) instructions a frame, with the reading of files\n"
    }
    if let result = results.first(where: { !$0.nodes.isEmpty && !$0.isNoisy }) { text += "\n" + nodes(of: result) }
    return text + "\n" + machine.text
  }

  private func row(_ result: BenchRun.Result) -> [String] {
    let slices = result.slices.map(Double.init)
    let figures =
      result.isNoisy
      ? ["-", "-", "-"]
      : [
        Self.number(result.frame.median), Self.percent(result.frame.uncertainty),
        NumberText.factor(result.realtimeFactor),
      ]
    return [result.name] + figures
      + Self.quantiles.map { Self.number(Statistics.quantile(slices, $0.share) / 1000) } + ["\(result.frame.count)"]
  }

  /// A row for each node, the dearest first.
  private func nodes(of result: BenchRun.Result) -> String {
    let all = result.nodes.reduce(0) { $0 + $1.frame.median }
    let rows = result.nodes.sorted { $0.frame.median > $1.frame.median }.map { name, frame in
      [
        VisibleText.name(name), Self.number(frame.median), Self.percent(frame.uncertainty),
        Self.percent(all > 0 ? frame.median / all : 0),
      ]
    }
    var text = "nodes at \(result.name)\n"
    text += TextLayout.columns([["", "ns/frame", "±", "share"]] + rows)
    if result.readingFrame > 0 {
      text += "reading files, between the calls: \(Self.number(result.readingFrame)) ns/frame\n"
    }
    if let overhead = result.meterOverhead {
      text +=
        "measuring the nodes made the render \(Self.percent(max(0, overhead))) slower; it is not in the figures above\n"
    }
    return text
  }

  private static func number(_ value: Double) -> String { NumberText.factor(value) }
  private static func percent(_ share: Double) -> String { "\(NumberText.fixed(share * 100, 1)) %" }

  // MARK: Files

  /// Four places behind the point: a ten-thousandth of a nanosecond, or of a ratio.
  static func cell(_ value: Double) -> String { NumberText.withoutZeros(NumberText.fixed(value, 4)) }

  private static let columns =
    [
      "case", "node", "slice frames", "threads", "ns per frame", "lower", "upper", "spread", "realtime factor",
      "blocks",
      "warm-up blocks", "reading ns per frame",
    ] + quantiles.map { "\($0.name) us" }

  private var cells: [[String]] {
    results.flatMap { result -> [[String]] in
      let common = ["\(result.subject.slice)", "\(result.subject.threads)"]
      func figures(_ frame: Statistics, factor: String) -> [String] {
        [frame.median, frame.interval.lowerBound, frame.interval.upperBound, frame.spread].map { CostReport.cell($0) }
          + [factor, "\(frame.count)", "\(result.warmUpBlocks)"]
      }
      let factor = CostReport.cell(result.realtimeFactor)
      let blank = Array(repeating: "", count: 5) + ["\(result.frame.count)", "\(result.warmUpBlocks)"]
      let slices = result.slices.map(Double.init)
      let calls =
        [CostReport.cell(result.readingFrame)]
        + Self.quantiles.map { CostReport.cell(Statistics.quantile(slices, $0.share) / 1000) }
      let whole = [result.name, ""] + common + (result.isNoisy ? blank : figures(result.frame, factor: factor)) + calls
      return [whole]
        + result.nodes.map {
          [result.name, $0.name] + common + figures($0.frame, factor: "") + calls.map { _ in "" }
        }
    }
  }

  /// RFC 4180: a line for each case, and for each of its nodes.
  package var csv: String { CommaSeparatedText.lines([Self.columns] + cells) }

  package var markdown: String {
    "# \(title)\n\n" + Markdown.table(Self.columns, cells) + "\n" + machine.text
  }

  package var json: JSONValue {
    JSONValue([
      "subject": title, "machine": machine.json,
      "cases": results.enumerated().map { index, result -> JSONValue in
        let slices = result.slices.map(Double.init)
        return JSONValue([
          "name": result.name, "sliceFrames": result.subject.slice, "threads": result.subject.threads,
          "sampleRateHertz": result.facts.sampleRate, "channels": result.facts.channels,
          "nanosecondsPerFrame": result.frame.json, "isNoisy": result.isNoisy,
          "realtimeFactor": result.isNoisy ? nil : result.realtimeFactor, "warmUpBlocks": result.warmUpBlocks,
          "sliceMicroseconds": JSONValue.object(
            Dictionary(
              uniqueKeysWithValues: Self.quantiles.map {
                ($0.name, .number(Statistics.quantile(slices, $0.share) / 1000))
              })),
          "instructionsPerFrame": instructions.isEmpty ? nil : instructions[index], "slices": result.slices.count,
          "readingNanosecondsPerFrame": result.readingFrame,
          "meterOverhead": result.meterOverhead,
          "nodes": result.nodes.map { JSONValue(["name": $0.name, "nanosecondsPerFrame": $0.frame.json]) },
        ])
      },
    ])
  }
}

extension Statistics: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "median": median, "lower": interval.lowerBound, "upper": interval.upperBound, "spread": spread, "count": count,
    ])
  }
}

extension BenchMachine {
  package var text: String {
    var parts = ["\(processor), \(processors) processors"]
    if let governor { parts.append("governor \(governor)") }
    parts += ["load \(NumberText.fixed(load, 2))", "kernel \(kernel)", "aubench \(version)"]
    return parts.joined(separator: "; ") + "\n"
  }

  package var json: JSONValue {
    JSONValue([
      "processor": processor, "processors": processors, "governor": governor, "load": load, "kernel": kernel,
      "version": version,
    ])
  }
}

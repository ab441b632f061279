import AudioCore
import Bench
import Measurement

/// The costs of renders: as text, JSON, CSV and Markdown.
package struct CostReport {
  /// The activity of a subject's render calls.
  package struct Watch {
    package let title: String
    /// Nil: they could not be watched.
    package let report: WatchReport?

    /// Why not; nil: there is no library for it.
    package let failure: String?
    /// By node, what its unit says of itself that its render calls do.
    package let exceptions: [String: String]

    package init(title: String, report: WatchReport?, failure: String? = nil, exceptions: [String: String] = [:]) {
      (self.title, self.report, self.failure, self.exceptions) = (title, report, failure, exceptions)
    }

    /// As ``WatchReport/text(showsAll:)``, with what the units' own rows say of it.
    package func text(showsAll: Bool) -> String {
      guard let report else {
        return "render calls were not watched: \(failure ?? "there is no libaubench-watch.so")\n"
      }
      let nodes = Set(report.violations.compactMap(\.node))
      let known = exceptions.filter { nodes.contains($0.key) }.sorted { $0.key < $1.key }
      return report.text(showsAll: showsAll)
        + known.map { "known of \(VisibleText.name($0.key)): \($0.value)\n" }.joined()
    }
  }

  /// Cases of one subject that differ in what was varied alone.
  struct Curve {
    let name: String
    let results: [BenchRun.Result]
    let growth: Growth?

    var x: [Double] { results.compactMap(\.one.varied) }
  }

  let title: String
  let results: [BenchRun.Result]
  /// The instructions for a frame, by case; empty if they were not counted.
  private let instructions: [InstructionCount.Counts]
  /// As many as these: what they were in the last run of the history.
  private let formerInstructions: [Double?]
  let watches: [Watch]
  let machine: BenchMachine
  /// The key of `--vary`.
  let varied: String?
  private let showsAllStacks: Bool
  let curves: [Curve]

  /// - Parameters:
  ///   - title: the title of the render.
  ///   - instructions: the instructions for a frame, by case; empty: they were not counted.
  ///   - formerInstructions: in the last run of the history, by case; empty: there is none.
  ///   - watches: one for each subject.
  ///   - varied: the quantity that differs from case to case; nil: none.
  package init(
    _ title: String, _ results: [BenchRun.Result], instructions: [InstructionCount.Counts],
    formerInstructions: [Double?] = [], watches: [Watch],
    _ machine: BenchMachine, varied: String? = nil, showsAllStacks: Bool = false
  ) {
    (self.title, self.results, self.instructions, self.machine) = (title, results, instructions, machine)
    self.formerInstructions = formerInstructions.isEmpty ? instructions.map { _ in nil } : formerInstructions
    (self.watches, self.varied, self.showsAllStacks) = (watches, varied, showsAllStacks)
    var curves: [Curve] = []
    for result in results where result.one.varied != nil {
      let isOfCurve = { (other: BenchRun.Result) in
        other.one.title == result.one.title && other.one.group == result.one.group
      }
      let members = results.filter { $0.one.varied != nil && isOfCurve($0) }
      guard members.count > 1, members.first?.name == result.name else { continue }
      let isOne = members.count == results.count
      let name = isOne ? "" : [result.one.title, result.one.group].filter { !$0.isEmpty }.joined(separator: ", ")
      curves.append(
        Curve(
          name: name, results: members, growth: Growth(members.compactMap(\.one.varied), members.map(\.growingCosts))))
    }
    self.curves = curves
  }

  static let quantiles: [(name: String, share: Double)] = [
    ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1),
  ]

  /// The share by which instructions have grown since the last run of the history: the largest of all cases.
  package var instructionsRise: Double {
    zip(instructions, formerInstructions).compactMap { now, former in former.map { now.instructions / $0 - 1 } }.max()
      ?? -.infinity
  }

  // MARK: Text

  static let head = ["", "ns/frame", "±", "x realtime"] + quantiles.map { "\($0.name) µs" } + ["blocks"]

  package var text: String {
    var text = "\(VisibleText.name(title)): the cost of a render\n\n"
    text += TextLayout.columns([Self.head] + results.map(row))
    for result in results where result.isNoisy {
      text += "\(result.name): too noisy for a figure: blocks differ by \(Self.percent(result.frame.spread)), "
      text +=
        "and the median is uncertain by \(Self.percent(result.frame.uncertainty)); measure longer, or on a quiet machine\n"
    }
    for (index, count) in instructions.enumerated() {
      text +=
        "\(results[index].name): \(NumberText.factor(count.instructions)) instructions a frame, with the reading of files"
      if let former = formerInstructions[index] {
        text += ", \(CostHistory.change(from: former, to: count.instructions)) against the run before"
      }
      text +=
        "; misses of data in a model of the caches: \(NumberText.fixed(count.firstLevelMisses, 3)) in the first, "
        + "\(NumberText.fixed(count.lastLevelMisses, 3)) in the last\n"
    }
    for result in results where !result.counters.isEmpty {
      let counts = result.counters.map { "\(NumberText.fixed($0.frame.median, 3)) \($0.name)" }
      text += "\(result.name), counted by the processor: \(counts.joined(separator: ", ")) a frame\n"
    }
    for curve in curves { text += growthText(of: curve) }
    let withNodes = results.filter { !$0.nodes.isEmpty && !$0.isNoisy }
    for (index, result) in withNodes.enumerated()
    where !withNodes[..<index].contains(where: { $0.one.title == result.one.title }) {
      text += "\n" + nodes(of: result)
    }
    text += "\n"
    for watch in watches {
      if watches.count > 1 { text += "\(VisibleText.name(watch.title)): " }
      text += watch.text(showsAll: showsAllStacks)
    }
    for result in results where result.facts.leavesHardwareOut == true {
      text += "\(result.name): without its scenario; slices are the bench's, and the microphone is silent\n"
    }
    if let failure = results.compactMap(\.facts.countersFailure).first, results.allSatisfy(\.counters.isEmpty) {
      text += "the processor's own counters cannot be read: \(failure)\n"
    }
    return text + "\n" + machine.text
  }

  private func growthText(of curve: Curve) -> String {
    guard let growth = curve.growth, let varied else { return "" }
    let unit = isWhole(curve) ? "ms for the whole sound" : "ns a frame"
    let name = curve.name.isEmpty ? "" : "\(VisibleText.name(curve.name)): "
    let worst = "at most \(Self.percent(growth.largestDeviation)) off"
    let law = law(growth, of: curve)
    switch growth.kind {
    case .constant: return "\(name)does not depend on \(varied): \(law) \(unit), \(worst)\n"
    case .linear: return "\(name)\(unit) = \(law), \(worst)\n"
    case .bent: return "\(name)\(unit): \(law), \(worst)\n"
    case .irregular: return "\(name)\(unit): no simple law fits; the nearest power, \(law), is \(worst)\n"
    case .power:
      let interval = growth.exponentInterval
      let (lower, upper) = (NumberText.fixed(interval.lowerBound, 2), NumberText.fixed(interval.upperBound, 2))
      return "\(name)\(unit) = \(law), \(worst) (exponent \(lower) to \(upper))\n"
    }
  }

  /// True when a curve is of a whole sound, in ms, and not of a frame, in ns.
  func isWhole(_ curve: Curve) -> Bool { curve.results[0].subject.lengthSeconds != nil }

  /// A law as a formula of what was varied.
  func law(_ growth: Growth, of curve: Curve) -> String {
    let scale = isWhole(curve) ? 1e-6 : 1
    let (base, factor) = (Self.number(growth.base * scale), Self.number(growth.factor * scale))
    let x = varied ?? "x"
    return switch growth.kind {
    case .constant: base
    case .linear: "\(base) + \(factor) · \(x)"
    case .bent: "\(base) up to \(x) \(NumberText.factor(growth.bend)), then \(factor) more for each"
    case .irregular, .power: "\(base) + \(factor) · \(x)^\(NumberText.fixed(growth.exponent, 2))"
    }
  }

  func row(_ result: BenchRun.Result) -> [String] {
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

  static let nodeHead = ["", "ns/frame", "±", "share"]

  /// The dearest first.
  func nodeRows(of result: BenchRun.Result) -> [[String]] {
    let all = result.nodesTogether
    return result.nodes.sorted { $0.frame.median > $1.frame.median }.map { name, frame in
      let isKnown = !result.isNoisy(frame)
      return [
        VisibleText.name(name), isKnown ? Self.number(frame.median) : "-", Self.percent(frame.uncertainty),
        isKnown ? Self.percent(all > 0 ? frame.median / all : 0) : "-",
      ]
    }
  }

  private func nodes(of result: BenchRun.Result) -> String {
    var text = "nodes at \(result.name)\n"
    text += TextLayout.columns([Self.nodeHead] + nodeRows(of: result))
    if result.readingFrame > 0 {
      text += "reading files, between the calls: \(Self.number(result.readingFrame)) ns/frame\n"
    }
    if result.waits {
      text +=
        "together \(Self.number(result.nodesTogether)) ns/frame by the clock, and the thread works "
        + "\(Self.number(result.frame.median)): something waits in its render calls\n"
    }
    if let overhead = result.meterOverhead {
      text +=
        "measuring the nodes made the render \(Self.percent(max(0, overhead))) slower; it is not in the figures above\n"
    }
    return text
  }

  static func number(_ value: Double) -> String { NumberText.factor(value) }
  static func percent(_ share: Double) -> String { "\(NumberText.fixed(share * 100, 1)) %" }

  // MARK: Files

  /// Four places behind the point: a ten-thousandth of a nanosecond, or of a ratio.
  static func cell(_ value: Double) -> String { NumberText.withoutZeros(NumberText.fixed(value, 4)) }

  private static let columns =
    [
      "case", "node", "slice frames", "threads", "ns per frame", "lower", "upper", "spread", "realtime factor",
      "blocks",
      "warm-up blocks", "reading ns per frame", "instructions per frame",
    ] + quantiles.map { "\($0.name) us" }

  private var cells: [[String]] {
    results.enumerated().flatMap { index, result -> [[String]] in
      let common = ["\(result.subject.slice)", "\(result.subject.threads)"]
      func figures(_ frame: Statistics, factor: String) -> [String] {
        [frame.median, frame.interval.lowerBound, frame.interval.upperBound, frame.spread].map { CostReport.cell($0) }
          + [factor, "\(frame.count)", "\(result.warmUpBlocks)"]
      }
      let factor = CostReport.cell(result.realtimeFactor)
      let blank = Array(repeating: "", count: 5) + ["\(result.frame.count)", "\(result.warmUpBlocks)"]
      let slices = result.slices.map(Double.init)
      let calls =
        [
          CostReport.cell(result.readingFrame),
          instructions.isEmpty ? "" : CostReport.cell(instructions[index].instructions),
        ]
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
      "subject": title, "machine": machine.json, "varied": varied,
      "renderCalls": watches.map { watch in
        watch.report.map { $0.json.adding(["subject": watch.title, "known": watch.exceptions]) }
          ?? JSONValue(["subject": watch.title])
      },
      "growth": curves.compactMap { curve in
        curve.growth.map { growth in
          JSONValue([
            "name": curve.name, "kind": growth.kind.rawValue, "base": growth.base, "factor": growth.factor,
            "exponent": growth.exponent, "bend": growth.bend, "lower": growth.exponentInterval.lowerBound,
            "upper": growth.exponentInterval.upperBound, "largestDeviation": growth.largestDeviation,
          ])
        }
      },
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
          "instructionsPerFrame": instructions.isEmpty ? nil : instructions[index].instructions,
          "formerInstructionsPerFrame": instructions.isEmpty ? nil : formerInstructions[index],
          "cacheMissesPerFrame": instructions.isEmpty
            ? nil
            : JSONValue([
              "first": instructions[index].firstLevelMisses, "last": instructions[index].lastLevelMisses,
            ]),
          "counters": JSONValue.object(
            Dictionary(uniqueKeysWithValues: result.counters.map { ($0.name, $0.frame.json) })),
          "subject": result.one.title, "varied": result.one.varied, "slices": result.slices.count,
          "readingNanosecondsPerFrame": result.readingFrame,
          "meterOverhead": result.meterOverhead,
          "nodes": result.nodes.map {
            JSONValue([
              "name": $0.name, "nanosecondsPerFrame": $0.frame.json, "isNoisy": result.isNoisy($0.frame),
            ])
          },
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

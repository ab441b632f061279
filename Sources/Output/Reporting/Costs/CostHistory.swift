import AudioCore
import Bench
import FoundationEssentials
import Plotting

/// The costs of earlier runs of a bench: the lines of a history file.
package struct CostHistory {
  /// One line, as far as it is drawn.
  private struct Run: Decodable {
    struct Machine: Decodable { var processor: String, version: String }
    struct Figure: Decodable { var median: Double, lower: Double, upper: Double }
    struct Case: Decodable {
      var name: String
      var subject: String?
      var nanosecondsPerFrame: Figure?
      var seconds: Figure?
      var isNoisy: Bool?
      var instructionsPerFrame: Double?
    }
    var unixTimeSeconds: Double
    var subject: String
    var machine: Machine
    var cases: [Case]
  }

  /// The same case on the same machine, over time.
  struct Course {
    let name: String
    let processor: String
    /// `ns a frame`, `instructions a frame`, `s`.
    let unit: String
    var times: [Double] = []
    var versions: [String] = []
    var medians: [Double] = []
    var lower: [Double] = []
    var upper: [Double] = []
  }

  static let instructionsUnit = "instructions a frame"

  let courses: [Course]
  package let count: Int
  /// The instructions of the last run that has counted them, by subject and case.
  private let instructions: [[String]: Double]
  /// Lines that are none of a run's: of comparisons, and what was cut off.
  private let others: Int

  /// Checks that a file may be added to: it is not there, is empty, or has a line of a run.
  /// - Throws: `.output` for any other.
  package static func check(_ path: String) throws(BenchError) {
    guard let bytes = try? FileSystem.contents(of: path, atMost: 1 << 30), !bytes.isEmpty else { return }
    let isHistory = bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      if case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: Data(line)) {
        return members["unixTimeSeconds"] != nil
      }
      return false
    }
    guard isHistory else {
      throw BenchError(
        .output, at: path, "figures would be added here, and this file is something else than a history",
        advice: "name another file")
    }
  }

  /// - Throws: `.input` where it cannot be read, or has no run.
  package init(_ path: String) throws(BenchError) {
    let bytes = try FileSystem.bytes(of: path, atMost: 1 << 30, prefix: "the history cannot be read: ")
    var runs: [Run] = []
    var others = 0
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let run = try? JSONDecoder().decode(Run.self, from: Data(line)) { runs.append(run) } else { others += 1 }
    }
    guard !runs.isEmpty else {
      throw BenchError(.input, at: path, "has no run in it", advice: "add some by --history with a subject")
    }
    (count, self.others) = (runs.count, others)
    var courses: [Course] = []
    var places: [[String]: Int] = [:]
    var instructions: [[String]: Double] = [:]
    for run in runs.sorted(by: { $0.unixTimeSeconds < $1.unixTimeSeconds }) {
      for one in run.cases {
        let subject = one.subject ?? run.subject
        func add(_ figure: Run.Figure, _ unit: String) {
          let key = [subject, one.name, run.machine.processor, unit]
          let place = places[key] ?? courses.count
          if place == courses.count {
            places[key] = place
            let name = VisibleText.name(subject) + (one.name == subject ? "" : ", \(one.name)")
            courses.append(Course(name: name, processor: run.machine.processor, unit: unit))
          }
          courses[place].times.append(run.unixTimeSeconds)
          courses[place].versions.append(run.machine.version)
          courses[place].medians.append(figure.median)
          courses[place].lower.append(figure.lower)
          courses[place].upper.append(figure.upper)
        }
        if let figure = one.nanosecondsPerFrame, one.isNoisy != true { add(figure, "ns a frame") }
        if let figure = one.seconds, one.isNoisy != true { add(figure, "s") }
        if let count = one.instructionsPerFrame {
          instructions[[subject, one.name]] = count
          add(Run.Figure(median: count, lower: count, upper: count), Self.instructionsUnit)
        }
      }
    }
    (self.courses, self.instructions) = (courses, instructions)
  }

  /// The instructions for a frame, when they were counted last; nil: they never were.
  package func instructions(of result: BenchRun.Result) -> Double? { instructions[[result.one.title, result.name]] }

  /// `+5.2 %`
  static func change(from former: Double, to present: Double) -> String {
    let change = ((present / former - 1) * 1000).rounded() / 1000
    return "\(change < 0 ? "−" : "+")\(CostReport.percent(abs(change)))"
  }

  package var text: String {
    "\(NumberText.count(count, "run")), \(NumberText.count(courses.count, "curve"))"
      + (others > 0
        ? "; \(NumberText.count(others, "line")) left out, which \(others == 1 ? "is" : "are") of no run" : "") + "\n"
  }
}

extension CostHistory.Course {
  /// As wide as this share of the cost an axis is at the least, so that what is no change does not look like one: times
  /// are given to ±5 %; instructions are counted.
  private var smallestShare: Double { unit == CostHistory.instructionsUnit ? 0.02 : 0.1 }

  /// A point for each run, one as far from the next as all: runs come in heaps, and a change is between two of them.
  /// The axis has their days.
  var figure: Figure {
    let x = medians.indices.map { Double($0 + 1) }
    var axis = PlotAxis("run, by its time (UTC)")
    axis.named = zip(x, Self.labels(times)).map { PlotAxis.RightTicks.Tick(value: $0, label: $1) }
    axis.range = 0.5...Double(medians.count) + 0.5
    let middle = Statistics.quantile(medians.sorted(), 0.5)
    var panel = Panel(
      x: axis, y: PlotAxis("", unit: unit, smallestSpan: abs(middle) * smallestShare),
      series: [PlotSeries("median", x: x, y: medians, mark: .markedLine)],
      bands: [PlotBand("95 % interval", x: x, lower: lower, upper: upper, role: .actual)])
    for index in versions.indices.dropFirst() where versions[index] != versions[index - 1] {
      panel.markers.append(PlotMarker(.x(x[index]), versions[index]))
    }
    let days = [times.first, times.last].compactMap { $0 }.map { Self.day($0) }
    return Figure(
      name, subtitle: "\(processor); \(days[0] == days[1] ? days[0] : days.joined(separator: " to "))", panels: [panel],
      size: Figure.Size(width: 1000, height: 380))
  }

  /// The day of each run; the time too where two are of one day.
  private static func labels(_ times: [Double]) -> [String] {
    let days = times.map(day)
    let isDayEnough = Set(days).count == days.count
    return zip(times, days).map { time, day in
      guard !isDayEnough else { return day }
      // 2026-11-26T22:47:10Z
      return "\(day) \(date(time).formatted(.iso8601).dropFirst(11).prefix(5))"
    }
  }

  private static func day(_ unixTimeSeconds: Double) -> String {
    date(unixTimeSeconds).formatted(.iso8601.year().month().day())
  }

  /// A file may hold any number: the year stays one of four digits.
  private static func date(_ unixTimeSeconds: Double) -> Date {
    Date(timeIntervalSince1970: min(max(0, unixTimeSeconds), 253_402_300_799))
  }

  /// The change of the last from the one before it.
  var change: String {
    guard medians.count > 1 else { return "" }
    return CostHistory.change(from: medians[medians.count - 2], to: medians[medians.count - 1])
  }
}

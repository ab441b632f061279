import Measurement
import AudioCore
import Verification

/// The text of a run for a terminal, or for the log of a CI job: the caller prints it.
///
/// Three parts: ``caseFinished(_:)`` after each case, ``progress(finished:of:bad:)`` between them where a person
/// watches, ``summary(_:)`` at the end, whose last line is always the verdict.
public struct TerminalReport: Sendable {
  /// Columns of texts: those of the terminal, at least 40.
  public let width: Int
  /// Columns that the terminal has, however few.
  private let columns: Int
  /// True when colours may be used. The caller decides, by whether the output is a terminal and NO_COLOR is set.
  public let isColored: Bool
  /// True when cases that passed get a line each.
  public let isVerbose: Bool
  /// The longest list of slowest cases.
  static let slowestCount = 5
  /// Lines that are shown of a device's log, and of a long message.
  static let logLines = 10
  static let messageLines = 12
  static let indent = 4
  static let labelWidth = 13

  /// A report for a terminal of so many columns; texts take 40 at least.
  public init(width: Int = 80, isColored: Bool = false, isVerbose: Bool = false) {
    self.width = max(40, width)
    columns = width
    self.isColored = isColored
    self.isVerbose = isVerbose
  }

  /// The text for a case that has ended: a line, the whole failure, or nothing.
  public func caseFinished(_ outcome: CaseOutcome) -> String {
    switch outcome.verdict {
    case .passed:
      let blessed = outcome.checks.filter(\.wasBlessed).map { ($0.id, $0.found) }
      if !blessed.isEmpty { return caseLine(outcome) + "\n" + block(blessed) }
      return isVerbose ? caseLine(outcome) + "\n" : ""
    case .skipped:
      guard isVerbose else { return "" }
      return caseLine(outcome) + "\n" + block([("", outcome.message ?? "no reason was given")])
    case .unblessed, .failed, .crashed, .timedOut, .error:
      return caseLine(outcome) + "\n" + block(details(of: outcome)) + "\n"
    }
  }

  /// All about a failure, under a name of the caller's, without the time: for what is no case of a suite.
  /// - Parameter more: rows behind those that the outcome gives.
  package func failure(_ outcome: CaseOutcome, name: String, more: [(label: String, text: String)] = []) -> String {
    let label = "\(paint(outcome.verdict.label, color(of: outcome.verdict)))  \(VisibleText.line(name))\n"
    return label + block(details(of: outcome).filter { $0.label != "device" } + more)
  }

  /// A line that is written over by what comes next, for terminals: begin the next text with ``progressEnd``.
  public func progress(finished: Int, of total: Int, bad: Int) -> String {
    let share = total > 0 ? Double(min(finished, total)) / Double(total) : 0
    let cells = min(30, columns - 36)
    let counts = "\(finished)/\(total)" + (bad > 0 ? ", \(bad) not passed" : "")
    // Never to the last column: some terminals go on to the next line there.
    guard cells >= 8 else { return "\r\u{1B}[2K" + TextLayout.cut(counts, to: columns - 1) }
    let full = Int(clamping: share * Double(cells))
    let bar =
      paint(String(repeating: "█", count: full), bad > 0 ? .red : .green)
      + paint(String(repeating: "░", count: cells - full), .dim)
    return "\r\u{1B}[2K  \(bar) \(bad > 0 ? paint(counts, .red) : counts)"
  }

  /// Takes the line of ``progress(finished:of:bad:)`` away.
  public static let progressEnd = "\r\u{1B}[2K"

  /// The line of one case: verdict, id, time.
  private func caseLine(_ outcome: CaseOutcome) -> String {
    let time = NumberText.duration(outcome.seconds)
    let label = TextLayout.padded(outcome.verdict.label, to: 9)
    let room = width - 11 - TextLayout.width(time) - 2
    let id = TextLayout.shortened(VisibleText.line(outcome.id), to: room)
    return "\(paint(label, color(of: outcome.verdict)))  \(paint(id, .bold))  \(paint(time, .dim))"
  }

  /// Everything about a case that is not good, in rows of a label and a text.
  func details(of outcome: CaseOutcome) -> [(label: String, text: String)] {
    var rows: [(label: String, text: String)] = [
      ("device", TextLayout.cut(VisibleText.line(outcome.device), to: 2 * (width - Self.indent - Self.labelWidth)))
    ]
    let isSaidBelow = outcome.badChecks.contains { $0.found == outcome.message }
    if let message = outcome.message, !isSaidBelow { rows.append(("message", message)) }
    for check in outcome.badChecks {
      rows.append(
        ("check", VisibleText.line(check.id) + (check.verdict == .failed ? "" : ": \(check.verdict.participle)")))
      rows.append(("  expected", check.expected))
      rows.append(("  found", check.found))
      if let limit = check.limit { rows.append(("  limit", limit)) }
      if let examined = check.examined { rows.append(("  examined", examined.text)) }
      if let place = check.firstFailure { rows.append(("  fails at", place.description)) }
    }
    let passed = outcome.checks.filter { $0.verdict == .passed }.map { VisibleText.line($0.id) }
    if !passed.isEmpty { rows.append(("passed", passed.joined(separator: ", "))) }
    if let node = outcome.firstDifferentNode {
      rows.append(("first node", "\"\(VisibleText.line(node))\" is the first node in render order that differs"))
    }
    for (index, file) in (outcome.sounds + outcome.files.pictures).enumerated() {
      rows.append((index == 0 ? "written" : "", "\(VisibleText.line(file.path))  (\(VisibleText.line(file.title)))"))
    }
    if let log = outcome.log {
      let lines = VisibleText.ofLog(log).split(separator: "\n", omittingEmptySubsequences: true)
      for (index, line) in lines.suffix(Self.logLines).enumerated() {
        // A line of the log is one here: it may be as long as a file.
        rows.append((index == 0 ? "log" : "", TextLayout.cut("│ \(line)", to: width - Self.indent - Self.labelWidth)))
      }
    }
    if let command = outcome.command { rows.append(("run alone", VisibleText.line(command))) }
    return rows
  }

  /// Rows with their texts wrapped beside the labels; very long ones end with how much there is more.
  private func block(_ rows: [(label: String, text: String)]) -> String {
    let labelWidth = rows.contains { !$0.label.isEmpty } ? Self.labelWidth : 0
    var text = ""
    for var row in rows {
      row.text = VisibleText.of(row.text)
      // A command or a path is copied: the terminal may break it, we may not.
      let isWhole = ["run alone", "to bless"].contains(row.label) || row.text.hasPrefix("/")
      var lines = isWhole ? [row.text] : TextLayout.wrapped(row.text, to: width - Self.indent - labelWidth)
      if lines.count > Self.messageLines {
        let left = lines.count - Self.messageLines + 1
        let rest = TextLayout.cut("… \(left) more lines, in the reports", to: width - Self.indent - labelWidth)
        lines = lines.prefix(Self.messageLines - 1) + [rest]
      }
      for (index, line) in lines.enumerated() {
        let label = TextLayout.padded(index == 0 ? row.label : "", to: labelWidth)
        let style: Style = row.label == "  found" ? .red : row.label == "log" || line.hasPrefix("│") ? .dim : .plain
        text += String(repeating: " ", count: Self.indent) + paint(label, .dim) + paint(line, style) + "\n"
      }
    }
    return text
  }
}

/// Colours, which are nothing where they are not wanted. The words say the same without them.
extension TerminalReport {
  enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case boldRed = "1;31"
    case boldGreen = "1;32"
    case boldYellow = "1;33"
  }

  func paint(_ text: String, _ style: Style) -> String {
    guard isColored, style != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  func color(of verdict: Verdict) -> Style {
    switch verdict {
    case .passed: .green
    case .skipped, .unblessed: .boldYellow
    case .failed, .crashed, .timedOut, .error: .boldRed
    }
  }
}

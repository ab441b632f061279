import AudioCore
import BatchRender
import Glibc
import Synchronization

/// Lines on the terminal that show how far the work is.
final class ProgressBar {
  private let verb: String
  private let isShown: Bool
  /// The number of lines on the screen; they are erased also when a signal ends the program.
  private static let drawnLines = Atomic(0)
  private var lastDrawn = -1.0

  /// Nothing is shown where the line wants quiet or JSON, or where standard error is no terminal.
  init(_ verb: String, _ arguments: Arguments) {
    self.verb = verb
    let isWanted = !arguments.has(.quiet) && !arguments.has(.json)
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    isShown = isWanted && isatty(2) != 0 && !isDumb
  }

  deinit { erase() }

  /// Draws at most ten times a second. Answers that the work is to go on.
  func update(_ progress: RenderProgress) -> Bool {
    if progress.framesDone > 0 {
      show([Self.line(progress, verb: verb, width: Self.terminalWidth)], at: progress.elapsedSeconds)
    }
    return true
  }

  /// Draws some lines, at most ten times a second.
  /// - Parameter seconds: since the work began.
  func show(_ lines: @autoclosure () -> [String], at seconds: Double) {
    guard isShown, seconds - lastDrawn >= 0.1 else { return }
    lastDrawn = seconds
    let room = max(0, Self.terminalWidth - 1)
    // No more than the terminal has: what scrolls away cannot be erased.
    let lines = lines().prefix(max(1, Self.terminalHeight - 1)).map { $0.prefix(room) + "\u{1B}[K" }
    let former = Self.drawnLines.exchange(lines.count, ordering: .relaxed)
    writeAll(Self.start(of: former) + lines.joined(separator: "\n") + "\u{1B}[J", to: 2)
  }

  func erase() { Self.erase() }

  static func erase() {
    let former = drawnLines.exchange(0, ordering: .relaxed)
    if former > 0 { writeAll(start(of: former) + "\u{1B}[J", to: 2) }
  }

  /// Back to the first of some lines.
  private static func start(of lines: Int) -> String { "\r" + (lines > 1 ? "\u{1B}[\(lines - 1)A" : "") }

  /// The fullest line that fits: the bar goes first, then the speed, the time left and the verb. Never to the last
  /// column: some terminals go on to the next line there.
  static func line(_ progress: RenderProgress, verb: String, width: Int) -> String {
    let room = max(0, width - 1)
    let speed = "\(NumberText.factor(progress.realtimeFactor)) x realtime"
    var lines: [String]
    if let total = progress.framesTotal, total > 0, let left = progress.secondsLeft {
      let part = min(1, max(0, Double(progress.framesDone) / Double(total)))
      let percent = "\(Int(clamping: part * 100))"
      let padded = "\(String(repeating: " ", count: 3 - percent.count))\(percent) %"
      let rest = "\(NumberText.clock(left.rounded(.up))) left"
      lines = [
        "\(verb) \(padded)  \(speed)  \(rest)", "\(verb) \(padded)  \(rest)", "\(verb) \(padded)", "\(percent) %",
        percent,
      ]
      let cells = min(50, room - lines[0].count - 3)
      if cells >= 5 {
        let filled = Int(clamping: part * Double(cells))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
        lines.insert("\(verb) \(padded) [\(bar)]  \(speed)  \(rest)", at: 0)
      }
    } else {
      let done = NumberText.clock(Double(progress.framesDone) / progress.sampleRate)
      lines = ["\(verb)  \(done) so far  \(speed)", "\(verb)  \(done) so far", "\(verb) \(done)", done]
    }
    return lines.first { $0.count <= room } ?? ""
  }

  static var terminalWidth: Int { terminalSize.map { Int($0.ws_col) } ?? 80 }
  private static var terminalHeight: Int { terminalSize.map { Int($0.ws_row) } ?? 24 }

  private static var terminalSize: winsize? {
    var size = winsize()
    return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0 ? size : nil
  }
}

import AudioCore
import BatchRender
import Glibc
import Synchronization

/// A line on the terminal that shows how far the work is.
final class ProgressBar {
  private let verb: String
  private let isShown: Bool
  /// There is one line, which is erased also when a signal ends the program.
  private static let isDrawn = Atomic(false)
  private var lastDrawn = -1.0

  /// - Parameter isWanted: even so nothing is shown where standard error is no terminal.
  init(verb: String, isWanted: Bool) {
    self.verb = verb
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    isShown = isWanted && isatty(2) != 0 && !isDumb
  }

  deinit { erase() }

  /// Draws at most ten times a second. Answers that the work is to go on.
  func update(_ progress: RenderProgress) -> Bool {
    if isShown, progress.elapsedSeconds - lastDrawn >= 0.1, progress.framesDone > 0 {
      lastDrawn = progress.elapsedSeconds
      Self.isDrawn.store(true, ordering: .relaxed)
      StandardOutput.writeAll("\r" + Self.line(progress, verb: verb, width: Self.terminalWidth) + "\u{1B}[K", to: 2)
    }
    return true
  }

  func erase() { Self.erase() }

  static func erase() {
    guard isDrawn.exchange(false, ordering: .relaxed) else { return }
    StandardOutput.writeAll("\r\u{1B}[K", to: 2)
  }

  /// The bar takes what the figures leave.
  static func line(_ progress: RenderProgress, verb: String, width: Int) -> String {
    let speed = "\(Text.factor(progress.realtimeFactor)) x realtime"
    let room = max(10, width - 1)
    guard let total = progress.framesTotal, total > 0, let left = progress.secondsLeft else {
      let done = Text.clock(Double(progress.framesDone) / progress.sampleRate)
      return String("\(verb)  \(done) so far  \(speed)".prefix(room))
    }
    let part = min(1, Double(progress.framesDone) / Double(total))
    let percent = "\(Int(part * 100))"
    let head = "\(verb) \(String(repeating: " ", count: 3 - percent.count))\(percent) % "
    let tail = "  \(speed)  \(Text.clock(left.rounded(.up))) left"
    let cells = min(50, room - head.count - tail.count - 2)
    guard cells >= 5 else { return String((head.dropLast() + tail).prefix(room)) }
    let filled = Int(part * Double(cells))
    return "\(head)[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: cells - filled))]\(tail)"
  }

  static var terminalWidth: Int {
    var size = winsize()
    return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}

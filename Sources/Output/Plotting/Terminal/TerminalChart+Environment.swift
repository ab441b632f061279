import AudioCore
import FoundationEssentials
import Glibc

extension TerminalChart {
  /// A chart that suits what a descriptor leads to: as wide as the terminal, Unicode where the locale is UTF-8, colours
  /// where it is a terminal that has them and NO_COLOR is not set.
  public static func fitting(descriptor: Int32 = 1, height: Int? = nil) -> TerminalChart {
    let environment = ProcessInfo.processInfo.environment
    var size = winsize()
    let isTerminal = isatty(descriptor) != 0
    let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = isKnown ? Int(size.ws_col) : environment["COLUMNS"].flatMap { Int($0) } ?? 80
    let rows = isKnown ? Int(size.ws_row) - 4 : 20
    return TerminalChart(
      width: min(160, columns), height: height ?? min(30, max(12, rows)), usesUnicode: isUTF8(environment),
      usesColours: isTerminal && isColoured(environment))
  }

  /// As the C library chooses: LC_ALL, else LC_CTYPE, else LANG.
  package static func isUTF8(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.uppercased()
    return name.contains("UTF-8") || name.contains("UTF8")
  }

  package static func isColoured(_ environment: [String: String]) -> Bool {
    (environment["NO_COLOR"] ?? "").isEmpty && !["", "dumb"].contains(environment["TERM"] ?? "")
  }
}

// Finds out what a component does, in a process of its own: whatever goes wrong there goes wrong there alone.

import CAudioToolbox
import CForeign
import Foundation

/// What a scan has found out about one component.
package struct ScanVerdict: Codable, Hashable, Sendable {
  /// Why it cannot be used; nil for a healthy one.
  package var failure: String?
  package var inputBuses = 0
  package var outputBuses = 0
  package var parameters = 0
  package var presets = 0
  package var latencySeconds = 0.0
  package var tailSeconds: Double?
  /// Pairs of channel counts as the component lists them, input first.
  package var channels: [[Int]] = []

  package init(failure: String? = nil) { self.failure = failure }
}

/// The program that looks at one component, and the limits it gets.
package struct ComponentScanner: Sendable {
  /// The path of `aubench-scan`.
  package let program: String
  package let limitSeconds: Double

  package init(program: String, limitSeconds: Double = 10) {
    self.program = program
    self.limitSeconds = limitSeconds
  }

  /// The scanner of this installation: `AUBENCH_SCANNER` (empty: none), or `aubench-scan` in `../libexec/aubench` of the
  /// folder of this library or of the program, or in those folders themselves.
  package static func installed(environment: [String: String]) -> ComponentScanner? {
    if let path = environment["AUBENCH_SCANNER"] { return path.isEmpty ? nil : ComponentScanner(program: path) }
    for folder in [OwnFile.folder, OwnFile.programFolder].compactMap(\.self) {
      for path in ["\(folder)/../libexec/aubench/aubench-scan", "\(folder)/aubench-scan"]
      where access(path, X_OK) == 0 { return ComponentScanner(program: path) }
    }
    return nil
  }

  /// Looks at one component of a bundle. Waits until that is done, or until time is up.
  ///
  /// - Returns: nil where the scanner itself cannot be started.
  func scan(_ listing: ComponentBundle.Listing, executable: String) -> ScanVerdict? {
    let codes = ComponentCodes(listing.description)
    let words =
      [program, executable, listing.factoryName]
      + [codes.type, codes.subType, codes.manufacturer, listing.version].map { String($0, radix: 16) }
    guard let child = ScanChild(words) else { return nil }
    return child.verdict(withinSeconds: limitSeconds)
  }
}

/// A scanner on its way: a process, and the pipe that it reports through.
private struct ScanChild {
  let process: pid_t
  let pipe: Int32

  init?(_ words: [String]) {
    // The scanner scans nothing itself.
    var environment = ProcessInfo.processInfo.environment
    environment["AUBENCH_SCANNER"] = ""
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pipe: Int32 = -1
    process = foreign_start_child(&arguments, &variables, &pipe)
    guard process > 0 else { return nil }
    self.pipe = pipe
  }

  func verdict(withinSeconds limit: Double) -> ScanVerdict {
    let start = ContinuousClock.now
    var report = ScanReport()
    var isOver = false
    while report.verdict == nil && !isOver {
      let left = limit - Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
      guard left > 0 else { break }
      var watched = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, Int32(left * 1000) + 1) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(pipe, &bytes, bytes.count)
      if count > 0 { report.append(bytes[..<count]) } else if count == 0 || errno != EINTR { isOver = true }
    }
    close(pipe)
    // Who lets go of the pipe need not have ended.
    while isOver && report.verdict == nil && !hasEnded() {
      if ContinuousClock.now - start > .seconds(limit) { isOver = false } else { usleep(2000) }
    }
    // The whole group, before its number can become another's.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    var waited: pid_t = 0
    repeat { waited = waitpid(process, &status, 0) } while waited == -1 && errno == EINTR
    if let verdict = report.verdict { return verdict }
    guard isOver else {
      return ScanVerdict(failure: "did not answer within \(Self.words(limit)) s \(report.stage)")
    }
    // A host may take its children's ends away from us.
    guard waited == process else { return ScanVerdict(failure: "ended \(report.stage)") }
    let signal = status & 0x7F
    return ScanVerdict(
      failure: signal == 0
        ? "ended the process (exit code \(status >> 8 & 0xFF)) \(report.stage)"
        : "crashed (\(SignalName.of(signal))) \(report.stage)")
  }

  /// Whether the process is over, or none of ours any more. Its number stays taken.
  private func hasEnded() -> Bool {
    var info = siginfo_t()
    let answer = waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | WNOHANG)
    return answer != 0 ? errno != EINTR : info.si_signo != 0
  }

  private static func words(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }
}

/// What comes through the pipe: lines `stage WORDS`, and at the end `verdict JSON`.
private struct ScanReport {
  private var pending: [UInt8] = []
  private(set) var stage = "before it was loaded"
  private(set) var verdict: ScanVerdict?

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    pending += bytes
    // Far more than an honest report.
    if pending.count > 1 << 20 { pending = [] }
    while let end = pending.firstIndex(of: 0x0A) {
      let line = String(decoding: pending[..<end], as: UTF8.self)
      pending.removeSubrange(...end)
      if line.hasPrefix("stage ") { stage = String(line.dropFirst(6)) }
      if line.hasPrefix("verdict ") {
        verdict = try? JSONDecoder().decode(ScanVerdict.self, from: Data(line.dropFirst(8).utf8))
      }
    }
  }
}

enum SignalName {
  static func of(_ number: Int32) -> String {
    foreign_signal_name(number).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
  }
}

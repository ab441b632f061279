// Finds out what a component does, in a process of its own: whatever goes wrong there goes wrong there alone.

import AudioCore
import CAudioToolbox
import CProcess
import Foundation
import Processes

/// The result of a scan of one component.
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

  /// The scanner of this installation: `AUBENCH_SCANNER` (empty: none), or `aubench-scan` as ``InstalledProgram`` finds
  /// it.
  package static func installed(environment: [String: String]) -> ComponentScanner? {
    InstalledProgram.path(of: "aubench-scan", variable: "AUBENCH_SCANNER", environment: environment)
      .map { ComponentScanner(program: $0) }
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

/// A scanner on its way: a process, the pipe that it reports through, and the line whose end is its own.
private struct ScanChild {
  private let process: process_handle
  private let pipe: Int32
  private let control: Int32
  private let undo: Unfinished.Token

  init?(_ words: [String]) {
    var report: [Int32] = [-1, -1]
    var control: [Int32] = [-1, -1]
    guard process_make_pipe(&report) == 0 else { return nil }
    guard process_make_line(&control) == 0 else {
      for end in report { close(end) }
      return nil
    }
    let line = control[1]
    // It supervises itself, as a supervisor of this process's would be a copy of the host.
    var order = ProcessOrder(words, descriptors: [control[0], -1, -1, report[1]])
    // The scanner scans nothing itself.
    order.environment["AUBENCH_SCANNER"] = ""
    let (handle, failure, undo) = Unfinished.list.withLock { list in
      let (handle, failure) = order.start()
      let undo = list.add {
        process_shut_line(line)
        var scanner = handle
        if scanner.pid > 0 { _ = process_has_ended(&scanner, 500) }
      }
      return (handle, failure, undo)
    }
    close(control[0])
    close(report[1])
    guard failure == 0 else {
      Unfinished.list.withLock { $0.remove(undo) }
      close(control[1])
      close(report[0])
      return nil
    }
    (process, pipe, self.control, self.undo) = (handle, report[0], line, undo)
  }

  /// - Returns: nil where the scanner did not get as far as the component.
  func verdict(withinSeconds limit: Double) -> ScanVerdict? {
    let start = ContinuousClock.now
    var report = ScanReport()
    var isOver = false
    while report.verdict == nil && !isOver {
      let left = limit - Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
      guard left > 0 else { break }
      var watched = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, Int32(clamping: left * 1000) + 1) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(pipe, &bytes, bytes.count)
      if count > 0 { report.append(bytes[..<count]) } else if count == 0 || errno != EINTR { isOver = true }
    }
    close(pipe)
    // A process that closes the pipe need not have ended.
    while isOver && report.verdict == nil && !hasEnded(milliseconds: 20) {
      if ContinuousClock.now - start > .seconds(limit) { isOver = false }
    }
    let end = finish()
    if let verdict = report.verdict { return verdict }
    guard isOver else {
      return ScanVerdict(failure: "did not answer within \(Self.words(limit)) s \(report.stage)")
    }
    // A host may take its children's ends away from us.
    guard let status = end?.status else { return ScanVerdict(failure: "ended \(report.stage)") }
    let signal = status & 0x7F
    // The loader's answer for libraries that are missing, and the scanner's where the system has no more processes.
    if status == 127 << 8, !report.hasBegun { return nil }
    return ScanVerdict(
      failure: signal == 0
        ? "ended the process (exit code \(status >> 8 & 0xFF)) \(report.stage)"
        : "crashed (\(ProgramEnd.signalName(signal))) \(report.stage)")
  }

  /// True when the process is over, or no child any more. Its number is not reused yet.
  private func hasEnded(milliseconds: Int32) -> Bool {
    var process = process
    return process_has_ended(&process, milliseconds) == 1
  }

  /// Ends the scanner, which ends all that the component has started, and takes its end: nil where that is not to be
  /// had.
  private func finish() -> process_end? {
    process_shut_line(control)
    // A process that does not react to the closed line is killed.
    if !hasEnded(milliseconds: 2000) { kill(-process.pid, SIGKILL) }
    var process = process
    var end = process_end()
    let isTaken = process_take_end(&process, -1, &end) == 1
    Unfinished.list.withLock { $0.remove(undo) }
    close(control)
    if process.ended >= 0 { close(process.ended) }
    return isTaken ? end : nil
  }

  private static func words(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? String(Int(clamping: seconds)) : String(seconds)
  }
}

/// The report through the pipe: lines `stage WORDS`, and at the end `verdict JSON`.
private struct ScanReport {
  private var pending: [UInt8] = []
  private(set) var stage = "before it was loaded"
  private(set) var hasBegun = false
  private(set) var verdict: ScanVerdict?

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    pending += bytes
    // Far more than an honest report.
    if pending.count > 1 << 20 { pending = [] }
    while let end = pending.firstIndex(of: 0x0A) {
      let line = String(decoding: pending[..<end], as: UTF8.self)
      pending.removeSubrange(...end)
      if line.hasPrefix("stage ") { (stage, hasBegun) = (String(line.dropFirst(6)), true) }
      if line.hasPrefix("verdict ") {
        verdict = try? JSONDecoder().decode(ScanVerdict.self, from: Data(line.dropFirst(8).utf8))
      }
    }
  }
}

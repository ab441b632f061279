import AudioCore
import Foundation
import Measurement
import TestSupport
import Testing

import Verification

/// A folder with a suite, its goldens and its sounds; gone with the object.
final class SuiteFolder {
  let path: String

  init() throws {
    path = TemporaryFolder.made()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

  @discardableResult
  func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  func write(_ signal: AudioSignal, _ name: String) throws { try signal.write(to: file(name)) }
  func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

  /// All files, with what is in them.
  func contents() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file(name), isDirectory: &isFolder)
      if !isFolder.boolValue { found[name] = try Data(contentsOf: URL(fileURLWithPath: file(name))) }
    }
    return found
  }

  /// Reads a suite with these cases.
  func suite(_ cases: String..., keys: String = "", name: String = "suite") throws -> SuiteFile {
    try write(#"{"version": 1, \#(keys) "cases": [\#(cases.joined(separator: ",\n"))]}"#, "\(name).json")
    return try SuiteFile(path: file("\(name).json"))
  }

  /// Runs the first case of a suite with these, in this process.
  func run(
    _ cases: String..., blessing mode: GoldenPolicy.Mode = .never, reason: String = "a test"
  ) throws -> CaseOutcome {
    try write(#"{"version": 1, "cases": [\#(cases.joined(separator: ",\n"))]}"#, "suite.json")
    let suite = try SuiteFile(path: file("suite.json"))
    var runner = CaseRunner()
    runner.policy = GoldenPolicy(mode, reason: reason)
    return runner.run(suite.cases[0], of: suite)
  }
}

/// A case as a suite writes it.
func caseText(
  _ id: String = "a", _ device: String = #"{"unit": "lowPassFilter"}"#, checks: String..., more: String = ""
) -> String {
  #"{"id": "\#(id)", "device": \#(device), \#(more) "checks": [\#(checks.joined(separator: ", "))]}"#
}

/// Devices of shells and small tools.
enum ShellDevice {
  /// A line of shell in the suite's folder, in which `$1` is the file in and `$2` the file out.
  static func line(_ line: String, more: String = "") -> String {
    let escaped = line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return #"{"command": ["sh", "-c", "\#(escaped)", "sh", "{in}", "{out}"]\#(more)}"#
  }
  /// The output is the input.
  static let copy = #"{"command": ["cp", "{in}", "{out}"]}"#
  /// The same by another program, which a suite may compare with it.
  static let otherCopy = line(#"cat "$1" > "$2""#)
  /// Whatever is given, `sound.wav` of the suite's folder comes out.
  static let sound = line("cp sound.wav \"$2\"")
}

/// Noise that is the same everywhere.
func noiseSignal(
  frames: Int = 2000, channels: Int = 2, amplitude: Float = 0.5, sampleRate: Double = 48_000, seed: UInt64 = 1
) -> AudioSignal {
  var generator = SeededGenerator(seed: seed)
  return AudioSignal(
    sampleRate: sampleRate,
    channels: (0..<channels).map { _ in generator.noise(frames: frames, amplitude: amplitude).map(Double.init) })
}

/// Holds that something throws an error of a kind that has these words.
func expectFailure(
  _ kind: BenchError.Kind, _ words: [String], place: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was thrown; expected \(words)", sourceLocation: place)
  } catch let error as BenchError {
    #expect(error.kind == kind, "\(error)", sourceLocation: place)
    for word in words { #expect("\(error)".contains(word), "no \(word) in: \(error)", sourceLocation: place) }
  } catch {
    Issue.record("\(error)", sourceLocation: place)
  }
}

import Foundation
import Glibc
import TestSupport
import Testing

/// Suites for tests of the command line.
enum Suites {
  static func text(_ cases: [String], keys: String = "") -> String {
    #"{"version": 1, \#(keys) "cases": [\#(cases.joined(separator: ",\n"))]}"#
  }

  static func testCase(
    _ id: String, _ device: String = copy, check: String = #"{"check": "length", "channels": 2}"#, more: String = ""
  ) -> String {
    #"{"id": "\#(id)", "device": \#(device), \#(more) "checks": [\#(check)]}"#
  }

  /// The output is the input.
  static let copy = #"{"command": ["cp", "{in}", "{out}"]}"#

  /// A line of shell in the suite's folder: `$1` is the file in, `$2` the file out.
  static func shell(_ line: String, more: String = "") -> String {
    let escaped = line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return #"{"command": ["sh", "-c", "\#(escaped)", "sh", "{in}", "{out}"]\#(more)}"#
  }

  static let golden = #"{"check": "golden"}"#
  /// Whatever is given, `sound.wav` comes out.
  static let sound = shell("cp sound.wav \"$2\"")
}

extension WaveFile {
  /// A WAV file of 32-bit floats (format tag 3), frame by frame.
  static func floats(_ samples: [Float], rate: Int = 48_000, channels: Int = 2) -> [UInt8] {
    var bytes = WaveFile(
      rate: rate, channels: channels, bits: 32, data: samples.flatMap { littleEndian($0.bitPattern, 4) }
    ).bytes
    bytes[20] = 3
    return bytes
  }

  /// The samples of one, whatever else is in it.
  static func floats(reading bytes: [UInt8]) throws -> [Float] {
    let data = try WaveFile(reading: bytes).data
    return stride(from: 0, to: data.count, by: 4).map { at in
      let word: UInt32 = (0..<4).reduce(0) { (word: UInt32, byte: Int) -> UInt32 in
        word | UInt32(data[at + byte]) << (8 * UInt32(byte))
      }
      return Float(bitPattern: word)
    }
  }
}

extension Program.Result {
  var lastLine: String { output.split(separator: "\n").last.map(String.init) ?? "" }

  /// Verdicts of a JSON report by the ids of its cases.
  func verdicts() throws -> [String: String] {
    let cases = try #require(try value("cases") as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: cases.map { (try #require($0["id"] as? String), try #require($0["verdict"] as? String)) })
  }
}

/// True when a process is there and has not ended.
func isAlive(_ process: pid_t) -> Bool {
  guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
  // The state stands behind the name, which is in parentheses; Z is one that only waits to be counted.
  return status.split(separator: ")").last?.split(separator: " ").first != "Z"
}

extension TemporaryFolder {
  /// Reads the number of a process that a device leaves in a file, as soon as it is there whole.
  func awaitProcess(_ name: String, while running: () -> Bool) throws -> pid_t {
    while true {
      let isRunning = running()
      if let text = try? String(contentsOfFile: file(name), encoding: .utf8), text.hasSuffix("\n"),
        let process = pid_t(text.dropLast())
      {
        return process
      }
      try #require(isRunning, "it ended without \(name)")
      sched_yield()
    }
  }
}

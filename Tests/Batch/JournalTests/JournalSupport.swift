import AudioCore
import Digests
import Foundation
import Journal
import Processes
import TestSupport
import Testing

/// A digest made from a text.
func digest(_ text: String) -> Digest { Fingerprint.digest(of: Array(text.utf8)) }

/// An entry of a file that is not there.
func madeUp(_ output: String, recipe: String = "recipe", content: String = "content") -> JournalEntry {
  JournalEntry(
    output: output, recipe: digest(recipe),
    state: .made(FileStamp(size: 7, modified: 11, inode: 13, device: 17), content: digest(content)), attempts: 2,
    seconds: 1.5, report: #"{"peak":-1}"#)
}

/// Writes a file as a batch does: recorded before it gets its name.
@discardableResult
func make(_ output: String, _ content: String, recipe: String, in journal: Journal) throws -> JournalEntry {
  let file = try AtomicFile(path: output, overwrites: true)
  try file.append(Array(content.utf8))
  let stamp = try #require(FileStamp(descriptor: file.descriptor))
  let entry = JournalEntry(
    output: output, recipe: digest(recipe), state: .made(stamp, content: digest(content)), seconds: 1)
  try journal.record(entry)
  try file.publish()
  return entry
}

/// The error that something ends with; fails where it does not.
func error(_ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation) -> BenchError {
  #expect(throws: BenchError.self, sourceLocation: location, performing: body) ?? BenchError(.usage, "none")
}

extension Journal {
  var all: [JournalEntry] {
    get throws {
      var entries = entries()
      var all: [JournalEntry] = []
      while let entry = try entries.next() { all.append(entry) }
      return all
    }
  }
}

/// `Tests/Stress/journal-writer`, beside the test bundle.
enum Writer {
  static let path: String = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("journal-writer").path
  }()

  /// Runs it to its end, behind a line for the shell, and answers what it has printed.
  static func run(_ words: [String], shell line: String = "true") throws -> [String] {
    lines(try ChildProcess(["sh", "-c", "\(line); exec \"$@\"", "sh", path] + words).run().output)
  }

  /// The whole lines that it has printed.
  static func lines(_ output: [UInt8]) -> [String] {
    var lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeLast()
    return lines.map(String.init)
  }
}

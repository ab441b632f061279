import AudioCore
import BatchRender
import Processes

/// The number of instructions of a render, counted by valgrind: the same each time to about a hundredth of a per cent,
/// whatever else the machine does. Vectors are at most those of AVX2 there, and misses are those of a model of this
/// machine's caches.
package final class InstructionCount {
  /// The count for a frame.
  package struct Counts: Codable, Hashable, Sendable {
    package var instructions: Double
    /// The misses for data: reads and writes that the first and the last level of caches do not have.
    package var firstLevelMisses: Double
    package var lastLevelMisses: Double
  }

  private let folder: ScratchFolder
  /// Copies of programs without what debuggers need, which valgrind cannot always read.
  private var copies: [String: String] = [:]
  private static let secondsOfOneRun = 300.0

  package init() throws(BenchError) { folder = try ScratchFolder() }

  /// With the reading of files: the difference of a long run and a short one.
  /// - Throws: `.render` where valgrind or strip are missing, or the render fails.
  package func perFrame(of one: BenchRun.Case, lengthFrames: Int64) throws(BenchError) -> Counts {
    let slice = Int64(one.subject.slice)
    // Both end before the sound does, where it is long enough.
    let short = Int(max(1, min(100, lengthFrames / slice / 4)))
    let program = try copy(of: one.words[0])
    let few = try count(program, one, slices: short)
    let many = try count(program, one, slices: 3 * short)
    let frames = Double(2 * short * Int(slice))
    let counts = zip(many, few).map { Double($0 - $1) / frames }
    return Counts(instructions: counts[0], firstLevelMisses: max(0, counts[1]), lastLevelMisses: max(0, counts[2]))
  }

  private func copy(of program: String) throws(BenchError) -> String {
    if let known = copies[program] { return known }
    let copy = folder.file("program-\(copies.count)")
    _ = try run(["strip", "--strip-debug", "-o", copy, program], at: program, package: "binutils")
    copies[program] = copy
    return copy
  }

  /// The lines of cachegrind's output with these counts, in this order.
  private static let lines = ["I   refs:", "D1  misses:", "LLd misses:"]

  private func count(_ program: String, _ one: BenchRun.Case, slices: Int) throws(BenchError) -> [Int64] {
    let words = [
      "valgrind", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null", program,
      BenchWorker.countWord, "\(slices)",
    ]
    let subject = Array(JSONMessage.data(one.subject))
    let result = try run(words, input: subject + [UInt8(ascii: "\n")], at: one.name, package: "valgrind")
    let text = ByteText.string(result.errors)
    let counts = Self.lines.compactMap { name -> Int64? in
      for line in text.split(separator: "\n") {
        guard let end = line.firstRange(of: name)?.upperBound else { continue }
        // "1,234,567  (1,000 rd + 234 wr)"
        return Int64(line[end...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "," }.filter { $0 != "," })
      }
      return nil
    }
    guard counts.count == Self.lines.count else {
      throw BenchError(
        .render, at: one.name, "valgrind does not say how many instructions there were: \(result.lastErrors)")
    }
    return counts
  }

  private func run(
    _ words: [String], input: [UInt8] = [], at place: String, package: String
  ) throws(BenchError) -> ChildProcess.Result {
    var child = ChildProcess(words)
    child.input = input
    child.limits.seconds = Self.secondsOfOneRun
    child.environment = ["SWIFT_DETERMINISTIC_HASHING": "1"]
    let result: ChildProcess.Result
    do { result = try child.run() } catch {
      throw BenchError(
        .render, at: place,
        "instructions cannot be counted: \(words[0]) \(error.isMissing ? "is not installed" : error.reason)",
        advice: "install \(package)")
    }
    guard case .exited(code: 0) = result.end else {
      throw BenchError(
        .render, at: place,
        "instructions cannot be counted: \(words[0]) \(result.end.text): \(excerpt(result.lastErrors))")
    }
    return result
  }
}

// What a journal costs: `journal-cost FOLDER [OUTPUTS]`. Fills a journal with made-up entries, a million where it is not said
// otherwise, and prints how large it is and how long it takes to record, open, check, go through, count, publish and merge.

import AudioCore
import Digests
import Glibc
import Journal

@main
struct JournalCost {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let folder = words.first, words.count == 1 || Int(words[1]) != nil else {
      writeAll("usage: journal-cost FOLDER [OUTPUTS]\n", to: 2)
      exit(2)
    }
    let count = words.count == 1 ? 1_000_000 : Int(words[1]) ?? 0
    let path = folder + "/journal-cost"
    for ending in ["", "-wal", "-lock", ".published", ".merged", ".merged-wal"] { FileSystem.unlink(path + ending) }

    var journal: Journal? = try Journal(path: path)
    try time("begin and record, in order", count) { try fill(journal, (0..<count).lazy.map { $0 }, begins: true) }
    // The order in which a pool of threads ends, at its worst: no two neighbours one after the other.
    try time("record anew, in no order", count) {
      try fill(journal, (0..<count).lazy.map { $0 &* 7_368_787 % count }, begins: false)
    }
    time("close", 1) { journal = nil }
    print("\(Self.size(path) / 1_000_000) MB, \(Self.size(path) / max(1, count)) bytes for each output")
    let opened = try time("open", 1) { try Journal(path: path) }
    try time("is it up to date, with no files", count) {
      for index in 0..<count { _ = try opened.isUpToDate(name(index), recipe: digest(index)) }
    }
    let counts = try time("go through all", count) { try opened.counts() }
    print("\(counts.made) made, \(counts.damaged) damaged")
    try time("publish", count) { try opened.publish(to: path + ".published") }
    let merged = try Journal(path: path + ".merged")
    try time("merge into an empty one", count) { try Journal.merge([path + ".published"], into: merged) }
    try time("merge again", count) { try Journal.merge([path + ".published"], into: merged) }
    try time("prune nothing", count) { try opened.prune { _ in true } }
  }

  static func name(_ index: Int) -> String {
    "out/speaker-\(index % 1000)/session-\(index / 1000 % 100)/take-\(index).flac"
  }

  static func digest(_ index: Int) -> Digest {
    Digest(high: 0x9E37_79B9_7F4A_7C15 &* UInt64(index), low: UInt64(index))
  }

  static func fill(_ journal: Journal?, _ indices: some Sequence<Int>, begins: Bool) throws {
    // As long as the report of a conversion.
    let report =
      #"{"frames":480000,"channels":2,"sampleRate":48000,"peak":-1.02,"loudness":-16.03,"truePeak":-0.98,"#
      + #""clipped":0,"warnings":[],"inputs":["in/speaker/session/take.wav"],"encoding":"int24"}"#
    for index in indices {
      let (name, digest) = (name(index), digest(index))
      let attempts = begins ? try journal?.begin(name, recipe: digest) ?? 1 : 1
      let stamp = FileStamp(
        size: 1_000_000 + Int64(index), modified: 1_790_000_000_000_000_000 + Int64(index), inode: UInt64(index),
        device: 66)
      try journal?.record(
        JournalEntry(
          output: name, recipe: digest, state: .made(stamp, content: digest), attempts: attempts, seconds: 10,
          report: report))
    }
  }

  static func size(_ path: String) -> Int { Int(FileStamp(path: path)?.size ?? 0) }

  @discardableResult
  static func time<Result>(_ what: String, _ count: Int, _ body: () throws -> Result) rethrows -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try body()
    let seconds = start.duration(to: clock.now) / .seconds(1)
    let each = count > 1 ? ", \((seconds / Double(count) * 1e7).rounded() / 10) \u{B5}s each" : ""
    print("\(what): \((seconds * 1000).rounded() / 1000) s\(each)")
    return result
  }
}

// The program that the tests of the journal start and kill.
//
//   journal-writer make FOLDER GENERATION    makes the outputs 0 to 39 of FOLDER on three threads, generation by
//   generation, each
//                                            recorded in FOLDER/journal; prints "GENERATION OUTPUT" for each that is made
//   journal-writer fill JOURNAL              records outputs until that fails; prints the name of each, then the error
//   journal-writer publish JOURNAL COPY      publishes a copy
//   journal-writer merge JOURNAL OTHER...    merges the others into it; prints how many entries came from them
//   journal-writer digest JOURNAL FILE       prints the digest of a file
//   journal-writer open JOURNAL              prints "open", or the error

import AudioCore
import Digests
import Glibc
import Journal

@main
struct JournalWriter {
  static func main() {
    signal(SIGXFSZ, SIG_IGN)
    let words = CommandLine.arguments
    do throws(BenchError) {
      switch (words.dropFirst().first, words.count) {
      case ("make", 4): try make(folder: words[2], from: Int(words[3]) ?? 0)
      case ("fill", 3): try fill(words[2])
      case ("merge", 4...):
        say("merged \(try Journal.merge(Array(words.dropFirst(3)), into: Journal(path: words[2])).added)")
      case ("digest", 4): say(try Journal(path: words[2]).digest(ofFile: words[3]).text)
      case ("publish", 4): try Journal(path: words[2]).publish(to: words[3])
      case ("open", 3):
        _ = try Journal(path: words[2])
        say("open")
      default: exit(2)
      }
    } catch {
      say("error: \(error)")
      exit(5)
    }
  }

  static func say(_ line: String) { writeAll(line + "\n", to: 1) }

  static func make(folder: String, from first: Int) throws(BenchError) {
    let journal = try Journal(path: folder + "/journal", job: "generations")
    // Each output belongs to one thread: a slow one would else record what another has replaced meanwhile.
    let work: @Sendable (Int) -> Void = { thread in
      for generation in first... {
        for index in stride(from: thread, to: 40, by: 3) {
          do throws(BenchError) {
            try make(index, folder, generation: generation, journal)
          } catch {
            say("error: \(error)")
            exit(5)
          }
        }
      }
    }
    let threads = (1...2).compactMap { thread in JoinedThread { work(thread) } }
    work(0)
    for thread in threads { thread.join() }
  }

  static func make(_ index: Int, _ folder: String, generation: Int, _ journal: Journal) throws(BenchError) {
    let output = "\(folder)/\(index)"
    // The same length in every generation.
    let content = Array(String(repeating: "output \(index), generation \(generation + 1_000_000)\n", count: 50).utf8)
    let recipe = Fingerprint.digest(of: Array("\(generation) \(index)".utf8))
    if try journal.isUpToDate(output, recipe: recipe) { return }
    let attempts = try journal.begin(output, recipe: recipe)
    let file = try AtomicFile(path: output, overwrites: true)
    try file.append(content)
    guard let stamp = FileStamp(descriptor: file.descriptor) else { throw file.failure(errno) }
    try journal.record(
      JournalEntry(
        output: output, recipe: recipe, state: .made(stamp, content: Fingerprint.digest(of: content)),
        attempts: attempts, seconds: 1, report: "\(generation)"))
    try file.publish()
    say("\(generation) \(index)")
  }

  static func fill(_ path: String) throws(BenchError) {
    let journal = try Journal(path: path)
    for index in 0..<1_000_000 {
      let digest = Fingerprint.digest(of: Array("\(index)".utf8))
      let stamp = FileStamp(size: 1, modified: 1, inode: UInt64(index), device: 1)
      try journal.record(
        JournalEntry(
          output: "out/\(digest.text)", recipe: digest, state: .made(stamp, content: digest),
          report: String(repeating: "x", count: 300)))
      say("out/\(digest.text)")
    }
  }
}

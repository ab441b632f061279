import Foundation
import TestSupport
import Testing

@Suite("The table of AVFAudio's members")
struct MemberTableTests {
  private static func tool(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }
  /// The folder of the modules that this test is built from.
  private static var modules: String {
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("Modules").path
  }

  private struct Row: Hashable {
    let owner: Substring
    let member: Substring
  }
  /// The members of the table, with the state of each.
  private static func rows() throws -> [(row: Row, state: Substring)] {
    var owner: Substring = ""
    var found: [(Row, Substring)] = []
    for line in try Repository.text("docs/avfaudio-members.md").split(separator: "\n") {
      if line.hasPrefix("### ") { owner = line.dropFirst(4) }
      guard let row = line.wholeMatch(of: /\| `(.+)` \| (.+) \| (yes|partly|missing) \| (.*)\|/) else { continue }
      found.append((Row(owner: owner, member: row.output.1), row.output.3))
    }
    return found
  }

  @Test(
    "It is in step with the list of Apple's members and with what the modules declare",
    .enabled("Python and the tools of Swift are installed") { tool("python3") && tool("swift-symbolgraph-extract") })
  func inStep() throws {
    let script = Process()
    script.executableURL = URL(fileURLWithPath: "\(Repository.path)/Scripts/make-member-table")
    script.arguments = ["--check", Self.modules]
    let errors = Pipe()
    script.standardError = errors
    try script.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    script.waitUntilExit()
    #expect(script.terminationStatus == 0, "\(said)")
  }

  @Test("Each line of the list has one row, and the page counts as many")
  func complete() throws {
    let rows = try Self.rows()
    let facts = try Repository.text("docs/avfaudio-members.tsv").split(separator: "\n").filter { !$0.hasPrefix("#") }
    let listed = try facts.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(fields.count == 5, "\(line)")
      return Row(owner: fields[1].hasPrefix("(") ? fields[1].dropFirst().dropLast() : fields[1], member: fields[2])
    }
    #expect(rows.count == listed.count)
    #expect(Set(rows.map(\.row)).symmetricDifference(listed) == [])
    let page = try Repository.text("docs/avfaudio.md")
    let counts = ["yes", "partly", "missing"].map { state in rows.count { $0.state == state } }
    #expect(page.contains("| all | \(counts[0]) | \(counts[1]) | \(counts[2]) |\n"))
  }

  @Test("What these tests call is there; what nobody has declared is missing")
  func samples() throws {
    let states = Dictionary(uniqueKeysWithValues: try Self.rows())
    func state(_ owner: Substring, _ member: Substring) -> Substring? { states[Row(owner: owner, member: member)] }
    #expect(state("AVAudioEngine", "renderOffline(_:to:)") == "yes")
    #expect(state("AVAudioPlayerNode", "scheduleBuffer(_:at:options:)") == "yes")
    #expect(state("AVAudioPlayerNode", "AVAudioMixing") == "yes")
    #expect(state("AVAudioUnitEQFilterType", "resonantHighShelf") == "yes")
    #expect(state("keys of settings", "AVFormatIDKey") == "yes")
    #expect(state("AVAudioUnitComponent", "icon") == "partly")
    #expect(state("AVAudioEngine", "musicSequence") == "missing")
  }
}

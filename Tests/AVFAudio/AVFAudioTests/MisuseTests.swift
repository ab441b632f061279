import AVFAudio
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Uses that raise an exception on Apple's systems")
struct MisuseTests {
  @Test("Each ends the process, with the condition in its text", arguments: Misuse.all.map(\.name))
  func ends(_ name: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\ExitTest.Result.standardErrorContent]) {
      [name = name as String] in
      guard let misuse = Misuse.all.first(where: { $0.name == name }) else { exit(0) }
      do { try misuse.use() } catch { print("an error: \(error)") }
      exit(0)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let condition = try #require(Misuse.all.first { $0.name == name }).condition
    #expect(text.contains("com.apple.coreaudio.avfaudio: required condition is false"))
    #expect(text.contains(condition))
  }

  @Test("The table has each condition of the sources")
  func complete() throws {
    let files = try Repository.files(below: "Sources/AVFAudio", suffix: ".swift")
    var conditions: [String] = []
    for file in files where !file.hasSuffix("Misuse.swift") {
      let text = try Repository.text(file)
      for match in text.matches(of: /(?:require|misuse)\((?:[^"{}]|\{[^"{}]*\})*?"((?:[^"\\]|\\.)*)"/) {
        conditions.append(
          String(match.output.1.prefix { $0 != "\\" && $0 != "(" }).trimmingCharacters(in: .whitespaces))
      }
    }
    #expect(conditions.count > 35)
    // The text of one begins with a value; two cannot be reached from outside.
    let apart = ["", "the unit", "isPCMFormat", "format != AVAudioOtherFormat"]
    for condition in conditions where !apart.contains(condition) {
      let words = condition.split(separator: "<=").first.map(String.init) ?? condition
      #expect(Misuse.all.contains { $0.condition.contains(words) || condition.contains($0.condition) }, "\(condition)")
    }
  }
}

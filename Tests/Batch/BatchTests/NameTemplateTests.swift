import AudioCore
import Testing

import Batch

@Suite("Names of outputs")
struct NameTemplateTests {
  private static let values = ["name": "take", "folder": "a/b", "extension": "wav", "index": "7", "empty": ""]

  private func name(_ text: String, _ values: [String: String] = values) throws -> String {
    try NameTemplate(text, at: "here").name(values, at: "in.wav")
  }

  @Test(arguments: [
    ("out/{folder}/{name}.flac", "out/a/b/take.flac"), ("{name}-{index:3}.wav", "take-007.wav"),
    ("{{{name}}}.wav", "{take}.wav"), ("plain.wav", "plain.wav"), ("{name}{extension}", "takewav"), ("{index:1}", "7"),
    ("out/{empty}/{name}.wav", "out/take.wav"), ("{empty}/{name}.wav", "take.wav"), ("a{empty}/{name}", "a/take"),
    ("\u{E4}/{name}\u{301}", "\u{E4}/take\u{301}"),
  ])
  func places(_ text: String, _ expected: String) throws {
    #expect(ByteText.isSame(try name(text), expected))
  }

  @Test(arguments: ["{name", "name}", "{}", "{index:0}", "{index:x}", "{index:21}", "{:3}"])
  func wrongTexts(_ text: String) {
    #expect(throws: BenchError.self) { try name(text) }
  }

  @Test func anUnknownPlaceIsToldWithThoseThereAre() {
    let error = #expect(throws: BenchError.self) { try name("{title}.wav") }
    #expect(error?.kind == .usage && "\(error?.advice ?? "")".contains("extension, folder, index, name"))
  }

  @Test(arguments: ["..", "a/b", "/etc/passwd", "a\0b"])
  func valuesDoNotLeadIntoOtherFolders(_ value: String) {
    #expect(throws: BenchError.self) { try name("out/{name}.wav", ["name": value]) }
  }

  @Test(arguments: ["..", "a/../..", "../x"])
  func foldersDoNotLeadUp(_ value: String) {
    #expect(throws: BenchError.self) { try name("out/{folder}/x.wav", ["folder": value]) }
  }
}

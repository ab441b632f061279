import BatchRender
import TestSupport
import Testing

/// Title, artist and the like of what a graph renders.
@Suite("Texts of renders")
struct RenderTextsTests {
  private let folder = TemporaryFolder()

  private func write(_ name: String, _ texts: [SoundFileMetadata.Field: String], seed: UInt64 = 1) throws {
    try writeSound(
      folder.file(name), noise(frames: 200, seed: seed),
      options: SoundFileWriterOptions(metadata: SoundFileMetadata(texts)))
  }

  /// The texts of a mix of players, and of a tap behind the first of them.
  private func texts(
    of files: [String], as name: String = "out.wav", _ change: (inout OfflineRenderer.Options) -> Void = { _ in }
  ) throws -> (mix: SoundFileMetadata, tap: SoundFileMetadata) {
    let players = files.enumerated().map { #"{ "id": "p\#($0)", "unit": "filePlayer", "file": "\#($1)" }"# }
    let graph = try GraphFile.parse(
      graphText(
        players + [
          #"{ "id": "low", "unit": "lowPassFilter" }"#, #"{ "id": "mix", "unit": "multichannelMixer" }"#,
          #"{ "id": "lone", "unit": "filePlayer", "file": "lone.wav" }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ],
        ["p0 -> low", "low -> mix:0"] + files.indices.dropFirst().map { "p\($0) -> mix:\($0)" } + ["mix -> out"]),
      folder: folder.path + "/")
    var options = OfflineRenderer.Options()
    options.taps = [
      .init(node: "low", path: folder.file("tap.wav"), format: SoundFileFormat(container: .wav))
    ]
    change(&options)
    let report = try OfflineRenderer(graph).render(to: folder.file(name), options: options)
    #expect(report.file != nil)
    return (
      try SoundFileReader(path: folder.file(name)).info.metadata,
      try SoundFileReader(path: folder.file("tap.wav")).info.metadata
    )
  }

  @Test("One file: all of its texts; a player that leads nowhere does not count")
  func oneFile() throws {
    try write("a.wav", [.title: "Crow", .artist: "A bird", .comment: "as recorded", .date: "2026"])
    try write("lone.wav", [.title: "Another"])
    for name in ["out.wav", "out.flac"] {
      let (mix, tap) = try texts(of: ["a.wav"], as: name)
      for field in [SoundFileMetadata.Field.title, .artist, .comment, .date] {
        let value = try SoundFileReader(path: folder.file("a.wav")).info.metadata[field]
        #expect(value != nil && mix[field] == value && tap[field] == value, "\(field)")
      }
    }
  }

  @Test("Several files: what is the same in all of them; a tap has those of what leads to it")
  func severalFiles() throws {
    try write("lone.wav", [:])
    try write("a.wav", [.title: "One", .artist: "Caf\u{E9}", .comment: "x"])
    try write("b.wav", [.title: "Two", .artist: "Caf\u{E9}"])
    let (mix, tap) = try texts(of: ["a.wav", "b.wav", "a.wav"])
    #expect(mix[.title] == nil && mix[.artist] == "Caf\u{E9}" && mix[.comment] == nil)
    #expect(tap[.title] == "One" && tap[.artist] == "Caf\u{E9}" && tap[.comment] == "x")
    try write("c.wav", [:])
    #expect(try texts(of: ["a.wav", "c.wav"]).mix.isEmpty)
    // Letter by letter: the same letter written in two ways is two.
    try write("d.wav", [.artist: "Cafe\u{301}"])
    #expect(try texts(of: ["a.wav", "d.wav"]).mix.isEmpty)
  }

  @Test("They stay out where that is wanted, and texts of the caller's own take their place")
  func chosen() throws {
    try write("lone.wav", [:])
    try write("a.wav", [.title: "One"])
    let (mix, tap) = try texts(of: ["a.wav"]) { $0.keepsMetadata = false }
    #expect(mix.isEmpty && tap.isEmpty)
    let own = try texts(of: ["a.wav"]) { $0.writer.metadata = SoundFileMetadata([.artist: "me"]) }
    #expect(own.mix[.artist] == "me" && own.mix[.title] == nil && own.tap[.artist] == "me")
  }

  @Test("Texts that are not UTF-8 stay the bytes that they are")
  func otherBytes() throws {
    try write("lone.wav", [:])
    // Latin-1: the byte E9 alone is no UTF-8.
    let title = String(decoding: Array("Caf\u{10FEE9}".utf8), as: UTF8.self)
    try write("a.wav", [.title: title])
    #expect(bytes(ofFile: folder.file("a.wav")).contains(0xE9))
    #expect(try texts(of: ["a.wav"]).mix[.title] == title)
  }
}

import BatchRender
import TestSupport
import Testing

/// Tags and pictures of conversions and renders.
@Suite("Tags and pictures of outputs")
struct KeptTagsTests {
  private let folder = TemporaryFolder()
  private var tagged: String { "\(Repository.path)/Tests/Libraries/TagsTests/Fixtures/tone.flac" }
  private func picture(_ name: String) -> [UInt8] {
    bytes(ofFile: "\(Repository.path)/Tests/Libraries/TagsTests/Fixtures/\(name)")
  }

  @discardableResult
  private func convert(
    _ input: String, to output: String, _ change: (inout FileConversion.Options) -> Void = { _ in }
  ) throws -> FileConversion.Report {
    var options = FileConversion.Options()
    change(&options)
    return try FileConversion.convert(
      input, to: folder.file(output), as: try SoundFileFormat(path: output), options: options)
  }

  @Test("A picture goes from FLAC through all kinds that hold one and back, bit for bit, and so do texts")
  func aroundTheHouse() throws {
    let before = FileTags(path: tagged)
    var input = tagged
    for name in ["a.opus", "b.ogg", "c.mp3", "d.wav", "e.aiff", "f.flac"] {
      let report = try convert(input, to: name)
      #expect(
        report.file.droppedTags.isEmpty && report.file.droppedPictures.isEmpty && report.file.droppedMetadata.isEmpty)
      input = folder.file(name)
    }
    let after = FileTags(path: input)
    #expect(after.pictures == before.pictures && after.pictures.map(\.text) == before.pictures.map(\.text))
    #expect(after.pictures.map(\.bytes) == [picture("cover.jpg"), picture("cover.png")])
    for name in ["TITLE", "ARTIST", "ISRC", "ALBUMARTIST", "LYRICS", "REPLAYGAIN_TRACK_GAIN"] {
      #expect(after.texts[name] == before.texts[name], "\(name)")
    }
    #expect(after.texts["ENCODER"] == nil)
  }

  @Test("The sound is what it is without tags", arguments: ["a.wav", "a.aiff", "a.flac", "a.ogg", "a.opus", "a.mp3"])
  func sameSound(name: String) throws {
    try convert(tagged, to: name)
    try convert(tagged, to: "bare-" + name) { $0.keepsMetadata = false }
    #expect(FileTags(path: folder.file("bare-" + name)).pictures.isEmpty)
    #expect(try readSound(folder.file(name)) == readSound(folder.file("bare-" + name)))
  }

  @Test("What was measured of the sound does not go along where its channels change")
  func measured() throws {
    try convert(tagged, to: "a.flac") { $0.channelCount = 2 }
    let tags = FileTags(path: folder.file("a.flac"))
    #expect(tags.texts["REPLAYGAIN_TRACK_GAIN"] == nil && tags.texts["ISRC"] != nil)
  }

  @Test("Tags are set, replaced and taken away, by names in any case; a cover leaves the other pictures")
  func changes() throws {
    let cover = try TagPicture(frontCover: "\(Repository.path)/Tests/Libraries/TagsTests/Fixtures/cover.png")
    try convert(tagged, to: "a.flac") {
      $0.tags = TagChanges(
        texts: ["title": "Another", "Artist": "Me", "isrc": "", "mood": "calm"], cover: .replaced(cover))
    }
    let tags = FileTags(path: folder.file("a.flac"))
    #expect(tags.texts["TITLE"] == ["Another"] && tags.texts["ARTIST"] == ["Me"] && tags.texts["MOOD"] == ["calm"])
    #expect(tags.texts["ISRC"] == nil && tags.texts["ALBUMARTIST"] != nil)
    #expect(tags.pictures.map(\.kind) == [3, 4] && tags.pictures[0].bytes == picture("cover.png"))
    try convert(tagged, to: "b.flac") {
      $0.keepsMetadata = false
      $0.tags = TagChanges(texts: ["album": "Alone"])
    }
    #expect(FileTags(path: folder.file("b.flac")) == FileTags(texts: ["ALBUM": ["Alone"]]))
    try convert(tagged, to: "c.flac") { $0.tags.cover = .removed }
    #expect(FileTags(path: folder.file("c.flac")).pictures.isEmpty)
  }

  @Test("A cover is told by its content")
  func covers() throws {
    let fixtures = "\(Repository.path)/Tests/Libraries/TagsTests/Fixtures"
    #expect(try TagPicture(frontCover: fixtures + "/cover.jpg").mimeType == "image/jpeg")
    folder.write(picture("cover.png"), to: "a.jpg")
    #expect(try TagPicture(frontCover: folder.file("a.jpg")).mimeType == "image/png")
    for name in ["tone.flac", "absent.png"] {
      let error = #expect(throws: BenchError.self) { try TagPicture(frontCover: fixtures + "/" + name) }
      #expect(error?.kind == .input)
    }
  }

  @Test(
    "A render keeps what its sources have in common: texts, further tags and pictures; a tap those of its own source")
  func render() throws {
    try convert(tagged, to: "one.flac")
    try convert(tagged, to: "two.flac") {
      $0.tags = TagChanges(texts: ["ISRC": "another"])
      $0.tags.cover = .replaced(
        TagPicture(kind: 3, mimeType: "image/png", bytes: picture("cover.png")))
    }
    let graph = try GraphFile.parse(
      graphText(
        [
          #"{ "id": "one", "unit": "filePlayer", "file": "one.flac" }"#,
          #"{ "id": "two", "unit": "filePlayer", "file": "two.flac" }"#,
          #"{ "id": "mix", "unit": "multichannelMixer" }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["one -> mix:0", "two -> mix:1", "mix -> out"]), folder: folder.path + "/")
    var options = OfflineRenderer.Options()
    options.tags = TagChanges(texts: ["MOOD": "calm"])
    options.taps = [.init(node: "two", path: folder.file("tap.wav"), format: SoundFileFormat(container: .wav))]
    let report = try OfflineRenderer(graph).render(to: folder.file("out.flac"), options: options)
    #expect(report.file?.bytes == Int64(bytes(ofFile: folder.file("out.flac")).count))
    let tags = FileTags(path: folder.file("out.flac"))
    #expect(tags.texts["ALBUMARTIST"] != nil && tags.texts["ARTIST"] == ["First", "Second"])
    #expect(tags.texts["ISRC"] == nil && tags.texts["MOOD"] == ["calm"])
    #expect(tags.texts["REPLAYGAIN_TRACK_GAIN"] == nil, "the sound is another")
    #expect(tags.pictures.map(\.kind) == [4])
    let tap = FileTags(path: folder.file("tap.wav"))
    #expect(tap.texts["ISRC"] == ["another"] && tap.pictures.map(\.kind) == [3, 4] && tap.texts["MOOD"] == ["calm"])
    options.keepsMetadata = false
    _ = try OfflineRenderer(graph).render(to: folder.file("bare.flac"), options: options)
    #expect(FileTags(path: folder.file("bare.flac")) == FileTags(texts: ["MOOD": ["calm"]]))
  }
}

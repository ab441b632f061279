import AudioCore
import SoundFile
import Tags
import TestSupport
import Testing

@Suite("Tags of files that are written")
struct WritingTests {
  private let folder = TemporaryFolder()
  static let holders = ["a.flac", "a.ogg", "a.opus", "a.mp3", "a.wav", "a.aiff"]

  private var cover: TagPicture {
    TagPicture(kind: 3, mimeType: "image/jpeg", text: "Front \u{F6}", bytes: TagFixtures.bytes("cover.jpg"))
  }

  private var tags: SoundTags {
    SoundTags(
      metadata: SoundFileMetadata([.title: "A title", .artist: "Zo\u{EB}", .comment: "x"]),
      further: FileTags(
        texts: [
          "ISRC": ["GBAYE0000351"], "ALBUMARTIST": ["\u{1F3BA} one\ntwo"], "PERFORMER": ["A", "B"],
          "MY OWN": ["\u{20AC}"],
        ], pictures: [cover, TagPicture(kind: 4, mimeType: "image/png", bytes: TagFixtures.bytes("cover.png"))]))
  }

  @Test("come back as they were given; the sound is bit for bit what it is without them", arguments: holders)
  func roundTrip(name: String) throws {
    let plain = folder.file("plain-" + name)
    let path = folder.file(name)
    let bare = try writeTagged(plain, SoundTags(metadata: tags.metadata))
    let report = try writeTagged(path, tags)
    #expect(report.droppedTags.isEmpty && report.droppedPictures.isEmpty && report.droppedMetadata.isEmpty)
    let info = try SoundFileReader(path: path).info
    let back = SoundTags(of: info)
    #expect(back.further.texts == tags.further.texts)
    #expect(back.further.pictures == tags.further.pictures)
    #expect(back.further.pictures.first?.text == cover.text)
    for (field, value) in tags.metadata.values { #expect(back.metadata[field] == value, "\(field)") }
    // As programs other than libsndfile read them.
    #expect(FileTags(path: path).texts["TITLE"] == ["A title"] && FileTags(path: path).texts["ARTIST"] == ["Zo\u{EB}"])
    #expect(try samples(path) == samples(plain))
    #expect(report.bytes == bytes(ofFile: path).count && report.bytes > bare.bytes)
    // From run to run.
    _ = try writeTagged(folder.file("again-" + name), tags)
    #expect(bytes(ofFile: folder.file("again-" + name)) == bytes(ofFile: path))
  }

  @Test(
    "Where there is nothing to add, the file is what libsndfile has written", arguments: holders + ["a.caf", "a.rf64"])
  func nothingToAdd(name: String) throws {
    let texts = SoundFileMetadata([.title: "A title", .artist: "Zoe"])
    let writer = try SoundFileWriter(
      path: folder.file("plain"), format: SoundFileFormat(path: name), sampleRate: 48_000, channelCount: 1,
      expectedFrames: 1000, options: SoundFileWriterOptions(metadata: texts))
    let buffer = PlanarBuffer(channelCount: 1, frameCapacity: 1000)
    var generator = SeededGenerator(seed: 1)
    buffer[0].update(from: generator.noise(frames: 1000))
    try writer.write(buffer.planes, frames: 1000)
    _ = try writer.finish()
    _ = try writeTagged(folder.file(name), SoundTags(metadata: texts), frames: 1000)
    #expect(bytes(ofFile: folder.file(name)) == bytes(ofFile: folder.file("plain")))
  }

  @Test("Texts that libsndfile cannot write into AIFF and WAV are added", arguments: ["a.aiff", "a.wav"])
  func lostTexts(name: String) throws {
    let all = SoundFileMetadata([.title: "T", .album: "An album", .license: "CC0", .genre: "Jazz", .date: "2026"])
    let report = try writeTagged(folder.file(name), SoundTags(metadata: all))
    #expect(report.droppedMetadata.isEmpty)
    #expect(SoundTags(of: try SoundFileReader(path: folder.file(name)).info).metadata == all)
  }

  @Test("Containers that hold none say which are lost", arguments: ["a.w64", "a.au", "a.rf64"])
  func noPlace(name: String) throws {
    #expect(!(try SoundFileFormat(path: name)).container.holdsTags)
    let report = try writeTagged(folder.file(name), tags)
    #expect(report.droppedTags == ["ALBUMARTIST", "ISRC", "MY OWN", "PERFORMER"])
    #expect(report.droppedPictures == ["front cover", "back cover"])
    #expect(try SoundFileReader(path: folder.file(name)).info.frameCount == 5000)
  }

  @Test("CAF keeps texts of any name, and names the pictures that it does not keep")
  func textsOfCAF() throws {
    var texts = tags
    texts.metadata[.date] = "2026"
    texts.further.texts["BPM"] = ["120"]
    let report = try writeTagged(folder.file("a.caf"), texts)
    #expect(report.droppedTags.isEmpty && report.droppedMetadata.isEmpty)
    #expect(report.droppedPictures == ["front cover", "back cover"])
    let back = SoundTags(of: try SoundFileReader(path: folder.file("a.caf")).info)
    #expect(back.metadata == texts.metadata && back.further.texts == texts.further.texts)
    // The keys of Apple's specification, and one chunk of texts.
    let bytes = bytes(ofFile: folder.file("a.caf"))
    #expect(String(decoding: bytes, as: UTF8.self).contains("tempo\0120\0"))
    #expect(ContainerLayout(MemoryStorage(bytes))?.chunks(0x696E_666F).count == 1)
  }

  @Test("WAV that has become RF64 is left as it is, and says so")
  func largeWave() throws {
    var options = SoundFileWriterOptions()
    options.riffLimit = 70_000
    let format = SoundFileFormat(container: .wav, encoding: .pcm16)
    let report = try writeTagged(folder.file("a.wav"), format, tags, frames: 40_000, options: options)
    #expect(report.container == .rf64 && report.droppedPictures.count == 2 && report.droppedTags.contains("ISRC"))
    #expect(try SoundFileReader(path: folder.file("a.wav")).info.frameCount == 40_000)
  }

  @Test("A picture that is too large for a block of FLAC is left out and named; Ogg holds it, and libsndfile reads on")
  func largePicture() throws {
    var large = tags
    large.further.pictures[0].bytes += [UInt8](repeating: 7, count: 17 << 20)
    let report = try writeTagged(folder.file("a.flac"), large)
    #expect(report.droppedPictures == ["front cover"] && report.droppedTags.isEmpty)
    #expect(FileTags(path: folder.file("a.flac")).pictures == [tags.further.pictures[1]])
    for name in ["a.ogg", "a.opus", "a.mp3", "a.wav"] {
      let report = try writeTagged(folder.file(name), large)
      #expect(report.droppedPictures.isEmpty, "\(name)")
      _ = try writeTagged(folder.file("plain-" + name), SoundTags(metadata: tags.metadata))
      #expect(try samples(folder.file(name)) == samples(folder.file("plain-" + name)), "\(name)")
    }
  }

  @Test("A text that is not UTF-8 is kept as Latin-1 where TagLib writes it anew, and named")
  func otherBytes() throws {
    var texts = tags
    texts.metadata[.title] = "Caf\u{10FEE9}"
    let report = try writeTagged(folder.file("a.flac"), texts)
    #expect(report.droppedMetadata == [.title])
    #expect(FileTags(path: folder.file("a.flac")).texts["TITLE"] == ["Caf\u{E9}"])
    // WAV keeps libsndfile's own text beside the chunk.
    #expect(try writeTagged(folder.file("a.wav"), texts).droppedMetadata.isEmpty)
    #expect(try SoundFileReader(path: folder.file("a.wav")).info.metadata[.title] == "Caf\u{10FEE9}")
  }

  @Test(
    "A name with an equals sign or other letters is no name of Vorbis comments: ID3 keeps it, FLAC says that it does not"
  )
  func names() throws {
    let odd = SoundTags(further: FileTags(texts: ["GR\u{D6}SSE": ["1"], "ISRC": ["x"]]))
    #expect(try writeTagged(folder.file("a.flac"), odd).droppedTags == ["GR\u{D6}SSE"])
    #expect(try writeTagged(folder.file("a.mp3"), odd).droppedTags.isEmpty)
    #expect(
      !TagNames.isValid("GR\u{D6}SSE") && !TagNames.isValid("A=B") && !TagNames.isValid("")
        && TagNames.isValid("MY OWN"))
  }
}

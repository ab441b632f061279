import Glibc
import SoundFile
import Tags
import TestSupport
import Testing

@Suite("Tags that other programs have written")
struct ReadingTests {
  private static let isrc = ["GBAYE0000351"]

  @Test("flac: several texts of one name, two lines, an emoji, two pictures with what they show")
  func flac() {
    let tags = FileTags(path: TagFixtures.path("tone.flac"))
    #expect(
      tags.texts == [
        "TITLE": ["Tone"], "ARTIST": ["First", "Second"], "ISRC": Self.isrc, "ALBUMARTIST": ["Zo\u{EB} \u{1F3BA}"],
        "LYRICS": ["one\ntwo"], "REPLAYGAIN_TRACK_GAIN": ["-3.20 dB"], "ENCODER": ["other"],
      ])
    #expect(tags.pictures.map(\.kind) == [3, 4])
    #expect(tags.pictures.map(\.mimeType) == ["image/jpeg", "image/png"])
    #expect(tags.pictures.map(\.text) == ["Sleeve, the front", ""])
    #expect(tags.pictures.map(\.bytes) == [TagFixtures.bytes("cover.jpg"), TagFixtures.bytes("cover.png")])
  }

  @Test("opusenc, oggenc and lame")
  func coded() {
    let opus = FileTags(path: TagFixtures.path("tone.opus"))
    #expect(opus.texts["ISRC"] == Self.isrc && opus.texts["LYRICS"] == ["one\ntwo"])
    #expect(opus.pictures.map(\.bytes) == [TagFixtures.bytes("cover.jpg")] && opus.pictures.map(\.kind) == [3])
    #expect(FileTags(path: TagFixtures.path("tone.ogg")) == FileTags(texts: ["TITLE": ["Tone"], "ISRC": Self.isrc]))
    let mp3 = FileTags(path: TagFixtures.path("tone.mp3"))
    #expect(mp3.texts["ISRC"] == Self.isrc && mp3.texts["ALBUMARTIST"] == ["Band"] && mp3.texts["ARTIST"] == ["First"])
    #expect(mp3.pictures.map(\.bytes) == [TagFixtures.bytes("cover.jpg")])
  }

  @Test("mutagen: an ID3 chunk, whose texts libsndfile does not see", arguments: ["tagged.wav", "tagged.aiff"])
  func chunks(name: String) throws {
    let info = try SoundFileReader(path: TagFixtures.path(name)).info
    #expect(info.metadata.isEmpty)
    let tags = SoundTags(of: info)
    #expect(tags.metadata == SoundFileMetadata([.title: "Tone \u{266A}", .comment: "a remark"]))
    #expect(tags.further.texts == ["ISRC": Self.isrc, "MOOD": ["calm"]])
    #expect(tags.further.pictures.map(\.text) == ["vorne: \u{F6}"])
    #expect(tags.further.pictures.map(\.bytes) == [TagFixtures.bytes("cover.png")])
  }

  @Test("What says how a file was encoded holds of that file alone; several texts of one name are all kept")
  func further() throws {
    let tags = SoundTags(of: try SoundFileReader(path: TagFixtures.path("tone.flac")).info)
    #expect(tags.metadata[.title] == "Tone")
    #expect(tags.further.texts["ENCODER"] == nil && tags.further.texts["TITLE"] == nil)
    #expect(tags.further.texts["ARTIST"] == ["First", "Second"])
    #expect(tags.further.texts["REPLAYGAIN_TRACK_GAIN"] != nil)
    #expect(tags.ofAnotherSound.further.texts["REPLAYGAIN_TRACK_GAIN"] == nil)
  }

  @Test("Files without tags, files of other kinds, folders, pipes and names that are none have none")
  func none() {
    let folder = TemporaryFolder()
    folder.write("some text", to: "a.flac")
    folder.write([], to: "empty.wav")
    mkfifo(folder.file("pipe"), 0o600)
    for name in ["a.flac", "empty.wav", "pipe", "absent", ""] {
      #expect(FileTags(path: folder.file(name)).isEmpty, "\(name)")
    }
    #expect(FileTags(path: Fixtures.path("audio/drums.flac")).pictures.isEmpty)
    #expect(FileTags(path: "").isEmpty)
  }
}

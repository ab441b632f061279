import Foundation
import TestSupport
import Testing

/// `--tag` and `--cover`.
@Suite struct TagTests {
  private let fixtures = "\(Repository.path)/Tests/Libraries/TagsTests/Fixtures"

  private func texts(_ name: String, in folder: TemporaryFolder) throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  @Test func tagsAndACoverAreSetByOptions() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 500).bytes, to: "in.wav")
    let result = try Program.run(
      "convert", "in.wav", "out.flac", "--tag", "title=Zo\u{EB} = \u{1F3BA}", "--tag", "isrc=GBAYE0000351", "--cover",
      "\(fixtures)/cover.jpg", in: folder)
    #expect(result.code == 0 && !result.output.contains("does not keep"), "\(result.errors)")
    let text = try texts("out.flac", in: folder)
    // As a Vorbis comment has them, and the picture in a block of its own.
    for wanted in ["TITLE=Zo\u{EB} = \u{1F3BA}", "ISRC=GBAYE0000351", "image/jpeg"] { #expect(text.contains(wanted)) }
    #expect(
      try Program.run("convert", "-q", "out.flac", "less.flac", "--tag=isrc=", "--cover=none", in: folder).code == 0)
    let less = try texts("less.flac", in: folder)
    #expect(less.contains("title=Zo\u{EB}") && !less.contains("ISRC") && !less.contains("image/jpeg"))
  }

  @Test func whatAFileDoesNotKeepIsNamed() throws {
    let folder = TemporaryFolder()
    let line = ["convert", "\(fixtures)/tone.flac", "out.rf64"]
    let result = try Program.run(line, in: folder)
    #expect(
      result.output.contains(
        "texts that rf64 does not keep: ALBUMARTIST, ARTIST, ISRC, LYRICS, REPLAYGAIN_TRACK_GAIN\n")
    )
    #expect(result.output.contains("pictures that rf64 does not keep: front cover, back cover\n"))
    let dropped = try Program.run(line + ["--json"], in: folder).value("droppedMetadata") as? [String]
    #expect(dropped?.count == 7 && dropped?.last == "back cover")
    #expect(try !Program.run(line + ["--no-metadata"], in: folder).output.contains("does not keep"))
  }

  @Test func mistakesAreToldBeforeAnythingIsWritten() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 50).bytes, to: "in.wav")
    for (options, code, words) in [
      (["--tag", "x"], 2, "not of the form NAME=TEXT"), (["--tag", "=x"], 2, "not of the form NAME=TEXT"),
      (["--tag", "gr\u{F6}\u{DF}e=1"], 2, "is not the name of a tag"),
      (["--cover", "in.wav"], 4, "in.wav: is neither a PNG nor a JPEG picture"),
      (["--cover", "no.png"], 4, "no.png: there is no such file"),
    ] as [([String], Int32, String)] {
      let result = try Program.run(["convert", "in.wav", "out.flac"] + options, in: folder)
      #expect(result.code == code && result.errors.contains(words), "\(options): \(result.errors)")
      #expect(!folder.exists("out.flac"))
    }
  }

  @Test func aDiskThatIsFullWhenTheCoverIsWrittenLeavesNothing() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 50).bytes, to: "in.wav")
    folder.write(
      try Data(contentsOf: URL(filePath: fixtures + "/cover.png")) + [UInt8](repeating: 0, count: 90_000), to: "a.png")
    let result = try Program.shell(
      "ulimit -f 64; exec \"$AUBENCH\" convert in.wav out.wav --cover a.png", in: folder)
    #expect(result.code == 5 && result.errors.contains("cannot be written"), "\(result.errors)")
    #expect(folder.names == ["a.png", "in.wav"])
  }
}

import Foundation
import TestSupport
import Testing

@Suite struct ConvertTests {
  @Test(arguments: [16, 24])
  func integersPassUnchangedThroughOtherContainers(_ bits: Int) throws {
    let folder = TemporaryFolder()
    let wave = WaveFile.noise(channels: 2, bits: bits, frames: 10_000)
    folder.write(wave.bytes, to: "in.wav")
    for name in ["flac", "aiff", "caf", "w64", "rf64", "au"] {
      #expect(try Program.run("convert", "-q", "in.wav", "x.\(name)", in: folder).code == 0)
      let back = try Program.run("convert", "x.\(name)", "back.wav", "--json", in: folder)
      #expect(try back.value("input.encoding") as? String == "pcm\(bits)", "the width of the input is kept in \(name)")
      #expect(try WaveFile(reading: folder.bytes("back.wav")).data == wave.data, "\(name)")
    }
  }

  @Test(arguments: ["linear", "zero-order-hold", "fast", "medium", "best", "mastering", "minimum-phase"])
  func everyQualityGivesTheExactLengthAndTheSameBytesWithAnyThreads(_ quality: String) throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(channels: 3, frames: 10_001).bytes, to: "in.wav")
    let line = ["convert", "in.wav", "--rate", "48000", "--quality", quality, "--json"]
    let first = try Program.run(line + ["a.wav", "--threads", "1"], in: folder)
    // 10001 × 48000 ÷ 44100 = 10885.44
    #expect(try first.value("file.frames") as? Int == 10_885)
    #expect(try first.value("file.sampleRateHertz") as? Int == 48_000)
    #expect(try Program.run(line + ["b.wav", "--threads", "2"], in: folder).code == 0)
    #expect(try folder.bytes("a.wav") == folder.bytes("b.wav"))
  }

  @Test func mapAndChannelsMoveChannels() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.samples([1, 10, 2, 20, 3, 30], channels: 2).bytes, to: "in.wav")
    func channels(_ options: String...) throws -> [[Int16]] {
      let result = try Program.run(["convert", "-q", "in.wav", "x.wav"] + options, in: folder)
      #expect(result.code == 0, "\(result.errors)")
      let wave = try WaveFile(reading: folder.bytes("x.wav"))
      return (0..<wave.channels).map { wave.channel($0) }
    }
    #expect(try channels() == [[1, 2, 3], [10, 20, 30]])
    #expect(try channels("--map", "1,0") == [[10, 20, 30], [1, 2, 3]])
    #expect(try channels("--map", "-1,0,1") == [[0, 0, 0], [1, 2, 3], [10, 20, 30]])
    #expect(try channels("-m1") == [[10, 20, 30]])
    #expect(try channels("--channels", "3") == [[1, 2, 3], [10, 20, 30], [0, 0, 0]])
    folder.write(WaveFile.samples([10, 30, 20, 40], channels: 2).bytes, to: "in.wav")
    #expect(try channels("--channels=1") == [[20, 30]], "the mean")
    folder.write(WaveFile.samples([7, 8]).bytes, to: "in.wav")
    #expect(try channels("--channels=2") == [[7, 8], [7, 8]], "mono goes to both")
  }

  @Test func theEncodingIsKeptWhereItCanBeAndChosenOtherwise() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(bits: 8, frames: 1000).bytes, to: "in8.wav")
    folder.write(WaveFile.noise(frames: 1000).bytes, to: "in16.wav")
    let cases: [(input: String, output: String, options: [String], encoding: String)] = [
      ("in8.wav", "a.wav", [], "pcm_u8"), ("in8.wav", "a.flac", [], "pcm_s8"), ("in16.wav", "b.flac", [], "pcm16"),
      ("in16.wav", "c.ogg", [], "vorbis"), ("in16.wav", "d.wav", ["-e", "f32"], "float32"),
      ("d.wav", "e.flac", [], "pcm24"), ("d.wav", "f.caf", [], "float32"), ("c.ogg", "g.wav", [], "pcm24"),
      ("in16.wav", "h.snd", ["-c", "aiff"], "pcm16"), ("in16.wav", "i.wav", ["--encoding=ima_adpcm"], "ima_adpcm"),
    ]
    for (input, output, options, encoding) in cases {
      let result = try Program.run(["convert", input, output, "--json"] + options, in: folder)
      #expect(try result.value("file.encoding") as? String == encoding, "\(input) to \(output): \(result.errors)")
    }
  }

  @Test func ditherFollowsItsSeed() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(bits: 24, frames: 2000).bytes, to: "in.wav")
    for (name, options) in [("none", []), ("a", ["--dither"]), ("b", ["--dither=1"]), ("c", ["--dither=2"])] {
      #expect(try Program.run(["convert", "-qe16", "in.wav", "\(name).wav"] + options, in: folder).code == 0)
    }
    #expect(try folder.bytes("a.wav") == folder.bytes("b.wav"))
    #expect(try folder.bytes("a.wav") != folder.bytes("c.wav"))
    #expect(try folder.bytes("a.wav") != folder.bytes("none.wav"))
  }

  @Test func textsGoAlongUnlessTheyAreToStay() throws {
    let folder = TemporaryFolder()
    // A title in a LIST chunk, as the RIFF specification of 1991 has it.
    let title: [UInt8] = Array("INFOINAM".utf8) + [6, 0, 0, 0] + Array("Title\0".utf8)
    var bytes = WaveFile.noise(frames: 50).bytes + Array("LIST".utf8) + [UInt8(title.count), 0, 0, 0] + title
    bytes[4] += UInt8(title.count + 8)
    folder.write(bytes, to: "in.wav")
    #expect(try Program.run("convert", "-q", "in.wav", "with.flac", in: folder).code == 0)
    #expect(try Program.run("convert", "-q", "in.wav", "without.flac", "--no-metadata", in: folder).code == 0)
    #expect(String(decoding: try folder.bytes("with.flac"), as: UTF8.self).contains("Title"))
    #expect(!String(decoding: try folder.bytes("without.flac"), as: UTF8.self).contains("Title"))
  }

  @Test func aFileIsNotConvertedIntoItself() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 44_100).bytes, to: "in.wav")
    let result = try Program.run("convert", "-q", "in.wav", "in.wav", "--rate=22050", in: folder)
    #expect(result.code == 2 && result.errors.contains("in.wav: this output would replace an input"))
    #expect(try WaveFile(reading: folder.bytes("in.wav")).frames == 44_100)
  }
}

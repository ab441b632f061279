import Foundation
import TestSupport
import Testing

/// `aubench compare`, as a shell sees it.
@Suite struct CompareTests {
  @Test func equalFilesAnswer0AndOthers7WithTheVerdictLast() throws {
    let folder = TemporaryFolder()
    let wave = WaveFile.noise(channels: 2, frames: 5_000)
    folder.write(wave.bytes, to: "a.wav")
    #expect(try Program.run("convert", "-q", "a.wav", "b.flac", in: folder).code == 0)
    let same = try Program.run("compare", "a.wav", "b.flac", in: folder)
    #expect(same.code == 0 && same.output.hasSuffix("\nsame: bit for bit\n"), "\(same.output)")

    var other = wave
    other.data[4 * 1_234 + 2] ^= 1
    folder.write(other.bytes, to: "c.wav")
    let different = try Program.run("compare", "c.wav", "a.wav", in: folder)
    #expect(different.code == 7 && different.errors.isEmpty)
    #expect(different.output.hasSuffix("\ndifferent: exact, first at frame 1234 (27.9819 ms), channel 1\n"))
    // One step of 16 bits is -90.31 dBFS.
    #expect(try Program.run("compare", "c.wav", "a.wav", "--peak", "-90", in: folder).code == 0)
    #expect(try Program.run("compare", "c.wav", "a.wav", "--peak", "-91", "-q", in: folder).code == 7)
  }

  @Test func aTruncatedFileAnd2ChannelsFor1Answer7() throws {
    let folder = TemporaryFolder()
    let wave = WaveFile.noise(channels: 2, frames: 5_000)
    folder.write(wave.bytes, to: "a.wav")
    var short = wave
    short.data.removeLast(4)
    folder.write(short.bytes, to: "short.wav")
    #expect(try Program.run("convert", "-q", "a.wav", "mono.wav", "--map", "0", in: folder).code == 0)
    for name in ["short.wav", "mono.wav"] {
      let result = try Program.run("compare", name, "a.wav", "--rms", "0", "--difference", "d.wav", in: folder)
      #expect(result.code == 7 && result.output.contains("FAIL shape"), "\(result.output)")
      #expect(!folder.exists("d.wav"))
    }
  }

  @Test func jsonHoldsChecksReadingsAndTheDifference() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.samples([100, 200, 300, 400], rate: 48_000).bytes, to: "a.wav")
    folder.write(WaveFile.samples([100, 200, 300, 144], rate: 48_000).bytes, to: "b.wav")
    let result = try Program.run("compare", "a.wav", "b.wav", "--json", "-d", "d.wav", in: folder)
    #expect(result.code == 7)
    #expect(try result.value("verdict") as? String == "different")
    #expect(try result.value("difference.frames") as? Int == 4)
    let checks = try #require(try result.value("checks") as? [[String: Any]])
    #expect(checks.count == 1 && checks[0]["id"] as? String == "exact")
    #expect((checks[0]["firstFailure"] as? [String: Any])?["frame"] as? Int == 3)
    let information = try #require(try result.value("information") as? [[String: Any]])
    #expect(information.compactMap { $0["id"] as? String } == ["ulps", "residual"])
    // 256 ÷ 32768: the last sample of the difference.
    let bits = try folder.bytes("d.wav").suffix(4).enumerated().reduce(UInt32(0)) { $0 | UInt32($1.1) << (8 * $1.0) }
    #expect(Float(bitPattern: bits) == 0.0078125)
  }

  @Test func wrongOptionsAndFilesAreSaid() throws {
    let folder = TemporaryFolder()
    let wave = WaveFile.noise(frames: 100)
    folder.write(wave.bytes, to: "a.wav")
    let lone = try Program.run("compare", "a.wav", "a.wav", "--delay", "3", in: folder)
    #expect(lone.code == 2 && lone.errors.contains("needs --align"))
    #expect(try Program.run("compare", "a.wav", "a.wav", "--peak", "loud", in: folder).code == 2)
    #expect(try Program.run("compare", "a.wav", "a.wav", "--window", "0", in: folder).code == 2)
    #expect(try Program.run("compare", "a.wav", "-", in: folder).code == 2)
    #expect(try Program.run("compare", "a.wav", "none.wav", in: folder).code == 4)
    let replaces = try Program.run("compare", "a.wav", "a.wav", "--difference", "a.wav", in: folder)
    #expect(replaces.code == 2)
    #expect(try folder.bytes("a.wav") == wave.bytes)
  }
}

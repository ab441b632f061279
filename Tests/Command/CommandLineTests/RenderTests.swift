import Foundation
import TestSupport
import Testing

@Suite struct RenderTests {
  @Test func theDemoIsTheSameBytesAgainAndWithAnyThreadsAndSlice() throws {
    let folder = TemporaryFolder()
    let lines = [
      ["a.wav"], ["b.wav"], ["c.wav", "--threads", "1"], ["d.wav", "--threads=2", "--slice", "1000"],
      ["e.wav", "-t1", "--slice=77"],
    ]
    for line in lines {
      let result = try Program.run(["render", Program.demo, "-q", "-o"] + line, in: folder)
      #expect(result.code == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result.errors)")
    }
    let first = try folder.bytes("a.wav")
    #expect(first.count > 1_000_000)
    for line in lines.dropFirst() { #expect(try folder.bytes(line[0]) == first, "\(line)") }
    #expect(folder.names == lines.map { $0[0] })
  }

  @Test func theDemoIsTheSameBytesWithEveryInstructionSet() throws {
    let folder = TemporaryFolder()
    for set in ["avx512", "avx2", "baseline"] {
      let result = try Program.shell(
        "AUBENCH_ISA=\(set) \"$AUBENCH\" render '\(Program.demo)' -q -o \(set).wav", in: folder)
      #expect(result.code == 0, "\(result.errors)")
    }
    #expect(try folder.bytes("avx512.wav") == folder.bytes("baseline.wav"))
    #expect(try folder.bytes("avx2.wav") == folder.bytes("baseline.wav"))
  }

  @Test(arguments: ["8000", "48000", "12345"])
  func anOutputOfAnotherRateIsTheSameBytesWithAnyThreadsAndSlice(rate: String) throws {
    let folder = TemporaryFolder()
    let lines = [
      ["a.wav", "-t1"], ["b.wav", "-t2"], ["c.wav", "-t3", "--slice", "1000"], ["d.wav", "-t2", "--slice=77"],
    ]
    for line in lines {
      let options = ["render", Program.demo, "-q", "--rate", rate, "--quality", "fast", "-o"]
      #expect(try Program.run(options + line, in: folder).code == 0)
    }
    for line in lines { #expect(try folder.bytes(line[0]) == folder.bytes("a.wav"), "\(line)") }
  }

  @Test func theReportTellsLengthFormatPeakAndSpeed() throws {
    let folder = TemporaryFolder()
    let text = try Program.run("render", Program.demo, "-o", "a.wav", "--seconds", "2", in: folder)
    #expect(text.code == 0)
    #expect(text.output.hasPrefix("a.wav: 0:02.000 (88200 frames), 44100 Hz, 2 channels, wav pcm24, "))
    #expect(text.output.contains("peak: -") && text.output.contains("x realtime"))
    #expect(text.errors.isEmpty, "no progress bar where there is no terminal")

    let json = try Program.run("render", Program.demo, "-o", "b.flac", "--seconds", "2", "-e16", "--json", in: folder)
    #expect(try json.value("file.frames") as? Int == 88_200)
    #expect(try json.value("file.encoding") as? String == "pcm16")
    #expect(try json.value("file.container") as? String == "flac")
    #expect(try json.value("file.sampleRateHertz") as? Double == 44_100)
    #expect(try json.value("durationSeconds") as? Double == 2)
    #expect(try (json.value("peakDecibels") as? [Double])?.count == 2)
    #expect(try json.value("file.bytes") as? Int == folder.bytes("b.flac").count)
    #expect(try json.value("realtimeFactor") is Double)
  }

  @Test func threadsAreTheCoresThatTheProcessMayUse() throws {
    let folder = TemporaryFolder()
    let line = "render '\(Program.demo)' -o x.wav --frames 10 --json"
    let bound = try Program.shell("exec taskset -c 0 \"$AUBENCH\" \(line)", in: folder)
    #expect(try bound.value("threads") as? Int == 1)
    let free = try Program.shell("\"$AUBENCH\" \(line) && nproc >&2", in: folder)
    #expect("\(try free.value("threads") as? Int ?? 0)\n" == free.errors)
  }

  @Test func lengthIsWhatWasAskedFor() throws {
    let folder = TemporaryFolder()
    // A tenth of a second of sound, then as much silence.
    let samples = [Int16](repeating: 1000, count: 4410) + [Int16](repeating: 0, count: 4410)
    folder.write(WaveFile.samples(samples).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "g.json")
    folder.write(GraphText.endless("in.wav"), to: "endless.json")
    func frames(_ graph: String, _ options: String...) throws -> Int? {
      let result = try Program.run(["render", graph, "-o", "x.wav", "--json"] + options, in: folder)
      return result.code == 0 ? try result.value("file.frames") as? Int : nil
    }
    #expect(try frames("g.json", "--no-tail") == 8820)
    #expect(try frames("g.json", "--frames", "123") == 123)
    #expect(try frames("g.json", "--frames", "0") == 0)
    #expect(try frames("g.json", "--seconds", "0.5") == 22_050)
    #expect(try frames("g.json", "--seconds", "0.5", "--rate", "48000") == 24_000)
    #expect(try frames("g.json", "--until-silent") == 8820)
    #expect(try frames("endless.json", "--until-silent=-90", "--cap", "2.5") == 110_250)
    // 2^31 passes of a file at 1 Hz, rendered at 256 times 256 times its rate, have more frames than there are numbers.
    folder.write(WaveFile.noise(rate: 1, frames: 50_000).bytes, to: "slow.wav")
    folder.write(
      """
      {"version": 1, "sampleRate": 200, "nodes": [
        {"id": "p", "unit": "filePlayer", "file": "slow.wav", "loops": 2147483648},
        {"id": "mix", "unit": "multichannelMixer"},
        {"id": "out", "unit": "genericOutput"}], "connections": ["p -> mix", "mix -> out"]}
      """, to: "long.json")
    for rate in ["200", "51200"] {
      #expect(try frames("long.json", "--rate", rate, "--until-silent", "--cap=0.5") == (rate == "200" ? 100 : 25_600))
    }
    #expect(try Program.run("describe", "long.json", "--rate", "51200", in: folder).code == 0)
    let endless = try Program.run("render", "endless.json", "-o", "y.wav", in: folder)
    #expect(endless.code == 2 && endless.errors.contains("never ends"), "\(endless.errors)")
  }

  @Test func setReplacesAParameterAndInputAFile() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.samples([100, -200, 300]).bytes, to: "in.wav")
    folder.write(WaveFile.samples([1000, 2000, -3000, 4000]).bytes, to: "other.wav")
    folder.write(GraphText.player("in.wav"), to: "g.json")
    func samples(_ options: String...) throws -> [Int16] {
      let line = ["render", "g.json", "-o", "x.wav", "-qe16", "--no-tail", "--set", "mix.pan@input:0=-1"] + options
      #expect(try Program.run(line, in: folder).code == 0)
      return try WaveFile(reading: folder.bytes("x.wav")).channel(0)
    }
    // Panned hard left, a mono source has gain 1 there.
    #expect(try samples() == [100, -200, 300])
    #expect(try samples("--set", "mix.volume@input:0=0.5") == [50, -100, 150])
    #expect(try samples("--set=mix.volume@input:0=0.5", "-s", "mix.volume@output=0.5") == [25, -50, 75])
    #expect(try samples("--input", "p=other.wav") == [1000, 2000, -3000, 4000])
    #expect(try samples("--input", "p=\(folder.file("other.wav"))") == [1000, 2000, -3000, 4000])
    #expect(try Program.run("describe", "g.json", "--input", "p=other.wav", in: folder).output.contains("other.wav"))
  }

  @Test func textsAreKeptUnlessTheyAreToStay() throws {
    let folder = TemporaryFolder()
    #expect(try Program.run("convert", "-q", Program.audio + "/piano.flac", "in.flac", in: folder).code == 0)
    // A Vorbis comment of a FLAC file, written by hand: TITLE=Crow.
    var bytes = try folder.bytes("in.flac")
    let comment = Array("\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{A}\u{0}\u{0}\u{0}TITLE=Crow".utf8)
    // In place of the block of comments (type 4, the last) behind the stream's own (4 + 4 + 34 bytes).
    try #require(bytes[42] == 0x84 && bytes[43] == 0)
    bytes.replaceSubrange(
      42..<(46 + Int(bytes[44]) * 256 + Int(bytes[45])), with: [0x84, 0, 0, UInt8(comment.count)] + comment)
    folder.write(bytes, to: "in.flac")
    folder.write(GraphText.player("in.flac"), to: "g.json")
    func has(_ name: String) throws -> Bool {
      String(decoding: try folder.bytes(name), as: UTF8.self).contains("Crow")
    }
    #expect(try Program.run("convert", "-q", "in.flac", "c.wav", in: folder).code == 0 && has("c.wav"))
    for (name, more, isKept) in [("a.wav", [], true), ("b.wav", ["--no-metadata"], false), ("d.flac", [], true)] {
      let result = try Program.run(["render", "g.json", "-qo", name, "--tap", "low=t.wav"] + more, in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(try has(name) == isKept && has("t.wav") == isKept, "\(name)")
    }
    let dropped = try Program.run("render", "g.json", "-o", "e.au", in: folder)
    #expect(dropped.output.contains("texts that au does not keep: title\n"), "\(dropped.output)")
  }

  @Test func tapsAreFilesOfTheirOwnFromTheSamePass() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 5000).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "g.json")
    let result = try Program.run(
      "render", "g.json", "-o", "x.wav", "--tap", "p=p.wav", "--tap=low=low.flac", "--no-tail", "-e", "pcm16", "--json",
      in: folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(try WaveFile(reading: folder.bytes("p.wav")).data == WaveFile(reading: folder.bytes("in.wav")).data)
    let taps = try #require(try result.value("taps") as? [[String: Any]])
    #expect(taps.map { $0["node"] as? String } == ["p", "low"])
    #expect(taps.map { $0["frames"] as? Int } == [5000, 5000])
    #expect(taps.map { $0["encoding"] as? String } == ["pcm16", "pcm16"])
    let text = try Program.run("render", "g.json", "-o", "x.wav", "--tap", "p=p.wav", in: folder)
    #expect(text.output.contains("\ntap p: p.wav, wav pcm24, "))
  }

  @Test func clippingIsCountedEvenWhenQuiet() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.samples([30_000, 100, -30_000, 100]).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "g.json")
    let line = [
      "render", "g.json", "-qo", "x.wav", "--no-tail", "-s", "mix.pan@input:0=-1", "-s", "mix.volume@output=2",
    ]
    let result = try Program.run(line, in: folder)
    #expect(result.code == 0)
    #expect(
      result.errors
        == "aubench: warning: x.wav: 2 samples clipped (25.00 %): lower the volume or use --encoding float32\n")
    #expect(try Program.run(line + ["-e", "float32"], in: folder).errors.isEmpty)
    #expect(try Program.run(line + ["--json"], in: folder).value("file.clippedSamples") as? Int == 2)
  }

  @Test func aFileThatIsThereIsReplacedOrKept() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 100).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "g.json")
    folder.write("precious", to: "x.wav")
    let kept = try Program.run("render", "g.json", "-o", "x.wav", "--no-clobber", in: folder)
    #expect(kept.code == 5 && kept.errors.contains("exists already"))
    #expect(try folder.bytes("x.wav") == Array("precious".utf8))
    #expect(try Program.run("render", "g.json", "-o", "x.wav", in: folder).code == 0)
    #expect(try folder.bytes("x.wav").starts(with: "RIFF".utf8))
  }

  @Test func rateConvertsTheOutputAndGraphRateMovesTheGraph() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(rate: 22_050, frames: 2205).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "g.json")
    let cases: [(options: [String], rate: Int, frames: Int)] = [
      ([], 44_100, 4410), (["--rate=48000"], 48_000, 4800), (["--graph-rate", "96000"], 96_000, 9600),
    ]
    for (options, rate, frames) in cases {
      let line = ["render", "g.json", "-o", "x.wav", "--no-tail", "--json"] + options
      let result = try Program.run(line, in: folder)
      #expect(try result.value("file.sampleRateHertz") as? Int == rate)
      #expect(try result.value("file.frames") as? Int == frames)
    }
    let fast = try Program.run("render", "g.json", "-qo", "y.wav", "--rate=48000", "--quality=fast", in: folder)
    #expect(fast.code == 0)
    #expect(try Program.run("render", "g.json", "-qo", "z.wav", "--rate=48000", in: folder).code == 0)
    #expect(try folder.bytes("y.wav") != folder.bytes("z.wav"))
  }
}

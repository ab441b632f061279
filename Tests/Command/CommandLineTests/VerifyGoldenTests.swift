import Foundation
import Glibc
import TestSupport
import Testing

/// `aubench verify` and the files that it writes: goldens, what failed cases leave, reports.
@Suite struct VerifyGoldenTests {
  private func suite(_ ids: [String] = ["a", "b"]) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    for id in ids { folder.write(WaveFile.floats([0.5, -0.25, 0.125, 0]), to: "\(id).wav") }
    let cases = ids.map { Suites.testCase($0, Suites.shell("cp \($0).wav $2"), check: Suites.golden) }
    folder.write(Suites.text(cases), to: "s.json")
    return folder
  }

  private func contents(_ folder: TemporaryFolder, _ name: String) -> [String: Data] {
    var found: [String: Data] = [:]
    for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder.file(name))) ?? [] {
      found[path] = FileManager.default.contents(atPath: folder.file("\(name)/\(path)"))
    }
    return found
  }

  @Test func goldensAreWrittenForTheCasesThatAreNamedAndNoOthers() throws {
    let folder = try suite()
    #expect(try Program.run("verify", "s.json", in: folder).code == 8)
    #expect(!folder.exists("golden"))
    let first = try Program.run("verify", "s.json", "--case", "a", "--bless=missing", "--reason", "one", in: folder)
    #expect(first.code == 0 && first.lastLine.hasPrefix("PASS  1 case"))
    #expect(contents(folder, "golden/s").keys.sorted() == ["a.flac", "a.json"])
    #expect(try Program.run("verify", "s.json", "--bless=missing", "--reason", "two", in: folder).code == 0)
    #expect(try Program.run("verify", "s.json", in: folder).code == 0)
    let before = contents(folder, "golden/s")
    #expect(before.keys.sorted() == ["a.flac", "a.json", "b.flac", "b.json"])
    // Both sounds change; one of them is meant to.
    for id in ["a", "b"] { folder.write(WaveFile.floats([0.5, -0.25, 0.375, 0]), to: "\(id).wav") }
    let missing = try Program.run("verify", "s.json", "--bless=missing", "--reason", "no", in: folder)
    #expect(missing.code == 7 && contents(folder, "golden/s") == before)
    #expect(try Program.run("verify", "s.json", "--case", "s/b", "--bless", "--reason", "meant", in: folder).code == 0)
    let after = contents(folder, "golden/s")
    #expect(after["a.json"] == before["a.json"] && after["a.flac"] == before["a.flac"])
    #expect(after["b.flac"] != before["b.flac"])
    let record = String(decoding: try #require(after["b.json"]), as: UTF8.self)
    #expect(record.contains("\"two\"") && record.contains("\"meant\""))
    let last = try Program.run("verify", "s.json", "--json", in: folder)
    #expect(last.code == 7)
    #expect(try last.verdicts() == ["s/a": "failed", "s/b": "passed"])
  }

  @Test func blessingSaysWhatWasAndWhatIs() throws {
    let folder = try suite(["a"])
    _ = try Program.run("verify", "s.json", "--bless=missing", "--reason", "one", in: folder)
    folder.write(WaveFile.floats([0.5, -0.25, 0.625, 0]), to: "a.wav")
    let result = try Program.run("verify", "s.json", "--json", "--bless", "--reason", "two", in: folder)
    let checks = try #require((try result.value("cases") as? [[String: Any]])?.first?["checks"] as? [[String: Any]])
    let found = try #require(checks.first?["found"] as? String)
    // 0.625 where 0.125 was: half of full scale, −6.02 dBFS.
    #expect(found.hasPrefix("blessed: it was ") && found.contains("peak −6.02 dBFS"), "\(found)")
  }

  @Test func aFailedCaseLeavesWhatItGaveWhatWasExpectedAndTheDifference() throws {
    let folder = try suite(["a"])
    _ = try Program.run("verify", "s.json", "--bless=missing", "--reason", "one", in: folder)
    #expect(!folder.exists("verify-results"), "what passes leaves nothing")
    folder.write(WaveFile.floats([0.5, -0.25, 0.625, 0.0625, 0.25, 0]), to: "a.wav")
    let result = try Program.run("verify", "s.json", "-o", "left", in: folder)
    #expect(result.code == 7)
    for name in ["actual", "expected", "difference"] { #expect(result.output.contains("left/s/a/\(name).wav")) }
    #expect(try WaveFile.floats(reading: folder.bytes("left/s/a/actual.wav")) == [0.5, -0.25, 0.625, 0.0625, 0.25, 0])
    #expect(try WaveFile.floats(reading: folder.bytes("left/s/a/expected.wav")) == [0.5, -0.25, 0.125, 0])
    // actual − expected, as long as the longer one.
    #expect(try WaveFile.floats(reading: folder.bytes("left/s/a/difference.wav")) == [0, 0, 0.5, 0.0625, 0.25, 0])
    // Files of this failure that the next one does not write are removed.
    try FileManager.default.removeItem(atPath: folder.file("golden"))
    #expect(try Program.run("verify", "s.json", "-o", "left", in: folder).code == 8)
    #expect(contents(folder, "left/s/a").keys.sorted() == ["actual.wav"])
  }

  @Test func samplesThatAreNoNumbersAreNeverAGolden() throws {
    let folder = try suite(["a"])
    folder.write(WaveFile.floats([0.5, .nan, 0, 0]), to: "a.wav")
    for mode in ["missing", "failed", "all"] {
      let result = try Program.run("verify", "s.json", "--case", "*", "--bless=\(mode)", "--reason", "x", in: folder)
      #expect(result.code == 10 && result.output.contains("no finite number"))
      #expect(!folder.exists("golden"))
    }
  }

  @Test func reportsAreWrittenWholeWhateverTheVerdict() throws {
    let folder = try suite()
    let result = try Program.run(
      "verify", "s.json", "--report", "r.json", "--junit", "r.xml", "--html", "r.html", in: folder)
    #expect(result.code == 8)
    #expect(folder.names == ["a.wav", "b.wav", "r.html", "r.json", "r.xml", "s.json", "verify-results"])
    let json = String(decoding: try folder.bytes("r.json"), as: UTF8.self)
    let report = Program.Result(code: 0, output: json, errors: "")
    #expect(try report.verdicts() == ["s/a": "unblessed", "s/b": "unblessed"])
    let counts = try #require(try report.value("counts") as? [String: Int])
    #expect(counts["unblessed"] == 2)
    let xml = String(decoding: try folder.bytes("r.xml"), as: UTF8.self)
    #expect(xml.hasPrefix("<?xml") && xml.hasSuffix("</testsuites>\n") && xml.contains("s.json"))
    let html = String(decoding: try folder.bytes("r.html"), as: UTF8.self)
    #expect(html.lowercased().hasPrefix("<!doctype html>") && html.hasSuffix("</html>\n"))
    // A report that cannot be written is an error of its own.
    let nowhere = try Program.run("verify", "s.json", "--report", "none/r.json", in: folder)
    #expect(nowhere.code == 5 && nowhere.errors.contains("none"))
  }

  @Test func theSuiteOfAGraphNamesTheNodeThatChanged() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 3000).bytes, to: "in.wav")
    func graph(_ gain: Double) -> String {
      """
      {"version": 1, "nodes": [{"id": "p", "unit": "filePlayer", "file": "in.wav"},
        {"id": "low", "unit": "lowPassFilter"}, {"id": "eq", "unit": "parametricEQ", "set": {"gain": \(gain)}},
        {"id": "high", "unit": "highPassFilter"}, {"id": "out", "unit": "genericOutput"}],
       "connections": ["p -> low", "low -> eq", "eq -> high", "high -> out"]}
      """
    }
    folder.write(graph(3), to: "g.json")
    folder.write(
      Suites.text([Suites.testCase("g", #"{"graph": "g.json"}"#, check: Suites.golden)]), to: "s.json")
    #expect(try Program.run("verify", "s.json", "--bless=missing", "--reason", "x", in: folder).code == 0)
    #expect(try Program.run("verify", "s.json", "--slice", "37", "--threads", "2", in: folder).code == 0)
    folder.write(graph(3.001), to: "g.json")
    let result = try Program.run("verify", "s.json", in: folder)
    #expect(result.code == 7 && result.output.contains("\"eq\" is the first"), "\(result.output)")
  }

  /// Kills a blessing as soon as so many things have happened in the folder of the goldens.
  private func bless(_ folder: TemporaryFolder, killingAfter count: Int) throws {
    let watch = inotify_init1(Int32(IN_NONBLOCK))
    try #require(watch >= 0)
    defer { close(watch) }
    try #require(
      inotify_add_watch(watch, folder.file("golden/s"), UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)) >= 0)
    let run = try Program.Running(
      [Program.path, "verify", "s.json", "--case", "a", "--bless=all", "--reason", "\(count)"], in: folder)
    var (events, buffer) = (0, [UInt8](repeating: 0, count: 4096))
    while events < count, isAlive(run.pid) {
      let got = read(watch, &buffer, buffer.count)
      var offset = 0
      while offset < got {
        // The length of the name is the last of four words before it.
        offset += 16 + (0..<4).reduce(0) { $0 | Int(buffer[offset + 12 + $1]) << (8 * $1) }
        events += 1
      }
      var waiting = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, 20)
    }
    kill(run.pid, SIGKILL)
    _ = try run.wait()
  }

  @Test func aBlessingThatIsKilledLeavesTheOldGoldenOrTheNewOne() throws {
    let folder = try suite(["a"])
    let sounds = [UInt64(1), 2].map { seed in
      var generator = SeededGenerator(seed: seed)
      return WaveFile.floats(generator.noise(frames: 40_000, amplitude: 0.5))
    }
    func passes(_ sound: [UInt8]) throws -> Bool {
      folder.write(sound, to: "a.wav")
      let result = try Program.run("verify", "s.json", in: folder)
      #expect([0, 7].contains(result.code) && !result.output.contains("not the file"), "\(result.output)")
      return result.code == 0
    }
    folder.write(sounds[0], to: "a.wav")
    #expect(try Program.run("verify", "s.json", "--bless=missing", "--reason", "one", in: folder).code == 0)
    // A name and a renaming each for the record that names both, the sound, and the record.
    for count in 1...6 {
      folder.write(sounds[count % 2], to: "a.wav")
      try bless(folder, killingAfter: count)
      let passed = try sounds.map(passes)
      #expect(passed.count { $0 } == 1, "\(count): \(passed)")
    }
  }
}

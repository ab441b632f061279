import Foundation
import Glibc
import TestSupport
import Testing

/// `aubench verify`, as a user runs it.
@Suite struct VerifyTests {
  // MARK: Answers

  /// Cases that end in every way, and the answer of a suite of them.
  static let answers: [(cases: [String], code: Int32, verdict: String)] = [
    (
      [Suites.testCase("a"), Suites.testCase("b", more: #""skip": "not today","#)], 0,
      "PASS  2 cases, 1 of them skipped"
    ),
    ([Suites.testCase("a", more: #""skip": "not today","#)], 7, "FAIL  nothing was checked: 1 case skipped"),
    (
      [Suites.testCase("a"), Suites.testCase("b", check: #"{"check": "length", "channels": 1}"#)], 7,
      "FAIL  1 of 2 cases failed"
    ),
    ([Suites.testCase("a"), Suites.testCase("b", check: Suites.golden)], 8, "UNBLESSED  1 of 2 cases unblessed"),
    (
      [Suites.testCase("a", Suites.shell("kill -SEGV $$")), Suites.testCase("b", check: Suites.golden)], 9,
      "FAIL  1 of 2 cases crashed, 1 unblessed"
    ),
    (
      [Suites.testCase("a", #"{"unit": "iPodQE"}"#), Suites.testCase("b", Suites.shell("kill -SEGV $$"))], 10,
      "FAIL  1 of 2 cases crashed, 1 could not be run"
    ),
  ]

  @Test(arguments: answers.indices)
  func theWorstCaseIsTheAnswerAndTheLastLineTheVerdict(_ index: Int) throws {
    let (cases, code, verdict) = Self.answers[index]
    let folder = TemporaryFolder()
    folder.write(Suites.text(cases), to: "s.json")
    let result = try Program.run("verify", "s.json", in: folder)
    #expect(result.code == code && result.lastLine.hasPrefix(verdict), "\(result.output)\(result.errors)")
    #expect(result.errors.isEmpty)
    // A case that did not pass is named with a line that runs it alone, and that line has the same result.
    if code != 0, !verdict.hasPrefix("FAIL  nothing") {
      let line = try #require(result.output.split(separator: "\n").first { $0.contains("run alone") })
      #expect(line.contains("aubench verify s.json --case s/"))
    }
    let quiet = try Program.run("verify", "--quiet", "s.json", in: folder)
    #expect(quiet.code == code && quiet.output.isEmpty && quiet.errors.isEmpty)
    let json = try Program.run("verify", "--json", "s.json", in: folder)
    #expect(json.code == code)
    #expect(try json.verdicts().count == cases.count)
  }

  static let wrong: [(line: String, code: Int32, message: String)] = [
    ("", 2, "SUITE is missing"),
    ("none.json", 10, "no such suite file"),
    (".", 10, "is not a file"),
    ("bad.json", 10, "bad.json: case \"a\", key \"divice\": unknown key; did you mean \"device\"?"),
    ("s.json bad.json", 10, "bad.json"),
    ("s.json --case x", 2, "no case of the suites has such an id"),
    ("s.json --list --case x", 2, "no case of the suites has such an id"),
    ("s.json other/s.json", 2, "same name"),
    ("s.json --bless", 2, "add --reason"),
    ("s.json --bless=missing", 2, "add --reason"),
    ("s.json --bless=some --reason x", 2, "choose missing, failed or all"),
    ("s.json --bless=never --reason x", 2, "choose missing, failed or all"),
    ("s.json --bless=all --reason x", 2, "--case"),
    ("s.json --reason x", 2, "goes with --bless"),
    ("s.json --jobs 0", 2, "from 1 to 256"),
    ("s.json --shuffle=x", 2, "a seed"),
    ("s.json --shufle", 2, "did you mean --shuffle?"),
  ]

  @Test(arguments: wrong.indices)
  func aWrongLineOrSuiteSaysWhatIsWrongBeforeAnythingRuns(_ index: Int) throws {
    let (line, code, message) = Self.wrong[index]
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("other"), withIntermediateDirectories: true)
    let suite = Suites.text([Suites.testCase("a", Suites.shell("touch ran; cp $1 $2"))])
    folder.write(suite, to: "s.json")
    folder.write(suite, to: "other/s.json")
    folder.write(
      Suites.text([#"{"id": "a", "divice": {}}"#]).replacing(
        "divice\": {}", with: "device\": {\"unit\": \"iPodEQ\"}, \"checks\": [{\"check\": \"golden\"}], \"divice\": 1"),
      to: "bad.json")
    let result = try Program.run(["verify"] + line.split(separator: " ").map(String.init), in: folder)
    #expect(result.code == code && result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty && result.errors.filter { $0 == "\n" }.count == 1)
    #expect(folder.names == ["bad.json", "other", "s.json"])
  }

  // MARK: Devices that misbehave

  struct Device: Sendable {
    let line: String
    let verdict: String
    /// The words of the case's message or of its check.
    let words: [String]
    var check = #"{"check": "length", "frames": 24000, "channels": 2, "sampleRate": 48000}"#
    var more = ""
  }

  static let devices: [String: Device] = [
    "hangs": Device(
      line: "sleep 1000", verdict: "timedOut", words: ["had not ended after 0.2 seconds"], more: #", "seconds": 0.2"#),
    "crashes": Device(
      line: "echo last words >&2; kill -SEGV $$", verdict: "crashed", words: ["SIGSEGV", "last words"]),
    "aborts": Device(line: "kill -ABRT $$", verdict: "crashed", words: ["SIGABRT"]),
    "kills its parent": Device(line: "kill -9 $PPID", verdict: "crashed", words: ["SIGKILL"]),
    "answers 3": Device(
      line: "echo no such filter >&2; exit 3", verdict: "failed", words: ["code 3", "no such filter"]),
    "prints rubbish": Device(
      line: "head -c 300000 /dev/urandom; head -c 300000 /dev/urandom >&2; cp $1 $2", verdict: "passed", words: []),
    "prints rubbish and fails": Device(
      line: "head -c 3000 /dev/urandom >&2; exit 1", verdict: "failed", words: ["code 1"]),
    "writes nothing": Device(line: "true", verdict: "failed", words: ["wrote nothing to {out}"]),
    "writes an empty file": Device(line: ": > $2", verdict: "failed", words: ["no sound file"]),
    "writes text": Device(line: "echo hello > $2", verdict: "failed", words: ["no sound file", "hello"]),
    "makes a folder": Device(line: "mkdir $2", verdict: "failed", words: ["{out}"]),
    "leaves a pipe": Device(line: "mkfifo $2", verdict: "failed", words: ["{out}"]),
    "writes half a file": Device(
      line: "head -c 1000 $1 > $2", verdict: "failed", words: ["no sound file", "24000 frames"]),
    "gives one channel": Device(line: "cp mono.wav $2", verdict: "failed", words: ["1 channel"]),
    "gives another rate": Device(line: "cp rate.wav $2", verdict: "failed", words: ["44100 Hz"]),
    "gives NaN": Device(
      line: "cp nan.wav $2", verdict: "failed", words: ["nan is no finite number"],
      check: #"{"check": "length", "channels": 2}"#),
    "gives infinity": Device(
      line: "cp infinite.wav $2", verdict: "failed", words: ["inf is no finite number"], check: Suites.golden),
    "gives no frames": Device(line: "cp empty.wav $2", verdict: "failed", words: ["0 frames"]),
  ]

  @Test func devicesThatMisbehaveAreResultsLikeOthers() throws {
    let folder = TemporaryFolder()
    let silence = [Float](repeating: 0, count: 48_000)
    folder.write(WaveFile.floats(Array(silence.prefix(24_000)), channels: 1), to: "mono.wav")
    folder.write(WaveFile.floats(silence, rate: 44_100), to: "rate.wav")
    folder.write(WaveFile.floats([0, .nan, 0, 0]), to: "nan.wav")
    folder.write(WaveFile.floats([0, 0, .infinity, 0]), to: "infinite.wav")
    folder.write(WaveFile.floats([]), to: "empty.wav")
    let cases = Self.devices.sorted { $0.key < $1.key }.map { name, device in
      Suites.testCase(name, Suites.shell(device.line, more: device.more), check: device.check)
    }
    folder.write(Suites.text(cases), to: "s.json")
    let result = try Program.run("verify", "s.json", "--json", in: folder)
    #expect(result.code == 9)
    let found = try #require(try result.value("cases") as? [[String: Any]])
    #expect(found.count == Self.devices.count)
    for one in found {
      let id = try #require(one["id"] as? String)
      let device = try #require(Self.devices[String(id.dropFirst(2))])
      #expect(one["verdict"] as? String == device.verdict, "\(one)")
      let text = "\(one)"
      for word in device.words { #expect(text.contains(word), "\(id): no \(word) in \(text)") }
    }
  }

  @Test func aCaseThatTakesTooLongEndsWithAllThatItStarted() throws {
    let folder = TemporaryFolder()
    let line = "sleep 1000 & echo $! > child; echo $$ > shell; wait"
    folder.write(
      Suites.text([Suites.testCase("a", Suites.shell(line), more: #""limits": {"seconds": 2},"#), Suites.testCase("b")]
      ),
      to: "s.json")
    let result = try Program.run("verify", "s.json", "--json", in: folder)
    #expect(result.code == 9)
    #expect(try result.verdicts() == ["s/a": "timedOut", "s/b": "passed"])
    #expect(result.output.contains("it had not ended after 2.0 s"))
    for name in ["child", "shell"] {
      let process = try folder.awaitProcess(name, while: { false })
      #expect(!isAlive(process), "\(name)")
    }
  }

  @Test func aCaseThatTakesTooMuchMemoryIsAResultOfItsOwn() throws {
    let folder = TemporaryFolder()
    // 2 GiB of samples in 1 GiB of address space.
    let more = #""limits": {"memoryMegabytes": 1024}, "stimulus": {"type": "silence", "frames": 134217728},"#
    folder.write(
      Suites.text([Suites.testCase("a", #"{"unit": "iPodEQ"}"#, more: more), Suites.testCase("b")]), to: "s.json")
    let result = try Program.run("verify", "s.json", "--json", in: folder)
    // The bound on memory refuses it before anything is allocated.
    #expect(result.code == 10)
    #expect(try result.verdicts() == ["s/a": "error", "s/b": "passed"])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsTheRunWithAllThatItStarted(_ signal: Int32) throws {
    let folder = TemporaryFolder()
    folder.write(
      Suites.text(
        [Suites.testCase("a", Suites.shell("sleep 1000 & echo $! > child; wait"))]
          + (0..<9).map { Suites.testCase("b\($0)", Suites.shell("sleep 1000")) }), to: "s.json")
    let running = try Program.Running(
      [Program.path, "verify", "s.json", "--jobs", "2", "--report", "r.json", "--junit", "r.xml", "--html", "r.html"],
      in: folder)
    let child = try folder.awaitProcess("child", while: { kill(running.pid, 0) == 0 })
    kill(running.pid, signal)
    let result = try running.wait()
    #expect(result.code == 128 + signal, "\(result.errors)")
    #expect(result.errors.filter { $0 == "\n" }.count == 1 && result.errors.contains("stopped before the last case"))
    #expect(folder.names == ["child", "s.json"])
    #expect(!isAlive(child))
  }

  // MARK: Which cases, and in which order

  @Test func caseNamesAndPatternsChoose() throws {
    let folder = TemporaryFolder()
    folder.write(Suites.text(["low", "high", "low pass"].map { Suites.testCase($0) }), to: "one.json")
    folder.write(Suites.text(["low"].map { Suites.testCase($0, more: #""skip": "later","#) }), to: "two.json")
    for (patterns, ids) in [
      ([], ["one/low", "one/high", "one/low pass", "two/low"]), (["low"], ["one/low", "two/low"]),
      (["one/low"], ["one/low"]), (["one/*"], ["one/low", "one/high", "one/low pass"]),
      (["*low*"], ["one/low", "one/low pass", "two/low"]), (["two/*", "high"], ["one/high", "two/low"]),
      (["*/l*s"], ["one/low pass"]),
    ] as [([String], [String])] {
      let words = ["verify", "one.json", "two.json"] + patterns.flatMap { ["--case", $0] }
      let list = try Program.run(words + ["--list"], in: folder)
      #expect(list.code == 0)
      #expect(list.output.split(separator: "\n").map { $0.components(separatedBy: "  ")[0] } == ids)
      #expect(list.output.contains("skipped: later") == ids.contains("two/low"))
      let run = try Program.run(words + ["--json"], in: folder)
      #expect(run.code == 0)
      #expect(try run.verdicts().keys.sorted() == ids.sorted())
    }
  }

  @Test func orderAndNumberOfJobsChangeNoVerdict() throws {
    let folder = TemporaryFolder()
    let checks = [#"{"check": "length", "channels": 2}"#, #"{"check": "length", "channels": 1}"#, Suites.golden]
    folder.write(
      Suites.text((0..<9).map { Suites.testCase("c\($0)", check: checks[$0 % 3]) }), to: "s.json")
    let plain = try Program.run("verify", "s.json", "--json", "--jobs=1", in: folder)
    for words in [["--jobs=7"], ["--shuffle"], ["--shuffle=5", "--jobs=3"], ["--shuffle=6", "--jobs=1"]] {
      let other = try Program.run(["verify", "s.json", "--json"] + words, in: folder)
      #expect(other.code == plain.code)
      #expect(try other.verdicts() == plain.verdicts())
      // Told in the order of the suite.
      let ids = try (other.value("cases") as? [[String: Any]])?.compactMap { $0["id"] as? String }
      #expect(ids == (0..<9).map { "s/c\($0)" })
    }
  }

  @Test func pathsInASuiteAreRelativeToItsFolder() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("deep/er"), withIntermediateDirectories: true)
    folder.write(WaveFile.floats([0.5, 0.25]), to: "deep/er/sound.wav")
    folder.write(
      Suites.text([
        Suites.testCase("a", Suites.sound, check: #"{"check": "sameAs", "file": "sound.wav"}, \#(Suites.golden)"#)
      ]), to: "deep/er/s.json")
    for words in [["deep/er/s.json"], [folder.file("deep/er/s.json")]] {
      let result = try Program.run(["verify"] + words + ["--bless=missing", "--reason", "x"], in: folder)
      #expect(result.code == 0, "\(result.output)")
    }
    #expect(folder.exists("deep/er/golden/s/a.flac") && folder.names == ["deep"])
  }
}

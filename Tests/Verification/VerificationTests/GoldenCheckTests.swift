import AudioCore
import BatchRender
import Foundation
import Measurement
import Testing

import Verification

@Suite("Goldens")
struct GoldenCheckTests {
  private static let golden = #"{"check": "golden"}"#
  /// A case whose output is `sound.wav` of the folder, so that the sound can change while the case stays as it is.
  private static let sounding = caseText("a", ShellDevice.sound, checks: golden)

  private func record(_ folder: SuiteFolder, _ name: String = "a") throws -> GoldenRecord {
    try #require(try GoldenStore(folder: folder.file("golden/suite")).golden(name)?.record)
  }

  private func blessed(_ sound: AudioSignal = noiseSignal(), _ text: String = sounding) throws -> SuiteFolder {
    let folder = try SuiteFolder()
    try folder.write(sound, "sound.wav")
    #expect(try folder.run(text, blessing: .missing, reason: "first").verdict == .passed)
    return folder
  }

  @Test("Without a golden a case is unblessed, and nothing is written")
  func missing() throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(), "sound.wav")
    let outcome = try folder.run(Self.sounding)
    #expect(outcome.verdict == .unblessed)
    #expect(outcome.checks.map(\.found) == ["there is no golden"])
    #expect(try folder.contents().keys.sorted() == ["sound.wav", "suite.json"])
  }

  @Test("A blessed golden passes bit for bit, and its record says why, when, by what and on what it was made")
  func blessing() throws {
    let folder = try blessed()
    let again = try folder.run(Self.sounding)
    #expect(again.verdict == .passed && again.checks[0].found == "the same bits")
    let record = try record(folder)
    #expect(record.id == "suite/a" && record.name == "a" && record.version == 2)
    let making = try #require(record.history.first)
    #expect(record.history.count == 1 && making.reason == "first" && making.program == "aubench \(Program.version)")
    #expect(making.machine["processor"]?.isEmpty == false && making.machine["instructionSet"]?.isEmpty == false)
    #expect(making.date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    let audio = try #require(record.audio)
    #expect(audio.frames == 2000 && audio.channels == 2 && audio.sampleRate == 48_000 && audio.bits == 16)
    // The kept file has the sound, to 16 bits.
    let kept = try AudioSignal(contentsOf: folder.file("golden/suite/a.flac"))
    for (channel, samples) in noiseSignal().channels.enumerated() {
      #expect(zip(samples, kept.channels[channel]).allSatisfy { abs($0 - $1) <= 0.51 / 32_768 })
    }
  }

  @Test("One bit of one sample makes a golden fail, though its kept sound cannot show it")
  func oneBit() throws {
    let folder = try blessed()
    var changed = noiseSignal()
    changed.channels[1][1234] = Double(Float(changed.channels[1][1234]).nextUp)
    try folder.write(changed, "sound.wav")
    let outcome = try folder.run(Self.sounding)
    #expect(outcome.verdict == .failed)
    #expect(outcome.checks[0].found.contains("other bits, by less than the 16 bits of the golden tell"))
  }

  @Test("A zero of the other sign makes a golden fail")
  func zeroSign() throws {
    var sound = noiseSignal()
    sound.channels[0][7] = 0
    let folder = try blessed(sound)
    sound.channels[0][7] = -0.0
    try folder.write(sound, "sound.wav")
    #expect(try folder.run(Self.sounding).verdict == .failed)
  }

  @Test("A click is found in its frame and on its channel")
  func click() throws {
    let folder = try blessed()
    var changed = noiseSignal()
    changed.channels[1][1234] += 0.25
    try folder.write(changed, "sound.wav")
    let check = try folder.run(Self.sounding).checks[0]
    #expect(check.verdict == .failed && check.firstFailure?.frame == 1234 && check.firstFailure?.channel == 1)
    #expect(check.firstFailure?.seconds == 1234 / 48_000.0)
  }

  @Test("Another length, another number of channels and another rate fail, and say so")
  func shapes() throws {
    let folder = try blessed()
    for (sound, words) in [
      (noiseSignal(frames: 1999), ["1999", "2000"]), (noiseSignal(frames: 2001), ["2001", "2000"]),
      (noiseSignal(channels: 1), ["1", "2"]), (noiseSignal(sampleRate: 44_100), ["44100", "48000"]),
    ] {
      try folder.write(sound, "sound.wav")
      let check = try folder.run(Self.sounding).checks[0]
      #expect(check.verdict == .failed)
      for word in words { #expect(check.found.contains(word), "\(check.found)") }
    }
  }

  @Test(
    "Another device, stimulus or rate leaves a case unblessed until it is blessed again; both makings are on record")
  func otherVersion() throws {
    let folder = try blessed()
    for (index, text) in [
      caseText("a", ShellDevice.line("cp sound.wav $2"), checks: Self.golden),
      caseText("a", ShellDevice.sound, checks: Self.golden, more: #""stimulus": {"seed": 2},"#),
      caseText("a", String(ShellDevice.sound.dropLast()) + #", "channels": 1}"#, checks: Self.golden),
      caseText("a", ShellDevice.sound, checks: Self.golden, more: #""sampleRate": 44100,"#),
    ].enumerated() {
      let outcome = try folder.run(text)
      #expect(outcome.verdict == .unblessed && outcome.checks[0].found.contains("another version"))
      #expect(try folder.run(text, blessing: .missing, reason: "edit \(index)").verdict == .passed)
      #expect(try folder.run(text).verdict == .passed)
      #expect(try record(folder).history.map(\.reason) == (["first"] + (0...index).map { "edit \($0)" }))
    }
    // Checks, limits and words about the case are no part of what the golden answers.
    let last = caseText(
      "a", ShellDevice.sound, checks: #"{"check": "length", "frames": 2000}"#, Self.golden,
      more: #""sampleRate": 44100, "about": "x", "limits": {"seconds": 9},"#)
    #expect(try folder.run(last).verdict == .passed)
  }

  /// The contents of the folder before a run.
  enum State: String, CaseIterable, Sendable { case none, same, different, otherVersion, damaged, soundless }

  @Test("Each mode writes what it says, and nothing else", arguments: GoldenPolicy.Mode.allCases, State.allCases)
  func modes(_ mode: GoldenPolicy.Mode, _ state: State) throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(), "sound.wav")
    if state != .none { #expect(try folder.run(Self.sounding, blessing: .missing, reason: "1").verdict == .passed) }
    var text = Self.sounding
    switch state {
    case .none, .same: break
    case .different: try folder.write(noiseSignal(seed: 2), "sound.wav")
    case .otherVersion: text = caseText("a", ShellDevice.line("cp sound.wav $2"), checks: Self.golden)
    case .damaged: try folder.write("{", "golden/suite/a.json")
    case .soundless: try FileManager.default.removeItem(atPath: folder.file("golden/suite/a.flac"))
    }
    let before = try folder.contents()
    let outcome = try folder.run(text, blessing: mode, reason: "2")
    var after = try folder.contents()
    let writes =
      switch (mode, state) {
      case (.never, _): false
      case (.missing, .none), (.missing, .otherVersion): true
      case (.missing, _): false
      case (.failed, .same): false
      // A file that is no record is never replaced.
      case (_, .damaged): false
      case (.failed, _), (.all, _): true
      }
    let stored = try GoldenStore(folder: folder.file("golden/suite")).golden("a")
    let reason = stored?.record?.history.last?.reason
    #expect((reason == "2") == writes)
    if writes {
      #expect(outcome.verdict == .passed && outcome.checks[0].found.hasPrefix("blessed: "))
      #expect(try folder.run(text).verdict == .passed)
    } else {
      after["suite.json"] = before["suite.json"]
      #expect(after == before)
      let expected: Verdict =
        switch state {
        case .none, .otherVersion: .unblessed
        case .same: .passed
        case .damaged where mode == .failed || mode == .all: .error
        case .different, .damaged, .soundless: .failed
        }
      #expect(outcome.verdict == expected)
    }
  }

  @Test("A record that cannot be read fails, and names the file and what to do")
  func damage() throws {
    for (text, words) in [
      ("", ["not the record of a golden", "move it away"]), ("{\"version\": 1}", ["not the record of a golden"]),
      ("{\"id\": \"suite/a\"}", ["it has no version"]),
      ("{\n<<<<<<< ours\n", ["the marks of a merge that is not resolved"]),
    ] {
      let folder = try blessed()
      try folder.write(text, "golden/suite/a.json")
      let outcome = try folder.run(Self.sounding)
      #expect(outcome.verdict == .failed, "\(text)")
      for word in words + ["golden/suite/a.json"] {
        #expect(outcome.checks[0].found.contains(word), "\(outcome.checks[0].found)")
      }
    }
    // A record of a later version is not overwritten either.
    let folder = try blessed()
    try folder.write("{\"version\": 3}", "golden/suite/a.json")
    let later = try folder.run(Self.sounding, blessing: .all)
    #expect(later.verdict == .error)
    for word in ["a.json", "version 1 and 2", "has 3"] { #expect(later.checks[0].found.contains(word)) }
    #expect(try folder.text("golden/suite/a.json") == "{\"version\": 3}")
  }

  @Test("What is beyond full scale is kept, and limits are held against it", arguments: [1, 1.5, 3.7, 1000])
  func peaks(_ peak: Double) throws {
    var sound = noiseSignal(channels: 1)
    sound.channels[0][100] = Double(Float(peak))
    sound.channels[0][200] = -Double(Float(peak))
    let limit = -20 * log10(pow(2, 23) / peak) + 12
    let text = caseText("a", ShellDevice.sound, checks: #"{"check": "golden", "peak": \#(limit), "bits": 24}"#)
    let folder = try blessed(sound, text)
    #expect(try folder.run(text).verdict == .passed)
    let scale = try #require(try record(folder).audio).scale
    #expect(scale >= peak && scale <= 2 * peak && log2(scale) == log2(scale).rounded())
    sound.channels[0][100] += peak * 1e-4
    try folder.write(sound, "sound.wav")
    let outcome = try folder.run(text)
    #expect(outcome.verdict == .failed && outcome.checks[0].firstFailure?.frame == 100)
  }

  @Test("Samples that are no finite numbers are never blessed", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(_ value: Double) throws {
    let folder = try SuiteFolder()
    var sound = noiseSignal()
    sound.channels[0][5] = value
    try folder.write(sound, "sound.wav")
    for mode in GoldenPolicy.Mode.allCases {
      let outcome = try folder.run(Self.sounding, blessing: mode)
      #expect(!outcome.verdict.isGood)
      #expect(outcome.checks.first { $0.id == "finite" }?.verdict == .failed)
      #expect(!folder.exists("golden"))
    }
  }

  @Test("More channels than a golden can hold, no frames, and rates that FLAC does not know")
  func shapesOfGoldens() throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(frames: 10, channels: 9), "sound.wav")
    let outcome = try folder.run(Self.sounding, blessing: .missing)
    #expect(outcome.verdict == .error && outcome.checks[0].found.contains("1 to 8 channels, the output has 9"))
    try folder.write(noiseSignal(frames: 0), "sound.wav")
    let empty = try folder.run(Self.sounding, blessing: .missing)
    #expect(empty.verdict == .error && empty.checks[0].found.contains("no frames"))
    #expect(!folder.exists("golden"))
    for sound in [
      noiseSignal(frames: 1), noiseSignal(channels: 8), noiseSignal(sampleRate: 768_000),
    ] {
      let folder = try blessed(sound)
      #expect(try folder.run(Self.sounding).verdict == .passed)
      #expect(try record(folder).audio?.sampleRate == sound.sampleRate)
      try folder.write(noiseSignal(frames: 2, seed: 3), "sound.wav")
      #expect(try folder.run(Self.sounding).verdict == .failed)
    }
  }

  // MARK: Curves

  private static let filter = #"{"unit": "lowPassFilter", "channels": 1}"#
  private static let curve = caseText(
    "a", filter, checks: #"{"check": "response", "against": "golden", "within": 0.001}"#)

  @Test("A curve is kept as text with the closed form beside it, and held to its mask")
  func curves() throws {
    let folder = try SuiteFolder()
    #expect(try folder.run(Self.curve).verdict == .unblessed)
    #expect(try folder.run(Self.curve, blessing: .missing).verdict == .passed)
    #expect(try folder.run(Self.curve).verdict == .passed)
    let lines = try folder.text("golden/suite/a.magnitude.tsv").split(separator: "\n")
    #expect(lines[0].hasPrefix("# ") && lines[0].hasSuffix("\tclosed form") && lines.count > 100)
    for line in lines.dropFirst() {
      let numbers = line.split(separator: "\t").compactMap { Double($0) }
      try #require(numbers.count == 3, "\(line)")
      if numbers[0] < 20_000 { #expect(abs(numbers[1] - numbers[2]) < 0.001, "\(line)") }
    }
    let kept = try record(folder)
    #expect(kept.curves.map(\.id) == ["magnitude"] && kept.audio == nil)
    // 0.01 dB on one line.
    let path = "golden/suite/a.magnitude.tsv"
    let index = try #require(
      lines.firstIndex { (900...1100).contains($0.split(separator: "\t").first.flatMap { Double($0) } ?? 0) })
    let fields = lines[index].split(separator: "\t")
    let value = try #require(Double(fields[1]))
    var changed = lines.map(String.init)
    changed[index] = "\(fields[0])\t\(value + 0.01)\t\(fields[2])"
    try folder.write(changed.joined(separator: "\n"), path)
    let outcome = try folder.run(Self.curve)
    #expect(outcome.verdict == .failed && outcome.checks[0].found.contains("0.01"), "\(outcome.checks[0].found)")
    // A line that is none, and a curve that is gone.
    try folder.write("10\tx\n", path)
    #expect(try folder.run(Self.curve).checks[0].found.contains("its curve cannot be read"))
    try FileManager.default.removeItem(atPath: folder.file(path))
    let gone = try folder.run(Self.curve)
    #expect(gone.verdict == .failed && gone.checks[0].found.contains("a.magnitude.tsv: the golden has a record, but"))
    #expect(try folder.run(Self.curve, blessing: .failed).verdict == .passed)
  }

  @Test("The curve of a former version is not taken for one of the present version")
  func formerCurve() throws {
    let folder = try SuiteFolder()
    let response = #"{"check": "response", "against": "golden", "within": 0.001}"#
    #expect(
      try folder.run(caseText("a", Self.filter, checks: Self.golden, response), blessing: .missing).verdict == .passed)
    let former = try folder.text("golden/suite/a.magnitude.tsv")
    let other = #"{"unit": "lowPassFilter", "channels": 1, "set": {"cutoffFrequency": 700}}"#
    let text = caseText("a", other, checks: Self.golden, response)
    let unblessed = try folder.run(text)
    #expect(unblessed.checks.map(\.verdict) == [.unblessed, .unblessed])
    #expect(try folder.run(text, blessing: .missing).verdict == .passed)
    #expect(try folder.text("golden/suite/a.magnitude.tsv") != former)
    #expect(try folder.run(text).verdict == .passed)
  }

  @Test("Names of cases become names of files, in folders where the golden's name has them")
  func names() throws {
    let store = GoldenStore(folder: "g")
    #expect(store.path("low pass: 1 kHz?", "json") == "g/low-pass--1-kHz-.json")
    #expect(store.path("filters/é+1", "flac") == "g/filters/é+1.flac")
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(frames: 10), "sound.wav")
    let text = caseText("a", ShellDevice.sound, checks: Self.golden, more: #""golden": "x/y/z","#)
    #expect(try folder.run(text, blessing: .missing).verdict == .passed)
    #expect(folder.exists("golden/suite/x/y/z.json") && folder.exists("golden/suite/x/y/z.flac"))
  }

  @Test("What a golden was made of names each formula, definition and file of its device")
  func definitions() throws {
    let folder = try SuiteFolder()
    let devices = [
      #"{"formula": "s(0) * g", "let": {"g": 1}, "signals": {"s": "a.wav"}}"#,
      #"{"formula": "s(0) * g", "let": {"g": 2}, "signals": {"s": "a.wav"}}"#,
      #"{"formula": "s(0) * g", "let": {"g": 1}, "signals": {"s": "b.wav"}}"#,
      #"{"formula": "s(0)", "let": {"g": 1}, "signals": {"s": "a.wav"}}"#,
      #"{"formula": "s(0) * g", "let": {"g": 1}, "signals": {"s": "a.wav"}, "outputs": 2}"#,
      #"{"formula": "s(0) * g", "let": {"g": 1}, "signals": {"s": "a.wav"}, "frames": 2}"#,
      #"{"formula": "s(0) * g", "let": {"g": 1}, "signals": {"s": "a.wav"}, "sampleRate": 44100}"#,
      #"{"formula": "s(0) * g", "let": {"g": 1}, "signals": {"s": "a.wav"}, "precision": "float64"}"#,
    ]
    let definitions = try devices.enumerated().map { index, device in
      try folder.suite(caseText("a", device, checks: #"{"check": "reset"}"#), name: "s\(index)").cases[0].definition
    }
    #expect(Set(definitions).count == devices.count, "\(definitions.map(\.text))")
  }

  @Test("The sound of a golden has the rate that was rendered, which FLAC cannot say; another file's has that file's")
  func oddRates() throws {
    let folder = try SuiteFolder()
    let device = #"{"unit": "lowPassFilter", "channels": 1}"#
    let text = caseText(
      "a", device, checks: Self.golden, more: #""sampleRate": 768000, "stimulus": {"type": "noise", "frames": 50},"#)
    #expect(try folder.run(text, blessing: .missing).verdict == .passed)
    let store = GoldenStore(folder: folder.file("golden/suite"))
    let audio = try #require(try store.golden("a")?.record?.audio)
    #expect(audio.sampleRate == 768_000 && store.soundAsFound("a", audio)?.sampleRate == 768_000)
    #expect(store.soundAsFound("a", nil)?.sampleRate == 655_350)
    try AudioSignal(sampleRate: 48_000, channels: [[0, 0.5]]).write(to: folder.file("golden/suite/b.flac"))
    #expect(store.soundAsFound("b", audio)?.sampleRate == 48_000)
  }

  @Test("A curve's value between its points lies on a straight line over log x, from the first to the last")
  func betweenPoints() throws {
    let folder = try SuiteFolder()
    try folder.write("# x Hz\ty dB\n100\t2\n10000\t6\n40000\t8\n", "curve.tsv")
    let curve = try CurveFile(contentsOf: folder.file("curve.tsv")).line
    for (x, y) in [(100.0, 2.0), (1000, 4), (10_000, 6), (20_000, 7), (40_000, 8)] {
      #expect(abs(try #require(curve.value(at: x)) - y) < 1e-12, "\(x)")
    }
    #expect(curve.value(at: 99) == nil && curve.value(at: 40_100) == nil)
  }

  @Test("A curve is read from a plain file alone")
  func plainFiles() throws {
    for path in ["/dev/zero", "/"] {
      let error = #expect(throws: BenchError.self) { _ = try CurveFile(contentsOf: path) }
      #expect(error?.kind == .suite && error?.message.contains("not a plain file") == true)
    }
  }

  @Test("A golden's files are those of its own name, byte by byte, and no others' that begin so")
  func listing() throws {
    let folder = try SuiteFolder()
    let names = [
      "a.json", "a.magnitude.tsv", "a.b.phase.tsv", "ab.magnitude.tsv", "a.tsv", "\u{E9}.x.tsv", "e\u{301}.y.tsv",
    ]
    #expect(FileSystem.makeFolders(folder.file("g")) == 0)
    for name in names { try folder.write("0\t0\n", "g/\(name)") }
    var listing = GoldenListing()
    let store = GoldenStore(folder: folder.file("g"))
    func tables(_ name: String) -> [String] {
      listing.files(of: name, in: store).dropFirst(2).map { FileName.last(of: $0) }
    }
    #expect(tables("a") == ["a.b.phase.tsv", "a.magnitude.tsv"] && tables("a.b") == ["a.b.phase.tsv"])
    #expect(tables("ab") == ["ab.magnitude.tsv"] && tables("none") == [])
    #expect(tables("\u{E9}").map { Array($0.utf8) } == [Array("\u{E9}.x.tsv".utf8)])
    #expect(tables("e\u{301}").map { Array($0.utf8) } == [Array("e\u{301}.y.tsv".utf8)])
  }

  @Test("A folder that cannot be written to is an error of the check")
  func noFolder() throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(frames: 10), "sound.wav")
    try folder.write("a file", "golden")
    let outcome = try folder.run(Self.sounding, blessing: .missing)
    #expect(outcome.verdict == .error && outcome.checks[0].found.contains("golden/suite"))
  }
}

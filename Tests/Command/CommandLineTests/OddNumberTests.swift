import Foundation
import Glibc
import TestSupport
import Testing

/// Each command with numbers that no one writes on purpose, in each place where a number can stand: options, graphs,
/// jobs, suites and tables, headers and samples of sound files. It ends with a code that its help lists: it never
/// traps, takes no more than its memory, and comes to an end.
///
/// A sample by a fixed seed; all of them, which takes minutes: `AUBENCH_WALK=all`.
@Suite("Odd numbers end no command")
struct OddNumberTests {
  /// As JSON has them.
  static let numbers = [
    "1e38", "1e308", "-1e308", "5e-324", "-0.0", "0", "-1", "0.5", "1e-9", "2147483648", "1e15", "4294967296",
    "9223372036854775807", "-9223372036854775808",
  ]
  /// And as options and tables may have them.
  static let texts = numbers + ["nan", "inf", "-inf", "1e400", ""]

  /// A line of words, and the files that they name.
  struct Case {
    let words: [String]
    var files: [(name: String, bytes: [UInt8])] = []
  }

  private static let isWhole = ProcessInfo.processInfo.environment["AUBENCH_WALK"] == "all"

  /// Some of many, always the same.
  static func sample(_ cases: [Case], _ count: Int) -> [Case] {
    guard !isWhole, cases.count > count else { return cases }
    var random = SeededGenerator(seed: 40)
    return (0..<count).map { _ in cases[Int(random.next() % UInt64(cases.count))] }
  }

  /// Runs the cases, two at a time, each in a folder of its own with the recordings of the fixtures beside it.
  func check(_ cases: [Case]) throws {
    let codes = try Dictionary(
      uniqueKeysWithValues: Set(cases.map { $0.words[0] }).map { ($0, try Program.exitCodes(of: $0)) })
    let lock = NSLock()
    nonisolated(unsafe) var failures: [String] = []
    DispatchQueue.concurrentPerform(iterations: 2) { part in
      for index in stride(from: part, to: cases.count, by: 2) {
        guard let failure = Self.failure(of: cases[index], codes) else { continue }
        lock.lock()
        failures.append(failure)
        lock.unlock()
      }
    }
    #expect(failures.isEmpty, "\(failures.prefix(20).joined(separator: "\n\n"))")
  }

  /// The error in how a case ends; nil: none.
  private static func failure(of one: Case, _ codes: [String: Set<Int32>]) -> String? {
    let folder = TemporaryFolder()
    symlink(Program.audio, folder.file("audio"))
    mkdir(folder.file("graphs"), 0o700)
    mkdir(folder.file("graphs/g"), 0o700)
    symlink(Program.repository + "/fixtures/suites/graphs/scenarios", folder.file("graphs/g/scenarios"))
    for file in one.files { folder.write(file.bytes, to: file.name) }
    // 4 GB of addresses, 200 MB of file, 30 s.
    let limits = "ulimit -v 4000000; ulimit -f 400000; ulimit -c 0; exec timeout -s KILL 30 \"$@\""
    guard
      let result = try? Program.Running(["/bin/sh", "-c", limits, "sh", Program.path] + one.words, in: folder).wait()
    else { return "\(one.words) could not be run" }
    // 9 of a suite: the process of a case has crashed.
    let isKnown =
      result.code == 0
      || result.code < 128 && codes[one.words[0]]?.contains(result.code) == true
        && !(one.words[0] == "verify" && result.code == 9)
    guard !isKnown || (result.errors + result.output).contains("Fatal error") else { return nil }
    let text = one.files.first.map { String(decoding: $0.bytes.prefix(3000), as: UTF8.self) } ?? ""
    return "\(one.words.joined(separator: " ")): ended with \(result.code)\n\(result.errors.prefix(600))\n\(text)"
  }

  // MARK: Options

  private static let sine = WaveBytes.floats((0..<4800).map { Float(sin(Double($0) * 0.1) / 2) })
  private static let graph = """
    {"version": 1, "nodes": [{"id": "p", "unit": "filePlayer", "file": "in.wav"}, {"id": "lo", "unit": "lowPassFilter"},
    {"id": "out", "unit": "genericOutput"}], "connections": ["p -> lo", "lo -> out"]}
    """
  private static let job = """
    {"version": 1, "inputs": "in.wav", "output": "o/{name}.flac", "sampleRate": 44100, "channels": 2, "dither": 1,
    "trim": {"below": -50, "keep": 0.2}, "fade": {"in": 0.01, "out": 0.01}, "loudness": {"target": -16, "truePeak": -1}}
    """
  private static let suite = """
    {"version": 1, "sampleRate": 48000, "cases": [{"id": "a", "device": {"unit": "parametricEQ", "set": {"gain": 3}, "channels": 2},
    "stimulus": {"type": "noise", "frames": 3000}, "checks": [
    {"check": "response", "against": "nothing", "mask": [[20, -20, 20], [20000, -90, 20]]},
    {"check": "slices", "frames": [1, 64], "threads": [1, 2]}, {"check": "silence", "below": -100, "after": 4800},
    {"check": "order", "seed": 7, "others": 3}, {"check": "length", "frames": 3127, "channels": 2}]}]}
    """
  private static let files: [(name: String, bytes: [UInt8])] = [
    ("in.wav", sine), ("g.json", Array(graph.utf8)), ("job.json", Array(job.utf8)), ("suite.json", Array(suite.utf8)),
  ]
  private static let lines: [String: [String]] = [
    "render": ["render", "g.json", "-o", "o.wav"], "convert": ["convert", "in.wav", "o.wav"],
    "batch": ["batch", "job.json"], "measure": ["measure", "lowPassFilter", "--what", "levels"],
    "verify": ["verify", "suite.json"], "compare": ["compare", "in.wav", "in.wav"],
    "plot": ["plot", "in.wav", "-o", "o.svg"], "trace": ["trace", "g.json", "-o", "o.txt"],
    "describe": ["describe", "g.json"], "units": ["units", "reverb"],
  ]

  /// Every option that takes a value, by the manual.
  private static func options() throws -> [Case] {
    var cases: [Case] = []
    var line: [String]?
    for text in try Program.run("--print-manual=markdown").output.split(separator: "\n") {
      if text.hasPrefix("## aubench ") { line = lines[String(text.dropFirst(11))] }
      guard let line, text.hasPrefix("| `"), let start = text.firstRange(of: "--")?.lowerBound else { continue }
      let option = text[start...].prefix { $0.isLetter || $0 == "-" }
      guard text[start...].dropFirst(option.count).first.map({ $0 == "=" || $0 == "[" }) == true else { continue }
      for value in texts {
        let value = option == "--set" ? (line[0] == "measure" ? "" : "lo.") + "cutoffFrequency=" + value : value
        cases.append(Case(words: line + ["\(option)=\(value)"], files: files))
      }
    }
    return cases
  }

  @Test("in options")
  func inOptions() throws {
    let cases = try Self.options()
    #expect(cases.count > 1000)
    try check(Self.sample(cases, 110))
  }

  // MARK: JSON

  /// The document with each of its numbers replaced in turn.
  static func variants(_ text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    var places: [Range<Int>] = []
    var (at, isInText) = (0, false)
    while at < bytes.count {
      let byte = bytes[at]
      if isInText, byte == UInt8(ascii: "\\") { at += 1 }
      if byte == UInt8(ascii: "\"") { isInText.toggle() }
      if !isInText, byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) {
        let end = bytes[at...].firstIndex { !"+-.eE0123456789".utf8.contains($0) } ?? bytes.count
        places.append(at..<end)
        at = end
      } else {
        at += 1
      }
    }
    return places.flatMap { place in
      numbers.map { Array(bytes[..<place.lowerBound]) + Array($0.utf8) + Array(bytes[place.upperBound...]) }
    }
  }

  @Test("in graphs")
  func inGraphs() throws {
    let names = try Repository.files(below: "fixtures/suites/graphs", suffix: ".json")
      .filter { !$0.contains("/scenarios/") }
    let cases = try names.flatMap { name in
      Self.variants(try Repository.text(name)).flatMap { text in
        [["describe", "graphs/g/x.json"], ["render", "graphs/g/x.json", "-o", "o.wav", "--frames", "500"]].map {
          Case(words: $0, files: [("graphs/g/x.json", text)])
        }
      }
    }
    #expect(cases.count > 5000)
    try check(Self.sample(cases, 110))
  }

  @Test("in jobs and suites")
  func inJobsAndSuites() throws {
    let jobs = Self.variants(Self.job).map {
      Case(words: ["batch", "job.json"], files: Self.files + [("job.json", $0)])
    }
    let suites = Self.variants(Self.suite).map {
      Case(words: ["verify", "suite.json", "--threads", "1"], files: Self.files + [("suite.json", $0)])
    }
    let tables = Self.texts.flatMap { number in
      ["\(number),0.05,a", "0.01,\(number),a"].map { row in
        Case(
          words: ["convert", "in.wav", "-o", "o/{track}.wav", "--split", "t.csv"],
          files: Self.files + [("t.csv", Array("start,end,title\n\(row)\n".utf8))])
      }
    }
    try check(Self.sample(jobs, 25) + Self.sample(suites, 25) + Self.sample(tables, 15))
  }

  // MARK: Sound files

  @Test("in headers and samples of sound files")
  func inSoundFiles() throws {
    var sounds: [[UInt8]] = []
    for rate in [0, 1, 3, 100, 999, 3_000_000, 3_000_001, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
      sounds.append(WaveBytes.floats((0..<4800).map { Float(sin(Double($0) * 0.1) / 2) }, sampleRate: rate))
    }
    for sample in [
      1e38, -3.4e38, .leastNonzeroMagnitude, -0.0, .infinity, -.infinity, .nan,
    ] as [Float] {
      sounds.append(WaveBytes.floats([Float](repeating: sample, count: 4800)))
      sounds.append(WaveBytes.floats((0..<4800).map { $0 == 100 ? sample : Float(sin(Double($0) * 0.1) / 2) }))
    }
    sounds += [WaveBytes.floats([]), WaveBytes.floats([0.5]), WaveBytes.endless]
    let lines = [
      ["convert", "x.wav", "o.wav", "--rate", "44100"], ["convert", "x.wav", "o.flac"],
      ["convert", "x.wav", "o.wav", "--loudness", "-16", "--trim", "--fade-in", "0.01", "-e", "pcm16", "--dither"],
      [
        "convert", "x.wav", "-o", "m/{name}.wav", "--loudness", "-16", "--csv", "m.csv", "--html", "m.html", "--junit",
        "m.xml", "--journal", "m.j", "--json",
      ], ["convert", "x.wav", "o.wav", "--rate", "1"], ["convert", "x.wav", "o.wav", "--rate", "3000000"],
      ["convert", "x.wav", "o.ogg"], ["plot", "x.wav", "-o", "p.svg"],
      ["plot", "x.wav", "--what", "waveform", "-o", "p.png"],
      ["plot", "x.wav", "--what", "spectrogram", "-o", "p.svg"],
      ["plot", "x.wav"], ["compare", "x.wav", "in.wav", "--json"], ["compare", "in.wav", "x.wav", "--align"],
      ["render", "g.json", "--input", "p=x.wav", "-o", "o.wav", "--until-silent"],
      ["render", "g.json", "--input", "p=x.wav", "-o", "o.flac", "--loudness", "-16", "--trim"],
      ["measure", "--what", "levels", "--", "/bin/sh", "-c", "cp x.wav \"$1\"", "{in}", "{out}"],
      ["measure", "--what", "linear", "--", "/bin/sh", "-c", "cp x.wav \"$1\"", "{in}", "{out}"],
    ]
    let cases = sounds.flatMap { sound in
      lines.map { Case(words: $0, files: Self.files + [("x.wav", sound)]) }
    }
    try check(Self.sample(cases, 110))
  }

  // MARK: What failed

  @Test("what ended a command before")
  func regressions() throws {
    let wave64 = WaveBytes.wave64(chunkBytes: .min)
    func reverb(_ parameter: String) -> String {
      """
      {"version": 1, "nodes": [{"id": "p", "unit": "filePlayer", "file": "in.wav"},
      {"id": "r", "unit": "reverb", "set": {"\(parameter)": 1e30}},
      {"id": "out", "unit": "genericOutput"}], "connections": ["p -> r", "r -> out"]}
      """
    }
    let rooms = ["minDelayTime", "maxDelayTime", "decayTimeAt0Hz", "decayTimeAtNyquist"].map {
      Case(words: ["describe", "r.json"], files: Self.files + [("r.json", Array(reverb($0).utf8))])
    }
    try check(
      rooms + [
        Case(words: ["measure", "lowPassFilter", "--methods="]),
        Case(words: ["convert", "x.w64", "o.wav"], files: [("x.w64", wave64)]),
        Case(words: ["plot", "x.w64"], files: [("x.w64", wave64)]),
      ])
  }
}

/// Sound files byte by byte.
enum WaveBytes {
  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// A WAV file of one channel of floats.
  static func floats(_ samples: [Float], sampleRate: UInt32 = 48_000) -> [UInt8] {
    wave(samples.flatMap { little($0.bitPattern) }, sampleRate: sampleRate, dataBytes: UInt32(4 * samples.count))
  }

  /// One whose header states the largest lengths.
  static var endless: [UInt8] { wave([0, 0, 0, 63], sampleRate: 48_000, dataBytes: .max) }

  private static func wave(_ sound: [UInt8], sampleRate: UInt32, dataBytes: UInt32) -> [UInt8] {
    var bytes = Array("RIFF".utf8) + little(dataBytes &+ 36) + Array("WAVEfmt ".utf8) + little(UInt32(16))
    bytes += little(UInt16(3)) + little(UInt16(1)) + little(sampleRate) + little(sampleRate &* 4)
    return bytes + little(UInt16(4)) + little(UInt16(32)) + Array("data".utf8) + little(dataBytes) + sound
  }

  /// A Wave64 file whose first chunk states a size.
  static func wave64(chunkBytes: Int64) -> [UInt8] {
    let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
    return Array("riff".utf8) + riff + little(Int64(200)) + Array("wave".utf8) + tail + Array("fmt ".utf8) + tail
      + little(chunkBytes) + [UInt8](repeating: 0, count: 128)
  }
}

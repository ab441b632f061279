import Foundation
import TestSupport
import Testing

/// The findings of `bench` in render calls that a realtime thread must avoid. The components make these calls; that is
/// why they are in C.
@Suite("Render calls that are watched")
struct BenchWatchTests {
  private struct Finding {
    let kind: String
    let node: String?
    let function: String
    let count: Int
    let stack: [String]
  }

  /// Measures a gain whose render does something besides.
  private func findings(_ code: String) throws -> (findings: [Finding], report: [String: Any], code: Int32) {
    let tree = try ComponentTests.place(macros: ["HOSTILE_RENDER=\(code)"])
    let result = try ComponentTests.run(
      "\"$AUBENCH\" bench 'aufx gain Acme' --seconds 0.2 --realtime --json", tree)
    #expect(result.code == 0 || result.code == 7, "\(result.errors)")
    let report = try #require((try result.value("renderCalls") as? [[String: Any]])?.first)
    let all = try #require(report["findings"] as? [[String: Any]])
    let findings = all.map { one in
      Finding(
        kind: one["kind"] as? String ?? "", node: one["node"] as? String, function: one["function"] as? String ?? "",
        count: one["count"] as? Int ?? 0, stack: one["stack"] as? [String] ?? [])
    }
    return (findings, report, result.code)
  }

  @Test func aUnitThatDoesNothingOfTheKindIsFound() throws {
    let (findings, report, _) = try findings("")
    #expect(findings.isEmpty, "\(findings)")
    let watched = try #require(report["watched"] as? [String])
    #expect(watched.contains("allocation") && watched.contains("lock"))
    #expect(try #require(report["calls"] as? Int) > 100)
  }

  /// A component for each kind of code: its calls are found each with its stack.
  @Test(arguments: [
    (
      "{ void *volatile block = malloc(48); free(block); block = calloc(3, 16); block = realloc(block, 64); free(block); "
        + "static pthread_mutex_t m; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); "
        + "if (write(-1, \"\", 0) > 0) abort(); usleep(1); }",
      [
        ("allocation", "malloc"), ("release", "free"), ("allocation", "realloc"), ("lock", "pthread_mutex_lock"),
        ("system call", "write"), ("system call", "clock_nanosleep"),
      ]
    ),
    // A thread is begun behind a signal mask that blocks all, and with system calls of its own.
    ("run_a_thread()", [("lock", "pthread_join"), ("system call", "rt_sigprocmask")]),
    ("{ static volatile float tiny; tiny = 1e-37f; tiny *= 0.01f; tiny *= 0.5f; }", [("denormal", "")]),
  ])
  func whatAUnitDoesIsFoundWithItsStack(code: String, calls: [(kind: String, function: String)]) throws {
    let (findings, report, exit) = try findings(code)
    let watched = try #require(report["watched"] as? [String])
    // System calls and denormals need a machine that reports them.
    for (kind, function) in calls where watched.contains(kind) {
      let finding = try #require(
        findings.first { $0.kind == kind && $0.function.hasPrefix(function) },
        "\(kind) \(function): \(findings.map { ($0.kind, $0.function) })")
      #expect(finding.node == "unit")
      #expect(finding.count >= (try #require(report["calls"] as? Int)) - 1)
      #expect(finding.stack.contains { $0.contains("Gain.so") }, "\(finding.stack)")
      #expect(exit == 7 || kind == "denormal")
    }
  }

  /// Calls that take by turns a hundred times as long: there is no figure for that.
  private static let uneven =
    "{ static unsigned n, calls; if (calls++ % 256 == 0) n = n * 1664525u + 1013904223u; volatile int i; "
    + "for (i = 0; i < (100 << (n >> 28 & 7)); i++) {} }"

  @Test func timesAndCallsAreTwoVerdicts() throws {
    let tree = try ComponentTests.place(macros: ["HOSTILE_RENDER=\(Self.uneven)"])
    func run(_ options: String) throws -> (code: Int32, isNoisy: Bool) {
      let result = try ComponentTests.run(
        "\"$AUBENCH\" bench 'aufx gain Acme' --seconds 0.2 --json \(options)", tree)
      let cases = try #require(try result.value("cases") as? [[String: Any]], "\(result.errors)")
      return (result.code, cases[0]["isNoisy"] as? Bool ?? false)
    }
    #expect(try run("--realtime").code == 0)
    for options in ["--realtime --require-times", ""] {
      let (code, isNoisy) = try run(options)
      #expect(code == (isNoisy ? 7 : 0), "\(options)")
    }
  }

  @Test func withoutTheLibraryNothingIsSaidToBeWatched() throws {
    let folder = TemporaryFolder()
    let line = "cp \"$AUBENCH\" here; ./here bench iPodEQ --seconds 0.1"
    let plain = try Program.shell(line, in: folder)
    #expect(plain.output.contains("render calls were not watched"), "\(plain.output)\(plain.errors)")
    let strict = try Program.shell("./here bench iPodEQ --seconds 0.1 --realtime", in: folder)
    #expect(strict.code == 6 && strict.errors.contains("libaubench-watch.so"), "\(strict.errors)")
  }

  /// All of ours but outputs, with their parameters set at random meanwhile. Those that do nothing as they are made get
  /// something to do.
  @Test func ourUnitsMayBeUsedInARealtimeThread() throws {
    let work = [
      "filePlayer": "--input 'unit=\(Program.audio)/drums.flac'", "nBandEQ": "--vary bands=8",
      "iPodEQ": "--set preset=Rock", "matrixMixer": "--keys '{\"matrix\": [[1, 0], [0, 1]]}'",
    ]
    let units = try #require(try Program.run("units", "--json").value("units") as? [[String: Any]])
    // SoundTouch allocates, which their rows say; a merger wants a graph of its own, below.
    let known = units.filter { $0["realtimeException"] is String }.compactMap { $0["name"] as? String }
    #expect(Set(known) == ["timePitch", "newTimePitch"])
    let others = Set(known + ["merger"])
    let names = units.filter { $0["type"] as? String != "auou" }.compactMap { $0["name"] as? String }
      .filter { !others.contains($0) }
    #expect(names.count >= 12 && Set(work.keys).isSubset(of: names), "\(names)")
    for name in names { try mayBeUsed("\(name) \(work[name] ?? "")", in: nil) }
  }

  /// The realtime exception in a unit's row is found by a bench of it too: without SoundTouch there is nothing to find.
  @Test func whatAUnitSaysOfItselfIsFound() throws {
    let row = try Program.run("units", "timePitch").output
    #expect(row.contains("realtime   no: SoundTouch allocates"), "\(row)")
    #expect(try Program.run("units", "iPodEQ").output.contains("realtime   yes\n"))
    let result = try Program.shell("\"$AUBENCH\" bench timePitch --set pitch=300 --seconds 0.1 --realtime")
    guard result.code == 0 || result.code == 7 else {
      #expect(result.errors.contains("libSoundTouchDll.so.1"), "\(result.errors)")
      return
    }
    #expect(result.code == 7 && result.output.contains("known of unit: SoundTouch allocates"), "\(result.output)")
  }

  /// Samples of other kinds, and the microphone of an output unit, whose samples lie interleaved.
  @Test func conversionsOfSamplesMayBeUsedInARealtimeThread() throws {
    let folder = TemporaryFolder()
    let formats = [
      #"{"encoding": "int24", "interleaved": true}"#, #"{"encoding": "float64", "interleaved": true}"#,
      #"{"encoding": "int16", "interleaved": false}"#, #"{"encoding": "float32", "interleaved": false, "channels": 1}"#,
    ]
    let nodes = formats.enumerated().map {
      #"{"id": "c\#($0)", "unit": "formatConverter", "format": \#($1)}"#
    }
    folder.write(
      #"""
      {"version": 1, "nodes": [{"id": "in", "unit": "filePlayer", "file": "\#(Program.audio)/drums.flac"},
        \#(nodes.joined(separator: ",")), {"id": "out", "unit": "genericOutput"}],
       "connections": ["in -> c0", "c0 -> c1", "c1 -> c2", "c2 -> c3", "c3 -> out"]}
      """#, to: "samples.json")
    try mayBeUsed("samples.json", in: folder)
    folder.write(
      #"""
      {"version": 1, "nodes": [{"id": "io", "unit": "remoteIO"}, {"id": "eq", "unit": "lowPassFilter"}],
       "connections": ["io:1 -> eq", "eq -> io"]}
      """#, to: "microphone.json")
    try mayBeUsed("microphone.json", in: folder)
  }

  @Test func aMatrixAndAMergerMayBeUsedInARealtimeThread() throws {
    let folder = TemporaryFolder()
    folder.write(
      #"""
      {"version": 1, "sampleRate": 44100, "nodes": [
        {"id": "a", "unit": "filePlayer", "file": "\#(Program.audio)/drums.flac"},
        {"id": "b", "unit": "filePlayer", "file": "\#(Program.audio)/drums.flac"},
        {"id": "side", "unit": "merger"},
        {"id": "matrix", "unit": "matrixMixer", "matrix": [[1, 0], [0, 1], [0.5, 0], [0, 0.25]]},
        {"id": "out", "unit": "genericOutput"}],
       "connections": ["a -> side:0", "b -> side:1", "side -> matrix", "matrix -> out"]}
      """#, to: "matrix.json")
    try mayBeUsed("matrix.json", in: folder)
  }

  @Test func aConversionOfTheRateMayBeUsedInARealtimeThread() throws {
    let folder = TemporaryFolder()
    folder.write(
      #"""
      {"version": 1, "sampleRate": 44100, "nodes": [
        {"id": "in", "unit": "filePlayer", "file": "\#(Program.audio)/crow-22050.flac"},
        {"id": "unit", "unit": "formatConverter", "format": {"sampleRate": 48000}},
        {"id": "out", "unit": "genericOutput", "format": {"sampleRate": 48000}}],
       "connections": ["in -> unit", "unit -> out"]}
      """#, to: "convert.json")
    try mayBeUsed("convert.json", in: folder)
  }

  private func mayBeUsed(_ subject: String, in folder: TemporaryFolder?) throws {
    let result = try Program.shell("\"$AUBENCH\" bench \(subject) --seconds 0.1 --realtime --json", in: folder)
    let report = try #require((try result.value("renderCalls") as? [[String: Any]])?.first, "\(subject)")
    #expect(report["violations"] as? Int == 0, "\(subject): \(result.output)")
    #expect(try #require(report["calls"] as? Int) > 10)
  }
}

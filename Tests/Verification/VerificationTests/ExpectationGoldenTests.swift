import AudioCore
import BatchRender
import Foundation
import Measurement
import Testing
import Verification
import VerificationTesting

@Suite("Expectations of goldens")
struct ExpectationGoldenTests {
  let folder: ExpectationFolder
  init() throws { folder = try ExpectationFolder() }

  func golden(_ name: String = "EQ/shelf") -> Golden { Golden(name, in: folder.goldens) }

  @Test("A golden that is not there fails as unblessed, says how to make it, and is not made")
  func unblessed() throws {
    let found = folder.recorded { expect(OnePole.device(), matches: golden()) }
    #expect(found.failures == 1)
    #expect(found.text.hasPrefix("UNBLESSED  one pole: matches EQ/shelf\n"))
    #expect(found.text.contains("there is no golden"))
    #expect(
      found.text.contains(
        "AUBENCH_BLESS=missing AUBENCH_BLESS_REASON=\"…\" swift test "
          + "--filter 'VerificationTests.ExpectationGoldenTests/unblessed'"))
    #expect(found.text.contains("\(folder.goldens)/EQ/shelf"))
    #expect(!folder.exists("goldens"))
  }

  @Test("A blessed golden warns once and passes from then on")
  func blessed() throws {
    let written = folder.blessing { expect(OnePole.device(), matches: golden()) }
    #expect(written.failures == 0)
    #expect(written.text.contains("golden \"EQ/shelf\" written to \(folder.goldens)"))
    #expect(folder.exists("goldens/EQ/shelf.json") && folder.exists("goldens/EQ/shelf.flac"))
    let record = try String(contentsOfFile: folder.goldens + "/EQ/shelf.json", encoding: .utf8)
    #expect(record.contains("\"reason\" : \"a test\"") && record.contains("ExpectationGoldenTests/EQ/shelf"))
    let again = folder.recorded { #expect(expect(OnePole.device(), matches: golden()).verdict == .passed) }
    #expect(again.issues.isEmpty)
    #expect(folder.blessing { expect(OnePole.device(), matches: golden()) }.issues.isEmpty)
  }

  @Test("A graph that changed fails: frames, the node that did it, and files that are there")
  func changed() throws {
    let graph = try shelfGraph(gainDecibels: 6, in: folder)
    folder.blessing { expect(graph, matches: golden()) }
    #expect(
      try folder.recorded { expect(try shelfGraph(gainDecibels: 6, in: folder), matches: golden()) }.issues.isEmpty)
    let other = try shelfGraph(gainDecibels: 6.05, in: folder)
    var line = 0
    let found = folder.recorded {
      expect(other, matches: golden())
      line = #line - 1
    }
    #expect(found.failures == 1)
    #expect(found.issues.first?.sourceLocation?.line == line)
    #expect(found.issues.first?.sourceLocation?.fileID == #fileID)
    #expect(found.text.hasPrefix("FAIL  graph: matches EQ/shelf\n"))
    #expect(found.text.contains("expected   bit for bit what the golden was made of"))
    #expect(found.text.contains(/fails at   frame \d+ \([\d.]+ s\), channel \d/))
    #expect(found.text.contains("\"shelf\" is the first node in render order that differs"))
    #expect(found.text.contains("AUBENCH_BLESS=failed"))
    let files = folder.named(in: found.text).filter { $0.hasSuffix(".wav") }
    #expect(files.map { URL(filePath: $0).lastPathComponent } == ["actual.wav", "expected.wav", "difference.wav"])
    // 0.05 dB of a quarter of full scale at most.
    let difference = try AudioSignal(contentsOf: try #require(files.last))
    let peak = difference.channels.joined().map(abs).max() ?? 0
    #expect(peak > 1e-5 && peak < 0.25 * (pow(10, 0.05 / 20) - 1) * 2)
  }

  @Test("Limits stand in for equality")
  func limits() throws {
    folder.blessing { expect(OnePole.device(), matches: golden()) }
    // 1 Hz of 1000: about −80 dBFS below noise of −12 dBFS.
    let near = OnePole.device(hertz: 1001)
    #expect(folder.recorded { expect(near, matches: golden(), within: .residual(peak: -60)) }.issues.isEmpty)
    let found = folder.recorded { expect(near, matches: golden(), within: .residual(peak: -120)) }
    #expect(found.failures == 1)
    #expect(found.text.contains("a difference of a peak of at most −120 dBFS"))
    #expect(
      folder.recorded { expect(OnePole.device(), matches: golden(), within: .residual(peak: -120)) }.issues.isEmpty)
  }

  @Test("A golden of another stimulus is out of date")
  func outOfDate() {
    folder.blessing { expect(OnePole.device(), matches: golden(), given: .noise(seconds: 0.1)) }
    let found = folder.recorded { expect(OnePole.device(), matches: golden(), given: .noise(seconds: 0.2)) }
    #expect(found.failures == 1 && found.text.contains("the golden was made for another version of the case"))
  }

  @Test("Only a mode that says so replaces a golden that differs")
  func modes() {
    folder.blessing { expect(OnePole.device(), matches: golden()) }
    let other = OnePole.device(hertz: 1200)
    #expect(folder.blessing("missing") { expect(other, matches: golden()) }.failures == 1)
    let written = folder.blessing("failed") { expect(other, matches: golden()) }
    #expect(written.failures == 0 && written.text.contains("blessed: it was worst 10 ms"))
    #expect(folder.recorded { expect(other, matches: golden()) }.issues.isEmpty)
    #expect(folder.recorded { expect(OnePole.device(), matches: golden()) }.failures == 1)
  }

  @Test(
    "A wish to write goldens that cannot be followed fails, and none is written",
    arguments: [
      (["CI": "true", "AUBENCH_BLESS": "all", "AUBENCH_BLESS_REASON": "x"], "never written where CI is set"),
      (["AUBENCH_BLESS": "all"], "AUBENCH_BLESS_REASON"),
      (["AUBENCH_BLESS": "all", "AUBENCH_BLESS_REASON": " "], "for a reason"),
      (
        ["AUBENCH_BLESS": "every", "AUBENCH_BLESS_REASON": "x"], "expected never, missing, failed, all, found \"every\""
      ),
    ])
  func refused(environment: [String: String], says: String) {
    let found = folder.recorded(environment) { expect(OnePole.device(), matches: golden()) }
    #expect(found.failures == 1 && found.text.contains(says), "\(found.text)")
    #expect(!folder.exists("goldens"))
    // An expectation without a golden ignores it.
    #expect(folder.recorded(environment) { expectSliceInvariance(of: OnePole.device()) }.issues.isEmpty)
  }

  @Test("A golden lies beside the test, in a folder of the test file's own, and never outside")
  func places() {
    let found = folder.recorded { expect(OnePole.device(), matches: "not-there") }
    let beside = URL(filePath: #filePath).deletingLastPathComponent().path
    #expect(found.text.contains("\(beside)/__goldens__/ExpectationGoldenTests/not-there"))
    for name in ["../x", "/x", "", "a//b", "a/."] {
      let found = folder.recorded { expect(OnePole.device(), matches: golden(name)) }
      #expect(found.failures == 1 && found.text.contains("leads to a file in its folder"), "\(name): \(found.text)")
    }
  }

  @Test("Goldens lie beside the target's folder, unless some lie beside the test already")
  func targets() throws {
    let tests = "\(folder.path)/Tests/SmootherTests/Filters"
    try FileManager.default.createDirectory(atPath: tests, withIntermediateDirectories: true)
    func place(_ module: String) -> String {
      SourceLocation.goldenFolder(ofTests: "\(tests)/LowPassTests.swift", module: module)
    }
    // The package manager looks at SmootherTests, and at nothing beside it.
    #expect(place("SmootherTests") == "\(folder.path)/Tests/__goldens__/SmootherTests/Filters/LowPassTests")
    #expect(place("Elsewhere") == "\(tests)/__goldens__/LowPassTests")
    try FileManager.default.createDirectory(atPath: "\(tests)/__goldens__", withIntermediateDirectories: true)
    #expect(place("SmootherTests") == "\(tests)/__goldens__/LowPassTests")
  }

  @Test("A damaged record is told, not taken for a missing one")
  func damaged() throws {
    folder.blessing { expect(OnePole.device(), matches: golden()) }
    try "{".write(toFile: folder.goldens + "/EQ/shelf.json", atomically: true, encoding: .utf8)
    let found = folder.recorded { expect(OnePole.device(), matches: golden()) }
    #expect(found.failures == 1 && found.text.contains("this is not the record of a golden"))
  }

  @Test("Signals have goldens too, and so have responses")
  func signalsAndResponses() {
    let signal = AudioSignal(sampleRate: 48_000, channelCount: 1, Stimulus.impulse(frames: 100, amplitude: 0.5))
    var other = signal
    other.channels[0][40] = 0.25
    folder.blessing {
      expect(signal, matches: golden("impulse"))
      expect(OnePole.device(), response: .within(0.01, of: golden("pole")))
    }
    #expect(folder.exists("goldens/pole.response.magnitude.tsv"))
    let same = folder.recorded {
      expect(signal, matches: golden("impulse"))
      expect(OnePole.device(), response: .within(0.01, of: golden("pole")))
    }
    #expect(same.issues.isEmpty)
    let found = folder.recorded {
      expect(other, matches: golden("impulse"))
      expect(OnePole.device(hertz: 1010), response: .within(0.01, of: golden("pole")))
    }
    #expect(found.failures == 2)
    #expect(found.text.contains("frame 40 (0.833333 ms), channel 0"))
    #expect(found.text.contains("of the golden"))
  }
}

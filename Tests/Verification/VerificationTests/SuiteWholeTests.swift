import AudioCore
import Measurement
import Testing
import VerificationTesting

import Verification

/// Runs and cases that pass without anything having been checked.
@Suite("A suite that checks nothing as a whole does not pass")
struct SuiteWholeTests: CaseTrial {
  let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

  private func run(_ verdicts: Verdict...) -> RunOutcome {
    RunOutcome(
      suites: ["a.json"], cases: verdicts.map { CaseOutcome("a/b", $0, device: "d", seconds: 0) }, seconds: 1,
      program: "p", machine: [])
  }

  @Test("A run of which every case was skipped, or that has none, fails")
  func skipped() {
    #expect(run(.skipped, .skipped).verdict == .failed)
    #expect(run().verdict == .failed)
    #expect(run(.skipped, .passed).verdict.isGood)
    #expect(run(.passed).verdict == .passed)
    #expect(run(.skipped, .unblessed).verdict == .unblessed)
  }

  @Test("A reason for a skip has words", arguments: ["", " ", "\\t\\n", "…", "\\u00a0", "-"])
  func blank(reason: String) throws {
    expectFailure(.suite, ["why the case is left out is missing"]) {
      _ = try folder.suite(caseText(checks: #"{"check": "reset"}"#, more: #""skip": "\#(reason)","#))
    }
  }

  @Test("Each channel by itself needs two channels")
  func eachChannel() throws {
    let check = #"{"check": "sameAs", "device": {"unit": "lowPassFilter"}, "eachChannel": true}"#
    #expect(try verdict(#"{"unit": "lowPassFilter", "channels": 1}"#, check, more: Self.short).verdict == .failed)
    #expect(try verdict(#"{"unit": "lowPassFilter", "channels": 2}"#, check, more: Self.short).verdict == .passed)
  }

  @Test(
    "A device compared with itself, in other words too",
    arguments: [
      (#"{"unit": "lowPassFilter"}"#, #"{"unit": "lowPassFilter"}"#),
      (#"{"unit": "lowPassFilter", "channels": 2}"#, #"{"unit": "lowPassFilter", "set": {}}"#),
      (ShellDevice.copy, ShellDevice.copy),
      (ShellDevice.copy, #"{"command": ["cp", "{in}", "{out}"], "seconds": 9}"#),
      (#"{"formula": "in(c)"}"#, #"{"formula": "in(c)"}"#),
    ])
  func itself(one: String, other: String) throws {
    for check in [
      #"{"check": "sameAs", "device": \#(other)}"#, #"{"check": "sameAs", "device": \#(other), "peak": -60}"#,
      #"{"check": "response", "against": \#(other), "within": 1}"#,
    ] {
      expectFailure(.suite, ["compares the device with itself"]) {
        _ = try folder.suite(caseText("a", one, checks: check))
      }
    }
    _ = try folder.suite(
      caseText("a", one, checks: #"{"check": "sameAs", "device": {"formula": "in(c) * 2"}}"#))
  }

  @Test("In Swift, one unit or one command beside itself")
  func itselfInSwift() throws {
    let expectations = try ExpectationFolder()
    let command = try CommandDevice(["cp", "{in}", "{out}"])
    let text = expectations.recorded { expect(command, equals: command) }.text
    #expect(text.contains("compared with itself"), "\(text)")
    let graph = try shelfGraph(gainDecibels: 3, in: expectations)
    #expect(expectations.recorded { expect(graph, equals: graph) }.text.contains("compared with itself"))
    #expect(expectations.recorded { expect(command, equals: FunctionDevice.identity(.float32)) }.issues.isEmpty)
  }

  @Test("In Swift, what is silent proves nothing about slices, resets and tails")
  func silentInSwift() throws {
    let expectations = try ExpectationFolder()
    let mute = SlicedDevice("mute", sampleRate: 48_000) { _, _ in
      0
    } reset: { _ in
    } process: { (_: inout Int, slice: inout [[Float]]) in
      for channel in slice.indices { slice[channel] = slice[channel].map { _ in 0 } }
    }
    #expect(expectations.recorded { expectSliceInvariance(of: mute) }.failures == 1)
    #expect(expectations.recorded { expectResetEqualsNew(of: mute) }.failures == 1)
    #expect(expectations.recorded { expectSliceInvariance(of: OnePole.device()) }.issues.isEmpty)
  }

  @Test("A command that has {slice} in a comment takes no notice of it; one that reads it does")
  func slices() throws {
    let check = #"{"check": "slices", "frames": [64], "threads": [1]}"#
    let comment = ShellDevice.line(##"cp "$1" "$2" # {slice}"##)
    let deaf = try verdict(comment, check, more: Self.short)
    #expect(deaf.verdict == .failed && deaf.checks.first?.found.contains("takes no notice") ?? false, "\(deaf)")
    let reads = ShellDevice.line(#"test {slice} -gt 0 && cp "$1" "$2""#)
    #expect(try verdict(reads, check, more: Self.short).verdict == .passed)
  }

  @Test("A command that the clock changes is not the same when it runs again")
  func clock() throws {
    // The input comes out, but for ten bytes of its samples, which are the seconds of the clock.
    let line = ShellDevice.line(
      #"cp "$1" "$2"; date +%s | head -c 10 | dd of="$2" bs=1 seek=400 conv=notrunc status=none"#)
    #expect(try verdict(line, #"{"check": "reset"}"#, more: Self.short).verdict == .failed)
    let steady = try verdict(ShellDevice.copy, #"{"check": "reset"}"#, more: Self.short)
    #expect(steady.verdict == .passed && steady.checks.first?.examined?.renders == 3, "\(steady)")
  }
}

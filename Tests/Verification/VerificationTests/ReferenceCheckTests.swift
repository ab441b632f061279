import AudioCore
import Measurement
import TestSupport
import Testing

import Verification

@Suite("Held to what is written down or comes from a library itself")
struct ReferenceCheckTests {
  private let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

  private func verdict(_ device: String, _ checks: String..., more: String = "") throws -> CaseOutcome {
    try folder.run(
      #"{"id": "a", "device": \#(device), \#(more) "checks": [\#(checks.joined(separator: ", "))]}"#)
  }

  private static let short = #""stimulus": {"frames": 3000},"#

  @Test("formula: the law passes, one that is off by a bit fails in its place")
  func formula() throws {
    let mixer = #"{"unit": "multichannelMixer", "set": {"volume@input:0": 0.3}}"#
    let law = #"{"check": "sameAs", "device": {"formula": "float(in(c) * float(0.3))"}}"#
    #expect(try verdict(mixer, law, more: Self.short).verdict == .passed)
    let off = #"{"check": "sameAs", "device": {"formula": "float(in(c) * float(0.3)) * if(n == 77, 1.0000002, 1)"}}"#
    let outcome = try verdict(mixer, off, more: Self.short)
    #expect(outcome.verdict == .failed && outcome.checks[0].firstFailure?.frame == 77)
    let short = #"{"check": "sameAs", "device": {"formula": "float(in(c) * float(0.3))", "frames": 2999}}"#
    #expect(try verdict(mixer, short, more: Self.short).verdict == .failed, "a length that is not the input's")
  }

  @Test("formula: files as signals, channels of its own, and a rate")
  func signals() throws {
    try folder.write(noiseSignal(frames: 500, channels: 2, sampleRate: 8000), "sound.wav")
    let graph = #"""
      {"graph": {"version": 1, "sampleRate": 8000, "nodes": [
        {"id": "p", "unit": "filePlayer", "file": "sound.wav", "region": [100, 50], "loops": 2, "start": 10},
        {"id": "out", "unit": "genericOutput"}], "connections": ["p -> out"]}}
      """#
    func law(_ first: Int) -> String {
      #"""
      {"check": "sameAs", "device": {"formula": "if(n < 10, 0, sound(c, \#(first) + (n - 10) % 50))", "outputs": 2,
        "signals": {"sound": "sound.wav"}, "frames": 160, "sampleRate": 8000}}
      """#
    }
    #expect(try verdict(graph, law(100)).verdict == .passed)
    #expect(try verdict(graph, law(101)).verdict == .failed)
  }

  @Test(
    "libraryConversion: the engine's conversion is libsamplerate's, bit for bit or to the rounding of a filter bank",
    arguments: [("fast", -138), ("linear", -300), ("zero-order-hold", -300)])
  func library(_ quality: String, within decibels: Int) throws {
    let unit = #"{"unit": "formatConverter", "quality": "\#(quality)", "format": {"sampleRate": 44100}}"#
    func check(_ quality: String) -> String {
      #"{"check": "sameAs", "device": {"libraryConversion": {"quality": "\#(quality)", "sampleRate": 44100}}, "relative": \#(decibels)}"#
    }
    #expect(try verdict(unit, check(quality), more: Self.short).verdict == .passed)
    #expect(try verdict(unit, check("medium"), more: Self.short).verdict == .failed)
  }

  @Test("eachChannel: a device that keeps its channels apart passes, one that mixes them fails")
  func eachChannel() throws {
    let check = #"{"check": "sameAs", "device": {"unit": "lowPassFilter"}, "eachChannel": true}"#
    #expect(try verdict(#"{"unit": "lowPassFilter", "channels": 5}"#, check, more: Self.short).verdict == .passed)
    let mixed = #"{"unit": "formatConverter", "matrix": [[1, 0.001], [0, 1]]}"#
    let copy = #"{"check": "sameAs", "device": {"formula": "in(0)"}, "eachChannel": true}"#
    #expect(try verdict(mixed, copy, more: Self.short).verdict == .failed)
    let wide = #"{"check": "sameAs", "device": {"formula": ["in(0)", "in(0)"]}, "eachChannel": true}"#
    #expect(try verdict(mixed, wide, more: Self.short).verdict == .error, "two channels of one")
  }

  @Test("parameter: a meter and a value, with limits that hold and that do not")
  func parameter() throws {
    let mixer = #"{"unit": "multichannelMixer", "edits": [{"frame": 100, "set": {"volume@input:0": 0.25}}]}"#
    let constant = #""stimulus": {"type": "formula", "formula": "if(c == 0, 0.5, 0.125)", "frames": 2000},"#
    func check(_ keys: String) -> String { #"{"check": "parameter", \#(keys)}"# }
    // 20·log10(0.5) and, behind the volume, of half and a quarter of it.
    for (keys, expected) in [
      (#""parameter": "prePeakHoldLevel@input:0", "value": -6.0206, "within": 0.0001"#, Verdict.passed),
      (#""parameter": "prePeakHoldLevel@input:0", "channel": 1, "value": -18.0618, "within": 0.0001"#, .passed),
      (#""parameter": "prePeakHoldLevel@input:0", "min": -6"#, .failed),
      (#""parameter": "volume@input:0", "frames": 100, "value": 1, "within": 0"#, .passed),
      (#""parameter": "volume@input:0", "frames": 101, "value": 0.25, "within": 0"#, .passed),
      (#""parameter": "volume@input:0", "max": 0.2"#, .failed),
      (#""parameter": "volume@input:0", "channel": 1, "max": 1"#, .error),
      (#""parameter": "volum@input:0", "max": 1"#, .error),
      (#""parameter": "prePeakHoldLevel@input:0", "channel": 2, "max": 1"#, .error),
      (#""node": "mix", "parameter": "volume@input:0", "max": 1"#, .error),
    ] {
      #expect(try verdict(mixer, check(keys), more: constant).verdict == expected, "\(keys)")
    }
    #expect(try verdict(ShellDevice.copy, check(#""parameter": "volume", "max": 1"#)).verdict == .error)
  }

  @Test("instructionSets: graphs are compared, commands are not")
  func instructionSets() throws {
    let check = #"{"check": "instructionSets"}"#
    let outcome = try verdict(
      #"{"unit": "parametricEQ", "set": {"gain": 9}}"#, check, #"{"check": "reset"}"#, more: Self.short)
    #expect(outcome.verdict == .passed)
    #expect(try verdict(ShellDevice.copy, check).verdict == .failed, "nothing was checked")
  }

  @Test("Edits are heard from their own frame on, whatever the slices, and are gone behind a reset")
  func edits() throws {
    let device = #"""
      {"unit": "multichannelMixer", "edits": [{"frame": 999, "set": {"volume@input:0": 0.5}}, {"frame": 500, "set": {"volume@input:0": 0}}]}
      """#
    let law = #"{"check": "sameAs", "device": {"formula": "in(c) * if(n < 500, 1, if(n < 999, 0, 0.5))"}, "ulps": 0}"#
    #expect(
      try verdict(device, law, #"{"check": "slices"}"#, #"{"check": "reset"}"#, more: Self.short).verdict == .passed)
    let late = #"{"check": "sameAs", "device": {"formula": "in(c) * if(n < 501, 1, if(n < 999, 0, 0.5))"}, "ulps": 0}"#
    #expect(try verdict(device, late, more: Self.short).verdict == .failed)
  }

  @Test("Scheduled edits: a step and a straight line within a slice, in slices of any length")
  func scheduledEdits() throws {
    let device = #"""
      {"unit": "multichannelMixer", "edits": [
        {"frame": 500, "set": {"volume@input:0": 0.25}, "scheduled": true},
        {"frame": 1000, "set": {"volume@input:0": 0.75}, "scheduled": true, "ramp": 1000}]}
      """#
    let law = #"""
      {"check": "sameAs", "device": {"formula": "in(c) * if(n < 500, 1, if(n < 1000, 0.25, min(0.75, 0.25 + (n - 1000) / 2000)))"},
       "peak": -130}
      """#
    let slices = #"{"check": "slices", "frames": [1, 64, 999, 4096]}"#
    let outcome = try verdict(device, law, slices, #"{"check": "reset"}"#, more: Self.short)
    #expect(outcome.verdict == .passed, "\(outcome.checks.map(\.found)) \(outcome.message ?? "")")
    let late = law.replacing("n < 500", with: "n < 501")
    #expect(try verdict(device, late, more: Self.short).verdict == .failed)
  }

  @Test("Edits of connections: a source that goes and comes")
  func connections() throws {
    func graph(_ edits: String) -> String {
      #"""
      {"graph": {"version": 1, "sampleRate": 44100, "nodes": [
        {"id": "p", "unit": "filePlayer"}, {"id": "m", "unit": "multichannelMixer", "inputs": 2},
        {"id": "out", "unit": "genericOutput"}], "connections": ["p -> m:0", "m -> out"]}, "edits": [\#(edits)]}
      """#.replacing(#""unit": "filePlayer"}"#, with: #""unit": "filePlayer", "file": "sound.wav"}"#)
    }
    try folder.write(noiseSignal(frames: 10, channels: 2), "sound.wav")
    let law = #"{"check": "sameAs", "device": {"formula": "in(c) * if(n < 700, 1, if(n < 1400, 0, 2))"}}"#
    let edits = #"{"frame": 700, "disconnect": ["m:0"]}, {"frame": 1400, "connect": ["p -> m:0", "p -> m:1"]}"#
    let outcome = try verdict(
      graph(edits), law.replacing("}}", with: #"}, "ulps": 0}"#),
      #"{"check": "slices", "frames": [100, 4096], "threads": [1, 3]}"#, #"{"check": "reset"}"#, more: Self.short)
    #expect(outcome.verdict == .passed, "\(outcome.checks.map(\.found)) \(outcome.message ?? "")")
    let wrong = try verdict(graph(#"{"frame": 700, "connect": ["p -> x:0"]}"#), law, more: Self.short)
    #expect(wrong.verdict == .error && (wrong.message?.contains("no node \"x\"") ?? false))
  }

  @Test("A matrix of rows makes the cases of each")
  func rows() throws {
    let suite = try folder.suite(
      #"""
      {"id": "{a}-{b}", "matrix": [{"a": 1, "b": [2, 3]}, {"a": "x", "b": true}], "device": {"unit": "iPodEQ"},
       "checks": [{"check": "reset"}]}
      """#)
    #expect(suite.cases.map(\.name) == ["1-2", "1-3", "x-true"])
  }

  @Test("fails: an error with its words passes; another error, or none, does not")
  func fails() throws {
    let check = #"{"check": "fails", "says": ["cutof", "no such parameter"]}"#
    #expect(try verdict(#"{"unit": "lowPassFilter", "set": {"cutof": 1}}"#, check).verdict == .passed)
    let other = try verdict(#"{"unit": "lowPassFilter", "bnds": []}"#, check)
    #expect(other.verdict == .failed && other.checks[0].found.contains("bnds"))
    let none = try verdict(#"{"unit": "lowPassFilter"}"#, check, more: Self.short)
    #expect(none.verdict == .failed && none.checks[0].found.hasPrefix("it renders"))
    let command = #"{"command": ["sh", "-c", "echo no luck >&2; exit 3", "{in}", "{out}"]}"#
    #expect(try verdict(command, #"{"check": "fails", "says": ["code 3", "no luck"]}"#).verdict == .passed)
  }

  @Test("What a command gets and gives may be other kinds of file")
  func kinds() throws {
    let device = #"{"command": ["cp", "{in}", "{out}"], "container": "aiff", "encoding": "pcm24", "extension": "aiff"}"#
    let law = #"{"check": "sameAs", "device": {"formula": "in(c)", "precision": "float64"}}"#
    #expect(try verdict(device, law, more: Self.short).verdict == .passed)
  }
}

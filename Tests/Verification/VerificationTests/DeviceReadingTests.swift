import AudioCore
import Measurement
import Testing
import TestSupport
import Verification

/// Devices as suites write them: formulas, libraries, commands, and edits while they render.
@Suite("Devices of suites")
struct DeviceReadingTests: CaseTrial {
  let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

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

  @Test("What a command gets and gives may be other kinds of file")
  func kinds() throws {
    let device = #"{"command": ["cp", "{in}", "{out}"], "container": "aiff", "encoding": "pcm24", "extension": "aiff"}"#
    let law = #"{"check": "sameAs", "device": {"formula": "in(c)", "precision": "float64"}}"#
    #expect(try verdict(device, law, more: Self.short).verdict == .passed)
  }
}

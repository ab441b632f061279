import AudioCore
import Measurement
import TestSupport
import Testing

import Verification

/// No check passes without having checked: each of these once did.
@Suite("Nothing was checked: that is a failure, and a limit that cannot be crossed an error")
struct NothingCheckedTests {
  /// Runs one case; answers what became of it.
  private func run(
    _ device: String = ShellDevice.copy, _ checks: String..., stimulus: String? = nil, in folder: SuiteFolder? = nil
  ) throws -> CaseOutcome {
    let folder = try folder ?? SuiteFolder()
    let written = checks.joined(separator: ", ")
    return try folder.run(caseText("a", device, checks: written, more: stimulus.map { #""stimulus": \#($0),"# } ?? ""))
  }

  /// A folder with a sound of no frames, for ``ShellDevice/sound``.
  private func folderWithoutFrames() throws -> SuiteFolder {
    let folder = try SuiteFolder()
    try folder.write(AudioSignal(sampleRate: 48_000, channels: [[], []]), "sound.wav")
    return folder
  }

  @Test(
    "An output without frames",
    arguments: [
      #"{"check": "reset"}"#, #"{"check": "silence"}"#, #"{"check": "sameAs", "file": "sound.wav"}"#,
      #"{"check": "sameAs", "file": "sound.wav", "peak": -60}"#,
    ])
  func noFrames(check: String) throws {
    let outcome = try run(ShellDevice.sound, check, in: try folderWithoutFrames())
    #expect(outcome.verdict == .failed)
    #expect(outcome.checks.first?.found.hasPrefix("nothing was checked") ?? false, "\(outcome.checks)")
  }

  @Test("A case of which no check applies says why", arguments: [#"{"check": "slices"}"#, #"{"check": "order"}"#])
  func inapplicable(check: String) throws {
    let outcome = try run(ShellDevice.copy, check)
    #expect(outcome.verdict == .failed)
    #expect(outcome.message?.hasPrefix("nothing was checked: ") ?? false, "\(outcome)")
    // A case that the suite leaves out is left out.
    let folder = try SuiteFolder()
    #expect(
      try folder.run(caseText("a", ShellDevice.copy, checks: check, more: #""skip": "later","#)).verdict == .skipped)
  }

  @Test("An output of silence passes only where the case says so; a single sample is sound")
  func silence() throws {
    func outcome(_ formula: String, silent: Bool?) throws -> CaseOutcome {
      try SuiteFolder().run(
        caseText(
          "a", #"{"formula": "\#(formula)"}"#, checks: #"{"check": "reset"}"#,
          more: silent.map { #""silent": \#($0),"# } ?? ""))
    }
    for silent in [nil, false] {
      let failed = try outcome("0", silent: silent)
      #expect(failed.verdict == .failed)
      #expect(
        failed.message == #"nothing was checked: the output is silence; a case that wants it says "silent": true"#)
      #expect(try outcome("in(c)", silent: silent).verdict == .passed)
    }
    #expect(try outcome("0", silent: true).verdict == .passed)
    #expect(try outcome("in(c)", silent: true).verdict == .passed)
    #expect(try outcome("if(n == 7, 0.001, 0)", silent: nil).verdict == .passed)
  }

  @Test("A curve of which every point lies where nothing is left to compare says how many there were")
  func pointsBelow() throws {
    let folder = try SuiteFolder()
    try folder.write("# x Hz\ty dB\n10\t-140\n24000\t-140\n", "low.tsv")
    let outcome = try folder.run(
      caseText(
        "a", #"{"formula": "1e-7 * in(c)"}"#,
        checks: #"{"check": "response", "against": {"file": "low.tsv"}, "within": 1}"#))
    #expect(outcome.verdict == .failed)
    #expect(outcome.checks.first?.found.contains("points lie below −100 dB, as they should") ?? false, "\(outcome)")
  }

  @Test("Slices that are those of the usual render")
  func sameSlices() throws {
    let unit = #"{"unit": "lowPassFilter"}"#
    func verdict(_ frames: String, threads: Int = 1) throws -> Verdict {
      try run(
        unit, #"{"check": "slices", "frames": [\#(frames)], "threads": [\#(threads)]}"#, stimulus: #"{"frames": 3000}"#
      )
      .verdict
    }
    let usual = 4096
    #expect(try verdict("\(usual)") == .failed)
    // Longer than the sound: one slice, as before.
    #expect(try verdict("100000") == .failed)
    #expect(try verdict("\(usual), 512") == .passed)
    #expect(try verdict("\(usual)", threads: 2) == .passed)
  }

  @Test("A command is told its slices")
  func commandSlices() throws {
    let check = #"{"check": "slices", "frames": [64, 37], "threads": [1]}"#
    let deaf = #"{"command": ["sh", "-c", "cp \"$0\" \"$1\"; test $2 -gt 0", "{in}", "{out}", "{slice}"]}"#
    let outcome = try run(deaf, check)
    #expect(outcome.verdict == .passed && outcome.checks.first?.examined?.renders == 2, "\(outcome)")
    let hears =
      #"{"command": ["sh", "-c", "test $2 -gt 0 || exit 1; if test $2 = 37; then cp \"$3\" \"$1\"; else cp \"$0\" \"$1\"; fi", "{in}", "{out}", "{slice}", "sound.wav"]}"#
    let folder = try SuiteFolder()
    try folder.write(AudioSignal(sampleRate: 48_000, channels: [[0], [0]]), "sound.wav")
    let heard = try run(hears, check, in: folder)
    #expect(heard.verdict == .failed && heard.checks.first?.found.contains("slices of 37 frames") ?? false, "\(heard)")
  }

  @Test("A loudness below the gate on both sides")
  func gatedLoudness() throws {
    let folder = try SuiteFolder()
    let short = AudioSignal(sampleRate: 48_000, channels: [[Double]](repeating: [0.5, -0.5, 0.25], count: 2))
    try folder.write(short, "sound.wav")
    let outcome = try run(
      ShellDevice.sound, #"{"check": "sameAs", "file": "sound.wav", "loudness": 0.1}"#, in: folder)
    #expect(outcome.verdict == .failed)
    #expect(outcome.checks.first?.found.contains("nothing was compared") ?? false, "\(outcome)")
  }

  @Test("An output that ends before it has to be silent")
  func endsEarly() throws {
    let folder = try SuiteFolder()
    try folder.write(AudioSignal(sampleRate: 48_000, channels: [[0.5], [0.5]]), "sound.wav")
    let outcome = try run(ShellDevice.sound, #"{"check": "silence"}"#, in: folder)
    #expect(outcome.verdict == .failed)
    #expect(outcome.checks.first?.found.contains("before it has to be silent") ?? false, "\(outcome)")
  }

  @Test("silence after more frames than can be held is an error, and no crash")
  func endlessSilence() throws {
    let outcome = try run(ShellDevice.copy, #"{"check": "silence", "after": 1000000000000}"#)
    #expect(outcome.verdict == .error, "\(outcome)")
  }

  @Test("A table that has no value for a part of the range")
  func narrowTable() throws {
    let folder = try SuiteFolder()
    let flat = #"{"unit": "parametricEQ"}"#
    try folder.write("# hertz\tdB\n100\t0\n5000\t0\n", "narrow.tsv")
    try folder.write("# hertz\tdB\n10\t0\n24000\t0\n", "wide.tsv")
    func outcome(_ table: String, _ range: String = "") throws -> CheckOutcome {
      let text = #"{"check": "response", "against": {"file": "\#(table)"}, "within": 0.01\#(range)}"#
      return try #require(try run(flat, text, in: folder).checks.first)
    }
    let narrow = try outcome("narrow.tsv")
    #expect(narrow.verdict == .failed && narrow.found.contains("has no value at"), "\(narrow)")
    #expect(try outcome("narrow.tsv", #", "from": 200, "to": 4000"#).verdict == .passed)
    let wide = try outcome("wide.tsv")
    #expect(wide.verdict == .passed && wide.examined?.points ?? 0 > 200, "\(wide)")
    #expect(wide.examined?.lowestHertz ?? 0 < 25 && wide.examined?.highestHertz ?? 0 > 18_000)
  }

  @Test(
    "A limit that cannot be crossed",
    arguments: [
      #""peak": 200"#, #""rms": 100"#, #""rms": 0"#, #""peak": 0.1"#,
    ])
  func endlessLimit(limit: String) throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(seed: 1, frames: 48_000), "sound.wav")
    let outcome = try run(ShellDevice.sound, #"{"check": "sameAs", "file": "sound.wav", \#(limit)}"#, in: folder)
    #expect(outcome.verdict == .error, "\(outcome)")
    #expect(outcome.checks.first?.found.contains("tells nothing here") ?? false, "\(outcome)")
  }

  @Test("Masks and figures that nothing lies beyond; a null of 0 dB and more is refused when the suite is read")
  func endlessFigures() throws {
    let unit = #"{"unit": "lowPassFilter"}"#
    for check in [
      #"{"check": "response", "within": 1e9}"#, #"{"check": "measure", "reading": "gainMaximum", "max": 1e9}"#,
      #"{"check": "measure", "reading": "gainMaximum", "value": 0, "within": 1e9}"#,
    ] {
      let outcome = try run(unit, check)
      #expect(outcome.verdict == .error, "\(check): \(outcome)")
      #expect(outcome.checks.first?.found.contains("cannot ") ?? false, "\(outcome)")
    }
    for (limit, reason) in [
      (#""align": {"null": 1e9}"#, "below -0.915"), (#""loudness": 1e9"#, "another sound"),
      (#""relative": 1e9"#, "20 dB quieter"), (#""bands": 1e9"#, "another sound"),
      (#""spectrum": 1e9"#, "another sound"),
      (#""ulps": 4294967296"#, "a level 20 dB off"), (#""ulps": 100000000"#, "a level 20 dB off"),
    ] {
      let refusal = #expect(throws: BenchError.self) {
        try run(unit, #"{"check": "sameAs", "file": "x.wav", \#(limit)}"#)
      }
      #expect(refusal?.message.contains(reason) ?? false, "\(refusal as Any)")
    }
  }

  @Test("Reports say how much was looked at")
  func told() throws {
    let outcome = try run(#"{"unit": "lowPassFilter"}"#, #"{"check": "reset"}"#, stimulus: #"{"frames": 1000}"#)
    let examined = try #require(outcome.checks.first?.examined)
    #expect(examined.frames ?? 0 >= 1000 && examined.channels == 2 && examined.renders == 1)
    #expect(
      examined.text.hasPrefix("1 render, ") && examined.text.hasSuffix(" frames of 2 channels"), "\(examined.text)")
    #expect(!examined.isNothing && Examined().isNothing && Examined(frames: 0, channels: 2).isNothing)
  }
}

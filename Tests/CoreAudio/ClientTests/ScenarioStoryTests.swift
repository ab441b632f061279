import Foundation
import TestSupport
import Testing

/// The stories that developers tell of real devices, each provoked by a scenario in one app's sequence of calls. The
/// table of stories in `docs/scenarios.md` names them.
@Suite("What real devices do to an app is provoked by scenarios")
struct ScenarioStoryTests {
  private func tell(_ story: String, _ scenario: String) throws -> (run: Finished, folder: TemporaryFolder) {
    let folder = TemporaryFolder()
    let path = folder.file("scenario.json")
    try scenario.write(toFile: path, atomically: true, encoding: .utf8)
    let (program, said) = try Installation.shared().build("scenario_stories.c")
    try #require(said == "")
    return (try Finished(program, [story], ["AUBENCH_DEVICE_SCENARIO": path]), folder)
  }

  @Test(
    "a recorder whose file is slower than a clock that is not real loses no frame, and its calls are in its transcript")
  func recorder() throws {
    let folder = TemporaryFolder()
    let scenario = folder.write(
      #"{"version": 1, "device": {"clock": "told", "sampleRate": 44100, "slices": [4096]}}"#, to: "scenario.json")
    let (program, said) = try Installation.shared().build("record_to_file.c")
    try #require(said == "")
    let aubench = Installation.buildFolder.appending(path: "aubench").path
    let run = try Finished(
      aubench, ["trace", "--scenario", scenario, "-o", folder.file("calls.txt"), program, folder.file("out.wav")])
    // 1292 cycles begin within two minutes.
    #expect(run.output == "written 5292032, first failure 0\n", "\(run.output)\(run.errors)")
    let wave = try Wave(folder.file("out.wav"))
    let samples = wave.channel(0)
    #expect(samples.count == 5_292_032)
    #expect(samples.indices.allSatisfy { Int16(truncatingIfNeeded: $0) == Int16((samples[$0] * 32_768).rounded()) })
    let text = try String(contentsOfFile: folder.file("calls.txt"), encoding: .utf8)
    for line in [
      "ExtAudioFileCreateWithURL: 'WAVE', 44100 Hz, 2 ch, int16, interleaved = extfile 1",
      "ExtAudioFileWriteAsync extfile 1: 0 frames",
      "      ExtAudioFileWriteAsync extfile 1: 4096 frames", "ExtAudioFileDispose extfile 1",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
  }

  @Test("a child that ends while the hardware of its parent runs does end")
  func children() throws {
    let folder = TemporaryFolder()
    let scenario = folder.write(
      #"{"version": 1, "device": {"clock": "free", "slices": [16]}, "events": [{"at": 86000, "volume": 0.5}]}"#,
      to: "scenario.json")
    let (program, said) = try Installation.shared().build("exit_in_child.c")
    try #require(said == "")
    let run = try Finished(program, [], ["AUBENCH_DEVICE_SCENARIO": scenario])
    #expect(run.output == "40 ended\n" && !run.errors.contains("did not happen"), "\(run.output)\(run.errors)")
  }

  @Test("a program that ends before an event is told, and so are variables that a scenario leaves out of account")
  func untested() throws {
    let event = #""events": [{"at": 1000, "volume": 0.5}]"#
    let (run, _) = try tell("codec", #"{"version": 1, "device": {"clock": "told"}, \#(event)}"#)
    #expect(
      run.errors.contains("1 event of the scenario did not happen, the first at 1000 s: the hardware has come to 10"),
      "\(run.errors)")
    let (still, _) = try tell("refused", #"{"version": 1, "device": {"clock": "told"}, \#(event)}"#)
    // One within the last cycle, for which no cycle has begun; and a program that has no use for hardware.
    let (last, _) = try tell(
      "codec",
      #"{"version": 1, "device": {"clock": "told", "slices": [4096]}, "seconds": 10, "events": [{"at": 9.99, "volume": 0.5}]}"#
    )
    #expect(last.errors.contains("1 event of the scenario did not happen, the first at 9.99 s"), "\(last.errors)")
    let (mixer, _) = try Installation.shared().build("trace_refused.c")
    let none = try Finished(mixer, ["fork"], ["AUBENCH_DEVICE_SCENARIO": "/no/scenario.json"])
    #expect(none.code == 78, "\(none.errors)")
    #expect(still.errors.contains("its clock is told, and nobody has told it to go on"), "\(still.errors)")
    let folder = TemporaryFolder()
    let path = folder.write(#"{"version": 1, "device": {"profile": "phone"}}"#, to: "scenario.json")
    let (program, _) = try Installation.shared().build("scenario_stories.c")
    let phone = try Finished(
      program, ["refused"],
      ["AUBENCH_DEVICE_SCENARIO": path, "AUBENCH_DEVICE_RATE": "8000", "AUBENCH_LOG": "1"])
    #expect(phone.errors.contains("AUBENCH_DEVICE_RATE counts for nothing"), "\(phone.errors)")
    #expect(
      phone.errors.contains(#"expected integer samples: the scenario's device refuses "float""#), "\(phone.errors)")
  }

  @Test("160 samples for a codec at 8 kHz: the device at 44.1 kHz gives 92 or 93 at a time, and none is lost")
  func codec() throws {
    let (run, _) = try tell(
      "codec",
      """
      {"version": 1, "device": {"clock": "told", "sampleRates": [44100], "slices": [512]},
       "microphone": {"type": "tone", "frequency": 440}}
      """)
    #expect(run.errors == "")
    // 862 cycles begin within 10 s: 441344 frames, which are 80062 at 8 kHz.
    #expect(
      run.lines == [
        "session 0", "category 0", "active 0", "initialize 0", "start 0", "advance 0",
        "recorded in 93 93 93 93 92 93 93 93 93 93 93 93",
        "recorded 80062 frames, 500 of the codec, status 0, sound 1", "stop 0", "dispose 0", "host time in step 1",
      ])
  }

  @Test("the microphone pulled from the output callback: all is played again, at the hardware's rate and another")
  func through() throws {
    for rate in [44_100, 8_000] {
      let (run, folder) = try tell(
        "through\(rate)",
        """
        {"version": 1, "device": {"clock": "told", "slices": [512]}, "loudspeaker": {"file": "heard.wav"},
         "microphone": {"type": "tone", "frequency": 441}}
        """)
      #expect(run.errors == "" && run.lines.contains("status 0"), "\(run.output)")
      let left = try Wave(folder.file("heard.wav")).channel(0)
      // A period is 100 frames: what is 100 frames apart is the same, but for 16 bits, and nothing is missing.
      let differences = (10_000..<80_000).map { abs(left[$0] - left[$0 - 100]) }
      #expect(try #require(differences.max()) < (rate == 44_100 ? 1e-6 : 2e-4), "\(rate): \(run.output)")
      let power = (10_000..<80_000).reduce(0) { $0 + Double(left[$1] * left[$1]) } / 70_000
      #expect(abs(power / 0.031548 - 1) < 0.01, "\(power)")
    }
  }

  @Test("a callback that stops writing leaves what was in its buffer: the same slice again and again")
  func saw() throws {
    let (run, folder) = try tell(
      "saw",
      """
      {"version": 1, "device": {"clock": "told", "slices": [512], "leavesBuffers": true},
       "loudspeaker": {"file": "heard.wav"}}
      """)
    #expect(run.errors == "")
    let left = try Wave(folder.file("heard.wav")).channel(0)
    #expect(left.count > 40_000)
    // 64 frames of a saw divide a slice: it goes on, as if nothing had happened.
    #expect(left.indices.allSatisfy { (frame: Int) -> Bool in left[frame] == Float(frame % 64 * 256 - 8192) / 32_768 })
  }

  @Test("an interruption stops the app, refuses its start, and lets it go on at its end")
  func interruption() throws {
    let (run, _) = try tell(
      "interruption",
      """
      {"version": 1, "device": {"clock": "told", "slices": [441]}, "events": [
        {"at": 0.5, "interruption": {"edge": "begin"}}, {"at": 1.5, "interruption": {"edge": "end"}}]}
      """)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "session 0", "category 0", "active 0", "initialize 0", "start 0", "interrupted at 0.500 s, running 0",
        "activate during it 560030580", "start during it 561145187", "ended at 1.500 s, type irsm", "activate 0",
        "start 0", "recorded 22050 and 22050 frames, running 1", "stop 0", "dispose 0", "host time in step 1",
      ])
  }

  @Test("a change of route: 200 ms without callbacks, another rate, and a stop meanwhile that takes until its end")
  func route() throws {
    let (run, _) = try tell(
      "route",
      """
      {"version": 1, "device": {"clock": "told", "slices": [441]}, "events": [
        {"at": 0.5, "route": {"output": "Headphones", "input": "HeadsetMic", "sampleRate": 48000,
                              "reason": "newDeviceAvailable"}},
        {"at": 2, "route": {"reason": "oldDeviceUnavailable"}}]}
      """)
    #expect(run.errors == "")
    let lines = run.lines
    #expect(lines.contains("route ReceiverAndMicrophone"))
    #expect(lines.contains("route at 0.700 s: HeadsetInOut"))
    #expect(lines.contains { $0.hasPrefix("recorded ") && $0.hasSuffix("rate 48000") })
    // 441 frames at 48 kHz are 405 or 406 at the app's 44.1 kHz.
    #expect(lines.contains("recorded in 405 405 405 405") || lines.contains { $0.contains("recorded in 40") })
    #expect(lines.contains("route at 2.207 s: ReceiverAndMicrophone"), "\(lines)")
    #expect(lines.contains("stop while it changes 0"))
    #expect(lines.contains("recorded afterwards 0"))
  }

  @Test("what was not disposed of: the next voice processor fails, and sound is ducked until it is")
  func undisposed() throws {
    let (run, folder) = try tell(
      "undisposed",
      """
      {"version": 1, "device": {"clock": "told", "slices": [441]}, "loudspeaker": {"file": "heard.wav"}}
      """)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "first 0", "uninitialize 0", "second -10875", "initialize 0", "dispose of the first 0", "second again 0",
        "stop 0", "dispose 0", "host time in step 1",
      ])
    let left = try Wave(folder.file("heard.wav")).channel(0)
    #expect(left[10] == Float(10 * 256 - 8192) / 32_768 / 4)
    #expect(left[441 * 15] == Float(441 * 15 % 441 % 64 * 256 - 8192) / 32_768)
  }

  @Test(
    "formats that a device refuses, and one without a microphone",
    arguments: [
      ("simulator", ["16 bit, mono 0", "float 0", "16 kHz 0", "input 1", "has input 1, initialize 0"]),
      ("phone", ["16 bit, mono 0", "float -50", "16 kHz 0", "input 1", "has input 1, initialize 0"]),
      ("noMono", ["16 bit, mono -10868", "float -10868", "16 kHz -10868", "input 1", "has input 1, initialize 0"]),
      ("fixedRate", ["16 bit, mono 0", "float 0", "16 kHz -10868", "input 1", "has input 1, initialize 0"]),
      ("noMicrophone", ["16 bit, mono 0", "float 0", "16 kHz 0", "input 0", "has input 0, initialize -10875"]),
    ])
  func refused(_ profile: String, _ expected: [String]) throws {
    let (run, _) = try tell("refused", #"{"version": 1, "device": {"clock": "told", "profile": "\#(profile)"}}"#)
    #expect(run.errors == "")
    #expect(run.lines.filter { !["session 0", "category 0", "active 0", "available 0"].contains($0) } == expected)
  }

  @Test("preferences are answered approximately; another program's sound ends while the session is active")
  func preferences() throws {
    let (run, _) = try tell(
      "preferences",
      """
      {"version": 1, "device": {"clock": "told", "profile": "phone"}, "otherAudio": {"type": "noise"}}
      """)
    #expect(run.errors == "")
    // 8 and 16 of 8, 16, 22.05, 44.1 and 48 kHz are as near to 12; a buffer of 20 ms is the power of two beside it.
    #expect(
      run.lines == [
        "session 0", "category 0", "active 0", "rate 0", "buffer 0", "rate 8000, buffer 0.0160",
        "other audio while active 0", "other audio while not 1",
      ])
  }

  @Test(
    "the speaker is switched on, and a voice processor hears nothing, or noise; Remote I/O in its place hears",
    arguments: ["silentVoiceOnSpeaker", "noisyVoiceOnSpeaker", ""])
  func speaker(_ defect: String) throws {
    let (run, _) = try tell(
      "speaker",
      """
      {"version": 1, "device": {"clock": "told", "sampleRate": 16000, "slices": [160],
        "defects": [\(defect.isEmpty ? "" : "\"\(defect)\"")]}, "microphone": {"type": "tone", "frequency": 500}}
      """)
    #expect(run.errors == "")
    func level(_ name: String) throws -> Double {
      try #require(run.lines.first { $0.hasPrefix("\(name) -") }.flatMap { Double($0.dropFirst(name.count + 1)) })
    }
    let (receiver, speaker, remote) = (try level("receiver"), try level("speaker"), try level("Remote I/O"))
    #expect(receiver > -30 && abs(remote + 15) < 1, "\(run.output)")
    switch defect {
    case "silentVoiceOnSpeaker": #expect(speaker < -100)
    // Evenly between ±0.05: −30.8 dBFS.
    case "noisyVoiceOnSpeaker": #expect(abs(speaker + 30.8) < 1)
    default: #expect(abs(speaker - receiver) < 3, "\(run.output)")
    }
  }

  @Test("a format that is not restored before a unit is disposed of: the next one plays quietly and roughly")
  func unrestored() throws {
    let (run, folder) = try tell(
      "unrestored",
      """
      {"version": 1, "device": {"clock": "told", "slices": [441], "defects": ["unrestoredFormats"]},
       "loudspeaker": {"file": "heard.wav"}}
      """)
    #expect(run.errors == "" && run.lines.filter { $0 == "restore 0" }.count == 2, "\(run.output)")
    let left = try Wave(folder.file("heard.wav")).channel(0)
    // Ten cycles each time; the second after a unit that kept its format, the third after one that had it restored.
    func peak(_ turn: Int) -> Float { left[turn * 4410..<turn * 4410 + 441].map(abs).max() ?? 0 }
    #expect(peak(0) == 0.25 && abs(peak(1) - 0.0625) < 0.004 && peak(2) == 0.25)
    #expect(Set(left[4410..<4851].map { ($0 * 128).rounded() / 128 == $0 }) == [true])
  }

  @Test("a phone call during a render: the callback ends, the unit stops, and nothing is called until the start")
  func during() throws {
    let (run, _) = try tell(
      "during",
      """
      {"version": 1, "device": {"clock": "told", "slices": [441]}, "events": [
        {"at": 0.195, "interruption": {"edge": "begin"}}, {"at": 0.8, "interruption": {"edge": "end"}}]}
      """)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "session 0", "initialize 0", "interrupted after 20 callbacks, inside one 0, running 0",
        "ended after 20 callbacks, inside one 0, running 0", "stop 0", "uninitialize 0", "dispose 0",
        "host time in step 1",
      ], "\(run.output)")
  }

  @Test(
    "the design patterns with a sounding microphone: through, with an effect, mixed with a callback, and a callback alone",
    arguments: ["patternThrough", "patternEffect", "patternMixer", "patternGenerate"])
  func patterns(_ pattern: String) throws {
    let (run, folder) = try tell(
      pattern,
      """
      {"version": 1, "device": {"clock": "told", "slices": [441]}, "loudspeaker": {"file": "heard.wav"},
       "microphone": {"type": "tone", "frequency": 4410}}
      """)
    #expect(run.errors == "" && run.lines.allSatisfy { $0.hasSuffix(" 0") || $0.hasSuffix("step 1") }, "\(run.output)")
    let left = try Wave(folder.file("heard.wav")).channel(0)
    #expect(left.count == 44_100)
    func tone(_ frame: Int) -> Float { 0.251189 * Float(sin(2 * Double.pi * Double(frame) / 10)) }
    func saw(_ frame: Int) -> Float { Float(frame % 441 % 64 * 256 - 8192) / 32_768 }
    let frames = 4410..<8820
    switch pattern {
    case "patternThrough": #expect(frames.allSatisfy { abs(left[$0] - tone($0)) < 1e-4 })
    case "patternGenerate": #expect(frames.allSatisfy { left[$0] == saw($0) })
    // A mixer has a mono input 3 dB down on either side.
    case "patternMixer":
      #expect(frames.allSatisfy { abs(left[$0] - (tone($0) + saw($0)) * Float(0.5).squareRoot()) < 1e-5 })
    // Two poles at 200 Hz take 54 dB of 4410.
    default: #expect(frames.allSatisfy { abs(left[$0]) < 0.0013 } && frames.contains { left[$0] != 0 })
    }
  }

  @Test("without libspeexdsp a voice processor that records does not initialize, and says why; Remote I/O does")
  func withoutLibrary() throws {
    let folder = TemporaryFolder()
    let clang = try #require(Installation.toolchain).appending(path: "clang").path
    let shimFolder = TemporaryFolder(plainName: "shim")
    let shim = shimFolder.file("without.so")
    let compiled = try Finished(
      clang, ["-shared", "-fPIC", "\(Repository.path)/Tests/Clients/without_libraries.c", "-o", shim])
    try #require(compiled.code == 0, "\(compiled.errors)")
    let path = folder.file("scenario.json")
    try #"{"version": 1, "device": {"clock": "told", "sampleRate": 16000}, "microphone": {"type": "noise"}}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    let (program, _) = try Installation.shared().build("scenario_stories.c")
    let run = try Finished(
      program, ["speaker"], ["AUBENCH_DEVICE_SCENARIO": path, "LD_PRELOAD": shim, "AUBENCH_LOG": "1"])
    #expect(run.lines.filter { $0.hasPrefix("initialize") } == ["initialize -10875", "initialize 0"])
    #expect(run.errors.contains("voice processing is not built: libspeexdsp.so.1 is missing"), "\(run.errors)")
  }

  @Test("each story of the page's table has the test that is named there")
  func table() throws {
    let page = try String(contentsOfFile: "\(Repository.path)/docs/scenarios.md", encoding: .utf8)
    let rows = try #require(page.split(separator: "## Stories").last).split(separator: "\n")
      .filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(rows.count > 25)
    let program = try String(contentsOfFile: "\(Repository.path)/Tests/Clients/scenario_stories.c", encoding: .utf8)
    for row in rows {
      let names = row.split(separator: "|").last?.matches(of: /`([\w.]+)`/).map { String($0.output.1) } ?? []
      #expect(!names.isEmpty, "\(row)")
      for name in names {
        let parts = name.split(separator: ".").map(String.init)
        if parts.count == 1 {
          #expect(program.contains("{\"\(name)"), "\(row)")
        } else {
          let file = try Repository.files(below: "Tests", suffix: "/\(parts[0]).swift").first
          let text = try Repository.text(try #require(file, "\(row)"))
          #expect(text.contains("func \(parts[1])("), "\(row)")
        }
      }
    }
  }

  @Test("a scenario that cannot be read ends the program before it begins")
  func broken() throws {
    let (run, _) = try tell("saw", #"{"version": 1, "devise": {}}"#)
    #expect(run.code == 78)
    #expect(run.errors.contains("key \"devise\": unknown key; did you mean \"device\"?"), "\(run.errors)")
  }
}

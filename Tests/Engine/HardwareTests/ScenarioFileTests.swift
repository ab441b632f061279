import AudioCore
import Hardware
import JSONFiles
import TestSupport
import Testing

/// Scenario files: reading, and the errors of wrong ones.
@Suite struct ScenarioFileTests {
  @Test("every key is read")
  func all() throws {
    let scenario = try ScenarioFile.parse(
      """
      { "version": 1,
        "device": { "profile": "phone", "clock": "told", "sampleRate": 8000, "slices": [93, 93, 92], "inputChannels": 2,
                    "outputChannels": 1, "refuses": ["mono"], "output": "Headphones", "input": "HeadsetMic" },
        "microphone": { "type": "file", "file": "voice.wav", "level": -6, "repeats": true },
        "loudspeaker": { "file": "heard.wav", "echo": [ { "delay": 0.02, "gain": -12 } ] },
        "otherAudio": { "type": "tone", "frequency": 440, "level": -20 },
        "cost": 0.002, "seconds": 10,
        "events": [
          { "at": 0, "burst": { "callbacks": 25, "pause": 0.512 } },
          { "at": 1, "burst": {} },
          { "at": 2, "route": { "output": "BluetoothHFP", "blocked": 0.3, "sampleRate": 16000, "inputChannels": 1,
                                "reason": "oldDeviceUnavailable" } },
          { "at": 3, "interruption": { "edge": "begin" } },
          { "at": 4, "interruption": { "edge": "end", "resumes": false, "told": false } },
          { "at": 5, "microphone": { "type": "noise", "seed": 3 } },
          { "at": 5, "microphoneFails": true },
          { "at": 6, "drift": -20 }, { "at": 6, "late": 0.001 }, { "at": 6, "cost": 0 },
          { "at": 7, "otherAudio": { "type": "silence" } }, { "at": 8, "volume": 0.5 }, { "at": 9, "slices": [] } ] }
      """, folder: "sounds/")
    #expect(scenario.device.clock == .told && scenario.device.sampleRate == 8_000)
    #expect(scenario.device.slices == [93, 93, 92] && scenario.device.sampleRates.contains(48_000))
    #expect(scenario.device.inputChannels == 2 && scenario.device.outputChannels == 1)
    #expect(scenario.device.refusals == [.mono])
    #expect(scenario.device.route == DeviceRoute(output: "Headphones", input: "HeadsetMic"))
    #expect(
      scenario.microphone == .file(path: "sounds/voice.wav", gain: Decibels.amplitude(-6), repeats: true))
    #expect(scenario.loudspeakerPath == "sounds/heard.wav")
    #expect(scenario.echo == [EchoPath(delaySeconds: 0.02, gainDecibels: -12)])
    #expect(scenario.otherAudio == .tone(hertz: 440, amplitude: Decibels.amplitude(-20)))
    #expect(scenario.costSeconds == 0.002 && scenario.seconds == 10)
    var route = ScenarioEvent.RouteChange()
    route.route = DeviceRoute(output: "BluetoothHFP")
    (route.blockedSeconds, route.sampleRate, route.inputChannels) = (0.3, 16_000, 1)
    route.reason = .oldDeviceUnavailable
    var end = ScenarioEvent.InterruptionEnd()
    (end.resumes, end.isTold) = (false, false)
    let changes: [ScenarioEvent.Change] = [
      .burst(.init(callbacks: 25, pauseSeconds: 0.512)), .burst(nil), .route(route), .interruptionBegins,
      .interruptionEnds(end), .microphone(.noise(seed: 3, amplitude: Decibels.amplitude(-12))), .microphoneFails,
      .drift(-20), .late(0.001), .cost(0), .otherAudio(nil), .volume(0.5), .slices([]),
    ]
    #expect(scenario.events.map(\.change) == changes)
    #expect(scenario.events.map(\.seconds) == [0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 8, 9])
  }

  @Test(
    "what is wrong is named with its place",
    arguments: [
      (#"{"events": []}"#, #"key "version": the key is missing; write "version": 1"#),
      (#"{"version": 2}"#, #"key "version": this program reads version 1, the file has version 2"#),
      (#"{"version": 1, "event": []}"#, #"key "event": unknown key; did you mean "events"?"#),
      (
        #"{"version": 1, "events": [{"at": 1}]}"#,
        "events[0]: says when, and not what; give each event \"at\" and one of slices, burst, route, interruption, "
          + "microphone, microphoneFails, drift, late, cost, otherAudio, volume"
      ),
      (#"{"version": 1, "events": [{"at": 1, "late": 1, "cost": 1}]}"#, "events[0]: has 2 changes"),
      (#"{"version": 1, "events": [{"late": 1}]}"#, #"events[0], key "at": the key is missing"#),
      (
        #"{"version": 1, "events": [{"at": 2, "late": 1}, {"at": 1, "late": 0}]}"#,
        "events: they must be in order of time"
      ),
      (#"{"version": 1, "device": {"profile": "fone"}}"#, "device, key \"profile\": there is no \"fone\" here"),
      (
        #"{"version": 1, "device": {"sampleRates": [8000]}}"#,
        #"device, key "sampleRate": 44100 Hz is none of "sampleRates""#
      ),
      (#"{"version": 1, "device": {"slices": [0]}}"#, #"device, key "slices": expected whole numbers from 1 to 4096"#),
      (#"{"version": 1, "microphone": {"type": "file"}}"#, #"microphone, key "file": the key is missing"#),
      (
        #"{"version": 1, "microphone": {"type": "tone", "file": "x"}}"#,
        #"microphone, key "file": goes with "type": "file""#
      ),
      (#"{"version": 1, "loudspeaker": {"echo": [{"gian": 1}]}}"#, #"echo[0], key "gian": unknown key"#),
      ("[]", "expected an object, found a list"),
    ])
  func errors(_ text: String, _ expected: String) throws {
    let error = #expect(throws: BenchError.self) { try ScenarioFile.parse(text) }
    #expect("\(try #require(error))".contains(expected), "\(error.map { "\($0)" } ?? "")")
    #expect(error?.kind == .input)
  }

  @Test("a file that is missing is told before anything runs, that of an event too")
  func missingSound() throws {
    let hardware = SimulatedHardware(DeviceConfiguration())
    let folder = TemporaryFolder()
    var scenario = Scenario()
    scenario.events = [
      ScenarioEvent(seconds: 5, .microphone(.file(path: folder.file("no.wav"), gain: 1, repeats: false)))
    ]
    #expect(throws: BenchError.self) { try hardware.follow(scenario) }
    #expect(hardware.scenario == nil)
    #expect(throws: BenchError.self) { try ScenarioFile.load(folder.file("no.json")) }
  }

  @Test("the example of the page is a scenario; the schema beside the page is the one that the reader gives")
  func page() throws {
    let page = try Repository.text("docs/scenarios.md")
    let start = try #require(page.firstRange(of: "```json\n")).upperBound
    let end = try #require(page[start...].firstRange(of: "```")).lowerBound
    let scenario = try ScenarioFile.parse(String(page[start..<end]))
    #expect(scenario.events.count == 3 && scenario.seconds == 20)
    #expect(try Repository.text("docs/scenario-file.schema.json") == ScenarioFile.schema.indentedText)
  }
}

import Foundation
import TestSupport
import Testing

/// `aubench trace` of the app that tells the stories of real devices: what it calls, and what calls it, is held line
/// for line in `Tests/Clients/transcripts`. `make held PART=tests` keeps what is found.
@Suite("Transcripts of programs")
struct TraceTests {
  private static let aubench = Installation.buildFolder.appending(path: "aubench").path
  private static let kept = "\(Repository.path)/Tests/Clients/transcripts"

  private static let scenarios = [
    "codec": """
    {"version": 1, "device": {"clock": "told", "sampleRates": [44100], "slices": [512]}, "seconds": 0.1}
    """,
    "interruption": """
    {"version": 1, "device": {"clock": "told", "slices": [441]}, "events": [
      {"at": 0.5, "interruption": {"edge": "begin"}}, {"at": 1.5, "interruption": {"edge": "end"}}]}
    """,
    "route": """
    {"version": 1, "device": {"clock": "told", "slices": [441]}, "events": [
      {"at": 0.5, "route": {"output": "Headphones", "input": "HeadsetMic", "reason": "newDeviceAvailable"}},
      {"at": 2, "route": {"reason": "oldDeviceUnavailable"}}]}
    """,
    "undisposed": #"{"version": 1, "device": {"clock": "told", "slices": [441]}}"#,
    "refused": #"{"version": 1, "device": {"clock": "told", "profile": "phone"}}"#,
    "preferences": #"{"version": 1, "device": {"clock": "told", "profile": "phone"}, "otherAudio": {"type": "noise"}}"#,
    "through8000":
      #"{"version": 1, "device": {"clock": "told", "slices": [480]}, "loudspeaker": {"file": "heard.wav"}, "microphone": {"type": "noise"}}"#,
  ]

  private func scenario(_ story: String, _ folder: TemporaryFolder) throws -> String {
    let path = folder.file("scenario.json")
    try #require(Self.scenarios[story]).write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func stories() throws -> String {
    let (program, said) = try Installation.shared().build("scenario_stories.c")
    try #require(said == "")
    return program
  }

  @Test(
    "the calls of a story are those that are kept",
    arguments: ["codec", "interruption", "route", "undisposed", "refused", "preferences"])
  func held(_ story: String) throws {
    let folder = TemporaryFolder()
    let run = try Finished(
      Self.aubench,
      ["trace", "--scenario", try scenario(story, folder), "--golden", "\(Self.kept)/\(story).txt"]
        + (HeldText.isMadeAnew ? ["--bless"] : []) + ["--", try stories(), story])
    #expect(run.code == 0, "\(run.output)\(run.errors)")
  }

  @Test("another order of calls is a difference, shown with its line")
  func differs() throws {
    let folder = TemporaryFolder()
    let run = try Finished(
      Self.aubench,
      [
        "trace", "--scenario", try scenario("interruption", folder), "--golden", "\(Self.kept)/route.txt", "--",
        try stories(), "interruption",
      ])
    #expect(run.code == 7)
    #expect(run.output.contains("line 8: another call\n"), "\(run.output)")
    #expect(run.output.contains("- "))
    #expect(run.errors.contains("failed: the calls are not those that"))
    let none = try Finished(
      Self.aubench, ["trace", "--golden", folder.file("none.txt"), "--", try stories(), "refused"])
    #expect(none.code == 8 && none.errors.contains("--bless"), "\(none.errors)")
  }

  @Test("a transcript that is kept again takes the place of the one before")
  func blessed() throws {
    let folder = TemporaryFolder()
    let golden = folder.write("aubench transcript 1\n", to: "golden.txt")
    let words = ["trace", "--scenario", try scenario("refused", folder), "--golden", golden]
    #expect(try Finished(Self.aubench, words + [try stories(), "refused"]).code == 7)
    #expect(try Finished(Self.aubench, words + ["--bless", try stories(), "refused"]).code == 0)
    #expect(try Finished(Self.aubench, words + [try stories(), "refused"]).code == 0)
  }

  @Test("side by side with others on a busy machine: the same transcript, and the same sound as without one")
  func repeated() throws {
    let program = try stories()
    let folders = (0..<5).map { _ in TemporaryFolder() }
    let runs = try folders.enumerated().map { index, folder in
      let path = try scenario("through8000", folder)
      let process = Process()
      process.executableURL = URL(filePath: index == 0 ? program : Self.aubench)
      process.arguments =
        index == 0
        ? ["through8000"] : ["trace", "--scenario", path, "-o", folder.file("calls.txt"), program, "through8000"]
      process.environment = ProcessInfo.processInfo.environment.merging(["AUBENCH_DEVICE_SCENARIO": path]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      return process
    }
    for run in runs {
      run.waitUntilExit()
      #expect(run.terminationStatus == 0)
    }
    let sounds = Set(try folders.map { try Data(contentsOf: URL(filePath: $0.file("heard.wav"))) })
    #expect(sounds.count == 1)
    let texts = Set(try folders.dropFirst().map { try String(contentsOfFile: $0.file("calls.txt"), encoding: .utf8) })
    #expect(texts.count == 1)
  }

  /// The first slice is no silence: the filter may still ring.
  @Test("a program that crashes leaves what it did until then")
  func crash() throws {
    let (program, said) = try Installation.shared().build("trace_crash.c")
    try #require(said == "")
    let run = try Finished(Self.aubench, ["trace", program], ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.code == 9)
    #expect(run.errors.contains("was ended by SIGSEGV"), "\(run.errors)")
    #expect(
      run.output == """
        aubench transcript 1

        thread main
          AudioComponentFindNext: 'aufx' 'lpas' 'appl' = 'aufx' 'lpas' 'appl'
          AudioComponentInstanceNew: 'aufx' 'lpas' 'appl' = lpas 1
          AudioUnitSetProperty lpas 1: SetRenderCallback, input 0 = a callback
          AudioUnitSetParameter lpas 1: cutoffFrequency = 500
          AudioUnitInitialize lpas 1
          AudioUnitRender lpas 1, bus 0, time 0, 512 frames
            render callback lpas 1, bus 0, time 0, 512 frames, no flags to OutputIsSilence
          AudioUnitRender lpas 1, bus 0, time 512, 512 frames, no flags to OutputIsSilence
            render callback lpas 1, bus 0, time 512, 512 frames, no flags to OutputIsSilence
          AudioUnitRender lpas 1, bus 0, time 1024, 512 frames → did not return
            render callback lpas 1, bus 0, time 1024, 512 frames → did not return

        """)
  }

  @Test("threads by the names that the program gave them; the others have none, and stand in front of them")
  func threads() throws {
    let (program, said) = try Installation.shared().build("trace_threads.c")
    try #require(said == "")
    let run = try Finished(Self.aubench, ["trace", program])
    #expect(run.code == 0)
    func thread(_ name: String, _ type: String, _ found: String) -> String {
      "\nthread\(name)\n  AudioComponentFindNext: '\(type)' any any = '\(type)' '\(found)' 'appl'\n"
    }
    #expect(
      run.output == "aubench transcript 1\n" + thread(" main", "aufx", "ipeq") + thread("", "aufx", "ipeq")
        + thread("", "aufx", "ipeq") + thread(" a worker", "aumx", "mcmx") + thread(" worker", "aumx", "mcmx"),
      "\(run.output)")
  }

  @Test("a program without aubench can write its own transcript, and a folder that is not there is an error")
  func environment() throws {
    let folder = TemporaryFolder()
    let (program, _) = try Installation.shared().build("scenario_stories.c")
    let variables = ["AUBENCH_DEVICE_SCENARIO": try scenario("refused", folder)]
    let path = folder.file("calls.txt")
    #expect(try Finished(program, ["refused"], variables.merging(["AUBENCH_TRACE": path]) { $1 }).code == 0)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == String(contentsOfFile: "\(Self.kept)/refused.txt", encoding: .utf8))
    let run = try Finished(
      program, ["refused"], variables.merging(["AUBENCH_TRACE": folder.file("no/calls.txt")]) { $1 })
    #expect(run.code == 0 && run.errors.contains("AUBENCH_TRACE: "), "\(run.errors)")
  }

  @Test("what cannot be traced is an error that says why")
  func errors() throws {
    let run = try Finished(Self.aubench, ["trace", "true"])
    #expect(run.code == 9 && run.errors.contains("true: called nothing of the library"), "\(run.errors)")
    let none = try Finished(Self.aubench, ["trace", "./no-such-program"])
    #expect(
      none.code == 2 && none.errors.contains("./no-such-program: there is no such program to run"), "\(none.errors)")
    let graph = try Finished(Self.aubench, ["trace", "no-such-graph.json"])
    #expect(graph.code == 4 || graph.code == 3, "\(graph.code) \(graph.errors)")
    let option = try Finished(Self.aubench, ["trace", "--seconds", "1", "true"])
    #expect(option.code == 2 && option.errors.contains("option --seconds: is for a graph file"), "\(option.errors)")
    let folder = TemporaryFolder()
    let wrong = folder.write(#"{"version": 1, "device": {"clock": "slow"}}"#, to: "wrong.json")
    let scenario = try Finished(Self.aubench, ["trace", "--scenario", wrong, "true"])
    #expect(scenario.code == 4 && scenario.errors.contains(#"device, key "clock""#), "\(scenario.errors)")
    let asGraph = try Finished(Self.aubench, ["trace", wrong])
    #expect(asGraph.code == 2 && asGraph.errors.contains("is a scenario, and no graph file"), "\(asGraph.errors)")
    let ofGraph = try Finished(Self.aubench, ["trace", "--scenario", wrong, "song.json"])
    #expect(ofGraph.code == 2 && ofGraph.errors.contains("--set io.scenario="), "\(ofGraph.errors)")
  }

  @Test("calls that are refused are refused, and written down, whatever their pointers are")
  func refused() throws {
    let (program, said) = try Installation.shared().build("trace_refused.c")
    try #require(said == "")
    let plain = try Finished(program, [])
    let folder = TemporaryFolder()
    let run = try Finished(Self.aubench, ["trace", "-o", folder.file("calls.txt"), program])
    #expect(plain.output == "5 refused\n" && run.output == plain.output && run.code == 0, "\(run.output)\(run.errors)")
    let text = try Finished(Self.aubench, ["trace", program]).output
    #expect(
      text.contains("AudioUnitSetProperty mcmx 1: 99999 = what cannot be read → no such property (-10879)")
        && text.contains("512 frames → an argument is wrong (-50): buffer 1 of 2 has 256 bytes, and 2048 are needed"),
      "\(text)")
  }

  @Test(
    "a child that goes on without a program of its own is left out; a launcher that closes descriptors does no harm")
  func children() throws {
    let (program, _) = try Installation.shared().build("trace_refused.c")
    let run = try Finished(Self.aubench, ["trace", program, "fork"])
    #expect(
      run.output.hasSuffix(
        """
          AudioComponentInstanceNew: 'aumx' 'mcmx' 'appl' = mcmx 1
          AudioComponentInstanceDispose mcmx 1

        """), "\(run.output)")
    let launched = try Finished(Self.aubench, ["trace", "sh", "-c", #"exec 3>&-; exec "$0" fork"#, program])
    #expect(launched.output == run.output, "\(launched.output)\(launched.errors)")
    let two = try Finished(Self.aubench, ["trace", "sh", "-c", #""$0" fork; "$0" fork"#, program])
    #expect(
      two.output == run.output && two.errors.contains("calls of 1 further program are not written"), "\(two.errors)")
    let lost = try Finished(program, ["fork"], ["AUBENCH_TRACE_MEMORY": "3:/nowhere"])
    #expect(lost.code == 0 && lost.errors.contains("so that no call is written down"), "\(lost.errors)")
    let folder = TemporaryFolder()
    #expect(try Finished(program, ["fork"], ["AUBENCH_TRACE": folder.file("calls-%p.txt")]).code == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 1 && names[0].wholeMatch(of: /calls-\d+\.txt/) != nil, "\(names)")
  }

  @Test("a file that is no transcript is neither compared with nor replaced, and an empty one is none yet")
  func goldens() throws {
    let folder = TemporaryFolder()
    let (program, _) = try Installation.shared().build("trace_refused.c")
    let other = folder.write("#!/bin/sh\n", to: "run.sh")
    for words in [["--golden", other], ["--golden", other, "--bless"], ["--golden", program, "--bless"]] {
      let run = try Finished(Self.aubench, ["trace"] + words + [program])
      #expect(run.code == 4 && run.errors.contains("is no transcript of calls"), "\(run.errors)")
    }
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "#!/bin/sh\n")
    let empty = folder.write("", to: "empty.txt")
    #expect(try Finished(Self.aubench, ["trace", "--golden", empty, program]).code == 8)
    let new = folder.file("new.txt")
    let both = try Finished(Self.aubench, ["trace", "--golden", new, "--bless", "-o", new, program])
    #expect(both.code == 2, "\(both.errors)")
  }

  @Test("a graph: the renders of its nodes inside one another, by their names")
  func graph() throws {
    let folder = TemporaryFolder()
    let path = folder.file("calls.txt")
    let run = try Finished(
      Self.aubench,
      [
        "trace", "\(Repository.path)/fixtures/suites/graphs/filters-chain.json", "--seconds", "0.2", "-o", path,
        "--plot",
        folder.file("calls.svg"),
      ])
    #expect(run.code == 0, "\(run.errors)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("\n  slice, time 0, 4096 frames\n    render "), "\(text)")
    #expect(text.contains("… again 7 times, each 512 frames later"), "\(text)")
    #expect(
      try String(contentsOfFile: folder.file("calls.svg"), encoding: .utf8).contains("Calls of filters-chain.json"))
  }
}

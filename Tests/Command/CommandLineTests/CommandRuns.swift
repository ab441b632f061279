import Foundation
import Glibc
import TestSupport
import Testing

/// Lines of every command for tests of how commands end: they read from the folder `$IN`, write to `$OUT`, and
/// temporary files go to a folder of their own.
final class CommandRuns {
  let input: TemporaryFolder
  let output: TemporaryFolder
  let temporary: TemporaryFolder
  let components: TemporaryTree

  init() throws {
    input = TemporaryFolder()
    output = TemporaryFolder()
    temporary = TemporaryFolder()
    components = try TemporaryTree()
  }

  /// A line that ends by itself, with output on standard output and files where the command writes any.
  static let short: [String: String] = [
    "render": #"render "$IN/g.json" -o "$OUT/x.wav" --tap "p=$OUT/tap.wav""#,
    "convert": #"convert "$IN/in.wav" "$OUT/x.wav" --rate 48000"#,
    "measure": #"measure lowPassFilter --response-frames 1024 --methods impulse --plot "$OUT/x.svg""#,
    "verify":
      #"verify "$IN/short.json" -o "$OUT/failed" --report "$OUT/r.json" --junit "$OUT/r.xml" --html "$OUT/r.html""#,
    "compare": #"compare "$IN/in.wav" "$IN/copy.wav" --difference "$OUT/d.wav""#,
    "plot": #"plot "$IN/in.wav""#,
    "describe": #"describe "$IN/g.json""#,
    "units": "units",
  ]

  /// A line that goes on for hours, or hangs.
  static let long: [String: String] = [
    "render": #"render "$IN/endless.json" -o "$OUT/x.wav" --seconds 360000 --tap "p=$OUT/tap.wav""#,
    "convert": #"convert "$IN/huge.wav" "$OUT/x.flac" --rate 48000 --quality best"#,
    "measure": #"measure lowPassFilter --what all --response-frames 4194304 --plot "$OUT/x.svg""#,
    "measure a command":
      #"""
    measure --plot "$OUT/x.svg" -- sh -c 'setsid tail -f "$IN/in.wav" & : > "$OUT/begun"; tail -f "$IN/in.wav"' {in} {out}
    """#,
    "verify":
      #"verify "$IN/long.json" -o "$OUT/failed" --report "$OUT/r.json" --junit "$OUT/r.xml" --html "$OUT/r.html""#,
    "verify for sensitivity": #"verify "$IN/long.json" --sensitivity"#,
    "compare": #"compare "$IN/huge.wav" "$IN/huge2.wav" --difference "$OUT/d.wav""#,
    "plot": #"plot "$IN/huge.wav" -o "$OUT/x.svg""#,
    "describe": #"describe "$IN/hangs.json""#,
    "units": "units",
  ]

  func writeInputs() throws {
    let noise = WaveFile.noise(channels: 2, frames: 30_000).bytes
    input.write(noise, to: "in.wav")
    input.write(noise, to: "copy.wav")
    input.write(GraphText.player("in.wav"), to: "g.json")
    input.write(GraphText.endless("in.wav"), to: "endless.json")
    input.write(
      #"""
      {"version": 1, "nodes": [{"id": "hang", "unit": "aufx hang Acme"}, {"id": "out", "unit": "genericOutput"}],
       "connections": ["hang -> out"]}
      """#, to: "hangs.json")
    input.write(Suites.text([Suites.testCase("a"), Suites.testCase("b")]), to: "short.json")
    let wait = "tail -f '\(input.file("in.wav"))'"
    let hangs = Suites.shell("setsid \(wait) & : > '\(output.file("begun"))'; \(wait)")
    input.write(Suites.text((0..<4).map { Suites.testCase("a\($0)", hangs) }), to: "long.json")
    // Half an hour of silence that takes no room.
    var huge = WaveFile(channels: 2, data: [])
    huge.data = []
    for name in ["huge.wav", "huge2.wav"] {
      let frames = 44_100 * 1800
      var header = huge.bytes
      header.replaceSubrange(4..<8, with: WaveFile.littleEndian(UInt32(36 + frames * 4), 4))
      header.replaceSubrange(40..<44, with: WaveFile.littleEndian(UInt32(frames * 4), 4))
      input.write(header, to: name)
      try #require(truncate(input.file(name), 44 + frames * 4) == 0)
    }
  }

  /// A component whose scan hangs, once it has left a mark; with a process that runs away.
  func installHangingComponent() throws {
    let mark = output.file("begun")
    try TestComponent.bundle(
      "Hangs", in: components.path, subType: "hang",
      macros: [
        "HOSTILE_FACTORY=if(!fork()){setsid();for(;;)pause();}if(symlink(\"there\",\"\(mark)\"))abort();for(;;)pause()"
      ])
  }

  /// The line as one of shell, in which `$IN` and `$OUT` are the folders, without the program's standard output where
  /// `rest` leads that elsewhere.
  func shell(_ line: String, before: String = "", rest: String = "") -> String {
    """
    export IN='\(input.path)' OUT='\(output.path)'
    export TMPDIR='\(temporary.path)' AUBENCH_COMPONENT_PATH='\(components.path)' XDG_CACHE_HOME='\(temporary.path)'
    \(before)
    exec $AUBENCH \(line) \(rest)
    """
  }

  /// Starts a line.
  func start(_ line: String, before: String = "") throws -> Program.Running {
    try Program.Running(["/bin/sh", "-c", "AUBENCH='\(Program.path)'\n" + shell(line, before: before)])
  }

  /// Waits until a long line is at work: it has left its mark, or has opened what it writes, reads or needs meanwhile.
  func awaitWork(_ running: Program.Running, _ name: String) throws {
    let place: TemporaryFolder? =
      switch name {
      case "render", "convert", "compare": output
      case "plot": input
      case "measure": temporary
      default: nil
      }
    if let place {
      // The first file among the temporary ones only says whose they are.
      let ending = name == "measure" ? ".wav" : ""
      try #require(running.waitUntilWriting(in: place, ending: ending), "it has ended before")
      return
    }
    var status = stat()
    while lstat(output.file("begun"), &status) != 0 {
      try #require(isAlive(running.pid), "it has ended before")
      sched_yield()
    }
  }

  /// Processes that have the name of one of these folders on their command line.
  var processes: [pid_t] {
    let folders = [input.path, temporary.path, components.path]
    return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
      pid in
      guard let words = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline")) else { return false }
      let line = String(decoding: words, as: UTF8.self)
      return folders.contains { line.contains($0) }
    }
  }

  /// Files that are left behind, but for the mark.
  var litter: [String] {
    let folders = [output, temporary]
    return folders.flatMap { folder in folder.names.filter { $0 != "begun" && $0 != "aubench" }.map(folder.file) }
  }
}

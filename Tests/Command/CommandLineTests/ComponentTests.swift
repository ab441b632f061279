import Foundation
import TestSupport
import Testing

@Suite("Third-party components on the command line")
struct ComponentTests {
  /// A search path with a healthy component and a hostile one.
  static func place(macros: [String] = []) throws -> TemporaryTree {
    let tree = try TemporaryTree()
    try TestComponent.bundle("Gain", in: tree.path, macros: macros)
    return tree
  }

  static func run(_ line: String, _ tree: TemporaryTree, in folder: TemporaryFolder? = nil) throws -> Program.Result {
    try Program.shell(
      "export AUBENCH_COMPONENT_PATH='\(tree.path)' XDG_CACHE_HOME='\(tree.path)/cache'\n\(line)", in: folder)
  }

  static func graph(_ folder: TemporaryFolder) throws {
    folder.write(WaveFile.noise(frames: 20_000).bytes, to: "in.wav")
    folder.write(
      #"""
      {"version": 1, "nodes": [{"id": "in", "unit": "filePlayer", "file": "in.wav"},
        {"id": "loud", "unit": "aufx gain Acme", "set": {"outputGain": 1}}, {"id": "out", "unit": "genericOutput"}],
       "connections": ["in -> loud", "loud -> out"]}
      """#, to: "g.json")
  }

  @Test("They are listed with where they are, and with why they cannot be used")
  func units() throws {
    let tree = try Self.place()
    try TestComponent.bundle("Bad", in: tree.path, subType: "bad!", macros: ["HOSTILE_FACTORY=abort()"])
    let list = try Self.run("$AUBENCH units", tree)
    #expect(list.code == 0 && list.errors == "")
    #expect(list.output.contains("Acme: Gain  aufx gain Acme  \(tree.path)/Gain.component: 1 parameter\n"))
    #expect(
      list.output.contains(
        "Acme: Bad   aufx bad! Acme  \(tree.path)/Bad.component: cannot be used: crashed (SIGABRT) in its factory"))
    let others = try #require(
      try Self.run("$AUBENCH units --json", tree).value("thirdParty") as? [[String: Any]])
    #expect(others.compactMap { $0["name"] as? String } == ["Acme: Bad", "Acme: Gain"])
    #expect(others.last?["version"] as? String == "1.2.3" && others.last?["parameters"] as? Int == 1)
    let detail = try Self.run("$AUBENCH units 'aufx gain Acme'", tree)
    #expect(detail.code == 0 && detail.output.contains("outputGain  0   global  0 to 4  1"))
    let refused = try Self.run("$AUBENCH units 'Acme: Bad'", tree)
    #expect(refused.code == 3 && refused.errors.contains("Bad.component cannot be used: it crashed (SIGABRT)"))
  }

  @Test("They are found in folders whose names are not UTF-8, which are bytes to the system")
  func bytes() throws {
    let tree = try Self.place()
    let result = try Program.shell(
      """
      folder='\(tree.path)'/"$(printf 'a\\377b')"; mkdir "$folder"; mv '\(tree.path)'/Gain.component "$folder/"
      export AUBENCH_COMPONENT_PATH="$folder" XDG_CACHE_HOME="$folder/cache"
      $AUBENCH units
      """)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("/a\\xFFb/Gain.component: 1 parameter\n"), "\(result.output)\(result.errors)")
  }

  @Test("A graph that names one renders through it")
  func render() throws {
    let tree = try Self.place()
    let folder = TemporaryFolder()
    try Self.graph(folder)
    let plain = try Self.run("$AUBENCH render g.json -o a.wav --no-tail", tree, in: folder)
    #expect(plain.code == 0, "\(plain.errors)")
    let loud = try Self.run(
      "$AUBENCH render g.json -o b.wav --no-tail --encoding float32 --set loud.outputGain=2", tree, in: folder)
    #expect(loud.code == 0, "\(loud.errors)")
    let described = try Self.run("$AUBENCH describe g.json", tree, in: folder)
    #expect(described.code == 0 && described.output.contains("loud"))
    let without = try Program.shell("AUBENCH_COMPONENT_PATH= $AUBENCH describe g.json", in: folder)
    #expect(without.code == 3 && without.errors.contains("there is no unit \"aufx gain Acme\""))
  }

  /// With the language's own report of a crash and without: it stops all other threads by signals.
  @Test(
    "One that crashes while rendering is named before the program ends by its signal",
    arguments: ["yes", "no"]
  )
  func crash(_ backtrace: String) throws {
    // Beyond what a scan renders.
    let tree = try Self.place(macros: ["HOSTILE_RENDER=if(time->mSampleTime>9000)*(volatile int*)16=1"])
    let folder = TemporaryFolder()
    try Self.graph(folder)
    let result = try Self.run(
      "SWIFT_BACKTRACE=enable=\(backtrace) exec $AUBENCH render g.json -o a.wav --no-tail --slice 512", tree, in: folder
    )
    #expect(result.code == 1000 + 11)
    let notice =
      "aubench: node \"loud\": the component \"Acme: Gain\" (aufx gain Acme) of \(tree.path)/Gain.component "
      + "crashed: SIGSEGV\n"
    #expect(result.errors.hasPrefix(notice), "\(result.errors)")
    #expect(result.errors == notice || backtrace == "yes")
    #expect(!result.errors.contains("stopped by"), "\(result.errors)")
    #expect(!folder.exists("a.wav"))
  }

  /// Three files, of which the second is longer than what the component bears.
  private static func batch(_ folder: TemporaryFolder) throws {
    try graph(folder)
    for (name, frames) in [("a", 8000), ("b", 20_000), ("c", 7000)] {
      folder.write(WaveFile.noise(frames: frames).bytes, to: "\(name).wav")
    }
    folder.write(
      #"{"version": 1, "graph": "g.json", "inputs": {"in": ["[abc].wav"]}, "output": "out/{name}.wav", "tail": false}"#,
      to: "job.json")
  }

  @Test("In a batch one that crashes costs the file that it had", arguments: [1, 2])
  func crashInABatch(threads: Int) throws {
    let tree = try Self.place(macros: ["HOSTILE_RENDER=if(time->mSampleTime>9000)*(volatile int*)16=1"])
    let folder = TemporaryFolder()
    try Self.batch(folder)
    let result = try Self.run(
      "$AUBENCH batch job.json --threads \(threads); echo \"code $?\"; ls out", tree, in: folder)
    #expect(result.output.hasPrefix("2 of 3 files made, 1 failed\n"), "\(result.output)")
    #expect(result.output.hasSuffix("code 9\na.wav\nc.wav\n"))
    #expect(
      result.errors.contains("aubench: b.wav: the process that rendered it has ended by SIGSEGV: node \"loud\": "))
    #expect(result.errors.contains("Gain.component crashed: SIGSEGV"), "\(result.errors)")
    // As such a file alone.
    let alone = try Self.run(
      "$AUBENCH render g.json -i in=a.wav --no-tail -q -o one.wav; cmp one.wav out/a.wav", tree, in: folder)
    #expect(alone.code == 0, "\(alone.output)\(alone.errors)")
    // Outputs that were made stay up to date, until the component is another.
    let again = try Self.run("$AUBENCH batch job.json", tree, in: folder)
    #expect(again.output.hasPrefix("0 of 3 files made, 1 failed, 2 up to date\n"), "\(again.output)")
    try TestComponent.bundle("Gain", in: tree.path)
    let mended = try Self.run("$AUBENCH batch job.json", tree, in: folder)
    #expect(mended.output.hasPrefix("3 of 3 files made\n"), "\(mended.output)\(mended.errors)")
  }

  @Test("In a batch their sound is finished like any other's, and keeps its tags")
  func finishedInABatch() throws {
    let tree = try Self.place()
    let folder = TemporaryFolder()
    try Self.graph(folder)
    let result = try Self.run(
      """
      mkdir in; for name in x y; do $AUBENCH convert in.wav in/$name.flac -q --tag title=$name --tag MOOD=calm; done
      $AUBENCH render g.json -i in='in/*.flac' -o 'out/{name}.flac' --loudness -20 --album --no-tail
      for name in x y; do grep -a -o MOOD=calm out/$name.flac; done
      $AUBENCH render g.json -i in='in/*.flac' -o 'kept/{name}.flac' --no-tail -q
      $AUBENCH render g.json -i in=in/x.flac -o one.flac --no-tail -q && cmp one.flac kept/x.flac
      """, tree, in: folder)
    #expect(result.code == 0 && result.output.hasPrefix("2 of 2 files made\n"), "\(result.output)\(result.errors)")
    #expect(result.output.contains("-20.0") && result.output.contains("MOOD=calm\nMOOD=calm\n"), "\(result.output)")
  }
}

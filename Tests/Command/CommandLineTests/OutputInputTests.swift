import Foundation
import Glibc
import TestSupport
import Testing

/// No output of any command replaces one of its inputs, whatever either is called.
@Suite struct OutputInputTests {
  /// Lines whose output is an input, with the output and the input as an error names them.
  static let lines: [(line: String, output: String, input: String)] = [
    ("convert in.wav in.wav", "in.wav", "in.wav"),
    ("convert in.wav ./in.wav", "./in.wav", "in.wav"),
    ("convert in.wav link.wav", "link.wav", "in.wav"),
    ("convert link.wav in.wav", "in.wav", "link.wav"),
    ("convert in.wav second.wav", "second.wav", "in.wav"),
    ("convert sub/../in.wav in.wav", "in.wav", "sub/../in.wav"),
    ("render g.json -o in.wav", "in.wav", "in.wav"),
    ("render g.json -o g.json --container wav", "g.json", "g.json"),
    ("render g.json -o x.wav --tap p=second.wav", "second.wav", "in.wav"),
    ("render g.json -o b.wav --input p=b.wav", "b.wav", "b.wav"),
    ("compare in.wav b.wav --difference b.wav", "b.wav", "b.wav"),
    ("compare in.wav b.wav --difference link.wav", "link.wav", "in.wav"),
    ("measure in.svg --plot in.svg", "in.svg", "in.svg"),
    ("measure graph.json --data --plot graph.svg", "graph.json", "graph.json"),
    ("measure lowPassFilter --against curve.tsv --data --plot curve.svg", "curve.tsv", "curve.tsv"),
    ("measure --plot device.svg -- sh device.svg {in} {out}", "device.svg", "device.svg"),
    ("plot picture.svg -o picture.svg", "picture.svg", "picture.svg"),
    ("plot sound.tsv --data -o sound.png", "sound.tsv", "sound.tsv"),
    ("verify s.json --report s.json", "s.json", "s.json"),
    ("verify s.json --junit ./sub/../s.json", "./sub/../s.json", "s.json"),
    ("verify s.json --html graph.json", "graph.json", "graph.json"),
    ("verify s.json --report in.wav", "in.wav", "in.wav"),
    ("verify s.json --report second.wav", "second.wav", "in.wav"),
    ("verify s.json --report same-1.wav", "same-1.wav", "same-1.wav"),
    ("verify s.json --report tool", "tool", "tool"),
    ("verify s.json --report golden/s/g.json", "golden/s/g.json", "golden/s/g.json"),
    ("verify s.json --html golden/s/g.magnitude.tsv", "golden/s/g.magnitude.tsv", "golden/s/g.magnitude.tsv"),
    ("verify s.json --junit golden/s/g.flac --bless=missing --reason x", "golden/s/g.flac", "golden/s/g.flac"),
    ("verify t.json --bless --reason x", "./t.json", "t.json"),
    ("verify u.json --report new/u/g.json --bless=missing --reason x", "new/u/g.json", "new/u/g.json"),
    ("verify u.json --report sub/../new/u/g.flac", "sub/../new/u/g.flac", "new/u/g.flac"),
    ("render d/\u{301}g.json -o d/in.wav", "d/in.wav", "d/in.wav"),
    ("verify s.json --artifacts .", "./s/g", "s/g/actual.wav"),
  ]

  private func place() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let noise = WaveFile.noise(channels: 2, frames: 3000).bytes
    for name in ["in.wav", "b.wav", "same-1.wav", "picture.svg", "sound.tsv"] { folder.write(noise, to: name) }
    for name in ["sub", "golden/s", "s/g"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    folder.write(noise, to: "s/g/actual.wav")
    symlink("in.wav", folder.file("link.wav"))
    link(folder.file("in.wav"), folder.file("second.wav"))
    folder.write(GraphText.player("in.wav"), to: "g.json")
    folder.write(GraphText.player("in.wav"), to: "graph.json")
    folder.write(GraphText.player("in.wav"), to: "in.svg")
    folder.write("100\t0\n1000\t0\n", to: "curve.tsv")
    folder.write("cp \"$1\" \"$2\"", to: "device.svg")
    folder.write("cp \"$1\" \"$2\"", to: "tool")
    folder.write("0\t0\n", to: "golden/s/g.magnitude.tsv")
    let graph = #"{"graph": "graph.json"}"#
    folder.write(
      Suites.text([
        Suites.testCase("g", graph),
        Suites.testCase(
          "m-{n}", check: #"{"check": "sameAs", "file": "same-{n}.wav"}"#, more: #""matrix": {"n": [1]},"#),
        Suites.testCase("c", #"{"command": ["sh", "tool", "{in}", "{out}"]}"#),
        Suites.testCase("f", check: #"{"check": "sameAs", "file": "s/g/actual.wav"}"#),
      ]), to: "s.json")
    folder.write(Suites.text([Suites.testCase("t", check: Suites.golden)], keys: #""goldens": ".","#), to: "t.json")
    folder.write(
      Suites.text([Suites.testCase("g", check: Suites.golden)], keys: #""goldens": "new/u","#), to: "u.json")
    // A name that begins with an accent: to Swift it is one character with the slash in front of it.
    mkdir(folder.file("d"), 0o755)
    folder.write(noise, to: "d/in.wav")
    folder.write(GraphText.player("in.wav"), to: "d/g.json")
    rename(folder.file("d/g.json"), folder.file("d/\u{301}g.json"))
    return folder
  }

  @Test(arguments: lines.indices)
  func anOutputThatIsAnInputIsRefusedBeforeAnythingIsDone(_ index: Int) throws {
    let (line, output, input) = Self.lines[index]
    let folder = try place()
    func contents() throws -> [String: [UInt8]] {
      let names = try #require(FileManager.default.subpaths(atPath: folder.path))
      return Dictionary(uniqueKeysWithValues: names.map { ($0, (try? folder.bytes($0)) ?? []) })
    }
    let before = try contents()
    let result = try Program.run(line.split(separator: " ").map(String.init), in: folder)
    #expect(result.code == 2, "\(line): \(result.output)\(result.errors)")
    let said = result.errors
    #expect(said.hasPrefix("aubench: \(output): ") && said.contains("replace"), "\(line): \(said)")
    if input != output { #expect(said.contains("replace \(input), an input"), "\(line): \(said)") }
    #expect(said.filter { $0 == "\n" }.count == 1)
    #expect(try contents() == before, "\(line)")
  }

  @Test(arguments: [
    "render g.json -o x.wav --tap p=./x.wav", "render g.json -o x.wav --tap p=dangling.wav",
    "verify s.json --report x --junit x", "verify s.json --report x --html sub/../x",
  ])
  func twoOutputsOfOneRunAreTwoFiles(_ line: String) throws {
    let folder = try place()
    symlink("x.wav", folder.file("dangling.wav"))
    let result = try Program.run(line.split(separator: " ").map(String.init), in: folder)
    #expect(result.code == 2, "\(result.errors)")
    #expect(!folder.exists("x.wav") && !folder.exists("x"))
  }

  @Test func whatIsNoInputIsReplaced() throws {
    let folder = try place()
    folder.write("old", to: "r.json")
    let result = try Program.run("verify", "s.json", "--case", "c", "--report", "r.json", in: folder)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(String(decoding: try folder.bytes("r.json"), as: UTF8.self).contains("s/c"))
    // A graph's names of nodes are no files.
    folder.write("old", to: "low")
    #expect(try Program.run("render", "g.json", "-o", "low", "--container", "wav", in: folder).code == 0)
    let bless = ["verify", "s.json", "--case", "*", "--bless=all", "--reason", "x", "--report", "r.json"]
    #expect(try Program.run(bless, in: folder).code == 7)
  }

  @Test func listsAreJSONWhereThatIsAskedFor() throws {
    let folder = try place()
    let result = try Program.run("verify", "s.json", "--list", "--json", in: folder)
    #expect(result.code == 0 && result.errors.isEmpty)
    let cases = try #require(try result.value("cases") as? [[String: Any]])
    #expect(cases.compactMap { $0["id"] as? String } == ["s/g", "s/m-1", "s/c", "s/f"])
    #expect(cases.first?["device"] as? String == "graph.json" && cases.first?["suite"] as? String == "s.json")
  }
}

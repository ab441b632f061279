import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct HostileFileTests {
  /// A folder with files that cannot be played.
  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let whole = WaveFile.noise(channels: 2, frames: 10_000).bytes
    folder.write(Array(whole.prefix(20_000)), to: "cut.wav")
    folder.write(Array(whole.prefix(30)), to: "header.wav")
    folder.write([UInt8](), to: "empty.wav")
    folder.write("These are the voyages of the starship Enterprise.\n", to: "text.wav")
    var channelless = whole
    channelless[22] = 0
    folder.write(channelless, to: "channelless.wav")
    try FileManager.default.createDirectory(atPath: folder.file("folder.wav"), withIntermediateDirectories: false)
    folder.write(GraphText.player("missing.wav"), to: "g.json")
    return folder
  }

  @Test(arguments: ["missing.wav", "cut.wav", "header.wav", "empty.wav", "text.wav", "channelless.wav", "folder.wav"])
  func aFileThatCannotBePlayedEndsWithFourAndIsNamed(_ name: String) throws {
    let folder = try folder()
    let before = folder.names
    for line in [["convert", name, "x.wav"], ["render", "g.json", "-o", "x.wav", "--input", "p=\(name)"]] {
      let result = try Program.run(line, in: folder)
      #expect(result.code == 4, "\(result.errors)")
      #expect(result.errors.hasPrefix("aubench: ") && result.errors.contains("\(name): "), "\(result.errors)")
    }
    #expect(folder.names == before)
  }

  /// Whatever file a command is pointed at, its errors may be shown to others: in logs, in reports.
  @Test(arguments: ["secret.wav", "secret.json", "secret.tsv", "secret"])
  func noErrorShowsWhatIsInAFile(_ name: String) throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 1000).bytes, to: "in.wav")
    let secrets = ["hunter2:x:0:0\n", "314159265.314159.265\n", "-8.8e8e8e8e8", "{\"a\" hunter2", "hunter2\t1\n"]
    for secret in secrets {
      folder.write(secret, to: name)
      folder.write(GraphText.player(name), to: "g.json")
      folder.write(
        Suites.text([
          Suites.testCase("file", #"{"unit": "lowPassFilter"}"#, check: #"{"check": "sameAs", "file": "\#(name)"}"#),
          Suites.testCase(
            "curve", #"{"unit": "lowPassFilter"}"#,
            check: #"{"check": "response", "against": {"file": "\#(name)"}, "within": 1}"#),
        ]), to: "s.json")
      for line in [
        ["render", name, "-o", "x.wav"], ["render", "g.json", "-o", "x.wav"], ["describe", name],
        ["convert", name, "x.wav"],
        ["compare", name, "in.wav"], ["plot", name], ["measure", name], ["measure", name, "--what", "levels"],
        ["measure", "lowPassFilter", "--methods", "impulse", "--plot", "-", "--against", name], ["verify", name],
        ["verify", "s.json"],
      ] {
        let result = try Program.run(line, in: folder)
        let text = result.output + result.errors
        #expect(result.code != 0 && !text.isEmpty, "\(line)")
        for part in ["hunter", "314159", "8e8e"] { #expect(!text.contains(part), "\(line): \(text)") }
      }
    }
  }

  @Test(
    "What never ends, waits for ever or fills the memory is not read", arguments: ["/dev/zero", "pipe", "sparse.tsv"])
  func endless(_ name: String) throws {
    let folder = TemporaryFolder()
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    folder.write("", to: "sparse.tsv")
    #expect(truncate(folder.file("sparse.tsv"), 200 << 30) == 0)
    let line = "measure lowPassFilter --methods impulse --plot - --against \(name)"
    let result = try Program.shell("ulimit -v 4194304; exec timeout 60 \"$AUBENCH\" \(line)", in: folder)
    #expect(result.code == 4, "\(result.code) \(result.errors)")
    #expect(result.errors.contains("\(name): "), "\(result.errors)")
  }

  /// An error is a line, however long the file is that it is about.
  @Test(
    "Of a text in a JSON file an error shows the beginning",
    arguments: [
      #"{"version": "T"}"#, #"{"T": 1, "version": 1}"#, #"{"version": 1, "T": 1, "T": 2}"#,
      #"{"version": 1, "nodes": ["T"]}"#, #"{"version": 1, "nodes": [{"id": "T", "unit": "genericOutput", "x": 1}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "T"}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "filePlayer", "file": "T"}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "iPodEQ", "preset": "T"}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "lowPassFilter", "set": {"T": 1}}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "lowPassFilter", "set": {"T": "T"}}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "lowPassFilter", "set": {"resonance@T": 1}}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "nBandEQ", "bands": [{"type": "T"}]}]}"#,
      #"{"version": 1, "nodes": [{"id": "a", "unit": "multichannelMixer", "matrix": {"T": [[1]]}}]}"#,
      #"{"version": 1, "nodes": [], "connections": ["T"]}"#, #"{"version": 1, "nodes": [], "connections": ["T -> T"]}"#,
      #"{"version": 1, "cases": [{"id": "T"}]}"#, #"{"version": 1, "goldens": "T", "cases": []}"#,
      #"{"version": 1, "cases": [{"id": "a", "golden": "T", "device": {"unit": "lowPassFilter"}, "checks": []}]}"#,
      #"{"version": 1, "cases": [{"id": "a", "device": {"graph": "T"}, "checks": []}]}"#,
      #"{"version": 1, "cases": [{"id": "a", "device": {"unit": "lowPassFilter"}, "checks": [{"check": "T"}]}]}"#,
      #"{"version": 1, "cases": [{"id": "a", "matrix": {"T": 1}}]}"#,
      #"{"version": 1, "cases": [{"id": "a", "device": {"graph": "g", "set": {"T": "T"}}, "checks": []}]}"#,
    ])
  func excerpts(_ text: String) throws {
    let folder = TemporaryFolder()
    folder.write(text.replacing("T", with: String(repeating: "hunter2 ", count: 20_000)), to: "x.json")
    for line in [["describe", "x.json"], ["verify", "x.json"]] {
      let result = try Program.run(line, in: folder)
      #expect(result.code != 0 && !result.errors.isEmpty, "\(line)")
      #expect(result.output.utf8.count + result.errors.utf8.count < 1000, "\(line): \(result.errors.prefix(300))")
    }
  }

  @Test func aCutFileIsTakenForWhatIsLeftWhereThatIsAskedFor() throws {
    let folder = try folder()
    let refused = try Program.run("convert", "cut.wav", "x.wav", in: folder)
    #expect(refused.code == 4 && refused.errors.contains("\"aubench convert --allow-truncated\" keeps what is left"))
    let taken = try Program.run("convert", "cut.wav", "x.wav", "--allow-truncated", "--json", in: folder)
    // 20000 bytes, of which 44 are the header's; a frame has 4.
    #expect(try taken.value("file.frames") as? Int == 4989)
    #expect(try WaveFile(reading: folder.bytes("x.wav")).data == Array(folder.bytes("cut.wav")[44..<20_000]))
  }

  @Test func aFileOfTheGraphIsNamedWithItsNode() throws {
    let result = try Program.run("render", "g.json", "-o", "x.wav", in: try folder())
    #expect(result.code == 4)
    #expect(result.errors.contains("node \"p\": missing.wav: there is no such file"), "\(result.errors)")
    for words in ["convert sub/x y.wav", "convert sub/x -o y.wav", "render sub/x -o y.wav"] {
      let folder = try Program.run(words.split(separator: " ").map(String.init), in: TemporaryFolder())
      #expect(folder.code != 0 && folder.errors.contains("sub/x: there is no folder sub"), "\(words): \(folder.errors)")
    }
  }

  @Test(arguments: ["nowhere/x.wav", "folder.wav", "/dev/null.wav/x.wav", "g.json/x.wav"])
  func aPlaceThatCannotBeWrittenEndsWithFive(_ output: String) throws {
    let folder = try folder()
    folder.write(WaveFile.noise(frames: 100).bytes, to: "missing.wav")
    let before = folder.names
    // A conversion makes folders that are missing.
    let isMade = ["nowhere/x.wav", "/dev/null.wav/x.wav"].contains(output)
    for line in (isMade ? [] : [["convert", "missing.wav", output]]) + [["render", "g.json", "-o", output]] {
      let result = try Program.run(line, in: folder)
      #expect(result.code == 5, "\(result.errors)")
      #expect(result.errors.contains(output), "\(result.errors)")
    }
    #expect(folder.names == before)
  }

  @Test(.enabled("the superuser may write anywhere") { geteuid() != 0 })
  func aFolderWithoutPermissionEndsWithFive() throws {
    let folder = try folder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
    #expect(try Program.run("convert", Program.audio + "/piano.flac", "x.wav", in: folder).code == 5)
  }

  @Test func aFileThatGrowsBeyondItsLimitEndsWithFiveAndLeavesNothing() throws {
    let folder = TemporaryFolder()
    for line in ["render '\(Program.demo)' -o x.wav", "convert '\(Program.audio)/piano.flac' x.wav"] {
      let result = try Program.shell("ulimit -f 100; exec \"$AUBENCH\" \(line)", in: folder)
      #expect(result.code == 5, "\(result.errors)")
      #expect(
        result.errors.contains("x.wav: cannot be written") && result.errors.contains("ulimit"), "\(result.errors)")
    }
    #expect(folder.names.isEmpty)
  }

  @Test(.enabled("a file system may be mounted") { try HostileFileTests.mayMount() })
  func aFullDiskEndsWithFiveAndLeavesNothing() throws {
    let folder = TemporaryFolder()
    for line in [
      "render '\(Program.demo)' -o full/x.wav", "render '\(Program.demo)' -o x.wav --tap drums=full/tap.wav",
      "convert '\(Program.audio)/piano.flac' full/x.wav",
    ] {
      let result = try Program.shell(Self.mount("\"$AUBENCH\" \(line); code=$?; ls -A full; exit $code"), in: folder)
      #expect(result.code == 5, "\(result.errors)")
      #expect(result.output.isEmpty, "left on the disk: \(result.output)")
      #expect(result.errors.contains("free some space"), "\(result.errors)")
    }
    #expect(folder.names == ["full"])
  }

  private static func mayMount() throws -> Bool { try Program.shell(mount("true"), in: TemporaryFolder()).code == 0 }

  /// A line of shell run where `full` is a disk of 256 kB.
  private static func mount(_ line: String) -> String {
    "mkdir -p full; export AUBENCH; exec unshare -rm /bin/sh -c 'mount -t tmpfs -o size=256k tmpfs full && { '\"\(escaped(line))\"'; }'"
  }

  private static func escaped(_ line: String) -> String {
    line.reduce(into: "") { text, character in
      if "\"$\\`".contains(character) { text.append("\\") }
      text.append(character)
    }
  }
}

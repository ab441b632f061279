import Foundation
import Glibc
import Testing

@Suite struct HostileFileTests {
  /// A folder with files that cannot be played.
  private func folder() throws -> Folder {
    let folder = try Folder()
    let whole = WaveFile.noise(channels: 2, frames: 10_000).bytes
    try folder.write(Array(whole.prefix(20_000)), "cut.wav")
    try folder.write(Array(whole.prefix(30)), "header.wav")
    try folder.write([UInt8](), "empty.wav")
    try folder.write("These are the voyages of the starship Enterprise.\n", "text.wav")
    var channelless = whole
    channelless[22] = 0
    try folder.write(channelless, "channelless.wav")
    try FileManager.default.createDirectory(atPath: folder.path("folder.wav"), withIntermediateDirectories: false)
    try folder.write(GraphText.player("missing.wav"), "g.json")
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

  @Test func aFileOfTheGraphIsNamedWithItsNode() throws {
    let result = try Program.run("render", "g.json", "-o", "x.wav", in: try folder())
    #expect(result.code == 4)
    #expect(result.errors.contains("node \"p\": missing.wav: there is no such file"), "\(result.errors)")
  }

  @Test(arguments: ["nowhere/x.wav", "folder.wav", "/dev/null.wav/x.wav", "g.json/x.wav"])
  func aPlaceThatCannotBeWrittenEndsWithFive(_ output: String) throws {
    let folder = try folder()
    try folder.write(WaveFile.noise(frames: 100).bytes, "missing.wav")
    let before = folder.names
    for line in [["convert", "missing.wav", output], ["render", "g.json", "-o", output]] {
      let result = try Program.run(line, in: folder)
      #expect(result.code == 5, "\(result.errors)")
      #expect(result.errors.contains(output), "\(result.errors)")
    }
    #expect(folder.names == before)
  }

  @Test(.enabled("the superuser may write anywhere") { geteuid() != 0 })
  func aFolderWithoutPermissionEndsWithFive() throws {
    let folder = try folder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.root)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.root) }
    #expect(try Program.run("convert", Program.audio + "/piano.flac", "x.wav", in: folder).code == 5)
  }

  @Test func aFileThatGrowsBeyondItsLimitEndsWithFiveAndLeavesNothing() throws {
    let folder = try Folder()
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
    let folder = try Folder()
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

  private static func mayMount() throws -> Bool { try Program.shell(mount("true"), in: Folder()).code == 0 }

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

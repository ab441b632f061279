import Foundation
import Glibc
import TestSupport
import Testing

enum SmallDisk {
  static let canBeMounted = (try? Program.shell("unshare -rm mount -t tmpfs -o size=64k none /mnt"))?.code == 0
}

/// A small disk of its own, which is full: a namespace in which it can be mounted without being anybody special.
@Suite(.enabled(if: SmallDisk.canBeMounted, "unshare -rm cannot mount a disk here"))
struct FullDiskTests {
  /// Runs a line while a disk is full but for so many KiB: the one that the line writes to, or that of temporary files.
  private enum Disk: String { case output = "OUT", temporary = "TMPDIR" }

  private func run(_ line: String, _ runs: CommandRuns, full: Disk, free: Int) throws -> Program.Result {
    let disk = runs.input.file("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    // Then the disk is looked at, before it goes with the namespace.
    let inner = """
      mount -t tmpfs -o size=\(free + 64)k none '\(disk)' && head -c 65536 /dev/zero > '\(disk)/filler' || exit 99
      (\(runs.shell(line, before: "export \(full.rawValue)='\(disk)'")))
      code=$?
      ls -A '\(disk)' | grep -v filler > '\(runs.output.file("left"))'
      exit $code
      """
    runs.input.write(inner, to: "run.sh")
    return try Program.shell("export AUBENCH; exec unshare -rm sh '\(runs.input.file("run.sh"))'")
  }

  private func left(_ runs: CommandRuns) throws -> String {
    try String(contentsOfFile: runs.output.file("left"), encoding: .utf8)
  }

  @Test(arguments: ["render", "convert", "measure", "compare", "verify"], [0, 8])
  func aFullDiskIsAnOutputErrorThatLeavesNothing(_ name: String, _ free: Int) throws {
    let runs = try CommandRuns()
    try runs.writeInputs()
    let line = try #require(CommandRuns.short[name])
    let result = try run(line, runs, full: .output, free: free)
    // A report of two cases that passed takes less than 8 KiB, the page with it more.
    #expect(result.code == 5, "\(result.output)\(result.errors)")
    #expect(result.errors.lowercased().contains("no space left on device"), "\(result.errors)")
    #expect(try left(runs).isEmpty)
  }

  @Test(arguments: [0, 8])
  func aFullTemporaryFolderIsToldAsWhatItIs(_ free: Int) throws {
    let runs = try CommandRuns()
    try runs.writeInputs()
    let verify = try run(
      #"verify "$IN/short.json" -o "$OUT/failed" --json"#, runs, full: .temporary, free: free)
    #expect(verify.code == 10, "\(verify.output)\(verify.errors)")
    #expect(try verify.verdicts().values.allSatisfy { $0 == "error" })
    #expect(verify.output.lowercased().contains("no space left on device"), "\(verify.output)")
    #expect(try left(runs).isEmpty)
    for line in ["measure lowPassFilter", "measure -- cp {in} {out}"] {
      let measure = try run(line, runs, full: .temporary, free: free)
      #expect(measure.code == 5, "\(measure.errors)")
      #expect(measure.errors.lowercased().contains("no space left on device"), "\(measure.errors)")
      #expect(try left(runs).isEmpty)
    }
  }

  /// The device has room for what it gets, and none for what it gives.
  @Test func aDeviceThatFindsTheDiskFullIsNotToBlame() throws {
    let runs = try CommandRuns()
    try runs.writeInputs()
    let device = Suites.shell("cp \"$1\" \"$2\" 2>/dev/null || exit 3")
    let stimulus = #""stimulus": {"type": "silence", "frames": 4096},"#
    runs.input.write(Suites.text([Suites.testCase("a", device, more: stimulus)]), to: "tight.json")
    let result = try run(#"verify "$IN/tight.json" --json"#, runs, full: .temporary, free: 48)
    #expect(result.code == 10, "\(result.output)")
    #expect(try result.verdicts() == ["tight/a": "error"])
    #expect(result.output.contains("temporary folder is full"), "\(result.output)")
  }
}

import Foundation
import Glibc
import TestSupport
import Testing

/// Temporary folders go, whatever a device leaves in them and whenever the program ends.
@Suite(.serialized) struct LitterTests {
  /// A measurement of a command that works in its scratch folder: `$1` and `$2` are its input and output.
  private static func line(_ device: String) -> String {
    "measure --time-limit 3600 -- sh -c 'cd \"${2%/*}\"; \(device)' sh {in} {out}"
  }

  private static func awaitNothing(of runs: CommandRuns) {
    #expect(
      eventually(within: .seconds(250)) { runs.processes.isEmpty && runs.litter.isEmpty },
      "\(runs.processes) run, and \(runs.litter.count) files are left")
  }

  /// More files than can be removed in the time that a signal leaves.
  @Test(.timeLimit(.minutes(5))) func whatASignalLeavesNoTimeForGoesAfterTheProgram() throws {
    let runs = try EndingTests.runs()
    let running = try runs.start(Self.line(#"seq 100000 | xargs touch; : > "$OUT/begun"; exec tail -f "$IN/in.wav""#))
    try runs.awaitWork(running, "measure a command")
    kill(running.pid, SIGTERM)
    let result = try running.wait()
    #expect(result.code == 128 + SIGTERM && result.errors.hasPrefix("aubench: stopped by SIGTERM"), "\(result.errors)")
    Self.awaitNothing(of: runs)
  }

  /// New files appear while the cleaner removes the folder: it may find it full again. The process that writes them
  /// comes of thirty others, which are ended before it.
  @Test(.timeLimit(.minutes(5))) func whatADeviceWritesAtTheLastMomentGoesToo() throws {
    let runs = try EndingTests.runs()
    let device = """
      n() { if [ $1 -gt 0 ]; then (n $(($1 - 1)); :); else i=0; : > "$OUT/begun"; while :; do i=$((i+1)); : > $i; done; fi; }
      n 30
      """
    for _ in 0..<5 {
      unlink(runs.output.file("begun"))
      let running = try runs.start(Self.line(device))
      try runs.awaitWork(running, "measure a command")
      kill(running.pid, SIGKILL)
      #expect(try running.wait().code == 1000 + SIGKILL)
      Self.awaitNothing(of: runs)
    }
  }

  /// Without the superuser's right to do everything: folders without permissions go at every level, and what links in
  /// them lead to keeps its own.
  @Test func foldersWithoutPermissionsGoAndLinksAreNotFollowed() throws {
    let runs = try EndingTests.runs()
    let linked = runs.input.write("precious", to: "linked")
    try #require(chmod(linked, 0o640) == 0)
    // The same user, who still gets to the program wherever that is.
    let change = geteuid() == 0 ? "AUBENCH=\"setpriv --bounding-set=-all --inh-caps=-all $AUBENCH\"" : ""
    let device =
      #"mkdir -p a/b; ln -s "$IN/linked" link; ln "$IN/linked" a/hard; chmod 0 a/b; chmod 500 a . ..; exit 3"#
    let result = try Program.shell(runs.shell(Self.line(device), before: change))
    #expect(result.code == 6 && result.errors.contains("it ended with code 3"), "\(result.errors)")
    #expect(runs.processes.isEmpty && runs.litter.isEmpty)
    var status = stat()
    try #require(stat(linked, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640 && status.st_nlink == 1)
  }
}

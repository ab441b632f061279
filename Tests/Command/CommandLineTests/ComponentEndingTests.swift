import Foundation
import TestSupport
import Testing

/// A third-party component that ends the process that it is in is a failure of the component, whichever way it takes:
/// exit code 9, and a line that names it. A command ends with its own code, and alone.
@Suite("Components that end the process")
struct ComponentEndingTests {
  /// A component that does what the variable HOSTILE says, and lines of shell with it that no trial comes before.
  private func run(_ script: String, macros: [String] = ["HOSTILE_BY_NAME"]) throws -> (Program.Result, TemporaryFolder)
  {
    let tree = try ComponentTests.place(macros: macros)
    let folder = TemporaryFolder()
    try ComponentTests.graph(folder)
    folder.write(
      #"{"version": 1, "cases": [{"id": "c", "device": {"graph": "g.json"}, "checks": [{"check": "slices"}]}]}"#,
      to: "s.json")
    let head = "export AUBENCH_SCANNER=\n"
    return (try ComponentTests.run(head + script, tree, in: folder), folder)
  }

  @Test("By any way, in any method and under any command it is named, with exit code 9, and nothing is written")
  func ends() throws {
    let (result, folder) = try run(
      #"""
      try() {
        export HOSTILE="$1"; shift
        timeout 100 "$AUBENCH" "$@" >out.txt 2>err.txt; code=$?
        grep -q '^aubench: .*Gain.component.* ended the process (\(exit code [07]\|SIGKILL\))$' err.txt && named=named || named="$(cat err.txt)"
        echo "$HOSTILE $1: $code $named $(wc -l <err.txt) $(wc -c <out.txt)"
      }
      for way in exit0 exit7 leave0 quick0 kill thread hang; do try "render=$way" render g.json -o a.wav --no-tail; done
      for place in load open initialize; do
        for way in exit0 exit7 leave0; do try "$place=$way" render g.json -o a.wav -q; done
      done
      for line in 'measure g.json' 'measure aufx_gain_Acme'; do
        HOSTILE=; IFS=' '; set -- $line; IFS=_; set -- "$1" "$(echo $2)"; IFS=' '; try render=exit7 "$@"
      done
      for place in open load; do try "$place=exit0" describe g.json; done
      try open=exit7 units 'aufx gain Acme'
      ls
      """#)
    let lines = result.output.split(separator: "\n").map(String.init)
    let files = lines.filter { !$0.contains("=") }
    #expect(files == ["err.txt", "g.json", "in.wav", "out.txt", "s.json"], "\(result.output)\(result.errors)")
    let runs = lines.filter { $0.contains("=") }
    #expect(runs.count == 21, "\(result.output)")
    for line in runs { #expect(line.hasSuffix(": 9 named 1 0"), "\(line)") }
    withExtendedLifetime(folder) {}
  }

  @Test("With --json the error is an object; a suite and a batch have their own words for it")
  func reports() throws {
    let (result, _) = try run(
      #"""
      export HOSTILE=render=exit7
      "$AUBENCH" render g.json -o a.wav --json 2>/dev/null; echo "code $?"
      "$AUBENCH" verify s.json --json >verify.json; echo "code $?"; grep -c '"verdict" : "crashed"' verify.json
      "$AUBENCH" render g.json -i 'in=i*.wav' -o 'o/{name}.wav' -q; echo "code $?"
      # A handler that never returns, in the process of a case.
      HOSTILE=render=hang-not timeout 100 "$AUBENCH" verify s.json -q; echo "code $?"
      HOSTILE=open=crash "$AUBENCH" render g.json -o a.wav; echo "code $?"
      """#)
    #expect(
      result.output.hasPrefix("{\n  \"error\" : {") && result.output.contains("\"exitCode\" : 9"), "\(result.output)")
    let codes = result.output.split(separator: "\n").filter { $0.hasPrefix("code") }
    #expect(codes == ["code 9", "code 9", "code 9", "code 0", "code 139"], "\(result.output)\(result.errors)")
    #expect(result.errors.contains("Gain.component crashed: SIGSEGV"), "\(result.errors)")
    #expect(result.errors.contains("Gain.component ended the process (exit code 7)"), "\(result.errors)")
  }

  @Test("In the processes of a batch, a bench and a suite it is named as well, whichever way it takes")
  func workers() throws {
    let (result, _) = try run(
      #"""
      try() {
        timeout 100 "$AUBENCH" "$@" >out.txt 2>err.txt; code=$?
        cat err.txt out.txt | tr -s '\n ' ' ' | grep -q 'Gain.component.* ended the process (' && named=named || named=no
        echo "$HOSTILE $1: $code $named"
      }
      for way in exit0 exit7 leave0 quick0 kill thread; do
        export HOSTILE="render=$way"
        try render g.json -i 'in=i*.wav' -o 'o/{name}.wav' -q
        try bench g.json --seconds 0.1
        try verify s.json
      done
      ls o
      """#)
    let runs = result.output.split(separator: "\n").map(String.init)
    #expect(runs.count == 18, "\(result.output)\(result.errors)")
    for line in runs {
      #expect(line.hasSuffix(": 9 named"), "\(line)")
    }
  }

  @Test(
    "What it prints is no part of a report; a handler at the end that never returns holds nothing up; what it leaves running ends"
  )
  func alone() throws {
    let (result, _) = try run(
      #"""
      export CHILD="$PWD/children" HOSTILE=render=print
      timeout 100 "$AUBENCH" render g.json -o a.wav --json >report.json 2>err.txt; echo "code $?"
      head -c 1 report.json; echo; grep -c 'printed\|written' report.json; grep -c . a.wav >/dev/null && echo made
      grep -q printed err.txt && grep -q written err.txt && echo "on standard error"
      HOSTILE=initialize=child timeout 100 "$AUBENCH" render g.json -o b.wav -q; echo "code $?"
      HOSTILE=open=child timeout 100 "$AUBENCH" describe g.json >/dev/null; echo "code $?"
      [ "$(wc -l <children)" -ge 2 ] && echo children; for child in $(cat children); do kill -0 "$child" 2>/dev/null && echo "still there"; done; :
      """#)
    #expect(
      result.output == "code 0\n{\n0\nmade\non standard error\ncode 0\ncode 0\nchildren\n",
      "\(result.output)\(result.errors)")
  }

  @Test(
    "A signal ends the command while the component waits for ever, with its message once; so does SIGKILL, which leaves no process"
  )
  func signal() throws {
    let (result, _) = try run(
      #"""
      export HOSTILE=render=wait CHILD="$PWD/begun"
      start() { "$AUBENCH" render g.json -o a.wav -q 2>err.txt & pid=$!; while [ ! -s begun ]; do read -r _ <in.wav; done; }
      start; kill -TERM $pid; wait $pid; echo "code $?"; cat err.txt; rm begun
      start; kill -KILL $pid; wait $pid; echo "code $?"; cat err.txt
      while kill -0 "$(cat begun)" 2>/dev/null; do read -r _ <in.wav; done; ls | grep -v s.json
      """#)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines.count == 7 && lines[0] == "code 143" && lines[1].hasPrefix("aubench: stopped by SIGTERM")
        && lines[2] == "code 137"
        && lines[3...] == ["begun", "err.txt", "g.json", "in.wav"][...], "\(result.output)\(result.errors)")
  }

  @Test("A latency beyond a minute is refused, in words", arguments: ["1e300", "61", "(1.0/0.0)"])
  func latency(_ seconds: String) throws {
    let (result, _) = try run(
      "ulimit -v 8000000; timeout 60 \"$AUBENCH\" render g.json -o a.wav -q; echo \"code $?\"; ls",
      macros: ["LATENCY_SECONDS=\(seconds)"])
    #expect(result.output.hasPrefix("code 3\n") && !result.output.contains("a.wav"), "\(result.output)\(result.errors)")
    #expect(
      result.errors.contains("says that its latency is") && result.errors.contains("at most 60 s"), "\(result.errors)")
  }
}

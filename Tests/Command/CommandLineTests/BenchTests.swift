import Foundation
import TestSupport
import Testing

/// The texts of `bench`; not the speed of anything.
@Suite("Bench on the command line")
struct BenchTests {
  private let folder = TemporaryFolder()

  private func run(_ script: String) throws -> Program.Result { try Program.shell(script, in: folder) }

  /// The exit code is 7 where the machine is too busy for figures: no failure of these tests.
  private func figures(_ line: String) throws -> Program.Result {
    let result = try run("\"$AUBENCH\" bench \(line)")
    #expect(result.code == 0 || result.code == 7, "\(result.errors)")
    return result
  }

  @Test func everyNodeOfAGraphHasItsCost() throws {
    let result = try figures("'\(Program.demo)' --seconds 0.5 --json")
    let cases = try #require(try result.value("cases") as? [[String: Any]])
    #expect(cases.count == 1)
    let nodes = try #require(cases[0]["nodes"] as? [[String: Any]])
    let names = nodes.compactMap { $0["name"] as? String }
    let graph =
      try JSONSerialization.jsonObject(with: Data(Program.file("fixtures/demo/demo.json").utf8)) as? [String: Any]
    let expected = (graph?["nodes"] as? [[String: Any]])?.compactMap { $0["id"] as? String } ?? []
    #expect(Set(names).isSuperset(of: expected) && names.count == Set(names).count)
    func median(_ object: [String: Any]) throws -> Double {
      try #require((object["nanosecondsPerFrame"] as? [String: Any])?["median"] as? Double)
    }
    // Nodes themselves, without what they pull: together about the whole.
    let sum = try nodes.reduce(0) { try $0 + median($1) }
    let whole = try median(cases[0])
    #expect(sum > 0.3 * whole && sum < 3 * whole, "\(sum) of \(whole)")
    for node in nodes { #expect(try median(node) >= 0) }
    let quantiles = try #require(cases[0]["sliceMicroseconds"] as? [String: Double])
    let order = ["p50", "p90", "p99", "p99.9", "max"].compactMap { quantiles[$0] }
    #expect(order.count == 5 && order == order.sorted())
  }

  @Test func slicesAndThreadsAreCasesOfTheirOwn() throws {
    let result = try figures(
      "'\(Program.demo)' --seconds 0.5 --slice 64,512 --threads 1 --threads 2 --csv c.csv --markdown page.txt --history h.jsonl"
    )
    for name in ["64 frames, 1 thread ", "64 frames, 2 threads", "512 frames, 1 thread ", "512 frames, 2 threads"] {
      #expect(result.output.contains("\n\(name)"), "\(result.output)")
    }
    let table = try run("grep -o ',[0-9]*,[12],' c.csv | sort -u").output
    #expect(table.contains(",64,1,") && table.contains(",512,2,"), "\(table)")
    #expect(try run("head -n 1 page.txt").output.hasPrefix("# "))
    _ = try figures("iPodEQ --seconds 0.2 --history h.jsonl -q")
    let lines = try run("cat h.jsonl").output.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["unixTimeSeconds"] != nil && object?["cases"] != nil && object?["machine"] != nil)
    }
  }

  @Test func aUnitIsFedWithNoise() throws {
    let result = try figures("iPodEQ --seconds 0.3 --slice 64 --set unit.preset=Rock --json")
    let nodes = try #require((try result.value("cases") as? [[String: Any]])?[0]["nodes"] as? [[String: Any]])
    #expect(nodes.compactMap { $0["name"] as? String } == ["noise", "unit", "out"])
  }

  @Test func twoGraphsAndTwoBuildsAreComparedInTurn() throws {
    folder.write(
      #"""
      {"version": 1, "nodes": [{"id": "in", "unit": "filePlayer", "file": "AUDIO/drums.flac"},
        {"id": "mix", "unit": "multichannelMixer", "set": {"volume@output:0": 0.5}}, {"id": "out", "unit": "genericOutput"}],
        "connections": ["in -> mix", "mix -> out"]}
      """#.replacing("AUDIO", with: Program.audio), to: "a.json")
    let other = try run(
      "sed 's/0.5/0.25/' a.json >b.json; \"$AUBENCH\" bench b.json --against a.json --seconds 0.3 --json")
    // Half of it is missing.
    let sound = try #require((try other.value("cases") as? [[String: Any]])?[0]["sound"] as? [String: Any])
    #expect(sound["isIdentical"] as? Bool == false && abs((sound["residualDecibels"] as? Double ?? 0) + 6.02) < 0.01)
    #expect(other.code == 7)
    let same = try run("\"$AUBENCH\" bench a.json --against-binary \"$AUBENCH\" --seconds 0.3 --json")
    let part = try #require((try same.value("cases") as? [[String: Any]])?[0])
    #expect((part["sound"] as? [String: Any])?["isIdentical"] as? Bool == true)
    let rows = try #require(part["rows"] as? [[String: Any]])
    #expect(rows.map { $0["node"] as? String } == [nil, "in", "mix", "out"])
    #expect(try run("\"$AUBENCH\" bench a.json --against b.json --against-binary x").code == 2)
    let none = try run("\"$AUBENCH\" bench a.json --against-binary none")
    #expect(none.code == 4 && none.errors.hasPrefix("aubench: none: is no program that can be run"), "\(none.errors)")
    let wrong = try run("\"$AUBENCH\" bench a.json --against-binary /bin/cat")
    #expect(wrong.code != 0 && !wrong.errors.isEmpty)
  }

  /// A tenth more work, in a graph that does little else: counts say so whatever the machine does.
  @Test func instructionsAreCounted() throws {
    func graph(_ bands: Int) -> String {
      let band = #"{"type": "parametric", "frequency": 1000, "gain": 1}"#
      return #"""
        {"version": 1, "nodes": [{"id": "in", "unit": "filePlayer", "file": "\#(Program.audio)/drums.flac"},
          {"id": "eq", "unit": "nBandEQ", "bands": [\#(Array(repeating: band, count: bands).joined(separator: ","))]},
          {"id": "out", "unit": "genericOutput"}], "connections": ["in -> eq", "eq -> out"]}
        """#
    }
    folder.write(graph(40), to: "a.json")
    folder.write(graph(44), to: "b.json")
    let one = try figures("a.json --seconds 0.2 --instructions --json")
    let count = try #require((try one.value("cases") as? [[String: Any]])?[0]["instructionsPerFrame"] as? Double)
    // 40 sections of at least five multiplications and additions each, of two channels, in vectors of at most eight.
    #expect(count > 40 && count < 5000, "\(count)")
    let line = "\"$AUBENCH\" bench b.json --against a.json --seconds 0.3 --instructions --json --threshold"
    let more = try run("\(line) 5")
    let part = try #require((try more.value("cases") as? [[String: Any]])?[0])
    let former = try #require(part["formerInstructionsPerFrame"] as? Double)
    let present = try #require(part["presentInstructionsPerFrame"] as? Double)
    #expect(abs(former / count - 1) < 0.001, "\(former), and \(count) before")
    #expect(present / former > 1.05 && present / former < 1.15, "\(present / former)")
    #expect(more.code == 7)
    #expect(try run("\"$AUBENCH\" bench a.json --threshold 1").code == 2)
  }

  /// Sixty bands behind a volume of 0: the same sound, later.
  @Test func whereCountsDecideTimesDoNot() throws {
    func graph(_ bands: Int) -> String {
      let band = #"{"type": "parametric", "frequency": "1kHz", "gain": "1dB"}"#
      return #"""
        {"version": 1, "nodes": [{"id": "in", "unit": "filePlayer", "file": "\#(Program.audio)/drums.flac"},
          {"id": "split", "unit": "splitter"},
          {"id": "eq", "unit": "nBandEQ", "bands": [\#(Array(repeating: band, count: bands).joined(separator: ","))]},
          {"id": "mix", "unit": "multichannelMixer", "set": {"volume@input:1": 0}},
          {"id": "out", "unit": "genericOutput"}],
          "connections": ["in -> split", "split -> mix:0", "split:1 -> eq", "eq -> mix:1", "mix -> out"]}
        """#
    }
    folder.write(graph(1), to: "a.json")
    folder.write(graph(60), to: "b.json")
    let line = "\"$AUBENCH\" bench b.json --against a.json --seconds 0.5 --json"
    let counted = try run("\(line) --instructions --threshold 100000")
    #expect(counted.code == 0, "\(counted.output)\(counted.errors)")
    let both = try run("\(line) --instructions --threshold 100000 --require-times")
    let verdict = (try both.value("cases") as? [[String: Any]])?[0]["verdict"] as? String
    #expect(both.code == (["faster", "no difference"].contains(verdict) ? 0 : 7), "\(verdict ?? "")")
  }

  @Test func unitsHaveKeysThatMayBeVaried() throws {
    let result = try figures("graphicEQ --keys '{\"set\": {\"numberOfBands\": {n}}}' --vary n=0,1 --seconds 0.2 --json")
    #expect((try result.value("cases") as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["n 0", "n 1"])
    _ = try figures("nBandEQ --keys '{\"bands\": [{\"gain\": \"-3dB\"}]}' --seconds 0.1 --json")
    for (line, words) in [
      ("nBandEQ --keys '{\"bnads\": []}'", "did you mean"), ("nBandEQ --keys '[]'", "expected an object"),
      ("nBandEQ --keys '{'", "JSON"), ("nBandEQ --keys '{\"id\": \"x\"}'", "given by the command line"),
      ("'\(Program.demo)' --keys '{}'", "is a graph"),
    ] {
      let wrong = try run("\"$AUBENCH\" bench \(line)")
      #expect([2, 3].contains(wrong.code) && wrong.errors.contains(words), "\(line): \(wrong.errors)")
    }
  }

  @Test func costsGrowAsTheWorkDoes() throws {
    let result = try figures("nBandEQ --vary bands=32,64,128,256 --seconds 1 --plot g.svg --html page.html --json")
    let growth = try #require((try result.value("growth") as? [[String: Any]])?.first)
    // A machine that is busy may make it a power that is nearly one.
    #expect(abs((growth["exponent"] as? Double ?? 0) - 1) < 0.4, "\(growth)")
    let svg = try run("cat g.svg").output
    #expect(svg.hasPrefix("<?xml") && svg.contains("cost over bands"))
    #expect(try run("cat g-nodes.svg").output.contains("what its nodes cost"))
    let page = try run("cat page.html").output
    #expect(
      page.contains("<h2>Growth</h2>") && page.contains("<h2>In a realtime thread</h2>") && page.hasSuffix("</html>\n"))
  }

  @Test(arguments: [
    "slice=16,256", "threads=1,2", "rate=44100,96000", "seconds=0.1,0.2", "mix.volume@output:0=0.5,1",
  ])
  func graphsAreVaried(variation: String) throws {
    let result = try figures("'\(Program.demo)' --vary \(variation) --seconds 0.1 --json")
    let cases = try #require(try result.value("cases") as? [[String: Any]])
    let values = variation.split(separator: "=")[1].split(separator: ",")
    #expect(cases.compactMap { $0["varied"] as? Double } == values.compactMap { Double($0) })
    #expect(Set(cases.compactMap { $0["name"] as? String }).count == values.count)
  }

  @Test(arguments: ["channels=1,8", "nodes=1,4", "buses=1,16"])
  func unitsAreVaried(variation: String) throws {
    let unit = variation.hasPrefix("buses") ? "multichannelMixer" : "nBandEQ"
    let result = try figures("\(unit) --vary \(variation) --seconds 0.1 --json")
    let cases = try #require(try result.value("cases") as? [[String: Any]])
    let last = try #require(cases.last?["nodes"] as? [[String: Any]])
    let names = last.compactMap { $0["name"] as? String }
    switch variation.prefix(1) {
    case "n": #expect(names.filter { $0.hasPrefix("unit") }.count == 4)
    case "b": #expect(names.filter { $0.hasPrefix("noise") }.count == 16)
    default: #expect(cases.last?["channels"] as? Int == 8)
    }
  }

  @Test func commandsAreTimedInTurn() throws {
    let result = try figures("--vary s=0,0.02 --seconds 1 --json --history h.jsonl -- sleep {s}")
    let cases = try #require(try result.value("cases") as? [[String: Any]])
    let seconds = cases.compactMap { ($0["seconds"] as? [String: Any])?["median"] as? Double }
    #expect(seconds.count == 2 && seconds[1] - seconds[0] > 0.015 && seconds[1] >= 0.02, "\(seconds)")
    let failing = try run("\"$AUBENCH\" bench -- false")
    #expect(
      failing.code == 9 && failing.errors.contains("false: has ended with code 1; run it once by hand"),
      "\(failing.errors)")
    #expect(try run("\"$AUBENCH\" bench --realtime -- true").code == 2)
  }

  @Test func aHistoryIsDrawn() throws {
    _ = try figures("iPodEQ --seconds 0.1 --history h.jsonl")
    // The same run three times. A busy machine has no figures, and those are not drawn.
    _ = try run("sed -i 's/\"isNoisy\":true/\"isNoisy\":false/; p; p' h.jsonl; echo broken >>h.jsonl")
    let result = try run("\"$AUBENCH\" bench --history h.jsonl --html page.html")
    #expect(
      result.code == 0 && result.output == "3 runs, 1 curve; 1 line left out, which is of no run\n",
      "\(result.output)\(result.errors)")
    #expect(try run("cat page.html").output.contains("aria-label=\"iPodEQ, 512 frames\""))
    #expect(try run("\"$AUBENCH\" bench --history none --html page.html").code == 4)
    #expect(try run("\"$AUBENCH\" bench").code == 2)
    let empty = try run("touch e.jsonl; \"$AUBENCH\" bench --history e.jsonl --html page.html")
    #expect(empty.code == 4 && empty.errors.contains("has no run in it"), "\(empty.errors)")
    // Nothing else is added to.
    let other = try run("echo 'print(1)' >s.py; \"$AUBENCH\" bench iPodEQ --history s.py; cat s.py")
    #expect(other.code == 5 || other.errors.contains("something else than a history"), "\(other.errors)")
    #expect(other.output == "print(1)\n", "\(other.output)")
  }

  /// A sound that ends many times in a block: what begins it anew is no node's.
  @Test func nodesCostNoMoreThanTheWhole() throws {
    let result = try figures("sampleDelay --seconds 1 --json")
    let one = try #require((try result.value("cases") as? [[String: Any]])?[0])
    func median(_ object: [String: Any]) throws -> Double {
      try #require((object["nanosecondsPerFrame"] as? [String: Any])?["median"] as? Double)
    }
    let nodes = try #require(one["nodes"] as? [[String: Any]])
    let noise = try #require(nodes.first { $0["name"] as? String == "noise" })
    let unit = try #require(nodes.first { $0["name"] as? String == "unit" })
    #expect(try median(noise) < median(unit), "\(nodes)")
  }

  @Test func subjectsOfOneNameAreToldApartAndUnitsNeedNoNode() throws {
    _ = try run(
      "mkdir -p a b; cp '\(Program.demo)' a/x.json; cp '\(Program.demo)' b/x.json; ln -s '\(Program.audio)' audio")
    let two = try figures("a/x.json b/x.json --seconds 0.3 --json")
    let names = (try two.value("cases") as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names == ["a/x.json", "b/x.json"])
    let unit = try figures("lowPassFilter --set cutoffFrequency=100 --seconds 0.1 --json")
    #expect(try unit.value("failures") is [Any])
    let near = try run("\"$AUBENCH\" bench nBandEQq")
    #expect(near.code == 3 && near.errors.contains("did you mean nBandEQ?"), "\(near.errors)")
    #expect(try run("\"$AUBENCH\" bench iPodEQ --csv -").code == 2)
    let early = try run("\"$AUBENCH\" bench iPodEQ --instructions --history h --threshold=-3")
    #expect(early.code == 2 && early.output.isEmpty)
  }

  @Test func mistakesAreTold() throws {
    for wrong in ["bands=1", "x=1", "nothing.x=1,2", "slice=0,1", "slice=1,1", "threads="] {
      let result = try run("\"$AUBENCH\" bench '\(Program.demo)' --vary \(wrong)")
      #expect([2, 3].contains(result.code), "\(wrong): \(result.errors)")
    }

    #expect(try run("\"$AUBENCH\" bench none.json").errors.hasPrefix("aubench: none.json: "))
    let slice = try run("\"$AUBENCH\" bench '\(Program.demo)' --slice 100000")
    #expect(
      slice.code == 2 && slice.errors.contains("a slice has 1 to 4096 frames in this graph, not 100000"),
      "\(slice.errors)")
    #expect(try run("\"$AUBENCH\" bench '\(Program.demo)' --slice 0").code == 2)
    let output = try run("\"$AUBENCH\" bench genericOutput")
    #expect(output.code == 2 && output.errors.contains("is an output unit"))
    folder.write(#"{"version": 1, "nodes": [{"id": "x", "unit": "nothing"}]}"#, to: "bad.json")
    let bad = try run("\"$AUBENCH\" bench bad.json")
    #expect(bad.code == 3 && bad.errors.contains("\"nothing\""), "\(bad.errors)")
  }
}

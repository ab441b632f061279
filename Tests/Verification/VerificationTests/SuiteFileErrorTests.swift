import AudioCore
import Foundation
import Glibc
import TestSupport
import Testing

import Verification

@Suite("Suite files that are wrong")
struct SuiteFileErrorTests {
  /// A text and what its error must say.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let words: [String]
    var testDescription: String { name }
  }

  private static func document(_ name: String, _ text: String, _ words: String...) -> Wrong {
    Wrong(name: name, text: text, words: words)
  }

  private static func top(_ name: String, _ keys: String, _ words: String...) -> Wrong {
    Wrong(name: name, text: #"{"version": 1, \#(keys)}"#, words: words)
  }

  /// Keys of case "a", besides its device and a check where they are not among them.
  private static func testCase(_ name: String, _ keys: String, _ words: String...) -> Wrong {
    var all = keys.contains("\"id\"") ? keys : #""id": "a", \#(keys)"#
    if !keys.contains("\"device\"") { all += #", "device": {"unit": "iPodEQ"}"# }
    if !keys.contains("\"checks\"") { all += #", "checks": [{"check": "golden"}]"# }
    return Wrong(name: name, text: #"{"version": 1, "cases": [{\#(all)}]}"#, words: words)
  }

  private static func check(_ name: String, _ check: String, _ words: String...) -> Wrong {
    let text = #"{"version": 1, "cases": [{"id": "a", "device": {"unit": "iPodEQ"}, "checks": [\#(check)]}]}"#
    return Wrong(name: name, text: text, words: ["case \"a\", checks[0]"] + words)
  }

  private static func device(_ name: String, _ device: String, _ words: String...) -> Wrong {
    testCase(name, #""device": \#(device)"#).adding(["case \"a\", device"] + words)
  }

  private static func stimulus(_ name: String, _ stimulus: String, _ words: String...) -> Wrong {
    testCase(name, #""stimulus": \#(stimulus)"#).adding(["case \"a\", stimulus"] + words)
  }

  static let documents: [Wrong] = [
    document("nothing", "", "not JSON", "empty"),
    document("a text", "hello", "not JSON", "line 1"),
    document("a comma too many", "{\"version\": 1,\n \"cases\": [1,,2]}", "not JSON", "line 2"),
    document("a list", "[]", "expected an object", "a list"),
    document("a key twice", #"{"version": 1, "version": 1}"#, "\"version\"", "duplicate"),
    document("no version", #"{"cases": []}"#, "key \"version\"", "missing", "write \"version\": 1"),
    document("another version", #"{"version": 2}"#, "key \"version\"", "version 1", "version 2"),
    document("version as text", #"{"version": "1"}"#, "key \"version\"", "a number"),
    top("no cases", #""about": "x""#, "no cases", "\"cases\""),
    top("an empty list of cases", #""cases": []"#, "no cases"),
    top("cases as object", #""cases": {}"#, "key \"cases\"", "a list", "an object"),
    top("a case that is a number", #""cases": [1]"#, "cases[0]", "an object", "the number 1"),
    top("an unknown key", #""case": []"#, "key \"case\"", "unknown key", "did you mean \"cases\"?"),
    top("a rate of 0", #""sampleRate": 0, "cases": []"#, "key \"sampleRate\"", "from 1 to 3000000"),
    top("limits of no time", #""limits": {"seconds": 0}, "cases": []"#, "limits, key \"seconds\"", "0.01"),
    top("goldens nowhere", #""goldens": "", "cases": []"#, "key \"goldens\"", "a folder"),
  ]

  static let cases: [Wrong] = [
    testCase("no id", #""id": """#, "key \"id\"", "one line"),
    testCase("an id with a slash", #""id": "a/b""#, "key \"id\"", "\"a/b\""),
    testCase("an id of two lines", #""id": "a\nb""#, "key \"id\"", "one line"),
    testCase("an id with a zero", #""id": "a\u0000b""#, "key \"id\"", "one line"),
    testCase("a hidden id", #""id": ".a""#, "key \"id\"", "point"),
    testCase("an id that is no text", #""id": 7"#, "cases[0], key \"id\"", "a text", "7"),
    testCase("an unknown key", #""divice": 1"#, "case \"a\", key \"divice\"", "did you mean \"device\"?"),
    testCase("no checks", #""checks": []"#, "case \"a\", key \"checks\"", "checks nothing"),
    testCase("a check that is a text", #""checks": ["golden"]"#, "case \"a\", checks[0]", "an object", "\"golden\""),
    testCase("a golden elsewhere", #""golden": "../b""#, "case \"a\", key \"golden\"", "own folder", "\"../b\""),
    testCase("a golden at the root", #""golden": "/b""#, "case \"a\", key \"golden\"", "\"/b\""),
    testCase("a golden without a name", #""golden": """#, "case \"a\", key \"golden\""),
    testCase("a golden that is a folder", #""golden": "b/""#, "case \"a\", key \"golden\"", "\"b/\""),
    testCase("skipped without a reason", #""skip": """#, "case \"a\", key \"skip\""),
    testCase("skip as a flag", #""skip": true"#, "case \"a\", key \"skip\"", "a text", "true"),
    testCase("a negative rate", #""sampleRate": -1"#, "case \"a\", key \"sampleRate\"", "-1"),
    testCase("negative seconds", #""limits": {"seconds": -1}"#, "case \"a\", limits, key \"seconds\"", "-1"),
    testCase("too little memory", #""limits": {"memoryMegabytes": 1}"#, "key \"memoryMegabytes\"", "from 64"),
    testCase("an unknown limit", #""limits": {"second": 1}"#, "case \"a\", limits", "did you mean \"seconds\"?"),
    testCase(
      "a row that is a number", #""matrix": [1]"#, "key \"matrix\", row 0", "an object of lists", "the number 1"),
    testCase("no rows", #""matrix": []"#, "cases[0], key \"matrix\"", "an empty list"),
    testCase("rows of other names", #""matrix": [{"a": 1}, {"b": 1}]"#, "row 1", "values of a", "this one of b"),
    testCase("a row of null", #""matrix": [{"a": null}]"#, "row 0, \"a\"", "a list of values", "null"),
    testCase("an axis that is an object", #""matrix": {"a": {}}"#, "\"a\"", "a list of values", "an object"),
    testCase("a matrix that takes the program", #""matrix": {"aubench": [1]}"#, "\"aubench\"", "{in}"),
    testCase("a matrix of nothing", #""matrix": {}"#, "key \"matrix\"", "an empty one"),
    testCase("a matrix of no values", #""matrix": {"f": []}"#, "key \"matrix\", \"f\"", "an empty one"),
    testCase("a matrix of a number", #""matrix": {"f": 1}"#, "key \"matrix\", \"f\"", "a list of values", "1"),
    testCase("a matrix that takes a command's file", #""matrix": {"in": [1]}"#, "\"in\"", "{in}"),
    testCase(
      "a matrix that is not in the id", #""matrix": {"f": [1, 2]}"#, "case \"a\"", "two cases have this id", "{f}"),
    document(
      "a matrix of too many",
      #"{"version": 1, "cases": [{"id": "x", "matrix": {"a": \#(Array(1...200)), "b": \#(Array(1...200))}}]}"#,
      "more than 10000"),
    document(
      "two cases of one id",
      #"{"version": 1, "cases": [\#(caseText("b", checks: golden)), \#(caseText("b", checks: golden))]}"#,
      "case \"b\"", "two cases have this id"),
    document(
      "two cases of one golden",
      #"{"version": 1, "cases": [\#(caseText("b c", checks: golden)), \#(caseText("b-c", eq, checks: golden))]}"#,
      "case \"b-c\"", "b-c.json", "case \"b c\"", "\"golden\""),
  ]
  private static let golden = #"{"check": "golden"}"#
  private static let eq = #"{"unit": "iPodEQ"}"#

  static let devices: [Wrong] = [
    device("nothing", "{}", "a unit, a graph or a command"),
    device("a text", #""iPodEQ""#, "an object", "\"iPodEQ\""),
    device("two things", #"{"unit": "iPodEQ", "graph": "g.json"}"#, "one thing", "\"unit\"", "\"graph\""),
    device("channels without end", #"{"unit": "iPodEQ", "channels": 1025}"#, "\"channels\"", "1 to 1024"),
    device("an unknown key", #"{"graph": "g.json", "inpt": "a"}"#, "did you mean \"input\"?"),
    device("a parameter of no node", #"{"graph": "g.json", "set": {"volume": 1}}"#, "\"set\"", "node.parameter"),
    device("no parameter", #"{"graph": "g.json", "set": {"mix.": 1}}"#, "\"set\"", "node.parameter", "\"mix.\""),
    device("a parameter as text", #"{"graph": "g.json", "set": {"mix.volume": "1"}}"#, "\"set\"", "\"mix.volume\""),
    device("too large a parameter", #"{"graph": "g.json", "set": {"mix.volume": 1e300}}"#, "\"set\"", "1e+300"),
    device("a command without words", #"{"command": []}"#, "\"command\"", "no program"),
    device("a command as text", #"{"command": "cp"}"#, "\"command\"", "a list", "\"cp\""),
    device("a command of numbers", #"{"command": ["cp", 1]}"#, "\"command\"", "words", "1"),
    device("a command without {in}", #"{"command": ["cp", "{out}"]}"#, "\"command\"", "{in} is missing"),
    device("a command without {out}", #"{"command": ["cp", "{in}"]}"#, "\"command\"", "{out} is missing"),
    device("no encoding", #"{"command": ["cp", "{in}", "{out}"], "encoding": "mp3"}"#, "\"mp3\"", "pcm16", "float64"),
    device("no time", #"{"command": ["cp", "{in}", "{out}"], "seconds": 0}"#, "\"seconds\"", "above 0"),
    device("no container", #"{"command": ["cp", "{in}", "{out}"], "container": "x"}"#, "\"x\"", "choose from wav"),
    device(
      "a container with loss", #"{"command": ["cp", "{in}", "{out}"], "container": "flac"}"#, "\"command\"",
      "a flac file cannot hold float32 without loss"),
    device("a path", #"{"command": ["cp", "{in}", "{out}"], "extension": "/x"}"#, "\"extension\"", "\"/x\""),
    device("a graph that is a number", #"{"graph": 1}"#, "\"graph\"", "or a graph", "the number 1"),
  ]

  private static func edit(_ name: String, _ edit: String, _ words: String...) -> Wrong {
    device(name, #"{"graph": "g.json", "edits": [\#(edit)]}"#).adding(["edits[0]"] + words)
  }

  static let edits: [Wrong] = [
    device("no edits", #"{"unit": "iPodEQ", "edits": []}"#, "\"edits\"", "empty"),
    device("edits as an object", #"{"unit": "iPodEQ", "edits": {}}"#, "\"edits\"", "a list"),
    edit("no frame", #"{"node": "a", "bypass": true}"#, "\"frame\"", "missing"),
    edit("a frame before the first", #"{"frame": -1, "node": "a", "bypass": true}"#, "\"frame\"", "from 0"),
    edit("nothing changes", #"{"frame": 1, "node": "a"}"#, "changes nothing"),
    edit("no node", #"{"frame": 1, "bypass": true}"#, "\"node\"", "missing"),
    edit("an unknown key", #"{"frame": 1, "node": "a", "bypas": true}"#, "changes nothing"),
    edit("a value as text", #"{"frame": 1, "node": "a", "set": {"volume": "1"}}"#, "\"set\"", "\"volume\""),
    edit("half a preset", #"{"frame": 1, "node": "a", "preset": 0.5}"#, "\"preset\"", "0.5"),
    edit("a connection as text", #"{"frame": 1, "connect": "a -> b"}"#, "\"connect\"", "a list"),
    edit("a scheduled bypass", #"{"frame": 1, "node": "a", "bypass": true, "scheduled": true}"#, "\"scheduled\""),
    edit("a ramp that is not scheduled", #"{"frame": 1, "node": "a", "set": {"b": 1}, "ramp": 9}"#, "\"ramp\""),
    device(
      "a node of a unit", #"{"unit": "iPodEQ", "edits": [{"frame": 1, "bypass": true, "node": "a"}]}"#, "edits[0]",
      "\"node\"", "unknown key"),
  ]

  static let references: [Wrong] = [
    device("a formula that is a number", #"{"formula": 1}"#, "\"formula\"", "a text, or a list", "the number 1"),
    device("no formula", #"{"formula": []}"#, "\"formula\"", "1 to 1024"),
    device("half a formula", #"{"formula": "1 +"}"#, "\"formula\"", "expected a value", "the end"),
    device("the second formula", #"{"formula": ["1", "2 2"]}"#, "\"formula\"", "channel 1", "character 3"),
    device("an unknown name", #"{"formula": "x"}"#, "\"formula\"", "no \"x\"", "known here"),
    device("a definition that is a list", #"{"formula": "1", "let": {"a": []}}"#, "\"let\"", "\"a\"", "a list"),
    device("a circle", #"{"formula": "a", "let": {"a": "b", "b": "a"}}"#, "made of itself"),
    device("a name that is taken", #"{"formula": "1", "let": {"sin": "1"}}"#, "\"sin\"", "no name"),
    device("a signal without a file", #"{"formula": "1", "signals": {"a": 1}}"#, "\"signals\"", "\"a\""),
    device("two and three channels", #"{"formula": ["1", "2"], "outputs": 3}"#, "\"outputs\"", "2 formulas"),
    device("another precision", #"{"formula": "1", "precision": "int16"}"#, "\"precision\"", "float32, float64"),
    device("no rate", #"{"libraryConversion": {}}"#, "\"sampleRate\"", "missing"),
    device(
      "an unknown quality", #"{"libraryConversion": {"quality": "x", "sampleRate": 1}}"#, "\"quality\"", "mastering"),
    stimulus("no formula", #"{"type": "formula"}"#, "\"formula\"", "missing"),
    stimulus("a formula of noise", #"{"formula": "1"}"#, "\"formula\"", "goes with"),
    stimulus("half a formula", #"{"type": "formula", "formula": "("}"#, "\"formula\"", "expected a value"),
    check("each channel of a file", #"{"check": "sameAs", "file": "a.wav", "eachChannel": true}"#, "\"eachChannel\""),
    check(
      "each channel of a graph", #"{"check": "sameAs", "device": {"graph": "g.json"}, "eachChannel": true}"#,
      "\"eachChannel\"", "any number of channels"),
    check("no parameter", #"{"check": "parameter", "max": 1}"#, "\"parameter\"", "missing"),
    check(
      "half a parameter", #"{"check": "parameter", "parameter": "a@b:c", "max": 1}"#, "\"parameter\"", "name@scope"),
    check("a parameter without limits", #"{"check": "parameter", "parameter": "a"}"#, "\"max\"", "no limit"),
    check(
      "limits twice", #"{"check": "parameter", "parameter": "a", "value": 1, "within": 1, "max": 2}"#, "\"max\"",
      "limits already"),
    check("an error that says nothing", #"{"check": "fails"}"#, "\"says\"", "missing"),
    check("an error that says a number", #"{"check": "fails", "says": [1]}"#, "\"says\"", "the number 1"),
    testCase(
      "an error and an output", #""checks": [{"check": "fails", "says": ["x"]}, {"check": "reset"}]"#, "\"checks\"",
      "leave \"fails\" alone"),
    check("sets of one's own", #"{"check": "instructionSets", "sets": ["avx2"]}"#, "unknown key"),
  ]

  static let stimuli: [Wrong] = [
    stimulus("an unknown type", #"{"type": "pink"}"#, "\"type\"", "\"pink\"", "impulse, sweep, noise"),
    stimulus("an unknown key", #"{"second": 1}"#, "did you mean \"seconds\"?"),
    stimulus("no file", #"{"type": "file"}"#, "\"file\"", "missing"),
    stimulus("a file that is not played", #"{"type": "noise", "file": "a.wav"}"#, "\"file\"", "goes with"),
    stimulus("no time", #"{"seconds": 0}"#, "\"seconds\"", "above 0"),
    stimulus("too long", #"{"seconds": 3601}"#, "\"seconds\"", "3600"),
    stimulus("no frames", #"{"frames": 0}"#, "\"frames\"", "whole number from 1"),
    stimulus("half a frame", #"{"frames": 1.5}"#, "\"frames\"", "1.5"),
    stimulus("a level without end", #"{"level": 1e9}"#, "\"level\"", "200"),
    stimulus("a tone of 0 Hz", #"{"type": "sine", "frequency": 0}"#, "\"frequency\"", "above 0"),
    stimulus("a negative seed", #"{"seed": -1}"#, "\"seed\"", "-1"),
  ]

  static let checks: [Wrong] = [
    check("no name", "{}", "key \"check\"", "missing"),
    check("an unknown name", #"{"check": "goldn"}"#, "no check \"goldn\"", "golden, response"),
    check("an unknown key", #"{"check": "golden", "pek": -90}"#, "\"pek\"", "did you mean \"peak\"?"),
    check("bits", #"{"check": "golden", "bits": 20}"#, "\"bits\"", "16 or 24"),
    check("a limit as text", #"{"check": "golden", "peak": "-90 dB"}"#, "\"peak\"", "a number", "-90 dB"),
    check("an unknown curve", #"{"check": "response", "curve": "magnitud", "within": 1}"#, "magnitude, phase"),
    check("no limits", #"{"check": "response"}"#, "\"within\"", "missing"),
    check("a negative width", #"{"check": "response", "within": -1}"#, "\"within\""),
    check("against what", #"{"check": "response", "against": "gold", "within": 1}"#, "\"against\"", "\"gold\""),
    check("against a number", #"{"check": "response", "against": 0, "within": 1}"#, "\"against\"", "the number 0"),
    check("from after to", #"{"check": "response", "within": 1, "from": 100, "to": 10}"#, "\"from\"", "from < to"),
    check("from 0", #"{"check": "response", "within": 1, "from": 0}"#, "\"from\"", "0 < from"),
    check("mask and within", #"{"check": "response", "within": 1, "mask": [[1, 0, 0], [2, 0, 0]]}"#, "leave one"),
    check("mask and from", #"{"check": "response", "from": 1, "mask": [[1, 0, 0], [2, 0, 0]]}"#, "\"from\"", "corners"),
    check("one corner", #"{"check": "response", "mask": [[1, 0, 0]]}"#, "\"mask\"", "two corners"),
    check("a corner of two", #"{"check": "response", "mask": [[1, 0], [2, 0]]}"#, "\"mask\"", "[hertz, lower, upper]"),
    check("corners that fall", #"{"check": "response", "mask": [[2, 0, 0], [1, 0, 0]]}"#, "\"mask\"", "hertz rising"),
    check("limits crossed", #"{"check": "response", "mask": [[1, 1, 0], [2, 0, 0]]}"#, "\"mask\"", "lower at most"),
    check("no reading", #"{"check": "measure", "max": 1}"#, "\"reading\"", "missing"),
    check("an unknown measurement", #"{"check": "measure", "measure": "x", "reading": "y", "max": 1}"#, "linear"),
    check("no limit", #"{"check": "measure", "reading": "latency"}"#, "\"max\"", "no limit"),
    check("a value alone", #"{"check": "measure", "reading": "latency", "value": 0}"#, "\"within\"", "needs"),
    check("a width alone", #"{"check": "measure", "reading": "latency", "within": 0}"#, "\"value\"", "needs"),
    check("limits that cross", #"{"check": "measure", "reading": "x", "min": 2, "max": 1}"#, "\"max\"", "below"),
    check("the same as nothing", #"{"check": "sameAs"}"#, "\"device\"", "missing"),
    check("the same as two", #"{"check": "sameAs", "file": "a", "device": {"unit": "iPodEQ"}}"#, "unknown key"),
    check("the same as no device", #"{"check": "sameAs", "device": {}}"#, "device, key \"unit\""),
    check("no slices", #"{"check": "slices", "frames": []}"#, "\"frames\"", "empty"),
    check("slices of nothing", #"{"check": "slices", "frames": [0]}"#, "\"frames\"", "from 1"),
    check("a million threads", #"{"check": "slices", "threads": [1000000]}"#, "\"threads\"", "256"),
    check("no others", #"{"check": "order", "others": 0}"#, "\"others\"", "from 1"),
    check("a tail before the end", #"{"check": "silence", "after": -1}"#, "\"after\"", "-1"),
    check("a length of nothing", #"{"check": "length"}"#, "asks for nothing"),
  ]

  @Test(
    "A wrong suite is an error that names the file, the case and the key",
    arguments: documents + cases + devices + stimuli + checks + edits + references)
  func wrong(_ wrong: Wrong) throws {
    let folder = try SuiteFolder()
    let path = try folder.write(wrong.text, "suite.json")
    expectFailure(.suite, [path] + wrong.words) { _ = try SuiteFile(path: path) }
  }

  @Test("What is no file is not waited for")
  func noFile() throws {
    let folder = try SuiteFolder()
    expectFailure(.suite, [folder.file("none.json"), "no such suite file"]) {
      _ = try SuiteFile(path: folder.file("none.json"))
    }
    expectFailure(.suite, [folder.path, "is not a file", "suite"]) { _ = try SuiteFile(path: folder.path) }
    try #require(mkfifo(folder.file("pipe.json"), 0o600) == 0)
    expectFailure(.suite, ["is not a file"]) { _ = try SuiteFile(path: folder.file("pipe.json")) }
    expectFailure(.suite, ["is not a file"]) { _ = try SuiteFile(path: "/dev/zero") }
  }

  @Test(
    "What only shows when a case runs is an error of that case, and says what is wrong",
    arguments: [
      (#"{"unit": "lowPassFiltr"}"#, "", ["lowPassFiltr", "lowPassFilter"]),
      (#"{"unit": "lowPassFilter", "set": {"cutof": 1}}"#, "", ["cutof"]),
      (#"{"unit": "lowPassFilter", "bnds": []}"#, "", ["bnds", "unknown key"]),
      (#"{"graph": "none.json"}"#, "", ["none.json", "no such graph file"]),
      (#"{"graph": {"version": 1, "nodes": []}}"#, "", ["output"]),
      (#"{"unit": "lowPassFilter", "edits": [{"frame": 1, "set": {"cutof": 1}}]}"#, "", ["edit at frame 1", "cutof"]),
      (#"{"unit": "lowPassFilter", "edits": [{"frame": 1, "set": {"resonance": 99}}]}"#, "", ["outside its range"]),
      (#"{"unit": "lowPassFilter", "edits": [{"frame": 1, "preset": "Rock"}]}"#, "", ["has no presets"]),
      (#"{"unit": "iPodEQ", "edits": [{"frame": 1, "preset": "Rok"}]}"#, "", ["no such preset"]),
      (#"{"unit": "multichannelMixer", "edits": [{"frame": 1, "bypass": true}]}"#, "", ["cannot be bypassed"]),
      (#"{"command": ["no-such-program", "{in}", "{out}"]}"#, "", ["no-such-program", "no such program"]),
      (#"{"unit": "lowPassFilter"}"#, #""stimulus": {"type": "file", "file": "none.wav"},"#, ["none.wav"]),
      (#"{"unit": "lowPassFilter"}"#, #""stimulus": {"channel": 2},"#, ["channel", "takes 2"]),
      (#"{"unit": "lowPassFilter"}"#, #""stimulus": {"type": "sine", "frequency": 24000},"#, ["below half the rate"]),
      (
        #"{"unit": "lowPassFilter"}"#, #""stimulus": {"type": "file", "file": "mono.wav"},"#,
        ["mono.wav", "the file has 1", "takes 2", "\"channels\": 1"]
      ),
    ])
  func atWork(_ device: String, _ more: String, _ words: [String]) throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(channels: 1), "mono.wav")
    let outcome = try folder.run(caseText("a", device, checks: #"{"check": "reset"}"#, more: more))
    #expect(outcome.verdict == .error)
    for word in words { #expect(outcome.message?.contains(word) ?? false, "\(outcome.message ?? "")") }
  }

  @Test("A file or a device that a check needs and that is not there is an error of that check")
  func checkFiles() throws {
    let folder = try SuiteFolder()
    for (check, word) in [
      (#"{"check": "sameAs", "file": "none.wav"}"#, "none.wav"),
      (#"{"check": "response", "against": {"file": "none.tsv"}, "within": 1}"#, "none.tsv"),
      (#"{"check": "response", "against": {"file": "bad.tsv"}, "within": 1}"#, "bad.tsv:2"),
      (#"{"check": "response", "curve": "phase", "within": 1}"#, "no closed form"),
      (#"{"check": "measure", "reading": "latncy", "max": 1}"#, "latency"),
    ] {
      try folder.write("10\t0\nx\t0\n", "bad.tsv")
      let mono = #"{"command": ["cp", "{in}", "{out}"], "channels": 1}"#
      let outcome = try folder.run(caseText("a", mono, checks: check, #"{"check": "length", "channels": 1}"#))
      #expect(outcome.verdict == .error)
      #expect(outcome.checks.map(\.verdict) == [.error, .passed], "the other check is made all the same")
      #expect(outcome.checks[0].found.contains(word), "\(outcome.checks[0].found)")
    }
  }
}

extension SuiteFileErrorTests.Wrong {
  fileprivate func adding(_ words: [String]) -> Self { Self(name: name, text: text, words: words) }
}

import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Texts of graphs, suites and files on a terminal")
struct TerminalTextTests {
  /// Turns red, clears the screen in C1, rings, ends a line, turns the direction of writing, separates lines.
  static let evil = "x\u{1B}[31m\u{9B}2J\u{7}\u{7F}\n\r\u{202E}\u{2028}\u{2066}y"
  static let json = #"x\u001b[31m\u009b2J\u0007\u007f\n\r\u202e\u2028\u2066y"#
  /// As ids of cases may be: without control characters.
  static let caseName = "x\u{202E}\u{2028}\u{2066}y"

  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 3000).bytes, to: "\(Self.evil).wav")
    folder.write(
      GraphText.player("\(Self.json).wav").replacing("\"low\"", with: "\"low\(Self.json)\"")
        .replacing("-> low", with: "-> low\(Self.json)").replacing("\"low ->", with: "\"low\(Self.json) ->"),
      to: "\(Self.evil).json")
    folder.write(GraphText.player("\(Self.json)no.wav"), to: "missing.json")
    folder.write("{\"version\": 1, \"\(Self.json)\": 1}", to: "key.json")
    folder.write(
      Suites.text([
        Suites.testCase("\(Self.caseName)bad", #"{"command": ["cp", "{in}", "{out}", "\#(Self.json)"]}"#),
        Suites.testCase(
          "\(Self.caseName)log", Suites.shell(#"printf 'a\033[2Jb\302\2332J\177' >&2; cp "$1" "$2""#),
          check: #"{"check": "length", "frames": 1}"#),
        Suites.testCase("\(Self.caseName)ok"),
        Suites.testCase("\(Self.caseName)skip", more: #""skip": "\#(Self.json)","#),
      ]), to: "s.json")
    return folder
  }

  /// The characters that a terminal would obey, or not show.
  private func hidden(_ text: String) -> [UInt32] {
    text.unicodeScalars.map(\.value).filter { value in
      (value < 0x20 && value != 0x0A) || (0x7F..<0xA0).contains(value) || (0x202A...0x202E).contains(value)
        || (0x2066...0x2069).contains(value) || value == 0x2028 || value == 0x2029
    }
  }

  static let lines: [[String]] = [
    ["describe", "\(evil).json"], ["describe", "\(evil).json", "--dot"], ["describe", "\(evil).json", "--json"],
    ["render", "\(evil).json", "-o", "o\(evil).wav", "--tap", "low\(evil)=t\(evil).wav"],
    ["render", "\(evil).json", "-o", "o.wav", "--json", "--tap", "low\(evil)=t\(evil).wav"],
    ["render", "\(evil).json", "-o", "o.wav", "--tap", "\(evil)=t.wav"], ["render", "missing.json", "-o", "o.wav"],
    ["render", "missing.json", "-o", "o.wav", "--json"], ["render", "key.json", "-o", "o.wav"],
    ["render", "\(evil).json", "-o", "o.wav", "--set", "\(evil).volume=1"],
    ["render", "\(evil).json", "-o", "\(evil)"],
    ["convert", "\(evil).wav", "c\(evil).wav"], ["convert", "\(evil)", "c.wav"], ["convert", "a", "b", "--\(evil)"],
    ["convert", "a", "b", "--rate", evil], ["compare", "\(evil).wav", "\(evil).wav"],
    ["measure", "\(evil).wav", "--what", "levels"],
    ["measure", "lowPassFilter", "--set", "\(evil)=1"], ["measure", evil],
    ["measure", "--", "\(evil)", "{in}", "{out}"],
    ["measure", "--methods", "impulse", "--", "cp", "{in}", "{out}", evil], ["plot", "\(evil).wav"],
    ["plot", "\(evil).wav", "--title", evil], ["plot", evil], ["units", evil], [evil], ["help", evil], ["--\(evil)"],
    ["verify", "s.json"], ["verify", "s.json", "--list"], ["verify", "s.json", "--json"],
    ["verify", "s.json", "--verbose"],
    ["verify", "s.json", "--sensitivity"], ["verify", "s.json", "--case", evil], ["verify", evil],
    ["verify", "s.json", "--no-commands"],
  ]

  @Test("Nothing that a terminal obeys comes out of any command, nor in its errors", arguments: lines.indices)
  func comesOutClean(_ index: Int) throws {
    let result = try Program.run(Self.lines[index], in: folder())
    #expect(hidden(result.output) == [], "\(result.output)")
    #expect(hidden(result.errors) == [], "\(result.errors)")
    #expect(!(result.output + result.errors).isEmpty)
    // A line break in a name is none in an error.
    if result.code == 2 || result.code == 3 || result.code == 4 {
      #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
    }
  }

  @Test("The characters stand there as escapes, and JSON has them as they are")
  func escapes() throws {
    let folder = try folder()
    let shown = #"x\u{1B}[31m\u{9B}2J\u{07}\u{7F}\n\r\u{202E}\u{2028}\u{2066}y"#
    let text = try Program.run("describe", "\(Self.evil).json", in: folder)
    #expect(text.code == 0 && text.output.contains("low\(shown)"), "\(text.output)")
    let dot = try Program.run("describe", "\(Self.evil).json", "--dot", in: folder)
    #expect(dot.output.contains(shown.replacing("\\", with: "\\\\")), "\(dot.output)")
    let json = try Program.run("describe", "\(Self.evil).json", "--json", in: folder)
    #expect(try json.value("path") as? String == "\(Self.evil).json")
    let error = try Program.run("convert", Self.evil, "x.wav", in: folder)
    #expect(error.code == 4 && error.errors.contains("aubench: \(shown): there is no such file"), "\(error.errors)")
  }

  @Test("Nor out of the last words about a component that crashes, of whatever folder and node")
  func lastWords() throws {
    let tree = try ComponentTests.place(macros: ["HOSTILE_RENDER=if(time->mSampleTime>9000)*(volatile int*)16=1"])
    rename("\(tree.path)/Gain.component", "\(tree.path)/\(Self.evil).component")
    let folder = TemporaryFolder()
    try ComponentTests.graph(folder)
    let graph = String(decoding: try folder.bytes("g.json"), as: UTF8.self)
    folder.write(graph.replacing("loud", with: "loud\(Self.json)"), to: "g.json")
    let result = try ComponentTests.run(
      "SWIFT_BACKTRACE=enable=no exec $AUBENCH render g.json -o a.wav --no-tail --slice 512", tree, in: folder)
    #expect(result.code == 1000 + 11, "\(result.errors)")
    let shown = #"x\u{1B}[31m\u{9B}2J\u{07}\u{7F}\n\r\u{202E}\u{2028}\u{2066}y"#
    #expect(result.errors.contains("node \"loud\(shown)\": ") && result.errors.contains("/\(shown).component crashed"))
    #expect(hidden(result.errors) == [] && result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
  }

  @Test("On a terminal the colours of verify are its own alone")
  func colours() throws {
    let folder = try folder()
    let result = try Terminal.run([Program.path, "verify", "s.json", "--verbose"], columns: 100, in: folder)
    let plain = result.output.replacing(/\x1B\[[0-9;]*[mK]/, with: "")
    // A terminal ends lines with both, and the progress line begins with the first of them.
    #expect(result.output.contains("\u{1B}[") && hidden(plain).allSatisfy { $0 == 0x0D }, "\(plain)")
  }
}

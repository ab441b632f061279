import AudioCore
import Glibc
import TestSupport
import Testing

import Batch

/// Held to bash, which has the same wildcards with `globstar`.
@Suite("Patterns of file names")
struct PathPatternTests {
  private static let tree = [
    "a.wav", "b.wav", "c.flac", ".hidden.wav", "[odd].wav", "in/a.wav", "in/deep/a.wav", "in/deep/er/b.wav",
    "in/.git/x.wav", "in two/a b.wav", "in/\u{E4}.wav", "x.wav/inner.wav", "in/deep/a.flac",
  ]

  private func folder() -> TemporaryFolder {
    let folder = TemporaryFolder()
    for name in Self.tree {
      _ = FileSystem.makeFolders(FileName.folder(of: folder.file(name)))
      folder.write("", to: name)
    }
    symlink("..", folder.file("in/back"))
    symlink("deep", folder.file("in/link"))
    return folder
  }

  private func files(_ pattern: String, in folder: TemporaryFolder) throws -> [String] {
    let found = try #require(PathPattern(folder.path + "/" + pattern)).files().map(\.path)
    return found.map { String($0.dropFirst(folder.path.count + 1)) }
  }

  @Test(arguments: [
    "*.wav", "?.wav", "[ab].wav", "[!a].wav", "in/*.wav", "in/**/*.wav", "**/*.wav", "**/a.*", "**/deep/*", "*/*.wav",
    "in/**/**/b.wav", "*/deep/*.wav", "in/link/*.wav", "in/*/a.wav", "in*/a*", "**/er/*", ".*.wav", "*.WAV",
    "in//*.wav", "**/deep/**/*.wav", "in/**/deep/**/er/**/*.wav",
    "in/.*/*.wav", "\\[odd\\]*.wav",
  ])
  func findsWhatBashFinds(_ pattern: String) throws {
    let folder = folder()
    let quoted = pattern.replacing(" ", with: "\\ ")
    let list = "shopt -s globstar nullglob; for f in \(quoted); do [ -d \"$f\" ] || printf '%s\\n' \"$f\"; done"
    var expected = Set(try shell(list, in: folder.path).split(separator: "\n").map(String.init))
    // Bash goes one step through a link to a folder.
    if pattern.contains("**") { expected = expected.filter { !$0.hasPrefix("in/back/") && !$0.hasPrefix("in/link/") } }
    let found = try files(pattern, in: folder)
    #expect(Set(found) == expected)
    #expect(found.count == Set(found).count)
  }

  @Test func textsWithoutWildcardsAreNoPatterns() {
    for text in ["a.wav", "in/a b.wav", "", "/", "a{}.wav", "{.wav", "@list"] { #expect(PathPattern(text) == nil) }
  }

  @Test func theBaseEndsInFrontOfTheFirstWildcard() throws {
    #expect(try #require(PathPattern("in/**/*.wav")).base == "in/")
    #expect(try #require(PathPattern("*.wav")).base == "")
    #expect(try #require(PathPattern("/a/b/c?/d/*.wav")).base == "/a/b/")
  }

  @Test(arguments: [
    ("{song}-{stem}.wav", "a-b-drums.wav", ["song": "a-b", "stem": "drums"]),
    ("take?{n}.wav", "take-07.wav", ["n": "07"]), ("{a}x{a}.wav", "lxl.wav", ["a": "l"]),
    ("{a}-{b}-{a}.wav", "xy-z-xy.wav", ["a": "xy", "b": "z"]), ("{a}{b}.wav", ".wav.wav", [:]),
    ("{a}?{b}[x-z]*.wav", "lmx-12.wav", ["a": "l", "b": ""]), ("{a}*{b}.wav", "lm.wav", ["a": "lm", "b": ""]),
    ("[ab]{rest}", "b-x.wav", ["rest": "-x.wav"]), ("\\{a}{b}.wav", "{a}c.wav", ["b": "c"]),
  ])
  func placesNamePartsOfNames(_ pattern: String, _ name: String, _ captures: [String: String]) throws {
    let folder = TemporaryFolder()
    folder.write("", to: name)
    folder.write("", to: "other")
    let found = try #require(PathPattern(folder.path + "/" + pattern)).files()
    #expect(found.map(\.captures) == (captures.isEmpty ? [] : [captures]))
  }

  @Test func aPlaceThatStandsTwiceMeansOneText() throws {
    let folder = TemporaryFolder()
    for name in ["x/x.wav", "x/y.wav"] {
      _ = FileSystem.makeFolders(folder.file("x"))
      folder.write("", to: name)
    }
    #expect(try files("{a}/{a}.wav", in: folder) == ["x/x.wav"])
  }

  /// Ways to match a name grow with the power of its places; each of these is answered at once or never.
  @Test func manyPlacesAreLookedForWithoutTryingAllWays() throws {
    let folder = TemporaryFolder()
    let name = String(repeating: "a", count: 200)
    folder.write("", to: name)
    func count(_ pattern: String) throws -> Int {
      try #require(PathPattern(folder.path + "/" + pattern)).files().count
    }
    #expect(try count((0..<60).map { "{p\($0)}a" }.joined()) == 1)
    #expect(try count((0..<60).map { "{p\($0)}a" }.joined() + "b") == 0)
    #expect(try count(String(repeating: "{x}{y}", count: 30) + "{z}") == 1)
    #expect(try count(String(repeating: "*a", count: 60) + "b") == 0)
    let many = (0..<20_000).map { "{p\($0)}" }.joined()
    let error = #expect(throws: BenchError.self) { try BatchFile.files(many, in: folder.path + "/") }
    #expect(error?.kind == .usage && error?.message.contains("20000 places") == true)
  }

  @Test func linksThatLeadBackEnd() throws {
    let folder = folder()
    #expect(!(try files("**/*.wav", in: folder)).contains { $0.contains("back") })
  }

  @Test func namesThatAreNoUTF8AreFound() throws {
    let folder = folder()
    let name = folder.path + "/" + ByteText.string([0x66, 0xFF, 0xFE, 0x2E, 0x77, 0x61, 0x76])
    let descriptor = FileSystem.open(name, O_CREAT | O_WRONLY, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    let found = try #require(PathPattern(folder.path + "/f*.wav")).files().map(\.path)
    #expect(found.count == 1 && found.allSatisfy { ByteText.isSame($0, name) })
  }

  private func shell(_ script: String, in folder: String) throws -> String {
    let stream = try #require(popen("cd '\(folder)' && bash -c '\(script.replacing("'", with: "'\\''"))'", "r"))
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    while case let character = getc(stream), character != EOF { bytes.append(UInt8(character)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

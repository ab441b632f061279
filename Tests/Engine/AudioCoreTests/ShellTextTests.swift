import AudioCore
import Foundation
import TestSupport
import Testing

@Suite("Texts in shell scripts")
struct ShellTextTests {
  /// Names that a shell would take for something else.
  static let hostile: [String] = [
    "", " ", "a b", "-n", "--", "#", "~", "*", "a\nb", "\n#SBATCH --x\n: >door\n", "'", "''", "'\u{301}",
    "a'\u{20D2}; : >door; '",
    "\"", "$HOME", "$(: >door)", "`: >door`", "\\", "\\'", "a\\\nb", "!x", "é", "日本", "\u{FFFF}", "\u{1B}[2J", "\r",
    "{a,b}", "=x",
    ByteText.string([0xFF, 0x27, 0x3B, 0xC3]),
  ]

  /// The output of shells for them, by the shell's own printf.
  @Test("A shell reads each as the bytes that it is, and runs nothing", arguments: ["sh", "bash"])
  func words(shell: String) throws {
    let folder = TemporaryFolder()
    var script = "exec >\(ShellText.quoted(folder.file("words")))\ncd \(ShellText.quoted(folder.path))\n"
    var expected: [UInt8] = []
    for word in Self.hostile {
      script += "# \(ShellText.comment(word))\nprintf '%s|' \(ShellText.quoted(word))\n"
      script += "printf '%s|' \"\(ShellText.inDoubleQuotes(word))\"\n"
      for _ in 0..<2 { expected += ByteText.bytes(word) + [UInt8(ascii: "|")] }
      guard shell == "bash" else { continue }
      script += "printf '%s|' \(ShellText.shown(word))\n"
      expected += ByteText.bytes(word) + [UInt8(ascii: "|")]
    }
    try AtomicFile.write(ByteText.bytes(script), to: folder.file("script"))
    let process = Process()
    process.executableURL = URL(filePath: "/bin/\(shell)")
    process.arguments = [folder.file("script")]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try FileSystem.contents(of: folder.file("words"), atMost: 1 << 16) == expected)
    #expect(Set(FileSystem.names(in: folder.path) ?? []) == ["script", "words"])
  }

  @Test("A zero byte, which no word can have, is left out; plain words are shown as they are")
  func plain() {
    #expect(ShellText.quoted("a\0b") == "'ab'" && ShellText.inDoubleQuotes("a\0$b") == "a\\$b")
    for word in ["suite.json", "a/b-c_d+1", "é"] { #expect(ShellText.shown(word) == word) }
    #expect(ShellText.shown("") == "''" && ShellText.shown("a b") == "'a b'")
  }
}

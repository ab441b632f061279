import AVFAudio
import TestSupport
import Testing

@Suite("The player of the page on services")
struct PagePlayerTests {
  /// The lines of the page's program behind its imports, with the path of a file as its first argument.
  private func run(_ arguments: [String]) throws -> Bool {
    // From here on as on the page.
    let player = try AVAudioPlayer(contentsOf: URL(filePath: arguments[1]))
    player.volume = 0.5
    player.play()
    while player.isPlaying { Thread.sleep(forTimeInterval: 0.01) }
    // To here.
    return player.currentTime == 0 && player.volume == 0.5
  }

  @Test("it is as it is tested, and plays a file to its end")
  func player() throws {
    let page = try Repository.text("docs/which-service.md")
    let program = try #require(page.firstMatch(of: /```swift\n((?:.|\n)*?)```/)?.output.1)
    let source = try Repository.text("Tests/AVFAudio/AVFAudioTests/PagePlayerTests.swift")
    let tested = try #require(source.firstMatch(of: /as on the page\.\n((?:.|\n)*?) *\/\/ To here/)?.output.1)
    func lines(_ text: Substring) -> [String] {
      text.split(separator: "\n").map {
        $0.trimmingCharacters(in: .whitespaces).replacing("CommandLine.arguments", with: "arguments")
      }
    }
    #expect(lines(program).filter { !$0.hasPrefix("import") } == lines(tested))
    #expect(try run(["player", "\(Repository.path)/fixtures/audio/crow-22050.flac"]))
  }
}

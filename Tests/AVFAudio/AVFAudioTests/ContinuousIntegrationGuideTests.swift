import Foundation
import TestSupport
import Testing

@Suite("The guide to an app's audio code in CI")
struct ContinuousIntegrationGuideTests {
  private static func blocks(_ language: String) throws -> [Substring] {
    let page = try Repository.text("docs/avfaudio-in-ci.md")
    return page.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap { rest in
      rest.range(of: "\n```\n").map { rest[..<$0.lowerBound] + "\n" }
    }
  }

  @Test("Its code and its tests are those that these tests compile and run")
  func code() throws {
    let blocks = try Self.blocks("swift")
    try #require(blocks.count == 3)
    for (block, file) in [(blocks[1], "VoiceStrip.swift"), (blocks[2], "VoiceStripTests.swift")] {
      let source = try Repository.text("Tests/AVFAudio/AVFAudioTests/\(file)")
      let body = try #require(source.range(of: "import AVFAudio")).lowerBound
      #expect(block == source[body...], "\(file)")
    }
  }

  @Test("Its manifest is one, and names a product of this package")
  func manifest() throws {
    let block = try #require(try Self.blocks("swift").first)
    let folder = TemporaryFolder()
    _ = folder.write(String(block), to: "Package.swift")
    let dump = Process()
    dump.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    dump.arguments = ["swift", "package", "--package-path", folder.path, "dump-package"]
    let output = Pipe()
    dump.standardOutput = output
    dump.standardError = FileHandle.nullDevice
    try dump.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    dump.waitUntilExit()
    #expect(dump.terminationStatus == 0)
    let package = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let targets = try #require(package["targets"] as? [[String: Any]])
    #expect(targets.compactMap { $0["name"] as? String } == ["VoiceStrip", "VoiceStripTests"])
    #expect(try Repository.text("Package.swift").contains(#".library(name: "AVFAudio","#))
    #expect(block.contains(#".product(name: "AVFAudio", package: "aubench""#))
  }

  @Test("Its workflow runs a script that is there")
  func workflow() throws {
    let block = try #require(try Self.blocks("yaml").first)
    #expect(block.contains("aubench/Scripts/setup\n"))
    #expect(FileManager.default.isExecutableFile(atPath: "\(Repository.path)/Scripts/setup"))
  }
}

import BatchRender
import Foundation
import TestSupport
import Testing

@Suite("The README's own program")
struct ReadmeTests {
  /// The first Swift block of the README.
  static func program() throws -> String {
    let readme = try Repository.text("README.md")
    let block = try #require(readme.firstMatch(of: /```swift\n((?:.|\n)*?)```/))
    return String(block.output.1)
  }

  /// The folder in which the test bundle was built: a program is linked with its modules and object files.
  static func buildFolder() throws -> URL {
    let bundle = try #require(
      CommandLine.arguments.first { $0.contains(".xctest") }
        ?? Bundle.allBundles.map(\.bundlePath).first {
          $0.contains(".xctest")
        })
    let url = URL(filePath: bundle)
    let parts = url.pathComponents
    let index = try #require(parts.firstIndex { $0.hasSuffix(".xctest") })
    return URL(filePath: "/" + parts[1..<index].joined(separator: "/"))
  }

  @Test("compiles, runs from the checkout and prints what it rendered")
  func readmeProgramRuns() throws {
    let work = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: work) }
    let source = work.appending(path: "main.swift")
    // The only change: the mix goes to the test's own folder.
    let program = try Self.program().replacingOccurrences(of: "\"mix.wav\"", with: "\"\(work.path)/mix.wav\"")
    try program.write(to: source, atomically: true, encoding: .utf8)
    let binary = work.appending(path: "readme")
    try compile(source, to: binary)
    let output = try run(binary.path, [])
    // drums.flac is the longer of the two recordings; the notch's tail follows it.
    let drums = try SoundFileReader(path: "\(Repository.path)/fixtures/audio/drums.flac").info.frameCount
    let guitar = try SoundFileReader(path: "\(Repository.path)/fixtures/audio/guitar.flac").info.frameCount
    let frames = try #require(output.firstMatch(of: /^(\d+) frames, peak \[(-?\d+), (-?\d+)\] dBFS/))
    let rendered = try #require(Int64(frames.output.1))
    #expect(rendered > max(drums, guitar) && rendered < max(drums, guitar) + 44_100)
    let mix = try SoundFileReader(path: "\(work.path)/mix.wav").info
    #expect(mix.frameCount == rendered)
    #expect(mix.channelCount == 2)
  }

  private func compile(_ source: URL, to binary: URL) throws {
    let build = try Self.buildFolder()
    let shims = [
      "CKernels", "CMPEGDecoder", "CMySOFA", "COptionalLibrary", "CProcess", "CRealtime", "CSoundTouch", "CSpeexDSP",
      "CTagLib", "CVOAAC",
    ]
    let modules = try shims.flatMap { name -> [String] in
      ["-Xcc", "-fmodule-map-file=\(build.path)/\(name).build/module.modulemap"]
        + ["-Xcc", "-I\(try Repository.folder(ofTarget: name))/include"]
    }
    let systems = try ["CFLAC", "CSndfile", "CSamplerate", "CSoxr", "CJansson"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(try Repository.folder(ofTarget: $0))/module.modulemap"]
    }
    let targets = [
      "CKernels", "CMPEGDecoder", "CRealtime", "CTagLib", "CVOAAC", "AudioCore", "DSPKernels", "HandOver", "JSONFiles",
      "PacketDecoding", "PacketFiles", "SampleRate", "SoundFile",
      "Tags", "CMySOFA", "COptionalLibrary", "CSoundTouch", "CSpeexDSP", "CProcess", "HRTF", "Processes", "TimeStretch",
      "Transcripts",
      "VoiceProcessing", "Hardware", "AudioEngine", "BuiltInUnits", "DeviceUnits", "AudioUnits", "RenderGraph",
      "BatchRender",
    ]
    let objects = try targets.flatMap { target -> [String] in
      let folder = build.appending(path: "\(target).build")
      let files = FileManager.default
      // A build folder may keep the objects of sources that are gone.
      let sources = try files.subpathsOfDirectory(atPath: Repository.folder(ofTarget: target))
      let present = Set(sources.map { URL(filePath: $0).lastPathComponent + ".o" } + ["embedded_resources.swift.o"])
      return try files.subpathsOfDirectory(atPath: folder.path)
        .filter { present.contains(URL(filePath: $0).lastPathComponent) }
        .map { folder.appending(path: $0).path }
    }
    let modulesFolder = build.appending(path: "Modules").path
    let arguments =
      ["swiftc", source.path, "-o", binary.path, "-I", modulesFolder] + modules + systems + objects
      + ["-lFLAC", "-lsndfile", "-lsamplerate", "-lsoxr", "-ljansson", "-ltag", "-lstdc++", "-lm"]
    _ = try run("/usr/bin/env", arguments)
  }

  private func run(_ path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: Repository.path)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(path): \(text)")
    return text
  }
}

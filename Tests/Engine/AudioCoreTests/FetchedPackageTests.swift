import Foundation
import TestSupport
import Testing

@Suite("The manifest of a copy that SwiftPM has fetched by version")
struct FetchedPackageTests {
  /// The manifest as SwiftPM reads it in a folder of fetched packages.
  private static func manifest() throws -> [String: Any] {
    let tree = try TemporaryTree()
    let folder = tree.path + "/checkouts/aubench"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Repository.path + "/Package.swift", toPath: folder + "/Package.swift")
    let process = Process()
    process.executableURL = TestComponent.toolchain?.appending(path: "swift")
    process.arguments = ["package", "dump-package", "--package-path", folder]
    process.environment = ProcessInfo.processInfo.environment.merging(["HOME": tree.path]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("has no unsafe flags in what Swift packages use, so that a version of it can be depended on")
  func libraries() throws {
    let manifest = try Self.manifest()
    var targets: [String: (dependencies: [String], isUnsafe: Bool)] = [:]
    for target in try #require(manifest["targets"] as? [[String: Any]]) {
      let named = target["dependencies"] as? [[String: Any]] ?? []
      targets[try #require(target["name"] as? String)] = (
        named.flatMap { $0.values.compactMap { ($0 as? [Any])?.first as? String } },
        "\(target["settings"] ?? "")".contains("unsafeFlags")
      )
    }
    #expect(targets.values.contains { $0.isUnsafe }, "programs of the repository's own have such flags")
    var reached: Set<String> = []
    for product in ["AVFAudio", "AVFAudioFiles", "AudioUnits", "BatchRender", "Measurement", "VerificationTesting"] {
      let found = try #require(
        (manifest["products"] as? [[String: Any]])?.first { $0["name"] as? String == product })
      var open = found["targets"] as? [String] ?? []
      #expect(!open.isEmpty, "\(product) has no targets")
      while let name = open.popLast() {
        guard reached.insert(name).inserted else { continue }
        let target = try #require(targets[name], "\(name) is no target")
        #expect(!target.isUnsafe, "\(name), of the product \(product), has unsafe flags")
        open += target.dependencies
      }
    }
    #expect(reached.isSuperset(of: ["CKernels", "AudioCore", "SoundFile", "RenderGraph"]))
  }
}

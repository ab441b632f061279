import Foundation

/// Component bundles made from `Tests/Support/Components` with the toolchain's own clang.
public enum TestComponent {
  /// The folder of the toolchain's programs: where the first `swiftc` of the path really is.
  public static let toolchain: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { URL(filePath: String($0)).appending(path: "swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    .map { $0.resolvingSymlinksInPath().deletingLastPathComponent() }

  public struct Failure: Error { public let text: String }

  /// Compiles a C file of the project's test components.
  /// - Parameter macros: as `HOSTILE_OPEN=abort()`.
  public static func compile(_ source: String, macros: [String] = [], options: [String] = ["-shared"], to path: String)
    throws
  {
    guard let toolchain else { throw Failure(text: "no swiftc on the path") }
    let library = toolchain.deletingLastPathComponent().appending(path: "lib/swift").path
    let process = Process()
    process.executableURL = toolchain.appending(path: "clang")
    process.arguments =
      [
        "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-fblocks",
        "-fcf-runtime-abi=swift",
      ]
      + ["-I", Repository.path + "/Sources/CoreAudio/CAudioToolbox/include", "-isystem", library]
      + macros.map { "-D" + $0 }
      + [Repository.path + "/Tests/Support/Components/" + source, "-o", path]
      + options + ["-L", library + "/linux", "-lFoundation", "-lstdc++", "-Wl,-rpath," + library + "/linux"]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: said) }
  }

  /// Writes a bundle of one component into a folder, and returns its path.
  @discardableResult
  public static func bundle(
    _ name: String, in folder: String, type: String = "aufx", subType: String = "gain",
    factory: String = "GainFactory", macros: [String] = [],
    place: String = "Contents/Linux", format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws -> String {
    let path = "\(folder)/\(name).component"
    try FileManager.default.createDirectory(atPath: "\(path)/\(place)", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: "\(path)/Contents", withIntermediateDirectories: true)
    try compile("gain.c", macros: macros, to: "\(path)/\(place)/\(name).so")
    let properties: [String: Any] = [
      "CFBundleExecutable": name,
      "AudioComponents": [
        [
          "type": type, "subtype": subType, "manufacturer": "Acme", "name": "Acme: \(name)", "version": 0x1_0203,
          "factoryFunction": factory,
        ]
      ],
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: properties, format: format, options: 0)
    try data.write(to: URL(filePath: "\(path)/Contents/Info.plist"))
    return path
  }
}

/// A folder with folders in it, removed with the object.
public final class TemporaryTree {
  public let path: String
  public init() throws {
    path = TemporaryFolder.made()
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}

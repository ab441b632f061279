import FoundationEssentials

/// The checkout that the tests were built from.
public enum Repository {
  /// Its folder, without a slash at the end.
  public static let path: String = {
    // …/Tests/Support/TestSupport/Repository.swift
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/")
  }()

  /// The folder of a target below `Sources`, whichever group it is in.
  public static func folder(ofTarget name: String) throws -> String {
    let groups = try FileManager.default.contentsOfDirectory(atPath: "\(path)/Sources")
    let folders = groups.map { "\(path)/Sources/\($0)/\(name)" }
    guard let folder = folders.first(where: FileManager.default.fileExists) else { throw CocoaError(.fileNoSuchFile) }
    return folder
  }

  /// The text of a file in it.
  public static func text(_ relativePath: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(relativePath)", encoding: .utf8)
  }

  /// All files below a folder of it that end with `suffix`, relative to the checkout, in order.
  public static func files(below folder: String, suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(path)/\(folder)")
      .filter { $0.hasSuffix(suffix) }
      .map { "\(folder)/\($0)" }
      .sorted()
  }
}

import FoundationEssentials

/// The checkout that the tests were built from.
public enum Repository {
  /// Its folder, without a slash at the end.
  public static let path: String = {
    // …/Tests/Support/TestSupport/Repository.swift
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/")
  }()

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

import AudioCore
import Foundation
import Testing
import Verification

/// What a test compares with: the sound, or the curve, that was kept after a person had looked at it.
///
/// Goldens lie beside the test, in `__goldens__/<name of the test's file>/`, unless another folder is given. None is ever
/// written by itself: a test without its golden fails and says how to make it.
public struct Golden: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Unique in the test's file; slashes make folders: `NBandEQ/low-pass`.
  public var name: String
  /// Nil: beside the test.
  public var folder: String?
  /// Bits that the sound is kept with, 16 or 24: to look at differences, and for limits; the exact samples are known by
  /// their digest.
  public var bits: Int

  /// A golden of this name; other bits than 16 and 24 trap.
  public init(_ name: String, in folder: String? = nil, bits: Int = 24) {
    precondition(bits == 16 || bits == 24, "a golden is kept with 16 or 24 bits")
    self.name = name
    self.folder = folder
    self.bits = bits
  }

  /// A golden beside the test, kept with 24 bits.
  public init(stringLiteral name: String) { self.init(name) }

  /// - Throws: `.suite` for a name that leads out of the folder.
  func store(besides location: SourceLocation) throws(BenchError) -> GoldenStore {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw BenchError(
        .suite, at: "golden \"\(name)\"", "the name of a golden leads to a file in its folder",
        advice: "as \"low-pass\" or \"NBandEQ/low-pass\"")
    }
    if let folder { return GoldenStore(folder: folder) }
    let test = URL(filePath: location.filePath)
    return GoldenStore(
      folder: test.deletingLastPathComponent().appending(path: "__goldens__/\(location.fileStem)").path)
  }
}

extension SourceLocation {
  /// `EqualizerTests` of `…/EqualizerTests.swift`.
  var fileStem: String { URL(filePath: filePath).deletingPathExtension().lastPathComponent }
}

import AudioCore
import Foundation
import Testing
import Verification

/// The golden that a test compares with: a sound or a curve that was kept after a person had checked it.
///
/// Goldens lie in `Tests/__goldens__/<target>/<name of the test's file>/`, beside the folder of the test's target and
/// not in it, where the package manager would take them for sources; or in `__goldens__/<name of the test's file>/`
/// beside the test, where there is such a folder `__goldens__`; unless another folder is given. None is ever written by
/// itself: a test without its golden fails and says how to make it.
public struct Golden: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Unique in the test's file; slashes make folders: `NBandEQ/low-pass`.
  public var name: String
  /// Nil: as the tests' goldens lie.
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

  /// A golden where the tests' goldens lie, kept with 24 bits.
  public init(stringLiteral name: String) { self.init(name) }

  /// - Throws: `.suite` for a name that leads out of the folder.
  func store(besides location: SourceLocation) throws(BenchError) -> GoldenStore {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw BenchError(
        .suite, at: "golden \"\(name)\"", "the name of a golden leads to a file in its folder",
        advice: "as \"low-pass\" or \"NBandEQ/low-pass\"")
    }
    return GoldenStore(folder: folder ?? location.goldenFolder)
  }
}

extension SourceLocation {
  /// `EqualizerTests` of `…/EqualizerTests.swift`.
  var fileStem: String { URL(filePath: filePath).deletingPathExtension().lastPathComponent }

  /// The folder of the goldens of the tests in this file.
  var goldenFolder: String { Self.goldenFolder(ofTests: filePath, module: moduleName) }

  /// - Parameter module: the test's target; goldens lie beside its folder, where one above the file is called so.
  package static func goldenFolder(ofTests filePath: String, module: String) -> String {
    let file = URL(filePath: filePath)
    let stem = file.deletingPathExtension().lastPathComponent
    let beside = file.deletingLastPathComponent().appending(path: "__goldens__")
    var isFolder: ObjCBool = false
    let hasGoldens = FileManager.default.fileExists(atPath: beside.path, isDirectory: &isFolder) && isFolder.boolValue
    let folders = file.deletingLastPathComponent().pathComponents
    guard !hasGoldens, let target = folders.lastIndex(of: module), target > 0 else {
      return beside.appending(path: stem).path
    }
    var place = URL(filePath: "/")
    for part in folders[1..<target] + ["__goldens__"] + folders[target...] + [stem] { place.append(path: part) }
    return place.path
  }
}

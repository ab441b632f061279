import AudioCore
import Foundation
import Verification

/// The folder for the files of one expectation; expectations of the same test have one each.
struct ArtifactFolder {
  /// The folder's name in the folder of all.
  let id: String
  private let path: String

  /// The number of times that each name has been taken: expectations of one test, and of its arguments, run side by
  /// side.
  private static let taken = Locked<[String: Int]>([:])

  init(_ parent: String, id: String) {
    let count = Self.taken.withLock { taken in
      taken[id, default: 0] += 1
      return taken[id] ?? 1
    }
    self.id = count == 1 ? id : "\(id)-\(count)"
    path = "\(parent)/\(self.id)"
  }

  /// Writes what was measured where it failed, as tables: x, what was found, and what was expected.
  func writeCurves(_ outcome: inout CaseOutcome) {
    guard !outcome.verdict.isGood else { return }
    for check in outcome.checks where !check.verdict.isGood {
      guard let overlay = check.overlay else { continue }
      let file = "\(path)/\(overlay.actual.id).tsv"
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try overlay.table.write(toFile: file, atomically: true, encoding: .utf8)
        outcome.files.pictures.append((title: "found and expected", path: file))
      } catch {
        outcome.message = "no files could be written to \(path)"
      }
    }
  }
}

extension CheckOutcome.Overlay {
  /// A line per point of what was expected: x, found, expected, tab separated, under a head.
  fileprivate var table: String {
    var found: [Double: Double] = [:]
    for point in actual.points { found[point.x] = point.y }
    let head = "# \(actual.x.name) \(actual.x.unit.rawValue)\t\(actual.y.name) \(actual.y.unit.rawValue)\texpected\n"
    return (expected?.points ?? []).reduce(into: head) { text, point in
      text += "\(point.x)\t\(found[point.x] ?? .nan)\t\(point.y)\n"
    }
  }
}

import AudioCore
import Glibc

/// The library that watches render calls, as it is installed: in `../lib/aubench` of this program's folder, or beside
/// it.
enum WatchLibrary {
  static let name = "libaubench-watch.so"

  /// Nil where it is not there.
  static var path: String? {
    guard let program = Aubench.program else { return nil }
    let folder = FileName.folder(of: program)
    return ["\(folder)/../lib/aubench/\(name)", "\(folder)/\(name)"].first { FileSystem.access($0, R_OK) == 0 }
  }

  /// The length of a sound that is rendered while it is watched, and of the silence behind it, in which filters ring
  /// down into denormals.
  static let longestSeconds = 10.0
  static let silenceSeconds = 4.0
}

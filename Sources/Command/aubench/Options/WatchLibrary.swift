import AudioCore
import Glibc

/// The library that watches render calls, as it is installed: in `../lib/aubench` of this program's folder, or beside it.
enum WatchLibrary {
  static let name = "libaubench-watch.so"

  /// Nil where it is not there.
  static var path: String? {
    guard let program = Aubench.program else { return nil }
    let folder = FileName.folder(of: program)
    return ["\(folder)/../lib/aubench/\(name)", "\(folder)/\(name)"].first { FileSystem.access($0, R_OK) == 0 }
  }

  /// So much of a sound is rendered while it is watched, and so much silence behind it, where filters ring down into denormals.
  static let longestSeconds = 10.0
  static let silenceSeconds = 4.0
}

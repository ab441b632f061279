// Programs of this installation that its other programs and its libraries start.

import AudioCore
import CProcess
import Glibc

/// The places of such programs.
package enum InstalledProgram {
  /// The path that the environment says (empty: none), or that of `name` in `../libexec/aubench` of the folder of this
  /// library or of the program, or in those folders themselves; nil where there is none.
  /// - Parameters:
  ///   - variable: the variable that says a path.
  ///   - environment: nil: this process's.
  package static func path(of name: String, variable: String, environment: [String: String]? = nil) -> String? {
    if let said = environment.map({ $0[variable] }) ?? FileSystem.environment(variable) {
      return said.isEmpty ? nil : said
    }
    for folder in [ownFolder, programFolder].compactMap(\.self) {
      for path in ["\(folder)/../libexec/aubench/\(name)", "\(folder)/\(name)"]
      where FileSystem.access(path, X_OK) == 0 { return path }
    }
    return nil
  }

  /// The folder of the file that this code was loaded from: `libAudioToolbox.so`, or a program that contains it.
  package static var ownFolder: String? {
    process_own_file().flatMap { FileSystem.realPath(ByteText.string(cString: $0)) }.map(FileName.folder)
  }

  private static var programFolder: String? { FileSystem.realPath("/proc/self/exe").map(FileName.folder) }
}

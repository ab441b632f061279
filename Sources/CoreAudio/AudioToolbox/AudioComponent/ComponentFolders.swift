// The folders of third-party components, and of the cache of scans.

import AudioCore
import Processes

/// The folders of a process, in the order in which they are searched: the first to hold a description wins.
package struct ComponentFolders: Sendable {
  package var folders: [String]
  /// The file that keeps what scans have found; nil keeps nothing.
  package var cacheFile: String?

  package init(folders: [String], cacheFile: String?) {
    self.folders = folders
    self.cacheFile = cacheFile
  }

  /// As the environment of this process says.
  package static var ofProcess: ComponentFolders {
    let names = ["AUBENCH_COMPONENT_PATH", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"]
    let values = names.compactMap { name in FileSystem.environment(name).map { (name, $0) } }
    return ComponentFolders(environment: Dictionary(uniqueKeysWithValues: values))
  }

  /// As the environment says:
  /// 1. `AUBENCH_COMPONENT_PATH`, folders with colons between them;
  /// 2. `$XDG_DATA_HOME/aubench/components`, by default in `~/.local/share`;
  /// 3. `lib/aubench/components` beside where this library is installed, in `/usr/local` and in `/usr`.
  ///
  /// The cache is `$XDG_CACHE_HOME/aubench/components.json`, by default in `~/.cache`.
  package init(environment: [String: String]) {
    // Names of files are cut at bytes, see `FileName`.
    var folders = (environment["AUBENCH_COMPONENT_PATH"] ?? "").utf8.split(separator: UInt8(ascii: ":"))
      .map { String(Substring($0)) }
    if let data = Self.base("XDG_DATA_HOME", ".local/share", environment) {
      folders.append(data + "/aubench/components")
    }
    if let own = InstalledProgram.ownFolder { folders.append(own + "/../lib/aubench/components") }
    folders += ["/usr/local/lib/aubench/components", "/usr/lib/aubench/components"]
    var seen: Set<[UInt8]> = []
    self.folders = folders.map { FileSystem.realPath($0) ?? $0 }.filter { seen.insert(Array($0.utf8)).inserted }
    cacheFile = Self.base("XDG_CACHE_HOME", ".cache", environment).map { $0 + "/aubench/components.json" }
  }

  /// A base folder of the user's; only absolute ones count.
  private static func base(_ key: String, _ fallback: String, _ environment: [String: String]) -> String? {
    if let folder = environment[key], isAbsolute(folder) { return folder }
    return environment["HOME"].flatMap { isAbsolute($0) ? "\($0)/\(fallback)" : nil }
  }

  private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  /// The bundles of all folders, by folder, then by name.
  func bundles() -> [ComponentBundle] {
    folders.flatMap { folder in
      (FileSystem.names(in: folder) ?? []).filter { FileName.fileExtension(of: $0) == "component" }.sorted()
        .map { ComponentBundle(path: "\(folder)/\($0)") }
    }
  }
}

// Where components made by others lie, and where what is known of them is kept.

import CForeign
import Glibc

/// The folders of a process, in the order in which they are searched: the first to hold a description wins.
package struct ComponentFolders: Sendable {
  package var folders: [String]
  /// The file that keeps what scans have found; nil keeps nothing.
  package var cacheFile: String?

  package init(folders: [String], cacheFile: String?) {
    self.folders = folders
    self.cacheFile = cacheFile
  }

  /// As the environment says:
  /// 1. `AUBENCH_COMPONENT_PATH`, folders with colons between them;
  /// 2. `$XDG_DATA_HOME/aubench/components`, by default in `~/.local/share`;
  /// 3. `lib/aubench/components` beside where this library is installed, in `/usr/local` and in `/usr`.
  ///
  /// The cache is `$XDG_CACHE_HOME/aubench/components.json`, by default in `~/.cache`.
  package init(environment: [String: String]) {
    var folders = (environment["AUBENCH_COMPONENT_PATH"] ?? "").split(separator: ":").map(String.init)
    if let data = Self.base("XDG_DATA_HOME", ".local/share", environment) {
      folders.append(data + "/aubench/components")
    }
    if let own = OwnFile.folder { folders.append(own + "/../lib/aubench/components") }
    folders += ["/usr/local/lib/aubench/components", "/usr/lib/aubench/components"]
    var seen: Set<[UInt8]> = []
    self.folders = folders.map(Self.real).filter { seen.insert(Array($0.utf8)).inserted }
    cacheFile = Self.base("XDG_CACHE_HOME", ".cache", environment).map { $0 + "/aubench/components.json" }
  }

  /// A base folder of the user's; only absolute ones count.
  private static func base(_ key: String, _ fallback: String, _ environment: [String: String]) -> String? {
    if let folder = environment[key], folder.hasPrefix("/") { return folder }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/\(fallback)" : nil }
  }

  private static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The bundles of all folders, by folder, then by name.
  func bundles() -> [ComponentBundle] {
    folders.flatMap { folder in
      Self.names(in: folder).filter { $0.hasSuffix(".component") }.sorted()
        .map { ComponentBundle(path: "\(folder)/\($0)") }
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }
}

/// The file that this code was loaded from: `libAudioToolbox.so`, or a program that contains it.
enum OwnFile {
  static var folder: String? {
    guard let name = foreign_own_file(), let path = realpath(name, nil) else { return nil }
    defer { free(path) }
    return parent(of: String(cString: path))
  }

  static var programFolder: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return parent(of: String(cString: path))
  }

  private static func parent(of path: String) -> String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }
}

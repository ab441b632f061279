import AudioCore
import Glibc

/// Names of files with wildcards, as a shell has them: `*` and `?` within a name, `[a-c]` for one of some characters,
/// `**` for any folders, none included: `in/**/*.wav`. A backslash takes the meaning from the character behind it.
///
/// `{song}` matches any part of a name, as `*` does, and gives that part a name: `{song}-{stem}.wav`. If a name has
/// several, the first takes as much as it can.
///
/// Names that begin with a point are found only where the pattern has the point. `**` does not go through links to
/// folders, which may lead back.
package struct PathPattern: Sendable {
  /// A file that matches.
  package struct Match: Sendable {
    package let path: String
    /// The parts of its name that the pattern names.
    package let captures: [String: String]
  }

  /// The folder in front of the first wildcard: empty, or ending with a slash.
  package let base: String
  /// The patterns behind the folder, between slashes.
  private let names: [NamePattern]

  /// Nil for a text without wildcards and places, which is the name of one file.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    guard let first = parts.firstIndex(where: NamePattern.isPattern) else { return nil }
    // Two slashes are one, and any folders below any folders are any folders.
    var names: [String] = []
    for part in parts[first...] where !part.isEmpty && !(part == "**" && names.last == "**") { names.append(part) }
    self.init(base: parts[..<first].map { $0 + "/" }.joined(), names: names)
  }

  /// - Parameters:
  ///   - base: empty, or ending with a slash; taken as it is.
  ///   - names: with wildcards or without, at least one.
  init(base: String, names: [String]) { (self.base, self.names) = (base, names.map(NamePattern.init)) }

  /// The same below a folder (empty, or ending with a slash), where it does not begin at the root.
  func moved(into folder: String) -> PathPattern {
    PathPattern(base: base.utf8.first == UInt8(ascii: "/") ? base : folder + base, names: names.map(\.text))
  }

  /// The files that match, in the order of their bytes, folder by folder, each once: by the first of several ways in
  /// which two `**` find it. Folders that cannot be read are skipped, as a shell does.
  package func files() -> [Match] {
    var search = Search()
    search.look(in: base, names[...], [:])
    return search.found
  }

  /// - Throws: `.usage` for more places in a name than names have bytes.
  package func check(at place: String) throws(BenchError) {
    guard let name = names.first(where: { $0.placeCount > NamePattern.mostPlaces }) else { return }
    throw BenchError(
      .usage, at: place,
      "\"\(excerpt(name.text))\" has \(name.placeCount) places in one name, and can have \(NamePattern.mostPlaces)",
      advice: "write * for what no output is named after")
  }

  /// A search on its way.
  private struct Search {
    var found: [Match] = []
    /// The matches so far, and each folder with the patterns that it was searched for: paths that meet again are
    /// followed once.
    private var known: Set<[UInt8]> = []

    private mutating func isNews(_ path: String, _ rest: String, _ captures: [String: String]) -> Bool {
      var key = ByteText.bytes(path) + [0] + ByteText.bytes(rest)
      for (name, text) in captures.sorted(by: { $0.key < $1.key }) {
        key += [0] + ByteText.bytes(name) + [0] + ByteText.bytes(text)
      }
      return known.insert(key).inserted
    }

    mutating func look(in folder: String, _ names: ArraySlice<NamePattern>, _ captures: [String: String]) {
      guard let name = names.first, isNews(folder, "\(names.count) \(name.text)", captures),
        let present = FileSystem.names(in: folder.isEmpty ? "." : folder)
      else { return }
      let rest = names.dropFirst()
      let sorted = present.sorted { ByteText.bytes($0).lexicographicallyPrecedes(ByteText.bytes($1)) }
      if name.text == "**" {
        look(in: folder, rest.isEmpty ? [NamePattern("*")] : rest, captures)
        for entry in sorted
        where !entry.hasPrefix(".") && PathPattern.kind(of: folder + entry, follows: false) == S_IFDIR {
          look(in: folder + entry + "/", names, captures)
        }
        return
      }
      for entry in sorted {
        guard let more = name.match(entry) else { continue }
        // A place that stands twice means the same text twice.
        guard more.allSatisfy({ key, value in captures[key].map { ByteText.isSame($0, value) } ?? true }) else {
          continue
        }
        let captures = captures.merging(more) { $1 }
        let kind = PathPattern.kind(of: folder + entry, follows: true)
        if rest.isEmpty {
          // Whatever can be opened: for a pipe the reader of sound files reports the error.
          if let kind, kind != S_IFDIR, isNews(folder + entry, "", [:]) {
            found.append(Match(path: folder + entry, captures: captures))
          }
        } else if kind == S_IFDIR {
          look(in: folder + entry + "/", rest, captures)
        }
      }
    }
  }

  /// The kind of file that a name leads to; nil if there is none.
  fileprivate static func kind(of path: String, follows: Bool) -> mode_t? {
    var status = stat()
    guard (follows ? FileSystem.status(path, &status) : FileSystem.linkStatus(path, &status)) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }
}

/// One name of a path, with wildcards and places.
private struct NamePattern: Sendable {
  let text: String
  /// The pattern for `fnmatch`, with stars for places.
  private let wildcards: String
  /// The names of the places, in order, and what stands between them, as wildcards.
  private let places: [String]
  private let between: [String]

  init(_ text: String) {
    self.text = text
    var places: [String] = []
    var between = [""]
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let next = rest.popFirst() {
        between[between.count - 1].unicodeScalars.append(contentsOf: [scalar, next])
      } else if scalar == "{", let end = rest.firstIndex(of: "}"), end > rest.startIndex {
        places.append(String(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        between.append("")
      } else {
        between[between.count - 1].unicodeScalars.append(scalar)
      }
    }
    (self.places, self.between) = (places, between)
    wildcards = between.joined(separator: "*")
  }

  static func isPattern(_ name: String) -> Bool {
    name.utf8.contains { "*?[".utf8.contains($0) } || !NamePattern(name).places.isEmpty
  }

  /// As many as a name can have bytes.
  static let mostPlaces = 255
  var placeCount: Int { places.count }

  /// The texts of a name at the places; nil if it does not match.
  func match(_ name: String) -> [String: String]? {
    guard !places.isEmpty else { return Self.matches(name, wildcards) ? [:] : nil }
    guard places.count <= Self.mostPlaces, Self.matches(name, wildcards) else { return nil }
    // A point at the beginning is settled; within a name it is a character as any other.
    let search = PlaceSearch(ByteText.bytes(name), places: places, between: between) { Self.matches($0, $1, flags: 0) }
    return search?.captures
  }

  private static func matches(_ name: String, _ pattern: String, flags: Int32 = FNM_PERIOD) -> Bool {
    ByteText.withCString(pattern) { pattern in ByteText.withCString(name) { fnmatch(pattern, $0, flags) } } == 0
  }
}

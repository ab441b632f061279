import FoundationEssentials

/// Lines that a test holds to a text in the folder `held` beside it.
///
/// New texts: `make held PART=tests`.
public enum HeldText {
  /// True where tests write what they find in place of comparing it.
  public static let isMadeAnew = ProcessInfo.processInfo.environment["HELD_TEXT"] != nil

  /// The first difference of the lines from the text; nil: none.
  ///
  /// - Parameters:
  ///   - name: the name of the text, without `.txt`.
  ///   - areAlike: returns true if a line, given second, is the held one.
  public static func difference(
    _ lines: [String], from name: String, beside test: String = #filePath,
    areAlike: (String, String) -> Bool = { $0 == $1 }
  ) throws -> (held: String, found: String)? {
    guard let held = try held(name, beside: test, or: lines) else { return nil }
    if let different = zip(held, lines).first(where: { !areAlike($0, $1) }) { return (different.0, different.1) }
    guard held.count != lines.count else { return nil }
    return ("\(held.count) lines", "\(lines.count) lines")
  }

  /// The lines of a text; nil: it has just been made of those that were found.
  fileprivate static func held(_ name: String, beside test: String, or found: [String]) throws -> [String]? {
    let place = URL(filePath: test).deletingLastPathComponent().appending(path: "held/\(name).txt")
    guard !isMadeAnew else {
      try (found.joined(separator: "\n") + "\n").write(to: place, atomically: true, encoding: .utf8)
      return nil
    }
    return try String(contentsOf: place, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// One number for many lines (FNV-1a).
  public static func digest(_ lines: [String]) -> UInt64 {
    lines.joined(separator: "\n").utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }
}

/// Lines under names, of which a ``HeldText`` keeps a digest for each name: they themselves would be too long.
public struct HeldDigests {
  private var lines: [String] = []
  private var texts: [String: [String]] = [:]

  public init() {}

  public mutating func add(_ name: String, _ texts: [String]) {
    let line = "\(name) \(HeldText.digest(texts))"
    lines.append(line)
    self.texts[line] = texts
  }

  /// The names that are new, gone or have another digest than the held one, and the lines of the first of those that
  /// are there; nil: nothing differs.
  ///
  /// - Parameter missing: the first words of names that are left out: what this machine does not have.
  public func difference(
    from text: String, beside test: String = #filePath, leavingOut missing: Set<String> = []
  ) throws -> String? {
    func isThere(_ line: String) -> Bool { !missing.contains(String(line.prefix { $0 != " " })) }
    let lines = lines.filter(isThere)
    guard let held = try HeldText.held(text, beside: test, or: lines)?.filter(isThere), held != lines else {
      return nil
    }
    func name(_ line: String) -> Substring { line[..<(line.lastIndex(of: " ") ?? line.endIndex)] }
    let (before, now) = (Set(held), Set(lines))
    let (names, known) = (Set(lines.map(name)), Set(held.map(name)))
    let differing = lines.filter { !before.contains($0) }
    let came = differing.filter { !known.contains(name($0)) }
    let changed = differing.filter { known.contains(name($0)) }
    let gone = held.filter { !now.contains($0) && !names.contains(name($0)) }
    let rows = [("came in", came), ("gone", gone), ("other answers", changed)].filter { !$0.1.isEmpty }
      .map { what, lines in "\(what): \(lines.prefix(20).map { String(name($0)) }.joined(separator: "; "))" }
    guard let first = changed.first ?? came.first else { return rows.first ?? "the same rows in another order" }
    return rows.joined(separator: "\n") + "\n\(name(first)) now:\n" + (texts[first] ?? []).joined(separator: "\n")
  }
}

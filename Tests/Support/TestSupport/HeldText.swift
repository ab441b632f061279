import FoundationEssentials

/// Lines that a test holds to a text in the folder `held` beside it.
///
/// New texts, after a look at the difference: `HELD_TEXT=1 swift test -c release --filter TESTS`.
public enum HeldText {
  /// Where the lines first differ from the text; nil: nowhere.
  ///
  /// - Parameters:
  ///   - name: of the text, without `.txt`.
  ///   - areAlike: whether a line, given second, is what is held.
  public static func difference(
    _ lines: [String], from name: String, beside test: String = #filePath,
    areAlike: (String, String) -> Bool = { $0 == $1 }
  ) throws -> (held: String, found: String)? {
    let place = URL(filePath: test).deletingLastPathComponent().appending(path: "held/\(name).txt")
    if ProcessInfo.processInfo.environment["HELD_TEXT"] != nil {
      try (lines.joined(separator: "\n") + "\n").write(to: place, atomically: true, encoding: .utf8)
      return nil
    }
    let held = try String(contentsOf: place, encoding: .utf8).split(separator: "\n").map(String.init)
    if let different = zip(held, lines).first(where: { !areAlike($0, $1) }) { return (different.0, different.1) }
    guard held.count != lines.count else { return nil }
    return ("\(held.count) lines", "\(lines.count) lines")
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

  /// Where a digest is not the one that is held, with its lines as they are now; nil: nowhere.
  public func difference(from name: String, beside test: String = #filePath) throws -> String? {
    guard let different = try HeldText.difference(lines, from: name, beside: test) else { return nil }
    return "\(different): now\n" + (texts[different.found] ?? []).joined(separator: "\n")
  }
}

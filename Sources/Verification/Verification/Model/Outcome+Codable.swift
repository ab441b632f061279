// Encodes outcomes for the pipe from the process of a case to the one that reports. Not the report: that has a version
// and a schema.

extension CaseOutcome.Files: Codable {
  private enum Key: String, CodingKey { case actual, expected, difference, titles, paths }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init()
    actual = try container.decodeIfPresent(String.self, forKey: .actual)
    expected = try container.decodeIfPresent(String.self, forKey: .expected)
    difference = try container.decodeIfPresent(String.self, forKey: .difference)
    let titles = try container.decode([String].self, forKey: .titles)
    let paths = try container.decode([String].self, forKey: .paths)
    pictures = zip(titles, paths).map { (title: $0, path: $1) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(actual, forKey: .actual)
    try container.encodeIfPresent(expected, forKey: .expected)
    try container.encodeIfPresent(difference, forKey: .difference)
    try container.encode(pictures.map(\.title), forKey: .titles)
    try container.encode(pictures.map(\.path), forKey: .paths)
  }
}

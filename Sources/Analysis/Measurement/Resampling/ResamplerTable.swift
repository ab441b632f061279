/// Findings of several resamplers, or of several qualities of one, side by side.
public struct ResamplerTable: Hashable, Sendable {
  /// One figure of all resamplers.
  public struct Column: Hashable, Sendable {
    /// The id of the reading.
    public let id: String
    /// For people.
    public let title: String
    /// The unit of all readings of the column.
    public let unit: Reading.Unit
  }

  /// One resampler.
  public struct Row: Hashable, Sendable {
    /// As the findings were named.
    public let name: String
    /// One per column, the worst channel's; nil where it was not measured.
    public let cells: [Reading?]
  }

  /// Those of which a row has a reading.
  public let columns: [Column]
  /// One for each of the findings, in their order.
  public let rows: [Row]

  private static let all = [
    Column(id: "passbandRipple", title: "ripple", unit: .decibels),
    Column(id: "minus01dB", title: "−0.1 dB", unit: .hertz),
    Column(id: "minus3dB", title: "−3 dB", unit: .hertz),
    Column(id: "images", title: "images", unit: .decibels),
    Column(id: "imagesToNyquist", title: "images, all", unit: .decibels),
    Column(id: "aliases", title: "aliases", unit: .decibels),
    Column(id: "aliasesToNyquist", title: "aliases, all", unit: .decibels),
    Column(id: "thdPlusNoise", title: "THD+N", unit: .decibels),
    Column(id: "delay", title: "delay", unit: .frames),
    Column(id: "delayDeviation", title: "delay ±", unit: .frames),
    Column(id: "lengthExcess", title: "length", unit: .frames),
  ]

  /// - Parameter findings: by name, in the order of the rows.
  public init(_ findings: [(name: String, findings: Findings)]) {
    columns = Self.all.filter { column in findings.contains { $0.findings.reading(column.id) != nil } }
    let columns = columns
    rows = findings.map { entry in
      Row(
        name: entry.name,
        cells: columns.map { column in
          let readings = entry.findings.readings.filter { $0.id == column.id }
          // Corners are worst where they are lowest, all else where it is largest.
          return column.unit == .hertz
            ? readings.min { $0.value < $1.value } : readings.max { badness($0, column) < badness($1, column) }
        })
    }
  }

  /// Rows in the order of their names.
  public init(_ findings: [String: Findings]) {
    self.init(findings.sorted { $0.key < $1.key }.map { (name: $0.key, findings: $0.value) })
  }

  /// Tab separated: a line of titles with units, then one line per row; empty where there is nothing, `< floor` where a
  /// value is not above its floor.
  public var tsv: String {
    let head = ["name"] + columns.map { $0.unit.rawValue.isEmpty ? $0.id : "\($0.id) (\($0.unit.rawValue))" }
    let lines = rows.map { row in
      [row.name]
        + row.cells.map { cell in
          guard let cell else { return "" }
          return cell.isBelowFloor ? "< \(cell.floor ?? cell.value)" : "\(cell.value)"
        }
    }
    return ([head] + lines).map { $0.joined(separator: "\t") + "\n" }.joined()
  }
}

/// The size by which readings are ranked, larger being worse: the value of a level, the magnitude of a count of frames.
private func badness(_ reading: Reading, _ column: ResamplerTable.Column) -> Double {
  column.unit == .frames ? abs(reading.value) : reading.value
}

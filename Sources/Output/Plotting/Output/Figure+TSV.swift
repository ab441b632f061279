import AudioCore

extension Figure {
  /// The data as a table: a head with names and units, then a row for each x, ascending. Cells are empty where a curve
  /// has no point at this x; what is not finite is `nan`, `inf` or `-inf`. Panels whose x axes differ follow each
  /// other, an empty line between.
  public var tabSeparatedValues: String {
    var tables: [(x: PlotAxis, panels: [Panel])] = []
    for panel in panels {
      if let last = tables.last, last.x.label == panel.x.label, last.x.unit == panel.x.unit {
        tables[tables.count - 1].panels.append(panel)
      } else {
        tables.append((panel.x, [panel]))
      }
    }
    return tables.map { Self.table($0.x, $0.panels) }.joined(separator: "\n")
  }

  private struct Column {
    var head: String
    var x: [Double]
    var y: [Double]
    /// True when the values were Float, which have shorter texts.
    var isFloat = false
  }

  private static func table(_ x: PlotAxis, _ panels: [Panel]) -> String {
    let columns = panels.flatMap(columns)
    var text = ([x.title] + columns.map(\.head)).map(cell).joined(separator: "\t") + "\n"
    // Each column in order of x, equal ones as they came; then all are read side by side.
    let orders = columns.map { column in
      column.x.indices.sorted { a, b in
        let (left, right) = (key(column.x[a]), key(column.x[b]))
        return left == right ? a < b : left < right
      }
    }
    var next = [Int](repeating: 0, count: columns.count)
    while true {
      var place: Double?
      for (index, column) in columns.enumerated() where next[index] < orders[index].count {
        let candidate = column.x[orders[index][next[index]]]
        if place.map({ key(candidate) < key($0) }) ?? true { place = candidate }
      }
      guard let place else { return text }
      text += number(place)
      for (index, column) in columns.enumerated() {
        text += "\t"
        guard next[index] < orders[index].count, key(column.x[orders[index][next[index]]]) == key(place) else {
          continue
        }
        let value = column.y[orders[index][next[index]]]
        text += column.isFloat && value.isFinite ? "\(Float(value))" : number(value)
        next[index] += 1
      }
      text += "\n"
    }
  }

  private static func columns(_ panel: Panel) -> [Column] {
    let unit = panel.y.unit.isEmpty ? "" : " (\(panel.y.unit))"
    let axis = panel.y.label
    func head(_ name: String, _ what: String = "") -> String {
      (name.isEmpty ? axis : axis.isEmpty || axis == name ? name : "\(axis): \(name)") + what + unit
    }
    var columns = panel.series.map {
      Column(head: head($0.wholeName, $0.remark.isEmpty ? "" : ", \($0.remark)"), x: $0.x, y: $0.y)
    }
    for band in panel.bands {
      columns.append(Column(head: head(band.name, ", lower"), x: band.x, y: band.lower))
      columns.append(Column(head: head(band.name, ", upper"), x: band.x, y: band.upper))
    }
    if let map = panel.map {
      let x = map.x.middles(of: map.columnCount)
      for (row, place) in map.y.middles(of: map.rowCount).enumerated() {
        columns.append(
          Column(
            head: "\(map.colour.label) at \(place) \(panel.y.unit) (\(map.colour.unit))", x: x,
            y: (0..<map.columnCount).map { Double(map.values[$0 * map.rowCount + row]) }, isFloat: true))
      }
    }
    return columns
  }

  /// An order for all numbers: what is none comes last.
  private static func key(_ x: Double) -> Double { x.isNaN ? .infinity : x }

  private static func number(_ value: Double) -> String {
    value.isFinite ? NumberText.short(value) : JSONValue.text(of: value)
  }

  private static func cell(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}

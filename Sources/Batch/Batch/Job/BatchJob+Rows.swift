import AudioCore
import BatchRender

extension BatchJob {
  /// The names of a table's columns: one object for all rows.
  package final class Columns: Sendable {
    package let names: [String]
    private let places: [String: Int]

    /// - Parameter names: names that are all different.
    package init(_ names: [String]) {
      self.names = names
      places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }

    func index(of name: String) -> Int? { places[name] }
  }

  /// A row of a table.
  package struct Row: Sendable {
    /// By node; of a conversion the node is empty.
    package var files: [(node: String, file: BatchFile)] = []
    package var settings: [WrittenSetting] = []
    let columns: Columns
    /// As many as there are columns.
    private let values: [String]

    package init(_ columns: Columns, _ values: [String]) { (self.columns, self.values) = (columns, values) }

    /// The value of a column as a part of a name; nil where there is no such column.
    func text(of column: String) -> String? { columns.index(of: column).map { NameTemplate.plain(values[$0]) } }
  }
}

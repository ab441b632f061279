import AudioCore
import Glibc

/// Values over two axes, shown as colours: a spectrogram.
public struct HeatMap: Hashable, Sendable {
  /// The middles of the first and of the last cell along an axis; between, cells lie evenly, or with even ratios.
  public struct Extent: Hashable, Sendable {
    /// On the axis, in its unit: the first cell's middle.
    public var first: Double
    /// On the axis, in its unit: the last cell's middle.
    public var last: Double
    /// True when the cells lie with even ratios; both ends are above 0 then.
    public var isLogarithmic: Bool

    /// - Parameter isLogarithmic: the cells lie with even ratios; both ends are above 0.
    public init(_ first: Double, _ last: Double, isLogarithmic: Bool = false) {
      self.first = first
      self.last = last
      self.isLogarithmic = isLogarithmic
    }

    /// The middle of a cell, or what lies between at a part of a cell.
    func value(at index: Double, of count: Int) -> Double {
      let step = step(count)
      return isLogarithmic ? first * exp(step * index) : first + step * index
    }

    func middle(_ index: Int, of count: Int) -> Double { value(at: Double(index), of: count) }

    func middles(of count: Int) -> [Double] { (0..<count).map { middle($0, of: count) } }

    /// The distance of a value from the first cell's lower edge, in cells.
    func cells(to value: Double, of count: Int) -> Double {
      (isLogarithmic ? log(value / first) : value - first) / step(count) + 0.5
    }

    /// From the edge of the first cell to that of the last.
    func edges(_ count: Int) -> (low: Double, high: Double) {
      (value(at: -0.5, of: count), value(at: Double(count) - 0.5, of: count))
    }

    private func step(_ count: Int) -> Double {
      count > 1 ? (isLogarithmic ? log(last / first) : last - first) / Double(count - 1) : 1
    }
  }

  /// Cells along x.
  public let columnCount: Int
  /// Cells along y.
  public let rowCount: Int
  /// The range of the columns.
  public var x: Extent
  /// The range of the rows.
  public var y: Extent
  /// `columnCount × rowCount` values, column by column (`values[column * rowCount + row]`): each column is a spectrum.
  /// Not a number: no colour. Infinite: the end of the colours.
  public var values: [Float]
  /// The axis of the colours; its range, if nil, comes from the values.
  public var colour: PlotAxis

  /// A map of `columnCount × rowCount` values, column by column; another number of values traps.
  public init(columnCount: Int, rowCount: Int, x: Extent, y: Extent, values: [Float], colour: PlotAxis) {
    precondition(values.count == columnCount * rowCount, "\(values.count) values for \(columnCount) × \(rowCount)")
    self.columnCount = columnCount
    self.rowCount = rowCount
    self.x = x
    self.y = y
    self.values = values
    self.colour = colour
  }

  /// The same map with cells that lie evenly on what the axes show: at most so many columns and rows, each the largest
  /// of what it covers, so that no peak is lost. Cells outside of the axes' ranges are left out.
  package func resampled(columns: Int, rows: Int, x xScale: AxisScale, y yScale: AxisScale) -> Raster {
    let across = Self.cover(x, count: columnCount, cells: columns, scale: xScale)
    let along = Self.cover(y, count: rowCount, cells: rows, scale: yScale)
    var cells = [Float](repeating: .nan, count: across.count * along.count)
    for (column, sources) in across.enumerated() {
      for (row, lines) in along.enumerated() {
        var largest = Float.nan
        for source in sources {
          for line in lines {
            let value = values[source * rowCount + line]
            if !(value <= largest) && !value.isNaN { largest = value }
          }
        }
        cells[column * along.count + row] = largest
      }
    }
    return Raster(columnCount: across.count, rowCount: along.count, values: cells)
  }

  /// A grid that fills the panel.
  package struct Raster {
    package var columnCount: Int
    package var rowCount: Int
    /// Column by column.
    package var values: [Float]
  }

  /// For each of at most `cells` even parts of the axis: which of `count` source cells it shows.
  private static func cover(_ extent: Extent, count: Int, cells: Int, scale: AxisScale) -> [Range<Int>] {
    guard count > 0 else { return [] }
    func place(_ part: Double) -> Double { extent.cells(to: scale.value(at: part), of: count) }
    // No more parts than there are cells in view, unless the axis draws some of them wide.
    let inView = Int(clamping: abs(place(1) - place(0)).rounded(.up))
    let parts = scale.isLogarithmic ? cells : max(1, min(cells, inView))
    return (0..<parts).map { part in
      let (from, to) = (place(Double(part) / Double(parts)), place(Double(part + 1) / Double(parts)))
      guard to > 0, from < Double(count) else { return 0..<0 }
      // A part narrower than a cell shows the one in its middle; a wider one those whose middles lie in it.
      var first = Int(clamping: (from - 0.5).rounded(.up).clamped(to: 0...Double(count)))
      var last = Int(clamping: (to - 0.5).rounded(.up).clamped(to: 0...Double(count)))
      if last <= first {
        first = Int(clamping: ((from + to) / 2).clamped(to: 0...Double(count - 1)))
        last = first + 1
      }
      return first..<last
    }
  }
}

extension Comparable {
  func clamped(to limits: ClosedRange<Self>) -> Self { min(max(self, limits.lowerBound), limits.upperBound) }
}

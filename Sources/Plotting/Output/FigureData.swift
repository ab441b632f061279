import AudioCore
import FoundationEssentials

/// A figure's numbers as JSON: what was asked to be drawn, before any decimation. What is not finite is null.
struct FigureData: Encodable {
  /// The first key in order, by which a file is known as data of a picture.
  static let mark = "aubenchFigure"

  let aubenchFigure = 1
  let title: String
  let subtitle: String
  let panels: [PanelData]

  init(_ figure: Figure) {
    title = figure.title
    subtitle = figure.subtitle
    panels = figure.panels.map(PanelData.init)
  }

  struct PanelData: Encodable {
    let title: String
    let x: AxisData
    let y: AxisData
    let series: [SeriesData]
    let bands: [BandData]
    let map: MapData?
    let markers: [MarkerData]

    init(_ panel: Panel) {
      title = panel.title
      x = AxisData(panel.x)
      y = AxisData(panel.y)
      series = panel.series.map {
        let name = [$0.name, $0.remark].filter { !$0.isEmpty }.joined(separator: ", ")
        return SeriesData(name: name, role: $0.role.rawValue, x: finite($0.x), y: finite($0.y))
      }
      bands = panel.bands.map {
        BandData(
          name: $0.name, role: $0.role.rawValue, x: finite($0.x), lower: finite($0.lower), upper: finite($0.upper))
      }
      map = panel.map.map(MapData.init)
      markers = panel.markers.map(MarkerData.init)
    }
  }

  struct AxisData: Encodable {
    let label: String
    let unit: String
    let scale: String
    let range: [Double]?

    init(_ axis: PlotAxis) {
      label = axis.label
      unit = axis.unit
      scale = axis.scale.rawValue
      range = axis.range.map { [$0.lowerBound, $0.upperBound] }.flatMap { $0.allSatisfy(\.isFinite) ? $0 : nil }
    }
  }

  struct SeriesData: Encodable {
    let name: String
    let role: String
    let x: [Double?]
    let y: [Double?]
  }

  struct BandData: Encodable {
    let name: String
    let role: String
    let x: [Double?]
    let lower: [Double?]
    let upper: [Double?]
  }

  struct MapData: Encodable {
    let colour: AxisData
    let x: [Double]
    let y: [Double]
    /// One row per x: the values at all y.
    let values: [[Float?]]

    init(_ map: HeatMap) {
      colour = AxisData(map.colour)
      x = (0..<map.columnCount).map { map.x.middle($0, of: map.columnCount) }
      y = (0..<map.rowCount).map { map.y.middle($0, of: map.rowCount) }
      values = (0..<map.columnCount).map { column in
        map.values[column * map.rowCount..<(column + 1) * map.rowCount].map { $0.isFinite ? $0 : nil }
      }
    }
  }

  struct MarkerData: Encodable {
    let label: String
    let x: Double?
    let y: Double?

    init(_ marker: PlotMarker) {
      label = marker.label
      switch marker.place {
      case .x(let place): (x, y) = (place.isFinite ? place : nil, nil)
      case .y(let value): (x, y) = (nil, value.isFinite ? value : nil)
      case .point(let place, let value):
        (x, y) = (place.isFinite ? place : nil, value.isFinite ? value : nil)
      }
    }
  }
}

private func finite(_ values: [Double]) -> [Double?] { values.map { $0.isFinite ? $0 : nil } }

extension Figure {
  /// The data as JSON, keys in alphabetical order.
  public func json() throws(BenchError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(FigureData(self)) else {
      throw BenchError(.output, at: title, "the figure's data cannot be written as JSON")
    }
    return data + Data("\n".utf8)
  }
}

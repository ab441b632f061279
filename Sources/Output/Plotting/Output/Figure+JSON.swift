import AudioCore
import FoundationEssentials

// The numbers of a figure as JSON: as given, before any decimation. Values that are not finite are null.

extension Figure {
  /// The first key in order, by which a file is known as data of a picture.
  static let dataMark = "aubenchFigure"

  /// The data as JSON, keys in alphabetical order.
  public func json() throws(BenchError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = JSONValue([Self.dataMark: 1, "title": title, "subtitle": subtitle, "panels": panels])
    guard let data = try? encoder.encode(json) else {
      throw BenchError(.output, at: title, "the figure's data cannot be written as JSON")
    }
    return data + Data("\n".utf8)
  }
}

extension Panel: JSONRepresentable {
  package var json: JSONValue {
    JSONValue(["title": heading, "x": x, "y": y, "series": series, "bands": bands, "map": map, "markers": markers])
  }
}

extension PlotAxis: JSONRepresentable {
  package var json: JSONValue {
    let ends = range.map { [$0.lowerBound, $0.upperBound] }
    return JSONValue([
      "label": label, "unit": unit, "scale": scale.rawValue,
      "range": ends.flatMap { $0.allSatisfy(\.isFinite) ? $0 : nil },
    ])
  }
}

extension PlotSeries: JSONRepresentable {
  package var json: JSONValue {
    let name = [wholeName, remark].filter { !$0.isEmpty }.joined(separator: ", ")
    return JSONValue(["name": name, "role": role.rawValue, "x": x, "y": y])
  }
}

extension PlotBand: JSONRepresentable {
  package var json: JSONValue {
    JSONValue(["name": name, "role": role.rawValue, "x": x, "lower": lower, "upper": upper])
  }
}

extension HeatMap: JSONRepresentable {
  /// One row of values per x: those at all y. Float has shorter texts than Double.
  package var json: JSONValue {
    let rows = (0..<columnCount).map { column in
      values[column * rowCount..<(column + 1) * rowCount].map { JSONValue(number: "\($0)") ?? .null }
    }
    return JSONValue(["colour": colour, "x": x.middles(of: columnCount), "y": y.middles(of: rowCount), "values": rows])
  }
}

extension PlotMarker: JSONRepresentable {
  package var json: JSONValue {
    func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
    return switch place {
    case .x(let place): JSONValue(["label": label, "x": finite(place)])
    case .y(let value): JSONValue(["label": label, "y": finite(value)])
    case .point(let place, let value): JSONValue(["label": label, "x": finite(place), "y": finite(value)])
    }
  }
}

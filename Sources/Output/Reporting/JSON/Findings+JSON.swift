import AudioCore
import Measurement

// The measured values, for programs: the same fields in every report.

extension Reading: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "id": id, "name": name, "value": value, "unit": unit.rawValue, "floor": floor,
      "isBelowFloor": floor == nil ? nil : isBelowFloor, "uncertainty": uncertainty, "bound": bound?.rawValue,
      "channel": channel, "at": at.isEmpty ? nil : at, "remark": remark,
    ])
  }
}

/// Columns rather than an object for each point: a fifth of the size, and what plotting programs want.
extension Curve: JSONRepresentable {
  package var json: JSONValue {
    func axis(_ axis: Axis) -> [String: String] { ["name": axis.name, "unit": axis.unit.rawValue] }
    let uncertainties = points.map(\.uncertainty)
    let floors = points.map(\.floor)
    let (x, y) = (points.map(\.x), points.map(\.y))
    return JSONValue([
      "id": id, "name": name, "xAxis": axis(self.x), "yAxis": axis(self.y), "channel": channel,
      "inputChannel": inputChannel, "x": x, "xText": Self.texts(x), "y": y, "yText": Self.texts(y),
      "uncertainty": uncertainties.allSatisfy { $0 == nil } ? nil : uncertainties.map { $0 ?? .nan },
      "floor": floors.allSatisfy { $0 == nil } ? nil : floors.map { $0 ?? .nan },
      "isBelowFloor": floors.allSatisfy { $0 == nil } ? nil : points.map(\.isBelowFloor),
    ])
  }

  /// Texts for the numbers that are not finite, by their index.
  private static func texts(_ values: [Double]) -> [String: String]? {
    let texts = values.enumerated().filter { !$1.isFinite }.map { ("\($0)", JSONValue.text(of: $1)) }
    return texts.isEmpty ? nil : Dictionary(uniqueKeysWithValues: texts)
  }
}

extension MeasurementReport: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "device": deviceName,
      "measurements": results.map { kind, findings in
        JSONValue([
          "measurement": kind.rawValue, "readings": findings.readings, "curves": findings.curves,
          "remarks": findings.remarks,
        ])
      },
      "pictures": drawn?.paths, "remarks": drawn?.remarks,
    ])
  }
}

extension VariationTable: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "key": key,
      "variations": columns.map {
        JSONValue(["value": $0.value, "result": MeasurementReport(deviceName: device, results: $0.results)])
      },
    ])
  }
}

extension SensitivityReport: JSONRepresentable {
  /// `noticedBy` holds, by perturbation, the checks that noticed: none where none did; absent where it does not apply.
  package var json: JSONValue {
    rows.map { row in
      var noticed: [String: [String]] = [:]
      for (perturbation, answer) in row.answers ?? [:] {
        switch answer {
        case .noticed(let checks): noticed[perturbation.rawValue] = checks
        case .missed: noticed[perturbation.rawValue] = []
        case .notApplicable: break
        }
      }
      return JSONValue(["id": row.id, "noticedBy": noticed, "message": row.message])
    }.json
  }
}

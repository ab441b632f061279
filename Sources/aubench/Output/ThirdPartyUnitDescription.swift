import AudioCore
import AudioToolbox
import AudioUnits

/// A third-party component as a scan has found it: nothing of it is loaded for this.
struct ThirdPartyUnitDescription: Encodable {
  let name: String?
  let type: String?
  let subType: String?
  let manufacturer: String?
  let path: String
  /// Major.minor.dot.
  let version: String?
  let inputBuses: Int?
  let outputBuses: Int?
  let parameters: Int?
  let presets: Int?
  /// Why it cannot be used.
  let failure: String?

  init(_ row: InstalledUnits.Row) {
    name = row.name
    type = row.description.map { "\($0.type)" }
    subType = row.description.map { "\($0.subType)" }
    manufacturer = row.description.map { "\($0.manufacturer)" }
    path = row.path
    version = row.name == nil ? nil : "\(row.version >> 16).\(row.version >> 8 & 0xFF).\(row.version & 0xFF)"
    inputBuses = row.counts?.inputs
    outputBuses = row.counts?.outputs
    parameters = row.counts?.parameters
    presets = row.counts?.presets
    failure = row.failure
  }

  /// For a list that a person reads.
  var columns: [String] {
    let codes = [type, subType, manufacturer].compactMap(\.self).joined(separator: " ")
    let state: String
    if let failure {
      state = "cannot be used: \(failure)"
    } else if let parameters {
      state = parameters == 1 ? "1 parameter" : "\(parameters) parameters"
    } else {
      state = "not looked at"
    }
    return [name ?? "", codes, "\(path): \(state)"]
  }
}

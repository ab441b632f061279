import AudioCore
import AudioToolbox
import Reporting

// A third-party component as a scan has found it: nothing of it is loaded for this.
extension InstalledUnits.Row {
  /// For programs; `version` is major.minor.dot.
  var json: JSONValue {
    (description?.json ?? [:]).adding([
      "name": name, "path": path,
      "version": name == nil ? nil : "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)",
      "inputBuses": counts?.inputs, "outputBuses": counts?.outputs, "parameters": counts?.parameters,
      "presets": counts?.presets, "failure": failure,
    ])
  }

  /// For a list that a person reads.
  var columns: [String] {
    let state =
      failure.map { "cannot be used: \($0)" } ?? counts.map { NumberText.count($0.parameters, "parameter") }
      ?? "not looked at"
    return [name ?? "", description.map { "\($0)" } ?? "", "\(path): \(state)"]
  }
}

import AudioCore
import Measurement

/// Measurements of one device with several values of something, side by side.
package struct VariationTable {
  package let device: String
  package let key: String
  package let columns: [(value: String, results: MeasurementReport.Results)]

  package init(device: String, key: String, columns: [(value: String, results: MeasurementReport.Results)]) {
    self.device = device
    self.key = key
    self.columns = columns
  }

  package var text: String {
    var text = "\(VisibleText.name(device)), \(VisibleText.name(key)) varied\n"
    for (index, result) in columns[0].results.enumerated() {
      let kind = result.kind
      let findings = columns.map { ($0.value, $0.results[index].findings) }
      text += "\n\(kind.rawValue)\n"
      var rows = [[""] + findings.map(\.0)]
      for reading in findings[0].1.readings {
        let channel = reading.channel.map { ", channel \($0)" } ?? ""
        rows.append(
          [reading.name + channel]
            + findings.map { _, findings in
              guard
                var shown = findings.readings.first(where: {
                  $0.id == reading.id && $0.channel == reading.channel && $0.at == reading.at
                })
              else { return "" }
              (shown.channel, shown.remark, shown.uncertainty) = (nil, nil, nil)
              return shown.text
            })
      }
      text += TextLayout.columns(rows, indent: "  ")
      for (value, findings) in findings {
        for remark in findings.remarks { text += "  \(VisibleText.name(value)): \(VisibleText.line(remark))\n" }
      }
    }
    return text
  }
}

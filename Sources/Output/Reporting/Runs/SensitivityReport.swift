import AudioCore
import Verification

/// The errors that suites would and would not detect, as a table.
package struct SensitivityReport {
  package let rows: [SensitivityAnalysis.Row]

  package init(rows: [SensitivityAnalysis.Row]) { self.rows = rows }

  package var text: String {
    let all = Perturbation.allCases
    var table = [["case"] + all.map(\.name)]
    var missed = 0
    var unresolved = ""
    for row in rows {
      guard let answers = row.answers else {
        unresolved += "\(VisibleText.name(row.id)): \(VisibleText.line(row.message ?? ""))\n"
        continue
      }
      table.append(
        [row.id]
          + all.map { perturbation in
            switch answers[perturbation] {
            case .noticed: return "noticed"
            case .missed:
              missed += 1
              return "MISSED"
            case .notApplicable, nil: return "-"
            }
          })
    }
    var text = table.count > 1 ? TextLayout.columns(table) : ""
    if !unresolved.isEmpty { text += (text.isEmpty ? "" : "\n") + unresolved }
    let tried = rows.reduce(0) { sum, row in
      sum + (row.answers?.values.count { $0 != .notApplicable } ?? 0)
    }
    text += "\n\(tried - missed) of \(tried) perturbations were noticed. - is: does not apply, or cannot be heard.\n"
    return text
  }

  /// True when every case passed as it is, or was skipped.
  package var isTold: Bool { rows.allSatisfy { $0.answers != nil || $0.message?.hasPrefix("skipped") ?? false } }
}

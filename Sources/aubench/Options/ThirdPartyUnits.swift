import AudioCore
import AudioToolbox
import AudioUnits

/// The third-party units, for commands: looked for when a name is none of this package's own.
struct ThirdPartyUnits: Sendable {
  private let installed = InstalledUnits(reportsCrashes: true)

  var rows: [InstalledUnits.Row] { installed.rows() }

  func component(named name: String) throws(BenchError) -> Component? { try installed.component(named: name) }
}

import AudioToolbox

extension InstalledUnits {
  /// For commands: looked for when a name is none of this package's own.
  static var ofCommands: InstalledUnits { InstalledUnits(reportsCrashes: true) }
}

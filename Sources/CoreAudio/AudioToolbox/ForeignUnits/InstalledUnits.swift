import AudioCore
import AudioEngine
import CAudioToolbox

/// The third-party components that are installed on this machine, as units of the engine.
public struct InstalledUnits: Sendable {
  /// One of them, or a bundle that holds none.
  public struct Row: Sendable {
    /// The path of the bundle.
    public let path: String
    /// The maker's name of it, and three codes; nil for a bundle that is wrong as a whole.
    public let name: String?
    /// Type, subtype and manufacturer; nil for a bundle that is wrong as a whole.
    public let description: ComponentDescription?
    /// As the bundle states it: `0x00010000` is 1.0; 0 for a bundle that is wrong as a whole.
    public let version: UInt32
    /// Numbers of buses, parameters and presets; nil where no scan has told.
    public let counts: (inputs: Int, outputs: Int, parameters: Int, presets: Int)?
    /// Why it cannot be used; nil where it can.
    public let failure: String?
    /// The component for making the unit; nil if it cannot be used, or not in a graph of the engine.
    public let component: Component?
  }

  private let installed: InstalledComponents
  private let reportsCrashes: Bool

  /// The components of the search path.
  /// - Parameter reportsCrashes: a crash inside one of them writes a line that names it before the program ends. For
  ///   programs whose signal handlers are their own.
  public init(reportsCrashes: Bool = false) { self.init(.shared, reportsCrashes: reportsCrashes) }

  package init(_ installed: InstalledComponents, reportsCrashes: Bool = false) {
    self.installed = installed
    self.reportsCrashes = reportsCrashes
  }

  /// Everything installed, healthy or not. The first call looks at what has not been looked at before.
  public func rows() -> [Row] {
    let (components, problems) = installed.report()
    return components.map { row($0.component, $0.verdict) }
      + problems.map {
        Row(
          path: $0.path, name: nil, description: nil, version: 0, counts: nil, failure: $0.problem, component: nil)
      }
  }

  /// The component of a name (`Acme: Demo`, or `Demo` alone) or of codes (`aufx demo Acme`, or `demo` alone).
  /// - Throws: `.graph` where it is installed but cannot be used, with the reason.
  public func component(named text: String) throws(BenchError) -> Component? {
    guard let row = row(named: text) else { return nil }
    if let component = row.component { return component }
    throw BenchError(
      .graph,
      "the component \"\(row.name ?? text)\" of \(row.path) cannot be used: it "
        + (row.failure ?? "is an output unit, for hosts alone"))
  }

  /// The bundle of the component that ``component(named:)`` answers: a folder.
  package func bundle(named text: String) -> String? { row(named: text)?.path }

  /// One that can be used comes before one that cannot.
  private func row(named text: String) -> Row? {
    let rows = rows()
    let tests: [(Row) -> Bool] = [
      { $0.name == text },
      { row in row.description.map { "\($0)" == text } ?? false },
      { row in row.name?.split(separator: ":", maxSplits: 1).last.map { $0.drop { $0 == " " } == text } ?? false },
      { row in row.description.map { "\($0.subType)" == text } ?? false },
    ]
    for test in tests {
      let found = rows.filter(test)
      if let row = found.first(where: { $0.component != nil }) ?? found.first { return row }
    }
    return nil
  }

  /// The name in graph files for a component's parameter name; nil if nothing is left of it.
  public static func parameterName(_ name: String) -> String? { ParameterWords.short(name) }

  private func row(_ component: InstalledComponent, _ verdict: ScanVerdict?) -> Row {
    let description = ComponentDescription(
      type: AudioCore.FourCharCode(rawValue: component.codes.type),
      subType: AudioCore.FourCharCode(rawValue: component.codes.subType),
      manufacturer: AudioCore.FourCharCode(rawValue: component.codes.manufacturer))
    return Row(
      path: component.bundlePath, name: component.name, description: description, version: component.version,
      counts: verdict.map { ($0.inputBuses, $0.outputBuses, $0.parameters, $0.presets) }, failure: verdict?.failure,
      component: verdict?.failure == nil && description.type != .output ? unit(component, description) : nil)
  }

  private func unit(_ installed: InstalledComponent, _ description: ComponentDescription) -> Component {
    let reportsCrashes = reportsCrashes
    let path = installed.bundlePath
    let entry = installed.entry
    return ForeignUnit.component(entry, description, origin: path, reportsCrashes: reportsCrashes)
  }
}

extension ForeignUnit {
  /// A component as the engine makes units of it.
  static func component(
    _ entry: ComponentEntry, _ description: ComponentDescription, origin: String, reportsCrashes: Bool
  ) -> Component {
    @Sendable func component() -> Component {
      Component(
        description, shortName: "\(description)", name: entry.name,
        summary: origin.isEmpty ? "A component of the program's own." : "A component of \(origin).",
        version: entry.version
      ) { ForeignUnit(entry, component: component(), origin: origin, reportsCrashes: reportsCrashes) }
    }
    return component()
  }
}

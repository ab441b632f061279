import AudioCore
import AudioEngine
import AudioToolbox
import AudioUnits
import Reporting

extension Command {
  static let units = Command(
    "units", "list the units, or show one in full",
    description: """
      Without a name, lists the units that a graph can be built from. With one (nBandEQ, or the codes "aufx nbeq appl", \
      or nbeq alone) shows its parameters with ids, ranges and defaults, its presets, properties, buses and channels. \
      Third-party components are looked at in a process of their own, once; those that cannot be used are listed with \
      the reason.
      """,
    operands: [
      Operand(
        "NAME", isRequired: false, completion: .words { ComponentRegistry.ofGraphFiles.components.map(\.shortName) },
        "a unit, by its name or its codes")
    ],
    options: [.json],
    examples: [
      Example("aubench units", "all units, one a line"),
      Example("aubench units nBandEQ", "one of them in full"),
      Example("aubench units --json", "everything about all of them, for machines"),
    ],
    exitCodes: [3, 9, ExitCode.componentCrash],
    plansMemory: false
  ) { (arguments) throws(BenchError) in
    let registry = ComponentRegistry.ofGraphFiles
    guard let name = arguments.operands.first else {
      let others = InstalledUnits.ofCommands.rows()
      let units = registry.components.map(UnitDescription.init)
      return arguments.print(
        JSONValue(["units": units, "thirdParty": others.map(\.json)]), orText: list(registry, others))
    }
    var known = registry.named(name)
    if known == nil { known = try InstalledUnits.ofCommands.component(named: name) }
    guard let component = known else {
      let near = registry.suggestions(for: name)
      throw BenchError(
        .usage, at: "units", "there is no unit \"\(name)\"",
        advice: near.isEmpty ? "\"aubench units\" lists them" : "did you mean \(near.joined(separator: " or "))?")
    }
    let unit = UnitDescription(component)
    arguments.print(unit.json, orText: unit.text)
  }

  private static func list(_ registry: ComponentRegistry, _ others: [InstalledUnits.Row]) -> String {
    var text = TextLayout.columns(registry.components.map { [$0.shortName, "\($0.description)", $0.summary] })
    if !others.isEmpty { text += "\nThird-party:\n" + TextLayout.columns(others.map(\.columns)) }
    return text + "\n\"aubench units NAME\" shows one in full.\n"
  }
}

import AudioCore
import AudioUnits

extension Command {
  static let units = Command(
    "units", "list the units, or show one in full",
    description: """
      Without a name, lists the units that a graph can be built from. With one (nBandEQ, or the codes "aufx nbeq appl", \
      or nbeq alone) shows its parameters with ids, ranges and defaults, its presets, properties, buses and channels.
      """,
    operands: [
      Operand(
        "NAME", isRequired: false, completion: .words { ComponentRegistry.builtIn.components.map(\.shortName) },
        "a unit, by its name or its codes")
    ],
    options: [.json],
    examples: [
      Example("aubench units", "all units, one a line"),
      Example("aubench units nBandEQ", "one of them in full"),
      Example("aubench units --json", "everything about all of them, for machines"),
    ]
  ) { (arguments) throws(BenchError) in
    let registry = ComponentRegistry.builtIn
    guard let name = arguments.operands.first else {
      printAll(registry, asJSON: arguments.has(.json))
      return
    }
    guard let component = registry.named(name) else {
      let near = registry.suggestions(for: name)
      throw BenchError(
        .usage, at: "units", "there is no unit \"\(name)\"",
        advice: near.isEmpty ? "\"aubench units\" lists them" : "did you mean \(near.joined(separator: " or "))?")
    }
    let unit = UnitDescription(component)
    if arguments.has(.json) {
      StandardOutput.print(json: unit)
    } else {
      StandardOutput.print(unit.text)
    }
  }

  private static func printAll(_ registry: ComponentRegistry, asJSON: Bool) {
    if asJSON {
      StandardOutput.print(json: ["units": registry.components.map(UnitDescription.init)])
      return
    }
    let rows = registry.components.map { [$0.shortName, "\($0.description)", $0.summary] }
    StandardOutput.print(Text.columns(rows) + "\n\"aubench units NAME\" shows one in full.\n")
  }
}

import AudioUnits
import BatchRender
import Reporting

/// The built-in units in the repository, from their own tables: `docs/units.md`.
enum UnitsPage {
  static var text: String {
    let units = ComponentRegistry.builtIn.components.map(UnitDescription.init)
    var page = """
      <!-- Made by `aubench --print-manual=units` from the units' own tables in Sources/AudioUnits/Units. -->
      # Units

      What `aubench units NAME` prints of each. How graphs are made of them: [graph-file.md](graph-file.md). Units of a package
      of your own: [own-units.md](own-units.md); third-party ones: [components.md](components.md).


      """
    page += Markdown.table(
      ["unit", "component", "does"], units.map { ["[`\($0.name)`](#\($0.name.lowercased()))", $0.codes, $0.summary] })
    page += "\nEvery node has `id` and `unit`, and may have:\n\n"
    page += Markdown.table(["key", "meaning"], GraphFile.commonKeys.map { ["`\($0.name)`", $0.meaning] })
    let shared = units[0].properties.filter { row in units.allSatisfy { $0.properties.contains { $0.id == row.id } } }
    page += "\nEvery unit has these properties:\n\n" + properties(shared)
    for unit in units { page += section(unit, except: Set(shared.map(\.id))) }
    return page
  }

  private static func properties(_ rows: [UnitDescription.Property]) -> String {
    Markdown.table(
      ["property", "id", "scopes", "access", "type"],
      rows.map { ["`\($0.name)`", "\($0.id)", $0.scopes.joined(separator: " "), $0.access, $0.type] })
  }

  private static func section(_ unit: UnitDescription, except shared: Set<UInt32>) -> String {
    var text = "\n## \(unit.name)\n\n\(unit.summary)\n\n"
    text += "\(unit.codes), \"\(unit.title)\". Inputs: \(unit.inputBuses.text). Outputs: \(unit.outputBuses.text). "
    text += "Channels: \(unit.channelText).\n"
    let keys = unit.graphKeys.filter { key in !GraphFile.commonKeys.contains { $0.name == key.name } }
    if !keys.isEmpty {
      text += "\n" + Markdown.table(["key", "meaning"], keys.map { ["`\($0.name)`", $0.text] })
    }
    if !unit.parameters.isEmpty {
      text +=
        "\n"
        + Markdown.table(["parameter"] + UnitDescription.Parameter.head.dropFirst(), unit.shownParameters.map(\.row))
      for row in unit.shownParameters where !row.valueNames.isEmpty {
        text += "\n`\(row.shownName)`: \(row.valueText)\n"
      }
      for group in unit.groups { text += "\n" + TextLayout.paragraph(group.text, width: 120) }
    }
    if !unit.presets.isEmpty {
      text +=
        "\n"
        + TextLayout.paragraph(
          unit.presets.map { "\($0.number) \($0.name)" }.joined(separator: ", "), width: 120, first: "Presets: ")
    }
    let own = unit.properties.filter { !shared.contains($0.id) }
    return text + (own.isEmpty ? "" : "\n" + properties(own))
  }
}

extension UnitDescription {
  fileprivate var codes: String { "`\(type) \(subType) \(manufacturer)`" }
}

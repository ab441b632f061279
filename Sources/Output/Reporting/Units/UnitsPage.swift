import AudioEngine
import AudioUnits
import BatchRender

/// The built-in units in the repository, from their own tables: `docs/units.md`.
package enum UnitsPage {
  package static var text: String {
    let units = ComponentRegistry.ofGraphFiles.components.map(UnitDescription.init)
    var page = """
      <!-- Made by `aubench --print-manual=units` from the units' own tables in Sources/Engine/BuiltInUnits. -->
      # Units

      What `aubench units NAME` prints of each. How graphs are made of them: [graph-file.md](graph-file.md). Units of a package
      of your own: [own-units.md](own-units.md); third-party ones: [components.md](components.md). What each computes, as formulas:
      [laws](laws/README.md).


      """
    page += Markdown.table(
      ["unit", "component", "does"],
      units.map(\.component).map {
        ["[`\($0.shortName)`](#\($0.shortName.lowercased()))", "`\($0.description)`", $0.summary]
      })
    page += "\nEvery node has `id` and `unit`, and may have:\n\n"
    page += Markdown.table(["key", "meaning"], GraphFile.commonKeys.map { ["`\($0.name)`", $0.meaning] })
    let shared = units[0].properties.filter { row in units.allSatisfy { $0.properties.contains { $0.id == row.id } } }
    page += "\nEvery unit has these properties:\n\n" + properties(shared)
    for unit in units { page += section(unit, except: Set(shared.map(\.id))) }
    return page
  }

  private static func properties(_ rows: [PropertyDescriptor]) -> String {
    Markdown.table(["property", "id", "scopes", "access", "type"], rows.map { named($0.row) })
  }

  /// The first cell as code.
  private static func named(_ row: [String]) -> [String] { ["`\(row[0])`"] + row.dropFirst() }

  private static func section(_ unit: UnitDescription, except shared: Set<PropertyID>) -> String {
    let component = unit.component
    var text = "\n## \(component.shortName)\n\n\(component.summary)\n\n"
    text += "`\(component.description)`, \"\(component.name)\". Inputs: \(unit.busText(.input)). "
    text += "Outputs: \(unit.busText(.output)). Channels: \(unit.channelText).\n"
    if let law = LawPages.section(of: component.shortName) {
      text += "\nIts law: [\(law.prefix { $0 != "#" })](\(law)).\n"
    }
    if component.realtimeException != nil {
      text += "\n" + TextLayout.paragraph(unit.realtimeText, width: 120, first: "Realtime: ")
    }
    if !unit.keyRows.isEmpty { text += "\n" + Markdown.table(["key", "meaning"], unit.keyRows.map(named)) }
    if !unit.parameters.isEmpty {
      text +=
        "\n"
        + Markdown.table(["parameter"] + UnitDescription.Parameter.head.dropFirst(), unit.shownParameters.map(\.row))
      for (name, values) in unit.valueTexts { text += "\n`\(name)`: \(values)\n" }
      for group in unit.groupTexts { text += "\n" + TextLayout.paragraph(group, width: 120) }
    }
    if !unit.presets.isEmpty {
      let presets = unit.presets.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
      text += "\n" + TextLayout.paragraph(presets, width: 120, first: "Presets: ")
    }
    let own = unit.properties.filter { !shared.contains($0.id) }
    return text + (own.isEmpty ? "" : "\n" + properties(own))
  }
}

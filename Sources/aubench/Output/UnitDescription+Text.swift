import AudioCore
import Measurement
import Reporting

extension UnitDescription {
  /// For a person to read.
  var text: String {
    var text = "\(name): \(summary)\n\n"
    var facts = [["component", "\(type) \(subType) \(manufacturer), \"\(title)\""]]
    facts.append(["inputs", inputBuses.text])
    facts.append(["outputs", outputBuses.text])
    facts.append(["channels", channelText])
    text += TextLayout.columns(facts, indent: "  ")
    text += "\nKeys in a graph file, beside id and unit:\n"
    text += TextLayout.columns(graphKeys.map { [$0.name, $0.text] }, indent: "  ")
    text += "\nParameters:\n" + parameterText
    if !presets.isEmpty {
      text += "\nPresets:\n" + TextLayout.columns(presets.map { ["\($0.number)", $0.name] }, indent: "  ")
    }
    text += "\nProperties:\n"
    return text
      + TextLayout.columns(
        [["name", "id", "scopes", "access", "type"]]
          + properties.map { ["\($0.name)", "\($0.id)", $0.scopes.joined(separator: " "), $0.access, $0.type] },
        indent: "  ")
  }

  var channelText: String {
    if inputBuses.initial == 0 { return "those of the file" }
    guard !channels.isEmpty else { return "any number, the same on both sides" }
    return channels.map { pair in
      if pair.input == -1 && pair.output == -1 { return "any number, the same on both sides" }
      if pair.input < 0 && pair.output < 0 { return "any number in, any number out" }
      return
        "\(pair.input < 0 ? "any number" : "\(pair.input)") in, \(pair.output < 0 ? "any number" : "\(pair.output)") out"
    }.joined(separator: "; ")
  }

  private var parameterText: String {
    guard !parameters.isEmpty else { return "  none\n" }
    var text = TextLayout.columns([Parameter.head] + shownParameters.map(\.row), indent: "  ")
    for row in shownParameters where !row.valueNames.isEmpty {
      text += TextLayout.paragraph(row.valueText, indent: "      ", first: "  \(row.shownName): ")
    }
    for group in groups { text += TextLayout.paragraph(group.text, indent: "  ") }
    return text
  }

  /// Of a group the first stands for all.
  var shownParameters: [Parameter] { parameters.filter { $0.groupIndex ?? 0 == 0 } }
}

extension UnitDescription.Key {
  var text: String {
    meaning + (choices.map { ": " + $0.joined(separator: ", ") } ?? "") + (initial.map { "; \($0) unless given" } ?? "")
  }
}

extension UnitDescription.Group {
  var text: String {
    "Each \(name) has its own: its number is added to the id and to the name. Graph files and --set may also write "
      + "\(parameters.joined(separator: ", ")) with @\(name):N, as \(parameters[1])@\(name):0."
  }
}

extension UnitDescription.Parameter {
  static let head = ["name", "id", "scope", "range", "default", "unit", ""]

  /// The number that tells those of a group apart is written N.
  var shownName: String { groupIndex.map { "\(name.dropLast("\($0)".count))N" } ?? name }

  var valueText: String { valueNames.enumerated().map { "\($0)=\($1)" }.joined(separator: ", ") }

  var row: [String] {
    let most = maximum.map { NumberText.short($0) } ?? (unit == "frames" ? "rate" : "rate/2")
    return [
      shownName, group == nil ? "\(id)" : "\(id)+N", scope, "\(NumberText.short(minimum)) to \(most)",
      NumberText.short(initial),
      unit, isReadOnly ? "meter" : "",
    ]
  }
}

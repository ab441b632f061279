extension UnitDescription {
  /// For a person to read.
  var text: String {
    var text = "\(name): \(summary)\n\n"
    var facts = [["component", "\(type) \(subType) \(manufacturer), \"\(title)\""]]
    facts.append(["inputs", inputBuses.text])
    facts.append(["outputs", outputBuses.text])
    facts.append(["channels", channelText])
    text += Text.columns(facts, indent: "  ")
    text += "\nKeys in a graph file, beside id and unit:\n"
    text += Text.columns(graphKeys.map { [$0.name, $0.meaning] }, indent: "  ")
    text += "\nParameters:\n" + parameterText
    if !presets.isEmpty {
      text += "\nPresets:\n" + Text.columns(presets.map { ["\($0.number)", $0.name] }, indent: "  ")
    }
    text += "\nProperties:\n"
    return text
      + Text.columns(
        [["name", "id", "scopes", "access", "type"]]
          + properties.map { ["\($0.name)", "\($0.id)", $0.scopes.joined(separator: " "), $0.access, $0.type] },
        indent: "  ")
  }

  private var channelText: String {
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
    let rows = parameters.filter { !$0.isOfLaterBand }
    var text = Text.columns(
      [["name", "id", "scope", "range", "default", "unit", ""]] + rows.map(\.row), indent: "  ")
    for row in rows where !row.valueNames.isEmpty {
      let names = row.valueNames.enumerated().map { "\($0)=\($1)" }.joined(separator: ", ")
      text += Text.wrapped(names, indent: "      ", first: "  \(row.shownName): ")
    }
    if rows.count < parameters.count {
      text += Text.wrapped(
        "Each band has its own: its number is added to the id and to the name. Graph files and --set may also write "
          + "type, frequency, bandwidth, gain and bypass with @band:N, as gain@band:0.", indent: "  ")
    }
    return text
  }
}

extension UnitDescription.Parameter {
  /// Names of a band's parameters end with its number, ids count on from a thousand.
  fileprivate var isOfLaterBand: Bool { isOfBand && id % 1000 != 0 }
  private var isOfBand: Bool { id >= 1000 && name.last?.isNumber == true }

  fileprivate var shownName: String { isOfBand ? "\(name.dropLast())N" : name }

  fileprivate var row: [String] {
    let most = maximum.map { Text.short($0) } ?? "rate/2"
    return [
      shownName, isOfBand ? "\(id)+N" : "\(id)", scope, "\(Text.short(minimum)) to \(most)", Text.short(initial), unit,
      isReadOnly ? "meter" : "",
    ]
  }
}

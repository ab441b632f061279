import AudioCore
import AudioEngine
import BatchRender

extension UnitDescription {
  /// For a person to read.
  package var text: String {
    let facts = [
      ["component", "\(component.description), \"\(component.name)\""], ["inputs", busText(.input)],
      ["outputs", busText(.output)], ["channels", channelText], ["realtime", realtimeText],
    ]
    var text = "\(component.shortName): \(component.summary)\n\n" + TextLayout.columns(facts, indent: "  ")
    text += "\nKeys in a graph file, beside id and unit:\n"
    text += TextLayout.columns(keyRows + GraphFile.commonKeys.map { [$0.name, $0.meaning] }, indent: "  ")
    text += "\nParameters:\n" + parameterText
    if !presets.isEmpty {
      text += "\nPresets:\n" + TextLayout.columns(presets.map { ["\($0.number)", $0.name] }, indent: "  ")
    }
    text += "\nProperties:\n"
    return text
      + TextLayout.columns([["name", "id", "scopes", "access", "type"]] + properties.map(\.row), indent: "  ")
  }

  /// The text for a unit of this package: whether a realtime thread may make its render calls.
  package var realtimeText: String {
    if let exception = component.realtimeException { return "no: \(exception)" }
    return component.description.manufacturer == "appl" || component.description.manufacturer == "aubn"
      ? "yes" : "not known: \"aubench bench\" with --realtime finds out"
  }

  package func busText(_ scope: Scope) -> String {
    let (range, initial) = (unit.elementCountRange(scope), unit.elementCount(scope))
    if range.count == 1 { return initial == 0 ? "none" : "\(initial)" }
    return "\(range.lowerBound) to \(range.upperBound), \(initial) at first"
  }

  package var channelText: String {
    if unit.elementCount(.input) == 0 { return "those of the file" }
    let same = "any number, the same on both sides"
    guard !unit.channelCapabilities.isEmpty else { return same }
    return unit.channelCapabilities.map { pair in
      if pair.inputChannels == -1 && pair.outputChannels == -1 { return same }
      func count(_ channels: Int) -> String { channels < 0 ? "any number" : "\(channels)" }
      return "\(count(pair.inputChannels)) in, \(count(pair.outputChannels)) out"
    }.joined(separator: "; ")
  }

  /// Keys of its own that a node in a graph file may have: name and meaning.
  package var keyRows: [[String]] {
    unit.allGraphKeys.map { key in
      let choices = key.choices.map { ": " + $0.joined(separator: ", ") } ?? ""
      return [key.name, key.meaning + choices + (key.initial(unit).map { "; \($0.text) unless given" } ?? "")]
    }
  }

  private var parameterText: String {
    guard !parameters.isEmpty else { return "  none\n" }
    var text = TextLayout.columns([Parameter.head] + shownParameters.map(\.row), indent: "  ")
    for (name, values) in valueTexts { text += TextLayout.paragraph(values, indent: "      ", first: "  \(name): ") }
    for group in groupTexts { text += TextLayout.paragraph(group, indent: "  ") }
    return text
  }

  /// The first parameter of a group represents all of them.
  package var shownParameters: [Parameter] { parameters.filter { $0.place?.index ?? 0 == 0 } }

  /// The names of values, of the parameters that have some.
  package var valueTexts: [(name: String, values: String)] {
    shownParameters.filter { !$0.descriptor.valueNames.isEmpty }.map { parameter in
      let values = parameter.descriptor.valueNames.enumerated().map { "\($0)=\($1)" }
      return (parameter.shownName, values.joined(separator: ", "))
    }
  }

  /// The notation of the parameters that it has several times.
  package var groupTexts: [String] {
    unit.parameterGroups.map { group in
      let names = group.parameters.map(\.name)
      if let columns = group.columns {
        return
          "Each \(group.name) has its own: one is written by row and column, as \(names[0])@\(group.name):0,0. A fresh "
          + "unit has \(columns > 0 ? group.count / columns : 0) rows of \(columns)."
      }
      if group.count == 1 {
        return "Graph files and --set write \(names[0])@\(group.name) for the one of the \(group.name)."
      }
      return "Each \(group.name) has its own: its number is added to the id and to the name. Graph files and --set may "
        + "also write \(names.joined(separator: ", ")) with @\(group.name):N, as \(names[1])@\(group.name):0."
    }
  }
}

extension UnitDescription.Parameter {
  package static let head = ["name", "id", "scope", "range", "default", "unit", ""]

  /// The number that tells those of a group apart is written N.
  fileprivate var shownName: String {
    guard let place else { return descriptor.name }
    if isNumbered { return "\(descriptor.name.dropLast("\(place.index)".count))N" }
    return "\(place.name)@\(place.group.name)" + (place.group.columns == nil ? "" : ":N,N")
  }

  /// True when the number of its place is part of its name and its id.
  private var isNumbered: Bool { place.map { $0.name != descriptor.name } ?? false }

  package var row: [String] {
    let byRate = unit == "frames" ? "rate" : "rate/2"
    let most = descriptor.maximum.isFinite ? NumberText.short(descriptor.maximum) : byRate
    return [
      shownName, isNumbered ? "\(descriptor.id)+N" : "\(descriptor.id)", scope.name,
      "\(NumberText.short(descriptor.minimum)) to \(most)", NumberText.short(descriptor.initial), unit,
      descriptor.isReadOnly ? "meter" : "",
    ]
  }
}

extension PropertyDescriptor {
  /// Name, id, scopes, access and type.
  package var row: [String] { [name, "\(id.rawValue)", scopeNames.joined(separator: " "), access, type] }
}

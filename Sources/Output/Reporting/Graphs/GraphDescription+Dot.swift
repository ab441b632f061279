import AudioCore

extension GraphDescription {
  /// For Graphviz: `aubench describe song.json --dot | dot -Tsvg -o song.svg`.
  package var dot: String {
    var lines = [
      "digraph \(Self.quoted(path)) {", "  rankdir=LR;", "  node [shape=box, fontname=\"sans-serif\"];",
      "  edge [fontname=\"sans-serif\", fontsize=10];",
    ]
    var numbers: [String: Int] = [:]
    for (index, node) in nodes.enumerated() {
      numbers[node.name] = index
      let style = node.isRendered ? "" : ", style=dashed"
      lines.append("  n\(index) [label=\(Self.quoted(node.label))\(style)];")
    }
    for (index, connection) in connections.enumerated() {
      guard let from = numbers[connection.source], let to = numbers[connection.destination] else { continue }
      let format = connection.format?.shortText ?? ""
      let tail = connection.sourceBus == 0 ? "" : ", taillabel=\"\(connection.sourceBus)\""
      let head = ", headlabel=\"\(connection.destinationBus)\""
      if let converted = connection.convertedFormat {
        lines.append("  c\(index) [label=\(Self.quoted("converter")), shape=ellipse];")
        lines.append("  n\(from) -> c\(index) [label=\(Self.quoted(format))\(tail)];")
        lines.append("  c\(index) -> n\(to) [label=\(Self.quoted(converted.shortText))\(head)];")
      } else {
        lines.append("  n\(from) -> n\(to) [label=\(Self.quoted(format))\(tail)\(head)];")
      }
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  /// A string of the DOT language; a line break stays one, every other backslash is a character.
  private static func quoted(_ text: String) -> String {
    var answer = "\""
    for scalar in VisibleText.of(text).unicodeScalars {
      switch scalar {
      case "\"": answer += "\\\""
      case "\\": answer += "\\\\"
      case "\n": answer += "\\n"
      default: answer.unicodeScalars.append(scalar)
      }
    }
    return answer + "\""
  }
}

extension GraphDescription.Node {
  fileprivate var label: String {
    var lines = [VisibleText.name(name), unit.component.shortName]
    if let source { lines.append(VisibleText.name(FileName.last(of: source.file.path))) }
    if let preset { lines.append(preset) }
    if let bands { lines.append(NumberText.count(bands, "band")) }
    return lines.joined(separator: "\n")
  }
}

import AudioCore

/// An element of an XML document that is written and never read, with elements or a text inside. Foundation's own would
/// load five more libraries at the start of every command.
struct XMLElement {
  let name: String
  let attributes: [(name: String, value: String)]
  let text: String?
  var children: [XMLElement]

  init(_ name: String, _ attributes: [(String, String)] = [], text: String? = nil, children: [XMLElement] = []) {
    self.name = name
    self.attributes = attributes
    self.text = text
    self.children = children
  }

  /// The whole document with this as its root, in UTF-8: an element a line, indented by two for each level.
  var document: String {
    var output = "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n"
    write(to: &output, level: 0)
    return output
  }

  private func write(to output: inout String, level: Int) {
    let indentation = String(repeating: "  ", count: level)
    output += "\(indentation)<\(name)"
    for (name, value) in attributes { output += " \(name)=\"\(Self.escaped(value, inAttribute: true))\"" }
    if !children.isEmpty {
      output += ">\n"
      for child in children { child.write(to: &output, level: level + 1) }
      output += "\(indentation)</\(name)>\n"
    } else {
      output += ">\(Self.escaped(text ?? "", inAttribute: false))</\(name)>\n"
    }
  }

  /// XML 1.0, 2.4 and 3.3.3: a reader would make spaces of the line ends and tabs of an attribute. Characters that the
  /// document could not hold even as references are made visible.
  private static func escaped(_ text: String, inAttribute: Bool) -> String {
    var escaped = ""
    for scalar in VisibleText.of(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\r": escaped += "&#13;"
      case "\"" where inAttribute: escaped += "&quot;"
      case "\n" where inAttribute: escaped += "&#10;"
      case "\t" where inAttribute: escaped += "&#9;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

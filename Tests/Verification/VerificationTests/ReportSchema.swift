import Foundation

/// As much of JSON Schema 2020-12 as the schemas of this repository use.
struct ReportSchema {
  private let root: [String: Any]

  init(_ text: String) throws {
    root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// The violations of the schema in `value`, with their places; empty if there are none.
  func violations(_ value: Any) -> [String] { violations(value, of: root, at: "") }

  private func violations(_ value: Any, of schema: [String: Any], at place: String) -> [String] {
    var found: [String] = []
    if let reference = schema["$ref"] as? String {
      let name = String(reference.dropFirst("#/$defs/".count))
      guard let definition = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return ["\(place): the schema has no \(reference)"]
      }
      found += violations(value, of: definition, at: place)
    }
    if let choices = schema["anyOf"] as? [[String: Any]],
      !choices.contains(where: { violations(value, of: $0, at: place).isEmpty })
    {
      found.append("\(place): none of the choices")
    }
    if let constant = schema["const"] as? NSObject, value as? NSObject != constant {
      found.append("\(place): \(value)")
    }
    if let values = schema["enum"] as? [NSObject], !values.contains(where: { $0 == value as? NSObject }) {
      found.append("\(place): \(value) is none of \(values)")
    }
    let kinds = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
    if !kinds.isEmpty && !kinds.contains(where: { Self.isOf($0, value) }) {
      return found + ["\(place): \(value) is no \(kinds.joined(separator: " or "))"]
    }
    if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
      for (index, item) in array.enumerated() { found += violations(item, of: items, at: "\(place)[\(index)]") }
    }
    if let object = value as? [String: Any] { found += members(of: object, schema, at: place) }
    return found
  }

  private func members(of object: [String: Any], _ schema: [String: Any], at place: String) -> [String] {
    var found: [String] = []
    for key in schema["required"] as? [String] ?? [] where object[key] == nil { found.append("\(place): no \(key)") }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    for (key, value) in object {
      if let property = properties[key] {
        found += violations(value, of: property, at: "\(place).\(key)")
      } else if let others = schema["additionalProperties"] as? [String: Any] {
        found += violations(value, of: others, at: "\(place).\(key)")
      } else if schema["additionalProperties"] as? Bool == false {
        found.append("\(place): \(key) is not in the schema")
      }
    }
    return found
  }

  private static func isOf(_ kind: String, _ value: Any) -> Bool {
    switch kind {
    case "object": return value is [String: Any]
    case "array": return value is [Any]
    case "string": return value is String
    case "null": return value is NSNull
    case "boolean": return (value as? NSNumber)?.isBoolean == true
    case "number": return value is NSNumber && (value as? NSNumber)?.isBoolean == false
    case "integer":
      guard let number = value as? NSNumber, !number.isBoolean else { return false }
      return number.doubleValue == number.doubleValue.rounded()
    default: return false
    }
  }
}

extension NSNumber {
  /// `true` and `false` are numbers too here; `c` is the type of one byte, which no other number of JSON has.
  fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}

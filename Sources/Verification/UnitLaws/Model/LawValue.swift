/// A value of a graph or suite file, as JSON has it. This module has its own, as it shares nothing with the engine.
public enum LawValue: Hashable, Sendable {
  case number(Double)
  case text(String)
  case flag(Bool)
  case list([LawValue])
  case object([String: LawValue])

  public subscript(_ key: String) -> LawValue? {
    get { if case .object(let members) = self { members[key] } else { nil } }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }

  static func whole(_ value: Int) -> LawValue { .number(Double(value)) }

  public var number: Double? { if case .number(let value) = self { value } else { nil } }
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  public var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  public var list: [LawValue]? { if case .list(let value) = self { value } else { nil } }
  public var members: [String: LawValue]? { if case .object(let value) = self { value } else { nil } }
  /// A whole number; nil for any other value.
  public var integer: Int? { number.flatMap { Int(exactly: $0) } }
}

extension LawValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(integerLiteral value: Int) { self = .whole(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(booleanLiteral value: Bool) { self = .flag(value) }
  public init(arrayLiteral elements: LawValue...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, LawValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

import AudioCore

/// What names a kind of unit: type, subtype and manufacturer. In a search, a zero matches anything.
public struct ComponentDescription: Hashable, Sendable, CustomStringConvertible {
  public var type: FourCharCode
  public var subType: FourCharCode
  public var manufacturer: FourCharCode

  public init(type: FourCharCode, subType: FourCharCode, manufacturer: FourCharCode = "appl") {
    self.type = type
    self.subType = subType
    self.manufacturer = manufacturer
  }

  /// Three codes with a blank between them, as a graph file writes them: `aumx mcmx appl`.
  public init?(_ text: String) {
    let codes = text.split(separator: " ", omittingEmptySubsequences: false).map { FourCharCode($0) }
    guard codes.count == 3, let type = codes[0], let subType = codes[1], let manufacturer = codes[2] else { return nil }
    self.init(type: type, subType: subType, manufacturer: manufacturer)
  }

  public func matches(_ wanted: ComponentDescription) -> Bool {
    func agree(_ mine: FourCharCode, _ theirs: FourCharCode) -> Bool { theirs.rawValue == 0 || mine == theirs }
    return agree(type, wanted.type) && agree(subType, wanted.subType) && agree(manufacturer, wanted.manufacturer)
  }

  public var description: String { "\(type) \(subType) \(manufacturer)" }
}

extension FourCharCode {
  public static let output: FourCharCode = "auou"
  public static let mixer: FourCharCode = "aumx"
  public static let effect: FourCharCode = "aufx"
  public static let generator: FourCharCode = "augn"
  public static let formatConverter: FourCharCode = "aufc"
}

/// A kind of unit that can be made: its names, one sentence about it, and its factory.
public struct Component: Sendable {
  public let description: ComponentDescription
  /// The name in graph files and on the command line: `nBandEQ`.
  public let shortName: String
  /// The name a person reads, maker first: `Apple: AUNBandEQ`.
  public let name: String
  /// What the unit does, in one sentence.
  public let summary: String
  /// 0xMMMMmmDD: major, minor, dot.
  public let version: UInt32
  public let make: @Sendable () -> Unit

  public init(
    _ description: ComponentDescription, shortName: String, name: String, summary: String, version: UInt32 = 0x10000,
    make: @escaping @Sendable () -> Unit
  ) {
    self.description = description
    self.shortName = shortName
    self.name = name
    self.summary = summary
    self.version = version
    self.make = make
  }
}

/// An ordered list of components, frozen when it is made and passed to whoever searches it.
public struct ComponentRegistry: Sendable {
  public let components: [Component]

  public init(_ components: [Component]) { self.components = components }

  /// All components that match, in order; zeros in `wanted` match anything.
  public func matching(_ wanted: ComponentDescription) -> [Component] {
    components.filter { $0.description.matches(wanted) }
  }

  /// The component of a short name (`nBandEQ`), of three codes (`aufx nbeq appl`) or of a subtype alone (`nbeq`).
  public func named(_ text: String) -> Component? {
    if let component = components.first(where: { $0.shortName == text }) { return component }
    if let description = ComponentDescription(text) { return matching(description).first }
    return FourCharCode(text).flatMap { code in components.first { $0.description.subType == code } }
  }

  /// The names nearest to a misspelt one, for an error message.
  public func suggestions(for text: String) -> [String] { nearest(to: text, in: components.map(\.shortName)) }
}

import AudioCore

/// The codes of a kind of unit: type, subtype and manufacturer. In a search, a zero matches anything.
public struct ComponentDescription: Hashable, Sendable, CustomStringConvertible {
  /// The kind of unit: `aufx` for an effect.
  public var type: FourCharCode
  /// The unit among those of that kind: `nbeq`.
  public var subType: FourCharCode
  /// The maker: `appl` for the built-in units.
  public var manufacturer: FourCharCode

  /// One of Apple's, unless a manufacturer is given.
  public init(type: FourCharCode, subType: FourCharCode, manufacturer: FourCharCode = "appl") {
    self.type = type
    self.subType = subType
    self.manufacturer = manufacturer
  }

  /// Three codes with a blank between them, as a graph file writes them: `aumx mcmx appl`.
  package init?(_ text: String) {
    let codes = text.split(separator: " ", omittingEmptySubsequences: false).map { FourCharCode($0) }
    guard codes.count == 3, let type = codes[0], let subType = codes[1], let manufacturer = codes[2] else { return nil }
    self.init(type: type, subType: subType, manufacturer: manufacturer)
  }

  /// True when each code of `wanted` is 0 or the same as here.
  package func matches(_ wanted: ComponentDescription) -> Bool {
    func agree(_ mine: FourCharCode, _ theirs: FourCharCode) -> Bool { theirs.rawValue == 0 || mine == theirs }
    return agree(type, wanted.type) && agree(subType, wanted.subType) && agree(manufacturer, wanted.manufacturer)
  }

  /// The three codes with a blank between them: `aufx nbeq appl`.
  public var description: String { "\(type) \(subType) \(manufacturer)" }
}

extension FourCharCode {
  /// `auou`: the head of a graph, which a host or a device pulls.
  public static let output: FourCharCode = "auou"
  /// `aumx`: several inputs into one output.
  public static let mixer: FourCharCode = "aumx"
  /// `aufx`: one input, one output of the same format.
  public static let effect: FourCharCode = "aufx"
  /// `augn`: no input, sound of its own.
  public static let generator: FourCharCode = "augn"
  /// `auol`: an effect that sees all of its input before it renders.
  public static let offlineEffect: FourCharCode = "auol"
  /// `aufc`: one input, one output of another format.
  public static let formatConverter: FourCharCode = "aufc"
}

/// A kind of unit that can be made: its names, one sentence about it, and its factory.
public struct Component: Sendable {
  /// Type, subtype and manufacturer, by which a search finds it.
  public let description: ComponentDescription
  /// The name in graph files and on the command line: `nBandEQ`.
  public let shortName: String
  /// The name a person reads, maker first: `Apple: AUNBandEQ`.
  public let name: String
  /// One sentence on the unit.
  public let summary: String
  /// 0xMMMMmmDD: major, minor, dot.
  package let version: UInt32
  /// The things that its render calls do and a realtime thread must not (allocate, wait for a lock, call the system),
  /// when, and why, in one sentence; nil: nothing of the kind.
  public let realtimeException: String?
  /// Makes a unit of this kind: open, and a new one with each call.
  public let make: @Sendable () -> Unit

  /// Graph files, suites and the C interface know it once `ComponentRegistry.register(_:)` has taken it.
  public init(
    _ description: ComponentDescription, shortName: String, name: String, summary: String, version: UInt32 = 0x10000,
    realtimeException: String? = nil, make: @escaping @Sendable () -> Unit
  ) {
    self.description = description
    self.shortName = shortName
    self.name = name
    self.summary = summary
    self.version = version
    self.realtimeException = realtimeException
    self.make = make
  }
}

/// An ordered list of components, frozen when it is made, and passed to the code that searches it.
public struct ComponentRegistry: Sendable {
  /// In the order in which a search goes through them.
  public let components: [Component]

  /// A registry in this order; where two share a name or codes, a search for one finds the first.
  package init(_ components: [Component]) { self.components = components }

  /// All components that match, in order; zeros in `wanted` match anything.
  package func matching(_ wanted: ComponentDescription) -> [Component] {
    components.filter { $0.description.matches(wanted) }
  }

  /// The component of a short name (`nBandEQ`), of three codes (`aufx nbeq appl`) or of a subtype alone (`nbeq`).
  public func named(_ text: String) -> Component? {
    if let component = components.first(where: { $0.shortName == text }) { return component }
    if let description = ComponentDescription(text) { return matching(description).first }
    return FourCharCode(text).flatMap { code in components.first { $0.description.subType == code } }
  }

  /// The names nearest to a misspelt one, for an error message.
  package func suggestions(for text: String) -> [String] { nearest(to: text, in: components.map(\.shortName)) }
}

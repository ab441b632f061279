/// A choice between a few things that have names: in files, in help and on the command line.
public protocol NamedChoice: CaseIterable, Equatable, Sendable {
  var name: String { get }
}

extension NamedChoice {
  public var name: String { String(describing: self) }
  public init?(name: String) {
    guard let choice = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = choice
  }
  public static var names: [String] { allCases.map(\.name) }
}

/// A choice between a few things that have names: in files, in help and on the command line.
public protocol NamedChoice: CaseIterable, Equatable, Sendable {
  /// What files and the command line call it; different for every case.
  var name: String { get }
}

extension NamedChoice {
  /// The name of the case as it is written in Swift.
  public var name: String { String(describing: self) }
  /// The choice of exactly this name; nil: there is none.
  public init?(name: String) {
    guard let choice = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = choice
  }
  /// All names, in the order of the cases: for help texts and errors.
  public static var names: [String] { allCases.map(\.name) }
}

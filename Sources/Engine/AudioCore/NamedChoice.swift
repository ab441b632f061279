/// A choice between a few things that have names: in files, in help and on the command line.
public protocol NamedChoice: CaseIterable, Equatable, Sendable {
  /// The name in files and on the command line; different for every case.
  var name: String { get }
}

extension NamedChoice {
  /// The name of the case as it is written in Swift.
  public var name: String { String(describing: self) }
  /// The choice of exactly this name; nil: there is none.
  public init?(name: String) {
    guard let choice = zip(Self.allCases, Self.names).first(where: { $1 == name })?.0 else { return nil }
    self = choice
  }
  /// All names, in the order of the cases: for help texts and errors.
  public static var names: [String] { ChoiceNames.table(of: Self.self) { allCases.map { $0.name } } }
}

/// The names of the cases of each type, made once: how a case is written in Swift takes the language long to find.
private enum ChoiceNames {
  private static let tables = Locked<[ObjectIdentifier: [String]]>([:])

  static func table<Choice>(of type: Choice.Type, _ make: () -> [String]) -> [String] {
    tables.withLock { tables in
      if let known = tables[ObjectIdentifier(type)] { return known }
      let names = make()
      tables[ObjectIdentifier(type)] = names
      return names
    }
  }
}

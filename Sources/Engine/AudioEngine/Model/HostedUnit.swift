import AudioCore

/// A unit that hosts of the C interface see in another way than its kind suggests.
package protocol HostedUnit: Unit {
  var hostTraits: HostTraits { get }
}

/// The answers to questions that only hosts of the C interface ask.
package struct HostTraits {
  /// The properties that hosts may read and write and that the engine has no use for.
  package let properties: Set<PropertyID>
  /// True where hosts may have it render one list of buffers in place (`AudioUnitProcess`): effects, but for those
  /// kinds of which a Mac's does not.
  package let processesInPlace: Bool
  /// True where a host may set the number of inputs to 0 although a graph file cannot: the unit gives silence then.
  package let mayHaveNoInputs: Bool
  /// The parameters that controls show together, numbered from 1 on.
  package var clumps: [ParameterClump] { ownClumps ?? unit.parameterGroups.flatMap(\.clumps) }

  private let unit: Unit
  private let ownClumps: [ParameterClump]?

  /// - Parameter clumps: nil: the parameters of each index of a group.
  package init(
    _ unit: Unit, properties: Set<PropertyID>? = nil, processesInPlace: Bool? = nil, mayHaveNoInputs: Bool = false,
    clumps: [ParameterClump]? = nil
  ) {
    let isEffect = unit.component.description.type == .effect
    self.unit = unit
    self.properties = properties ?? (isEffect ? [.inPlaceProcessing] : [])
    self.processesInPlace = processesInPlace ?? isEffect
    self.mayHaveNoInputs = mayHaveNoInputs
    ownClumps = clumps
  }

  /// The traits of any unit.
  package static func of(_ unit: Unit) -> HostTraits { (unit as? any HostedUnit)?.hostTraits ?? HostTraits(unit) }
}

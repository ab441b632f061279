import AudioCore

extension Unit {
  /// The row of a parameter.
  package func descriptor(of address: ParameterAddress) throws(AudioStatus) -> ParameterDescriptor {
    store.descriptors[try slot(of: address)]
  }

  /// All parameters of all elements, in table order.
  public var allParameters: [(address: ParameterAddress, descriptor: ParameterDescriptor)] {
    Array(zip(store.addresses, store.descriptors)).map { (address: $0, descriptor: $1) }
  }

  /// The place of a parameter in the store.
  package final func slot(of given: ParameterAddress) throws(AudioStatus) -> Int {
    let address = tableAddress(of: given)
    if let slot = store.slots[address] { return slot }
    guard [.global, .input, .output].contains(address.scope) else { throw .invalidScope }
    // Elements of a scope may have different parameters: one that others have is missing on this element.
    let isKnown = store.addresses.contains { $0.id == address.id && $0.scope == address.scope }
    if isKnown || elementCount(address.scope) == 0 { throw .invalidElement }
    throw store.addresses.contains { $0.id == address.id } ? .invalidScope : .invalidParameter
  }

  /// The present value of a parameter or meter.
  public func parameter(_ address: ParameterAddress) throws(AudioStatus) -> Float {
    if let level = meterValue(address) { return level }
    return store[try slot(of: address)]
  }

  /// Sets a parameter; it holds from the first frame of the next slice. Values outside the range are kept as given.
  public func setParameter(_ address: ParameterAddress, to value: Float) throws(AudioStatus) {
    let slot = try slot(of: address)
    guard value.isFinite else { throw .invalidParameterValue }
    guard !store.descriptors[slot].isReadOnly else { throw .invalidParameter }
    store.setByHost(slot, value)
    parameterDidChange(address)
  }

  /// Takes over a value that is the unit's own, and that no caller has set: from a component's preset or saved state.
  package func adoptParameter(_ address: ParameterAddress, value: Float) {
    guard value.isFinite, let slot = store.slots[address], !store.descriptors[slot].isReadOnly else { return }
    store.adopt(slot, value)
  }

  /// Lets a parameter follow a timeline on the unit's own output clock; nil ends that. While open only.
  public func setTimeline(_ timeline: ParameterTimeline?, for address: ParameterAddress) throws(AudioStatus) {
    let slot = try slot(of: address)
    guard !isInitialized else { throw .initialized }
    guard timeline == nil || !store.descriptors[slot].isReadOnly else { throw .invalidParameter }
    timelines[tableAddress(of: address)] = timeline
  }

  /// Lays the parameters out anew after the elements, or the tables themselves, have changed; present values persist.
  package final func rebuildStore() {
    var rows: [(address: ParameterAddress, descriptor: ParameterDescriptor)] = []
    for scope in [Scope.global, .input, .output] {
      for element in parameterElements(scope) {
        for descriptor in parameterTable(scope, element: element) {
          rows.append((ParameterAddress(descriptor.id, scope: scope, element: element), descriptor))
        }
      }
    }
    store = ParameterStore(rows: rows, former: store)
    timelines = timelines.filter { store.slots[$0.key] != nil }
  }
}

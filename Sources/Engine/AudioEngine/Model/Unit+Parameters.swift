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

  /// Where a parameter lies in the store.
  package final func slot(of given: ParameterAddress) throws(AudioStatus) -> Int {
    let address = tableAddress(of: given)
    if let slot = store.slots[address] { return slot }
    guard [.global, .input, .output].contains(address.scope) else { throw .invalidScope }
    // Elements of a scope may have different parameters: one that others have is missing on this element.
    let isKnown = store.addresses.contains { $0.id == address.id && $0.scope == address.scope }
    if isKnown || elementCount(address.scope) == 0 { throw .invalidElement }
    throw store.addresses.contains { $0.id == address.id } ? .invalidScope : .invalidParameter
  }
}

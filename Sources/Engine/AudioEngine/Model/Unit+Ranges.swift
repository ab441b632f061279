import AudioCore

/// Values beside the ranges of their parameters. A unit takes them, as Apple's do; code that refuses or clamps them
/// uses these functions.
extension Unit {
  /// The first value that a parameter is going to have outside a range: set by the host, or at a point of its timeline.
  /// Nil where there is none, and for a value that was not set: a default may lie above half of a low rate, and a
  /// component's own beside the range that it declares.
  package func value(of address: ParameterAddress, outside range: ClosedRange<Float>) -> Float? {
    if let timeline = timelines[address] { return timeline.points.first { !range.contains($0.value) }?.value }
    guard let slot = store.slots[address], store.isHosts(slot), !range.contains(store[slot]) else { return nil }
    return store[slot]
  }

  package func hasTimeline(_ address: ParameterAddress) -> Bool { timelines[address] != nil }

  /// Puts the nearest values of a range in place of those outside it.
  package func clamp(_ address: ParameterAddress, to range: ClosedRange<Float>) {
    func clamped(_ value: Float) -> Float { min(range.upperBound, max(range.lowerBound, value)) }
    if let value = try? parameter(address) { try? setParameter(address, to: clamped(value)) }
    guard let timeline = timelines[address] else { return }
    let points = timeline.points.map { ParameterTimeline.Point(frame: $0.frame, value: clamped($0.value)) }
    try? setTimeline(ParameterTimeline(points), for: address)
  }
}

extension Unit {
  /// The values that a global parameter is known to have: see ``knownValues(of:)``.
  package final func knownValues(ofParameter id: UInt32) -> [Float] { knownValues(of: ParameterAddress(id)) }

  /// The values that a parameter is known to have: those of its timeline's points, or its present one.
  package final func knownValues(of address: ParameterAddress) -> [Float] {
    timelines[address]?.points.map(\.value) ?? [(try? parameter(address)) ?? 0]
  }
}

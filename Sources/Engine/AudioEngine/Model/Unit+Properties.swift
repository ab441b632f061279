import AudioCore

extension Unit {
  /// All properties of the unit: those that every unit has, then its own.
  package var properties: [PropertyDescriptor] { Self.commonProperties + ownProperties }

  /// The row of a property; nil where the unit has none.
  package func descriptor(of id: PropertyID) -> PropertyDescriptor? {
    Self.commonProperties.first { $0.id == id } ?? ownProperties.first { $0.id == id }
  }

  /// Reads a property.
  ///
  /// - Throws, in this order of checks: `.invalidProperty`, `.invalidScope`, `.invalidElement`, then what the property
  ///   itself answers (`.propertyNotInUse` where it has no value yet).
  public func property(
    _ id: PropertyID, _ scope: Scope = .global, element: Int = 0
  ) throws(AudioStatus) -> PropertyValue {
    let row = try row(id, scope, element: element)
    guard let get = row.get else { throw .invalidProperty }
    return try get(self, scope, element)
  }

  /// Writes a property.
  ///
  /// - Throws, in this order of checks: `.invalidProperty`, `.invalidScope`, `.invalidElement`, `.propertyNotWritable`,
  ///   then what the property itself answers: `.initialized`, `.invalidPropertyValue`, `.formatNotSupported`.
  public func setProperty(
    _ id: PropertyID, _ scope: Scope = .global, element: Int = 0, to value: PropertyValue
  ) throws(AudioStatus) {
    let row = try row(id, scope, element: element)
    guard let set = row.set else { throw .propertyNotWritable }
    try set(self, scope, element, value)
  }

  private func row(_ id: PropertyID, _ scope: Scope, element: Int) throws(AudioStatus) -> PropertyDescriptor {
    guard let row = descriptor(of: id) else { throw .invalidProperty }
    guard row.scopes.contains(scope) else { throw .invalidScope }
    if row.isPerElement && (element < 0 || element >= elementCount(scope)) { throw .invalidElement }
    return row
  }

  private static let commonProperties: [PropertyDescriptor] = [
    PropertyDescriptor(
      .streamFormat, "streamFormat", .streamFormat, of: Unit.self, on: [.global, .input, .output],
      get: { (unit, scope, element) throws(AudioStatus) in try unit.streamFormat(scope, element: element) },
      set: { (unit, scope, element, format) throws(AudioStatus) in
        try unit.setStreamFormat(format, scope, element: element)
      }),
    PropertyDescriptor(
      .sampleRate, "sampleRate", .float64("Hz"), of: Unit.self, on: [.global, .input, .output],
      get: { (unit, scope, element) throws(AudioStatus) in try unit.streamFormat(scope, element: element).sampleRate },
      set: { (unit, scope, element, rate) throws(AudioStatus) in
        try unit.setStreamFormat(
          try unit.streamFormat(scope, element: element).at(sampleRate: rate), scope, element: element)
      }),
    PropertyDescriptor(
      .elementCount, "elementCount", .uint32(), of: Unit.self, on: [.global, .input, .output], isPerElement: false,
      get: { unit, scope, _ in unit.elementCount(scope) },
      set: { (unit, scope, _, count) throws(AudioStatus) in try unit.setElementCount(count, scope) }),
    PropertyDescriptor(
      .maximumFramesPerSlice, "maximumFramesPerSlice", .uint32("frames"), of: Unit.self,
      get: { unit, _, _ in unit.maximumFramesPerSlice },
      set: { (unit, _, _, frames) throws(AudioStatus) in try unit.setMaximumFramesPerSlice(frames) }),
    PropertyDescriptor(
      .parameterList, "parameterList", .parameterIDs, of: Unit.self, on: [.global, .input, .output],
      isPerElement: false, get: { unit, scope, element in unit.parameterTable(scope, element: element).map(\.id) }),
    PropertyDescriptor(
      .latency, "latency", .float64("seconds"), of: Unit.self,
      get: { (unit, _, _) throws(AudioStatus) in
        Double(unit.latencyFrames) / (try unit.streamFormat(.global).sampleRate)
      }),
    PropertyDescriptor(
      .tailTime, "tailTime", .float64("seconds"), of: Unit.self,
      get: { (unit, _, _) throws(AudioStatus) in
        guard let frames = unit.tailFrames else { throw .invalidProperty }
        return Double(frames) / (try unit.streamFormat(.global).sampleRate)
      }),
    PropertyDescriptor(
      .supportedNumChannels, "supportedNumChannels", .channelPairs, of: Unit.self,
      get: { (unit, _, _) throws(AudioStatus) in
        guard !unit.channelCapabilities.isEmpty else { throw .invalidProperty }
        return unit.channelCapabilities
      }),
    PropertyDescriptor(
      .factoryPresets, "factoryPresets", .presets, of: Unit.self,
      get: { (unit, _, _) throws(AudioStatus) in
        guard !unit.factoryPresets.isEmpty else { throw .invalidProperty }
        return unit.factoryPresets
      }),
    PropertyDescriptor(
      .lastRenderError, "lastRenderError", .status, of: Unit.self, get: { unit, _, _ in unit.takeLastRenderError() }),
    PropertyDescriptor(
      .parameterSmoothing, "parameterSmoothing", .uint32("frames"), of: Unit.self,
      get: { unit, _, _ in unit.smoothingFrames },
      set: { (unit, _, _, frames) throws(AudioStatus) in try unit.setSmoothingFrames(frames) }),
  ]
}

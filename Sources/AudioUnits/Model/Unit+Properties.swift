import AudioCore

extension Unit {
  /// All properties of the unit: those that every unit has, then its own.
  public var properties: [PropertyDescriptor] { Self.commonProperties + ownProperties }

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
    guard let row = properties.first(where: { $0.id == id }) else { throw .invalidProperty }
    guard row.scopes.contains(scope) else { throw .invalidScope }
    if row.isPerElement && (element < 0 || element >= elementCount(scope)) { throw .invalidElement }
    return row
  }

  private static let commonProperties: [PropertyDescriptor] = [
    PropertyDescriptor(
      .streamFormat, "streamFormat", [.global, .input, .output], type: "stream format",
      get: { (unit, scope, element) throws(AudioStatus) in
        .streamFormat(try unit.streamFormat(scope, element: element))
      },
      set: { (unit, scope, element, value) throws(AudioStatus) in
        guard case .streamFormat(let format) = value else { throw .invalidPropertyValue }
        try unit.setStreamFormat(format, scope, element: element)
      }),
    PropertyDescriptor(
      .sampleRate, "sampleRate", [.global, .input, .output], type: "Float64, Hz",
      get: { (unit, scope, element) throws(AudioStatus) in
        .float64(try unit.streamFormat(scope, element: element).sampleRate)
      },
      set: { (unit, scope, element, value) throws(AudioStatus) in
        guard case .float64(let rate) = value else { throw .invalidPropertyValue }
        try unit.setStreamFormat(
          try unit.streamFormat(scope, element: element).at(sampleRate: rate), scope, element: element)
      }),
    PropertyDescriptor(
      .elementCount, "elementCount", [.global, .input, .output], type: "UInt32", isPerElement: false,
      get: { (unit, scope, _) throws(AudioStatus) in .uint32(UInt32(unit.elementCount(scope))) },
      set: { (unit, scope, _, value) throws(AudioStatus) in
        guard case .uint32(let count) = value else { throw .invalidPropertyValue }
        try unit.setElementCount(Int(count), scope)
      }),
    PropertyDescriptor(
      .maximumFramesPerSlice, "maximumFramesPerSlice", type: "UInt32, frames",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(UInt32(unit.maximumFramesPerSlice)) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .uint32(let frames) = value else { throw .invalidPropertyValue }
        try unit.setMaximumFramesPerSlice(Int(frames))
      }),
    PropertyDescriptor(
      .parameterList, "parameterList", [.global, .input, .output], type: "UInt32[]", isPerElement: false,
      get: { (unit, scope, element) throws(AudioStatus) in
        .parameterIDs(unit.parameterTable(scope, element: element).map(\.id))
      }),
    PropertyDescriptor(
      .latency, "latency", type: "Float64, seconds",
      get: { (unit, _, _) throws(AudioStatus) in
        .float64(Double(unit.latencyFrames) / (try unit.streamFormat(.global).sampleRate))
      }),
    PropertyDescriptor(
      .tailTime, "tailTime", type: "Float64, seconds",
      get: { (unit, _, _) throws(AudioStatus) in
        guard let frames = unit.tailFrames else { throw .invalidProperty }
        return .float64(Double(frames) / (try unit.streamFormat(.global).sampleRate))
      }),
    PropertyDescriptor(
      .supportedNumChannels, "supportedNumChannels", type: "pairs of channel counts",
      get: { (unit, _, _) throws(AudioStatus) in
        guard !unit.channelCapabilities.isEmpty else { throw .invalidProperty }
        return .channelCapabilities(unit.channelCapabilities)
      }),
    PropertyDescriptor(
      .factoryPresets, "factoryPresets", type: "presets",
      get: { (unit, _, _) throws(AudioStatus) in
        guard !unit.factoryPresets.isEmpty else { throw .invalidProperty }
        return .presets(unit.factoryPresets)
      }),
    PropertyDescriptor(
      .lastRenderError, "lastRenderError", type: "status",
      get: { (unit, _, _) throws(AudioStatus) in .int32(unit.takeLastRenderError().rawValue) }),
    PropertyDescriptor(
      .parameterSmoothing, "parameterSmoothing", type: "UInt32, frames",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(UInt32(unit.smoothingFrames)) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .uint32(let frames) = value else { throw .invalidPropertyValue }
        try unit.setSmoothingFrames(Int(frames))
      }),
  ]
}

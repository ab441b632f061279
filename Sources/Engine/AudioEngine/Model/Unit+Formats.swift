import AudioCore

extension Unit {
  /// True when the unit is the head of a graph: an output of one kind or another.
  package var isOutput: Bool { component.description.type == .output }

  /// The stream format of a bus.
  public func streamFormat(_ scope: Scope, element: Int = 0) throws(AudioStatus) -> StreamFormat {
    switch scope {
    case .input where inputs.indices.contains(element): return inputs[element].format
    case .output where outputs.indices.contains(element): return outputs[element].format
    // The global scope means output 0.
    case .global where element == 0:
      if let format = outputs.first?.format { return format }
      throw .invalidElement
    case .input, .output, .global: throw .invalidElement
    default: throw .invalidScope
    }
  }

  /// Sets the stream format of a bus. The same format again is always accepted.
  ///
  /// - Throws: `.formatNotSupported` (the former format stays), `.propertyNotWritable` while initialized or on an input
  ///   that a connection feeds, `.invalidElement`, `.invalidScope`.
  public func setStreamFormat(_ format: StreamFormat, _ scope: Scope, element: Int = 0) throws(AudioStatus) {
    let present = try streamFormat(scope, element: element)
    guard format != present else { return streamFormatWasSet(scope == .global ? .output : scope, element: element) }
    if scope == .input, feeds[element]?.isConnection ?? false { throw .propertyNotWritable }
    guard format.isValid else { throw .formatNotSupported }
    try check(format, scope == .global ? .output : scope, element: element)
    guard !isInitialized else { throw .propertyNotWritable }
    switch scope {
    case .input: inputs[element].format = format
    default: outputs[element].format = format
    }
    streamFormatWasSet(scope == .global ? .output : scope, element: element)
  }

  /// Takes over the format of a source that is being connected, and freezes it. The connection replaces a callback.
  package func connectInput(_ bus: Int, format: StreamFormat) throws(AudioStatus) {
    guard inputs.indices.contains(bus) else { throw .invalidElement }
    // If this fails the former connection stays, and its format frozen.
    try keepingFeed(ofInput: bus) { () throws(AudioStatus) in
      if feeds[bus]?.isConnection ?? false { feeds[bus] = nil }
      try setStreamFormat(format, .input, element: bus)
      feeds[bus] = .connection
    }
  }

  /// Notes that the host feeds an input bus from a function of its own.
  package func feedInputFromHost(_ bus: Int) { feeds[bus] = .host }

  /// Leaves an input bus without a source; its format stays.
  package func disconnectInput(_ bus: Int) { feeds[bus] = nil }

  /// Runs `body`; where that fails, the bus is fed by what fed it before.
  package func keepingFeed(ofInput bus: Int, _ body: () throws(AudioStatus) -> Void) throws(AudioStatus) {
    let former = (feeds[bus], plannedBytes)
    do { try body() } catch {
      (feeds[bus], plannedBytes) = former
      throw error
    }
  }

  /// The callback of an input bus, where it has one.
  package func renderCallback(input bus: Int) -> RenderCallback? {
    if case .callback(let callback) = feeds[bus] { callback } else { nil }
  }
}

import AudioCore

/// The memory of a unit: estimated from counts and formats before anything is allocated, so that a small graph file
/// cannot exhaust memory. Bounds from measured sizes; `UnitMemoryTests` compares them with what is allocated.
extension Unit {
  /// The memory of the unit once it is initialized, in bytes: its parameters and buses, the slice buffers of its
  /// outputs and callbacks, converters in front of inputs that have a source, and its processor.
  package final var memoryBytes: Int {
    var bytes = Self.memoryBytes(inputs: inputs.count, parameters: store.count)
    for output in outputs { bytes = MemoryBudget.sum(bytes, Self.sliceBytes(output.format, maximumFramesPerSlice)) }
    for bus in feeds.keys { bytes = MemoryBudget.sum(bytes, feedBytes(ofInput: bus)) }
    return MemoryBudget.sum(bytes, processorBytes)
  }

  /// Throws where the unit alone would take more memory than anything may.
  package func checkMemory() throws(AudioStatus) { try plan(memoryBytes) }

  /// Throws where the unit, which is initialized, would take more memory than anything may with the present source of
  /// an input.
  /// - Parameter formerBytes: the memory of the source that this one replaces, see ``feedBytes(ofInput:)``.
  package func checkMemory(ofInput bus: Int, insteadOf formerBytes: Int) throws(AudioStatus) {
    try plan(MemoryBudget.sum(plannedBytes - formerBytes, feedBytes(ofInput: bus)))
  }

  private func plan(_ bytes: Int) throws(AudioStatus) {
    var budget = MemoryBudget()
    do { try budget.add(bytes, for: "", of: "the unit") } catch {
      preparationFailure = error
      throw .memoryFull
    }
    plannedBytes = bytes
  }

  /// The memory of the source of one input: the buffer that a callback is offered, and a converter; 0 without a source.
  package final func feedBytes(ofInput bus: Int) -> Int {
    guard let feed = feeds[bus], inputs.indices.contains(bus) else { return 0 }
    let buffer = feed.isConnection ? 0 : Self.sliceBytes(inputs[bus].format, maximumFramesPerSlice)
    return MemoryBudget.sum(buffer, convertsInput(bus) ? converterBytes(bus) : 0)
  }

  /// The memory of a unit with so many inputs and parameters while it is open, and of the state with which these
  /// render.
  package static func memoryBytes(inputs: Int, parameters: Int) -> Int {
    MemoryBudget.sum(
      32 << 10, MemoryBudget.sum(MemoryBudget.product(inputs, 512), MemoryBudget.product(parameters, 320)))
  }

  /// The memory of the unit with another number of inputs, while it is open: checked before that is set.
  package final func memoryBytes(withInputs count: Int) -> Int {
    Self.memoryBytes(inputs: count, parameters: parameterCount(withInputs: count))
  }

  /// The buffer of a bus.
  package static func sliceBytes(_ format: StreamFormat, _ frames: Int) -> Int {
    MemoryBudget.product(format.bufferCount, frames * format.bytesPerFrame + 128)
  }

  private func converterBytes(_ bus: Int) -> Int {
    let format = processingFormat(ofInput: bus)
    let conversion =
      hasOtherFormat(ofInput: bus)
      ? FormatConverter.memoryBytes(
        from: inputs[bus].format, to: format, maximumFrames: maximumFramesPerSlice, options: conversionOptions) : 0
    return MemoryBudget.sum(
      MemoryBudget.sum(Self.sliceBytes(format, maximumFramesPerSlice), conversion),
      (self as? any InputSpeedUnit)?.speedBytes(input: bus) ?? 0)
  }
}

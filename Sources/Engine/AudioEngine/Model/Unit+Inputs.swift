import AudioCore
import SampleRate

/// Sources of inputs, and what stands in front of these: converters, and processors that play them at another speed.
extension Unit {
  /// True where what arrives at an input is not what the processor computes in.
  package func hasOtherFormat(ofInput bus: Int) -> Bool { inputs[bus].format != processingFormat(ofInput: bus) }

  /// Makes what an input that gets a source needs in front of it: a converter, where formats differ. While initialized.
  ///
  /// An input without a source has none: a mixer may have thousands of these.
  package func prepareInput(_ bus: Int) throws(AudioStatus) {
    guard inputConverters[bus] == nil else { return }
    inputConverters[bus] = try makeInputConverter(bus)
  }

  /// Lets go of the converter in front of an input, so that the next source gets a new one without history. A render
  /// call that uses it has to retain it.
  package func discardConverter(ofInput bus: Int) { inputConverters[bus] = nil }

  /// A converter from an input's stream to what the processor computes in; nil where none is needed. It is the caller's
  /// to keep and to connect.
  package func makeInputConverter(_ bus: Int) throws(AudioStatus) -> RenderNode? {
    guard convertsInput(bus) else { return nil }
    let format = processingFormat(ofInput: bus)
    return makeConverter(
      "converter of input \(bus)", try makeInputProcessor(bus), from: inputs[bus].format, to: format,
      isInputConverter: true)
  }

  /// A node of its own for a conversion that the unit runs.
  package func makeConverter(
    _ name: String, from input: StreamFormat, to output: StreamFormat, options: FormatConverter.Options
  ) throws(AudioStatus) -> RenderNode {
    makeConverter(
      name, try makeConversion(from: input, to: output, options: options), from: input, to: output,
      isInputConverter: false)
  }

  private func makeConverter(
    _ name: String, _ processor: Processor, from input: StreamFormat, to output: StreamFormat, isInputConverter: Bool
  ) -> RenderNode {
    RenderNode(
      name: "\(label), \(name)", processor: processor, inputFormats: [input], outputFormats: [output],
      maximumFrames: maximumFramesPerSlice,
      parameters: RenderParameters(store: ParameterStore(rows: []), timelines: [:], smoothingFrames: 0),
      isInputConverter: isInputConverter)
  }

  /// A conversion that the unit runs; where it is impossible, ``renderFailure`` keeps the reason.
  package func makeConversion(
    from input: StreamFormat, to output: StreamFormat, options: FormatConverter.Options
  ) throws(AudioStatus) -> ConversionProcessor {
    do {
      return try ConversionProcessor(from: input, to: output, maximumFrames: maximumFramesPerSlice, options: options)
    } catch {
      preparationFailure = BenchError(.graph, at: error.place, error.message, advice: error.advice)
      throw .formatNotSupported
    }
  }

  /// True where a converter stands in front of an input: what arrives there is not what the processor computes in, or
  /// is played at another speed.
  package func convertsInput(_ bus: Int) -> Bool { self is any InputSpeedUnit || hasOtherFormat(ofInput: bus) }

  /// Makes what renders in front of an input.
  private func makeInputProcessor(_ bus: Int) throws(AudioStatus) -> Processor {
    if let unit = self as? any InputSpeedUnit { return try unit.makeSpeedProcessor(input: bus) }
    return try makeConversion(from: inputs[bus].format, to: processingFormat(ofInput: bus), options: conversionOptions)
  }

  /// The options of converters in front of inputs.
  package final var conversionOptions: FormatConverter.Options {
    FormatConverter.Options(quality: (self as? any InputConvertingUnit)?.quality ?? .standard)
  }

  /// Sets or removes the function that feeds an input bus. A bus has one source: this replaces a connection.
  public func setRenderCallback(_ callback: RenderCallback?, input bus: Int) throws(AudioStatus) {
    guard inputs.indices.contains(bus) else { throw .invalidElement }
    feeds[bus] = callback.map { .callback($0) }
    if isInitialized { try attachCallback(bus) }
  }

  /// The node and slot that take what arrives at an input bus: the bus itself, or the converter in front of it.
  package func entry(ofInput bus: Int) -> (node: RenderNode, slot: Int)? {
    inputConverters[bus].map { ($0, 0) } ?? node.map { ($0, bus) }
  }

  /// Sets or removes the callback of an input.
  func attachCallback(_ bus: Int) throws(AudioStatus) {
    guard let node, let callback = renderCallback(input: bus) else {
      if let entry = entry(ofInput: bus) { entry.node.slots[entry.slot].source = .none }
      return
    }
    try prepareInput(bus)
    if let converter = inputConverters[bus] {
      node.slots[bus].source = .node(Unmanaged.passUnretained(converter), bus: 0)
    }
    let buffer = StreamBuffer(format: inputs[bus].format, frameCapacity: maximumFramesPerSlice)
    guard let entry = entry(ofInput: bus) else { return }
    entry.node.slots[entry.slot].source = .callback(CallbackSource(callback, buffer, bus: bus))
  }
}

/// A unit that lets the quality of the converters in front of its inputs be chosen.
package protocol InputConvertingUnit: Unit {
  var quality: RateConversionQuality { get }
}

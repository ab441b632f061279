import AudioCore

/// What stands in front of inputs: converters, and what plays them at another speed.
extension Unit {
  /// Whether what arrives at an input is not what the processor computes in.
  package func hasOtherFormat(ofInput bus: Int) -> Bool { inputs[bus].format != processingFormat(ofInput: bus) }

  /// Makes what an input that gets a source needs in front of it: a converter, where formats differ. While initialized.
  ///
  /// An input without a source has none: a mixer may have thousands of these.
  package func prepareInput(_ bus: Int) throws(AudioStatus) {
    guard inputConverters[bus] == nil else { return }
    inputConverters[bus] = try makeInputConverter(bus)
  }

  /// Lets go of the converter in front of an input, so that the next source gets a new one without history. A render call
  /// that uses it has to retain it.
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
    do throws(BenchError) {
      return try ConversionProcessor(from: input, to: output, maximumFrames: maximumFramesPerSlice, options: options)
    } catch {
      preparationFailure = BenchError(.graph, at: error.place, error.message, advice: error.advice)
      throw .formatNotSupported
    }
  }
}

/// A unit that plays each input at a speed of its own: a processor in front of it does that, and converts the format as well.
package protocol InputSpeedUnit: Unit {
  func makeSpeedProcessor(input bus: Int) throws(AudioStatus) -> Processor
  /// The memory of such a processor, without the conversion, in bytes.
  func speedBytes(input bus: Int) -> Int
}

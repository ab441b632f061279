import AudioCore

/// A unit that plays its inputs at another speed than their own. A render's length and the reading of files depend on
/// it.
package protocol SpeedUnit: Unit {
  /// The first output frame that belongs to an input frame, or to what lies behind it.
  /// - Parameters:
  ///   - frames: frames of the input, on the output's clock at equal speed; 0 or more.
  ///   - bus: the input.
  func outputEnd(ofInputEnd frames: Int64, input bus: Int) -> Int64
  /// The speed of an input: how many times its own, at the most.
  func mostSpeed(ofInput bus: Int) -> Double
}

/// A unit that plays each input at a speed of its own: a processor in front of it does that, and converts the format as
/// well.
package protocol InputSpeedUnit: SpeedUnit {
  func makeSpeedProcessor(input bus: Int) throws(AudioStatus) -> Processor
  /// The memory of such a processor, without the conversion, in bytes.
  func speedBytes(input bus: Int) -> Int
}

extension Unit {
  /// Frames of an input that are pulled for each frame of the output, at the most.
  package final func mostFramesAsked(ofInput bus: Int) -> Double {
    guard let output = outputs.first, inputs.indices.contains(bus) else { return 1 }
    let ratio = inputs[bus].format.sampleRate / output.format.sampleRate
    return ratio * ((self as? any SpeedUnit)?.mostSpeed(ofInput: bus) ?? 1)
  }
}

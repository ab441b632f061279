import AudioCore

/// The required output, computed from formulas: a reference that shares no code with the engine.
public struct FormulaDevice: Device {
  /// `formula`, and the texts of the formulas with `; ` between.
  public let name: String
  /// Channels that it is to be given; nil: any number.
  public var inputChannelCount: Int?
  /// Nil: formulas do not say.
  public let reportedLatencyFrames: Double? = nil
  /// Nil: formulas do not say.
  public let reportedTailFrames: Int64? = nil
  /// The precision of its output; the input is taken as it is.
  public let precision: SamplePrecision
  /// One for each output channel, or one for all.
  public let formulas: [Formula]
  /// The number of output channels if one formula serves all; nil: as many as the input has.
  public var outputChannelCount: Int?
  /// Frames of the output; nil: as long as the input.
  public var outputFrames: Int?
  /// Hertz of the output; nil: the input's.
  public var outputRate: Double?
  /// One for each formula, or ``outputChannelCount``.
  public var reportedOutputChannelCount: Int? { formulas.count > 1 ? formulas.count : outputChannelCount }
  /// Signals besides the input, by name.
  public var signals: [String: AudioSignal] = [:]

  /// - Parameters:
  ///   - formulas: one for each output channel, or one for all of them; at least one.
  ///   - precision: `.float32` where the output is to be rounded to floats, as the engine's is; `.float64` leaves it.
  public init(_ formulas: [Formula], precision: SamplePrecision = .float32) {
    precondition(!formulas.isEmpty)
    self.formulas = formulas
    self.precision = precision
    name = "formula " + formulas.map(\.text).joined(separator: "; ")
  }

  /// - Throws: `.suite` for a channel that a signal does not have, `.usage` where the output would take too much
  ///   memory.
  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    let rate = outputRate ?? input.sampleRate
    let frames =
      outputFrames ?? input.frameCount(atRate: rate)
    let count = reportedOutputChannelCount ?? input.channelCount
    try AudioSignal.checkMemory(frames: frames, channels: count, at: "formula", kind: .suite)
    let values = FormulaValues(signals: signals.merging(["in": input]) { $1 }, sampleRate: rate)
    var channels: [[Double]] = []
    for channel in 0..<count {
      channels.append(
        try values.values(of: formulas[formulas.count > 1 ? channel : 0], channel: channel, frames: frames))
    }
    let signal = AudioSignal(sampleRate: rate, channels: channels)
    return precision == .float32 ? signal.roundedToFloat() : signal
  }
}

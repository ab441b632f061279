import AudioCore

/// The outputs that a device is expected to have, and the inputs that are heard in each: worked out before anything is
/// measured, so that what is absent is not taken for what is well.
public struct ExpectedRoutes: Hashable, Sendable {
  /// One output.
  public struct Output: Hashable, Sendable {
    /// The input channels that are heard in it, from 0; its response is measured from the first. None: it is silent.
    public var inputs: [Int]
    /// True when each of the inputs must be heard; false: one at least.
    public var needsEach: Bool

    /// An output of these inputs, each of which must be heard in it.
    public init(_ inputs: [Int], needsEach: Bool = true) {
      self.inputs = inputs
      self.needsEach = needsEach
    }
  }

  /// By output channel. Further outputs that a device has are expected to be silent.
  public var outputs: [Output]
  /// The peak, dBFS, that counts as silence where no sound is expected.
  public var silenceDecibels = Self.standardSilenceDecibels

  /// Above the dither of 16 bits.
  public static let standardSilenceDecibels = -80.0

  /// - Parameter outputs: by output channel.
  public init(_ outputs: [Output]) { self.outputs = outputs }

  /// The routes of a device of which nothing else is said: each input comes out of the output with its number, one
  /// input out of all outputs that the device reports.
  public init(of device: some Device, inputCount: Int) {
    let count = max(inputCount, device.reportedOutputChannelCount ?? 0)
    self.init(
      (0..<count).map { output in
        output < inputCount ? Output([output]) : Output(inputCount == 1 ? [0] : [])
      })
  }

  /// So many outputs. Where they are not as many as the inputs, any of the inputs may be heard in those that have no
  /// input of their own.
  public init(outputCount: Int, inputCount: Int) {
    let all = Output(Array(0..<inputCount), needsEach: false)
    self.init(
      (0..<outputCount).map { output in
        outputCount < inputCount || output >= inputCount ? all.beginning(with: output) : Output([output])
      })
  }

  /// True where each input comes out of the output with its number, and nowhere else.
  func isStraight(inputCount: Int) -> Bool {
    outputs.count == inputCount && outputs.indices.allSatisfy { outputs[$0].inputs == [$0] }
  }

  /// The outputs that must sound.
  var sounding: [Int] { outputs.indices.filter { !outputs[$0].inputs.isEmpty } }
}

extension ExpectedRoutes.Output {
  /// The same inputs, one of them first.
  fileprivate func beginning(with input: Int) -> Self {
    guard inputs.contains(input) else { return self }
    var output = self
    output.inputs = [input] + inputs.filter { $0 != input }
    return output
  }
}

/// Something that is not as the routes say: an output that is not there or silent, or a sound that nobody expected.
public struct RouteProblem: Hashable, Sendable {
  /// The output channel, from 0.
  public let output: Int
  /// True when the output does not give what is to be measured there, so that it has no readings.
  public let isAbsence: Bool
  /// As "nothing comes out".
  public let reason: String

  package init(output: Int, isAbsence: Bool, reason: String) {
    (self.output, self.isAbsence, self.reason) = (output, isAbsence, reason)
  }

  /// A sentence about readings of a channel: "channel 1: no reading of latency: nothing comes out".
  public func text(_ readings: [String]) -> String {
    guard isAbsence, !readings.isEmpty else { return "channel \(output): \(reason)" }
    return "channel \(output): no reading of \(readings.joined(separator: ", ")): \(reason)"
  }
}

/// A device whose inputs stand in another order: input channel n of this one is the input that is heard at output n.
struct RoutedDevice: Device {
  let base: any Device
  /// By input channel of this device, that of the other.
  let inputs: [Int]
  let baseInputCount: Int

  var name: String { base.name }
  var inputChannelCount: Int? { inputs.count }
  var preferredSampleRate: Double? { base.preferredSampleRate }
  var reportedLatencyFrames: Double? { base.reportedLatencyFrames }
  var reportedTailFrames: Int64? { base.reportedTailFrames }
  var reportedOutputChannelCount: Int? { base.reportedOutputChannelCount }
  var precision: SamplePrecision { base.precision }

  func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    var channels = [[Double]](repeating: Stimulus.silence(frames: input.frameCount), count: baseInputCount)
    for (channel, target) in inputs.enumerated() where channel < input.channelCount && target < baseInputCount {
      for (frame, sample) in input.channels[channel].enumerated() { channels[target][frame] += sample }
    }
    return try base.process(AudioSignal(sampleRate: input.sampleRate, channels: channels))
  }
}

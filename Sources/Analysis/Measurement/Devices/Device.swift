import AudioCore
import Glibc

/// A device under test: something that makes of one signal another.
///
/// Every call to ``process(_:)`` starts from rest: what one call left behind is not heard in the next.
public protocol Device: DeviceConvertible, Sendable {
  /// For people and reports: `nBandEQ`, `song.json`, `sox … lowpass 1000`.
  var name: String { get }
  /// The number of channels that it is to be given; nil: any.
  var inputChannelCount: Int? { get }
  /// The rate at which it is to be measured unless another is given, hertz; nil: any.
  var preferredSampleRate: Double? { get }
  /// The latency that the device reports, in frames of its output; nil: none is reported.
  var reportedLatencyFrames: Double? { get }
  /// The tail that the device reports after its input, to −120 dB, in frames of its output; nil: none is reported.
  var reportedTailFrames: Int64? { get }
  /// The number of output channels that the device reports before anything is played; nil: it reports none.
  var reportedOutputChannelCount: Int? { get }
  /// The sample format in which a signal passes into it and out of it: sets the floor of what can be measured.
  var precision: SamplePrecision { get }

  /// Runs a signal through it from rest.
  ///
  /// - Returns: at any rate and number of channels, and as long as the device makes it: its input's length and the tail
  ///   that it declares at least.
  /// - Throws: the error of the render, the command or a file.
  func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal

  /// The device as it is measured: one that plays files of its own takes the stimulus in place of them.
  ///
  /// - Throws: `.graph` where it has nothing that could play a stimulus, `.usage` where it is not clear what should.
  func takingStimulus() throws(BenchError) -> any Device
}

extension Device {
  /// Nil unless the device has one: any rate.
  public var preferredSampleRate: Double? { nil }
  /// Nil unless the device says so.
  public var reportedOutputChannelCount: Int? { nil }
  /// The device itself, unless it plays files of its own.
  public func takingStimulus() throws(BenchError) -> any Device { self }
}

/// A device whose slice length and number of threads can be set. Neither may change the sound.
public protocol PartitionableDevice: Device {
  /// True when the partition can really be set; true unless the device overrides it.
  var canBePartitioned: Bool { get }
  /// The partition that ``Device/process(_:)`` uses.
  var standardPartition: RenderPartition { get }
  /// Frames of a slice that a partition comes to; nil: not known.
  func sliceFrames(of partition: RenderPartition) throws(BenchError) -> Int?
  /// As ``Device/process(_:)``, with this partition. The sound must be the same.
  func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal
}

extension PartitionableDevice {
  /// True unless the device says otherwise.
  public var canBePartitioned: Bool { true }
  /// The device's own slices and one thread, unless it says otherwise.
  public var standardPartition: RenderPartition { RenderPartition() }
  /// The frames that the partition names; nil where it names none.
  public func sliceFrames(of partition: RenderPartition) throws(BenchError) -> Int? { partition.sliceFrames }
}

/// The division of a render into slices and among threads.
public struct RenderPartition: Hashable, Sendable {
  /// Frames per render call; nil: the graph's maximum.
  public var sliceFrames: Int?
  /// Threads that render at once, the calling one included; 1 or more.
  public var threads: Int
  /// Unless told otherwise, slices of the device's own length on one thread.
  public init(sliceFrames: Int? = nil, threads: Int = 1) {
    self.sliceFrames = sliceFrames
    self.threads = threads
  }
}

/// The sample format of a device's ends.
public enum SamplePrecision: Hashable, Sendable {
  /// 32-bit floats.
  case float32
  /// 64-bit floats.
  case float64
  /// Integers with so many bits.
  case integer(bits: Int)

  /// The deviation of what rounding to the format does to a sample: a step ÷ √12.
  /// - Parameter peak: the largest sample; the steps of floats are those of samples as large.
  func roundingDeviation(peak: Double) -> Double {
    let step =
      switch self {
      case .float64: peak.ulp
      case .float32: Double(Float(peak).ulp)
      case .integer(let bits): exp2(Double(1 - bits))
      }
    return step / 12.0.squareRoot()
  }

  /// The same of many samples: what rounding adds has this rms.
  func roundingDeviation(of samples: some Collection<Double>) -> Double {
    guard case .float32 = self, !samples.isEmpty else {
      return roundingDeviation(peak: samples.largest.magnitude)
    }
    let squares = samples.reduce(0.0) { sum, sample in
      let step = Double(Float(abs(sample)).ulp)
      return sum + step * step
    }
    return (squares / Double(samples.count) / 12).squareRoot()
  }

  /// A signal as this format keeps it: rounded, not dithered, clipped where it does not fit.
  public func rounded(_ signal: AudioSignal) -> AudioSignal {
    switch self {
    case .float32: return signal.roundedToFloat()
    case .float64: return signal
    case .integer(let bits):
      let scale = Double(Int64(1) << (bits - 1))
      return signal.mapped { min(max(($0 * scale).rounded(.toNearestOrEven), -scale), scale - 1) / scale }
    }
  }
}

/// A device made of a function: for known answers, and for code under test in the same program.
public struct FunctionDevice: Device {
  /// As it is to be called in reports.
  public let name: String
  /// Channels that the function is to be given; nil: it takes any number.
  public var inputChannelCount: Int?
  /// The rate at which it is measured unless another is given, in hertz; nil: any.
  public var preferredSampleRate: Double?
  /// The delay that the device is to declare, in frames of its output; nil: it declares none.
  public var reportedLatencyFrames: Double?
  /// The tail that the device is to declare, to −120 dB, in frames of its output; nil: it declares none.
  public var reportedTailFrames: Int64?
  /// Sets the floors of what is measured. Nothing is rounded to it: that is for the function to do.
  public var precision: SamplePrecision
  private let body: @Sendable (AudioSignal) throws(BenchError) -> AudioSignal

  /// - Parameters:
  ///   - name: for people.
  ///   - inputChannelCount: nil: any.
  ///   - precision: the precision of the function's input and output samples.
  ///   - body: makes the output, from rest each time.
  public init(
    _ name: String, inputChannelCount: Int? = nil, precision: SamplePrecision = .float64,
    _ body: @escaping @Sendable (AudioSignal) throws(BenchError) -> AudioSignal
  ) {
    self.name = name
    self.inputChannelCount = inputChannelCount
    self.precision = precision
    self.body = body
  }

  /// Applies the function to the input; throws the function's error.
  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal { try body(input) }

  /// The output is the input in a sample format: a measurement of it reads the measurement's own floor.
  public static func identity(_ precision: SamplePrecision) -> FunctionDevice {
    FunctionDevice("nothing", precision: precision) { (input) throws(BenchError) in precision.rounded(input) }
  }
}

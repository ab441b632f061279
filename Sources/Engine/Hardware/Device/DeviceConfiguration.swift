import AudioCore
import Glibc

/// The settings of the simulated hardware: its rate and buffer, the speed of its clock, and the place of its sound.
public struct DeviceConfiguration: Hashable, Sendable {
  /// The clock that paces the pull.
  public enum Clock: String, Hashable, Sendable, CaseIterable {
    /// By the wall clock, as a real device does.
    case real
    /// As fast as the program delivers.
    case free
    /// Only as far as the program says: a scenario's, see ``SimulatedHardware/advance(seconds:)``.
    case told
  }

  /// Hertz; the device's rates are whole numbers.
  public var sampleRate = 44_100.0
  /// Channels out.
  public var channelCount = 2
  /// Channels in; 0: there is no microphone.
  public var inputChannelCount = 2
  /// Frames of one cycle.
  public var bufferFrames = 512
  /// The clock that paces the pull; the wall clock unless set otherwise.
  public var clock = Clock.real
  /// Device time after which a run pulls no more; nil: until it is stopped.
  public var seconds: Double?
  /// The file that gets what was pulled, whole when the run ends; nil: nothing is kept.
  public var wavePath: String?

  /// Hertz: the rates that the device can have. Whole numbers only, see ``SimulatedHardware/setSampleRate(_:)``.
  public static let sampleRates = 8_000.0...192_000.0
  /// Frames that a cycle can have.
  public static let bufferFrameCounts = 16...4_096
  /// Seconds: the most that `AUBENCH_DEVICE_SECONDS` may ask for.
  public static let longestSeconds = 3e6

  /// 44,100 Hz, 2 channels, cycles of 512 frames by the wall clock, without an end and without a file.
  public init() {}

  /// Frames after which a run pulls no more.
  package var frameLimit: Int64? { seconds.flatMap { FrameCount.from(seconds: $0, sampleRate: sampleRate) } }

  /// The output format of the hardware: Float32, all channels in one buffer.
  public var streamFormat: StreamFormat {
    StreamFormat(sampleRate: sampleRate, channelCount: channelCount, isInterleaved: true)
  }

  /// The input format of the hardware: as ``streamFormat``, with the microphone's channels. Without a microphone, one
  /// channel of silence.
  public var inputFormat: StreamFormat {
    StreamFormat(sampleRate: sampleRate, channelCount: max(1, inputChannelCount), isInterleaved: true)
  }

  /// The set-up that the environment asks for.
  ///
  /// - Parameters:
  ///   - variable: the value of an environment variable; empty counts as not there.
  ///   - complain: called with a sentence for each value that cannot be used; the default is used instead.
  public init(variable: (String) -> String?, complain: (String) -> Void) {
    func read<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
      guard let text = variable(name), !text.isEmpty else { return nil }
      if let value = parse(text) { return value }
      complain("\(name)=\"\(text)\" is not \(expected), and is left out of account")
      return nil
    }
    let rates = Self.sampleRates
    let frames = Self.bufferFrameCounts
    if let rate = read(
      "AUBENCH_DEVICE_RATE",
      "a whole rate of \(Int(clamping: rates.lowerBound)) to \(Int(clamping: rates.upperBound)) Hz",
      { Int($0).map(Double.init).flatMap { rates.contains($0) ? $0 : nil } })
    {
      sampleRate = rate
    }
    if let count = read(
      "AUBENCH_DEVICE_FRAMES", "a number of \(frames.lowerBound) to \(frames.upperBound) frames",
      { Int($0).flatMap { frames.contains($0) ? $0 : nil } })
    {
      bufferFrames = count
    }
    if let clock = read(
      "AUBENCH_DEVICE_CLOCK", "\"real\" or \"free\"", { Clock(rawValue: $0).flatMap { $0 == .told ? nil : $0 } })
    {
      self.clock = clock
    }
    seconds = read(
      "AUBENCH_DEVICE_SECONDS", "a number of 0 to \(Int(clamping: Self.longestSeconds)) seconds",
      { Double($0).flatMap { (0...Self.longestSeconds).contains($0) ? $0 : nil } })
    wavePath = read("AUBENCH_DEVICE_WAV", "a path") { $0 }
  }
}

import AudioCore
import AudioEngine
import DeviceUnits
import Hardware
import Measurement
import Processes

/// The Voice-Processing I/O unit between a scripted microphone and loudspeaker, as a voice processor under test.
///
/// The first channel of its input is the microphone's signal, the second what the app plays. It runs on hardware of its
/// own whose clock is advanced by the test, in cycles of 10 ms.
public struct VoiceUnitDevice: VoiceDevice {
  /// As units and this device are named.
  public static let unitName = "voiceProcessingIO"
  public let name = Self.unitName
  public let inputChannelCount: Int? = 2
  public let reportedOutputChannelCount: Int? = 1
  /// The rate of wide-band telephony, unless another is set, hertz.
  public private(set) var preferredSampleRate: Double? = 16_000
  public let reportedLatencyFrames: Double? = nil
  public let reportedTailFrames: Int64? = nil
  public let precision = SamplePrecision.float32

  /// The values to set on a new unit, by the names of its properties.
  private var properties: [(name: String, value: UInt32)] = []

  /// As a new unit is set, but for some of its properties: `("voiceProcessingQuality", "127")`.
  /// - Throws: `.usage` for a property that the unit does not have, or a value that it does not take.
  public init(_ settings: [(key: String, value: String)] = []) throws(BenchError) {
    for (key, text) in settings {
      let name = Self.keys[key] ?? key
      guard name != Self.gainControl else {
        throw BenchError(
          .usage, at: "property \"\(key)\"",
          "is set by the measurement: off for echoes, on for the figures of gain control")
      }
      guard let number = ["false": 0, "true": 1][text] ?? UInt32(text) else {
        throw BenchError(
          .usage, at: "property \"\(key)\"", "\"\(text)\" is no whole number from 0 on, and neither true nor false")
      }
      properties.append((name, number))
    }
    _ = try unit(on: SimulatedHardware(DeviceConfiguration()), 48_000, isInitialized: false)
  }

  private static let gainControl = "voiceProcessingEnableAGC"
  /// Keys of graph files and the properties that they set.
  private static let keys = [
    "gainControl": gainControl, "bypass": "bypassVoiceProcessing",
    "voiceQuality": "voiceProcessingQuality",
  ]

  /// As a suite has it, with the keys of graph files: `{"unit": "voiceProcessingIO", "voiceQuality": 127}`.
  package init(node: JSONValue, sampleRate: Double) throws(BenchError) {
    var settings: [(String, String)] = []
    if case .object(let keys) = node {
      for (name, value) in keys.sorted(by: { $0.key < $1.key }) where name != "unit" {
        switch (Self.keys[name], value) {
        case (let property?, .number(let number)): settings.append((property, NumberText.short(number)))
        case (let property?, .bool(let isOn)): settings.append((property, isOn ? "1" : "0"))
        default:
          throw BenchError(
            .suite, at: "key \"\(name)\"", "is none of a voice processor that is measured, or no number or switch",
            advice: "it has \(Self.keys.keys.sorted().joined(separator: ", "))")
        }
      }
    }
    try self.init(settings)
    preferredSampleRate = sampleRate
  }

  private func value(_ name: String, otherwise value: UInt32) -> UInt32 {
    properties.last { $0.name == name }?.value ?? value
  }

  public var setting: String {
    let gain = value(Self.gainControl, otherwise: 1) != 0 ? "on" : "off"
    let suppressor = value("residualEchoSuppression", otherwise: 1) != 0 ? "on" : "off"
    return "suppressor \(suppressor), gain control \(gain), quality \(value("voiceProcessingQuality", otherwise: 96))"
      + (value("bypassVoiceProcessing", otherwise: 0) != 0 ? ", bypassed" : "")
  }

  public func controllingGain(_ isOn: Bool) -> (any VoiceDevice)? {
    var device = self
    device.properties.append((Self.gainControl, isOn ? 1 : 0))
    return device
  }

  /// - Throws: `.usage` for a rate that the hardware cannot have, `.render` where the unit fails.
  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    let rate = input.sampleRate
    guard DeviceConfiguration.sampleRates.contains(rate), rate == rate.rounded(), input.channelCount == 2 else {
      throw BenchError(
        .usage, at: name,
        "takes two channels at a whole rate in hertz, and not \(input.channelCount) at \(NumberText.short(rate))")
    }
    let scratch = try ScratchFolder()
    let path = scratch.file("microphone.wav")
    try AudioSignal(sampleRate: rate, channels: [input.channels[0]]).write(to: path)
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.sampleRate = rate
    scenario.device.outputChannels = 1
    scenario.device.slices = [Int(clamping: rate / 100)]
    scenario.microphone = .file(path: path, gain: 1, repeats: false)
    let hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
    let run = VoiceUnitRun(try unit(on: hardware, rate), played: input.channels[1], frames: input.frameCount)
    return AudioSignal(sampleRate: rate, channels: [try run.heard(on: hardware, at: name)])
  }

  private func unit(
    on hardware: SimulatedHardware, _ rate: Double, isInitialized: Bool = true
  ) throws(BenchError) -> DeviceOutput {
    let unit = DeviceOutput(.voiceProcessing, hardware: hardware)
    for (name, value) in properties {
      guard let property = unit.ownProperties.first(where: { $0.name == name }) else {
        let near = nearest(to: name, in: unit.ownProperties.map(\.name)).first
        throw BenchError(
          .usage, at: "property \"\(name)\"", "\(self.name) has none of this name",
          advice: near.map { "did you mean \($0)?" })
      }
      do { try unit.setProperty(property.id, to: .uint32(value)) } catch {
        throw BenchError(.usage, at: "property \"\(name)\"", "\(value) is not taken: \(error)")
      }
    }
    do {
      try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
      let format = StreamFormat(sampleRate: rate, channelCount: 1)
      try unit.setStreamFormat(format, .output, element: 1)
      try unit.setStreamFormat(format, .input, element: 0)
      if isInitialized { try unit.initialize() }
      return unit
    } catch {
      throw unit.renderFailure?.inside(name) ?? BenchError(.render, at: name, "\(error)")
    }
  }
}

/// One run of the unit: plays the one channel, and keeps what the microphone gives.
private final class VoiceUnitRun: @unchecked Sendable {
  private let unit: DeviceOutput
  private let played: [Double]
  private let frames: Int
  private var heard: [Double] = []
  private var failure = AudioStatus.noError

  init(_ unit: DeviceOutput, played: [Double], frames: Int) {
    self.unit = unit
    self.played = played
    self.frames = frames
  }

  func heard(on hardware: SimulatedHardware, at place: String) throws(BenchError) -> [Double] {
    heard.reserveCapacity(frames + 4096)
    unit.inputAvailable = { [unowned self] time, count in
      do throws(AudioStatus) {
        let bus = try unit.render(output: 1, sampleTime: time.sampleTime, frames: count)
        let samples = bus.buffers[0].assumingMemoryBound(to: Float.self)
        for frame in 0..<count { heard.append(Double(samples[frame])) }
      } catch {
        failure = error
      }
    }
    do {
      try unit.start { [played] time, count, output in
        for frame in 0..<count {
          let place = Int(time.sampleTime) + frame
          output[frame] = place < played.count ? Float(played[place]) : 0
        }
        return .noError
      }
      // A cycle more, for what the rounding to whole cycles leaves out.
      try hardware.advance(seconds: Double(frames) / hardware.configuration.sampleRate + 0.02)
    } catch {
      failure = error
    }
    unit.uninitialize()
    guard failure == .noError else { throw BenchError(.render, at: place, "\(failure)") }
    return Array(heard.prefix(frames)) + [Double](repeating: 0, count: max(0, frames - heard.count))
  }
}

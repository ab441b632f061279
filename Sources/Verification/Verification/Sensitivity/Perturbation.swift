import AudioCore
import GraphMeasurement
import Measurement

/// A small change made to a device on purpose, to see what a case would notice.
public enum Perturbation: String, Hashable, Sendable, CaseIterable {
  /// The output is 0.1 dB louder.
  case gain
  /// The output comes one frame later.
  case frame
  /// One sample in the middle is off by 2^−15.
  case lastBit
  /// The first parameter is the next Float up.
  case coefficient
  /// The output is inverted.
  case polarity
  /// Channels 0 and 1 change places.
  case swap
  /// The first node with a ramp loses it.
  case ramp
  /// The device forgets its state at one edge between slices.
  case edge
  /// The last slice is silence.
  case lastFrames

  /// For people.
  public var name: String {
    switch self {
    case .gain: "0.1 dB"
    case .frame: "1 frame late"
    case .lastBit: "1 LSB (16 bit)"
    case .coefficient: "1 parameter ULP"
    case .polarity: "polarity"
    case .swap: "channels swapped"
    case .ramp: "ramp dropped"
    case .edge: "stale slice edge"
    case .lastFrames: "last slice lost"
    }
  }

  /// Applies it to an output; nil if it acts on the device's description, or does not apply to such a device.
  func applied(to device: any Device) -> (any PartitionableDevice)? {
    switch self {
    case .gain: PerturbedDevice(base: device) { scale(&$0, by: Decibels.amplitude(0.1)) }
    case .polarity: PerturbedDevice(base: device) { scale(&$0, by: -1) }
    case .frame:
      PerturbedDevice(base: device) { signal in
        signal.channels = signal.channels.map { $0.isEmpty ? $0 : [0] + $0.dropLast() }
      }
    case .lastBit:
      PerturbedDevice(base: device) { signal in
        // One sample, in the middle of the sound: the smallest step of a 16-bit file.
        if signal.frameCount > 0 { signal.channels[0][signal.frameCount / 2] += 0x1p-15 }
      }
    case .swap:
      PerturbedDevice(base: device) { signal in
        if signal.channelCount > 1 { signal.channels.swapAt(0, 1) }
      }
    case .lastFrames:
      PerturbedDevice(base: device) { signal in
        let lost = min(signal.frameCount, signal.frameCount % 512 == 0 ? 512 : signal.frameCount % 512)
        for channel in signal.channels.indices {
          for frame in (signal.frameCount - lost)..<signal.frameCount { signal.channels[channel][frame] = 0 }
        }
      }
    case .edge: device is any GraphBacked ? EdgeDevice(base: device) : nil
    case .coefficient, .ramp: nil
    }
  }

  /// Applies it to the description of a unit or a graph; nil if it does not apply.
  func applied(to description: DeviceDescription) -> DeviceDescription? {
    guard self == .coefficient || self == .ramp else { return nil }
    return description.edited { value in self == .ramp ? Self.withoutRamp(value) : Self.nudged(value) }
  }

  private func scale(_ signal: inout AudioSignal, by gain: Double) {
    signal = signal.mapped { Double(Float($0 * gain)) }
  }

  /// The first node with a ramp, without it.
  private static func withoutRamp(_ node: JSONValue) -> JSONValue? {
    guard case .object(var object) = node, object["ramp"] != nil else { return nil }
    object["ramp"] = nil
    return .object(object)
  }

  /// The first number that is a parameter, moved by one unit in the last place of Float.
  private static func nudged(_ node: JSONValue) -> JSONValue? {
    var node = node
    if let set = nudged(node["set"], among: node["set"].keys) {
      node["set"] = set
      return node
    }
    guard case .array(var bands) = node["bands"], let first = bands.first,
      let band = nudged(first, among: ["frequency", "gain", "bandwidth"])
    else { return nil }
    bands[0] = band
    node["bands"] = .array(bands)
    return node
  }

  /// An object with the first number of some keys moved, which is not 0.
  private static func nudged(_ object: JSONValue, among keys: [String]) -> JSONValue? {
    var object = object
    for key in keys {
      guard case .number(let number) = object[key], number != 0 else { continue }
      object[key] = .number(Double(Float(number).nextUp))
      return object
    }
    return nil
  }
}

/// A device that says of itself what another one does.
private protocol DeviceAround: PartitionableDevice {
  var base: any Device { get }
}

extension DeviceAround {
  var name: String { base.name }
  var inputChannelCount: Int? { base.inputChannelCount }
  var preferredSampleRate: Double? { base.preferredSampleRate }
  var reportedLatencyFrames: Double? { base.reportedLatencyFrames }
  var reportedTailFrames: Int64? { base.reportedTailFrames }
  var precision: SamplePrecision { base.precision }
}

/// A device with something done to what it puts out.
private struct PerturbedDevice: DeviceAround {
  let base: any Device
  let change: @Sendable (inout AudioSignal) -> Void

  private var partitionable: (any PartitionableDevice)? { base as? any PartitionableDevice }
  var canBePartitioned: Bool { partitionable?.canBePartitioned ?? false }
  var standardPartition: RenderPartition { partitionable?.standardPartition ?? RenderPartition() }
  func sliceFrames(of partition: RenderPartition) throws(BenchError) -> Int? {
    try partitionable?.sliceFrames(of: partition)
  }

  func takingStimulus() throws(BenchError) -> any Device {
    PerturbedDevice(base: try base.takingStimulus(), change: change)
  }

  func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal { changed(try base.process(input)) }

  func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal {
    guard let partitionable else { return try process(input) }
    return changed(try partitionable.process(input, partition: partition))
  }

  private func changed(_ signal: AudioSignal) -> AudioSignal {
    var signal = signal
    change(&signal)
    return signal
  }
}

/// A device that forgets what it knew at one edge between slices: frame 4096 by itself, the first edge when it is cut.
private struct EdgeDevice: DeviceAround {
  let base: any Device

  func takingStimulus() throws(BenchError) -> any Device { EdgeDevice(base: try base.takingStimulus()) }

  func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal { try forgetting(input, at: 4096) }
  func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal {
    try forgetting(input, at: partition.sliceFrames ?? 4096)
  }

  private func forgetting(_ input: AudioSignal, at frame: Int) throws(BenchError) -> AudioSignal {
    var output = try base.process(input)
    guard frame < input.frameCount, output.sampleRate == input.sampleRate else { return output }
    var rest = input
    rest.channels = input.channels.map { Array($0[frame...]) }
    let fresh = try base.process(rest)
    for channel in output.channels.indices {
      let end = min(output.frameCount, frame + fresh.frameCount)
      if frame < end {
        output.channels[channel].replaceSubrange(frame..<end, with: fresh.channels[channel][..<(end - frame)])
      }
    }
    return output
  }
}

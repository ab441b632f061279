import AudioCore
import Measurement

/// The right value of a reading.
public enum Truth: Hashable, Sendable {
  case value(Double)
  /// The same, or no such reading.
  case valueIfRead(Double)
  /// There is nothing: no harmonic, no leak, no change with level. The reading must be below its floor.
  case nothing
  /// There is something, however large: the reading must stand above its floor.
  case something

  /// True where a measurement may have no such reading.
  var allowsNoReading: Bool {
    switch self {
    case .nothing, .valueIfRead: true
    case .value, .something: false
    }
  }
}

/// A random device whose answers are known without measuring it.
public struct KnownDevice: Sendable {
  /// For people who look at what was missed.
  public let description: String
  public let device: FunctionDevice
  public var sampleRate = 48_000.0
  /// The rate of the output, if it is another.
  public var outputRate = 48_000.0
  public var channelCount = 1
  /// By id of the reading, with what tells several of one id apart.
  public var truths: [Key: Truth] = [:]
  /// Truths of readings that say themselves what they are of: of the tones that were played, of the lines that were
  /// found.
  public var truthsOfFindings: (@Sendable (Findings) -> [Key: Truth])?

  public struct Key: Hashable, Sendable, CustomStringConvertible {
    public let id: String
    public let channel: Int?
    public let at: [String: Double]

    public init(_ id: String, channel: Int? = nil, at: [String: Double] = [:]) {
      (self.id, self.channel, self.at) = (id, channel, at)
    }

    public var description: String {
      id + (channel.map { " \($0)" } ?? "") + at.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }.joined()
    }

    func matches(_ reading: Reading) -> Bool {
      reading.id == id && (channel == nil || reading.channel == channel)
        && at.allSatisfy { key, value in reading.at[key].map { abs($0 - value) <= 1e-6 * max(1, abs(value)) } ?? false }
    }
  }

  public init(_ description: String, _ device: FunctionDevice) {
    self.description = description
    self.device = device
  }

  /// The same under another name.
  func renamed(_ name: String) -> KnownDevice {
    changed(name) { [device] (input) throws(BenchError) in try device.process(input) }
  }

  /// The same with something behind each channel, which does not change the truths.
  func changedChannels(_ name: String, _ body: @escaping @Sendable ([Double]) -> [Double]) -> KnownDevice {
    changed(name) { [device] (input) throws(BenchError) in
      var output = try device.process(input)
      output.channels = output.channels.map(body)
      return output
    }
  }

  /// The same through a clock of its own, by polynomials through eight samples: for tones far below half the rate.
  func clocked(partsPerMillion: Double) -> KnownDevice {
    let (original, step) = (device, 1 / (1 + partsPerMillion * 1e-6))
    return changed("\(description), clock \(partsPerMillion) ppm off") { (input) throws(BenchError) in
      var output = try original.process(input)
      for channel in output.channels.indices {
        let samples = output.channels[channel]
        output.channels[channel] = samples.indices.map { frame in
          let time = Double(frame) * step
          let first = Int(clamping: time) - 3
          guard first >= 0, first + 8 <= samples.count else { return 0 }
          let u = time - Double(first)
          return (0..<8).reduce(0.0) { sum, one in
            var weight = samples[first + one]
            for other in 0..<8 where other != one { weight *= (u - Double(other)) / Double(one - other) }
            return sum + weight
          }
        }
      }
      return output
    }
  }

  private func changed(
    _ name: String, _ body: @escaping @Sendable (AudioSignal) throws(BenchError) -> AudioSignal
  ) -> KnownDevice {
    var known = KnownDevice(
      name,
      FunctionDevice(name, inputChannelCount: device.inputChannelCount, precision: device.precision, body))
    (known.sampleRate, known.outputRate, known.channelCount) = (sampleRate, outputRate, channelCount)
    (known.truths, known.truthsOfFindings) = (truths, truthsOfFindings)
    return known
  }

  /// The same, so much later; its truths are those of the device itself.
  func delayed(seconds: Double) -> KnownDevice {
    let (whole, original) = (Int(clamping: seconds * sampleRate), device)
    return changed("\(description), \(whole) frames late") { (input) throws(BenchError) in
      var output = try original.process(input)
      for channel in output.channels.indices {
        let samples = output.channels[channel]
        output.channels[channel] = [Double](repeating: 0, count: min(whole, samples.count)) + samples.dropLast(whole)
      }
      return output
    }
  }

  /// It does the same at every level and at all times.
  mutating func addSteady() {
    truths[Key("nonlinearity")] = .nothing
    truths[Key("timeVariance")] = .nothing
  }
}

/// One kind of measurement, with devices for it.
public struct CoverageFamily: Sendable {
  public let name: String
  public let kind: MeasurementKind
  /// True when a ± may be no wider than its error requires.
  public let holdsRatio: Bool
  /// The device of a number.
  public let draw: @Sendable (_ seed: UInt64, _ number: Int) -> KnownDevice
  /// The measurement of the device.
  public let measure: @Sendable (KnownDevice) throws -> Findings

  public init(
    _ name: String, _ kind: MeasurementKind, holdsRatio: Bool = true,
    draw: @escaping @Sendable (UInt64, Int) -> KnownDevice,
    measure: (@Sendable (KnownDevice) throws -> Findings)? = nil
  ) {
    self.name = name
    self.kind = kind
    self.holdsRatio = holdsRatio
    self.draw = draw
    self.measure =
      measure ?? { known in
        try kind.findings(
          of: known.device,
          MeasurementSettings(sampleRate: known.sampleRate, channelCount: known.channelCount))
      }
  }

  /// The same devices, up to 4 s late.
  var late: CoverageFamily {
    let draw = draw
    return CoverageFamily("late \(name)", kind, holdsRatio: false) { seed, number in
      var delay = Draw(seed: seed, "late", number)
      return draw(seed, number).delayed(seconds: delay.uniform(0, 4))
    } measure: { [measure] in
      try measure($0)
    }
  }
}

extension FunctionDevice {
  /// Each sample by its time in seconds, on all channels.
  public init(
    _ name: String, rate: Double,
    eachSample body: @escaping @Sendable (_ sample: Double, _ seconds: Double) -> Double
  ) {
    self.init(name) { (input) throws(BenchError) in
      var output = input
      for channel in output.channels.indices {
        for frame in output.channels[channel].indices {
          output.channels[channel][frame] = body(input.channels[channel][frame], Double(frame) / rate)
        }
      }
      return output
    }
  }
}

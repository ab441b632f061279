/// Samples in float64 at a rate.
public struct LawSignal: Sendable {
  /// Hertz.
  public var rate: Double
  /// An array for each channel, all of one length.
  public var channels: [[Double]]

  public init(rate: Double, channels: [[Double]]) { (self.rate, self.channels) = (rate, channels) }

  public var frames: Int { channels.first?.count ?? 0 }

  /// Silence.
  static func silence(rate: Double, channels: Int, frames: Int) -> LawSignal {
    LawSignal(rate: rate, channels: Array(repeating: [Double](repeating: 0, count: frames), count: channels))
  }

  /// The same with so many frames: cut, or with silence behind.
  func of(frames: Int) -> LawSignal {
    var signal = self
    signal.channels = channels.map { samples in
      Array(samples.prefix(frames)) + [Double](repeating: 0, count: max(0, frames - samples.count))
    }
    return signal
  }
}

extension UnitLaw {
  /// An input of another rate, as a format converter of the usual quality passes it on.
  static func converted(
    _ input: LawSignal?, to rate: Double, _ surroundings: LawSurroundings
  ) throws(LawError) -> LawSignal? {
    guard let input, input.rate != rate else { return input }
    guard let converted = surroundings.convert(input, "best", rate) else {
      throw LawError("the library does not convert this")
    }
    return converted
  }
}

/// A reason why there is no expected output: the case is outside of what the laws know.
public struct LawError: Error, Sendable, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}

/// The nearest 32-bit float: of state that a page keeps in these, where roundings add up.
func single(_ x: Double) -> Double { Double(Float(x)) }

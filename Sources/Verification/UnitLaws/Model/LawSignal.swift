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

extension LawNode {
  /// A signal at the rate of the node: as a format converter passes it on, by the quality of the node or the usual one.
  func converted(_ signal: LawSignal) throws(LawError) -> LawSignal {
    guard signal.rate != rate else { return signal }
    guard let converted = surroundings.convert(signal, keys["quality"]?.text ?? "best", rate) else {
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

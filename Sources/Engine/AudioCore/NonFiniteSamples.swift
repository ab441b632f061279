/// The samples of a stream that are NaN or infinite: how many, and where the first of them is.
public struct NonFiniteSamples: Hashable, Sendable, Codable {
  /// Samples that are NaN.
  public private(set) var notNumbers: Int64 = 0
  /// Samples that are infinite, of either sign.
  public private(set) var infinities: Int64 = 0
  /// The frame of the first one, from 0 on; of no account while there is none.
  public private(set) var firstFrame: Int64 = 0
  /// The channel of the first one, from 0 on: the lowest where several begin at one frame.
  public private(set) var firstChannel = 0

  /// None.
  public init() {}

  /// - Parameters:
  ///   - notNumbers: samples that are NaN.
  ///   - infinities: samples that are infinite.
  ///   - firstFrame: the frame of the first one.
  ///   - firstChannel: the channel of the first one.
  public init(notNumbers: Int64, infinities: Int64, firstFrame: Int64, firstChannel: Int) {
    (self.notNumbers, self.infinities) = (notNumbers, infinities)
    (self.firstFrame, self.firstChannel) = (firstFrame, firstChannel)
  }

  /// The number of both kinds.
  public var count: Int64 { notNumbers + infinities }
  /// True where every sample is a finite number.
  public var isEmpty: Bool { count == 0 }

  /// Adds others of the same stream.
  public mutating func add(_ others: NonFiniteSamples) {
    guard !others.isEmpty else { return }
    if isEmpty || (others.firstFrame, others.firstChannel) < (firstFrame, firstChannel) {
      (firstFrame, firstChannel) = (others.firstFrame, others.firstChannel)
    }
    notNumbers += others.notNumbers
    infinities += others.infinities
  }

  /// Looks at samples of one channel, one by one: for samples of which some are known to be.
  ///
  /// - Parameter samples: samples of the channel, from frame `firstFrame` of the stream on.
  package mutating func add<Sample: BinaryFloatingPoint>(
    _ samples: Span<Sample>, channel: Int, firstFrame: Int64
  ) {
    var found = NonFiniteSamples()
    for frame in samples.indices where !samples[frame].isFinite {
      if found.isEmpty { (found.firstFrame, found.firstChannel) = (firstFrame + Int64(frame), channel) }
      if samples[frame].isNaN { found.notNumbers += 1 } else { found.infinities += 1 }
    }
    add(found)
  }
}

extension NonFiniteSamples: CustomStringConvertible {
  /// `2 samples are NaN and 1 is infinite, the first at frame 4410 of channel 0`; empty where there is none.
  public var description: String {
    guard !isEmpty else { return "" }
    func words(_ number: Int64, _ what: String, noun: Bool) -> String {
      "\(number)\(noun ? " sample\(number == 1 ? "" : "s")" : "") \(number == 1 ? "is" : "are") \(what)"
    }
    var parts: [String] = []
    if notNumbers > 0 { parts.append(words(notNumbers, "NaN", noun: true)) }
    if infinities > 0 { parts.append(words(infinities, "infinite", noun: parts.isEmpty)) }
    return parts.joined(separator: " and ") + (count > 1 ? ", the first" : ",")
      + " at frame \(firstFrame) of channel \(firstChannel)"
  }
}

import AudioCore

/// Some channels of samples in memory, at a rate: what goes into a device under test and what comes out of it.
///
/// Samples are Double: floats and 32-bit integers are exact in it. Full scale is 1.
public struct AudioSignal: Hashable, Sendable {
  /// Hertz.
  public var sampleRate: Double
  /// One array per channel, all of one length.
  public var channels: [[Double]]
  /// The loudspeakers of the channels, which weigh them in loudness; nil: not known. Not compared.
  public var layout: ChannelLayout?

  /// True for the same rate and samples.
  public static func == (one: Self, other: Self) -> Bool {
    one.sampleRate == other.sampleRate && one.channels == other.channels
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(sampleRate)
    hasher.combine(channels)
  }

  /// Precondition: a rate above 0, and channels of one length.
  public init(sampleRate: Double, channels: [[Double]]) {
    precondition(sampleRate > 0 && channels.allSatisfy { $0.count == channels[0].count })
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// The same samples on every channel.
  public init(sampleRate: Double, channelCount: Int, _ samples: [Double]) {
    self.init(sampleRate: sampleRate, channels: Array(repeating: samples, count: channelCount))
  }

  /// 0 where there are none.
  public var channelCount: Int { channels.count }
  /// Samples of each channel; 0 where there are no channels.
  public var frameCount: Int { channels.first?.count ?? 0 }
  /// Seconds.
  public var duration: Double { Double(frameCount) / sampleRate }
  /// Frames of the same duration at another rate, rounded half up.
  package func frameCount(atRate rate: Double) -> Int {
    Int(FrameCount.converted(Int64(frameCount), from: sampleRate, to: rate))
  }
  /// True when a sample is not a number, or infinite.
  public var hasNonFiniteSamples: Bool { channels.contains { !$0.allSatisfy(\.isFinite) } }
  /// Samples that are not a number, or infinite: how many, and where the first is.
  public var nonFiniteSamples: NonFiniteSamples {
    channels.enumerated().reduce(into: NonFiniteSamples()) { all, channel in
      all.add(channel.element.span, channel: channel.offset, firstFrame: 0)
    }
  }

  /// Throws where a signal, with what is computed from it, would take more memory than it may. Before it is made.
  public static func checkMemory(
    frames: Int, channels: Int, at place: String, kind: BenchError.Kind = .usage
  ) throws(BenchError) {
    // Beside the samples: those of the device's output, each as Float for a while, and a spectrum.
    var budget = MemoryBudget()
    try budget.add(
      MemoryBudget.product(frames, channels, 4 * MemoryLayout<Double>.size), for: place,
      of: "\(NumberText.count(frames, "frame")) of \(NumberText.count(channels, "channel"))", kind: kind)
  }

  /// True when every sample is 0; also without samples.
  package var isSilent: Bool { channels.allSatisfy { $0.allSatisfy { $0 == 0 } } }

  /// The samples as a device that takes Float gets them.
  public func roundedToFloat() -> AudioSignal { mapped { Double(Float($0)) } }

  /// A signal of the same rate with another sample in place of each.
  package func mapped(_ body: (Double) -> Double) -> AudioSignal {
    AudioSignal(sampleRate: sampleRate, channels: channels.map { $0.map(body) })
  }

  /// Calls `body` with the samples, at most so many frames of all channels at a time.
  package func eachBlock(
    of most: Int, _ body: (Planes<Double>, _ frames: Int) throws(BenchError) -> Void
  ) throws(BenchError) {
    let block = DoubleBuffer(channelCount: channelCount, frameCapacity: most)
    defer { withExtendedLifetime(block) {} }
    for start in stride(from: 0, to: frameCount, by: most) {
      let count = min(most, frameCount - start)
      for (channel, samples) in channels.enumerated() {
        block[channel].update(from: samples[start..<start + count])
      }
      try body(block.planes, count)
    }
  }
}

import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import RenderGraph

/// A sound on its way through the true-peak limiter: the peakLimiter unit with its usual times, in a graph of its own.
struct LimiterPass {
  /// The limiter's part in an output.
  struct Reduction {
    /// The largest gain reduction, dB.
    var decibels: Double
    /// Frames that were turned down by more than 0.1 dB.
    var frames: Int64
  }

  /// Reads `frames` frames from `first` on to planes, from frame `offset` of each on.
  typealias Read = (_ first: Int64, _ frames: Int, FloatPlanes, _ offset: Int) throws(BenchError) -> Void

  /// Renders a sound through the limiter into a sink, which is left open.
  /// - Parameters:
  ///   - frames: the frames of the output.
  ///   - available: those that can be read; the limiter looks ahead.
  ///   - ceilingDecibels: any level, dBTP.
  ///   - read: gives the sound, at its gain.
  static func run(
    _ format: StreamFormat, frames: Int64, available: Int64, ceilingDecibels: Double, read: @escaping Read,
    _ take: @escaping (FloatPlanes, _ offset: Int, _ frames: Int) throws(BenchError) -> Void
  ) throws(BenchError) -> Reduction {
    // The unit's ceiling is 0 dBFS at most: the sound comes as if its own were that.
    let scale = Float(Decibels.amplitude(ceilingDecibels))
    let source = SoundSource(format, frames: available) { (first, count, planes, offset) throws(BenchError) in
      try read(first, count, planes, offset)
      for channel in 0..<format.channelCount {
        let plane = planes[channel] + offset
        for frame in 0..<count { plane[frame] /= scale }
      }
    }
    let limiter = PeakLimiter()
    let graph = Graph(sampleRate: format.sampleRate)
    do throws(AudioStatus) { try limiter.setLimitsTruePeak(true) } catch { throw failure(error) }
    let (from, through, to) = (try graph.add(source), try graph.add(limiter), try graph.add(GenericOutput()))
    try graph.connect(from, to: through)
    try graph.connect(through, to: to)
    defer { graph.uninitialize() }
    var options = OfflineRenderer.Options()
    options.length = .frames(frames)
    options.trimsLatency = true
    options.keepsUnitsInitialized = true
    do throws(BenchError) {
      _ = try OfflineRenderer(graph).render(options: options) { (_, _) throws(BenchError) -> any AudioSink in
        ScaledSink(scale, channelCount: format.channelCount, take)
      }
    } catch {
      throw source.readFailure ?? error
    }
    let found = limiter.reduction
    return Reduction(decibels: max(0, found.decibels), frames: found.frames)
  }

  private static func failure(_ status: AudioStatus) -> BenchError {
    BenchError(.render, "the limiter cannot be set up: \(status)")
  }
}

/// Multiplies what comes, and hands it on.
private final class ScaledSink: AudioSink {
  private let scale: Float
  private let channelCount: Int
  private let take: (FloatPlanes, _ offset: Int, _ frames: Int) throws(BenchError) -> Void

  init(
    _ scale: Float, channelCount: Int,
    _ take: @escaping (FloatPlanes, _ offset: Int, _ frames: Int) throws(BenchError) -> Void
  ) {
    (self.scale, self.channelCount, self.take) = (scale, channelCount, take)
  }

  func write(_ planes: FloatPlanes, offset: Int, frames: Int) throws(BenchError) {
    for channel in 0..<channelCount {
      let plane = planes[channel] + offset
      for frame in 0..<frames { plane[frame] *= scale }
    }
    try take(planes, offset, frames)
  }
  func end() throws(BenchError) -> SoundFileWriteReport? { nil }
  func publish() throws(BenchError) {}
  func discard() {}
}

/// A generator whose frames a function gives, in order; silence behind its end.
private final class SoundSource: Unit, SourceUnit, @unchecked Sendable {
  private static let component = Component(
    ComponentDescription(type: .generator, subType: "spol", manufacturer: "aubn"), shortName: "spool",
    name: "aubench: spool", summary: "A sound between two passes."
  ) { SoundSource(.initial, frames: 0) { _, _, _, _ in } }

  private let frames: Int64
  private let read: LimiterPass.Read
  private(set) var readFailure: BenchError?

  init(_ format: StreamFormat, frames: Int64, read: @escaping LimiterPass.Read) {
    (self.frames, self.read) = (frames, read)
    self.wanted = format
    super.init(Self.component, inputs: 0, outputs: 1)
  }

  private let wanted: StreamFormat
  var sourceFrames: Int64? { frames }
  override func naturalOutputFormat(graphRate: Double) -> StreamFormat { wanted }
  override var channelCapabilities: [ChannelCapability] { [ChannelCapability(inputChannels: 0, outputChannels: -1)] }
  override func makeProcessor() throws(AudioStatus) -> Processor { SoundSourceProcessor(self) }
  override var renderFailure: BenchError? { readFailure ?? super.renderFailure }

  fileprivate func give(_ piece: RenderPiece) throws(AudioStatus) {
    let count = Int(max(0, min(Int64(piece.frames), frames - piece.sampleTime)))
    do throws(BenchError) {
      if count > 0 { try read(piece.sampleTime, count, piece.outputs[0].planes, piece.offset) }
    } catch {
      readFailure = error
      throw .cannotDoInCurrentContext
    }
    for channel in 0..<wanted.channelCount {
      (piece.output(channel) + count).update(repeating: 0, count: piece.frames - count)
    }
  }
}

private final class SoundSourceProcessor: Processor {
  private let source: SoundSource

  init(_ source: SoundSource) { self.source = source }

  override func process(_ piece: RenderPiece) throws(AudioStatus) { try source.give(piece) }
}

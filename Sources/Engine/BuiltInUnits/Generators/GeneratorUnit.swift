import AudioCore
import AudioEngine

/// The common parts of sources that make their sound: no input, any number of channels, and an optional length.
public class GeneratorUnit: Unit, SourceUnit, @unchecked Sendable {
  /// Frames of sound from time 0 on, behind which there is silence; nil: it never ends. While open only.
  public private(set) var lengthFrames: Int64?

  init(_ component: Component, parameters: [ParameterDescriptor]) {
    super.init(component, inputs: 0, outputs: 1, parameters: parameters)
  }

  /// - Parameter frames: 0 or more; nil: without an end.
  /// - Throws: `.initialized` unless the unit is open, `.invalidPropertyValue` for a negative number.
  public func setLength(frames: Int64?) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard frames ?? 0 >= 0 else { throw .invalidPropertyValue }
    lengthFrames = frames
  }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    StreamFormat(sampleRate: graphRate, channelCount: 1)
  }
  public override var channelCapabilities: [ChannelCapability] {
    [ChannelCapability(inputChannels: 0, outputChannels: -1)]
  }
  public var sourceFrames: Int64? { lengthFrames }

  public override var graphKeys: [GraphKey] { Self.keys }
  private static let keys = [
    GraphKey(
      "frames", "its length, in frames of its own rate; by default without an end", .integer(in: 0...(1 << 61)),
      of: GeneratorUnit.self, get: { $0.lengthFrames },
      set: { (unit, frames) throws(AudioStatus) in try unit.setLength(frames: frames) })
  ]
}

/// The render half of a generator: it cuts the sound at its end.
class GeneratorProcessor: Processor {
  private let lengthFrames: Int64
  private let channelCount: Int
  /// The beginning of the next piece that continues the one before.
  private var nextTime = Int64.min

  init(lengthFrames: Int64?, channelCount: Int) {
    self.lengthFrames = lengthFrames ?? .max
    self.channelCount = channelCount
  }

  /// Renders frames of one channel, from the piece's first on.
  func generate(_ piece: RenderPiece, channel: Int, _ output: Plane<Float>, frames: Int) {}
  /// Behind all channels of a piece.
  func advance(_ piece: RenderPiece) {}
  /// The time is not where the last piece has ended.
  func jump(_ piece: RenderPiece) {}

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    if piece.sampleTime != nextTime { jump(piece) }
    nextTime = piece.sampleTime + Int64(piece.frames)
    let (left, isEndless) = lengthFrames.subtractingReportingOverflow(piece.sampleTime)
    let heard = isEndless ? piece.frames : Int(min(Int64(piece.frames), max(0, left)))
    for channel in 0..<channelCount {
      let output = piece.output(channel)
      generate(piece, channel: channel, output, frames: heard)
      (output + heard).update(repeating: 0, count: piece.frames - heard)
    }
    advance(piece)
  }

  override func reset() { nextTime = .min }
}

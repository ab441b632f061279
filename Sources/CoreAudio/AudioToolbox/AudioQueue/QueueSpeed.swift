// Rate and pitch of an output queue, by the engine's own units. The path of one slice: work. Time pitch is a library's,
// which allocates; a queue without it does not come here.

import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import RenderGraph

/// Plays what a queue reads at another rate or pitch.
final class QueueSpeed: @unchecked Sendable {
  /// Reads frames of the queue: from `offset` on, all that is asked for.
  typealias Read = (_ frames: Int, _ planes: FloatPlanes, _ offset: Int) -> Void

  private let graph: Graph
  private let renderer: GraphRenderer
  private let source: QueueUnit
  private let pitch: NewTimePitch?
  private let speed: Varispeed?
  private var clock: Int64 = 0
  private(set) var presentRate: Float = 1
  private var presentPitch: Float = 0
  /// The source's frame that the next one belongs to, counted from the first.
  private(set) var place = 0.0

  /// - Throws: errors of units that do not take the format, or whose library is missing.
  init(_ format: StreamFormat, algorithm: UInt32, read: @escaping Read) throws(BenchError) {
    graph = Graph(sampleRate: format.sampleRate, maximumFramesPerSlice: QueueSource.pieceFrames)
    source = try graph.add(QueueUnit(read))
    let wanted = Graph.WantedFormat(sampleRate: format.sampleRate, channelCount: format.channelCount)
    try graph.setOutputFormat(wanted, of: source)
    let output = try graph.add(GenericOutput())
    try graph.setOutputFormat(wanted, of: output)
    if algorithm == kAudioQueueTimePitchAlgorithm_Varispeed {
      let unit = try graph.add(Varispeed())
      try graph.connect(source, to: unit)
      try graph.connect(unit, to: output)
      (speed, pitch) = (unit, nil)
    } else {
      let unit = try graph.add(NewTimePitch())
      try graph.connect(source, to: unit)
      try graph.connect(unit, to: output)
      (speed, pitch) = (nil, unit)
    }
    renderer = GraphRenderer(try graph.compile(parallel: false))
  }

  deinit { graph.uninitialize() }

  /// Takes over rate and pitch. In front of a slice.
  func set(rate: Float, pitch cents: Float) {
    if rate != presentRate {
      presentRate = rate
      try? pitch?.set(.rate, to: rate)
      try? speed?.set(.playbackRate, to: rate)
    }
    if cents != presentPitch {
      presentPitch = cents
      try? pitch?.set(.pitch, to: cents)
    }
  }

  /// Renders at most a piece; silence where the units fail.
  func render(_ frames: Int, into planes: FloatPlanes) {
    place += Double(presentRate) * Double(frames)
    do throws(AudioStatus) {
      try renderer.render(sampleTime: clock, frames: frames) { bus, at, count in
        for channel in 0..<planes.channelCount {
          (planes[channel] + at).update(from: bus.planes[channel], count: count)
        }
      }
      clock += Int64(frames)
    } catch {
      for channel in 0..<planes.channelCount { planes[channel].update(repeating: 0, count: frames) }
    }
  }
}

/// The source in front of rate and pitch.
private final class QueueUnit: AudioEngine.Unit, @unchecked Sendable {
  static let component = Component(
    ComponentDescription(type: .generator, subType: "aque", manufacturer: "aubn"), shortName: "queueUnit",
    name: "aubench: Audio queue", summary: "The buffers of an audio queue."
  ) { preconditionFailure("a source belongs to a queue") }

  private let read: QueueSpeed.Read

  init(_ read: @escaping QueueSpeed.Read) {
    self.read = read
    super.init(Self.component, inputs: 0, outputs: 1)
  }

  override var channelCapabilities: [ChannelCapability] { [ChannelCapability(inputChannels: 0, outputChannels: -1)] }
  override func makeProcessor() throws(AudioStatus) -> Processor { QueueUnitProcessor(read) }
}

private final class QueueUnitProcessor: Processor {
  private let read: QueueSpeed.Read

  init(_ read: @escaping QueueSpeed.Read) { self.read = read }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    if piece.frames > 0 { read(piece.frames, piece.outputs[0].planes, piece.offset) }
  }
}

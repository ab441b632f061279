// The render half of a unit. Runs on the render thread, or on a worker that holds its branch: no allocation, no lock,
// no file, no log in `process` or `wantsInput`.

import AudioCore

/// What renders a unit's slices. Made when the unit is initialized, for fixed formats and a fixed longest slice; it can
/// be tested with two buffers and no graph.
public protocol Processor: AnyObject {
  /// Renders the frames of one piece of a slice, over which each parameter is constant or moves in a straight line.
  func process(_ piece: RenderPiece) throws(AudioStatus)
  /// Memory of the processor's own that already holds the frames of output bus 0, in place of `process`; nil where there
  /// is none. It stays good until the next call, and whoever pulls it may write over it.
  func lendOutput(sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer?
  /// Takes over, once a slice and before any of it renders, what the edit side has set beside the parameters.
  func latch()
  /// Whether output frame n needs just input frame n: false behind a rate conversion.
  var isSynchronous: Bool { get }
  /// Behind a rate conversion: from which frame of the input's clock on, and how many, a slice will pull.
  func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int)
  /// Samples that did not fit an integer format inside the graph, since the last reset.
  var clippedSamples: Int64 { get }
  /// Forgets all signal: afterwards the processor sounds as one newly made. Does not allocate.
  func reset()
  /// Whether an input bus is to be pulled for this slice at all.
  func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool
  /// True: `process` pulls its inputs itself, as many frames as it needs, and always gets whole slices.
  var pullsItsInputs: Bool { get }
  /// True: output bus 0 may be written over input bus 0.
  var worksInPlace: Bool { get }
}

extension Processor {
  public func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool { true }
  public func lendOutput(sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer? { nil }
  public func latch() {}
  public var isSynchronous: Bool { true }
  public func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int) { (sampleTime, frames) }
  public var clippedSamples: Int64 { 0 }
  public var pullsItsInputs: Bool { false }
  public var worksInPlace: Bool { false }
}

/// The frames that one `process` call renders: `frames` of them, from frame `offset` of every buffer on.
public struct RenderPiece {
  /// The unit's own clock at the first frame of the piece.
  public let sampleTime: Int64
  public let offset: Int
  public let frames: Int
  public let inputs: UnsafeMutablePointer<BusBuffer>
  public let outputs: UnsafeMutablePointer<BusBuffer>
  public let parameters: RenderParameters
  private unowned(unsafe) let node: RenderNode?

  public init(
    sampleTime: Int64, offset: Int, frames: Int, inputs: UnsafeMutablePointer<BusBuffer>,
    outputs: UnsafeMutablePointer<BusBuffer>, parameters: RenderParameters, node: RenderNode?
  ) {
    self.sampleTime = sampleTime
    self.offset = offset
    self.frames = frames
    self.inputs = inputs
    self.outputs = outputs
    self.parameters = parameters
    self.node = node
  }

  /// Asks the source of an input bus for frames on the source's own clock: for processors that pull their inputs.
  func pull(bus: Int, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    guard let node else { throw .noConnection }
    return try node.pullInput(bus, sampleTime: sampleTime, frames: frames)
  }
}

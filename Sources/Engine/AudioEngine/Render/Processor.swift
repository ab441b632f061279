// The render half of a unit. Runs on the render thread, or on a worker that holds its branch: no allocation, no lock,
// no file, no log in `process` or `wantsInput`.

import AudioCore

/// The renderer of a unit's slices. Made when the unit is initialized, for fixed formats and a fixed longest slice; it
/// can be tested with two buffers and no graph.
///
/// A class to inherit from, and not a protocol: a node calls it without counting references and without looking up
/// conformances. The properties are read once, when the node is made, except ``worksInPlace``, which is read again
/// after each ``latch()``.
open class Processor {
  /// A processor that writes nothing: a subclass overrides ``process(_:)``.
  public init() {}

  /// Renders the frames of one piece of a slice, over which each parameter is constant or moves in a straight line.
  open func process(_ piece: RenderPiece) throws(AudioStatus) {}
  /// Forgets all signal: afterwards the processor sounds as one newly made. Does not allocate.
  open func reset() {}
  /// Takes over what the edit side has set beside the parameters: in front of a slice, where anything of the unit was
  /// edited since the slice before (`ParameterStore.noteEdit()`).
  open func latch() {}

  /// True: output bus 0 may be written over input bus 0.
  open var worksInPlace: Bool { false }
  /// True: `process` pulls its inputs itself, as many frames as it needs, and always gets whole slices.
  open var pullsItsInputs: Bool { false }

  /// True when ``wantsInput(_:parameters:)`` may return false.
  open var choosesInputs: Bool { false }
  /// True when an input bus is to be pulled for this slice at all.
  open func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool { true }

  /// True when ``lendOutput(sampleTime:frames:)`` may return a buffer.
  open var lendsOutput: Bool { false }
  /// Memory of the processor's own that already holds the frames of output bus 0, in place of `process`; nil where
  /// there is none. It stays good until the next call, and the reader may write over it.
  open func lendOutput(sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer? { nil }

  /// True where functions of a host may run inside of `process`: the node then stays on the rendering thread.
  open var runsHostCode: Bool { false }

  /// True when output frame n needs just input frame n: false behind a rate conversion.
  open var isSynchronous: Bool { true }
  /// Behind a rate conversion: from which frame of the input's clock on, and how many, a slice will pull.
  open func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int) { (sampleTime, frames) }

  /// True where the node can only be rendered by the one that it feeds, not ahead of it.
  open var staysWithReader: Bool { false }

  /// Samples that did not fit an integer format inside the graph, since the last reset.
  open var clippedSamples: Int64 { 0 }
  /// Samples that were NaN or infinite where an integer format inside the graph took them: 0 or the end of its range,
  /// since the last reset.
  open var nonFiniteSamples: Int64 { 0 }
}

/// A player of files: others may let it read on between slices.
package protocol FilePlayingProcessor: Processor {
  var readAhead: ReadAhead? { get }
}

/// The frames that one `process` call renders: `frames` of them, from frame `offset` of every buffer on.
public struct RenderPiece {
  @usableFromInline let node: NodePointer
  /// The unit's own clock at the first frame of the piece.
  public let sampleTime: Int64
  /// Frames of the slice in front of the piece: where it begins in every buffer.
  public let offset: Int
  /// The number of frames to render.
  public let frames: Int

  /// By input bus, in the format of ``Unit/processingFormat(ofInput:)``; without buffers where there is no source.
  @inlinable public var inputs: Plane<BusBuffer> { node.pointee.inputBuffers }
  /// By output bus, in the bus's stream format: what is to be written.
  @inlinable public var outputs: Plane<BusBuffer> { node.pointee.outputBuffers }
  /// The frames of this piece on a channel of an input bus. Precondition: samples are Float32, a buffer for each channel.
  @inlinable public func input(_ channel: Int, bus: Int = 0) -> Plane<Float> {
    (inputs[bus].planes[channel] + offset).prefix(frames)
  }
  /// The frames of this piece on a channel of an output bus, as of ``input(_:bus:)``; may be the memory of an input.
  @inlinable public func output(_ channel: Int, bus: Int = 0) -> Plane<Float> {
    (outputs[bus].planes[channel] + offset).prefix(frames)
  }
  /// The values over this piece, by slot.
  @inlinable public var parameters: RenderParameters { node.pointee.parameters }

  /// The action flags of the host's call (`AudioUnitRenderActionFlags`); nil where the engine's own plan renders.
  package var hostFlags: UnsafeMutablePointer<UInt32>? { node.pointee.host.state?.pointee.call.flags }

  /// Asks the source of an input bus for frames on the source's own clock: for processors that pull their inputs.
  package func pull(bus: Int, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    // A conversion's input has times of its own, which must be numbers as well.
    guard sampleTime < .max - Int64(frames) - RenderParameters.gridFrames else { throw .parameterError }
    var input = node.pointee.nothing
    let status = node.pullInput(bus, sampleTime: sampleTime, frames: frames, into: &input)
    guard status == .noError else { throw status }
    return input
  }

  /// Says that all inputs are wanted: until a parameter moves or something of the unit is edited, the processor is not
  /// asked.
  package func wantAllInputs() { node.pointee.wantingVersion = parameters.version }

  /// Lets the input pass, unchanged: until a parameter moves or something of the unit is edited, over the input itself
  /// the processor is not called again.
  ///
  /// - Parameter bytesPerFrame: the size of a frame in each buffer.
  public func passInput(bytesPerFrame: Int = MemoryLayout<Float>.size) {
    node.pointee.passingVersion = parameters.version
    outputs[0].copy(
      from: inputs[0], sourceFrame: offset, toFrame: offset, frames: frames, bytesPerFrame: bytesPerFrame)
  }
}

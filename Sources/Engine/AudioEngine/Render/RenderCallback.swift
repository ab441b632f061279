import AudioCore

/// A function of the host that fills an input bus, slice by slice.
public struct RenderCallback: @unchecked Sendable {
  /// - Parameters:
  ///   - sampleTime: the puller's clock at the first frame.
  ///   - bus: the input bus that asks.
  ///   - frames: the number of frames to deliver; every one must be written.
  ///   - buffer: memory in the bus's stream format; the function may fill it or re-point its buffers at its own memory,
  ///     which must then stay valid until the next call.
  /// - Returns: `.noError`, or what ends the whole render.
  public typealias Body = (_ sampleTime: Int64, _ bus: Int, _ frames: Int, _ buffer: BusBuffer) -> AudioStatus

  /// Called inside a render call: on the rendering thread or, with ``mayRunBesideOthers``, perhaps on another.
  package let body: Body
  /// Declares that the function may run at the same time as other branches of the graph. Otherwise all branches that
  /// reach a callback run one after another on the rendering thread.
  package let mayRunBesideOthers: Bool

  /// - Parameters:
  ///   - mayRunBesideOthers: see `mayRunBesideOthers`; false is safe for any function.
  ///   - body: gives frames, on the render thread.
  public init(mayRunBesideOthers: Bool = false, _ body: @escaping Body) {
    self.body = body
    self.mayRunBesideOthers = mayRunBesideOthers
  }
}

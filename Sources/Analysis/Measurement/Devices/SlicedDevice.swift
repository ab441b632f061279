import AudioCore

/// Code that works slice by slice and keeps a state, as a device: for processors of one's own.
///
/// As its slices can be set and it can be reset, it can be checked that neither changes the sound.
///
/// ```swift
/// // Its state is the last sample: y[n] = (x[n] + x[n − 1]) / 2.
/// let average = SlicedDevice("average", make: { _, _ in Float(0) }) { last, slice in
///   for frame in slice[0].indices {
///     let sample = slice[0][frame]
///     slice[0][frame] = (sample + last) / 2
///     last = sample
///   }
/// }
/// expectSliceInvariance(of: average)
/// ```
public struct SlicedDevice<State>: PartitionableDevice, ResettableDevice {
  /// As it is to be called in reports.
  public let name: String
  /// Channels that a processor is to be made for; nil: as many as the stimulus has.
  public var inputChannelCount: Int?
  /// The rate at which it is measured unless another is given, in hertz; nil: any.
  public var preferredSampleRate: Double?
  /// The delay that the processor declares, in frames: rendered behind the input too. Nil: it declares none.
  public var reportedLatencyFrames: Double?
  /// The tail that the processor declares, in frames: rendered behind the input too. Nil: it declares none.
  public var reportedTailFrames: Int64?
  /// Float32: what a slice holds.
  public let precision = SamplePrecision.float32
  /// Frames of a slice unless others are given.
  public var sliceFrames = 512
  private let make: @Sendable (_ sampleRate: Double, _ channelCount: Int) throws -> State
  private let reset: (@Sendable (inout State) throws -> Void)?
  private let body: @Sendable (inout State, inout [[Float]]) throws -> Void

  /// - Parameters:
  ///   - name: for people.
  ///   - inputChannelCount: nil: any.
  ///   - sampleRate: hertz, at which it is tested unless another is given; nil: any, 48000 as a rule.
  ///   - make: the processor, new, for a rate in hertz and a number of channels.
  ///   - reset: puts it back to how it was when new; nil: it cannot.
  ///   - process: works on one slice in place, an array of equal length per channel; the last slice of a signal is
  ///     shorter than the others.
  public init(
    _ name: String, inputChannelCount: Int? = nil, sampleRate: Double? = nil,
    make: @escaping @Sendable (_ sampleRate: Double, _ channelCount: Int) throws -> State,
    reset: (@Sendable (inout State) throws -> Void)? = nil,
    process: @escaping @Sendable (_ processor: inout State, _ slice: inout [[Float]]) throws -> Void
  ) {
    self.name = name
    self.inputChannelCount = inputChannelCount
    preferredSampleRate = sampleRate
    self.make = make
    self.reset = reset
    body = process
  }

  /// True when there is a `reset`.
  public var canReset: Bool { reset != nil }

  /// Makes a processor and lets it work in slices of ``sliceFrames``.
  ///
  /// - Throws: `.render` for slices that come back with another length, and for errors of the processor that are no
  ///   `BenchError`.
  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    try process(input, partition: RenderPartition())
  }

  /// As ``process(_:)``, in slices of the partition's slice length; its number of threads is ignored.
  public func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal {
    var state = try made(for: input)
    return try run(input, behind: framesBehind, through: &state, sliceFrames: partition.sliceFrames ?? sliceFrames)
  }

  /// The partition's slice size, or ``sliceFrames``.
  public func sliceFrames(of partition: RenderPartition) throws(BenchError) -> Int? {
    partition.sliceFrames ?? sliceFrames
  }

  /// Runs the first half of the signal, resets the processor, and runs the whole signal through it. Without a `reset`
  /// the processor goes on with the state that it has.
  public func processAfterReset(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    var state = try made(for: input)
    // Not to the end: a state that has rung out would not show that it is kept.
    let half = AudioSignal(
      sampleRate: input.sampleRate, channels: input.channels.map { Array($0.prefix($0.count / 2)) })
    _ = try run(half, behind: 0, through: &state, sliceFrames: sliceFrames)
    do { try reset?(&state) } catch { throw failure(error, "cannot be reset") }
    return try run(input, behind: framesBehind, through: &state, sliceFrames: sliceFrames)
  }

  /// The tail that the processor declares is rendered too, and what it delays.
  private var framesBehind: Int { Int(reportedTailFrames ?? 0) + Int(clamping: reportedLatencyFrames ?? 0) }

  private func made(for input: AudioSignal) throws(BenchError) -> State {
    do { return try make(input.sampleRate, input.channelCount) } catch { throw failure(error, "cannot be made") }
  }

  private func run(
    _ input: AudioSignal, behind: Int, through state: inout State, sliceFrames: Int
  ) throws(BenchError) -> AudioSignal {
    let planes = input.channels.map { $0.map(Float.init) + [Float](repeating: 0, count: behind) }
    let count = input.frameCount + behind
    var output = [[Double]](repeating: [], count: input.channelCount)
    var start = 0
    while start < count {
      let end = min(count, start + max(1, sliceFrames))
      var slice = planes.map { Array($0[start..<end]) }
      do { try body(&state, &slice) } catch { throw failure(error, "failed at frame \(start)") }
      guard start == 0 || slice.count == output.count, slice.allSatisfy({ $0.count == end - start }) else {
        throw BenchError(
          .render, at: name,
          "gave \(slice.map { "\($0.count)" }.joined(separator: ", ")) frames for a slice of \(end - start), frame \(start)"
        )
      }
      if slice.count != output.count { output = Array(repeating: [], count: slice.count) }
      for channel in slice.indices { output[channel].append(contentsOf: slice[channel].lazy.map(Double.init)) }
      start = end
    }
    return AudioSignal(sampleRate: input.sampleRate, channels: output)
  }

  private func failure(_ error: any Error, _ what: String) -> BenchError {
    error as? BenchError ?? BenchError(.render, at: name, "the processor \(what): \(error)")
  }
}

/// A device that can be reset, after which it must do what a new one does.
public protocol ResettableDevice: Device {
  /// True when the device can be reset.
  var canReset: Bool { get }
  /// Runs a part of a signal through a new one, resets it in the middle of the sound, and runs the whole signal.
  func processAfterReset(_ input: AudioSignal) throws(BenchError) -> AudioSignal
}

import AudioCore
import CKernels

/// A sample format in which a stream arrives.
protocol StreamSample: Sendable {
  var asDouble: Double { get }
  /// target[i] = samples[i] · window[i].
  static func multiply(
    _ samples: Plane<Self>, by window: Plane<Double>, into target: Plane<Double>, count: Int)
}

extension Float: StreamSample {
  var asDouble: Double { Double(self) }
  static func multiply(
    _ samples: Plane<Float>, by window: Plane<Double>, into target: Plane<Double>, count: Int
  ) { segments_window_f32(samples.start(of: count), window.start(of: count), target.start(of: count), count) }
}

extension Double: StreamSample {
  var asDouble: Double { self }
  static func multiply(
    _ samples: Plane<Double>, by window: Plane<Double>, into target: Plane<Double>, count: Int
  ) { segments_window_f64(samples.start(of: count), window.start(of: count), target.start(of: count), count) }
}

extension RealFFT {
  /// Transforms a segment of a stream under a window, both as long as the transform.
  func forward<Sample: StreamSample>(_ segment: Plane<Sample>, window: Plane<Double>) {
    Sample.multiply(segment, by: window, into: Plane(samples), count: length)
    forward()
  }
}

/// Takes the segments of a stream as they become whole.
protocol SegmentConsumer: AnyObject {
  /// Takes `count` segments: the first begins at `planes[channel] + offset`, each next one a hop later.
  ///
  /// - Parameter first: the number of the first of them in the stream, from 0.
  func consume<Sample: StreamSample>(
    _ planes: Planes<Sample>, offset: Int, count: Int, first: Int)
}

/// Cuts a stream that arrives in blocks of any length into overlapping segments, and keeps no more than two segments of
/// it.
final class SegmentCutter {
  let channelCount: Int
  private(set) var segmentCount = 0
  private let length: Int
  private let hop: Int
  /// The frames behind the start of the next segment: at most a segment, and room for another.
  private let history: DoubleBuffer
  private var pending = 0

  init(channelCount: Int, settings: SegmentSettings) {
    precondition(channelCount > 0)
    self.channelCount = channelCount
    length = settings.segmentLength
    hop = settings.hopFrames
    history = DoubleBuffer(channelCount: channelCount, frameCapacity: 2 * settings.segmentLength)
  }

  /// Takes a block of any length and hands on every segment that is whole with it.
  func add<Sample: StreamSample>(
    _ planes: Planes<Sample>, frames: Int, to consumer: some SegmentConsumer
  ) {
    precondition(frames >= 0)
    var offset = 0
    if pending > 0 {
      // Segments that begin before the block are put together in the history; those within it are read where they lie.
      let taken = min(frames, length)
      keep(planes, offset: 0, frames: taken)
      let available = pending + taken
      let whole = available < length ? 0 : min((available - length) / hop, (pending - 1) / hop) + 1
      if whole > 0 {
        consumer.consume(history.planes, offset: 0, count: whole, first: segmentCount)
        segmentCount += whole
      }
      let next = whole * hop
      guard next >= pending else {
        forget(next, of: available)
        return
      }
      offset = next - pending
      pending = 0
    }
    if frames - offset >= length {
      let whole = (frames - offset - length) / hop + 1
      consumer.consume(planes, offset: offset, count: whole, first: segmentCount)
      segmentCount += whole
      offset += whole * hop
    }
    keep(planes, offset: offset, frames: frames - offset)
    pending = frames - offset
  }

  private func keep<Sample: StreamSample>(
    _ planes: Planes<Sample>, offset: Int, frames: Int
  ) {
    for channel in 0..<channelCount {
      let source = planes[channel] + offset
      let target = history.planes[channel] + pending
      for frame in 0..<frames { target[frame] = source[frame].asDouble }
    }
  }

  private func forget(_ frames: Int, of available: Int) {
    pending = available - frames
    guard frames > 0 else { return }
    for channel in 0..<channelCount {
      history.planes[channel].update(from: history.planes[channel] + frames, count: pending)
    }
  }
}

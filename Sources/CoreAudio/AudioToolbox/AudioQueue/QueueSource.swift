// The sound of an output queue: its buffers one behind another, at their times. The path of one slice: work. No
// allocation and no lock.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import DSPKernels
import Synchronization

/// Reads a queue's line as Float32, a plane a channel, at the queue's rate. Frames are counted from the queue's start on.
final class QueueSource: @unchecked Sendable {
  /// Frames of one read at most.
  static let pieceFrames = 512

  let format: ConverterFormat
  private let line: QueueLine
  private let decoder: FormatConverter
  private let samples: StreamBuffer?
  private let codes: StreamPointers
  private let target: StreamPointers
  private let gain: QueueGain

  private var current: QueueLine.Item?
  /// The frame of the current buffer that comes next.
  private var place: Int64 = 0
  /// The queue's frame that comes next.
  private(set) var position: Int64 = 0
  /// The last buffer has been played, and a stop was asked for behind it.
  private(set) var hasEnded = false
  /// The sound up to here is to come out, before more is read: a flush.
  private(set) var isFlushed = false
  /// A buffer comes next that sets parameters: what was read before belongs to the former ones.
  private(set) var isAtParameters = false
  /// Lets the program fill the line where it is empty: offline only. Returns false where nothing came of it.
  var refill: (() -> Bool)?
  /// ``position`` for other threads.
  let shown = Atomic<Int64>(0)

  /// - Throws: 'fmt?' where the format cannot be decoded.
  init(_ format: ConverterFormat, _ line: QueueLine, _ gain: QueueGain) throws(AudioStatus) {
    self.format = format
    self.line = line
    self.gain = gain
    let planar = StreamFormat(
      sampleRate: format.stream.sampleRate, channelCount: format.stream.channelCount, isInterleaved: false)
    do {
      decoder = try FormatConverter(from: format.stream, to: planar, maximumFrames: Self.pieceFrames)
    } catch {
      throw ConverterError.formatNotSupported
    }
    samples = format.code.map { _ in StreamBuffer(format: format.stream, frameCapacity: Self.pieceFrames) }
    codes = StreamPointers(count: 1)
    target = StreamPointers(count: planar.channelCount)
  }

  /// True when an item waits in the line.
  var hasMore: Bool { line.hasMore }

  /// Begins anew at frame 0. While nothing plays.
  func restart() {
    position = 0
    shown.store(0, ordering: .releasing)
    resume()
  }

  /// Goes on behind a stop or a flush.
  func resume() {
    hasEnded = false
    isFlushed = false
  }

  /// Goes on behind a flush.
  func passFlush() { isFlushed = false }

  /// Reads at most so many frames: fewer where a buffer begins that sets parameters, at a flush and at the end, and
  /// where the line is empty.
  func read(_ frames: Int, into planes: FloatPlanes, offset: Int) -> Int {
    var done = 0
    isAtParameters = false
    while done < frames, !hasEnded, !isFlushed {
      guard let item = present() else {
        guard !hasEnded, !isFlushed, let refill, refill() else { break }
        continue
      }
      let begin = item.pointee.begun.load(ordering: .relaxed)
      if begin == .min {
        let wanted = max(position, item.pointee.startTime ?? position)
        if wanted > position {
          done += silence(Int(min(Int64(frames - done), wanted - position)), planes, offset + done)
          continue
        }
        if let events = item.pointee.events {
          isAtParameters = done > 0
          if isAtParameters { break }
          for event in events { gain.apply(event.mID, event.mValue) }
        }
        item.pointee.begun.store(position, ordering: .releasing)
      }
      let count = Int(min(Int64(frames - done), item.pointee.frames - place))
      if count > 0 { decode(item, count, planes, offset + done) }
      place += Int64(count)
      done += count
      move(count)
      if place >= item.pointee.frames { finish(item) }
    }
    return done
  }

  /// Lets time go by in which nothing is read.
  func silence(_ count: Int, _ planes: FloatPlanes, _ offset: Int) -> Int {
    for channel in 0..<planes.channelCount { (planes[channel] + offset).update(repeating: 0, count: count) }
    move(count)
    return count
  }

  private func move(_ count: Int) {
    position += Int64(count)
    shown.store(position, ordering: .releasing)
  }

  /// The item to be played.
  private func present() -> QueueLine.Item? {
    if let current {
      if line.isPresent(current) { return current }
      finish(current)
    }
    while let next = line.take() {
      switch next.pointee.kind {
      case .origin: continue
      case .buffer:
        current = next
        place = 0
        return next
      case .flush, .end:
        next.pointee.begun.store(position, ordering: .releasing)
        next.pointee.isDone.store(true, ordering: .releasing)
        if next.pointee.kind == .end { hasEnded = true } else { isFlushed = true }
        return nil
      }
    }
    return nil
  }

  private func finish(_ item: QueueLine.Item) {
    current = nil
    item.pointee.isDone.store(true, ordering: .releasing)
  }

  private func decode(_ item: QueueLine.Item, _ count: Int, _ planes: FloatPlanes, _ offset: Int) {
    guard let data = item.pointee.data else { return }
    codes.bus.buffers[0] = data + Int(place) * format.bytesPerFrame
    var input = codes.bus.holding(count)
    if let code = format.code, let samples {
      code.decode(input.buffers[0], count: count * format.bytesPerFrame, to: samples.bus.buffers[0])
      input = samples.bus
    }
    decoder.convert(input, to: target.bus(planes, from: offset), frames: count)
  }
}

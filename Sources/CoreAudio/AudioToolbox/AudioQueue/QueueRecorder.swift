// The way of an input queue's sound: microphone, rate and channels of the queue, tap, its format, its buffers. The path of
// one slice: work. No allocation and no lock.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import SampleRate
import Hardware
import Synchronization

/// Fills a queue's buffers, one behind another.
final class QueueRecorder: @unchecked Sendable {
  let input: StreamFormat
  private let format: ConverterFormat
  private let line: QueueLine
  private let meter: QueueMeter
  private let tap: QueueTap?
  private let first: FormatConverter
  private let second: FormatConverter
  private let raw: PlanarBuffer
  private let rawBus: StreamPointers
  private let inputBus: StreamPointers
  private let outputBus: StreamPointers
  private let samples: StreamBuffer?
  private var current: QueueLine.Item?
  private var place: Int64 = 0
  /// The queue's frame that comes next.
  private(set) var position: Int64
  private let progress: QueueProgress

  private static let maximumFrames = 4096

  /// - Parameter position: the queue's frame to begin with.
  /// - Throws: 'fmt?' where there is no conversion.
  init(
    _ format: ConverterFormat, from input: StreamFormat, _ line: QueueLine, meter: QueueMeter, progress: QueueProgress,
    tap: QueueTap?, channels assignments: ChannelMatrix?, position: Int64
  ) throws(AudioStatus) {
    self.format = format
    self.input = input
    self.line = line
    self.meter = meter
    self.tap = tap
    self.position = position
    self.progress = progress
    let channels = format.stream.channelCount
    let planar = StreamFormat(sampleRate: format.stream.sampleRate, channelCount: channels, isInterleaved: false)
    do {
      first = try FormatConverter(
        from: input, to: planar, maximumFrames: Self.maximumFrames,
        options: FormatConverter.Options(
          quality: .best,
          channels: assignments ?? .conventional(inputCount: input.channelCount, outputCount: channels)))
      second = try FormatConverter(from: planar, to: format.stream, maximumFrames: QueueSource.pieceFrames)
    } catch {
      throw ConverterError.formatNotSupported
    }
    raw = PlanarBuffer(channelCount: channels, frameCapacity: QueueSource.pieceFrames)
    rawBus = StreamPointers(count: channels)
    inputBus = StreamPointers(count: 1)
    outputBus = StreamPointers(count: 1)
    samples = format.code.map { _ in StreamBuffer(format: format.stream, frameCapacity: QueueSource.pieceFrames) }
    tap?.restart()
  }

  /// Goes on with a buffer that another recorder has begun.
  func adopt(_ former: QueueRecorder) { (current, place) = (former.current, former.place) }

  // MARK: The render side

  /// Takes a cycle of the microphone.
  func take(_ cycle: DeviceCycle) {
    if progress.isFlushed.exchange(false, ordering: .acquiringAndReleasing) { finish() }
    guard cycle.inputChannels == input.channelCount else { return }
    var offset = 0
    while offset < cycle.frames {
      let count = min(cycle.frames - offset, QueueSource.pieceFrames)
      inputBus.bus.buffers[0] = UnsafeMutableRawPointer(
        (cycle.input + offset * input.channelCount).start(of: count * input.channelCount))
      let source = inputBus.bus.holding(count)
      if first.isSynchronous {
        first.convert(source, to: rawBus.bus(raw.planes, from: 0), frames: count)
        pass(count, cycle, ahead: offset)
      } else {
        first.push(source, frames: count)
        drain(cycle, ahead: offset)
      }
      offset += count
    }
    meter.publish()
  }

  /// All frames that the rate conversion can give by now.
  private func drain(_ cycle: DeviceCycle, ahead: Int) {
    while true {
      var (ready, tooMany) = (0, QueueSource.pieceFrames + 1)
      while tooMany - ready > 1 {
        let middle = (ready + tooMany) / 2
        if first.inputFramesNeeded(toProduce: middle) == 0 { ready = middle } else { tooMany = middle }
      }
      guard ready > 0 else { return }
      first.pop(into: rawBus.bus(raw.planes, from: 0), frames: ready)
      pass(ready, cycle, ahead: ahead)
    }
  }

  /// Frames at the queue's rate, through the tap into buffers.
  private func pass(_ frames: Int, _ cycle: DeviceCycle, ahead: Int) {
    let host = cycle.time.hostTime + UInt64(FrameCount.converted(Int64(ahead), from: input.sampleRate, to: 1e9))
    var count = frames
    if let tap {
      var stamp = AudioTimeStamp(sampleTime: Double(position))
      stamp.mHostTime = host
      stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
      var given = 0
      count = tap.run(
        frames, into: raw.planes, stamp: stamp, position: { [self] in position }, hasEnded: { false }
      ) { [raw] wanted, planes in
        let some = min(wanted, frames - given)
        for channel in 0..<planes.channelCount where planes[channel].start != raw.planes[channel].start {
          planes[channel].update(from: raw.planes[channel] + given, count: some)
        }
        given += some
        return some
      }
    }
    meter.measure(raw.planes, frames: count)
    var done = 0
    while done < count {
      guard let item = present() else {
        progress.lostFrames.wrappingAdd(Int64(count - done), ordering: .relaxed)
        position += Int64(count - done)
        break
      }
      if place == 0 {
        item.pointee.hostTime.store(
          host + UInt64(FrameCount.converted(Int64(done), from: format.stream.sampleRate, to: 1e9)),
          ordering: .relaxed)
        item.pointee.begun.store(position, ordering: .releasing)
      }
      let some = Int(min(Int64(count - done), item.pointee.frames - place))
      write(item, some, from: done)
      place += Int64(some)
      position += Int64(some)
      done += some
      item.pointee.filled.store(place, ordering: .releasing)
      if place >= item.pointee.frames { finish() }
    }
    progress.frame.store(position, ordering: .releasing)
  }

  private func present() -> QueueLine.Item? {
    if let current {
      if line.isPresent(current) { return current }
      finish()
    }
    while let next = line.take() {
      guard next.pointee.kind == .buffer else {
        next.pointee.isDone.store(true, ordering: .releasing)
        continue
      }
      current = next
      place = 0
      return next
    }
    return nil
  }

  private func finish() {
    current?.pointee.isDone.store(true, ordering: .releasing)
    current = nil
    place = 0
  }

  private func write(_ item: QueueLine.Item, _ count: Int, from offset: Int) {
    guard let data = item.pointee.data else { return }
    outputBus.bus.buffers[0] = data + Int(place) * format.bytesPerFrame
    let target = outputBus.bus.holding(count)
    second.convert(rawBus.bus(raw.planes, from: offset), to: samples?.bus ?? target, frames: count)
    if let code = format.code, let samples {
      code.encode(samples.bus.buffers[0], count: count * format.bytesPerFrame, to: target.buffers[0])
    }
  }
}

// The way of an output queue's sound: buffers, tap, rate and pitch, tap, channels, volume, the rate of the device. The path
// of one slice: work. No allocation and no lock; only taps, which are the program's, and time pitch may do either.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import SampleRate
import Synchronization

/// The place that a queue has come to, for threads that do not render.
final class QueueProgress: Sendable {
  /// All has been played, and a stop was asked for.
  let isOver = Atomic<Bool>(false)
  /// The queue's frame that is heard next, or recorded next.
  let frame = Atomic<Int64>(0)
  /// Frames of the microphone that no buffer was there for.
  let lostFrames = Atomic<Int64>(0)
  /// The buffer that is being filled is to be given back with the next cycle.
  let isFlushed = Atomic<Bool>(false)

  /// Begins anew.
  func restart() {
    isOver.store(false, ordering: .relaxed)
    isFlushed.store(false, ordering: .relaxed)
    frame.store(0, ordering: .releasing)
  }
}

/// Renders a queue for a device, or for a program that renders offline, in one format.
final class QueueVoice: @unchecked Sendable {
  /// Frames that the converter takes or gives at once.
  private static let pieceFrames = 4096

  let output: StreamFormat
  private let rate: Double
  private let source: QueueSource
  private let gain: QueueGain
  private let meter: QueueMeter
  private let tap: QueueTap?
  private let speed: QueueSpeed?
  /// True: without sound time stands still, and is not filled up with silence.
  private let waits: Bool
  private let matrix: ChannelMatrix
  private let converter: FormatConverter
  private let raw: PlanarBuffer
  private let mixed: PlanarBuffer
  private let mixedBus: StreamPointers
  private let target: StreamPointers
  private let silence: StreamBuffer

  /// Frames of the queue that went into the converter since it began, and what came out of it.
  private var pushed: Int64 = 0
  private var produced: Int64 = 0
  /// Frames of the source that rate and pitch have been given.
  private var firstPosition: Int64
  private let originPosition: Int64
  private let progress: QueueProgress

  /// - Throws: 'fmt?' where there is no conversion; −66681 where time pitch cannot be had.
  init(
    _ source: QueueSource, to output: StreamFormat, gain: QueueGain, meter: QueueMeter, progress: QueueProgress,
    tap: QueueTap?, timePitch: UInt32?, channels assignments: ChannelMatrix?, waits: Bool
  ) throws(AudioStatus) {
    self.source = source
    self.output = output
    self.gain = gain
    self.meter = meter
    self.progress = progress
    self.tap = tap
    self.waits = waits
    let channels = source.format.stream.channelCount
    rate = source.format.stream.sampleRate
    matrix = assignments ?? .conventional(inputCount: channels, outputCount: output.channelCount)
    let mixedFormat = StreamFormat(sampleRate: rate, channelCount: output.channelCount, isInterleaved: false)
    do {
      converter = try FormatConverter(
        from: mixedFormat, to: output, maximumFrames: Self.pieceFrames,
        options: FormatConverter.Options(quality: .best))
    } catch {
      throw ConverterError.formatNotSupported
    }
    raw = PlanarBuffer(channelCount: channels, frameCapacity: QueueSource.pieceFrames)
    mixed = PlanarBuffer(channelCount: output.channelCount, frameCapacity: QueueSource.pieceFrames)
    mixedBus = StreamPointers(count: output.channelCount)
    target = StreamPointers(count: output.bufferCount)
    silence = StreamBuffer(format: mixedFormat, frameCapacity: QueueSource.pieceFrames)
    firstPosition = source.position
    originPosition = source.position
    if let timePitch {
      let planar = StreamFormat(sampleRate: rate, channelCount: channels, isInterleaved: false)
      do {
        let preTap = tap?.isPost == false ? tap : nil
        let scratch = PlanarBuffer(channelCount: channels, frameCapacity: QueueSource.pieceFrames)
        speed = try QueueSpeed(planar, algorithm: timePitch) { frames, planes, offset in
          Self.fill(source, preTap, scratch, frames, planes, offset)
        }
      } catch {
        throw AudioStatus(kAudioQueueErr_CannotStart)
      }
    } else {
      speed = nil
    }
    tap?.restart()
  }

  /// Reads for rate and pitch, which get silence where there is nothing.
  private static func fill(
    _ source: QueueSource, _ tap: QueueTap?, _ scratch: PlanarBuffer, _ frames: Int, _ planes: FloatPlanes,
    _ offset: Int
  ) {
    var done = 0
    while done < frames {
      let asked = min(frames - done, QueueSource.pieceFrames)
      let count = read(source, tap, asked, scratch.planes, waits: false)
      for channel in 0..<planes.channelCount {
        (planes[channel] + offset + done).update(from: scratch.planes[channel], count: count)
        if count == 0 { (planes[channel] + offset + done).update(repeating: 0, count: frames - done) }
      }
      if count == 0 { break }
      done += count
    }
  }

  /// Reads the queue, through a tap in front of the effects.
  private static func read(
    _ source: QueueSource, _ tap: QueueTap?, _ frames: Int, _ planes: FloatPlanes, waits: Bool
  ) -> Int {
    guard let tap else { return plain(source, frames, planes, waits: waits) }
    let count = tap.run(
      frames, into: planes, stamp: AudioTimeStamp(sampleTime: Double(source.position)),
      position: { source.position }, hasEnded: { source.hasEnded }
    ) { plain(source, $0, $1, waits: waits) }
    guard !waits, !source.isAtParameters, count < frames else { return count }
    for channel in 0..<planes.channelCount { (planes[channel] + count).update(repeating: 0, count: frames - count) }
    return frames
  }

  /// Reads the queue; without a wait, silence for what is not there.
  private static func plain(_ source: QueueSource, _ frames: Int, _ planes: FloatPlanes, waits: Bool) -> Int {
    let count = source.read(frames, into: planes, offset: 0)
    if waits || count > 0 && (source.hasEnded || source.isFlushed) { return count }
    var done = count
    while done < frames, !source.isAtParameters {
      let more = source.read(frames - done, into: planes, offset: done)
      if more == 0 {
        if source.hasEnded { break }
        if source.isFlushed { source.passFlush() } else { done += source.silence(frames - done, planes, done) }
      }
      done += more
    }
    return done
  }

  // MARK: Time

  private func note() {
    let heard = speed == nil ? originPosition + FrameCount.converted(produced, from: output.sampleRate, to: rate) : nil
    progress.frame.store(heard.map { min($0, source.position) } ?? source.position, ordering: .releasing)
  }

  // MARK: The render side

  /// Renders frames of the output.
  /// - Returns: fewer at the end and, where it waits, if the line is empty.
  func render(_ frames: Int, into bus: BusBuffer) -> Int {
    gain.latch()
    speed?.set(
      rate: gain.value(kAudioQueueParam_PlayRate) ?? 1, pitch: gain.value(kAudioQueueParam_Pitch) ?? 0)
    var done = 0
    while done < frames, !progress.isOver.load(ordering: .relaxed) {
      let count =
        converter.isSynchronous ? pass(frames - done, bus, done) : resample(frames - done, bus, done)
      if count == 0 { break }
      done += count
    }
    meter.publish()
    note()
    return done
  }

  private func place(_ bus: BusBuffer, _ frame: Int) -> BusBuffer {
    target.bus(bus, from: frame, bytesPerFrame: output.bytesPerFrame)
  }

  private func pass(_ frames: Int, _ bus: BusBuffer, _ offset: Int) -> Int {
    let count = piece(min(frames, QueueSource.pieceFrames))
    if count == 0 {
      end()
      return 0
    }
    converter.convert(mixedBus.bus(mixed.planes, from: 0), to: place(bus, offset), frames: count)
    produced += Int64(count)
    return count
  }

  private func resample(_ frames: Int, _ bus: BusBuffer, _ offset: Int) -> Int {
    while true {
      var wanted = min(frames, Self.pieceFrames)
      let isClosed = mustDrain
      if isClosed {
        wanted = Int(min(Int64(wanted), FrameCount.converted(pushed, from: rate, to: output.sampleRate) - produced))
        if wanted <= 0 {
          end()
          return 0
        }
      }
      let needed = converter.inputFramesNeeded(toProduce: wanted)
      if needed == 0 { return pop(wanted, bus, offset) }
      if isClosed {
        converter.push(silence.bus, frames: min(needed, silence.frameCapacity))
        continue
      }
      let count = piece(min(needed, QueueSource.pieceFrames))
      if count > 0 {
        converter.push(mixedBus.bus(mixed.planes, from: 0), frames: count)
        pushed += Int64(count)
      } else if !mustDrain {
        return pop(ready(atMost: wanted), bus, offset)
      }
    }
  }

  private func pop(_ frames: Int, _ bus: BusBuffer, _ offset: Int) -> Int {
    if frames > 0 { converter.pop(into: place(bus, offset), frames: frames) }
    produced += Int64(frames)
    return frames
  }

  /// The frames that can come out without more going in.
  private func ready(atMost most: Int) -> Int {
    var (ready, tooMany) = (0, most + 1)
    while tooMany - ready > 1 {
      let middle = (ready + tooMany) / 2
      if converter.inputFramesNeeded(toProduce: middle) == 0 { ready = middle } else { tooMany = middle }
    }
    return ready
  }

  /// True: nothing more is to be read, what was is to come out.
  private var mustDrain: Bool { (source.hasEnded || waits && source.isFlushed) && speedHasEnded }

  /// Behind the last frame: the end, or a flush after which the converter begins anew.
  private func end() {
    if source.hasEnded && speedHasEnded {
      progress.isOver.store(true, ordering: .releasing)
    } else if waits && source.isFlushed {
      converter.reset()
      (pushed, produced) = (0, 0)
      source.passFlush()
    }
  }

  /// True once rate and pitch have come to the source's end.
  private var speedHasEnded: Bool {
    guard let speed else { return true }
    return speed.place >= Double(source.position - firstPosition)
  }

  /// Renders at most a piece at the queue's rate: into ``mixed``.
  private func piece(_ frames: Int) -> Int {
    let count: Int
    if let tap, tap.isPost {
      count = tap.run(
        frames, into: raw.planes, stamp: AudioTimeStamp(sampleTime: Double(pushed)),
        position: { [source] in source.position }, hasEnded: { [source] in source.hasEnded }
      ) { [self] in effects($0, $1) }
    } else {
      count = effects(frames, raw.planes)
    }
    guard count > 0 else { return 0 }
    meter.measure(raw.planes, frames: count)
    matrix.apply(from: raw.planes, to: mixed.planes, frames: count)
    gain.run(mixed.planes, frames: count)
    return count
  }

  /// The sound behind rate and pitch.
  private func effects(_ frames: Int, _ planes: FloatPlanes) -> Int {
    guard let speed else {
      return Self.read(source, tap?.isPost == false ? tap : nil, frames, planes, waits: waits)
    }
    if (source.hasEnded || waits && source.isFlushed) && speedHasEnded { return 0 }
    speed.render(frames, into: planes)
    guard source.hasEnded else { return frames }
    // Frames that belong to no frame of the source any more.
    let behind = (speed.place - Double(source.position - firstPosition)) / Double(speed.presentRate)
    return max(0, frames - Int(clamping: max(0, behind).rounded(.down)))
  }
}

import AudioCore
import SampleRate

/// The sound of a scenario's loudspeaker, as a render's output: at the rate that the hardware had at its beginning, so
/// many frames of it. The hardware's thread appends; call all else while nothing runs.
final class PlayedSound: LoudspeakerListener, @unchecked Sendable {
  private let queue: SinkQueue
  private let output: StreamFormat
  private let frameLimit: Int64
  /// Called once, with what ended it.
  private let failed: @Sendable (BenchError) -> Void
  private var hasFailed = false

  private static let pieceFrames = 128
  private let piece: PlanarBuffer
  private let converted: PlanarBuffer
  /// From the present rate, where that is another.
  private var converter: RateConverter?
  private var rate: Double
  /// The length played at former rates, seconds, and since then, frames.
  private var formerSeconds = 0.0
  private var frames: Int64 = 0
  private(set) var framesWritten: Int64 = 0

  /// - Parameters:
  ///   - output: the output format of the hardware as it begins.
  ///   - failed: called on the hardware's thread.
  init(
    into queue: SinkQueue, output: StreamFormat, frameLimit: Int64, failed: @escaping @Sendable (BenchError) -> Void
  ) {
    self.queue = queue
    self.output = output
    self.frameLimit = frameLimit
    self.failed = failed
    rate = output.sampleRate
    piece = PlanarBuffer(channelCount: output.channelCount, frameCapacity: Self.pieceFrames)
    converted = PlanarBuffer(channelCount: output.channelCount, frameCapacity: Self.pieceFrames)
  }

  func begin(_ format: StreamFormat) {
    guard format.sampleRate != rate else { return }
    end()
    formerSeconds += Double(frames) / rate
    (rate, frames) = (format.sampleRate, 0)
    attempt { () throws(BenchError) in
      converter =
        rate == output.sampleRate
        ? nil
        : try RateConverter(
          from: rate, to: output.sampleRate, channelCount: output.channelCount, quality: .standard,
          maximumOutputFrames: Self.pieceFrames)
    }
  }

  func append(_ samples: Plane<Float>, frames: Int) {
    var done = 0
    while done < frames, !hasFailed {
      let count = min(Self.pieceFrames, frames - done)
      for channel in 0..<output.channelCount {
        let plane = piece[channel]
        for frame in 0..<count { plane[frame] = samples[(done + frame) * output.channelCount + channel] }
      }
      done += count
      guard let converter else {
        write(piece, frames: count)
        continue
      }
      converter.push(piece.planes, frames: count)
      popAll(converter)
    }
    self.frames += Int64(frames)
  }

  /// Completes what comes at the present rate: what its conversion holds back is followed by silence.
  func end() {
    guard let converter else { return }
    let wanted = Int64(clamping: ((formerSeconds + Double(frames) / rate) * output.sampleRate).rounded())
    while framesWritten < min(wanted, frameLimit), !hasFailed {
      let count = Int(min(Int64(Self.pieceFrames), wanted - framesWritten))
      converter.pushSilence(frames: converter.inputFramesNeeded(toProduce: count))
      converter.pop(into: converted.planes, frames: count)
      write(converted, frames: count)
    }
    self.converter = nil
  }

  private func popAll(_ converter: RateConverter) {
    var count = Self.pieceFrames
    while count > 0 {
      guard converter.inputFramesNeeded(toProduce: count) == 0 else {
        count /= 2
        continue
      }
      converter.pop(into: converted.planes, frames: count)
      write(converted, frames: count)
    }
  }

  private func write(_ buffer: PlanarBuffer, frames: Int) {
    let count = Int(min(Int64(frames), frameLimit - framesWritten))
    guard count > 0 else { return }
    queue.append(buffer.planes, offset: 0, frames: count)
    framesWritten += Int64(count)
    attempt { () throws(BenchError) in try queue.check() }
  }

  private func attempt(_ body: () throws(BenchError) -> Void) {
    do throws(BenchError) { try body() } catch {
      if !hasFailed { failed(error) }
      hasFailed = true
    }
  }
}

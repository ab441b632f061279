// A stream through a filter bank. Runs on the render thread; allocates at init only. Every output frame is computed
// when it is popped, from the input frames that are kept for it.

import AudioCore
import DSPKernels

final class FilterBankEngine: ConversionEngine {
  private let bank: FilterBank
  private let channelCount: Int
  /// The input frames that outputs still to come read, from frame `origin` on.
  private let kept: PlanarBuffer
  private var origin: Int64 = 0
  private var keptFrames = 0
  private var poppedFrames: Int64 = 0

  /// Frames that a caller may push beyond those needed.
  private static let surplusFrames = 128

  init(_ bank: FilterBank, channelCount: Int, maximumOutputFrames: Int) {
    self.bank = bank
    self.channelCount = channelCount
    kept = PlanarBuffer(
      channelCount: channelCount,
      frameCapacity: Self.frameCapacity(
        windowFrames: bank.lookBehindFrames + bank.lookAheadFrames, maximumOutputFrames: maximumOutputFrames,
        step: Double(bank.inputsPerCycle) / Double(bank.outputsPerCycle)))
    reset()
  }

  /// Room for what an output reads and what the longest pop asks for, and for as much again, so that the frames which
  /// stay are moved to the front now and then only.
  static func frameCapacity(windowFrames: Int, maximumOutputFrames: Int, step: Double) -> Int {
    let pushed = Int(clamping: (Double(maximumOutputFrames) * step).rounded(.up)) + 2
    return 3 * windowFrames + 2 * pushed + surplusFrames
  }

  var readAheadFrames: Int { bank.lookAheadFrames - 1 }

  func inputFrames(for outputs: Int) -> Int {
    guard outputs > 0 else { return 0 }
    return Int(bank.inputFrame(under: Int64(outputs) - 1)) + bank.lookAheadFrames
  }

  func push(_ planes: FloatPlanes?, offset: Int, frames: Int) {
    if keptFrames + frames > kept.frameCapacity { dropPast() }
    precondition(keptFrames + frames <= kept.frameCapacity, "more input than was asked for")
    for channel in 0..<channelCount {
      (kept.planes[channel] + keptFrames).take(planes?[channel], offset: offset, frames: frames)
    }
    keptFrames += frames
  }

  /// Moves what is still read to the front.
  private func dropPast() {
    let past = Int(bank.inputFrame(under: poppedFrames) - Int64(bank.lookBehindFrames) - origin)
    guard past > 0 else { return }
    for channel in 0..<channelCount {
      kept.planes[channel].update(from: kept.planes[channel] + past, count: keptFrames - past)
    }
    origin += Int64(past)
    keptFrames -= past
  }

  func pop(into planes: FloatPlanes, offset: Int, frames: Int) {
    bank.process(
      input: kept.planes, inputOrigin: origin, output: planes, channelCount: channelCount, offset: offset,
      first: poppedFrames, frames: frames)
    poppedFrames += Int64(frames)
  }

  func reset() { _ = restart(atOutput: 0) }

  /// In front of the stream there is silence.
  func restart(atOutput output: Int64) -> Int64? {
    origin = bank.inputFrame(under: output) - Int64(bank.lookBehindFrames)
    keptFrames = Int(max(0, -origin))
    kept.clear(frames: keptFrames)
    poppedFrames = output
    return max(0, origin)
  }
}

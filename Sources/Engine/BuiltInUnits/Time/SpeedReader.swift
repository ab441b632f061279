// The path of one slice: work. Plays faster and slower as a tape does. Runs on the render thread: no allocation, no
// lock.

import AudioCore
import AudioEngine
import DSPKernels

/// Reads a stream at places that move on by a rate of their own for every output frame: see ``SlidingSinc``.
final class SpeedReader {
  private let channelCount: Int
  private let maximumFrames: Int
  private let sinc: SlidingSinc
  private let window: InputWindow
  /// For the frames of a step: the input frame at or before their places, how far behind it these lie, and the filters.
  private let frames: FlatMemory<Int64>
  private let fractions: FlatMemory<Double>
  private let cutoffs: FlatMemory<Double>

  /// The place in the input of the next output frame.
  private var place: Int64 = 0
  private var fraction = 0.0
  /// The rate of the frame that was read last.
  private var presentRate = 1.0

  /// - Parameters:
  ///   - maximumFrames: the longest slice of the output, and of the source.
  ///   - keepsFilters: true to keep the weights for a rate that stays: faster for it, and 700 KB.
  init(channelCount: Int, maximumFrames: Int, keepsFilters: Bool) {
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    sinc = SlidingSinc(keepsFilters: keepsFilters)
    window = InputWindow(Self.windowExtent(channelCount, maximumFrames))
    frames = FlatMemory(repeating: 0, count: maximumFrames)
    fractions = FlatMemory(repeating: 0, count: maximumFrames)
    cutoffs = FlatMemory(repeating: 1, count: maximumFrames)
  }

  static func byteCount(channelCount: Int, maximumFrames: Int, keepsFilters: Bool) -> Int {
    windowExtent(channelCount, maximumFrames).byteCount
      + MemoryBudget.product(maximumFrames, 24) + SlidingSinc.byteCount(keepsFilters: keepsFilters)
  }

  /// The frames read around those of a step, which itself covers no more of the input than a slice may have.
  private static func windowExtent(_ channelCount: Int, _ maximumFrames: Int) -> InputWindow.Extent {
    InputWindow.Extent(
      channelCount: channelCount, frames: maximumFrames + SlidingSinc.mostBehind + SlidingSinc.mostAhead + 16,
      longestPull: maximumFrames)
  }

  /// The input frame that is pulled next.
  var inputTime: Int64 { window.end }

  /// Goes to a place in the input, with silence in front of it.
  func restart(at position: Double) {
    // The source has no frames beyond this.
    let most = Double(1 << 61 as Int64)
    let whole = min(most, max(-most, position)).rounded(.down)
    place = Int64(clamping: whole)
    fraction = abs(position) < most ? position - whole : 0
    window.restart(at: place, silence: SlidingSinc.mostBehind)
  }

  /// Goes on at the nearest whole place.
  func roundPlace() {
    if fraction >= 0.5 { place += 1 }
    fraction = 0
  }

  /// Forgets the rate.
  func reset() { presentRate = 1 }

  /// Reads some frames.
  ///
  /// - Parameters:
  ///   - rate: the rate of a frame, counted from the first of these; ``SlidingSinc/rates``.
  ///   - isMoving: true if the rate is not the same for all.
  ///   - source: gives frames of the input.
  @inline(__always)
  func read(
    _ count: Int, into output: FloatPlanes, from offset: Int, isMoving: Bool, rate: (Int) -> Double,
    source: (_ sampleTime: Int64, _ frames: Int) throws(AudioStatus) -> BusBuffer
  ) throws(AudioStatus) {
    if !isMoving && fraction == 0 && rate(0) == 1 {
      return try pass(count, into: output, from: offset, source: source)
    }
    var done = 0
    while done < count {
      let step = step(from: done, of: count, isMoving: isMoving, rate: rate)
      let first = frames[0] - Int64(SlidingSinc.mostBehind)
      try window.pull(source, before: neededEnd(isMoving ? 0..<step : step - 1..<step), keepingFrom: first)
      if !isMoving {
        sinc.apply(
          step, input: window.buffer.planes, origin: window.origin, places: frames.all, fractions: fractions.all,
          cutoff: cutoffs[0], output: output, offset: offset + done, channelCount: channelCount)
        done += step
        continue
      }
      for frame in 0..<step {
        sinc.apply(
          input: window.buffer.planes, place: window.place(of: frames[frame]), fraction: fractions[frame],
          cutoff: cutoffs[frame], output: output, frame: offset + done + frame, channelCount: channelCount)
      }
      done += step
    }
  }

  /// Whole frames at the input's own rate, as they are.
  @inline(__always)
  private func pass(
    _ count: Int, into output: FloatPlanes, from offset: Int,
    source: (_ sampleTime: Int64, _ frames: Int) throws(AudioStatus) -> BusBuffer
  ) throws(AudioStatus) {
    var done = 0
    while done < count {
      let frames = min(maximumFrames, count - done)
      try window.pull(source, before: place + Int64(frames), keepingFrom: place - Int64(SlidingSinc.mostBehind))
      let from = window.place(of: place)
      for channel in 0..<channelCount {
        (output[channel] + offset + done).update(from: window.buffer.planes[channel] + from, count: frames)
      }
      place += Int64(frames)
      done += frames
    }
    presentRate = 1
  }

  /// Finds the places of as many frames as the window has room for, one at least, and returns how many these are.
  @inline(__always)
  private func step(from first: Int, of total: Int, isMoving: Bool, rate: (Int) -> Double) -> Int {
    var present = rate(first)
    var cutoff = SlidingSinc.cutoff(rate: present)
    let start = place
    var count = 0
    while first + count < total && place - start < Int64(maximumFrames) && count < maximumFrames {
      if isMoving {
        present = rate(first + count)
        cutoff = SlidingSinc.cutoff(rate: present)
      }
      frames[count] = place
      fractions[count] = fraction
      cutoffs[count] = cutoff
      fraction += present
      // Never negative: to the integer below.
      let whole = Int64(clamping: fraction)
      fraction -= Double(whole)
      place += whole
      count += 1
    }
    presentRate = present
    return count
  }

  /// The input frame before which all is needed: with a rate that stays the last frame settles it.
  private func neededEnd(_ step: Range<Int>) -> Int64 {
    var end = Int64.min
    for frame in step {
      let ahead = SlidingSinc.framesAhead(fraction: fractions[frame], cutoff: cutoffs[frame])
      end = max(end, frames[frame] + Int64(ahead) + 1)
    }
    return end
  }

  /// About what a slice will ask the source for.
  func demand(_ frames: Int) -> (sampleTime: Int64, frames: Int) {
    (window.end, Int(clamping: (Double(frames) * presentRate).rounded(.up)) + SlidingSinc.mostAhead)
  }
}

import AudioCore
import Glibc
import Loudness

/// Applies a ``Finishing`` to a sound that lies in a spool.
struct FinishingPass {
  /// The part of the spool that is kept.
  let kept: Range<Int64>
  private let spool: SoundSpool
  private let fadeIn: Int64
  private let fadeOut: Int64

  /// True where no sample is changed but by a gain.
  var isUnfaded: Bool { fadeIn == 0 && fadeOut == 0 }

  /// The warning about fades that did not fit; nil: they did.
  private(set) var fadeWarning: String?

  init(_ finishing: Finishing, _ spool: SoundSpool) {
    self.spool = spool
    let rate = spool.format.sampleRate
    func frames(_ seconds: Double) -> Int64 { FrameCount.from(seconds: seconds, sampleRate: rate) ?? .max }
    if let trim = finishing.trim {
      let margin = frames(trim.keptSeconds)
      // All silence leaves nothing.
      kept =
        spool.loud.map { loud in
          let (end, isBeyond) = loud.upperBound.addingReportingOverflow(margin)
          return max(0, loud.lowerBound - margin)..<(isBeyond ? spool.frames : min(spool.frames, end))
        } ?? 0..<0
    } else {
      kept = 0..<spool.frames
    }
    let wanted = (frames(finishing.fadeInSeconds), frames(finishing.fadeOutSeconds))
    let length = Int64(kept.count)
    (fadeIn, fadeOut) = Self.fitting(wanted, length: length)
    guard length > 0, (fadeIn, fadeOut) != wanted else { return }
    func seconds(_ frames: Int64) -> String { NumberText.withoutZeros(NumberText.fixed(Double(frames) / rate, 3)) }
    let asked = [finishing.fadeInSeconds, finishing.fadeOutSeconds].map(NumberText.short).joined(separator: " and ")
    fadeWarning =
      "the fades of \(asked) s are shortened to \(seconds(fadeIn)) and \(seconds(fadeOut)) s, as the sound has "
      + "\(seconds(length)) s"
  }

  /// Fades that are longer than the sound together are shortened alike, so that they meet.
  private static func fitting(_ wanted: (Int64, Int64), length: Int64) -> (Int64, Int64) {
    let sum = Double(wanted.0) + Double(wanted.1)
    guard sum > Double(length) else { return wanted }
    let fadeIn = min(length, FrameCount.from(seconds: Double(wanted.0) / sum * Double(length), sampleRate: 1) ?? 0)
    return (fadeIn, wanted.1 == 0 ? 0 : length - fadeIn)
  }

  /// Loudness and true peak of what is kept, faded as it will be.
  /// - Throws: `.input` for a rate or a number of channels that has no loudness.
  func meter(_ layout: ChannelLayout?, at place: String) throws(BenchError) -> LoudnessMeter {
    let meter = try BlockMeter(spool.format, layout, at: place)
    try forEachBlock(of: kept, gain: 1) { (planes, offset, frames) throws(BenchError) in
      meter.add(planes, offset: offset, frames: frames)
    }
    return meter.meter
  }

  /// Calls `body` with what is kept, faded and at its gain, block by block.
  /// - Parameter range: frames of the spool, within ``kept``.
  func forEachBlock(
    of range: Range<Int64>, gain: Float,
    _ body: (FloatPlanes, _ offset: Int, _ frames: Int)
      throws(BenchError) -> Void
  ) throws(BenchError) {
    try spool.forEachBlock(of: range.clamped(to: kept)) { (planes, offset, frames, first) throws(BenchError) in
      for channel in 0..<spool.format.channelCount {
        let plane = planes[channel] + offset
        if gain != 1 { for frame in 0..<frames { plane[frame] *= gain } }
        fade(plane, frames: frames, first: first - kept.lowerBound)
      }
      try body(planes, offset, frames)
    }
  }

  /// Reads frames of what is kept, faded and at its gain, to planes, from frame `offset` of each on.
  /// - Parameter first: a frame of the spool.
  func read(
    _ first: Int64, _ count: Int, gain: Float, into target: FloatPlanes, offset: Int
  ) throws(BenchError) {
    var done = offset
    try forEachBlock(of: first..<first + Int64(count), gain: gain) { (planes, start, frames) throws(BenchError) in
      for channel in 0..<spool.format.channelCount {
        (target[channel] + done).update(from: planes[channel] + start, count: frames)
      }
      done += frames
    }
  }

  /// - Parameter first: the frame of what is kept that the plane begins with.
  private func fade(_ plane: Plane<Float>, frames: Int, first: Int64) {
    let length = Int64(kept.count)
    for frame in 0..<frames {
      let place = first + Int64(frame)
      if place < fadeIn { plane[frame] *= Self.weight(place, of: fadeIn) }
      if place >= length - fadeOut { plane[frame] *= Self.weight(length - 1 - place, of: fadeOut) }
      // Between the fades nothing is to be done, and that is most of a sound.
      if place >= fadeIn, place < length - fadeOut, Int64(frames) + first <= length - fadeOut { return }
    }
  }

  /// Half a period of a cosine, at the middle of each frame: 0.5 − 0.5 cos(π (n + ½) / N).
  private static func weight(_ frame: Int64, of length: Int64) -> Float {
    Float(0.5 - 0.5 * cos(Double.pi * (Double(frame) + 0.5) / Double(length)))
  }
}

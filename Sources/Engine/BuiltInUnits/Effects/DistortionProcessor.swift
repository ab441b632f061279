// The path of one slice: work, in a distortion: the stages of Distortion.swift, block by block. Runs on the render
// thread; allocates nothing after init.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc

final class DistortionProcessor: EffectProcessor {
  private static let latency = Oversampler.latencyFrames

  private let channelCount: Int
  private let echo: EchoLoop
  private let hold: SampleHold
  private let ring: RingOscillators
  private let shapers: [DistortionShaper]
  /// The input, ``latency`` frames in front of a block.
  private let dry: PlanarBuffer
  private let work = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)

  init(_ format: StreamFormat, longestFrames: Int) {
    channelCount = format.channelCount
    echo = EchoLoop(format, longestFrames: longestFrames)
    hold = SampleHold(format)
    ring = RingOscillators(format)
    shapers = (0..<format.channelCount).map { _ in DistortionShaper(format) }
    dry = PlanarBuffer(channelCount: channelCount, frameCapacity: Self.latency + Oversampler.blockFrames)
    super.init()
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    let parameters = piece.parameters
    func share(_ slot: Int) -> CellRamp { CellRamp(piece) { min(1, max(0, $0(slot) / 100)) } }
    func term(_ slot: Int, _ most: Double) -> CellRamp { CellRamp(piece) { min(most, max(0, $0(slot))) } }
    let (delayMix, decimationMix, finalMix) = (share(2), share(5), share(15))
    let shape = DistortionShaper.Ramps(
      linear: term(6, 1), squared: term(7, 20), cubic: term(8, 20), polynomialMix: share(9), ringBalance: share(12),
      ringMix: share(13), gain: CellRamp(piece) { Decibels.amplitude(min(20, max(-80, $0(14)))) })
    let feedback = CellRamp(piece) { exp(-min(50, max(0.1, $0(1)))) }
    echo.begin(milliseconds: parameters.start(0))
    hold.begin(decimation: parameters.start(3), rounding: parameters.start(4), isHeard: !decimationMix.isZero)
    ring.begin(parameters.start(10), parameters.start(11))
    var done = 0
    while done < piece.frames {
      let count = echo.room(min(piece.frames - done, Oversampler.blockFrames))
      hold.take(count)
      if !shape.ringMix.isZero { ring.turn(count) }
      for channel in 0..<channelCount {
        let plane = dry.planes[channel]
        let now = plane + Self.latency
        now.update(from: piece.input(channel) + done, count: count)
        let work = work.all
        echo.process(channel, now, to: work, count, feedback, delayMix, from: done)
        hold.process(channel, work, count, decimationMix, from: done)
        shapers[channel].process(work, count, shape, from: done, ring)
        mix(plane, work, to: piece.output(channel) + done, count, finalMix, from: done)
        plane.update(from: plane + count, count: Self.latency)
      }
      echo.advance(count)
      done += count
    }
  }

  private func mix(
    _ dry: Plane<Float>, _ wet: Plane<Float>, to output: Plane<Float>, _ count: Int,
    _ ramp: CellRamp, from offset: Int
  ) {
    if ramp.isMoving {
      for frame in 0..<count {
        let mix = ramp.value(at: offset + frame)
        output[frame] = (1 - mix) * dry[frame] + mix * wet[frame]
      }
    } else {
      let mix = ramp.value(at: offset)
      let rest = 1 - mix
      for frame in 0..<count { output[frame] = rest * dry[frame] + mix * wet[frame] }
    }
  }

  override func reset() {
    echo.reset()
    hold.reset()
    ring.reset()
    for shaper in shapers { shaper.reset() }
    dry.clear(frames: dry.frameCapacity)
  }
}

/// The echo of all channels, which lets no NaN in: a ring of the longest delay and one block for each.
private final class EchoLoop {
  /// Louder samples count as this, so that nothing overflows further on.
  private static let most: Float = 1e6

  private let sampleRate: Double
  private let capacity: Int
  private let fadeFrames: Int
  private let ring: PlanarBuffer
  private let rows = RampRows(count: 2)
  private let shares = FlatMemory<Float>(repeating: 0, count: Oversampler.blockFrames)
  private var head = 0
  /// The present delay, the one that it fades into, and the position of the fade. Nil before the first frame.
  private var delay: Int?
  private var wanted = 1
  private var nextDelay = 1
  private var fadePosition = 0

  init(_ format: StreamFormat, longestFrames: Int) {
    sampleRate = format.sampleRate
    capacity = longestFrames + Oversampler.blockFrames
    fadeFrames = max(1, Int(clamping: (0.02 * format.sampleRate).rounded()))
    ring = PlanarBuffer(channelCount: format.channelCount, frameCapacity: capacity)
  }

  func begin(milliseconds: Double) {
    wanted = Distortion.frames(milliseconds, sampleRate)
    if delay == nil { (delay, nextDelay) = (wanted, wanted) }
  }

  private var present: Int { delay ?? wanted }
  private func place(behind delay: Int) -> Int { (head - delay + capacity) % capacity }

  /// The number of frames that can be worked on at once: up to the end of a fade, of the ring, and of what either echo
  /// reads.
  func room(_ frames: Int) -> Int {
    if fadePosition == 0 { nextDelay = wanted }
    var count = min(frames, capacity - head, capacity - place(behind: present), capacity - place(behind: nextDelay))
    if nextDelay != present { count = min(count, fadeFrames - fadePosition) }
    return count
  }

  func process(
    _ channel: Int, _ input: Plane<Float>, to output: Plane<Float>, _ count: Int,
    _ feedbackRamp: CellRamp, _ mixRamp: CellRamp, from offset: Int
  ) {
    let memory = ring.planes[channel]
    let (from, to, write) = (memory + place(behind: present), memory + place(behind: nextDelay), memory + head)
    let feedback = rows.row(0, feedbackRamp, part: 0, from: offset, frames: count)
    let mix = rows.row(1, mixRamp, part: 0, from: offset, frames: count)
    let isFading = nextDelay != present
    if isFading {
      let step = 1 / Float(fadeFrames)
      for frame in 0..<count { shares[frame] = Float(fadePosition + frame + 1) * step }
    }
    // The source of an echo within the block has to be there before.
    let most = max(1, min(present, nextDelay))
    for first in stride(from: 0, to: count, by: most) {
      ShaperKernels.echo(
        input + first, output: output + first, write: write + first, from: from + first, to: to + first,
        share: isFading ? shares.all + first : nil, feedback: feedback + first, mix: mix + first,
        most: Self.most, frames: min(most, count - first))
    }
  }

  func advance(_ count: Int) {
    head = (head + count) % capacity
    guard nextDelay != present else { return }
    fadePosition += count
    if fadePosition == fadeFrames { (delay, fadePosition) = (nextDelay, 0) }
  }

  func reset() {
    ring.clear(frames: capacity)
    (head, fadePosition, delay) = (0, 0, nil)
  }
}

/// A lower rate and fewer bits: samples that are taken at times which all channels share, held, and rounded.
private final class SampleHold {
  private static let lowestHertz = 500.0
  /// Above this no Float has a fraction; adding and subtracting it rounds smaller values. Larger ones stay the same,
  /// except for their last digit.
  private static let magic: Float = 12_582_912

  private let sampleRate: Double
  private let held: FlatMemory<Float>
  private let takes = FlatMemory<Bool>(repeating: true, count: Oversampler.blockFrames)
  private var isHeard = false
  private var decimation = -1.0
  /// The decimation as a share of the rate.
  private var share = 1.0
  private var clock = 1.0
  private var rounding = -1.0
  /// Steps to 1, and the step; nil: not rounded.
  private var steps: (scale: Float, size: Float)?

  init(_ format: StreamFormat) {
    sampleRate = format.sampleRate
    held = FlatMemory(repeating: 0, count: format.channelCount)
  }

  func begin(decimation: Double, rounding: Double, isHeard: Bool) {
    self.isHeard = isHeard
    if decimation != self.decimation {
      self.decimation = decimation
      share = min(1, pow(Self.lowestHertz / sampleRate, min(1, max(0, decimation / 100))))
    }
    if rounding != self.rounding {
      self.rounding = rounding
      let bits = 16 - 14 * min(1, max(0, rounding / 100))
      steps = rounding > 0 ? (Float(exp2(bits - 1)), Float(exp2(1 - bits))) : nil
    }
  }

  /// Finds the frames of a block that decimation takes. The clock waits at the first one while decimation is not mixed
  /// in.
  func take(_ count: Int) {
    guard isHeard else {
      clock = 1
      return
    }
    var clock = clock
    for frame in 0..<count {
      let isTaken = clock >= 1
      takes[frame] = isTaken
      clock += isTaken ? share - 1 : share
    }
    self.clock = clock
  }

  func process(
    _ channel: Int, _ samples: Plane<Float>, _ count: Int, _ ramp: CellRamp, from offset: Int
  ) {
    guard isHeard else { return }
    var value = held[channel]
    let isMoving = ramp.isMoving
    var mix = ramp.value(at: offset)
    for frame in 0..<count {
      if takes[frame] {
        value = samples[frame]
        if let steps { value = ((value * steps.scale + Self.magic) - Self.magic) * steps.size }
      }
      if isMoving { mix = ramp.value(at: offset + frame) }
      samples[frame] = (1 - mix) * samples[frame] + mix * value
    }
    held[channel] = value
  }

  func reset() {
    held.all.fill(0)
    clock = 1
  }
}

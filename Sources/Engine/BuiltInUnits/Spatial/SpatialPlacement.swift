// The path of one slice: work, in the spatial mixer: what a source at some place is in the output. Runs on the render
// thread; allocates nothing after init.

import AudioCore
import AudioEngine
import DSPKernels
import HRTF

/// All that decides what a source is in the output: two sources of the same key sound the same.
struct SpatialKey: Equatable {
  /// Nil: the channel goes to the output channel of its number.
  var algorithm: SpatializationAlgorithm?
  /// The number of channels of which the source is one; 1 if all of an input is one source.
  var channelCount: Int
  var direction: SpatialDirection
  var gain: Double
  /// To the reverb.
  var send: Double
  /// The part inside the head: 0 to 1, by the gains of its channels.
  var inHead: Double
  var usesDelay: Bool
}

/// The common state of one mixer's placements.
final class SpatialStage {
  let sampleRate: Double
  let outputChannels: Int
  /// Frames after which sound arrives at the middle of the head, and whatever has no head.
  let latencyFrames: Int
  /// Taps that any filter may have.
  let mostTaps: Int
  /// Frames of the past that any placement reads.
  let pastFrames: Int
  let speakers: [Double?]
  /// As the present slice has them.
  unowned(unsafe) var responses: HeadResponses?
  /// Room for two responses, with silence on both sides, and for the gains of loudspeakers.
  fileprivate let scratch: FlatMemory<Float>
  fileprivate let gains: FlatMemory<Double>
  fileprivate let scratchStride: Int

  init(sampleRate: Double, outputChannels: Int, latencyFrames: Int) {
    self.sampleRate = sampleRate
    self.outputChannels = outputChannels
    self.latencyFrames = latencyFrames
    mostTaps = Self.mostTaps(sampleRate: sampleRate)
    pastFrames = Self.pastFrames(sampleRate: sampleRate)
    speakers = SpatialLaws.speakers(outputChannels)
    scratchStride = mostTaps + 2 * FractionalDelay.tapCount
    scratch = FlatMemory(repeating: 0, count: 2 * scratchStride + FractionalDelay.tapCount)
    gains = FlatMemory(repeating: 0, count: max(1, outputChannels))
    FractionalDelay.prepare()
  }

  private static func mostTaps(sampleRate: Double) -> Int {
    max(
      SphericalHead.tapCount(sampleRate: sampleRate),
      HeadResponses.mostTaps(sampleRate: sampleRate) + FractionalDelay.tapCount)
  }

  /// The longest delay is that of a head's far ear, 2 ms with some room, behind the longest latency.
  static func pastFrames(sampleRate: Double) -> Int {
    mostTaps(sampleRate: sampleRate) + Int(clamping: (0.003 * sampleRate).rounded(.up)) + FractionalDelay.tapCount + 2
  }

  /// Frames by which the output is late where such algorithms are in use.
  static func latencyFrames(_ algorithms: Set<SpatializationAlgorithm>, sampleRate: Double) -> Int {
    let seconds =
      algorithms.contains(.hrtf) || algorithms.contains(.hrtfHighQuality)
      ? 0.001 : algorithms.contains(.sphericalHead) ? SphericalHead.seconds : 0
    return seconds == 0 ? 0 : FractionalDelay.centreFrames + Int(clamping: (seconds * sampleRate).rounded(.up))
  }
}

/// Gains and filters from one source to the outputs, for one key.
final class SpatialPlacement {
  private let stage: SpatialStage
  private(set) var key: SpatialKey?
  /// By output channel, and behind these the send to the reverb.
  let gains: FlatMemory<Float>
  /// The length of the filters for the first two channels; 0: there are none.
  private(set) var tapCount = 0
  private var taps: FlatMemory<Float>
  private var offsets = (0, 0)

  init(_ stage: SpatialStage) {
    self.stage = stage
    gains = FlatMemory(repeating: 0, count: stage.outputChannels + 1)
    taps = FlatMemory(repeating: 0, count: 2 * stage.mostTaps)
  }

  func clear() { key = nil }

  /// - Parameter channel: the channel of the input, for sources without a direction.
  func build(_ wanted: SpatialKey, channel: Int) {
    guard key != wanted else { return }
    key = wanted
    let outputs = stage.outputChannels
    gains.all.update(repeating: 0, count: outputs + 1)
    gains[outputs] = Float(wanted.send)
    tapCount = 0
    let (direct, inside) = (wanted.gain * (1 - wanted.inHead), wanted.gain * wanted.inHead)
    if direct != 0 { place(wanted, gain: direct, channel) }
    if inside != 0 { goStraight(channel, of: wanted.channelCount, gain: inside) }
  }

  private func place(_ key: SpatialKey, gain: Double, _ channel: Int) {
    let outputs = stage.outputChannels
    guard let algorithm = key.algorithm, algorithm != .stereoPassThrough else {
      return goStraight(channel, of: key.channelCount, gain: gain)
    }
    if outputs == 1 {
      gains[0] = Float(gain)
      return
    }
    switch algorithm {
    case .equalPowerPanning, .stereoPassThrough, .useOutputType:
      let (left, right) = SpatialLaws.equalPower(key.direction)
      gains[0] = Float(gain * left)
      gains[1] = Float(gain * right)
    case .soundField, .vectorBasedPanning:
      if algorithm == .soundField {
        SpatialLaws.soundField(key.direction, stage.speakers, to: stage.gains.all)
      } else {
        SpatialLaws.vectorBased(key.direction, stage.speakers, to: stage.gains.all)
      }
      for channel in 0..<outputs { gains[channel] = Float(gain * stage.gains[channel]) }
    case .sphericalHead: placeOnSphere(key, gain: gain)
    case .hrtf, .hrtfHighQuality:
      if let responses = stage.responses {
        placeByResponses(responses, key, gain: gain)
      } else {
        placeOnSphere(key, gain: gain)
      }
    }
  }

  /// To the output channel of the same number; one channel alone to the middle; two to the only one, half of each.
  private func goStraight(_ channel: Int, of channelCount: Int, gain: Double) {
    let outputs = stage.outputChannels
    if channelCount == 1 && outputs > 1 {
      gains[0] += Float(gain * SpatialLaws.middle)
      gains[1] += Float(gain * SpatialLaws.middle)
    } else if outputs == 1 {
      gains[0] += Float(gain / Double(channelCount))
    } else if channel < outputs {
      gains[channel] += Float(gain)
    }
  }

  private func placeOnSphere(_ key: SpatialKey, gain: Double) {
    tapCount = SphericalHead.tapCount(sampleRate: stage.sampleRate)
    for ear in 0..<2 {
      let angle = SphericalHead.angle(key.direction, isRight: ear == 1)
      let arrival = key.usesDelay ? SphericalHead.arrival(angle) * stage.sampleRate : 0
      let fraction = setDelay(arrival, ear)
      SphericalHead.write(
        angle, fraction: fraction, gain: gain * SpatialLaws.middle, sampleRate: stage.sampleRate,
        to: taps.all + ear * stage.mostTaps, count: tapCount)
    }
  }

  private func placeByResponses(_ responses: HeadResponses, _ key: SpatialKey, gain: Double) {
    let count = key.algorithm == .hrtf ? responses.shortTapCount : responses.tapCount
    let padding = FractionalDelay.tapCount
    let (left, right) = (stage.scratch.all + padding, stage.scratch.all + stage.scratchStride + padding)
    var delays = responses.write(
      azimuth: key.direction.azimuth, elevation: key.direction.elevation, gain: gain, count: count, left: left,
      right: right)
    if !key.usesDelay {
      let mean = (delays.left + delays.right) / 2
      delays = (mean, mean)
    }
    tapCount = count + padding - 1
    let kernel = (stage.scratch.all + 2 * stage.scratchStride).prefix(padding)
    for ear in 0..<2 {
      let fraction = setDelay((ear == 0 ? delays.left : delays.right) - responses.frontFrames, ear)
      FractionalDelay.write(fraction: fraction, gain: 1, to: kernel)
      let response = stage.scratch.all + ear * stage.scratchStride
      // A longer response may have stood here.
      (response + padding + count).update(repeating: 0, count: padding)
      FIRKernels.process(
        taps: kernel, input: response + 1, output: taps.all + ear * stage.mostTaps, frames: tapCount)
    }
  }

  /// Takes over an arrival after that at the middle of the head, and returns the fraction of a frame that the filter
  /// has to delay by.
  private func setDelay(_ arrival: Double, _ ear: Int) -> Double {
    let longest = Double(stage.pastFrames - stage.mostTaps - 2)
    let delay = min(longest, max(0, Double(stage.latencyFrames - FractionalDelay.centreFrames) + arrival))
    let whole = delay.rounded(.down)
    if ear == 0 { offsets.0 = Int(clamping: whole) } else { offsets.1 = Int(clamping: whole) }
    return delay - whole
  }

  // MARK: Rendering

  /// Writes what an output channel gets of a source; the channel behind the last is the send to the reverb.
  ///
  /// - Parameters:
  ///   - plane: ``SpatialStage/pastFrames`` of the source's past, then the frames.
  ///   - early: the source at the first frame, for the send.
  /// - Returns: false, and has written nothing, where it gets nothing.
  func write(
    _ channel: Int, from plane: Plane<Float>, early: Plane<Float>, frames: Int, to output: Plane<Float>
  ) -> Bool {
    let gain = gains[channel]
    if channel == stage.outputChannels {
      if gain != 0 { MixKernels.scale(output, early, gain: gain, frames: frames) }
      return gain != 0
    }
    let straight = plane + (stage.pastFrames - stage.latencyFrames)
    guard channel < 2, tapCount > 0 else {
      if gain != 0 { MixKernels.scale(output, straight, gain: gain, frames: frames) }
      return gain != 0
    }
    let offset = channel == 0 ? offsets.0 : offsets.1
    FIRKernels.process(
      taps: (taps.all + channel * stage.mostTaps).prefix(tapCount),
      input: plane + (stage.pastFrames - offset - tapCount + 1), output: output, frames: frames)
    if gain != 0 { MixKernels.accumulate(output, straight, gain: gain, frames: frames) }
    return true
  }
}

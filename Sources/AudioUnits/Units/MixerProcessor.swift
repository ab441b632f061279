// Step 8 of the path of one slice: work. The render half of the multichannel mixer. Runs on the render thread: no
// allocation, no lock. Inputs are summed in bus order, whoever rendered them.

import AudioCore
import DSPKernels
import Synchronization

final class MixerProcessor: Processor, @unchecked Sendable {
  private let outputChannels: Int
  private let inputCount: Int
  private let parametersPerInput = MultichannelMixer.parametersPerInput
  private let inputs: UnsafeMutablePointer<MixerInput>
  private let monoPanLaw: MonoPanLaw
  private let stereoPanLaw: StereoPanLaw
  private let outputVolumeSlot: Int
  private let outputMeters: [MeterPair]
  private let metersOutput = Atomic<Bool>(false)
  private var isOutputMetered = false

  struct MeterPair: Sendable {
    let pre: LevelMeter
    let post: LevelMeter
  }

  init(inputs channels: [Int], output: StreamFormat, monoPanLaw: MonoPanLaw, stereoPanLaw: StereoPanLaw) {
    self.monoPanLaw = monoPanLaw
    self.stereoPanLaw = stereoPanLaw
    inputCount = channels.count
    outputChannels = output.channelCount
    outputVolumeSlot = channels.count * parametersPerInput
    outputMeters = Self.makeMeters(output.channelCount, sampleRate: output.sampleRate)
    inputs = .allocate(capacity: max(1, channels.count))
    for (bus, count) in channels.enumerated() {
      (inputs + bus).initialize(
        to: MixerInput(
          channelCount: count, matrix: MixerMatrix(count: count * output.channelCount),
          meters: Self.makeMeters(count, sampleRate: output.sampleRate)))
    }
  }

  deinit {
    inputs.deinitialize(count: inputCount)
    inputs.deallocate()
  }

  private static func makeMeters(_ count: Int, sampleRate: Double) -> [MeterPair] {
    (0..<count).map { _ in
      MeterPair(pre: LevelMeter(sampleRate: sampleRate), post: LevelMeter(sampleRate: sampleRate))
    }
  }

  /// What one input keeps between slices.
  private struct MixerInput {
    let channelCount: Int
    let matrix: MixerMatrix
    let meters: [MeterPair]
    /// What the matrix and its switch said in front of the present slice.
    var usesMatrix = false
    var isMetered = false
    /// The pan position whose gains are kept below.
    var pan = Double.nan
    var panGains = (left: 1.0, right: 1.0)
  }

  // MARK: Set from the edit side

  func setMatrix(_ levels: [Float]?, input bus: Int) {
    guard (0..<inputCount).contains(bus) else { return }
    inputs[bus].matrix.set(levels)
  }

  func setMetering(_ isOn: Bool, input bus: Int) {
    guard (0..<inputCount).contains(bus) else { return }
    inputs[bus].matrix.isMetered.store(isOn, ordering: .relaxed)
  }

  func setOutputMetering(_ isOn: Bool) { metersOutput.store(isOn, ordering: .relaxed) }

  func meters(_ scope: Scope, element: Int, channel: Int) -> MeterPair? {
    let meters = scope == .output ? outputMeters : inputs[element].meters
    return meters.indices.contains(channel) ? meters[channel] : nil
  }

  /// The largest magnitudes before and behind the volume since this was last asked, over all channels of a bus.
  func takePeak(_ scope: Scope, element: Int) -> (pre: Float, post: Float, sawInfinity: Bool, sawNotANumber: Bool) {
    let meters = scope == .output ? outputMeters : inputs[element].meters
    return meters.reduce((0, 0, false, false)) { sum, pair in
      let pre = pair.pre.takePeak()
      let post = pair.post.takePeak()
      return (
        max(sum.pre, pre.peak), max(sum.post, post.peak), sum.sawInfinity || pre.sawInfinity,
        sum.sawNotANumber || pre.sawNotANumber
      )
    }
  }

  // MARK: Rendering

  override func latch() {
    for bus in 0..<inputCount {
      inputs[bus].matrix.latch()
      inputs[bus].usesMatrix = inputs[bus].matrix.isInUse
      inputs[bus].isMetered = inputs[bus].matrix.isMetered.load(ordering: .relaxed)
    }
    isOutputMetered = metersOutput.load(ordering: .relaxed)
  }

  /// Over the first input, while each output channel is made of the input channel of its number.
  override var worksInPlace: Bool { outputChannels <= 64 && inputCount > 0 && !inputs[0].usesMatrix }

  /// A disabled input is not pulled, nor one at volume 0 that nothing moves: real programs rely on it.
  override var choosesInputs: Bool { true }
  override func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool {
    let base = bus * parametersPerInput
    let enable = base + 1
    if parameters.latchedValue(enable) == 0 && !parameters.mayMove(enable) { return false }
    return parameters.latchedValue(base) != 0 || parameters.mayMove(base)
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) { mix(piece, into: piece.outputs[0].planes) }

  /// Renders a piece into some planes.
  func mix(_ piece: RenderPiece, into output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) {
    var written: UInt64 = 0  // one bit per output channel, the first 64; later ones start from zeros
    for channel in 64..<max(64, outputChannels) {
      MixKernels.clear(output[channel] + piece.offset, frames: piece.frames)
    }
    for bus in 0..<inputCount {
      let base = bus * parametersPerInput
      let volume = course(of: base, piece)
      // An input that is pulled for a listener's sake only is not mixed: 0 times infinity is no silence.
      let isHeard = piece.inputs[bus].count > 0 && wantsInput(bus, parameters: piece.parameters)
      if inputs[bus].isMetered { measure(bus, volume, piece, isHeard: isHeard) }
      guard isHeard, piece.parameters[base + 1] != 0 else { continue }
      mix(bus, volume: volume, pan: base + 2, into: output, piece, written: &written)
    }
    for channel in 0..<min(64, outputChannels) where written & (1 << UInt64(channel)) == 0 {
      MixKernels.clear(output[channel] + piece.offset, frames: piece.frames)
    }
    finish(output, piece)
  }

  /// Adds one input, each product rounded once; the first to reach an output channel overwrites it.
  private func mix(
    _ bus: Int, volume: GainCourse, pan: Int, into output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ piece: RenderPiece, written: inout UInt64
  ) {
    let from = piece.inputs[bus].planes
    let channels = inputs[bus].channelCount
    func add(_ input: Int, _ channel: Int, _ factor: (start: Double, end: Double)) {
      let isFirst = channel < 64 && written & (1 << UInt64(channel)) == 0
      if channel < 64 { written |= 1 << UInt64(channel) }
      MixKernels.add(
        from[input] + piece.offset, to: output[channel] + piece.offset, frames: piece.frames,
        gain: volume.times(from: factor.start, to: factor.end),
        overwriting: isFirst)
    }
    if inputs[bus].usesMatrix {
      for input in 0..<channels {
        for channel in 0..<outputChannels {
          let level = inputs[bus].matrix.level(input * outputChannels + channel)
          if level != 0 { add(input, channel, (level, level)) }
        }
      }
    } else if channels == 1 && outputChannels >= 2 {
      let gains = panGains(bus, slot: pan, isMono: true, piece)
      add(0, 0, gains.left)
      add(0, 1, gains.right)
    } else if channels == 2 && outputChannels == 2 {
      let gains = panGains(bus, slot: pan, isMono: false, piece)
      add(0, 0, gains.left)
      add(1, 1, gains.right)
    } else if channels == 2 && outputChannels == 1 {
      add(0, 0, (0.5, 0.5))
      add(1, 0, (0.5, 0.5))
    } else {
      for channel in 0..<min(channels, outputChannels) { add(channel, channel, (1, 1)) }
    }
  }

  private typealias Factor = (start: Double, end: Double)

  /// The gains of the pan position at both ends of the present cell; between them the gains run in a straight line.
  private func panGains(_ bus: Int, slot: Int, isMono: Bool, _ piece: RenderPiece) -> (left: Factor, right: Factor) {
    func gains(_ pan: Double) -> (left: Double, right: Double) {
      isMono ? PanGains.mono(monoPanLaw, pan: pan) : PanGains.stereo(stereoPanLaw, pan: pan)
    }
    let position = piece.parameters.start(slot)
    if inputs[bus].pan != position {
      inputs[bus].pan = position
      inputs[bus].panGains = gains(position)
    }
    let start = inputs[bus].panGains
    let target = piece.parameters.end(slot)
    let end = piece.parameters.isMoving && target != position ? gains(target) : start
    return ((start.left, end.left), (start.right, end.right))
  }

  private func course(of slot: Int, _ piece: RenderPiece) -> GainCourse {
    let parameters = piece.parameters
    guard parameters.isMoving else { return GainCourse(constant: parameters.start(slot)) }
    let cellFrames = parameters.cellEnd - parameters.cellStart
    return GainCourse(
      LinearRamp(from: parameters.start(slot), to: parameters.end(slot), durationFrames: cellFrames),
      position: piece.sampleTime - parameters.cellStart)
  }

  /// The output's own volume, and its meters.
  private func finish(_ output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ piece: RenderPiece) {
    let volume = course(of: outputVolumeSlot, piece)
    if isOutputMetered {
      for channel in 0..<outputChannels {
        let samples = output[channel] + piece.offset
        outputMeters[channel].pre.measure(samples, frames: piece.frames, gain: GainCourse(constant: 1))
        outputMeters[channel].post.measure(samples, frames: piece.frames, gain: volume)
      }
    }
    guard !volume.isConstant || volume.ramp.start != 1 else { return }
    for channel in 0..<outputChannels {
      let samples = output[channel] + piece.offset
      MixKernels.add(samples, to: samples, frames: piece.frames, gain: volume, overwriting: true)
    }
  }

  /// An input that is not pulled measures as the silence that it contributes: its meters fall, they do not freeze.
  private func measure(_ bus: Int, _ volume: GainCourse, _ piece: RenderPiece, isHeard: Bool) {
    let input = piece.inputs[bus]
    for channel in 0..<inputs[bus].channelCount {
      let samples = isHeard ? UnsafePointer(input.planes[channel] + piece.offset) : nil
      inputs[bus].meters[channel].pre.measure(samples, frames: piece.frames, gain: GainCourse(constant: 1))
      inputs[bus].meters[channel].post.measure(samples, frames: piece.frames, gain: volume)
    }
  }

  override func reset() {
    for pair in outputMeters {
      pair.pre.reset()
      pair.post.reset()
    }
    for bus in 0..<inputCount {
      inputs[bus].pan = .nan
      for pair in inputs[bus].meters {
        pair.pre.reset()
        pair.post.reset()
      }
    }
  }
}

extension MixKernels {
  /// Adds a plane times a gain to another, or overwrites it; the gain may run in a straight line.
  fileprivate static func add(
    _ from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>, frames: Int, gain: GainCourse,
    overwriting: Bool
  ) {
    if gain.isConstant {
      let factor = Float(gain.ramp.start)
      if overwriting {
        scale(to, from, gain: factor, frames: frames)
      } else {
        accumulate(to, from, gain: factor, frames: frames)
      }
    } else if overwriting {
      scaleRamp(to, from, ramp: gain.ramp, position: gain.position, frames: frames)
    } else {
      accumulateRamp(to, from, ramp: gain.ramp, position: gain.position, frames: frames)
    }
  }
}

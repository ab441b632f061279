// The path of one slice: work. The render half of the multichannel mixer. Runs on the render thread: no allocation, no
// lock. Inputs are summed in bus order, whatever thread rendered them.

import AudioCore
import AudioEngine
import DSPKernels
import Synchronization

final class MixerProcessor: PlanarMixer {
  private let outputChannels: Int
  private let parametersPerInput = MultichannelMixer.parametersPerInput
  private let inputs: FlatMemory<MixerInput>
  private let monoPanLaw: MonoPanLaw
  private let stereoPanLaw: StereoPanLaw
  private let outputVolumeSlot: Int
  private let outputMeters: [MeterPair]
  private let metersOutput = Atomic<Bool>(false)
  private var isOutputMetered = false
  /// The version of the parameters that the routes are made of: while it holds nothing moves, and meters are off.
  private var settledVersion = -1
  private var settledVolume: Float = 1
  /// True when the only input passes unchanged.
  private var passes = false

  init(inputs channels: [Int], output: StreamFormat, monoPanLaw: MonoPanLaw, stereoPanLaw: StereoPanLaw) {
    self.monoPanLaw = monoPanLaw
    self.stereoPanLaw = stereoPanLaw
    outputChannels = output.channelCount
    outputVolumeSlot = channels.count * parametersPerInput
    outputMeters = MeterPair.row(output.channelCount, sampleRate: output.sampleRate)
    inputs = FlatMemory(count: channels.count) { bus in
      MixerInput(
        channelCount: channels[bus], matrix: MixerMatrix(count: channels[bus] * output.channelCount),
        meters: MeterPair.row(channels[bus], sampleRate: output.sampleRate),
        routes: FlatMemory(unwritten: max(2, channels[bus])))
    }
  }

  /// The state of one input between slices.
  private struct MixerInput: ~Copyable {
    let channelCount: Int
    let matrix: MixerMatrix
    let meters: [MeterPair]
    /// The matrix's switch in front of the present slice.
    var usesMatrix = false
    var isMetered = false
    /// The pan position whose gains are kept below.
    var pan = Double.nan
    var panGains = (left: 1.0, right: 1.0)
    /// For the settled version of the parameters: whether the input takes part, and what of it goes where.
    var isWanted = false
    let routes: FlatMemory<Route>
    var routeCount = 0
  }

  /// A channel of an input on its way to a channel of the output.
  private struct Route: BitwiseCopyable {
    var input: Int
    var output: Int
    var gain: Float
  }

  // MARK: Set from the edit side

  func setMatrix(_ levels: [Float]?, input bus: Int) {
    guard (0..<inputs.count).contains(bus) else { return }
    inputs[bus].matrix.set(levels)
  }

  func setMetering(_ isOn: Bool, input bus: Int) {
    guard (0..<inputs.count).contains(bus) else { return }
    inputs[bus].matrix.isMetered.store(isOn, ordering: .relaxed)
  }

  func setOutputMetering(_ isOn: Bool) { metersOutput.store(isOn, ordering: .relaxed) }

  func meters(_ scope: Scope, element: Int) -> [MeterPair] {
    scope == .output ? outputMeters : inputs[element].meters
  }

  /// The largest magnitudes before and behind the volume since this was last asked, over all channels of a bus.
  func takePeak(_ scope: Scope, element: Int) -> (pre: Float, post: Float, sawInfinity: Bool, sawNotANumber: Bool) {
    MeterPair.takePeak(scope == .output ? outputMeters : inputs[element].meters)
  }

  // MARK: Rendering

  override func latch() {
    for bus in 0..<inputs.count {
      inputs[bus].matrix.latch()
      inputs[bus].usesMatrix = inputs[bus].matrix.isInUse
      inputs[bus].isMetered = inputs[bus].matrix.isMetered.load(ordering: .relaxed)
    }
    isOutputMetered = metersOutput.load(ordering: .relaxed)
    settledVersion = -1
  }

  /// Over the first input, while each output channel is made of the input channel of its number.
  override var worksInPlace: Bool { outputChannels <= 64 && inputs.count > 0 && !inputs[0].usesMatrix }

  /// A disabled input is not pulled, nor one at volume 0 that nothing moves: real programs rely on it.
  override var choosesInputs: Bool { true }
  override func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool {
    if parameters.version == settledVersion { return inputs[bus].isWanted }
    let base = bus * parametersPerInput
    let enable = base + 1
    if parameters.latchedValue(enable) == 0 && !parameters.mayMove(enable) { return false }
    return parameters.latchedValue(base) != 0 || parameters.mayMove(base)
  }

  override func mix(_ piece: RenderPiece, into output: FloatPlanes) {
    if piece.parameters.version == settledVersion { return mixSettled(piece, into: output) }
    var written: UInt64 = 0  // one bit per output channel, the first 64; later ones start from zeros
    for channel in 64..<max(64, outputChannels) {
      MixKernels.clear(output[channel] + piece.offset, frames: piece.frames)
    }
    for bus in 0..<inputs.count {
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
    if !piece.parameters.isMoving {
      settle(piece.parameters)
      if settledVersion == piece.parameters.version && (0..<inputs.count).allSatisfy({ inputs[$0].isWanted }) {
        piece.wantAllInputs()
      }
    }
  }

  /// Writes down what goes where at values that do not move: the next slices need not look at these.
  private func settle(_ parameters: RenderParameters) {
    guard outputChannels <= 64, !isOutputMetered else { return }
    for bus in 0..<inputs.count where inputs[bus].usesMatrix || inputs[bus].isMetered { return }
    for bus in 0..<inputs.count {
      let base = bus * parametersPerInput
      // A course that may move changes the version as soon as it does.
      guard !parameters.mayMove(base), !parameters.mayMove(base + 1) else { return }
      inputs[bus].isWanted = wantsInput(bus, parameters: parameters)
      inputs[bus].routeCount = 0
      guard parameters[base + 1] != 0 else { continue }
      let volume = GainCourse(constant: parameters.start(base))
      route(bus, pan: base + 2, parameters) { input, channel, factor in
        let gain = Float(volume.times(from: factor.start, to: factor.end).ramp.start)
        inputs[bus].routes[inputs[bus].routeCount] = Route(input: input, output: channel, gain: gain)
        inputs[bus].routeCount += 1
      }
    }
    settledVolume = Float(parameters.start(outputVolumeSlot))
    settledVersion = parameters.version
    passes =
      inputs.count == 1 && inputs[0].routeCount == outputChannels && settledVolume == 1
      && (0..<outputChannels).allSatisfy {
        inputs[0].routes[$0].gain == 1 && inputs[0].routes[$0].input == $0 && inputs[0].routes[$0].output == $0
      }
  }

  /// A piece at settled values: the sums in the order of the inputs, as ever.
  private func mixSettled(_ piece: RenderPiece, into output: FloatPlanes) {
    let (offset, frames) = (piece.offset, piece.frames)
    let buffers = piece.inputs
    if passes && buffers[0].count > 0 && inputs[0].isWanted && output.starts == piece.outputs[0].planes.starts {
      return piece.passInput()
    }
    var written: UInt64 = 0
    for bus in 0..<inputs.count where inputs[bus].isWanted && buffers[bus].count > 0 {
      let from = buffers[bus].planes
      let routes = inputs[bus].routes.all
      for place in 0..<inputs[bus].routeCount {
        let route = routes[place]
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: route.output)
        if written & bit == 0 {
          MixKernels.scale(output[route.output] + offset, from[route.input] + offset, gain: route.gain, frames: frames)
        } else {
          MixKernels.accumulate(
            output[route.output] + offset, from[route.input] + offset, gain: route.gain, frames: frames)
        }
        written |= bit
      }
    }
    for channel in 0..<outputChannels where written & (1 << UInt64(truncatingIfNeeded: channel)) == 0 {
      MixKernels.clear(output[channel] + offset, frames: frames)
    }
    guard settledVolume != 1 else { return }
    for channel in 0..<outputChannels {
      MixKernels.scale(output[channel] + offset, output[channel] + offset, gain: settledVolume, frames: frames)
    }
  }

  /// Adds one input, each product rounded once; the first to reach an output channel overwrites it.
  private func mix(
    _ bus: Int, volume: GainCourse, pan: Int, into output: FloatPlanes,
    _ piece: RenderPiece, written: inout UInt64
  ) {
    let from = piece.inputs[bus].planes
    func add(_ input: Int, _ channel: Int, _ factor: (start: Double, end: Double)) {
      let isFirst = channel < 64 && written & (1 << UInt64(channel)) == 0
      if channel < 64 { written |= 1 << UInt64(channel) }
      MixKernels.add(
        from[input] + piece.offset, to: output[channel] + piece.offset, frames: piece.frames,
        gain: volume.times(from: factor.start, to: factor.end),
        overwriting: isFirst)
    }
    if inputs[bus].usesMatrix {
      for input in 0..<inputs[bus].channelCount {
        for channel in 0..<outputChannels {
          let level = inputs[bus].matrix.level(input * outputChannels + channel)
          if level != 0 { add(input, channel, (level, level)) }
        }
      }
    } else {
      route(bus, pan: pan, piece.parameters) { add($0, $1, $2) }
    }
  }

  /// The routes of an input's channels without a matrix, in order: its channel, the output's, and the gain of the pan.
  private func route(
    _ bus: Int, pan: Int, _ parameters: RenderParameters, _ add: (_ input: Int, _ output: Int, _ factor: Factor) -> Void
  ) {
    let channels = inputs[bus].channelCount
    if channels == 1 && outputChannels >= 2 {
      let gains = panGains(bus, slot: pan, isMono: true, parameters)
      add(0, 0, gains.left)
      add(0, 1, gains.right)
    } else if channels == 2 && outputChannels == 2 {
      let gains = panGains(bus, slot: pan, isMono: false, parameters)
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
  private func panGains(
    _ bus: Int, slot: Int, isMono: Bool, _ parameters: RenderParameters
  ) -> (left: Factor, right: Factor) {
    func gains(_ pan: Double) -> (left: Double, right: Double) {
      isMono ? PanGains.mono(monoPanLaw, pan: pan) : PanGains.stereo(stereoPanLaw, pan: pan)
    }
    let position = parameters.start(slot)
    if inputs[bus].pan != position {
      inputs[bus].pan = position
      inputs[bus].panGains = gains(position)
    }
    let start = inputs[bus].panGains
    let target = parameters.end(slot)
    let end = parameters.isMoving && target != position ? gains(target) : start
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
  private func finish(_ output: FloatPlanes, _ piece: RenderPiece) {
    let volume = course(of: outputVolumeSlot, piece)
    if isOutputMetered {
      for channel in 0..<outputChannels {
        outputMeters[channel].measure(output[channel] + piece.offset, frames: piece.frames, volume: volume)
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
    for channel in 0..<inputs[bus].channelCount {
      let samples = isHeard ? piece.input(channel, bus: bus) : nil
      inputs[bus].meters[channel].measure(samples, frames: piece.frames, volume: volume)
    }
  }

  override func reset() {
    for pair in outputMeters { pair.reset() }
    for bus in 0..<inputs.count {
      inputs[bus].pan = .nan
      for pair in inputs[bus].meters { pair.reset() }
    }
  }
}

extension MixKernels {
  /// Adds a plane times a gain to another, or overwrites it; the gain may run in a straight line.
  static func add(
    _ from: Plane<Float>, to: Plane<Float>, frames: Int, gain: GainCourse, overwriting: Bool
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

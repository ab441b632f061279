// The path of one slice: work. The render half of the matrix mixer. Runs on the render thread: no allocation, no lock.
// Each output channel is summed in the order of the input channels.

import AudioCore
import AudioEngine
import DSPKernels
import Synchronization

final class MatrixMixerProcessor: Processor {
  /// The places of the parameters among those of the unit; crosspoints lie input channel by input channel.
  struct Slots {
    let master: Int
    let firstCrosspoint: Int
    let inputVolumes: [Int]
    let inputSwitches: [Int]
    let outputVolumes: [Int]
    let outputSwitches: [Int]
  }

  /// One channel of a scope.
  private struct Channel {
    let bus: Int
    /// Its number on the bus.
    let place: Int
    let volumeSlot: Int
    /// The level at both ends of the present cell; of an output, times the master.
    var start = 0.0
    var end = 0.0
    /// An output's routes.
    var routes = 0..<0
  }

  /// A channel of an input on its way to an output channel, with its gain at both ends of the present cell.
  private struct Route {
    var input: Int
    var start: Double
    var end: Double
  }

  /// One bus of a scope.
  private struct BusState {
    let switchSlot: Int
    /// The buffer in which an encoded output is mixed.
    let mixed: StreamBuffer?
    let format: StreamFormat
    var isMetered = false
    /// True when an input takes part in the present piece.
    var isHeard = false
  }

  private let slots: Slots
  private let inputCount: Int
  private let outputCount: Int
  private let inputBuses: FlatMemory<BusState>
  private let outputBuses: FlatMemory<BusState>
  private let inputChannels: FlatMemory<Channel>
  private let outputChannels: FlatMemory<Channel>
  private let routes: FlatMemory<Route>
  private let inputMeters: [MeterPair]
  private let outputMeters: [MeterPair]
  /// Inputs, then outputs.
  private let meterSwitches: FlatMemory<Atomic<Bool>>
  /// The version of the parameters that the routes are made of, where nothing moves.
  private var settledVersion = -1
  private var clippedCount: Int64 = 0
  override var clippedSamples: Int64 { clippedCount }
  private var nonFiniteCount = 0
  override var nonFiniteSamples: Int64 { Int64(nonFiniteCount) }

  /// - Parameters:
  ///   - inputs: the channels of each input bus, which come as Float32, a buffer for each.
  ///   - outputs: formats of one rate.
  init(inputs: [Int], outputs: [StreamFormat], maximumFrames: Int, slots: Slots) {
    self.slots = slots
    (inputCount, outputCount) = (inputs.count, outputs.count)
    let rate = outputs[0].sampleRate
    inputBuses = FlatMemory(count: inputs.count) {
      BusState(
        switchSlot: slots.inputSwitches[$0], mixed: nil,
        format: StreamFormat(sampleRate: rate, channelCount: inputs[$0]))
    }
    outputBuses = FlatMemory(count: outputs.count) {
      let format = outputs[$0]
      return BusState(
        switchSlot: slots.outputSwitches[$0],
        mixed: format.isFloatPlanar ? nil : StreamBuffer(format: format.floatPlanar, frameCapacity: maximumFrames),
        format: format)
    }
    func channels(_ counts: [Int], _ volumes: [Int]) -> [Channel] {
      let places = counts.enumerated().flatMap { bus, count in (0..<count).map { (bus: bus, place: $0) } }
      return zip(places, volumes).map { Channel(bus: $0.bus, place: $0.place, volumeSlot: $1) }
    }
    let ins = channels(inputs, slots.inputVolumes)
    let outs = channels(outputs.map(\.channelCount), slots.outputVolumes)
    inputChannels = FlatMemory(count: ins.count) { ins[$0] }
    outputChannels = FlatMemory(count: outs.count) { outs[$0] }
    routes = FlatMemory(repeating: Route(input: 0, start: 0, end: 0), count: ins.count * outs.count)
    inputMeters = MeterPair.row(ins.count, sampleRate: rate)
    outputMeters = MeterPair.row(outs.count, sampleRate: rate)
    meterSwitches = FlatMemory(count: inputs.count + outputs.count) { _ in Atomic(false) }
  }

  // MARK: Set from the edit side

  func setMetering(_ isOn: Bool, _ scope: Scope, _ bus: Int) {
    guard bus >= 0, bus < (scope == .input ? inputCount : outputCount) else { return }
    meterSwitches[scope == .input ? bus : inputCount + bus].store(isOn, ordering: .relaxed)
  }

  func meters(_ scope: Scope, _ channel: Int) -> MeterPair? {
    let meters = scope == .input ? inputMeters : outputMeters
    return meters.indices.contains(channel) ? meters[channel] : nil
  }

  // MARK: Rendering

  override func latch() {
    for bus in 0..<inputCount {
      inputBuses[bus].isMetered = meterSwitches[bus].load(ordering: .relaxed)
    }
    for bus in 0..<outputCount {
      outputBuses[bus].isMetered = meterSwitches[inputCount + bus].load(ordering: .relaxed)
    }
    settledVersion = -1
  }

  override var choosesInputs: Bool { true }
  override func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool {
    let slot = inputBuses[bus].switchSlot
    return parameters.latchedValue(slot) != 0 || parameters.mayMove(slot)
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let parameters = piece.parameters
    if parameters.version != settledVersion {
      layOut(parameters)
      settledVersion = parameters.isMoving ? -1 : parameters.version
    }
    for bus in 0..<inputCount {
      inputBuses[bus].isHeard = piece.inputs[bus].count > 0 && parameters[inputBuses[bus].switchSlot] != 0
    }
    measureInputs(piece)
    for channel in 0..<outputChannels.count { mix(channel, piece) }
    encode(piece)
  }

  /// Computes what goes where, and at which levels, over the present cell.
  private func layOut(_ parameters: RenderParameters) {
    let isMoving = parameters.isMoving
    func end(_ slot: Int) -> Double { isMoving ? parameters.end(slot) : parameters.start(slot) }
    for channel in 0..<inputChannels.count {
      inputChannels[channel].start = parameters.start(inputChannels[channel].volumeSlot)
      inputChannels[channel].end = end(inputChannels[channel].volumeSlot)
    }
    var count = 0
    for channel in 0..<outputChannels.count {
      let slot = outputChannels[channel].volumeSlot
      outputChannels[channel].start = bounded(parameters.start(slots.master) * parameters.start(slot))
      outputChannels[channel].end = bounded(end(slots.master) * end(slot))
      let first = count
      for input in 0..<inputChannels.count {
        let crosspoint = slots.firstCrosspoint + input * outputChannels.count + channel
        let from = bounded(inputChannels[input].start * parameters.start(crosspoint))
        let to = bounded(inputChannels[input].end * end(crosspoint))
        guard from != 0 || to != 0 else { continue }
        routes[count] = Route(input: input, start: from, end: to)
        count += 1
      }
      outputChannels[channel].routes = first..<count
    }
  }

  /// In the range of Float: silence times infinity would be no number.
  private func bounded(_ gain: Double) -> Double {
    let limit = Double(Float.greatestFiniteMagnitude)
    return min(limit, max(-limit, gain))
  }

  private func course(_ start: Double, _ end: Double, _ piece: RenderPiece) -> GainCourse {
    guard start != end else { return GainCourse(constant: start) }
    let parameters = piece.parameters
    return GainCourse(
      LinearRamp(from: start, to: end, durationFrames: parameters.cellEnd - parameters.cellStart),
      position: piece.sampleTime - parameters.cellStart)
  }

  /// An output channel, in its planes or in those from which it is encoded.
  private func plane(_ channel: Channel, _ piece: RenderPiece) -> Plane<Float> {
    let planes = outputBuses[channel.bus].mixed?.bus.planes ?? piece.outputs[channel.bus].planes
    return planes[channel.place] + piece.offset
  }

  private func mix(_ number: Int, _ piece: RenderPiece) {
    let channel = outputChannels[number]
    let output = plane(channel, piece)
    let isOn = piece.parameters[outputBuses[channel.bus].switchSlot] != 0
    let isAudible = isOn && (channel.start != 0 || channel.end != 0)
    var isFirst = true
    if isAudible || (isOn && outputBuses[channel.bus].isMetered) {
      for index in channel.routes {
        let route = routes[index]
        let input = inputChannels[route.input]
        guard inputBuses[input.bus].isHeard else { continue }
        MixKernels.add(
          piece.input(input.place, bus: input.bus), to: output, frames: piece.frames,
          gain: course(route.start, route.end, piece), overwriting: isFirst)
        isFirst = false
      }
    }
    if isFirst { MixKernels.clear(output, frames: piece.frames) }
    let volume = course(channel.start, channel.end, piece)
    if outputBuses[channel.bus].isMetered { outputMeters[number].measure(output, frames: piece.frames, volume: volume) }
    if isFirst { return }
    if !isAudible { return MixKernels.clear(output, frames: piece.frames) }
    if !volume.isConstant || volume.ramp.start != 1 {
      MixKernels.add(output, to: output, frames: piece.frames, gain: volume, overwriting: true)
    }
  }

  /// An input that is off measures as the silence that it contributes.
  private func measureInputs(_ piece: RenderPiece) {
    for number in 0..<inputChannels.count {
      let channel = inputChannels[number]
      guard inputBuses[channel.bus].isMetered else { continue }
      let samples =
        inputBuses[channel.bus].isHeard
        ? piece.input(channel.place, bus: channel.bus) : nil
      inputMeters[number].measure(
        samples, frames: piece.frames, volume: course(channel.start, channel.end, piece))
    }
  }

  private func encode(_ piece: RenderPiece) {
    for bus in 0..<outputCount {
      guard let mixed = outputBuses[bus].mixed else { continue }
      let format = outputBuses[bus].format
      for channel in 0..<format.channelCount {
        let (destination, stride) = format.address(of: channel, in: piece.outputs[bus])
        clippedCount += Int64(
          PCMCodec.encode(
            mixed.bus.planes[channel] + piece.offset, frames: piece.frames, as: format.encoding,
            to: destination + piece.offset * stride, stride: stride, nonFinite: &nonFiniteCount))
      }
    }
  }

  override func reset() {
    clippedCount = 0
    nonFiniteCount = 0
    for pair in inputMeters { pair.reset() }
    for pair in outputMeters { pair.reset() }
  }
}

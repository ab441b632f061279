// The path of one slice: work. The render half of the spatial mixer. Runs on the render thread: no allocation, no lock.
// Inputs are summed in bus order, whatever thread rendered them.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc
import HRTF
import HandOver
import Synchronization

final class SpatialMixerProcessor: PlanarMixer {
  /// The rows of the parameter tables.
  struct Slots {
    let layout: SpatialMixer.Layout
    private let globalRows: Int
    private let inputRows: Int
    let outputGain: Int
    let globalReverbGain = 0
    /// Nil: the mixer has no head to turn.
    let headYaw: Int?

    init(_ layout: SpatialMixer.Layout, inputCount: Int) {
      self.layout = layout
      (globalRows, inputRows) = (layout.globalRows, layout.inputRows)
      outputGain = globalRows + inputCount * inputRows
      headYaw = layout == .spatial ? 1 : nil
    }

    func input(_ bus: Int, _ parameter: SpatialMixer.Parameter) -> Int {
      globalRows + bus * inputRows + Int(parameter.rawValue)
    }
  }

  private let sampleRate: Double
  private let outputChannels: Int
  private let slots: Slots
  private let stage: SpatialStage
  private let inputs: [Input]
  private let mailbox: Mailbox
  private let room: ReverbNetwork.Room
  private let network: ReverbNetwork?
  private let roomFilter: RoomFilter?
  /// The send to the reverb, and rows for the voices.
  private let send: FlatMemory<Float>
  private let scratch: FlatMemory<Float>
  private let maximumFrames: Int
  private let outputMeters: [MeterPair]
  private let metersOutput = Atomic<Bool>(false)
  private var isOutputMetered = false
  private var settingsVersion = 0

  private final class Input {
    let channelCount: Int
    let voices: [SpatialVoice]
    /// One for each channel of a source that comes apart inside of the head; none for other inputs.
    let inside: [SpatialVoice]
    var insideCourses: [SpatialVoice.Course]
    var splits = false
    /// The loudspeakers of a bed's channels.
    let speakers: [Double?]
    let meters: [MeterPair]
    let isMeteredFlag = Atomic<Bool>(false)
    var isMetered = false
    /// For the version of the parameters and settings that the course was made of.
    var version = (-1, -1)
    var mode = Mode.straight
    var courses: [SpatialVoice.Course]
    var gain = (start: 1.0, end: 1.0)

    enum Mode { case straight, point, bed }

    init(_ stage: SpatialStage, channelCount: Int, maximumFrames: Int, maySplit: Bool) {
      self.channelCount = channelCount
      voices = (0..<channelCount).map { channel in
        SpatialVoice(stage, channel: channel, maximumFrames: maximumFrames)
      }
      speakers = SpatialLaws.speakers(channelCount)
      meters = MeterPair.row(channelCount, sampleRate: stage.sampleRate)
      let silent = SpatialKey(
        algorithm: nil, channelCount: 1, direction: SpatialDirection(azimuth: 0, elevation: 0), gain: 0, send: 0,
        inHead: 0, usesDelay: false)
      courses = Array(repeating: SpatialVoice.Course(start: silent), count: channelCount)
      // In a single output, as with one channel, both modes are the same.
      let count = maySplit && channelCount > 1 && stage.outputChannels > 1 ? channelCount : 0
      inside = (0..<count).map { SpatialVoice(stage, channel: $0, maximumFrames: maximumFrames) }
      insideCourses = Array(repeating: SpatialVoice.Course(start: silent), count: count)
    }

    func clear() { for voice in voices { voice.clear() } }
    func clearInside() { for voice in inside { voice.clear() } }
  }

  init(
    layout: SpatialMixer.Layout, inputs channels: [Int], output: StreamFormat, latencyFrames: Int, maximumFrames: Int,
    settings: SpatialSettings, room: Int?
  ) {
    sampleRate = output.sampleRate
    outputChannels = output.channelCount
    slots = Slots(layout, inputCount: channels.count)
    let stage = SpatialStage(
      sampleRate: output.sampleRate, outputChannels: output.channelCount, latencyFrames: latencyFrames)
    self.stage = stage
    self.maximumFrames = maximumFrames
    inputs = channels.enumerated().map { bus, count in
      Input(
        stage, channelCount: count, maximumFrames: maximumFrames, maySplit: settings.inputs[bus].inHead == .bypass)
    }
    mailbox = Mailbox(settings)
    self.room = Reverb.room(room ?? 0)
    network = room == nil ? nil : ReverbNetwork(sampleRate: output.sampleRate, channelCount: 2)
    roomFilter =
      room == nil ? nil : RoomFilter(channelCount: min(2, output.channelCount), maximumFrames: maximumFrames)
    send = FlatMemory(repeating: 0, count: maximumFrames)
    scratch = FlatMemory(repeating: 0, count: 3 * maximumFrames)
    outputMeters = MeterPair.row(output.channelCount, sampleRate: output.sampleRate)
    super.init()
    stage.responses = settings.responses
    roomFilter?.follow(settings.roomFilter)
  }

  // MARK: Set from the edit side

  func set(_ settings: SpatialSettings) { mailbox.send(settings) }
  func setMetering(_ isOn: Bool, input bus: Int) { inputs[bus].isMeteredFlag.store(isOn, ordering: .relaxed) }
  func setOutputMetering(_ isOn: Bool) { metersOutput.store(isOn, ordering: .relaxed) }

  func meters(_ scope: Scope, element: Int) -> [MeterPair] {
    scope == .output ? outputMeters : inputs[element].meters
  }

  // MARK: Rendering

  override func latch() {
    if mailbox.adopt() {
      settingsVersion += 1
      if let roomFilter { roomFilter.follow(settings { $0.roomFilter }) }
    }
    settings { stage.responses = $0.responses }
    for input in inputs { input.isMetered = input.isMeteredFlag.load(ordering: .relaxed) }
    isOutputMetered = metersOutput.load(ordering: .relaxed)
  }

  private func settings<Result>(_ body: (SpatialSettings) -> Result) -> Result {
    mailbox.present._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: SpatialSettings.self)) }
  }

  /// An input that is switched off is not pulled.
  override var choosesInputs: Bool { true }
  override func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool {
    let enable = slots.input(bus, .enable)
    return parameters.latchedValue(enable) != 0 || parameters.mayMove(enable)
  }

  override func mix(_ piece: RenderPiece, into output: FloatPlanes) {
    let frames = piece.frames
    for channel in 0..<outputChannels { MixKernels.clear(output[channel] + piece.offset, frames: frames) }
    if network != nil { MixKernels.clear(send.all, frames: frames) }
    for bus in inputs.indices { add(bus, piece, into: output) }
    reverberate(piece, into: output)
    finish(piece, output)
  }

  private func add(_ bus: Int, _ piece: RenderPiece, into output: FloatPlanes) {
    let input = inputs[bus]
    let buffer = piece.inputs[bus]
    let isHeard = buffer.count > 0 && piece.parameters[slots.input(bus, .enable)] != 0
    guard isHeard else {
      input.clear()
      input.clearInside()
      if input.isMetered {
        for meter in input.meters { meter.measure(nil, frames: piece.frames, volume: GainCourse(constant: 1)) }
      }
      return
    }
    plan(bus, piece)
    if input.isMetered { measure(input, buffer, piece) }
    let voiceCount = input.mode == .point ? 1 : input.channelCount
    for voice in 0..<voiceCount {
      let source = input.voices[voice].input
      source.update(from: buffer.planes[voice] + piece.offset, count: piece.frames)
      if input.mode == .point && input.channelCount > 1 {
        for channel in 1..<input.channelCount {
          MixKernels.accumulate(source, buffer.planes[channel] + piece.offset, gain: 1, frames: piece.frames)
        }
        MixKernels.scale(source, source, gain: 1 / Float(input.channelCount), frames: piece.frames)
      }
      input.voices[voice].add(
        input.courses[voice], frames: piece.frames, scratch: scratch.all, stride: maximumFrames
      ) { channel in channel == outputChannels ? send.all : output[channel] + piece.offset }
    }
    addInside(input, buffer, piece, into: output)
    if voiceCount < input.channelCount {
      for voice in voiceCount..<input.channelCount { input.voices[voice].clear() }
    }
  }

  /// Adds the channels of a source that comes apart inside of the head.
  private func addInside(_ input: Input, _ buffer: BusBuffer, _ piece: RenderPiece, into output: FloatPlanes) {
    guard input.splits else { return input.clearInside() }
    for (channel, voice) in input.inside.enumerated() {
      voice.input.update(from: buffer.planes[channel] + piece.offset, count: piece.frames)
      voice.add(input.insideCourses[channel], frames: piece.frames, scratch: scratch.all, stride: maximumFrames) {
        // These voices send nothing to the room.
        $0 == outputChannels ? send.all : output[$0] + piece.offset
      }
    }
  }

  /// Derives the voices of an input from parameters and settings.
  private func plan(_ bus: Int, _ piece: RenderPiece) {
    let input = inputs[bus]
    let parameters = piece.parameters
    if !parameters.isMoving && input.version == (parameters.version, settingsVersion) { return }
    input.version = parameters.isMoving ? (-1, -1) : (parameters.version, settingsVersion)
    let (wanted, outputType) = settings { ($0.inputs[bus], $0.outputType) }
    input.mode = mode(wanted, input)
    input.splits = wanted.splits && !input.inside.isEmpty
    let cellFrames = parameters.isMoving ? Int(parameters.cellEnd - parameters.cellStart) : 1
    let position = parameters.isMoving ? Int(piece.sampleTime - parameters.cellStart) : 0
    let start = Place(bus, slots, wanted, outputType, isSending: network != nil, input.mode, parameters.start)
    let end =
      parameters.isMoving
      ? Place(bus, slots, wanted, outputType, isSending: network != nil, input.mode, parameters.end) : nil
    func poles(_ decibels: (Place) -> Double) -> PoleCourse {
      let from = SpatialLaws.pole(decibelsAt5kHz: decibels(start), sampleRate: sampleRate)
      guard let end, decibels(end) != decibels(start) else { return PoleCourse(start: from) }
      let to = SpatialLaws.pole(decibelsAt5kHz: decibels(end), sampleRate: sampleRate)
      return PoleCourse(start: from, step: (to - from) / Double(cellFrames), position: position)
    }
    input.gain = (start.key.gain, end?.key.gain ?? start.key.gain)
    let (occlusion, obstruction) = (poles { $0.occlusion }, poles { $0.obstruction })
    func course(_ key: (Place) -> SpatialKey) -> SpatialVoice.Course {
      let first = key(start)
      let last = end.map(key)
      return SpatialVoice.Course(
        start: first, end: last == first ? nil : last, cellPosition: position, cellFrames: cellFrames,
        occlusion: occlusion, obstruction: obstruction)
    }
    for voice in 0..<(input.mode == .point ? 1 : input.channelCount) {
      func key(_ place: Place) -> SpatialKey {
        var key = place.key
        key.channelCount = input.mode == .point ? 1 : input.channelCount
        if input.mode == .bed && input.speakers[voice] == nil { key.algorithm = nil }
        if outputChannels > 1 && key.algorithm != nil && key.algorithm != .stereoPassThrough {
          key.direction = place.direction(input.mode == .bed ? input.speakers[voice] ?? 0 : 0)
        } else {
          key.inHead = 0
        }
        if input.splits {
          key.gain *= 1 - key.inHead
          key.inHead = 0
        }
        return key
      }
      input.courses[voice] = course(key)
    }
    guard input.splits else { return }
    for channel in input.inside.indices {
      input.insideCourses[channel] = course { place in
        SpatialKey(
          algorithm: nil, channelCount: input.channelCount, direction: SpatialDirection(azimuth: 0, elevation: 0),
          gain: place.key.gain * place.key.inHead, send: 0, inHead: 0, usesDelay: false)
      }
    }
  }

  private func mode(_ settings: SpatialInputSettings, _ input: Input) -> Input.Mode {
    switch settings.sourceMode {
    case .bypass: .straight
    case .pointSource: .point
    case .ambienceBed: input.speakers[0] == nil ? .straight : .bed
    case .spatializeIfMono: input.channelCount == 1 && settings.algorithm != .stereoPassThrough ? .point : .straight
    }
  }

  /// The place of an input at a moment.
  private struct Place {
    /// Without a direction.
    var key: SpatialKey
    var occlusion: Double
    var obstruction: Double
    private var unturned: SpatialDirection
    private var head = (yaw: 0.0, pitch: 0.0, roll: 0.0)

    /// As the head hears it; of a bed's channel with its loudspeaker's azimuth.
    func direction(_ loudspeaker: Double) -> SpatialDirection {
      SpatialDirection(azimuth: unturned.azimuth + loudspeaker, elevation: unturned.elevation)
        .heard(yaw: head.yaw, pitch: head.pitch, roll: head.roll)
    }

    init(
      _ bus: Int, _ slots: Slots, _ settings: SpatialInputSettings, _ outputType: SpatialOutputType, isSending: Bool,
      _ mode: Input.Mode, _ value: (Int) -> Double
    ) {
      func parameter(_ parameter: SpatialMixer.Parameter, _ range: ClosedRange<Double>) -> Double {
        min(range.upperBound, max(range.lowerBound, value(slots.input(bus, parameter))))
      }
      let distance = parameter(.distance, 0...100_000)
      unturned = SpatialDirection(
        azimuth: parameter(.azimuth, -1e6...1e6), elevation: parameter(.elevation, -90...90))
      if let yaw = slots.headYaw { head = (value(yaw), value(yaw + 1), value(yaw + 2)) }
      let flags = settings.flags
      let own = Decibels.amplitude(parameter(.gain, -120...20))
      let curve = flags.contains(.linearAttenuation) ? .linear : settings.curve
      let isFar = flags.contains(.distanceAttenuation) && mode != .bed && settings.sourceMode != .bypass
      let far = isFar ? SpatialLaws.distanceGain(distance, curve, settings.distances) : 1
      let limits = slots.layout.limits(value(slots.input(bus, .minGain)), value(slots.input(bus, .maxGain)))
      func limited(_ gain: Double) -> Double { min(limits.most, max(limits.least, gain)) }
      let blend = isSending && flags.contains(.reverbSend) ? parameter(.reverbBlend, 0...100) : 0
      let (dry, wet) = WetDryMix.equalPower(percent: blend)
      let sent = flags.contains(.constantReverbBlend) ? own * far : own
      let isPoint = settings.sourceMode == .pointSource
      let algorithm: SpatializationAlgorithm? =
        switch settings.algorithm {
        case .useOutputType: outputType == .headphones ? .hrtfHighQuality : .vectorBasedPanning
        default: settings.algorithm
        }
      key = SpatialKey(
        algorithm: mode == .straight ? nil : algorithm, channelCount: 1,
        direction: SpatialDirection(azimuth: 0, elevation: 0), gain: limited(own * far) * dry,
        send: limited(sent) * wet,
        inHead: isPoint ? 1 - min(1, distance / SphericalHead.radius) : 0,
        usesDelay: mode != .straight && flags.contains(.interAuralDelay))
      let air = flags.contains(.distanceFilter) ? SpatialLaws.airDecibels(meters: distance) : 0
      occlusion = min(0, parameter(.occlusionAttenuation, -100...0) + air)
      obstruction = parameter(.obstructionAttenuation, -100...0)
    }
  }

  private func measure(_ input: Input, _ buffer: BusBuffer, _ piece: RenderPiece) {
    let parameters = piece.parameters
    let gain =
      parameters.isMoving
      ? GainCourse(
        LinearRamp(
          from: input.gain.start, to: input.gain.end, durationFrames: parameters.cellEnd - parameters.cellStart),
        position: piece.sampleTime - parameters.cellStart) : GainCourse(constant: input.gain.start)
    for channel in 0..<input.channelCount {
      input.meters[channel].measure(buffer.planes[channel] + piece.offset, frames: piece.frames, volume: gain)
    }
  }

  private func reverberate(_ piece: RenderPiece, into output: FloatPlanes) {
    guard let network else { return }
    let slot = slots.globalReverbGain
    let gain = CellRamp(piece) { Decibels.amplitude(min(40, max(-40, $0(slot)))) }
    // Nil: the room is not filtered.
    let filtered = roomFilter?.begin(frames: piece.frames)
    network.process(room, frames: piece.frames, input: { send.all + $1 }) { start, count in
      for channel in 0..<min(2, outputChannels) {
        let sound = network.sound(channel)
        let to = filtered.map { $0[channel] + start } ?? output[channel] + piece.offset + start
        for frame in 0..<count {
          to[frame] += gain.value(at: start + frame) * network.outputGain * network.share(frame) * sound[frame]
        }
      }
    }
    if filtered != nil { roomFilter?.add(to: output, offset: piece.offset, frames: piece.frames) }
  }

  /// The output's own gain, and its meters.
  private func finish(_ piece: RenderPiece, _ output: FloatPlanes) {
    let slot = slots.outputGain
    func gain(_ value: (Int) -> Double) -> Double { Decibels.amplitude(min(20, max(-120, value(slot)))) }
    let parameters = piece.parameters
    let volume =
      parameters.isMoving
      ? GainCourse(
        LinearRamp(
          from: gain(parameters.start), to: gain(parameters.end),
          durationFrames: parameters.cellEnd - parameters.cellStart),
        position: piece.sampleTime - parameters.cellStart) : GainCourse(constant: gain(parameters.start))
    for channel in 0..<outputChannels {
      let samples = output[channel] + piece.offset
      if isOutputMetered { outputMeters[channel].measure(samples, frames: piece.frames, volume: volume) }
      if volume.isConstant {
        let factor = Float(volume.ramp.start)
        if factor != 1 { MixKernels.scale(samples, samples, gain: factor, frames: piece.frames) }
      } else {
        MixKernels.scaleRamp(samples, samples, ramp: volume.ramp, position: volume.position, frames: piece.frames)
      }
    }
  }

  override func reset() {
    for input in inputs {
      input.version = (-1, -1)
      input.clear()
      input.clearInside()
      for pair in input.meters { pair.reset() }
    }
    for pair in outputMeters { pair.reset() }
    network?.reset()
    roomFilter?.reset()
  }
}

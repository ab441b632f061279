// A unit that is set up twice alike, once through the C functions and once as the engine's own, with the same sources:
// what the tests of equal sound and of allocations share.

import AudioCore
import AudioEngine
import AudioToolbox
import BuiltInUnits
import Glibc
import TestSupport
import Testing

struct InterfaceSubject: Sendable, CustomTestStringConvertible {
  typealias Setting = (address: ParameterAddress, value: Float)
  /// A straight course of one parameter: scheduled for each slice in C, a timeline in the engine.
  struct Ramp: Sendable {
    let address: ParameterAddress
    let start: Int
    let frames: Int
    let from: Float
    let to: Float
  }

  let name: String
  var inputs: [StreamFormat]
  var output: StreamFormat
  var parameters: [Setting] = []
  /// The changes at a frame.
  var events: [(frame: Int, setting: Setting)] = []
  var ramp: Ramp?
  var preset: Int32?
  let make: @Sendable () -> AudioEngine.Unit
  var testDescription: String { name }

  /// Frames that a test renders of it.
  static let frames = 9000

  func source(_ bus: Int) throws -> ByteSource {
    try ByteSource(
      inputs[bus], frames: Int(clamping: Double(Self.frames) * inputs[bus].sampleRate / output.sampleRate), seed: bus)
  }

  /// The engine's, initialized and fed.
  func makeUnit() throws -> AudioEngine.Unit {
    let unit = make()
    for (bus, format) in inputs.enumerated() {
      try unit.setStreamFormat(format, .input, element: bus)
      try unit.setRenderCallback(try source(bus).engineCallback, input: bus)
    }
    try unit.setStreamFormat(output, .output)
    try unit.setMaximumFramesPerSlice(4096)
    for setting in parameters { try unit.setParameter(setting.address, to: setting.value) }
    if let ramp {
      let points = [(ramp.start, ramp.from), (ramp.start + ramp.frames, ramp.to)]
      let timeline: ParameterTimeline = try #require(
        ParameterTimeline(points.map { ParameterTimeline.Point(frame: Int64($0), value: $1) }))
      try unit.setTimeline(timeline, for: ramp.address)
    }
    if let preset { try unit.select(preset: preset) }
    try unit.initialize()
    return unit
  }

  /// Through the C functions: opened, fed and initialized.
  func open() throws -> InterfaceHost {
    let description = make().component.description
    let opened = try OpenedUnit(type: description.type.rawValue, description.subType.rawValue)
    let host = InterfaceHost(opened, output: output, ramp: ramp)
    for (bus, format) in inputs.enumerated() {
      let source = try source(bus)
      host.sources.append(source)
      let bus = UInt32(bus)
      try #require(
        opened.set(
          kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus, to: format.audioStreamBasicDescription) == noErr)
      try #require(
        opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, to: source.callback) == noErr)
    }
    try #require(
      opened.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, to: output.audioStreamBasicDescription)
        == noErr)
    for setting in parameters { try #require(host.set(setting) == noErr) }
    if let ramp { try #require(host.set((ramp.address, ramp.from)) == noErr) }
    if let preset {
      try #require(
        opened.set(kAudioUnitProperty_PresentPreset, to: AUPreset(presetNumber: preset, presetName: nil)) == noErr)
    }
    try #require(AudioUnitInitialize(opened.unit) == noErr)
    return host
  }
}

// MARK: Every unit that has inputs

extension InterfaceSubject {
  private static let stereo = StreamFormat(sampleRate: 44_100, channelCount: 2)
  private static let int16 = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)

  static let all: [InterfaceSubject] = filters + [nBandEQ, iPodEQ, mixer] + converters

  private static let filters: [InterfaceSubject] = [
    LowPassFilter.component, HighPassFilter.component, BandPassFilter.component, LowShelfFilter.component,
    HighShelfFilter.component, ParametricEQ.component,
  ].map { component in
    let rows = component.make().allParameters
    let (first, last) = (rows[0].address, rows[rows.count - 1].address)
    return InterfaceSubject(
      name: component.shortName, inputs: [stereo], output: stereo, parameters: [(last, 6)],
      events: [(3000, (last, 2)), (7777, (last, 9))],
      ramp: Ramp(address: first, start: 1003, frames: 5001, from: 300, to: 5000)
    ) { component.make() }
  }

  private static let nBandEQ = InterfaceSubject(
    name: "nBandEQ, eight types", inputs: [stereo], output: stereo,
    parameters: [(NBandEQ.address(.globalGain, band: 0), -3)]
      + (0..<8).flatMap { (band: Int) -> [Setting] in
        [
          (NBandEQ.address(.bypassBand, band: band), 0), (NBandEQ.address(.filterType, band: band), Float(band + 1)),
          (NBandEQ.address(.frequency, band: band), 60 * pow(1.9, Float(band))),
          (NBandEQ.address(.bandwidth, band: band), 1.5), (NBandEQ.address(.gain, band: band), 5 - Float(band)),
        ]
      },
    events: [(2500, (NBandEQ.address(.bypassBand, band: 1), 1)), (5000, (NBandEQ.address(.bypassBand, band: 1), 0))],
    ramp: Ramp(address: NBandEQ.address(.frequency, band: 3), start: 1003, frames: 5001, from: 200, to: 4000)
  ) { NBandEQ() }

  private static let iPodEQ = InterfaceSubject(
    name: "iPodEQ, Rock", inputs: [stereo], output: stereo, preset: 17
  ) { IPodEQ() }

  /// Four of its eight inputs have sources.
  private static let mixer = InterfaceSubject(
    name: "multichannelMixer, four formats",
    inputs: [
      stereo, int16, StreamFormat(sampleRate: 22_050, channelCount: 1), int16.at(sampleRate: 48_000),
    ], output: stereo,
    parameters: (0..<4).flatMap { (bus: Int) -> [Setting] in
      [
        (ParameterAddress(0, scope: .input, element: bus), 0.3 + 0.1 * Float(bus)),
        (ParameterAddress(2, scope: .input, element: bus), Float(bus) / 4 - 0.5),
      ]
    },
    events: [
      (1000, (ParameterAddress(1, scope: .input, element: 1), 0)),
      (4000, (ParameterAddress(1, scope: .input, element: 1), 1)), (6000, (ParameterAddress(0, scope: .output), 0.7)),
    ],
    ramp: Ramp(address: ParameterAddress(0, scope: .input, element: 0), start: 1003, frames: 5001, from: 0.9, to: 0.1)
  ) { MultichannelMixer() }

  private static let converters: [InterfaceSubject] = [
    InterfaceSubject(name: "converter to 48 kHz int16", inputs: [stereo], output: int16.at(sampleRate: 48_000)) {
      FormatConverterUnit()
    },
    InterfaceSubject(name: "genericOutput, float through", inputs: [stereo], output: stereo) { GenericOutput() },
    InterfaceSubject(name: "genericOutput, 48 kHz to int16", inputs: [stereo.at(sampleRate: 48_000)], output: int16) {
      GenericOutput()
    },
  ]
}

/// A stream of noise in any format, from frame 0 on, and silence behind it, for both interfaces.
final class ByteSource: @unchecked Sendable {
  private let frames: Int
  private let bytesPerFrame: Int
  private let memory: StreamBuffer

  init(_ format: StreamFormat, frames: Int, seed: Int) throws {
    (self.frames, bytesPerFrame) = (frames, format.bytesPerFrame)
    memory = StreamBuffer(format: format, frameCapacity: frames)
    for (index, bytes) in try noise(format, frames: frames, seed: UInt64(seed + 1)).enumerated() {
      memory.bus.buffers[index].copyMemory(from: bytes, byteCount: bytes.count)
    }
  }

  private func write(_ buffer: Int, from start: Int, count: Int, to target: UnsafeMutableRawPointer) {
    let present = max(0, min(count, frames - start))
    memcpy(target, memory.bus.buffers[buffer] + min(start, frames) * bytesPerFrame, present * bytesPerFrame)
    memset(target + present * bytesPerFrame, 0, (count - present) * bytesPerFrame)
  }

  var engineCallback: RenderCallback {
    RenderCallback { [self] time, _, count, buffer in
      for index in 0..<buffer.count { write(index, from: Int(time), count: count, to: buffer.buffers[index]) }
      return .noError
    }
  }

  /// Lives no longer than this.
  var callback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, _, timeStamp, _, count, data in
        let source = Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
        for index in 0..<list.count {
          guard let target = list[index].mData else { return kAudio_ParamError }
          source.write(index, from: Int(clamping: timeStamp.pointee.mSampleTime), count: Int(count), to: target)
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }
}

/// A unit of the C interface with its sources, and a notify that schedules its ramp.
final class InterfaceHost {
  let opened: OpenedUnit
  var unit: AudioUnit { opened.unit }
  var sources: [ByteSource] = []
  private let ramp: InterfaceSubject.Ramp?
  private let format: StreamFormat
  private let memory: StreamBuffer
  private let list: UnsafeMutableAudioBufferListPointer
  /// The statuses of scheduling that were not noErr.
  private(set) var failures = 0

  init(_ opened: OpenedUnit, output: StreamFormat, ramp: InterfaceSubject.Ramp? = nil) {
    self.opened = opened
    self.ramp = ramp
    format = output
    memory = StreamBuffer(format: output, frameCapacity: 4096)
    list = AudioBufferList.allocate(maximumBuffers: output.bufferCount)
    guard ramp != nil else { return }
    expectNoError(AudioUnitAddRenderNotify(unit, Self.notify, Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    opened.dispose()
    free(list.unsafeMutablePointer)
  }

  private static let notify: AURenderCallback = { context, flags, timeStamp, _, frames, _ in
    let host = Unmanaged<InterfaceHost>.fromOpaque(context).takeUnretainedValue()
    guard flags.pointee.contains(.unitRenderAction_PreRender), let ramp = host.ramp else { return noErr }
    let at = Int(clamping: timeStamp.pointee.mSampleTime)
    guard at + Int(frames) > ramp.start, at <= ramp.start + ramp.frames else { return noErr }
    var event = AudioUnitParameterEvent()
    event.scope = ramp.address.scope.rawValue
    event.element = UInt32(ramp.address.element)
    event.parameter = ramp.address.id
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.startBufferOffset = Int32(ramp.start - at)
    event.eventValues.ramp.durationInFrames = UInt32(ramp.frames)
    event.eventValues.ramp.startValue = ramp.from
    event.eventValues.ramp.endValue = ramp.to
    if AudioUnitScheduleParameters(host.unit, &event, 1) != noErr { host.failures += 1 }
    return noErr
  }

  func set(_ setting: InterfaceSubject.Setting) -> OSStatus {
    AudioUnitSetParameter(
      unit, setting.address.id, setting.address.scope.rawValue, UInt32(setting.address.element), setting.value, 0)
  }

  /// Renders one slice into the host's memory, or into the unit's own; ``bytes(frames:)`` has it.
  func render(at frame: Int, frames: Int, intoOwnMemory: Bool = true) -> OSStatus {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(frame)
    stamp.mFlags = .sampleTimeValid
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    for index in 0..<list.count {
      list[index] = AudioBuffer(
        mNumberChannels: UInt32(format.isInterleaved ? format.channelCount : 1),
        mDataByteSize: UInt32(frames * format.bytesPerFrame), mData: intoOwnMemory ? memory.bus.buffers[index] : nil)
    }
    return AudioUnitRender(unit, &flags, &stamp, 0, UInt32(frames), list.unsafeMutablePointer)
  }

  func bytes(frames: Int) -> [[UInt8]] {
    list.map { Array(UnsafeRawBufferPointer(start: $0.mData, count: frames * format.bytesPerFrame)) }
  }
}

// Audio units as programs write them, for tests.

import AVFAudio
import Foundation

/// The parts that all of them have: a bus on each side, and a place for the input.
class TestAudioUnit: AUAudioUnit {
  fileprivate var inputBus: AUAudioUnitBus?
  fileprivate var outputBus: AUAudioUnitBus?
  private lazy var inputs = AUAudioUnitBusArray(
    audioUnit: self, busType: .input, busses: [inputBus].compactMap { $0 })
  private lazy var outputs = AUAudioUnitBusArray(
    audioUnit: self, busType: .output, busses: [outputBus].compactMap { $0 })
  override var inputBusses: AUAudioUnitBusArray { inputs }
  override var outputBusses: AUAudioUnitBusArray { outputs }

  override init(componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [])
    throws
  {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else { throw Refusal.format }
    if componentDescription.componentType != kAudioUnitType_MusicDevice {
      inputBus = try AUAudioUnitBus(format: format)
    }
    outputBus = try AUAudioUnitBus(format: format)
    try super.init(componentDescription: componentDescription, options: options)
  }

  enum Refusal: Error { case format, resources }
}

func codes(_ type: UInt32, _ subType: UInt32) -> AudioComponentDescription {
  AudioComponentDescription(
    componentType: type, componentSubType: subType, componentManufacturer: 0x5465_7374, componentFlags: 0,
    componentFlagsMask: 0)
}

/// A gain with a ramp: the value from the frame of an event on, or a straight line that begins there.
final class GainAudioUnit: TestAudioUnit {
  static let codes = AVFAudioTests.codes(kAudioUnitType_Effect, 0x6761_696E)

  final class Kernel {
    var gain: Float = 1
    private var from: Float = 1
    private var to: Float = 1
    private var frames = 0
    private var done = 0
    var events: [(time: Int64, value: Float, ramp: UInt32)] = []
    var keepsEvents = false

    func set(_ value: Float) {
      gain = value
      frames = 0
    }
    func ramp(to value: Float, over count: Int) { (from, to, frames, done) = (present, value, count, 0) }
    /// The value of the frame to come.
    private var present: Float {
      if frames == 0 { return gain }
      return done < frames ? Float(Double(from) + (Double(to) - Double(from)) * (Double(done) / Double(frames))) : to
    }
    func next() -> Float {
      gain = present
      if done < frames { done += 1 } else { frames = 0 }
      return gain
    }
    func clear() { if frames > 0 { set(to) } }
  }
  let kernel = Kernel()
  private(set) var observed: [Float] = []

  override init(componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [])
    throws
  {
    try super.init(componentDescription: componentDescription, options: options)
    let gain = AUParameterTree.createParameter(
      withIdentifier: "gain", name: "Gain", address: 3, min: 0, max: 8, unit: .linearGain, unitName: nil,
      flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp], valueStrings: nil, dependentParameters: nil)
    gain.value = 1
    let tree = AUParameterTree.createTree(withChildren: [gain])
    tree.implementorValueObserver = { [unowned self] _, value in
      observed.append(value)
      kernel.set(value)
    }
    tree.implementorValueProvider = { [unowned self] _ in kernel.gain }
    parameterTree = tree
  }

  override var canProcessInPlace: Bool { true }
  override func reset() {
    super.reset()
    kernel.clear()
  }

  override var internalRenderBlock: AUInternalRenderBlock {
    let kernel = kernel
    return { flags, stamp, frames, _, output, events, pull in
      guard let pull else { return kAudioUnitErr_NoConnection }
      let status = pull(flags, stamp, frames, 0, output)
      guard status == noErr else { return status }
      let list = UnsafeMutableAudioBufferListPointer(output)
      var event = events
      let start = AUEventSampleTime(stamp.pointee.mSampleTime)
      for frame in 0..<Int(frames) {
        while let present = event, present.pointee.head.eventSampleTime <= start + Int64(frame) {
          let parameter = present.pointee.parameter
          if kernel.keepsEvents {
            kernel.events.append(
              (parameter.eventSampleTime, parameter.value, parameter.rampDurationSampleFrames))
          }
          switch present.pointee.head.eventType {
          case .parameter: kernel.set(parameter.value)
          case .parameterRamp: kernel.ramp(to: parameter.value, over: Int(parameter.rampDurationSampleFrames))
          default: break
          }
          event = UnsafePointer(present.pointee.head.next)
        }
        let gain = kernel.next()
        for buffer in list {
          guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
          samples[frame] *= gain
        }
      }
      return noErr
    }
  }

  static func register() { registerSubclass(self, as: codes, name: "Test: Line Gain", version: 1) }
}

/// An echo with memory of its own, which it pulls its input into: y[n] = x[n] + y[n − 100] / 2.
final class EchoAudioUnit: TestAudioUnit {
  static let codes = AVFAudioTests.codes(kAudioUnitType_Effect, 0x6563_686F)
  static let delay = 100
  private var pulled: AVAudioPCMBuffer?
  private var lines: [[Float]] = []
  private var place = 0

  override var latency: TimeInterval { 0.25 }
  override var tailTime: TimeInterval { 2 }
  override var channelCapabilities: [NSNumber]? { [1, 1, 2, 2] }

  override func allocateRenderResources() throws {
    try super.allocateRenderResources()
    pulled = AVAudioPCMBuffer(pcmFormat: inputBusses[0].format, frameCapacity: maximumFramesToRender)
    clear()
  }
  override func deallocateRenderResources() {
    super.deallocateRenderResources()
    pulled = nil
  }
  override func reset() {
    super.reset()
    clear()
  }
  private func clear() {
    lines = Array(repeating: Array(repeating: 0, count: Self.delay), count: Int(outputBusses[0].format.channelCount))
    place = 0
  }

  override var internalRenderBlock: AUInternalRenderBlock {
    { [unowned self] flags, stamp, frames, _, output, _, pull in
      guard let pull, let input = pulled else { return kAudioUnitErr_NoConnection }
      let source = UnsafeMutableAudioBufferListPointer(input.mutableAudioBufferList)
      for index in source.indices { source[index].mDataByteSize = frames * 4 }
      let status = pull(flags, stamp, frames, 0, input.mutableAudioBufferList)
      guard status == noErr else { return status }
      for (channel, buffer) in UnsafeMutableAudioBufferListPointer(output).enumerated() {
        guard let from = source[channel].mData?.assumingMemoryBound(to: Float.self),
          let to = buffer.mData?.assumingMemoryBound(to: Float.self)
        else { continue }
        for frame in 0..<Int(frames) {
          let at = (place + frame) % Self.delay
          lines[channel][at] = from[frame] + lines[channel][at] / 2
          to[frame] = lines[channel][at]
        }
      }
      place = (place + Int(frames)) % Self.delay
      return noErr
    }
  }

  static func register() { registerSubclass(self, as: codes, name: "Test: Half Echo", version: 1) }
}

/// An instrument that puts out the number of the note that is on, and answers an error for note 99.
final class NumberInstrument: TestAudioUnit {
  static let codes = AVFAudioTests.codes(kAudioUnitType_MusicDevice, 0x6E75_6D62)
  private var note: Float = 0

  override var internalRenderBlock: AUInternalRenderBlock {
    { [unowned self] _, stamp, frames, _, output, events, _ in
      var event = events
      let start = AUEventSampleTime(stamp.pointee.mSampleTime)
      for frame in 0..<Int(frames) {
        while let present = event, present.pointee.head.eventSampleTime <= start + Int64(frame) {
          if present.pointee.head.eventType == .MIDI {
            let midi = present.pointee.MIDI
            note = midi.data.0 & 0xF0 == 0x90 ? Float(midi.data.1) : 0
          } else if present.pointee.head.eventType == .midiEventList {
            note = Float(present.pointee.MIDIEventsList.eventList.packet.words.0 >> 8 & 0x7F)
          } else if present.pointee.head.eventType == .midiSysEx {
            note = Float(present.pointee.MIDI.length)
          }
          event = UnsafePointer(present.pointee.head.next)
        }
        if note == 99 { return kAudioUnitErr_CannotDoInCurrentContext }
        for buffer in UnsafeMutableAudioBufferListPointer(output) {
          buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = note
        }
      }
      return noErr
    }
  }

  static func register() { registerSubclass(self, as: codes, name: "Test: Number", version: 1) }
}

/// An effect whose resources cannot be allocated, of mono alone.
final class RefusingAudioUnit: TestAudioUnit {
  static let codes = AVFAudioTests.codes(kAudioUnitType_Effect, 0x7265_6675)
  override func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool { format.sampleRate != 8000 }
  override func allocateRenderResources() throws { throw Refusal.resources }

  static func register() { registerSubclass(self, as: codes, name: "Test: Refusing", version: 1) }
}

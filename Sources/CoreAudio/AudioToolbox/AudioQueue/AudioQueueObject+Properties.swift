// Properties of a queue. Any thread.

import AudioCore
import CAudioToolbox
import CoreAudioStreams
import Hardware

/// The properties that a program sets and reads back.
struct QueueSettings {
  var decodeFrames: UInt32 = 8192
  var layout: [UInt8]?
  var cookie: [UInt8] = []
  var isTimePitchEnabled = false
  var isTimePitchBypassed = false
  var timePitchAlgorithm: UInt32 = kAudioQueueTimePitchAlgorithm_Spectral
  var codecPolicy: UInt32 = kAudioQueueHardwareCodecPolicy_Default
  /// The device's channel for each of the queue's; nil: those of the same number.
  var assignments: [Int]?
}

extension AudioQueueObject {
  /// The value of a property.
  /// - Throws: −66684 for one that the queue has not, or that cannot be read.
  func value(_ id: AudioQueuePropertyID) throws(AudioStatus) -> CValue {
    let (settings, isTold) = state.withLock { ($0.settings, $0.isTold) }
    switch id {
    case kAudioQueueProperty_IsRunning: return .number(isTold ? 1 : 0)
    case kAudioQueueDeviceProperty_SampleRate: return CValue(Float64(device.format.sampleRate))
    case kAudioQueueDeviceProperty_NumberChannels:
      return .number(UInt32(clamping: isInput ? device.format.inputChannels : device.format.outputChannels))
    case kAudioQueueProperty_CurrentDevice: return .text(SimulatedHardware.uniqueID)
    case kAudioQueueProperty_MagicCookie: return .bytes(settings.cookie)
    case kAudioQueueProperty_MaximumOutputPacketSize:
      return .number(UInt32(clamping: packets.withLock { $0?.mostBytes } ?? format.bytesPerFrame))
    case kAudioQueueProperty_StreamDescription: return CValue(format.audioStreamBasicDescription)
    case kAudioQueueProperty_ChannelLayout:
      guard let layout = settings.layout else { break }
      return .bytes(layout)
    case kAudioQueueProperty_EnableLevelMetering: return .number(meter.isOn.load(ordering: .relaxed) ? 1 : 0)
    case kAudioQueueProperty_CurrentLevelMeter: return CValue(array: meter.states(decibels: false))
    case kAudioQueueProperty_CurrentLevelMeterDB: return CValue(array: meter.states(decibels: true))
    case kAudioQueueProperty_DecodeBufferSizeFrames: return .number(settings.decodeFrames)
    // PCM and G.711 cannot fail to be decoded.
    case kAudioQueueProperty_ConverterError:
      return .number(UInt32(bitPattern: packets.withLock { $0?.damage?.rawValue } ?? 0))
    case kAudioQueueProperty_EnableTimePitch where !isInput: return .number(settings.isTimePitchEnabled ? 1 : 0)
    case kAudioQueueProperty_TimePitchAlgorithm where !isInput: return .number(settings.timePitchAlgorithm)
    case kAudioQueueProperty_TimePitchBypass where !isInput: return .number(settings.isTimePitchBypassed ? 1 : 0)
    case kAudioQueueProperty_HardwareCodecPolicy: return .number(settings.codecPolicy)
    default: break
    }
    throw AudioStatus(kAudioQueueErr_InvalidProperty)
  }

  /// Sets a property, and tells its listeners where it has become another.
  /// - Throws: −66684 for one that cannot be set, −66683 for a wrong size, −66675 for a value that it cannot have, −66678
  ///   where it is set too late, −66680 for an unknown device.
  func setValue(_ id: AudioQueuePropertyID, _ data: UnsafeRawBufferPointer) throws(AudioStatus) {
    func number() throws(AudioStatus) -> UInt32 {
      guard data.count == 4 else { throw AudioStatus(kAudioQueueErr_InvalidPropertySize) }
      return data.loadUnaligned(as: UInt32.self)
    }
    func change(whileStopped: Bool = false, _ body: (inout QueueSettings) -> Void) throws(AudioStatus) {
      try state.withLock { (state) throws(AudioStatus) in
        guard !whileStopped || state.run == .stopped else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
        body(&state.settings)
      }
    }
    let invalid = AudioStatus(kAudioQueueErr_InvalidPropertyValue)
    switch id {
    case kAudioQueueProperty_CurrentDevice: try setDevice(data)
    case kAudioQueueProperty_MagicCookie:
      guard data.count <= 1 << 24 else { throw AudioStatus(kAudioQueueErr_InvalidPropertySize) }
      try change { $0.cookie = Array(data) }
      packets.withLock { $0?.cookie = Array(data) }
    case kAudioQueueProperty_ChannelLayout:
      guard data.count >= 12, let start = data.baseAddress else {
        throw AudioStatus(kAudioQueueErr_InvalidPropertySize)
      }
      guard let labels = ChannelLayouts.labels(of: start, size: data.count),
        labels.count == format.stream.channelCount
      else { throw invalid }
      try change { $0.layout = Array(data) }
    case kAudioQueueProperty_EnableLevelMetering:
      let isOn = try number() != 0
      meter.isOn.store(isOn, ordering: .relaxed)
      if !isOn { meter.clear() }
    case kAudioQueueProperty_DecodeBufferSizeFrames:
      let frames = try number()
      guard frames > 0 else { throw invalid }
      try change { $0.decodeFrames = frames }
    case kAudioQueueProperty_EnableTimePitch where !isInput:
      let isOn = try number() != 0
      try change(whileStopped: true) { $0.isTimePitchEnabled = isOn }
    case kAudioQueueProperty_TimePitchBypass where !isInput:
      let isOn = try number() != 0
      try change(whileStopped: true) { $0.isTimePitchBypassed = isOn }
    case kAudioQueueProperty_TimePitchAlgorithm where !isInput:
      let algorithm = try number()
      guard
        [
          kAudioQueueTimePitchAlgorithm_Spectral, kAudioQueueTimePitchAlgorithm_TimeDomain,
          kAudioQueueTimePitchAlgorithm_Varispeed, kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency,
        ].contains(algorithm)
      else { throw invalid }
      try change(whileStopped: true) { $0.timePitchAlgorithm = algorithm }
    case kAudioQueueProperty_HardwareCodecPolicy:
      let policy = try number()
      guard policy <= kAudioQueueHardwareCodecPolicy_PreferHardware else { throw invalid }
      try change { $0.codecPolicy = policy }
    case kAudioQueueProperty_ChannelAssignments: try setAssignments(data)
    default: throw AudioStatus(kAudioQueueErr_InvalidProperty)
    }
    tell(id)
    calls.request(waits: device.clock != .real && !isRendering)
  }

  /// Takes the name of the one device, or null for the default.
  private func setDevice(_ data: UnsafeRawBufferPointer) throws(AudioStatus) {
    guard data.count == MemoryLayout<UInt>.size else { throw AudioStatus(kAudioQueueErr_InvalidPropertySize) }
    let name = UnsafeRawPointer(bitPattern: data.loadUnaligned(as: UInt.self))
    guard name == nil || CFText.string(at: name) == SimulatedHardware.uniqueID else {
      throw AudioStatus(kAudioQueueErr_InvalidDevice)
    }
  }

  /// An assignment for each of the queue's channels: to another one of the device's.
  private func setAssignments(_ data: UnsafeRawBufferPointer) throws(AudioStatus) {
    let stride = MemoryLayout<AudioQueueChannelAssignment>.stride
    let channels = format.stream.channelCount
    guard data.count == channels * stride else { throw AudioStatus(kAudioQueueErr_InvalidPropertySize) }
    let count = isInput ? device.format.inputChannels : device.format.outputChannels
    var assignments: [Int] = []
    for index in 0..<channels {
      let name = UnsafeRawPointer(bitPattern: data.loadUnaligned(fromByteOffset: index * stride, as: UInt.self))
      let number = data.loadUnaligned(fromByteOffset: index * stride + MemoryLayout<UInt>.size, as: UInt32.self)
      guard CFText.string(at: name) == SimulatedHardware.uniqueID else {
        throw AudioStatus(kAudioQueueErr_InvalidDevice)
      }
      // The numbers begin with 1.
      guard number >= 1, number <= UInt32(clamping: count) else {
        throw AudioStatus(kAudioQueueErr_InvalidPropertyValue)
      }
      assignments.append(Int(number) - 1)
    }
    try state.withLock { (state) throws(AudioStatus) in
      guard state.run == .stopped else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
      state.settings.assignments = assignments
    }
  }

  // MARK: Listeners

  func addListener(
    _ id: AudioQueuePropertyID, _ proc: @escaping AudioQueuePropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) throws(AudioStatus) {
    let listener = Listener(id: id, proc: proc, userData: UInt(bitPattern: userData))
    try state.withLock { (state) throws(AudioStatus) in
      guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
      if !state.listeners.contains(where: listener.isSame) { state.listeners.append(listener) }
    }
  }

  func removeListener(
    _ id: AudioQueuePropertyID, _ proc: @escaping AudioQueuePropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) {
    let listener = Listener(id: id, proc: proc, userData: UInt(bitPattern: userData))
    state.withLock { $0.listeners.removeAll(where: listener.isSame) }
  }
}

extension AudioQueueObject.Listener {
  func isSame(as other: Self) -> Bool {
    id == other.id && userData == other.userData && functionAddress(proc) == functionAddress(other.proc)
  }
}

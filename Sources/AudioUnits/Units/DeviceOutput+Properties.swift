import AudioCore

/// The property tables of the device units (reference: output unit and voice processing properties).
extension DeviceOutput {
  static func propertyTable(_ kind: Kind) -> [PropertyDescriptor] {
    switch kind {
    case .hal, .defaultOutput, .systemOutput: halTable
    case .remoteIO: ioTable
    case .voiceProcessing: voiceTable
    }
  }

  private static let halTable = ioTable + [currentDevice, bufferFrames, bufferFrameRange]
  private static let voiceTable = ioTable + [currentDevice] + voiceProperties

  private static let ioTable: [PropertyDescriptor] = [
    .quality(DeviceOutput.self, \.quality),
    .of(
      DeviceOutput.self, .isRunning, "isRunning", type: "UInt32, 0 or 1",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(unit.isRunning ? 1 : 0) }),
    .of(
      DeviceOutput.self, .channelMap, "channelMap", [.input, .output],
      type: "Int32[channels written], −1 silent; element 0 to the device, element 1 to the app",
      get: { (unit, _, element) throws(AudioStatus) in .int32s(unit.channelMap(element)) },
      set: { (unit, _, element, value) throws(AudioStatus) in
        guard case .int32s(let map) = value else { throw .invalidPropertyValue }
        try unit.setChannelMap(map, element)
      }),
    .of(
      DeviceOutput.self, .enableIO, "enableIO", [.input, .output],
      type: "UInt32, 0 or 1; output:0 is playing, input:1 is recording",
      get: { (unit, scope, element) throws(AudioStatus) in
        try checkDeviceSide(scope, element)
        return .uint32((element == 0 ? unit.isOutputEnabled : unit.isInputEnabled) ? 1 : 0)
      },
      set: { (unit, scope, element, value) throws(AudioStatus) in
        try checkDeviceSide(scope, element)
        guard case .uint32(let flag) = value else { throw .invalidPropertyValue }
        try unit.setEnabled(flag != 0, element)
      }),
    .of(
      DeviceOutput.self, .hasIO, "hasIO", [.input, .output],
      type: "UInt32, 0 or 1; output:0 is playing, input:1 is recording",
      get: { (unit, scope, element) throws(AudioStatus) in
        try checkDeviceSide(scope, element)
        return .uint32(element == 0 || unit.kind.hasInput ? 1 : 0)
      }),
    .of(
      DeviceOutput.self, .startTimestampsAtZero, "startTimestampsAtZero", type: "UInt32, 0 or 1",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(unit.startsTimestampsAtZero ? 1 : 0) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .uint32(let flag) = value else { throw .invalidPropertyValue }
        unit.startsTimestampsAtZero = flag != 0
      }),
  ]

  private static let currentDevice = PropertyDescriptor.of(
    DeviceOutput.self, .currentDevice, "currentDevice", type: "UInt32, AudioObjectID of the device",
    get: { (_, _, _) throws(AudioStatus) in .uint32(SimulatedHardware.deviceID) },
    set: { (unit, _, _, value) throws(AudioStatus) in
      // 0 is "whichever is the default".
      guard case .uint32(let device) = value, device == SimulatedHardware.deviceID || device == 0 else {
        throw .invalidPropertyValue
      }
      unit.adoptHardware()
    })

  private static let bufferFrames = PropertyDescriptor.of(
    DeviceOutput.self, .bufferFrameSize, "bufferFrameSize", [.global, .input, .output],
    type: "UInt32, frames of a cycle",
    get: { (unit, _, _) throws(AudioStatus) in .uint32(UInt32(unit.hardware.configuration.bufferFrames)) },
    set: { (unit, _, _, value) throws(AudioStatus) in
      guard case .uint32(let frames) = value else { throw .invalidPropertyValue }
      try unit.hardware.setBufferFrames(Int(frames))
    })

  private static let bufferFrameRange = PropertyDescriptor.of(
    DeviceOutput.self, .bufferFrameSizeRange, "bufferFrameSizeRange", [.global, .input, .output],
    type: "Float64[2], frames of a cycle",
    get: { (_, _, _) throws(AudioStatus) in
      let range = DeviceConfiguration.bufferFrameCounts
      return .float64s([Double(range.lowerBound), Double(range.upperBound)])
    })

  private static let voiceProperties: [PropertyDescriptor] = [
    voiceSwitch(.bypassVoiceProcessing, "bypassVoiceProcessing", \.isBypassed),
    voiceSwitch(.voiceProcessingEnableAGC, "voiceProcessingEnableAGC", \.enablesAGC),
    voiceSwitch(.duckNonVoiceAudio, "duckNonVoiceAudio", \.ducksOthers),
    voiceSwitch(.voiceProcessingQuality, "voiceProcessingQuality", \.quality, maximum: 127),
    voiceSwitch(.muteOutput, "muteOutput", \.mutesInput),
    .of(
      DeviceOutput.self, .otherAudioDuckingConfiguration, "otherAudioDuckingConfiguration",
      type: "Int32[2]: advanced 0 or 1, level 0, 10, 20 or 30",
      get: { (unit, _, _) throws(AudioStatus) in .int32s(unit.voice.ducking) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        // In C the first word is a Boolean and three bytes that mean nothing.
        guard case .int32s(let words) = value, words.count == 2, (0...1).contains(words[0] & 0xFF),
          [0, 10, 20, 30].contains(words[1])
        else { throw .invalidPropertyValue }
        unit.voice.ducking = [words[0] & 0xFF, words[1]]
      }),
  ]

  private static func voiceSwitch(
    _ id: PropertyID, _ name: String, _ path: WritableKeyPath<VoiceProcessingState, UInt32> & Sendable,
    maximum: UInt32 = 1
  ) -> PropertyDescriptor {
    .of(
      DeviceOutput.self, id, name, type: "UInt32, 0 to \(maximum)",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(unit.voice[keyPath: path]) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .uint32(let number) = value, number <= maximum else { throw .invalidPropertyValue }
        unit.voice[keyPath: path] = number
      })
  }

  /// The properties of the hardware live on the device's side of each element.
  private static func checkDeviceSide(_ scope: Scope, _ element: Int) throws(AudioStatus) {
    guard (scope == .output) == (element == 0) else { throw .invalidElement }
  }

  /// Switches an element on or off.
  private func setEnabled(_ isOn: Bool, _ element: Int) throws(AudioStatus) {
    guard isOn != (element == 0 ? isOutputEnabled : isInputEnabled) else { return }
    guard element == 0 || kind.hasInput else { throw .propertyNotWritable }
    guard !isInitialized else { throw .initialized }
    if element == 0 { isOutputEnabled = isOn } else { isInputEnabled = isOn }
  }

  /// The map that holds: what was set, or the conventional one, in which mono goes to every channel.
  private func channelMap(_ element: Int) -> [Int32] {
    if let map = element == 0 ? outputMap : inputMap { return map }
    let from = inputs[element].format.channelCount
    let to = outputs[element].format.channelCount
    return (0..<to).map { from == 1 ? 0 : $0 < from ? Int32($0) : -1 }
  }

  private func setChannelMap(_ map: [Int32], _ element: Int) throws(AudioStatus) {
    guard map != channelMap(element) else { return }
    // How many channels the app has may still change: that is looked at when the unit is initialized.
    guard map.count == outputs[element].format.channelCount, map.allSatisfy({ $0 >= -1 }) else {
      throw .invalidPropertyValue
    }
    guard !isInitialized else { throw .initialized }
    if element == 0 { outputMap = map } else { inputMap = map }
  }
}

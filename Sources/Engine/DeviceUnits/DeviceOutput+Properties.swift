import AudioCore
import AudioEngine
import Hardware

/// The property tables of the output units.
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
    .quality(\DeviceOutput.quality),
    PropertyDescriptor(
      .isRunning, "isRunning", .flag, of: DeviceOutput.self, get: { unit, _, _ in unit.isRunning }),
    PropertyDescriptor(
      .channelMap, "channelMap",
      .int32s("channels written", "−1 silent; element 0 to the device, element 1 to the app"), of: DeviceOutput.self,
      on: [.input, .output], get: { unit, _, element in unit.channelMap(element) },
      set: { (unit, _, element, map) throws(AudioStatus) in try unit.setChannelMap(map, element) }),
    PropertyDescriptor(
      .enableIO, "enableIO", .playing, of: DeviceOutput.self, on: [.input, .output], check: checkDeviceSide,
      get: { unit, _, element in element == 0 ? unit.isOutputEnabled : unit.isInputEnabled },
      set: { (unit, _, element, isOn) throws(AudioStatus) in try unit.setEnabled(isOn, element) }),
    PropertyDescriptor(
      .hasIO, "hasIO", .playing, of: DeviceOutput.self, on: [.input, .output], check: checkDeviceSide,
      get: { unit, _, element in element == 0 || unit.kind.hasInput && unit.hardware.hasMicrophone }),
    PropertyDescriptor(
      .startTimestampsAtZero, "startTimestampsAtZero", .flag, \DeviceOutput.startsTimestampsAtZero, settable: .always),
  ]

  private static let currentDevice = PropertyDescriptor(
    .currentDevice, "currentDevice", .uint32("AudioObjectID of the device"), of: DeviceOutput.self,
    get: { _, _, _ in Int(SimulatedHardware.deviceID) },
    set: { (unit, _, _, device) throws(AudioStatus) in
      // 0 is "whichever is the default".
      guard device == SimulatedHardware.deviceID || device == 0 else { throw .invalidPropertyValue }
      unit.adoptHardware()
    })

  private static let bufferFrames = PropertyDescriptor(
    .bufferFrameSize, "bufferFrameSize", .uint32("frames of a cycle"), of: DeviceOutput.self,
    on: [.global, .input, .output], get: { unit, _, _ in unit.hardware.configuration.bufferFrames },
    set: { (unit, _, _, frames) throws(AudioStatus) in try unit.hardware.setBufferFrames(frames) })

  private static let bufferFrameRange = PropertyDescriptor(
    .bufferFrameSizeRange, "bufferFrameSizeRange", .float64s("2", "frames of a cycle"), of: DeviceOutput.self,
    on: [.global, .input, .output],
    get: { _, _, _ in
      let range = DeviceConfiguration.bufferFrameCounts
      return [Double(range.lowerBound), Double(range.upperBound)]
    })

  static let graphKeyTable: [GraphKey] = [
    GraphKey(
      "scenario",
      "a file that describes its hardware and the events on it, relative to the graph file: docs/scenarios.md. Without one the microphone gives silence",
      of: DeviceOutput.self, schema: JSONForm<String>.file.schema
    ) { (unit, node, place) throws(BenchError) in
      guard let path = try node.path("scenario") else { return }
      do throws(BenchError) {
        try unit.hardware.follow(try ScenarioFile.load(path))
        unit.adoptHardware()
      } catch {
        throw error.inside("node \"\(place.id)\"")
      }
    }
  ]

  static let voiceKeyTable: [GraphKey] = [
    GraphKey(
      "gainControl", "true: the level of speech at the microphone is controlled", .boolean, of: DeviceOutput.self,
      get: { $0.voiceSettings.enablesAGC != 0 }, set: { $0.voiceSettings.enablesAGC = $1 ? 1 : 0 }),
    GraphKey(
      "bypass", "true: the microphone passes unprocessed", .boolean, of: DeviceOutput.self,
      get: { $0.voiceSettings.isBypassed != 0 }, set: { $0.voiceSettings.isBypassed = $1 ? 1 : 0 }),
    GraphKey(
      "voiceQuality", "0 to 127: echoes of 20 to 126 ms", .count(in: 0...127), of: DeviceOutput.self,
      get: { Int($0.voiceSettings.quality) }, set: { $0.voiceSettings.quality = UInt32($1) }),
  ]

  private static let voiceProperties: [PropertyDescriptor] = [
    voiceSwitch(.bypassVoiceProcessing, "bypassVoiceProcessing", \.isBypassed),
    voiceSwitch(.voiceProcessingEnableAGC, "voiceProcessingEnableAGC", \.enablesAGC),
    voiceSwitch(.duckNonVoiceAudio, "duckNonVoiceAudio", \.ducksOthers),
    voiceSwitch(.voiceProcessingQuality, "voiceProcessingQuality", \.quality, maximum: 127),
    voiceSwitch(.muteOutput, "muteOutput", \.mutesInput),
    voiceSwitch(.residualEchoSuppression, "residualEchoSuppression", \.suppressesResidual),
    PropertyDescriptor(
      .otherAudioDuckingConfiguration, "otherAudioDuckingConfiguration",
      .int32s("2", "advanced 0 or 1, level 0, 10, 20 or 30"), of: DeviceOutput.self,
      get: { unit, _, _ in unit.voiceSettings.ducking },
      set: { (unit, _, _, words) throws(AudioStatus) in
        // In C the first word is a Boolean and three bytes that mean nothing.
        guard words.count == 2, (0...1).contains(words[0] & 0xFF), [0, 10, 20, 30].contains(words[1]) else {
          throw .invalidPropertyValue
        }
        unit.voiceSettings.ducking = [words[0] & 0xFF, words[1]]
      }),
  ]

  private static func voiceSwitch(
    _ id: PropertyID, _ name: String, _ path: WritableKeyPath<VoiceProcessingState, UInt32> & Sendable,
    maximum: UInt32 = 1
  ) -> PropertyDescriptor {
    PropertyDescriptor(
      id, name, .uint32("0 to \(maximum)", in: 0...maximum), of: DeviceOutput.self,
      get: { unit, _, _ in Int(unit.voiceSettings[keyPath: path]) },
      set: { unit, _, _, number in unit.voiceSettings[keyPath: path] = UInt32(number) })
  }

  /// The properties of the hardware belong to the hardware's side of each element.
  @Sendable private static func checkDeviceSide(
    _ unit: DeviceOutput, _ scope: Scope, _ element: Int
  ) throws(AudioStatus) {
    guard (scope == .output) == (element == 0) else { throw .invalidElement }
  }

  /// Switches an element on or off.
  private func setEnabled(_ isOn: Bool, _ element: Int) throws(AudioStatus) {
    if element == 1, kind.hasInput { inputElement.wasSwitched = true }
    guard isOn != (element == 0 ? isOutputEnabled : isInputEnabled) else { return }
    guard element == 0 || kind.hasInput else { throw .propertyNotWritable }
    guard !isInitialized else { throw .initialized }
    if element == 0 { outputElement.isEnabled = isOn } else { inputElement.isEnabled = isOn }
  }

  /// The map that holds: what was set, or the conventional one, in which mono goes to every channel.
  private func channelMap(_ element: Int) -> [Int32] {
    if let map = element == 0 ? outputElement.map : inputElement.map { return map }
    let from = inputs[element].format.channelCount
    let to = outputs[element].format.channelCount
    return (0..<to).map { from == 1 ? 0 : $0 < from ? Int32($0) : -1 }
  }

  /// True when a map changes nothing. Without a map several channels become one as their mean, which no map does.
  private func holds(_ map: [Int32], _ element: Int) -> Bool {
    if let present = element == 0 ? outputElement.map : inputElement.map { return map == present }
    let from = inputs[element].format.channelCount
    let conventional = ChannelMatrix.conventional(
      inputCount: from, outputCount: outputs[element].format.channelCount)
    return ChannelMatrix(map: map.map(Int.init), inputCount: from) == conventional
  }

  private func setChannelMap(_ map: [Int32], _ element: Int) throws(AudioStatus) {
    guard !holds(map, element) else { return }
    // The number of the app's channels may still change: it is checked when the unit is initialized.
    guard map.count == outputs[element].format.channelCount, map.allSatisfy({ $0 >= -1 }) else {
      throw .invalidPropertyValue
    }
    guard !isInitialized else { throw .initialized }
    if element == 0 { outputElement.map = map } else { inputElement.map = map }
  }
}

extension PropertyForm where Value == Bool {
  fileprivate static let playing = PropertyForm(
    "UInt32", "0 or 1; output:0 is playing, input:1 is recording", .uint32, wrap: flag.wrap, unwrap: flag.unwrap)
}

extension PropertyID {
  /// `kAudioOutputUnitProperty_CurrentDevice`: ``SimulatedHardware/deviceID``; setting that or 0 takes over the
  /// hardware's format.
  public static let currentDevice = PropertyID(2000)
  /// `kAudioOutputUnitProperty_IsRunning`: 1 from start to stop. Read-only.
  package static let isRunning = PropertyID(2001)
  /// `kAudioOutputUnitProperty_EnableIO`: 0 or 1, on the output scope of element 0 and the input scope of element 1.
  /// While open only.
  public static let enableIO = PropertyID(2003)
  /// `kAudioOutputUnitProperty_HasIO`: whether an element can be enabled, in the places of ``enableIO``. Read-only.
  package static let hasIO = PropertyID(2006)
  /// `kAudioOutputUnitProperty_StartTimestampsAtZero`: 0 or 1, see ``DeviceOutput/startsTimestampsAtZero``.
  package static let startTimestampsAtZero = PropertyID(2007)
  /// `kAUVoiceIOProperty_BypassVoiceProcessing`: 0 or 1; 1 gives the microphone as it is, as late as the processed one.
  public static let bypassVoiceProcessing = PropertyID(2100)
  /// `kAUVoiceIOProperty_VoiceProcessingEnableAGC`: 0 or 1; whether the microphone's level is controlled.
  public static let voiceProcessingEnableAGC = PropertyID(2101)
  /// `kAUVoiceIOProperty_DuckNonVoiceAudio`: 0 or 1; whether other programs' sound is ducked meanwhile.
  public static let duckNonVoiceAudio = PropertyID(2102)
  /// `kAUVoiceIOProperty_VoiceProcessingQuality`: 0 to 127, echoes of 20 to 126 ms; the next initialization takes it
  /// over.
  public static let voiceProcessingQuality = PropertyID(2103)
  /// `kAUVoiceIOProperty_MuteOutput`: 0 or 1; 1 silences what the microphone gives.
  public static let muteOutput = PropertyID(2104)
  /// 0 or 1: whether what the echo canceller leaves is suppressed, besides; 1 in a new unit. Ours.
  public static let residualEchoSuppression = PropertyID(64_010)
  /// `kAUVoiceIOProperty_OtherAudioDuckingConfiguration`: advanced 0 or 1, level 0, 10, 20 or 30: −12, −6, −12 or −24
  /// dB of other programs' sound.
  public static let otherAudioDuckingConfiguration = PropertyID(2108)
  /// `fsiz`: frames of a cycle, a property of the hardware that its output unit passes on.
  public static let bufferFrameSize = PropertyID(0x6673_697A)
  /// `fsz#`: the least and the most frames of a cycle, see ``DeviceConfiguration/bufferFrameCounts``. Read-only.
  public static let bufferFrameSizeRange = PropertyID(0x6673_7A23)
}

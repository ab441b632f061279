import AudioCore
import AudioEngine

extension SpatialMixer {
  static func properties(_ layout: Layout) -> [PropertyDescriptor] {
    layout == .spatial ? commonProperties + spatialProperties : commonProperties
  }

  /// A row of something that is set for each input.
  private static func row<Value>(
    _ id: PropertyID, _ name: String, _ form: PropertyForm<Value>,
    _ path: WritableKeyPath<SpatialInputSettings, Value> & Sendable
  ) -> PropertyDescriptor {
    PropertyDescriptor(
      id, name, form, of: SpatialMixer.self, on: [.input],
      get: { (mixer, _, bus) throws(AudioStatus) in try mixer.inputSettings(bus)[keyPath: path] },
      set: { (mixer, _, bus, value) throws(AudioStatus) in try mixer.setInput(bus, path, to: value) })
  }

  private static let commonProperties: [PropertyDescriptor] = [
    .quality(\SpatialMixer.quality),
    row(.spatializationAlgorithm, "spatializationAlgorithm", .choice, \.algorithm),
    PropertyDescriptor(
      .spatialRenderingFlags, "renderingFlags", .uint32("bits", in: 0...SpatialRenderingFlags.known.rawValue),
      of: SpatialMixer.self, on: [.input],
      get: { (mixer, _, bus) throws(AudioStatus) in Int(try mixer.inputSettings(bus).flags.rawValue) },
      set: { (mixer, _, bus, bits) throws(AudioStatus) in
        guard SpatialRenderingFlags.known.isSuperset(of: SpatialRenderingFlags(rawValue: UInt32(clamping: bits))) else {
          throw .invalidPropertyValue
        }
        try mixer.setInput(bus, \.flags, to: SpatialRenderingFlags(rawValue: UInt32(clamping: bits)))
      }),
    PropertyDescriptor(
      .spatialDistanceParams, "distanceParams", .float32s("3", "reference m, maximum m, attenuation dB"),
      of: SpatialMixer.self, on: [.input],
      get: { (mixer, _, bus) throws(AudioStatus) in
        let range = try mixer.inputSettings(bus).distances
        return [range.reference, range.maximum, range.attenuationDecibels]
      },
      set: { (mixer, _, bus, values) throws(AudioStatus) in
        guard values.count == 3 else { throw .invalidPropertyValue }
        let range = try DistanceRange(reference: values[0], maximum: values[1], attenuationDecibels: values[2])
        try mixer.setInput(bus, \.distances, to: range)
      }),
    row(.spatialAttenuationCurve, "attenuationCurve", .choice, \.curve),
    PropertyDescriptor(
      .usesInternalReverb, "usesInternalReverb", .flag, \SpatialMixer.usesInternalReverb,
      key: ("usesInternalReverb", "true: there is a room for inputs with the flag reverbSend")),
    PropertyDescriptor(
      .reverbRoomType, "reverbRoomType", .uint32("0 to 12", in: 0...12), of: SpatialMixer.self,
      settable: .whileOpen, get: { mixer, _, _ in mixer.reverbRoom }, set: { $0.reverbRoom = $3 }),
    PropertyDescriptor(
      .reverbRoomName, "reverbRoom", .roomName, of: SpatialMixer.self,
      key: ("reverbRoom", "the room, by the name of a preset of the reverb"), settable: .whileOpen,
      get: { mixer, _, _ in Reverb.presets[mixer.reverbRoom].name },
      set: { mixer, _, _, name in
        mixer.reverbRoom = Reverb.presets.firstIndex { $0.name == name } ?? mixer.reverbRoom
      }),
    PropertyDescriptor(
      .headResponses, "headResponses", .path("path of a SOFA file"), of: SpatialMixer.self,
      key: ("headResponses", "a SOFA file of a measured head, in place of the one that libmysofa brings"),
      settable: .whileOpen,
      get: { (mixer, _, _) throws(AudioStatus) in
        guard let path = mixer.responsesPath else { throw .propertyNotInUse }
        return path
      },
      set: { $0.responsesPath = $3 }),
    PropertyDescriptor(
      .meteringMode, "meteringMode", .flag, of: SpatialMixer.self, on: [.input, .output],
      get: { mixer, scope, element in mixer.isMetered(scope, element: element) },
      set: { (mixer, scope, element, isOn) throws(AudioStatus) in
        try mixer.setMetering(isOn, scope, element: element)
      }),
    PropertyDescriptor(
      .meterClipping, "meterClipping", .meterClipping, of: SpatialMixer.self, on: [.input, .output],
      get: { mixer, scope, element in
        guard let mixing = mixer.mixing else { return [0, 0, 0, 0] }
        let taken = MeterPair.takePeak(mixing.meters(scope, element: element))
        return [taken.pre, taken.sawInfinity ? 1 : 0, taken.sawNotANumber ? 1 : 0, taken.post]
      }),
  ]

  private static let spatialProperties: [PropertyDescriptor] = [
    row(.spatialSourceMode, "sourceMode", .choice, \.sourceMode),
    PropertyDescriptor(
      .spatialOutputType, "outputType", .choice, of: SpatialMixer.self,
      key: ("outputType", "headphones or loudspeakers at the output"), get: { mixer, _, _ in mixer.outputType },
      set: { (mixer, _, _, type) throws(AudioStatus) in try mixer.setOutputType(type) }),
  ]
}

extension PropertyForm where Value == String {
  fileprivate static let roomName = PropertyForm(
    "text: a preset of the reverb", nil, nil, .choice(from: Reverb.presets.map(\.name)), wrap: { .text($0) },
    unwrap: { value in
      if case .text(let name) = value, Reverb.presets.contains(where: { $0.name == name }) { name } else { nil }
    })
}

extension PropertyID {
  /// `kAudioUnitProperty_ReverbRoomType`: a number of ``Reverb/presets``. While open only.
  public static let reverbRoomType = PropertyID(10)
  /// `kAudioUnitProperty_UsesInternalReverb`: 0 or 1. While open only.
  public static let usesInternalReverb = PropertyID(1005)
  /// `kAudioUnitProperty_SpatializationAlgorithm`, of an input: see ``SpatializationAlgorithm``.
  public static let spatializationAlgorithm = PropertyID(3000)
  /// `kAudioUnitProperty_SpatialMixerRenderingFlags`, of an input: see ``SpatialRenderingFlags``.
  public static let spatialRenderingFlags = PropertyID(3003)
  /// `kAudioUnitProperty_SpatialMixerSourceMode`, of an input: see ``SpatialSourceMode``.
  public static let spatialSourceMode = PropertyID(3005)
  /// `kAudioUnitProperty_SpatialMixerDistanceParams`, of an input: see ``DistanceRange``.
  public static let spatialDistanceParams = PropertyID(3010)
  /// `kAudioUnitProperty_SpatialMixerAttenuationCurve`, of an input: see ``AttenuationCurve``.
  public static let spatialAttenuationCurve = PropertyID(3013)
  /// `kAudioUnitProperty_SpatialMixerOutputType`: see ``SpatialOutputType``.
  public static let spatialOutputType = PropertyID(3100)
  /// The path of the SOFA file in use; `.propertyNotInUse` for the one that libmysofa brings. While open only.
  public static let headResponses = PropertyID(64_013)
  /// The name of the room: as ``reverbRoomType``, for people. While open only.
  public static let reverbRoomName = PropertyID(64_014)
}

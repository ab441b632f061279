import AVFAudioFiles
import AudioCore
import AudioEngine
import BuiltInUnits
import Foundation

/// A mixer with a listener in its middle: each mono source is heard from its place. It is the unit `spatialMixer`, whose
/// laws stand in the project's page on it.
///
/// Sources have the values of ``AVAudio3DMixing``, and their volume; pan has no meaning here.
open class AVAudioEnvironmentNode: AVAudioNode, AVAudioMixing, SourceMixer, @unchecked Sendable {
  static let maximumInputs = 1024
  /// The unit's parameters of the whole mix, in decibels: of its output, and of its room.
  private static let outputGain = ParameterAddress(3, scope: .output)
  private static let roomGain = ParameterAddress(9)

  private var mixer: SpatialMixer { unsafeDowncast(unit, to: SpatialMixer.self) }
  private var listener = Listener()
  /// The unit has to be closed and opened in front of the next slice.
  private var mustOpen = false
  /// The delay with which the unit was opened.
  private var openedLatency = 0

  /// An environment with its listener at the origin, who looks along −z.
  public init() {
    super.init(unit: SpatialMixer(inputs: 8))
    distanceAttenuationParameters.node = self
    reverbParameters.node = self
  }

  /// The fall of level with distance.
  public let distanceAttenuationParameters = AVAudioEnvironmentDistanceAttenuationParameters()

  /// The room.
  public let reverbParameters = AVAudioEnvironmentReverbParameters()

  /// The linear gain of the mix, 1 at first; 0 is −120 dB, and more than 10 is 10.
  public var outputVolume: Float = 1 { didSet { applyAll() } }

  /// The equipment that plays the output, for sources whose algorithm is
  /// ``AVAudio3DMixingRenderingAlgorithm/auto``.
  public var outputType = AVAudioEnvironmentOutputType.auto {
    didSet { inEngine { self.engine?.noteEdit() } }
  }

  // MARK: The listener

  /// Metres; the origin at first. What is no number is left alone.
  public var listenerPosition: AVAudio3DPoint {
    get { present.position.point }
    set {
      let place = SpatialVector(newValue)
      if place.length.isFinite { move { $0.position = place } }
    }
  }

  /// Face and top of the head; (0, 0, −1) and (0, 1, 0) at first. Vectors of any length; the top is turned to a right
  /// angle with the face, and two of one line are left alone.
  public var listenerVectorOrientation: AVAudio3DVectorOrientation {
    get {
      let listener = present
      return AVAudio3DVectorOrientation(forward: listener.forward.point, up: listener.up.point)
    }
    set {
      move { _ = $0.look(forward: SpatialVector(newValue.forward), up: SpatialVector(newValue.up)) }
    }
  }

  /// The same in degrees; 0, 0, 0 at first.
  public var listenerAngularOrientation: AVAudio3DAngularOrientation {
    get {
      let angles = present.angles
      return AVAudio3DAngularOrientation(
        yaw: Float(angles.yaw), pitch: Float(angles.pitch), roll: Float(angles.roll))
    }
    set {
      move { _ = $0.look(yaw: Double(newValue.yaw), pitch: Double(newValue.pitch), roll: Double(newValue.roll)) }
    }
  }

  /// True where the head of a person is followed: there is none. Setting it does nothing.
  public var isListenerHeadTrackingEnabled: Bool {
    get { false }
    set {}
  }

  private var present: Listener { engine.map { engine in engine.locked { listener } } ?? listener }

  private func move(_ body: @escaping (inout Listener) -> Void) {
    inEngine {
      body(&self.listener)
      self.applyMixingOfInputs()
    }
  }

  // MARK: Formats

  /// The algorithms that mean something for the output's channels, as raw values; those of a measured head where
  /// libmysofa is installed.
  public var applicableRenderingAlgorithms: [NSNumber] {
    let algorithms: [AVAudio3DMixingRenderingAlgorithm]
    switch outputFormat(forBus: 0).channelCount {
    case 1: algorithms = [.soundField, .auto]
    case 2:
      let heads: [AVAudio3DMixingRenderingAlgorithm] = SpatialMixer.hasHeadResponses ? [.HRTF, .HRTFHQ, .auto] : []
      algorithms = [.equalPowerPanning, .sphericalHead, .soundField, .stereoPassThrough] + heads
    default: algorithms = [.soundField, .auto]
    }
    return algorithms.map { NSNumber(value: $0.rawValue) }
  }

  /// The first input bus that nothing is connected to. There is always another one, up to 1024.
  public var nextAvailableInputBus: AVAudioNodeBus { firstFreeInput }

  /// 8, or more where more are connected.
  public override var numberOfInputs: Int { inputsInUse }

  override var inputRange: Range<Int> { 0..<Self.maximumInputs }

  // MARK: The unit

  /// Has the unit opened anew in front of the next slice.
  func beginAnew() {
    inEngine {
      self.mustOpen = true
      self.engine?.noteEdit()
    }
  }

  func applyAll() { inEngine { self.applyMixing() } }

  /// The equipment that plays the output now. With the engine's lock held.
  private var presentOutputType: SpatialOutputType {
    switch outputType {
    case .headphones: return .headphones
    case .builtInSpeakers: return .builtInSpeakers
    case .externalSpeakers: return .externalSpeakers
    case .auto:
      guard let engine, engine.mode == nil, outputFormat(forBus: 0).channelCount <= 2 else { return .externalSpeakers }
      switch engine.hardware.session.route.output ?? engine.hardware.route.output {
      case "BuiltInSpeaker", "BuiltInReceiver", nil: return .builtInSpeakers
      case "HDMI", "AirPlay": return .externalSpeakers
      default: return .headphones
      }
    }
  }

  /// Has another route of the hardware taken over in front of the next slice.
  func followRoute() {
    guard outputType == .auto else { return }
    inEngine {
      if presentOutputType != mixer.outputType { engine?.noteEdit() }
    }
  }

  func prepareToOpen() {
    let type = presentOutputType
    func applySettings() throws(AudioStatus) {
      try mixer.setProperty(.spatialOutputType, to: .uint32(type.rawValue))
      for input in engine?.inputs(of: self) ?? [] {
        guard input.destinationBus < mixer.elementCount(.input) else { continue }
        try setTreatment(of: input.source, bus: input.destinationBus)
      }
    }
    // An open unit refuses a head that it cannot read: the error comes when it is opened with it.
    let fits: Void? = try? applySettings()
    if fits == nil || mustOpen || mixer.latencyFrames != openedLatency {
      mixer.uninitialize()
      try? applySettings()
    }
    if !mixer.isInitialized {
      mustOpen = false
      mixer.usesInternalReverb = reverbParameters.isBuilt
      mixer.reverbRoom = reverbParameters.preset.rawValue
    }
    openedLatency = mixer.latencyFrames
  }

  private func setTreatment(of source: AVAudioNode, bus: Int) throws(AudioStatus) {
    let values = source.mixingSource.mixing.values(at: self, bus: bus).spatial
    let algorithm = SpatializationAlgorithm(rawValue: UInt32(clamping: values.renderingAlgorithm.rawValue))
    try mixer.setAlgorithm(algorithm ?? .equalPowerPanning, input: bus)
    try mixer.setInHeadMode(values.pointSourceInHeadMode == .bypass ? .bypass : .mono, input: bus)
    try mixer.setProperty(
      .spatialSourceMode, .input, element: bus, to: .uint32(UInt32(clamping: values.sourceMode.rawValue)))
  }

  /// Sets the values of the output and of each input.
  override func applyMixing() {
    super.applyMixing()
    let volume = outputVolume.isNaN ? 1 : min(10, max(1e-6, outputVolume))
    try? mixer.setParameter(
      Self.outputGain, to: Float(Decibels.of(amplitude: Double(volume))))
    try? mixer.setParameter(Self.roomGain, to: reverbParameters.level)
    let band = reverbParameters.filterParameters.values
    try? mixer.setRoomFilter(band.isBypassed ? nil : band)
    applyMixingOfInputs()
  }

  func applyMixing(of source: AVAudioNode, bus: Int) {
    guard bus < unit.elementCount(.input) else { return }
    let values = source.mixingSource.mixing.values(at: self, bus: bus)
    func set(_ parameter: SpatialMixer.Parameter, _ value: Double) {
      guard value.isFinite else { return }
      try? mixer.set(parameter, input: bus, to: Float(value))
    }
    let place = listener.direction(of: SpatialVector(values.spatial.position))
    set(.azimuth, place.azimuth)
    set(.elevation, place.elevation)
    set(.distance, min(10_000, place.distance))
    let volume = Double(values.volume)
    set(.gain, Decibels.of(amplitude: min(10, max(1e-6, volume))))
    // Silence, and not −120 dB.
    set(.maxGain, volume <= 0 ? 0 : 10)
    set(.playbackRate, Double(values.spatial.rate))
    set(.reverbBlend, Double(100 * values.spatial.reverbBlend))
    set(.obstructionAttenuation, Double(values.spatial.obstruction))
    set(.occlusionAttenuation, Double(values.spatial.occlusion))
    let law = distanceAttenuationParameters.law
    var flags: SpatialRenderingFlags = .interAuralDelay
    if reverbParameters.enable { flags.insert(.reverbSend) }
    if let law {
      flags.insert(.distanceAttenuation)
      let range = law.range
      try? mixer.setProperty(.spatialAttenuationCurve, .input, element: bus, to: .uint32(law.curve.rawValue))
      try? mixer.setProperty(
        .spatialDistanceParams, .input, element: bus,
        to: .float32s([range.reference, range.maximum, range.attenuationDecibels]))
    }
    try? mixer.setProperty(.spatialRenderingFlags, .input, element: bus, to: .uint32(flags.rawValue))
  }
}

import AudioCore
import AudioEngine
import DSPKernels
import HRTF
import SampleRate

/// A mixer that gives each input a place in space: what Apple's 3D mixers do, with laws of this project's own.
///
/// An input of one channel is a source at an azimuth, elevation and distance; one of several goes to the output
/// channels of their numbers, unless its ``SpatialSourceMode`` says otherwise. Its level is
///
///     clamp(gain · distance gain, minGain, maxGain)          ``SpatialLaws/distanceGain(_:_:_:)``
///
/// and its direction is made audible by its ``SpatializationAlgorithm``. Whatever the algorithm, a source from the
/// front has in two channels together the power that it came with; on the sphere its low frequencies have. Occlusion is
/// a low pass of first order in front of everything, obstruction one in front of the direct sound alone, both by what
/// they take at 5 kHz. With `usesInternalReverb` an input whose flags have `reverbSend` is also heard in a room, which
/// is this project's ``Reverb`` at one of its presets: dry and wet by an equal-power blend; what goes to the room does
/// not fall with distance, unless the flags have `constantReverbBlend`. A band of an equalizer may stand behind the
/// room.
///
/// An input's `playbackRate`, and with `dopplerShift` among its flags the way it moves, change how fast it is played:
/// see `SpatialSpeed.swift`.
///
/// If an input uses an algorithm with two ears, all inputs are late by the way to the middle of the head:
/// ``latencyFrames``. Parameters that move are followed in straight lines over 32 frames; jumps are crossfaded over 10
/// ms.
///
/// ```swift
/// let graph = Graph(sampleRate: 48_000)
/// let mixer = try graph.add(SpatialMixer(inputs: 1))
/// try mixer.setAlgorithm(.sphericalHead, input: 0)
/// try mixer.set(.azimuth, input: 0, to: 90)
/// let noise = try graph.add(NoiseGenerator())
/// try noise.setLength(frames: 4800)
/// try graph.connect(noise, to: mixer)
/// try graph.connect(mixer, to: graph.add(GenericOutput()))
/// let peaks = try OfflineRenderer(graph).renderToMemory().report.peakDecibels
/// #expect(peaks[1] > peaks[0], "it comes from the right")
/// ```
public final class SpatialMixer: Unit, InputConvertingUnit, InputSpeedUnit, LongTailUnit, @unchecked Sendable {
  /// `aumx 3dem appl`, in graph files `spatialMixer`.
  package static let component = Component(
    ComponentDescription(type: .mixer, subType: "3dem"), shortName: "spatialMixer", name: "Apple: AUSpatialMixer",
    summary: "Places mono and stereo inputs around the listener's head or among loudspeakers, with distance and a room."
  ) { SpatialMixer(.spatial) }

  /// `aumx 3dmx appl`, in graph files `mixer3D`.
  package static let legacyComponent = Component(
    ComponentDescription(type: .mixer, subType: "3dmx"), shortName: "mixer3D", name: "Apple: AU3DMixer",
    summary: "The spatial mixer under the parameter numbers that the older 3D mixer has, with gain limits in decibels."
  ) { SpatialMixer(.legacy) }

  /// The two mixers: they differ in the numbers and limits of their parameters.
  public enum Layout: Sendable { case spatial, legacy }

  /// The parameters of an input, in the order of their rows. Their numbers are those of the component: see
  /// ``address(_:input:)``.
  public enum Parameter: UInt32, CaseIterable, Sendable {
    case azimuth, elevation, distance, gain, playbackRate, enable, minGain, maxGain, reverbBlend
    case occlusionAttenuation, obstructionAttenuation
  }

  let layout: Layout
  private var settings: [SpatialInputSettings] = []
  private var meteredInputs: Set<Int> = []
  private var metersOutput = false
  var mixing: SpatialMixerProcessor? {
    node?.processor as? SpatialMixerProcessor ?? (node?.processor as? EncodedMixer)?.mixer as? SpatialMixerProcessor
  }

  /// A mixer with so many inputs; Apple's start with 64.
  public init(_ layout: Layout = .spatial, inputs: Int = 64) {
    precondition(inputs >= 1, "a mixer has at least one input")
    self.layout = layout
    super.init(layout == .spatial ? Self.component : Self.legacyComponent, inputs: inputs, outputs: 1)
    settings = Array(repeating: SpatialInputSettings(), count: inputs)
  }

  // MARK: Parameters

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    layout.table(scope)
  }

  public override func tableAddress(of address: ParameterAddress) -> ParameterAddress {
    layout.tableAddress(of: address)
  }

  /// The address of an input's parameter.
  public func address(_ parameter: Parameter, input bus: Int) -> ParameterAddress {
    ParameterAddress(layout.inputTable[Int(parameter.rawValue)].id, scope: .input, element: bus)
  }

  /// Sets a parameter of an input.
  /// - Throws: `.invalidElement`, `.invalidParameterValue`.
  public func set(_ parameter: Parameter, input bus: Int, to value: Float) throws(AudioStatus) {
    try setParameter(address(parameter, input: bus), to: value)
  }

  public override func elementCountRange(_ scope: Scope) -> ClosedRange<Int> { scope == .input ? 1...1024 : 1...1 }

  public override func elementCountDidChange(_ scope: Scope) {
    let count = inputs.count
    settings = Array(settings.prefix(count))
    settings += Array(repeating: SpatialInputSettings(), count: count - settings.count)
    meteredInputs = meteredInputs.filter { $0 < count }
  }

  // MARK: Formats

  public override var channelCapabilities: [ChannelCapability] { [.anyToAny] }
  public override var takesAnyPCM: Bool { true }

  /// The numbers of output channels that mean loudspeakers: one, two, quad, 5.0 and 5.1.
  package static let outputChannelCounts = [1, 2, 4, 5, 6]

  private static func channelCounts(_ scope: Scope) -> [Int] { scope == .output ? outputChannelCounts : Array(1...8) }

  public override func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    try super.check(format, scope, element: element)
    guard Self.channelCounts(scope).contains(format.channelCount) else { throw .formatNotSupported }
  }

  package func ownExpectation(insteadOf format: StreamFormat, _ scope: Scope, element: Int) -> String? {
    let counts = Self.channelCounts(scope)
    guard !counts.contains(format.channelCount) else { return nil }
    return counts.dropLast().map(String.init).joined(separator: ", ") + " or \(counts.last ?? 0) channels"
  }

  /// The loudspeakers that it places sources among.
  public override func naturalOutputLayout(ofOutput bus: Int) -> ChannelLayout? {
    let count = outputs[bus].format.channelCount
    let masks: [Int: UInt32] = [4: 0x33, 5: 0x37, 6: 0x3F]
    return masks[count].flatMap { ChannelLayout(waveMask: $0, channelCount: count) }
      ?? ChannelLayout(channelCount: count)
  }

  public override func processingFormat(ofInput bus: Int) -> StreamFormat {
    inputs[bus].format.floatPlanar.at(sampleRate: outputs[0].format.sampleRate)
  }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    StreamFormat(sampleRate: graphRate, channelCount: 2)
  }

  /// The rate quality of the converters in front of inputs of another rate. While open only.
  public var quality = RateConversionQuality.standard

  // MARK: Settings beside the parameters

  /// True when libmysofa is on this machine: without it the algorithms of a measured head are not built.
  public static var hasHeadResponses: Bool { HeadResponses.isAvailable }

  /// The playback equipment of the output. Applies to inputs with ``SpatializationAlgorithm/useOutputType``.
  public private(set) var outputType = SpatialOutputType.headphones
  /// The SOFA file of the measured head; nil: the one that libmysofa brings. While open only.
  public var responsesPath: String?
  /// True when there is a room. While open only.
  public var usesInternalReverb = false
  /// Which: a number of ``Reverb/presets``. While open only.
  public var reverbRoom = 0
  /// The filter behind the room: a band as one of ``NBandEQ``. Nil: none.
  public private(set) var roomFilter: NBandEQ.Band?

  /// Sets the filter behind the room; it begins from rest where there was none. From the next slice on.
  /// - Parameter band: nil, and a band that is bypassed: none.
  /// - Throws: `.failedInitialization` where the file of a head that is in use cannot be read any more.
  public func setRoomFilter(_ band: NBandEQ.Band?) throws(AudioStatus) {
    guard band != roomFilter else { return }
    let former = roomFilter
    roomFilter = band
    do { try apply(settings, outputType) } catch {
      roomFilter = former
      throw error
    }
  }

  /// Sets the sound of a point source inside of the head. While open only.
  /// - Throws: `.invalidElement`, `.initialized`.
  package func setInHeadMode(_ mode: SpatialInHeadMode, input bus: Int) throws(AudioStatus) {
    guard try inputSettings(bus).inHead != mode else { return }
    guard !isInitialized else { throw .initialized }
    try setInput(bus, \.inHead, to: mode)
  }

  func inputSettings(_ bus: Int) throws(AudioStatus) -> SpatialInputSettings {
    guard settings.indices.contains(bus) else { throw .invalidElement }
    return settings[bus]
  }

  func setInput<Value>(
    _ bus: Int, _ path: WritableKeyPath<SpatialInputSettings, Value>, to value: Value
  ) throws(AudioStatus) {
    guard settings.indices.contains(bus) else { throw .invalidElement }
    var wanted = settings
    wanted[bus][keyPath: path] = value
    try apply(wanted, outputType)
  }

  func setOutputType(_ type: SpatialOutputType) throws(AudioStatus) { try apply(settings, type) }

  private func apply(_ wanted: [SpatialInputSettings], _ type: SpatialOutputType) throws(AudioStatus) {
    if isInitialized {
      let parcel = try makeSettings(wanted, type)
      edit { $0.set(parcel) }
    }
    (settings, outputType) = (wanted, type)
    for (bus, converter) in inputConverters {
      (converter.processor as? SpatialSpeedProcessor)?.setShift(settings[bus].flags.contains(.dopplerShift))
    }
  }

  /// - Parameters:
  ///   - algorithm: for one input; see ``SpatializationAlgorithm``.
  ///   - bus: which input, from 0.
  /// - Throws: `.invalidElement`; `.failedInitialization` where the mixer is initialized and libmysofa, or the file, is
  ///   missing.
  public func setAlgorithm(_ algorithm: SpatializationAlgorithm, input bus: Int) throws(AudioStatus) {
    try setInput(bus, \.algorithm, to: algorithm)
  }

  private func resolved(_ settings: SpatialInputSettings, _ type: SpatialOutputType) -> SpatializationAlgorithm {
    settings.algorithm == .useOutputType
      ? (type == .headphones ? .hrtfHighQuality : .vectorBasedPanning) : settings.algorithm
  }

  /// The algorithms of inputs that are, or may be, heard from a direction.
  private func algorithms(
    _ settings: [SpatialInputSettings], _ type: SpatialOutputType
  ) -> Set<SpatializationAlgorithm> {
    Set(settings.filter { $0.sourceMode != .bypass }.map { resolved($0, type) })
  }

  private func makeSettings(
    _ settings: [SpatialInputSettings], _ type: SpatialOutputType
  ) throws(AudioStatus) -> SpatialSettings {
    let used = algorithms(settings, type)
    var responses: HeadResponses?
    if outputs[0].format.channelCount > 1, used.contains(.hrtf) || used.contains(.hrtfHighQuality) {
      do {
        responses = try HeadResponses.load(responsesPath, sampleRate: outputs[0].format.sampleRate)
      } catch {
        preparationFailure = error
        throw .failedInitialization
      }
    }
    return SpatialSettings(
      settings, type, responses, roomFilter: roomFilter?.section(sampleRate: outputs[0].format.sampleRate))
  }

  // MARK: The speed of inputs

  package func makeSpeedProcessor(input bus: Int) throws(AudioStatus) -> Processor {
    guard let node, let rate = try? slot(of: address(.playbackRate, input: bus)),
      let distance = try? slot(of: address(.distance, input: bus))
    else { throw .failedInitialization }
    let format = processingFormat(ofInput: bus)
    return SpatialSpeedProcessor(
      format, mixer: node.parameters, slots: SpatialSpeedProcessor.Slots(rate: rate, distance: distance),
      isShifted: settings[bus].flags.contains(.dopplerShift),
      conversion: hasOtherFormat(ofInput: bus)
        ? try makeConversion(from: inputs[bus].format, to: format, options: conversionOptions) : nil,
      maximumFrames: maximumFramesPerSlice, course: speedCourse(bus), keepsTime: isSteady(bus))
  }

  package func speedBytes(input bus: Int) -> Int {
    SpatialSpeedProcessor.byteCount(processingFormat(ofInput: bus), maximumFrames: maximumFramesPerSlice)
  }

  /// The way of an input's rate where it follows a timeline; nil: it does not.
  private func speedCourse(_ bus: Int) -> RateCourse? {
    let rate = timelines[address(.playbackRate, input: bus)]
    let isShifted = settings[bus].flags.contains(.dopplerShift)
    let distance = isShifted ? timelines[address(.distance, input: bus)] : nil
    guard rate != nil || distance != nil else { return nil }
    let rates = SpatialSpeedProcessor.rates
    let still = Double((try? parameter(address(.playbackRate, input: bus))) ?? 1)
    let bends = Set((rate?.points ?? []).map(\.frame)).union((distance?.points ?? []).map(\.frame)).sorted()
    let sampleRate = outputs[0].format.sampleRate
    return RateCourse(bends: bends) { frame in
      guard let segment = rate?.segment(at: frame) else { return (still, 0) }
      return (min(rates.upperBound, max(rates.lowerBound, segment.value(at: frame))), segment.slope)
    } factor: { frame in
      let slope = distance?.segment(at: frame).slope ?? 0
      return SpatialSpeedProcessor.shift(metersPerFrame: slope, sampleRate: sampleRate)
    }
  }

  package func mostSpeed(ofInput bus: Int) -> Double {
    // Rate and flags may be set while it renders.
    SpatialSpeedProcessor.rates.upperBound * SpatialSpeedProcessor.shifts.upperBound
  }

  /// True when an input is played at its own speed, as far as is known.
  private func isSteady(_ bus: Int) -> Bool {
    !settings[bus].flags.contains(.dopplerShift) && timelines[address(.playbackRate, input: bus)] == nil
      && (try? parameter(address(.playbackRate, input: bus))) == 1
  }

  package func outputEnd(ofInputEnd frames: Int64, input bus: Int = 0) -> Int64 {
    if let course = speedCourse(bus) { return course.firstFrame(from: frames) }
    let rate = (try? parameter(address(.playbackRate, input: bus))) ?? 1
    let heard = min(SpatialSpeedProcessor.rates.upperBound, max(SpatialSpeedProcessor.rates.lowerBound, Double(rate)))
    return heard == 1 ? frames : RateCourse(constant: heard).firstFrame(from: frames)
  }

  // MARK: Render half

  /// The way to the middle of the head and the look-ahead of its filters, if an input is heard by two ears; 0 if none
  /// is.
  public override var latencyFrames: Int {
    guard outputs[0].format.channelCount > 1 else { return 0 }
    return SpatialStage.latencyFrames(
      algorithms(settings, outputType), sampleRate: outputs[0].format.sampleRate)
  }

  /// The sum of the tail of a head and its filters, that of the most muffled input (one minute at most), and the
  /// room's.
  public override var tailFrames: Int64? {
    let rate = outputs[0].format.sampleRate
    let muffled = inputs.indices.map { muffledFrames($0, sampleRate: rate) }.max() ?? 0
    let head =
      SpatialStage.pastFrames(sampleRate: rate) + Int(clamping: min(LongestTail.seconds * rate, muffled.rounded(.up)))
    guard usesInternalReverb else { return Int64(head) }
    let room = Reverb.room(reverbRoom)
    let seconds = Reverb.tailSeconds(
      longestDecay: max(room.decaySecondsAt0Hz, room.decaySecondsAtNyquist), longestDelay: room.longestSeconds)
    let filter = roomFilter.map { $0.isBypassed ? 0 : $0.tailFrames(sampleRate: rate) } ?? 0
    return Int64(head) + Int64(clamping: (seconds * rate).rounded(.up)) + filter
  }

  /// Frames until what the input's occlusion, obstruction and air have filtered is 120 dB down, at the darkest they are
  /// known to become.
  private func muffledFrames(_ bus: Int, sampleRate: Double) -> Double {
    func values(_ parameter: Parameter) -> [Double] { knownValues(of: address(parameter, input: bus)).map(Double.init) }
    guard values(.enable).contains(where: { $0 != 0 }) else { return 0 }
    func ringing(_ decibels: Double) -> Double {
      Decay.steps(factor: SpatialLaws.pole(decibelsAt5kHz: decibels, sampleRate: sampleRate))
    }
    func least(_ parameter: Parameter) -> Double { max(-100, min(0, values(parameter).min() ?? 0)) }
    let farthest = min(100_000, max(0, values(.distance).max() ?? 0))
    let air = settings[bus].flags.contains(.distanceFilter) ? SpatialLaws.airDecibels(meters: farthest) : 0
    return ringing(least(.occlusionAttenuation) + air) + ringing(least(.obstructionAttenuation))
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    let output = outputs[0].format
    let processor = SpatialMixerProcessor(
      layout: layout, inputs: inputs.indices.map { processingFormat(ofInput: $0).channelCount }, output: output,
      latencyFrames: latencyFrames, maximumFrames: maximumFramesPerSlice,
      settings: try makeSettings(settings, outputType), room: usesInternalReverb ? reverbRoom : nil)
    for bus in meteredInputs { processor.setMetering(true, input: bus) }
    processor.setOutputMetering(metersOutput)
    return output.isFloatPlanar
      ? processor : EncodedMixer(processor, format: output, maximumFrames: maximumFramesPerSlice)
  }

  public override var processorBytes: Int {
    let output = outputs[0].format
    let voice = SpatialVoice.bytes(
      sampleRate: output.sampleRate, maximumFrames: maximumFramesPerSlice, outputs: output.channelCount)
    let channels = inputs.indices.reduce(0) { sum, bus in
      sum + inputs[bus].format.channelCount * (settings[bus].inHead == .bypass ? 2 : 1)
    }
    let mix = output.isFloatPlanar ? 0 : Self.sliceBytes(output.floatPlanar, maximumFramesPerSlice)
    let common =
      (usesInternalReverb ? 20 : 12) * maximumFramesPerSlice + 16
      * SpatialStage.pastFrames(sampleRate: output.sampleRate)
    return MemoryBudget.sum(
      MemoryBudget.product(channels, voice + 1024),
      MemoryBudget.sum(mix + common, usesInternalReverb ? ReverbNetwork.bytes(sampleRate: output.sampleRate) : 0))
  }

  private func edit(_ body: (SpatialMixerProcessor) -> Void) {
    guard let mixing else { return }
    body(mixing)
    store.noteEdit()
  }

  // MARK: Meters

  /// Switches a bus's meters. They cost time only where they are on.
  public func setMetering(_ isOn: Bool, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard element >= 0, element < elementCount(scope) else { throw .invalidElement }
    if scope == .output {
      metersOutput = isOn
      edit { $0.setOutputMetering(isOn) }
    } else {
      if isOn { meteredInputs.insert(element) } else { meteredInputs.remove(element) }
      edit { $0.setMetering(isOn, input: element) }
    }
  }

  func isMetered(_ scope: Scope, element: Int) -> Bool {
    scope == .output ? metersOutput : meteredInputs.contains(element)
  }

  public override func meterValue(_ address: ParameterAddress) -> Float? {
    MixerMeter.value(address, of: self) { mixing?.meters(address.scope, element: address.element) ?? [] }
  }

  public override var ownProperties: [PropertyDescriptor] { Self.properties(layout) }
  public override var graphKeys: [GraphKey] { Self.graphKeyTable }
}

extension SpatialMixer: FormatExplainingUnit, HostedUnit {
  package var hostTraits: HostTraits {
    HostTraits(self, properties: [.renderQuality, .supportedChannelLayoutTags])
  }
}

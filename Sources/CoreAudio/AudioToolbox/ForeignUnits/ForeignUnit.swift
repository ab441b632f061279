// The edit half of a third-party component, as a unit of the engine: what a graph file or a Swift program holds. It
// translates; what it knows of the component, it has read from the component's properties.

import AudioCore
import AudioEngine
import CAudioToolbox

/// A unit behind which an instance of a third-party component stands.
///
/// Its buses, formats, channels, parameters, presets, latency and tail are those that the component declares. It
/// renders as long as the component pulls the frames from its inputs that it renders itself: one that runs its input at
/// another speed returns -10874 when it renders.
public final class ForeignUnit: Unit, ForeignCodeUnit, LongTailUnit, @unchecked Sendable {
  /// Nil where the component could not be opened; ``renderFailure`` says why.
  let instance: UnitInstance?
  let facts: ComponentFacts?
  private let entry: ComponentEntry
  /// The path of the component, for messages.
  private let origin: String
  private let reportsCrashes: Bool
  private var failure: BenchError?
  private let presets: [Preset]
  private var controls: [ParameterAddress: (canSchedule: Bool, isMeta: Bool)] = [:]
  /// The flags for an offline unit with each slice.
  let offlineAction: OfflineAction
  /// The processor that renders now.
  private weak var processor: ForeignProcessor?

  /// - Parameters:
  ///   - origin: the path of the bundle; empty for a component that the program has registered.
  ///   - reportsCrashes: a crash inside the component writes a line that names it before the program ends.
  init(_ entry: ComponentEntry, component: Component, origin: String, reportsCrashes: Bool) {
    self.entry = entry
    self.origin = origin
    self.reportsCrashes = reportsCrashes
    let notice = reportsCrashes ? CrashNotice(Self.title(entry, origin)) : nil
    var made: UnitInstance?
    var refusal: BenchError?
    func make() {
      do { made = try UnitInstance.make(entry) } catch {
        refusal = BenchError(
          .graph, "\(Self.title(entry, origin)) cannot be opened: \(error)",
          advice: "\"aubench units\" says what a scan of it finds")
      }
    }
    if let notice { notice.around(make) } else { make() }
    instance = made
    failure = refusal
    (made as? ForeignInstance)?.crashNotice = notice
    let facts = made.map { ComponentFacts($0) }
    self.facts = facts
    presets = facts?.factoryPresets ?? []
    offlineAction = OfflineAction(component)
    super.init(
      component, inputs: facts?.elementCount(.input) ?? 0, outputs: facts?.elementCount(.output) ?? 1,
      maximumFramesPerSlice: facts?.maximumFramesPerSlice ?? 1156)
    adoptFormats()
    adoptValues()
  }

  deinit {
    guard let instance else { return }
    if instance.isInitialized { _ = instance.uninitialize() }
    _ = UnitInstance.dispose(instance.handle)
  }

  private static func title(_ entry: ComponentEntry, _ origin: String) -> String {
    "the component \"\(entry.name)\" (\(ComponentCodes(entry.description)))" + (origin.isEmpty ? "" : " of \(origin)")
  }

  private var title: String { Self.title(entry, origin) }

  // MARK: Tables

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    guard let facts else { return [] }
    let rows = facts.parameters(scope, element: element)
    for row in rows {
      controls[ParameterAddress(row.descriptor.id, scope: scope, element: element)] = (row.canSchedule, row.isMeta)
    }
    return rows.map(\.descriptor)
  }

  public override var factoryPresets: [Preset] { presets }

  public override var ownProperties: [PropertyDescriptor] {
    [ForeignProperties.state] + (facts?.hasBypass ?? false ? [ForeignProperties.bypass] : [])
  }

  public override var graphKeys: [GraphKey] { [ForeignProperties.stateKey] }

  public override func elementCountRange(_ scope: Scope) -> ClosedRange<Int> {
    let count = elementCount(scope)
    guard scope != .global, let facts, facts.mayChangeElementCount(scope) else { return count...count }
    return min(1, count)...4096
  }

  public override func elementCountWillChange(to count: Int, _ scope: Scope) throws(AudioStatus) {
    try set(kAudioUnitProperty_ElementCount, scope, element: 0, UInt32(count))
  }

  /// Effects without a table of channels take any number, the same on both sides; other kinds refuse a number
  /// themselves when they are initialized.
  public override var channelCapabilities: [ChannelCapability] {
    let declared = facts?.channelCapabilities ?? []
    if declared.isEmpty {
      let effects: [AudioCore.FourCharCode] = [.effect, "aumf"]
      return effects.contains(component.description.type) ? [] : [.anyToAny]
    }
    // Numbers below −2 count the channels of all buses together, which the component checks.
    return declared.map { $0.inputChannels < -2 || $0.outputChannels < -2 ? .anyToAny : $0 }
  }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    let present = (try? streamFormat(.output)) ?? .initial
    guard let input = try? streamFormat(.input) else { return present.at(sampleRate: graphRate) }
    let fitting = (facts?.channelCapabilities ?? []).filter {
      $0.inputChannels == input.channelCount || $0.inputChannels < 0
    }
    let isFree = fitting.contains { $0.outputChannels < 0 || $0.outputChannels == input.channelCount }
    var format = input
    if !isFree, let first = fitting.first { format.channelCount = first.outputChannels }
    if fitting.isEmpty && component.description.type == .mixer { format.channelCount = present.channelCount }
    return format
  }

  // MARK: Formats

  /// Asks the component itself: while it is not initialized, taking a format is how it says yes.
  public override func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard format.isValid else { throw .formatNotSupported }
    guard !isInitialized else { return }
    try set(kAudioUnitProperty_StreamFormat, scope, element: element, format.audioStreamBasicDescription)
  }

  /// The component's buses may begin with other formats than the engine's units do.
  private func adoptFormats() {
    guard let facts else { return }
    for scope in [Scope.input, .output] {
      for element in 0..<elementCount(scope) {
        if let format = facts.streamFormat(scope, element: element) {
          try? setStreamFormat(format, scope, element: element)
        }
      }
    }
  }

  public override func checkFormats() throws(AudioStatus) {
    if failure != nil && instance == nil { throw .failedInitialization }
  }

  // MARK: Parameters and presets

  /// Reads all values back from the component, as after a preset.
  private func adoptValues() {
    for (address, descriptor) in allParameters where !descriptor.isReadOnly {
      if let value = heldValue(address) { adoptParameter(address, value: value) }
    }
  }

  /// The component's own value of a parameter; nil if it has none.
  private func heldValue(_ address: ParameterAddress) -> Float? {
    var value: Float = 0
    let status = instance?.parameter(address.id, address.scope.rawValue, UInt32(address.element), into: &value)
    return status == noErr ? value : nil
  }

  /// Before a render the component gets the value at once, so that latency and tail follow; while rendering, with the
  /// next slice.
  public override func parameterDidChange(_ address: ParameterAddress) {
    guard let instance, !isInitialized, let value = try? parameter(address) else { return }
    _ = instance.setParameter(
      address.id, address.scope.rawValue, UInt32(address.element), to: value, bufferOffset: 0)
    if controls[address]?.isMeta == true { adoptValues() }
  }

  public override func meterValue(_ address: ParameterAddress) -> Float? {
    guard let descriptor = try? descriptor(of: address), descriptor.isReadOnly else { return nil }
    return heldValue(address)
  }

  public override func select(preset number: Int32) throws(AudioStatus) {
    guard let preset = presets.first(where: { $0.number == number }) else { throw .invalidPropertyValue }
    let name = CFText.make(preset.name)
    defer { name?.release() }
    var value = AUPreset()
    value.presetNumber = number
    value.presetName = name.map { Unmanaged.fromOpaque($0.toOpaque()) }
    try set(kAudioUnitProperty_PresentPreset, .global, element: 0, value)
    adoptValues()
  }

  func setBypass(_ isOn: Bool) throws(AudioStatus) {
    try set(kAudioUnitProperty_BypassEffect, .global, element: 0, UInt32(isOn ? 1 : 0))
  }

  var isBypassed: Bool {
    var value: UInt32 = 0
    return instance?.read(kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, into: &value) == noErr
      && value != 0
  }

  /// Takes over a saved state: the property list of a `.aupreset` file.
  func loadState(_ path: String) throws(AudioStatus) {
    guard instance != nil else { throw .invalidAudioUnit }
    guard let state = ForeignState.read(path) else { throw .invalidFile }
    defer { state.release() }
    try set(kAudioUnitProperty_ClassInfo, .global, element: 0, state.toOpaque())
    adoptValues()
  }

  private func set<T>(
    _ id: AudioUnitPropertyID, _ scope: Scope, element: Int, _ value: T
  ) throws(AudioStatus) {
    guard let instance else { throw .invalidAudioUnit }
    try ensureSuccess(instance.write(id, scope.rawValue, UInt32(element), value))
  }

  // MARK: Time

  private var sampleRate: Double { (try? streamFormat(.output).sampleRate) ?? 44_100 }

  /// One beyond the bound is refused before it renders: see ``checkLatency()``.
  public override var latencyFrames: Int {
    Int(clamping: (min(facts?.latencySeconds ?? 0, Self.longestSeconds) * sampleRate).rounded())
  }

  /// A component that rings for ever, or nearly so, counts as one that rings for a minute. A latency cannot be cut
  /// short so: all else would be late by what it says.
  private static let longestSeconds = LongestTail.seconds

  private func checkLatency() throws(AudioStatus) {
    guard let seconds = facts?.latencySeconds, seconds > Self.longestSeconds else { return }
    failure = BenchError(
      .graph,
      "\(title) says that its latency is \(NumberText.short(seconds)) s; at most \(NumberText.short(Self.longestSeconds)) s are made up for",
      advice: "look for a unit of time in its latency: it is in seconds")
    throw .invalidPropertyValue
  }

  public override var tailFrames: Int64? {
    facts?.tailSeconds.map { Int64(clamping: (min($0, Self.longestSeconds) * sampleRate).rounded(.up)) }
  }

  package var tailIsCut: Bool { (facts?.tailSeconds ?? 0) > Self.longestSeconds }

  // MARK: Rendering

  public override var renderFailure: BenchError? {
    if let failure { return failure }
    guard let status = processor?.failure, status != .noError else { return super.renderFailure }
    return BenchError(.render, "\(title) answered Render with: \(status)")
  }

  /// The memory that its inputs are copied into.
  public override var processorBytes: Int {
    (0..<elementCount(.input)).reduce(0) { sum, bus in
      MemoryBudget.sum(
        sum, (try? streamFormat(.input, element: bus)).map { Self.sliceBytes($0, maximumFramesPerSlice) } ?? 0)
    }
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    guard let instance, let facts else { throw .failedInitialization }
    failure = nil
    var inputs: [StreamFormat] = []
    var outputs: [StreamFormat] = []
    for bus in 0..<elementCount(.input) { inputs.append(try streamFormat(.input, element: bus)) }
    for bus in 0..<elementCount(.output) { outputs.append(try streamFormat(.output, element: bus)) }
    try prepare(
      "take slices of \(NumberText.count(maximumFramesPerSlice, "frame"))", kAudioUnitProperty_MaximumFramesPerSlice,
      .global, 0,
      UInt32(maximumFramesPerSlice))
    // Only for those that make use of it: instruments, most of all.
    if facts.canRenderOffline { try? set(kAudioUnitProperty_OfflineRender, .global, element: 0, UInt32(1)) }
    for (scope, formats) in [(Scope.input, inputs), (.output, outputs)] {
      for (bus, format) in formats.enumerated() {
        try prepare(
          "take \(format) on \(scope.name) bus \(bus)", kAudioUnitProperty_StreamFormat, scope, bus,
          format.audioStreamBasicDescription)
      }
    }
    let notice = reportsCrashes ? CrashNotice("node \"\(label)\": \(title)") : nil
    (instance as? ForeignInstance)?.crashNotice = notice
    let processor = ForeignProcessor(
      instance, inputFormats: inputs, outputFormats: outputs, maximumFrames: maximumFramesPerSlice,
      controls: presentControls, worksInPlace: facts.worksInPlace, crashNotice: notice,
      offlineAction: offlineAction)
    for bus in inputs.indices {
      try prepare(
        "take a render callback on input bus \(bus)", kAudioUnitProperty_SetRenderCallback, .input, bus,
        processor.callback(bus: bus))
    }
    try checkLatency()
    let status = instance.initialize()
    guard status == noErr else { throw refuse("be initialized", AudioStatus(status)) }
    do { try checkLatency() } catch {
      _ = instance.uninitialize()
      throw error
    }
    restoreValues(instance)
    self.processor = processor
    return processor
  }

  /// Sets again what the component has forgotten: some go back to their defaults when they are initialized.
  private func restoreValues(_ instance: UnitInstance) {
    for (address, descriptor) in allParameters where !descriptor.isReadOnly {
      guard let wanted = try? parameter(address), wanted != heldValue(address) else { continue }
      _ = instance.setParameter(
        address.id, address.scope.rawValue, UInt32(address.element), to: wanted, bufferOffset: 0)
    }
  }

  /// Parameters that can be set on the component, with its present values.
  private var presentControls: [ForeignProcessor.Control] {
    allParameters.enumerated().compactMap { slot, row in
      guard !row.descriptor.isReadOnly else { return nil }
      return ForeignProcessor.Control(
        slot: slot, address: row.address, canSchedule: controls[row.address]?.canSchedule ?? false,
        sent: heldValue(row.address) ?? .nan)
    }
  }

  private func prepare<T>(
    _ what: String, _ id: AudioUnitPropertyID, _ scope: Scope, _ element: Int, _ value: T
  ) throws(AudioStatus) {
    do { try set(id, scope, element: element, value) } catch { throw refuse(what, error) }
  }

  private func refuse(_ what: String, _ status: AudioStatus) -> AudioStatus {
    failure = BenchError(.graph, "\(title) cannot \(what): \(status)")
    return status
  }

  public override func didUninitialize() {
    guard let instance, instance.isInitialized else { return }
    _ = instance.uninitialize()
  }
}

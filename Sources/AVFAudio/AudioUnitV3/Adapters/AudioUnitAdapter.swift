// An AUAudioUnit as a unit of the engine: the edit half. It translates; what a graph file or an engine holds is this.

import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import Synchronization

/// A unit of the engine that renders by the render block of an ``AUAudioUnit``.
///
/// Its parameters are those of the tree, in the tree's order, in the global scope: the id is the address where it has 32
/// bits, else the next free number. A value that is set in the engine is set in the tree, and the other way round; what
/// moves while sound is rendered comes to the render block as events.
package final class AudioUnitAdapter: AudioEngine.Unit, LongTailUnit, @unchecked Sendable {
  /// The unit; nil where it could not be made, and ``renderFailure`` says why.
  package let audioUnit: AUAudioUnit?
  private var failure: BenchError?
  private var rows: [Row] = []
  private var tree: AUParameterTree?
  private weak var processor: AdapterProcessor?
  /// True while the tree is told of what the engine has set.
  private var isTelling = false

  private struct Row {
    let parameter: AUParameter
    let descriptor: ParameterDescriptor
  }

  /// A new unit of a registered subclass.
  static func make(_ description: AudioComponentDescription) -> AudioUnitAdapter {
    do {
      return AudioUnitAdapter(try AudioUnitRegistration.makeUnit(description, options: []))
    } catch { return AudioUnitAdapter(nil, description, failure: error) }
  }

  package convenience init(_ audioUnit: AUAudioUnit) {
    self.init(audioUnit, audioUnit.componentDescription, failure: nil)
  }

  private init(_ audioUnit: AUAudioUnit?, _ description: AudioComponentDescription, failure: (any Error)?) {
    self.audioUnit = audioUnit
    let name = AudioUnitRegistration.name(of: description) ?? "audio unit"
    self.failure = failure.map {
      BenchError(
        .graph, "\(name) cannot be made: \(($0 as NSError).localizedDescription)", advice: "its initializer throws")
    }
    let known = AudioUnitRegistration.component(description)
    super.init(
      known
        ?? Component(
          AudioEngine.ComponentDescription(description), shortName: AudioUnitRegistration.shortName(name), name: name,
          summary: "A unit of the program's own, written as an AUAudioUnit.",
          version: AudioUnitRegistration.version(of: description)
        ) { AudioUnitAdapter.make(description) },
      inputs: audioUnit?.inputBusses.count ?? 0, outputs: max(1, audioUnit?.outputBusses.count ?? 1))
    adoptFormats()
    adoptTree()
    audioUnit?.treeDidChange = { [weak self] in self?.adoptTree() }
  }

  // MARK: Parameters

  /// Lays out the rows of the present tree.
  private func adoptTree() {
    let present = audioUnit?.parameterTree
    guard present !== tree || rows.isEmpty else { return }
    tree?.setHost(nil)
    tree = present
    rows = Self.rows(of: present)
    rebuildStore()
    for row in rows { adoptParameter(ParameterAddress(row.descriptor.id), value: row.parameter.value) }
    present?.setHost { [weak self] parameter, value, _ in self?.take(value, of: parameter) }
  }

  private static func rows(of tree: AUParameterTree?) -> [Row] {
    let parameters = tree?.allParameters ?? []
    let identifiers = Dictionary(grouping: parameters, by: \.identifier)
    var used = Set(parameters.compactMap { UInt32(exactly: $0.address) })
    var next: UInt32 = 0
    return parameters.map { parameter in
      let id: UInt32
      if let own = UInt32(exactly: parameter.address) {
        id = own
      } else {
        while used.contains(next) { next += 1 }
        id = next
        used.insert(id)
      }
      let isAlone = identifiers[parameter.identifier]?.count == 1 && !parameter.identifier.isEmpty
      let path = parameter.keyPath
      return Row(
        parameter: parameter,
        descriptor: ParameterDescriptor(
          id, isAlone ? parameter.identifier : path.isEmpty ? "parameter\(id)" : path,
          unit: ParameterUnit(rawValue: parameter.unit.rawValue) ?? .generic,
          range(of: parameter),
          initial: parameter.value, isReadOnly: parameter.isReadOnly, canRamp: parameter.flags.contains(.flag_CanRamp),
          valueNames: parameter.valueStrings ?? []))
    }
  }

  /// The range of a parameter; one whose bounds are no range has any value.
  private static func range(of parameter: AUParameter) -> ClosedRange<Float> {
    guard parameter.minValue.isFinite, parameter.maxValue.isFinite, parameter.minValue <= parameter.maxValue else {
      return -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude
    }
    return parameter.minValue...parameter.maxValue
  }

  package override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    scope == .global ? rows.map(\.descriptor) : []
  }

  private func row(_ address: ParameterAddress) -> Row? {
    address.scope == .global ? rows.first { $0.descriptor.id == address.id } : nil
  }

  package override func meterValue(_ address: ParameterAddress) -> Float? {
    row(address).flatMap { $0.descriptor.isReadOnly ? $0.parameter.value : nil }
  }

  package override func parameterDidChange(_ address: ParameterAddress) {
    guard let row = row(address), let value = try? parameter(address) else { return }
    isTelling = true
    row.parameter.setValue(value, originator: nil)
    isTelling = false
    noteTold(row.parameter, value)
  }

  /// Takes a value over that was set in the tree.
  private func take(_ value: AUValue, of parameter: AUParameter) {
    guard !isTelling, value.isFinite, let index = rows.firstIndex(where: { $0.parameter === parameter }),
      let slot = try? slot(of: ParameterAddress(rows[index].descriptor.id))
    else { return }
    noteTold(parameter, value)
    store.setByHost(slot, value)
  }

  /// The implementation knows the value: it needs no event for it.
  private func noteTold(_ parameter: AUParameter, _ value: AUValue) {
    if let slot = rows.firstIndex(where: { $0.parameter === parameter }) { processor?.noteTold(slot, value) }
  }

  // MARK: Properties and presets

  package override var ownProperties: [PropertyDescriptor] {
    (isEffect ? [Self.bypassProperty] : []) + [Self.stateProperty]
  }
  package override var graphKeys: [GraphKey] { [Self.stateKey] }

  private static let bypassProperty = PropertyDescriptor.bypass(
    of: AudioUnitAdapter.self, get: { $0.isBypassed }, set: { $0.isBypassed = $1 })
  private static let stateProperty = PropertyDescriptor(
    .audioUnitState, "state", .path("path of a .aupreset file"), of: AudioUnitAdapter.self,
    set: { (unit, _, _, path) throws(AudioStatus) in try unit.loadState(path) })
  private static let stateKey = GraphKey(
    "state", "a .aupreset file, relative to the graph file", .file, of: AudioUnitAdapter.self
  ) { (unit, path) throws(AudioStatus) in try unit.loadState(path) }

  private var isEffect: Bool { elementCount(.input) > 0 }

  package var isBypassed: Bool {
    get { audioUnit?.shouldBypassEffect ?? false }
    set { audioUnit?.shouldBypassEffect = newValue }
  }

  /// Takes over a property list with the state of a unit of this kind.
  package func loadState(_ path: String) throws(AudioStatus) {
    guard let audioUnit else { throw .invalidAudioUnit }
    guard let bytes = try? FileSystem.contents(of: path, atMost: 256 << 20),
      let state = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    else { throw .invalidFile }
    guard audioUnit.isOwn(state) else { throw .invalidPropertyValue }
    audioUnit.fullState = state
  }

  package override var factoryPresets: [Preset] {
    (audioUnit?.factoryPresets ?? []).compactMap { preset in
      Int32(exactly: preset.number).map { Preset(number: $0, name: preset.name) }
    }
  }

  package override func select(preset number: Int32) throws(AudioStatus) {
    guard let preset = audioUnit?.factoryPresets?.first(where: { $0.number == Int(number) }) else {
      throw .invalidPropertyValue
    }
    audioUnit?.currentPreset = preset
    // Values that the implementation has set without the tree.
    for row in rows where row.parameter.value != (try? parameter(ParameterAddress(row.descriptor.id))) {
      adoptParameter(ParameterAddress(row.descriptor.id), value: row.parameter.value)
    }
  }

  // MARK: Buses and formats

  private func adoptFormats() {
    guard let audioUnit else { return }
    for (index, bus) in audioUnit.inputBusses.enumerated() where bus.format.stream?.isFloatPlanar ?? false {
      if let stream = bus.format.stream { inputs[index].format = stream }
    }
    for (index, bus) in audioUnit.outputBusses.enumerated() where bus.format.stream?.isFloatPlanar ?? false {
      if let stream = bus.format.stream { outputs[index].format = stream }
    }
  }

  package override var channelCapabilities: [ChannelCapability] {
    let numbers = (audioUnit?.channelCapabilities ?? []).map(\.intValue)
    return stride(from: 0, to: numbers.count - 1, by: 2).map {
      ChannelCapability(inputChannels: numbers[$0], outputChannels: numbers[$0 + 1])
    }
  }

  private func bus(_ scope: Scope, _ element: Int) -> AUAudioUnitBus? {
    guard let busses = scope == .input ? audioUnit?.inputBusses : audioUnit?.outputBusses else { return nil }
    return (0..<busses.count).contains(element) ? busses[element] : nil
  }

  package override func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard format.isValid, format.isFloatPlanar else { throw .formatNotSupported }
    if let bus = bus(scope, element), bus.refusal(of: AVAudioFormat.numbered(format)) != nil {
      throw .formatNotSupported
    }
  }

  package override func streamFormatWasSet(_ scope: Scope, element: Int) {
    guard let format = try? streamFormat(scope, element: element) else { return }
    try? bus(scope, element)?.setFormat(.numbered(format))
  }

  package override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    if let input = inputs.first?.format {
      let pairs = channelCapabilities
      guard !pairs.isEmpty, !pairs.contains(where: { $0.inputChannels < 0 || $0.outputChannels < 0 }),
        let pair = pairs.first(where: { $0.inputChannels == input.channelCount })
      else { return input }
      return StreamFormat(sampleRate: input.sampleRate, channelCount: pair.outputChannels)
    }
    return StreamFormat(sampleRate: graphRate, channelCount: outputs[0].format.channelCount)
  }

  /// True where the output may have another number of channels than the input.
  package var mayChangeChannels: Bool { channelCapabilities.contains { $0.inputChannels != $0.outputChannels } }

  // MARK: Time

  private func frames(_ seconds: TimeInterval) -> Int64 {
    let rate = outputs.first?.format.sampleRate ?? 44_100
    guard seconds > 0 else { return 0 }
    return Int64(clamping: (min(seconds, LongestTail.seconds) * rate).rounded())
  }
  package override var latencyFrames: Int { Int(frames(audioUnit?.latency ?? 0)) }
  package override var tailFrames: Int64? { audioUnit.map { frames($0.tailTime) } }

  // MARK: Rendering

  package override var renderFailure: BenchError? {
    if let failure { return failure }
    guard let status = processor?.failure, status != .noError else { return super.renderFailure }
    return BenchError(.render, "the render block of \(component.name) answered \(status)")
  }

  package override var processorBytes: Int {
    let slices = (inputs + outputs).reduce(0) { $0 + $1.format.channelCount * 4 * (maximumFramesPerSlice + 32) }
    return slices + (RenderEvents.capacity * 2 + rows.count * 2) * MemoryLayout<AURenderEvent>.stride
  }

  package override func makeProcessor() throws(AudioStatus) -> Processor {
    guard let audioUnit else { throw .failedInitialization }
    adoptTree()
    if audioUnit.renderResourcesAllocated { audioUnit.deallocateRenderResources() }
    audioUnit.maximumFramesToRender = AUAudioFrameCount(maximumFramesPerSlice)
    audioUnit.isRenderingOffline = true
    do {
      for (index, bus) in inputs.enumerated() { try self.bus(.input, index)?.setFormat(.numbered(bus.format)) }
      for (index, bus) in outputs.enumerated() { try self.bus(.output, index)?.setFormat(.numbered(bus.format)) }
      try audioUnit.allocateRenderResources()
    } catch {
      let error = error as NSError
      preparationFailure = BenchError(
        .graph, "\(component.name) cannot allocate its render resources: \(error.localizedDescription)")
      if audioUnit.renderResourcesAllocated { audioUnit.deallocateRenderResources() }
      throw error.domain == NSOSStatusErrorDomain
        ? AudioStatus(Int32(truncatingIfNeeded: error.code)) : .failedInitialization
    }
    // Jump and ramp of each parameter.
    audioUnit.context.prepare(ownEvents: 2 * rows.count)
    let controls = rows.enumerated().map { slot, row in
      AdapterProcessor.Control(
        slot: slot, address: row.parameter.address, isReadOnly: row.descriptor.isReadOnly,
        canRamp: row.descriptor.canRamp, sent: row.parameter.value)
    }
    let processor = AdapterProcessor(
      audioUnit, inputFormats: inputs.map(\.format), outputFormats: outputs.map(\.format),
      maximumFrames: maximumFramesPerSlice, controls: controls, store: store,
      fixed: Set(timelines.keys.compactMap { store.slots[$0] }))
    self.processor = processor
    return processor
  }

  package override func didUninitialize() {
    if let audioUnit, audioUnit.renderResourcesAllocated { audioUnit.deallocateRenderResources() }
  }
}

extension PropertyID {
  static let audioUnitState = PropertyID(64_015)
}

extension AVAudioFormat {
  /// The format of a stream; more than two channels are numbered.
  package static func numbered(_ stream: StreamFormat) -> AVAudioFormat {
    let count = UInt32(clamping: stream.channelCount)
    return AVAudioFormat(
      stream, layout: count > 2 ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | count) : nil)
  }
}

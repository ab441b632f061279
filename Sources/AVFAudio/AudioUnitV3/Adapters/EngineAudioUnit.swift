// The other way round: a unit of the engine as an AUAudioUnit. Its values are the engine's own; what it adds is the shape.

import AVFAudioFiles
import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits
import Foundation
import SoundFile

/// Units of the engine as units of version 3.
package enum EngineAudioUnits {
  /// The unit of version 3 that a unit of the engine adapts, or one that stands for it.
  package static func audioUnit(of unit: AudioEngine.Unit) -> AUAudioUnit {
    (unit as? AudioUnitAdapter)?.audioUnit ?? EngineAudioUnit.make(unit)
  }
}

/// An ``AUAudioUnit`` that stands for a unit of the engine, which may be part of a graph at the same time.
final class EngineAudioUnit: AUAudioUnit {
  private var unit: AudioEngine.Unit?
  private var inputArray: AUAudioUnitBusArray?
  private var outputArray: AUAudioUnitBusArray?
  private var present: AUAudioUnitPreset?
  /// Renders a unit that plays a device, whose functions stay the same while resources are allocated.
  private var deviceRenderer: EngineRenderer?

  /// The object for a unit of the engine.
  static func make(_ unit: AudioEngine.Unit) -> AUAudioUnit {
    guard
      let made = try? EngineAudioUnit(
        componentDescription: AudioComponentDescription(unit.component.description), options: [])
    else { misuse("the unit \(unit.component.name) has an AUAudioUnit") }
    made.begin(unit)
    return made
  }

  private func begin(_ unit: AudioEngine.Unit) {
    self.unit = unit
    func busses(_ scope: Scope, _ type: AUAudioUnitBusType) -> AUAudioUnitBusArray {
      AUAudioUnitBusArray(
        audioUnit: self, busType: type,
        busses: (0..<unit.elementCount(scope)).compactMap { EngineBus.make(unit, scope, element: $0) })
    }
    inputArray = busses(.input, .input)
    outputArray = busses(.output, .output)
    tree = makeTree(unit)
    maximumFramesToRender = AUAudioFrameCount(clamping: unit.maximumFramesPerSlice)
    if let output = unit as? DeviceOutput { device = OutputUnitDevice(output, of: self) }
  }

  override var inputBusses: AUAudioUnitBusArray { inputArray ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputArray ?? super.outputBusses }

  override var channelCapabilities: [NSNumber]? {
    guard let pairs = unit?.channelCapabilities, !pairs.isEmpty else { return nil }
    return pairs.flatMap { [NSNumber(value: $0.inputChannels), NSNumber(value: $0.outputChannels)] }
  }

  // MARK: Parameters

  private func makeTree(_ unit: AudioEngine.Unit) -> AUParameterTree {
    let rows = unit.allParameters
    let children = rows.map { address, row in
      let isAlone = rows.count { $0.descriptor.name == row.name } == 1
      var flags: AudioUnitParameterOptions = [.flag_IsReadable]
      if row.isReadOnly { flags.insert(.flag_MeterReadOnly) } else { flags.insert(.flag_IsWritable) }
      if row.canRamp { flags.insert(.flag_CanRamp) }
      return AUParameter(
        identifier: isAlone ? row.name : "\(row.name)_\(address.scope.name)_\(address.element)_\(address.id)",
        name: row.name,
        address: UnitAddress.address(
          id: address.id, scope: address.scope.rawValue, element: UInt32(clamping: address.element)),
        min: row.minimum, max: row.maximum(atSampleRate: outputRate),
        unit: .init(rawValue: row.unit.rawValue) ?? .generic, unitName: nil, flags: flags,
        valueStrings: row.valueNames.isEmpty ? nil : row.valueNames,
        dependentParameters: nil, value: row.initial)
    }
    let tree = AUParameterTree(children: children)
    tree.implementorValueObserver = { [weak unit] parameter, value in
      try? unit?.setParameter(Self.address(parameter), to: value)
    }
    tree.implementorValueProvider = { [weak unit] parameter in
      (try? unit?.parameter(Self.address(parameter))) ?? parameter.storedValue
    }
    return tree
  }

  private var outputRate: Double { (try? unit?.streamFormat(.global).sampleRate) ?? 44_100 }

  private static func address(_ parameter: AUParameter) -> ParameterAddress {
    UnitAddress.parameter(parameter.address)
  }

  // MARK: Presets and state

  override var factoryPresets: [AUAudioUnitPreset]? {
    guard let presets = unit?.factoryPresets, !presets.isEmpty else { return nil }
    return presets.map { AUAudioUnitPreset(number: Int($0.number), name: $0.name) }
  }

  override var currentPreset: AUAudioUnitPreset? {
    get { present }
    set {
      guard let newValue, let number = Int32(exactly: newValue.number) else { return present = newValue }
      if number >= 0 {
        guard (try? unit?.select(preset: number)) != nil else { return }
      }
      present = newValue
    }
  }

  override var fullState: [String: Any]? {
    get {
      guard let unit else { return nil }
      return codes.merging([kAUPresetDataKey: Data(UnitState.bytes(of: unit))]) { own, _ in own }
    }
    set {
      guard let newValue, isOwn(newValue), let unit, let data = newValue[kAUPresetDataKey] as? Data else { return }
      if let number = (newValue[kAUPresetNumberKey] as? NSNumber)?.int32Value { try? unit.select(preset: number) }
      UnitState.restore([UInt8](data), to: unit)
    }
  }

  override var shouldBypassEffect: Bool {
    get { (unit as? EffectUnit)?.isBypassed ?? (unit as? RateUnit)?.isBypassed ?? false }
    set {
      (unit as? EffectUnit)?.setBypass(newValue)
      (unit as? RateUnit)?.setBypass(newValue)
    }
  }

  override var latency: TimeInterval { unit.map { Double($0.latencyFrames) / outputRate } ?? 0 }
  override var tailTime: TimeInterval { unit?.tailFrames.map { Double($0) / outputRate } ?? 0 }

  // MARK: Rendering

  override func allocateRenderResources() throws {
    guard let unit else { throw NSError(unit: kAudioUnitErr_FailedInitialization, "there is no unit") }
    do throws(AudioStatus) {
      if !unit.isInitialized {
        try unit.setMaximumFramesPerSlice(Int(maximumFramesToRender))
        try unit.initialize()
      }
    } catch {
      throw NSError(unit: error.rawValue, unit.renderFailure.map { "\($0)" } ?? unit.disagreement)
    }
    deviceRenderer = (device as? OutputUnitDevice).map { EngineRenderer(unit, $0.functions) }
    try super.allocateRenderResources()
  }

  override func deallocateRenderResources() {
    device?.stop()
    super.deallocateRenderResources()
    deviceRenderer = nil
    unit?.uninitialize()
  }

  override func reset() {
    super.reset()
    unit?.reset()
  }

  override var internalRenderBlock: AUInternalRenderBlock {
    guard let unit else { return super.internalRenderBlock }
    let renderer = deviceRenderer ?? EngineRenderer(unit)
    return { _, stamp, frames, bus, data, events, pull in
      renderer.render(stamp, frames, bus, data, events, pull)
    }
  }
}

/// A bus whose format is that of the engine's unit.
private final class EngineBus: AUAudioUnitBus {
  private weak var unit: AudioEngine.Unit?
  private var scope = Scope.input
  private var element = 0

  static func make(_ unit: AudioEngine.Unit, _ scope: Scope, element: Int) -> AUAudioUnitBus? {
    guard let format = try? unit.streamFormat(scope, element: element),
      let bus = try? EngineBus(format: .numbered(format))
    else { return nil }
    bus.unit = unit
    bus.scope = scope
    bus.element = element
    return bus
  }

  override func setFormat(_ format: AVAudioFormat) throws {
    if let unit, let stream = format.stream {
      do throws(AudioStatus) { try unit.setStreamFormat(stream, scope, element: element) } catch {
        throw NSError(
          unit: error == .propertyNotWritable ? kAudioUnitErr_Initialized : error.rawValue,
          unit.refusal(of: stream, scope, element: element))
      }
    }
    try super.setFormat(format)
  }
}

/// The values of a unit of the engine as bytes: for each element scope, element and count as UInt32, then for each
/// parameter its id as UInt32 and its value as Float32, big-endian, as the C interface saves them.
enum UnitState {
  static func bytes(of unit: AudioEngine.Unit) -> [UInt8] {
    var bytes: [UInt8] = []
    for scope in [Scope.global, .input, .output] {
      for element in unit.parameterElements(scope) {
        let rows = unit.parameterTable(scope, element: element).filter { !$0.isReadOnly }
        guard !rows.isEmpty else { continue }
        for word in [scope.rawValue, UInt32(clamping: element), UInt32(clamping: rows.count)] {
          bytes += word.bigEndianBytes
        }
        for row in rows {
          let value = (try? unit.parameter(ParameterAddress(row.id, scope: scope, element: element))) ?? row.initial
          bytes += row.id.bigEndianBytes + value.bitPattern.bigEndianBytes
        }
      }
    }
    return bytes
  }

  /// Sets the values that the unit has parameters for; bytes that end in the middle of an element set nothing of it.
  static func restore(_ bytes: [UInt8], to unit: AudioEngine.Unit) {
    let words = stride(from: 0, through: bytes.count - 4, by: 4).map { UInt32(bytes[$0..<$0 + 4].bigEndianValue) }
    var index = 0
    while index + 3 <= words.count {
      let (scope, element, count) = (Scope(rawValue: words[index]), Int(words[index + 1]), Int(words[index + 2]))
      index += 3
      guard let scope, count <= (words.count - index) / 2 else { return }
      for place in stride(from: index, to: index + 2 * count, by: 2) {
        try? unit.setParameter(
          ParameterAddress(words[place], scope: scope, element: element), to: Float(bitPattern: words[place + 1]))
      }
      index += 2 * count
    }
  }
}

import AudioCore
import AudioUnits
import CAudioToolbox

/// The properties of the engine's tables, as the C interface lays their values out in memory.
enum EngineProperties {
  /// The row of a property that the unit's tables have, and that has a form in C.
  static func row(_ id: PropertyID, of unit: Unit) -> PropertyRow? {
    guard let descriptor = unit.descriptor(of: id) else { return nil }
    // A property without a value of this unit's is one that it does not have.
    if id == .tailTime && unit.tailFrames == nil { return nil }
    if id == .supportedNumChannels && unit.channelCapabilities.isEmpty { return nil }
    guard var row = layout(of: descriptor) else { return nil }
    row.scopes = descriptor.scopes
    row.isPerElement = descriptor.isPerElement
    if descriptor.get == nil { row.get = nil }
    if descriptor.set == nil { row.set = nil }
    if id == .streamFormat || id == .sampleRate {
      row.isWritable = { instance, scope, element in
        if instance.isInitialized && !instance.takesFormatsWhileInitialized { return false }
        guard scope == .input, case .connection = instance.source(ofInput: element) else { return true }
        return false
      }
    }
    if id == .elementCount {
      row.isWritable = { instance, scope, _ in
        let range = instance.unit.elementCountRange(scope)
        return range.lowerBound < range.upperBound
      }
    }
    return row
  }

  private static func layout(of descriptor: PropertyDescriptor) -> PropertyRow? {
    let id = descriptor.id
    switch descriptor.layout {
    case .uint32: return value(id, PropertyValue.uint32) { if case .uint32(let number) = $0 { number } else { nil } }
    case .int32: return value(id, PropertyValue.int32) { if case .int32(let number) = $0 { number } else { nil } }
    case .int64: return value(id, PropertyValue.int64) { if case .int64(let number) = $0 { number } else { nil } }
    case .float64:
      return value(id, PropertyValue.float64) { if case .float64(let number) = $0 { number } else { nil } }
    case .float32s: return array(id, PropertyValue.float32s, asFloats)
    case .float64s:
      return array(id, PropertyValue.float64s) { if case .float64s(let list) = $0 { list } else { nil } }
    case .int32s: return array(id, PropertyValue.int32s) { if case .int32s(let list) = $0 { list } else { nil } }
    case .uint32s:
      return array(id, PropertyValue.parameterIDs) { if case .parameterIDs(let list) = $0 { list } else { nil } }
    case .channelPairs:
      return .array(
        of: AUChannelInfo.self, get: { (i, s, e) throws(AudioStatus) in try read(i, id, s, e, asChannelInfos) })
    case .streamFormat:
      return streamFormatRow
    case .meterClipping:
      return .value(
        AudioUnitMeterClipping.self,
        get: { (i, s, e) throws(AudioStatus) in
          let values = try read(i, id, s, e, asFloats)
          return AudioUnitMeterClipping(
            peakValueSinceLastCall: values[0], sawInfinity: values[1] != 0, sawNotANumber: values[2] != 0)
        })
    case nil: return nil
    }
  }

  /// A property whose value is one number.
  private static func value<Value: BitwiseCopyable>(
    _ id: PropertyID, _ make: @escaping @Sendable (Value) -> PropertyValue,
    _ form: @escaping @Sendable (PropertyValue) -> Value?
  ) -> PropertyRow {
    .value(
      Value.self, get: { (i, s, e) throws(AudioStatus) in try read(i, id, s, e, form) },
      set: { (i, s, e, v) throws(AudioStatus) in try write(i, id, s, e, make(v)) })
  }

  /// A property whose value is a list.
  private static func array<Element: BitwiseCopyable>(
    _ id: PropertyID, _ make: @escaping @Sendable ([Element]) -> PropertyValue,
    _ form: @escaping @Sendable (PropertyValue) -> [Element]?
  ) -> PropertyRow {
    .array(
      of: Element.self, get: { (i, s, e) throws(AudioStatus) in try read(i, id, s, e, form) },
      set: { (i, s, e, v) throws(AudioStatus) in try write(i, id, s, e, make(v)) })
  }

  /// A stream format may come without its last, reserved field.
  private static let streamFormatRow: PropertyRow = {
    let size = MemoryLayout<AudioStreamBasicDescription>.size
    var row = PropertyRow(size: { (_, _, _) throws(AudioStatus) in size })
    row.get = { (instance, scope, element, memory) throws(AudioStatus) in
      let format = try instance.unit.streamFormat(scope, element: Int(element))
      memory.storeBytes(of: format.audioStreamBasicDescription, as: AudioStreamBasicDescription.self)
    }
    row.set = { (instance, scope, element, bytes) throws(AudioStatus) in
      guard bytes.count >= size - 4 else { throw .invalidPropertyValue }
      var description = AudioStreamBasicDescription()
      withUnsafeMutableBytes(of: &description) { $0.copyMemory(from: .init(rebasing: bytes.prefix(size))) }
      description.mReserved = 0
      guard let format = StreamFormat(description) else { throw .formatNotSupported }
      try instance.unit.setStreamFormat(format, scope, element: Int(element))
    }
    return row
  }()

  private static func read<Value>(
    _ instance: NativeInstance, _ id: PropertyID, _ scope: Scope, _ element: UInt32, _ form: (PropertyValue) -> Value?
  ) throws(AudioStatus) -> Value {
    guard let value = form(try instance.unit.property(id, scope, element: Int(element))) else {
      throw .invalidPropertyValue
    }
    return value
  }

  private static func write(
    _ instance: NativeInstance, _ id: PropertyID, _ scope: Scope, _ element: UInt32, _ value: PropertyValue
  ) throws(AudioStatus) {
    try instance.unit.setProperty(id, scope, element: Int(element), to: value)
  }

  private static func asFloats(_ value: PropertyValue) -> [Float]? {
    if case .float32s(let v) = value { v } else { nil }
  }
  private static func asChannelInfos(_ value: PropertyValue) -> [AUChannelInfo]? {
    guard case .channelCapabilities(let pairs) = value else { return nil }
    return pairs.map {
      AUChannelInfo(
        inChannels: Int16(clamping: $0.inputChannels), outChannels: Int16(clamping: $0.outputChannels))
    }
  }
}

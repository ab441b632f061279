import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox

/// The properties of the engine's tables (`PropertyDescriptor`), translated: values are laid out by their
/// `PropertyLayout`.
enum EngineProperties {
  /// The row of a property that the unit's tables have, and that has a form in C.
  static func row(_ id: PropertyID, of unit: Unit) -> CProperty? {
    guard let descriptor = unit.descriptor(of: id), let layout = descriptor.layout else { return nil }
    // A property without a value of this unit's is one that it does not have.
    if id == .tailTime && unit.tailFrames == nil { return nil }
    if id == .supportedNumChannels && unit.channelCapabilities.isEmpty { return nil }
    var row = CProperty(scopes: descriptor.scopes, isPerElement: descriptor.isPerElement, size: layout.size)
    if descriptor.get != nil {
      row.get = { (place) throws(AudioStatus) in
        try layout.inC(try place.unit.property(id, place.scope, element: Int(place.element)))
      }
    }
    if descriptor.set != nil {
      row.set = { (place, bytes) throws(AudioStatus) in
        try place.unit.setProperty(id, place.scope, element: Int(place.element), to: try layout.value(in: bytes))
        // A new input: times start where the former one's do, and none of its slices has been rendered.
        if id == .offlineInputSize { _ = place.instance.reset(kAudioUnitScope_Global, 0) }
      }
    }
    if id == .streamFormat || id == .sampleRate {
      row.isWritable = { place in
        if place.instance.isInitialized && !place.instance.takesSettingsWhileInitialized { return false }
        guard place.scope == .input, case .connection = place.instance.source(ofInput: place.element) else {
          return true
        }
        return false
      }
    }
    if id == .elementCount { row.isWritable = { $0.unit.elementCountRange($0.scope).count > 1 } }
    return row
  }
}

extension PropertyLayout {
  /// In bytes; nil: as many as the value has.
  fileprivate var size: Int? {
    switch self {
    case .uint32, .int32: 4
    case .int64, .float64: 8
    case .streamFormat: MemoryLayout<AudioStreamBasicDescription>.size
    case .meterClipping: MemoryLayout<AudioUnitMeterClipping>.size
    default: nil
    }
  }

  fileprivate func inC(_ value: PropertyValue) throws(AudioStatus) -> CValue {
    switch value {
    case .uint32(let number): CValue(number)
    case .int32(let number): CValue(number)
    case .int64(let number): CValue(number)
    case .float64(let number): CValue(number)
    case .float32s(let list):
      if case .meterClipping = self {
        // Two words, so that the bytes behind the two flags are 0: in the struct they would be left as they are.
        CValue(array: [list[0].bitPattern, (list[1] != 0 ? 1 : 0) | (list[2] != 0 ? 0x100 : 0)])
      } else {
        CValue(array: list)
      }
    case .float64s(let list): CValue(array: list)
    case .int32s(let list): CValue(array: list)
    case .parameterIDs(let list), .uint32s(let list): .numbers(list)
    case .channelCapabilities(let pairs):
      CValue(
        array: pairs.map {
          AUChannelInfo(
            inChannels: Int16(clamping: $0.inputChannels), outChannels: Int16(clamping: $0.outputChannels))
        })
    case .streamFormat(let format): CValue(format.audioStreamBasicDescription)
    default: throw .invalidPropertyValue
    }
  }

  fileprivate func value(in bytes: UnsafeRawBufferPointer) throws(AudioStatus) -> PropertyValue {
    switch self {
    case .uint32: return .uint32(try bytes.propertyValue())
    case .int32: return .int32(try bytes.propertyValue())
    case .int64: return .int64(try bytes.propertyValue())
    case .float64: return .float64(try bytes.propertyValue())
    case .uint32s: return .parameterIDs(try bytes.propertyList())
    case .int32s: return .int32s(try bytes.propertyList())
    case .float32s: return .float32s(try bytes.propertyList())
    case .float64s: return .float64s(try bytes.propertyList())
    case .streamFormat:
      // It may come without its last, reserved field.
      let size = MemoryLayout<AudioStreamBasicDescription>.size
      guard bytes.count >= size - 4 else { throw .invalidPropertyValue }
      var description = AudioStreamBasicDescription()
      withUnsafeMutableBytes(of: &description) { $0.copyMemory(from: .init(rebasing: bytes.prefix(size))) }
      description.mReserved = 0
      guard let format = StreamFormat(description) else { throw .formatNotSupported }
      return .streamFormat(format)
    case .channelPairs, .meterClipping: throw .propertyNotWritable
    }
  }
}

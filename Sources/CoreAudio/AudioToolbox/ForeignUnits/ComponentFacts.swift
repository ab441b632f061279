// The properties of a third-party component, in the engine's words. Edit side; nonsensical values are replaced by the
// usual ones.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreFoundation

/// Reads an instance's properties.
struct ComponentFacts {
  private let instance: UnitInstance

  init(_ instance: UnitInstance) { self.instance = instance }

  /// A value of fixed size; nil where the component has none.
  private func value<T>(
    _ id: AudioUnitPropertyID, _ scope: Scope = .global, element: Int = 0, or initial: T
  ) -> T? {
    var value = initial
    var size = UInt32(MemoryLayout<T>.size)
    let status = withUnsafeMutableBytes(of: &value) {
      instance.property(id, scope.rawValue, UInt32(element), data: $0.baseAddress, size: &size)
    }
    return status == noErr && size == UInt32(MemoryLayout<T>.size) ? value : nil
  }

  /// A value of as many elements as there are.
  private func list<T>(_ id: AudioUnitPropertyID, _ scope: Scope = .global, element: Int = 0, of initial: T) -> [T] {
    var size: UInt32 = 0
    var isWritable = false
    guard
      instance.propertyInfo(id, scope.rawValue, UInt32(element), size: &size, isWritable: &isWritable) == noErr,
      size > 0, size <= 1 << 20
    else { return [] }
    var values = [T](repeating: initial, count: Int(size) / MemoryLayout<T>.stride + 1)
    let capacity = size
    let status = values.withUnsafeMutableBytes {
      instance.property(id, scope.rawValue, UInt32(element), data: $0.baseAddress, size: &size)
    }
    guard status == noErr else { return [] }
    return Array(values.prefix(Int(min(size, capacity)) / MemoryLayout<T>.stride))
  }

  // MARK: Buses

  /// At most as many as an honest component has.
  func elementCount(_ scope: Scope) -> Int {
    min(4096, Int(value(kAudioUnitProperty_ElementCount, scope, or: UInt32(0)) ?? 0))
  }

  func mayChangeElementCount(_ scope: Scope) -> Bool {
    var size: UInt32 = 0
    var isWritable = false
    let status = instance.propertyInfo(
      kAudioUnitProperty_ElementCount, scope.rawValue, 0, size: &size, isWritable: &isWritable)
    return status == noErr && isWritable
  }

  func streamFormat(_ scope: Scope, element: Int) -> StreamFormat? {
    value(kAudioUnitProperty_StreamFormat, scope, element: element, or: AudioStreamBasicDescription())
      .flatMap { StreamFormat($0) }
  }

  var channelCapabilities: [ChannelCapability] {
    list(kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo()).map {
      ChannelCapability(inputChannels: Int($0.inChannels), outputChannels: Int($0.outChannels))
    }
  }

  var maximumFramesPerSlice: Int? {
    value(kAudioUnitProperty_MaximumFramesPerSlice, or: UInt32(0)).map(Int.init).flatMap {
      Unit.sliceFrames.contains($0) ? $0 : nil
    }
  }

  // MARK: Time

  /// May be infinite.
  var latencySeconds: Double {
    guard let seconds = value(kAudioUnitProperty_Latency, or: 0.0), seconds > 0 else { return 0 }
    return seconds
  }

  /// Nil where the component does not say.
  var tailSeconds: Double? { value(kAudioUnitProperty_TailTime, or: 0.0).map { $0.isNaN ? 0 : max(0, $0) } }

  var worksInPlace: Bool { value(kAudioUnitProperty_InPlaceProcessing, or: UInt32(0)) == 1 }
  var hasBypass: Bool { value(kAudioUnitProperty_BypassEffect, or: UInt32(0)) != nil }

  // MARK: Offline

  /// True when it has a property for rendering offline.
  var canRenderOffline: Bool {
    var size: UInt32 = 0
    var isWritable = false
    let status = instance.propertyInfo(
      kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, size: &size, isWritable: &isWritable)
    return status == noErr && isWritable && size == 4
  }

  /// True when an offline unit can, or has to, see its input first.
  var wantsPreflight: Bool {
    (value(kAudioUnitOfflineProperty_PreflightRequirements, or: UInt32(kOfflinePreflight_NotRequired)) ?? 0)
      != kOfflinePreflight_NotRequired
  }

  var preflightName: String? {
    guard let text = value(kAudioUnitOfflineProperty_PreflightName, or: UnsafeRawPointer?.none) ?? nil else {
      return nil
    }
    let name = Unmanaged<CFString>.fromOpaque(text).takeRetainedValue()
    return CFText.string(name)
  }

  // MARK: Presets

  var factoryPresets: [Preset] {
    // An array of pointers to structures that the component keeps.
    guard let pointer = value(kAudioUnitProperty_FactoryPresets, or: UnsafeRawPointer?.none) ?? nil else { return [] }
    let array = Unmanaged<CFArray>.fromOpaque(pointer).takeRetainedValue()
    return (0..<min(4096, CFArrayGetCount(array))).compactMap { index in
      guard let item = CFArrayGetValueAtIndex(array, index) else { return nil }
      let number = item.load(as: Int32.self)
      let name = item.load(fromByteOffset: 8, as: UnsafeRawPointer?.self).flatMap(CFText.string(at:))
      return Preset(number: number, name: name ?? "preset \(number)")
    }
  }

  // MARK: Parameters

  struct Parameter {
    let descriptor: ParameterDescriptor
    /// Takes ramps of its own.
    let canSchedule: Bool
    /// Setting it may move others.
    let isMeta: Bool
  }

  func parameters(_ scope: Scope, element: Int) -> [Parameter] {
    var names: Set<String> = []
    var ids: Set<UInt32> = []
    return list(kAudioUnitProperty_ParameterList, scope, element: element, of: UInt32(0)).compactMap { id in
      guard ids.insert(id).inserted else { return nil }
      return parameter(id, scope, element: element, taken: &names)
    }
  }

  private func parameter(_ id: UInt32, _ scope: Scope, element: Int, taken: inout Set<String>) -> Parameter? {
    var info = AudioUnitParameterInfo()
    // The element of this property is the parameter's number.
    guard instance.read(kAudioUnitProperty_ParameterInfo, scope.rawValue, id, into: &info) == noErr else { return nil }
    let flags = info.flags
    var name = withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if flags.contains(.flag_HasCFNameString), let text = info.cfNameString {
      name = CFText.string(text.takeUnretainedValue()) ?? name
      if flags.contains(.flag_CFNameRelease) { text.release() }
    }
    var short = ParameterWords.short(name) ?? "parameter\(id)"
    if !taken.insert(short).inserted {
      short += "\(id)"
      taken.insert(short)
    }
    let range = ParameterWords.range(info.minValue, info.maxValue)
    let initial = info.defaultValue.isFinite ? info.defaultValue : range.lowerBound
    let unit = ParameterUnit(rawValue: info.unit.rawValue) ?? .generic
    let isReadOnly = !flags.contains(.flag_IsWritable) || flags.contains(.flag_MeterReadOnly)
    let descriptor = ParameterDescriptor(
      id, short, scope, unit: unit, range, initial: initial, isReadOnly: isReadOnly,
      canRamp: !flags.contains(.flag_NonRealTime),
      valueNames: flags.contains(.flag_ValuesHaveStrings) ? valueNames(of: id, scope, element: element) : [])
    return Parameter(
      descriptor: descriptor, canSchedule: flags.contains(.flag_CanRamp),
      isMeta: !flags.isDisjoint(with: [.flag_IsGlobalMeta, .flag_IsElementMeta]))
  }

  private func valueNames(of id: UInt32, _ scope: Scope, element: Int) -> [String] {
    var pointer: UnsafeRawPointer?
    // As with the parameter's info: its number stands in the element's place.
    guard instance.read(kAudioUnitProperty_ParameterValueStrings, scope.rawValue, id, into: &pointer) == noErr,
      let pointer
    else { return [] }
    let array = Unmanaged<CFArray>.fromOpaque(pointer).takeRetainedValue()
    return (0..<min(4096, CFArrayGetCount(array))).map {
      CFArrayGetValueAtIndex(array, $0).flatMap(CFText.string(at:)) ?? ""
    }
  }
}

/// The engine's spelling of components' parameter names.
enum ParameterWords {
  /// Lower camel case: `Dry/Wet Mix` is `dryWetMix`. Nil where nothing is left.
  static func short(_ name: String) -> String? {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard let first = words.first else { return nil }
    // `Q`, `LFO rate` and `lfoRate` all begin small.
    let head =
      first.allSatisfy { !$0.isLowercase } ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    let text = head + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return text.first?.isNumber == true ? "parameter" + text : text
  }

  static func range(_ minimum: Float, _ maximum: Float) -> ClosedRange<Float> {
    guard minimum.isFinite, maximum.isFinite else { return 0...1 }
    return min(minimum, maximum)...max(minimum, maximum)
  }
}

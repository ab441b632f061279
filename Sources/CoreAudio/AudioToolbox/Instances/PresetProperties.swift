import AudioCore
import AudioEngine
import CAudioToolbox
import CoreFoundation
import SoundFile

/// Factory presets, the present preset, and the whole state of a unit as a dictionary.
enum PresetProperties {
  static let rows: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_FactoryPresets: .value(
      UnsafeMutableRawPointer?.self,
      get: { presets($0.instance)?.makeArray()?.toOpaque() }),
    kAudioUnitProperty_PresentPreset: presentPreset,
    kAudioUnitProperty_CurrentPreset: presentPreset,
    kAudioUnitProperty_ClassInfo: .value(
      UnsafeMutableRawPointer?.self,
      get: { ClassInfo.make($0.instance) },
      set: { (place, value) throws(AudioStatus) in
        guard let value else { throw .invalidPropertyValue }
        try ClassInfo.restore(Unmanaged<CFDictionary>.fromOpaque(value).takeUnretainedValue(), to: place.instance)
      }),
  ]

  /// Made once: callers keep pointers into it as long as the unit lives.
  private static func presets(_ instance: NativeInstance) -> PresetArray? {
    if instance.hostValues.presetArray == nil {
      instance.hostValues.presetArray = PresetArray(instance.unit.factoryPresets.map { ($0.number, $0.name) })
    }
    return instance.hostValues.presetArray
  }

  private static let presentPreset = CProperty.value(
    AUPreset.self,
    get: { place in
      let instance = place.instance
      if let preset = presentFactoryPreset(instance) {
        return AUPreset(presetNumber: preset.number, presetName: CFText.make(preset.name))
      }
      let name = instance.hostValues.presetName.map { Unmanaged.passRetained($0) } ?? CFText.make("Untitled")
      return AUPreset(presetNumber: instance.hostValues.presetNumber, presetName: name)
    },
    set: { (place, value) throws(AudioStatus) in
      let instance = place.instance
      if value.presetNumber >= 0 {
        guard instance.unit.factoryPresets.contains(where: { $0.number == value.presetNumber }) else {
          throw .invalidProperty
        }
        try instance.unit.select(preset: value.presetNumber)
        instance.hostValues.presetName = nil
      } else {
        guard let name = value.presetName?.takeUnretainedValue(), CFText.string(name) != nil else {
          throw .invalidPropertyValue
        }
        instance.hostValues.presetName = name
      }
      instance.hostValues.presetNumber = value.presetNumber
    })

  /// The factory preset that a unit says it has, unless the host has named a preset of its own since.
  private static func presentFactoryPreset(_ instance: NativeInstance) -> Preset? {
    guard instance.hostValues.presetName == nil,
      let value = try? instance.unit.property(.presentPreset), case .preset(let preset) = value
    else { return nil }
    return preset
  }
}

/// The state of a unit as hosts save it: who it is, its parameters, and the name of its preset.
///
/// "data" is a sequence of elements, all numbers big-endian: scope, element and count as UInt32, then for each
/// parameter its number as UInt32 and its value as Float32.
enum ClassInfo {
  static func make(_ instance: NativeInstance) -> UnsafeMutableRawPointer? {
    let description = instance.component.description
    let factory = (try? instance.unit.property(.presentPreset)).flatMap { value -> Preset? in
      if case .preset(let preset) = value { preset } else { nil }
    }
    let own = instance.hostValues.presetName.flatMap { CFText.string($0) }
    var entries: [(key: String, value: PropertyTree)] = [
      (kAUPresetVersionKey, .integer(0)),
      (kAUPresetTypeKey, .integer(Int32(bitPattern: description.componentType))),
      (kAUPresetSubtypeKey, .integer(Int32(bitPattern: description.componentSubType))),
      (kAUPresetManufacturerKey, .integer(Int32(bitPattern: description.componentManufacturer))),
      (kAUPresetDataKey, .bytes(data(of: instance.unit))),
      (kAUPresetNameKey, .text(own ?? factory?.name ?? "Untitled")),
    ]
    // Also under a name of the host's: an iPod EQ has no other state.
    if let factory, factory.number >= 0 { entries.append((kAUPresetNumberKey, .integer(factory.number))) }
    return PropertyTree.table(entries).makeObject()
  }

  private static func data(of unit: Unit) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ word: UInt32) { bytes += word.bigEndianBytes }
    for scope in [Scope.global, .input, .output] {
      for element in unit.parameterElements(scope) {
        let rows = unit.parameterTable(scope, element: element).filter { !$0.isReadOnly }
        guard !rows.isEmpty else { continue }
        append(scope.rawValue)
        append(UInt32(clamping: element))
        append(UInt32(rows.count))
        for row in rows {
          append(row.id)
          let address = ParameterAddress(row.id, scope: scope, element: element)
          append(((try? unit.parameter(address)) ?? row.initial).bitPattern)
        }
      }
    }
    return bytes
  }

  /// Takes over a state that ``make(_:)`` made of a unit of the same kind.
  static func restore(_ dictionary: CFDictionary, to instance: NativeInstance) throws(AudioStatus) {
    guard CFGetTypeID(dictionary) == CFDictionaryGetTypeID() else { throw .invalidPropertyValue }
    let description = instance.component.description
    guard CFTable.number(kAUPresetSubtypeKey, in: dictionary) == Int32(bitPattern: description.componentSubType),
      CFTable.number(kAUPresetManufacturerKey, in: dictionary) == Int32(bitPattern: description.componentManufacturer),
      !CFTable.contains(kAUPresetPartKey, in: dictionary)
    else { throw .invalidPropertyValue }
    let data = CFTable.bytes(kAUPresetDataKey, in: dictionary) ?? []
    let words = stride(from: 0, to: data.count - 3, by: 4).map { UInt32(data[$0..<$0 + 4].bigEndianValue) }
    // All of it is read before any of it is set.
    var values: [(ParameterAddress, Float)] = []
    var index = 0
    while index + 3 <= words.count {
      guard let scope = Scope(rawValue: words[index]) else { throw .invalidPropertyValue }
      let element = Int(words[index + 1])
      let count = Int(words[index + 2])
      index += 3
      guard count <= (words.count - index) / 2 else { throw .invalidPropertyValue }
      for _ in 0..<count {
        let value = Float(bitPattern: words[index + 1])
        values.append((ParameterAddress(words[index], scope: scope, element: element), value))
        index += 2
      }
    }
    if let number = CFTable.number(kAUPresetNumberKey, in: dictionary),
      instance.unit.factoryPresets.contains(where: { $0.number == number })
    {
      try instance.unit.select(preset: number)
    }
    // Parameters that this version of a unit lacks are left out.
    for (address, value) in values { try? instance.unit.setParameter(address, to: value) }
    instance.hostValues.presetNumber = -1
    instance.hostValues.presetName = CFText.make(CFTable.text(kAUPresetNameKey, in: dictionary) ?? "Untitled")?
      .takeRetainedValue()
  }
}

import AudioCore
import AudioUnits
import CAudioToolbox
import CoreFoundation
import SampleRate

/// The properties that every unit has in C and that the engine does not know: sources, names, what hosts leave behind.
enum HostProperties {
  static let rows: [AudioUnitPropertyID: PropertyRow] =
    sources.merging(names) { $1 }.merging(memory) { $1 }.merging(rendering) { $1 }
    .merging(ParameterProperties.rows) { $1 }.merging(PresetProperties.rows) { $1 }
    .merging(FilePlayerProperties.rows) { $1 }

  /// Whether a unit has the property at all.
  static func applies(_ id: AudioUnitPropertyID, to instance: NativeInstance) -> Bool {
    let unit = instance.unit
    switch id {
    case kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SetRenderCallback: return unit.elementCount(.input) > 0
    case kAudioUnitProperty_InPlaceProcessing, kAudioUnitProperty_RenderQuality,
      kAudioUnitProperty_SupportedChannelLayoutTags:
      return unit.hostProperties.contains(PropertyID(id))
    case kAudioUnitProperty_FactoryPresets: return !unit.factoryPresets.isEmpty
    case _ where FilePlayerProperties.rows[id] != nil: return unit is ScheduledFilePlayer
    case kAudioOutputUnitProperty_IsRunning: return unit.isOutput
    case kAudioOutputUnitProperty_SetInputCallback: return unit is DeviceOutput
    default: return true
    }
  }

  /// What ``NativeInstance/setProperty(_:_:_:data:size:)`` carries out itself; here for the questions about them.
  private static let sources: [AudioUnitPropertyID: PropertyRow] = [
    kAudioUnitProperty_MakeConnection: .value(
      AudioUnitConnection.self, [.input, .global], isPerElement: false, set: { (_, _, _, _) throws(AudioStatus) in }),
    kAudioUnitProperty_SetRenderCallback: .value(
      AURenderCallbackStruct.self, [.input, .global], isPerElement: false,
      set: { (_, _, _, _) throws(AudioStatus) in }),
  ]

  private static let names: [AudioUnitPropertyID: PropertyRow] = [
    kAudioUnitProperty_ContextName: text(\.contextName),
    kAudioUnitProperty_NickName: text(\.nickName),
    kAudioUnitProperty_ElementName: .value(
      CFStringRef?.self, [.global, .input, .output],
      get: { (instance, scope, element) throws(AudioStatus) in
        guard let name = instance.hostValues.elementNames[.init(scope: scope, element: element)] else {
          throw .propertyNotInUse
        }
        return Unmanaged.passRetained(name).toOpaque()
      },
      set: { (instance, scope, element, value) throws(AudioStatus) in
        instance.hostValues.elementNames[.init(scope: scope, element: element)] = string(value)
      }),
    kAudioUnitProperty_HostCallbacks: {
      var row = PropertyRow.value(
        HostCallbackInfo.self,
        get: { (instance, _, _) throws(AudioStatus) in
          guard let callbacks = instance.hostValues.hostCallbacks else { throw .propertyNotInUse }
          return callbacks
        },
        set: { (instance, _, _, value) throws(AudioStatus) in instance.hostValues.hostCallbacks = value })
      row.remove = { (instance, _, _) throws(AudioStatus) in instance.hostValues.hostCallbacks = nil }
      return row
    }(),
  ]

  /// A pointer to a CoreFoundation object as it lies in a property's memory.
  typealias CFStringRef = UnsafeMutableRawPointer

  private static func text(_ path: WritableKeyPath<HostValues, CFString?> & Sendable) -> PropertyRow {
    var row = PropertyRow.value(
      CFStringRef?.self,
      get: { (instance, _, _) throws(AudioStatus) in
        instance.hostValues[keyPath: path].map { Unmanaged.passRetained($0).toOpaque() }
      },
      set: { (instance, _, _, value) throws(AudioStatus) in instance.hostValues[keyPath: path] = string(value) })
    row.remove = { (instance, _, _) throws(AudioStatus) in instance.hostValues[keyPath: path] = nil }
    return row
  }

  private static func string(_ pointer: CFStringRef?) -> CFString? {
    pointer.map { Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let memory: [AudioUnitPropertyID: PropertyRow] = [
    kAudioUnitProperty_ShouldAllocateBuffer: .value(
      UInt32.self, [.input, .output],
      get: { (instance, scope, element) throws(AudioStatus) in
        instance.hostValues.allocatesBuffer(scope, element) ? 1 : 0
      },
      set: { (instance, scope, element, value) throws(AudioStatus) in
        guard !instance.isInitialized else { throw .initialized }
        let place = HostValues.Place(scope: scope, element: element)
        if value == 0 {
          instance.hostValues.unallocated.insert(place)
        } else {
          instance.hostValues.unallocated.remove(place)
        }
      }),
    kAudioUnitProperty_InPlaceProcessing: .kept(\.inPlaceProcessing),
    kAudioUnitProperty_AudioChannelLayout: channelLayout,
    kAudioUnitProperty_SupportedChannelLayoutTags: .array(
      of: AudioChannelLayoutTag.self, [.input, .output],
      get: { (_, _, _) throws(AudioStatus) in [kAudioChannelLayoutTag_UseChannelDescriptions] }),
  ]

  private static let channelLayout: PropertyRow = {
    @Sendable func stored(
      _ instance: NativeInstance, _ scope: Scope, _ element: UInt32
    ) throws(AudioStatus) -> [UInt8] {
      guard let bytes = instance.hostValues.channelLayouts[.init(scope: scope, element: element)] else {
        throw .invalidPropertyValue
      }
      return bytes
    }
    var row = PropertyRow(
      scopes: [.input, .output],
      size: { (instance, scope, element) throws(AudioStatus) in try stored(instance, scope, element).count })
    row.get = { (instance, scope, element, memory) throws(AudioStatus) in
      let bytes = try stored(instance, scope, element)
      memory.copyMemory(from: bytes, byteCount: bytes.count)
    }
    row.set = { (instance, scope, element, bytes) throws(AudioStatus) in
      guard let base = bytes.baseAddress, bytes.count >= ChannelLayouts.headerSize,
        bytes.count >= ChannelLayouts.size(of: base.assumingMemoryBound(to: AudioChannelLayout.self)),
        let channels = ChannelLayouts.channelCount(of: base, size: bytes.count)
      else { throw .invalidPropertyValue }
      let format = try instance.unit.streamFormat(scope, element: Int(element))
      guard channels == format.channelCount else { throw .invalidPropertyValue }
      instance.hostValues.channelLayouts[.init(scope: scope, element: element)] = Array(bytes)
    }
    row.remove = { (instance, scope, element) throws(AudioStatus) in
      instance.hostValues.channelLayouts[.init(scope: scope, element: element)] = nil
    }
    return row
  }()

  private static let rendering: [AudioUnitPropertyID: PropertyRow] = [
    kAudioUnitProperty_LastRenderError: .value(
      OSStatus.self,
      get: { (instance, _, _) throws(AudioStatus) in
        instance.lastRenderError.exchange(noErr, ordering: .acquiringAndReleasing)
      }),
    kAudioUnitProperty_LastRenderSampleTime: .value(
      Float64.self,
      get: { (instance, _, _) throws(AudioStatus) in
        Float64(bitPattern: instance.host.pointee.lastSampleTimeBits.load(ordering: .relaxed))
      }),
    kAudioUnitProperty_RenderQuality: .value(
      UInt32.self, get: { (instance, _, _) throws(AudioStatus) in instance.hostValues.renderQuality },
      set: { (instance, _, _, value) throws(AudioStatus) in
        instance.hostValues.renderQuality = value
        guard !instance.isInitialized else { return }
        let quality: RateConversionQuality =
          value < kRenderQuality_Medium ? .fast : value < kRenderQuality_Max ? .medium : .best
        try instance.unit.setProperty(.conversionQuality, to: .text(quality.name))
      }),
    kAudioOutputUnitProperty_IsRunning: .value(
      UInt32.self, get: { (instance, _, _) throws(AudioStatus) in instance.isRunning ? 1 : 0 }),
    kAudioOutputUnitProperty_SetInputCallback: .value(
      AURenderCallbackStruct.self, [.global, .input, .output], isPerElement: false,
      get: { (instance, _, _) throws(AudioStatus) in
        instance.hostValues.inputCallback ?? AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
      },
      set: { (instance, _, _, value) throws(AudioStatus) in instance.hostValues.inputCallback = value }),
  ]
}

import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import CoreFoundation
import DeviceUnits
import SampleRate

/// The properties that every unit has in C and that the engine does not know: sources, names, what hosts leave behind.
enum HostProperties {
  static let rows: [AudioUnitPropertyID: CProperty] =
    sources.merging(names) { $1 }.merging(memory) { $1 }.merging(rendering) { $1 }
    .merging(ParameterProperties.rows) { $1 }.merging(PresetProperties.rows) { $1 }
    .merging(FilePlayerProperties.rows) { $1 }.merging(SoundPlayerProperties.rows) { $1 }
    .merging(HostQueryProperties.rows) { $1 }

  /// True when a unit has the property at all.
  static func applies(_ id: AudioUnitPropertyID, to instance: NativeInstance) -> Bool {
    let unit = instance.unit
    switch id {
    case kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SetRenderCallback:
      return unit.elementCount(.input) > 0 || HostTraits.of(unit).mayHaveNoInputs
    case kAudioUnitProperty_InPlaceProcessing, kAudioUnitProperty_RenderQuality,
      kAudioUnitProperty_SupportedChannelLayoutTags:
      return HostTraits.of(unit).properties.contains(PropertyID(id))
    case kAudioUnitOfflineProperty_PreflightName: return unit is any OfflineUnit
    case kAudioUnitProperty_FrequencyResponse: return unit.closedForm(sampleRate: 48_000) != nil
    case kAudioUnitProperty_FactoryPresets: return !unit.factoryPresets.isEmpty
    case kAudioUnitProperty_ScheduleAudioSlice: return unit is ScheduledSoundPlayer
    case kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitProperty_CurrentPlayTime:
      return unit is SchedulePlayer
    case _ where FilePlayerProperties.rows[id] != nil: return unit.scheduledPlayer != nil
    case kAudioOutputUnitProperty_IsRunning: return unit.isOutput
    case kAudioOutputUnitProperty_SetInputCallback: return unit.deviceOutput != nil
    default: return true
    }
  }

  /// The properties that ``NativeInstance/setProperty(_:_:_:data:size:)`` sets itself; here for queries about them.
  private static let sources: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_MakeConnection: .value(
      AudioUnitConnection.self, [.input, .global], isPerElement: false, set: { _, _ in }),
    kAudioUnitProperty_SetRenderCallback: .value(
      AURenderCallbackStruct.self, [.input, .global], isPerElement: false,
      set: { _, _ in }),
  ]

  private static let names: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_ContextName: text(\.contextName),
    kAudioUnitProperty_NickName: text(\.nickName),
    kAudioUnitProperty_ElementName: .value(
      CFStringRef?.self, [.global, .input, .output],
      get: { (place) throws(AudioStatus) in
        guard let name = place.instance.hostValues.elementNames[place.key] else { throw .propertyNotInUse }
        return Unmanaged.passRetained(name).toOpaque()
      },
      set: { $0.instance.hostValues.elementNames[$0.key] = string($1) }),
    kAudioUnitProperty_HostCallbacks: .value(
      HostCallbackInfo.self,
      get: { (place) throws(AudioStatus) in
        guard let callbacks = place.instance.hostValues.hostCallbacks else { throw .propertyNotInUse }
        return callbacks
      },
      set: { $0.instance.hostValues.hostCallbacks = $1 }, remove: { $0.instance.hostValues.hostCallbacks = nil }),
  ]

  /// A pointer to a CoreFoundation object as it lies in a property's memory.
  typealias CFStringRef = UnsafeMutableRawPointer

  private static func text(_ path: WritableKeyPath<HostValues, CFString?> & Sendable) -> CProperty {
    .value(
      CFStringRef?.self,
      get: { $0.instance.hostValues[keyPath: path].map { Unmanaged.passRetained($0).toOpaque() } },
      set: { $0.instance.hostValues[keyPath: path] = string($1) },
      remove: { $0.instance.hostValues[keyPath: path] = nil })
  }

  private static func string(_ pointer: CFStringRef?) -> CFString? {
    pointer.map { Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let memory: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_ShouldAllocateBuffer: .value(
      UInt32.self, [.input, .output],
      get: { $0.instance.hostValues.unallocated.contains($0.key) ? 0 : 1 },
      set: { (place, value) throws(AudioStatus) in
        guard !place.instance.isInitialized else { throw .initialized }
        if value == 0 {
          place.instance.hostValues.unallocated.insert(place.key)
        } else {
          place.instance.hostValues.unallocated.remove(place.key)
        }
      }),
    kAudioUnitProperty_InPlaceProcessing: .kept(\.inPlaceProcessing),
    kAudioUnitProperty_AudioChannelLayout: channelLayout,
    kAudioUnitProperty_SupportedChannelLayoutTags: CProperty(
      scopes: [.input, .output], get: { _ in .numbers([kAudioChannelLayoutTag_UseChannelDescriptions]) }),
  ]

  private static let channelLayout = CProperty(
    scopes: [.input, .output],
    get: { (place) throws(AudioStatus) in
      guard let bytes = place.instance.hostValues.channelLayouts[place.key] else { throw .invalidPropertyValue }
      return .bytes(bytes)
    },
    set: { (place, bytes) throws(AudioStatus) in
      guard let base = bytes.baseAddress, bytes.count >= ChannelLayouts.headerSize,
        bytes.count >= ChannelLayouts.size(of: base.assumingMemoryBound(to: AudioChannelLayout.self)),
        let channels = ChannelLayouts.channelCount(of: base, size: bytes.count)
      else { throw .invalidPropertyValue }
      let format = try place.unit.streamFormat(place.scope, element: Int(place.element))
      guard channels == format.channelCount else { throw .invalidPropertyValue }
      place.instance.hostValues.channelLayouts[place.key] = Array(bytes)
      place.unit.setLayout(
        ChannelLayouts.labels(of: base, size: bytes.count).flatMap(ChannelLayout.init(labels:)), place.scope,
        element: Int(place.element))
    },
    remove: { place in
      place.instance.hostValues.channelLayouts[place.key] = nil
      place.unit.setLayout(nil, place.scope, element: Int(place.element))
    })

  private static let rendering: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_LastRenderError: .value(
      OSStatus.self,
      get: { $0.instance.lastRenderError.exchange(noErr, ordering: .acquiringAndReleasing) }),
    kAudioUnitProperty_LastRenderSampleTime: .value(
      Float64.self,
      get: { Float64(bitPattern: $0.instance.host.pointee.lastSampleTimeBits.load(ordering: .relaxed)) }),
    kAudioUnitProperty_RenderQuality: .value(
      UInt32.self, get: { $0.instance.hostValues.renderQuality },
      set: { (place, value) throws(AudioStatus) in
        place.instance.hostValues.renderQuality = value
        guard !place.instance.isInitialized else { return }
        let quality: RateConversionQuality =
          value < kRenderQuality_Medium ? .fast : value < kRenderQuality_Max ? .medium : .best
        try place.unit.setProperty(.conversionQuality, to: .text(quality.name))
      }),
    kAudioOutputUnitProperty_IsRunning: .value(
      UInt32.self, get: { $0.instance.isRunning ? 1 : 0 }),
    kAudioOutputUnitProperty_SetInputCallback: .value(
      AURenderCallbackStruct.self, [.global, .input, .output], isPerElement: false,
      get: { $0.instance.hostValues.inputCallback ?? AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil) },
      set: { $0.instance.hostValues.inputCallback = $1 }),
  ]
}

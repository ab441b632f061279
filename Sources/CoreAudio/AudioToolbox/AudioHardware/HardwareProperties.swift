// The objects that the hardware interface shows, and the values of their properties: the system, one device, its
// output stream and its input stream.

import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware

/// One of the four audio objects.
enum HardwareObject: CaseIterable {
  case system, device, outputStream, inputStream

  var id: AudioObjectID {
    switch self {
    case .system: kAudioObjectSystemObject
    case .device: SimulatedHardware.deviceID
    case .outputStream: SimulatedHardware.outputStreamID
    case .inputStream: SimulatedHardware.inputStreamID
    }
  }

  init?(_ id: AudioObjectID) {
    guard let object = Self.allCases.first(where: { $0.id == id }) else { return nil }
    self = object
  }
}

/// Answers for the four objects. The hardware's set-up is looked at anew for each question.
struct HardwareProperties {
  let configuration: DeviceConfiguration
  /// The rates that the hardware has; empty: any.
  var sampleRates: [Double] = []
  /// True when anything runs on the device by this interface.
  let isRunning: Bool

  /// The property's value; nil where the object has none by that address.
  func value(
    _ object: HardwareObject, _ address: AudioObjectPropertyAddress, qualifier: UnsafeRawBufferPointer
  ) -> CValue? {
    let isMain =
      address.mElement == kAudioObjectPropertyElementMain || address.mElement == kAudioObjectPropertyElementWildcard
    switch object {
    case .system: return isMain ? system(address.mSelector, qualifier) : nil
    case .device:
      if !isMain { return channel(address) }
      return device(address.mSelector, side(address.mScope))
    case .outputStream: return isMain ? stream(address.mSelector, isInput: false) : nil
    case .inputStream: return isMain ? stream(address.mSelector, isInput: true) : nil
    }
  }

  /// The side of the device that an address means; nil: both.
  private func side(_ scope: AudioObjectPropertyScope) -> Bool? {
    switch scope {
    case kAudioObjectPropertyScopeInput: true
    case kAudioObjectPropertyScopeOutput: false
    default: nil
    }
  }

  // MARK: The system

  private func system(_ selector: AudioObjectPropertySelector, _ qualifier: UnsafeRawBufferPointer) -> CValue? {
    switch selector {
    case kAudioObjectPropertyBaseClass: .number(kAudioObjectClassID)
    case kAudioObjectPropertyClass: .number(kAudioSystemObjectClassID)
    case kAudioObjectPropertyOwner: .number(kAudioObjectUnknown)
    case kAudioObjectPropertyName: .text("System")
    case kAudioObjectPropertyOwnedObjects, kAudioHardwarePropertyDevices: .numbers([SimulatedHardware.deviceID])
    case kAudioHardwarePropertyDefaultInputDevice, kAudioHardwarePropertyDefaultOutputDevice,
      kAudioHardwarePropertyDefaultSystemOutputDevice:
      .number(SimulatedHardware.deviceID)
    case kAudioHardwarePropertyTranslateUIDToDevice: .number(device(named: qualifier))
    case kAudioHardwarePropertyMixStereoToMono: .number(0)
    // There are no plug-ins, no boxes and nothing else that could be listed or found by name.
    case kAudioHardwarePropertyPlugInList, kAudioHardwarePropertyTransportManagerList, kAudioHardwarePropertyBoxList,
      kAudioHardwarePropertyClockDeviceList, kAudioHardwarePropertyProcessObjectList, kAudioHardwarePropertyTapList:
      .numbers([])
    case kAudioHardwarePropertyTranslateBundleIDToPlugIn, kAudioHardwarePropertyTranslateBundleIDToTransportManager,
      kAudioHardwarePropertyTranslateUIDToBox, kAudioHardwarePropertyTranslateUIDToClockDevice,
      kAudioHardwarePropertyTranslatePIDToProcessObject, kAudioHardwarePropertyTranslateUIDToTap:
      .number(kAudioObjectUnknown)
    case kAudioHardwarePropertyIsInitingOrExiting, kAudioHardwarePropertyUserIDChanged,
      kAudioHardwarePropertyProcessInputMute, kAudioHardwarePropertyPowerHint:
      .number(0)
    case kAudioHardwarePropertyProcessIsMain, kAudioHardwarePropertyProcessIsMaster,
      kAudioHardwarePropertyUserSessionIsActiveOrHeadless:
      .number(1)
    case kAudioHardwarePropertyProcessIsAudible, kAudioHardwarePropertySleepingIsAllowed,
      kAudioHardwarePropertyUnloadingIsAllowed, kAudioHardwarePropertyHogModeIsAllowed:
      .number(1)
    case kAudioHardwarePropertyRunLoop: CValue(UInt(0))
    default: nil
    }
  }

  /// The device of a unique name, or none.
  private func device(named qualifier: UnsafeRawBufferPointer) -> AudioObjectID {
    guard qualifier.count == MemoryLayout<UnsafeRawPointer?>.size,
      CFText.string(at: qualifier.loadUnaligned(as: UnsafeRawPointer?.self)) == SimulatedHardware.uniqueID
    else { return kAudioObjectUnknown }
    return SimulatedHardware.deviceID
  }

  // MARK: The device

  private func device(_ selector: AudioObjectPropertySelector, _ isInput: Bool?) -> CValue? {
    deviceIdentity(selector) ?? deviceState(selector, isInput) ?? deviceStreams(selector, isInput)
  }

  private func deviceIdentity(_ selector: AudioObjectPropertySelector) -> CValue? {
    switch selector {
    case kAudioObjectPropertyBaseClass: .number(kAudioObjectClassID)
    case kAudioObjectPropertyClass: .number(kAudioDeviceClassID)
    case kAudioObjectPropertyOwner: .number(kAudioObjectSystemObject)
    case kAudioObjectPropertyName, kAudioObjectPropertyModelName: .text(SimulatedHardware.name)
    case kAudioObjectPropertyManufacturer: .text(SimulatedHardware.maker)
    case kAudioDevicePropertyDeviceName: cString(SimulatedHardware.name)
    case kAudioDevicePropertyDeviceManufacturer: cString(SimulatedHardware.maker)
    case kAudioDevicePropertyDeviceUID, kAudioDevicePropertyModelUID: .text(SimulatedHardware.uniqueID)
    case kAudioDevicePropertyTransportType: .number(kAudioDeviceTransportTypeVirtual)
    case kAudioDevicePropertyRelatedDevices: .numbers([SimulatedHardware.deviceID])
    case kAudioDevicePropertyClockDomain, kAudioDevicePropertyIsHidden: .number(0)
    case kAudioObjectPropertyControlList: .numbers([])
    default: nil
    }
  }

  private func deviceState(_ selector: AudioObjectPropertySelector, _ isInput: Bool?) -> CValue? {
    let frames = DeviceConfiguration.bufferFrameCounts
    // Without a microphone there is no buffer of one.
    let bytesPerFrame =
      isInput == true && configuration.inputChannelCount == 0 ? 0 : Int(format(isInput == true).mBytesPerFrame)
    return switch selector {
    case kAudioDevicePropertyDeviceIsAlive, kAudioDevicePropertyDeviceCanBeDefaultDevice,
      kAudioDevicePropertyDeviceCanBeDefaultSystemDevice:
      .number(1)
    case kAudioDevicePropertyDeviceIsRunning, kAudioDevicePropertyDeviceIsRunningSomewhere:
      .number(isRunning ? 1 : 0)
    // Simulated hardware adds no delay of its own.
    case kAudioDevicePropertyLatency, kAudioDevicePropertySafetyOffset, kAudioDevicePropertyPlugIn: .number(0)
    // No process has it to itself: −1.
    case kAudioDevicePropertyHogMode: .number(.max)
    case kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyActualSampleRate:
      CValue(configuration.sampleRate)
    case kAudioDevicePropertyAvailableNominalSampleRates:
      CValue(array: rateRanges)
    case kAudioDevicePropertyBufferFrameSize: .number(UInt32(configuration.bufferFrames))
    case kAudioDevicePropertyBufferFrameSizeRange:
      range(Double(frames.lowerBound)...Double(frames.upperBound))
    case kAudioDevicePropertyBufferSize: .number(UInt32(configuration.bufferFrames * bytesPerFrame))
    case kAudioDevicePropertyBufferSizeRange:
      range(Double(frames.lowerBound * bytesPerFrame)...Double(frames.upperBound * bytesPerFrame))
    default: nil
    }
  }

  private func deviceStreams(_ selector: AudioObjectPropertySelector, _ isInput: Bool?) -> CValue? {
    switch selector {
    case kAudioDevicePropertyStreams, kAudioObjectPropertyOwnedObjects:
      .numbers(
        (isInput == true ? [] : [SimulatedHardware.outputStreamID])
          + (isInput == false || configuration.inputChannelCount == 0 ? [] : [SimulatedHardware.inputStreamID]))
    case kAudioDevicePropertyStreamConfiguration: streamConfiguration(isInput == true)
    case kAudioDevicePropertyStreamFormat, kAudioStreamPropertyPhysicalFormat,
      kAudioDevicePropertyStreamFormatMatch, kAudioStreamPropertyPhysicalFormatMatch:
      CValue(format(isInput == true))
    // A device answers for its streams, too.
    case kAudioStreamPropertyAvailableVirtualFormats, kAudioStreamPropertyAvailablePhysicalFormats:
      CValue(array: rangedFormats(isInput == true))
    case kAudioDevicePropertyStreamFormats, kAudioStreamPropertyPhysicalFormats: CValue(format(isInput == true))
    case kAudioDevicePropertyPreferredChannelsForStereo: .numbers([1, UInt32(min(2, configuration.channelCount))])
    case kAudioDevicePropertyPreferredChannelLayout: .bytes(channelLayout)
    default: nil
    }
  }

  private func channel(_ address: AudioObjectPropertyAddress) -> CValue? {
    let count = side(address.mScope) == true ? configuration.inputChannelCount : configuration.channelCount
    guard Int(address.mElement) >= 1, Int(address.mElement) <= count else { return nil }
    let name = "\(side(address.mScope) == true ? "Input" : "Output") \(address.mElement)"
    return switch address.mSelector {
    case kAudioObjectPropertyElementName: .text(name)
    case kAudioDevicePropertyChannelName: cString(name)
    default: nil
    }
  }

  /// Float32, interleaved: what a stream carries.
  func format(_ isInput: Bool) -> AudioStreamBasicDescription {
    (isInput ? configuration.inputFormat : configuration.streamFormat).audioStreamBasicDescription
  }

  /// An AudioBufferList of one buffer without data; of none where there is no microphone.
  private func streamConfiguration(_ isInput: Bool) -> CValue {
    var list = AudioBufferList()
    let format = format(isInput)
    let isThere = !isInput || configuration.inputChannelCount > 0
    list.mNumberBuffers = isThere ? 1 : 0
    list.mBuffers.mNumberChannels = isThere ? format.mChannelsPerFrame : 0
    list.mBuffers.mDataByteSize = isThere ? UInt32(configuration.bufferFrames) * format.mBytesPerFrame : 0
    return CValue(list)
  }

  /// An AudioChannelLayout of left and right, or of mono, by their labels.
  private var channelLayout: [UInt8] {
    let count = UInt32(clamping: configuration.channelCount)
    return ChannelLayouts.layout(of: count == 1 ? [kAudioChannelLabel_Mono] : count == 0 ? [] : Array(1...count))
  }

  // MARK: The streams

  private func stream(_ selector: AudioObjectPropertySelector, isInput: Bool) -> CValue? {
    switch selector {
    case kAudioObjectPropertyBaseClass: .number(kAudioObjectClassID)
    case kAudioObjectPropertyClass: .number(kAudioStreamClassID)
    case kAudioObjectPropertyOwner: .number(SimulatedHardware.deviceID)
    case kAudioObjectPropertyName: .text(isInput ? "Input" : "Output")
    case kAudioObjectPropertyOwnedObjects: .numbers([])
    case kAudioStreamPropertyIsActive, kAudioStreamPropertyStartingChannel: .number(1)
    case kAudioStreamPropertyDirection: .number(isInput ? 1 : 0)
    case kAudioStreamPropertyTerminalType:
      .number(isInput ? kAudioStreamTerminalTypeMicrophone : kAudioStreamTerminalTypeSpeaker)
    case kAudioStreamPropertyLatency: .number(0)
    case kAudioStreamPropertyVirtualFormat, kAudioStreamPropertyPhysicalFormat,
      kAudioDevicePropertyStreamFormatMatch, kAudioStreamPropertyPhysicalFormatMatch:
      CValue(format(isInput))
    case kAudioStreamPropertyAvailableVirtualFormats, kAudioStreamPropertyAvailablePhysicalFormats:
      CValue(array: rangedFormats(isInput))
    case kAudioDevicePropertyStreamFormats, kAudioStreamPropertyPhysicalFormats: CValue(format(isInput))
    default: nil
    }
  }

  private func rangedFormats(_ isInput: Bool) -> [AudioStreamRangedDescription] {
    var format = format(isInput)
    format.mSampleRate = 0
    return rateRanges.map { AudioStreamRangedDescription(mFormat: format, mSampleRateRange: $0) }
  }

  /// The rates that the device takes: those of its scenario, or all.
  private var rateRanges: [AudioValueRange] {
    sampleRates.isEmpty
      ? [valueRange(DeviceConfiguration.sampleRates)]
      : sampleRates.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
  }

  private func valueRange(_ range: ClosedRange<Double>) -> AudioValueRange {
    AudioValueRange(mMinimum: range.lowerBound, mMaximum: range.upperBound)
  }

  /// A list of one range.
  private func range(_ range: ClosedRange<Double>) -> CValue { CValue(array: [valueRange(range)]) }

  /// Zero-terminated UTF-8.
  private func cString(_ text: String) -> CValue { .bytes(Array(text.utf8) + [0]) }
}

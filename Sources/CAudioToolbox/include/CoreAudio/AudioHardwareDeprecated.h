// Older names of devices' properties, as programs still write them. The functions that went with them (before
// AudioObjectGetPropertyData) are not declared.
#ifndef COREAUDIO_AUDIOHARDWAREDEPRECATED_H
#define COREAUDIO_AUDIOHARDWAREDEPRECATED_H

#include <CoreAudio/AudioHardwareBase.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef UInt8 AudioDevicePropertySection;

CF_ENUM(AudioObjectPropertySelector) {
  kAudioDevicePropertyDeviceNameCFString = kAudioObjectPropertyName,                  // CFStringRef
  kAudioDevicePropertyDeviceManufacturerCFString = kAudioObjectPropertyManufacturer,  // CFStringRef
  kAudioDevicePropertyChannelNameCFString = kAudioObjectPropertyElementName,          // CFStringRef
  kAudioObjectPropertyCreator = 'oplg',                                               // CFStringRef
  kAudioDevicePropertyDeviceName = 'name',          // C string
  kAudioDevicePropertyDeviceManufacturer = 'makr',  // C string
  kAudioDevicePropertyChannelName = 'chnm',         // C string
  kAudioDevicePropertyBufferSize = 'bsiz',          // UInt32, bytes
  kAudioDevicePropertyBufferSizeRange = 'bsz#',     // AudioValueRange, bytes
  kAudioDevicePropertyStreamFormat = 'sfmt',        // AudioStreamBasicDescription
  kAudioDevicePropertyStreamFormats = 'sfm#',       // AudioStreamBasicDescription[]
  kAudioDevicePropertyStreamFormatMatch = 'sfmm'    // AudioStreamBasicDescription
};

CF_ENUM(AudioObjectPropertySelector) {
  kAudioStreamPropertyOwningDevice = kAudioObjectPropertyOwner,  // AudioObjectID
  kAudioStreamPropertyPhysicalFormats = 'pft#',                  // AudioStreamBasicDescription[]
  kAudioStreamPropertyPhysicalFormatMatch = 'pftm'               // AudioStreamBasicDescription
};

CF_ENUM(AudioObjectID) {
  kAudioDeviceUnknown = kAudioObjectUnknown,
  kAudioStreamUnknown = kAudioObjectUnknown
};

CF_ENUM(AudioObjectPropertyScope) { kAudioPropertyWildcardPropertyID = kAudioObjectPropertySelectorWildcard };

CA_HEADER_END

#endif

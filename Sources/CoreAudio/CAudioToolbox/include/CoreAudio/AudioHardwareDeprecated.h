// Older names of devices' properties, as programs still write them, and the functions that asked for them before there
// were addresses: inline, in terms of those that ask by address.
#ifndef COREAUDIO_AUDIOHARDWAREDEPRECATED_H
#define COREAUDIO_AUDIOHARDWAREDEPRECATED_H
#pragma GCC system_header

#include <CoreAudio/AudioHardware.h>
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

static inline AudioObjectPropertyAddress CAHardwareAddress_(AudioObjectPropertySelector selector, UInt32 channel,
                                                            AudioObjectPropertyScope scope) {
  AudioObjectPropertyAddress address;
  address.mSelector = selector;
  address.mScope = scope;
  address.mElement = channel;
  return address;
}

// Either pointer may be NULL.
static inline OSStatus CAHardwareInfo_(AudioObjectID object, AudioObjectPropertyAddress address,
                                       UInt32 *_Nullable outSize, Boolean *_Nullable outWritable) {
  UInt32 size = 0;
  Boolean writable = 0;
  OSStatus status = AudioObjectGetPropertyDataSize(object, &address, 0, NULL, &size);
  if (status == 0) { status = AudioObjectIsPropertySettable(object, &address, &writable); }
  if (status == 0 && outSize) { *outSize = size; }
  if (status == 0 && outWritable) { *outWritable = writable; }
  return status;
}

static inline OSStatus AudioHardwareGetPropertyInfo(AudioHardwarePropertyID inPropertyID, UInt32 *_Nullable outSize,
                                                    Boolean *_Nullable outWritable) {
  return CAHardwareInfo_(kAudioObjectSystemObject,
                         CAHardwareAddress_(inPropertyID, 0, kAudioObjectPropertyScopeGlobal), outSize, outWritable);
}

static inline OSStatus AudioHardwareGetProperty(AudioHardwarePropertyID inPropertyID, UInt32 *ioPropertyDataSize,
                                                void *outPropertyData) {
  AudioObjectPropertyAddress address = CAHardwareAddress_(inPropertyID, 0, kAudioObjectPropertyScopeGlobal);
  return AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, ioPropertyDataSize, outPropertyData);
}

static inline OSStatus AudioHardwareSetProperty(AudioHardwarePropertyID inPropertyID, UInt32 inPropertyDataSize,
                                                const void *inPropertyData) {
  AudioObjectPropertyAddress address = CAHardwareAddress_(inPropertyID, 0, kAudioObjectPropertyScopeGlobal);
  return AudioObjectSetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, inPropertyDataSize, inPropertyData);
}

// Channel 0 is the device itself.
static inline OSStatus AudioDeviceGetPropertyInfo(AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput,
                                                  AudioDevicePropertyID inPropertyID, UInt32 *_Nullable outSize,
                                                  Boolean *_Nullable outWritable) {
  AudioObjectPropertyScope scope = isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput;
  return CAHardwareInfo_(inDevice, CAHardwareAddress_(inPropertyID, inChannel, scope), outSize, outWritable);
}

static inline OSStatus AudioDeviceGetProperty(AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput,
                                              AudioDevicePropertyID inPropertyID, UInt32 *ioPropertyDataSize,
                                              void *outPropertyData) {
  AudioObjectPropertyScope scope = isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput;
  AudioObjectPropertyAddress address = CAHardwareAddress_(inPropertyID, inChannel, scope);
  return AudioObjectGetPropertyData(inDevice, &address, 0, NULL, ioPropertyDataSize, outPropertyData);
}

// The moment is not looked at: the change is made at once.
static inline OSStatus AudioDeviceSetProperty(AudioDeviceID inDevice, const AudioTimeStamp *_Nullable inWhen,
                                              UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
                                              UInt32 inPropertyDataSize, const void *inPropertyData) {
  AudioObjectPropertyScope scope = isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput;
  AudioObjectPropertyAddress address = CAHardwareAddress_(inPropertyID, inChannel, scope);
  (void)inWhen;
  return AudioObjectSetPropertyData(inDevice, &address, 0, NULL, inPropertyDataSize, inPropertyData);
}

static inline OSStatus AudioStreamGetPropertyInfo(AudioStreamID inStream, UInt32 inChannel,
                                                  AudioDevicePropertyID inPropertyID, UInt32 *_Nullable outSize,
                                                  Boolean *_Nullable outWritable) {
  return CAHardwareInfo_(inStream, CAHardwareAddress_(inPropertyID, inChannel, kAudioObjectPropertyScopeGlobal),
                         outSize, outWritable);
}

static inline OSStatus AudioStreamGetProperty(AudioStreamID inStream, UInt32 inChannel,
                                              AudioDevicePropertyID inPropertyID, UInt32 *ioPropertyDataSize,
                                              void *outPropertyData) {
  AudioObjectPropertyAddress address = CAHardwareAddress_(inPropertyID, inChannel, kAudioObjectPropertyScopeGlobal);
  return AudioObjectGetPropertyData(inStream, &address, 0, NULL, ioPropertyDataSize, outPropertyData);
}

static inline OSStatus AudioStreamSetProperty(AudioStreamID inStream, const AudioTimeStamp *_Nullable inWhen,
                                              UInt32 inChannel, AudioDevicePropertyID inPropertyID,
                                              UInt32 inPropertyDataSize, const void *inPropertyData) {
  AudioObjectPropertyAddress address = CAHardwareAddress_(inPropertyID, inChannel, kAudioObjectPropertyScopeGlobal);
  (void)inWhen;
  return AudioObjectSetPropertyData(inStream, &address, 0, NULL, inPropertyDataSize, inPropertyData);
}

// MARK: Listeners and callbacks of that time

typedef OSStatus (*AudioHardwarePropertyListenerProc)(AudioHardwarePropertyID inPropertyID,
                                                      void *_Nullable inClientData);

typedef OSStatus (*AudioDevicePropertyListenerProc)(AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput,
                                                    AudioDevicePropertyID inPropertyID, void *_Nullable inClientData);

extern OSStatus AudioHardwareAddPropertyListener(AudioHardwarePropertyID inPropertyID,
                                                 AudioHardwarePropertyListenerProc inProc,
                                                 void *_Nullable inClientData);

// Whatever data it was added with.
extern OSStatus AudioHardwareRemovePropertyListener(AudioHardwarePropertyID inPropertyID,
                                                    AudioHardwarePropertyListenerProc inProc);

extern OSStatus AudioDeviceAddPropertyListener(AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput,
                                               AudioDevicePropertyID inPropertyID,
                                               AudioDevicePropertyListenerProc inProc, void *_Nullable inClientData);

extern OSStatus AudioDeviceRemovePropertyListener(AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput,
                                                  AudioDevicePropertyID inPropertyID,
                                                  AudioDevicePropertyListenerProc inProc);

// The function itself is its identifier.
extern OSStatus AudioDeviceAddIOProc(AudioDeviceID inDevice, AudioDeviceIOProc inProc, void *_Nullable inClientData);

extern OSStatus AudioDeviceRemoveIOProc(AudioDeviceID inDevice, AudioDeviceIOProc inProc);

CA_HEADER_END

#endif

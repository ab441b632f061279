// Audio devices: finding them, asking them, and running a callback on them. There is no hardware behind; what devices
// there are is the library's matter.
#ifndef COREAUDIO_AUDIOHARDWARE_H
#define COREAUDIO_AUDIOHARDWARE_H
#pragma GCC system_header

#include <CoreAudio/AudioHardwareBase.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

// MARK: The system object

CF_ENUM(AudioObjectID) { kAudioObjectSystemObject = 1 };

CF_ENUM(AudioClassID) { kAudioSystemObjectClassID = 'asys' };

CF_ENUM(AudioObjectPropertySelector) {
  kAudioHardwarePropertyDevices = 'dev#',                    // AudioObjectID[]
  kAudioHardwarePropertyDefaultInputDevice = 'dIn ',         // AudioObjectID
  kAudioHardwarePropertyDefaultOutputDevice = 'dOut',        // AudioObjectID
  kAudioHardwarePropertyDefaultSystemOutputDevice = 'sOut',  // AudioObjectID
  kAudioHardwarePropertyTranslateUIDToDevice = 'uidd',       // AudioObjectID of a CFStringRef
  kAudioHardwarePropertyMixStereoToMono = 'stmo',            // UInt32
  kAudioHardwarePropertyProcessIsAudible = 'pmut',           // UInt32
  kAudioHardwarePropertySleepingIsAllowed = 'slep',          // UInt32
  kAudioHardwarePropertyUnloadingIsAllowed = 'unld',         // UInt32
  kAudioHardwarePropertyHogModeIsAllowed = 'hogr',           // UInt32
  kAudioHardwarePropertyServiceRestarted = 'srst',           // UInt32, for listeners
  kAudioHardwarePropertyRunLoop = 'rnlp'                     // CFRunLoopRef
};

// MARK: Devices

CF_ENUM(AudioObjectPropertySelector) {
  kAudioDevicePropertyPlugIn = 'plug',                   // OSStatus
  kAudioDevicePropertyDeviceHasChanged = 'diff',         // UInt32, for listeners
  kAudioDevicePropertyDeviceIsRunningSomewhere = 'gone',  // UInt32
  kAudioDeviceProcessorOverload = 'over',                 // UInt32, for listeners
  kAudioDevicePropertyHogMode = 'oink',                   // pid_t, -1 for no process
  kAudioDevicePropertyBufferFrameSize = 'fsiz',           // UInt32, frames
  kAudioDevicePropertyBufferFrameSizeRange = 'fsz#',      // AudioValueRange, frames
  kAudioDevicePropertyUsesVariableBufferFrameSizes = 'vfsz',  // UInt32, frames
  kAudioDevicePropertyIOCycleUsage = 'ncyc',                  // Float32, 0 to 1
  kAudioDevicePropertyStreamConfiguration = 'slay',           // AudioBufferList, without data
  kAudioDevicePropertyIOProcStreamUsage = 'suse',             // AudioHardwareIOProcStreamUsage
  kAudioDevicePropertyActualSampleRate = 'asrt'               // Float64, hertz
};

// The streams that a callback takes part in.
typedef struct AudioHardwareIOProcStreamUsage {
  void *mIOProc;
  UInt32 mNumberStreams;
  UInt32 mStreamIsOn[1];
} AudioHardwareIOProcStreamUsage;

// MARK: Callbacks

// Several changed properties come in one call.
typedef OSStatus (*AudioObjectPropertyListenerProc)(AudioObjectID inObjectID, UInt32 inNumberAddresses,
                                                    const AudioObjectPropertyAddress *inAddresses,
                                                    void *_Nullable inClientData);

typedef OSStatus (*AudioDeviceIOProc)(AudioObjectID inDevice, const AudioTimeStamp *inNow,
                                      const AudioBufferList *inInputData, const AudioTimeStamp *inInputTime,
                                      AudioBufferList *outOutputData, const AudioTimeStamp *inOutputTime,
                                      void *_Nullable inClientData);

typedef AudioDeviceIOProc AudioDeviceIOProcID;

// MARK: Properties

extern void AudioObjectShow(AudioObjectID inObjectID);

extern Boolean AudioObjectHasProperty(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress);

extern OSStatus AudioObjectIsPropertySettable(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
                                              Boolean *outIsSettable);

extern OSStatus AudioObjectGetPropertyDataSize(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
                                               UInt32 inQualifierDataSize, const void *_Nullable inQualifierData,
                                               UInt32 *outDataSize);

// ioDataSize: in, the room at outData in bytes; out, the bytes written.
extern OSStatus AudioObjectGetPropertyData(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
                                           UInt32 inQualifierDataSize, const void *_Nullable inQualifierData,
                                           UInt32 *ioDataSize, void *outData);

extern OSStatus AudioObjectSetPropertyData(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
                                           UInt32 inQualifierDataSize, const void *_Nullable inQualifierData,
                                           UInt32 inDataSize, const void *inData);

extern OSStatus AudioObjectAddPropertyListener(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
                                               AudioObjectPropertyListenerProc inListener,
                                               void *_Nullable inClientData);

extern OSStatus AudioObjectRemovePropertyListener(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
                                                  AudioObjectPropertyListenerProc inListener,
                                                  void *_Nullable inClientData);

// MARK: Running

extern OSStatus AudioDeviceCreateIOProcID(AudioObjectID inDevice, AudioDeviceIOProc inProc,
                                          void *_Nullable inClientData,
                                          AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID);

extern OSStatus AudioDeviceDestroyIOProcID(AudioObjectID inDevice, AudioDeviceIOProcID inIOProcID);

// Without a callback the device's clock alone starts.
extern OSStatus AudioDeviceStart(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

extern OSStatus AudioDeviceStop(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

CA_HEADER_END

#include <CoreAudio/AudioHardwareDeprecated.h>

#endif

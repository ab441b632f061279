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
  kAudioHardwarePropertyRunLoop = 'rnlp',                    // CFRunLoopRef
  kAudioHardwarePropertyPlugInList = 'plg#',                 // AudioObjectID[]
  kAudioHardwarePropertyTranslateBundleIDToPlugIn = 'bidp',  // AudioObjectID of a CFStringRef
  kAudioHardwarePropertyTransportManagerList = 'tmg#',       // AudioObjectID[]
  kAudioHardwarePropertyTranslateBundleIDToTransportManager = 'tmbi',  // AudioObjectID of a CFStringRef
  kAudioHardwarePropertyBoxList = 'box#',                    // AudioObjectID[]
  kAudioHardwarePropertyTranslateUIDToBox = 'uidb',          // AudioObjectID of a CFStringRef
  kAudioHardwarePropertyClockDeviceList = 'clk#',            // AudioObjectID[]
  kAudioHardwarePropertyTranslateUIDToClockDevice = 'uidc',  // AudioObjectID of a CFStringRef
  kAudioHardwarePropertyProcessObjectList = 'prs#',          // AudioObjectID[]
  kAudioHardwarePropertyTranslatePIDToProcessObject = 'id2p',  // AudioObjectID of a pid_t
  kAudioHardwarePropertyTapList = 'tps#',                    // AudioObjectID[]
  kAudioHardwarePropertyTranslateUIDToTap = 'uidt',          // AudioObjectID of a CFStringRef
  kAudioHardwarePropertyProcessIsMain = 'main',              // UInt32
  kAudioHardwarePropertyProcessIsMaster = 'mast',            // UInt32
  kAudioHardwarePropertyIsInitingOrExiting = 'inot',         // UInt32
  kAudioHardwarePropertyUserIDChanged = 'euid',              // UInt32, to be set
  kAudioHardwarePropertyProcessInputMute = 'pmin',           // UInt32
  kAudioHardwarePropertyUserSessionIsActiveOrHeadless = 'user',  // UInt32
  kAudioHardwarePropertyPowerHint = 'powh'                   // UInt32
};

CF_ENUM(UInt32) {
  kAudioHardwarePowerHintNone = 0,
  kAudioHardwarePowerHintFavorSavingPower = 1
};

// MARK: Devices that are made of others, and process taps: names alone

#define kAudioAggregateDeviceUIDKey "uid"
#define kAudioAggregateDeviceNameKey "name"
#define kAudioAggregateDeviceSubDeviceListKey "subdevices"
#define kAudioAggregateDeviceMainSubDeviceKey "master"
#define kAudioAggregateDeviceMasterSubDeviceKey kAudioAggregateDeviceMainSubDeviceKey
#define kAudioAggregateDeviceClockDeviceKey "clock"
#define kAudioAggregateDeviceIsPrivateKey "private"
#define kAudioAggregateDeviceIsStackedKey "stacked"
#define kAudioAggregateDeviceTapListKey "taps"
#define kAudioAggregateDeviceTapAutoStartKey "tapautostart"
#define kAudioSubDeviceUIDKey "uid"
#define kAudioSubDeviceNameKey "name"
#define kAudioSubDeviceInputChannelsKey "channels-in"
#define kAudioSubDeviceOutputChannelsKey "channels-out"
#define kAudioSubDeviceExtraInputLatencyKey "latency-in"
#define kAudioSubDeviceExtraOutputLatencyKey "latency-out"
#define kAudioSubDeviceDriftCompensationKey "drift"
#define kAudioSubDeviceDriftCompensationQualityKey "drift quality"
#define kAudioSubTapUIDKey "uid"
#define kAudioSubTapExtraInputLatencyKey "latency-in"
#define kAudioSubTapExtraOutputLatencyKey "latency-out"
#define kAudioSubTapDriftCompensationKey "drift"
#define kAudioSubTapDriftCompensationQualityKey "drift quality"

CF_ENUM(AudioClassID) {
  kAudioAggregateDeviceClassID = 'aagg',
  kAudioSubDeviceClassID = 'asub',
  kAudioTapClassID = 'tcls',
  kAudioSubTapClassID = 'stap',
  kAudioProcessClassID = 'clnt',
  kAudioClockDeviceClassID = 'aclk',
  kAudioTransportManagerClassID = 'trpm',
  kAudioEndPointClassID = 'endp',
  kAudioEndPointDeviceClassID = 'edev'
};

CF_ENUM(AudioObjectPropertySelector) {
  kAudioAggregateDevicePropertyFullSubDeviceList = 'grup',    // CFArrayRef of CFStringRef
  kAudioAggregateDevicePropertyActiveSubDeviceList = 'agrp',  // AudioObjectID[]
  kAudioAggregateDevicePropertyComposition = 'acom',          // CFDictionaryRef
  kAudioAggregateDevicePropertyMainSubDevice = 'amst',        // CFStringRef
  kAudioAggregateDevicePropertyMasterSubDevice = kAudioAggregateDevicePropertyMainSubDevice,
  kAudioAggregateDevicePropertyClockDevice = 'apcd',          // CFStringRef
  kAudioAggregateDevicePropertyTapList = 'tap#',              // CFArrayRef of CFStringRef
  kAudioAggregateDevicePropertySubTapList = 'atap',           // AudioObjectID[]
  kAudioSubDevicePropertyExtraLatency = 'xltc',               // Float64, frames
  kAudioSubDevicePropertyDriftCompensation = 'drft',          // UInt32
  kAudioTapPropertyUID = 'tuid',                              // CFStringRef
  kAudioTapPropertyDescription = 'tdsc',                      // an object of Objective-C
  kAudioTapPropertyFormat = 'tfmt',                           // AudioStreamBasicDescription
  kAudioProcessPropertyPID = 'ppid',                          // pid_t
  kAudioProcessPropertyBundleID = 'pbid',                     // CFStringRef
  kAudioProcessPropertyDevices = 'pdv#',                      // AudioObjectID[]
  kAudioProcessPropertyIsRunning = 'pir?',                    // UInt32
  kAudioProcessPropertyIsRunningInput = 'piri',               // UInt32
  kAudioProcessPropertyIsRunningOutput = 'piro'               // UInt32
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

// MARK: Time

// The requested time is that of the input; the others are for drivers, and change nothing here.
CF_ENUM(UInt32) {
  kAudioDeviceStartTimeIsInputFlag = 1U << 0,
  kAudioDeviceStartTimeDontConsultDeviceFlag = 1U << 1,
  kAudioDeviceStartTimeDontConsultHALFlag = 1U << 2
};

// The callback's first call is the cycle that begins at the requested time, or the first one behind it; the time that
// comes back is when that is expected.
extern OSStatus AudioDeviceStartAtTime(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID,
                                       AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

extern OSStatus AudioDeviceGetCurrentTime(AudioObjectID inDevice, AudioTimeStamp *outTime);

// outTime: in, the flags say what is wanted; out, what is valid.
extern OSStatus AudioDeviceTranslateTime(AudioObjectID inDevice, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

extern OSStatus AudioDeviceGetNearestStartTime(AudioObjectID inDevice, AudioTimeStamp *ioRequestedStartTime,
                                               UInt32 inFlags);

// MARK: Blocks

#ifdef __BLOCKS__
struct dispatch_queue_s;

typedef void (^AudioObjectPropertyListenerBlock)(UInt32 inNumberAddresses,
                                                 const AudioObjectPropertyAddress *inAddresses);

typedef void (^AudioDeviceIOBlock)(const AudioTimeStamp *inNow, const AudioBufferList *inInputData,
                                   const AudioTimeStamp *inInputTime, AudioBufferList *outOutputData,
                                   const AudioTimeStamp *inOutputTime);

// Without a queue the block is called on the thread that makes the change.
extern OSStatus AudioObjectAddPropertyListenerBlock(AudioObjectID inObjectID,
                                                    const AudioObjectPropertyAddress *inAddress,
                                                    struct dispatch_queue_s *_Nullable inDispatchQueue,
                                                    AudioObjectPropertyListenerBlock inListener);

// The block that was added: the same object.
extern OSStatus AudioObjectRemovePropertyListenerBlock(AudioObjectID inObjectID,
                                                       const AudioObjectPropertyAddress *inAddress,
                                                       struct dispatch_queue_s *_Nullable inDispatchQueue,
                                                       AudioObjectPropertyListenerBlock inListener);

// Without a queue the block is called on the device's thread, which else waits for it.
extern OSStatus AudioDeviceCreateIOProcIDWithBlock(AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID,
                                                   AudioObjectID inDevice,
                                                   struct dispatch_queue_s *_Nullable inDispatchQueue,
                                                   AudioDeviceIOBlock inIOBlock);
#endif

CA_HEADER_END

#include <CoreAudio/AudioHardwareDeprecated.h>

#endif

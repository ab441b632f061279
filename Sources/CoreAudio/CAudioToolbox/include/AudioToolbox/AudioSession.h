// The audio session of old iOS programs: what the process wants of the audio hardware, and what happens to it. One
// session a process; AudioSessionInitialize comes before all else.
#ifndef AUDIOTOOLBOX_AUDIOSESSION_H
#define AUDIOTOOLBOX_AUDIOSESSION_H
#pragma GCC system_header

#include <AudioToolbox/AudioServices.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef UInt32 AudioSessionPropertyID;

// MARK: Errors

CF_ENUM(OSStatus) {
  kAudioSessionNoError = 0,
  kAudioSessionNotInitialized = '!ini',
  kAudioSessionAlreadyInitialized = 'init',
  kAudioSessionInitializationError = 'ini?',
  kAudioSessionUnsupportedPropertyError = 'pty?',
  kAudioSessionBadPropertySizeError = '!siz',
  kAudioSessionNotActiveError = '!act',
  kAudioSessionNoCategorySet = '?cat',
  kAudioSessionIncompatibleCategory = '!cat',
  kAudioSessionUnspecifiedError = 'what'
};

// MARK: Interruptions

typedef UInt32 AudioSessionInterruptionType;

CF_ENUM(AudioSessionInterruptionType) {
  kAudioSessionInterruptionType_ShouldResume = 'irsm',
  kAudioSessionInterruptionType_ShouldNotResume = '!rsm'
};

// The states that an interruption listener is called with.
CF_ENUM(UInt32) {
  kAudioSessionEndInterruption = 0,
  kAudioSessionBeginInterruption = 1
};

// MARK: Properties

CF_ENUM(AudioSessionPropertyID) {
  kAudioSessionProperty_PreferredHardwareSampleRate = 'hwsr',         // Float64, hertz; a preference
  kAudioSessionProperty_PreferredHardwareIOBufferDuration = 'iobd',   // Float32, seconds; a preference
  kAudioSessionProperty_AudioCategory = 'acat',                       // UInt32
  kAudioSessionProperty_AudioRouteChange = 'roch',                    // CFDictionaryRef, to listeners alone
  kAudioSessionProperty_CurrentHardwareSampleRate = 'chsr',           // Float64, hertz
  kAudioSessionProperty_CurrentHardwareInputNumberChannels = 'chic',  // UInt32
  kAudioSessionProperty_CurrentHardwareOutputNumberChannels = 'choc',  // UInt32
  kAudioSessionProperty_CurrentHardwareOutputVolume = 'chov',          // Float32, 0 to 1
  kAudioSessionProperty_CurrentHardwareInputLatency = 'cilt',          // Float32, seconds
  kAudioSessionProperty_CurrentHardwareOutputLatency = 'colt',         // Float32, seconds
  kAudioSessionProperty_CurrentHardwareIOBufferDuration = 'chbd',      // Float32, seconds
  kAudioSessionProperty_OtherAudioIsPlaying = 'othr',                  // UInt32
  kAudioSessionProperty_OverrideAudioRoute = 'ovrd',                   // UInt32, write only
  kAudioSessionProperty_AudioInputAvailable = 'aiav',                  // UInt32
  kAudioSessionProperty_ServerDied = 'died',                           // UInt32, to listeners alone
  kAudioSessionProperty_OtherMixableAudioShouldDuck = 'duck',          // UInt32
  kAudioSessionProperty_OverrideCategoryMixWithOthers = 'cmix',        // UInt32
  kAudioSessionProperty_OverrideCategoryDefaultToSpeaker = 'cspk',     // UInt32
  kAudioSessionProperty_OverrideCategoryEnableBluetoothInput = 'cblu',  // UInt32
  kAudioSessionProperty_InterruptionType = 'type',                      // UInt32, while an interruption ends
  kAudioSessionProperty_Mode = 'mode',                                  // UInt32
  kAudioSessionProperty_InputSources = 'srcs',                          // CFArrayRef
  kAudioSessionProperty_OutputDestinations = 'dsts',                    // CFArrayRef
  kAudioSessionProperty_InputSource = 'isrc',                           // CFNumberRef
  kAudioSessionProperty_OutputDestination = 'odst',                     // CFNumberRef
  kAudioSessionProperty_InputGainAvailable = 'igav',                    // UInt32
  kAudioSessionProperty_InputGainScalar = 'igsc',                       // Float32, 0 to 1
  kAudioSessionProperty_AudioRouteDescription = 'crar',                 // CFDictionaryRef
  kAudioSessionProperty_AudioRoute = 'rout'                             // CFStringRef; deprecated
};

CF_ENUM(UInt32) {
  kAudioSessionCategory_AmbientSound = 'ambi',
  kAudioSessionCategory_SoloAmbientSound = 'solo',  // the default
  kAudioSessionCategory_MediaPlayback = 'medi',
  kAudioSessionCategory_RecordAudio = 'reca',
  kAudioSessionCategory_PlayAndRecord = 'plar',
  kAudioSessionCategory_AudioProcessing = 'proc',
  kAudioSessionCategory_UserInterfaceSoundEffects = 'uifx',  // deprecated
  kAudioSessionCategory_LiveAudio = 'live'                   // deprecated
};

CF_ENUM(UInt32) {
  kAudioSessionMode_Default = 'dflt',
  kAudioSessionMode_VoiceChat = 'vcct',
  kAudioSessionMode_VideoRecording = 'vrcd',
  kAudioSessionMode_Measurement = 'msmt',
  kAudioSessionMode_GameChat = 'gmct'
};

CF_ENUM(UInt32) {
  kAudioSessionOverrideAudioRoute_None = 0,
  kAudioSessionOverrideAudioRoute_Speaker = 'spkr'
};

CF_ENUM(UInt32) {
  kAudioSessionRouteChangeReason_Unknown = 0,
  kAudioSessionRouteChangeReason_NewDeviceAvailable = 1,
  kAudioSessionRouteChangeReason_OldDeviceUnavailable = 2,
  kAudioSessionRouteChangeReason_CategoryChange = 3,
  kAudioSessionRouteChangeReason_Override = 4,
  // 5 is not used.
  kAudioSessionRouteChangeReason_WakeFromSleep = 6,
  kAudioSessionRouteChangeReason_NoSuitableRouteForCategory = 7,
  kAudioSessionRouteChangeReason_RouteConfigurationChange = 8
};

// MARK: Keys and names

// Literals, as programs write CFSTR(kAudioSession_AudioRouteChangeKey_Reason).
#define kAudioSession_AudioRouteChangeKey_Reason "OutputDeviceDidChange_Reason"
#define kAudioSession_AudioRouteChangeKey_OldRoute "OutputDeviceDidChange_OldRoute"

// CFString constants; what they expand to needs <CoreFoundation/CoreFoundation.h> where they are used. Their contents
// are not public, and plain names of our own choice stand in for them: a program must compare with the constants and
// not with their contents.
#define kAudioSession_AudioRouteChangeKey_PreviousRouteDescription CFSTR("PreviousRouteDescription")
#define kAudioSession_AudioRouteChangeKey_CurrentRouteDescription CFSTR("CurrentRouteDescription")

// Keys of the route description, and of each input and output in it.
#define kAudioSession_AudioRouteKey_Inputs CFSTR("Inputs")
#define kAudioSession_AudioRouteKey_Outputs CFSTR("Outputs")
#define kAudioSession_AudioRouteKey_Type CFSTR("Type")

// Keys of each input source and output destination.
#define kAudioSession_InputSourceKey_ID CFSTR("ID")
#define kAudioSession_InputSourceKey_Description CFSTR("Description")
#define kAudioSession_OutputDestinationKey_ID CFSTR("ID")
#define kAudioSession_OutputDestinationKey_Description CFSTR("Description")

#define kAudioSessionInputRoute_LineIn CFSTR("LineIn")
#define kAudioSessionInputRoute_BuiltInMic CFSTR("BuiltInMic")
#define kAudioSessionInputRoute_HeadsetMic CFSTR("HeadsetMic")
#define kAudioSessionInputRoute_BluetoothHFP CFSTR("BluetoothHFP")
#define kAudioSessionInputRoute_USBAudio CFSTR("USBAudio")

#define kAudioSessionOutputRoute_LineOut CFSTR("LineOut")
#define kAudioSessionOutputRoute_Headphones CFSTR("Headphones")
#define kAudioSessionOutputRoute_BluetoothHFP CFSTR("BluetoothHFP")
#define kAudioSessionOutputRoute_BluetoothA2DP CFSTR("BluetoothA2DP")
#define kAudioSessionOutputRoute_BuiltInReceiver CFSTR("BuiltInReceiver")
#define kAudioSessionOutputRoute_BuiltInSpeaker CFSTR("BuiltInSpeaker")
#define kAudioSessionOutputRoute_USBAudio CFSTR("USBAudio")
#define kAudioSessionOutputRoute_HDMI CFSTR("HDMI")
#define kAudioSessionOutputRoute_AirPlay CFSTR("AirPlay")

// MARK: Callbacks

typedef void (*AudioSessionInterruptionListener)(void *_Nullable inClientData, UInt32 inInterruptionState);
typedef void (*AudioSessionPropertyListener)(void *_Nullable inClientData, AudioSessionPropertyID inID,
                                             UInt32 inDataSize, const void *_Nullable inData);

// MARK: Functions

// No run loop: the main one. No mode: the default mode.
extern OSStatus AudioSessionInitialize(CFRunLoopRef _Nullable inRunLoop, CFStringRef _Nullable inRunLoopMode,
                                       AudioSessionInterruptionListener _Nullable inInterruptionListener,
                                       void *_Nullable inClientData);

extern OSStatus AudioSessionSetActive(Boolean active);

CF_ENUM(UInt32) { kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation = 1 };

extern OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 inFlags);

extern OSStatus AudioSessionGetProperty(AudioSessionPropertyID inID, UInt32 *ioDataSize, void *outData);
extern OSStatus AudioSessionSetProperty(AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);
extern OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID inID, UInt32 *outDataSize);

extern OSStatus AudioSessionAddPropertyListener(AudioSessionPropertyID inID, AudioSessionPropertyListener inProc,
                                                void *_Nullable inClientData);

// Removes all listeners of the property.
extern OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID inID);

extern OSStatus AudioSessionRemovePropertyListenerWithUserData(AudioSessionPropertyID inID,
                                                               AudioSessionPropertyListener inProc,
                                                               void *_Nullable inClientData);

CA_HEADER_END

#endif

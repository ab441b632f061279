// System sounds: short files that are played at once. They play on the simulated hardware.
#ifndef AUDIOTOOLBOX_AUDIOSERVICES_H
#define AUDIOTOOLBOX_AUDIOSERVICES_H
#pragma GCC system_header

#include <AudioToolbox/AudioHardwareService.h>
#include <CoreAudio/AudioHardwareBase.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef UInt32 SystemSoundID;
typedef UInt32 AudioServicesPropertyID;
typedef void (*AudioServicesSystemSoundCompletionProc)(SystemSoundID ssID, void *_Nullable clientData);

CF_ENUM(SystemSoundID) {
  kSystemSoundID_UserPreferredAlert = 0x00001000,
  kSystemSoundID_FlashScreen = 0x00000FFE,
  kSystemSoundID_Vibrate = 0x00000FFF,
  kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
};

CF_ENUM(AudioServicesPropertyID) {
  kAudioServicesPropertyIsUISound = 'isui',
  kAudioServicesPropertyCompletePlaybackIfAppDies = 'ifdi'
};

CF_ENUM(OSStatus) {
  kAudioServicesNoError = 0,
  kAudioServicesUnsupportedPropertyError = 'pty?',
  kAudioServicesBadPropertySizeError = '!siz',
  kAudioServicesBadSpecifierSizeError = '!spc',
  kAudioServicesSystemSoundUnspecifiedError = -1500,
  kAudioServicesSystemSoundClientTimedOutError = -1501,
  kAudioServicesNoHardwareError = 'nohw'
};

// A CFURLRef of a file, of 30 s at the most.
extern OSStatus AudioServicesCreateSystemSoundID(CFURLRef inFileURL, SystemSoundID *outSystemSoundID);
extern OSStatus AudioServicesDisposeSystemSoundID(SystemSoundID inSystemSoundID);

extern void AudioServicesPlaySystemSound(SystemSoundID inSystemSoundID);
extern void AudioServicesPlayAlertSound(SystemSoundID inSystemSoundID);
#ifdef __BLOCKS__
extern void AudioServicesPlaySystemSoundWithCompletion(
    SystemSoundID inSystemSoundID, void (^_Nullable inCompletionBlock)(void));
extern void AudioServicesPlayAlertSoundWithCompletion(
    SystemSoundID inSystemSoundID, void (^_Nullable inCompletionBlock)(void));
#endif

// On the main run loop, in the default mode, where none are given.
extern OSStatus AudioServicesAddSystemSoundCompletion(
    SystemSoundID inSystemSoundID, CFRunLoopRef _Nullable inRunLoop, CFStringRef _Nullable inRunLoopMode,
    AudioServicesSystemSoundCompletionProc inCompletionRoutine, void *_Nullable inClientData);
extern void AudioServicesRemoveSystemSoundCompletion(SystemSoundID inSystemSoundID);

// The specifier is a SystemSoundID, the value a UInt32.
extern OSStatus AudioServicesGetPropertyInfo(
    AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 *_Nullable outPropertyDataSize, Boolean *_Nullable outWritable);
extern OSStatus AudioServicesGetProperty(
    AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 *ioPropertyDataSize, void *_Nullable outPropertyData);
extern OSStatus AudioServicesSetProperty(
    AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 inPropertyDataSize, const void *inPropertyData);

CA_HEADER_END

#endif

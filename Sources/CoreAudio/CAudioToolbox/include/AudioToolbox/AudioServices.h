// System sounds: names and error codes alone. A bench plays none, so the functions are not declared.
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

CA_HEADER_END

#endif

// The volume that a person sets, as a property of a device: names alone. The simulated device has none.
#ifndef AUDIOTOOLBOX_AUDIOHARDWARESERVICE_H
#define AUDIOTOOLBOX_AUDIOHARDWARESERVICE_H

#include <CoreAudio/AudioHardwareBase.h>

CA_HEADER_BEGIN

CF_ENUM(AudioObjectPropertySelector) {
  kAudioHardwareServiceDeviceProperty_VirtualMainVolume = 'vmvc',   // Float32, 0 to 1
  kAudioHardwareServiceDeviceProperty_VirtualMasterVolume = 'vmvc',
  kAudioHardwareServiceDeviceProperty_VirtualMainBalance = 'vmbc',  // Float32, 0 to 1
  kAudioHardwareServiceDeviceProperty_VirtualMasterBalance = 'vmbc',
  kAudioHardwareServiceProperty_ServiceRestarted = 'srst'
};

CA_HEADER_END

#endif

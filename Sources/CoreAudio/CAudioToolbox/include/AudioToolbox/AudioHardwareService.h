// The properties of devices by other functions, and two more: the volume and the balance that a person sets. The
// simulated device has neither.
#ifndef AUDIOTOOLBOX_AUDIOHARDWARESERVICE_H
#define AUDIOTOOLBOX_AUDIOHARDWARESERVICE_H
#pragma GCC system_header

#include <CoreAudio/AudioHardware.h>

CA_HEADER_BEGIN

CF_ENUM(AudioObjectPropertySelector) {
  kAudioHardwareServiceDeviceProperty_VirtualMainVolume = 'vmvc',   // Float32, 0 to 1
  kAudioHardwareServiceDeviceProperty_VirtualMasterVolume = 'vmvc',
  kAudioHardwareServiceDeviceProperty_VirtualMainBalance = 'vmbc',  // Float32, 0 to 1
  kAudioHardwareServiceDeviceProperty_VirtualMasterBalance = 'vmbc',
  kAudioHardwareServiceProperty_ServiceRestarted = 'srst'
};

// Each is the AudioObject function of <CoreAudio/AudioHardware.h> that ends alike.
extern Boolean AudioHardwareServiceHasProperty(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress);
extern OSStatus AudioHardwareServiceIsPropertySettable(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, Boolean *outIsSettable);
extern OSStatus AudioHardwareServiceGetPropertyDataSize(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 *outDataSize);
extern OSStatus AudioHardwareServiceGetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 *ioDataSize, void *outData);
extern OSStatus AudioHardwareServiceSetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 inDataSize, const void *inData);
extern OSStatus AudioHardwareServiceAddPropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, AudioObjectPropertyListenerProc inListener,
    void *_Nullable inClientData);
extern OSStatus AudioHardwareServiceRemovePropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, AudioObjectPropertyListenerProc inListener,
    void *_Nullable inClientData);

CA_HEADER_END

#endif

// Finding audio components, opening and closing them, and registering one's own.
#ifndef AUDIOTOOLBOX_AUDIOCOMPONENT_H
#define AUDIOTOOLBOX_AUDIOCOMPONENT_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

// Flags of a component; the first may be requested, the others are set by the system.
typedef CF_OPTIONS(UInt32, AudioComponentFlags){
    kAudioComponentFlag_Unsearchable = (1U << 0),  // found only by its full description
    kAudioComponentFlag_SandboxSafe = (1U << 1),
    kAudioComponentFlag_IsV3AudioUnit = (1U << 2),
    kAudioComponentFlag_RequiresAsyncInstantiation = (1U << 3),
    kAudioComponentFlag_CanLoadInProcess = (1U << 4),
};

typedef CF_OPTIONS(UInt32, AudioComponentInstantiationOptions){
    kAudioComponentInstantiation_LoadOutOfProcess = (1U << 0),
    kAudioComponentInstantiation_LoadInProcess = (1U << 1),
    kAudioComponentInstantiation_LoadedRemotely = (1U << 31),
};

typedef CA_NAMED_ENUM(UInt32, AudioComponentValidationResult){
    kAudioComponentValidationResult_Unknown = 0,
    kAudioComponentValidationResult_Passed = 1,
    kAudioComponentValidationResult_Failed = 2,
    kAudioComponentValidationResult_TimedOut = 3,
    kAudioComponentValidationResult_UnauthorizedError_Open = 4,
    kAudioComponentValidationResult_UnauthorizedError_Init = 5,
};

// Kind, unit, maker: in a search 0 means any. Flags and mask are 0 unless a flag is wanted.
#pragma pack(push, 4)
typedef struct AudioComponentDescription {
  OSType componentType;
  OSType componentSubType;
  OSType componentManufacturer;
  UInt32 componentFlags;
  UInt32 componentFlagsMask;
} AudioComponentDescription;
#pragma pack(pop)

// A component that can be opened, and one that is open.
typedef struct OpaqueAudioComponent *AudioComponent;
typedef struct OpaqueAudioComponentInstance *AudioComponentInstance;

// MARK: The side of a component's maker

typedef struct AudioComponentPlugInInterface AudioComponentPlugInInterface;

// The method of a selector; cast to the prototype of that selector. (Swift sees no variable arguments.)
#ifdef __swift__
typedef OSStatus (*AudioComponentMethod)(void *self);
#else
typedef OSStatus (*AudioComponentMethod)(void *self, ...);
#endif

typedef AudioComponentPlugInInterface *_Nullable (*AudioComponentFactoryFunction)(
    const AudioComponentDescription *inDesc);

// Lookup answers NULL for what the component does not do.
struct AudioComponentPlugInInterface {
  OSStatus (*Open)(void *self, AudioComponentInstance mInstance);
  OSStatus (*Close)(void *self);
  AudioComponentMethod _Nullable (*_Nonnull Lookup)(SInt16 selector);
  void *_Nullable reserved;
};

// MARK: Functions

extern AudioComponent _Nullable AudioComponentFindNext(
    AudioComponent _Nullable inComponent, const AudioComponentDescription *inDesc);
extern UInt32 AudioComponentCount(const AudioComponentDescription *inDesc);
extern OSStatus AudioComponentCopyName(AudioComponent inComponent, CFStringRef _Nullable *_Nonnull outName);
extern OSStatus AudioComponentGetDescription(
    AudioComponent inComponent, AudioComponentDescription *outDesc);
extern OSStatus AudioComponentGetVersion(AudioComponent inComponent, UInt32 *outVersion);

extern OSStatus AudioComponentInstanceNew(
    AudioComponent inComponent, AudioComponentInstance _Nullable *_Nonnull outInstance);
extern OSStatus AudioComponentInstanceDispose(AudioComponentInstance inInstance);
extern AudioComponent _Nullable AudioComponentInstanceGetComponent(AudioComponentInstance inInstance);
extern Boolean AudioComponentInstanceCanDo(AudioComponentInstance inInstance, SInt16 inSelectorID);

#ifdef __BLOCKS__
extern void AudioComponentInstantiate(
    AudioComponent inComponent, AudioComponentInstantiationOptions inOptions,
    void (^inCompletionHandler)(AudioComponentInstance _Nullable, OSStatus));
#endif

extern AudioComponent _Nullable AudioComponentRegister(
    const AudioComponentDescription *inDesc, CFStringRef inName, UInt32 inVersion,
    AudioComponentFactoryFunction inFactory);

extern OSStatus AudioComponentCopyConfigurationInfo(
    AudioComponent inComponent, CFDictionaryRef _Nullable *_Nonnull outConfigurationInfo);
extern OSStatus AudioComponentValidate(
    AudioComponent inComponent, CFDictionaryRef _Nullable inValidationParameters,
    AudioComponentValidationResult *outValidationResult);
#ifdef __BLOCKS__
extern void AudioComponentValidateWithResults(
    AudioComponent inComponent, CFDictionaryRef _Nullable inValidationParameters,
    void (^inCompletionHandler)(AudioComponentValidationResult, CFDictionaryRef));
#endif

CA_HEADER_END

// MARK: Dictionary keys

// Keys of the configuration.
#define kAudioUnitConfigurationInfo_HasCustomView "HasCustomView"
#define kAudioUnitConfigurationInfo_ChannelConfigurations "ChannelConfigurations"
#define kAudioUnitConfigurationInfo_InitialInputs "InitialInputs"
#define kAudioUnitConfigurationInfo_InitialOutputs "InitialOutputs"
#define kAudioUnitConfigurationInfo_IconURL "IconURL"
#define kAudioUnitConfigurationInfo_BusCountWritable "BusCountWritable"
#define kAudioUnitConfigurationInfo_SupportedChannelLayoutTags "SupportedChannelLayoutTags"
#define kAudioUnitConfigurationInfo_MIDIProtocol "MIDIProtocol"
#define kAudioUnitConfigurationInfo_MigrateFromPlugin "MigrateFromPlugin"
#define kAudioUnitConfigurationInfo_AvailableArchitectures "AvailableArchitectures"
#define kAudioComponentConfigurationInfo_ValidationResult "ValidationResult"
// Parameters of a validation.
#define kAudioComponentValidationParameter_TimeOut "TimeOut"  // seconds
#define kAudioComponentValidationParameter_ForceValidation "ForceValidation"
#define kAudioComponentValidationParameter_LoadOutOfProcess "LoadOutOfProcess"

#endif

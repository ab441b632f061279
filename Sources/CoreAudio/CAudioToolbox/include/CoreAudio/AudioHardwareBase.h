// The object model of audio devices: objects, the addresses of their properties, and the properties of devices and
// streams.
#ifndef COREAUDIO_AUDIOHARDWAREBASE_H
#define COREAUDIO_AUDIOHARDWAREBASE_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

// MARK: Types

typedef UInt32 AudioObjectID;
typedef UInt32 AudioClassID;
typedef UInt32 AudioObjectPropertySelector;
typedef UInt32 AudioObjectPropertyScope;
typedef UInt32 AudioObjectPropertyElement;

// The property, the side of the object, and the channel.
typedef struct AudioObjectPropertyAddress {
  AudioObjectPropertySelector mSelector;
  AudioObjectPropertyScope mScope;
  AudioObjectPropertyElement mElement;
} AudioObjectPropertyAddress;

typedef AudioObjectID AudioDeviceID;
typedef AudioObjectID AudioStreamID;
typedef AudioObjectPropertySelector AudioHardwarePropertyID;
typedef AudioObjectPropertySelector AudioDevicePropertyID;
typedef AudioObjectPropertySelector AudioStreamPropertyID;

// A format with the rates at which a stream has it.
typedef struct AudioStreamRangedDescription {
  AudioStreamBasicDescription mFormat;
  AudioValueRange mSampleRateRange;
} AudioStreamRangedDescription;

// MARK: Constants of all objects

CF_ENUM(AudioObjectID) { kAudioObjectUnknown = 0 };

CF_ENUM(AudioObjectPropertySelector) { kAudioObjectPropertySelectorWildcard = '****' };
CF_ENUM(AudioClassID) { kAudioObjectClassIDWildcard = '****' };
CF_ENUM(AudioObjectPropertyElement) { kAudioObjectPropertyElementWildcard = 0xFFFFFFFF };

CF_ENUM(AudioObjectPropertyScope) {
  kAudioObjectPropertyScopeWildcard = '****',
  kAudioObjectPropertyScopeGlobal = 'glob',
  kAudioObjectPropertyScopeInput = 'inpt',
  kAudioObjectPropertyScopeOutput = 'outp',
  kAudioObjectPropertyScopePlayThrough = 'ptru',
  kAudioDevicePropertyScopeInput = kAudioObjectPropertyScopeInput,
  kAudioDevicePropertyScopeOutput = kAudioObjectPropertyScopeOutput,
  kAudioDevicePropertyScopePlayThrough = kAudioObjectPropertyScopePlayThrough
};

// Element 0 is the object as a whole; the channels count from 1.
CF_ENUM(AudioObjectPropertyElement) {
  kAudioObjectPropertyElementMain = 0,
  kAudioObjectPropertyElementMaster = kAudioObjectPropertyElementMain
};

CF_ENUM(AudioClassID) {
  kAudioObjectClassID = 'aobj',
  kAudioDeviceClassID = 'adev',
  kAudioStreamClassID = 'astr',
  kAudioControlClassID = 'actl',
  kAudioPlugInClassID = 'aplg',
  kAudioBoxClassID = 'abox'
};

CF_ENUM(AudioObjectPropertySelector) {
  kAudioObjectPropertyBaseClass = 'bcls',     // AudioClassID
  kAudioObjectPropertyClass = 'clas',         // AudioClassID
  kAudioObjectPropertyOwner = 'stdv',         // AudioObjectID
  kAudioObjectPropertyName = 'lnam',          // CFStringRef, the caller releases it
  kAudioObjectPropertyModelName = 'lmod',     // CFStringRef, the caller releases it
  kAudioObjectPropertyManufacturer = 'lmak',  // CFStringRef, the caller releases it
  kAudioObjectPropertyElementName = 'lchn',   // CFStringRef, the caller releases it
  kAudioObjectPropertyOwnedObjects = 'ownd'   // AudioObjectID[]
};

// MARK: Errors

CF_ENUM(OSStatus) {
  kAudioHardwareNoError = 0,
  kAudioHardwareNotRunningError = 'stop',
  kAudioHardwareUnspecifiedError = 'what',
  kAudioHardwareUnknownPropertyError = 'who?',
  kAudioHardwareBadPropertySizeError = '!siz',
  kAudioHardwareIllegalOperationError = 'nope',
  kAudioHardwareBadObjectError = '!obj',
  kAudioHardwareBadDeviceError = '!dev',
  kAudioHardwareBadStreamError = '!str',
  kAudioHardwareUnsupportedOperationError = 'unop',
  kAudioDeviceUnsupportedFormatError = '!dat',
  kAudioDevicePermissionsError = '!hog'
};

// MARK: Devices

CF_ENUM(AudioObjectPropertySelector) {
  kAudioDevicePropertyDeviceUID = 'uid ',                    // CFStringRef, the caller releases it
  kAudioDevicePropertyModelUID = 'muid',                     // CFStringRef, the caller releases it
  kAudioDevicePropertyTransportType = 'tran',                // UInt32
  kAudioDevicePropertyRelatedDevices = 'akin',               // AudioObjectID[]
  kAudioDevicePropertyClockDomain = 'clkd',                  // UInt32
  kAudioDevicePropertyDeviceIsAlive = 'livn',                // UInt32
  kAudioDevicePropertyDeviceIsRunning = 'goin',              // UInt32
  kAudioDevicePropertyDeviceCanBeDefaultDevice = 'dflt',        // UInt32
  kAudioDevicePropertyDeviceCanBeDefaultSystemDevice = 'sflt',  // UInt32
  kAudioDevicePropertyLatency = 'ltnc',                         // UInt32, frames
  kAudioDevicePropertyStreams = 'stm#',                         // AudioObjectID[]
  kAudioObjectPropertyControlList = 'ctrl',                     // AudioObjectID[]
  kAudioDevicePropertySafetyOffset = 'saft',                    // UInt32, frames
  kAudioDevicePropertyNominalSampleRate = 'nsrt',               // Float64, hertz
  kAudioDevicePropertyAvailableNominalSampleRates = 'nsr#',     // AudioValueRange[]
  kAudioDevicePropertyIcon = 'icon',                            // CFURLRef, the caller releases it
  kAudioDevicePropertyIsHidden = 'hidn',                        // UInt32
  kAudioDevicePropertyPreferredChannelsForStereo = 'dch2',      // UInt32[2]
  kAudioDevicePropertyPreferredChannelLayout = 'srnd'           // AudioChannelLayout
};

CF_ENUM(UInt32) {
  kAudioDeviceTransportTypeUnknown = 0,
  kAudioDeviceTransportTypeBuiltIn = 'bltn',
  kAudioDeviceTransportTypeAggregate = 'grup',
  kAudioDeviceTransportTypeVirtual = 'virt',
  kAudioDeviceTransportTypePCI = 'pci ',
  kAudioDeviceTransportTypeUSB = 'usb ',
  kAudioDeviceTransportTypeFireWire = '1394',
  kAudioDeviceTransportTypeBluetooth = 'blue',
  kAudioDeviceTransportTypeHDMI = 'hdmi',
  kAudioDeviceTransportTypeDisplayPort = 'dprt',
  kAudioDeviceTransportTypeAirPlay = 'airp',
  kAudioDeviceTransportTypeThunderbolt = 'thun'
};

// MARK: Streams

CF_ENUM(AudioObjectPropertySelector) {
  kAudioStreamPropertyIsActive = 'sact',         // UInt32
  kAudioStreamPropertyDirection = 'sdir',        // UInt32: 0 output, 1 input
  kAudioStreamPropertyTerminalType = 'term',     // UInt32
  kAudioStreamPropertyStartingChannel = 'schn',  // UInt32, from 1
  kAudioStreamPropertyLatency = kAudioDevicePropertyLatency,
  kAudioStreamPropertyVirtualFormat = 'sfmt',             // AudioStreamBasicDescription
  kAudioStreamPropertyAvailableVirtualFormats = 'sfma',   // AudioStreamRangedDescription[]
  kAudioStreamPropertyPhysicalFormat = 'pft ',            // AudioStreamBasicDescription
  kAudioStreamPropertyAvailablePhysicalFormats = 'pfta'   // AudioStreamRangedDescription[]
};

CF_ENUM(UInt32) {
  kAudioStreamTerminalTypeUnknown = 0,
  kAudioStreamTerminalTypeLine = 'line',
  kAudioStreamTerminalTypeSpeaker = 'spkr',
  kAudioStreamTerminalTypeHeadphones = 'hdph',
  kAudioStreamTerminalTypeMicrophone = 'micr'
};

// MARK: Controls

CF_ENUM(AudioObjectPropertySelector) {
  kAudioDevicePropertyVolumeScalar = 'volm',    // Float32, 0 to 1
  kAudioDevicePropertyVolumeDecibels = 'vold',  // Float32, dB
  kAudioDevicePropertyMute = 'mute',            // UInt32
  kAudioDevicePropertyDataSource = 'ssrc',      // UInt32
  kAudioDevicePropertyDataSources = 'ssc#',     // UInt32[]
  kAudioDevicePropertyDataSourceNameForIDCFString = 'lscn',  // AudioValueTranslation
  kAudioDevicePropertyDataSourceKindForID = 'ssck',          // AudioValueTranslation
  kAudioDevicePropertyClockSource = 'csrc',                  // UInt32
  kAudioDevicePropertyClockSources = 'csc#',                 // UInt32[]
  kAudioDevicePropertyClockSourceNameForIDCFString = 'lcsn',  // AudioValueTranslation
  kAudioDevicePropertyClockSourceKindForID = 'csck',          // AudioValueTranslation
  kAudioDevicePropertyPlayThru = 'thru',                      // UInt32
  kAudioDevicePropertyPlayThruSolo = 'thrs',                  // UInt32
  kAudioDevicePropertyPlayThruVolumeScalar = 'mvsc',          // Float32, 0 to 1
  kAudioDevicePropertyPlayThruVolumeDecibels = 'mvdb',        // Float32, dB
  kAudioDevicePropertyPlayThruVolumeRangeDecibels = 'mvd#',   // AudioValueRange, dB
  kAudioDevicePropertyPlayThruVolumeScalarToDecibels = 'mv2d',  // Float32
  kAudioDevicePropertyPlayThruVolumeDecibelsToScalar = 'mv2s',  // Float32
  kAudioDevicePropertyPlayThruStereoPan = 'mspn',               // Float32, 0 to 1
  kAudioDevicePropertyPlayThruStereoPanChannels = 'msp#',       // UInt32[2]
  kAudioDevicePropertyPlayThruDestination = 'mdds',             // UInt32
  kAudioDevicePropertyPlayThruDestinations = 'mdd#',            // UInt32[]
  kAudioDevicePropertyPlayThruDestinationNameForIDCFString = 'mddc',  // AudioValueTranslation
  kAudioDevicePropertySubVolumeScalar = 'svlm',                 // Float32, 0 to 1
  kAudioDevicePropertySubVolumeDecibels = 'svld',               // Float32, dB
  kAudioDevicePropertySubVolumeRangeDecibels = 'svd#',          // AudioValueRange, dB
  kAudioDevicePropertySubVolumeScalarToDecibels = 'sv2d',       // Float32
  kAudioDevicePropertySubVolumeDecibelsToScalar = 'sd2v',       // Float32
  kAudioDevicePropertySubMute = 'smut',                         // UInt32
  kAudioDevicePropertyVolumeRangeDecibels = 'vdb#',             // AudioValueRange, dB
  kAudioDevicePropertyVolumeScalarToDecibels = 'v2db',          // Float32
  kAudioDevicePropertyVolumeDecibelsToScalar = 'db2v',          // Float32
  kAudioDevicePropertyStereoPan = 'span',                       // Float32, 0 to 1
  kAudioDevicePropertyStereoPanChannels = 'spn#',               // UInt32[2]
  kAudioDevicePropertyJackIsConnected = 'jack',                 // UInt32
  kAudioDevicePropertySolo = 'solo'                             // UInt32
};

CA_HEADER_END

#endif

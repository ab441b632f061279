// Codecs: the properties and values that programs hand to a converter for its codec. No codec that has them is here, so
// converters answer that they are not supported.
#ifndef AUDIOTOOLBOX_AUDIOCODEC_H
#define AUDIOTOOLBOX_AUDIOCODEC_H
#pragma GCC system_header

#include <AudioToolbox/AudioComponent.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef UInt32 AudioCodecPropertyID;
typedef AudioComponentInstance AudioCodec;

CF_ENUM(UInt32) {
  kAudioDecoderComponentType = 'adec',
  kAudioEncoderComponentType = 'aenc',
  kAudioUnityCodecComponentType = 'acdc'
};

// The values that a codec has while it works.
CF_ENUM(AudioCodecPropertyID) {
  kAudioCodecPropertyCurrentInputFormat = 'ifmt',      // AudioStreamBasicDescription
  kAudioCodecPropertyCurrentOutputFormat = 'ofmt',     // AudioStreamBasicDescription
  kAudioCodecPropertyMagicCookie = 'kuki',             // bytes
  kAudioCodecPropertyPacketFrameSize = 'pakf',         // UInt32, frames
  kAudioCodecPropertyMaximumPacketByteSize = 'pakb',   // UInt32, bytes
  kAudioCodecPropertyCurrentInputSampleRate = 'cisr',  // Float64, Hz
  kAudioCodecPropertyCurrentOutputSampleRate = 'cosr', // Float64, Hz
  kAudioCodecPropertyQualitySetting = 'srcq',          // UInt32, 0 to 127
  kAudioCodecPropertyCurrentTargetBitRate = 'brat',    // UInt32, bits per second
  kAudioCodecPropertyPrimeMethod = 'prmm',             // UInt32
  kAudioCodecPropertyPrimeInfo = 'prim',               // AudioCodecPrimeInfo
  kAudioCodecPropertySettings = 'acs ',                // CFDictionary
  kAudioCodecPropertyFormatList = 'acfl',              // AudioFormatListItem[]
  kAudioCodecPropertyBitRateControlMode = 'acbf',      // UInt32
  kAudioCodecPropertySoundQualityForVBR = 'vbrq',      // UInt32, 0 to 127
  kAudioCodecPropertyBitRateForVBR = 'vbrb',           // UInt32, bits per second
  kAudioCodecPropertyPacketSizeLimitForVBR = 'pakl'    // UInt32, bits
};

// The older names of the control of the rate.
CF_ENUM(AudioCodecPropertyID) {
  kAudioCodecBitRateFormat = kAudioCodecPropertyBitRateControlMode
};
CF_ENUM(UInt32) {
  kAudioCodecBitRateFormat_CBR = 0,
  kAudioCodecBitRateFormat_ABR = 1,
  kAudioCodecBitRateFormat_VBR = 2
};

CF_ENUM(OSStatus) {
  kAudioCodecNoError = 0,
  kAudioCodecUnspecifiedError = 'what',
  kAudioCodecUnknownPropertyError = 'who?',
  kAudioCodecBadPropertySizeError = '!siz',
  kAudioCodecIllegalOperationError = 'nope',
  kAudioCodecUnsupportedFormatError = '!dat',
  kAudioCodecStateError = '!stt',
  kAudioCodecNotEnoughBufferSpaceError = '!buf',
  kAudioCodecBadDataError = 'bada'
};

CF_ENUM(UInt32) {
  kAudioCodecBitRateControlMode_Constant = 0,
  kAudioCodecBitRateControlMode_LongTermAverage = 1,
  kAudioCodecBitRateControlMode_VariableConstrained = 2,
  kAudioCodecBitRateControlMode_Variable = 3
};

CF_ENUM(UInt32) {
  kAudioCodecQuality_Max = 0x7F,
  kAudioCodecQuality_High = 0x60,
  kAudioCodecQuality_Medium = 0x40,
  kAudioCodecQuality_Low = 0x20,
  kAudioCodecQuality_Min = 0
};

typedef struct AudioCodecPrimeInfo {
  UInt32 leadingFrames;
  UInt32 trailingFrames;
} AudioCodecPrimeInfo;

CA_HEADER_END

#endif

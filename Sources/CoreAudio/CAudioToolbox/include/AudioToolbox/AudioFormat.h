// Answers questions about formats and channel layouts that belong to no file and no unit. Any thread.
#ifndef AUDIOTOOLBOX_AUDIOFORMAT_H
#define AUDIOTOOLBOX_AUDIOFORMAT_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef UInt32 AudioFormatPropertyID;

// MARK: Structures

typedef CA_NAMED_ENUM(UInt32, AudioPanningMode) {
  kPanningMode_SoundField = 3,
  kPanningMode_VectorBasedPanning = 4
};

// The direction of a mono source: the specifier of PanningMatrix.
typedef struct AudioPanningInfo {
  AudioPanningMode mPanningMode;
  UInt32 mCoordinateFlags;
  Float32 mCoordinates[3];
  Float32 mGainScale;
  const AudioChannelLayout *_Nullable mOutputChannelMap;
} AudioPanningInfo;

typedef CA_NAMED_ENUM(UInt32, AudioBalanceFadeType) {
  kAudioBalanceFadeType_MaxUnityGain = 0,
  kAudioBalanceFadeType_EqualPower = 1
};

// The specifier of BalanceFade; both positions -1 to 1.
typedef struct AudioBalanceFade {
  Float32 mLeftRightBalance;
  Float32 mBackFrontFade;
  AudioBalanceFadeType mType;
  const AudioChannelLayout *_Nullable mChannelLayout;
} AudioBalanceFade;

typedef struct AudioFormatInfo {
  AudioStreamBasicDescription mASBD;
  const void *_Nullable mMagicCookie;
  UInt32 mMagicCookieSize;
} AudioFormatInfo;

typedef struct ExtendedAudioFormatInfo {
  AudioStreamBasicDescription mASBD;
  const void *_Nullable mMagicCookie;
  UInt32 mMagicCookieSize;
  AudioClassDescription mClassDescription;
} ExtendedAudioFormatInfo;

typedef struct AudioFormatListItem {
  AudioStreamBasicDescription mASBD;
  AudioChannelLayoutTag mChannelLayoutTag;
} AudioFormatListItem;

// MARK: Properties

CF_ENUM(AudioFormatPropertyID) {
  // About a stream format.
  kAudioFormatProperty_FormatInfo = 'fmti',  // AudioStreamBasicDescription, in and out
  kAudioFormatProperty_FormatName = 'fnam',  // CFStringRef of an AudioStreamBasicDescription
  kAudioFormatProperty_EncodeFormatIDs = 'acof',  // UInt32[]
  kAudioFormatProperty_DecodeFormatIDs = 'acif',  // UInt32[]
  kAudioFormatProperty_FormatList = 'flst',       // AudioFormatListItem[] of an AudioFormatInfo
  kAudioFormatProperty_OutputFormatList = 'ofls',
  kAudioFormatProperty_FirstPlayableFormatFromList = 'fpfl',
  kAudioFormatProperty_FormatIsVBR = 'fvbr',               // UInt32 of an AudioStreamBasicDescription
  kAudioFormatProperty_FormatIsExternallyFramed = 'fexf',  // UInt32 of an AudioStreamBasicDescription
  kAudioFormatProperty_FormatEmploysDependentPackets = 'fdep',
  kAudioFormatProperty_FormatIsEncrypted = 'cryp',
  kAudioFormatProperty_ASBDFromESDS = 'essd',
  kAudioFormatProperty_ChannelLayoutFromESDS = 'escl',
  kAudioFormatProperty_ASBDFromMPEGPacket = 'admp',
  kAudioFormatProperty_Encoders = 'aven',  // AudioClassDescription[] of a format id
  kAudioFormatProperty_Decoders = 'avde',  // AudioClassDescription[] of a format id
  kAudioFormatProperty_AvailableEncodeBitRates = 'aebr',
  kAudioFormatProperty_AvailableEncodeSampleRates = 'aesr',
  kAudioFormatProperty_AvailableEncodeChannelLayoutTags = 'aecl',
  kAudioFormatProperty_AvailableEncodeNumberChannels = 'avnc',
  kAudioFormatProperty_AvailableDecodeNumberChannels = 'adnc',

  // About channels and their layouts.
  kAudioFormatProperty_BitmapForLayoutTag = 'bmtg',         // UInt32 of an AudioChannelLayoutTag
  kAudioFormatProperty_MatrixMixMap = 'mmap',               // Float32[in][out] of two AudioChannelLayout *
  kAudioFormatProperty_ChannelMap = 'chmp',                 // SInt32[out] of two AudioChannelLayout *
  kAudioFormatProperty_NumberOfChannelsForLayout = 'nchm',  // UInt32
  kAudioFormatProperty_AreChannelLayoutsEquivalent = 'cheq',
  kAudioFormatProperty_ChannelLayoutHash = 'chha',
  kAudioFormatProperty_ValidateChannelLayout = 'vacl',
  kAudioFormatProperty_ChannelLayoutForTag = 'cmpl',     // AudioChannelLayout of an AudioChannelLayoutTag
  kAudioFormatProperty_TagForChannelLayout = 'cmpt',     // AudioChannelLayoutTag of an AudioChannelLayout
  kAudioFormatProperty_ChannelLayoutName = 'lonm',       // CFStringRef
  kAudioFormatProperty_ChannelLayoutSimpleName = 'lsnm',  // CFStringRef
  kAudioFormatProperty_ChannelLayoutForBitmap = 'cmpb',   // AudioChannelLayout of a UInt32
  kAudioFormatProperty_ChannelName = 'cnam',              // CFStringRef of an AudioChannelDescription
  kAudioFormatProperty_ChannelShortName = 'csnm',         // CFStringRef of an AudioChannelDescription
  kAudioFormatProperty_TagsForNumberOfChannels = 'tagc',  // AudioChannelLayoutTag[] of a UInt32
  kAudioFormatProperty_PanningMatrix = 'panm',            // Float32[] of an AudioPanningInfo
  kAudioFormatProperty_BalanceFade = 'balf',              // Float32[] of an AudioBalanceFade

  // About ID3 tags.
  kAudioFormatProperty_ID3TagSize = 'id3s',
  kAudioFormatProperty_ID3TagToDictionary = 'id3d'
};

CF_ENUM(UInt32) {
  kAppleSoftwareAudioCodecManufacturer = 'appl',
  kAppleHardwareAudioCodecManufacturer = 'aphw'
};

// MARK: Errors

CF_ENUM(OSStatus) {
  kAudioFormatUnspecifiedError = 'what',
  kAudioFormatUnsupportedPropertyError = 'prop',
  kAudioFormatBadPropertySizeError = '!siz',
  kAudioFormatBadSpecifierSizeError = '!spc',
  kAudioFormatUnsupportedDataFormatError = 'fmt?',
  kAudioFormatUnknownFormatError = '!fmt'
};

// MARK: Functions

extern OSStatus AudioFormatGetPropertyInfo(AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize,
                                           const void *_Nullable inSpecifier, UInt32 *outPropertyDataSize);

// ioPropertyDataSize: in, the room at outPropertyData in bytes; out, the bytes written.
extern OSStatus AudioFormatGetProperty(AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize,
                                       const void *_Nullable inSpecifier, UInt32 *_Nullable ioPropertyDataSize,
                                       void *_Nullable outPropertyData);

CA_HEADER_END

#endif

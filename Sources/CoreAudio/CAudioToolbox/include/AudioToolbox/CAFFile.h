// The chunks of a CAF file. On disk all of it is big-endian and nothing is padded.
#ifndef AUDIOTOOLBOX_CAFFILE_H
#define AUDIOTOOLBOX_CAFFILE_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

CF_ENUM(UInt32) {
  kCAF_FileType = 'caff',
  kCAF_FileVersion_Initial = 1
};

CF_ENUM(UInt32) {
  kCAF_StreamDescriptionChunkID = 'desc',
  kCAF_AudioDataChunkID = 'data',
  kCAF_ChannelLayoutChunkID = 'chan',
  kCAF_FillerChunkID = 'free',
  kCAF_MarkerChunkID = 'mark',
  kCAF_RegionChunkID = 'regn',
  kCAF_InstrumentChunkID = 'inst',
  kCAF_MagicCookieID = 'kuki',
  kCAF_InfoStringsChunkID = 'info',
  kCAF_EditCommentsChunkID = 'edct',
  kCAF_PacketTableChunkID = 'pakt',
  kCAF_StringsChunkID = 'strg',
  kCAF_UUIDChunkID = 'uuid',
  kCAF_PeakChunkID = 'peak',
  kCAF_OverviewChunkID = 'ovvw',
  kCAF_MIDIChunkID = 'midi',
  kCAF_UMIDChunkID = 'umid',
  kCAF_FormatListID = 'ldsc',
  kCAF_iXMLChunkID = 'iXML'
};

typedef CF_OPTIONS(UInt32, CAFFormatFlags) {
  kCAFLinearPCMFormatFlagIsFloat = 1,
  kCAFLinearPCMFormatFlagIsLittleEndian = 2
};

CF_ENUM(UInt32) {
  kCAFRegionFlag_LoopEnable = 1,
  kCAFRegionFlag_PlayForward = 2,
  kCAFRegionFlag_PlayBackward = 4
};

#pragma pack(push, 1)

typedef struct CAFFileHeader {
  UInt32 mFileType;
  UInt16 mFileVersion;
  UInt16 mFileFlags;
} CAFFileHeader;

// A size of -1 is allowed in the last chunk when that is the audio data: until the end of the file.
typedef struct CAFChunkHeader {
  UInt32 mChunkType;
  SInt64 mChunkSize;
} CAFChunkHeader;

typedef struct CAFAudioDescription {
  Float64 mSampleRate;
  UInt32 mFormatID;
  CAFFormatFlags mFormatFlags;
  UInt32 mBytesPerPacket;
  UInt32 mFramesPerPacket;
  UInt32 mChannelsPerFrame;
  UInt32 mBitsPerChannel;
} CAFAudioDescription;

typedef struct CAFAudioFormatListItem {
  CAFAudioDescription mFormat;
  UInt32 mChannelLayoutTag;
} CAFAudioFormatListItem;

typedef struct CAFPacketTableHeader {
  SInt64 mNumberPackets;
  SInt64 mNumberValidFrames;
  SInt32 mPrimingFrames;
  SInt32 mRemainderFrames;
  UInt8 mPacketDescriptions[1];
} CAFPacketTableHeader;

typedef struct CAFDataChunk {
  UInt32 mEditCount;
  UInt8 mData[1];
} CAFDataChunk;

typedef struct CAF_SMPTE_Time {
  SInt8 mHours;
  SInt8 mMinutes;
  SInt8 mSeconds;
  SInt8 mFrames;
  UInt32 mSubFrameSampleOffset;
} CAF_SMPTE_Time;

typedef struct CAFMarker {
  UInt32 mType;
  Float64 mFramePosition;
  UInt32 mMarkerID;
  CAF_SMPTE_Time mSMPTETime;
  UInt32 mChannel;
} CAFMarker;

typedef struct CAFMarkerChunk {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberMarkers;
  CAFMarker mMarkers[1];
} CAFMarkerChunk;

typedef struct CAFRegion {
  UInt32 mRegionID;
  UInt32 mFlags;
  UInt32 mNumberMarkers;
  CAFMarker mMarkers[1];
} CAFRegion;

typedef struct CAFRegionChunk {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberRegions;
  CAFRegion mRegions[1];
} CAFRegionChunk;

typedef struct CAFInstrumentChunk {
  Float32 mBaseNote;
  UInt8 mMIDILowNote;
  UInt8 mMIDIHighNote;
  UInt8 mMIDILowVelocity;
  UInt8 mMIDIHighVelocity;
  Float32 mdBGain;
  UInt32 mStartRegionID;
  UInt32 mSustainRegionID;
  UInt32 mReleaseRegionID;
  UInt32 mInstrumentID;
} CAFInstrumentChunk;

typedef struct CAFStringID {
  UInt32 mStringID;
  SInt64 mStringStartByteOffset;
} CAFStringID;

typedef struct CAFStrings {
  UInt32 mNumEntries;
  CAFStringID mStringsIDs[1];
} CAFStrings;

// Followed by that many pairs of strings, each ended by a zero byte.
typedef struct CAFInfoStrings {
  UInt32 mNumEntries;
} CAFInfoStrings;

typedef struct CAFPositionPeak {
  Float32 mValue;
  UInt64 mFrameNumber;
} CAFPositionPeak;

typedef struct CAFPeakChunk {
  UInt32 mEditCount;
  CAFPositionPeak mPeaks[1];
} CAFPeakChunk;

typedef struct CAFOverviewSample {
  SInt16 mMinValue;
  SInt16 mMaxValue;
} CAFOverviewSample;

typedef struct CAFOverviewChunk {
  UInt32 mEditCount;
  UInt32 mNumFramesPerOVWSample;
  CAFOverviewSample mData[1];
} CAFOverviewChunk;

typedef struct CAFUMIDChunk {
  UInt8 mBytes[64];
} CAFUMIDChunk;

typedef struct CAF_UUID_ChunkHeader {
  CAFChunkHeader mHeader;
  UInt8 mUUID[16];
} CAF_UUID_ChunkHeader;

#pragma pack(pop)

CA_HEADER_END

#endif

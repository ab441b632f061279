// The parser of files that arrive piece by piece: packets and properties as AudioFile.h has them of the whole file.
#ifndef AUDIOTOOLBOX_AUDIOFILESTREAM_H
#define AUDIOTOOLBOX_AUDIOFILESTREAM_H
#pragma GCC system_header

#include <AudioToolbox/AudioFile.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;
typedef UInt32 AudioFileStreamPropertyID;

typedef CF_OPTIONS(UInt32, AudioFileStreamPropertyFlags) {
  kAudioFileStreamPropertyFlag_PropertyIsCached = 1,
  kAudioFileStreamPropertyFlag_CacheProperty = 2
};

typedef CF_OPTIONS(UInt32, AudioFileStreamParseFlags) {
  kAudioFileStreamParseFlag_Discontinuity = 1
};

typedef CF_OPTIONS(UInt32, AudioFileStreamSeekFlags) {
  kAudioFileStreamSeekFlag_OffsetIsEstimated = 1
};

CF_ENUM(OSStatus) {
  kAudioFileStreamError_UnsupportedFileType = 'typ?',
  kAudioFileStreamError_UnsupportedDataFormat = 'fmt?',
  kAudioFileStreamError_UnsupportedProperty = 'pty?',
  kAudioFileStreamError_BadPropertySize = '!siz',
  kAudioFileStreamError_NotOptimized = 'optm',
  kAudioFileStreamError_InvalidPacketOffset = 'pck?',
  kAudioFileStreamError_InvalidFile = 'dta?',
  kAudioFileStreamError_ValueUnknown = 'unk?',
  kAudioFileStreamError_DataUnavailable = 'more',
  kAudioFileStreamError_IllegalOperation = 'nope',
  kAudioFileStreamError_UnspecifiedError = 'wht?',
  kAudioFileStreamError_DiscontinuityCantRecover = 'dsc!'
};

// Types as those of the AudioFile properties of the same names.
CF_ENUM(AudioFileStreamPropertyID) {
  kAudioFileStreamProperty_ReadyToProducePackets = 'redy',  // UInt32
  kAudioFileStreamProperty_FileFormat = 'ffmt',
  kAudioFileStreamProperty_DataFormat = 'dfmt',
  kAudioFileStreamProperty_FormatList = 'flst',
  kAudioFileStreamProperty_MagicCookieData = 'mgic',
  kAudioFileStreamProperty_AudioDataByteCount = 'bcnt',
  kAudioFileStreamProperty_AudioDataPacketCount = 'pcnt',
  kAudioFileStreamProperty_MaximumPacketSize = 'psze',
  kAudioFileStreamProperty_DataOffset = 'doff',
  kAudioFileStreamProperty_ChannelLayout = 'cmap',
  kAudioFileStreamProperty_PacketToFrame = 'pkfr',
  kAudioFileStreamProperty_FrameToPacket = 'frpk',
  kAudioFileStreamProperty_PacketToByte = 'pkby',
  kAudioFileStreamProperty_ByteToPacket = 'bypk',
  kAudioFileStreamProperty_PacketTableInfo = 'pnfo',
  kAudioFileStreamProperty_PacketSizeUpperBound = 'pkub',
  kAudioFileStreamProperty_AverageBytesPerPacket = 'abpp',  // Float64
  kAudioFileStreamProperty_BitRate = 'brat',
  kAudioFileStreamProperty_InfoDictionary = 'info'
};

typedef void (*AudioFileStream_PropertyListenerProc)(void *inClientData, AudioFileStreamID inAudioFileStream,
                                                     AudioFileStreamPropertyID inPropertyID,
                                                     AudioFileStreamPropertyFlags *ioFlags);
typedef void (*AudioFileStream_PacketsProc)(void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets,
                                            const void *inInputData,
                                            AudioStreamPacketDescription *_Nullable inPacketDescriptions);

// MARK: Making and ending

extern OSStatus AudioFileStreamOpen(void *_Nullable inClientData,
                                    AudioFileStream_PropertyListenerProc inPropertyListenerProc,
                                    AudioFileStream_PacketsProc inPacketsProc, AudioFileTypeID inFileTypeHint,
                                    AudioFileStreamID _Nullable *_Nonnull outAudioFileStream);

extern OSStatus AudioFileStreamClose(AudioFileStreamID inAudioFileStream);

// MARK: Bytes

// Calls both functions, before it returns.
extern OSStatus AudioFileStreamParseBytes(AudioFileStreamID inAudioFileStream, UInt32 inDataByteSize,
                                          const void *_Nullable inData, AudioFileStreamParseFlags inFlags);

// The place of a packet, counted from kAudioFileStreamProperty_DataOffset: the next bytes are those from there on.
extern OSStatus AudioFileStreamSeek(AudioFileStreamID inAudioFileStream, SInt64 inPacketOffset,
                                    SInt64 *outDataByteOffset, AudioFileStreamSeekFlags *ioFlags);

// MARK: Properties

extern OSStatus AudioFileStreamGetPropertyInfo(AudioFileStreamID inAudioFileStream,
                                               AudioFileStreamPropertyID inPropertyID,
                                               UInt32 *_Nullable outPropertyDataSize, Boolean *_Nullable outWritable);

extern OSStatus AudioFileStreamGetProperty(AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
                                           UInt32 *ioPropertyDataSize, void *outPropertyData);

extern OSStatus AudioFileStreamSetProperty(AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
                                           UInt32 inPropertyDataSize, const void *inPropertyData);

CA_HEADER_END

#endif

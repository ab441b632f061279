// Reads and writes sound files in their own format: bytes, packets, chunks and properties. One call at a
// time per file: others wait.
#ifndef AUDIOTOOLBOX_AUDIOFILE_H
#define AUDIOTOOLBOX_AUDIOFILE_H
#pragma GCC system_header

#include <AudioToolbox/AudioFormat.h>
#include <CoreAudioTypes/CoreAudioTypes.h>
#include <stddef.h>

CA_HEADER_BEGIN

typedef struct OpaqueAudioFileID *AudioFileID;
typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFilePropertyID;

// MARK: File types

CF_ENUM(AudioFileTypeID) {
  kAudioFileAIFFType = 'AIFF',
  kAudioFileAIFCType = 'AIFC',
  kAudioFileWAVEType = 'WAVE',
  kAudioFileRF64Type = 'RF64',
  kAudioFileBW64Type = 'BW64',
  kAudioFileWave64Type = 'W64f',
  kAudioFileSoundDesigner2Type = 'Sd2f',
  kAudioFileNextType = 'NeXT',
  kAudioFileMP3Type = 'MPG3',
  kAudioFileMP2Type = 'MPG2',
  kAudioFileMP1Type = 'MPG1',
  kAudioFileAC3Type = 'ac-3',
  kAudioFileAAC_ADTSType = 'adts',
  kAudioFileMPEG4Type = 'mp4f',
  kAudioFileM4AType = 'm4af',
  kAudioFileM4BType = 'm4bf',
  kAudioFileCAFType = 'caff',
  kAudioFile3GPType = '3gpp',
  kAudioFile3GP2Type = '3gp2',
  kAudioFileAMRType = 'amrf',
  kAudioFileFLACType = 'flac',
  kAudioFileLATMInLOASType = 'loas'
};

// MARK: Flags and permissions

typedef CF_OPTIONS(UInt32, AudioFileFlags) {
  kAudioFileFlags_EraseFile = 1,
  kAudioFileFlags_DontPageAlignAudioData = 2
};

// A plain integer in C++, so that programs which pass 0x01 compile.
typedef CA_NAMED_ENUM(SInt8, AudioFilePermissions) {
  kAudioFileReadPermission = 1,
  kAudioFileWritePermission = 2,
  kAudioFileReadWritePermission = 3
};

// The same permissions by the names that older programs use.
CF_ENUM(SInt8) {
  fsRdPerm = 1,
  fsWrPerm = 2,
  fsRdWrPerm = 3
};

// MARK: Errors

// The value that ends in two question marks is in hexadecimal: between quotes it would hold a trigraph.
CF_ENUM(OSStatus) {
  kAudioFileUnspecifiedError = 'wht?',
  kAudioFileUnsupportedFileTypeError = 'typ?',
  kAudioFileUnsupportedDataFormatError = 'fmt?',
  kAudioFileUnsupportedPropertyError = 'pty?',
  kAudioFileBadPropertySizeError = '!siz',
  kAudioFilePermissionsError = 'prm?',
  kAudioFileNotOptimizedError = 'optm',
  kAudioFileInvalidChunkError = 'chk?',
  kAudioFileDoesNotAllow64BitDataSizeError = 'off?',
  kAudioFileInvalidPacketOffsetError = 'pck?',
  kAudioFileInvalidPacketDependencyError = 'dep?',
  kAudioFileInvalidFileError = 'dta?',
  kAudioFileOperationNotSupportedError = 0x6F703F3F,
  kAudioFileNotOpenError = -38,
  kAudioFileEndOfFileError = -39,
  kAudioFilePositionError = -40,
  kAudioFileFileNotFoundError = -43
};

// MARK: Properties

CF_ENUM(AudioFilePropertyID) {
  kAudioFilePropertyFileFormat = 'ffmt',            // UInt32, an AudioFileTypeID
  kAudioFilePropertyDataFormat = 'dfmt',            // AudioStreamBasicDescription
  kAudioFilePropertyIsOptimized = 'optm',           // UInt32
  kAudioFilePropertyMagicCookieData = 'mgic',       // bytes
  kAudioFilePropertyAudioDataByteCount = 'bcnt',    // UInt64
  kAudioFilePropertyAudioDataPacketCount = 'pcnt',  // UInt64
  kAudioFilePropertyMaximumPacketSize = 'psze',     // UInt32, bytes; may read the whole file
  kAudioFilePropertyPacketSizeUpperBound = 'pkub',  // UInt32, bytes; never reads the whole file
  kAudioFilePropertyDataOffset = 'doff',            // SInt64, bytes
  kAudioFilePropertyChannelLayout = 'cmap',         // AudioChannelLayout
  kAudioFilePropertyDeferSizeUpdates = 'dszu',      // UInt32; 1: sizes in the header are written late; 0 at first
  kAudioFilePropertyMarkerList = 'mkls',            // AudioFileMarkerList
  kAudioFilePropertyRegionList = 'rgls',            // AudioFileRegionList
  kAudioFilePropertyPacketToFrame = 'pkfr',         // AudioFramePacketTranslation
  kAudioFilePropertyFrameToPacket = 'frpk',         // AudioFramePacketTranslation
  kAudioFilePropertyPacketToByte = 'pkby',          // AudioBytePacketTranslation
  kAudioFilePropertyByteToPacket = 'bypk',          // AudioBytePacketTranslation
  kAudioFilePropertyRestrictsRandomAccess = 'rrap',       // UInt32
  kAudioFilePropertyPacketToRollDistance = 'pkrl',        // AudioPacketRollDistanceTranslation
  kAudioFilePropertyPreviousIndependentPacket = 'pind',   // AudioIndependentPacketTranslation
  kAudioFilePropertyNextIndependentPacket = 'nind',       // AudioIndependentPacketTranslation
  kAudioFilePropertyPacketToDependencyInfo = 'pkdp',      // AudioPacketDependencyInfoTranslation
  kAudioFilePropertyChunkIDs = 'chid',                    // OSType[]
  kAudioFilePropertyInfoDictionary = 'info',              // CFDictionaryRef, the caller releases it
  kAudioFilePropertyPacketTableInfo = 'pnfo',             // AudioFilePacketTableInfo
  kAudioFilePropertyFormatList = 'flst',                  // AudioFormatListItem[]
  kAudioFilePropertyPacketRangeByteCountUpperBound = 'prub',  // AudioPacketRangeByteCountTranslation
  kAudioFilePropertyReserveDuration = 'rsrv',                 // Float64, seconds
  kAudioFilePropertyEstimatedDuration = 'edur',               // Float64, seconds
  kAudioFilePropertyBitRate = 'brat',                         // UInt32, bits a second
  kAudioFilePropertyID3Tag = 'id3t',                          // bytes
  kAudioFilePropertyID3TagOffset = 'id3o',                    // SInt64, bytes
  kAudioFilePropertySourceBitDepth = 'sbtd',                  // SInt32, bits; negative: float
  kAudioFilePropertyAlbumArtwork = 'aart',                    // CFDataRef, the caller releases it
  kAudioFilePropertyAudioTrackCount = 'atct',                 // UInt32
  kAudioFilePropertyUseAudioTrack = 'uatk',                   // UInt32, write only
  kAudioFilePropertyDataFormatName = 'fnme'                   // CFStringRef; deprecated
};

CF_ENUM(AudioFilePropertyID) {
  kAudioFileGlobalInfo_ReadableTypes = 'afrf',   // UInt32[]
  kAudioFileGlobalInfo_WritableTypes = 'afwf',   // UInt32[]
  kAudioFileGlobalInfo_FileTypeName = 'ftnm',    // CFStringRef of an AudioFileTypeID
  kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat = 'sdid',  // AudioStreamBasicDescription[]
                                                                       // by AudioFileTypeAndFormatID
  kAudioFileGlobalInfo_AvailableFormatIDs = 'fmid',  // UInt32[] of an AudioFileTypeID
  kAudioFileGlobalInfo_AllExtensions = 'alxt',       // CFArrayRef of CFStringRef
  kAudioFileGlobalInfo_AllHFSTypeCodes = 'ahfs',     // UInt32[]
  kAudioFileGlobalInfo_AllUTIs = 'auti',             // CFArrayRef of CFStringRef
  kAudioFileGlobalInfo_AllMIMETypes = 'amim',        // CFArrayRef of CFStringRef
  kAudioFileGlobalInfo_ExtensionsForType = 'fext',   // CFArrayRef of an AudioFileTypeID
  kAudioFileGlobalInfo_HFSTypeCodesForType = 'fhfs',  // UInt32[] of an AudioFileTypeID
  kAudioFileGlobalInfo_UTIsForType = 'futi',          // CFArrayRef of an AudioFileTypeID
  kAudioFileGlobalInfo_MIMETypesForType = 'fmim',     // CFArrayRef of an AudioFileTypeID
  kAudioFileGlobalInfo_TypesForMIMEType = 'tmim',     // UInt32[] of a CFStringRef
  kAudioFileGlobalInfo_TypesForUTI = 'tuti',          // UInt32[] of a CFStringRef
  kAudioFileGlobalInfo_TypesForHFSTypeCode = 'thfs',  // UInt32[] of a UInt32
  kAudioFileGlobalInfo_TypesForExtension = 'text'     // UInt32[] of a CFStringRef
};

// Keys of the information dictionary: literals, so that CFSTR(kAFInfoDictionary_Title) compiles.
#define kAFInfoDictionary_Album "album"
#define kAFInfoDictionary_ApproximateDurationInSeconds "approximate duration in seconds"
#define kAFInfoDictionary_Artist "artist"
#define kAFInfoDictionary_ChannelLayout "channel layout"
#define kAFInfoDictionary_Comments "comments"
#define kAFInfoDictionary_Composer "composer"
#define kAFInfoDictionary_Copyright "copyright"
#define kAFInfoDictionary_EncodingApplication "encoding application"
#define kAFInfoDictionary_Genre "genre"
#define kAFInfoDictionary_ISRC "ISRC"
#define kAFInfoDictionary_KeySignature "key signature"
#define kAFInfoDictionary_Lyricist "lyricist"
#define kAFInfoDictionary_NominalBitRate "nominal bit rate"
#define kAFInfoDictionary_RecordedDate "recorded date"
#define kAFInfoDictionary_SourceBitDepth "source bit depth"
#define kAFInfoDictionary_SourceEncoder "source encoder"
#define kAFInfoDictionary_SubTitle "subtitle"
#define kAFInfoDictionary_Tempo "tempo"
#define kAFInfoDictionary_TimeSignature "time signature"
#define kAFInfoDictionary_Title "title"
#define kAFInfoDictionary_TrackNumber "track number"
#define kAFInfoDictionary_Year "year"

// MARK: Structures

typedef struct AudioFileTypeAndFormatID {
  AudioFileTypeID mFileType;
  UInt32 mFormatID;
} AudioFileTypeAndFormatID;

// The number of coded frames that are sound. Valid, priming and remainder frames sum up to the coded frames.
typedef struct AudioFilePacketTableInfo {
  SInt64 mNumberValidFrames;
  SInt32 mPrimingFrames;
  SInt32 mRemainderFrames;
} AudioFilePacketTableInfo;

typedef struct AudioFramePacketTranslation {
  SInt64 mFrame;
  SInt64 mPacket;
  UInt32 mFrameOffsetInPacket;
} AudioFramePacketTranslation;

typedef CF_OPTIONS(UInt32, AudioBytePacketTranslationFlags) {
  kBytePacketTranslationFlag_IsEstimate = 1
};

typedef struct AudioBytePacketTranslation {
  SInt64 mByte;
  SInt64 mPacket;
  UInt32 mByteOffsetInPacket;
  AudioBytePacketTranslationFlags mFlags;
} AudioBytePacketTranslation;

typedef struct AudioPacketRangeByteCountTranslation {
  SInt64 mPacket;
  SInt64 mPacketCount;
  SInt64 mByteCountUpperBound;
} AudioPacketRangeByteCountTranslation;

typedef struct AudioPacketRollDistanceTranslation {
  SInt64 mPacket;
  SInt64 mRollDistance;
} AudioPacketRollDistanceTranslation;

typedef struct AudioIndependentPacketTranslation {
  SInt64 mPacket;
  SInt64 mIndependentlyDecodablePacket;
} AudioIndependentPacketTranslation;

typedef struct AudioPacketDependencyInfoTranslation {
  SInt64 mPacket;
  UInt32 mIsIndependentlyDecodable;
  UInt32 mNumberPrerollPackets;
} AudioPacketDependencyInfoTranslation;

CF_ENUM(UInt32) {
  kAudioFileLoopDirection_NoLooping = 0,
  kAudioFileLoopDirection_Forward = 1,
  kAudioFileLoopDirection_ForwardAndBackward = 2,
  kAudioFileLoopDirection_Backward = 3
};

typedef struct AudioFile_SMPTE_Time {
  SInt8 mHours;
  UInt8 mMinutes;
  UInt8 mSeconds;
  UInt8 mFrames;
  UInt32 mSubFrameSampleOffset;
} AudioFile_SMPTE_Time;

CF_ENUM(UInt32) { kAudioFileMarkerType_Generic = 0 };

typedef struct AudioFileMarker {
  Float64 mFramePosition;
  CFStringRef _Nullable mName;
  SInt32 mMarkerID;
  AudioFile_SMPTE_Time mSMPTETime;
  UInt32 mType;
  UInt16 mReserved;
  UInt16 mChannel;
} AudioFileMarker;

// As long as its number of markers says.
typedef struct AudioFileMarkerList {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberMarkers;
  AudioFileMarker mMarkers[1];
} AudioFileMarkerList;

static inline size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
  const size_t header = offsetof(AudioFileMarkerList, mMarkers);
  return inNumBytes < header ? 0 : (inNumBytes - header) / sizeof(AudioFileMarker);
}

static inline size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
  return offsetof(AudioFileMarkerList, mMarkers) + inNumMarkers * sizeof(AudioFileMarker);
}

typedef CF_OPTIONS(UInt32, AudioFileRegionFlags) {
  kAudioFileRegionFlag_LoopEnable = 1,
  kAudioFileRegionFlag_PlayForward = 2,
  kAudioFileRegionFlag_PlayBackward = 4
};

// As long as its number of markers says.
typedef struct AudioFileRegion {
  UInt32 mRegionID;
  CFStringRef _Nullable mName;
  AudioFileRegionFlags mFlags;
  UInt32 mNumberMarkers;
  AudioFileMarker mMarkers[1];
} AudioFileRegion;

// Regions lie one behind the other, each as long as its markers need: walk them with NextAudioFileRegion.
typedef struct AudioFileRegionList {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberRegions;
  AudioFileRegion mRegions[1];
} AudioFileRegionList;

static inline AudioFileRegion *NextAudioFileRegion(const AudioFileRegion *inAFRegionPtr) {
  const size_t bytes = offsetof(AudioFileRegion, mMarkers) + inAFRegionPtr->mNumberMarkers * sizeof(AudioFileMarker);
  return (AudioFileRegion *)((char *)(uintptr_t)inAFRegionPtr + bytes);
}

// MARK: Callbacks of files that the client keeps

typedef OSStatus (*AudioFile_ReadProc)(void *inClientData, SInt64 inPosition, UInt32 requestCount, void *buffer,
                                       UInt32 *actualCount);
typedef OSStatus (*AudioFile_WriteProc)(void *inClientData, SInt64 inPosition, UInt32 requestCount, const void *buffer,
                                        UInt32 *actualCount);
typedef SInt64 (*AudioFile_GetSizeProc)(void *inClientData);
typedef OSStatus (*AudioFile_SetSizeProc)(void *inClientData, SInt64 inSize);

// MARK: Opening, creating, closing

// Without kAudioFileFlags_EraseFile a file that exists is an error.
extern OSStatus AudioFileCreateWithURL(CFURLRef inFileRef, AudioFileTypeID inFileType,
                                       const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
                                       AudioFileID _Nullable *_Nonnull outAudioFile);

// A hint of 0 says nothing about the type.
extern OSStatus AudioFileOpenURL(CFURLRef inFileRef, AudioFilePermissions inPermissions, AudioFileTypeID inFileTypeHint,
                                 AudioFileID _Nullable *_Nonnull outAudioFile);

// The same by references to files, of <CoreServices/Files.h>, as before URLs.
struct FSRef;
extern OSStatus AudioFileOpen(const struct FSRef *inFileRef, SInt8 inPermissions, AudioFileTypeID inFileTypeHint,
                              AudioFileID _Nullable *_Nonnull outAudioFile);
extern OSStatus AudioFileCreate(const struct FSRef *inParentRef, CFStringRef inFileName, AudioFileTypeID inFileType,
                                const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
                                struct FSRef *_Nullable outNewFileRef, AudioFileID _Nullable *_Nonnull outAudioFile);
// Puts a new file in the place of one that is there.
extern OSStatus AudioFileInitialize(const struct FSRef *inFileRef, AudioFileTypeID inFileType,
                                    const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
                                    AudioFileID _Nullable *_Nonnull outAudioFile);

extern OSStatus AudioFileInitializeWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc,
                                                 AudioFile_WriteProc inWriteFunc, AudioFile_GetSizeProc inGetSizeFunc,
                                                 AudioFile_SetSizeProc inSetSizeFunc, AudioFileTypeID inFileType,
                                                 const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
                                                 AudioFileID _Nullable *_Nonnull outAudioFile);

extern OSStatus AudioFileOpenWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc,
                                           AudioFile_WriteProc _Nullable inWriteFunc,
                                           AudioFile_GetSizeProc inGetSizeFunc,
                                           AudioFile_SetSizeProc _Nullable inSetSizeFunc,
                                           AudioFileTypeID inFileTypeHint,
                                           AudioFileID _Nullable *_Nonnull outAudioFile);

extern OSStatus AudioFileClose(AudioFileID inAudioFile);

// Moves the audio data behind all other chunks, so that it can grow.
extern OSStatus AudioFileOptimize(AudioFileID inAudioFile);

// MARK: Reading and writing, in the file's format

// Counts: in, the request; out, the result. If the sound ends first AudioFileReadBytes returns
// kAudioFileEndOfFileError, with the bytes up to there; the calls for packets return 0, with the packets up to there,
// or none.
extern OSStatus AudioFileReadBytes(AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte,
                                   UInt32 *ioNumBytes, void *outBuffer);
extern OSStatus AudioFileWriteBytes(AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte,
                                    UInt32 *ioNumBytes, const void *inBuffer);

// ioNumBytes holds the room at outBuffer on entry.
extern OSStatus AudioFileReadPacketData(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *ioNumBytes,
                                        AudioStreamPacketDescription *_Nullable outPacketDescriptions,
                                        SInt64 inStartingPacket, UInt32 *ioNumPackets, void *_Nullable outBuffer);

// Takes for granted that there is room for the largest packet times the number of packets. Deprecated on Apple's
// systems; without the mark here, since the programs that call it are many and old.
extern OSStatus AudioFileReadPackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *outNumBytes,
                                     AudioStreamPacketDescription *_Nullable outPacketDescriptions,
                                     SInt64 inStartingPacket, UInt32 *ioNumPackets, void *_Nullable outBuffer);

// Packets of one size: ioNumPackets says how much is read at inBuffer, whatever inNumBytes says.
extern OSStatus AudioFileWritePackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
                                      const AudioStreamPacketDescription *_Nullable inPacketDescriptions,
                                      SInt64 inStartingPacket, UInt32 *ioNumPackets, const void *inBuffer);

// MARK: Chunks, by id and by index among those of that id

extern OSStatus AudioFileCountUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 *outNumberItems);
extern OSStatus AudioFileGetUserDataSize(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                         UInt32 *outUserDataSize);
extern OSStatus AudioFileGetUserDataSize64(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                           UInt64 *outUserDataSize);
extern OSStatus AudioFileGetUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                     UInt32 *ioUserDataSize, void *outUserData);
extern OSStatus AudioFileGetUserDataAtOffset(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                             SInt64 inOffset, UInt32 *ioUserDataSize, void *outUserData);
extern OSStatus AudioFileSetUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                     UInt32 inUserDataSize, const void *inUserData);
extern OSStatus AudioFileRemoveUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex);

// MARK: Property access

// isWritable is a UInt32 here, where a unit's is a Boolean.
extern OSStatus AudioFileGetPropertyInfo(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID,
                                         UInt32 *_Nullable outDataSize, UInt32 *_Nullable isWritable);
extern OSStatus AudioFileGetProperty(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 *ioDataSize,
                                     void *outPropertyData);
extern OSStatus AudioFileSetProperty(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 inDataSize,
                                     const void *inPropertyData);

extern OSStatus AudioFileGetGlobalInfoSize(AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize,
                                           void *_Nullable inSpecifier, UInt32 *outDataSize);
extern OSStatus AudioFileGetGlobalInfo(AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize,
                                       void *_Nullable inSpecifier, UInt32 *ioDataSize, void *outPropertyData);

CA_HEADER_END

#endif

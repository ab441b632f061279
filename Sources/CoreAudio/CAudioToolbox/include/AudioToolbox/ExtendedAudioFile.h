// A sound file read or written in a format of the client's choice: an AudioFile with an AudioConverter in front.
#ifndef AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#define AUDIOTOOLBOX_EXTENDEDAUDIOFILE_H
#pragma GCC system_header

#include <AudioToolbox/AudioConverter.h>
#include <AudioToolbox/AudioFile.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
typedef UInt32 ExtAudioFilePropertyID;

// Values for AudioFilePacketTableInfo in the PacketTable property.
typedef SInt32 ExtAudioFilePacketTableInfoOverride;

CF_ENUM(ExtAudioFilePacketTableInfoOverride) {
  kExtAudioFilePacketTableInfoOverride_UseFileValue = -1,
  kExtAudioFilePacketTableInfoOverride_UseFileValueIfValid = -2
};

// MARK: Properties

CF_ENUM(ExtAudioFilePropertyID) {
  kExtAudioFileProperty_FileDataFormat = 'ffmt',       // AudioStreamBasicDescription, read only
  kExtAudioFileProperty_FileChannelLayout = 'fclo',    // AudioChannelLayout
  kExtAudioFileProperty_ClientDataFormat = 'cfmt',     // AudioStreamBasicDescription, PCM
  kExtAudioFileProperty_ClientChannelLayout = 'cclo',  // AudioChannelLayout
  kExtAudioFileProperty_CodecManufacturer = 'cman',    // UInt32, before ClientDataFormat
  kExtAudioFileProperty_AudioConverter = 'acnv',       // AudioConverterRef, read only
  kExtAudioFileProperty_AudioFile = 'afil',            // AudioFileID, read only
  kExtAudioFileProperty_FileMaxPacketSize = 'fmps',    // UInt32, bytes, read only
  kExtAudioFileProperty_ClientMaxPacketSize = 'cmps',  // UInt32, bytes, read only
  kExtAudioFileProperty_FileLengthFrames = '#frm',     // SInt64, frames at the file's rate
  kExtAudioFileProperty_ConverterConfig = 'accf',  // CFArrayRef, write only; NULL: read the converter's formats anew
  kExtAudioFileProperty_IOBufferSizeBytes = 'iobs',  // UInt32, bytes
  kExtAudioFileProperty_IOBuffer = 'iobf',           // void *, write only; set IOBufferSizeBytes after it
  kExtAudioFileProperty_PacketTable = 'xpti'         // AudioFilePacketTableInfo
};

// MARK: Errors

CF_ENUM(OSStatus) {
  kExtAudioFileError_CodecUnavailableInputConsumed = -66559,
  kExtAudioFileError_CodecUnavailableInputNotConsumed = -66560,
  kExtAudioFileError_InvalidProperty = -66561,
  kExtAudioFileError_InvalidPropertySize = -66562,
  kExtAudioFileError_NonPCMClientFormat = -66563,
  kExtAudioFileError_InvalidChannelMap = -66564,
  kExtAudioFileError_InvalidOperationOrder = -66565,
  kExtAudioFileError_InvalidDataFormat = -66566,
  kExtAudioFileError_MaxPacketSizeUnknown = -66567,
  kExtAudioFileError_InvalidSeek = -66568,
  kExtAudioFileError_AsyncWriteTooLarge = -66569,
  kExtAudioFileError_AsyncWriteBufferOverflow = -66570
};

// MARK: Opening, creating, closing

// For reading.
extern OSStatus ExtAudioFileOpenURL(CFURLRef inURL, ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

// The AudioFileID stays the client's, who closes it after ExtAudioFileDispose.
extern OSStatus ExtAudioFileWrapAudioFileID(AudioFileID inFileID, Boolean inForWriting,
                                            ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

extern OSStatus ExtAudioFileCreateWithURL(CFURLRef inURL, AudioFileTypeID inFileType,
                                          const AudioStreamBasicDescription *inStreamDesc,
                                          const AudioChannelLayout *_Nullable inChannelLayout, UInt32 inFlags,
                                          ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

// The same by references to files, of <CoreServices/Files.h>, as before URLs.
struct FSRef;
extern OSStatus ExtAudioFileOpen(const struct FSRef *inFSRef, ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);
extern OSStatus ExtAudioFileCreateNew(
    const struct FSRef *inParentDir, CFStringRef inFileName, AudioFileTypeID inFileType,
    const AudioStreamBasicDescription *inStreamDesc, const AudioChannelLayout *_Nullable inChannelLayout,
    ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

// Writes what is still queued, completes the file and closes it.
extern OSStatus ExtAudioFileDispose(ExtAudioFileRef inExtAudioFile);

// MARK: Reading and writing, in the client format

// ioNumberFrames: in, the frames wanted; out, the frames read, 0 at the end of the file. mDataByteSize of each buffer
// states its room before each call.
extern OSStatus ExtAudioFileRead(ExtAudioFileRef inExtAudioFile, UInt32 *ioNumberFrames, AudioBufferList *ioData);

extern OSStatus ExtAudioFileWrite(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames, const AudioBufferList *ioData);

// Copies into a ring that another thread writes out. Called once with no frames and no buffers, it makes that ring;
// after that it may be called from a render callback.
extern OSStatus ExtAudioFileWriteAsync(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames,
                                       const AudioBufferList *_Nullable ioData);

// Positions are frames at the file's rate, not the client's.
extern OSStatus ExtAudioFileSeek(ExtAudioFileRef inExtAudioFile, SInt64 inFrameOffset);
extern OSStatus ExtAudioFileTell(ExtAudioFileRef inExtAudioFile, SInt64 *outFrameOffset);

// MARK: Property access

extern OSStatus ExtAudioFileGetPropertyInfo(ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID,
                                            UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);
extern OSStatus ExtAudioFileGetProperty(ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID,
                                        UInt32 *ioPropertyDataSize, void *outPropertyData);
extern OSStatus ExtAudioFileSetProperty(ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID,
                                        UInt32 inPropertyDataSize, const void *inPropertyData);

CA_HEADER_END

#endif

// Audio queues: types and constants alone. Nothing implements the functions yet, so none is declared, and a program
// that calls one fails to compile with its name.
#ifndef AUDIOTOOLBOX_AUDIOQUEUE_H
#define AUDIOTOOLBOX_AUDIOQUEUE_H
#pragma GCC system_header

#include <AudioToolbox/AudioFile.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef struct OpaqueAudioQueue *AudioQueueRef;
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;
typedef UInt32 AudioQueuePropertyID;
typedef UInt32 AudioQueueParameterID;
typedef Float32 AudioQueueParameterValue;

// MARK: Errors

CF_ENUM(OSStatus) {
  kAudioQueueErr_InvalidBuffer = -66687,
  kAudioQueueErr_BufferEmpty = -66686,
  kAudioQueueErr_DisposalPending = -66685,
  kAudioQueueErr_InvalidProperty = -66684,
  kAudioQueueErr_InvalidPropertySize = -66683,
  kAudioQueueErr_InvalidParameter = -66682,
  kAudioQueueErr_CannotStart = -66681,
  kAudioQueueErr_InvalidDevice = -66680,
  kAudioQueueErr_BufferInQueue = -66679,
  kAudioQueueErr_InvalidRunState = -66678,
  kAudioQueueErr_InvalidQueueType = -66677,
  kAudioQueueErr_Permissions = -66676,
  kAudioQueueErr_InvalidPropertyValue = -66675,
  kAudioQueueErr_PrimeTimedOut = -66674,
  kAudioQueueErr_CodecNotFound = -66673,
  kAudioQueueErr_InvalidCodecAccess = -66672,
  kAudioQueueErr_QueueInvalidated = -66671,
  kAudioQueueErr_TooManyTaps = -66670,
  kAudioQueueErr_InvalidTapContext = -66669,
  kAudioQueueErr_RecordUnderrun = -66668,
  kAudioQueueErr_InvalidTapType = -66667,
  kAudioQueueErr_BufferEnqueuedTwice = -66666,
  kAudioQueueErr_EnqueueDuringReset = -66632,
  kAudioQueueErr_InvalidOfflineMode = -66626
};

// MARK: Properties and parameters

CF_ENUM(AudioQueuePropertyID) {
  kAudioQueueProperty_IsRunning = 'aqrn',               // UInt32
  kAudioQueueDeviceProperty_SampleRate = 'aqsr',        // Float64, hertz
  kAudioQueueDeviceProperty_NumberChannels = 'aqdc',    // UInt32
  kAudioQueueProperty_CurrentDevice = 'aqcd',           // CFStringRef
  kAudioQueueProperty_MagicCookie = 'aqmc',             // bytes
  kAudioQueueProperty_MaximumOutputPacketSize = 'xops',  // UInt32, bytes
  kAudioQueueProperty_StreamDescription = 'aqft',        // AudioStreamBasicDescription
  kAudioQueueProperty_ChannelLayout = 'aqcl',            // AudioChannelLayout
  kAudioQueueProperty_EnableLevelMetering = 'aqme',      // UInt32
  kAudioQueueProperty_CurrentLevelMeter = 'aqmv',        // AudioQueueLevelMeterState[]
  kAudioQueueProperty_CurrentLevelMeterDB = 'aqmd',      // AudioQueueLevelMeterState[]
  kAudioQueueProperty_DecodeBufferSizeFrames = 'dcbf',   // UInt32
  kAudioQueueProperty_ConverterError = 'qcve',           // UInt32
  kAudioQueueProperty_EnableTimePitch = 'q_tp',          // UInt32
  kAudioQueueProperty_TimePitchAlgorithm = 'qtpa',       // UInt32
  kAudioQueueProperty_TimePitchBypass = 'qtpb'           // UInt32
};

CF_ENUM(UInt32) {
  kAudioQueueTimePitchAlgorithm_Spectral = 'spec',
  kAudioQueueTimePitchAlgorithm_TimeDomain = 'tido',
  kAudioQueueTimePitchAlgorithm_Varispeed = 'vspd'
};

CF_ENUM(AudioQueueParameterID) {
  kAudioQueueParam_Volume = 1,          // 0 to 1
  kAudioQueueParam_PlayRate = 2,        // times
  kAudioQueueParam_Pitch = 3,           // cents
  kAudioQueueParam_VolumeRampTime = 4,  // seconds
  kAudioQueueParam_Pan = 13             // -1 to 1
};

typedef CF_OPTIONS(UInt32, AudioQueueProcessingTapFlags) {
  kAudioQueueProcessingTap_PreEffects = 0x01,
  kAudioQueueProcessingTap_PostEffects = 0x02,
  kAudioQueueProcessingTap_Siphon = 0x04,
  kAudioQueueProcessingTap_StartOfStream = 0x100,
  kAudioQueueProcessingTap_EndOfStream = 0x200
};

// MARK: Structures

// The queue makes the buffer; its owner writes the size, the user data and the number of descriptions alone.
typedef struct AudioQueueBuffer {
  const UInt32 mAudioDataBytesCapacity;
  void *const mAudioData;
  UInt32 mAudioDataByteSize;
  void *_Nullable mUserData;
  const UInt32 mPacketDescriptionCapacity;
  AudioStreamPacketDescription *const _Nullable mPacketDescriptions;
  UInt32 mPacketDescriptionCount;
} AudioQueueBuffer;

typedef AudioQueueBuffer *AudioQueueBufferRef;

typedef struct AudioQueueParameterEvent {
  AudioQueueParameterID mID;
  AudioQueueParameterValue mValue;
} AudioQueueParameterEvent;

typedef struct AudioQueueLevelMeterState {
  Float32 mAveragePower;
  Float32 mPeakPower;
} AudioQueueLevelMeterState;

typedef struct AudioQueueChannelAssignment {
  CFStringRef mDeviceUID;
  UInt32 mChannelNumber;
} AudioQueueChannelAssignment;

// MARK: Callbacks

typedef void (*AudioQueueOutputCallback)(void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);
typedef void (*AudioQueueInputCallback)(void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
                                        const AudioTimeStamp *inStartTime, UInt32 inNumberPacketDescriptions,
                                        const AudioStreamPacketDescription *_Nullable inPacketDescs);
typedef void (*AudioQueuePropertyListenerProc)(void *_Nullable inUserData, AudioQueueRef inAQ,
                                               AudioQueuePropertyID inID);
typedef void (*AudioQueueProcessingTapCallback)(void *inClientData, AudioQueueProcessingTapRef inAQTap,
                                                UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
                                                AudioQueueProcessingTapFlags *ioFlags, UInt32 *outNumberFrames,
                                                AudioBufferList *ioData);

CA_HEADER_END

#endif

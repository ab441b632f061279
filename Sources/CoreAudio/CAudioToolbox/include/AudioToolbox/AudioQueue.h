// Audio queues: buffers that a program fills are played one behind another, or filled from the microphone. Rules beyond
// Apple's documentation: docs/audio-queues.md.
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
  kAudioQueueErr_CannotStartYet = -66665,
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
  kAudioQueueProperty_TimePitchBypass = 'qtpb',          // UInt32
  kAudioQueueProperty_HardwareCodecPolicy = 'aqcp',      // UInt32
  kAudioQueueProperty_ChannelAssignments = 'aqca'        // AudioQueueChannelAssignment[], write only
};

CF_ENUM(UInt32) {
  kAudioQueueHardwareCodecPolicy_Default = 0,
  kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1,
  kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2,
  kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,
  kAudioQueueHardwareCodecPolicy_PreferHardware = 4
};

CF_ENUM(UInt32) {
  kAudioQueueTimePitchAlgorithm_Spectral = 'spec',
  kAudioQueueTimePitchAlgorithm_TimeDomain = 'tido',
  kAudioQueueTimePitchAlgorithm_Varispeed = 'vspd',
  kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 'lqzl'
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

// MARK: Queues

// Callbacks come on a run loop, or with NULL on a thread of the queue's own. The flags must be 0.
extern OSStatus AudioQueueNewOutput(
    const AudioStreamBasicDescription *inFormat, AudioQueueOutputCallback inCallbackProc, void *_Nullable inUserData,
    CFRunLoopRef _Nullable inCallbackRunLoop, CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags,
    AudioQueueRef _Nullable *_Nonnull outAQ);
extern OSStatus AudioQueueNewInput(
    const AudioStreamBasicDescription *inFormat, AudioQueueInputCallback inCallbackProc, void *_Nullable inUserData,
    CFRunLoopRef _Nullable inCallbackRunLoop, CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags,
    AudioQueueRef _Nullable *_Nonnull outAQ);

#ifdef __BLOCKS__
typedef void (^AudioQueueOutputCallbackBlock)(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);
typedef void (^AudioQueueInputCallbackBlock)(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, const AudioTimeStamp *inStartTime,
    UInt32 inNumberPacketDescriptions, const AudioStreamPacketDescription *_Nullable inPacketDescs);

extern OSStatus AudioQueueNewOutputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    struct dispatch_queue_s *inCallbackDispatchQueue, AudioQueueOutputCallbackBlock inCallbackBlock);
extern OSStatus AudioQueueNewInputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    struct dispatch_queue_s *inCallbackDispatchQueue, AudioQueueInputCallbackBlock inCallbackBlock);
#endif

extern OSStatus AudioQueueDispose(AudioQueueRef inAQ, Boolean inImmediate);

// MARK: Buffers

extern OSStatus AudioQueueAllocateBuffer(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, AudioQueueBufferRef _Nullable *_Nonnull outBuffer);
extern OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions,
    AudioQueueBufferRef _Nullable *_Nonnull outBuffer);
extern OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);
extern OSStatus AudioQueueEnqueueBuffer(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);
// Trims and the start time are in frames of the queue's format; the start time counts from the queue's start.
extern OSStatus AudioQueueEnqueueBufferWithParameters(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs, UInt32 inTrimFramesAtStart,
    UInt32 inTrimFramesAtEnd, UInt32 inNumParamValues, const AudioQueueParameterEvent *_Nullable inParamValues,
    const AudioTimeStamp *_Nullable inStartTime, AudioTimeStamp *_Nullable outActualStartTime);

// MARK: Running

// The start time is one of the device's; NULL: as soon as possible.
extern OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *_Nullable inStartTime);
extern OSStatus AudioQueuePrime(
    AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare, UInt32 *_Nullable outNumberOfFramesPrepared);
extern OSStatus AudioQueueStop(AudioQueueRef inAQ, Boolean inImmediate);
extern OSStatus AudioQueuePause(AudioQueueRef inAQ);
extern OSStatus AudioQueueFlush(AudioQueueRef inAQ);
extern OSStatus AudioQueueReset(AudioQueueRef inAQ);

// MARK: Parameters, properties, listeners

extern OSStatus AudioQueueGetParameter(
    AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue *outValue);
extern OSStatus AudioQueueSetParameter(
    AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue inValue);
extern OSStatus AudioQueueGetProperty(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData, UInt32 *ioDataSize);
extern OSStatus AudioQueueSetProperty(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData, UInt32 inDataSize);
extern OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID, UInt32 *outDataSize);
extern OSStatus AudioQueueAddPropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc, void *_Nullable inUserData);
extern OSStatus AudioQueueRemovePropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc, void *_Nullable inUserData);

// MARK: Time

extern OSStatus AudioQueueCreateTimeline(
    AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable *_Nonnull outTimeline);
extern OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);
extern OSStatus AudioQueueGetCurrentTime(
    AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable inTimeline, AudioTimeStamp *_Nullable outTimeStamp,
    Boolean *_Nullable outTimelineDiscontinuity);
extern OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);
extern OSStatus AudioQueueDeviceTranslateTime(
    AudioQueueRef inAQ, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);
extern OSStatus AudioQueueDeviceGetNearestStartTime(
    AudioQueueRef inAQ, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

// MARK: Offline rendering

// With a format the queue renders into buffers and not to the device; with NULL it plays again.
extern OSStatus AudioQueueSetOfflineRenderFormat(
    AudioQueueRef inAQ, const AudioStreamBasicDescription *_Nullable inFormat,
    const AudioChannelLayout *_Nullable inLayout);
extern OSStatus AudioQueueOfflineRender(
    AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp, AudioQueueBufferRef ioBuffer, UInt32 inNumberFrames);

// MARK: Processing taps

extern OSStatus AudioQueueProcessingTapNew(
    AudioQueueRef inAQ, AudioQueueProcessingTapCallback inCallback, void *_Nullable inClientData,
    AudioQueueProcessingTapFlags inFlags, UInt32 *outMaxFrames, AudioStreamBasicDescription *outProcessingFormat,
    AudioQueueProcessingTapRef _Nullable *_Nonnull outAQTap);
extern OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);
extern OSStatus AudioQueueProcessingTapGetSourceAudio(
    AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
    AudioQueueProcessingTapFlags *outFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);
extern OSStatus AudioQueueProcessingTapGetQueueTime(
    AudioQueueProcessingTapRef inAQTap, Float64 *outQueueSampleTime, UInt32 *outQueueFrameCount);

CA_HEADER_END

#endif

// The audio unit itself: kinds, result codes, properties, parameters, rendering.
#ifndef AUDIOTOOLBOX_AUCOMPONENT_H
#define AUDIOTOOLBOX_AUCOMPONENT_H
#pragma GCC system_header

#include <AudioToolbox/AudioComponent.h>

CA_HEADER_BEGIN

typedef AudioComponentInstance AudioUnit;

// MARK: Kinds of unit

CF_ENUM(UInt32){
    kAudioUnitType_Output = 'auou',
    kAudioUnitType_MusicDevice = 'aumu',
    kAudioUnitType_MusicEffect = 'aumf',
    kAudioUnitType_FormatConverter = 'aufc',
    kAudioUnitType_Effect = 'aufx',
    kAudioUnitType_Mixer = 'aumx',
    kAudioUnitType_Panner = 'aupn',
    kAudioUnitType_Generator = 'augn',
    kAudioUnitType_OfflineEffect = 'auol',
    kAudioUnitType_MIDIProcessor = 'aumi',
    kAudioUnitType_SpeechSynthesizer = 'ausp',
    kAudioUnitType_RemoteEffect = 'aurx',
    kAudioUnitType_RemoteGenerator = 'aurg',
    kAudioUnitType_RemoteInstrument = 'auri',
    kAudioUnitType_RemoteMusicEffect = 'aurm',
};

CF_ENUM(UInt32){kAudioUnitManufacturer_Apple = 'appl'};

// Names of one unit within its type.
CF_ENUM(UInt32){
    // Output units.
    kAudioUnitSubType_GenericOutput = 'genr',
    kAudioUnitSubType_VoiceProcessingIO = 'vpio',
    kAudioUnitSubType_HALOutput = 'ahal',
    kAudioUnitSubType_DefaultOutput = 'def ',
    kAudioUnitSubType_SystemOutput = 'sys ',
    kAudioUnitSubType_RemoteIO = 'rioc',

    // Instruments.
    kAudioUnitSubType_DLSSynth = 'dls ',
    kAudioUnitSubType_Sampler = 'samp',
    kAudioUnitSubType_MIDISynth = 'msyn',

    // Format converters.
    kAudioUnitSubType_AUConverter = 'conv',
    kAudioUnitSubType_Varispeed = 'vari',
    kAudioUnitSubType_DeferredRenderer = 'defr',
    kAudioUnitSubType_Splitter = 'splt',
    kAudioUnitSubType_Merger = 'merg',
    kAudioUnitSubType_NewTimePitch = 'nutp',
    kAudioUnitSubType_AUiPodTimeOther = 'ipto',
    kAudioUnitSubType_TimePitch = 'tmpt',
    kAudioUnitSubType_AUiPodTime = 'iptm',

    // Mixers.
    kAudioUnitSubType_MultiSplitter = 'mspl',
    kAudioUnitSubType_MultiChannelMixer = 'mcmx',
    kAudioUnitSubType_MatrixMixer = 'mxmx',
    kAudioUnitSubType_SpatialMixer = '3dem',
    kAudioUnitSubType_AU3DMixerEmbedded = '3dem',
    kAudioUnitSubType_StereoMixer = 'smxr',
    kAudioUnitSubType_3DMixer = '3dmx',

    // Effects.
    kAudioUnitSubType_RoundTripAAC = 'raac',
    kAudioUnitSubType_PeakLimiter = 'lmtr',
    kAudioUnitSubType_DynamicsProcessor = 'dcmp',
    kAudioUnitSubType_LowPassFilter = 'lpas',
    kAudioUnitSubType_HighPassFilter = 'hpas',
    kAudioUnitSubType_BandPassFilter = 'bpas',
    kAudioUnitSubType_HighShelfFilter = 'hshf',
    kAudioUnitSubType_LowShelfFilter = 'lshf',
    kAudioUnitSubType_ParametricEQ = 'pmeq',
    kAudioUnitSubType_Distortion = 'dist',
    kAudioUnitSubType_Delay = 'dely',
    kAudioUnitSubType_SampleDelay = 'sdly',
    kAudioUnitSubType_NBandEQ = 'nbeq',
    kAudioUnitSubType_Reverb2 = 'rvb2',
    kAudioUnitSubType_AUSoundIsolation = 'vois',
    kAudioUnitSubType_GraphicEQ = 'greq',
    kAudioUnitSubType_MultiBandCompressor = 'mcmp',
    kAudioUnitSubType_MatrixReverb = 'mrev',
    kAudioUnitSubType_Pitch = 'tmpt',
    kAudioUnitSubType_AUFilter = 'filt',
    kAudioUnitSubType_NetSend = 'nsnd',
    kAudioUnitSubType_RogerBeep = 'rogr',
    kAudioUnitSubType_AUiPodEQ = 'ipeq',

    // Panners.
    kAudioUnitSubType_SphericalHeadPanner = 'sphr',
    kAudioUnitSubType_VectorPanner = 'vbas',
    kAudioUnitSubType_SoundFieldPanner = 'ambi',
    kAudioUnitSubType_HRTFPanner = 'hrtf',

    // Generators.
    kAudioUnitSubType_NetReceive = 'nrcv',
    kAudioUnitSubType_ScheduledSoundPlayer = 'sspl',
    kAudioUnitSubType_AudioFilePlayer = 'afpl',

    // Speech.
    kAudioUnitSubType_SpeechSynthesis = 'ttsp',
};

// MARK: Result codes

CF_ENUM(OSStatus){
    kAudioUnitErr_InvalidProperty = -10879,
    kAudioUnitErr_InvalidParameter = -10878,
    kAudioUnitErr_InvalidElement = -10877,
    kAudioUnitErr_NoConnection = -10876,
    kAudioUnitErr_FailedInitialization = -10875,
    kAudioUnitErr_TooManyFramesToProcess = -10874,
    kAudioUnitErr_IllegalInstrument = -10873,
    kAudioUnitErr_InstrumentTypeNotFound = -10872,
    kAudioUnitErr_InvalidFile = -10871,
    kAudioUnitErr_UnknownFileType = -10870,
    kAudioUnitErr_FileNotSpecified = -10869,
    kAudioUnitErr_FormatNotSupported = -10868,
    kAudioUnitErr_Uninitialized = -10867,
    kAudioUnitErr_InvalidScope = -10866,
    kAudioUnitErr_PropertyNotWritable = -10865,
    kAudioUnitErr_CannotDoInCurrentContext = -10863,
    kAudioUnitErr_InvalidPropertyValue = -10851,
    kAudioUnitErr_PropertyNotInUse = -10850,
    kAudioUnitErr_Initialized = -10849,
    kAudioUnitErr_InvalidOfflineRender = -10848,
    kAudioUnitErr_Unauthorized = -10847,
    kAudioUnitErr_MIDIOutputBufferFull = -66753,
    kAudioComponentErr_InstanceTimedOut = -66754,
    kAudioComponentErr_DuplicateDescription = -66752,
    kAudioComponentErr_UnsupportedType = -66751,
    kAudioComponentErr_TooManyInstances = -66750,
    kAudioComponentErr_InstanceInvalidated = -66749,
    kAudioComponentErr_NotPermitted = -66748,
    kAudioComponentErr_InitializationTimedOut = -66747,
    kAudioComponentErr_InvalidFormat = -66746,
    kAudioUnitErr_RenderTimeout = -66745,
    kAudioUnitErr_ExtensionNotFound = -66744,
    kAudioUnitErr_InvalidParameterValue = -66743,
    kAudioUnitErr_InvalidFilePath = -66742,
    kAudioUnitErr_MissingKey = -66741,
    kAudioUnitErr_ComponentManagerNotSupported = -66740,
    kAUVoiceIOErr_UnexpectedNumberOfInputChannels = -66784,
};

// MARK: Rendering

// Flags of a render. A callback that sets the flag for silence must also write zeros.
typedef CF_OPTIONS(UInt32, AudioUnitRenderActionFlags){
    kAudioUnitRenderAction_PreRender = (1U << 2),
    kAudioUnitRenderAction_PostRender = (1U << 3),
    kAudioUnitRenderAction_OutputIsSilence = (1U << 4),
    kAudioOfflineUnitRenderAction_Preflight = (1U << 5),
    kAudioOfflineUnitRenderAction_Render = (1U << 6),
    kAudioOfflineUnitRenderAction_Complete = (1U << 7),
    kAudioUnitRenderAction_PostRenderError = (1U << 8),
    kAudioUnitRenderAction_DoNotCheckRenderArgs = (1U << 9),
};

typedef UInt32 AudioUnitPropertyID;
typedef UInt32 AudioUnitScope;
typedef UInt32 AudioUnitElement;
typedef UInt32 AudioUnitParameterID;
typedef Float32 AudioUnitParameterValue;

// Fills buffers, is called when input is there (ioData NULL), or before and after each render.
typedef OSStatus (*AURenderCallback)(
    void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *_Nullable ioData);

typedef void (*AudioUnitPropertyListenerProc)(
    void *inRefCon, AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
    AudioUnitElement inElement);

// Says which input samples the output just rendered came from.
typedef void (*AUInputSamplesInOutputCallback)(
    void *inRefCon, const AudioTimeStamp *inOutputTimeStamp, Float64 inInputSample,
    Float64 inNumberInputSamples);

// MARK: Parameters in time, and addresses

typedef CA_NAMED_ENUM(UInt32, AUParameterEventType){
    kParameterEvent_Immediate = 1,
    kParameterEvent_Ramped = 2,
};

// A change within the next slice: at once, or as a ramp. Offsets and lengths in frames; a ramp that began
// in an earlier slice starts before this one.
typedef struct AudioUnitParameterEvent {
  AudioUnitScope scope;
  AudioUnitElement element;
  AudioUnitParameterID parameter;
  AUParameterEventType eventType;
  union {
    struct {
      SInt32 startBufferOffset;
      UInt32 durationInFrames;
      AudioUnitParameterValue startValue;
      AudioUnitParameterValue endValue;
    } ramp;
    struct {
      UInt32 bufferOffset;
      AudioUnitParameterValue value;
    } immediate;
  } eventValues;
} AudioUnitParameterEvent;

// One parameter of one unit.
typedef struct AudioUnitParameter {
  AudioUnit mAudioUnit;
  AudioUnitParameterID mParameterID;
  AudioUnitScope mScope;
  AudioUnitElement mElement;
} AudioUnitParameter;

// One property of one unit.
typedef struct AudioUnitProperty {
  AudioUnit mAudioUnit;
  AudioUnitPropertyID mPropertyID;
  AudioUnitScope mScope;
  AudioUnitElement mElement;
} AudioUnitProperty;

// MARK: Functions

extern OSStatus AudioUnitInitialize(AudioUnit inUnit);
extern OSStatus AudioUnitUninitialize(AudioUnit inUnit);

extern OSStatus AudioUnitGetPropertyInfo(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    UInt32 *_Nullable outDataSize, Boolean *_Nullable outWritable);
extern OSStatus AudioUnitGetProperty(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    void *outData, UInt32 *ioDataSize);
extern OSStatus AudioUnitSetProperty(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    const void *_Nullable inData, UInt32 inDataSize);

extern OSStatus AudioUnitAddPropertyListener(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc,
    void *_Nullable inProcUserData);
extern OSStatus AudioUnitRemovePropertyListenerWithUserData(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc,
    void *_Nullable inProcUserData);
extern OSStatus AudioUnitRemovePropertyListener(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc);

extern OSStatus AudioUnitAddRenderNotify(
    AudioUnit inUnit, AURenderCallback inProc, void *_Nullable inProcUserData);
extern OSStatus AudioUnitRemoveRenderNotify(
    AudioUnit inUnit, AURenderCallback inProc, void *_Nullable inProcUserData);

extern OSStatus AudioUnitGetParameter(
    AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue *outValue);
extern OSStatus AudioUnitSetParameter(
    AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);
extern OSStatus AudioUnitScheduleParameters(
    AudioUnit inUnit, const AudioUnitParameterEvent *inParameterEvent, UInt32 inNumParamEvents);

extern OSStatus AudioUnitRender(
    AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inOutputBusNumber, UInt32 inNumberFrames,
    AudioBufferList *ioData);
extern OSStatus AudioUnitProcess(
    AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, AudioBufferList *ioData);
extern OSStatus AudioUnitProcessMultiple(
    AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, UInt32 inNumberInputBufferLists,
    const AudioBufferList *_Nonnull *_Nonnull inInputBufferLists, UInt32 inNumberOutputBufferLists,
    AudioBufferList *_Nonnull *_Nonnull ioOutputBufferLists);

extern OSStatus AudioUnitReset(AudioUnit inUnit, AudioUnitScope inScope, AudioUnitElement inElement);

// MARK: Selectors, and the prototypes behind them

CF_ENUM(UInt32){
    kAudioUnitRange = 0x0000,
    kAudioUnitInitializeSelect = 0x0001,
    kAudioUnitUninitializeSelect = 0x0002,
    kAudioUnitGetPropertyInfoSelect = 0x0003,
    kAudioUnitGetPropertySelect = 0x0004,
    kAudioUnitSetPropertySelect = 0x0005,
    kAudioUnitGetParameterSelect = 0x0006,
    kAudioUnitSetParameterSelect = 0x0007,
    kAudioUnitResetSelect = 0x0009,
    kAudioUnitAddPropertyListenerSelect = 0x000A,
    kAudioUnitRemovePropertyListenerSelect = 0x000B,
    kAudioUnitRenderSelect = 0x000E,
    kAudioUnitAddRenderNotifySelect = 0x000F,
    kAudioUnitRemoveRenderNotifySelect = 0x0010,
    kAudioUnitScheduleParametersSelect = 0x0011,
    kAudioUnitRemovePropertyListenerWithUserDataSelect = 0x0012,
    kAudioUnitComplexRenderSelect = 0x0013,
    kAudioUnitProcessSelect = 0x0014,
    kAudioUnitProcessMultipleSelect = 0x0015,
};

// `self` is what the component's factory returned.
typedef OSStatus (*AudioUnitInitializeProc)(void *self);
typedef OSStatus (*AudioUnitUninitializeProc)(void *self);
typedef OSStatus (*AudioUnitGetPropertyInfoProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitScope scope, AudioUnitElement elem,
    UInt32 *_Nullable outDataSize, Boolean *_Nullable outWritable);
typedef OSStatus (*AudioUnitGetPropertyProc)(
    void *self, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    void *_Nullable outData, UInt32 *ioDataSize);
typedef OSStatus (*AudioUnitSetPropertyProc)(
    void *self, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    const void *_Nullable inData, UInt32 inDataSize);
typedef OSStatus (*AudioUnitAddPropertyListenerProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc, void *_Nullable userData);
typedef OSStatus (*AudioUnitRemovePropertyListenerProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc);
typedef OSStatus (*AudioUnitRemovePropertyListenerWithUserDataProc)(
    void *self, AudioUnitPropertyID prop, AudioUnitPropertyListenerProc proc, void *_Nullable userData);
typedef OSStatus (*AudioUnitAddRenderNotifyProc)(
    void *self, AURenderCallback proc, void *_Nullable userData);
typedef OSStatus (*AudioUnitRemoveRenderNotifyProc)(
    void *self, AURenderCallback proc, void *_Nullable userData);
typedef OSStatus (*AudioUnitGetParameterProc)(
    void *inComponentStorage, AudioUnitParameterID inID, AudioUnitScope inScope,
    AudioUnitElement inElement, AudioUnitParameterValue *outValue);
typedef OSStatus (*AudioUnitSetParameterProc)(
    void *inComponentStorage, AudioUnitParameterID inID, AudioUnitScope inScope,
    AudioUnitElement inElement, AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);
typedef OSStatus (*AudioUnitScheduleParametersProc)(
    void *self, const AudioUnitParameterEvent *events, UInt32 numEvents);
typedef OSStatus (*AudioUnitResetProc)(void *self, AudioUnitScope inScope, AudioUnitElement inElement);
typedef OSStatus (*AudioUnitRenderProc)(
    void *inComponentStorage, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inOutputBusNumber, UInt32 inNumberFrames,
    AudioBufferList *ioData);
typedef OSStatus (*AudioUnitProcessProc)(
    void *inComponentStorage, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, AudioBufferList *ioData);
typedef OSStatus (*AudioUnitProcessMultipleProc)(
    void *inComponentStorage, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, UInt32 inNumberInputBufferLists,
    const AudioBufferList *_Nonnull *_Nonnull inInputBufferLists, UInt32 inNumberOutputBufferLists,
    AudioBufferList *_Nonnull *_Nonnull ioOutputBufferLists);
typedef OSStatus (*AudioUnitComplexRenderProc)(
    void *inComponentStorage, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inOutputBusNumber, UInt32 inNumberOfPackets,
    UInt32 *outNumberOfPackets, AudioStreamPacketDescription *outPacketDescriptions,
    AudioBufferList *ioData, void *outMetadata, UInt32 *outMetadataByteSize);

CA_HEADER_END

#endif

// Properties of audio units: their numbers, and the values that they carry.
//
// After each number: the type of the value, then the scopes (G global, I input, O output).
#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#define AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#pragma GCC system_header

#include <AudioToolbox/AUComponent.h>

struct MIDIPacketList;
struct OpaqueAudioFileID;

CA_HEADER_BEGIN

// MARK: Scopes

CF_ENUM(AudioUnitScope){
    kAudioUnitScope_Global = 0,
    kAudioUnitScope_Input = 1,
    kAudioUnitScope_Output = 2,
    kAudioUnitScope_Group = 3,
    kAudioUnitScope_Part = 4,
    kAudioUnitScope_Note = 5,
    kAudioUnitScope_Layer = 6,
    kAudioUnitScope_LayerItem = 7,
};

// MARK: Properties of any unit

CF_ENUM(AudioUnitPropertyID){
    kAudioUnitProperty_ClassInfo = 0,                        // CFDictionaryRef, G: the whole state
    kAudioUnitProperty_MakeConnection = 1,                   // AudioUnitConnection, I
    kAudioUnitProperty_SampleRate = 2,                       // Float64 Hz, I O
    kAudioUnitProperty_ParameterList = 3,                    // AudioUnitParameterID[]
    kAudioUnitProperty_ParameterInfo = 4,                    // AudioUnitParameterInfo, element: the parameter
    kAudioUnitProperty_FastDispatch = 5,                     // a function pointer, element: the selector
    kAudioUnitProperty_CPULoad = 6,                          // Float64 from 0 to 1, G
    kAudioUnitProperty_StreamFormat = 8,                     // AudioStreamBasicDescription, I O
    kAudioUnitProperty_SRCAlgorithm = 9,                     // OSType, G
    kAudioUnitProperty_ReverbRoomType = 10,                  // UInt32, G
    kAudioUnitProperty_ElementCount = 11,                    // UInt32
    kAudioUnitProperty_BusCount = kAudioUnitProperty_ElementCount,
    kAudioUnitProperty_Latency = 12,                         // Float64 seconds, G
    kAudioUnitProperty_SupportedNumChannels = 13,            // AUChannelInfo[], G
    kAudioUnitProperty_MaximumFramesPerSlice = 14,           // UInt32, G
    kAudioUnitProperty_SetExternalBuffer = 15,               // AudioUnitExternalBuffer, G
    kAudioUnitProperty_ParameterValueStrings = 16,           // CFArrayRef, element: the parameter
    kAudioUnitProperty_MIDIControlMapping = 17,              // AudioUnitMIDIControlMapping[], G
    kAudioUnitProperty_GetUIComponentList = 18,              // AudioComponentDescription[]
    kAudioUnitProperty_AudioChannelLayout = 19,              // AudioChannelLayout, I O
    kAudioUnitProperty_TailTime = 20,                        // Float64 seconds, G
    kAudioUnitProperty_BypassEffect = 21,                    // UInt32, G
    kAudioUnitProperty_LastRenderError = 22,                 // OSStatus, G: reading clears it
    kAudioUnitProperty_SetRenderCallback = 23,               // AURenderCallbackStruct, I
    kAudioUnitProperty_FactoryPresets = 24,                  // CFArrayRef of AUPreset *, G
    kAudioUnitProperty_ContextName = 25,                     // CFStringRef, G
    kAudioUnitProperty_RenderQuality = 26,                   // UInt32 from 0 to 127, G
    kAudioUnitProperty_HostCallbacks = 27,                   // HostCallbackInfo, G
    kAudioUnitProperty_CurrentPreset = 28,                   // AUPreset, G: before PresentPreset
    kAudioUnitProperty_InPlaceProcessing = 29,               // UInt32, G
    kAudioUnitProperty_ElementName = 30,                     // CFStringRef
    kAudioUnitProperty_CocoaUI = 31,                         // AudioUnitCocoaViewInfo, G
    kAudioUnitProperty_SupportedChannelLayoutTags = 32,      // AudioChannelLayoutTag[], I O
    kAudioUnitProperty_ParameterStringFromValue = 33,        // AudioUnitParameterStringFromValue
    kAudioUnitProperty_ParameterValueName = kAudioUnitProperty_ParameterStringFromValue,
    kAudioUnitProperty_ParameterIDName = 34,                 // AudioUnitParameterIDName
    kAudioUnitProperty_ParameterClumpName = 35,              // AudioUnitParameterIDName
    kAudioUnitProperty_PresentPreset = 36,                   // AUPreset, G
    kAudioUnitProperty_OfflineRender = 37,                   // UInt32, G
    kAudioUnitProperty_ParameterValueFromString = 38,        // AudioUnitParameterValueFromString
    kAudioUnitProperty_IconLocation = 39,                    // CFURLRef, G
    kAudioUnitProperty_PresentationLatency = 40,             // Float64 seconds, I O
    kAudioUnitProperty_AllParameterMIDIMappings = 41,        // AUParameterMIDIMapping[]
    kAudioUnitProperty_AddParameterMIDIMapping = 42,         // AUParameterMIDIMapping[]
    kAudioUnitProperty_RemoveParameterMIDIMapping = 43,      // AUParameterMIDIMapping[]
    kAudioUnitProperty_HotMapParameterMIDIMapping = 44,      // AUParameterMIDIMapping
    kAudioUnitProperty_DependentParameters = 45,             // AUDependentParameter[], element: the parameter
    kAudioUnitProperty_AUHostIdentifier = 46,                // AUHostVersionIdentifier, G
    kAudioUnitProperty_MIDIOutputCallbackInfo = 47,          // CFArrayRef, G
    kAudioUnitProperty_MIDIOutputCallback = 48,              // AUMIDIOutputCallbackStruct, G
    kAudioUnitProperty_InputSamplesInOutput = 49,            // AUInputSamplesInOutputCallbackStruct, G
    kAudioUnitProperty_ClassInfoFromDocument = 50,           // CFDictionaryRef, G
    kAudioUnitProperty_ShouldAllocateBuffer = 51,            // UInt32, I O
    kAudioUnitProperty_FrequencyResponse = 52,               // AudioUnitFrequencyResponseBin[], I O
    kAudioUnitProperty_ParameterHistoryInfo = 53,            // AudioUnitParameterHistoryInfo, G
    kAudioUnitProperty_NickName = 54,                        // CFStringRef, G
    kAudioUnitProperty_RequestViewController = 56,           // a block, G
    kAudioUnitProperty_ParametersForOverview = 57,           // AudioUnitParameter[], G
    kAudioUnitProperty_SupportsMPE = 58,                     // UInt32, G
    kAudioUnitProperty_RenderContextObserver = 60,           // a block, G
    kAudioUnitProperty_LastRenderSampleTime = 61,            // Float64 frames, G
    kAudioUnitProperty_LoadedOutOfProcess = 62,              // UInt32, G
    kAudioUnitProperty_MIDIOutputEventListCallback = 63,     // a block, G
    kAudioUnitProperty_AudioUnitMIDIProtocol = 64,           // SInt32, G
    kAudioUnitProperty_HostMIDIProtocol = 65,                // SInt32, G
    kAudioUnitProperty_MIDIOutputBufferSizeHint = 66,        // UInt32 bytes, G
    kAudioUnitProperty_RemoteControlEventListener = 100,     // a block, G
    kAudioUnitProperty_IsInterAppConnected = 101,            // UInt32, G
    kAudioUnitProperty_PeerURL = 102,                        // CFURLRef, G
    kAudioUnitProperty_SpeechChannel = 3331,                 // of the speech synthesiser, G
    kAudioUnitMigrateProperty_FromPlugin = 4000,
    kAudioUnitMigrateProperty_OldAutomation = 4001,
};

// MARK: Values of these properties

// Keys of a saved state.
#define kAUPresetVersionKey "version"
#define kAUPresetTypeKey "type"
#define kAUPresetSubtypeKey "subtype"
#define kAUPresetManufacturerKey "manufacturer"
#define kAUPresetDataKey "data"
#define kAUPresetNameKey "name"
#define kAUPresetNumberKey "preset-number"
#define kAUPresetRenderQualityKey "render-quality"
#define kAUPresetCPULoadKey "cpu-load"
#define kAUPresetElementNameKey "element-name"
#define kAUPresetExternalFileRefs "file-references"
#define kAUPresetPartKey "part"
#define kAUPresetVSTDataKey "vstdata"
#define kAUPresetVSTPresetKey "vstpreset"
#define kAUPresetMASDataKey "masdata"

CF_ENUM(UInt32){
    kRenderQuality_Max = 127,
    kRenderQuality_High = 96,
    kRenderQuality_Medium = 64,
    kRenderQuality_Low = 32,
    kRenderQuality_Min = 0,
};

CF_ENUM(UInt32){kNumberOfResponseFrequencies = 1024};

CF_ENUM(OSType){
    kAudioUnitSRCAlgorithm_Polyphase = 'poly',
    kAudioUnitSRCAlgorithm_MediumQuality = 'csrc',
};

typedef struct AudioUnitConnection {
  AudioUnit _Nullable sourceAudioUnit;  // NULL: disconnect
  UInt32 sourceOutputNumber;
  UInt32 destInputNumber;
} AudioUnitConnection;

// -1 -1: the same, any; -1 -2: any, each; below -2: a total over all elements; 0: no elements.
typedef struct AUChannelInfo {
  SInt16 inChannels;
  SInt16 outChannels;
} AUChannelInfo;

typedef struct AudioUnitExternalBuffer {
  Byte *buffer;
  UInt32 size;  // bytes
} AudioUnitExternalBuffer;

typedef struct AURenderCallbackStruct {
  AURenderCallback _Nullable inputProc;  // NULL: none
  void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

// Not negative: one of the unit's own; negative: the user's, which has a name.
typedef struct AUPreset {
  SInt32 presetNumber;
  CFStringRef _Nullable presetName;
} AUPreset;

// Hz, and the magnitude there; a negative frequency ends the list.
typedef struct AudioUnitFrequencyResponseBin {
  Float64 mFrequency;
  Float64 mMagnitude;
} AudioUnitFrequencyResponseBin;

// Functions by which a unit reads from its host: beats and tempo, position in the music, transport.
typedef OSStatus (*HostCallback_GetBeatAndTempo)(
    void *_Nullable inHostUserData, Float64 *_Nullable outCurrentBeat, Float64 *_Nullable outCurrentTempo);
typedef OSStatus (*HostCallback_GetMusicalTimeLocation)(
    void *_Nullable inHostUserData, UInt32 *_Nullable outDeltaSampleOffsetToNextBeat,
    Float32 *_Nullable outTimeSig_Numerator, UInt32 *_Nullable outTimeSig_Denominator,
    Float64 *_Nullable outCurrentMeasureDownBeat);
typedef OSStatus (*HostCallback_GetTransportState)(
    void *_Nullable inHostUserData, Boolean *_Nullable outIsPlaying,
    Boolean *_Nullable outTransportStateChanged, Float64 *_Nullable outCurrentSampleInTimeLine,
    Boolean *_Nullable outIsCycling, Float64 *_Nullable outCycleStartBeat,
    Float64 *_Nullable outCycleEndBeat);
typedef OSStatus (*HostCallback_GetTransportState2)(
    void *_Nullable inHostUserData, Boolean *_Nullable outIsPlaying, Boolean *_Nullable outIsRecording,
    Boolean *_Nullable outTransportStateChanged, Float64 *_Nullable outCurrentSampleInTimeLine,
    Boolean *_Nullable outIsCycling, Float64 *_Nullable outCycleStartBeat,
    Float64 *_Nullable outCycleEndBeat);

typedef struct HostCallbackInfo {
  void *_Nullable hostUserData;
  HostCallback_GetBeatAndTempo _Nullable beatAndTempoProc;
  HostCallback_GetMusicalTimeLocation _Nullable musicalTimeLocationProc;
  HostCallback_GetTransportState _Nullable transportStateProc;
  HostCallback_GetTransportState2 _Nullable transportStateProc2;
} HostCallbackInfo;

typedef struct AUDependentParameter {
  AudioUnitScope mScope;
  AudioUnitParameterID mParameterID;
} AUDependentParameter;

typedef struct AudioUnitCocoaViewInfo {
  CFURLRef mCocoaAUViewBundleLocation;
  CFStringRef _Nonnull mCocoaAUViewClass[1];
} AudioUnitCocoaViewInfo;

typedef struct AUHostVersionIdentifier {
  CFStringRef hostName;
  UInt32 hostVersion;
} AUHostVersionIdentifier;
typedef AUHostVersionIdentifier AUHostIdentifier;

typedef OSStatus (*AUMIDIOutputCallback)(
    void *_Nullable userData, const AudioTimeStamp *timeStamp, UInt32 midiOutNum,
    const struct MIDIPacketList *pktlist);
typedef struct AUMIDIOutputCallbackStruct {
  AUMIDIOutputCallback midiOutputCallback;
  void *_Nullable userData;
} AUMIDIOutputCallbackStruct;

typedef struct AUInputSamplesInOutputCallbackStruct {
  AUInputSamplesInOutputCallback inputToOutputCallback;
  void *_Nullable userData;
} AUInputSamplesInOutputCallbackStruct;

typedef struct AudioUnitParameterHistoryInfo {
  Float32 updatesPerSecond;
  Float32 historyDurationInSeconds;
} AudioUnitParameterHistoryInfo;

// MIDI protocols are plain numbers here: 1 the first, 2 the second.
typedef SInt32 AudioUnitMIDIProtocol;

// MARK: Parameters described

typedef CA_NAMED_ENUM(UInt32, AudioUnitParameterUnit){
    kAudioUnitParameterUnit_Generic = 0,
    kAudioUnitParameterUnit_Indexed = 1,
    kAudioUnitParameterUnit_Boolean = 2,
    kAudioUnitParameterUnit_Percent = 3,
    kAudioUnitParameterUnit_Seconds = 4,
    kAudioUnitParameterUnit_SampleFrames = 5,
    kAudioUnitParameterUnit_Phase = 6,
    kAudioUnitParameterUnit_Rate = 7,
    kAudioUnitParameterUnit_Hertz = 8,
    kAudioUnitParameterUnit_Cents = 9,
    kAudioUnitParameterUnit_RelativeSemiTones = 10,
    kAudioUnitParameterUnit_MIDINoteNumber = 11,
    kAudioUnitParameterUnit_MIDIController = 12,
    kAudioUnitParameterUnit_Decibels = 13,
    kAudioUnitParameterUnit_LinearGain = 14,
    kAudioUnitParameterUnit_Degrees = 15,
    kAudioUnitParameterUnit_EqualPowerCrossfade = 16,
    kAudioUnitParameterUnit_MixerFaderCurve1 = 17,
    kAudioUnitParameterUnit_Pan = 18,
    kAudioUnitParameterUnit_Meters = 19,
    kAudioUnitParameterUnit_AbsoluteCents = 20,
    kAudioUnitParameterUnit_Octaves = 21,
    kAudioUnitParameterUnit_BPM = 22,
    kAudioUnitParameterUnit_Beats = 23,
    kAudioUnitParameterUnit_Milliseconds = 24,
    kAudioUnitParameterUnit_Ratio = 25,
    kAudioUnitParameterUnit_CustomUnit = 26,
    kAudioUnitParameterUnit_MIDI2Controller = 27,
};

typedef CF_OPTIONS(UInt32, AudioUnitParameterOptions){
    kAudioUnitParameterFlag_CFNameRelease = (1U << 4),  // the caller releases the name

    kAudioUnitParameterFlag_OmitFromPresets = (1U << 13),
    kAudioUnitParameterFlag_PlotHistory = (1U << 14),
    kAudioUnitParameterFlag_MeterReadOnly = (1U << 15),

    kAudioUnitParameterFlag_DisplayMask = (7U << 16) | (1U << 22),
    kAudioUnitParameterFlag_DisplaySquareRoot = (1U << 16),
    kAudioUnitParameterFlag_DisplaySquared = (2U << 16),
    kAudioUnitParameterFlag_DisplayCubed = (3U << 16),
    kAudioUnitParameterFlag_DisplayCubeRoot = (4U << 16),
    kAudioUnitParameterFlag_DisplayExponential = (5U << 16),

    kAudioUnitParameterFlag_HasClump = (1U << 20),
    kAudioUnitParameterFlag_ValuesHaveStrings = (1U << 21),
    kAudioUnitParameterFlag_DisplayLogarithmic = (1U << 22),
    kAudioUnitParameterFlag_IsHighResolution = (1U << 23),
    kAudioUnitParameterFlag_NonRealTime = (1U << 24),
    kAudioUnitParameterFlag_CanRamp = (1U << 25),
    kAudioUnitParameterFlag_ExpertMode = (1U << 26),
    kAudioUnitParameterFlag_HasCFNameString = (1U << 27),
    kAudioUnitParameterFlag_IsGlobalMeta = (1U << 28),
    kAudioUnitParameterFlag_IsElementMeta = (1U << 29),
    kAudioUnitParameterFlag_IsReadable = (1U << 30),
    kAudioUnitParameterFlag_IsWritable = (1U << 31),
};

// The spread of a parameter's values over a control: the flags for it, read and replaced.
#define GetAudioUnitParameterDisplayType(flags) ((flags) & kAudioUnitParameterFlag_DisplayMask)
#define SetAudioUnitParameterDisplayType(flags, displayType) \
  (((flags) & ~kAudioUnitParameterFlag_DisplayMask) | (displayType))
#define AudioUnitDisplayTypeIsSquareRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquareRoot)
#define AudioUnitDisplayTypeIsSquared(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquared)
#define AudioUnitDisplayTypeIsCubed(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubed)
#define AudioUnitDisplayTypeIsCubeRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubeRoot)
#define AudioUnitDisplayTypeIsExponential(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayExponential)
#define AudioUnitDisplayTypeIsLogarithmic(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayLogarithmic)

// Older flags, of scopes and of names.
CF_ENUM(UInt32){
    kAudioUnitParameterFlag_Global = (1U << 0),
    kAudioUnitParameterFlag_Input = (1U << 1),
    kAudioUnitParameterFlag_Output = (1U << 2),
    kAudioUnitParameterFlag_Group = (1U << 3),
    kAudioUnitParameterFlag_HasName = (1U << 21),
};

CF_ENUM(UInt32){kAudioUnitClumpID_System = 0};

typedef struct AudioUnitParameterInfo {
  char name[52];                      // UTF-8, where there is no string
  CFStringRef _Nullable unitName;     // of a custom unit only
  UInt32 clumpID;                     // with the flag HasClump
  CFStringRef _Nullable cfNameString; // with the flag HasCFNameString
  AudioUnitParameterUnit unit;
  AudioUnitParameterValue minValue;
  AudioUnitParameterValue maxValue;
  AudioUnitParameterValue defaultValue;
  AudioUnitParameterOptions flags;
} AudioUnitParameterInfo;

// In: the parameter and a value (NULL: the present one). Out: the text, which the caller releases.
typedef struct AudioUnitParameterStringFromValue {
  AudioUnitParameterID inParamID;
  const AudioUnitParameterValue *_Nullable inValue;
  CFStringRef _Nullable outString;
} AudioUnitParameterStringFromValue;

typedef struct AudioUnitParameterValueName {
  AudioUnitParameterID inParamID;
  const AudioUnitParameterValue *_Nullable inValue;
  CFStringRef _Nullable outName;
} AudioUnitParameterValueName;

typedef struct AudioUnitParameterValueFromString {
  AudioUnitParameterID inParamID;
  CFStringRef inString;
  AudioUnitParameterValue outValue;
} AudioUnitParameterValueFromString;

// A parameter's or a clump's name in so many characters; -1: all of it.
typedef struct AudioUnitParameterNameInfo {
  UInt32 inID;
  SInt32 inDesiredLength;
  CFStringRef _Nullable outName;
} AudioUnitParameterNameInfo;
typedef AudioUnitParameterNameInfo AudioUnitParameterIDName;

CF_ENUM(SInt32){kAudioUnitParameterName_Full = -1};

// MARK: Parameters moved by MIDI

typedef CF_OPTIONS(UInt32, AUParameterMIDIMappingFlags){
    kAUParameterMIDIMapping_AnyChannelFlag = (1U << 0),
    kAUParameterMIDIMapping_AnyNoteFlag = (1U << 1),
    kAUParameterMIDIMapping_SubRange = (1U << 2),
    kAUParameterMIDIMapping_Toggle = (1U << 3),
    kAUParameterMIDIMapping_Bipolar = (1U << 4),
    kAUParameterMIDIMapping_Bipolar_On = (1U << 5),
};

typedef struct AUParameterMIDIMapping {
  AudioUnitScope mScope;
  AudioUnitElement mElement;
  AudioUnitParameterID mParameterID;
  AUParameterMIDIMappingFlags mFlags;
  AudioUnitParameterValue mSubRangeMin;
  AudioUnitParameterValue mSubRangeMax;
  UInt8 mStatus;
  UInt8 mData1;
  UInt8 reserved1;
  UInt8 reserved2;
  UInt32 reserved3;
} AUParameterMIDIMapping;

typedef struct AudioUnitMIDIControlMapping {
  UInt16 midiNRPN;
  UInt8 midiControl;
  UInt8 scope;
  AudioUnitElement element;
  AudioUnitParameterID parameter;
} AudioUnitMIDIControlMapping;

// MARK: Output units

CF_ENUM(AudioUnitPropertyID){
    kAudioOutputUnitProperty_CurrentDevice = 2000,                    // AudioObjectID, G
    kAudioOutputUnitProperty_IsRunning = 2001,                        // UInt32, G
    kAudioOutputUnitProperty_ChannelMap = 2002,                       // SInt32[], I O: -1 is silence
    kAudioOutputUnitProperty_EnableIO = 2003,                         // UInt32, O of 0, I of 1
    kAudioOutputUnitProperty_StartTime = 2004,                        // AudioOutputUnitStartAtTimeParams, G
    kAudioOutputUnitProperty_SetInputCallback = 2005,                 // AURenderCallbackStruct, G
    kAudioOutputUnitProperty_HasIO = 2006,                            // UInt32, O of 0, I of 1
    kAudioOutputUnitProperty_StartTimestampsAtZero = 2007,            // UInt32, G
    kAudioOutputUnitProperty_MIDICallbacks = 2010,                    // AudioOutputUnitMIDICallbacks, G
    kAudioOutputUnitProperty_HostReceivesRemoteControlEvents = 2011,  // UInt32, G
    kAudioOutputUnitProperty_RemoteControlToHost = 2012,              // UInt32, G
    kAudioOutputUnitProperty_HostTransportState = 2013,               // heard, never read
    kAudioOutputUnitProperty_NodeComponentDescription = 2014,         // AudioComponentDescription, G
    kAudioOutputUnitProperty_OSWorkgroup = 2015,
};

typedef struct AudioOutputUnitStartAtTimeParams {
  AudioTimeStamp mTimestamp;
  UInt32 mFlags;
} AudioOutputUnitStartAtTimeParams;

typedef CA_NAMED_ENUM(UInt32, AudioUnitRemoteControlEvent){
    kAudioUnitRemoteControlEvent_TogglePlayPause = 1,
    kAudioUnitRemoteControlEvent_ToggleRecord = 2,
    kAudioUnitRemoteControlEvent_Rewind = 3,
};
#ifdef __BLOCKS__
typedef void (^AudioUnitRemoteControlEventListener)(AudioUnitRemoteControlEvent event);
#endif

typedef void (*AudioOutputUnitMIDIEventCallback)(
    void *_Nullable userData, UInt32 inStatus, UInt32 inData1, UInt32 inData2,
    UInt32 inOffsetSampleFrame);
typedef void (*AudioOutputUnitMIDISysExCallback)(
    void *_Nullable userData, const UInt8 *inData, UInt32 inLength);
typedef struct AudioOutputUnitMIDICallbacks {
  void *_Nullable userData;
  AudioOutputUnitMIDIEventCallback MIDIEventProc;
  AudioOutputUnitMIDISysExCallback MIDISysExProc;
} AudioOutputUnitMIDICallbacks;

// Properties of the unit for voice.
CF_ENUM(AudioUnitPropertyID){
    kAUVoiceIOProperty_BypassVoiceProcessing = 2100,              // UInt32, G
    kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101,           // UInt32, G
    kAUVoiceIOProperty_DuckNonVoiceAudio = 2102,                  // UInt32, G
    kAUVoiceIOProperty_VoiceProcessingQuality = 2103,             // UInt32 from 0 to 127, G
    kAUVoiceIOProperty_MuteOutput = 2104,                         // UInt32, G: mutes the microphone
    kAUVoiceIOProperty_MutedSpeechActivityEventListener = 2106,   // a block, G
    kAUVoiceIOProperty_OtherAudioDuckingConfiguration = 2108,     // AUVoiceIOOtherAudioDuckingConfiguration, G
};

typedef CA_NAMED_ENUM(UInt32, AUVoiceIOSpeechActivityEvent){
    kAUVoiceIOSpeechActivityHasStarted = 0,
    kAUVoiceIOSpeechActivityHasEnded = 1,
};
#ifdef __BLOCKS__
typedef void (^AUVoiceIOMutedSpeechActivityEventListener)(AUVoiceIOSpeechActivityEvent event);
#endif

typedef CA_NAMED_ENUM(UInt32, AUVoiceIOOtherAudioDuckingLevel){
    kAUVoiceIOOtherAudioDuckingLevelDefault = 0,
    kAUVoiceIOOtherAudioDuckingLevelMin = 10,
    kAUVoiceIOOtherAudioDuckingLevelMid = 20,
    kAUVoiceIOOtherAudioDuckingLevelMax = 30,
};

typedef struct AUVoiceIOOtherAudioDuckingConfiguration {
  Boolean mEnableAdvancedDucking;
  AUVoiceIOOtherAudioDuckingLevel mDuckingLevel;
} AUVoiceIOOtherAudioDuckingConfiguration;

// MARK: Converters

CF_ENUM(AudioUnitPropertyID){kAudioUnitProperty_SampleRateConverterComplexity = 3014};  // OSType, G

CF_ENUM(OSType){
    kAudioUnitSampleRateConverterComplexity_Linear = 'line',
    kAudioUnitSampleRateConverterComplexity_Normal = 'norm',
    kAudioUnitSampleRateConverterComplexity_Mastering = 'bats',
};

// MARK: Mixers

CF_ENUM(AudioUnitPropertyID){
    kAudioUnitProperty_MatrixLevels = 3006,          // Float32[]
    kAudioUnitProperty_MeteringMode = 3007,          // UInt32, I O
    kAudioUnitProperty_PannerMode = 3008,            // UInt32
    kAudioUnitProperty_MatrixDimensions = 3009,      // UInt32[2], G: channels in, channels out
    kAudioUnitProperty_MeterClipping = 3011,         // AudioUnitMeterClipping, G
    kAudioUnitProperty_InputAnchorTimeStamp = 3016,  // AudioTimeStamp, I
};

typedef struct AudioUnitMeterClipping {
  Float32 peakValueSinceLastCall;
  Boolean sawInfinity;
  Boolean sawNotANumber;
} AudioUnitMeterClipping;

// Properties of the mixers in space, most of them per input.
CF_ENUM(AudioUnitPropertyID){
    kAudioUnitProperty_UsesInternalReverb = 1005,       // UInt32, G
    kAudioUnitProperty_SpatializationAlgorithm = 3000,  // UInt32, I
    kAudioUnitProperty_SpeakerConfiguration = 3001,
    kAudioUnitProperty_DopplerShift = 3002,
    kAudioUnitProperty_3DMixerRenderingFlags = 3003,
    kAudioUnitProperty_SpatialMixerRenderingFlags = 3003,      // UInt32, I
    kAudioUnitProperty_3DMixerDistanceAtten = 3004,
    kAudioUnitProperty_SpatialMixerSourceMode = 3005,          // UInt32, I
    kAudioUnitProperty_3DMixerDistanceParams = 3010,
    kAudioUnitProperty_SpatialMixerDistanceParams = 3010,      // MixerDistanceParams, I
    kAudioUnitProperty_ReverbPreset = 3012,
    kAudioUnitProperty_3DMixerAttenuationCurve = 3013,
    kAudioUnitProperty_SpatialMixerAttenuationCurve = 3013,    // UInt32, I
    kAudioUnitProperty_SpatialMixerOutputType = 3100,          // UInt32, G
    kAudioUnitProperty_SpatialMixerPointSourceInHeadMode = 3103,
    kAudioUnitProperty_SpatialMixerEnableHeadTracking = 3111,
    kAudioUnitProperty_SpatialMixerPersonalizedHRTFMode = 3113,
    kAudioUnitProperty_SpatialMixerAnyInputIsUsingPersonalizedHRTF = 3116,
    kAudioUnitProperty_DistanceAttenuationData = 3600,         // AUDistanceAttenuationData, G
};

typedef CA_NAMED_ENUM(UInt32, AUSpatializationAlgorithm){
    kSpatializationAlgorithm_EqualPowerPanning = 0,
    kSpatializationAlgorithm_SphericalHead = 1,
    kSpatializationAlgorithm_HRTF = 2,
    kSpatializationAlgorithm_SoundField = 3,
    kSpatializationAlgorithm_VectorBasedPanning = 4,
    kSpatializationAlgorithm_StereoPassThrough = 5,
    kSpatializationAlgorithm_HRTFHQ = 6,
    kSpatializationAlgorithm_UseOutputType = 7,
};

typedef CA_NAMED_ENUM(UInt32, AUSpatialMixerSourceMode){
    kSpatialMixerSourceMode_SpatializeIfMono = 0,
    kSpatialMixerSourceMode_Bypass = 1,
    kSpatialMixerSourceMode_PointSource = 2,
    kSpatialMixerSourceMode_AmbienceBed = 3,
};

typedef CA_NAMED_ENUM(UInt32, AUReverbRoomType){
    kReverbRoomType_SmallRoom = 0,
    kReverbRoomType_MediumRoom = 1,
    kReverbRoomType_LargeRoom = 2,
    kReverbRoomType_MediumHall = 3,
    kReverbRoomType_LargeHall = 4,
    kReverbRoomType_Plate = 5,
    kReverbRoomType_MediumChamber = 6,
    kReverbRoomType_LargeChamber = 7,
    kReverbRoomType_Cathedral = 8,
    kReverbRoomType_LargeRoom2 = 9,
    kReverbRoomType_MediumHall2 = 10,
    kReverbRoomType_MediumHall3 = 11,
    kReverbRoomType_LargeHall2 = 12,
};

typedef CA_NAMED_ENUM(UInt32, AUSpatialMixerAttenuationCurve){
    kSpatialMixerAttenuationCurve_Power = 0,
    kSpatialMixerAttenuationCurve_Exponential = 1,
    kSpatialMixerAttenuationCurve_Inverse = 2,
    kSpatialMixerAttenuationCurve_Linear = 3,
};
typedef CA_NAMED_ENUM(UInt32, AU3DMixerAttenuationCurve){
    k3DMixerAttenuationCurve_Power = 0,
    k3DMixerAttenuationCurve_Exponential = 1,
    k3DMixerAttenuationCurve_Inverse = 2,
    k3DMixerAttenuationCurve_Linear = 3,
};

typedef CF_OPTIONS(UInt32, AUSpatialMixerRenderingFlags){
    kSpatialMixerRenderingFlags_InterAuralDelay = (1U << 0),
    kSpatialMixerRenderingFlags_DistanceAttenuation = (1U << 2),
};
typedef CF_OPTIONS(UInt32, AU3DMixerRenderingFlags){
    k3DMixerRenderingFlags_InterAuralDelay = (1U << 0),
    k3DMixerRenderingFlags_DopplerShift = (1U << 1),
    k3DMixerRenderingFlags_DistanceAttenuation = (1U << 2),
    k3DMixerRenderingFlags_DistanceFilter = (1U << 3),
    k3DMixerRenderingFlags_DistanceDiffusion = (1U << 4),
    k3DMixerRenderingFlags_LinearDistanceAttenuation = (1U << 5),
    k3DMixerRenderingFlags_ConstantReverbBlend = (1U << 6),
};

typedef CA_NAMED_ENUM(UInt32, AUSpatialMixerOutputType){
    kSpatialMixerOutputType_Headphones = 1,
    kSpatialMixerOutputType_BuiltInSpeakers = 2,
    kSpatialMixerOutputType_ExternalSpeakers = 3,
};
typedef CA_NAMED_ENUM(UInt32, AUSpatialMixerPointSourceInHeadMode){
    kSpatialMixerPointSourceInHeadMode_Mono = 0,
    kSpatialMixerPointSourceInHeadMode_Bypass = 1,
};
typedef CA_NAMED_ENUM(UInt32, AUSpatialMixerPersonalizedHRTFMode){
    kSpatialMixerPersonalizedHRTFMode_Off = 0,
    kSpatialMixerPersonalizedHRTFMode_On = 1,
    kSpatialMixerPersonalizedHRTFMode_Auto = 2,
};
CF_ENUM(UInt32){
    kSpeakerConfiguration_HeadPhones = 0,
    kSpeakerConfiguration_Stereo = 1,
    kSpeakerConfiguration_Quad = 2,
    kSpeakerConfiguration_5_0 = 3,
    kSpeakerConfiguration_5_1 = 3,
};

// Metres, metres, dB.
typedef struct MixerDistanceParams {
  Float32 mReferenceDistance;
  Float32 mMaxDistance;
  Float32 mMaxAttenuation;
} MixerDistanceParams;

typedef struct AUDistanceAttenuationPair {
  Float32 inDistance;  // 0 to 1000
  Float32 outGain;     // 0 to 1
} AUDistanceAttenuationPair;
typedef struct AUDistanceAttenuationData {
  UInt32 inNumberOfPairs;
  AUDistanceAttenuationPair pairs[1];
} AUDistanceAttenuationData;

// MARK: Equaliser

CF_ENUM(AudioUnitPropertyID){
    kAUNBandEQProperty_NumberOfBands = 2200,       // UInt32, G
    kAUNBandEQProperty_MaxNumberOfBands = 2201,    // UInt32, G
    kAUNBandEQProperty_BiquadCoefficients = 2203,  // Float64[5 * bands], G
};

// MARK: Players

CF_ENUM(AudioUnitPropertyID){
    kAudioUnitProperty_ScheduleAudioSlice = 3300,             // ScheduledAudioSlice, G
    kAudioUnitProperty_ScheduleStartTimeStamp = 3301,         // AudioTimeStamp, G: sample -1 is the next render
    kAudioUnitProperty_CurrentPlayTime = 3302,                // AudioTimeStamp, G: from the start, -1 before it
    kAudioUnitProperty_ScheduledFileIDs = 3310,               // AudioFileID[], G
    kAudioUnitProperty_ScheduledFileRegion = 3311,            // ScheduledAudioFileRegion, G
    kAudioUnitProperty_ScheduledFilePrime = 3312,             // UInt32 frames, G: 0 is the default
    kAudioUnitProperty_ScheduledFileBufferSizeFrames = 3313,  // UInt32, G
    kAudioUnitProperty_ScheduledFileNumberBuffers = 3314,     // UInt32, G
    kAudioUnitProperty_DeferredRendererPullSize = 3320,       // UInt32, G
    kAudioUnitProperty_DeferredRendererExtraLatency = 3321,   // UInt32, G
    kAudioUnitProperty_DeferredRendererWaitFrames = 3322,     // UInt32, G
};

typedef CF_OPTIONS(UInt32, AUScheduledAudioSliceFlags){
    kScheduledAudioSliceFlag_Complete = 0x01,
    kScheduledAudioSliceFlag_BeganToRender = 0x02,
    kScheduledAudioSliceFlag_BeganToRenderLate = 0x04,
    kScheduledAudioSliceFlag_Loop = 0x08,
    kScheduledAudioSliceFlag_Interrupt = 0x10,
    kScheduledAudioSliceFlag_InterruptAtLoop = 0x20,
};

typedef struct ScheduledAudioSlice ScheduledAudioSlice;
typedef void (*ScheduledAudioSliceCompletionProc)(
    void *_Nullable userData, ScheduledAudioSlice *bufferList);

// Buffers to be played at a time; the memory stays the caller's until the flag Complete.
struct ScheduledAudioSlice {
  AudioTimeStamp mTimeStamp;
  ScheduledAudioSliceCompletionProc _Nullable mCompletionProc;
  void *_Nullable mCompletionProcUserData;
  AUScheduledAudioSliceFlags mFlags;
  UInt32 mReserved;
  void *_Nullable mReserved2;
  UInt32 mNumberFrames;
  AudioBufferList *mBufferList;
};

typedef struct ScheduledAudioFileRegion ScheduledAudioFileRegion;
typedef void (*ScheduledAudioFileRegionCompletionProc)(
    void *_Nullable userData, ScheduledAudioFileRegion *fileRegion, OSStatus result);

// A piece of a file to be played at a time. Loop count 0: once.
struct ScheduledAudioFileRegion {
  AudioTimeStamp mTimeStamp;
  ScheduledAudioFileRegionCompletionProc _Nullable mCompletionProc;
  void *_Nullable mCompletionProcUserData;
  struct OpaqueAudioFileID *mAudioFile;
  UInt32 mLoopCount;
  SInt64 mStartFrame;
  UInt32 mFramesToPlay;
};

// MARK: Offline units

CF_ENUM(AudioUnitPropertyID){
    kAudioUnitOfflineProperty_InputSize = 3020,              // UInt64 frames, G
    kAudioUnitOfflineProperty_OutputSize = 3021,             // UInt64 frames, G
    kAudioUnitOfflineProperty_StartOffset = 3022,            // UInt64 frames, G
    kAudioUnitOfflineProperty_PreflightRequirements = 3023,  // UInt32, G
    kAudioUnitOfflineProperty_PreflightName = 3024,          // CFStringRef, G
    kAudioOfflineUnitProperty_InputSize = kAudioUnitOfflineProperty_InputSize,
    kAudioOfflineUnitProperty_OutputSize = kAudioUnitOfflineProperty_OutputSize,
    kAudioOfflineUnitProperty_StartOffset = kAudioUnitOfflineProperty_StartOffset,
    kAudioOfflineUnitProperty_PreflightRequirements = kAudioUnitOfflineProperty_PreflightRequirements,
    kAudioOfflineUnitProperty_PreflightName = kAudioUnitOfflineProperty_PreflightName,
};

CF_ENUM(UInt32){
    kOfflinePreflight_NotRequired = 0,
    kOfflinePreflight_Optional = 1,
    kOfflinePreflight_Required = 2,
};

// MARK: Instruments

CF_ENUM(AudioUnitPropertyID){
    kMusicDeviceProperty_InstrumentCount = 1000,   // UInt32, G
    kMusicDeviceProperty_InstrumentName = 1001,    // CFURLRef, G
    kMusicDeviceProperty_GroupOutputBus = 1002,    // UInt32
    kMusicDeviceProperty_SoundBankFSSpec = 1003,
    kMusicDeviceProperty_InstrumentNumber = 1004,  // UInt32, G
    kMusicDeviceProperty_UsesInternalReverb = kAudioUnitProperty_UsesInternalReverb,
    kMusicDeviceProperty_MIDIXMLNames = 1006,      // CFURLRef, G
    kMusicDeviceProperty_BankName = 1007,          // CFStringRef, G
    kMusicDeviceProperty_SoundBankData = 1008,     // bytes, G
    kMusicDeviceProperty_PartGroup = 1010,         // MusicDeviceGroupID
    kMusicDeviceProperty_StreamFromDisk = 1011,    // UInt32, G
    kMusicDeviceProperty_SoundBankFSRef = 1012,
    kMusicDeviceProperty_DualSchedulingMode = 1013,  // UInt32, G
    kMusicDeviceProperty_SoundBankURL = 1100,      // CFURLRef, G
    kAUSamplerProperty_LoadPresetFromBank = 4100,  // AUSamplerBankPresetData, G
    kAUSamplerProperty_LoadAudioFiles = 4101,      // CFArrayRef of CFURLRef, G
    kAUSamplerProperty_LoadInstrument = 4102,      // AUSamplerInstrumentData, G
    kAUMIDISynthProperty_EnablePreload = 4119,     // UInt32, G
};

CF_ENUM(UInt8){
    kInstrumentType_DLSPreset = 1,
    kInstrumentType_SF2Preset = 1,
    kInstrumentType_AUPreset = 2,
    kInstrumentType_Audiofile = 3,
    kInstrumentType_EXS24 = 4,
};
CF_ENUM(UInt8){
    kAUSampler_DefaultPercussionBankMSB = 0x78,
    kAUSampler_DefaultMelodicBankMSB = 0x79,
    kAUSampler_DefaultBankLSB = 0x00,
};

typedef struct AUSamplerInstrumentData {
  CFURLRef fileURL;
  UInt8 instrumentType;
  UInt8 bankMSB;
  UInt8 bankLSB;
  UInt8 presetID;
} AUSamplerInstrumentData;

typedef struct AUSamplerBankPresetData {
  CFURLRef bankURL;
  UInt8 bankMSB;
  UInt8 bankLSB;
  UInt8 presetID;
  UInt8 reserved;
} AUSamplerBankPresetData;

// MARK: Network units

CF_ENUM(AudioUnitPropertyID){
    kAUNetReceiveProperty_Hostname = 3511,
    kAUNetReceiveProperty_Password = 3512,
    kAUNetSendProperty_PortNum = 3513,
    kAUNetSendProperty_TransmissionFormat = 3514,
    kAUNetSendProperty_TransmissionFormatIndex = 3515,
    kAUNetSendProperty_ServiceName = 3516,
    kAUNetSendProperty_Disconnect = 3517,
    kAUNetSendProperty_Password = 3518,
};

CA_HEADER_END

#endif

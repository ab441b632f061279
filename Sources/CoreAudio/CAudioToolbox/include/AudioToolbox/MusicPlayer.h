// Music sequences: types and constants alone. Nothing implements the functions yet, so none is declared, and a
// program that calls one fails to compile with its name.
#ifndef AUDIOTOOLBOX_MUSICPLAYER_H
#define AUDIOTOOLBOX_MUSICPLAYER_H
#pragma GCC system_header

#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/MusicDevice.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef struct OpaqueMusicPlayer *MusicPlayer;
typedef struct OpaqueMusicSequence *MusicSequence;
typedef struct OpaqueMusicTrack *MusicTrack;
typedef struct OpaqueMusicEventIterator *MusicEventIterator;
typedef UInt32 MusicEventType;
typedef Float64 MusicTimeStamp;  // beats

#define kMusicTimeStamp_EndOfTrack 1000000000.0

// MARK: Constants

CF_ENUM(MusicEventType) {
  kMusicEventType_NULL = 0,
  kMusicEventType_ExtendedNote = 1,
  kMusicEventType_ExtendedTempo = 3,
  kMusicEventType_User = 4,
  kMusicEventType_Meta = 5,
  kMusicEventType_MIDINoteMessage = 6,
  kMusicEventType_MIDIChannelMessage = 7,
  kMusicEventType_MIDIRawData = 8,
  kMusicEventType_Parameter = 9,
  kMusicEventType_AUPreset = 10
};

// Plain integers in C++ (as all named enumerations here), so that programs which pass 0 compile.
typedef CF_OPTIONS(UInt32, MusicSequenceLoadFlags) {
  kMusicSequenceLoadSMF_PreserveTracks = 0,
  kMusicSequenceLoadSMF_ChannelsToTracks = 1
};

typedef CA_NAMED_ENUM(UInt32, MusicSequenceType) {
  kMusicSequenceType_Beats = 'beat',
  kMusicSequenceType_Seconds = 'secs',
  kMusicSequenceType_Samples = 'samp'
};

typedef CA_NAMED_ENUM(UInt32, MusicSequenceFileTypeID) {
  kMusicSequenceFile_AnyType = 0,
  kMusicSequenceFile_MIDIType = 'midi',
  kMusicSequenceFile_iMelodyType = 'imel'
};

typedef CF_OPTIONS(UInt32, MusicSequenceFileFlags) {
  kMusicSequenceFileFlags_Default = 0,
  kMusicSequenceFileFlags_EraseFile = 1
};

CF_ENUM(UInt32) {
  kSequenceTrackProperty_LoopInfo = 0,             // MusicTrackLoopInfo
  kSequenceTrackProperty_OffsetTime = 1,           // MusicTimeStamp
  kSequenceTrackProperty_MuteStatus = 2,           // Boolean
  kSequenceTrackProperty_SoloStatus = 3,           // Boolean
  kSequenceTrackProperty_AutomatedParameters = 4,  // UInt32
  kSequenceTrackProperty_TrackLength = 5,          // MusicTimeStamp
  kSequenceTrackProperty_TimeResolution = 6        // SInt16
};

CF_ENUM(OSStatus) {
  kAudioToolboxErr_InvalidSequenceType = -10846,
  kAudioToolboxErr_InvalidPlayerState = -10852,
  kAudioToolboxErr_InvalidEventType = -10853,
  kAudioToolboxErr_NoSequence = -10854,
  kAudioToolboxErr_IllegalTrackDestination = -10855,
  kAudioToolboxErr_StartOfTrack = -10856,
  kAudioToolboxErr_EndOfTrack = -10857,
  kAudioToolboxErr_TrackNotFound = -10858,
  kAudioToolboxErr_TrackIndexError = -10859,
  kAudioToolboxError_NoTrackDestination = -66720
};

// MARK: Events

typedef struct MIDINoteMessage {
  UInt8 channel;
  UInt8 note;
  UInt8 velocity;
  UInt8 releaseVelocity;  // 0: not given
  Float32 duration;       // beats
} MIDINoteMessage;

typedef struct MIDIChannelMessage {
  UInt8 status;
  UInt8 data1;
  UInt8 data2;
  UInt8 reserved;
} MIDIChannelMessage;

typedef struct MIDIRawData {
  UInt32 length;
  UInt8 data[1];
} MIDIRawData;

typedef struct MIDIMetaEvent {
  UInt8 metaEventType;
  UInt8 unused1;
  UInt8 unused2;
  UInt8 unused3;
  UInt32 dataLength;
  UInt8 data[1];
} MIDIMetaEvent;

typedef struct MusicEventUserData {
  UInt32 length;
  UInt8 data[1];
} MusicEventUserData;

typedef struct ExtendedNoteOnEvent {
  MusicDeviceInstrumentID instrumentID;
  MusicDeviceGroupID groupID;
  Float32 duration;  // beats
  MusicDeviceNoteParams extendedParams;
} ExtendedNoteOnEvent;

typedef struct ParameterEvent {
  AudioUnitParameterID parameterID;
  AudioUnitScope scope;
  AudioUnitElement element;
  AudioUnitParameterValue value;
} ParameterEvent;

typedef struct ExtendedTempoEvent {
  Float64 bpm;
} ExtendedTempoEvent;

typedef struct AUPresetEvent {
  AudioUnitScope scope;
  AudioUnitElement element;
  CFPropertyListRef preset;
} AUPresetEvent;

typedef struct CABarBeatTime {
  SInt32 bar;
  UInt16 beat;
  UInt16 subbeat;
  UInt16 subbeatDivisor;
  UInt16 reserved;
} CABarBeatTime;

typedef struct MusicTrackLoopInfo {
  MusicTimeStamp loopDuration;
  SInt32 numberOfLoops;  // 0: for ever
} MusicTrackLoopInfo;

typedef void (*MusicSequenceUserCallback)(void *_Nullable inClientData, MusicSequence inSequence, MusicTrack inTrack,
                                          MusicTimeStamp inEventTime, const MusicEventUserData *inEventData,
                                          MusicTimeStamp inStartSliceBeat, MusicTimeStamp inEndSliceBeat);

CA_HEADER_END

#endif

// Events that come to the render block of an AUAudioUnit with sound: parameter and MIDI events, in a list in order of
// time. The classes themselves are Swift, in AVFAudio.
#ifndef AUDIOTOOLBOX_AUAUDIOUNITIMPLEMENTATION_H
#define AUDIOTOOLBOX_AUAUDIOUNITIMPLEMENTATION_H
#pragma GCC system_header

#include <AudioToolbox/AUComponent.h>
#include <CoreMIDI/MIDIServices.h>

CA_HEADER_BEGIN

typedef OSStatus AUAudioUnitStatus;
typedef SInt64 AUEventSampleTime;  // a frame of the unit's render time
typedef UInt32 AUAudioFrameCount;
typedef UInt32 AUAudioChannelCount;
typedef UInt64 AUParameterAddress;
typedef float AUValue;

typedef CA_NAMED_ENUM(UInt8, AURenderEventType){
    AURenderEventParameter = 1,
    AURenderEventParameterRamp = 2,
    AURenderEventMIDI = 8,
    AURenderEventMIDISysEx = 9,
    AURenderEventMIDIEventList = 10,
};

typedef union AURenderEvent AURenderEvent;

#pragma pack(push, 4)

// The beginning of every event.
typedef struct AURenderEventHeader {
  AURenderEvent *_Nullable next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved;
} AURenderEventHeader;

// A new value, at once or in a straight line over some frames.
typedef struct AUParameterEvent {
  AURenderEvent *_Nullable next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved[3];
  AUAudioFrameCount rampDurationSampleFrames;  // 0: at once
  AUParameterAddress parameterAddress;
  AUValue value;
} AUParameterEvent;

// Bytes of MIDI 1.0: length says how many, which may be more than data shows.
typedef struct AUMIDIEvent {
  AURenderEvent *_Nullable next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved;
  UInt16 length;
  UInt8 cable;
  UInt8 data[3];
} AUMIDIEvent;

// Universal MIDI packets.
typedef struct AUMIDIEventList {
  AURenderEvent *_Nullable next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved;
  UInt8 cable;
  MIDIEventList eventList;
} AUMIDIEventList;

#pragma pack(pop)

union AURenderEvent {
  AURenderEventHeader head;
  AUParameterEvent parameter;
  AUMIDIEvent MIDI;
  AUMIDIEventList MIDIEventsList;
};

// A change as automation records it, and how a control is touched.
typedef CA_NAMED_ENUM(UInt32, AUParameterAutomationEventType){
    AUParameterAutomationEventTypeValue = 0,
    AUParameterAutomationEventTypeTouch = 1,
    AUParameterAutomationEventTypeRelease = 2,
};

typedef struct AURecordedParameterEvent {
  UInt64 hostTime;
  AUParameterAddress address;
  AUValue value;
} AURecordedParameterEvent;

typedef struct AUParameterAutomationEvent {
  UInt64 hostTime;
  AUParameterAddress address;
  AUValue value;
  AUParameterAutomationEventType eventType;
  UInt64 reserved;
} AUParameterAutomationEvent;

CA_HEADER_END

#endif

// Instruments: notes and MIDI.
#ifndef AUDIOTOOLBOX_MUSICDEVICE_H
#define AUDIOTOOLBOX_MUSICDEVICE_H
#pragma GCC system_header

#include <AudioToolbox/AUComponent.h>
#include <CoreMIDI/MIDIServices.h>

CA_HEADER_BEGIN

typedef UInt32 MusicDeviceInstrumentID;
typedef UInt32 MusicDeviceGroupID;
typedef UInt32 NoteInstanceID;
typedef AudioComponentInstance MusicDeviceComponent;

CF_ENUM(UInt32){
    kMusicNoteEvent_UseGroupInstrument = 0xFFFFFFFF,
    kMusicNoteEvent_Unused = 0xFFFFFFFF,
};

// A note with two arguments, pitch and velocity as MIDI counts them, fractions allowed.
typedef struct MusicDeviceStdNoteParams {
  UInt32 argCount;  // 2
  Float32 mPitch;
  Float32 mVelocity;
} MusicDeviceStdNoteParams;

typedef struct NoteParamsControlValue {
  AudioUnitParameterID mID;
  AudioUnitParameterValue mValue;
} NoteParamsControlValue;

// A note with controls; argCount is 2 and their number, the array reaches past the end of the struct.
typedef struct MusicDeviceNoteParams {
  UInt32 argCount;
  Float32 mPitch;
  Float32 mVelocity;
  NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;

// In an offset: the frame, and whether the rest of the word schedules.
CF_ENUM(UInt32){
    kMusicDeviceSampleFrameMask_SampleOffset = 0xFFFFFF,
    kMusicDeviceSampleFrameMask_IsScheduled = 0x01000000,
};

extern OSStatus MusicDeviceMIDIEvent(
    MusicDeviceComponent inUnit, UInt32 inStatus, UInt32 inData1, UInt32 inData2,
    UInt32 inOffsetSampleFrame);
extern OSStatus MusicDeviceSysEx(MusicDeviceComponent inUnit, const UInt8 *inData, UInt32 inLength);
extern OSStatus MusicDeviceMIDIEventList(
    MusicDeviceComponent inUnit, UInt32 inOffsetSampleFrame, const MIDIEventList *evtList);
extern OSStatus MusicDeviceStartNote(
    MusicDeviceComponent inUnit, MusicDeviceInstrumentID inInstrument, MusicDeviceGroupID inGroupID,
    NoteInstanceID *outNoteInstanceID, UInt32 inOffsetSampleFrame,
    const MusicDeviceNoteParams *inParams);
extern OSStatus MusicDeviceStopNote(
    MusicDeviceComponent inUnit, MusicDeviceGroupID inGroupID, NoteInstanceID inNoteInstanceID,
    UInt32 inOffsetSampleFrame);
extern OSStatus MusicDevicePrepareInstrument(
    MusicDeviceComponent inUnit, MusicDeviceInstrumentID inInstrument);
extern OSStatus MusicDeviceReleaseInstrument(
    MusicDeviceComponent inUnit, MusicDeviceInstrumentID inInstrument);

CF_ENUM(UInt32){
    kMusicDeviceRange = 0x0100,
    kMusicDeviceMIDIEventSelect = 0x0101,
    kMusicDeviceSysExSelect = 0x0102,
    kMusicDevicePrepareInstrumentSelect = 0x0103,
    kMusicDeviceReleaseInstrumentSelect = 0x0104,
    kMusicDeviceStartNoteSelect = 0x0105,
    kMusicDeviceStopNoteSelect = 0x0106,
    kMusicDeviceMIDIEventListSelect = 0x0107,
};

typedef OSStatus (*MusicDeviceMIDIEventProc)(
    void *self, UInt32 inStatus, UInt32 inData1, UInt32 inData2, UInt32 inOffsetSampleFrame);
typedef OSStatus (*MusicDeviceSysExProc)(void *self, const UInt8 *inData, UInt32 inLength);
typedef OSStatus (*MusicDevicePrepareInstrumentProc)(void *self, MusicDeviceInstrumentID inInstrument);
typedef OSStatus (*MusicDeviceReleaseInstrumentProc)(void *self, MusicDeviceInstrumentID inInstrument);
typedef OSStatus (*MusicDeviceStartNoteProc)(
    void *self, MusicDeviceInstrumentID inInstrument, MusicDeviceGroupID inGroupID,
    NoteInstanceID *outNoteInstanceID, UInt32 inOffsetSampleFrame,
    const MusicDeviceNoteParams *inParams);
typedef OSStatus (*MusicDeviceStopNoteProc)(
    void *self, MusicDeviceGroupID inGroupID, NoteInstanceID inNoteInstanceID,
    UInt32 inOffsetSampleFrame);
typedef OSStatus (*MusicDeviceMIDIEventListProc)(
    void *self, UInt32 inOffsetSampleFrame, const MIDIEventList *eventList);

CA_HEADER_END

#endif

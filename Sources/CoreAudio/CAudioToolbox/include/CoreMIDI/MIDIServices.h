// MIDI packets and the names of MIDI objects: types alone. There is no MIDI system behind, so no function that would
// need one is declared; walking a list needs none.
#ifndef COREMIDI_MIDISERVICES_H
#define COREMIDI_MIDISERVICES_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef UInt32 MIDIObjectRef;
typedef MIDIObjectRef MIDIClientRef;
typedef MIDIObjectRef MIDIPortRef;
typedef MIDIObjectRef MIDIDeviceRef;
typedef MIDIObjectRef MIDIEntityRef;
typedef MIDIObjectRef MIDIEndpointRef;
typedef SInt32 MIDIUniqueID;
typedef UInt64 MIDITimeStamp;  // host time

// MARK: MIDI 1.0

#pragma pack(push, 4)

typedef struct MIDIPacket {
  MIDITimeStamp timeStamp;
  UInt16 length;
  Byte data[256];  // length says how long it is; it may be longer
} MIDIPacket;

typedef struct MIDIPacketList {
  UInt32 numPackets;
  MIDIPacket packet[1];
} MIDIPacketList;

#pragma pack(pop)

// The packet that follows in a list; packets lie one behind the other without padding.
static inline MIDIPacket *MIDIPacketNext(const MIDIPacket *pkt) {
  return (MIDIPacket *)(void *)((Byte *)(uintptr_t)pkt + offsetof(MIDIPacket, data) + pkt->length);
}

// MARK: Universal MIDI packets

typedef CA_NAMED_ENUM(SInt32, MIDIProtocolID) {
  kMIDIProtocol_1_0 = 1,
  kMIDIProtocol_2_0 = 2
};

typedef UInt32 MIDIMessage_32;

typedef struct MIDIMessage_64 {
  UInt32 word0;
  UInt32 word1;
} MIDIMessage_64;

typedef struct MIDIMessage_96 {
  UInt32 word0;
  UInt32 word1;
  UInt32 word2;
} MIDIMessage_96;

typedef struct MIDIMessage_128 {
  UInt32 word0;
  UInt32 word1;
  UInt32 word2;
  UInt32 word3;
} MIDIMessage_128;

#pragma pack(push, 4)

typedef struct MIDIEventPacket {
  MIDITimeStamp timeStamp;
  UInt32 wordCount;
  UInt32 words[64];  // wordCount says how many there are
} MIDIEventPacket;

typedef struct MIDIEventList {
  MIDIProtocolID protocol;
  UInt32 numPackets;
  MIDIEventPacket packet[1];
} MIDIEventList;

#pragma pack(pop)

static inline MIDIEventPacket *MIDIEventPacketNext(const MIDIEventPacket *pkt) {
  return (MIDIEventPacket *)(void *)((Byte *)(uintptr_t)pkt + offsetof(MIDIEventPacket, words) +
                                     pkt->wordCount * sizeof(UInt32));
}

// MARK: Callbacks

typedef void (*MIDIReadProc)(const MIDIPacketList *pktlist, void *_Nullable readProcRefCon,
                             void *_Nullable srcConnRefCon);

CA_HEADER_END

#endif

// Universal MIDI Packets put together and taken apart. Compiled as C and, by midi_messages.cpp, as C++.
#include "client.h"

#include <CoreMIDI/CoreMIDI.h>

// The name of a base class's method for each status.
static const char *nameOf(MIDICVStatus status) {
  switch (status) {
    case kMIDICVStatusNoteOff: return "note off";
    case kMIDICVStatusNoteOn: return "note on";
    case kMIDICVStatusPolyPressure: return "pressure of a note";
    case kMIDICVStatusControlChange: return "control";
    case kMIDICVStatusProgramChange: return "program";
    case kMIDICVStatusChannelPressure: return "pressure";
    case kMIDICVStatusPitchBend: return "bend";
    default: return "another";
  }
}

static void visit(void *context, MIDITimeStamp time, MIDIUniversalMessage message) {
  ++*(int *)context;
  printf("%llu type %d group %d: ", (unsigned long long)time, (int)message.type, (int)message.group);
  switch (message.type) {
    case kMIDIMessageTypeChannelVoice1:
      printf("%s channel %d, %d %d", nameOf(message.channelVoice1.status), message.channelVoice1.channel,
             message.channelVoice1.note.number, message.channelVoice1.note.velocity);
      if (message.channelVoice1.status == kMIDICVStatusPitchBend) printf(" bend %d", message.channelVoice1.pitchBend);
      break;
    case kMIDIMessageTypeChannelVoice2:
      printf("%s channel %d", nameOf(message.channelVoice2.status), message.channelVoice2.channel);
      if (message.channelVoice2.status == kMIDICVStatusNoteOn) {
        printf(" note %d velocity %d attribute %d %d", message.channelVoice2.note.number,
               message.channelVoice2.note.velocity, (int)message.channelVoice2.note.attributeType,
               message.channelVoice2.note.attribute);
      } else if (message.channelVoice2.status == kMIDICVStatusProgramChange) {
        printf(" program %d bank %d", message.channelVoice2.programChange.program,
               message.channelVoice2.programChange.bank);
      } else {
        printf(" %d %d value %u", message.channelVoice2.controller.bank, message.channelVoice2.controller.index,
               (unsigned)message.channelVoice2.controller.data);
      }
      break;
    case kMIDIMessageTypeSystem:
      printf("system %x position %d", (unsigned)message.system.status, message.system.songPositionPointer);
      break;
    case kMIDIMessageTypeSysEx:
      printf("exclusive %d, %d bytes, %d..%d", (int)message.sysEx.status, message.sysEx.channel, message.sysEx.data[0],
             message.sysEx.data[5]);
      break;
    default: printf("words %x %x", (unsigned)message.unknown.words[0], (unsigned)message.unknown.words[1]);
  }
  printf("\n");
}

int main(void) {
  // A list as a host sends it: one packet of several messages, one that is cut off, one of an unknown type.
  union {
    MIDIEventList list;
    UInt32 room[128];
  } memory;
  memset(&memory, 0, sizeof(memory));
  MIDIEventList *list = &memory.list;
  MIDIEventPacket *packet = list->packet;
  const Byte bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const MIDIMessage_64 on = MIDI2NoteOn(3, 9, 60, kMIDINoteAttributePitch, 0x1234, 0xFFFF);
  const MIDIMessage_64 program = MIDI2ProgramChange(0, 1, true, 17, 2, 3);
  const MIDIMessage_64 control = MIDI2RegisteredControl(0, 1, 4, 5, 0x80000000u);
  const MIDIMessage_64 exclusive = MIDI1UPSysExArray(2, kMIDISysExStatusStart, bytes, bytes + 8);
  int count = 0;
  list->protocol = kMIDIProtocol_2_0;
  list->numPackets = 3;
  packet->timeStamp = 100;
  packet->words[packet->wordCount++] = MIDI1UPNoteOn(1, 15, 64, 127);
  packet->words[packet->wordCount++] = MIDI1UPPitchBend(0, 0, 0, 64);
  packet->words[packet->wordCount++] = MIDI1UPSystemCommon(0, kMIDIStatusSongPosPointer, 1, 1);
  packet->words[packet->wordCount++] = on.word0;
  packet->words[packet->wordCount++] = on.word1;
  packet->words[packet->wordCount++] = program.word0;
  packet->words[packet->wordCount++] = program.word1;
  packet->words[packet->wordCount++] = control.word0;
  packet->words[packet->wordCount++] = control.word1;
  packet->words[packet->wordCount++] = exclusive.word0;
  packet->words[packet->wordCount++] = exclusive.word1;
  packet = MIDIEventPacketNext(packet);
  packet->timeStamp = 200;
  packet->wordCount = 1;
  packet->words[0] = on.word0;
  packet = MIDIEventPacketNext(packet);
  packet->timeStamp = 300;
  packet->wordCount = 2;
  packet->words[0] = 0x85000001u;
  packet->words[1] = 0x12345678u;
  printf("%08x %08x %08x%08x\n", (unsigned)MIDI1UPNoteOff(0, 1, 60, 64), (unsigned)MIDI1UPControlChange(2, 3, 7, 100),
         (unsigned)on.word0, (unsigned)on.word1);
  MIDIEventListForEachEvent(list, visit, &count);
  printf("%d messages\n", count);
  return 0;
}

// A message of a Universal MIDI Packet taken apart, and the function that takes a list apart. Comes with
// MIDIMessages.h.
#ifndef COREMIDI_MIDIUNIVERSALMESSAGE_H
#define COREMIDI_MIDIUNIVERSALMESSAGE_H
#pragma GCC system_header

#include <CoreMIDI/MIDIMessages.h>

CA_HEADER_BEGIN

// The type says which of the members holds, its status which of that one's.
typedef struct MIDIUniversalMessage {
  MIDIMessageType type;
  UInt8 group;
  UInt8 reserved[3];
  union {
    struct {
      MIDIUtilityStatus status;
      union {
        UInt16 jitterReductionClock;
        UInt16 jitterReductionTimestamp;
      };
    } utility;
    struct {
      MIDISystemStatus status;
      union {
        UInt8 timeCode;
        UInt16 songPositionPointer;
        UInt8 songSelect;
      };
    } system;
    struct {
      MIDICVStatus status;
      UInt8 channel;
      UInt8 reserved[3];
      union {
        struct {
          UInt8 number;
          UInt8 velocity;
        } note;
        struct {
          UInt8 noteNumber;
          UInt8 pressure;
        } polyPressure;
        struct {
          UInt8 index;
          UInt8 data;
        } controlChange;
        UInt8 program;
        UInt8 channelPressure;
        UInt16 pitchBend;  // 14 bits
      };
    } channelVoice1;
    struct {
      MIDISysExStatus status;
      UInt8 channel;
      UInt8 data[6];
      UInt8 reserved;
    } sysEx;
    struct {
      MIDICVStatus status;
      UInt8 channel;
      UInt8 reserved[3];
      union {
        struct {
          UInt8 number;
          MIDINoteAttribute attributeType;
          UInt16 velocity;
          UInt16 attribute;
        } note;
        struct {
          UInt8 noteNumber;
          UInt8 reserved;
          UInt32 pressure;
        } polyPressure;
        struct {
          UInt8 index;
          UInt8 reserved;
          UInt32 data;
        } controlChange;
        struct {
          MIDIProgramChangeOptions options;
          UInt8 program;
          UInt8 reserved[2];
          UInt16 bank;  // 14 bits
        } programChange;
        struct {
          UInt32 data;
          UInt8 reserved[2];
        } channelPressure;
        struct {
          UInt32 data;
          UInt8 reserved[2];
        } pitchBend;
        struct {
          UInt8 noteNumber;
          UInt8 index;
          UInt32 data;
        } perNoteController;
        struct {
          UInt8 bank;
          UInt8 index;
          UInt32 data;
        } controller;
        struct {
          UInt8 noteNumber;
          UInt8 reserved;
          UInt32 bend;
        } perNotePitchBend;
        struct {
          UInt8 note;
          MIDIPerNoteManagementOptions options;
          UInt8 reserved[4];
        } perNoteManagement;
      };
    } channelVoice2;
    struct {
      MIDISysExStatus status;
      union {
        struct {
          UInt8 byteCount;  // of the stream's number and the data, 1 to 14
          UInt8 streamID;
          UInt8 data[13];
          UInt8 reserved;
        } sysex8;
        struct {
          UInt8 mdsID;
          UInt8 data[14];
          UInt8 reserved;
        } mixedDataSet;
      };
    } data128;
    struct {
      UInt32 words[4];
    } unknown;
  };
} MIDIUniversalMessage;

typedef void (*MIDIEventVisitor)(void *_Nullable context, MIDITimeStamp timeStamp, MIDIUniversalMessage message);

// Byte n of a message, counted from its first.
static inline UInt8 ca_midi_byte_(const UInt32 *words, UInt32 n) { return (UInt8)(words[n / 4] >> (24 - 8 * (n % 4))); }

static inline void ca_midi_channel_voice_2_(MIDIUniversalMessage *message, const UInt32 *words) {
  const UInt8 first = ca_midi_byte_(words, 2), second = ca_midi_byte_(words, 3);
  switch (message->channelVoice2.status) {
    case kMIDICVStatusNoteOff:
    case kMIDICVStatusNoteOn:
      message->channelVoice2.note.number = first;
      message->channelVoice2.note.attributeType = (MIDINoteAttribute)second;
      message->channelVoice2.note.velocity = (UInt16)(words[1] >> 16);
      message->channelVoice2.note.attribute = (UInt16)words[1];
      break;
    case kMIDICVStatusProgramChange:
      message->channelVoice2.programChange.options = (MIDIProgramChangeOptions)second;
      message->channelVoice2.programChange.program = ca_midi_byte_(words, 4) & 0x7F;
      message->channelVoice2.programChange.bank =
          (UInt16)((ca_midi_byte_(words, 6) & 0x7F) << 7 | (ca_midi_byte_(words, 7) & 0x7F));
      break;
    case kMIDICVStatusChannelPressure: message->channelVoice2.channelPressure.data = words[1]; break;
    case kMIDICVStatusPitchBend: message->channelVoice2.pitchBend.data = words[1]; break;
    case kMIDICVStatusPerNoteMgmt:
      message->channelVoice2.perNoteManagement.note = first;
      message->channelVoice2.perNoteManagement.options = (MIDIPerNoteManagementOptions)second;
      break;
    default:
      // The rest have two bytes and a value, by different names: pressure, controllers, the bend of a note.
      message->channelVoice2.controller.bank = first;
      message->channelVoice2.controller.index = second;
      message->channelVoice2.controller.data = words[1];
  }
}

static inline MIDIUniversalMessage ca_midi_message_(const UInt32 *words, UInt32 count) {
  MIDIUniversalMessage message;
  const UInt32 status = ca_midi_byte_(words, 1);
  const UInt8 first = ca_midi_byte_(words, 2), second = ca_midi_byte_(words, 3);
  UInt32 index;
  memset(&message, 0, sizeof(message));
  message.type = MIDIMessageTypeForUPWord(words[0]);
  message.group = (UInt8)(words[0] >> 24 & 0xF);
  switch (message.type) {
    case kMIDIMessageTypeUtility:
      message.utility.status = (MIDIUtilityStatus)(status >> 4);
      message.utility.jitterReductionClock = (UInt16)words[0];
      break;
    case kMIDIMessageTypeSystem:
      message.system.status = (MIDISystemStatus)status;
      if (status == kMIDIStatusSongPosPointer) {
        message.system.songPositionPointer = (UInt16)((first & 0x7F) | (second & 0x7F) << 7);
      } else {
        message.system.timeCode = first & 0x7F;
      }
      break;
    case kMIDIMessageTypeChannelVoice1:
      message.channelVoice1.status = (MIDICVStatus)(status >> 4);
      message.channelVoice1.channel = (UInt8)(status & 0xF);
      if (message.channelVoice1.status == kMIDICVStatusPitchBend) {
        message.channelVoice1.pitchBend = (UInt16)((first & 0x7F) | (second & 0x7F) << 7);
      } else {
        message.channelVoice1.note.number = first & 0x7F;
        message.channelVoice1.note.velocity = second & 0x7F;
      }
      break;
    case kMIDIMessageTypeSysEx:
      message.sysEx.status = (MIDISysExStatus)(status >> 4);
      message.sysEx.channel = (UInt8)(status & 0xF);
      for (index = 0; index < 6; index++) { message.sysEx.data[index] = ca_midi_byte_(words, 2 + index) & 0x7F; }
      break;
    case kMIDIMessageTypeChannelVoice2:
      message.channelVoice2.status = (MIDICVStatus)(status >> 4);
      message.channelVoice2.channel = (UInt8)(status & 0xF);
      ca_midi_channel_voice_2_(&message, words);
      break;
    case kMIDIMessageTypeData128:
      message.data128.status = (MIDISysExStatus)(status >> 4);
      if (message.data128.status >= kMIDISysExStatusMixedDataSetHeader) {
        message.data128.mixedDataSet.mdsID = (UInt8)(status & 0xF);
        for (index = 0; index < 14; index++) {
          message.data128.mixedDataSet.data[index] = ca_midi_byte_(words, 2 + index);
        }
      } else {
        message.data128.sysex8.byteCount = (UInt8)(status & 0xF);
        message.data128.sysex8.streamID = first;
        for (index = 0; index < 13; index++) { message.data128.sysex8.data[index] = ca_midi_byte_(words, 3 + index); }
      }
      break;
    default:
      for (index = 0; index < count; index++) { message.unknown.words[index] = words[index]; }
  }
  return message;
}

// Calls the visitor once for each message of a list, in order. A message that its packet cuts off is left out.
static inline void MIDIEventListForEachEvent(
    const MIDIEventList *evtlist, MIDIEventVisitor visitor, void *_Nullable visitorContext) {
  const MIDIEventPacket *packet = &evtlist->packet[0];
  for (UInt32 number = 0; number < evtlist->numPackets; number++, packet = MIDIEventPacketNext(packet)) {
    UInt32 word = 0;
    while (word < packet->wordCount) {
      const UInt32 count = ca_midi_words_(packet->words[word] >> 28);
      if (count > packet->wordCount - word) { break; }
      visitor(visitorContext, packet->timeStamp, ca_midi_message_(&packet->words[word], count));
      word += count;
    }
  }
}

CA_HEADER_END

#endif

// Messages of MIDI 1.0 and 2.0 in Universal MIDI Packets: their numbers, functions that put them together, and one that
// takes a list of them apart. Everything is inline: there is no MIDI system behind it.
#ifndef COREMIDI_MIDIMESSAGES_H
#define COREMIDI_MIDIMESSAGES_H
#pragma GCC system_header

#include <CoreMIDI/MIDIServices.h>

#include <string.h>

CA_HEADER_BEGIN

// MARK: Numbers

// The first four bits of a message. Behind each, its length in words of 32 bits.
typedef CA_NAMED_ENUM(UInt32, MIDIMessageType) {
  kMIDIMessageTypeUtility = 0x0,        // 1
  kMIDIMessageTypeSystem = 0x1,         // 1
  kMIDIMessageTypeChannelVoice1 = 0x2,  // 1, MIDI 1.0
  kMIDIMessageTypeSysEx = 0x3,          // 2
  kMIDIMessageTypeChannelVoice2 = 0x4,  // 2, MIDI 2.0
  kMIDIMessageTypeData128 = 0x5,        // 4
  kMIDIMessageTypeFlexData = 0xD,       // 4
  kMIDIMessageTypeUnknownF = 0xF,       // 4
  kMIDIMessageTypeStream = 0xF,         // 4
  kMIDIMessageTypeInvalid = 0xFF
};

// The status of a channel voice message, four bits.
typedef CA_NAMED_ENUM(UInt32, MIDICVStatus) {
  kMIDICVStatusNoteOff = 0x8,
  kMIDICVStatusNoteOn = 0x9,
  kMIDICVStatusPolyPressure = 0xA,
  kMIDICVStatusControlChange = 0xB,
  kMIDICVStatusProgramChange = 0xC,
  kMIDICVStatusChannelPressure = 0xD,
  kMIDICVStatusPitchBend = 0xE,
  // MIDI 2.0 alone.
  kMIDICVStatusRegisteredPNC = 0x0,
  kMIDICVStatusAssignablePNC = 0x1,
  kMIDICVStatusRegisteredControl = 0x2,
  kMIDICVStatusAssignableControl = 0x3,
  kMIDICVStatusRelRegisteredControl = 0x4,
  kMIDICVStatusRelAssignableControl = 0x5,
  kMIDICVStatusPerNotePitchBend = 0x6,
  kMIDICVStatusPerNoteMgmt = 0xF
};

// The status of a system message, eight bits.
typedef CA_NAMED_ENUM(UInt32, MIDISystemStatus) {
  kMIDIStatusStartOfExclusive = 0xF0,
  kMIDIStatusMTC = 0xF1,
  kMIDIStatusSongPosPointer = 0xF2,
  kMIDIStatusSongSelect = 0xF3,
  kMIDIStatusTuneRequest = 0xF6,
  kMIDIStatusEndOfExclusive = 0xF7,
  kMIDIStatusTimingClock = 0xF8,
  kMIDIStatusStart = 0xFA,
  kMIDIStatusContinue = 0xFB,
  kMIDIStatusStop = 0xFC,
  kMIDIStatusActiveSending = 0xFE,
  kMIDIStatusActiveSensing = kMIDIStatusActiveSending,
  kMIDIStatusSystemReset = 0xFF
};

// The position of a packet in an exclusive message.
typedef CA_NAMED_ENUM(UInt32, MIDISysExStatus) {
  kMIDISysExStatusComplete = 0x0,
  kMIDISysExStatusStart = 0x1,
  kMIDISysExStatusContinue = 0x2,
  kMIDISysExStatusEnd = 0x3,
  kMIDISysExStatusMixedDataSetHeader = 0x8,
  kMIDISysExStatusMixedDataSetPayload = 0x9
};

typedef CA_NAMED_ENUM(UInt32, MIDIUtilityStatus) {
  kMIDIUtilityStatusNOOP = 0x0,
  kMIDIUtilityStatusJitterReductionClock = 0x1,
  kMIDIUtilityStatusJitterReductionTimestamp = 0x2,
  kMIDIUtilityStatusDeltaClockstampTicksPerQuarterNote = 0x3,
  kMIDIUtilityStatusTicksSinceLastEvent = 0x4
};

typedef CA_NAMED_ENUM(UInt8, MIDINoteAttribute) {
  kMIDINoteAttributeNone = 0,
  kMIDINoteAttributeManufacturerSpecific = 1,
  kMIDINoteAttributeProfileSpecific = 2,
  kMIDINoteAttributePitch = 3  // 7 bits of semitones, 9 bits of fraction
};

typedef CF_OPTIONS(UInt8, MIDIProgramChangeOptions) { kMIDIProgramChangeBankValid = 1 };

typedef CF_OPTIONS(UInt8, MIDIPerNoteManagementOptions) {
  kMIDIPerNoteManagementReset = 1,
  kMIDIPerNoteManagementDetach = 2
};

// The number of words in messages of a type.
static inline UInt32 ca_midi_words_(UInt32 type) {
  static const UInt8 words[16] = {1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
  return words[type & 0xF];
}

static inline MIDIMessageType MIDIMessageTypeForUPWord(const UInt32 word) { return (MIDIMessageType)(word >> 28); }

// MARK: Messages of MIDI 1.0, in one word: type, group, status, channel, two bytes of seven bits

static inline MIDIMessage_32 ca_midi_word_(UInt32 type, UInt8 group, UInt32 status, UInt32 high, UInt32 low) {
  return type << 28 | (UInt32)(group & 0xF) << 24 | (status & 0xFF) << 16 | (high & 0xFF) << 8 | (low & 0xFF);
}

static inline MIDIMessage_32 MIDI1UPChannelVoiceMessage(
    UInt8 group, UInt8 status, UInt8 channel, UInt8 data1, UInt8 data2) {
  return ca_midi_word_(
      kMIDIMessageTypeChannelVoice1, group, (UInt32)(status << 4 | (channel & 0xF)), data1 & 0x7F, data2 & 0x7F);
}
static inline MIDIMessage_32 MIDI1UPNoteOff(UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 velocity) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusNoteOff, channel, noteNumber, velocity);
}
static inline MIDIMessage_32 MIDI1UPNoteOn(UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 velocity) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusNoteOn, channel, noteNumber, velocity);
}
static inline MIDIMessage_32 MIDI1UPControlChange(UInt8 group, UInt8 channel, UInt8 index, UInt8 data) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusControlChange, channel, index, data);
}
static inline MIDIMessage_32 MIDI1UPPitchBend(UInt8 group, UInt8 channel, UInt8 lsb, UInt8 msb) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusPitchBend, channel, lsb, msb);
}
static inline MIDIMessage_32 MIDI1UPSystemCommon(UInt8 group, UInt8 status, UInt8 byte1, UInt8 byte2) {
  return ca_midi_word_(kMIDIMessageTypeSystem, group, status, byte1 & 0x7F, byte2 & 0x7F);
}

static inline MIDIMessage_64 MIDI1UPSysEx(
    UInt8 group, UInt8 status, UInt8 bytesUsed, UInt8 byte1, UInt8 byte2, UInt8 byte3, UInt8 byte4, UInt8 byte5,
    UInt8 byte6) {
  MIDIMessage_64 message;
  message.word0 =
      ca_midi_word_(kMIDIMessageTypeSysEx, group, (UInt32)(status << 4 | bytesUsed), byte1 & 0x7F, byte2 & 0x7F);
  message.word1 = (UInt32)(byte3 & 0x7F) << 24 | (UInt32)(byte4 & 0x7F) << 16 | (UInt32)(byte5 & 0x7F) << 8 |
                  (UInt32)(byte6 & 0x7F);
  return message;
}

static const UInt8 kMIDI1UPMaxSysexSize = 6;

// The first six bytes from begin to end, or fewer.
static inline MIDIMessage_64 MIDI1UPSysExArray(UInt8 group, UInt8 status, const Byte *begin, const Byte *end) {
  Byte bytes[6] = {0, 0, 0, 0, 0, 0};
  UInt8 count = 0;
  while (count < kMIDI1UPMaxSysexSize && begin + count < end) {
    bytes[count] = begin[count];
    count++;
  }
  return MIDI1UPSysEx(group, status, count, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]);
}

// MARK: Messages of MIDI 2.0, in two words: type, group, status, channel, 16 bits of index; 32 bits of value

static inline MIDIMessage_64 MIDI2ChannelVoiceMessage(
    UInt8 group, UInt8 status, UInt8 channel, UInt16 index, UInt32 value) {
  MIDIMessage_64 message;
  message.word0 = ca_midi_word_(
      kMIDIMessageTypeChannelVoice2, group, (UInt32)(status << 4 | (channel & 0xF)), index >> 8, index);
  message.word1 = value;
  return message;
}

static inline UInt16 ca_midi_index_(UInt32 high, UInt32 low) { return (UInt16)((high & 0xFF) << 8 | (low & 0xFF)); }

static inline MIDIMessage_64 MIDI2NoteOn(
    UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 attributeType, UInt16 attributeData, UInt16 velocity) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusNoteOn, channel, ca_midi_index_(noteNumber, attributeType),
      (UInt32)velocity << 16 | attributeData);
}
static inline MIDIMessage_64 MIDI2NoteOff(
    UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 attributeType, UInt16 attributeData, UInt16 velocity) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusNoteOff, channel, ca_midi_index_(noteNumber, attributeType),
      (UInt32)velocity << 16 | attributeData);
}
static inline MIDIMessage_64 MIDI2PolyPressure(UInt8 group, UInt8 channel, UInt8 noteNumber, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPolyPressure, channel, ca_midi_index_(noteNumber, 0), value);
}
static inline MIDIMessage_64 MIDI2RegisteredPNC(
    UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusRegisteredPNC, channel, ca_midi_index_(noteNumber, index), value);
}
static inline MIDIMessage_64 MIDI2AssignablePNC(
    UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusAssignablePNC, channel, ca_midi_index_(noteNumber, index), value);
}
// The name is misspelt where it comes from.
static inline MIDIMessage_64 MIDI2PerNoteManagment(
    UInt8 group, UInt8 channel, UInt8 noteNumber, bool detachPNCs, bool resetPNCsToDefault) {
  UInt32 options = (detachPNCs ? (UInt32)kMIDIPerNoteManagementDetach : 0) |
                   (resetPNCsToDefault ? (UInt32)kMIDIPerNoteManagementReset : 0);
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPerNoteMgmt, channel, ca_midi_index_(noteNumber, options), 0);
}
static inline MIDIMessage_64 MIDI2ControlChange(UInt8 group, UInt8 channel, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusControlChange, channel, ca_midi_index_(index, 0), value);
}
static inline MIDIMessage_64 MIDI2RegisteredControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusRegisteredControl, channel, ca_midi_index_(bank, index), value);
}
static inline MIDIMessage_64 MIDI2AssignableControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusAssignableControl, channel, ca_midi_index_(bank, index), value);
}
static inline MIDIMessage_64 MIDI2RelRegisteredControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusRelRegisteredControl, channel, ca_midi_index_(bank, index), value);
}
static inline MIDIMessage_64 MIDI2RelAssignableControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusRelAssignableControl, channel, ca_midi_index_(bank, index), value);
}
static inline MIDIMessage_64 MIDI2ProgramChange(
    UInt8 group, UInt8 channel, bool bankIsValid, UInt8 program, UInt8 bank_msb, UInt8 bank_lsb) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusProgramChange, channel, bankIsValid ? 1 : 0,
      (UInt32)program << 24 | (UInt32)bank_msb << 8 | bank_lsb);
}
static inline MIDIMessage_64 MIDI2ChannelPressure(UInt8 group, UInt8 channel, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusChannelPressure, channel, 0, value);
}
static inline MIDIMessage_64 MIDI2PitchBend(UInt8 group, UInt8 channel, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPitchBend, channel, 0, value);
}
static inline MIDIMessage_64 MIDI2PerNotePitchBend(UInt8 group, UInt8 channel, UInt8 noteNumber, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusPerNotePitchBend, channel, ca_midi_index_(noteNumber, 0), value);
}

CA_HEADER_END

#include <CoreMIDI/MIDIUniversalMessage.h>

#endif

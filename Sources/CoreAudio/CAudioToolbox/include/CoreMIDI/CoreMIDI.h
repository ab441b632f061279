// MIDI types and messages; see MIDIServices.h and MIDIMessages.h.
#ifndef COREMIDI_COREMIDI_H
#define COREMIDI_COREMIDI_H
#pragma GCC system_header
#include <CoreMIDI/MIDIServices.h>

#include <CoreMIDI/MIDIMessages.h>
#endif

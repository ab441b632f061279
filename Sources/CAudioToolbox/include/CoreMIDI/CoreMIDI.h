// MIDI types; see MIDIServices.h.
#ifndef COREMIDI_COREMIDI_H
#define COREMIDI_COREMIDI_H
#include <CoreMIDI/MIDIServices.h>
#endif

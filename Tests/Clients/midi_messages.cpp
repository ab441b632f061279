#include "midi_messages.c"

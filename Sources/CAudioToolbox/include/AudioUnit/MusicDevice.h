// The older place of this header.
#ifndef AUDIOUNIT_MUSICDEVICE_H
#define AUDIOUNIT_MUSICDEVICE_H
#include <AudioToolbox/MusicDevice.h>
#endif

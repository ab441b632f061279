// The older place of this header.
#ifndef AUDIOUNIT_MUSICDEVICE_H
#define AUDIOUNIT_MUSICDEVICE_H
#pragma GCC system_header
#include <AudioToolbox/MusicDevice.h>
#endif

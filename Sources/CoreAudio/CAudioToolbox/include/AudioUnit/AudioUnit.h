// The older place of this header.
#ifndef AUDIOUNIT_AUDIOUNIT_H
#define AUDIOUNIT_AUDIOUNIT_H
#pragma GCC system_header
#include <AudioToolbox/AudioUnit.h>
#endif

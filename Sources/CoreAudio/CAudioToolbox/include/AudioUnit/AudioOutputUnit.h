// The older place of this header.
#ifndef AUDIOUNIT_AUDIOOUTPUTUNIT_H
#define AUDIOUNIT_AUDIOOUTPUTUNIT_H
#pragma GCC system_header
#include <AudioToolbox/AudioOutputUnit.h>
#endif

// The older place of this header.
#ifndef AUDIOUNIT_AUDIOOUTPUTUNIT_H
#define AUDIOUNIT_AUDIOOUTPUTUNIT_H
#include <AudioToolbox/AudioOutputUnit.h>
#endif

// The older place of this header.
#ifndef AUDIOUNIT_AUDIOUNIT_H
#define AUDIOUNIT_AUDIOUNIT_H
#include <AudioToolbox/AudioUnit.h>
#endif

// The older place of this header.
#ifndef AUDIOUNIT_AUDIOUNITPROPERTIES_H
#define AUDIOUNIT_AUDIOUNITPROPERTIES_H
#include <AudioToolbox/AudioUnitProperties.h>
#endif

// The older place of this header.
#ifndef AUDIOUNIT_AUDIOUNITPROPERTIES_H
#define AUDIOUNIT_AUDIOUNITPROPERTIES_H
#pragma GCC system_header
#include <AudioToolbox/AudioUnitProperties.h>
#endif

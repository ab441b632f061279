// The older place of this header.
#ifndef AUDIOUNIT_AUDIOUNITPARAMETERS_H
#define AUDIOUNIT_AUDIOUNITPARAMETERS_H
#include <AudioToolbox/AudioUnitParameters.h>
#endif

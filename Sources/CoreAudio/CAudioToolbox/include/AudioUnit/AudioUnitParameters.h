// The older place of this header.
#ifndef AUDIOUNIT_AUDIOUNITPARAMETERS_H
#define AUDIOUNIT_AUDIOUNITPARAMETERS_H
#pragma GCC system_header
#include <AudioToolbox/AudioUnitParameters.h>
#endif

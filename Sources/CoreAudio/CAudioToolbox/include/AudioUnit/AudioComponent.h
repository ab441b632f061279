// The older place of this header.
#ifndef AUDIOUNIT_AUDIOCOMPONENT_H
#define AUDIOUNIT_AUDIOCOMPONENT_H
#pragma GCC system_header
#include <AudioToolbox/AudioComponent.h>
#endif

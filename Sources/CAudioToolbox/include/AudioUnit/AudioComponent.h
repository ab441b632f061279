// The older place of this header.
#ifndef AUDIOUNIT_AUDIOCOMPONENT_H
#define AUDIOUNIT_AUDIOCOMPONENT_H
#include <AudioToolbox/AudioComponent.h>
#endif

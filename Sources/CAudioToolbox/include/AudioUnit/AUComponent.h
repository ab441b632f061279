// The older place of this header.
#ifndef AUDIOUNIT_AUCOMPONENT_H
#define AUDIOUNIT_AUCOMPONENT_H
#include <AudioToolbox/AUComponent.h>
#endif

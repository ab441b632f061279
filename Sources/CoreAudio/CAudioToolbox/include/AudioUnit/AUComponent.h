// The older place of this header.
#ifndef AUDIOUNIT_AUCOMPONENT_H
#define AUDIOUNIT_AUCOMPONENT_H
#pragma GCC system_header
#include <AudioToolbox/AUComponent.h>
#endif

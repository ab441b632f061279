// The older name of the base types.
#ifndef COREAUDIO_COREAUDIOTYPES_H
#define COREAUDIO_COREAUDIOTYPES_H
#pragma GCC system_header
#include <CoreAudioTypes/CoreAudioTypes.h>
#endif

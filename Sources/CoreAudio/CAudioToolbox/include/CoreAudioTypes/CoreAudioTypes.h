// The newer name of the base types.
#ifndef COREAUDIOTYPES_COREAUDIOTYPES_H
#define COREAUDIOTYPES_COREAUDIOTYPES_H
#pragma GCC system_header
#include <CoreAudioTypes/CoreAudioBaseTypes.h>
#endif

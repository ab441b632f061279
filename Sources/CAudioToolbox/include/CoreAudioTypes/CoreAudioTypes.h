// The newer name of the base types.
#ifndef COREAUDIOTYPES_COREAUDIOTYPES_H
#define COREAUDIOTYPES_COREAUDIOTYPES_H
#include <CoreAudioTypes/CoreAudioBaseTypes.h>
#endif

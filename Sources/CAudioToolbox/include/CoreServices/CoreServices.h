// Programs include this for the base types, result codes and CoreFoundation; nothing else of it is here.
#ifndef CORESERVICES_CORESERVICES_H
#define CORESERVICES_CORESERVICES_H
#include <AssertMacros.h>
#include <AudioToolbox/AudioComponent.h>
#include <CoreAudioTypes/CoreAudioTypes.h>
#include <MacTypes.h>
#endif

// The umbrella of the unit side: components, units, their properties and parameters.
#ifndef AUDIOTOOLBOX_AUDIOUNIT_H
#define AUDIOTOOLBOX_AUDIOUNIT_H
#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AudioComponent.h>
#include <AudioToolbox/AudioOutputUnit.h>
#include <AudioToolbox/AudioUnitParameters.h>
#include <AudioToolbox/AudioUnitProperties.h>
#include <AudioToolbox/ComponentManager.h>
#include <AudioToolbox/MusicDevice.h>
#endif

// The umbrella of the unit side: components, units, their properties and parameters.
#ifndef AUDIOTOOLBOX_AUDIOUNIT_H
#define AUDIOTOOLBOX_AUDIOUNIT_H
#pragma GCC system_header
#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AudioComponent.h>
#include <AudioToolbox/AudioOutputUnit.h>
#include <AudioToolbox/AudioUnitParameters.h>
#include <AudioToolbox/AudioUnitProperties.h>
#ifndef __swift__
#include <AudioToolbox/ComponentManager.h>
#endif
#include <AudioToolbox/MusicDevice.h>
#endif

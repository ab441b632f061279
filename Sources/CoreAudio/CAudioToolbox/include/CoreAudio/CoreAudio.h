// The umbrella of the device side: base types, devices, host time.
#ifndef COREAUDIO_COREAUDIO_H
#define COREAUDIO_COREAUDIO_H
#pragma GCC system_header
#include <CoreAudioTypes/CoreAudioTypes.h>
#if __has_include(<CoreAudio/AudioHardware.h>)
#include <CoreAudio/AudioHardware.h>
#endif
#if __has_include(<CoreAudio/HostTime.h>)
#include <CoreAudio/HostTime.h>
#endif
#endif

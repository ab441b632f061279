// Starting and stopping a unit of type output.
#ifndef AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H
#define AUDIOTOOLBOX_AUDIOOUTPUTUNIT_H
#pragma GCC system_header

#include <AudioToolbox/AUComponent.h>

CA_HEADER_BEGIN

extern OSStatus AudioOutputUnitStart(AudioUnit ci);
extern OSStatus AudioOutputUnitStop(AudioUnit ci);

CF_ENUM(UInt32){
    kAudioOutputUnitRange = 0x0200,
    kAudioOutputUnitStartSelect = 0x0201,
    kAudioOutputUnitStopSelect = 0x0202,
};

typedef OSStatus (*AudioOutputUnitStartProc)(void *self);
typedef OSStatus (*AudioOutputUnitStopProc)(void *self);

CA_HEADER_END

#endif

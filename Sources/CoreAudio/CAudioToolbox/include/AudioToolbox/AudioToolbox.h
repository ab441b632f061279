// The umbrella header: everything of the Audio Unit system.
#ifndef AUDIOTOOLBOX_AUDIOTOOLBOX_H
#define AUDIOTOOLBOX_AUDIOTOOLBOX_H
#pragma GCC system_header

#include <MacTypes.h>

#include <CoreAudio/CoreAudio.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

#include <stdio.h>

#include <AudioToolbox/AUAudioUnitImplementation.h>
#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/AudioComponent.h>
#include <AudioToolbox/AudioOutputUnit.h>
#include <AudioToolbox/AudioUnit.h>
#include <AudioToolbox/AudioUnitParameters.h>
#include <AudioToolbox/AudioUnitProperties.h>
#include <AudioToolbox/AudioUnitUtilities.h>
#ifndef __swift__
#include <AudioToolbox/ComponentManager.h>
#endif
#include <AudioToolbox/MusicDevice.h>

#if __has_include(<AudioToolbox/AudioFormat.h>)
#include <AudioToolbox/AudioFormat.h>
#endif
#if __has_include(<AudioToolbox/AudioConverter.h>)
#include <AudioToolbox/AudioConverter.h>
#endif
#if __has_include(<AudioToolbox/AudioFile.h>)
#include <AudioToolbox/AudioFile.h>
#endif
#if __has_include(<AudioToolbox/CAFFile.h>)
#include <AudioToolbox/CAFFile.h>
#endif
#if __has_include(<AudioToolbox/ExtendedAudioFile.h>)
#include <AudioToolbox/ExtendedAudioFile.h>
#endif
#if __has_include(<AudioToolbox/AudioFileStream.h>)
#include <AudioToolbox/AudioFileStream.h>
#endif
#if __has_include(<AudioToolbox/AudioQueue.h>)
#include <AudioToolbox/AudioQueue.h>
#endif
#if __has_include(<AudioToolbox/MusicPlayer.h>)
#include <AudioToolbox/MusicPlayer.h>
#endif
#if __has_include(<AudioToolbox/AudioServices.h>)
#include <AudioToolbox/AudioServices.h>
#endif
#if __has_include(<AudioToolbox/AudioSession.h>)
#include <AudioToolbox/AudioSession.h>
#endif
#if __has_include(<AudioToolbox/AudioCodec.h>)
#include <AudioToolbox/AudioCodec.h>
#endif
#if __has_include(<AudioToolbox/AudioHardwareService.h>)
#include <AudioToolbox/AudioHardwareService.h>
#endif
#if __has_include(<AudioToolbox/CoreAudioClock.h>)
#include <AudioToolbox/CoreAudioClock.h>
#endif

// The headers that the library's own Swift needs besides.
#ifdef __swift__
#include <CoreServices/Files.h>
#include <aubench/DeviceScenario.h>
#include <aubench/SwiftListeners.h>
#endif

CA_HEADER_BEGIN

// Prints what an object is (a graph, a unit, …): to the standard output, or to a file.
extern void CAShow(void *_Nullable inObject);
extern void CAShowFile(void *_Nullable inObject, FILE *inFile);

// Print these to the standard output. Of a list of buffers the first frames: a word is 0 for Float32, else the bytes of
// an integer, negative where it is little-endian.
extern void CAShowAudioBufferList(const AudioBufferList *_Nullable abl, int framesToPrint, int wordSize);
extern void CAShowChannelLayout(const AudioChannelLayout *_Nullable layout);
extern void CAShowComponentDescription(const AudioComponentDescription *_Nullable desc);

CA_HEADER_END

#endif

// The functions behind the Swift overloads of AUListenerCreateWithDispatchQueue, AUEventListenerCreateWithDispatchQueue,
// AudioQueueNewOutputWithDispatchQueue and AudioQueueNewInputWithDispatchQueue: Swift's queues are not available as queues of C. For Swift alone; C programs
// have the functions of AudioUnitUtilities.h and AudioQueue.h.
#ifndef AUBENCH_SWIFTLISTENERS_H
#define AUBENCH_SWIFTLISTENERS_H
#pragma GCC system_header

#include <AudioToolbox/AudioQueue.h>
#include <AudioToolbox/AudioUnitUtilities.h>

CA_HEADER_BEGIN

// The place at which a listener is called: schedule has flush called with the listener, some seconds later; release
// releases the context when the listener has ended, or could not be made.
typedef struct _AUListenerPlace {
  void *context;
  void (*schedule)(
      void *context, void *listener, double seconds, void (*flush)(void *_Nullable listener));
  void (*release)(void *context);
} _AUListenerPlace;

#ifdef __BLOCKS__
extern OSStatus _AUListenerCreateAtPlace(
    AUParameterListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval, _AUListenerPlace inPlace,
    AUParameterListenerBlock inBlock);
extern OSStatus _AUEventListenerCreateAtPlace(
    AUEventListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    Float32 inValueChangeGranularity, _AUListenerPlace inPlace, AUEventListenerBlock inBlock);
extern OSStatus _AudioQueueNewOutputAtPlace(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    _AUListenerPlace inPlace, AudioQueueOutputCallbackBlock inBlock);
extern OSStatus _AudioQueueNewInputAtPlace(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    _AUListenerPlace inPlace, AudioQueueInputCallbackBlock inBlock);
#endif

CA_HEADER_END

#endif

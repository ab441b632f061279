// Hearing of changes to parameters and properties, and values on a scale from 0 to 1.
#ifndef AUDIOTOOLBOX_AUDIOUNITUTILITIES_H
#define AUDIOTOOLBOX_AUDIOUNITUTILITIES_H
#pragma GCC system_header

#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AudioUnitProperties.h>

// Programs call Dispatch without including it: on the systems they come from it arrives with this header.
#if defined(__BLOCKS__) && !defined(__swift__)
#if __has_include(<dispatch/dispatch.h>)
#include <dispatch/dispatch.h>
#endif
#endif
struct dispatch_queue_s;

CA_HEADER_BEGIN

// In place of a parameter's id: all of the unit.
CF_ENUM(AudioUnitParameterID){kAUParameterListener_AnyParameter = 0xFFFFFFFF};

typedef CA_NAMED_ENUM(UInt32, AudioUnitEventType){
    kAudioUnitEvent_ParameterValueChange = 0,
    kAudioUnitEvent_BeginParameterChangeGesture = 1,
    kAudioUnitEvent_EndParameterChangeGesture = 2,
    kAudioUnitEvent_PropertyChange = 3,
};

typedef struct AUListenerBase *AUParameterListenerRef;
typedef struct AUListenerBase *AUEventListenerRef;

typedef struct AudioUnitEvent {
  AudioUnitEventType mEventType;
  union {
    AudioUnitParameter mParameter;
    AudioUnitProperty mProperty;
  } mArgument;
} AudioUnitEvent;

typedef void (*AUParameterListenerProc)(
    void *_Nullable inUserData, void *_Nullable inObject, const AudioUnitParameter *inParameter,
    AudioUnitParameterValue inValue);
typedef void (*AUEventListenerProc)(
    void *_Nullable inUserData, void *_Nullable inObject, const AudioUnitEvent *inEvent,
    UInt64 inEventHostTime, AudioUnitParameterValue inParameterValue);

// MARK: Parameter listeners

// The interval in seconds: 0 tells at once, on the changing thread; else the last value within it.
extern OSStatus AUListenerCreate(
    AUParameterListenerProc inProc, void *_Nullable inUserData, CFRunLoopRef _Nullable inRunLoop,
    CFStringRef _Nullable inRunLoopMode, Float32 inNotificationInterval,
    AUParameterListenerRef _Nullable *_Nonnull outListener);
extern OSStatus AUListenerDispose(AUParameterListenerRef inListener);
extern OSStatus AUListenerAddParameter(
    AUParameterListenerRef inListener, void *_Nullable inObject, const AudioUnitParameter *inParameter);
extern OSStatus AUListenerRemoveParameter(
    AUParameterListenerRef inListener, void *_Nullable inObject, const AudioUnitParameter *inParameter);
// Sets, and tells all listeners but the one named.
extern OSStatus AUParameterSet(
    AUParameterListenerRef _Nullable inSendingListener, void *_Nullable inSendingObject,
    const AudioUnitParameter *inParameter, AudioUnitParameterValue inValue,
    UInt32 inBufferOffsetInFrames);
extern OSStatus AUParameterListenerNotify(
    AUParameterListenerRef _Nullable inSendingListener, void *_Nullable inSendingObject,
    const AudioUnitParameter *inParameter);

// MARK: Event listeners

// Two intervals in seconds: between calls, and between values of one parameter within a call.
extern OSStatus AUEventListenerCreate(
    AUEventListenerProc inProc, void *_Nullable inUserData, CFRunLoopRef _Nullable inRunLoop,
    CFStringRef _Nullable inRunLoopMode, Float32 inNotificationInterval,
    Float32 inValueChangeGranularity, AUEventListenerRef _Nullable *_Nonnull outListener);
extern OSStatus AUEventListenerAddEventType(
    AUEventListenerRef inListener, void *_Nullable inObject, const AudioUnitEvent *inEvent);
extern OSStatus AUEventListenerRemoveEventType(
    AUEventListenerRef inListener, void *_Nullable inObject, const AudioUnitEvent *inEvent);
extern OSStatus AUEventListenerNotify(
    AUEventListenerRef _Nullable inSendingListener, void *_Nullable inSendingObject,
    const AudioUnitEvent *inEvent);

#ifdef __BLOCKS__
typedef void (^AUParameterListenerBlock)(
    void *_Nullable inObject, const AudioUnitParameter *inParameter, AudioUnitParameterValue inValue);
typedef void (^AUEventListenerBlock)(
    void *_Nullable inObject, const AudioUnitEvent *inEvent, UInt64 inEventHostTime,
    AudioUnitParameterValue inParameterValue);

extern OSStatus AUListenerCreateWithDispatchQueue(
    AUParameterListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    struct dispatch_queue_s *inDispatchQueue, AUParameterListenerBlock inBlock);
extern OSStatus AUEventListenerCreateWithDispatchQueue(
    AUEventListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    Float32 inValueChangeGranularity, struct dispatch_queue_s *inDispatchQueue,
    AUEventListenerBlock inBlock);
#endif

// MARK: Values

extern AudioUnitParameterValue AUParameterValueFromLinear(
    Float32 inLinearValue, const AudioUnitParameter *inParameter);
extern Float32 AUParameterValueToLinear(
    AudioUnitParameterValue inParameterValue, const AudioUnitParameter *inParameter);
// Writes the value as text, at most inDigits digits; the buffer holds at least 32 bytes.
extern char *AUParameterFormatValue(
    Float64 inParameterValue, const AudioUnitParameter *inParameter, char *inTextBuffer,
    UInt32 inDigits);

CA_HEADER_END

#endif

// The state of a test component: the table of methods, and a unit with one input and one output that has the properties
// that every unit has. Written against the interface alone, and compiled by the tests with the toolchain's clang.
#ifndef TEST_COMPONENT_H
#define TEST_COMPONENT_H

#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { maximum_channels = 8, maximum_listeners = 16, maximum_events = 64 };

typedef struct Unit {
  AudioComponentPlugInInterface table;  // first: the host's `self` is this
  AudioUnit instance;
  bool initialized;
  UInt32 maximum_frames;
  AudioStreamBasicDescription formats[2];  // input, output
  AURenderCallbackStruct callback;
  AudioUnitConnection connection;
  Float32 gain;
  UInt32 bypass;
  AUPreset preset;
  OSStatus last_error;
  AudioUnitParameterEvent events[maximum_events];
  UInt32 event_count;
  Float64 last_time;
  float *memory[maximum_channels];
  struct {
    AudioUnitPropertyID id;
    AudioUnitPropertyListenerProc proc;
    void *context;
  } listeners[maximum_listeners];
  UInt32 listener_count;
  struct {
    AURenderCallback proc;
    void *context;
  } notifies[maximum_listeners];
  UInt32 notify_count;
} Unit;

static inline void *nothing(void *context) { return context; }

/// Begins a thread and waits for its end, as no render should.
static inline void run_a_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_join(thread, NULL);
}

static AudioStreamBasicDescription usual_format(void) {
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = 44100;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerPacket = format.mBytesPerFrame = 4;
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = 2;
  format.mBitsPerChannel = 32;
  return format;
}

static void tell(Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
  for (UInt32 i = 0; i < unit->listener_count; i++)
    if (unit->listeners[i].id == id)
      unit->listeners[i].proc(unit->listeners[i].context, unit->instance, id, scope, element);
}

#endif

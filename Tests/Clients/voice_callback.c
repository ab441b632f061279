// A voice processor that is given an input callback, and never told that its input is on: with an argument, in a
// program that has an audio session.
#include "client.h"
#include <dispatch/dispatch.h>

static dispatch_semaphore_t called;
static int calls;

static OSStatus hear(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)time, (void)frames;
  if (++calls == 3) printf("heard on bus %u, no buffers %d\n", (unsigned)bus, data == NULL);
  return noErr;
}

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)bus, (void)frames, (void)data;
  if (time->mSampleTime >= 4 * 512) dispatch_semaphore_signal(called);
  return noErr;
}

static UInt32 enabled(AudioUnit unit) {
  UInt32 value = 9, size = sizeof(value);
  checkStatus(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &value, &size));
  return value;
}

// As programs of .NET do it: on element 1 of the input scope.
static void setCallback(AudioUnit unit, AURenderCallback proc) {
  AURenderCallbackStruct callback = {proc, NULL};
  checkStatus(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Input, 1, &callback, sizeof(callback)));
}

static void run(UInt32 subType) {
  AudioComponentDescription description = {kAudioUnitType_Output, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  AURenderCallbackStruct source = {give, NULL};
  checkStatus(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &source, sizeof(source)));
  calls = 0;
  printf("at first %u", (unsigned)enabled(unit));
  setCallback(unit, hear);
  printf(", with a callback %u\n", (unsigned)enabled(unit));
  checkStatus(AudioUnitInitialize(unit));
  checkStatus(AudioOutputUnitStart(unit));
  dispatch_semaphore_wait(called, DISPATCH_TIME_FOREVER);
  checkStatus(AudioOutputUnitStop(unit));
  printf("called %d", calls > 0);
  setCallback(unit, NULL);
  printf(", without one %u", (unsigned)enabled(unit));
  setCallback(unit, hear);
  printf(", initialized and with one %u", (unsigned)enabled(unit));
  checkStatus(AudioUnitUninitialize(unit));
  const UInt32 off = 0;
  checkStatus(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &off, sizeof(off)));
  checkStatus(AudioUnitInitialize(unit));
  printf(", switched off %u\n", (unsigned)enabled(unit));
  checkStatus(AudioComponentInstanceDispose(unit));
}

int main(int count, char **arguments) {
  (void)arguments;
  called = dispatch_semaphore_create(0);
  if (count > 1) checkStatus(AudioSessionInitialize(NULL, NULL, NULL, NULL));
  run(kAudioUnitSubType_VoiceProcessingIO);
  run(kAudioUnitSubType_RemoteIO);
  return 0;
}

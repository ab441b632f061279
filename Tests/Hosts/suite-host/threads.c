// A unit that renders on one thread while another edits it: nothing tears, fails in other ways than the documented one,
// or stands still; and what was set last holds.
#include "host.h"
#include <pthread.h>
#include <sched.h>

static AudioUnit mixer, filter;
static _Atomic(int) is_over;
static _Atomic(long) slices, refused, strange, loud;

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)time, (void)frames, (void)bus;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize / 4; ++at) ((Float32 *)data->mBuffers[buffer].mData)[at] = 0.5f;
  }
  return noErr;
}

static void count(OSStatus status) {
  if (status == kAudioUnitErr_CannotDoInCurrentContext) ++refused;
  else if (status != noErr) ++strange;
}

static void *render(void *unused) {
  (void)unused;
  static Float32 samples[2][64];
  AudioBufferList *list = malloc(sizeof(AudioBufferList) + sizeof(AudioBuffer));
  for (Float64 time = 0; !is_over; time += 64) {
    list->mNumberBuffers = 2;
    for (int channel = 0; channel < 2; ++channel) {
      list->mBuffers[channel].mNumberChannels = 1;
      list->mBuffers[channel].mDataByteSize = sizeof samples[0];
      list->mBuffers[channel].mData = samples[channel];
    }
    AudioTimeStamp stamp = {0};
    stamp.mSampleTime = time;
    stamp.mFlags = kAudioTimeStampSampleTimeValid;
    AudioUnitRenderActionFlags flags = 0;
    const OSStatus status = AudioUnitRender(mixer, &flags, &stamp, 0, 64, list);
    count(status);
    for (int at = 0; status == noErr && at < 64; ++at) {
      if (!(fabsf(samples[0][at]) <= 100 && fabsf(samples[1][at]) <= 100)) ++loud;
    }
    ++slices;
  }
  free(list);
  return NULL;
}

void threads(void) {
  mixer = unit_of("aumx", "mcmx"), filter = unit_of("aufx", "lpas");
  need(set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 4), "inputs");
  AURenderCallbackStruct callback = {give, NULL};
  for (UInt32 bus = 1; bus < 4; ++bus) AudioUnitSetProperty(mixer, kAudioUnitProperty_SetRenderCallback, 1, bus, &callback, sizeof callback);
  AudioUnitSetProperty(filter, kAudioUnitProperty_SetRenderCallback, 1, 0, &callback, sizeof callback);
  const AudioUnitConnection link = {filter, 0, 0}, none = {NULL, 0, 0};
  need(AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, 1, 0, &link, sizeof link), "connect");
  need(AudioUnitInitialize(filter), "filter");
  need(AudioUnitInitialize(mixer), "mixer");
  pthread_t thread;
  pthread_create(&thread, NULL, render, NULL);
  while (slices == 0) sched_yield();
  for (int edit = 0; edit < 400; ++edit) {
    const UInt32 bus = (UInt32)edit % 4;
    count(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, 1, bus, (Float32)(edit % 10) / 10, 0));
    count(AudioUnitSetParameter(filter, kLowPassParam_CutoffFrequency, 0, 0, (Float32)(100 + edit), 0));
    if (edit % 7 == 0) count(set_uint(filter, kAudioUnitProperty_BypassEffect, 0, 0, (UInt32)edit / 7 % 2));
    if (edit % 11 == 0) count(set_uint(mixer, kAudioUnitProperty_MeteringMode, 1, bus, (UInt32)edit / 11 % 2));
    if (edit % 13 == 0) count(AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, 1, 0, edit % 2 ? &link : &none, sizeof link));
    if (edit % 17 == 0) count(AudioUnitReset(edit % 2 ? mixer : filter, 0, 0));
    if (edit % 19 == 0) count(AudioUnitSetProperty(mixer, kAudioUnitProperty_SetRenderCallback, 1, 3, &callback, sizeof callback));
    if (edit % 23 == 0) {
      count(AudioUnitUninitialize(filter));
      count(AudioUnitInitialize(filter));
    }
    if (edit % 50 == 0) {
      const long before = slices;
      for (int wait = 0; wait < 100000 && slices < before + 2; ++wait) sched_yield();
    }
  }
  const long before = slices;
  for (long wait = 0; wait < 50000000 && slices < before + 100; ++wait) sched_yield();
  printf("goes on %d\n", slices >= before + 100);
  is_over = 1;
  pthread_join(thread, NULL);
  printf("loud %ld\n", loud);
  for (UInt32 bus = 0; bus < 4; ++bus) {
    Float32 volume = -1;
    printf("volume %s", status_text(AudioUnitGetParameter(mixer, kMultiChannelMixerParam_Volume, 1, bus, &volume)));
    printf(" %g\n", volume);
  }
  need(AudioComponentInstanceDispose(mixer), "dispose");
  need(AudioComponentInstanceDispose(filter), "dispose");
}

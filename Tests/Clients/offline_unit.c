// An offline effect and units that are given their frames, as a C program calls them.
#include "client.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { total = 44100, slice = 4410 };
static float sound[2][total];

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)bus;
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel) {
    memcpy(data->mBuffers[channel].mData, sound[channel] + (UInt32)time->mSampleTime, frames * 4);
  }
  return noErr;
}

static AudioUnit open_unit(UInt32 type, UInt32 subType, UInt32 manufacturer) {
  AudioComponentDescription description = {type, subType, manufacturer, 0, 0};
  AudioUnit unit = NULL;
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  return unit;
}

int main(void) {
  for (UInt32 frame = 0; frame < total; ++frame) {
    sound[0][frame] = sound[1][frame] = 0.1f * (float)sin(2 * M_PI * 997 * frame / 44100);
  }
  AudioUnit unit = open_unit(kAudioUnitType_OfflineEffect, 'norm', 'aubn');
  AURenderCallbackStruct callback = {give, NULL};
  checkStatus(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof(callback)));
  UInt32 frames = slice, requirement = 0, size = sizeof(requirement);
  checkStatus(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, sizeof(frames)));
  // The last slice is not all sound.
  UInt64 length = total - 1000;
  checkStatus(AudioUnitSetProperty(unit, kAudioUnitOfflineProperty_InputSize, kAudioUnitScope_Global, 0, &length, sizeof(length)));
  checkStatus(AudioUnitGetProperty(unit, kAudioUnitOfflineProperty_PreflightRequirements, kAudioUnitScope_Global, 0, &requirement, &size));
  printf("preflight requirement %u\n", (unsigned)requirement);
  checkStatus(AudioUnitInitialize(unit));

  static float out[2][total + slice];
  struct { UInt32 count; AudioBuffer buffers[2]; } list;
  const AudioUnitRenderActionFlags passes[] = {kAudioOfflineUnitRenderAction_Preflight, kAudioOfflineUnitRenderAction_Render};
  for (int pass = 0; pass < 2; ++pass) {
    AudioUnitRenderActionFlags flags = 0;
    UInt32 done = 0;
    for (; done < total && !(flags & kAudioOfflineUnitRenderAction_Complete); done += slice) {
      list.count = 2;
      for (int channel = 0; channel < 2; ++channel) list.buffers[channel] = (AudioBuffer){1, slice * 4, out[channel] + done};
      AudioTimeStamp time = {.mSampleTime = done, .mFlags = kAudioTimeStampSampleTimeValid};
      flags = passes[pass];
      checkStatus(AudioUnitRender(unit, &flags, &time, 0, slice, (AudioBufferList *)&list));
    }
    printf("pass %d complete %d after %u frames, the last %u bytes\n", pass, (flags & kAudioOfflineUnitRenderAction_Complete) != 0, (unsigned)done, (unsigned)list.buffers[1].mDataByteSize);
  }
  printf("louder by %.2f dB\n", 20 * log10(out[0][11] / sound[0][11]));
  checkStatus(AudioComponentInstanceDispose(unit));

  // The same effect twice. Neither gives its functions' addresses.
  AudioUnit first = open_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter, kAudioUnitManufacturer_Apple);
  AudioUnit second = open_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter, kAudioUnitManufacturer_Apple);
  checkStatus(AudioUnitInitialize(first));
  checkStatus(AudioUnitInitialize(second));
  AudioUnitProcessProc process = NULL;
  size = sizeof(process);
  printf("fast dispatch %d\n", (int)AudioUnitGetProperty(second, kAudioUnitProperty_FastDispatch, kAudioUnitScope_Global, kAudioUnitProcessSelect, &process, &size));
  for (int channel = 0; channel < 2; ++channel) memcpy(out[channel], sound[channel], sizeof(sound[channel]));
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  for (int channel = 0; channel < 2; ++channel) list.buffers[channel] = (AudioBuffer){1, 1000 * 4, out[channel]};
  checkStatus(AudioUnitProcess(first, NULL, &time, 1000, (AudioBufferList *)&list));
  static float other[2][1000];
  for (int channel = 0; channel < 2; ++channel) {
    memcpy(other[channel], sound[channel], sizeof(other[channel]));
    list.buffers[channel].mData = other[channel];
  }
  checkStatus(AudioUnitProcess(second, NULL, &time, 1000, (AudioBufferList *)&list));
  printf("changed %d, the same %d\n", memcmp(out[0], sound[0], 4000) != 0, memcmp(out[0], other[0], 4000) == 0);

  // A mixer of two lists.
  AudioUnit mixer = open_unit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, kAudioUnitManufacturer_Apple);
  checkStatus(AudioUnitInitialize(mixer));
  struct { UInt32 count; AudioBuffer buffers[2]; } from = {2, {{1, 4000, sound[0]}, {1, 4000, sound[1]}}};
  const AudioBufferList *inputs[] = {(AudioBufferList *)&from, (AudioBufferList *)&from};
  AudioBufferList *outputs[] = {(AudioBufferList *)&list};
  checkStatus(AudioUnitProcessMultiple(mixer, NULL, &time, 1000, 2, inputs, 1, outputs));
  printf("mixed %d\n", other[0][11] == 2 * sound[0][11] && other[1][500] == 2 * sound[1][500]);
  return 0;
}

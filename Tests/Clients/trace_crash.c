// A host whose render callback crashes in the third slice: what it did until then is in its transcript.
#include "client.h"
#include <signal.h>

static OSStatus source(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *list) {
  (void)reference, (void)bus, (void)frames, (void)list;
  *flags |= kAudioUnitRenderAction_OutputIsSilence;
  if (time->mSampleTime >= 1024) raise(SIGSEGV);
  return noErr;
}

int main(void) {
  AudioComponentDescription low_pass = {kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter,
                                        kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  if (AudioComponentInstanceNew(AudioComponentFindNext(NULL, &low_pass), &unit) != noErr) return 1;
  AURenderCallbackStruct callback = {source, NULL};
  AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback);
  AudioUnitSetParameter(unit, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 500, 0);
  AudioUnitInitialize(unit);
  struct {
    AudioBufferList list;
    AudioBuffer more;
  } output = {.list.mNumberBuffers = 2};
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  for (int slice = 0; slice < 4; ++slice, time.mSampleTime += 512) {
    AudioUnitRenderActionFlags flags = 0;
    output.list.mBuffers[0] = output.more = (AudioBuffer){1, 512 * 4, NULL};
    AudioUnitRender(unit, &flags, &time, 0, 512, &output.list);
  }
  return 0;
}

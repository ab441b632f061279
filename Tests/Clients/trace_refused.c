// Calls that are refused whatever they come with: to read what they come with would be the end of the program.
#include "client.h"
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
  AudioComponentDescription mixer = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                     kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &mixer), &unit));
  if (count > 1 && strcmp(words[1], "fork") == 0) {
    // The child's calls are not recorded, on whatever thread, and the parent's calls go on.
    pid_t child = fork();
    if (child == 0) {
      AudioUnitReset(unit, kAudioUnitScope_Global, 0);
      _exit(0);
    }
    waitpid(child, NULL, 0);
    checkStatus(AudioComponentInstanceDispose(unit));
    return 0;
  }
  void *wild = (void *)16;
  AudioUnit stale = (AudioUnit)(uintptr_t)0x1234;
  AudioBufferList list = {1, {{1, 0, NULL}}};
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp *missing = count > 50 ? wild : NULL;
  int failures = 0;
  failures += AudioUnitRender(unit, &flags, missing, 0, 512, &list) == kAudio_ParamError;
  failures += AudioUnitRender(stale, &flags, wild, 0, 512, &list) == kAudio_ParamError;
  failures += AudioUnitSetProperty(unit, 99999, kAudioUnitScope_Global, 0, wild, 4) == kAudioUnitErr_InvalidProperty;
  failures += AudioUnitSetProperty(stale, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, wild, 40) != noErr;
  AudioTimeStamp now = {0};
  now.mFlags = kAudioTimeStampSampleTimeValid;
  checkStatus(AudioUnitInitialize(unit));
  float few[64];
  AudioBufferList *buffers = calloc(1, sizeof(AudioBufferList) + sizeof(AudioBuffer));
  buffers->mNumberBuffers = 2;
  for (int channel = 0; channel < 2; ++channel) { buffers->mBuffers[channel] = (AudioBuffer){1, sizeof few, few}; }
  failures += AudioUnitRender(unit, &flags, &now, 0, 512, buffers) == kAudio_ParamError;
  free(buffers);
  printf("%d refused\n", failures);
  return 0;
}

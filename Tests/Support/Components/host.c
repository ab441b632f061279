// A host: finds the component "aufx gain Acme" by search, renders one slice through it and says what came out.
#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>

static OSStatus count_up(
    void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *data) {
  (void)context, (void)flags, (void)bus;
  for (UInt32 i = 0; i < data->mNumberBuffers; i++)
    for (UInt32 frame = 0; frame < frames; frame++)
      ((float *)data->mBuffers[i].mData)[frame] = (float)(time->mSampleTime + frame);
  return noErr;
}

#define CHECK(call)                                \
  do {                                             \
    OSStatus status = (call);                      \
    if (status != noErr) {                         \
      printf(#call " answered %d\n", (int)status); \
      return 1;                                    \
    }                                              \
  } while (0)

int main(void) {
  AudioComponentDescription any = {'aufx', 0, 'Acme', 0, 0};
  AudioComponentDescription wanted = {'aufx', 'gain', 'Acme', 0, 0};
  printf("components %u\n", AudioComponentCount(&any));
  for (AudioComponent component = NULL; (component = AudioComponentFindNext(component, &any));) {
    CFStringRef name;
    char text[100];
    UInt32 version;
    CHECK(AudioComponentCopyName(component, &name));
    CHECK(AudioComponentGetVersion(component, &version));
    CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
    CFRelease(name);
    printf("found %s, version %x\n", text, version);
  }
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioUnit unit;
  AURenderCallbackStruct callback = {count_up, NULL};
  if (!component) return 1;
  CHECK(AudioComponentInstanceNew(component, &unit));
  CHECK(AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioUnitSetParameter(unit, 0, kAudioUnitScope_Global, 0, 0.5f, 0));
  CHECK(AudioUnitInitialize(unit));
  float left[64] = {0}, right[64] = {0};
  struct {
    UInt32 count;
    AudioBuffer buffers[2];
  } list = {2, {{1, sizeof left, left}, {1, sizeof right, right}}};
  AudioTimeStamp time = {.mSampleTime = 1000, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  CHECK(AudioUnitRender(unit, &flags, &time, 0, 64, (AudioBufferList *)&list));
  printf("rendered %g %g %g\n", left[0], left[63], right[1]);
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}

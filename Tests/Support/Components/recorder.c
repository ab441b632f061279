// A program that registers a component whose methods write down their arguments, and calls every function of the
// interface on it. One line on standard output for each selector: its name, and what arrived. Exits with 1 at the first
// status that is not the expected one. Null arguments are tried too.
#pragma clang diagnostic ignored "-Wnonnull"

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SInt16 hidden;  // this selector's Lookup answers NULL
static OSStatus open_status = noErr;
static char said[200];

#define SAY(...) (snprintf(said, sizeof said, __VA_ARGS__), 7001)

static OSStatus initialize(void *self) { return (void)self, SAY("initialize"); }
static OSStatus uninitialize(void *self) { return (void)self, SAY("uninitialize"); }
static OSStatus get_info(void *self, UInt32 id, UInt32 scope, UInt32 element, UInt32 *size, Boolean *writable) {
  (void)self;
  *size = 12;
  *writable = true;
  return SAY("info %u %u %u", id, scope, element);
}
static OSStatus get_property(void *self, UInt32 id, UInt32 scope, UInt32 element, void *data, UInt32 *size) {
  (void)self;
  *(UInt32 *)data = 77;
  return SAY("get %u %u %u %u", id, scope, element, *size);
}
static OSStatus set_property(void *self, UInt32 id, UInt32 scope, UInt32 element, const void *data, UInt32 size) {
  return (void)self, SAY("set %u %u %u %u %u", id, scope, element, *(const UInt32 *)data, size);
}
static OSStatus add_listener(void *self, UInt32 id, AudioUnitPropertyListenerProc proc, void *context) {
  return (void)self, SAY("listen %u %d %p", id, proc != NULL, context);
}
static OSStatus remove_listener(void *self, UInt32 id, AudioUnitPropertyListenerProc proc, void *context) {
  return (void)self, SAY("unlisten %u %d %p", id, proc != NULL, context);
}
static OSStatus add_notify(void *self, AURenderCallback proc, void *context) {
  return (void)self, SAY("notify %d %p", proc != NULL, context);
}
static OSStatus remove_notify(void *self, AURenderCallback proc, void *context) {
  return (void)self, SAY("unnotify %d %p", proc != NULL, context);
}
static OSStatus get_parameter(void *self, UInt32 id, UInt32 scope, UInt32 element, Float32 *value) {
  (void)self;
  *value = 0.75f;
  return SAY("parameter %u %u %u", id, scope, element);
}
static OSStatus set_parameter(void *self, UInt32 id, UInt32 scope, UInt32 element, Float32 value, UInt32 offset) {
  return (void)self, SAY("set parameter %u %u %u %g %u", id, scope, element, value, offset);
}
static OSStatus schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  return (void)self, SAY("schedule %u %u", events[1].parameter, count);
}
static OSStatus reset(void *self, UInt32 scope, UInt32 element) {
  return (void)self, SAY("reset %u %u", scope, element);
}
static OSStatus render(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *data) {
  (void)self;
  *flags |= kAudioUnitRenderAction_OutputIsSilence;
  return SAY("render %g %u %u %u", time->mSampleTime, bus, frames, data->mNumberBuffers);
}
static OSStatus process(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames, AudioBufferList *data) {
  return (void)self, (void)flags, SAY("process %g %u %u", time->mSampleTime, frames, data->mNumberBuffers);
}
static OSStatus process_multiple(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames, UInt32 inputs,
    const AudioBufferList **in, UInt32 outputs, AudioBufferList **out) {
  return (void)self, (void)flags, (void)time,
         SAY("multiple %u %u %u %d", frames, inputs, outputs, in[0] == (const AudioBufferList *)out[0]);
}
static OSStatus start(void *self) { return (void)self, SAY("start"); }
static OSStatus stop(void *self) { return (void)self, SAY("stop"); }

static AudioComponentMethod lookup(SInt16 selector) {
  if (selector == hidden) return NULL;
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)uninitialize;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)get_info;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)get_property;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)set_property;
    case kAudioUnitAddPropertyListenerSelect: return (AudioComponentMethod)add_listener;
    case kAudioUnitRemovePropertyListenerWithUserDataSelect: return (AudioComponentMethod)remove_listener;
    case kAudioUnitAddRenderNotifySelect: return (AudioComponentMethod)add_notify;
    case kAudioUnitRemoveRenderNotifySelect: return (AudioComponentMethod)remove_notify;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)get_parameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)set_parameter;
    case kAudioUnitScheduleParametersSelect: return (AudioComponentMethod)schedule;
    case kAudioUnitResetSelect: return (AudioComponentMethod)reset;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)render;
    case kAudioUnitProcessSelect: return (AudioComponentMethod)process;
    case kAudioUnitProcessMultipleSelect: return (AudioComponentMethod)process_multiple;
    case kAudioOutputUnitStartSelect: return (AudioComponentMethod)start;
    case kAudioOutputUnitStopSelect: return (AudioComponentMethod)stop;
    default: return NULL;
  }
}

static int closed;
static AudioUnit opened_as;
static OSStatus open_recorder(void *self, AudioComponentInstance instance) {
  (void)self;
  opened_as = instance;
  return open_status;
}
static OSStatus close_recorder(void *self) {
  (void)self;
  closed++;
  return noErr;
}
static AudioComponentPlugInInterface table = {open_recorder, close_recorder, lookup, NULL};
static AudioComponentPlugInInterface *factory(const AudioComponentDescription *description) {
  return description->componentSubType == 'none' ? NULL : &table;
}

static void listener(void *context, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement e) {
  (void)context, (void)unit, (void)id, (void)scope, (void)e;
}
static OSStatus callback(
    void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *data) {
  return (void)context, (void)flags, (void)time, (void)bus, (void)frames, (void)data, noErr;
}

static AudioUnit unit;
static const char *name;

static void fail(OSStatus status, OSStatus wanted) {
  printf("%s: answered %d, not %d\n", name, (int)status, (int)wanted);
  exit(1);
}

// Every call is made twice: with the method, whose own answer must come back, and without it.
static OSStatus call(SInt16 selector) {
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp time = {.mSampleTime = 96, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioBufferList list = {1, {{1, 0, NULL}}};
  const AudioBufferList *inputs[1] = {&list};
  AudioBufferList *outputs[1] = {&list};
  AudioUnitParameterEvent events[2] = {{.parameter = 4}, {.parameter = 5}};
  UInt32 size = 4, value = 9;
  Boolean writable = false;
  Float32 level = 0;
  void *context = (void *)0x10;
  OSStatus status;
  switch (selector) {
    case kAudioUnitInitializeSelect: return AudioUnitInitialize(unit);
    case kAudioUnitUninitializeSelect: return AudioUnitUninitialize(unit);
    case kAudioUnitGetPropertyInfoSelect:
      status = AudioUnitGetPropertyInfo(unit, 8, 1, 2, &size, &writable);
      if (status == 7001 && (size != 12 || !writable)) fail((OSStatus)size, 12);
      return status;
    case kAudioUnitGetPropertySelect:
      status = AudioUnitGetProperty(unit, 8, 1, 2, &value, &size);
      if (status == 7001 && value != 77) fail((OSStatus)value, 77);
      return status;
    case kAudioUnitSetPropertySelect: return AudioUnitSetProperty(unit, 8, 1, 2, &value, 4);
    case kAudioUnitAddPropertyListenerSelect: return AudioUnitAddPropertyListener(unit, 8, listener, context);
    case kAudioUnitRemovePropertyListenerWithUserDataSelect:
      return AudioUnitRemovePropertyListenerWithUserData(unit, 8, listener, context);
    case kAudioUnitAddRenderNotifySelect: return AudioUnitAddRenderNotify(unit, callback, context);
    case kAudioUnitRemoveRenderNotifySelect: return AudioUnitRemoveRenderNotify(unit, callback, context);
    case kAudioUnitGetParameterSelect:
      status = AudioUnitGetParameter(unit, 3, 1, 2, &level);
      if (status == 7001 && level != 0.75f) fail(0, 1);
      return status;
    case kAudioUnitSetParameterSelect: return AudioUnitSetParameter(unit, 3, 1, 2, 0.5f, 64);
    case kAudioUnitScheduleParametersSelect: return AudioUnitScheduleParameters(unit, events, 2);
    case kAudioUnitResetSelect: return AudioUnitReset(unit, 1, 2);
    case kAudioUnitRenderSelect:
      status = AudioUnitRender(unit, &flags, &time, 2, 32, &list);
      if (status == 7001 && flags != kAudioUnitRenderAction_OutputIsSilence) fail((OSStatus)flags, 16);
      return status;
    case kAudioUnitProcessSelect: return AudioUnitProcess(unit, &flags, &time, 32, &list);
    case kAudioUnitProcessMultipleSelect:
      return AudioUnitProcessMultiple(unit, &flags, &time, 32, 1, inputs, 1, outputs);
    case kAudioOutputUnitStartSelect: return AudioOutputUnitStart(unit);
    default: return AudioOutputUnitStop(unit);
  }
}

int main(void) {
  static const SInt16 selectors[] = {1,  2,  3,  4,  5,  6,  7,     9,    10,
                                     14, 15, 16, 17, 18, 20, 21, 0x201, 0x202};
  AudioComponentDescription description = {'aufx', 'recd', 'Acme', 0, 0};
  AudioComponent component = AudioComponentRegister(&description, CFSTR("Acme: Recorder"), 0x10000, factory);
  name = "register";
  if (!component || AudioComponentFindNext(NULL, &description) != component) fail(0, 1);
  for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++) {
    char number[20];
    snprintf(number, sizeof number, "selector 0x%x", selectors[i]);
    name = number;
    hidden = 0;
    if (AudioComponentInstanceNew(component, &unit) != noErr) fail(-1, 0);
    if (opened_as != unit) fail(-2, 0);
    said[0] = 0;
    OSStatus status = call(selectors[i]);
    if (status != 7001) fail(status, 7001);
    printf("%s\n", said);
    if (!AudioComponentInstanceCanDo(unit, selectors[i])) fail(0, 1);
    AudioComponentInstanceDispose(unit);
    hidden = selectors[i];
    if (AudioComponentInstanceNew(component, &unit) != noErr) fail(-1, 0);
    status = call(selectors[i]);
    if (status != kAudio_UnimplementedError) fail(status, kAudio_UnimplementedError);
    if (AudioComponentInstanceCanDo(unit, selectors[i])) fail(1, 0);
    AudioComponentInstanceDispose(unit);
  }
  printf("closed %d\n", closed);

  open_status = -4711;
  unit = (AudioUnit)&description;
  printf("open answers %d", (int)AudioComponentInstanceNew(component, &unit));
  printf(", instance %s, closed %d\n", unit ? "left" : "null", closed);
  open_status = noErr;
  description.componentSubType = 'none';
  component = AudioComponentRegister(&description, CFSTR("Acme: Nothing"), 1, factory);
  unit = (AudioUnit)&description;
  printf("factory without anything answers %d", (int)AudioComponentInstanceNew(component, &unit));
  printf(", instance %s\n", unit ? "left" : "null");
  printf("factory null is registered as %s\n", AudioComponentRegister(&description, NULL, 1, NULL) ? "one" : "none");
  return 0;
}

// A gain with one parameter, which takes ramps: out = gain · in. The closed form that tests hold renders against.
//
// Hostile variants of it are made by macros, whose code runs in one of its methods.
#include "component.h"

#ifdef HOSTILE_BY_NAME
// The variable HOSTILE, as "render=exit7", names a method and the act in it. Tests that use it leave out the trial of a
// component.
#include <signal.h>
#include <stdio.h>

static void wait_for_ever(void) {
  for (;;) pause();
}

static void *end_elsewhere(void *unused) {
  (void)unused;
  exit(0);
}

static void hostile(const char *place) {
  const char *wish = getenv("HOSTILE");
  size_t length = strlen(place);
  if (!wish || strncmp(wish, place, length) != 0 || wish[length] != '=') return;
  wish += length + 1;
  if (!strcmp(wish, "exit0")) exit(0);
  if (!strcmp(wish, "exit7")) exit(7);
  if (!strcmp(wish, "leave0")) _exit(0);
  if (!strcmp(wish, "quick0")) quick_exit(0);
  if (!strcmp(wish, "kill")) raise(SIGKILL);
  if (!strcmp(wish, "crash")) *(volatile int *)16 = 1;
  if (!strcmp(wish, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, end_elsewhere, NULL);
    pthread_join(thread, NULL);
  }
  if (!strcmp(wish, "hang")) exit(0);
  if (!strcmp(wish, "print")) {
    printf("printed\n");
    if (write(1, "written\n", 8) != 8) abort();
  }
  // Both write their number into the file CHILD. The parent goes on when that has been done.
  int line[2];
  if (!strcmp(wish, "child") && pipe(line) != 0) abort();
  int is_child = !strcmp(wish, "child") && fork() == 0;
  if (is_child) setsid();
  if (is_child || !strcmp(wish, "wait")) {
    FILE *file = fopen(getenv("CHILD"), "a");
    if (file) fprintf(file, "%d\n", (int)getpid());
    if (file) fclose(file);
    if (is_child) close(line[0]), close(line[1]);
    wait_for_ever();
  }
  if (!strcmp(wish, "child")) {
    char end;
    close(line[1]);
    if (read(line[0], &end, 1) != 0) abort();
    close(line[0]);
  }
}

__attribute__((constructor)) static void hostile_load(void) {
  const char *wish = getenv("HOSTILE");
  // The handler of a component that never comes to its end.
  if (wish && (strstr(wish, "hang") || strstr(wish, "print"))) atexit(wait_for_ever);
  hostile("load");
}
#define HOSTILE_OPEN hostile("open")
#define HOSTILE_INITIALIZE hostile("initialize")
#define HOSTILE_RENDER hostile("render")
#endif
#ifndef LATENCY_SECONDS
#define LATENCY_SECONDS 0
#endif

#ifndef HOSTILE_FACTORY
#define HOSTILE_FACTORY
#endif
#ifndef HOSTILE_OPEN
#define HOSTILE_OPEN
#endif
#ifndef HOSTILE_INITIALIZE
#define HOSTILE_INITIALIZE
#endif
#ifndef HOSTILE_RENDER
#define HOSTILE_RENDER
#endif
#ifndef RAMP_FLAG
#define RAMP_FLAG kAudioUnitParameterFlag_CanRamp
#endif

#ifdef OFFLINE
// As an offline unit it brings the peak of its input to 1: what a preflight over all of it finds.
static UInt64 offline_length, offline_seen;
static float offline_peak;
static UInt32 renders_offline;
#endif

static CFStringRef preset_names[2];
static AUPreset presets[2];

static OSStatus property_size(
    Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size, Boolean *writable) {
  UInt32 bytes = 0;
  bool may_write = false;
  bool is_global = true;
  switch (id) {
    case kAudioUnitProperty_StreamFormat:
      bytes = sizeof(AudioStreamBasicDescription);
      may_write = !unit->initialized;
      is_global = false;
      break;
    case kAudioUnitProperty_SampleRate:
      bytes = 8;
      may_write = !unit->initialized;
      is_global = false;
      break;
    case kAudioUnitProperty_ElementCount:
      bytes = 4;
      is_global = false;
      break;
    case kAudioUnitProperty_MakeConnection:
      bytes = sizeof(AudioUnitConnection);
      may_write = true;
      is_global = false;
      break;
    case kAudioUnitProperty_SetRenderCallback:
      bytes = sizeof(AURenderCallbackStruct);
      may_write = true;
      is_global = false;
      break;
    case kAudioUnitProperty_ParameterList:
      bytes = scope == kAudioUnitScope_Global ? 4 : 0;
      is_global = false;
      break;
    case kAudioUnitProperty_ParameterInfo: bytes = sizeof(AudioUnitParameterInfo); break;
    case kAudioUnitProperty_MaximumFramesPerSlice:
      bytes = 4;
      may_write = true;
      break;
    case kAudioUnitProperty_BypassEffect:
      bytes = 4;
      may_write = true;
      break;
    case kAudioUnitProperty_PresentPreset:
      bytes = sizeof(AUPreset);
      may_write = true;
      break;
    case kAudioUnitProperty_FactoryPresets: bytes = sizeof(CFArrayRef); break;
    case kAudioUnitProperty_ClassInfo:
      bytes = sizeof(CFPropertyListRef);
      may_write = true;
      break;
    case kAudioUnitProperty_LastRenderError:
    case kAudioUnitProperty_InPlaceProcessing: bytes = 4; break;
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_TailTime: bytes = 8; break;
#ifdef OFFLINE
    case kAudioUnitOfflineProperty_InputSize:
      bytes = 8;
      may_write = true;
      break;
    case kAudioUnitOfflineProperty_PreflightRequirements: bytes = 4; break;
    case kAudioUnitProperty_OfflineRender:
      bytes = 4;
      may_write = true;
      break;
#endif
    default: return kAudioUnitErr_InvalidProperty;
  }
  if (is_global && scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  if (element > 0 && id != kAudioUnitProperty_ParameterInfo) return kAudioUnitErr_InvalidElement;
  if (size) *size = bytes;
  if (writable) *writable = may_write;
  return noErr;
}

static OSStatus get_info(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size,
    Boolean *writable) {
  return property_size(self, id, scope, element, size, writable);
}

static OSStatus get_property(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data, UInt32 *size) {
  Unit *unit = self;
  UInt32 wanted;
  OSStatus status = property_size(unit, id, scope, element, &wanted, NULL);
  if (status != noErr) return status;
  if (!size) return kAudio_ParamError;
  if (!data) {
    *size = wanted;
    return noErr;
  }
  union {
    UInt32 number;
    Float64 seconds;
    CFArrayRef array;
    AUPreset preset;
    AudioStreamBasicDescription format;
    AudioUnitParameterInfo info;
  } value;
  memset(&value, 0, sizeof value);
  switch (id) {
    case kAudioUnitProperty_StreamFormat: value.format = unit->formats[scope == kAudioUnitScope_Input ? 0 : 1]; break;
    case kAudioUnitProperty_SampleRate:
      value.seconds = unit->formats[scope == kAudioUnitScope_Input ? 0 : 1].mSampleRate;
      break;
    case kAudioUnitProperty_ElementCount: value.number = 1; break;
    case kAudioUnitProperty_ParameterList: value.number = 0; break;
    case kAudioUnitProperty_ParameterInfo:
      if (element != 0) return kAudioUnitErr_InvalidParameter;
      strcpy(value.info.name, "Output Gain");
      value.info.unit = kAudioUnitParameterUnit_LinearGain;
      value.info.minValue = 0;
      value.info.maxValue = 4;
      value.info.defaultValue = 1;
      value.info.flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable | RAMP_FLAG;
      break;
    case kAudioUnitProperty_MaximumFramesPerSlice: value.number = unit->maximum_frames; break;
    case kAudioUnitProperty_BypassEffect: value.number = unit->bypass; break;
    case kAudioUnitProperty_InPlaceProcessing: value.number = 1; break;
    case kAudioUnitProperty_LastRenderError:
      value.number = (UInt32)unit->last_error;
      unit->last_error = noErr;
      break;
    case kAudioUnitProperty_Latency: value.seconds = LATENCY_SECONDS; break;
    case kAudioUnitProperty_TailTime: value.seconds = 0.25; break;
#ifdef OFFLINE
    case kAudioUnitOfflineProperty_PreflightRequirements: value.number = kOfflinePreflight_Required; break;
    case kAudioUnitProperty_OfflineRender: value.number = renders_offline; break;
#endif
    case kAudioUnitProperty_PresentPreset:
      value.preset = unit->preset;
      if (value.preset.presetName) CFRetain(value.preset.presetName);
      break;
    case kAudioUnitProperty_ClassInfo: return kAudioUnitErr_PropertyNotInUse;
    case kAudioUnitProperty_FactoryPresets: {
      const void *items[2] = {&presets[0], &presets[1]};
      value.array = CFArrayCreate(NULL, items, 2, NULL);
      break;
    }
    default: return kAudioUnitErr_InvalidProperty;
  }
  if (*size > wanted) *size = wanted;
  memcpy(data, &value, *size);
  return noErr;
}

static OSStatus set_property(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data, UInt32 size) {
  Unit *unit = self;
  UInt32 wanted;
  Boolean writable;
  OSStatus status = property_size(unit, id, scope, element, &wanted, &writable);
  if (status != noErr) return status;
  int side = scope == kAudioUnitScope_Input ? 0 : 1;
  if (!data || size < wanted) return kAudioUnitErr_InvalidPropertyValue;
  if (!writable && id != kAudioUnitProperty_StreamFormat) return kAudioUnitErr_PropertyNotWritable;
  switch (id) {
    case kAudioUnitProperty_StreamFormat: {
      const AudioStreamBasicDescription *format = data;
      AudioStreamBasicDescription usual = usual_format();
      if (!memcmp(format, &unit->formats[side], sizeof *format)) return noErr;
      if (format->mFormatID != usual.mFormatID || format->mBitsPerChannel != 32 || format->mBytesPerFrame != 4 ||
          !(format->mFormatFlags & kAudioFormatFlagIsFloat) || format->mChannelsPerFrame > maximum_channels)
        return kAudioUnitErr_FormatNotSupported;
      if (unit->initialized) return kAudioUnitErr_PropertyNotWritable;
      unit->formats[side] = *format;
      break;
    }
    case kAudioUnitProperty_SampleRate: unit->formats[side].mSampleRate = *(const Float64 *)data; break;
    case kAudioUnitProperty_MakeConnection:
      unit->connection = *(const AudioUnitConnection *)data;
      memset(&unit->callback, 0, sizeof unit->callback);
      break;
    case kAudioUnitProperty_SetRenderCallback:
      unit->callback = *(const AURenderCallbackStruct *)data;
      memset(&unit->connection, 0, sizeof unit->connection);
      break;
    case kAudioUnitProperty_MaximumFramesPerSlice:
      if (unit->initialized) return kAudioUnitErr_Initialized;
      unit->maximum_frames = *(const UInt32 *)data;
      break;
    case kAudioUnitProperty_BypassEffect: unit->bypass = *(const UInt32 *)data; break;
#ifdef OFFLINE
    case kAudioUnitOfflineProperty_InputSize:
      offline_length = *(const UInt64 *)data;
      offline_seen = 0;
      offline_peak = 0;
      break;
    case kAudioUnitProperty_OfflineRender: renders_offline = *(const UInt32 *)data; break;
#endif
    case kAudioUnitProperty_PresentPreset: {
      SInt32 number = ((const AUPreset *)data)->presetNumber;
      if (number < 0 || number > 1) return kAudioUnitErr_InvalidPropertyValue;
      unit->preset = presets[number];
      unit->gain = number == 0 ? 1.0f : 0.25f;
      break;
    }
    case kAudioUnitProperty_ClassInfo: {
      CFNumberRef gain = CFDictionaryGetValue(*(const CFDictionaryRef *)data, CFSTR("gain"));
      if (!gain || !CFNumberGetValue(gain, kCFNumberFloat32Type, &unit->gain))
        return kAudioUnitErr_InvalidPropertyValue;
      break;
    }
    default: return kAudioUnitErr_InvalidProperty;
  }
  tell(unit, id, scope, element);
  return noErr;
}

static OSStatus add_listener(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc proc, void *context) {
  Unit *unit = self;
  if (unit->listener_count == maximum_listeners) return kAudio_MemFullError;
  unit->listeners[unit->listener_count].id = id;
  unit->listeners[unit->listener_count].proc = proc;
  unit->listeners[unit->listener_count++].context = context;
  return noErr;
}

static OSStatus remove_listener(
    void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc proc, void *context) {
  Unit *unit = self;
  for (UInt32 i = 0; i < unit->listener_count; i++) {
    if (unit->listeners[i].id != id || unit->listeners[i].proc != proc || unit->listeners[i].context != context)
      continue;
    unit->listeners[i] = unit->listeners[--unit->listener_count];
    return noErr;
  }
  return noErr;
}

static OSStatus add_notify(void *self, AURenderCallback proc, void *context) {
  Unit *unit = self;
  if (unit->notify_count == maximum_listeners) return kAudio_MemFullError;
  unit->notifies[unit->notify_count].proc = proc;
  unit->notifies[unit->notify_count++].context = context;
  return noErr;
}

static OSStatus remove_notify(void *self, AURenderCallback proc, void *context) {
  Unit *unit = self;
  for (UInt32 i = 0; i < unit->notify_count; i++)
    if (unit->notifies[i].proc == proc && unit->notifies[i].context == context)
      unit->notifies[i--] = unit->notifies[--unit->notify_count];
  return noErr;
}

static OSStatus get_parameter(
    void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 *value) {
  if (id != 0) return kAudioUnitErr_InvalidParameter;
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  *value = ((Unit *)self)->gain;
  return noErr;
}

static OSStatus set_parameter(
    void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 value, UInt32 offset) {
  (void)offset;
  if (id != 0) return kAudioUnitErr_InvalidParameter;
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  ((Unit *)self)->gain = value;
  return noErr;
}

static OSStatus schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  Unit *unit = self;
  for (UInt32 i = 0; i < count; i++) {
    if (events[i].parameter != 0) return kAudioUnitErr_InvalidParameter;
    if (unit->event_count < maximum_events) unit->events[unit->event_count++] = events[i];
  }
  return noErr;
}

static OSStatus initialize(void *self) {
  Unit *unit = self;
  HOSTILE_INITIALIZE;
  if (unit->initialized) return noErr;
  if (unit->formats[0].mChannelsPerFrame != unit->formats[1].mChannelsPerFrame)
    return kAudioUnitErr_FormatNotSupported;
  for (UInt32 i = 0; i < unit->formats[0].mChannelsPerFrame; i++)
    unit->memory[i] = calloc(unit->maximum_frames, sizeof(float));
  unit->last_time = -1;
  unit->initialized = true;
  return noErr;
}

static OSStatus uninitialize(void *self) {
  Unit *unit = self;
  for (int i = 0; i < maximum_channels; i++) {
    free(unit->memory[i]);
    unit->memory[i] = NULL;
  }
  unit->initialized = false;
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  (void)scope;
  (void)element;
  ((Unit *)self)->last_time = -1;
  return noErr;
}

// The gain of one frame: the last event that has begun by then, or the value that was set.
static float gain_at(const Unit *unit, SInt32 frame) {
  double gain = unit->gain;
  for (UInt32 i = 0; i < unit->event_count; i++) {
    const AudioUnitParameterEvent *event = &unit->events[i];
    if (event->eventType == kParameterEvent_Immediate) {
      if (frame >= (SInt32)event->eventValues.immediate.bufferOffset) gain = event->eventValues.immediate.value;
      continue;
    }
    double from = event->eventValues.ramp.startValue, to = event->eventValues.ramp.endValue;
    SInt32 passed = frame - event->eventValues.ramp.startBufferOffset;
    SInt32 duration = (SInt32)event->eventValues.ramp.durationInFrames;
    if (passed >= 0) gain = passed >= duration ? to : from + (to - from) * ((double)passed / duration);
  }
  return (float)gain;
}

static OSStatus pull(
    Unit *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames, AudioBufferList *list) {
  if (unit->callback.inputProc)
    return unit->callback.inputProc(unit->callback.inputProcRefCon, flags, time, 0, frames, list);
  if (unit->connection.sourceAudioUnit)
    return AudioUnitRender(
        unit->connection.sourceAudioUnit, flags, time, unit->connection.sourceOutputNumber, frames, list);
  return kAudioUnitErr_NoConnection;
}

#ifdef OFFLINE
static OSStatus offline(Unit *unit, AudioUnitRenderActionFlags flags, const AudioBufferList *list, UInt32 frames) {
  if (!renders_offline || offline_length == 0) return kAudioUnitErr_InvalidOfflineRender;
  if (flags & kAudioOfflineUnitRenderAction_Preflight) {
    for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
      const float *samples = list->mBuffers[i].mData;
      for (UInt32 frame = 0; frame < frames; frame++) {
        float size = samples[frame] < 0 ? -samples[frame] : samples[frame];
        if (size > offline_peak) offline_peak = size;
      }
    }
    offline_seen += frames;
    return noErr;
  }
  // Neither before all of it was seen, nor if more of it comes than was announced.
  if (!(flags & kAudioOfflineUnitRenderAction_Render) || offline_seen != offline_length)
    return kAudioUnitErr_InvalidOfflineRender;
  unit->gain = 1 / offline_peak;
  return noErr;
}
#endif

static void notify(
    Unit *unit, AudioUnitRenderActionFlags phase, AudioUnitRenderActionFlags flags, const AudioTimeStamp *time,
    UInt32 bus, UInt32 frames, AudioBufferList *data) {
  flags |= phase;
  for (UInt32 i = 0; i < unit->notify_count; i++)
    unit->notifies[i].proc(unit->notifies[i].context, &flags, time, bus, frames, data);
}

static OSStatus render(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *data) {
  Unit *unit = self;
  AudioUnitRenderActionFlags none = 0;
  if (!flags) flags = &none;
  if (!time || !data) return kAudio_ParamError;
  if (!unit->initialized) return kAudioUnitErr_Uninitialized;
  if (frames > unit->maximum_frames) return kAudioUnitErr_TooManyFramesToProcess;
  if (bus != 0) return kAudioUnitErr_InvalidElement;
  UInt32 channels = unit->formats[1].mChannelsPerFrame;
  if (data->mNumberBuffers != channels) return kAudio_ParamError;
  HOSTILE_RENDER;
  notify(unit, kAudioUnitRenderAction_PreRender, *flags, time, bus, frames, data);
  if (time->mSampleTime != unit->last_time) {
    char storage[sizeof(AudioBufferList) + maximum_channels * sizeof(AudioBuffer)];
    AudioBufferList *list = (AudioBufferList *)storage;
    list->mNumberBuffers = channels;
    for (UInt32 i = 0; i < channels; i++) {
      list->mBuffers[i].mNumberChannels = 1;
      list->mBuffers[i].mDataByteSize = frames * sizeof(float);
      list->mBuffers[i].mData = unit->callback.inputProc ? unit->memory[i] : NULL;
    }
    OSStatus status = pull(unit, flags, time, frames, list);
#ifdef OFFLINE
    if (status == noErr) status = offline(unit, *flags, list, frames);
#endif
    if (status != noErr) {
      unit->last_error = status;
      unit->event_count = 0;
      notify(unit, kAudioUnitRenderAction_PostRender | kAudioUnitRenderAction_PostRenderError, *flags, time, bus, frames, data);
      return status;
    }
    // In place, as a simple effect does: what was pulled is written over.
    for (UInt32 i = 0; i < channels; i++) {
      float *samples = list->mBuffers[i].mData;
      if (!unit->bypass)
        for (UInt32 frame = 0; frame < frames; frame++) samples[frame] *= gain_at(unit, (SInt32)frame);
      if (!data->mBuffers[i].mData) data->mBuffers[i].mData = samples;
      else if (data->mBuffers[i].mData != samples) memcpy(data->mBuffers[i].mData, samples, frames * sizeof(float));
      if (samples != unit->memory[i]) memcpy(unit->memory[i], samples, frames * sizeof(float));
    }
    unit->last_time = time->mSampleTime;
  } else {
    for (UInt32 i = 0; i < channels; i++) {
      if (!data->mBuffers[i].mData) data->mBuffers[i].mData = unit->memory[i];
      else memcpy(data->mBuffers[i].mData, unit->memory[i], frames * sizeof(float));
    }
  }
  unit->event_count = 0;
  notify(unit, kAudioUnitRenderAction_PostRender, *flags, time, bus, frames, data);
  return noErr;
}

static OSStatus open_unit(void *self, AudioComponentInstance instance) {
  HOSTILE_OPEN;
  ((Unit *)self)->instance = instance;
  return noErr;
}

static OSStatus close_unit(void *self) {
  uninitialize(self);
  free(self);
  return noErr;
}

static AudioComponentMethod lookup(SInt16 selector) {
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
    default: return NULL;
  }
}

__attribute__((visibility("default"))) AudioComponentPlugInInterface *GainFactory(
    const AudioComponentDescription *description) {
  HOSTILE_FACTORY;
  if (description->componentSubType != 'gain') return NULL;
  Unit *unit = calloc(1, sizeof *unit);
  preset_names[0] = CFSTR("Unity");
  preset_names[1] = CFSTR("Quarter");
  for (int i = 0; i < 2; i++) presets[i] = (AUPreset){i, preset_names[i]};
  unit->table.Open = open_unit;
  unit->table.Close = close_unit;
  unit->table.Lookup = lookup;
  unit->maximum_frames = 1156;
  unit->formats[0] = unit->formats[1] = usual_format();
  unit->gain = 1;
  unit->preset.presetNumber = -1;
  return &unit->table;
}

// Somebody else's component, as a shared object in a bundle: out = gain · sum over inputs (trim · in) + offset, and a note of every call that
// changes something. Suites compare the note and the sound with what the pages of the interface say.
#include "component.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum {
  plain = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable,
  ramped = plain | kAudioUnitParameterFlag_CanRamp,
  meta = plain | kAudioUnitParameterFlag_IsGlobalMeta,
  meter = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_MeterReadOnly,
};

// Numbers of parameters are 10 more than their places here.
const Parameter parameters[parameter_count] = {
    {"Output Gain", 0, 0, 0, 4, 1, ramped, {1, 0.25f, 2}},
    {"Offset", 0, 0, -1, 1, 0, plain, {0, 0.125f, -0.25f}},
    // Setting it sets the gain to as much.
    {"Mode", 0, 0, 0, 3, 1, meta, {1, 2, 3}},
    {"Level", 0, 0, 0, 1, 0, meter, {0, 0, 0}},
    {"Trim", 1, 0, 0, 2, 1, ramped, {1, 0.5f, 1}},
    {"Trim", 1, 1, 0, 2, 1, plain, {1, 1, 0.5f}},
    {"Out Level", 2, 0, 0, 2, 1, ramped, {1, 1, 0.5f}},
    {"Slow", 0, 0, 0, 10, 5, plain | kAudioUnitParameterFlag_NonRealTime, {5, 6, 7}},
};

double option(const char *name, double otherwise) {
  const char *text = getenv("SUITE_COMPONENT");
  const size_t length = strlen(name);
  for (; text && *text; text = strchr(text, ' ') ? strchr(text, ' ') + 1 : NULL)
    if (strncmp(text, name, length) == 0 && text[length] == '=') return strtod(text + length + 1, NULL);
  return otherwise;
}

void note(const Instance *component, const char *format, ...) {
  const char *path = getenv("SUITE_COMPONENT_LOG");
  if (path == NULL || *path == 0) return;
  char line[512];
  int length = snprintf(line, sizeof line, "%d ", component->number);
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
  va_end(arguments);
  line[length++] = '\n';
  static int file = -1;
  if (file < 0) file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (write(file, line, (size_t)length) != length) abort();
}

static OSStatus start(void *self, AudioComponentInstance instance) {
  Instance *component = self;
  component->instance = instance;
  note(component, "open");
  return option("open", 0);
}

static OSStatus end(void *self) {
  Instance *component = self;
  note(component, "close");
  free(component);
  return noErr;
}

static OSStatus initialize(void *self) {
  Instance *component = self;
  const UInt32 channels = component->formats[0].mChannelsPerFrame, wanted[kind_count] = {channels, 2 * channels, 1, component->formats[most_buses].mChannelsPerFrame, channels};
  note(component, "initialize %u frames %u channels to %u at %g", component->most_frames, channels, component->formats[most_buses].mChannelsPerFrame, component->formats[most_buses].mSampleRate);
  if (component->formats[most_buses].mChannelsPerFrame != wanted[component->kind]) return kAudioUnitErr_FormatNotSupported;
  if (option("initialize", 0) != 0) return (OSStatus)option("initialize", 0);
  for (int bus = 0; bus <= most_buses; ++bus)
    for (int channel = 0; channel < most_channels; ++channel) component->memory[bus][channel] = calloc(component->most_frames, sizeof(Float32));
  // One that forgets what was set.
  if (option("forgets", 0) != 0) component->values[0] = parameters[0].initial;
  component->is_initialized = 1, component->renders = component->event_count = 0;
  return noErr;
}

static OSStatus uninitialize(void *self) {
  Instance *component = self;
  note(component, "uninitialize");
  for (int bus = 0; bus <= most_buses; ++bus)
    for (int channel = 0; channel < most_channels; ++channel) free(component->memory[bus][channel]), component->memory[bus][channel] = NULL;
  component->is_initialized = 0;
  return noErr;
}

int parameter_at(AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element) {
  if (id < 10 || id >= 10 + parameter_count) return -1;
  const Parameter *parameter = &parameters[id - 10];
  return parameter->scope == scope && parameter->element == element ? (int)id - 10 : -1;
}

static OSStatus get_parameter(void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 *value) {
  const int at = parameter_at(id, scope, element);
  if (at < 0) return kAudioUnitErr_InvalidParameter;
  return *value = ((Instance *)self)->values[at], noErr;
}

static OSStatus set_parameter(void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 value, UInt32 offset) {
  Instance *component = self;
  note(component, "set %u %u %u %.9g %u", id, scope, element, value, offset);
  const int at = parameter_at(id, scope, element);
  if (at < 0) return kAudioUnitErr_InvalidParameter;
  component->values[at] = value;
  if (at == 2) component->values[0] = value;
  return noErr;
}

static OSStatus schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  Instance *component = self;
  for (UInt32 index = 0; index < count; ++index) {
    const AudioUnitParameterEvent *event = &events[index];
    if (event->eventType == kParameterEvent_Ramped)
      note(component, "ramp %u %u %u %d %u %.9g %.9g", event->parameter, event->scope, event->element, (int)event->eventValues.ramp.startBufferOffset, event->eventValues.ramp.durationInFrames, event->eventValues.ramp.startValue, event->eventValues.ramp.endValue);
    else
      note(component, "event %u %u %u %u %.9g", event->parameter, event->scope, event->element, event->eventValues.immediate.bufferOffset, event->eventValues.immediate.value);
    if (component->event_count < most_events) component->events[component->event_count++] = *event;
  }
  // One that says no to events takes values alone.
  if (option("schedule", 0) != 0) return component->event_count = 0, (OSStatus)option("schedule", 0);
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  note(self, "reset %u %u", scope, element);
  return noErr;
}

static OSStatus listens(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc proc, void *user) { return (void)self, (void)id, (void)proc, (void)user, noErr; }
static OSStatus notifies(void *self, AURenderCallback proc, void *user) { return (void)self, (void)proc, (void)user, noErr; }

static AudioComponentMethod lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)uninitialize;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)property_info;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)get_property;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)set_property;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)get_parameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)set_parameter;
    case kAudioUnitScheduleParametersSelect: return (AudioComponentMethod)schedule;
    case kAudioUnitResetSelect: return (AudioComponentMethod)reset;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)render;
    case kAudioUnitAddPropertyListenerSelect: case kAudioUnitRemovePropertyListenerWithUserDataSelect: return (AudioComponentMethod)listens;
    case kAudioUnitAddRenderNotifySelect: case kAudioUnitRemoveRenderNotifySelect: return (AudioComponentMethod)notifies;
    default: return NULL;
  }
}

// The factory of the bundle's list.
__attribute__((visibility("default"))) void *SuiteFactory(const AudioComponentDescription *description) {
  static int made;
  const char *kinds[kind_count] = {"same", "wide", "down", "make", "line"};
  int kind = 0;
  while (kind < kind_count && four(kinds[kind]) != description->componentSubType) ++kind;
  if (kind == kind_count) return NULL;
  Instance *component = calloc(1, sizeof(Instance));
  component->table = (AudioComponentPlugInInterface){.Open = start, .Close = end, .Lookup = lookup};
  component->number = ++made, component->kind = kind, component->inputs = kind == any_channels ? most_buses : kind == a_source ? 0 : 1, component->most_frames = 1156;
  const UInt32 channels[kind_count][2] = {{2, 2}, {1, 2}, {2, 1}, {2, 2}, {2, 2}};
  for (int bus = 0; bus <= most_buses; ++bus)
    component->formats[bus] = (AudioStreamBasicDescription){44100, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, 4, 1, 4, channels[kind][bus == most_buses], 32, 0};
  for (int at = 0; at < parameter_count; ++at) component->values[at] = parameters[at].initial;
  component->preset = -1;
  return component;
}

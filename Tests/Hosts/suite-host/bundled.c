// A third-party component that is found in a bundle (Tests/Hosts/suite-component), driven by drawn calls: alone, behind a mixer of the library, behind
// another one of its kind, and in front of a mixer. It notes each call that it gets: these must be the calls that were made, in that order, with those
// values; what it answers and what it plays must come back, its errors too.
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drawn.h"

enum { most_text = 1 << 20, most_instances = 2, values = 8, most_events_here = 40, longest = 600, widest = 4 };

typedef struct Instance {
  AudioUnit unit, mixer;
  int number, kind, inputs, is_initialized, is_behind, fails_at, renders, bypass;
  UInt32 channels[2], most;
  Float32 held[values];
  AudioUnitParameterEvent events[most_events_here];
  int event_count;
} Instance;

static Instance instances[most_instances];
static int instance_count, opened, fails;
static char expected[most_text], found[most_text];
static size_t expected_length;
static char difference[300];

// Name, place and first value of each parameter; numbers are 10 more.
static const struct {
  UInt32 scope, element;
  Float32 initial, presets[3];
} table[values] = {{0, 0, 1, {1, 0.25f, 2}}, {0, 0, 0, {0, 0.125f, -0.25f}}, {0, 0, 1, {1, 2, 3}}, {0, 0, 0, {0, 0, 0}}, {1, 0, 1, {1, 0.5f, 1}}, {1, 1, 1, {1, 1, 0.5f}}, {2, 0, 1, {1, 1, 0.5f}}, {0, 0, 5, {5, 6, 7}}};

static void differ(const char *text, double is, double should) {
  if (is != should && !*difference) snprintf(difference, sizeof difference, "%s: %g, expected %g", text, is, should);
}

static void expect(const Instance *instance, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void expect(const Instance *instance, const char *format, ...) {
  if (expected_length > most_text - 400) return;
  expected_length += (size_t)sprintf(expected + expected_length, "%d ", instance->number);
  va_list arguments;
  va_start(arguments, format);
  expected_length += (size_t)vsprintf(expected + expected_length, format, arguments);
  va_end(arguments);
  expected[expected_length++] = '\n', expected[expected_length] = 0;
}

static Float32 sample_of(const Instance *instance, UInt32 frame_time, UInt32 channel) { return (Float32)(SInt16)noise(frame_time * 7 + channel * 1000003 + (UInt32)instance->number * 77) / 65536; }

static OSStatus give(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)flags, (void)bus;
  static Float32 own[widest][longest];
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel)
    // One that asks for pointers gets some.
    if (data->mBuffers[channel].mData == NULL) data->mBuffers[channel].mData = own[channel];
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel)
    for (UInt32 frame = 0; frame < frames; ++frame) ((Float32 *)data->mBuffers[channel].mData)[frame] = sample_of(user, (UInt32)time->mSampleTime + frame, channel);
  return noErr;
}

// MARK: The model

static Float64 value_at(const Instance *instance, int at, SInt32 frame) {
  Float64 value = instance->held[at];
  for (int index = 0; index < instance->event_count; ++index) {
    const AudioUnitParameterEvent *event = &instance->events[index];
    if ((int)event->parameter - 10 != at || event->scope != table[at].scope || event->element != table[at].element) continue;
    if (event->eventType == kParameterEvent_Immediate) {
      if (frame >= (SInt32)event->eventValues.immediate.bufferOffset) value = event->eventValues.immediate.value;
      continue;
    }
    const SInt32 passed = frame - event->eventValues.ramp.startBufferOffset, length = (SInt32)event->eventValues.ramp.durationInFrames;
    const Float64 from = event->eventValues.ramp.startValue, to = event->eventValues.ramp.endValue;
    if (passed >= 0) value = passed >= length ? to : from + (to - from) * passed / length;
  }
  return value;
}

static OSStatus model_render(Instance *instance, UInt32 flags, const AudioTimeStamp *stamp, UInt32 frames, Float32 (*out)[longest]) {
  Float32 taken[widest][longest];
  expect(instance, "render %u %.17g %u 0 %u %u %u", (unsigned)flags, stamp->mSampleTime, (unsigned)stamp->mFlags, (unsigned)frames, (unsigned)instance->channels[1], (unsigned)frames);
  if (++instance->renders == fails) return -12345;
  OSStatus status = noErr;
  if (instance->is_behind) status = model_render(&instances[0], 0, stamp, frames, taken);
  else
    for (UInt32 channel = 0; channel < instance->channels[0]; ++channel)
      for (UInt32 frame = 0; frame < frames; ++frame) taken[channel][frame] = sample_of(instance, (UInt32)stamp->mSampleTime + frame, channel);
  expect(instance, "pull 0 %d %u %g 0", (int)status, (unsigned)frames, stamp->mSampleTime);
  if (status != noErr) return status;
  // Nothing is connected to its second input.
  if (instance->inputs == 2) expect(instance, "pull 1 %d %u %g 0", kAudioUnitErr_NoConnection, (unsigned)frames, stamp->mSampleTime);
  for (UInt32 channel = 0; channel < instance->channels[1]; ++channel) {
    for (UInt32 frame = 0; frame < frames; ++frame) {
      const SInt32 at = (SInt32)frame;
      const Float64 in = taken[channel % instance->channels[0]][frame];
      out[channel][frame] = (Float32)(instance->bypass ? in : value_at(instance, 6, at) * (value_at(instance, 0, at) * value_at(instance, 4, at) * in + value_at(instance, 1, at)));
    }
  }
  for (int index = 0; index < instance->event_count; ++index) {
    const AudioUnitParameterEvent *event = &instance->events[index];
    instance->held[event->parameter - 10] = event->eventType == kParameterEvent_Ramped ? event->eventValues.ramp.endValue : event->eventValues.immediate.value;
  }
  instance->event_count = 0;
  return noErr;
}

// MARK: Calls

static int any_parameter(void) {
  static const int here[] = {0, 1, 2, 4, 6, 7};
  return here[draw(6)];
}

static void set_value(Instance *instance) {
  const int at = any_parameter();
  const Float32 value = (Float32)draw_between(0, 2);
  const UInt32 offset = once_in(3) ? draw(100) : 0, id = once_in(12) ? 99 : 10 + (UInt32)at;
  const OSStatus status = AudioUnitSetParameter(instance->unit, id, table[at].scope, table[at].element, value, offset);
  expect(instance, "set %u %u %u %.9g %u", (unsigned)id, (unsigned)table[at].scope, (unsigned)table[at].element, value, (unsigned)offset);
  differ("set", status, id == 99 ? kAudioUnitErr_InvalidParameter : noErr);
  if (id == 99) return;
  instance->held[at] = value;
  if (at == 2) instance->held[0] = value;
}

static void schedule(Instance *instance) {
  AudioUnitParameterEvent events[3];
  memset(events, 0, sizeof events);
  const int count = 1 + (int)draw(3);
  if (!instance->is_initialized || instance->event_count + count > most_events_here) return;
  for (int index = 0; index < count; ++index) {
    const int at = any_parameter();
    AudioUnitParameterEvent *event = &events[index];
    event->parameter = 10 + (UInt32)at, event->scope = table[at].scope, event->element = table[at].element;
    if (once_in(2)) {
      event->eventType = kParameterEvent_Ramped;
      event->eventValues.ramp.startBufferOffset = (SInt32)draw(200) - 50, event->eventValues.ramp.durationInFrames = 1 + draw(300);
      event->eventValues.ramp.startValue = (Float32)draw_between(0, 2), event->eventValues.ramp.endValue = (Float32)draw_between(0, 2);
      expect(instance, "ramp %u %u %u %d %u %.9g %.9g", (unsigned)event->parameter, (unsigned)event->scope, (unsigned)event->element, (int)event->eventValues.ramp.startBufferOffset, (unsigned)event->eventValues.ramp.durationInFrames, event->eventValues.ramp.startValue, event->eventValues.ramp.endValue);
    } else {
      event->eventType = kParameterEvent_Immediate;
      event->eventValues.immediate.bufferOffset = draw(200), event->eventValues.immediate.value = (Float32)draw_between(0, 2);
      expect(instance, "event %u %u %u %u %.9g", (unsigned)event->parameter, (unsigned)event->scope, (unsigned)event->element, (unsigned)event->eventValues.immediate.bufferOffset, event->eventValues.immediate.value);
    }
    instance->events[instance->event_count++] = *event;
  }
  differ("schedule", AudioUnitScheduleParameters(instance->unit, events, (UInt32)count), noErr);
}

static void set_property(Instance *instance) {
  if (once_in(2)) {
    instance->bypass = (int)draw(2);
    differ("bypass", set_uint(instance->unit, kAudioUnitProperty_BypassEffect, 0, 0, (UInt32)instance->bypass), noErr);
    expect(instance, "bypass %d", instance->bypass);
    UInt32 now = 9, size = sizeof now;
    differ("bypass back", AudioUnitGetProperty(instance->unit, kAudioUnitProperty_BypassEffect, 0, 0, &now, &size), noErr), differ("bypassed", now, instance->bypass);
    return;
  }
  const AUPreset preset = {(SInt32)draw(4), text_of("preset")};
  const OSStatus status = AudioUnitSetProperty(instance->unit, kAudioUnitProperty_PresentPreset, 0, 0, &preset, sizeof preset);
  differ("preset", status, preset.presetNumber == 3 ? kAudioUnitErr_InvalidPropertyValue : noErr);
  expect(instance, "preset %d", (int)preset.presetNumber);
  CFRelease(preset.presetName);
  for (int at = 0; at < values && status == noErr; ++at) instance->held[at] = table[at].presets[preset.presetNumber];
}

static void get_values(Instance *instance) {
  for (int at = 0; at < values; ++at) {
    Float32 value = -1;
    differ("get", AudioUnitGetParameter(instance->unit, 10 + (UInt32)at, table[at].scope, table[at].element, &value), noErr);
    differ("value", value, instance->held[at]);
  }
}

static void initialize(Instance *instance) {
  differ("initialize", AudioUnitInitialize(instance->unit), noErr);
  expect(instance, "initialize %u frames %u channels to %u at 44100", (unsigned)instance->most, (unsigned)instance->channels[0], (unsigned)instance->channels[1]);
  instance->is_initialized = 1, instance->renders = instance->event_count = 0;
}

static Float64 now;

static void render(void) {
  Instance *head = &instances[instance_count - 1];
  for (int at = 0; at < instance_count; ++at)
    if (!instances[at].is_initialized) return;
  const UInt32 frames = 1 + draw(longest - 1), flags = once_in(3) ? 1 << 20 : 0;
  const AudioTimeStamp stamp = {.mSampleTime = now, .mHostTime = 7, .mFlags = kAudioTimeStampSampleTimeValid | (once_in(2) ? kAudioTimeStampHostTimeValid : 0)};
  now += frames;
  static Float32 right[widest][longest];
  const int by_mixer = head->mixer && once_in(2);
  Planes *room = planes_of(by_mixer ? 2 : head->channels[1], frames);
  AudioUnitRenderActionFlags given = by_mixer ? 0 : flags;
  const OSStatus status = AudioUnitRender(by_mixer ? head->mixer : head->unit, &given, &stamp, 0, frames, room->list), wanted = model_render(head, given, &stamp, frames, right);
  differ("render", status, wanted);
  // Also from where the component has it itself.
  for (UInt32 channel = 0; channel < room->list->mNumberBuffers && status == noErr; ++channel) {
    const Float32 *samples = room->list->mBuffers[channel].mData;
    for (UInt32 frame = 0; frame < frames; ++frame)
      if (fabsf(samples[frame] - right[channel][frame]) > 1e-6f) differ("sound", samples[frame], right[channel][frame]);
  }
}

// MARK: A session

static void open_instance(AudioComponent component, int kind) {
  Instance *instance = &instances[instance_count];
  *instance = (Instance){.number = ++opened, .kind = kind, .inputs = kind == 0 ? 2 : 1, .most = 1156};
  const UInt32 widths[3][2] = {{2, 2}, {1, 2}, {2, 1}};
  memcpy(instance->channels, widths[kind], sizeof widths[0]);
  for (int at = 0; at < values; ++at) instance->held[at] = table[at].initial;
  need(AudioComponentInstanceNew(component, &instance->unit), "new");
  expect(instance, "open");
  if (once_in(2)) instance->most = 700 + draw(900), differ("longest slice", set_uint(instance->unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, instance->most), noErr);
  if (kind == 0 && once_in(2)) instance->inputs = 1, differ("inputs", set_uint(instance->unit, kAudioUnitProperty_ElementCount, 1, 0, 1), noErr);
  // Behind the first one where the widths fit, or behind a callback.
  if (instance_count == 1 && instances[0].channels[1] == instance->channels[0]) {
    const AudioUnitConnection link = {instances[0].unit, 0, 0};
    differ("connect", AudioUnitSetProperty(instance->unit, kAudioUnitProperty_MakeConnection, 1, 0, &link, sizeof link), noErr);
    instance->is_behind = 1;
  } else {
    const AURenderCallbackStruct callback = {give, instance};
    differ("callback", AudioUnitSetProperty(instance->unit, kAudioUnitProperty_SetRenderCallback, 1, 0, &callback, sizeof callback), noErr);
  }
  ++instance_count;
}

static int is_noted(const char *path) {
  FILE *file = fopen(path, "r");
  const size_t length = file ? fread(found, 1, sizeof found - 1, file) : 0;
  found[length] = 0;
  if (file) fclose(file);
  for (size_t at = 0; at <= length || at <= expected_length; ++at) {
    if (at <= length && at <= expected_length && found[at] == expected[at]) continue;
    while (at > 0 && expected[at - 1] != '\n') --at;
    if (!*difference) snprintf(difference, sizeof difference, "call \"%.*s\", expected \"%.*s\"", (int)strcspn(found + at, "\n"), found + at, (int)strcspn(expected + at, "\n"), expected + at);
    return 0;
  }
  return 1;
}

static char log_path[4096];

static void bundle_of(UInt32 seed) {
  draw_from(seed + 230000);
  *difference = 0, instance_count = 0, expected_length = 0, *expected = 0, now = 0;
  fails = once_in(4) ? 1 + (int)draw(8) : 0;
  char options[80];
  snprintf(options, sizeof options, "fails=%d status=-12345 own=%d pointers=%d", fails, (int)draw(2), (int)draw(2));
  setenv("SUITE_COMPONENT", options, 1);
  truncate(log_path, 0);
  static const char *kinds[] = {"same", "wide", "down"};
  const int wanted = 1 + (int)draw(2), first = (int)draw(3);
  for (int at = 0; at < wanted; ++at) {
    const int kind = at == 0 ? first : instances[0].channels[1] == 2 ? (once_in(2) ? 0 : 2) : 1;
    const AudioComponentDescription description = {four("aufx"), four(kinds[kind]), four("Test"), 0, 0};
    AudioComponent component = AudioComponentFindNext(NULL, &description);
    need(component ? noErr : -1, kinds[kind]);
    open_instance(component, kind);
  }
  Instance *head = &instances[instance_count - 1];
  if (head->channels[1] == 2) {
    head->mixer = unit_of("aumx", "mcmx");
    const AudioUnitConnection link = {head->unit, 0, 0};
    differ("mixer", AudioUnitSetProperty(head->mixer, kAudioUnitProperty_MakeConnection, 1, 0, &link, sizeof link), noErr);
    differ("mixer", AudioUnitInitialize(head->mixer), noErr);
  }
  for (int step = 0; step < 40 && !*difference; ++step) {
    Instance *instance = &instances[draw((UInt32)instance_count)];
    switch (draw(9)) {
      case 0: case 1: set_value(instance); break;
      case 2: schedule(instance); break;
      case 3: set_property(instance); break;
      case 4: get_values(instance); break;
      case 5: {
        const UInt32 scope = draw(3);
        differ("reset", AudioUnitReset(instance->unit, scope, 0), noErr), expect(instance, "reset %u 0", (unsigned)scope);
        break;
      }
      case 6:
        if (!instance->is_initialized) initialize(instance);
        else if (once_in(6)) differ("uninitialize", AudioUnitUninitialize(instance->unit), noErr), expect(instance, "uninitialize"), instance->is_initialized = 0;
        break;
      default: render();
    }
  }
  if (head->mixer) AudioComponentInstanceDispose(head->mixer);
  for (int at = instance_count - 1; at >= 0; --at) {
    differ("dispose", AudioComponentInstanceDispose(instances[at].unit), noErr);
    expect(&instances[at], "close");
  }
  is_noted(log_path);
  printf("seed %u: %d of them: %s\n", (unsigned)seed, instance_count, *difference ? difference : "ok");
}

// The bundle is made of the shared object beside this program.
static void install(void) {
  char folder[4096], path[4200], program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 40);
  need(length > 0 ? noErr : -1, "program");
  program[length] = 0;
  strcpy(strrchr(program, '/') + 1, "suite-component");
  snprintf(folder, sizeof folder, "%s", temporary("aubench-suite-bundles"));
  static const char *const parts[] = {"", "/Suite.component", "/Suite.component/Contents", "/Suite.component/Contents/Linux"};
  for (int at = 0; at < 4; ++at) snprintf(path, sizeof path, "%s%s", folder, parts[at]), mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/Suite.component/Contents/Linux/Suite.so", folder);
  unlink(path);
  need(symlink(program, path) == 0 ? noErr : -1, "link");
  snprintf(path, sizeof path, "%s/Suite.component/Contents/Info.plist", folder);
  FILE *file = fopen(path, "w");
  need(file ? noErr : -1, "list");
  fprintf(file, "<plist version=\"1.0\"><dict><key>AudioComponents</key><array>");
  static const char *const kinds[] = {"same", "wide", "down"};
  for (int kind = 0; kind < 3; ++kind)
    fprintf(file, "<dict><key>type</key><string>aufx</string><key>subtype</key><string>%s</string><key>manufacturer</key><string>Test</string><key>name</key><string>Test: %s</string><key>factoryFunction</key><string>SuiteFactory</string></dict>", kinds[kind], kinds[kind]);
  fprintf(file, "</array></dict></plist>\n");
  fclose(file);
  setenv("AUBENCH_COMPONENT_PATH", folder, 1), setenv("XDG_CACHE_HOME", folder, 1);
}

void bundled(void) {
  // Refusals are judged here, and not told.
  unsetenv("AUBENCH_LOG");
  install();
  // They are tried before any of their calls count.
  const AudioComponentDescription all = {four("aufx"), 0, four("Test"), 0, 0};
  printf("found %u\n", (unsigned)AudioComponentCount(&all));
  snprintf(log_path, sizeof log_path, "%s", temporary("aubench-suite-calls"));
  setenv("SUITE_COMPONENT_LOG", log_path, 1);
  for_seeds(60, bundle_of);
}

// The matrix mixer: its buses, levels of channels, crosspoints and the whole, what its meters show, and its sound.
#include "host.h"

enum { whole = kAudioUnitScope_Global, in = kAudioUnitScope_Input, out = kAudioUnitScope_Output };
static const UInt32 master = 0xFFFFFFFF;
static Float32 level = 1;
// The buses that were pulled since the last call.
static UInt32 pulled;
static Float64 now;
// Buses whose source gives 16-bit integers.
static UInt32 integers;

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)frames;
  pulled |= 1u << bus;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    void *samples = data->mBuffers[buffer].mData;
    const UInt32 bytes = data->mBuffers[buffer].mDataByteSize, place = bus * 131 + buffer * 1000003;
    for (UInt32 at = 0; at < bytes / (integers >> bus & 1 ? 2 : 4); ++at) {
      const SInt16 word = (SInt16)noise((UInt32)time->mSampleTime + at + place);
      if (integers >> bus & 1) ((SInt16 *)samples)[at] = word;
      else ((Float32 *)samples)[at] = level * (Float32)word / 32768;
    }
  }
  return noErr;
}

static OSStatus feed(AudioUnit unit, UInt32 bus, AURenderCallback source) {
  AURenderCallbackStruct callback = {source, NULL};
  return AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, in, bus, &callback, sizeof callback);
}

// One bus of an output, at the present time.
static void pull(AudioUnit unit, UInt32 bus, UInt32 channels, UInt32 frames, UInt32 bytes) {
  Planes *room = planes_of(channels, frames);
  // 16-bit integers of two channels lie in one buffer.
  if (bytes == 2) room->list->mNumberBuffers = 1, room->list->mBuffers[0].mNumberChannels = 2;
  AudioTimeStamp stamp = {.mSampleTime = now, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  pulled = 0;
  printf("  output %u of %u:", (unsigned)bus, (unsigned)frames);
  const OSStatus status = AudioUnitRender(unit, &flags, &stamp, bus, frames, room->list);
  Digest sound = 0;
  for (UInt32 at = 0; at < room->list->mNumberBuffers; ++at) sound = digest(sound, room->samples[at], frames * 4);
  printf(" %s %x pulled %x %016llx", status_text(status), (unsigned)flags, (unsigned)pulled, sound);
  for (UInt32 at = 0; at < channels && bytes == 4; ++at) {
    for (UInt32 frame = 0; frame < frames; frame += frames / 2) printf(" %.6g", room->samples[at][frame]);
  }
  printf("\n");
}

static OSStatus set(AudioUnit unit, UInt32 scope, UInt32 element, Float32 value) {
  return AudioUnitSetParameter(unit, kMatrixMixerParam_Volume, scope, element, value, 0);
}

static OSStatus enable(AudioUnit unit, UInt32 scope, UInt32 bus, Float32 value) {
  return AudioUnitSetParameter(unit, kMatrixMixerParam_Enable, scope, bus, value, 0);
}

static OSStatus meter(AudioUnit unit, UInt32 scope, UInt32 bus, UInt32 is_on) {
  return set_uint(unit, kAudioUnitProperty_MeteringMode, scope, bus, is_on);
}

static OSStatus set_buses(AudioUnit unit, UInt32 scope, UInt32 count) {
  return set_uint(unit, kAudioUnitProperty_ElementCount, scope, 0, count);
}

static AudioUnit made(UInt32 inputs, UInt32 outputs) {
  AudioUnit unit = unit_of("aumx", "mxmx");
  now = 0, level = 1, integers = 0;
  printf("%u inputs %s", (unsigned)inputs, status_text(set_buses(unit, in, inputs)));
  printf(", %u outputs %s\n", (unsigned)outputs, status_text(set_buses(unit, out, outputs)));
  for (UInt32 bus = 0; bus < inputs; ++bus) need(feed(unit, bus, give), "callback");
  return unit;
}

static void say_shape(AudioUnit unit) {
  UInt32 sides[2] = {9, 9}, size = sizeof sides, levels = 77;
  Boolean writable = 9;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_MatrixDimensions, whole, 0, sides, &size);
  printf("  dimensions %s %u %ux%u", status_text(status), (unsigned)size, (unsigned)sides[0], (unsigned)sides[1]);
  status = AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_MatrixLevels, whole, 0, &levels, &writable);
  printf(" levels %s %u %u buses", status_text(status), (unsigned)levels, writable);
  for (UInt32 scope = 0; scope < 4; ++scope) {
    UInt32 count = 77;
    size = sizeof count;
    status = AudioUnitGetProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, &count, &size);
    printf(" %s %u", status_text(status), (unsigned)count);
  }
  printf("\n");
}

// All levels in a row.
static void say_levels(AudioUnit unit) {
  static Float32 levels[4096];
  UInt32 size = sizeof levels;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_MatrixLevels, whole, 0, levels, &size);
  printf("  levels %s %u:", status_text(status), (unsigned)size);
  for (UInt32 at = 0; status == noErr && at < size / 4 && at < 64; ++at) printf(" %.6g", levels[at]);
  printf("\n");
}

static OSStatus set_levels(AudioUnit unit, UInt32 scope, UInt32 count, Float32 first, Float32 step) {
  static Float32 levels[4096];
  for (UInt32 at = 0; at < count; ++at) levels[at] = first + step * (Float32)at;
  return AudioUnitSetProperty(unit, kAudioUnitProperty_MatrixLevels, scope, 0, levels, count * 4);
}

static void fresh(void) {
  AudioUnit unit = unit_of("aumx", "mxmx");
  printf("fresh\n");
  say_shape(unit);
  printf("  initialize %s\n", status_text(AudioUnitInitialize(unit)));
  static const UInt32 counts[] = {0, 4097, 64, 8, 1, 4096};
  for (UInt32 scope = 0; scope < 3; ++scope) {
    printf("  buses of %u:", (unsigned)scope);
    for (size_t at = 0; at < 6; ++at) {
      printf(" %u %s", (unsigned)counts[at], status_text(set_buses(unit, scope, counts[at])));
    }
    // So many leave no room for the render state.
    printf(" initialize %s\n", status_text(AudioUnitInitialize(unit)));
    if (scope == in) need(set_buses(unit, in, 1), "one");
  }
  // 256 x 256 crosspoints are the most.
  printf("  most %s", status_text(set_buses(unit, out, 128)));
  printf(" %s %s", status_text(set_buses(unit, in, 128)), status_text(set_buses(unit, out, 129)));
  printf(" %s", status_text(set_buses(unit, in, 129)));
  say_shape(unit);
  for (UInt32 scope = in; scope <= out; ++scope) {
    printf("  channels %s", status_text(set_format(unit, scope, 127, planar(44100, 3))));
    printf(" %s", status_text(set_format(unit, scope, 127, planar(44100, 1))));
    printf(" %s", status_text(set_format(unit, scope, 0, planar(44100, 3))));
    printf(" %s\n", status_text(set_format(unit, scope, 1, planar(44100, 3))));
  }
  // Buses of other numbers of channels count when others come.
  printf("  fewer %s", status_text(set_buses(unit, in, 1)));
  printf(" %s", status_text(set_format(unit, in, 0, planar(44100, 200))));
  printf(" 30 %s", status_text(set_buses(unit, in, 30)));
  printf(" 29 %s", status_text(set_buses(unit, in, 29)));
  say_shape(unit);
  need(AudioComponentInstanceDispose(unit), "dispose");
  unit = unit_of("aumx", "mxmx");
  const UInt32 packed = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  printf("  long slices %s", status_text(set_uint(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 1000000)));
  printf(" %s %s", status_text(set_buses(unit, in, 1)), status_text(set_buses(unit, out, 3)));
  printf(" %s", status_text(set_format(unit, out, 1, pcm(44100, 2, 16, 2, packed))));
  printf(" initialize %s\n", status_text(AudioUnitInitialize(unit)));
  need(AudioComponentInstanceDispose(unit), "dispose");
  unit = unit_of("aumx", "mxmx");
  printf("  one format %s", status_text(set_format(unit, in, 0, planar(44100, 2))));
  printf(" initialize %s\n", status_text(AudioUnitInitialize(unit)));
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// Every parameter at every element: what it is there, and what it takes.
static void parameters(AudioUnit unit) {
  static const UInt32 ids[] = {0, 1, 2, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000};
  static const UInt32 elements[] = {0, 1, 2, 3, 4, 1 << 16, 3 << 16 | 2, 3 << 16 | 3, 4 << 16, 0xFFFFFFFF};
  static const Float32 tries[] = {0.5f, -2, 3, NAN, INFINITY};
  for (UInt32 scope = 0; scope < 4; ++scope) {
    for (size_t at = 0; at < sizeof elements / 4; ++at) {
      UInt32 list[32], size = sizeof list;
      OSStatus got = AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, scope, elements[at], list, &size);
      printf("  %u:%x has %s", (unsigned)scope, (unsigned)elements[at], status_text(got));
      for (UInt32 index = 0; got == noErr && index < size / 4; ++index) printf(" %u", (unsigned)list[index]);
      printf(" is");
      for (size_t index = 0; index < sizeof ids / 4; ++index) {
        Float32 value = NAN, later = NAN;
        got = AudioUnitGetParameter(unit, ids[index], scope, elements[at], &value);
        printf(" %s", status_text(got));
        for (size_t try = 0; got == noErr && try < 5; ++try) {
          printf(" %s", status_text(AudioUnitSetParameter(unit, ids[index], scope, elements[at], tries[try], 0)));
          AudioUnitGetParameter(unit, ids[index], scope, elements[at], &later);
          printf("/%g", later);
        }
        AudioUnitSetParameter(unit, ids[index], scope, elements[at], value, 0);
      }
      printf("\n");
    }
    for (size_t index = 0; index < sizeof ids / 4; ++index) {
      AudioUnitParameterInfo info = {0};
      UInt32 size = sizeof info;
      OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, ids[index], &info, &size);
      printf("  info %u:%u %s", (unsigned)scope, (unsigned)ids[index], status_text(status));
      printf(" \"%s\" %u %g...%g %g %x\n", info.name, (unsigned)info.unit, info.minValue, info.maxValue,
             info.defaultValue, (unsigned)info.flags);
    }
  }
}

// Buses of one and of three channels: what belongs to channels, and what to buses.
static void shapes(void) {
  AudioUnit unit = made(2, 3);
  static const UInt32 channels[] = {1, 3, 1, 1, 1};
  for (UInt32 bus = 0; bus < 5; ++bus) {
    const UInt32 scope = bus < 2 ? in : out;
    printf("  format %s", status_text(set_format(unit, scope, bus < 2 ? bus : bus - 2, planar(44100, channels[bus]))));
    say_shape(unit);
  }
  printf("  rate %s", status_text(set_format(unit, in, 0, planar(48000, 1))));
  printf(" same %s", status_text(set_format(unit, in, 0, planar(44100, 1))));
  printf(" bus 2 %s\n", status_text(set_format(unit, in, 2, planar(44100, 1))));
  parameters(unit);
  say_levels(unit);
  printf("  set %s\n", status_text(set_levels(unit, whole, 20, 0.5f, 0.25f)));
  say_levels(unit);
  static const UInt32 counts[] = {0, 19, 21, 40};
  for (size_t at = 0; at < 4; ++at) {
    printf("  %u levels %s\n", (unsigned)counts[at], status_text(set_levels(unit, whole, counts[at], 9, 0)));
  }
  printf("  of inputs %s, infinite %s, no numbers %s\n", status_text(set_levels(unit, in, 20, 9, 0)),
         status_text(set_levels(unit, whole, 20, INFINITY, 0)), status_text(set_levels(unit, whole, 20, 9, NAN)));
  say_levels(unit);
  Float32 volume = NAN;
  for (UInt32 input = 0; input < 5; ++input) {
    for (UInt32 output = 0; output < 4; ++output) {
      const OSStatus status = AudioUnitGetParameter(unit, 0, whole, input << 16 | output, &volume);
      printf(" %s %g", status_text(status), volume);
    }
    printf(" | %s", status_text(AudioUnitGetParameter(unit, 0, in, input, &volume)));
    printf(" %g\n", volume);
  }
  for (UInt32 on = 0; on < 2; ++on) {
    printf("  initialize %s", status_text(AudioUnitInitialize(unit)));
    printf(" buses %s", status_text(set_buses(unit, in, 3)));
    printf(" format %s", status_text(set_format(unit, out, 0, planar(44100, 2))));
    printf(" levels %s\n", status_text(set_levels(unit, whole, 20, 0.25f, 0.0625f)));
    say_levels(unit);
    pull(unit, 1, 1, 100, 4);
    printf("  uninitialize %s", status_text(AudioUnitUninitialize(unit)));
    // A level that stays where it was, however many others there come to be.
    printf(" channels %s", status_text(set_format(unit, in, 0, planar(44100, 2 - on))));
    printf(" buses %s\n", status_text(set_buses(unit, out, 2 + on)));
    say_levels(unit);
  }
  printf("  other rates %s", status_text(set_format(unit, out, 1, planar(48000, 1))));
  printf(" %s\n", status_text(AudioUnitInitialize(unit)));
  need(AudioComponentInstanceDispose(unit), "dispose");
}

static AudioUnitParameterEvent line(UInt32 scope, UInt32 element, SInt32 offset, UInt32 frames, Float32 from,
                                    Float32 to) {
  AudioUnitParameterEvent event = {.scope = scope, .element = element, .eventType = kParameterEvent_Ramped};
  event.eventValues.ramp.startBufferOffset = offset;
  event.eventValues.ramp.durationInFrames = frames;
  event.eventValues.ramp.startValue = from;
  event.eventValues.ramp.endValue = to;
  return event;
}

// Two outputs of two inputs and one without a source; formats on both sides that have to be converted.
static void sound(void) {
  AudioUnit unit = made(3, 3);
  const UInt32 packed = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  integers = 2;
  need(feed(unit, 2, NULL), "no callback");
  printf("  formats %s", status_text(set_format(unit, in, 1, pcm(48000, 1, 16, 2, packed))));
  printf(" %s", status_text(set_format(unit, out, 1, pcm(44100, 2, 16, 2, packed))));
  printf(" %s\n", status_text(set_format(unit, out, 2, planar(44100, 1))));
  printf("  initialize %s\n", status_text(AudioUnitInitialize(unit)));
  pull(unit, 0, 2, 100, 4);
  pull(unit, 3, 2, 100, 4);
  now += 100;
  printf("  levels %s\n", status_text(set_levels(unit, whole, 36, 0.0625f, 0.03125f)));
  for (UInt32 step = 0; step < 26; ++step) {
    AudioUnitParameterEvent lines[2] = {line(whole, 0x10000, 0, 100, 1, 0), line(out, 0, 20, 50, -1, 2)};
    UInt32 count = 0;
    OSStatus status = noErr;
    if (step == 1) status = enable(unit, in, 0, 0);
    if (step == 2) status = enable(unit, in, 0, 1) + enable(unit, out, 0, 0);
    if (step == 3) status = enable(unit, out, 0, 1) + enable(unit, out, 1, 0) + meter(unit, out, 1, 1);
    if (step == 4) status = enable(unit, out, 1, 1) + set(unit, whole, master, 0);
    if (step == 5) status = set(unit, whole, master, -1) + set(unit, out, 2, 0);
    if (step == 6) status = set(unit, out, 2, 1) + set(unit, whole, master, 1);
    if (step == 7) count = 2;
    if (step == 8) lines[0] = line(whole, master, -50, 200, 0, 1), count = 1;
    if (step == 9) lines[0] = line(in, 0, 10, 60, 0, 1), lines[1] = line(in, 0, 80, 40, 1, 0), count = 2;
    if (step == 10) lines[0] = line(whole, 4, 33, 1, 0, 1), lines[1] = line(in, 1, 0, 64, 2, -2), count = 2;
    if (step == 11) lines[0] = line(in, 0, 50, 1, 0, 0), lines[0].parameter = 1, count = 1;
    if (step == 12) lines[0] = line(in, 0, 40, 1, 1, 1), lines[0].parameter = 1, count = 1;
    if (step == 13) lines[0] = line(out, 1, 30, 1, 0, 0), lines[0].parameter = 1, count = 1;
    if (step == 14) status = enable(unit, out, 1, 1) + set_levels(unit, whole, 36, 1e30f, 0);
    if (step == 15) level = 0;
    if (step == 16) status = set_levels(unit, whole, 36, -1e30f, 0);
    if (step == 17) status = set_levels(unit, whole, 36, 0.5f, 0), level = 1;
    if (step == 18) status = feed(unit, 1, NULL);
    if (step == 19) status = feed(unit, 1, give) + feed(unit, 2, give);
    if (step == 20) status = AudioUnitReset(unit, whole, 0);
    if (step == 21) status = set(unit, whole, master, 0) + set(unit, in, 0, 1);
    if (step == 22) status = set(unit, whole, master, 8);
    if (step == 23) status = set_levels(unit, whole, 36, 1, 0);
    if (step == 24) status = set(unit, whole, 1, 0) + set(unit, whole, 0x10000, 0);
    if (count > 0) status = AudioUnitScheduleParameters(unit, lines, count);
    printf("  step %u %s\n", (unsigned)step, status_text(status));
    pull(unit, step % 3, step % 3 == 2 ? 1 : 2, 100, step % 3 == 1 ? 2 : 4);
    pull(unit, (step + 1) % 3, step % 3 == 1 ? 1 : 2, 100, step % 3 == 0 ? 2 : 4);
    pull(unit, (step + 2) % 3, step % 3 == 0 ? 1 : 2, 100, step % 3 == 2 ? 2 : 4);
    now += 100;
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
}

static void say_meter(AudioUnit unit, const char *name, UInt32 scope, UInt32 element) {
  printf("    %s %x:", name, (unsigned)element);
  for (UInt32 id = 1000; id < 9000; id += 1000) {
    Float32 value = NAN;
    const OSStatus status = AudioUnitGetParameter(unit, id, scope, element, &value);
    if (status == noErr) printf(" %.6g", value);
    else printf(" %s", status_text(status));
  }
  printf("\n");
}

static void say_meters(AudioUnit unit) {
  for (UInt32 scope = whole; scope <= out; ++scope) {
    printf("  on:");
    for (UInt32 element = 0; element < 4; ++element) {
      UInt32 on = 9, size = sizeof on;
      const OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_MeteringMode, scope, element, &on, &size);
      printf(" %s %u", status_text(status), (unsigned)on);
    }
    printf("\n");
  }
  for (UInt32 element = 0; element < 5; ++element) say_meter(unit, "input", in, element);
  for (UInt32 element = 0; element < 5; ++element) say_meter(unit, "output", out, element);
  static const UInt32 points[] = {0, 1, 1 << 16, 2 << 16 | 1, 3 << 16 | 3, 4 << 16, 4, 0xFFFFFFFF};
  for (size_t at = 0; at < 8; ++at) say_meter(unit, "crosspoint", whole, points[at]);
}

static void meters(void) {
  AudioUnit unit = made(3, 2);
  need(set_format(unit, in, 1, planar(44100, 1)), "format");
  need(set_format(unit, in, 2, planar(44100, 1)), "format");
  printf("  on: input 1 %s, output 0 %s, input 3 %s, output 2 %s\n", status_text(meter(unit, in, 1, 1)),
         status_text(meter(unit, out, 0, 1)), status_text(meter(unit, in, 3, 1)), status_text(meter(unit, out, 2, 1)));
  say_meters(unit);
  need(AudioUnitInitialize(unit), "initialize");
  say_meters(unit);
  need(set_levels(unit, whole, 25, 0.5f, 0.03125f), "levels");
  for (UInt32 step = 0; step < 15; ++step) {
    AudioUnitParameterEvent lines[3] = {line(in, 2, 0, 1000, 1, 0), line(out, 1, 0, 1000, 0, 2),
                                        line(whole, 1, 0, 10, 0, -2)};
    OSStatus status = noErr;
    if (step == 1) status = meter(unit, in, 0, 1) + meter(unit, in, 2, 1);
    if (step == 2) status = AudioUnitScheduleParameters(unit, lines, 3);
    if (step == 3) status = meter(unit, out, 0, 0) + meter(unit, out, 1, 1), level = 0.125f;
    if (step == 4) status = meter(unit, whole, 0, 1);
    if (step == 5) status = enable(unit, in, 1, 0) + enable(unit, out, 1, 0);
    if (step == 6) status = enable(unit, in, 1, 1) + enable(unit, out, 1, 1) + set(unit, out, 0, 0);
    if (step == 7) status = set(unit, out, 0, 1) + set(unit, whole, master, 1e-7f), level = 1e-5f;
    if (step == 8) level = 0;
    if (step == 9) status = AudioUnitReset(unit, whole, 0);
    if (step == 10) level = 1, status = set(unit, whole, master, 0.5f) + set(unit, in, 0, 0) + set(unit, whole, 0, 0);
    if (step == 11) status = meter(unit, whole, 0, 0);
    if (step == 12) status = meter(unit, out, 0, 1), lines[0] = line(out, 0, 0, 1000, 0, 1);
    if (step == 12) status += AudioUnitScheduleParameters(unit, lines, 1);
    if (step == 13) status = meter(unit, whole, 1, 1);
    if (step == 14) status = meter(unit, whole, 0, 5);
    printf("  step %u %s\n", (unsigned)step, status_text(status));
    pull(unit, 1, 2, 1000, 4);
    pull(unit, 0, 2, 1000, 4);
    now += 1000;
    say_meters(unit);
  }
  printf("  uninitialize %s\n", status_text(AudioUnitUninitialize(unit)));
  say_meters(unit);
  printf("  fewer %s", status_text(set_buses(unit, out, 1)));
  printf(" %s", status_text(set_buses(unit, in, 2)));
  printf(" more %s %s\n", status_text(set_buses(unit, out, 2)), status_text(set_buses(unit, in, 3)));
  say_meters(unit);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

void mix_matrix(void) {
  setenv("AUBENCH_MEMORY", "26M", 1);
  fresh();
  shapes();
  sound();
  meters();
}

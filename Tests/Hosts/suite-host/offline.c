// The normalizer as an offline unit: the length, a preflight, the render, and what is found in sounds of all kinds.
#include "host.h"

enum { preflight = kAudioOfflineUnitRenderAction_Preflight, render = kAudioOfflineUnitRenderAction_Render };
enum { mode, loudest, ceiling };
// A render call without a place for flags.
static const UInt32 none = 0xFFFFFFFF;
// The sound: noise on the channels of a mask, one level up to a frame, and behind it another that grows by steps.
static UInt32 mask, turn;
static Float32 before, after, growth;
// After so many frames the noise is the same again; 0: never.
static UInt32 period;
// The value in place of one sample, and its place.
static SInt64 odd_place;
static Float32 odd;
static OSStatus refusal;
static int is_quiet;

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)bus;
  if (!is_quiet) printf(" {%x}", (unsigned)*flags);
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    Float32 *samples = data->mBuffers[buffer].mData;
    for (UInt32 at = 0; at < frames; ++at) {
      const SInt64 frame = (SInt64)time->mSampleTime + at;
      const Float32 level = frame < turn ? before : after * (1 + growth * (Float32)(frame / 800));
      const UInt32 place = (UInt32)(period ? frame % period : frame) + buffer * 1000003;
      samples[at] = mask >> buffer & 1 ? level * (Float32)(SInt16)noise(place) / 32768 : 0;
      if (frame == odd_place && buffer == 0) samples[at] = odd;
    }
  }
  return refusal;
}

static void sound(Float32 level) {
  mask = 3, turn = period = 0, after = level, growth = 0, odd_place = -1;
}

static OSStatus set_size(AudioUnit unit, SInt64 frames) {
  return AudioUnitSetProperty(unit, kAudioUnitOfflineProperty_InputSize, 0, 0, &frames, sizeof frames);
}

static AudioUnit made(Float64 rate, UInt32 channels, SInt64 frames) {
  AudioComponentDescription wanted = {kAudioUnitType_OfflineEffect, four("norm"), four("aubn"), 0, 0};
  AudioUnit unit = NULL;
  need(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit), "new");
  AURenderCallbackStruct callback = {give, NULL};
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, 1, 0, &callback, sizeof callback), "callback");
  need(set_format(unit, 1, 0, planar(rate, channels)), "format");
  need(set_format(unit, 2, 0, planar(rate, channels)), "format");
  need(set_uint(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, most_frames), "maximum");
  if (frames >= 0) need(set_size(unit, frames), "size");
  return unit;
}

static void set(AudioUnit unit, UInt32 parameter, Float32 value) {
  need(AudioUnitSetParameter(unit, parameter, 0, 0, value, 0), "parameter");
}

static UInt32 channels_of(AudioUnit unit) {
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, 2, 0, &format, &size), "format");
  return format.mChannelsPerFrame;
}

// One slice, and the flags that come back.
static UInt32 slice(AudioUnit unit, UInt32 flags, SInt64 time, UInt32 frames) {
  const UInt32 channels = channels_of(unit);
  Planes *room = planes_of(channels, frames);
  AudioTimeStamp stamp = {.mSampleTime = (Float64)time, .mFlags = kAudioTimeStampSampleTimeValid};
  printf("  %lld+%u %x:", (long long)time, (unsigned)frames, (unsigned)flags);
  const OSStatus status = AudioUnitRender(unit, flags == none ? NULL : &flags, &stamp, 0, frames, room->list);
  printf(" %s %x", status_text(status), (unsigned)flags);
  for (UInt32 at = 0; at < channels && status == noErr && frames > 0; ++at) {
    printf(" %.6g %.6g", room->samples[at][0], room->samples[at][frames - 1]);
  }
  printf("\n");
  return flags;
}

// Slices until the unit is complete, at most three more than there should be: how many, and the sum of all magnitudes.
static Float64 run(AudioUnit unit, UInt32 flags, SInt64 total, UInt32 frames) {
  const UInt32 channels = channels_of(unit);
  Float64 sum = 0;
  UInt32 back = 0, count = 0;
  // A slice of the same time and flags as the last one would be that one. The results stay.
  OSStatus status = AudioUnitReset(unit, 0, 0);
  is_quiet = 1;
  for (SInt64 time = 0; status == noErr && !(back & 0x80) && time < total + 3 * frames; time += frames, ++count) {
    Planes *room = planes_of(channels, frames);
    AudioTimeStamp stamp = {.mSampleTime = (Float64)time, .mFlags = kAudioTimeStampSampleTimeValid};
    back = flags;
    status = AudioUnitRender(unit, &back, &stamp, 0, frames, room->list);
    for (UInt32 at = 0; at < channels * frames && status == noErr; ++at) {
      const Float32 sample = room->samples[at / frames][at % frames];
      if (isfinite(sample)) sum += fabs(sample);
    }
  }
  is_quiet = 0;
  printf(" %u %s %x", (unsigned)count, status_text(status), (unsigned)back);
  return sum;
}

// A preflight, and the gains that follow from it: by loudness alone, by the peak, and as the unit is at first.
static void find(AudioUnit unit, SInt64 total, UInt32 frames) {
  const Float64 given = run(unit, preflight, total, frames);
  printf(" sum %.9g", given);
  static const Float32 sets[][3] = {{0, -50, 0}, {1, 0, 0}, {0, -14, -1}};
  for (size_t at = 0; at < 3; ++at) {
    for (UInt32 parameter = 0; parameter < 3; ++parameter) set(unit, parameter, sets[at][parameter]);
    const Float64 heard = run(unit, render, total, frames);
    printf(" gain %.6g", given > 0 ? heard / given : heard);
  }
  printf("\n");
}

static void say_properties(AudioUnit unit) {
  for (UInt32 id = kAudioUnitOfflineProperty_InputSize; id < kAudioUnitOfflineProperty_PreflightName; ++id) {
    for (UInt32 scope = 0; scope < 2; ++scope) {
      SInt64 value = 0;
      UInt32 size = sizeof value, bytes = 77;
      Boolean writable = 9;
      OSStatus status = AudioUnitGetPropertyInfo(unit, id, scope, 0, &bytes, &writable);
      printf("  %u:%u %s %u %u", (unsigned)scope, (unsigned)id, status_text(status), (unsigned)bytes, writable);
      status = AudioUnitGetProperty(unit, id, scope, 0, &value, &size);
      printf(" is %s %u %lld set", status_text(status), (unsigned)size, (long long)value);
      static const SInt64 tries[] = {1, -1, INT64_MAX, INT64_MIN, 0, 1234};
      for (size_t at = 0; at < 6; ++at) {
        printf(" %s", status_text(AudioUnitSetProperty(unit, id, scope, 0, &tries[at], sizeof tries[at])));
        status = AudioUnitGetProperty(unit, id, scope, 0, &value, &size);
        if (status == noErr) printf("/%lld", (long long)value);
      }
      printf(" short %s", status_text(AudioUnitSetProperty(unit, id, scope, 0, &tries[0], 4)));
      printf(" element %s\n", status_text(AudioUnitSetProperty(unit, id, scope, 1, &tries[0], 8)));
    }
  }
  CFStringRef name = NULL;
  UInt32 size = sizeof name;
  char text[64] = "";
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitOfflineProperty_PreflightName, 0, 0, &name, &size);
  if (name) CFStringGetCString(name, text, sizeof text, utf8), CFRelease(name);
  printf("  name %s \"%s\"\n", status_text(status), text);
}

// The flags of a preflight and of a render, slice by slice, and calls out of order.
static void protocol(void) {
  sound(0.25f);
  AudioUnit unit = made(8000, 2, -1);
  say_properties(unit);
  need(AudioUnitInitialize(unit), "initialize");
  printf("no length\n");
  need(set_size(unit, 0), "size");
  slice(unit, 0, 0, 100), slice(unit, render, 0, 100), slice(unit, preflight, 0, 100), slice(unit, none, 0, 100);
  printf("in order\n");
  need(set_size(unit, 4001), "size");
  slice(unit, render, 0, 100);
  for (SInt64 time = 0; time < 5; ++time) slice(unit, preflight, time * 1000, 1000);
  for (SInt64 time = 0; time < 5; ++time) slice(unit, render, time * 1000, 1000);
  printf("again, one slice more, and without flags\n");
  for (SInt64 time = 0; time < 6; ++time) slice(unit, render, time * 1000, 1000);
  slice(unit, 0, 6000, 5000), slice(unit, none, 11000, 1), slice(unit, render, 0, 4000), slice(unit, render, 4000, 1);
  printf("in the middle, with a reset, and one that is cut short by a preflight\n");
  slice(unit, render, 2000, 3000), slice(unit, render, 5000, 1001);
  slice(unit, render, 0, 4000);
  printf("  reset %s\n", status_text(AudioUnitReset(unit, 0, 0)));
  slice(unit, render, 0, 4000), slice(unit, render, 4000, 4000), slice(unit, render, 0, 3000);
  slice(unit, preflight, 0, 2000), slice(unit, render, 0, 100), slice(unit, preflight, 2000, 2000);
  printf("  reset %s\n", status_text(AudioUnitReset(unit, 0, 0)));
  slice(unit, preflight, 0, 4000), slice(unit, render, 0, 100), slice(unit, preflight, 4000, 1);
  slice(unit, preflight | render, 0, 4001), slice(unit, render, 0, 4001), slice(unit, preflight | 0x80, 0, 100);
  slice(unit, preflight, 100, 4901);
  printf("other lengths\n");
  static const SInt64 lengths[] = {1, 2, 999, 1000, 1001, 0};
  for (size_t at = 0; at < 6; ++at) {
    printf("  size %lld %s", (long long)lengths[at], status_text(set_size(unit, lengths[at])));
    slice(unit, render, 0, 10);
    slice(unit, preflight, 0, 1000), slice(unit, preflight, 1000, 1), slice(unit, render, 0, 1000);
    slice(unit, render, 1000, 0), slice(unit, render, 1000, 1), slice(unit, render, 1001, 1);
  }
  need(set_size(unit, 4000), "size");
  slice(unit, preflight, 0, 3000);
  printf("the same length, set again\n");
  need(set_size(unit, 4000), "size");
  slice(unit, preflight, 0, 2000), slice(unit, preflight, 2000, 1999), slice(unit, preflight, 3999, 1);
  slice(unit, render, 0, 2000), slice(unit, render, 2000, 1999), slice(unit, render, 3999, 1);
  printf("bypass\n");
  slice(unit, preflight, 0, 3000);
  need(set_uint(unit, kAudioUnitProperty_BypassEffect, 0, 0, 1), "bypass");
  slice(unit, preflight, 3000, 1000), slice(unit, render, 0, 1000);
  need(set_uint(unit, kAudioUnitProperty_BypassEffect, 0, 0, 0), "bypass");
  slice(unit, preflight, 0, 3000), slice(unit, preflight, 3000, 1000), slice(unit, render, 0, 1000);
  printf("a source that fails\n");
  refusal = -1234;
  slice(unit, preflight, 0, 4000), slice(unit, render, 0, 1000);
  refusal = noErr;
  slice(unit, render, 1000, 3000), slice(unit, preflight, 0, 8193);
  printf("what was found stays\n");
  need(AudioUnitUninitialize(unit), "uninitialize");
  need(AudioUnitInitialize(unit), "initialize");
  slice(unit, render, 0, 4000), slice(unit, render, 4000, 4000);
  need(AudioUnitUninitialize(unit), "uninitialize");
  need(set_size(unit, 4000), "size");
  need(AudioUnitInitialize(unit), "initialize");
  slice(unit, render, 0, 4000);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// Level, ceiling and mode: beside their ranges, and moving.
static void gains(void) {
  sound(0.25f);
  AudioUnit unit = made(8000, 1, 8000);
  need(AudioUnitInitialize(unit), "initialize");
  // A preflight in pieces, as a parameter moves.
  AudioUnitParameterEvent event = {.parameter = loudest, .eventType = kParameterEvent_Ramped};
  event.eventValues.ramp.startBufferOffset = 100;
  event.eventValues.ramp.durationInFrames = 7777;
  need(AudioUnitScheduleParameters(unit, &event, 1), "schedule");
  slice(unit, preflight, 0, 8000);
  static const Float32 sets[][3] = {
      {0, -14, -1}, {0, -30, -1}, {0, -70, -1}, {0, -80, -1}, {0, 0, 0},   {0, 9, 9},   {0, 0, -60},     {0, 0, -70},
      {1, -3, -1},  {1, -1, -3},  {1, 0, 0},    {1, 9, 9},    {1, -70, 0}, {1, -80, 0}, {1, 0, -60},     {1, 0, -99},
      {2, -3, 0},   {-1, -3, 0},  {0.5f, -3, 0}, {0.49f, -3, 0}};
  for (size_t at = 0; at < sizeof sets / sizeof sets[0]; ++at) {
    for (UInt32 parameter = 0; parameter < 3; ++parameter) set(unit, parameter, sets[at][parameter]);
    printf("%g %g %g", sets[at][0], sets[at][1], sets[at][2]);
    slice(unit, 0, 4000 + (SInt64)at * 10, 50);
  }
  set(unit, mode, 1);
  for (UInt32 at = 0; at < 4; ++at) {
    event.parameter = at % 2 ? loudest : ceiling;
    event.eventValues.ramp.startBufferOffset = 30 - 20 * (SInt32)at;
    event.eventValues.ramp.durationInFrames = 100;
    event.eventValues.ramp.startValue = -40;
    need(AudioUnitScheduleParameters(unit, &event, 1), "schedule");
    for (SInt64 part = 0; part < 4; ++part) slice(unit, 0, 5000 + (at * 4 + part) * 40, 40);
  }
  // No gain at all: the input as it is.
  sound(0), odd_place = 3, odd = 0.5f;
  slice(unit, preflight, 0, 8000);
  set(unit, mode, 1), set(unit, loudest, -6.0206f), set(unit, ceiling, 0);
  slice(unit, 0, 3, 10);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

static void one(const char *name, Float64 rate, UInt32 channels, SInt64 total, UInt32 frames) {
  AudioUnit unit = made(rate, channels, total);
  need(AudioUnitInitialize(unit), "initialize");
  printf("%s, %g Hz, %u channels, %lld in %u:", name, rate, (unsigned)channels, (long long)total, (unsigned)frames);
  find(unit, total, frames);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

static void sounds(void) {
  sound(0.25f);
  static const SInt64 lengths[] = {1, 2, 3199, 3200, 3201, 3999, 4000, 4800, 9001};
  for (size_t at = 0; at < 9; ++at) one("length", 8000, 2, lengths[at], at % 2 ? 4000 : 799);
  static const Float64 rates[] = {4, 60, 3000, 11025, 22050.5, 44100, 48000, 192000};
  for (size_t at = 0; at < 8; ++at) one("rate", rates[at], 1, (SInt64)(rates[at] * 0.7), 8192);
  for (UInt32 channels = 1; channels < 9; ++channels) {
    for (UInt32 alone = 0; alone < channels; ++alone) mask = 1u << alone, one("channel", 8000, channels, 4000, 1000);
    mask = 0xFF;
    one("all", 8000, channels, 4000, 700);
  }
  // Loud, then what is about 10 LU below the mean of all, at first below it and at its end above.
  for (UInt32 step = 0; step < 30; ++step) {
    sound(0.25f * (0.178f + 0.00025f * (Float32)step)), turn = 8000, before = 0.25f, period = 800, growth = 5e-4f;
    one("gate", 8000, 2, 24000, 8000);
  }
  for (UInt32 step = 0; step < 12; ++step) {
    sound(0.00043f + 0.000001f * (Float32)step), period = 800, growth = 5e-4f;
    one("quiet", 8000, 1, 8000, 8000);
  }
  static const Float32 levels[] = {0, 1e-20f, 1, 50, 100, 1e6f, 1e18f, 1e30f};
  for (size_t at = 0; at < 8; ++at) sound(levels[at]), one("level", 8000, 1, 8000, 8000);
  sound(0.5f), turn = 4000, before = 100;
  one("loud", 8000, 1, 8000, 800);
  static const Float32 odds[] = {NAN, INFINITY, -INFINITY, 3e38f, -1, 1};
  static const SInt64 places[] = {0, 255, 256, 1000, 4799, 4899};
  for (size_t at = 0; at < 36; ++at) {
    sound(at % 6 < 4 ? 0.125f : 0), odd_place = places[at / 6], odd = odds[at % 6];
    one("odd", 8000, 1 + (UInt32)at / 6 % 2, 4900, 700 + 400 * (UInt32)(at % 2));
  }
  // A peak that lies between the last samples, or behind them.
  for (UInt32 length = 1; length < 6; ++length) {
    sound(1), before = 0, turn = 5000 - length;
    one("end", 8000, 2, 5000, 1250);
    mask = 2;
    one("end of the second", 8000, 2, 5000, 5000);
  }
}

void offline(void) {
  protocol();
  gains();
  sounds();
}

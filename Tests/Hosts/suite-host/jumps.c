// Clocks that jump in the midst of smoothing and fades, back and ahead, by little and by much: of each unit that has any. A while later it must sound as
// one that had the new value from its beginning.
#include "drawn.h"

enum { preset = 0xFFFF, channels = 2, before = 700, fade = 2400, judged = 600 };
enum { in = kAudioUnitScope_Input, out = kAudioUnitScope_Output };
static const struct {
  const char *type, *subtype;
  UInt32 id, scope;
  Float32 from, to;
} changes[] = {
    {"aufx", "ipeq", preset, 0, 4, 20},  {"aufx", "ipeq", preset, 0, 0, 3},    {"aufx", "lpas", 0, 0, 900, 7000},   {"aufx", "hpas", 0, 0, 900, 7000},  {"aufx", "bpas", 0, 0, 900, 7000},
    {"aufx", "lshf", 1, 0, 0, 12},       {"aufx", "hshf", 1, 0, 0, 12},        {"aufx", "pmeq", 2, 0, -12, 12},     {"aufx", "greq", 20, 0, 0, 12},     {"aufx", "filt", 7, 0, -9, 9},
    {"aufx", "nbeq", 0, 0, 0, -12},      {"aufx", "sdly", 0, 0, 50, 400},      {"aufx", "dist", 15, 0, 100, 0},     {"aufx", "dcmp", 6, 0, 0, 12},      {"aufx", "lmtr", 2, 0, 0, -12},
    {"aumx", "mcmx", 0, in, 1, 0.25},    {"aumx", "mcmx", 2, in, -1, 0.5},     {"aumx", "mcmx", 0, out, 1, 0.25},   {"aumx", "3dem", 0, in, -60, 60},   {"aumx", "3dem", 3, in, 0, -12},
    {"aumx", "3dem", 2, in, 1, 9},       {"aumx", "3dmx", 0, in, -60, 60},     {"aumx", "3dmx", 3, in, 0, -12},     {"aumx", "3dem", 1, in, 0, 80},     {"augn", "tone", 1, 0, -6, -30},
    {"augn", "tone", 0, 0, 900, 2000},   {"augn", "nois", 0, 0, -6, -30},
};
static const char *const ways[] = {"set", "smoothed"};
static const SInt64 jumps[] = {-9000, -40, 40, 100000};

static OSStatus give_sound(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)user, (void)flags, (void)bus;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer)
    for (UInt32 frame = 0; frame < frames; ++frame)
      ((Float32 *)data->mBuffers[buffer].mData)[frame] = 0.25f * (Float32)(SInt16)noise((UInt32)((SInt64)time->mSampleTime + frame) * 5 + buffer) / 32768;
  return noErr;
}

static OSStatus set_value(AudioUnit unit, size_t number, Float32 value) {
  if (changes[number].id != preset) return AudioUnitSetParameter(unit, changes[number].id, changes[number].scope, 0, value, 0);
  const AUPreset wanted = {.presetNumber = (SInt32)value};
  return AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, 0, 0, &wanted, sizeof wanted);
}

static AudioUnit made(size_t number, Float32 value, UInt32 smoothing) {
  const char *type = changes[number].type, *subtype = changes[number].subtype;
  AudioComponentDescription wanted = {four(type), four(subtype), 0, 0, 0};
  AudioUnit unit = NULL;
  need(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit), subtype);
  const AURenderCallbackStruct callback = {give_sound, NULL};
  if (strcmp(type, "aumx") == 0) need(set_uint(unit, kAudioUnitProperty_ElementCount, in, 0, 1), "inputs");
  if (strcmp(type, "augn") != 0) {
    need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, in, 0, &callback, sizeof callback), "callback");
    need(set_format(unit, in, 0, planar(48000, strcmp(type, "aumx") == 0 && changes[number].id != 2 ? 1 : channels)), "input format");
  }
  need(set_format(unit, out, 0, planar(48000, channels)), "output format");
  need(set_uint(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, fade), "frames"), need(set_uint(unit, 64000, 0, 0, smoothing), "smoothing");
  need(set_value(unit, number, value), "value");
  need(AudioUnitInitialize(unit), "initialize");
  return unit;
}

static Planes *played(AudioUnit unit, SInt64 now, UInt32 frames) {
  Planes *room = planes_of(channels, frames);
  const AudioTimeStamp stamp = {.mSampleTime = (Float64)now, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  need(AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list), "render");
  return room;
}

// - Returns: the largest difference, and in `size` the largest sample.
static double difference(size_t number, int way, SInt64 jump, double *size) {
  static Float32 twin[channels][judged];
  const UInt32 smoothing = way == 1 ? 600 : 0, lengths[] = {before, fade, fade, judged};
  AudioUnit unit = made(number, changes[number].from, smoothing), fresh = made(number, changes[number].to, smoothing);
  SInt64 now = 10000;
  played(unit, now, before), now += before;
  need(set_value(unit, number, changes[number].to), "change");
  // Into the midst of it, and away.
  played(unit, now, 150), now += 150 + jump;
  double most = 0;
  *size = 0;
  for (int call = 0; call < 4; ++call) {
    Planes *room = played(unit, now, lengths[call]);
    for (UInt32 channel = 0; call == 3 && channel < channels; ++channel) memcpy(twin[channel], room->samples[channel], sizeof twin[channel]);
    room = played(fresh, now, lengths[call]);
    for (UInt32 channel = 0; call == 3 && channel < channels; ++channel)
      for (UInt32 frame = 0; frame < judged; ++frame) {
        most = fmax(most, fabs((double)twin[channel][frame] - room->samples[channel][frame]));
        *size = fmax(*size, fabs((double)room->samples[channel][frame]));
      }
    now += lengths[call];
  }
  need(AudioComponentInstanceDispose(unit), "dispose"), need(AudioComponentInstanceDispose(fresh), "dispose");
  return most;
}

void clock_jumps(void) {
  for (size_t number = 0; number < sizeof changes / sizeof changes[0]; ++number) {
    printf("%s %s %u:", changes[number].type, changes[number].subtype, (unsigned)changes[number].id);
    for (int way = 0; way < 2; ++way) {
      // A preset has no smoothing.
      if (way > 0 && changes[number].id == preset) continue;
      printf(" %s", ways[way]);
      for (size_t jump = 0; jump < sizeof jumps / sizeof jumps[0]; ++jump) {
        double size;
        const double most = difference(number, way, jumps[jump], &size);
        // A clock that jumps within the smoothing of a tone finds it at the phase of the frequency there: docs/laws/generators.md.
        if (way == 1 && labs((long)jumps[jump]) < 600 && strcmp(changes[number].subtype, "tone") == 0 && changes[number].id == 0) printf(" -");
        // A compressor is still on its way by so little.
        else if (most > 2e-3 * size || size == 0) printf(" %+lld: %.3g of %.3g", (long long)jumps[jump], most, size);
        else printf(" ok");
      }
    }
    printf("\n");
  }
}

// Drawn effects behind a sound that ends: the host says with the flag of silence that nothing comes in, and a second unit
// gets the same zeros without that word. Both must sound alike until latency and tail have gone by, from then on the first
// is silent and says so; what the second still sounds is quieter than the tail's end. Sounds and resets come between, and
// some are bypassed.
#include "drawn.h"

enum { most_ids = 64, pairs = 2 };
static const char *const kinds[] = {"lpas", "hpas", "bpas", "lshf", "hshf", "pmeq", "greq", "filt", "sdly", "dely", "rvb2", "dist", "dcmp", "lmtr", "nbeq", "ipeq"};

static struct {
  AudioUnit units[pairs];
  Float64 rate;
  UInt32 channels;
  // The sound goes up to this frame, 0 in front of and behind it.
  SInt64 begin, end;
  int says_silence;
} host;
static char difference[200];

static void differ(const char *text, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s: %.9g, expected %.9g", text, found, expected);
}

static OSStatus give(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)bus;
  int sounds = 0;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    Float32 *samples = data->mBuffers[buffer].mData;
    for (UInt32 frame = 0; frame < frames; ++frame) {
      const SInt64 place = (SInt64)time->mSampleTime + frame;
      const int is_inside = place >= host.begin && place < host.end;
      samples[frame] = is_inside ? 0.5f * (Float32)(SInt16)noise((UInt32)place * 3 + buffer) / 32768 : 0;
      sounds |= is_inside;
    }
  }
  host.says_silence = !sounds;
  if (!sounds && user == NULL) *flags |= kAudioUnitRenderAction_OutputIsSilence;
  return noErr;
}

static void set_both(UInt32 id, Float32 value) {
  for (int pair = 0; pair < pairs; ++pair) AudioUnitSetParameter(host.units[pair], id, 0, 0, value, 0);
}

static void draw_parameters(void) {
  UInt32 ids[most_ids], size = sizeof ids;
  if (AudioUnitGetProperty(host.units[0], kAudioUnitProperty_ParameterList, 0, 0, ids, &size) != noErr) return;
  for (UInt32 at = 0; at < size / 4 && at < most_ids; ++at) {
    AudioUnitParameterInfo info;
    UInt32 bytes = sizeof info;
    need(AudioUnitGetProperty(host.units[0], kAudioUnitProperty_ParameterInfo, 0, ids[at], &info, &bytes), "info");
    const Float64 part = draw_between(0, 1);
    const int is_hertz = info.unit == kAudioUnitParameterUnit_Hertz && info.minValue > 0;
    const Float64 value = is_hertz ? info.minValue * pow(info.maxValue / info.minValue, part) : info.minValue + (info.maxValue - info.minValue) * part;
    const int is_whole = info.unit == kAudioUnitParameterUnit_Indexed || info.unit == kAudioUnitParameterUnit_Boolean;
    if (info.flags & kAudioUnitParameterFlag_IsWritable && once_in(2)) set_both(ids[at], (Float32)(is_whole ? floor(value + 0.5) : value));
  }
}

// Frames that ring on: latency and tail, by the unit's own words.
static SInt64 ringing(void) {
  Float64 latency = 0, tail = 0;
  UInt32 size = sizeof latency;
  need(AudioUnitGetProperty(host.units[0], kAudioUnitProperty_Latency, 0, 0, &latency, &size), "latency");
  size = sizeof tail;
  need(AudioUnitGetProperty(host.units[0], kAudioUnitProperty_TailTime, 0, 0, &tail, &size), "tail");
  return (SInt64)floor(latency * host.rate + 0.5) + (SInt64)floor(tail * host.rate + 0.5);
}

static void tail_of(UInt32 seed) {
  static const Float64 rates[] = {8000, 22050, 44100, 48000, 96000};
  static Float32 twin[most_channels][most_frames];
  draw_from(seed + 170000);
  const char *kind = kinds[seed % (sizeof kinds / sizeof kinds[0])];
  host.rate = rates[draw(5)], host.channels = 1 + draw(2);
  *difference = 0;
  for (int pair = 0; pair < pairs; ++pair) {
    AudioUnit unit = host.units[pair] = unit_of("aufx", kind);
    AURenderCallbackStruct callback = {give, (void *)(size_t)pair};
    need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback), "callback");
    need(set_format(unit, 1, 0, planar(host.rate, host.channels)), "format"), need(set_format(unit, 2, 0, planar(host.rate, host.channels)), "format");
    need(set_uint(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 4096), "frames");
  }
  draw_parameters();
  const UInt32 is_bypassed = once_in(6);
  for (int pair = 0; pair < pairs; ++pair) need(set_uint(host.units[pair], kAudioUnitProperty_BypassEffect, 0, 0, is_bypassed), "bypass");
  for (int pair = 0; pair < pairs; ++pair) need(AudioUnitInitialize(host.units[pair]), "initialize");
  SInt64 now = 0, silent = 0;
  int flagged = 0;
  Float32 loudest = 0;
  host.begin = host.end = 0;
  const UInt32 usual = 64 + draw(2000);
  for (int slice = 0; slice < 60 && !*difference; ++slice) {
    const UInt32 frames = once_in(3) ? 1 + draw(4096) : usual;
    if (once_in(9) && now >= host.end) host.begin = now + draw(500), host.end = host.begin + 1 + draw(3000);
    if (once_in(25)) {
      for (int pair = 0; pair < pairs; ++pair) need(AudioUnitReset(host.units[pair], 0, 0), "reset");
      silent = 0;
    }
    const SInt64 ring = ringing();
    for (int pair = pairs - 1; pair >= 0; --pair) {
      Planes *room = planes_of(host.channels, frames);
      AudioUnitRenderActionFlags flags = 0;
      const AudioTimeStamp stamp = {.mSampleTime = (Float64)now, .mFlags = kAudioTimeStampSampleTimeValid};
      need(AudioUnitRender(host.units[pair], &flags, &stamp, 0, frames, room->list), "render");
      const int is_silent = (flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
      if (pair == 1) {
        if (is_silent) differ("silence without a word of it", 1, 0);
        for (UInt32 channel = 0; channel < host.channels; ++channel) memcpy(twin[channel], room->samples[channel], frames * 4);
        continue;
      }
      const int right = host.says_silence && silent >= ring;
      if (is_silent != right) differ(right ? "silent too late, frames" : "silent too early, frames", (double)silent, (double)ring);
      flagged += right;
      for (UInt32 channel = 0; channel < host.channels && !*difference; ++channel)
        for (UInt32 frame = 0; frame < frames; ++frame) {
          const Float32 found = room->samples[channel][frame], expected = right ? 0 : twin[channel][frame];
          if (found != expected) differ(right ? "a frame of silence" : "a frame before silence", found, expected);
          loudest = fmaxf(loudest, fabsf(twin[channel][frame]));
          if (right && fabsf(twin[channel][frame]) > 1e-3f * loudest) differ("lost sound", twin[channel][frame], 0);
        }
    }
    silent = host.says_silence ? silent + frames : 0;
    now += frames;
  }
  for (int pair = 0; pair < pairs; ++pair) need(AudioComponentInstanceDispose(host.units[pair]), "dispose");
  printf("seed %u: %s, %g Hz, %u channels, %d silent slices: %s\n", (unsigned)seed, kind, host.rate, (unsigned)host.channels, flagged, *difference ? difference : "ok");
}

void tails(void) { for_seeds(160, tail_of); }

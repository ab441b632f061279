// Drawn units that are reset, initialized again at the same or at other formats, or bypassed for a while, in the midst of sounds,
// smoothing, ramps and fades; spatial sources and others that are switched off and on. From then on each must sound as a fresh unit does that got the
// same values of all parameters and the same input.
#include "drawn.h"

enum { most_ids = 256, most_elements = 64, longest_call = 900 };
static const char *const kinds[][2] = {
    {"aufx", "lpas"}, {"aufx", "hpas"}, {"aufx", "bpas"}, {"aufx", "lshf"}, {"aufx", "hshf"}, {"aufx", "pmeq"}, {"aufx", "greq"}, {"aufx", "filt"}, {"aufx", "nbeq"},
    {"aufx", "ipeq"}, {"aufx", "sdly"}, {"aufx", "dely"}, {"aufx", "rvb2"}, {"aufx", "dist"}, {"aufx", "dcmp"}, {"aufx", "lmtr"}, {"aufc", "vari"}, {"aumx", "mcmx"},
    {"aumx", "mxmx"}, {"aumx", "3dem"}, {"aumx", "3dmx"}, {"aumx", "3dem"}, {"aumx", "3dmx"},
};
static const UInt32 scopes[] = {kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output};

static struct {
  const char *const *kind;
  AudioUnit unit, fresh;
  Float64 rate;
  UInt32 inputs, outputs, smoothing;
} host;
static char difference[200];

static int is_mixer(void) { return host.kind[0][2] == 'm'; }
static int is_spatial(void) { return is_mixer() && host.kind[1][0] == '3'; }

static void differ(const char *text, double at, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s %.0f: %.9g, expected %.9g", text, at, found, expected);
}

static OSStatus give_sound(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)user, (void)flags;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer)
    for (UInt32 frame = 0; frame < frames; ++frame)
      ((Float32 *)data->mBuffers[buffer].mData)[frame] = 0.5f * (Float32)(SInt16)noise((UInt32)((SInt64)time->mSampleTime + frame) * 5 + buffer + 1000 * bus) / 32768;
  return noErr;
}

static void set_formats(AudioUnit unit) {
  need(set_format(unit, kAudioUnitScope_Input, 0, planar(host.rate, host.inputs)), "input format");
  need(set_format(unit, kAudioUnitScope_Output, 0, planar(host.rate, host.outputs)), "output format");
}

static void draw_formats(void) {
  static const Float64 rates[] = {8000, 22050, 44100, 48000, 96000};
  host.rate = rates[draw(5)];
  host.inputs = 1 + draw(2), host.outputs = is_spatial() ? 2 : is_mixer() ? 1 + draw(3) : host.inputs;
}

static AudioUnit made(void) {
  AudioUnit unit = unit_of(host.kind[0], host.kind[1]);
  const AURenderCallbackStruct callback = {give_sound, NULL};
  if (is_mixer()) need(set_uint(unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, 1), "inputs");
  if (strcmp(host.kind[1], "mxmx") == 0) need(set_uint(unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, 1), "outputs");
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback), "callback");
  set_formats(unit);
  need(set_uint(unit, 64000, 0, 0, host.smoothing), "smoothing");
  return unit;
}

// Calls for each parameter that can be set: of the whole, the input, the output, and the channels of a matrix.
static void for_parameters(void (*call)(UInt32 id, UInt32 scope, UInt32 element, const AudioUnitParameterInfo *info)) {
  const int is_matrix = strcmp(host.kind[1], "mxmx") == 0;
  for (UInt32 at = 0; at < 3; ++at) {
    UInt32 elements[most_elements] = {0}, count = 1;
    if (is_matrix && scopes[at] != kAudioUnitScope_Global) {
      count = scopes[at] == kAudioUnitScope_Input ? host.inputs : host.outputs;
      for (UInt32 element = 0; element < count; ++element) elements[element] = element;
    } else if (is_matrix) {
      elements[0] = 0xFFFFFFFF;
      for (UInt32 from = 0; from < host.inputs; ++from)
        for (UInt32 to = 0; to < host.outputs; ++to) elements[count++] = from << 16 | to;
    }
    for (UInt32 place = 0; place < count; ++place) {
      UInt32 ids[most_ids], size = sizeof ids;
      if (AudioUnitGetProperty(host.unit, kAudioUnitProperty_ParameterList, scopes[at], elements[place], ids, &size) != noErr) continue;
      for (UInt32 number = 0; number < size / 4; ++number) {
        AudioUnitParameterInfo info = {0};
        UInt32 bytes = sizeof info;
        if (AudioUnitGetProperty(host.unit, kAudioUnitProperty_ParameterInfo, scopes[at], ids[number], &info, &bytes) != noErr) continue;
        if (info.flags & kAudioUnitParameterFlag_IsWritable) call(ids[number], scopes[at], elements[place], &info);
      }
    }
  }
}

static UInt32 share, call_frames;
static int is_open;

static void draw_value(UInt32 id, UInt32 scope, UInt32 element, const AudioUnitParameterInfo *info) {
  if (!once_in(share)) return;
  // The rate of a varispeed is also its cents. A limiter looks ahead as far as its attack was when it was initialized.
  if (strcmp(host.kind[1], "vari") == 0 && id == 1) return;
  if (strcmp(host.kind[1], "lmtr") == 0 && id == 0 && !is_open) return;
  const int is_switch = info->unit == kAudioUnitParameterUnit_Boolean, is_whole = is_switch || info->unit == kAudioUnitParameterUnit_Indexed;
  const Float64 part = draw_between(0, 1), low = info->minValue, high = info->maxValue;
  const int is_hertz = info->unit == kAudioUnitParameterUnit_Hertz && low > 0;
  const Float64 value = is_switch ? !once_in(4) : is_hertz ? low * pow(high / low, part) : low + (high - low) * part;
  const Float32 wanted = (Float32)(is_whole ? floor(value + 0.5) : value);
  if (is_whole || call_frames == 0 || !once_in(4)) {
    need(AudioUnitSetParameter(host.unit, id, scope, element, wanted, 0), "set");
    return;
  }
  AudioUnitParameterEvent event = {.scope = scope, .element = element, .parameter = id, .eventType = kParameterEvent_Ramped};
  event.eventValues.ramp.startBufferOffset = (SInt32)draw(call_frames), event.eventValues.ramp.durationInFrames = 1 + draw(2000);
  need(AudioUnitGetParameter(host.unit, id, scope, element, &event.eventValues.ramp.startValue), "get"), event.eventValues.ramp.endValue = wanted;
  need(AudioUnitScheduleParameters(host.unit, &event, 1), "schedule");
}

static void copy_value(UInt32 id, UInt32 scope, UInt32 element, const AudioUnitParameterInfo *info) {
  (void)info;
  Float32 value = 0;
  if (strcmp(host.kind[1], "vari") == 0 && id == 1) return;
  need(AudioUnitGetParameter(host.unit, id, scope, element, &value), "get");
  need(AudioUnitSetParameter(host.fresh, id, scope, element, value, 0), "copy");
}

static void draw_values(UInt32 rarity, UInt32 frames) { share = rarity, call_frames = frames, for_parameters(draw_value); }

static Planes *played(AudioUnit unit, SInt64 now, UInt32 frames, AudioUnitRenderActionFlags *flags) {
  Planes *room = planes_of(host.outputs, frames);
  const AudioTimeStamp stamp = {.mSampleTime = (Float64)now, .mFlags = kAudioTimeStampSampleTimeValid};
  *flags = 0;
  need(AudioUnitRender(unit, flags, &stamp, 0, frames, room->list), "render");
  return room;
}

// - Returns: what was done, in a word.
static const char *begin_anew(SInt64 *now) {
  AudioUnitRenderActionFlags flags;
  const UInt32 way = draw(4);
  // A varispeed goes on from the place that it has passed; what is set goes on to its value.
  if (way == 3 && strcmp(host.kind[0], "aufx") == 0) {
    need(set_uint(host.unit, kAudioUnitProperty_BypassEffect, 0, 0, 1), "bypass");
    const UInt32 frames = 1 + draw(100) + host.smoothing;
    played(host.unit, *now, frames, &flags), *now += frames;
    need(set_uint(host.unit, kAudioUnitProperty_BypassEffect, 0, 0, 0), "bypass");
    return "bypass";
  }
  if (way == 3 && is_spatial()) {
    // An input that is off forgets its past.
    const UInt32 enable = host.kind[1][2] == 'e' ? 5 : 20, frames = 1 + draw(100) + host.smoothing;
    need(AudioUnitSetParameter(host.unit, enable, kAudioUnitScope_Input, 0, 0, 0), "off");
    played(host.unit, *now, frames, &flags), *now += frames;
    need(AudioUnitSetParameter(host.unit, enable, kAudioUnitScope_Input, 0, 1, 0), "on");
    return "off";
  }
  if (way == 1 || way == 2) {
    need(AudioUnitUninitialize(host.unit), "uninitialize");
    if (way == 2) draw_formats(), set_formats(host.unit);
    need(AudioUnitInitialize(host.unit), "initialize");
    return way == 1 ? "again" : "formats";
  }
  need(AudioUnitReset(host.unit, 0, 0), "reset");
  return "reset";
}

static void fresh_of(UInt32 seed) {
  static Float32 twin[most_channels][most_frames];
  draw_from(seed + 310000);
  *difference = 0;
  host.kind = kinds[seed % (sizeof kinds / sizeof kinds[0])];
  host.smoothing = once_in(3) ? 1 + draw(600) : 0;
  draw_formats();
  host.unit = made();
  is_open = 1, draw_values(2, 0), is_open = 0;
  need(AudioUnitInitialize(host.unit), "initialize");
  SInt64 now = 4000 + draw(3) * 1000;
  AudioUnitRenderActionFlags flags;
  for (int calls = 2 + (int)draw(6); calls > 0; --calls) {
    const UInt32 frames = 1 + draw(longest_call);
    if (once_in(2)) draw_values(6, frames);
    played(host.unit, now, frames, &flags), now += frames;
  }
  // Something is on its way.
  draw_values(4, 0);
  const UInt32 late = 1 + draw(once_in(2) ? 300 : (UInt32)(host.rate / 100));
  played(host.unit, now, late, &flags), now += late;
  const char *way = begin_anew(&now);
  host.fresh = made();
  for_parameters(copy_value);
  need(AudioUnitInitialize(host.fresh), "initialize");
  const SInt64 first = now;
  for (int calls = 0; calls < 5 && !*difference; ++calls) {
    const UInt32 frames = 1 + draw(longest_call);
    Planes *room = played(host.unit, now, frames, &flags);
    for (UInt32 channel = 0; channel < host.outputs; ++channel) memcpy(twin[channel], room->samples[channel], frames * 4);
    room = played(host.fresh, now, frames, &flags);
    for (UInt32 channel = 0; channel < host.outputs; ++channel)
      for (UInt32 frame = 0; frame < frames; ++frame)
        if (!(fabsf(twin[channel][frame] - room->samples[channel][frame]) <= 1e-6f * fmaxf(1, fabsf(room->samples[channel][frame])))) differ("frame", (double)(now + frame - first), twin[channel][frame], room->samples[channel][frame]);
    now += frames;
  }
  need(AudioComponentInstanceDispose(host.unit), "dispose"), need(AudioComponentInstanceDispose(host.fresh), "dispose");
  printf("seed %u: %s, %g Hz, %s: %s\n", (unsigned)seed, host.kind[1], host.rate, way, *difference ? difference : "ok");
}

void as_fresh(void) { for_seeds(184, fresh_of); }

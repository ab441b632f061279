// Drawn mixers with meters on some buses: channels, rates, volumes that are set and that move, inputs that are off, sounds
// with samples that are no numbers, resets, and formats that are exchanged. After each call every meter must show what a
// plain meter of docs/laws/mixers.md shows that went frame by frame, of each input as it was given and of the output as it
// was heard.
#include "drawn.h"

enum { most_buses = 3, bus_channels = 4, meter_count = most_buses * bus_channels, longest_call = 1000 };
enum { in = kAudioUnitScope_Input, out = kAudioUnitScope_Output, whole = kAudioUnitScope_Global };
typedef enum Kind { multichannel, matrix, spatial, legacy } Kind;

// One course of samples: mean square, held peak and its age, the largest since it was read.
typedef struct Meter {
  double mean, held, peak;
  SInt64 age;
  int saw_infinity, saw_no_number;
} Meter;

typedef struct Bus {
  UInt32 channels;
  int is_metered, is_off;
  // The volume in front of the call and behind it; it moves there in a straight line over so many frames.
  double volume, target;
  UInt32 line_frames;
  Meter pre[bus_channels], post[bus_channels];
} Bus;

static struct {
  Kind kind;
  AudioUnit unit;
  Float64 rate;
  UInt32 count;
  Bus inputs[most_buses], output;
  // A matrix counts the channels of all buses.
  double levels[meter_count], crosspoints[meter_count][bus_channels], outputs[bus_channels], master;
  Float32 given[most_buses][bus_channels][longest_call];
  Float32 loudness;
  int strange;
} host;
static char difference[200];

static void differ(const char *text, int meter, int bus, int channel, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s %d of bus %d channel %d: %.9g, expected %.9g", text, meter, bus, channel, found, expected);
}

static void take(Meter *meter, double sample) {
  if (isnan(sample)) meter->saw_no_number = 1;
  if (isinf(sample)) meter->saw_infinity = 1;
  if (!isfinite(sample)) return;
  const double size = fabs(sample);
  meter->mean += (1 - exp(-1 / (0.3 * host.rate))) * (size * size - meter->mean);
  if (size >= meter->held) meter->held = size, meter->age = 0;
  else if (++meter->age > (SInt64)floor(host.rate + 0.5)) meter->held *= pow(10, -1 / host.rate);
  if (size > meter->peak) meter->peak = size;
}

static double average_of(const Meter *meter) { return meter->mean > 0 ? fmax(-120, 10 * log10(meter->mean)) : -120; }
static double held_of(const Meter *meter) { return meter->held > 0 ? fmax(-120, 20 * log10(meter->held)) : -120; }

static OSStatus give_bus(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)user, (void)flags, (void)time;
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel) memcpy(data->mBuffers[channel].mData, host.given[bus][channel], frames * 4);
  return noErr;
}

static void make_sound(UInt32 frames) {
  for (UInt32 bus = 0; bus < host.count; ++bus)
    for (UInt32 channel = 0; channel < host.inputs[bus].channels; ++channel) {
      for (UInt32 frame = 0; frame < frames; ++frame) host.given[bus][channel][frame] = host.loudness * (Float32)draw_between(-1, 1);
      if (host.strange && once_in(12)) host.given[bus][channel][draw(frames)] = once_in(2) ? NAN : once_in(2) ? INFINITY : -INFINITY;
    }
}

static int is_3d(void) { return host.kind == spatial || host.kind == legacy; }
static UInt32 enable_number(void) { return host.kind == spatial ? 5 : host.kind == legacy ? 20 : 1; }
static void set(UInt32 id, UInt32 scope, UInt32 element, double value) { need(AudioUnitSetParameter(host.unit, id, scope, element, (Float32)value, 0), "set"); }
static double as_float(double value) { return (Float32)value; }

// A volume for a bus: set, or for the multichannel mixer a line within the next call.
static void draw_volume(Bus *bus, UInt32 scope, UInt32 element, UInt32 frames) {
  if (host.kind == matrix) return;
  if (is_3d()) {
    const double decibels = as_float(draw_between(-30, 12));
    set(3, scope, element, decibels);
    bus->volume = bus->target = pow(10, decibels / 20);
    if (scope == out) return;
    // Its limits are factors, or decibels.
    const double low = as_float(draw_between(0, 0.3)), high = as_float(draw_between(0.5, 2));
    if (host.kind == spatial) set(6, in, element, low), set(7, in, element, high);
    else set(21, in, element, 20 * log10(fmax(low, 1e-5))), set(22, in, element, 20 * log10(high));
    bus->volume = bus->target = fmin(high, fmax(low, bus->volume));
    return;
  }
  const double wanted = as_float(once_in(4) ? 1 : draw_between(0.05, 1.5));
  if (frames < 2 || !once_in(3)) {
    set(0, scope, element, wanted), bus->volume = bus->target = wanted;
    return;
  }
  bus->target = wanted, bus->line_frames = 1 + draw(frames - 1);
  AudioUnitParameterEvent event = {.scope = scope, .element = element, .parameter = 0, .eventType = kParameterEvent_Ramped};
  event.eventValues.ramp.startBufferOffset = 0, event.eventValues.ramp.durationInFrames = bus->line_frames;
  event.eventValues.ramp.startValue = (Float32)bus->volume, event.eventValues.ramp.endValue = (Float32)wanted;
  need(AudioUnitScheduleParameters(host.unit, &event, 1), "schedule");
}

static double volume_at(const Bus *bus, UInt32 frame) { return frame >= bus->line_frames ? bus->target : bus->volume + (bus->target - bus->volume) * frame / bus->line_frames; }

static void draw_levels(void) {
  for (UInt32 bus = 0, first = 0; bus < host.count; first += host.inputs[bus++].channels)
    for (UInt32 channel = first; channel < first + host.inputs[bus].channels; ++channel) {
      if (once_in(2)) host.levels[channel] = once_in(4) ? 0 : as_float(draw_between(-1.5, 1.5)), set(0, in, channel, host.levels[channel]);
      for (UInt32 to = 0; to < host.output.channels; ++to)
        if (once_in(2)) host.crosspoints[channel][to] = once_in(4) ? 0 : as_float(draw_between(-1, 1)), set(0, whole, channel << 16 | to, host.crosspoints[channel][to]);
    }
  // None of these is 0, so that the sound heard shows the sound in front of them.
  for (UInt32 to = 0; to < host.output.channels; ++to)
    if (once_in(2)) host.outputs[to] = as_float(draw_between(0.1, 1.5)), set(0, out, to, host.outputs[to]);
  if (once_in(2)) host.master = as_float(draw_between(0.1, 1.5)), set(0, whole, 0xFFFFFFFF, host.master);
}

static void forget(void) {
  for (UInt32 bus = 0; bus <= host.count; ++bus) {
    Bus *cleared = bus < host.count ? &host.inputs[bus] : &host.output;
    memset(cleared->pre, 0, sizeof cleared->pre), memset(cleared->post, 0, sizeof cleared->post);
  }
}

static void measure(UInt32 frames, Planes *room) {
  for (UInt32 bus = 0, number = 0; bus < host.count; ++bus) {
    Bus *input = &host.inputs[bus];
    for (UInt32 channel = 0; channel < input->channels; ++channel, ++number)
      for (UInt32 frame = 0; frame < frames && input->is_metered; ++frame) {
        const double sample = input->is_off ? 0 : host.given[bus][channel][frame], volume = host.kind == matrix ? host.levels[number] : volume_at(input, frame);
        take(&input->pre[channel], sample), take(&input->post[channel], input->is_off ? 0 : sample * volume);
      }
    input->volume = input->target, input->line_frames = 0;
  }
  for (UInt32 channel = 0; channel < host.output.channels; ++channel)
    for (UInt32 frame = 0; frame < frames && host.output.is_metered; ++frame) {
      const double sample = room->samples[channel][frame], volume = host.kind == matrix ? host.outputs[channel] * host.master : volume_at(&host.output, frame);
      take(&host.output.pre[channel], sample / volume), take(&host.output.post[channel], sample);
    }
  host.output.volume = host.output.target, host.output.line_frames = 0;
}

static void compare(UInt32 id, UInt32 scope, UInt32 element, int bus, int channel, double expected, int is_linear) {
  Float32 found = NAN;
  need(AudioUnitGetParameter(host.unit, id, scope, element, &found), "meter");
  // Rounding in front of a meter: the sums of a mixer, and a line of its levels.
  const double within = is_linear ? 2e-4 * expected + 1e-6 : expected <= -119 ? 1 : 2e-3;
  if (!(fabs(found - expected) <= within)) differ("meter", (int)id, scope == out ? -1 : bus, channel, found, expected);
}

static void compare_channel(UInt32 scope, UInt32 element, int bus, int channel, const Meter *pre, const Meter *post) {
  const double shown[4] = {average_of(pre), held_of(pre), average_of(post), held_of(post)};
  for (UInt32 meter = 0; meter < 4; ++meter) {
    const UInt32 place = host.kind == matrix ? 0 : (UInt32)channel;
    compare(1000 * (meter + 1) + place, scope, element, bus, channel, shown[meter], 0);
    if (host.kind == matrix) compare(1000 * (meter + 5), scope, element, bus, channel, shown[meter] > -120 ? pow(10, shown[meter] / 20) : 0, 1);
  }
}

static void compare_crosspoint(UInt32 number, UInt32 to, int bus, int channel, const Meter *post) {
  const double gain = fabs(host.crosspoints[number][to]), step = gain > 0 ? 20 * log10(gain) : -INFINITY;
  const double shown[4] = {average_of(post), held_of(post), fmax(-120, average_of(post) + step), fmax(-120, held_of(post) + step)};
  for (UInt32 meter = 0; meter < 4; ++meter) compare(1000 * (meter + 1), whole, number << 16 | to, bus, channel, meter >= 2 && shown[meter - 2] <= -120 ? -120 : shown[meter], 0);
}

static void compare_peak(UInt32 scope, UInt32 element, Bus *bus) {
  AudioUnitMeterClipping found = {0};
  UInt32 size = sizeof found;
  need(AudioUnitGetProperty(host.unit, kAudioUnitProperty_MeterClipping, scope, element, &found, &size), "clipping");
  double peak = 0;
  int saw_infinity = 0, saw_no_number = 0;
  for (UInt32 channel = 0; channel < bus->channels; ++channel) {
    for (int place = 0; place < 2; ++place) {
      Meter *meter = place ? &bus->post[channel] : &bus->pre[channel];
      if (!place) peak = fmax(peak, meter->peak);
      saw_infinity |= meter->saw_infinity, saw_no_number |= meter->saw_no_number;
      meter->peak = 0, meter->saw_infinity = meter->saw_no_number = 0;
    }
  }
  const int at = (int)element - (scope == out ? 1 : 0);
  if (!(fabs(found.peakValueSinceLastCall - peak) <= 2e-4 * peak + 1e-9)) differ("peak", 0, at, 0, found.peakValueSinceLastCall, peak);
  if (found.sawInfinity != saw_infinity) differ("infinity", 0, at, 0, found.sawInfinity, saw_infinity);
  if (found.sawNotANumber != saw_no_number) differ("no number", 0, at, 0, found.sawNotANumber, saw_no_number);
}

static void compare_all(void) {
  for (UInt32 bus = 0, number = 0; bus < host.count; ++bus) {
    Bus *input = &host.inputs[bus];
    for (UInt32 channel = 0; channel < input->channels; ++channel, ++number) {
      compare_channel(in, host.kind == matrix ? number : bus, (int)bus, (int)channel, &input->pre[channel], &input->post[channel]);
      for (UInt32 to = 0; host.kind == matrix && to < host.output.channels; ++to) compare_crosspoint(number, to, (int)bus, (int)channel, &input->post[channel]);
    }
    if (host.kind != matrix && once_in(3)) compare_peak(in, bus, input);
  }
  for (UInt32 channel = 0; channel < host.output.channels; ++channel) compare_channel(out, host.kind == matrix ? channel : 0, 0, (int)channel, &host.output.pre[channel], &host.output.post[channel]);
  if (host.kind != matrix && once_in(3)) compare_peak(out, 0, &host.output);
}

static void initialize(void) {
  static const Float64 rates[] = {8000, 8000, 11025, 44100, 48000, 96000};
  host.rate = rates[draw(6)];
  for (UInt32 bus = 0; bus < host.count; ++bus) need(set_format(host.unit, in, bus, planar(host.rate, host.inputs[bus].channels)), "input format");
  need(set_format(host.unit, out, 0, planar(host.rate, host.output.channels)), "output format");
  need(AudioUnitInitialize(host.unit), "initialize");
  forget();
}

static void begin(void) {
  static const char *const subtypes[] = {"mcmx", "mxmx", "3dem", "3dmx"};
  memset(&host, 0, sizeof host), *difference = 0;
  host.kind = (Kind)draw(4), host.unit = unit_of("aumx", subtypes[host.kind]);
  host.count = 1 + draw(most_buses), host.loudness = 0.5f, host.strange = once_in(3);
  need(set_uint(host.unit, kAudioUnitProperty_ElementCount, in, 0, host.count), "inputs");
  if (host.kind == matrix) need(set_uint(host.unit, kAudioUnitProperty_ElementCount, out, 0, 1), "outputs");
  for (UInt32 bus = 0; bus < host.count; ++bus) {
    const AURenderCallbackStruct callback = {give_bus, NULL};
    need(AudioUnitSetProperty(host.unit, kAudioUnitProperty_SetRenderCallback, in, bus, &callback, sizeof callback), "callback");
    host.inputs[bus].channels = 1 + draw(is_3d() ? 2 : bus_channels), host.inputs[bus].volume = host.inputs[bus].target = 1;
    host.inputs[bus].is_metered = !once_in(5);
    need(set_uint(host.unit, kAudioUnitProperty_MeteringMode, in, bus, (UInt32)host.inputs[bus].is_metered), "metering");
  }
  host.output.channels = is_3d() ? 2 : 1 + draw(bus_channels), host.output.volume = host.output.target = 1, host.output.is_metered = !once_in(5);
  need(set_uint(host.unit, kAudioUnitProperty_MeteringMode, out, 0, (UInt32)host.output.is_metered), "metering");
  initialize();
  if (host.kind != matrix) return;
  // All is 0 at first.
  for (UInt32 to = 0; to < host.output.channels; ++to) host.outputs[to] = 1, set(0, out, to, 1);
  host.master = 1, set(0, whole, 0xFFFFFFFF, 1), draw_levels();
}

static void edit(UInt32 frames) {
  if (once_in(20)) need(AudioUnitReset(host.unit, whole, 0), "reset"), forget();
  if (once_in(30)) need(AudioUnitUninitialize(host.unit), "uninitialize"), initialize();
  for (UInt32 bus = 0; bus < host.count; ++bus) {
    if (once_in(4)) draw_volume(&host.inputs[bus], in, bus, frames);
    if (once_in(8)) host.inputs[bus].is_off ^= 1, set(enable_number(), in, bus, !host.inputs[bus].is_off);
  }
  if (once_in(4)) draw_volume(&host.output, out, 0, frames);
  if (host.kind == matrix && once_in(4)) draw_levels();
  if (once_in(3)) host.loudness = (Float32)(once_in(3) ? 0 : pow(10, draw_between(-6, 0.5)));
}

static void meters_of(UInt32 seed) {
  draw_from(seed + 250000);
  begin();
  Float64 now = 0, seconds = 0;
  // Peaks are held for a second.
  const double longest = once_in(2) ? 2.2 : 0.3;
  int calls = 0;
  for (; calls < 60 && seconds < longest && !*difference; ++calls) {
    const UInt32 frames = once_in(4) ? 1 + draw(40) : 1 + draw(longest_call);
    edit(frames);
    make_sound(frames);
    Planes *room = planes_of(host.output.channels, frames);
    const AudioTimeStamp stamp = {.mSampleTime = now, .mFlags = kAudioTimeStampSampleTimeValid};
    AudioUnitRenderActionFlags flags = 0;
    need(AudioUnitRender(host.unit, &flags, &stamp, 0, frames, room->list), "render");
    now += frames, seconds += frames / host.rate;
    measure(frames, room);
    compare_all();
  }
  need(AudioComponentInstanceDispose(host.unit), "dispose");
  static const char *const names[] = {"multichannel", "matrix", "spatial", "legacy"};
  printf("seed %u: %s, %u inputs, %d calls: %s\n", (unsigned)seed, names[host.kind], (unsigned)host.count, calls, *difference ? difference : "ok");
}

void drawn_meters(void) { for_seeds(120, meters_of); }

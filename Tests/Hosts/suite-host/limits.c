// Drawn sounds of widely varying spectra through a limiter of true peaks: tones next to half the rate, low tones whose peaks
// lie between samples, clicks, gates and noise. The waveform that comes out, at 16 points a frame by plain sinc weights,
// must keep the ceiling, and what is well below the ceiling must pass as it is.
#include "drawn.h"

enum { most_length = 8000, taps = 128, points = 16, most_tones = 6 };

static struct {
  int frames, tone_count, click_distance, gate, is_noise;
  Float64 hertz[most_tones], level[most_tones], phase[most_tones], click, noise_level;
} sound;
static UInt32 sound_seed;

static Float64 sound_at(SInt64 frame, Float64 rate, UInt32 channel) {
  Float64 sum = 0;
  if (frame >= sound.frames) return 0;
  for (int tone = 0; tone < sound.tone_count; ++tone) sum += sound.level[tone] * sin(2 * M_PI * sound.hertz[tone] * (Float64)frame / rate + sound.phase[tone] + channel);
  if (sound.click_distance && frame % sound.click_distance == 0) sum += frame / sound.click_distance % 2 ? sound.click : -sound.click;
  if (sound.is_noise) sum += sound.noise_level * ((Float64)noise((UInt32)frame * 5 + channel + sound_seed * 65537) / 2147483648.0 - 1);
  return sound.gate && frame / sound.gate % 2 ? 0 : sum;
}

static OSStatus give(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)flags, (void)bus;
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel)
    for (UInt32 frame = 0; frame < frames; ++frame) ((Float32 *)data->mBuffers[channel].mData)[frame] = (Float32)sound_at((SInt64)time->mSampleTime + frame, *(Float64 *)user, channel);
  return noErr;
}

static Float64 bessel(Float64 x) {
  Float64 sum = 1, term = 1;
  for (int k = 1; k < 60; ++k) term *= x / (2 * k) * (x / (2 * k)), sum += term;
  return sum;
}

// Weights of the samples n − 63 to n + 64 at n + p/16: sinc under Kaiser's window.
static Float64 weights[points][taps];
static void make_weights(void) {
  for (int p = 0; p < points; ++p)
    for (int t = 0; t < taps; ++t) {
      const Float64 u = t - (taps / 2 - 1) - (Float64)p / points, part = u / (taps / 2);
      weights[p][t] = fabs(part) >= 1 ? 0 : (u == 0 ? 1 : sin(M_PI * u) / (M_PI * u)) * bessel(6 * sqrt(1 - part * part)) / bessel(6);
    }
}

// The largest magnitude of the waveform of samples with zeros around them.
static Float64 true_peak(const Float32 *samples, int count) {
  static Float64 padded[most_length + 2 * taps];
  Float64 largest = 0, sample_peak = 0;
  memset(padded, 0, sizeof padded);
  for (int frame = 0; frame < count; ++frame) padded[frame + taps] = samples[frame], sample_peak = fmax(sample_peak, fabs(samples[frame]));
  for (int frame = -8; frame < count + 8; ++frame) {
    const Float64 *first = padded + taps + frame - (taps / 2 - 1);
    Float64 near = 0;
    for (int t = taps / 2 - 12; t < taps / 2 + 12; ++t) near = fmax(near, fabs(first[t]));
    if (near < 0.4 * sample_peak) continue;
    for (int p = 0; p < points; ++p) {
      Float64 sum = 0;
      for (int t = 0; t < taps; ++t) sum += weights[p][t] * first[t];
      largest = fmax(largest, fabs(sum));
    }
  }
  return largest;
}

static void draw_sound(Float64 rate, Float64 scale) {
  memset(&sound, 0, sizeof sound);
  sound.frames = 1000 + (int)draw(2500);
  sound.tone_count = 1 + (int)draw(4);
  for (int tone = 0; tone < sound.tone_count; ++tone) {
    // Next to half the rate, a whole part of the rate, or anywhere.
    const UInt32 kind = draw(3);
    sound.hertz[tone] = kind == 0 ? rate * (0.5 - 0.04 * pow(draw_between(0.05, 1), 2)) : kind == 1 ? rate / (3 + draw(6)) * (once_in(2) ? 1 : 1.0005) : rate * draw_between(0.002, 0.49);
    sound.level[tone] = scale * draw_between(0.1, 1), sound.phase[tone] = draw_between(0, 2 * M_PI);
  }
  if (once_in(4)) sound.click_distance = 40 + (int)draw(900), sound.click = scale * draw_between(0.2, 2);
  if (once_in(4)) sound.gate = 100 + (int)draw(900);
  if (once_in(5)) sound.is_noise = 1, sound.noise_level = scale * draw_between(0.05, 1);
}

static void limit(UInt32 seed) {
  static const Float64 rates[] = {16000, 44100, 48000, 96000};
  static Float32 played[2][most_length], given[2][most_length];
  draw_from(seed + 180000), sound_seed = seed;
  Float64 rate = rates[draw(4)];
  const UInt32 channels = 1 + draw(2), is_true = 1;
  const Float64 ceiling = once_in(2) ? 0 : -(Float64)draw(300) / 10, limit = pow(10, ceiling / 20);
  const int is_quiet = once_in(5);
  const Float32 attack = once_in(3) ? 0.001f : (Float32)draw_between(0.001, 0.03), decay = once_in(3) ? 0.001f : (Float32)draw_between(0.001, 0.06);
  draw_sound(rate, limit * (is_quiet ? 0.1 : draw_between(0.3, 3)));
  AudioUnit unit = unit_of("aufx", "lmtr");
  AURenderCallbackStruct callback = {give, &rate};
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback), "callback");
  need(set_format(unit, 1, 0, planar(rate, channels)), "format"), need(set_format(unit, 2, 0, planar(rate, channels)), "format");
  need(AudioUnitSetProperty(unit, 64011, 0, 0, &ceiling, sizeof ceiling), "ceiling"), need(set_uint(unit, 64012, 0, 0, is_true), "true peaks");
  need(AudioUnitSetParameter(unit, 0, 0, 0, attack, 0), "attack"), need(AudioUnitSetParameter(unit, 1, 0, 0, decay, 0), "decay");
  need(AudioUnitInitialize(unit), "initialize");
  Float64 latency = 0, peak = 0, input_peak = 0;
  UInt32 size = sizeof latency;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_Latency, 0, 0, &latency, &size), "latency");
  // All comes out, and silence behind it.
  const int late = (int)floor(latency * rate + 0.5), length = sound.frames + late + 200;
  for (int done = 0; done < length;) {
    const UInt32 frames = (UInt32)fmin(length - done, 1 + draw(700));
    Planes *room = planes_of(channels, frames);
    AudioUnitRenderActionFlags flags = 0;
    const AudioTimeStamp stamp = {.mSampleTime = done, .mFlags = kAudioTimeStampSampleTimeValid};
    need(AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list), "render");
    for (UInt32 channel = 0; channel < channels; ++channel) memcpy(played[channel] + done, room->samples[channel], frames * 4);
    done += (int)frames;
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
  int differences = 0;
  for (UInt32 channel = 0; channel < channels; ++channel) {
    for (int frame = 0; frame < length; ++frame) given[channel][frame] = (Float32)sound_at(frame, rate, channel);
    peak = fmax(peak, true_peak(played[channel], length)), input_peak = fmax(input_peak, true_peak(given[channel], length));
    for (int frame = 0; frame < length; ++frame) differences += played[channel][frame] != (frame < late ? 0 : given[channel][frame - late]);
  }
  // The law says 0.07 dB, and 0.4 dB at the shortest times.
  const Float64 over = 20 * log10(peak / limit), most = attack + decay < 0.0025f ? 0.42 : 0.1;
  char text[100] = "ok";
  if (over > most) snprintf(text, sizeof text, "%.3f dB over the ceiling", over);
  else if (is_quiet && input_peak < 0.3 * limit && differences) snprintf(text, sizeof text, "%d frames below the ceiling are changed", differences);
  else if (input_peak > 1.2 * limit && peak < 0.5 * limit) snprintf(text, sizeof text, "limited by %.1f dB too much", -over);
  printf("seed %u: %g Hz, %u channels, ceiling %g dB: %s\n", (unsigned)seed, rate, (unsigned)channels, ceiling, text);
}

void limits(void) {
  make_weights();
  for_seeds(80, limit);
}

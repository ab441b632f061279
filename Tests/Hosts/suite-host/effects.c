// Every effect with every parameter at several values, at several rates, and every preset: the sound of each.
#include "host.h"

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)bus, (void)frames;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    Float32 *samples = data->mBuffers[buffer].mData;
    for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize / 4; ++at) {
      samples[at] = (Float32)(SInt16)noise((UInt32)time->mSampleTime + at + buffer * 1000003) / 32768;
    }
  }
  return noErr;
}

static void sound(AudioUnit unit, UInt32 channels) {
  Digest all = 0;
  for (int slice = 0; slice < 3; ++slice) {
    Planes *room = planes_of(channels, 300);
    AudioTimeStamp stamp = {0};
    stamp.mSampleTime = slice * 300;
    stamp.mFlags = kAudioTimeStampSampleTimeValid;
    AudioUnitRenderActionFlags flags = 0;
    need(AudioUnitRender(unit, &flags, &stamp, 0, 300, room->list), "render");
    for (UInt32 channel = 0; channel < channels; ++channel) all = digest(all, room->samples[channel], 1200);
  }
  Float64 tail = -1, latency = -1;
  UInt32 size = sizeof tail;
  AudioUnitGetProperty(unit, kAudioUnitProperty_TailTime, 0, 0, &tail, &size);
  AudioUnitGetProperty(unit, kAudioUnitProperty_Latency, 0, 0, &latency, &size);
  printf(" %016llx %.9g %g\n", all, tail, latency);
  AudioUnitReset(unit, 0, 0);
}

static AudioUnit made(const char *kind, Float64 rate, UInt32 channels) {
  AudioUnit unit = unit_of("aufx", kind);
  AURenderCallbackStruct callback = {give, NULL};
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback), "callback");
  need(set_format(unit, 1, 0, planar(rate, channels)), "format");
  need(set_format(unit, 2, 0, planar(rate, channels)), "format");
  need(AudioUnitInitialize(unit), "initialize");
  return unit;
}

static void vary(const char *kind, Float64 rate, UInt32 channels) {
  AudioUnit unit = made(kind, rate, channels);
  UInt32 ids[512], size = sizeof ids;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, 0, 0, ids, &size), "parameters");
  // The first of an equalizer's bands; they are all alike.
  for (UInt32 index = 0; index < size / 4 && index < 6; ++index) {
    AudioUnitParameterInfo info;
    UInt32 bytes = sizeof info;
    need(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, 0, ids[index], &info, &bytes), "parameter");
    for (int step = 0; step <= 10; ++step) {
      const Float32 value = info.unit == kAudioUnitParameterUnit_Hertz ? info.minValue * powf(info.maxValue / info.minValue, (Float32)step / 10)
                                                                       : info.minValue + (info.maxValue - info.minValue) * (Float32)step / 10;
      const OSStatus status = AudioUnitSetParameter(unit, ids[index], 0, 0, value, 0);
      printf("%s %g %u: %u is %.7g %s", kind, rate, (unsigned)channels, (unsigned)ids[index], value, status_text(status));
      sound(unit, channels);
    }
    AudioUnitSetParameter(unit, ids[index], 0, 0, info.defaultValue, 0);
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// Bands in series, as many as the kernels take at a time and more, over one to seven channels, in slices of every
// length.
static void cascades(void) {
  static const UInt32 lengths[] = {1, 2, 3, 5, 8, 13, 31, 32, 33, 64, 100, 300};
  for (UInt32 channels = 1; channels < 8; ++channels) {
    for (UInt32 bands = 1; bands <= 16; bands += channels % 2 ? 1 : 5) {
      AudioUnit unit = made("nbeq", 48000, channels);
      for (UInt32 band = 0; band < bands; ++band) {
        AudioUnitSetParameter(unit, 1000 + band, 0, 0, 0, 0);
        AudioUnitSetParameter(unit, 3000 + band, 0, 0, 100 * (Float32)(band + 1), 0);
        AudioUnitSetParameter(unit, 4000 + band, 0, 0, band % 2 ? 6 : -6, 0);
      }
      Digest all = 0;
      Float64 time = 0;
      for (size_t index = 0; index < sizeof lengths / 4; ++index) {
        Planes *room = planes_of(channels, lengths[index]);
        AudioTimeStamp stamp = {0};
        stamp.mSampleTime = time;
        stamp.mFlags = kAudioTimeStampSampleTimeValid;
        AudioUnitRenderActionFlags flags = 0;
        need(AudioUnitRender(unit, &flags, &stamp, 0, lengths[index], room->list), "render");
        time += lengths[index];
        for (UInt32 channel = 0; channel < channels; ++channel) all = digest(all, room->samples[channel], lengths[index] * 4);
      }
      printf("%u bands over %u: %016llx\n", (unsigned)bands, (unsigned)channels, all);
      need(AudioComponentInstanceDispose(unit), "dispose");
    }
  }
}

void effects(void) {
  cascades();
  static const char *const kinds[] = {"lpas", "hpas", "bpas", "lshf", "hshf", "pmeq"};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind) {
    vary(kinds[kind], 44100, 2);
    vary(kinds[kind], 8000, 3);
  }
  for (UInt32 type = 0; type < 11; ++type) {
    AudioUnit unit = made("nbeq", 48000, 2);
    AudioUnitSetParameter(unit, 1000, 0, 0, 0, 0);
    AudioUnitSetParameter(unit, 2000, 0, 0, (Float32)type, 0);
    AudioUnitSetParameter(unit, 4000, 0, 0, 7.5f, 0);
    static const Float32 hertz[] = {20, 500, 3000, 15000, 23900};
    for (int index = 0; index < 5; ++index) {
      for (int width = 0; width < 3; ++width) {
        AudioUnitSetParameter(unit, 3000, 0, 0, hertz[index], 0);
        AudioUnitSetParameter(unit, 5000, 0, 0, 0.05f + (Float32)width * 2, 0);
        printf("type %u at %g, width %d", (unsigned)type, hertz[index], width);
        sound(unit, 2);
      }
    }
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
  for (SInt32 number = 0; number < 24; ++number) {
    AudioUnit unit = made("ipeq", 44100, 2);
    const AUPreset preset = {number, NULL};
    printf("preset %d %s", (int)number, status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, 0, 0, &preset, sizeof preset)));
    AudioUnitReset(unit, 0, 0);
    sound(unit, 2);
    sound(unit, 2);
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
}

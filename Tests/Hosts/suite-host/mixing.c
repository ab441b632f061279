// The mixer as hosts use it: buses, formats of each, levels, meters and what they show, while it renders too.
#include "host.h"

static Float32 level = 1;
static AudioUnit edited;
// Every sample the same, or every second one.
static int is_constant;
static UInt32 formats_of[8];

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 count, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)count;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    const UInt32 bytes = data->mBuffers[buffer].mDataByteSize;
    for (UInt32 at = 0; at < bytes / 4 && formats_of[bus] == 0; ++at) {
      ((Float32 *)data->mBuffers[buffer].mData)[at] = level * (Float32)(SInt16)noise((UInt32)time->mSampleTime + at + buffer * 1000003 + bus * 7) / 40000;
      if (is_constant) ((Float32 *)data->mBuffers[buffer].mData)[at] = is_constant > 1 && at % 2 ? 0 : level;
    }
    for (UInt32 at = 0; at < bytes / 2 && formats_of[bus] == 1; ++at) {
      ((SInt16 *)data->mBuffers[buffer].mData)[at] = (SInt16)((Float32)(SInt16)noise((UInt32)time->mSampleTime + at + bus * 7) * level);
    }
  }
  if (edited) {
    // A host that edits from inside of the pull.
    const OSStatus set = AudioUnitSetParameter(edited, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus, (Float32)(bus + 1) / 8, 0);
    printf(" inside %s %s %s %s", status_text(set), status_text(set_uint(edited, kAudioUnitProperty_MeteringMode, 1, bus, 1)),
           status_text(set_uint(edited, kAudioUnitProperty_ElementCount, 1, 0, 2)), status_text(AudioUnitReset(edited, 0, 0)));
  }
  return noErr;
}

static Float64 now;

static void play(AudioUnit unit, UInt32 channels, UInt32 frames, UInt32 bytes) {
  Planes *room = planes_of(channels, frames);
  for (UInt32 channel = 0; channel < channels; ++channel) room->list->mBuffers[channel].mDataByteSize = frames * bytes;
  AudioTimeStamp stamp = {0};
  stamp.mSampleTime = now;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  AudioUnitRenderActionFlags flags = 0;
  printf("  ");
  OSStatus status = AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list);
  now += frames;
  Digest sound = 0;
  for (UInt32 channel = 0; channel < channels; ++channel) sound = digest(sound, room->samples[channel], frames * bytes);
  printf("%u frames %s %016llx\n", (unsigned)frames, status_text(status), sound);
}

static void say_meters(AudioUnit unit) {
  for (UInt32 scope = 1; scope < 3; ++scope) {
    for (UInt32 element = 0; element < 3; ++element) {
      UInt32 on = 9, size = sizeof on;
      OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_MeteringMode, scope, element, &on, &size);
      printf("  %u:%u on %s %u", (unsigned)scope, (unsigned)element, status_text(status), (unsigned)on);
      static const UInt32 meters[] = {1000, 1001, 2000, 2001, 3000, 3001, 4000, 4001, 1003, 999};
      for (size_t index = 0; index < sizeof meters / 4; ++index) {
        Float32 value = NAN;
        status = AudioUnitGetParameter(unit, meters[index], scope, element, &value);
        if (status == noErr) printf(" %.9g", value);
        else printf(" %s", status_text(status));
      }
      AudioUnitMeterClipping clipping = {0};
      size = sizeof clipping;
      status = AudioUnitGetProperty(unit, kAudioUnitProperty_MeterClipping, scope, element, &clipping, &size);
      printf(" clipping %s %.9g %u %u\n", status_text(status), clipping.peakValueSinceLastCall, clipping.sawInfinity, clipping.sawNotANumber);
    }
  }
}

static AudioUnit made(UInt32 inputs) {
  AudioUnit unit = unit_of("aumx", "mcmx");
  now = 0;
  level = 1;
  memset(formats_of, 0, sizeof formats_of);
  printf("  inputs %s\n", status_text(set_uint(unit, kAudioUnitProperty_ElementCount, 1, 0, inputs)));
  for (UInt32 bus = 0; bus < inputs; ++bus) {
    AURenderCallbackStruct callback = {give, NULL};
    AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &callback, sizeof callback);
  }
  return unit;
}

static void laws(AudioUnit unit) {
  for (UInt32 law = 0; law < 4; ++law) printf("  mono law %s stereo law %s\n", status_text(set_uint(unit, 64001, 0, 0, law)), status_text(set_uint(unit, 64002, 0, 0, law)));
}

static void edit_in_pull(AudioUnit unit) {
  printf("edits inside of the pull\n");
  edited = unit;
  play(unit, 2, 100, 4);
  edited = NULL;
  play(unit, 2, 100, 4);
  say_meters(unit);
  printf("  buses while initialized %s %s\n", status_text(set_uint(unit, kAudioUnitProperty_ElementCount, 1, 0, 5)), status_text(set_uint(unit, kAudioUnitProperty_ElementCount, 1, 0, 0)));
  play(unit, 2, 100, 4);
}

static void meters(void) {
  printf("meters\n");
  AudioUnit unit = made(3);
  for (UInt32 bus = 0; bus < 4; ++bus) printf("  meter %u %s\n", (unsigned)bus, status_text(set_uint(unit, kAudioUnitProperty_MeteringMode, 1, bus, bus != 1)));
  printf("  output %s\n", status_text(set_uint(unit, kAudioUnitProperty_MeteringMode, 2, 0, 1)));
  need(AudioUnitInitialize(unit), "initialize");
  say_meters(unit);
  const Float32 levels[] = {1, 0.1f, 0, 3, NAN, INFINITY, 0, 0.5f};
  for (size_t index = 0; index < sizeof levels / 4; ++index) {
    level = levels[index];
    play(unit, 2, 1000, 4);
    say_meters(unit);
  }
  level = 0;
  for (int slice = 0; slice < 60; ++slice) play(unit, 2, 1000, 4);
  say_meters(unit);
  printf("  off %s\n", status_text(set_uint(unit, kAudioUnitProperty_MeteringMode, 1, 0, 0)));
  say_meters(unit);
  level = 1;
  play(unit, 2, 1000, 4);
  say_meters(unit);
  AudioUnitReset(unit, 0, 0);
  say_meters(unit);
  laws(unit);
  edit_in_pull(unit);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// A meter that holds its peak does so from the last time that it came up to it.
static void held_peaks(void) {
  for (is_constant = 1; is_constant < 3; ++is_constant) {
    AudioUnit unit = made(1);
    need(set_uint(unit, kAudioUnitProperty_MeteringMode, 1, 0, 1), "meter");
    need(AudioUnitInitialize(unit), "initialize");
    printf("constant %d:", is_constant);
    for (int slice = 0; slice < 150; ++slice) {
      level = slice < 25 ? 0.5f : slice < 40 ? 0.5f - (Float32)(slice % 2) / 8 : slice < 100 ? 0 : 0.25f;
      Planes *room = planes_of(2, 700);
      AudioTimeStamp stamp = {0};
      stamp.mSampleTime = slice * 700;
      stamp.mFlags = kAudioTimeStampSampleTimeValid;
      AudioUnitRenderActionFlags flags = 0;
      need(AudioUnitRender(unit, &flags, &stamp, 0, 700, room->list), "render");
      for (UInt32 meter = 1000; meter < 5000; meter += 1000) {
        Float32 value = NAN;
        AudioUnitGetParameter(unit, meter, 1, 0, &value);
        printf(" %.6g", value);
      }
    }
    printf("\n");
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
  is_constant = 0;
}

static void pan_laws(void) {
  for (UInt32 law = 0; law < 3; ++law) {
    printf("law %u\n", (unsigned)law);
    AudioUnit unit = made(2);
    printf("  mono law %s stereo law %s\n", status_text(set_uint(unit, 64001, 0, 0, law)), status_text(set_uint(unit, 64002, 0, 0, law)));
    need(set_format(unit, 1, 0, planar(44100, 1)), "format");
    need(AudioUnitInitialize(unit), "initialize");
    static const Float32 pans[] = {0, -1, -0.5f, 0.25f, 1};
    for (size_t index = 0; index < sizeof pans / 4; ++index) {
      for (UInt32 bus = 0; bus < 2; ++bus) AudioUnitSetParameter(unit, kMultiChannelMixerParam_Pan, 1, bus, pans[index], 0);
      play(unit, 2, 100, 4);
    }
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
}

static void bus_formats(void) {
  const UInt32 integers = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  printf("formats\n");
  for (int kind = 0; kind < 6; ++kind) {
    AudioUnit unit = made(4);
    formats_of[0] = formats_of[2] = 1;
    printf("  %s", status_text(set_format(unit, 1, 0, pcm(44100, 2, 16, 2, integers))));
    printf(" %s", status_text(set_format(unit, 1, 1, planar(kind == 1 ? 22050 : 44100, 1))));
    printf(" %s", status_text(set_format(unit, 1, 2, pcm(kind == 2 ? 48000 : 44100, 1, 16, 2, integers))));
    printf(" %s", status_text(set_format(unit, 1, 3, pcm(44100, 3, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked))));
    printf(" %s", status_text(set_format(unit, 2, 0, kind == 3 ? pcm(44100, 2, 16, 2, integers | kAudioFormatFlagIsNonInterleaved) : kind == 4 ? pcm(44100, 1, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked) : kind == 5 ? planar(48000, 4) : planar(44100, 2))));
    OSStatus status = AudioUnitInitialize(unit);
    printf(" initialize %s\n", status_text(status));
    const UInt32 channels = kind == 4 ? 1 : kind == 5 ? 4 : 2;
    for (int slice = 0; slice < 4 && status == noErr; ++slice) play(unit, channels, 300, kind == 3 ? 2 : 4);
    AudioUnitSetParameter(unit, kMultiChannelMixerParam_Volume, 2, 0, 0.125f, 0);
    AudioUnitSetParameter(unit, kMultiChannelMixerParam_Enable, 1, 3, 0, 0);
    for (int slice = 0; slice < 2 && status == noErr; ++slice) play(unit, channels, 300, kind == 3 ? 2 : 4);
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
}

static void matrix(void) {
  printf("matrix\n");
  AudioUnit unit = made(2);
  Float32 gains[64] = {0};
  UInt32 size = sizeof gains;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_MatrixLevels, 0, 0, gains, &size);
  printf("  global %s %u\n", status_text(status), (unsigned)size);
  for (UInt32 bus = 0; bus < 3; ++bus) {
    const Float32 wanted[] = {0.5f, 0.25f, -1, (Float32)bus};
    printf("  set %s", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_MatrixLevels, 1, bus, wanted, sizeof wanted)));
    printf(" wrong %s", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_MatrixLevels, 1, bus, wanted, 12)));
    size = sizeof gains;
    status = AudioUnitGetProperty(unit, kAudioUnitProperty_MatrixLevels, 1, bus, gains, &size);
    printf(" get %s %u", status_text(status), (unsigned)size);
    for (UInt32 index = 0; status == noErr && index < size / 4; ++index) printf(" %g", gains[index]);
    printf("\n");
  }
  status = AudioUnitInitialize(unit);
  printf("  initialize %s\n", status_text(status));
  play(unit, 2, 200, 4);
  const Float32 none[] = {0, 1, 1, 0};
  printf("  while initialized %s\n", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_MatrixLevels, 1, 0, none, sizeof none)));
  play(unit, 2, 200, 4);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

void mixing(void) {
  meters();
  held_peaks();
  pan_laws();
  bus_formats();
  matrix();
}

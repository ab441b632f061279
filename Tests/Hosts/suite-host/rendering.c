// Rendering by hand: times that repeat, jump and are missing, slices of every length, calls of callbacks, errors.
#include "host.h"

static int asked;
static OSStatus answer;
static Digest questions;
// The way in which a callback does less, or other, than requested.
static int way;
static Float32 own[2][most_frames];

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  ++asked;
  const Float64 question[] = {time->mSampleTime, bus, frames, data->mNumberBuffers, data->mBuffers[0].mDataByteSize, (Float64)(intptr_t)refcon};
  questions = digest(questions, question, sizeof question);
  if (way == 1) return answer;
  if (way == 2) *flags |= kAudioUnitRenderAction_OutputIsSilence;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    if (way == 3) data->mBuffers[buffer].mData = own[buffer % 2];
    if (way == 4) data->mBuffers[buffer].mDataByteSize /= 2;
    if (way == 5 && buffer == 1) continue;
    Float32 *samples = data->mBuffers[buffer].mData;
    for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize / 4; ++at) {
      samples[at] = (Float32)(SInt16)noise((UInt32)time->mSampleTime + at + buffer * 1000003 + bus * 7) / 32768;
    }
  }
  return answer;
}

static OSStatus noticed(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)data;
  printf(" [%x %g %u %u]", (unsigned)*flags, time->mSampleTime, (unsigned)bus, (unsigned)frames);
  return noErr;
}

static void slice(AudioUnit unit, UInt32 bus, Float64 time, UInt32 stamp_flags, UInt32 frames) {
  Planes *room = planes_of(2, frames);
  AudioTimeStamp stamp = {0};
  stamp.mSampleTime = time;
  stamp.mHostTime = (UInt64)(time * 3 + 1e6);
  stamp.mFlags = stamp_flags;
  AudioUnitRenderActionFlags flags = 0;
  const int before = asked;
  OSStatus status = AudioUnitRender(unit, &flags, &stamp, bus, frames, room->list);
  Digest sound = 0;
  if (status == noErr && frames <= most_frames) {
    for (UInt32 channel = 0; channel < 2; ++channel) sound = digest(sound, room->samples[channel], frames * 4);
  }
  printf("  %g/%x bus %u %u frames: %s flags %x asked %d %016llx", time, (unsigned)stamp_flags, (unsigned)bus, (unsigned)frames,
         status_text(status), (unsigned)flags, asked - before, sound);
  SInt32 error = 0;
  UInt32 size = sizeof error;
  OSStatus got = AudioUnitGetProperty(unit, kAudioUnitProperty_LastRenderError, 0, 0, &error, &size);
  printf(" last %s/%s\n", status_text(got), status_text(error));
}

static void callback(AudioUnit unit, UInt32 bus) {
  AURenderCallbackStruct callback = {give, (void *)(intptr_t)bus};
  printf("  callback %u %s\n", (unsigned)bus,
         status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &callback, sizeof callback)));
}

static void course(AudioUnit unit) {
  const UInt32 sample = kAudioTimeStampSampleTimeValid, host = kAudioTimeStampHostTimeValid;
  slice(unit, 0, 0, sample, 512);
  slice(unit, 0, 0, sample, 512);
  slice(unit, 0, 0, sample, 600);
  slice(unit, 0, 512, sample, 1);
  slice(unit, 0, 513, sample, 31);
  slice(unit, 0, 544, sample, 1156);
  slice(unit, 0, 1700, sample, 1157);
  slice(unit, 0, 1700, sample, 0);
  slice(unit, 0, 100000, sample, 64);
  slice(unit, 0, 64, sample, 64);
  slice(unit, 0, -1e9, sample, 64);
  slice(unit, 0, 1e17, sample, 64);
  slice(unit, 0, NAN, sample, 64);
  slice(unit, 0, 10.5, sample, 64);
  slice(unit, 0, 128, host, 64);
  slice(unit, 0, 128, host, 64);
  slice(unit, 0, 256, host, 64);
  slice(unit, 0, 0, 0, 64);
  slice(unit, 0, 0, 0, 64);
  slice(unit, 0, 777, 0, 64);
  slice(unit, 1, 888, sample, 64);
  slice(unit, 9, 888, sample, 64);
  answer = -77;
  slice(unit, 0, 1000, sample, 64);
  answer = noErr;
  slice(unit, 0, 1064, sample, 64);
  printf("  reset %s %s\n", status_text(AudioUnitReset(unit, 0, 0)), status_text(AudioUnitReset(unit, 3, 0)));
  slice(unit, 0, 1064, sample, 64);
  printf("  questions %016llx\n", questions);
}

static void ways(AudioUnit unit) {
  for (way = 1; way <= 7; ++way) {
    printf("  way %d", way);
    answer = way == 6 ? -5 : noErr;
    slice(unit, 0, 3000 + way * 256, kAudioTimeStampSampleTimeValid, 256);
    if (way == 7) break;
  }
  way = 0;
  answer = noErr;
}

static void bypass(AudioUnit unit) {
  for (UInt32 on = 0; on < 3; ++on) {
    printf("  bypass %u %s\n", (unsigned)(on & 1), status_text(set_uint(unit, kAudioUnitProperty_BypassEffect, 0, 0, on & 1)));
    slice(unit, 0, 2000 + on * 64, kAudioTimeStampSampleTimeValid, 64);
  }
}

static void chain(void) {
  printf("a chain\n");
  AudioUnit mixer = unit_of("aumx", "mcmx"), filter = unit_of("aufx", "hpas"), converter = unit_of("aufc", "conv");
  need(set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 3), "inputs");
  callback(filter, 0);
  callback(mixer, 1);
  callback(converter, 0);
  need(set_format(converter, 1, 0, planar(22050, 2)), "format");
  const AudioUnitConnection links[] = {{filter, 0, 0}, {converter, 0, 2}};
  for (int link = 0; link < 2; ++link) {
    printf("  connect %s\n", status_text(AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, 1, links[link].destInputNumber, &links[link], sizeof links[0])));
  }
  AudioUnitConnection wrong = {filter, 3, 0};
  printf("  wrong connection %s\n", status_text(AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, 1, 0, &wrong, sizeof wrong)));
  AudioUnitConnection ring = {mixer, 0, 0};
  printf("  itself %s\n", status_text(AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, 1, 0, &ring, sizeof ring)));
  need(AudioUnitInitialize(filter), "filter");
  need(AudioUnitInitialize(converter), "converter");
  printf("  not initialized: ");
  slice(mixer, 0, -512, kAudioTimeStampSampleTimeValid, 64);
  need(AudioUnitInitialize(mixer), "mixer");
  need(AudioUnitAddRenderNotify(mixer, noticed, NULL), "notify");
  course(mixer);
  need(AudioUnitRemoveRenderNotify(mixer, noticed, NULL), "notify");
  AudioUnitConnection none = {NULL, 0, 0};
  printf("  disconnect %s\n", status_text(AudioUnitSetProperty(mixer, kAudioUnitProperty_MakeConnection, 1, 0, &none, sizeof none)));
  slice(mixer, 0, 5000, kAudioTimeStampSampleTimeValid, 64);
  callback(mixer, 0);
  slice(mixer, 0, 5064, kAudioTimeStampSampleTimeValid, 64);
  need(AudioComponentInstanceDispose(filter), "dispose");
  slice(mixer, 0, 5128, kAudioTimeStampSampleTimeValid, 64);
  need(AudioComponentInstanceDispose(mixer), "dispose");
  need(AudioComponentInstanceDispose(converter), "dispose");
}

// A connection stays if another connection, or a callback, is refused.
static void refused(void) {
  printf("refused connections\n");
  AudioUnit filter = unit_of("aufx", "hpas"), other = unit_of("augn", "afpl"), wide = unit_of("aumx", "mcmx"), converter = unit_of("aufc", "conv");
  callback(filter, 0);
  callback(wide, 0);
  need(set_format(wide, 2, 0, planar(44100, 5)), "format");
  need(set_format(other, 2, 0, planar(96000, 2)), "format");
  need(AudioUnitInitialize(filter), "filter");
  need(AudioUnitInitialize(wide), "mixer");
  AudioUnit low = unit_of("aufx", "lpas");
  const AudioUnitConnection links[] = {{filter, 0, 0}, {wide, 0, 0}, {other, 0, 0}, {converter, 0, 1}, {filter, 0, 0}};
  for (int round = 0; round < 2; ++round) {
    if (round) need(AudioUnitInitialize(low), "low-pass");
    for (size_t link = 0; link < sizeof links / sizeof links[0]; ++link) {
      printf("  connect %s\n", status_text(AudioUnitSetProperty(low, kAudioUnitProperty_MakeConnection, 1, links[link].destInputNumber, &links[link], sizeof links[0])));
      if (!round) continue;
      slice(low, 0, (Float64)link * 128, kAudioTimeStampSampleTimeValid, 64);
      need(AudioUnitUninitialize(low), "uninitialize");
      printf("  initialized again %s\n", status_text(AudioUnitInitialize(low)));
      slice(low, 0, (Float64)link * 128 + 64, kAudioTimeStampSampleTimeValid, 64);
    }
  }
  callback(low, 0);
  slice(low, 0, 999, kAudioTimeStampSampleTimeValid, 64);
  need(AudioComponentInstanceDispose(low), "dispose");
  need(AudioComponentInstanceDispose(filter), "dispose");
  need(AudioComponentInstanceDispose(wide), "dispose");
  need(AudioComponentInstanceDispose(other), "dispose");
  need(AudioComponentInstanceDispose(converter), "dispose");
}

void rendering(void) {
  refused();
  static const char *const kinds[][2] = {{"aufx", "lpas"}, {"aufx", "ipeq"}, {"aufx", "nbeq"}, {"aumx", "mcmx"}, {"aufc", "conv"}, {"auou", "genr"}, {"auou", "rioc"}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind) {
    for (int rate = 0; rate < 2; ++rate) {
      if (rate && strcmp(kinds[kind][0], "aufx") == 0) continue;
      printf("%s %s%s\n", kinds[kind][0], kinds[kind][1], rate ? " from another rate" : "");
      AudioUnit unit = unit_of(kinds[kind][0], kinds[kind][1]);
      questions = 0;
      slice(unit, 0, -512, kAudioTimeStampSampleTimeValid, 64);
      if (rate) printf("  format %s\n", status_text(set_format(unit, 1, 0, planar(48000, 2))));
      need(AudioUnitInitialize(unit), "initialize");
      printf("  without a source: ");
      slice(unit, 0, -512, kAudioTimeStampSampleTimeValid, 64);
      callback(unit, 0);
      callback(unit, 99);
      course(unit);
      bypass(unit);
      ways(unit);
      need(AudioComponentInstanceDispose(unit), "dispose");
    }
  }
  chain();
}

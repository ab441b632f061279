// The output units: what they play arrives, mapped and converted; what they record is silence; times go on.
#include "host.h"
#include <time.h>
#include <unistd.h>

// The app's side, filled on the hardware's thread and read when a run has ended.
static struct {
  AudioUnit unit;
  UInt32 bytes_per_frame;
  _Atomic(long) played, recorded, calls, rendered;
  Float64 first_time, next_time, record_time;
  int jumps, errors, moments, rates;
  SInt64 first_moment;
  OSStatus failure, record_status;
  Digest heard;
} app;

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)bus;
  if (app.calls == 0) app.first_time = app.next_time = time->mSampleTime;
  if (time->mSampleTime != app.next_time) ++app.jumps;
  app.next_time = time->mSampleTime + frames;
  // The moments follow the frames, at 44100 Hz; frames for which the call comes too late, as the machine is busy, are
  // heard at once.
  const SInt64 begin = (SInt64)time->mHostTime - (SInt64)((time->mSampleTime - app.first_time) / 44100 * 1e9);
  if (app.calls == 0 || begin < app.first_moment) app.first_moment = begin;
  const SInt64 later = begin - app.first_moment;
  if (later > 1000 && AudioGetCurrentHostTime() < time->mHostTime - (UInt64)later) ++app.moments;
  if (!(time->mFlags & kAudioTimeStampRateScalarValid) || time->mRateScalar != 1) ++app.rates;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    if (app.bytes_per_frame % 4 == 0) {
      Float32 *samples = data->mBuffers[buffer].mData;
      const UInt32 count = data->mBuffers[buffer].mDataByteSize / 4;
      for (UInt32 at = 0; at < count; ++at) samples[at] = (Float32)(SInt16)noise((UInt32)(app.played * 4 + at + buffer * 999)) / 65536;
    } else {
      SInt16 *samples = data->mBuffers[buffer].mData;
      for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize / 2; ++at) samples[at] = (SInt16)noise((UInt32)(app.played * 4 + at));
    }
  }
  app.played += frames;
  ++app.calls;
  return app.failure != noErr && app.calls % 3 == 0 ? app.failure : noErr;
}

static OSStatus hear(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)data;
  static char room[65536];
  AudioBufferList list = {1, {{1, frames * 2, room}}};
  memset(room, 0x55, sizeof room);
  OSStatus status = AudioUnitRender(app.unit, flags, time, bus, frames, &list);
  if (status != noErr) app.record_status = status;
  if (app.recorded > 0 && time->mSampleTime != app.record_time) ++app.jumps;
  app.record_time = time->mSampleTime + frames;
  app.heard = digest(app.heard, room, frames * 2);
  app.recorded += frames;
  return noErr;
}

// A render notify: the frames that the unit has rendered for the hardware.
static OSStatus count_frames(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)time, (void)data;
  if (bus == 0 && *flags & kAudioUnitRenderAction_PostRender) app.rendered += frames;
  return noErr;
}

static void forget(AudioUnit unit) {
  app.unit = unit;
  app.bytes_per_frame = 4;
  app.played = app.recorded = app.calls = app.rendered = 0;
  app.jumps = app.moments = app.rates = 0;
  app.failure = app.record_status = noErr;
  app.heard = 0;
}

static UInt32 number(AudioUnit unit, UInt32 property, UInt32 scope, UInt32 element) {
  UInt32 value = 0, size = sizeof value;
  OSStatus status = AudioUnitGetProperty(unit, property, scope, element, &value, &size);
  return status == noErr ? value : (UInt32)status;
}

static int runs;

// Waits until a run has come to its end: so many frames were rendered, where they are counted, or played and recorded.
// The bound is two seconds. If none are expected, any that came within 20 ms would show.
static void await(long expected) {
  for (int wait = 0; wait < (expected > 0 ? 800 : 8); ++wait) {
    const long passed = app.rendered > 0 ? app.rendered : app.played + app.recorded;
    if (expected > 0 ? passed >= expected : passed > 0) return;
    usleep(2500);
  }
}

// A run of a tenth of a second, and what became of it.
static void run(AudioUnit unit, const char *what, int leaves_file, long expected) {
  OSStatus status = AudioOutputUnitStart(unit);
  printf("  %s: start %s running %u again %s", what, status_text(status), (unsigned)number(unit, 2001, 0, 0), status_text(AudioOutputUnitStart(unit)));
  if (status != noErr) {
    printf("\n");
    return;
  }
  await(expected);
  printf(" stop %s running %u again %s", status_text(AudioOutputUnitStop(unit)), (unsigned)number(unit, 2001, 0, 0), status_text(AudioOutputUnitStop(unit)));
  printf(" played %ld from %g jumps %d recorded %ld %s %016llx", app.played, app.first_time, app.jumps, app.recorded,
         status_text(app.record_status), app.heard);
  if (leaves_file) {
    char name[32];
    if (++runs > 1) snprintf(name, sizeof name, "run-%d.wav", runs);
    long bytes;
    Digest file = file_digest(temporary(runs > 1 ? name : "run.wav"), &bytes);
    printf(" file %ld %016llx", bytes, file);
  }
  printf("\n");
}

static void feed(AudioUnit unit) {
  AURenderCallbackStruct callback = {give, NULL};
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback), "callback");
}

static OSStatus map(AudioUnit unit, UInt32 scope, UInt32 element, SInt32 first, SInt32 second, UInt32 count) {
  const SInt32 channels[] = {first, second, 0};
  return AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, scope, element, channels, count * 4);
}

// Runs one behind the other: what is kept from one to the next.
static void repeated(const char *kind) {
  AudioUnit unit = unit_of("auou", kind);
  forget(unit);
  printf("  not initialized: start %s stop %s\n", status_text(AudioOutputUnitStart(unit)), status_text(AudioOutputUnitStop(unit)));
  feed(unit);
  need(AudioUnitInitialize(unit), "initialize");
  run(unit, "as it is", 1, 4800);
  forget(unit);
  run(unit, "again", 1, 4800);
  set_uint(unit, kAudioOutputUnitProperty_StartTimestampsAtZero, 0, 0, 0);
  forget(unit);
  run(unit, "times go on", 1, 4800);
  forget(unit);
  run(unit, "and on", 1, 4800);
  forget(unit);
  app.failure = -50;
  run(unit, "with failures", 1, 4800);
  printf("  volume %s\n", status_text(AudioUnitSetParameter(unit, 14, 0, 0, 0.25f, 0)));
  forget(unit);
  run(unit, "softer", 1, 4800);
  printf("  map while initialized %s, of the same %s\n", status_text(map(unit, 2, 0, 1, 0, 2)), status_text(map(unit, 2, 0, 0, 1, 2)));
  need(AudioUnitUninitialize(unit), "uninitialize");
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// The effect of mapped channels.
static void mapped(const char *kind) {
  static const SInt32 maps[][2] = {{1, 0}, {-1, 0}, {1, 1}, {0, -1}, {5, 0}};
  for (size_t index = 0; index < sizeof maps / sizeof maps[0]; ++index) {
    AudioUnit unit = unit_of("auou", kind);
    forget(unit);
    feed(unit);
    const OSStatus other = map(unit, 1, 0, 0, 1, 2), three = map(unit, 2, 0, 0, 1, 3), below = map(unit, 2, 0, -2, 1, 2);
    printf("  map %d %d: %s, on the other side %s, of three %s, of -2 %s\n", (int)maps[index][0], (int)maps[index][1],
           status_text(map(unit, 2, 0, maps[index][0], maps[index][1], 2)), status_text(other), status_text(three), status_text(below));
    SInt32 now[4] = {9, 9, 9, 9};
    UInt32 size = sizeof now;
    OSStatus status = AudioUnitGetProperty(unit, kAudioOutputUnitProperty_ChannelMap, 2, 0, now, &size);
    status = AudioUnitInitialize(unit);
    printf("  is %u: %d %d initialize %s\n", (unsigned)size, (int)now[0], (int)now[1], status_text(status));
    if (status == noErr) run(unit, "mapped", 1, 4800);
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
}

static const UInt32 integers = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;

// The app's side in another format than the hardware's.
static void converted(const char *kind) {
  AudioUnit unit = unit_of("auou", kind);
  forget(unit);
  feed(unit);
  printf("  mono integers at another rate %s\n", status_text(set_format(unit, 1, 0, pcm(44100, 1, 16, 2, integers))));
  app.bytes_per_frame = 2;
  // A converter pulls ahead, so that the frames that were pulled do not show that the run has ended.
  need(AudioUnitAddRenderNotify(unit, count_frames, NULL), "notify");
  need(AudioUnitInitialize(unit), "initialize");
  run(unit, "converted", 1, 4800);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// Both directions at once, with other channels on the one side than on the other.
static void both(const char *kind) {
  AudioUnit unit = unit_of("auou", kind);
  forget(unit);
  feed(unit);
  AURenderCallbackStruct ear = {hear, NULL};
  printf("  both: enable %s format %s callback %s map %s initialize", status_text(set_uint(unit, 2003, 1, 1, 1)),
         status_text(set_format(unit, 2, 1, pcm(48000, 1, 16, 2, integers))),
         status_text(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, 0, 1, &ear, sizeof ear)),
         status_text(map(unit, 2, 0, 1, 0, 2)));
  OSStatus begun = AudioUnitInitialize(unit);
  printf(" %s\n", status_text(begun));
  if (begun == noErr) run(unit, "both", 1, kind[0] == 'd' || kind[0] == 's' ? 4800 : 9600);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// Recording alone, at two rates, and renders by hand.
static void recorded(const char *kind) {
  for (int rate = 0; rate < 2; ++rate) {
    AudioUnit unit = unit_of("auou", kind);
    forget(unit);
    AURenderCallbackStruct callback = {hear, NULL};
    printf("  record %s, enable on the app's side %s, play not %s, format %s, callback %s\n", status_text(set_uint(unit, 2003, 1, 1, 1)),
           status_text(set_uint(unit, 2003, 2, 1, 1)), status_text(set_uint(unit, 2003, 2, 0, 0)),
           status_text(set_format(unit, 2, 1, pcm(rate ? 16000 : 48000, 1, 16, 2, integers))),
           status_text(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, 0, 1, &callback, sizeof callback)));
    OSStatus status = AudioUnitInitialize(unit);
    printf("  initialize %s enable %s", status_text(status), status_text(set_uint(unit, 2003, 1, 1, 0)));
    printf(" again %s\n", status_text(set_uint(unit, 2003, 1, 1, 1)));
    if (status == noErr) run(unit, "recording", 0, kind[0] == 'd' || kind[0] == 's' ? 0 : rate ? 1600 : 4800);
    AudioUnitRenderActionFlags flags = 0;
    AudioTimeStamp time = {0};
    time.mFlags = kAudioTimeStampSampleTimeValid;
    time.mSampleTime = 99999;
    Planes *room = planes_of(2, 100);
    static unsigned char most[8194];
    AudioBufferList list = {1, {{1, 8192, most}}};
    memset(most, 0x55, sizeof most);
    const OSStatus longest = AudioUnitRender(unit, &flags, &time, 1, 4096, &list);
    printf("  the longest slice of the input by hand %s %016llx", status_text(longest), digest(0, most, sizeof most));
    list.mBuffers[0].mDataByteSize = 8194;
    time.mSampleTime = 199999;
    printf(" and longer %s\n", status_text(AudioUnitRender(unit, &flags, &time, 1, 4097, &list)));
    printf("  output by hand %s\n", status_text(AudioUnitRender(unit, &flags, &time, 0, 100, room->list)));
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
}

void play_device(void) {
  run_device_into("run.wav");
  static const char *const kinds[] = {"def ", "sys ", "ahal", "rioc", "vpio"};
  for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; ++index) {
    const char *kind = kinds[index];
    printf("%s\n", kind);
    repeated(kind);
    mapped(kind);
    converted(kind);
    both(kind);
    recorded(kind);
  }
}

// In real time a fifth of a second cannot pass in less; and the moments of the cycles follow the frames.
void pace(void) {
  setenv("AUBENCH_DEVICE_SECONDS", "0.2", 1);
  setenv("AUBENCH_DEVICE_FRAMES", "441", 1);
  AudioUnit unit = unit_of("auou", "def ");
  forget(unit);
  feed(unit);
  need(AudioUnitInitialize(unit), "initialize");
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  need(AudioOutputUnitStart(unit), "start");
  for (int wait = 0; wait < 4000 && app.played < 8820; ++wait) usleep(2500);
  clock_gettime(CLOCK_MONOTONIC, &end);
  need(AudioOutputUnitStop(unit), "stop");
  const double took = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  printf("played %ld in %ld calls, not before their time %d\n", (long)app.played, (long)app.calls, took > 0.18);
  printf("moments off %d of %d, rates off %d\n", app.moments, (int)app.calls, app.rates);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// The scheduled sound player: slices in order, out of it, over one another, in loops, interrupting; and its time.
#include "host.h"

enum { loops = 0x08, interrupts = 0x10, at_loop = 0x20 };
// "As soon as possible": a stamp without a sample time.
static const Float64 soon = -1;
enum { most = 64, longest = 400 };
static ScheduledAudioSlice slices[most];
static struct {
  UInt32 count;
  AudioBuffer buffers[2];
} lists[most];
// Frame f of slice s is 1000 s + f + 1 on the first channel, and its negative on the second.
static Float32 samples[most][2][longest];
static AudioUnit unit;
static UInt32 channels;
static int count;
static Float64 now;
// The act of a completion: schedules so many more slices, or resets the player.
static int more, resets;
static int is_quiet;

static void has_ended(void *user, ScheduledAudioSlice *slice);

static OSStatus put(int index) {
  return AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleAudioSlice, 0, 0, &slices[index], sizeof slices[0]);
}

static int filled(Float64 time, UInt32 frames, UInt32 flags) {
  const int index = count++;
  for (int frame = 0; frame < longest; ++frame) {
    samples[index][0][frame] = (Float32)(1000 * index + frame + 1);
    samples[index][1][frame] = -samples[index][0][frame];
  }
  lists[index].count = 2;
  for (int at = 0; at < 2; ++at) lists[index].buffers[at] = (AudioBuffer){1, frames * 4, samples[index][at]};
  slices[index] = (ScheduledAudioSlice){
      .mTimeStamp = {.mSampleTime = time, .mFlags = time == soon ? 0 : kAudioTimeStampSampleTimeValid},
      .mCompletionProc = has_ended,
      .mCompletionProcUserData = &lists[index],
      .mFlags = flags,
      .mNumberFrames = frames,
      .mBufferList = (AudioBufferList *)&lists[index]};
  return index;
}

static void schedule(Float64 time, UInt32 frames, UInt32 flags) {
  const int index = filled(time, frames, flags);
  const OSStatus status = put(index);
  if (is_quiet && status == noErr) return;
  printf("  slice %d at %g: %u frames %x %s\n", index, time, (unsigned)frames, (unsigned)flags, status_text(status));
}

static void has_ended(void *user, ScheduledAudioSlice *slice) {
  const int index = (int)(slice - slices);
  printf(" end %d:%x%s", index, (unsigned)slice->mFlags, user == &lists[index] ? "" : "!");
  if (more > 0) {
    --more;
    printf(" more %s", status_text(put(filled(soon, 30, 0))));
  }
  if (resets) {
    resets = 0;
    printf(" reset %s", status_text(AudioUnitReset(unit, 0, 0)));
  }
}

static void say_time(void) {
  AudioTimeStamp stamp = {0};
  UInt32 size = sizeof stamp;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_CurrentPlayTime, 0, 0, &stamp, &size);
  printf(" time %s %g", status_text(status), stamp.mSampleTime);
  size = sizeof stamp, stamp.mSampleTime = 0;
  status = AudioUnitGetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &stamp, &size);
  printf(" start %s %g\n", status_text(status), stamp.mSampleTime);
}

static void start(Float64 time, UInt32 flags) {
  const AudioTimeStamp stamp = {.mSampleTime = time, .mHostTime = 7, .mFlags = flags};
  const OSStatus status =
      AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &stamp, sizeof stamp);
  printf("  start at %g %x: %s", time, (unsigned)flags, status_text(status));
  say_time();
}

// Render slices of a length, and what sounds: frames that follow one another as "first...last", silence as its length.
static void play(UInt32 frames, int times) {
  printf("  play %g %ux%d:", now, (unsigned)frames, times);
  Float32 first = NAN, last = NAN;
  long quiet = 0;
  for (int time = 0; time < times; ++time, now += frames) {
    Planes *room = planes_of(channels, frames);
    AudioTimeStamp stamp = {.mSampleTime = now, .mFlags = kAudioTimeStampSampleTimeValid};
    AudioUnitRenderActionFlags flags = 0;
    const OSStatus status = AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list);
    if (status != noErr || flags) printf(" %s %x", status_text(status), (unsigned)flags);
    for (UInt32 frame = 0; status == noErr && frame < frames; ++frame) {
      const Float32 sample = room->samples[0][frame];
      if (channels > 1 && room->samples[1][frame] != -sample) printf(" other %g", room->samples[1][frame]);
      if (sample != last + 1 && last > 0) printf(" %g...%g", first, last);
      if (sample != 0 && quiet > 0) printf(" %ld quiet", quiet);
      if (sample != last + 1 || last == 0) first = sample;
      quiet = sample == 0 ? quiet + 1 : 0, last = sample;
    }
  }
  if (last > 0) printf(" %g...%g", first, last);
  if (quiet > 0) printf(" %ld quiet", quiet);
  say_time();
}

static void open_player(int initializes) {
  unit = unit_of("augn", "sspl");
  count = more = resets = 0, now = 0, channels = 2;
  if (initializes) need(AudioUnitInitialize(unit), "initialize");
}

static void close_player(void) {
  printf("  close");
  need(AudioComponentInstanceDispose(unit), "dispose");
  for (int index = 0; index < count; ++index) printf(" %x", (unsigned)slices[index].mFlags);
  printf("\n");
}

typedef struct Plan {
  const char *name;
  struct {
    Float64 time;
    UInt32 frames, flags;
  } slices[8];
} Plan;

static const Plan plans[] = {
    {"in a row, without times", {{soon, 100, 0}, {soon, 1, 0}, {soon, 0, 0}, {soon, 63, 0}, {soon, 200, 0}}},
    {"at times", {{10, 50, 0}, {60, 50, 0}, {200, 1, 0}, {201, 1, 0}, {255, 2, 0}, {300, 0, 0}, {320, 100, 0}}},
    {"over one another, and out of order",
     {{50, 100, 0}, {100, 100, 0}, {0, 60, 0}, {0, 230, 0}, {220, 10, 0}, {soon, 9, 0}}},
    {"some with times", {{soon, 30, 0}, {100, 30, 0}, {soon, 30, 0}, {90, 80, 0}, {soon, 30, 0}, {3000, 10, 0}}},
    {"a loop that nothing ends", {{20, 30, loops}, {40, 50, 0}, {soon, 10, 0}}},
    {"a loop, cut in its middle", {{soon, 30, loops}, {100, 40, interrupts}, {soon, 10, 0}}},
    {"a loop, cut at its end", {{5, 30, loops}, {100, 40, at_loop}, {soon, 10, 0}}},
    {"a loop, cut where it ends", {{0, 30, loops}, {90, 40, at_loop}, {soon, 10, 0}}},
    {"a loop that begins later than what cuts it",
     {{80, 30, loops}, {50, 40, at_loop}, {150, 30, loops}, {150, 9, interrupts}}},
    {"a loop without frames", {{10, 0, loops}, {soon, 20, 0}, {40, 0, loops | at_loop}, {soon, 10, 0}}},
    {"a loop that cuts, and one that cuts that",
     {{0, 100, 0}, {30, 7, loops | interrupts}, {90, 8, loops | at_loop}, {130, 5, 0x30}}},
    {"cut at the end, by one without frames",
     {{0, 64, 0}, {64, 0, interrupts}, {70, 20, 0}, {80, 20, at_loop}, {100, 5, 0}}},
    {"cut before its beginning", {{100, 50, 0}, {60, 20, interrupts}, {200, 50, 0}, {150, 20, at_loop}}},
    {"cut at its beginning", {{100, 50, 0}, {100, 20, interrupts}, {200, 50, 0}, {200, 20, at_loop}}},
    {"cut in a row",
     {{0, 200, 0}, {50, 20, interrupts}, {60, 20, interrupts}, {60, 30, interrupts}, {65, 9, 0}, {70, 5, 0x10}}},
    {"cut over the heads of others",
     {{0, 50, 0}, {60, 50, 0}, {soon, 50, 0}, {40, 90, at_loop}, {45, 10, 0}, {120, 10, 0x10}}},
    {"cut by earlier ones", {{100, 100, 0}, {300, 50, interrupts}, {150, 100, interrupts}, {160, 50, 0}}},
    {"cut at once", {{0, 100, 0}, {soon, 20, interrupts}, {soon, 30, loops}, {soon, 15, at_loop}}},
    {"cut first of all", {{30, 20, interrupts}, {40, 30, at_loop}}},
    {"in the past",
     {{-50, 40, 0}, {-20, 60, 0}, {-7, 20, loops}, {100, 20, at_loop}, {-1e6, 10, 0}, {-30, 20, interrupts}}},
};

static void plan(const Plan *plan, UInt32 frames, Float64 begin) {
  printf("%s, by %u from %g\n", plan->name, (unsigned)frames, begin);
  open_player(1);
  for (int at = 0; at < 8; ++at) {
    const UInt32 flags = plan->slices[at].flags;
    if (plan->slices[at].time != 0 || plan->slices[at].frames > 0 || flags) {
      schedule(plan->slices[at].time, plan->slices[at].frames, flags);
    }
  }
  start(begin, kAudioTimeStampSampleTimeValid);
  play(frames, 400 / (int)frames);
  close_player();
}

// Start times, and clocks that jump.
static void clocks(void) {
  static const Float64 times[] = {-1, 0, 150, 150.5, 149.49, -300, 1e18, -1e18, 4e18, NAN, INFINITY};
  for (UInt32 flags = 0; flags < 4; ++flags) {
    for (size_t at = 0; at < (flags % 2 ? sizeof times / sizeof times[0] : 3); ++at) {
      open_player(1);
      schedule(10, 30, 0);
      start(times[at], flags);
      play(100, 3);
      close_player();
    }
  }
  printf("no frames, and anew while it plays\n");
  open_player(1);
  schedule(soon, 100, 0), schedule(150, 100, 0), schedule(soon, 300, 0), schedule(500, 50, interrupts);
  play(50, 1);
  start(-1, 1);
  play(0, 1);
  now = 1000;
  play(0, 1), play(40, 1), play(0, 1), play(40, 1);
  start(-1, 1);
  play(40, 3);
  start(1250, 1);
  play(40, 5);
  printf("jumps\n");
  now = 1300, play(30, 3);
  now = 1500, play(30, 2);
  now = 1640, play(30, 8);
  close_player();
  static const Float64 bounds[] = {9e15, 1e18, -9e15, -1e18, -8999999999999900.0, 0, 3};
  open_player(1);
  schedule(0, 300, 0), schedule(1000, 9, 0);
  start(-1, 1);
  for (size_t at = 0; at < sizeof bounds / sizeof bounds[0]; ++at) now = bounds[at], play(20, 2);
  start(-1e19, 1), play(20, 2), start(1e19, 1), play(20, 2);
  now = 8e15, play(20, 2);
  close_player();
  open_player(1);
  schedule(5, 30, loops), schedule(2000, 30, at_loop);
  start(-1, 1), play(20, 2);
  now = 1000, play(20, 2);
  now = 900, play(20, 2);
  now = 5000, play(20, 2);
  close_player();
}

// Slices that are scheduled during playback, from completions too, and the rest after a reset and the end of rendering.
static void meanwhile(void) {
  printf("before it is initialized\n");
  open_player(0);
  schedule(soon, 40, 0), schedule(30, 20, interrupts);
  start(20, 1);
  printf("  reset"), printf(" %s", status_text(AudioUnitReset(unit, 0, 0))), say_time();
  schedule(30, 40, 0), schedule(soon, 20, 0);
  start(20.4, 1);
  need(AudioUnitInitialize(unit), "initialize");
  say_time();
  play(50, 3);
  printf("while it plays\n");
  schedule(soon, 40, 0), play(50, 1);
  schedule(200, 40, loops), schedule(210, 40, 0), play(50, 2);
  schedule(240, 10, at_loop), schedule(soon, 15, interrupts), play(20, 3);
  schedule(10, 5, 0), schedule(250, 30, 0), schedule(soon, 30, 0), play(50, 2);
  schedule(600, 30, 0), schedule(soon, 30, 0);
  printf("  reset"), printf(" %s", status_text(AudioUnitReset(unit, 1, 3))), say_time();
  play(50, 1);
  schedule(soon, 30, 0), play(50, 1), start(-1, 1), play(50, 1);
  schedule(10, 100, loops), schedule(soon, 30, at_loop), play(20, 1);
  printf("  uninitialize"), printf(" %s", status_text(AudioUnitUninitialize(unit))), say_time();
  need(AudioUnitInitialize(unit), "initialize");
  play(50, 1), start(-1, 1), schedule(soon, 30, 0), schedule(soon, 30, 0), play(50, 1);
  close_player();
  printf("from completions\n");
  open_player(1);
  more = 5;
  schedule(soon, 30, 0), start(-1, 1), play(100, 3);
  more = 1;
  schedule(soon, 200, loops), schedule(350, 10, interrupts), schedule(soon, 100, 0), play(100, 1);
  resets = 1, play(100, 1);
  schedule(soon, 30, 0), play(100, 1), start(-1, 1), play(100, 1);
  resets = more = 1, schedule(soon, 30, 0), schedule(soon, 30, 0), play(100, 1);
  close_player();
  printf("many\n");
  open_player(1);
  for (int at = 0; at < most; ++at) {
    need(put(filled(at * 12 + at % 3, 1 + (UInt32)at % 11, at % 7 == 6 ? interrupts : 0)), "slice");
  }
  start(0, 1), play(33, 26);
  close_player();
}

static void refused(void) {
  printf("refused\n");
  static const Float64 times[] = {-1,  0.5,     1.5, 9007199254740992.0, 9007199254740994.0, -9007199254740994.0,
                                  NAN, INFINITY};
  open_player(1);
  for (size_t at = 0; at < sizeof times / sizeof times[0]; ++at) {
    const int index = filled(times[at], 5, at % 2 ? 7 : 0);
    slices[index].mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
    printf("  at %.17g: %s", times[at], status_text(put(index)));
    printf(" flags %x\n", (unsigned)slices[index].mFlags);
  }
  start(-1, 1), play(20, 2);
  for (int kind = 0; kind < 9; ++kind) {
    const int index = filled(soon, 5, 0x17);
    if (kind == 0) slices[index].mBufferList = NULL;
    if (kind == 1) lists[index].count = 1;
    if (kind == 2) lists[index].count = 0;
    if (kind == 3) lists[index].buffers[1].mNumberChannels = 2;
    if (kind == 4) lists[index].buffers[0].mDataByteSize = 19;
    if (kind == 5) lists[index].buffers[1].mData = NULL;
    if (kind == 6) slices[index].mNumberFrames = 6;
    if (kind == 7) slices[index].mCompletionProc = NULL;
    OSStatus status = put(index);
    printf("  kind %d: %s flags %x", kind, status_text(status), (unsigned)slices[index].mFlags);
    const UInt32 asked[][3] = {{2, 0, sizeof slices[0]}, {0, 1, sizeof slices[0]}, {0, 0, sizeof slices[0] - 1}};
    for (int at = 0; at < 3; ++at) {
      status = AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleAudioSlice, asked[at][0], asked[at][1],
                                    &slices[index], asked[at][2]);
      printf(" %s", status_text(status));
    }
    UInt32 size = sizeof slices[0];
    status = AudioUnitGetProperty(unit, kAudioUnitProperty_ScheduleAudioSlice, 0, 0, &slices[most - 1], &size);
    printf(" get %s\n", status_text(status));
  }
  play(20, 2);
  close_player();
  const UInt32 integers = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  const UInt32 floats = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
  const AudioStreamBasicDescription formats[] = {pcm(44100, 2, 16, 2, integers), pcm(44100, 2, 32, 4, floats),
                                                 planar(0, 2), planar(44100, 0), planar(22050, 1)};
  open_player(0);
  schedule(soon, 10, 0);
  for (size_t at = 0; at < 5; ++at) printf("  format %s\n", status_text(set_format(unit, 2, 0, formats[at])));
  printf("  of an input %s", status_text(set_format(unit, 1, 0, planar(44100, 2))));
  printf(" of output 1 %s", status_text(set_format(unit, 2, 1, planar(44100, 2))));
  printf(" buses %s", status_text(set_uint(unit, kAudioUnitProperty_ElementCount, 2, 0, 2)));
  printf(" inputs %s\n", status_text(set_uint(unit, kAudioUnitProperty_ElementCount, 1, 0, 1)));
  // A slice that was scheduled with two channels plays the first.
  printf("  initialize %s\n", status_text(AudioUnitInitialize(unit)));
  channels = 1;
  schedule(soon, 10, 0);
  lists[count - 1].count = 1;
  printf("  one channel %s\n", status_text(put(count - 1)));
  printf("  format %s\n", status_text(set_format(unit, 2, 0, planar(44100, 2))));
  start(-1, 1), play(50, 1);
  close_player();
  // And what was scheduled with one leaves the others silent.
  open_player(0);
  printf("  format %s", status_text(set_format(unit, 2, 0, planar(44100, 1))));
  lists[filled(soon, 10, 0)].count = 1;
  printf(" slice %s", status_text(put(0)));
  printf(" format %s\n", status_text(set_format(unit, 2, 0, planar(44100, 2))));
  need(AudioUnitInitialize(unit), "initialize");
  start(-1, 1), play(12, 1);
  close_player();
}

void sound_slices(void) {
  static const UInt32 frames[] = {100, 64, 7, 400};
  static const Float64 begins[] = {-1, 13, 20, -1};
  for (size_t at = 0; at < sizeof plans / sizeof plans[0]; ++at) {
    for (size_t way = 0; way < 4; ++way) is_quiet = way > 0, plan(&plans[at], frames[way], begins[way]);
  }
  is_quiet = 0;
  clocks();
  meanwhile();
  refused();
}

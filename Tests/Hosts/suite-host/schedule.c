// Drawn schedules of the scheduled sound player: slices in order and out of it, loops, interruptions, late ones, while it
// renders and before, and in the call that says that another has ended; start times that are set again, and clocks that
// jump. Each frame, and which slices end in which call with which flags, must be what a player that goes frame by frame
// would do.
#include "drawn.h"

enum { most_slices = 60, longest = 260, loops = 0x08, interrupts = 0x10, at_loop = 0x20, ended = 1, began = 2, late = 4 };

typedef struct Entry {
  int has_time, has_begun, has_interrupt_time, has_ended;
  SInt64 time, begin, interrupt_time;
  int frames;
  UInt32 flags;
  // The slice that is scheduled when this one ends, -1: none.
  int follower;
} Entry;

static ScheduledAudioSlice slices[most_slices];
static struct {
  UInt32 count;
  AudioBuffer buffers[2];
} lists[most_slices];
static Float32 samples[most_slices][2][longest];
static AudioUnit unit;
static int count;
// The slices that have ended in the present call: the player's, the model's.
static int ends[2][most_slices], end_counts[2];
static char difference[200];

// The model: entries that wait, by number; its time counts from the start.
static Entry entries[most_slices];
static int line[most_slices], line_count, is_started, is_closing;
// True where most slices wait for the end of a pass of a loop.
static int waits;
// The frame of the puller's clock at which the player's time begins, and how much of that time has passed.
static SInt64 start_time, position;

static void differ(const char *text, int at, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s %d: %g, expected %g", text, at, found, expected);
}

static void put(int index) { need(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleAudioSlice, 0, 0, &slices[index], sizeof slices[0]), "slice"); }

static void has_ended(void *user, ScheduledAudioSlice *slice) {
  const int index = (int)(slice - slices);
  if (user != &lists[index]) return;
  ends[0][end_counts[0]++] = index;
  if (entries[index].follower >= 0 && !is_closing) put(entries[index].follower);
}

// A scheduled slice forgets what has happened to it.
static void line_up(int index) { entries[index].flags &= ~7u, line[line_count++] = index; }

static void finish(void) {
  const int index = line[0];
  entries[index].flags |= ended;
  ends[1][end_counts[1]++] = index;
  memmove(line, line + 1, (size_t)--line_count * sizeof *line);
  if (entries[index].follower >= 0) line_up(entries[index].follower);
}

static SInt64 begin_of(const Entry *entry, SInt64 now) { return entry->has_begun ? entry->begin : entry->has_time ? entry->time : now; }

// True where a slice is at an end of its own, or has not come to its beginning.
static int is_at_loop_point(const Entry *entry, SInt64 now) {
  const SInt64 inside = now - begin_of(entry, now);
  if (inside < 0 || entry->frames == 0) return 1;
  return entry->flags & loops ? inside > 0 && inside % entry->frames == 0 : inside >= entry->frames;
}

// Slices whose time has come end those before them: the last of them counts.
static void interrupt(SInt64 now) {
  int due = 0, waits = 0;
  const int is_loop_point = line_count > 0 ? is_at_loop_point(&entries[line[0]], now) : 1;
  for (int at = 1; at < line_count; ++at) {
    Entry *entry = &entries[line[at]];
    if (!(entry->flags & (interrupts | at_loop))) continue;
    if (!entry->has_interrupt_time) entry->interrupt_time = entry->has_time ? entry->time : now, entry->has_interrupt_time = 1;
    const int waits_for_loop = !(entry->flags & interrupts);
    if (entry->interrupt_time > now || (waits_for_loop && !is_loop_point)) continue;
    due = at, waits = waits_for_loop;
  }
  for (int at = 0; at < due; ++at) finish();
  // A slice that waited for a loop point begins there.
  if (due > 0 && waits) entries[line[0]].begin = now, entries[line[0]].has_begun = 1;
}

static void settle(SInt64 now) {
  for (;;) {
    interrupt(now);
    if (line_count == 0) return;
    Entry *entry = &entries[line[0]];
    if (!entry->has_begun) {
      entry->begin = entry->has_time ? entry->time : now, entry->has_begun = 1;
      if (entry->begin < now) entry->flags |= late;
    }
    if (entry->flags & loops || now - entry->begin < entry->frames) return;
    finish();
  }
}

static Float32 model_frame(SInt64 now) {
  settle(now);
  if (line_count == 0) return 0;
  Entry *entry = &entries[line[0]];
  if (entry->begin > now) return 0;
  entry->flags |= began;
  return samples[line[0]][0][(now - entry->begin) % entry->frames];
}

// Draws a slice. -1 where there are too many. One that is scheduled as another ends interrupts none: which frames the
// player has looked at by then is its own affair.
static int prepare(SInt64 near, int is_follower) {
  if (count == most_slices) return -1;
  const int index = count++, has_time = once_in(waits ? 5 : 2);
  const int frames = once_in(9) ? 0 : 1 + (int)draw(once_in(3) ? longest : 40);
  const UInt32 flags = (frames > 0 && once_in(waits ? 2 : 5) ? loops : 0) | (!is_follower && once_in(waits ? 20 : 4) ? interrupts : 0) | (!is_follower && once_in(waits ? 2 : 5) ? at_loop : 0);
  const SInt64 time = near - 60 + (SInt64)draw(300);
  for (int frame = 0; frame < longest; ++frame) samples[index][0][frame] = (Float32)(1000 * index + frame + 1), samples[index][1][frame] = -samples[index][0][frame];
  lists[index].count = 2;
  for (int channel = 0; channel < 2; ++channel) lists[index].buffers[channel] = (AudioBuffer){1, (UInt32)frames * 4, samples[index][channel]};
  slices[index] = (ScheduledAudioSlice){.mTimeStamp = {.mSampleTime = (Float64)time, .mFlags = has_time ? kAudioTimeStampSampleTimeValid : 0},
                                        .mCompletionProc = has_ended, .mCompletionProcUserData = &lists[index], .mFlags = flags | (once_in(3) ? 7 : 0),
                                        .mNumberFrames = (UInt32)frames, .mBufferList = (AudioBufferList *)&lists[index]};
  // -1 is the stamp of a slice that has no time.
  entries[index] = (Entry){.has_time = has_time && time != -1, .time = time, .frames = frames, .flags = slices[index].mFlags, .follower = -1};
  if (once_in(6)) entries[index].follower = prepare(near, 1);
  return index;
}

static void schedule(SInt64 near) {
  const int index = prepare(near, 0);
  if (index < 0) return;
  put(index);
  line_up(index);
}

// A new start time, which counts from the next call on: what has begun goes on from where it is, what waits for its time
// waits for it anew.
static void set_start(SInt64 now) {
  // At once, said in two ways, at a frame to come, or one that has passed.
  const int way = (int)draw(4);
  const SInt64 wanted = way < 2 ? -1 : now - (way == 3 ? 100 : 0) + (SInt64)draw(200);
  const AudioTimeStamp stamp = {.mSampleTime = way == 1 ? 5 : (Float64)wanted, .mHostTime = 77, .mFlags = way == 1 ? kAudioTimeStampHostTimeValid : kAudioTimeStampSampleTimeValid};
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &stamp, sizeof stamp), "start");
  AudioTimeStamp said = {0};
  UInt32 size = sizeof said;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &said, &size), "start");
  if (said.mSampleTime != (Float64)wanted) differ("start time", 0, said.mSampleTime, (Float64)wanted);
  for (int at = 0; at < line_count; ++at) {
    Entry *entry = &entries[line[at]];
    if (entry->has_begun && entry->begin <= position) entry->begin -= position;
    else entry->has_begun = 0;
    entry->has_interrupt_time = 0;
  }
  is_started = 1, start_time = wanted == -1 || wanted < now ? now : wanted, position = 0;
}

// Renders from a time of the puller's clock on, and compares.
static void render(SInt64 now, UInt32 frames) {
  Planes *room = planes_of(2, frames);
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp stamp = {.mSampleTime = (Float64)now, .mFlags = kAudioTimeStampSampleTimeValid};
  need(AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list), "render");
  // A clock that jumps back finds the player going on; what it jumps over is passed over.
  if (is_started && position > 0 && now - start_time < position) start_time = now - position;
  if (is_started)
    for (; position < now - start_time; ++position) model_frame(position);
  for (UInt32 frame = 0; frame < frames; ++frame) {
    const int sounds = is_started && now + frame >= start_time;
    const Float32 right = sounds ? model_frame(position++) : 0;
    if (room->samples[0][frame] != right) differ("frame", (int)(now + frame), room->samples[0][frame], right);
    if (room->samples[1][frame] != -right) differ("other channel, frame", (int)(now + frame), room->samples[1][frame], -right);
  }
  // A player that begins with the next call has not begun.
  if (position > 0) settle(position);
  AudioTimeStamp played = {0};
  UInt32 size = sizeof played;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_CurrentPlayTime, 0, 0, &played, &size), "play time");
  if (played.mSampleTime != (position > 0 ? (Float64)position : -1)) differ("play time", (int)now, played.mSampleTime, position > 0 ? (Float64)position : -1);
}

static void compare_ends(void) {
  for (int at = 0; at < end_counts[0] || at < end_counts[1]; ++at)
    if (at >= end_counts[0] || at >= end_counts[1] || ends[0][at] != ends[1][at]) differ("end", at, at < end_counts[0] ? ends[0][at] : -1, at < end_counts[1] ? ends[1][at] : -1);
  for (int index = 0; index < count; ++index)
    if (slices[index].mFlags != entries[index].flags) differ("flags of slice", index, slices[index].mFlags, entries[index].flags);
  end_counts[0] = end_counts[1] = 0;
}

static void schedule_of(UInt32 seed) {
  draw_from(seed + 90000);
  unit = unit_of("augn", "sspl");
  count = line_count = is_started = is_closing = end_counts[0] = end_counts[1] = 0, *difference = 0, position = 0;
  waits = once_in(3);
  need(AudioUnitInitialize(unit), "initialize");
  SInt64 now = draw(3) * 1000;
  for (int at = (int)draw(8); at >= 0; --at) schedule(0);
  const int calls = 25, restarts = waits || once_in(2), jumps = once_in(3);
  SInt64 former = now - 1;
  for (int call = 0; call < calls && !*difference; ++call) {
    const UInt32 frames = 1 + draw(once_in(3) ? 300 : 50);
    if (jumps && once_in(6)) now += once_in(4) ? (SInt64)draw(30000) : (SInt64)draw(600) - 200;
    // The same time again is the same call, for another one that reads it.
    now += now == former;
    if (is_started ? restarts && once_in(3) : once_in(2)) set_start(now);
    for (int at = (int)draw(4); at > 0 && once_in(2); --at) schedule(position);
    render(now, frames);
    former = now, now += frames;
    compare_ends();
    if (once_in(15)) {
      // Waiting slices are dropped, and a start is needed anew.
      need(AudioUnitReset(unit, 0, 0), "reset");
      for (int at = line_count; at > 0; --at) finish();
      is_started = 0, position = 0;
      compare_ends();
    }
  }
  is_closing = 1;
  need(AudioComponentInstanceDispose(unit), "dispose");
  printf("seed %u: %d slices: %s\n", (unsigned)seed, count, *difference ? difference : "ok");
}

void schedules(void) { for_seeds(300, schedule_of); }

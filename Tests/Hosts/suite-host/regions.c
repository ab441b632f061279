// Drawn schedules of the file player: regions of files of several channels in order and out of it, loops, endless ones,
// start times that are set again, clocks that jump, by less and by
// more than a player has read ahead, resets, files that are exchanged. Each frame, and which regions end in
// which call with which result, must be what a player that goes frame by frame would do.
#include "drawn.h"

enum { most_regions = 50, most_loops = 4, region_files = 4, longest_file = 30000 };

typedef struct Entry {
  int has_time, has_begun, file, start, frames, passes;
  SInt64 time, begin;
} Entry;

static const int channels_of[region_files] = {1, 2, 3, 2}, lengths_of[region_files] = {400, 900, 65, longest_file};
static AudioFileID files_of[region_files];
static AudioUnit unit;
static UInt32 outputs;
static Entry entries[most_regions];
static int count, line[most_regions], line_count, is_started;
static SInt64 start_time, position;
// The regions that have ended in the present call and their results: the player's, the model's.
static int ends[2][most_regions], results[2][most_regions], end_counts[2];
static char difference[200];

static void differ(const char *text, int at, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s %d: %g, expected %g", text, at, found, expected);
}

static Float32 file_sample(int file, int frame, int channel) { return (Float32)(file * 1024 + frame) / 4096 * (channel == 1 ? -1 : 1) + (Float32)channel / 8; }

// The samples of an entry in the output: one channel goes to all, all go into one as their mean, else straight through.
static Float32 entry_sample(const Entry *entry, SInt64 inside, UInt32 channel) {
  const int frame = entry->start + (int)(inside % entry->frames), channels = channels_of[entry->file];
  Float64 sum = 0;
  if (channels == 1) return file_sample(entry->file, frame, 0);
  if (outputs > 1) return (int)channel < channels ? file_sample(entry->file, frame, (int)channel) : 0;
  for (int each = 0; each < channels; ++each) sum += file_sample(entry->file, frame, each);
  return (Float32)(sum / channels);
}

static void has_ended(void *user, ScheduledAudioFileRegion *region, OSStatus result) {
  if (region->mCompletionProcUserData != user) differ("another region ends", (int)(size_t)user, 1, 0);
  if (end_counts[0] < most_regions) ends[0][end_counts[0]] = (int)(size_t)user, results[0][end_counts[0]++] = result;
}

static void finish(OSStatus result) {
  ends[1][end_counts[1]] = line[0], results[1][end_counts[1]++] = result;
  memmove(line, line + 1, (size_t)--line_count * sizeof *line);
}

static SInt64 length_of(const Entry *entry) { return entry->passes < 0 && entry->frames > 0 ? (SInt64)1 << 40 : (SInt64)entry->frames * entry->passes; }

// Regions that are over end; the next one begins at its time, or as soon as it can.
static void settle(SInt64 now) {
  for (; line_count > 0; finish(noErr)) {
    Entry *entry = &entries[line[0]];
    if (!entry->has_begun) entry->begin = entry->has_time && entry->time > now ? entry->time : now, entry->has_begun = 1;
    if (now - entry->begin < length_of(entry)) return;
  }
}

static void schedule(SInt64 near) {
  if (count == most_regions) return;
  const int index = count++, file = (int)draw(region_files), length = lengths_of[file], start = (int)draw((UInt32)(length + length / 8));
  const UInt32 frames = once_in(5) ? 0xFFFFFFFF : draw((UInt32)length), loops = once_in(30) ? 0xFFFFFFFF : once_in(8) ? draw(300) : once_in(3) ? draw(most_loops) : 0;
  const int has_time = once_in(2), has_completion = !once_in(6);
  const SInt64 time = near - 60 + (SInt64)draw(400);
  const ScheduledAudioFileRegion region = {.mTimeStamp = {.mSampleTime = (Float64)time, .mFlags = has_time ? kAudioTimeStampSampleTimeValid : kAudioTimeStampHostTimeValid}, .mCompletionProc = has_completion ? has_ended : NULL,
                                           .mCompletionProcUserData = (void *)(size_t)index, .mAudioFile = files_of[file], .mLoopCount = loops, .mStartFrame = start, .mFramesToPlay = frames};
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFileRegion, 0, 0, &region, sizeof region), "region");
  const int first = start < length ? start : length, left = length - first;
  // One without a function ends unheard.
  entries[index] = (Entry){.has_time = has_time && time != -1, .time = time, .file = file, .start = first, .frames = frames < (UInt32)left ? (int)frames : left, .passes = loops == 0xFFFFFFFF ? -1 : 1 + (int)loops};
  if (!has_completion) entries[index].file += 100;
  line[line_count++] = index;
}

static int is_heard(int index) { return entries[index].file < 100; }

static void compare_ends(void) {
  int kept = 0;
  for (int at = 0; at < end_counts[1]; ++at)
    if (is_heard(ends[1][at])) ends[1][kept] = ends[1][at], results[1][kept++] = results[1][at];
  end_counts[1] = kept;
  for (int at = 0; at < end_counts[0] || at < end_counts[1]; ++at) {
    if (at >= end_counts[0] || at >= end_counts[1] || ends[0][at] != ends[1][at]) differ("end", at, at < end_counts[0] ? ends[0][at] : -1, at < end_counts[1] ? ends[1][at] : -1);
    else if (results[0][at] != results[1][at]) differ("result of", ends[0][at], results[0][at], results[1][at]);
  }
  end_counts[0] = end_counts[1] = 0;
}

static Float32 frame_of(UInt32 channel) {
  if (line_count == 0) return 0;
  Entry entry = entries[line[0]];
  entry.file %= 100;
  return entry.begin > position ? 0 : entry_sample(&entry, position - entry.begin, channel);
}

static void render(SInt64 now, UInt32 frames) {
  Planes *room = planes_of(outputs, frames);
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp stamp = {.mSampleTime = (Float64)now, .mFlags = kAudioTimeStampSampleTimeValid};
  need(AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list), "render");
  // A clock that jumps back finds the player going on; what it jumps over is passed over.
  if (is_started && position > 0 && now - start_time < position) start_time = now - position;
  if (is_started)
    for (; position < now - start_time; ++position) settle(position);
  for (UInt32 frame = 0; frame < frames; ++frame) {
    const int sounds = is_started && now + frame >= start_time;
    if (sounds) settle(position);
    for (UInt32 channel = 0; channel < outputs; ++channel) {
      const Float32 right = sounds ? frame_of(channel) : 0;
      if (fabsf(room->samples[channel][frame] - right) > 1e-6f) differ("frame", (int)(now + frame), room->samples[channel][frame], right);
    }
    position += sounds;
  }
  if (position > 0) settle(position);
  AudioTimeStamp played = {0};
  UInt32 size = sizeof played;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_CurrentPlayTime, 0, 0, &played, &size), "play time");
  if (played.mSampleTime != (position > 0 ? (Float64)position : -1)) differ("play time", (int)now, played.mSampleTime, position > 0 ? (Float64)position : -1);
}

// A new start time: the region that sounds goes on, all others wait for their times anew.
static void set_start(SInt64 now) {
  const int way = (int)draw(4);
  const SInt64 wanted = way < 2 ? -1 : now - (way == 3 ? 100 : 0) + (SInt64)draw(200);
  const AudioTimeStamp stamp = {.mSampleTime = way == 1 ? 5 : (Float64)wanted, .mHostTime = 77, .mFlags = way == 1 ? kAudioTimeStampHostTimeValid : kAudioTimeStampSampleTimeValid};
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &stamp, sizeof stamp), "start");
  if (line_count > 0) {
    Entry *entry = &entries[line[0]];
    if (entry->has_begun && entry->begin <= position) entry->begin -= position;
    else entry->has_begun = 0;
  }
  is_started = 1, start_time = wanted == -1 || wanted < now ? now : wanted, position = 0;
}

static void regions_of(UInt32 seed) {
  draw_from(seed + 190000);
  unit = unit_of("augn", "afpl");
  outputs = 1 + draw(3);
  count = line_count = is_started = end_counts[0] = end_counts[1] = 0, *difference = 0, position = 0;
  need(set_format(unit, kAudioUnitScope_Output, 0, planar(48000, outputs)), "format");
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFileIDs, 0, 0, files_of, sizeof files_of), "files");
  if (once_in(2)) schedule(0);
  need(AudioUnitInitialize(unit), "initialize");
  SInt64 now = draw(3) * 1000, former = now - 1;
  for (int at = (int)draw(6); at >= 0; --at) schedule(0);
  const UInt32 primed = draw(3) * 600;
  if (once_in(2)) need(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFilePrime, 0, 0, &primed, sizeof primed), "prime");
  const int calls = 20, restarts = once_in(2), jumps = once_in(3), leaps = once_in(3);
  for (int call = 0; call < calls && !*difference; ++call) {
    const UInt32 frames = 1 + draw(once_in(3) ? 1000 : 200);
    if (jumps && once_in(6)) now += (SInt64)draw(600) - 200;
    if (leaps && once_in(4)) now += 4000 + (SInt64)draw(12000);
    // The same time again is the same call, for another one that reads it.
    now += now == former;
    if (is_started ? restarts && once_in(5) : once_in(2)) set_start(now);
    for (int at = (int)draw(3); at > 0 && once_in(2); --at) schedule(position);
    render(now, frames);
    former = now, now += frames;
    compare_ends();
    if (once_in(15)) {
      need(AudioUnitReset(unit, 0, 0), "reset");
      for (int at = line_count; at > 0; --at) finish(kAudioUnitErr_Uninitialized);
      is_started = 0, position = 0;
      compare_ends();
    }
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
  printf("seed %u: %d regions, %u channels: %s\n", (unsigned)seed, count, (unsigned)outputs, *difference ? difference : "ok");
}

void file_regions(void) {
  for (int file = 0; file < region_files; ++file) {
    char path[4096];
    snprintf(path, sizeof path, "%s%d.wav", temporary("aubench-suite-regions"), file);
    const AudioStreamBasicDescription format = pcm(48000, (UInt32)channels_of[file], 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked);
    static Float32 room[region_files * longest_file];
    CFURLRef url = url_of(path);
    AudioFileID made = NULL;
    UInt32 bytes = (UInt32)(lengths_of[file] * channels_of[file]) * 4;
    for (int frame = 0; frame < lengths_of[file]; ++frame)
      for (int channel = 0; channel < channels_of[file]; ++channel) room[frame * channels_of[file] + channel] = file_sample(file, frame, channel);
    need(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, kAudioFileFlags_EraseFile, &made), "create");
    need(AudioFileWriteBytes(made, 0, 0, &bytes, room), "write"), need(AudioFileClose(made), "close");
    need(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &files_of[file]), "open");
    CFRelease(url);
    remove(path);
  }
  for_seeds(240, regions_of);
  for (int file = 0; file < region_files; ++file) need(AudioFileClose(files_of[file]), "close");
}

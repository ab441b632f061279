// The file player: regions that are scheduled before and while it plays, their ends, start times, jumps of the clock.
#include "host.h"

static int ended;
static ScheduledAudioFileRegion regions[64];
static int region_count;

static void has_ended(void *user, ScheduledAudioFileRegion *region, OSStatus result) {
  (void)region;
  ++ended;
  printf(" end %d:%s", (int)(intptr_t)user, status_text(result));
}

static AudioFileID open_file(const char *path) {
  AudioFileID file = NULL;
  CFURLRef url = url_of(path);
  need(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file), path);
  CFRelease(url);
  return file;
}

static void schedule(AudioUnit unit, AudioFileID file, Float64 time, SInt64 start, UInt32 frames, UInt32 loops) {
  ScheduledAudioFileRegion *region = &regions[region_count];
  memset(region, 0, sizeof *region);
  region->mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  region->mTimeStamp.mSampleTime = time;
  region->mCompletionProc = has_ended;
  region->mCompletionProcUserData = (void *)(intptr_t)region_count++;
  region->mAudioFile = file;
  region->mStartFrame = start;
  region->mFramesToPlay = frames;
  region->mLoopCount = loops;
  printf("  region %d at %g: %lld+%u x%u %s\n", region_count - 1, time, (long long)start, (unsigned)frames, (unsigned)loops,
         status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFileRegion, 0, 0, region, sizeof *region)));
}

static void start_at(AudioUnit unit, Float64 time) {
  AudioTimeStamp stamp = {0};
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  stamp.mSampleTime = time;
  printf("  start at %g: %s\n", time,
         status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &stamp, sizeof stamp)));
}

static void say_time(AudioUnit unit) {
  AudioTimeStamp stamp = {0};
  UInt32 size = sizeof stamp;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_CurrentPlayTime, 0, 0, &stamp, &size);
  printf(" time %s %g", status_text(status), stamp.mSampleTime);
  size = sizeof stamp;
  memset(&stamp, 0, sizeof stamp);
  status = AudioUnitGetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &stamp, &size);
  printf(" start %s %g\n", status_text(status), stamp.mSampleTime);
}

static void prime(AudioUnit unit, UInt32 frames) {
  printf("  prime %u: %s\n", (unsigned)frames,
         status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFilePrime, 0, 0, &frames, sizeof frames)));
}

// Renders slices of a length from a time on, and says what came.
static void play(AudioUnit unit, Float64 time, UInt32 frames, int slices) {
  printf("  play %g %ux%d:", time, (unsigned)frames, slices);
  Digest sound = 0;
  long first = -1, last = -1;
  OSStatus status = noErr;
  for (int slice = 0; slice < slices && status == noErr; ++slice) {
    Planes *room = planes_of(2, frames);
    AudioTimeStamp stamp = {0};
    stamp.mFlags = kAudioTimeStampSampleTimeValid;
    stamp.mSampleTime = time + (Float64)slice * frames;
    AudioUnitRenderActionFlags flags = 0;
    status = AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list);
    if (status != noErr) break;
    for (UInt32 channel = 0; channel < 2; ++channel) sound = digest(sound, room->samples[channel], frames * 4);
    for (UInt32 frame = 0; frame < frames; ++frame) {
      if (room->samples[0][frame] == 0 && room->samples[1][frame] == 0) continue;
      if (first < 0) first = slice * (long)frames + frame;
      last = slice * (long)frames + frame;
    }
  }
  printf(" %s %016llx sounds %ld to %ld", status_text(status), sound, first, last);
  say_time(unit);
}

static AudioUnit made(AudioFileID *files, UInt32 count, Float64 rate, UInt32 channels) {
  AudioUnit unit = unit_of("augn", "afpl");
  region_count = ended = 0;
  need(set_format(unit, kAudioUnitScope_Output, 0, planar(rate, channels)), "format");
  need(set_uint(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 2048), "maximum");
  printf("  files %s\n", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFileIDs, 0, 0, files, count * (UInt32)sizeof *files)));
  return unit;
}

static void end(AudioUnit unit) {
  printf("  dispose");
  need(AudioComponentInstanceDispose(unit), "dispose");
  printf(" ended %d\n", ended);
}

// Sample times that hold and such that do not, of a region and of the start: what is played, and when.
static void stamped(AudioFileID file) {
  static const Float64 times[] = {-1, 0, 300, 300.5, -300, 1e18, NAN};
  for (int flags = 0; flags < 4; ++flags) {
    for (size_t at = 0; at < sizeof times / sizeof times[0]; ++at) {
      AudioFileID files[] = {file};
      AudioUnit unit = made(files, 1, 44100, 2);
      need(AudioUnitInitialize(unit), "initialize");
      ScheduledAudioFileRegion region = {.mTimeStamp = {.mSampleTime = times[at], .mFlags = (AudioTimeStampFlags)flags}, .mAudioFile = file, .mStartFrame = 10, .mFramesToPlay = 200};
      const AudioTimeStamp start = {.mSampleTime = at % 2 ? times[at] : 100, .mFlags = (AudioTimeStampFlags)(3 - flags)};
      printf("  flags %d, %g: region %s", flags, times[at], status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFileRegion, 0, 0, &region, sizeof region)));
      printf(" start %s\n", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, &start, sizeof start)));
      play(unit, 0, 500, 2);
      end(unit);
    }
  }
}

static void before_initialize(AudioFileID *files) {
  printf("before it is initialized\n");
  AudioUnit unit = made(files, 2, 44100, 2);
  schedule(unit, files[2], 0, 0, 10, 0);
  schedule(unit, files[0], 100, -1, 10, 0);
  schedule(unit, files[0], 100, 1000, 300, 2);
  prime(unit, 0);
  say_time(unit);
  start_at(unit, -1);
  need(AudioUnitInitialize(unit), "initialize");
  prime(unit, 0);
  play(unit, 0, 500, 3);
  schedule(unit, files[0], 100, -5, 10, 0);
  end(unit);
}

static void dropped(AudioFileID *files) {
  printf("dropped before it is initialized, and a start that a reset drops\n");
  AudioUnit unit = made(files, 2, 44100, 2);
  schedule(unit, files[0], 0, 0, 100, 0);
  schedule(unit, files[1], 100, 0, 100, 0);
  start_at(unit, 0);
  printf("  reset %s", status_text(AudioUnitReset(unit, 0, 0)));
  say_time(unit);
  schedule(unit, files[0], 0, 0, 100, 0);
  need(AudioUnitInitialize(unit), "initialize");
  play(unit, 0, 500, 2);
  start_at(unit, 1200);
  printf("  reset %s", status_text(AudioUnitReset(unit, 0, 0)));
  say_time(unit);
  schedule(unit, files[0], 0, 0, 100, 0);
  play(unit, 1000, 500, 2);
  start_at(unit, -1);
  play(unit, 2000, 500, 1);
  end(unit);
  unit = made(files, 2, 44100, 2);
  schedule(unit, files[0], 0, 0, 100, 0);
  end(unit);
}

static void in_slices(AudioFileID *files) {
  static const UInt32 slices[] = {1, 64, 500, 512, 2048};
  for (size_t index = 0; index < sizeof slices / sizeof slices[0]; ++index) {
    printf("slices of %u\n", (unsigned)slices[index]);
    AudioUnit unit = made(files, 4, 44100, 2);
    need(AudioUnitInitialize(unit), "initialize");
    // One behind the other, one too early for the one before it, mono, other rates, longer than the file, none at all.
    schedule(unit, files[0], 0, 5, 700, 0);
    schedule(unit, files[1], 300, 2000, 511, 3);
    schedule(unit, files[2], 4000, 100, 800, 1);
    schedule(unit, files[3], 4001, 30, 200, 0);
    schedule(unit, files[0], 9000, 1ll << 40, 200, 0);
    schedule(unit, files[0], 9000, 17, 0, 0);
    schedule(unit, files[1], 9500, 3, 1, 99);
    prime(unit, 4096);
    start_at(unit, 256);
    play(unit, 0, slices[index], (int)(12288 / slices[index]));
    printf("  ended %d\n", ended);
    end(unit);
  }
}

static void while_it_plays(AudioFileID *files) {
  printf("while it plays\n");
  AudioUnit unit = made(files, 4, 44100, 2);
  need(AudioUnitInitialize(unit), "initialize");
  play(unit, 0, 500, 2);
  schedule(unit, files[0], -1, 0, UINT32_MAX, 0);
  start_at(unit, -1);
  play(unit, 1000, 500, 3);
  start_at(unit, 5000);
  play(unit, 2500, 500, 2);
  start_at(unit, 100);
  play(unit, 3500, 500, 2);
  schedule(unit, files[1], 100, 0, 600, UINT32_MAX);
  printf("  a jump ahead, and one back\n");
  play(unit, 90000, 500, 2);
  play(unit, 400, 500, 2);
  play(unit, 4e18, 500, 2);
  play(unit, -4e18, 500, 2);
  play(unit, 0, 0, 1);
  play(unit, 400000, 500, 8);
  printf("  reset %s", status_text(AudioUnitReset(unit, 0, 0)));
  say_time(unit);
  play(unit, 0, 500, 1);
  schedule(unit, files[1], 10, 40, 300, 0);
  start_at(unit, NAN);
  play(unit, 500, 500, 2);
  schedule(unit, files[1], 10000, 40, 300, 0);
  printf("  uninitialize %s", status_text(AudioUnitUninitialize(unit)));
  say_time(unit);
  need(AudioUnitInitialize(unit), "initialize");
  play(unit, 0, 500, 1);
  schedule(unit, files[1], 10, 40, 300, 0);
  start_at(unit, 0.4);
  play(unit, 0, 500, 2);
  end(unit);
}

static void through_formats(AudioFileID *files) {
  printf("through other formats\n");
  for (UInt32 channels = 1; channels < 4; channels += 2) {
    for (int rate = 0; rate < 2; ++rate) {
      AudioUnit unit = made(files, 4, rate ? 96000 : 22050, channels);
      need(AudioUnitInitialize(unit), "initialize");
      for (int file = 0; file < 4; ++file) schedule(unit, files[file], file * 3000, 64 * file, 1000, 0);
      start_at(unit, 0);
      // The list has two buffers at least.
      Digest sound = 0;
      for (int slice = 0; slice < 20; ++slice) {
        Planes *room = planes_of(channels, 700);
        AudioTimeStamp stamp = {0};
        stamp.mFlags = kAudioTimeStampSampleTimeValid;
        stamp.mSampleTime = slice * 700;
        AudioUnitRenderActionFlags flags = 0;
        need(AudioUnitRender(unit, &flags, &stamp, 0, 700, room->list), "render");
        for (UInt32 channel = 0; channel < channels; ++channel) sound = digest(sound, room->samples[channel], 2800);
      }
      printf(" %u channels at %d: %016llx\n", (unsigned)channels, rate ? 96000 : 22050, sound);
      end(unit);
    }
  }
}

static void no_files(AudioFileID *files) {
  printf("files\n");
  AudioUnit unit = made(files, 0, 44100, 2);
  schedule(unit, files[0], 0, 0, 10, 0);
  AudioFileID none = (AudioFileID)(intptr_t)77;
  printf("  none %s\n", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduledFileIDs, 0, 0, &none, sizeof none)));
  end(unit);
}

void player(void) {
  AudioFileID files[] = {open_file("../audio/drums.flac"), open_file("../audio/bass.flac"), open_file("../audio/tabla-48000.flac"),
                         open_file("../audio/crow-22050.flac")};
  before_initialize(files);
  dropped(files);
  printf("stamps\n");
  stamped(files[0]);
  in_slices(files);
  while_it_plays(files);
  through_formats(files);
  no_files(files);
  for (int file = 0; file < 4; ++file) printf(" close %s\n", status_text(AudioFileClose(files[file])));
}

// A unit of the simulated hardware that is started, stopped and started again: what the microphone records and what the program plays are others in
// each run, and the hardware's rate may be another too. Nothing of a run may be heard in a later one, neither by the program nor at the loudspeaker:
// a silent run is silent to the bit, a loud one has its own level.
#include <aubench/DeviceScenario.h>
#include <unistd.h>

#include "drawn.h"

enum { most_runs = 6, most_recorded = 48000, most_channels_here = 2, most_parts = 8, most_bytes = 4 << 20 };

typedef struct Run {
  // Seconds from the scenario's beginning; the microphone and the hardware change between two runs.
  Float64 start, end, changes, rate, frequency;
  // The level of the tone at the microphone, and the constant that is played; 0: silence.
  Float32 recorded, played;
} Run;

static Run runs[most_runs];
static int run_count, present, inputs, is_zero, plays, records;
static Float64 hardware_rate, app_rate;
static AudioUnit unit;
static Float32 heard[most_recorded];
static int heard_count;
static char difference[200];

static void differ(const char *text, int run, double at, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "run %d, %s %g: %g, expected %g", run + 1, text, at, found, expected);
}

static OSStatus play(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames, AudioBufferList *list) {
  (void)user, (void)flags, (void)stamp, (void)bus;
  for (UInt32 buffer = 0; buffer < list->mNumberBuffers; ++buffer)
    for (UInt32 frame = 0; frame < frames; ++frame) ((Float32 *)list->mBuffers[buffer].mData)[frame] = runs[present].played;
  return noErr;
}

static OSStatus record(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames, AudioBufferList *none) {
  (void)user, (void)none;
  static Float32 rooms[most_channels_here][most_frames];
  static struct {
    UInt32 count;
    AudioBuffer buffers[most_channels_here];
  } list;
  // Some are left where they are.
  if (frames > most_frames || once_in(40)) return noErr;
  list.count = (UInt32)inputs;
  for (int channel = 0; channel < inputs; ++channel) list.buffers[channel] = (AudioBuffer){1, frames * 4, rooms[channel]};
  const OSStatus status = AudioUnitRender(unit, flags, stamp, bus, frames, (AudioBufferList *)&list);
  if (status != noErr) differ("a pull at frame", present, stamp->mSampleTime, status, noErr);
  for (UInt32 frame = 0; frame < frames && heard_count < most_recorded; ++frame) heard[heard_count++] = rooms[inputs - 1][frame];
  return noErr;
}

static void judge_heard(void) {
  const Run *run = &runs[present];
  double sum = 0;
  int count = 0;
  for (int at = 0; at < heard_count; ++at) {
    if (run->recorded == 0 ? heard[at] != 0 : fabsf(heard[at]) > 1.4f * run->recorded) differ("recorded frame", present, at, heard[at], run->recorded);
    if (at > 0.1 * app_rate) sum += (double)heard[at] * heard[at], ++count;
  }
  if (heard_count == 0) differ("frames recorded", present, 0, 0, 1);
  const double level = count ? sqrt(2 * sum / count) : 0;
  if (run->recorded > 0 && fabs(level - run->recorded) > 0.1 * run->recorded) differ("level recorded behind", present, 0.1, level, run->recorded);
}

static int write_microphone(FILE *file, const Run *run) {
  if (run->recorded == 0) return fprintf(file, "\"microphone\": { \"type\": \"silence\" }");
  return fprintf(file, "\"microphone\": { \"type\": \"tone\", \"frequency\": %g, \"level\": %.12g }", run->frequency, 20 * log10(run->recorded));
}

static void draw_runs(UInt32 seed) {
  static const Float64 rates[] = {16000, 22050, 32000, 44100, 48000};
  draw_from(seed + 190000);
  *difference = 0;
  hardware_rate = rates[draw(5)], app_rate = once_in(4) ? hardware_rate : rates[draw(5)];
  inputs = 1 + (int)draw(most_channels_here), is_zero = once_in(2);
  plays = !once_in(4), records = !plays || !once_in(4);
  run_count = 3 + (int)draw(most_runs - 2);
  Float64 now = 0;
  for (int at = 0; at < run_count; ++at) {
    Run *run = &runs[at];
    *run = (Run){.changes = now + 0.05, .start = now + 0.1, .end = now + 0.1 + draw_between(0.15, 0.3), .frequency = draw_between(300, 900)};
    run->recorded = once_in(2) ? 0 : (Float32)draw_between(0.2, 0.6), run->played = once_in(2) ? 0 : (Float32)draw_between(0.2, 0.6);
    // Behind a loud one often a silent one.
    if (at > 0 && runs[at - 1].recorded > 0 && !once_in(3)) run->recorded = 0;
    if (at > 0 && runs[at - 1].played > 0 && !once_in(3)) run->played = 0;
    run->rate = at > 0 && once_in(3) ? rates[draw(5)] : at > 0 ? runs[at - 1].rate : hardware_rate;
    now = run->end;
  }
}

static void write_scenario(const char *path, UInt32 seed) {
  FILE *file = fopen(path, "w");
  need(file ? noErr : -1, "scenario");
  fprintf(file, "{ \"version\": 1, \"device\": { \"clock\": \"told\", \"sampleRate\": %g, \"inputChannels\": %d, \"outputChannels\": 2, \"slices\": [%u, %u] },\n", hardware_rate, inputs, 40 + (unsigned)draw(200), 40 + (unsigned)draw(200));
  fprintf(file, "\"loudspeaker\": { \"file\": \"aubench-suite-restarts%u.wav\" }, ", (unsigned)seed);
  write_microphone(file, &runs[0]);
  fprintf(file, ",\n\"events\": [");
  for (int at = 1; at < run_count; ++at) {
    fprintf(file, "%s\n{ \"at\": %.6f, ", at > 1 ? "," : "", runs[at].changes);
    write_microphone(file, &runs[at]);
    fprintf(file, " }");
    if (runs[at].rate != runs[at - 1].rate) fprintf(file, ",\n{ \"at\": %.6f, \"route\": { \"blocked\": 0, \"sampleRate\": %g } }", runs[at].changes, runs[at].rate);
  }
  fprintf(file, "] }\n");
  fclose(file);
}

// The samples of one of the loudspeaker's files, which begins at a time. Beside the edges of runs a cycle and a conversion have room.
static void judge_file(const char *path, Float64 begins, Float64 rate) {
  static unsigned char bytes[most_bytes];
  FILE *file = fopen(path, "rb");
  if (file == NULL) { differ("a file from", 0, begins, 0, 1); return; }
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  unlink(path);
  size_t at = 12;
  UInt32 length = 0;
  for (; at + 8 <= size; at += 8 + length) {
    memcpy(&length, bytes + at + 4, 4);
    if (memcmp(bytes + at, "data", 4) == 0) break;
  }
  for (size_t frame = 0; at + 16 + 8 * frame <= size && frame < length / 8; ++frame) {
    Float32 sample;
    memcpy(&sample, bytes + at + 8 + 8 * frame, 4);
    const Float64 time = begins + (Float64)frame / rate;
    // The loudest that may be heard there, and how far the sound may be from it.
    Float32 expected = 0, most = 0;
    for (int run = 0; run < run_count && plays; ++run) {
      if (time < runs[run].start - 0.045 || time > runs[run].end + 0.045 || runs[run].played <= expected) continue;
      const int is_settled = time > runs[run].start + 0.08 && time < runs[run].end - 0.03;
      expected = runs[run].played, most = is_settled ? 2e-3f : 1.3f * expected;
    }
    // A clock that goes on: what a conversion had read ahead at the end of a run is heard at the beginning of the next.
    for (int run = 1; run < run_count && plays && !is_zero; ++run)
      if (runs[run].rate != app_rate && time > runs[run].start - 0.03 && time < runs[run].start + 0.05 && runs[run - 1].played > expected) expected = runs[run - 1].played, most = 1.3f * expected;
    if (expected == 0 ? sample != 0 : fabsf(sample - expected) > most) { differ("played at", present, time, sample, expected); return; }
  }
}

static void restart_of(UInt32 seed) {
  draw_runs(seed);
  char path[4096];
  snprintf(path, sizeof path, "%s", temporary("aubench-suite-restarts.json"));
  write_scenario(path, seed);
  need(AUBenchDeviceFollowScenario(path), "scenario");
  unit = unit_of("auou", "rioc");
  const AURenderCallbackStruct playing = {play, NULL}, recording = {record, NULL};
  need(set_uint(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, (UInt32)records), "input");
  need(set_uint(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, (UInt32)plays), "output");
  need(set_format(unit, kAudioUnitScope_Input, 0, planar(app_rate, 2)), "format played");
  need(set_format(unit, kAudioUnitScope_Output, 1, planar(app_rate, (UInt32)inputs)), "format recorded");
  need(set_uint(unit, kAudioOutputUnitProperty_StartTimestampsAtZero, 0, 0, (UInt32)is_zero), "start");
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &playing, sizeof playing), "play");
  need(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, 0, 1, &recording, sizeof recording), "record");
  need(AudioUnitInitialize(unit), "initialize");
  for (present = 0; present < run_count; ++present) {
    // Time moves by whole cycles.
    need(AUBenchDeviceAdvance(runs[present].start - AUBenchDeviceGetSeconds()), "advance");
    heard_count = 0;
    need(AudioOutputUnitStart(unit), "start");
    need(AUBenchDeviceAdvance(runs[present].end - AUBenchDeviceGetSeconds()), "advance");
    need(AudioOutputUnitStop(unit), "stop");
    if (records) judge_heard();
  }
  present = 0;
  need(AUBenchDeviceAdvance(0.05), "advance");
  need(AudioComponentInstanceDispose(unit), "dispose");
  need(AUBenchDeviceFollowScenario(NULL), "no scenario");
  unlink(path);
  int files = 0;
  for (int at = 0; at < run_count; ++at) {
    if (at > 0 && runs[at].rate == runs[at - 1].rate) continue;
    char name[100];
    ++files;
    snprintf(name, sizeof name, files > 1 ? "aubench-suite-restarts%u-%d.wav" : "aubench-suite-restarts%u.wav", (unsigned)seed, files);
    judge_file(temporary(name), at ? runs[at].changes : 0, runs[at].rate);
  }
  printf("seed %u: %s%s at %g, %d runs from %g Hz on: %s\n", (unsigned)seed, records ? "records " : "", plays ? "plays" : "", app_rate, run_count, hardware_rate, *difference ? difference : "ok");
}

void restarts(void) { for_seeds(40, restart_of); }

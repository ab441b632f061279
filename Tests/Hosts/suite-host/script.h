// Scripts of simulated hardware that are drawn from a seed, and a plain model of their time: see script.c.
#ifndef SUITE_HOST_SCRIPT_H
#define SUITE_HOST_SCRIPT_H

#include "drawn.h"

enum { most_script_events = 12, most_heard = 8192, most_script_channels = 6, most_files = 12, most_file_frames = 200000 };

typedef enum Change { other_slices, other_route, other_drift, other_cost, other_lateness, other_volume, other_sound, other_groups, a_break, a_break_end, changes } Change;

typedef struct ScriptEvent {
  Change change;
  Float64 seconds, value, rate;
  int slices[4], slice_count, callbacks;
} ScriptEvent;

// A call of the program: 0 for output, 1 for input, 2 a render notify before a cycle's output.
typedef struct Heard {
  int kind;
  UInt32 bus, frames;
  AudioTimeStamp stamp;
  Float64 spent;
  // Frames of the microphone, one channel: they are the same on all.
  Float32 *samples;
  int differs, is_left;
  // How many of them it has read: some are left, or more are asked for than there are.
  UInt32 got;
} Heard;

typedef struct Script {
  UInt32 seed;
  // Drawn from the seed.
  Float64 rate, app_rate, tone, level, cost, echo_delay, echo_gain;
  int channels, app_channels, inputs, map[most_script_channels], has_map, has_echo, has_groups, is_voice, records, plays_sound, microphone_file, starts_at_zero;
  int slices[4], slice_count;
  ScriptEvent events[most_script_events];
  int event_count;
  // Calls of the unit so far.
  Heard heard[most_heard];
  int heard_count;
  UInt32 plays;
  // Cycles whose input is still to be left.
  int leaves;
  AudioUnit unit;
  // How often listeners were told that it runs or does not, and of either format on the hardware's side.
  int told_running, told_formats[2];
  char difference[400];
} Script;
extern Script script;

typedef struct File {
  Float64 rate;
  int frames, settled;
  // The samples of the file, and nonzero where the model knows them.
  Float32 *samples[most_script_channels];
  unsigned char *is_known;
} File;
extern File played_files[most_files];
extern int file_count;

static const char *const microphone_wave = "aubench-suite-script-in.wav";
// Seconds of the file at the microphone, and its rate.
enum { wave_seconds = 6, wave_rate = 16000 };

extern Float32 played_sample(Float64 place, int channel);
extern void script_differs(const char *text, double found, double expected);
extern void begin_model(void);
extern void model_opens(void);
extern void model_starts(void);
extern void model_stops(void);
extern int model_is_running(void);
extern int model_is_interrupted(void);
extern Float64 model_seconds(void);
extern int model_running_changes(void), model_format_changes(void);
extern void model_advance(Float64 seconds);
extern void end_model(void);

#endif

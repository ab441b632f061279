// The time of a script, cycle by cycle: docs/laws/devices.md. Nanoseconds are whole, frames are counted from the start of
// a rate.
#include "script.h"

File played_files[most_files];
int file_count;

static const double hour = 3600e9;
static struct {
  Float64 rate, ppm, volume;
  // The beginning of a stretch of one rate and drift: script's time, host's time; and its frames so far.
  double start, host_start;
  SInt64 frames;
  double target;
  int next_event, slice, is_interrupted, is_blocked;
  int slices[4], slice_count;
  double blocked_until, busy_until, lateness, cost;
  const ScriptEvent *route;
  // Callbacks in groups: how many, the pause, which one is next; the first's time, the time between two, and how much later
  // than its cycle's end each may be done.
  int group, place_in_group, is_new_run;
  double pause, first_call, spacing, group_slack;
  // The run of the unit.
  int is_running, had_run, running_changes, format_changes;
  // The rate that the unit was set up for.
  Float64 unit_rate;
  SInt64 clock;
  Float64 clock_rate;
  // The microphone: seconds at former rates, and frames at this one.
  Float64 tone, source_seconds;
  // Counts the sounds that began at another place of the unit's clock; true behind frames of the microphone that nobody could
  // have heard.
  int sound_number, has_lost;
  SInt64 source_frames;
  int has_file;
  int heard;
  // Output behind a conversion: the next frame of the program, and the place of a frame of the hardware.
  int has_pulled;
  SInt64 next_clock;
  Float64 next_pull, first_pull, first_frame;
  int settles;
  // Seconds that the conversion of this rate has read ahead. True where that of the rate before had: the frame of the
  // hardware before which nothing is asked for, and true where nothing has come between.
  Float64 ahead, slack;
  int is_ahead, is_followed;
  SInt64 silent_before;
} model;

int model_is_running(void) { return model.is_running; }
int model_is_interrupted(void) { return model.is_interrupted; }

int model_running_changes(void) { return model.running_changes; }
int model_format_changes(void) { return model.format_changes; }

static double now(void) { return model.start + floor((double)model.frames * 1e9 / model.rate + 0.5); }
static double host(void) { return model.host_start + rint((double)model.frames * 1e9 / (model.rate * (1 + model.ppm * 1e-6))); }
Float64 model_seconds(void) { return now() / 1e9; }
static double nanoseconds(double seconds) { return rint(seconds * 1e9); }
static SInt64 convert(SInt64 frames, Float64 from, Float64 to) { return (SInt64)floor((double)frames * to / from + 0.5); }

// The frame of another rate at the same time; no frame of the former rate is met twice.
static SInt64 at_rate(SInt64 frame, Float64 former, Float64 rate) {
  if (former == rate) return frame;
  const SInt64 nearest = convert(frame, former, rate);
  return convert(nearest, rate, former) < frame ? nearest + 1 : nearest;
}

static void begin_file(void) {
  if (file_count == most_files) return;
  File *file = &played_files[file_count++];
  *file = (File){.rate = model.rate, .is_known = calloc(most_file_frames, 1)};
  for (int channel = 0; channel < script.channels; ++channel) file->samples[channel] = calloc(most_file_frames, sizeof(Float32));
}

// The unit is initialized at this rate.
void model_opens(void) { model.unit_rate = model.rate; }

void begin_model(void) {
  memset(&model, 0, sizeof model);
  model.sound_number = 1000 * (int)script.seed;
  model.rate = script.rate, model.volume = 1, model.host_start = hour, model.cost = 0;
  memcpy(model.slices, script.slices, sizeof model.slices), model.slice_count = script.slice_count;
  model.tone = script.tone, model.has_file = script.microphone_file;
  file_count = 0;
  begin_file();
}

void end_model(void) {
  for (int number = 0; number < file_count; ++number) {
    free(played_files[number].is_known);
    for (int channel = 0; channel < script.channels; ++channel) free(played_files[number].samples[channel]);
  }
  for (int at = 0; at < script.heard_count; ++at) free(script.heard[at].samples);
}

// The unit takes another rate of the hardware over, and tells of it.
static void follow_rate(void) {
  if (model.unit_rate > 0 && model.unit_rate != model.rate) ++model.format_changes;
  model.unit_rate = model.rate;
}

// A run begins at frame 0, or where the last one has ended.
void model_starts(void) {
  model.clock = script.starts_at_zero || !model.had_run ? 0 : at_rate(model.clock, model.clock_rate, model.rate);
  model.clock_rate = model.rate;
  model.is_running = model.had_run = model.is_new_run = 1;
  ++model.running_changes;
  follow_rate();
  ++model.sound_number;
  if (script.starts_at_zero) model.is_ahead = model.is_followed = 0;
}

static void begin_stretch(void) {
  const double time = now(), host_time = host();
  model.start = time, model.host_start = host_time, model.frames = 0;
}

static void change_rate(Float64 rate) {
  if (rate == model.rate) return;
  ++model.sound_number;
  const SInt64 before = model.clock;
  begin_stretch();
  model.source_seconds += model.source_frames / model.rate, model.source_frames = 0;
  if (model.is_running) model.clock = at_rate(model.clock, model.clock_rate, rate), model.clock_rate = rate;
  // A unit that does not run takes the rate over when it is started.
  model.is_ahead = model.rate != script.app_rate && model.had_run;
  // In a short stretch it has not been seen how far.
  model.slack = (model.ahead > 0 ? 0.002 : 0.06) * rate;
  model.silent_before = at_rate(model.clock, model.clock_rate, rate) + (SInt64)ceil(model.ahead * rate);
  model.is_followed = model.is_running && model.has_pulled && model.next_clock == before;
  model.ahead = 0;
  model.rate = rate, model.slice = 0, model.is_new_run = 1;
  if (model.is_running) follow_rate();
  model.has_pulled = 0, model.settles = 1200;
  begin_file();
}

static void apply(const ScriptEvent *event) {
  switch (event->change) {
    case other_slices: memcpy(model.slices, event->slices, sizeof model.slices), model.slice_count = event->slice_count, model.slice = 0; break;
    case other_route:
      model.blocked_until = fmax(model.blocked_until, now() + nanoseconds(event->value));
      model.route = event;
      break;
    case other_drift: begin_stretch(), model.ppm = event->value; break;
    case other_cost: model.cost = nanoseconds(event->value); break;
    case other_lateness: model.lateness = nanoseconds(event->value); break;
    case other_volume: model.volume = event->value; break;
    case other_sound: model.tone = event->value, model.source_seconds = 0, model.source_frames = 0, model.has_file = 0, ++model.sound_number; break;
    case other_groups: model.group = event->callbacks > 1 ? event->callbacks : 0, model.pause = nanoseconds(event->value), model.place_in_group = 0; break;
    case a_break: model.running_changes += model.is_running, model.is_interrupted = 1, model.is_running = 0; break;
    default: model.is_interrupted = 0; break;
  }
}

static void finish_route(void) {
  if (model.route == NULL || now() < model.blocked_until) return;
  const Float64 rate = model.route->rate;
  model.route = NULL;
  change_rate(rate);
}

// MARK: Calls

static void differ(const char *text, double found, double expected) { script_differs(text, found, expected); }

static void judge_stamp(const Heard *heard, double time, double host_time, double slack) {
  if (heard->stamp.mSampleTime != time) differ(heard->kind == 1 ? "sample time of input" : "sample time of output", heard->stamp.mSampleTime, time);
  if (fabs((double)heard->stamp.mHostTime - host_time) > slack) differ(heard->kind == 1 ? "host time of input" : "host time of output", (double)heard->stamp.mHostTime, host_time);
  const double scalar = 1 / (1 + model.ppm * 1e-6);
  if (fabs(heard->stamp.mRateScalar - scalar) > 1e-12) differ("rate scalar", heard->stamp.mRateScalar, scalar);
  if ((heard->stamp.mFlags & 7) != 7) differ("flags of a stamp", heard->stamp.mFlags, 7);
}

static const Heard *next_heard(int kind) {
  if (model.heard >= script.heard_count || script.heard[model.heard].kind != kind) return NULL;
  return &script.heard[model.heard++];
}

// The loudspeaker's sound so many frames ago, the mean of its channels; silence before this rate.
static double played_before(int frame) {
  const File *file = &played_files[file_count - 1];
  double sum = 0;
  if (frame < 0) return 0;
  for (int channel = 0; channel < script.channels; ++channel) sum += file->samples[channel][frame];
  return sum / script.channels;
}

// Behind a conversion a tone is a tone of that frequency, whatever its level and phase: these are found in a stretch of
// frames, and hold in all that follow. They are the same behind frames that were left: what is recorded is late by so much.
static void judge_tone(const Heard *heard) {
  static double sums[5], sine, cosine;
  static SInt64 next;
  static int count;
  static double tone, former_sine, former_cosine;
  static int number = -1, is_rough;
  // The frames that the conversions read ahead come first.
  const int settles = (int)(0.1 * script.app_rate), fits = settles / 2;
  if (heard->samples == NULL || script.has_echo || model.has_file) {
    next = -1;
    return;
  }
  const SInt64 first = (SInt64)heard->stamp.mSampleTime;
  if (first != next || tone != model.tone || model.is_new_run) count = 0, is_rough = model.has_lost, model.is_new_run = model.has_lost = 0, memset(sums, 0, sizeof sums);
  tone = model.tone, next = first + heard->got;
  // Times of frames are rounded at both rates.
  const double most = 3e-3 + 2 * M_PI * tone * script.level * (1 / script.app_rate + 1 / model.rate), edge = 120 * fmax(1, script.app_rate / model.rate);
  for (UInt32 frame = 0; frame < heard->frames && frame < heard->got; ++frame, ++count) {
    const double phase = 2 * M_PI * tone * (double)(first + frame) / script.app_rate, s = sin(phase), c = cos(phase), y = heard->samples[frame];
    // Behind frames that were left it goes on as before, but for the edge of the conversion.
    if (number == model.sound_number && !is_rough && count < settles + fits && count >= edge && fabs(y - former_sine * s - former_cosine * c) > most) differ("the tone behind frames that were left", y, former_sine * s + former_cosine * c);
    if (count < settles) continue;
    if (count < settles + fits) {
      sums[0] += s * s, sums[1] += s * c, sums[2] += c * c, sums[3] += s * y, sums[4] += c * y;
      const double det = sums[0] * sums[2] - sums[1] * sums[1];
      if (det == 0) continue;
      sine = (sums[3] * sums[2] - sums[4] * sums[1]) / det, cosine = (sums[4] * sums[0] - sums[3] * sums[1]) / det;
      continue;
    }
    if (count == settles + fits) {
      if (number == model.sound_number && hypot(sine - former_sine, cosine - former_cosine) > most) differ("another delay of the microphone", hypot(sine - former_sine, cosine - former_cosine), 0);
      number = model.sound_number, former_sine = sine, former_cosine = cosine;
    }
    if (fabs(hypot(sine, cosine) - script.level) > 2e-3) differ("level of the tone behind a conversion", hypot(sine, cosine), script.level);
    if (fabs(y - sine * s - cosine * c) > 3e-3) differ("the tone behind a conversion", y, sine * s + cosine * c);
  }
}

static void judge_input(int frames) {
  const Heard *heard = next_heard(1);
  if (heard == NULL) {
    differ("no callback for input, of frames", 0, frames);
    return;
  }
  const SInt64 first = convert(model.clock, model.rate, script.app_rate), end = convert(model.clock + frames, model.rate, script.app_rate);
  judge_stamp(heard, (double)first, host(), 1);
  if (heard->frames != end - first) differ("frames of input", heard->frames, (double)(end - first));
  if (heard->bus != 1) differ("bus of input", heard->bus, 1);
  if (heard->samples == NULL && !heard->is_left) differ("input cannot be rendered", 0, 1);
  if (heard->differs) differ("channels of the microphone differ", 1, 0);
  if (model.rate != script.app_rate) judge_tone(heard);
  if (heard->samples == NULL || model.rate != script.app_rate) return;
  const File *file = &played_files[file_count - 1];
  const int delay = (int)fmax(frames, rint(script.echo_delay * model.rate));
  for (int frame = frames; frame < (int)heard->got; ++frame)
    if (heard->samples[frame] != 0) differ("a frame beyond those of the cycle", heard->samples[frame], 0);
  for (int frame = 0; frame < frames && frame < (int)heard->got; ++frame) {
    // A conversion of a file needs a beginning.
    if (model.has_file && model.rate != wave_rate && model.source_frames + frame < 400) continue;
    const double seconds = model.source_seconds + (model.source_frames + frame) / model.rate;
    double right = script.level * sin(2 * M_PI * model.tone * seconds);
    if (script.has_echo) right += script.echo_gain * played_before(file->frames + frame - delay);
    const double most = model.has_file ? 2e-3 + script.level * 2 * M_PI * model.tone / wave_rate : 2e-6;
    if (fabs(heard->samples[frame] - right) <= most) continue;
    char text[60];
    snprintf(text, sizeof text, "microphone, frame %d", frame);
    differ(text, heard->samples[frame], right);
    return;
  }
}

// The frames that the hardware asks the unit for in a cycle, as its render notify sees them: all, but for those that the conversion of a
// former rate had read ahead of the hardware. Those are silent, and not asked for again.
// - Returns: false where the whole cycle is left out.
static int judge_cycle(int frames, double host_time, int *silent) {
  // One of a later cycle is not of this one.
  const int is_later = model.is_ahead && model.heard < script.heard_count && script.heard[model.heard].stamp.mSampleTime >= (double)(model.clock + frames);
  const Heard *heard = is_later ? NULL : next_heard(2);
  const double least = model.is_ahead ? fmax(0, (double)(model.silent_before - model.clock) - model.slack) : 0;
  const double most = model.is_ahead ? fmax(0, (double)(model.silent_before - model.clock) + model.slack) : 0;
  *silent = heard ? (int)(heard->stamp.mSampleTime - (double)model.clock) : frames;
  if ((heard && *silent < least) || *silent > most) differ(heard ? "frames left out in front of a cycle's output" : "frames left out, all of a cycle's output", *silent, most);
  if (heard == NULL) return 0;
  model.is_ahead = 0;
  judge_stamp(heard, (double)(model.clock + *silent), host_time + floor(*silent * 1e9 / model.rate + 0.5), 2);
  if (heard->frames != (UInt32)(frames - *silent)) differ("frames of a cycle's output", heard->frames, frames - *silent);
  return 1;
}

// Calls for output at the hardware's own rate: one for the cycle.
static double judge_output(int frames, double host_time) {
  const Heard *heard = next_heard(0);
  if (heard == NULL) {
    differ("no callback for output, of frames", 0, frames);
    return 0;
  }
  judge_stamp(heard, (double)model.clock, host_time, 2);
  if (heard->frames != (UInt32)frames) differ("frames of output", heard->frames, frames);
  if (heard->bus != 0) differ("bus of output", heard->bus, 0);
  return floor(heard->spent * 1e9);
}

// At another rate: as many as the conversion needs, one behind the other.
static double judge_pulls(SInt64 clock, int frames, double host_time) {
  double spent = 0;
  const double ratio = script.app_rate / model.rate, end = (double)(clock + frames) * ratio;
  // A clock that jumps, and a new conversion, begin anew; a run that goes on where the last one ended goes on.
  if (!model.has_pulled || model.next_clock != clock) {
    const double first = (double)convert(clock, model.rate, script.app_rate);
    if (model.is_followed && first < model.next_pull - 1) differ("a frame of output is asked for again", first, model.next_pull);
    model.next_pull = model.first_pull = first, model.first_frame = (double)clock;
    model.settles = 1200;
  }
  model.has_pulled = 1, model.is_followed = 0, model.next_clock = clock + frames;
  for (const Heard *heard; (heard = next_heard(0)) != NULL;) {
    const double later = heard->stamp.mSampleTime / script.app_rate - (double)clock / model.rate;
    judge_stamp(heard, model.next_pull, host_time + fmax(0, later * 1e9), 3);
    model.next_pull += heard->frames;
    spent += floor(heard->spent * 1e9);
  }
  model.ahead = fmax(model.ahead, (model.next_pull - end) / script.app_rate);
  if (model.next_pull < end - 1) differ("frames of output behind a conversion end too early", model.next_pull, end);
  if (model.next_pull > end + 2000 * fmax(1, ratio)) differ("frames of output behind a conversion end too late", model.next_pull, end);
  return spent;
}

// MARK: A cycle

static void play_cycle(int frames, int plays, int missing, int silent) {
  File *file = &played_files[file_count - 1];
  const int is_exact = model.rate == script.app_rate;
  for (int frame = 0; frame < frames && file->frames + frame < most_file_frames; ++frame) {
    const int at = file->frames + frame;
    file->is_known[at] = 1;
    for (int channel = 0; channel < script.channels; ++channel) {
      Float32 sample = 0;
      if (plays && frame >= missing && frame >= silent && script.map[channel] >= 0) {
        const double place = is_exact ? (double)(model.clock + frame) : model.first_pull + ((double)model.clock + frame - model.first_frame) * script.app_rate / model.rate;
        sample = played_sample(place, script.map[channel]);
        // Around its beginning a conversion's sound is its own.
        if (!is_exact) file->is_known[at] = model.settles > frame ? 0 : 2;
      }
      file->samples[channel][at] = sample * (Float32)model.volume;
    }
  }
  file->frames += frames;
}

static double time_of(SInt64 frame) { return model.start + floor((double)frame * 1e9 / model.rate + 0.5); }

// When the callbacks of a cycle come if none are late: the calls of a group come after its pause, from the time on at which
// its last cycle begins.
static double planned_call(double start, double *slack) {
  *slack = 0;
  if (model.group == 0) return start;
  if (model.place_in_group == 0) {
    SInt64 frames = model.frames, last = 0;
    for (int at = 0; at < model.group; ++at) last = model.slices[(model.slice + at) % model.slice_count], frames += last;
    const double length = time_of(frames) - start;
    model.first_call = time_of(frames - last);
    model.spacing = floor((length - fmin(model.pause, length)) / (model.group - 1));
    model.group_slack = model.first_call - start + model.spacing * (model.group - 1);
  }
  *slack = model.group_slack;
  const double call = model.first_call + model.place_in_group * model.spacing;
  model.place_in_group = (model.place_in_group + 1) % model.group;
  return call;
}

static void run_cycle(void) {
  while (model.next_event < script.event_count && nanoseconds(script.events[model.next_event].seconds) <= now()) {
    apply(&script.events[model.next_event++]);
    finish_route();
  }
  const double start = now();
  double slack;
  const double planned = planned_call(start, &slack);
  const int frames = model.slices[model.slice++ % model.slice_count];
  const double end = time_of(model.frames + frames) + slack;
  const int is_blocked = start < model.blocked_until;
  const double call = fmax(start, fmax(planned + model.lateness, model.busy_until));
  const int is_lost = !is_blocked && call >= end;
  model.has_lost |= is_blocked || is_lost;
  int missing = 0, plays = 0, silent = 0;
  if (!is_blocked && !is_lost) {
    double spent = 0;
    if (model.is_running) {
      const double host_time = host() + floor((end - start) / (1 + model.ppm * 1e-6));
      if (script.records) judge_input(frames);
      plays = script.plays_sound;
      if (plays && judge_cycle(frames, host_time, &silent)) {
        const SInt64 former = model.clock;
        const double begin = host_time + floor(silent * 1e9 / model.rate + 0.5);
        model.clock += silent;
        spent = model.rate == script.app_rate ? judge_output(frames - silent, begin) : judge_pulls(model.clock, frames - silent, begin);
        model.clock = former;
      }
    }
    model.busy_until = call + spent + model.cost;
    if (model.busy_until > end) missing = (int)fmin(frames, fmax(1, floor((model.busy_until - end) * model.rate / 1e9 + 0.5)));
  }
  play_cycle(frames, plays, missing, silent);
  if (plays) model.settles -= frames;
  model.source_frames += frames;
  if (model.is_running) model.clock += frames;
  model.frames += frames;
  finish_route();
}

// A stop waits for the end of a change of route, to which a told clock goes on.
void model_stops(void) {
  model.is_running = 0;
  ++model.running_changes;
  model.target = fmax(model.target, model.blocked_until);
  while (now() < model.blocked_until) run_cycle();
}

void model_advance(Float64 seconds) {
  model.target = fmax(model.target, now()) + floor(seconds * 1e9);
  while (now() < model.target && !*script.difference) run_cycle();
  if (model.heard != script.heard_count) differ("calls", script.heard_count, model.heard);
}

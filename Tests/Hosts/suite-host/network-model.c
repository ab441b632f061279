// The course of a render call through a network of units, as the pages say it (docs/core-audio-on-linux.md, docs/laws): a plain
// second implementation, pull by pull. Behind a rate conversion it takes the engine's number of frames, and judges times,
// order and sound.
#include "network.h"

static void expect_event(EventKind kind, int index, int number, UInt32 bus, UInt32 frames, const AudioTimeStamp *stamp, UInt32 flags, double sound) {
  if (network.expected_count == most_events) return;
  network.expected[network.expected_count++] = (Event){kind, index, number, bus, frames, flags, *stamp, sound};
}

static void differ(const char *text, int node, double found, double expected) {
  if (*network.difference) return;
  snprintf(network.difference, sizeof network.difference, "node %d: %s: %.17g, expected %.17g", node, text, found, expected);
}

// MARK: Time stamps

static UInt64 host_time(const AudioTimeStamp *stamp) { return stamp->mFlags & kAudioTimeStampHostTimeValid ? stamp->mHostTime : 0; }
static UInt64 word_time(const AudioTimeStamp *stamp) { return stamp->mFlags & kAudioTimeStampWordClockTimeValid ? stamp->mWordClockTime : 0; }

// True when the stamp means a new slice; the node's time is that of the slice then.
static int tick(Node *node, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames) {
  const AudioTimeStamp *last = &node->stated;
  const int has_moved = stamp->mFlags == 0 && memcmp(&stamp->mSampleTime, &last->mSampleTime, 8) != 0;
  Float64 time = node->time + node->frames;
  int is_same;
  if (stamp->mFlags & kAudioTimeStampSampleTimeValid || has_moved) {
    time = stamp->mSampleTime;
    is_same = time == node->time;
  } else if (stamp->mFlags & kAudioTimeStampHostTimeValid) {
    is_same = host_time(stamp) == host_time(last);
  } else {
    is_same = stamp->mFlags == last->mFlags && !has_moved && memcmp(&stamp->mSampleTime, &last->mSampleTime, 8) == 0 &&
              word_time(stamp) == word_time(last) && frames == node->frames && !(node->pulled >> bus & 1);
  }
  if (is_same && node->has_slice) {
    node->pulled |= 1u << bus;
    return 0;
  }
  node->time = time, node->frames = frames, node->has_slice = frames > 0, node->stated = *stamp, node->pulled = 1u << bus;
  return 1;
}

void model_reset(Node *node) {
  node->time = 0, node->frames = 0, node->has_slice = 0, node->pulled = 0, node->silent = 0;
  memset(&node->stated, 0, sizeof node->stated);
  memset(node->line, 0, sizeof node->line);
}

// MARK: Inputs

static OSStatus model_unit(int index, UInt32 bus, const AudioTimeStamp *stamp, UInt32 frames, UInt32 *flags);

// Frames of a source at its own rate.
static OSStatus pull_source(const Node *node, int input, const AudioTimeStamp *stamp, UInt32 frames, UInt32 *flags, Float32 (*to)[longest_slice]) {
  const Source *source = &node->sources[input];
  if (frames > network.most) differ("frames of a pull", (int)(node - network.nodes), frames, network.most);
  if (frames > longest_slice) return -1;
  if (source->type == a_unit) {
    const OSStatus status = model_unit(source->index, (UInt32)source->bus, stamp, frames, flags);
    if (status != noErr) return status;
    for (int channel = 0; channel < source->channels; ++channel)
      memcpy(to[channel], network.nodes[source->index].output[channel], frames * sizeof(Float32));
    return noErr;
  }
  Feed *feed = &network.feeds[source->index];
  const UInt32 call = feed->calls[1]++;
  expect_event(a_callback, source->index, 0, (UInt32)input, frames, stamp, *flags, 0);
  const Manner manner = manner_of(source->index, call);
  const UInt64 given = feed->given[1];
  feed->given[1] += frames;
  if (manner.fails) return -7000 - source->index;
  if (manner.is_silent) *flags |= silence_flag;
  if (manner.clears_flag) *flags &= ~(UInt32)silence_flag;
  const UInt32 count = manner.is_silent ? 0 : manner.is_half ? frames / 2 : frames;
  for (int channel = 0; channel < source->channels; ++channel) {
    for (UInt32 frame = 0; frame < frames; ++frame) {
      const Float32 sample = frame < count ? feed_sample(source->index, call, given, frame, channel) : 0;
      to[channel][frame] = source->has_words ? rintf(32768 * sample) / 32768 : sample;
    }
  }
  return noErr;
}

static int is_below(const Source *source, const Event *event) {
  if (source->type == a_feed) return event->kind == a_callback && event->index == source->index;
  if (source->type == nothing) return 0;
  if (event->kind == a_notify && event->index == source->index) return 1;
  const Node *node = &network.nodes[source->index];
  for (int input = 0; input < node->inputs; ++input)
    if (is_below(&node->sources[input], event)) return 1;
  return 0;
}

static void keep(Source *source, Float32 (*from)[longest_slice], UInt32 frames) {
  const size_t held = (size_t)(source->end - source->first);
  if (held + frames > source->room) {
    source->room = 2 * (held + frames) + 4096;
    for (int channel = 0; channel < 2; ++channel) source->history[channel] = realloc(source->history[channel], source->room * sizeof(Float32));
  }
  for (int channel = 0; channel < source->channels; ++channel) memcpy(source->history[channel] + held, from[channel], frames * sizeof(Float32));
  source->end += frames;
}

// The sound at a place between frames: a sinc of 24 crossings on each side, in a Hann window.
static double sound_at(const Source *source, int channel, double place) {
  enum { reach = 24 };
  const double first = floor(place);
  double sum = 0;
  for (double at = first - reach + 1; at <= first + reach; ++at) {
    const double x = place - at;
    const double sinc = fabs(x) < 1e-12 ? 1 : sin(M_PI * x) / (M_PI * x);
    if (at < source->first || at >= source->end) continue;
    sum += source->history[channel][(size_t)(at - source->first)] * sinc * (0.5 + 0.5 * cos(M_PI * x / (reach + 1)));
  }
  return sum;
}

// Frames of a source at another rate than the node's. A conversion begins with a whole frame of its source: that is
// heard at the beginning of the first slice.
static OSStatus pull_converted(Node *node, int input, const AudioTimeStamp *stamp, UInt32 frames, UInt32 *flags, Float32 (*to)[longest_slice]) {
  static Float32 rooms[8][2][longest_slice];
  static int depth;
  Source *source = &node->sources[input];
  const int index = (int)(node - network.nodes);
  const double ratio = source->rate / node->rate, place = stamp->mSampleTime * ratio, end = (stamp->mSampleTime + frames) * ratio;
  OSStatus status = noErr;
  // A clock that jumps begins the conversion anew.
  if (stamp->mSampleTime != source->next_time) source->has_begun = 0;
  source->next_time = stamp->mSampleTime + frames;
  while (status == noErr && network.expected_count < network.actual_count) {
    const Event *event = &network.actual[network.expected_count];
    if (!is_below(source, event)) break;
    AudioTimeStamp own = {.mSampleTime = event->stamp.mSampleTime, .mFlags = kAudioTimeStampSampleTimeValid};
    if (!source->has_begun) {
      source->has_begun = 1, source->first = source->end = own.mSampleTime, source->beginning = stamp->mSampleTime;
      if (fabs(own.mSampleTime - place) > 1 + ceil(ratio)) differ("the first frame behind a conversion", index, own.mSampleTime, place);
    }
    if (own.mSampleTime != source->end) differ("a frame behind a conversion", index, own.mSampleTime, source->end);
    if (stamp->mFlags & kAudioTimeStampHostTimeValid) {
      const double seconds = own.mSampleTime / source->rate - stamp->mSampleTime / node->rate;
      own.mHostTime = stamp->mHostTime + (UInt64)fmax(0, 1e9 * seconds);
      own.mFlags |= kAudioTimeStampHostTimeValid;
      if (stamp->mFlags & kAudioTimeStampRateScalarValid) own.mRateScalar = stamp->mRateScalar, own.mFlags |= kAudioTimeStampRateScalarValid;
    }
    ++depth;
    const int before = network.expected_count;
    status = depth < 8 ? pull_source(node, input, &own, event->frames, flags, rooms[depth]) : -1;
    if (network.expected_count == before) status = -1;
    if (status == noErr) keep(source, rooms[depth], event->frames);
    --depth;
  }
  if (status != noErr) return status;
  if (source->end < end - 1) differ("frames behind a conversion end too early", index, source->end, end);
  if (source->end > end + 2600 * fmax(1, ratio)) differ("frames behind a conversion end too late", index, source->end, end);
  for (int channel = 0; channel < source->channels; ++channel)
    for (UInt32 frame = 0; frame < frames; ++frame)
      to[channel][frame] = (Float32)sound_at(source, channel, source->first + (stamp->mSampleTime + frame - source->beginning) * ratio);
  return status;
}

// MARK: Units

static Float32 gain(const Node *node, int input, int channel, int output) {
  const int channels = node->sources[input].channels;
  double map = channel == output;
  if (channels == 1 && node->channels == 2) map = output == 0 ? cos(M_PI / 4) : sin(M_PI / 4);
  if (channels == 2 && node->channels == 1) map = 0.5;
  return (Float32)(node->volumes[input] * map);
}

static void mix(Node *node, int input, UInt32 frames, Float32 (*from)[longest_slice]) {
  for (int channel = 0; channel < node->sources[input].channels; ++channel) {
    for (int output = 0; output < node->channels; ++output) {
      const Float32 factor = gain(node, input, channel, output);
      if (factor == 0) continue;
      for (UInt32 frame = 0; frame < frames; ++frame) {
        const Float32 product = factor * from[channel][frame];
        node->output[output][frame] += product;
      }
    }
  }
}

static void delay(Node *node, int channel, UInt32 frames, const Float32 *from) {
  for (UInt32 frame = 0; frame < frames; ++frame) {
    Float32 *line = node->line[channel];
    const Float32 sample = node->delay == 0 ? from[frame] : line[node->delay - 1];
    memmove(line + 1, line, (longest_delay - 1) * sizeof *line);
    line[0] = from[frame];
    node->output[channel][frame] = sample;
  }
}

// True where an input takes part.
static int is_wanted(const Node *node, int input) {
  if (node->kind != a_mixer) return 1;
  return node->sources[input].type != nothing && node->is_enabled[input] && node->volumes[input] != 0;
}

static int converts_rate(const Node *node, int input) { return node->sources[input].rate != node->rate; }

// How long an input must have been silent before the flag of silence goes out; -1: it never does.
static SInt64 ring(const Node *node) {
  for (int input = 0; input < node->inputs; ++input)
    if (converts_rate(node, input) || node->sources[input].has_words) return -1;
  return node->kind == a_delay ? node->delay : 0;
}

static OSStatus model_slice(Node *node, const AudioTimeStamp *stamp, UInt32 frames, UInt32 *flags) {
  static Float32 rooms[most_nodes][2][longest_slice];
  Float32(*room)[longest_slice] = rooms[node - network.nodes];
  static Float32 silence[longest_slice];
  const int has_own_flags = node->inputs > 1 || node->kind == a_mixer || node->kind == a_many_splitter;
  int had_silence = 0, had_sound = 0, is_without = 0;
  if (node->kind == a_mixer) memset(node->output, 0, sizeof node->output);
  for (int input = 0; input < node->inputs; ++input) {
    if (!is_wanted(node, input)) continue;
    if (node->sources[input].type == nothing) {
      // The others are pulled all the same.
      is_without = 1;
      continue;
    }
    UInt32 own = 0;
    UInt32 *used = has_own_flags ? &own : flags;
    const OSStatus status = (converts_rate(node, input) ? pull_converted : (OSStatus(*)(Node *, int, const AudioTimeStamp *, UInt32, UInt32 *, Float32(*)[longest_slice]))pull_source)(node, input, stamp, frames, used, room);
    if (status != noErr) return status;
    if (*used & silence_flag) had_silence = 1;
    else had_sound = 1;
    if (node->kind == a_mixer) mix(node, input, frames, room);
    if (node->kind == a_merger) memcpy(node->output[input], room[0], frames * sizeof(Float32));
    for (int channel = 0; channel < node->channels && node->inputs == 1; ++channel) {
      if (node->kind == a_delay) delay(node, channel, frames, room[channel]);
      else if (node->kind != a_mixer) memcpy(node->output[channel], room[channel], frames * sizeof(Float32));
    }
  }
  if (is_without) return kAudioUnitErr_NoConnection;
  for (int channel = 0; channel < node->channels && node->kind == a_mixer; ++channel)
    for (UInt32 frame = 0; frame < frames; ++frame) node->output[channel][frame] *= node->volume;
  const int is_silent = !had_sound && (has_own_flags ? had_silence : (*flags & silence_flag) != 0);
  const SInt64 before = node->silent;
  node->silent = is_silent ? before + frames : 0;
  *flags &= ~(UInt32)silence_flag;
  if (is_silent && ring(node) >= 0 && before >= ring(node)) {
    *flags |= silence_flag;
    for (int channel = 0; channel < node->channels; ++channel) memcpy(node->output[channel], silence, frames * sizeof(Float32));
  }
  return noErr;
}

static void notify(int index, UInt32 phase, UInt32 flags, UInt32 bus, UInt32 frames, const AudioTimeStamp *stamp, double sound) {
  for (int number = 0; number < network.nodes[index].notifies; ++number) {
    flags = (flags & ~(UInt32)phase_flags) | phase;
    expect_event(a_notify, index, number, bus, frames, stamp, flags, sound);
    flags ^= (UInt32)changed_flag << number;
  }
}

// The first error is kept until it is read; listeners are told of it.
void latch(Node *node, OSStatus status) {
  if (status != noErr && node->error == noErr) node->error = status, ++node->told[1];
}

static OSStatus model_unit(int index, UInt32 bus, const AudioTimeStamp *stamp, UInt32 frames, UInt32 *flags) {
  Node *node = &network.nodes[index];
  notify(index, kAudioUnitRenderAction_PreRender, *flags, bus, frames, stamp, 0);
  OSStatus status;
  if (tick(node, stamp, bus, frames)) {
    AudioTimeStamp own = *stamp;
    own.mSampleTime = node->time, own.mFlags |= kAudioTimeStampSampleTimeValid;
    status = node->failure = model_slice(node, &own, frames, flags);
  } else {
    // The slice of that time is there, as far as it goes.
    status = frames > node->frames ? kAudioUnitErr_TooManyFramesToProcess : node->failure;
  }
  latch(node, status);
  Float32 *planes[most_channels];
  for (int channel = 0; channel < node->channels; ++channel) planes[channel] = node->output[channel];
  const UInt32 phase = kAudioUnitRenderAction_PostRender | (status == noErr ? 0 : kAudioUnitRenderAction_PostRenderError);
  notify(index, phase, *flags, bus, frames, stamp, status == noErr ? sound_of(planes, node->channels, frames) : 0);
  return status;
}

OSStatus model_call(int index, UInt32 bus, const AudioTimeStamp *stamp, UInt32 frames, UInt32 *flags) {
  Node *node = &network.nodes[index];
  OSStatus status = noErr;
  const int has_time = stamp->mFlags == 0 || stamp->mFlags & kAudioTimeStampSampleTimeValid;
  if (frames > network.most) status = kAudioUnitErr_TooManyFramesToProcess;
  else if ((int)bus >= node->outputs) status = kAudioUnitErr_InvalidElement;
  else if (has_time && !(fabs(stamp->mSampleTime) <= 0x1p53)) status = kAudio_ParamError;
  if (status == noErr) return model_unit(index, bus, stamp, frames, flags);
  latch(node, status);
  return status;
}

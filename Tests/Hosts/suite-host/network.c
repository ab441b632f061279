// Drawn sessions of a host: a network of units from a seed, pulled with drawn slices and time stamps and edited
// meanwhile. What is called, in which order, with which times, frames and flags, and what sounds must be what the model
// says (network-model.c).
#include "network.h"

Network network;
UInt64 draw_state;

void for_seeds(UInt32 count, void (*run)(UInt32 seed)) {
  UInt32 first = 1, last = count;
  const char *asked = getenv("AUBENCH_HOST_SEEDS");
  if (asked != NULL && *asked) {
    first = last = (UInt32)strtoul(asked, NULL, 10);
    const char *dash = strchr(asked, '-');
    if (dash != NULL) last = (UInt32)strtoul(dash + 1, NULL, 10);
  }
  for (UInt32 seed = first; seed <= last; ++seed) run(seed);
}

// MARK: Comparison

static const char *event_text(const Event *event) {
  static char texts[2][300];
  static int next;
  char *text = texts[next++ % 2];
  snprintf(text, 300, "%s %d.%d bus %u, %u frames at %.17g (flags %x host %llu word %llu scalar %g), flags %x, sound %.17g",
           event->kind == a_callback ? "callback" : "notify", event->index, event->number, (unsigned)event->bus, (unsigned)event->frames,
           event->stamp.mSampleTime, (unsigned)event->stamp.mFlags, (unsigned long long)event->stamp.mHostTime,
           (unsigned long long)event->stamp.mWordClockTime, event->stamp.mRateScalar, (unsigned)event->flags, event->sound);
  return text;
}

static int is_same_sound(double found, double expected, UInt32 frames) {
  if (!network.is_smooth) return found == expected;
  return !network.is_settled || fabs(found - expected) <= 1e-3 * (1 + frames * 100.0);
}

static int is_same_event(const Event *found, const Event *expected) {
  const AudioTimeStamp *a = &found->stamp, *b = &expected->stamp;
  const UInt32 valid = b->mFlags;
  // Times of samples are the host's to be valid or not; those of hosts behind a conversion are rounded.
  const SInt64 apart = (SInt64)(a->mHostTime - b->mHostTime), most = network.is_smooth ? 2 : 0;
  return found->kind == expected->kind && found->index == expected->index && found->number == expected->number &&
         found->bus == expected->bus && found->frames == expected->frames && found->flags == expected->flags &&
         a->mFlags == b->mFlags && memcmp(&a->mSampleTime, &b->mSampleTime, 8) == 0 &&
         (!(valid & kAudioTimeStampHostTimeValid) || (apart <= most && apart >= -most)) &&
         (!(valid & kAudioTimeStampWordClockTimeValid) || a->mWordClockTime == b->mWordClockTime) &&
         (!(valid & kAudioTimeStampRateScalarValid) || a->mRateScalar == b->mRateScalar) &&
         is_same_sound(found->sound, expected->sound, found->frames);
}

static void compare_events(void) {
  for (int at = 0; at < network.actual_count || at < network.expected_count; ++at) {
    const Event *found = at < network.actual_count ? &network.actual[at] : NULL;
    const Event *expected = at < network.expected_count ? &network.expected[at] : NULL;
    if (found && expected && is_same_event(found, expected)) continue;
    if (*network.difference) return;
    char *text = network.difference;
    const size_t room = sizeof network.difference;
    if (!expected) snprintf(text, room, "event %d: %s, expected none", at, event_text(found));
    else if (!found) snprintf(text, room, "event %d: none, expected %s", at, event_text(expected));
    else snprintf(text, room, "event %d: %s, expected %s", at, event_text(found), event_text(expected));
    return;
  }
}

static void differ(const char *text, double found, double expected) {
  if (*network.difference) return;
  snprintf(network.difference, sizeof network.difference, "%s: %.9g, expected %.9g", text, found, expected);
}

// MARK: Calls

static AudioTimeStamp last_stamp;
static UInt32 last_frames;
static UInt64 words;

// The stamp of the next call: that behind the last, the same, another place, or one without a sample time.
static AudioTimeStamp draw_stamp(int *is_same) {
  AudioTimeStamp stamp = last_stamp;
  *is_same = 0;
  const UInt32 way = network.is_smooth ? (once_in(14) ? 7 + draw(2) : 0) : draw(14);
  stamp.mSampleTime += last_frames;
  stamp.mHostTime += 1 + last_frames * 22675ull;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  if (network.is_smooth ? network.seed % 2 : once_in(2)) stamp.mFlags |= kAudioTimeStampHostTimeValid;
  if (network.is_smooth ? network.seed % 4 == 3 : once_in(4)) stamp.mFlags |= kAudioTimeStampRateScalarValid;
  stamp.mRateScalar = 1.0001;
  switch (way) {
    case 0: case 1: case 2: case 3: break;
    case 4: case 5: case 6: *is_same = 1; return last_stamp;
    case 7: stamp.mSampleTime += 1 + draw(5000); break;
    case 8: stamp.mSampleTime -= 1 + draw(5000); break;
    case 9: stamp.mSampleTime += draw(8) / 8.0; break;
    case 10: stamp.mFlags = kAudioTimeStampHostTimeValid; break;
    case 11: stamp.mFlags = 0, stamp.mSampleTime = once_in(2) ? last_stamp.mSampleTime : stamp.mSampleTime; break;
    case 12: stamp.mFlags = kAudioTimeStampWordClockTimeValid, stamp.mWordClockTime = words += draw(2); break;
    default: stamp.mFlags = kAudioTimeStampRateScalarValid, stamp.mSampleTime = NAN; break;
  }
  return stamp;
}

typedef struct Room {
  AudioBufferList *list;
  Float32 samples[most_channels][longest_slice];
} Room;

// A list as hosts give: with memory, without, with more than is needed, in part.
static Room *draw_list(int channels, UInt32 frames) {
  static Room room;
  if (room.list == NULL) room.list = malloc(sizeof(AudioBufferList) + most_channels * sizeof(AudioBuffer));
  const UInt32 way = draw(4);
  room.list->mNumberBuffers = (UInt32)channels;
  for (int channel = 0; channel < channels; ++channel) {
    const int is_none = way == 0 || (way == 1 && once_in(2));
    memset(room.samples[channel], 0x55, sizeof room.samples[channel]);
    room.list->mBuffers[channel] = (AudioBuffer){1, frames * 4 + (way == 2 ? 12 : 0), is_none ? NULL : room.samples[channel]};
  }
  return &room;
}

static void render(int index, UInt32 bus, const AudioTimeStamp *stamp, UInt32 frames) {
  Node *node = &network.nodes[index];
  Room *room = draw_list(node->channels, frames);
  AudioUnitRenderActionFlags flags = network.is_smooth || !once_in(6) ? 0 : silence_flag;
  UInt32 expected_flags = flags;
  network.actual_count = network.expected_count = 0;
  AudioTimeStamp own = *stamp;
  const int has_flags = flags != 0 || !once_in(8);
  const OSStatus status = AudioUnitRender(node->unit, has_flags ? &flags : NULL, &own, bus, frames, room->list);
  const OSStatus expected = model_call(index, bus, stamp, frames, &expected_flags);
  compare_events();
  if (status != expected) differ("status", status, expected);
  for (int at = 0; at < network.node_count; ++at)
    if (network.nodes[at].told[0] != network.nodes[at].told[1]) differ("told of an error", network.nodes[at].told[0], network.nodes[at].told[1]);
  if (has_flags && flags != expected_flags) differ("flags", flags, expected_flags);
  if (memcmp(&own, stamp, sizeof own) != 0) differ("the stamp was changed at", own.mSampleTime, stamp->mSampleTime);
  for (int channel = 0; status == noErr && channel < node->channels; ++channel) {
    const AudioBuffer *buffer = &room->list->mBuffers[channel];
    if (buffer->mDataByteSize != frames * 4) differ("bytes", buffer->mDataByteSize, frames * 4);
    for (UInt32 frame = 0; frame < frames; ++frame) {
      const Float32 found = ((Float32 *)buffer->mData)[frame], right = node->output[channel][frame];
      if (network.is_smooth ? network.is_settled && !(fabsf(found - right) <= 1e-3f) : found != right) {
        char text[80];
        snprintf(text, sizeof text, "node %d bus %u channel %d frame %u", index, (unsigned)bus, channel, (unsigned)frame);
        differ(text, found, right);
      }
    }
  }
}

// Calls that are refused: nothing is called.
static void refuse(int index, const AudioTimeStamp *good) {
  Node *node = &network.nodes[index];
  AudioTimeStamp stamp = *good;
  UInt32 bus = 0, frames = 1 + draw(60);
  Room *room = draw_list(node->channels, frames);
  OSStatus expected = kAudio_ParamError;
  int is_latched = 1;
  AudioTimeStamp *given = &stamp;
  AudioBufferList *list = room->list;
  switch (draw(7)) {
    case 0: given = NULL, is_latched = 0; break;
    case 1: list = NULL, is_latched = 0; break;
    case 2: frames = network.most + 1 + draw(9), expected = kAudioUnitErr_TooManyFramesToProcess; break;
    case 3: bus = (UInt32)node->outputs + draw(3), expected = kAudioUnitErr_InvalidElement; break;
    case 4: room->list->mNumberBuffers += 1; break;
    case 5: room->list->mBuffers[0] = (AudioBuffer){1, frames * 4 - 1, room->samples[0]}; break;
    default: stamp.mFlags |= kAudioTimeStampSampleTimeValid, stamp.mSampleTime = once_in(2) ? NAN : 0x1.8p53; break;
  }
  network.actual_count = network.expected_count = 0;
  AudioUnitRenderActionFlags flags = 0;
  const OSStatus status = AudioUnitRender(node->unit, &flags, given, bus, frames, list);
  if (status != expected) differ("status of what is refused", status, expected);
  if (flags != 0) differ("flags of what is refused", flags, 0);
  if (is_latched) latch(node, expected);
  if (node->told[0] != node->told[1]) differ("told of an error", node->told[0], node->told[1]);
  compare_events();
}

static void ask_error(int index) {
  OSStatus found = -1;
  UInt32 size = sizeof found;
  need(AudioUnitGetProperty(network.nodes[index].unit, kAudioUnitProperty_LastRenderError, 0, 0, &found, &size), "last error");
  if (found != network.nodes[index].error) differ("last render error", found, network.nodes[index].error);
  network.nodes[index].error = noErr;
}

static void set_parameter(Node *node, UInt32 id, UInt32 scope, int element, Float32 value) {
  need(AudioUnitSetParameter(node->unit, id, scope, (UInt32)element, value, 0), "parameter");
}

// An edit between two calls.
static void edit(int index) {
  static const Float32 volumes[] = {1, 0.5, 2, -1, 0, 0.25};
  Node *node = &network.nodes[index];
  const int input = (int)draw((UInt32)node->inputs);
  Source *source = &node->sources[input];
  const UInt32 way = draw(6);
  if (way == 0 && source->type != a_unit && network.feed_count < most_feeds) {
    if (once_in(3)) unset_source(node, input);
    else set_feed(node, input);
  } else if (way == 1) {
    need(AudioUnitReset(node->unit, 0, 0), "reset");
    model_reset(node);
  } else if (way == 2 && node->kind == a_mixer) {
    set_parameter(node, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, input, node->volumes[input] = volumes[draw(6)]);
  } else if (way == 3 && node->kind == a_mixer) {
    node->is_enabled[input] = !node->is_enabled[input];
    set_parameter(node, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, input, (Float32)node->is_enabled[input]);
  } else if (way == 4 && node->kind == a_mixer) {
    set_parameter(node, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, node->volume = volumes[draw(6)]);
  } else if (way == 5 && !network.is_plain) {
    if (node->notifies == 0 || (node->notifies < 4 && once_in(2))) add_notify(index);
    else need(AudioUnitRemoveRenderNotify(node->unit, notified, notify_mark(index, --node->notifies)), "notify");
  }
}

static void session_of(UInt32 seed) {
  draw_network(seed);
  printf("seed %u: %d units, %d callbacks%s: ", (unsigned)seed, network.node_count, network.feed_count, network.is_smooth ? ", conversions" : "");
  last_stamp = (AudioTimeStamp){.mSampleTime = draw(3) * 12345.0, .mHostTime = 3600000000000ull, .mFlags = 1};
  last_frames = 0, words = 7;
  Float64 beginning = last_stamp.mSampleTime;
  int calls = 0;
  const int most_calls = network.is_smooth ? 40 : 60;
  UInt32 bus = 0, frames = 0;
  int index = 0;
  for (; calls < most_calls && !*network.difference; ++calls) {
    int is_same;
    const AudioTimeStamp stamp = draw_stamp(&is_same);
    // The same slice again: with as many frames as a rule, and of any unit and bus.
    if (!is_same || once_in(6)) frames = once_in(12) && !network.is_smooth ? 0 : 1 + draw(once_in(3) ? network.most : network.most / 5);
    if (!is_same) index = network.is_smooth || network.is_plain || !once_in(3) ? 0 : (int)draw((UInt32)network.node_count);
    bus = draw((UInt32)network.nodes[index].outputs);
    if (stamp.mSampleTime != last_stamp.mSampleTime + last_frames) beginning = stamp.mSampleTime;
    network.is_settled = network.is_smooth && stamp.mSampleTime - beginning > 0.06 * network.rate;
    render(index, bus, &stamp, frames);
    last_stamp = stamp, last_frames = frames;
    if (isnan(last_stamp.mSampleTime)) last_stamp.mSampleTime = draw(1000);
    if (once_in(7)) refuse((int)draw((UInt32)network.node_count), &stamp);
    if (once_in(2)) ask_error((int)draw((UInt32)network.node_count));
    if (!network.is_smooth && once_in(network.is_plain ? 12 : 3)) edit((int)draw((UInt32)network.node_count));
  }
  if (*network.difference) printf("call %d: %s\n", calls, network.difference);
  else printf("ok\n");
  end_network();
}

void networks(void) { for_seeds(400, session_of); }

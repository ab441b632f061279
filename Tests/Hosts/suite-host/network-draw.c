// Networks of units as a host makes them, drawn from a seed: mixers, splitters, a merger, delays, filters that are
// bypassed and converters, fed by callbacks.
#include "network.h"

static const char *const codes[kinds][2] = {{"aumx", "mcmx"}, {"aufc", "splt"}, {"aumx", "mspl"}, {"aufc", "merg"},
                                            {"aufx", "sdly"}, {"aufx", "lpas"}, {"aufc", "conv"}, {"auou", "genr"}};
static const Float64 rates[] = {44100, 48000, 22050, 32000, 96000};

Manner manner_of(int feed, UInt32 call) {
  const UInt32 word = noise(network.seed * 7919 + (UInt32)feed * 104729 + call * 31);
  if (network.is_smooth) return (Manner){.has_own_memory = word % 4 == 0};
  // Silence comes in stretches, so that delays ring out.
  const int is_silent = noise(network.seed + (UInt32)feed * 17 + call / 4) % 3 == 0;
  return (Manner){.fails = word % 23 == 0, .is_silent = is_silent, .clears_flag = !is_silent && word >> 8 & 1,
                  .has_own_memory = (word >> 9 & 3) == 0, .is_half = !is_silent && (word >> 11 & 7) == 0};
}

Float32 feed_sample(int feed, UInt32 call, UInt64 given, UInt32 frame, int channel) {
  if (network.is_smooth) {
    const double turns = (200 + 37 * feed) * (double)(given + frame) / network.feeds[feed].rate;
    return (Float32)(0.25 * sin(2 * M_PI * turns + channel));
  }
  return (Float32)((int)(noise(call * 65537 + frame * 3 + (UInt32)channel + (UInt32)feed * 7777) & 0xFFF) - 2048) / 4096;
}

// All samples in one number that depends on their places.
double sound_of(Float32 *const planes[], int channels, UInt32 frames) {
  double sum = 0;
  for (int channel = 0; channel < channels; ++channel)
    for (UInt32 frame = 0; frame < frames; ++frame) sum += planes[channel][frame] * (1 + frame % 97 + 0.5 * channel);
  return sum;
}

static Event *next_event(EventKind kind, int index, UInt32 bus, UInt32 frames, const AudioTimeStamp *stamp, UInt32 flags) {
  if (network.actual_count == most_events) return NULL;
  Event *event = &network.actual[network.actual_count++];
  *event = (Event){kind, index, 0, bus, frames, flags, *stamp, 0};
  return event;
}

static OSStatus give(void *mark, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames, AudioBufferList *list) {
  static Float32 own[most_feeds][2][longest_slice];
  const int index = (int)(intptr_t)mark;
  Feed *feed = &network.feeds[index];
  const UInt32 call = feed->calls[0]++;
  const UInt64 given = feed->given[0];
  feed->given[0] += frames;
  const Source *source = &network.nodes[feed->node].sources[feed->bus];
  const Manner manner = manner_of(index, call);
  if (next_event(a_callback, index, bus, frames, stamp, *flags) == NULL || frames > longest_slice) return -1;
  if (manner.fails) return -7000 - index;
  if (manner.is_silent) *flags |= silence_flag;
  if (manner.clears_flag) *flags &= ~(UInt32)silence_flag;
  const UInt32 count = manner.is_half ? frames / 2 : frames;
  for (UInt32 buffer = 0; buffer < list->mNumberBuffers && buffer < 2; ++buffer) {
    if (list->mBuffers[buffer].mDataByteSize != frames * (source->has_words ? 2u * (UInt32)source->channels : 4u)) return -2;
    if (manner.has_own_memory && !source->has_words) {
      memset(own[index][buffer], 0, sizeof own[index][buffer]);
      list->mBuffers[buffer].mData = own[index][buffer];
    }
    for (UInt32 frame = 0; frame < count && !manner.is_silent; ++frame) {
      if (source->has_words) {
        for (int lane = 0; lane < source->channels; ++lane)
          ((SInt16 *)list->mBuffers[buffer].mData)[frame * (UInt32)source->channels + (UInt32)lane] =
              (SInt16)lrintf(32768 * feed_sample(index, call, given, frame, lane));
      } else {
        ((Float32 *)list->mBuffers[buffer].mData)[frame] = feed_sample(index, call, given, frame, (int)buffer);
      }
    }
  }
  return noErr;
}

OSStatus notified(void *mark, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames, AudioBufferList *list) {
  const int index = (int)(intptr_t)mark / 8, number = (int)(intptr_t)mark % 8;
  Event *event = next_event(a_notify, index, bus, frames, stamp, *flags);
  if (event == NULL) return noErr;
  event->number = number;
  if ((*flags & phase_flags) == kAudioUnitRenderAction_PostRender) {
    Float32 *planes[most_channels];
    for (UInt32 at = 0; at < list->mNumberBuffers; ++at) planes[at] = list->mBuffers[at].mData;
    event->sound = sound_of(planes, (int)list->mNumberBuffers, frames);
  }
  *flags ^= (UInt32)changed_flag << number;
  return -5;
}

static void hear_error(void *mark, AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element) {
  Node *node = &network.nodes[(intptr_t)mark / 8];
  node->told[0] += unit == node->unit && id == kAudioUnitProperty_LastRenderError && scope == 0 && element == 0 ? 1 : 100;
}

void unset_source(Node *node, int input) {
  const AURenderCallbackStruct none = {NULL, NULL};
  need(AudioUnitSetProperty(node->unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, (UInt32)input, &none, sizeof none), "no source");
  node->sources[input].type = nothing;
}

void set_feed(Node *node, int input) {
  Source *source = &node->sources[input];
  const int index = network.feed_count++;
  network.feeds[index] = (Feed){.rate = source->rate, .node = (int)(node - network.nodes), .bus = input};
  source->type = a_feed, source->index = index;
  const AURenderCallbackStruct callback = {give, (void *)(intptr_t)index};
  need(AudioUnitSetProperty(node->unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, (UInt32)input, &callback, sizeof callback), "feed");
}

void add_notify(int index) {
  Node *node = &network.nodes[index];
  need(AudioUnitAddRenderNotify(node->unit, notified, notify_mark(index, node->notifies++)), "notify");
}

static int draw_node(int depth, Float64 rate, int channels);

// A second reader for a splitter's output that nothing reads yet.
static int spare_output(const Node *reader, const Source *source, int *bus) {
  for (int index = 0; index < network.node_count; ++index) {
    Node *node = &network.nodes[index];
    if (node == reader || (node->kind != a_splitter && node->kind != a_many_splitter)) continue;
    if (node->channels != source->channels || node->rate != source->rate || !node->unit || !node->pulled) continue;
    for (int output = 1; output < node->outputs; ++output) {
      if (node->pulled >> output & 1) continue;
      node->pulled |= 1u << output;
      *bus = output;
      return index;
    }
  }
  return -1;
}

static void connect_input(Node *node, int input, int depth) {
  Source *source = &node->sources[input];
  int bus = 0, from = -1;
  if (depth > 0 && !source->has_words) {
    if (!network.is_smooth && once_in(3)) from = spare_output(node, source, &bus);
    if (from < 0 && (node == network.nodes || !once_in(3)) && network.node_count < most_nodes - 1) {
      from = draw_node(depth - 1, source->rate, source->channels);
      network.nodes[from].pulled |= 1;
    }
  }
  if (from < 0) {
    set_feed(node, input);
    return;
  }
  // Behind a conversion the model has to see how much is pulled.
  if (source->rate != node->rate && network.nodes[from].notifies == 0) add_notify(from);
  *source = (Source){.type = a_unit, .index = from, .bus = bus, .channels = source->channels, .rate = source->rate};
  const AudioUnitConnection link = {network.nodes[from].unit, (UInt32)bus, (UInt32)input};
  need(AudioUnitSetProperty(node->unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, (UInt32)input, &link, sizeof link), "connection");
}

static Float64 other_rate(Float64 rate) { return network.is_smooth && !once_in(3) ? rates[draw(5)] : rate; }

// A unit by itself, or one of a graph, whose units pull one another directly.
static AudioUnit new_unit(Kind kind) {
  if (!network.graph) return unit_of(codes[kind][0], codes[kind][1]);
  const AudioComponentDescription wanted = {four(codes[kind][0]), four(codes[kind][1]), kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node;
  AudioUnit unit;
  need(AUGraphAddNode(network.graph, &wanted, &node), "node");
  need(AUGraphNodeInfo(network.graph, node, NULL, &unit), "unit");
  return unit;
}

static int draw_node(int depth, Float64 rate, int channels) {
  const int index = network.node_count++;
  Node *node = &network.nodes[index];
  memset(node, 0, sizeof *node);
  do {
    node->kind = draw(kinds - 1);
  } while ((node->kind == a_merger && channels != 2) || (network.is_smooth && (node->kind == a_splitter || node->kind == a_many_splitter)));
  if (index == 0 && once_in(4)) node->kind = an_end;
  node->unit = new_unit(node->kind);
  node->rate = rate, node->channels = channels, node->outputs = 1, node->inputs = 1, node->volume = 1;
  if (node->kind == a_mixer) node->inputs = 1 + (int)draw(most_inputs);
  if (node->kind == a_merger) node->inputs = 2;
  if (node->kind == a_splitter) node->outputs = 2;
  if (node->kind == a_many_splitter) node->outputs = 2 + (int)draw(most_outputs - 1);
  if (node->kind == a_mixer) need(set_uint(node->unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, (UInt32)node->inputs), "inputs");
  if (node->kind == a_many_splitter) need(set_uint(node->unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, (UInt32)node->outputs), "outputs");
  need(set_uint(node->unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, network.most), "frames");
  for (int input = 0; input < node->inputs; ++input) {
    Source *source = &node->sources[input];
    source->channels = node->kind == a_merger ? 1 : node->kind == a_mixer ? 1 + (int)draw(2) : channels;
    source->rate = node->kind == a_mixer || node->kind == a_converter || node->kind == an_end ? other_rate(rate) : rate;
    source->has_words = node->kind == a_mixer && once_in(4);
    AudioStreamBasicDescription format = planar(source->rate, (UInt32)source->channels);
    if (source->has_words) format = pcm(source->rate, (UInt32)source->channels, 16, 2, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked);
    need(set_format(node->unit, kAudioUnitScope_Input, (UInt32)input, format), "format in");
    node->volumes[input] = 1, node->is_enabled[input] = 1;
  }
  for (int output = 0; output < node->outputs; ++output) need(set_format(node->unit, kAudioUnitScope_Output, (UInt32)output, planar(rate, (UInt32)channels)), "format out");
  if (node->kind == a_delay) {
    node->delay = (int)draw(network.is_smooth ? 40 : longest_delay);
    need(AudioUnitSetParameter(node->unit, kSampleDelayParam_DelayFrames, 0, 0, (Float32)node->delay, 0), "delay");
  }
  node->is_bypassed = node->kind == a_bypass;
  if (node->is_bypassed) need(set_uint(node->unit, kAudioUnitProperty_BypassEffect, 0, 0, 1), "bypass");
  for (int input = 0; input < node->inputs; ++input) {
    connect_input(node, input, depth);
    if (node->kind == a_mixer && !network.is_smooth && once_in(8)) unset_source(node, input);
  }
  for (int number = once_in(2) || network.is_plain ? 0 : (int)draw(4); number > 0; --number) add_notify(index);
  need(AudioUnitAddPropertyListener(node->unit, kAudioUnitProperty_LastRenderError, hear_error, notify_mark(index, 0)), "listener");
  need(AudioUnitInitialize(node->unit), codes[node->kind][1]);
  return index;
}

int draw_network(UInt32 seed) {
  draw_from(seed);
  memset(&network, 0, sizeof network);
  network.seed = seed, network.is_smooth = seed % 3 == 0, network.is_plain = seed % 3 == 1;
  if (network.is_plain) need(NewAUGraph(&network.graph), "graph"), need(AUGraphOpen(network.graph), "open");
  network.most = once_in(2) ? longest_slice : 64 + draw(longest_slice - 64);
  network.rate = rates[draw(4)];
  draw_node(2 + (int)draw(2), network.rate, once_in(4) ? 1 : 2);
  for (int index = 0; index < network.node_count; ++index) network.nodes[index].pulled = 0;
  return network.node_count;
}

void end_network(void) {
  for (int index = 0; index < network.node_count; ++index) {
    if (!network.graph) need(AudioComponentInstanceDispose(network.nodes[index].unit), "dispose");
    for (int input = 0; input < most_inputs; ++input)
      for (int channel = 0; channel < 2; ++channel) free(network.nodes[index].sources[input].history[channel]);
  }
  if (network.graph) need(DisposeAUGraph(network.graph), "dispose");
}

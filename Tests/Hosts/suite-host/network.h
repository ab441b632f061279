// Networks that are drawn from a seed, and a plain model of what they do: see network.c.
#ifndef SUITE_HOST_NETWORK_H
#define SUITE_HOST_NETWORK_H

#include "drawn.h"

enum { most_nodes = 14, most_feeds = 24, most_inputs = 4, most_outputs = 4, most_events = 2048, longest_slice = 1156, longest_delay = 300 };

typedef enum Kind { a_mixer, a_splitter, a_many_splitter, a_merger, a_delay, a_bypass, a_converter, an_end, kinds } Kind;

// The source of an input: nothing, a render callback, or another unit's output. In front of a rate conversion also the
// sound so far, from `first` on, which belongs to the node's time `beginning`.
typedef struct Source {
  enum { nothing, a_feed, a_unit } type;
  int index, bus;
  int channels;
  int has_words;
  Float64 rate;
  int has_begun;
  Float64 first, end, beginning, next_time;
  Float32 *history[2];
  size_t room;
} Source;

typedef struct Node {
  Kind kind;
  AudioUnit unit;
  int inputs, outputs, channels;
  Float64 rate;
  Source sources[most_inputs];
  Float32 volumes[most_inputs], volume;
  int is_enabled[most_inputs], delay, is_bypassed;
  // Render notifies: by number, and a bit that each changes in the flags for the next one.
  int notifies;
  // The model of its last slice.
  Float64 time;
  UInt32 frames;
  int has_slice;
  AudioTimeStamp stated;
  UInt32 pulled;
  SInt64 silent;
  OSStatus failure, error;
  // How often listeners were told of an error: by the engine, by the model.
  int told[2];
  Float32 output[most_channels][longest_slice];
  Float32 line[most_channels][longest_delay];
} Node;

typedef struct Feed {
  Float64 rate;
  int node, bus;
  // Calls and frames so far: of the engine, of the model.
  UInt32 calls[2];
  UInt64 given[2];
} Feed;

typedef enum EventKind { a_callback, a_notify } EventKind;
typedef struct Event {
  EventKind kind;
  int index, number;
  UInt32 bus, frames, flags;
  AudioTimeStamp stamp;
  double sound;
} Event;

typedef struct Network {
  UInt32 seed;
  // Sounds that a rate conversion keeps, and time stamps that follow one another.
  int is_smooth;
  // Nobody but the head is pulled, and nobody notified, so that units go on to pull one another without calls.
  int is_plain;
  AUGraph graph;
  Node nodes[most_nodes];
  Feed feeds[most_feeds];
  int node_count, feed_count;
  UInt32 most;
  Float64 rate;
  Event actual[most_events], expected[most_events];
  int actual_count, expected_count;
  // The next slice of a smooth session is behind its beginning.
  int is_settled;
  char difference[400];
} Network;

extern Network network;

// The behaviour of a callback in one of its calls.
typedef struct Manner {
  int fails, is_silent, clears_flag, has_own_memory, is_half;
} Manner;
extern Manner manner_of(int feed, UInt32 call);
extern Float32 feed_sample(int feed, UInt32 call, UInt64 given, UInt32 frame, int channel);
extern double sound_of(Float32 *const planes[], int channels, UInt32 frames);
enum { silence_flag = kAudioUnitRenderAction_OutputIsSilence, phase_flags = 0x10C, changed_flag = 1 << 20 };

extern int draw_network(UInt32 seed);
extern void end_network(void);
extern void set_feed(Node *node, int input);
extern void unset_source(Node *node, int input);
extern void add_notify(int index);
extern OSStatus notified(void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *);
// The argument of a notify.
static inline void *notify_mark(int node, int number) { return (void *)(intptr_t)(node * 8 + number); }

// The model: what a render call answers, calls and leaves.
extern OSStatus model_call(int node, UInt32 bus, const AudioTimeStamp *stamp, UInt32 frames, UInt32 *flags);
extern void model_reset(Node *node);
extern void latch(Node *node, OSStatus status);

#endif

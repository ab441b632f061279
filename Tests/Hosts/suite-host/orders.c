// Orders of channels: a layout that a program sets for a file, in place of the one that the file says, and one for the client. Each channel has a level
// of its own; where it must come out is read from the layouts' channels, written here as Apple's header lists them. Reading and writing, by
// ExtAudioFile, and the same layouts on both sides of a converter; and what a converter mixes to stereo and mono.
#include "refused.h"

enum { count = 32, L = 1, R = 2, C = 3, LFE = 4, Ls = 5, Rs = 6, Lc = 7, Rc = 8, Cs = 9, Rls = 33, Rrs = 34, most_wide = 8 };
typedef struct Order {
  UInt32 tag, channels;
  int labels[most_wide];
} Order;
static const Order orders[] = {
    {kAudioChannelLayoutTag_Stereo, 2, {L, R}},
    {kAudioChannelLayoutTag_MPEG_3_0_A, 3, {L, R, C}},
    {kAudioChannelLayoutTag_MPEG_3_0_B, 3, {C, L, R}},
    {kAudioChannelLayoutTag_MPEG_4_0_A, 4, {L, R, C, Cs}},
    {kAudioChannelLayoutTag_MPEG_4_0_B, 4, {C, L, R, Cs}},
    {kAudioChannelLayoutTag_MPEG_5_0_A, 5, {L, R, C, Ls, Rs}},
    {kAudioChannelLayoutTag_MPEG_5_0_B, 5, {L, R, Ls, Rs, C}},
    {kAudioChannelLayoutTag_MPEG_5_0_C, 5, {L, C, R, Ls, Rs}},
    {kAudioChannelLayoutTag_MPEG_5_0_D, 5, {C, L, R, Ls, Rs}},
    {kAudioChannelLayoutTag_MPEG_5_1_A, 6, {L, R, C, LFE, Ls, Rs}},
    {kAudioChannelLayoutTag_MPEG_5_1_B, 6, {L, R, Ls, Rs, C, LFE}},
    {kAudioChannelLayoutTag_MPEG_5_1_C, 6, {L, C, R, Ls, Rs, LFE}},
    {kAudioChannelLayoutTag_MPEG_5_1_D, 6, {C, L, R, Ls, Rs, LFE}},
    {kAudioChannelLayoutTag_MPEG_7_1_A, 8, {L, R, C, LFE, Ls, Rs, Lc, Rc}},
    {kAudioChannelLayoutTag_MPEG_7_1_B, 8, {C, Lc, Rc, L, R, Ls, Rs, LFE}},
    {kAudioChannelLayoutTag_Emagic_Default_7_1, 8, {L, R, Ls, Rs, C, LFE, Lc, Rc}},
};
enum { order_count = sizeof orders / sizeof orders[0] };

// The channel of `from` whose loudspeaker is that of a channel of `to`; by number where one of them is not known, -1 where there is none.
static int source_of(const Order *from, const Order *to, int channel) {
  if (from == NULL || to == NULL) return channel;
  for (UInt32 at = 0; at < from->channels; ++at)
    if (from->labels[at] == to->labels[channel]) return (int)at;
  return -1;
}
static int have_same_loudspeakers(const Order *from, const Order *to) {
  for (UInt32 at = 0; from && to && at < to->channels; ++at)
    if (source_of(from, to, (int)at) < 0) return 0;
  return 1;
}

static Float32 level(UInt32 channel) { return (Float32)(1 << channel) / 512; }
static Float32 samples[count * most_wide];

static OSStatus set_order(ExtAudioFileRef file, UInt32 property, const Order *order) {
  const AudioChannelLayout layout = {.mChannelLayoutTag = order->tag};
  return ExtAudioFileSetProperty(file, property, sizeof layout, &layout);
}
static AudioStreamBasicDescription floats_of(UInt32 channels) { return pcm(48000, channels, 32, 4, floats); }

// A file whose channels have the levels of their numbers, and that says a layout, or none.
static void make_leveled(const char *name, UInt32 type, UInt32 channels, const Order *said) {
  const AudioStreamBasicDescription format = floats_of(channels);
  const AudioChannelLayout layout = {.mChannelLayoutTag = said ? said->tag : 0};
  CFURLRef url = new_url(name);
  ExtAudioFileRef file;
  need(ExtAudioFileCreateWithURL(url, type, &format, said ? &layout : NULL, 1, &file), "create");
  for (UInt32 at = 0; at < count * channels; ++at) samples[at] = level(at % channels);
  const AudioBufferList list = {1, {{channels, count * channels * 4, samples}}};
  need(ExtAudioFileWrite(file, count, &list), "write"), need(ExtAudioFileDispose(file), "dispose");
  CFRelease(url);
}

static void judge_order(const char *what, const Order *from, const Order *to, UInt32 channels) {
  char text[160];
  int wrong = 0;
  for (UInt32 frame = 0; frame < count; ++frame)
    for (UInt32 channel = 0; channel < channels; ++channel) wrong += samples[frame * channels + channel] != level((UInt32)source_of(from, to, (int)channel));
  snprintf(text, sizeof text, "%s, from %x to %x: wrong samples", what, from ? (unsigned)from->tag : 0, to ? (unsigned)to->tag : 0);
  judge(text, wrong, 0);
}

// A layout by the file, by the program, by the client: the program's word counts for more than the file's.
static void read_order(const Order *said, const Order *stated, const Order *client, int again) {
  const AudioStreamBasicDescription format = floats_of(client->channels);
  ExtAudioFileRef file = open_extended("orders.caf");
  AudioBufferList list = {1, {{client->channels, sizeof samples, samples}}};
  AudioChannelLayout back;
  UInt32 frames = count, size = sizeof back;
  if (stated) ANSWERS(0, set_order(file, kExtAudioFileProperty_FileChannelLayout, stated));
  ANSWERS(0, ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileChannelLayout, &size, &back));
  HOLDS(back.mChannelLayoutTag == (stated ? stated : said)->tag);
  ANSWERS(0, ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format));
  // A first read without the client's layout has the file's own order.
  if (again) {
    ANSWERS(0, ExtAudioFileRead(file, &frames, &list)), HOLDS(frames == count);
    judge_order("read without a client's layout", NULL, NULL, client->channels);
    ANSWERS(0, ExtAudioFileSeek(file, 0));
    frames = count, list.mBuffers[0].mDataByteSize = sizeof samples;
  }
  ANSWERS(0, set_order(file, kExtAudioFileProperty_ClientChannelLayout, client));
  size = sizeof back;
  ANSWERS(0, ExtAudioFileGetProperty(file, kExtAudioFileProperty_ClientChannelLayout, &size, &back)), HOLDS(back.mChannelLayoutTag == client->tag);
  ANSWERS(0, ExtAudioFileRead(file, &frames, &list)), HOLDS(frames == count);
  judge_order(stated ? "read with the program's layout of the file" : "read", stated ? stated : said, client, client->channels);
  ANSWERS(0, ExtAudioFileDispose(file));
}

// A client's channels into a file with a layout that is given at its creation, or set afterwards.
static void write_order(const Order *stated, const Order *client, int at_creation, UInt32 type) {
  AudioStreamBasicDescription format = floats_of(client->channels);
  const AudioChannelLayout layout = {.mChannelLayoutTag = stated->tag};
  CFURLRef url = new_url("ordered.caf");
  ExtAudioFileRef file;
  need(ExtAudioFileCreateWithURL(url, type, &format, at_creation ? &layout : NULL, 1, &file), "create");
  if (!at_creation) ANSWERS(0, set_order(file, kExtAudioFileProperty_FileChannelLayout, stated));
  ANSWERS(0, ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format));
  ANSWERS(0, set_order(file, kExtAudioFileProperty_ClientChannelLayout, client));
  for (UInt32 at = 0; at < count * client->channels; ++at) samples[at] = level(at % client->channels);
  AudioBufferList list = {1, {{client->channels, count * client->channels * 4, samples}}};
  ANSWERS(0, ExtAudioFileWrite(file, count, &list)), ANSWERS(0, ExtAudioFileDispose(file));
  CFRelease(url);
  file = open_extended("ordered.caf");
  UInt32 frames = count, size = sizeof layout;
  AudioChannelLayout back;
  ANSWERS(0, ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileChannelLayout, &size, &back)), HOLDS(back.mChannelLayoutTag == stated->tag);
  memset(samples, 0, sizeof samples), list.mBuffers[0].mDataByteSize = sizeof samples;
  ANSWERS(0, ExtAudioFileRead(file, &frames, &list)), HOLDS(frames == count), ANSWERS(0, ExtAudioFileDispose(file));
  judge_order(at_creation ? "written" : "written with a layout that was set", client, stated, client->channels);
}

// The same two layouts on a converter; with a channel map that says something else the map counts.
static void convert_order(const Order *in, const Order *out) {
  AudioStreamBasicDescription format = floats_of(in->channels);
  const AudioChannelLayout input = {.mChannelLayoutTag = in->tag}, output = {.mChannelLayoutTag = out->tag};
  Float32 given[count * most_wide];
  UInt32 size = count * in->channels * 4;
  AudioConverterRef converter;
  for (UInt32 at = 0; at < count * in->channels; ++at) given[at] = level(at % in->channels);
  need(AudioConverterNew(&format, &format, &converter), "converter");
  ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterInputChannelLayout, sizeof input, &input));
  ANSWERS(0, AudioConverterConvertBuffer(converter, size, given, &size, samples));
  judge_order("converted with the input's layout alone", NULL, NULL, in->channels);
  ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterOutputChannelLayout, sizeof output, &output));
  ANSWERS(0, AudioConverterConvertBuffer(converter, size, given, &size, samples));
  judge_order("converted", in, out, in->channels);
  SInt32 map[most_wide];
  for (UInt32 channel = 0; channel < in->channels; ++channel) map[channel] = (SInt32)channel;
  ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterChannelMap, 4 * in->channels, map));
  ANSWERS(0, AudioConverterConvertBuffer(converter, size, given, &size, samples));
  judge_order("converted by a map", NULL, NULL, in->channels);
  need(AudioConverterDispose(converter), "dispose");
}

// The gain of a loudspeaker in a channel of mono or stereo by ITU-R BS.775: the centre on both sides, surrounds on their own, low frequency effects nowhere.
static double gain_of(int from, int to, int is_mono) {
  const double root = 0.70710678118654752;
  if (is_mono) return from == C ? 1 : from == L || from == R ? root : from == Ls || from == Rs ? 0.5 : 0;
  return from == to ? 1 : from == C || (from == Ls && to == L) || (from == Rs && to == R) ? root : from == Cs ? 0.5 : 0;
}

// Channels of a converter with both layouts: each loudspeaker alone; mixed, where the program wants that; by the program's own gains.
static void mix_order(const Order *in, const Order *out) {
  const AudioStreamBasicDescription from = floats_of(in->channels), to = floats_of(out->channels);
  const AudioChannelLayout input = {.mChannelLayoutTag = in->tag}, output = {.mChannelLayoutTag = out->tag};
  Float32 given[count * most_wide], gains[most_wide * most_wide], own[most_wide * most_wide];
  SInt32 map[most_wide] = {0};
  UInt32 performs = 9, size = 4, bytes = 4 * in->channels * out->channels;
  AudioConverterRef converter;
  for (UInt32 at = 0; at < count * in->channels; ++at) given[at] = level(at % in->channels);
  for (UInt32 at = 0; at < in->channels * out->channels; ++at) own[at] = (Float32)(at % 5) / 4;
  need(AudioConverterNew(&from, &to, &converter), "converter");
  ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterInputChannelLayout, sizeof input, &input));
  ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterOutputChannelLayout, sizeof output, &output));
  ANSWERS(0, AudioConverterGetProperty(converter, kAudioConverterPropertyPerformDownmix, &size, &performs)), HOLDS(performs == 0);
  ANSWERS(unsupported, AudioConverterSetProperty(converter, kAudioConverterPropertyChannelMixMap, bytes, own));
  for (int way = 0; way < 4; ++way) {
    // Moved, mixed, mixed by the program's gains, and moved again.
    performs = way == 1 || way == 2;
    ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterPropertyPerformDownmix, 4, &performs));
    if (way == 2) ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterPropertyChannelMixMap, bytes, own));
    if (performs) ANSWERS(unsupported, AudioConverterSetProperty(converter, kAudioConverterChannelMap, 4 * out->channels, map));
    size = bytes;
    ANSWERS(0, AudioConverterGetProperty(converter, kAudioConverterPropertyChannelMixMap, &size, gains)), HOLDS(size == bytes);
    UInt32 made = count * out->channels * 4;
    ANSWERS(0, AudioConverterConvertBuffer(converter, count * in->channels * 4, given, &made, samples)), HOLDS(made == count * out->channels * 4);
    int wrong = 0;
    for (UInt32 channel = 0; channel < out->channels; ++channel) {
      double expected = 0;
      for (UInt32 at = 0; at < in->channels; ++at) {
        const double mixed = way < 2 ? gain_of(in->labels[at], out->labels[channel], out->channels == 1) : own[at * out->channels + channel];
        wrong += way < 3 && fabs(gains[at * out->channels + channel] - mixed) > 1e-6;
        expected += level(at) * (performs ? mixed : in->labels[at] == out->labels[channel]);
      }
      for (UInt32 frame = 0; frame < count; ++frame) wrong += fabs(samples[frame * out->channels + channel] - expected) > 1e-6;
    }
    char text[120];
    snprintf(text, sizeof text, "mixed, way %d, from %x to %x: wrong samples and gains", way, (unsigned)in->tag, (unsigned)out->tag);
    judge(text, wrong, 0);
  }
  performs = 2;
  ANSWERS(-50, AudioConverterSetProperty(converter, kAudioConverterPropertyPerformDownmix, 4, &performs));
  need(AudioConverterDispose(converter), "dispose");
}

void channel_orders(void) {
  static const Order mono = {kAudioChannelLayoutTag_Mono, 1, {C}};
  for (int at = 1; at < order_count; ++at)
    if (orders[at].channels < most_wide) {
      mix_order(&orders[at], &orders[0]);
      if (orders[at].channels != 4) mix_order(&orders[at], &mono);
    }
  for (int at = 0; at < order_count; ++at) {
    const Order *said = &orders[at];
    make_leveled("orders.caf", 'caff', said->channels, said);
    for (int other = 0; other < order_count; ++other)
      if (orders[other].channels == said->channels && have_same_loudspeakers(said, &orders[other])) {
        const Order *client = &orders[other];
        read_order(said, NULL, client, other & 1);
        for (int third = 0; third < order_count; ++third)
          if (orders[third].channels == said->channels && have_same_loudspeakers(&orders[third], client)) read_order(said, &orders[third], client, third & 1);
        write_order(said, client, 1, 'caff'), write_order(said, client, 0, 'caff'), convert_order(said, client);
      }
  }
  say_judged("orders of channels");
}

// Callbacks that feed graphs in every format: each in its own, some replaced, taken away or failing while the graph
// renders.
#include "host.h"

enum { most_feeds = 12, all_formats = 12 };

typedef struct Feed {
  AudioStreamBasicDescription format;
  UInt32 seed;
  // The callback's behaviour: 0 fills, 1 hands in memory of its own, 2 flags silence, 3 fails, 4 leaves the second half
  // out.
  UInt32 manner;
  UInt32 calls, frames;
  Float64 last_time;
} Feed;

static unsigned char own_memory[most_feeds][most_channels * most_frames * 8];

static AudioStreamBasicDescription format_of(UInt32 which, Float64 rate, UInt32 channels) {
  const UInt32 apart = kAudioFormatFlagIsNonInterleaved, words = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  const UInt32 high = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh;
  switch (which) {
    case 0: return pcm(rate, channels, 16, 2, words);
    case 1: return pcm(rate, channels, 16, 2, words | apart);
    case 2: return pcm(rate, channels, 24, 3, words);
    case 3: return pcm(rate, channels, 24, 4, high);
    case 4: return pcm(rate, channels, 32, 4, words | kAudioFormatFlagIsBigEndian);
    case 5: return pcm(rate, channels, 8, 1, kAudioFormatFlagIsPacked);
    case 6: return pcm(rate, channels, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked);
    case 7: return pcm(rate, channels, 64, 8, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | apart);
    case 8: return pcm(rate, channels, 32, 4, words | (24 << kLinearPCMFormatFlagsSampleFractionShift) | apart);
    case 9: return pcm(rate, channels, 20, 3, high);
    default: return planar(rate, channels);
  }
}

static void write_sample(unsigned char *at, const AudioStreamBasicDescription *format, UInt32 word) {
  const UInt32 bytes = format->mBitsPerChannel > 32 ? 8 : (format->mFormatFlags & kAudioFormatFlagIsNonInterleaved ? format->mBytesPerFrame : format->mBytesPerFrame / format->mChannelsPerFrame);
  const double level = ((double)word / 4294967296.0 - 0.5) * 0.5;
  if (format->mFormatFlags & kAudioFormatFlagIsFloat) {
    const float narrow = (float)level;
    memcpy(at, bytes == 8 ? (const void *)&level : (const void *)&narrow, bytes);
    return;
  }
  for (UInt32 byte = 0; byte < bytes; ++byte) at[byte] = (unsigned char)(word >> (8 * (byte % 4)));
  // Not louder than an eighth, whatever the byte order.
  const UInt32 top = format->mFormatFlags & kAudioFormatFlagIsBigEndian ? 0 : bytes - 1;
  if (format->mFormatFlags & kAudioFormatFlagIsSignedInteger) at[top] = (unsigned char)((signed char)at[top] / 8);
  else at[top] = (unsigned char)(112 + at[top] / 8);
  if ((format->mFormatFlags & kAudioFormatFlagIsAlignedHigh) && format->mBitsPerChannel < 8 * bytes) at[0] &= (unsigned char)(0xFF << (8 * bytes - format->mBitsPerChannel) % 8);
}

static OSStatus give(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *list) {
  Feed *feed = user;
  feed->calls += 1, feed->frames += frames, feed->last_time = time->mSampleTime;
  if (feed->manner == 3) return -4242;
  const UInt32 apart = feed->format.mFormatFlags & kAudioFormatFlagIsNonInterleaved;
  const UInt32 lanes = apart ? 1 : feed->format.mChannelsPerFrame, bytes = feed->format.mBytesPerFrame / lanes;
  for (UInt32 buffer = 0; buffer < list->mNumberBuffers; ++buffer) {
    if (feed->manner == 1) list->mBuffers[buffer].mData = own_memory[feed->seed % most_feeds] + (size_t)buffer * most_frames * 8;
    unsigned char *at = list->mBuffers[buffer].mData;
    if (feed->manner == 2) {
      memset(at, 0x33, (size_t)frames * lanes * bytes);
      continue;
    }
    const UInt32 count = feed->manner == 4 ? frames / 2 : frames;
    for (UInt32 frame = 0; frame < frames; ++frame) {
      for (UInt32 lane = 0; lane < lanes; ++lane) {
        const UInt32 place = (UInt32)(SInt64)time->mSampleTime + frame;
        unsigned char *sample = at + ((size_t)frame * lanes + lane) * bytes;
        if (frame < count) write_sample(sample, &feed->format, noise(place * 31 + feed->seed * 7 + buffer + lane + bus));
        else memset(sample, 0, bytes);
      }
    }
  }
  if (feed->manner == 2) *flags |= kAudioUnitRenderAction_OutputIsSilence;
  return noErr;
}

static void say_sound(const Planes *planes, UInt32 channels, UInt32 frames, int exactly) {
  for (UInt32 channel = 0; channel < channels; ++channel) {
    const Float32 *samples = planes->list->mBuffers[channel].mData;
    double sum = 0;
    for (UInt32 frame = 0; frame < frames; ++frame) sum += fabs(samples[frame]);
    if (exactly) printf(" %016llx", digest(0, samples, frames * sizeof(Float32)));
    else printf(" %.3f", sum / (frames ? frames : 1));
  }
}

static void one_graph(UInt32 seed) {
  static Feed feeds[most_feeds];
  memset(feeds, 0, sizeof feeds);
  UInt32 at = seed * 1000;
  const UInt32 count = 1 + noise(at++) % 5, has_filter = noise(at++) % 2, other_rate = noise(at++) % 4 == 0;
  AUGraph graph;
  AUNode mixer, filter = 0, output;
  AudioComponentDescription mixing = {'aumx', 'mcmx', 'appl', 0, 0}, head = {'auou', 'genr', 'appl', 0, 0};
  const char *effects[] = {"lpas", "nbeq", "hpas", "pmeq"};
  AudioComponentDescription effect = {'aufx', four(effects[noise(at++) % 4]), 'appl', 0, 0};
  need(NewAUGraph(&graph), "graph");
  need(AUGraphAddNode(graph, &mixing, &mixer), "mixer");
  need(AUGraphAddNode(graph, &head, &output), "output");
  if (has_filter) need(AUGraphAddNode(graph, &effect, &filter), "effect");
  need(AUGraphOpen(graph), "open");
  AudioUnit mix, end;
  need(AUGraphNodeInfo(graph, mixer, NULL, &mix), "mix");
  need(AUGraphNodeInfo(graph, output, NULL, &end), "end");
  need(set_uint(mix, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, count), "inputs");
  need(set_format(end, kAudioUnitScope_Input, 0, planar(44100, 2)), "end's input");
  need(set_format(end, kAudioUnitScope_Output, 0, planar(44100, 2)), "end's output");
  printf("graph %u: %u inputs%s%s", (unsigned)seed, (unsigned)count, has_filter ? ", " : "", has_filter ? status_text((OSStatus)effect.componentSubType) : "");
  for (UInt32 bus = 0; bus < count; ++bus) {
    Feed *feed = &feeds[bus];
    feed->seed = seed + bus;
    const UInt32 manner = noise(at++) % 12;
    feed->manner = manner < 3 ? manner : 0;
    const UInt32 format = noise(at++) % all_formats, channels = 1 + noise(at++) % 2;
    feed->format = format_of(format, other_rate && bus == 0 ? 48000 : 44100, channels);
    const AURenderCallbackStruct callback = {give, feed};
    const OSStatus took = set_format(mix, kAudioUnitScope_Input, bus, feed->format);
    if (took != noErr) {
      UInt32 size = sizeof feed->format;
      need(AudioUnitGetProperty(mix, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus, &feed->format, &size), "its format");
    }
    printf("; ");
    say_format(&feed->format);
    printf(" %s manner %u %s", status_text(took), (unsigned)feed->manner, status_text(AUGraphSetNodeInputCallback(graph, mixer, bus, &callback)));
  }
  printf("\n");
  if (has_filter) {
    need(AUGraphConnectNodeInput(graph, mixer, 0, filter, 0), "to the effect");
    need(AUGraphConnectNodeInput(graph, filter, 0, output, 0), "from the effect");
  } else {
    need(AUGraphConnectNodeInput(graph, mixer, 0, output, 0), "to the output");
  }
  const OSStatus ready = AUGraphInitialize(graph);
  printf("  ready: %s, started: %s\n", status_text(ready), status_text(AUGraphStart(graph)));
  Float64 now = 0;
  for (int step = 0; ready == noErr && step < 10; ++step) {
    const UInt32 frames = 1 + noise(at++) % 1000, bus = noise(at++) % count;
    Feed *feed = &feeds[bus], *next = &feeds[count + (UInt32)step % (most_feeds - count)];
    switch (noise(at++) % 7) {
      case 0: {
        // Another callback in the same format.
        *next = *feed;
        next->seed += 50, next->calls = 0, next->manner = noise(at++) % 5;
        const AURenderCallbackStruct callback = {give, next};
        printf("  input %u is fed anew, manner %u: %s", (unsigned)bus, (unsigned)next->manner, status_text(AUGraphSetNodeInputCallback(graph, mixer, bus, &callback)));
        Boolean done = 9;
        printf(" %s\n", status_text(AUGraphUpdate(graph, &done)));
        break;
      }
      case 1: {
        Boolean done = 9;
        printf("  input %u loses its feed: %s", (unsigned)bus, status_text(AUGraphDisconnectNodeInput(graph, mixer, bus)));
        printf(" %s\n", status_text(AUGraphUpdate(graph, &done)));
        break;
      }
      case 2: AudioUnitSetParameter(mix, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus, (Float32)(noise(at++) % 100) / 100, frames / 3); break;
      case 3: AudioUnitSetParameter(mix, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, bus, noise(at++) % 2, 0); break;
      case 4: AudioUnitSetParameter(mix, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, bus, (Float32)(noise(at++) % 200) / 100 - 1, 0); break;
      default: break;
    }
    AudioTimeStamp stamp = {0};
    stamp.mSampleTime = now, stamp.mFlags = kAudioTimeStampSampleTimeValid;
    AudioUnitRenderActionFlags flags = 0;
    Planes *planes = planes_of(2, frames);
    const OSStatus status = AudioUnitRender(end, &flags, &stamp, 0, frames, planes->list);
    printf("  %u at %g: %s %x", (unsigned)frames, now, status_text(status), (unsigned)flags);
    if (status == noErr) say_sound(planes, 2, frames, !other_rate && !has_filter);
    printf("; pulled");
    for (UInt32 which = 0; which < most_feeds; ++which) {
      if (feeds[which].calls) printf(" %u:%u/%u@%g", (unsigned)which, (unsigned)feeds[which].calls, (unsigned)feeds[which].frames, feeds[which].last_time);
    }
    printf("\n");
    now += frames;
  }
  AUGraphStop(graph);
  DisposeAUGraph(graph);
}

// One unit alone, fed in a format that it does not compute in.
static void one_unit(const char *type, const char *subtype, UInt32 seed) {
  static Feed feed;
  memset(&feed, 0, sizeof feed);
  feed.seed = seed, feed.manner = seed % 2;
  for (UInt32 which = 0; which < all_formats; ++which) {
    AudioUnit unit = unit_of(type, subtype);
    feed.format = format_of(which, 44100, 1 + (seed + which) % 2);
    const OSStatus took = set_format(unit, kAudioUnitScope_Input, 0, feed.format);
    const OSStatus gives = set_format(unit, kAudioUnitScope_Output, 0, planar(44100, feed.format.mChannelsPerFrame));
    const AURenderCallbackStruct callback = {give, &feed};
    const OSStatus fed = AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback);
    const OSStatus ready = AudioUnitInitialize(unit);
    printf("%s in format %u: %s %s %s %s", subtype, (unsigned)which, status_text(took), status_text(gives), status_text(fed), status_text(ready));
    for (UInt32 slice = 0; took == noErr && ready == noErr && slice < 4; ++slice) {
      const UInt32 frames = 100 + slice * 211;
      AudioTimeStamp stamp = {0};
      stamp.mSampleTime = slice * 1000.0, stamp.mFlags = kAudioTimeStampSampleTimeValid;
      AudioUnitRenderActionFlags flags = 0;
      Planes *planes = planes_of(feed.format.mChannelsPerFrame, frames);
      printf(" %s", status_text(AudioUnitRender(unit, &flags, &stamp, 0, frames, planes->list)));
      say_sound(planes, feed.format.mChannelsPerFrame, frames, strcmp(type, "aufx") != 0);
    }
    printf("; %u calls\n", (unsigned)feed.calls);
    AudioComponentInstanceDispose(unit);
  }
}

void feeds(void) {
  for (UInt32 seed = 1; seed <= 24; ++seed) one_graph(seed);
  one_unit("aumx", "mcmx", 1), one_unit("aufc", "conv", 2), one_unit("aufx", "lpas", 3), one_unit("aufx", "nbeq", 4), one_unit("auou", "genr", 5);
}

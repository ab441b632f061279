// AudioConverter pulled by a program that gets its input in pieces: rates, complexities, channels, the end of the
// input.
#include "host.h"

enum { total = 6000 };
static struct {
  UInt32 given, most, bytes_per_frame, channels;
  int calls, is_planar;
  OSStatus answer;
} source;
static unsigned char stock[total * 4 * 4];

static OSStatus give(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data, AudioStreamPacketDescription **descriptions, void *user) {
  (void)converter, (void)user;
  if (descriptions) *descriptions = NULL;
  ++source.calls;
  UInt32 count = *packets;
  if (source.most != 0 && count > source.most) count = source.most;
  if (count > total - source.given) count = total - source.given;
  *packets = count;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    data->mBuffers[buffer].mData = stock + (source.is_planar ? buffer * total * 4 : 0) + source.given * source.bytes_per_frame;
    data->mBuffers[buffer].mDataByteSize = count * source.bytes_per_frame;
  }
  source.given += count;
  return count == 0 ? source.answer : noErr;
}

static void pull(const AudioStreamBasicDescription *from, const AudioStreamBasicDescription *to, const char *complexity, UInt32 most, UInt32 wanted, OSStatus answer) {
  AudioConverterRef converter = NULL;
  OSStatus status = AudioConverterNew(from, to, &converter);
  printf("%g %uch to %g %uch %s pieces of %u for %u: %s", from->mSampleRate, (unsigned)from->mChannelsPerFrame, to->mSampleRate, (unsigned)to->mChannelsPerFrame,
         complexity, (unsigned)most, (unsigned)wanted, status_text(status));
  if (status != noErr) {
    printf("\n");
    return;
  }
  const UInt32 kind = four(complexity);
  if (strcmp(complexity, "none") != 0) printf(" %s", status_text(AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterComplexity, 4, &kind)));
  source.is_planar = (from->mFormatFlags & kAudioFormatFlagIsNonInterleaved) != 0;
  source.bytes_per_frame = from->mBytesPerFrame;
  source.channels = from->mChannelsPerFrame;
  // libsoxr designs minimum phase filters with the machine's own logarithms: the last bits differ from processor to
  // processor.
  const int is_rounded = strcmp(complexity, "minp") == 0;
  for (int round = 0; round < 2; ++round) {
    source.given = 0, source.calls = 0, source.most = most, source.answer = answer;
    Digest all = 0;
    double sum = 0;
    UInt32 made = 0;
    for (int fill = 0; fill < 4000; ++fill) {
      const UInt32 buffers = to->mFormatFlags & kAudioFormatFlagIsNonInterleaved ? to->mChannelsPerFrame : 1;
      Planes *room = planes_of(buffers, wanted);
      for (UInt32 buffer = 0; buffer < buffers; ++buffer) {
        room->list->mBuffers[buffer].mNumberChannels = buffers == 1 ? to->mChannelsPerFrame : 1;
        room->list->mBuffers[buffer].mDataByteSize = wanted * to->mBytesPerFrame;
      }
      UInt32 packets = wanted;
      status = AudioConverterFillComplexBuffer(converter, give, NULL, &packets, room->list, NULL);
      for (UInt32 buffer = 0; buffer < buffers; ++buffer) {
        all = digest(all, room->list->mBuffers[buffer].mData, packets * to->mBytesPerFrame);
        for (UInt32 at = 0; is_rounded && at < packets; ++at) sum += fabs(((const Float32 *)room->list->mBuffers[buffer].mData)[at]);
      }
      made += packets;
      if (status != noErr || packets == 0) break;
    }
    printf(" made %u in %d calls %s", (unsigned)made, source.calls, status_text(status));
    if (is_rounded) printf(" mean %.4f", made ? sum / made : 0);
    else printf(" %016llx", all);
    if (round == 0) printf(" reset %s", status_text(AudioConverterReset(converter)));
  }
  AudioConverterPrimeInfo prime = {9, 9};
  UInt32 size = sizeof prime;
  status = AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &prime);
  printf(" prime %s %u %u dispose %s\n", status_text(status), (unsigned)prime.leadingFrames, (unsigned)prime.trailingFrames, status_text(AudioConverterDispose(converter)));
}

// The channel map of a converter unit before it is set, and the maps that it takes.
static void maps(void) {
  for (UInt32 from = 1; from <= 4; ++from) {
    for (UInt32 to = 1; to <= 4; ++to) {
      AudioUnit unit = unit_of("aufc", "conv");
      printf("map of %u to %u: %s %s", (unsigned)from, (unsigned)to, status_text(set_format(unit, kAudioUnitScope_Input, 0, planar(44100, from))),
             status_text(set_format(unit, kAudioUnitScope_Output, 0, planar(44100, to))));
      for (SInt32 set = -2; set <= (SInt32)from; ++set) {
        SInt32 map[8] = {9, 9, 9, 9, 9, 9, 9, 9};
        UInt32 size = sizeof map;
        OSStatus status = AudioUnitGetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, map, &size);
        printf(" %s", status_text(status));
        for (UInt32 at = 0; status == noErr && at < size / 4; ++at) printf(",%d", (int)map[at]);
        for (UInt32 at = 0; at < to; ++at) map[at] = set;
        printf(" set %s", status_text(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, map, to * 4)));
      }
      printf(" initialize %s\n", status_text(AudioUnitInitialize(unit)));
      need(AudioComponentInstanceDispose(unit), "dispose");
    }
  }
}

void converting(void) {
  maps();
  for (UInt32 at = 0; at < sizeof stock / 4; ++at) ((Float32 *)(void *)stock)[at] = (Float32)(SInt16)noise(at) / 40000;
  static const Float64 rates[][2] = {{44100, 48000}, {48000, 44100}, {96000, 22050}, {8000, 44100}, {44100, 44100}};
  static const char *const complexities[] = {"none", "line", "norm", "bats", "minp", "xxxx"};
  static const UInt32 pieces[] = {0, 1, 100, 1111};
  for (size_t rate = 0; rate < sizeof rates / sizeof rates[0]; ++rate) {
    for (size_t kind = 0; kind < sizeof complexities / sizeof complexities[0]; ++kind) {
      for (size_t piece = 0; piece < sizeof pieces / 4; ++piece) {
        const AudioStreamBasicDescription from = planar(rates[rate][0], 2), to = planar(rates[rate][1], 2);
        pull(&from, &to, complexities[kind], pieces[piece], piece % 2 ? 512 : 3000, piece == 3 ? -77 : noErr);
      }
    }
  }
  static const UInt32 channels[][2] = {{1, 2}, {2, 1}, {1, 1}, {3, 2}, {2, 4}};
  for (size_t index = 0; index < sizeof channels / sizeof channels[0]; ++index) {
    for (int kind = 0; kind < 3; ++kind) {
      const UInt32 integers = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, floats = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
      const AudioStreamBasicDescription from = kind == 1 ? pcm(44100, channels[index][0], 16, 2, integers) : pcm(44100, channels[index][0], 32, 4, floats);
      const AudioStreamBasicDescription to = kind == 2 ? pcm(32000, channels[index][1], 16, 2, integers) : pcm(kind ? 44100 : 32000, channels[index][1], 32, 4, floats);
      pull(&from, &to, "norm", 333, 700, noErr);
    }
  }
}

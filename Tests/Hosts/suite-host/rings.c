// Frames that go into a file by the ring of ExtAudioFileWriteAsync: more than it holds, pieces that end anywhere, storages that fail in between; and
// the same frames written at once. A coder's file that takes its rate from the client, and a map of channels that a program gives to the converter.
#include "refused.h"

enum { total = 150000, most_kept = 2 << 20 };
static SInt16 sample(UInt32 frame, UInt32 channel) { return (SInt16)noise(frame * 2 + channel); }

typedef struct Kept {
  unsigned char bytes[most_kept];
  SInt64 length, limit;
} Kept;
static Kept kept;
static OSStatus kept_read(void *user, SInt64 at, UInt32 count, void *bytes, UInt32 *got) {
  (void)user;
  *got = at >= kept.length ? 0 : (UInt32)fmin(count, kept.length - at);
  memcpy(bytes, kept.bytes + at, *got);
  return noErr;
}
static OSStatus kept_write(void *user, SInt64 at, UInt32 count, const void *bytes, UInt32 *put) {
  (void)user;
  if (at + count > kept.limit) return -777;
  memcpy(kept.bytes + at, bytes, count), *put = count;
  kept.length = (SInt64)fmax(kept.length, at + count);
  return noErr;
}
static SInt64 kept_size(void *user) { return (void)user, kept.length; }
static OSStatus kept_resize(void *user, SInt64 length) { return (void)user, kept.length = length, noErr; }

// Writes the frames by pieces; the status of the end, or of the first call that fails.
static OSStatus write_frames(int by_ring, SInt64 limit, OSStatus *at_the_end) {
  static SInt16 piece[2 * 131072];
  const AudioStreamBasicDescription format = stereo16();
  AudioFileID file;
  ExtAudioFileRef extended;
  kept.length = 0, kept.limit = limit;
  need(AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, kept_size, kept_resize, 'WAVE', &format, 0, &file), "create");
  need(ExtAudioFileWrapAudioFileID(file, 1, &extended), "wrap");
  if (by_ring) need(ExtAudioFileWriteAsync(extended, 0, NULL), "ring");
  OSStatus first = noErr;
  UInt32 frame = 0;
  for (int at = 0; frame < total; ++at) {
    UInt32 frames = at == 0 ? 131072 : 1 + noise((UInt32)at) % 700;
    if (frames > total - frame) frames = total - frame;
    for (UInt32 index = 0; index < 2 * frames; ++index) piece[index] = sample(frame + index / 2, index % 2);
    const AudioBufferList list = {1, {{2, frames * 4, piece}}};
    const OSStatus status = by_ring ? ExtAudioFileWriteAsync(extended, frames, &list) : ExtAudioFileWrite(extended, frames, &list);
    if (first == noErr) first = status;
    frame += frames;
  }
  *at_the_end = ExtAudioFileDispose(extended);
  AudioFileClose(file);
  return first;
}

static void compare_rings(void) {
  static unsigned char at_once[most_kept];
  OSStatus end;
  // A hardware that is not in real time: the ring waits for its writer.
  setenv("AUBENCH_DEVICE_CLOCK", "free", 1);
  ANSWERS(0, write_frames(0, most_kept, &end)), ANSWERS(0, end);
  const SInt64 length = kept.length;
  memcpy(at_once, kept.bytes, (size_t)length);
  HOLDS(length == 44 + total * 4);
  ANSWERS(0, write_frames(1, most_kept, &end)), ANSWERS(0, end), HOLDS(kept.length == length && memcmp(at_once, kept.bytes, (size_t)length) == 0);
  int differences = 0;
  for (UInt32 frame = 0; frame < total; ++frame)
    for (UInt32 channel = 0; channel < 2; ++channel) {
      const SInt16 expected = sample(frame, channel);
      differences += memcmp(kept.bytes + 44 + frame * 4 + channel * 2, &expected, 2) != 0;
    }
  HOLDS(differences == 0);
  // A storage that is full: at once it is said by the call that finds it, by the ring at the latest at the end.
  ANSWERS(-777, write_frames(0, 300000, &end));
  write_frames(1, 300000, &end), ANSWERS(-777, end);
  HOLDS(kept.length <= 300000);
}

// Coded files without a rate of their own take that of the client's format.
static void leave_rate_open(void) {
  static const Float64 rates[] = {8000, 44100, 48000};
  for (int at = 0; at < 3; ++at) {
    const AudioStreamBasicDescription open = {0, 'flac', 1, 0, 0, 0, 1, 0, 0}, client = pcm(rates[at], 1, 16, 2, integers);
    AudioStreamBasicDescription found;
    CFURLRef url = new_url("open.flac");
    ExtAudioFileRef file;
    SInt16 samples[1000];
    UInt32 frames = 1000, size = sizeof found;
    for (int index = 0; index < 1000; ++index) samples[index] = sample((UInt32)index, 0);
    AudioBufferList list = {1, {{1, sizeof samples, samples}}};
    need(ExtAudioFileCreateWithURL(url, 'flac', &open, NULL, 1, &file), "create");
    CFRelease(url);
    ANSWERS(-66563, ExtAudioFileWrite(file, 10, &list));
    ANSWERS(0, ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    ANSWERS(0, ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &found)), HOLDS(found.mSampleRate == rates[at]);
    ANSWERS(0, ExtAudioFileWrite(file, 1000, &list)), ANSWERS(0, ExtAudioFileDispose(file));
    file = open_extended("open.flac");
    size = sizeof found;
    ANSWERS(0, ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &found)), HOLDS(found.mSampleRate == rates[at] && found.mFormatID == 'flac');
    ANSWERS(0, ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    memset(samples, 0, sizeof samples);
    ANSWERS(0, ExtAudioFileRead(file, &frames, &list)), HOLDS(frames == 1000);
    int differences = 0;
    for (int index = 0; index < 1000; ++index) differences += samples[index] != sample((UInt32)index, 0);
    HOLDS(differences == 0);
    need(ExtAudioFileDispose(file), "dispose");
  }
}

// The converter of an extended file: its map holds from the configuration on, where reading goes on, and not before.
static void map_channels(void) {
  make_files();
  ExtAudioFileRef file = open_extended("plain.wav");
  AudioConverterRef inside = NULL;
  const AudioStreamBasicDescription client = stereo16();
  const SInt32 turned[2] = {1, 0}, left[2] = {0, -1};
  SInt16 samples[20];
  AudioBufferList list = {1, {{2, sizeof samples, samples}}};
  UInt32 size = sizeof inside, frames;
  need(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client), "client");
  ANSWERS(0, ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &inside));
  for (int step = 0; step < 5; ++step) {
    const int is_turned = step == 2 || step == 3, is_left = step == 4;
    if (step == 1) ANSWERS(0, AudioConverterSetProperty(inside, kAudioConverterChannelMap, sizeof turned, turned));
    if (step == 2) ANSWERS(0, ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &(void *){NULL}));
    if (step == 4) ANSWERS(0, AudioConverterSetProperty(inside, kAudioConverterChannelMap, sizeof left, left)), ANSWERS(0, ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &(void *){NULL}));
    frames = 10, list.mBuffers[0].mDataByteSize = sizeof samples;
    ANSWERS(0, ExtAudioFileRead(file, &frames, &list)), HOLDS(frames == 10);
    for (int frame = 0; frame < 10; ++frame) {
      const int at = (step * 10 + frame) * 2;
      const SInt16 both[2] = {(SInt16)(at * 100 - 10000), (SInt16)((at + 1) * 100 - 10000)};
      HOLDS(samples[frame * 2] == both[is_turned ? 1 : 0] && samples[frame * 2 + 1] == (is_left ? 0 : both[is_turned ? 0 : 1]));
    }
  }
  need(ExtAudioFileDispose(file), "dispose");
}

void file_rings(void) {
  compare_rings(), say_judged("frames by a ring");
  leave_rate_open(), map_channels(), say_judged("formats that are left open, and maps");
}

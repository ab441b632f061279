// Layouts that a client sets: what ExtAudioFile makes of a file's channels for it, and of its channels for a file, beside the coefficients of ITU-R
// BS.775. Without a layout of a client, or of a file, channels go by their numbers.
#include "host.h"

enum { frames = 64, most = 8 };
static const double half = 0.70710678118654752;

static Float32 sample(UInt32 frame, UInt32 channel) { return (Float32)((frame % 16 + 1) * 0.001 * (1 << channel)); }

static OSStatus set_layout(ExtAudioFileRef file, UInt32 property, UInt32 tag) {
  AudioChannelLayout layout = {0};
  layout.mChannelLayoutTag = tag;
  return ExtAudioFileSetProperty(file, property, sizeof layout, &layout);
}

// Writes 5.1 in the order L R C LFE Ls Rs, or what a client of another layout gives.
static void write_file(const char *path, const char *type, UInt32 channels, UInt32 tag, UInt32 client_channels, UInt32 client_tag) {
  const AudioStreamBasicDescription format = pcm(48000, channels, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | (four(type) == four("AIFC") ? kAudioFormatFlagIsBigEndian : 0));
  const AudioStreamBasicDescription client = pcm(48000, client_channels, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked);
  AudioChannelLayout layout = {0};
  layout.mChannelLayoutTag = tag;
  remove(path);
  CFURLRef url = url_of(path);
  ExtAudioFileRef file = NULL;
  need(ExtAudioFileCreateWithURL(url, four(type), &format, tag ? &layout : NULL, 0, &file), "create");
  need(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client), "client");
  if (client_tag) need(set_layout(file, kExtAudioFileProperty_ClientChannelLayout, client_tag), "client's layout");
  static Float32 samples[frames * most];
  for (UInt32 frame = 0; frame < frames; ++frame)
    for (UInt32 channel = 0; channel < client_channels; ++channel) samples[frame * client_channels + channel] = sample(frame, channel);
  AudioBufferList list = {1, {{client_channels, frames * client_channels * 4, samples}}};
  need(ExtAudioFileWrite(file, frames, &list), "write");
  need(ExtAudioFileDispose(file), "dispose");
  CFRelease(url);
}

static void read_file(const char *path, UInt32 channels, UInt32 tag, const double *gains, UInt32 inputs) {
  const AudioStreamBasicDescription client = pcm(48000, channels, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked);
  CFURLRef url = url_of(path);
  ExtAudioFileRef file = NULL;
  need(ExtAudioFileOpenURL(url, &file), "open");
  need(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client), "client");
  const OSStatus status = tag ? set_layout(file, kExtAudioFileProperty_ClientChannelLayout, tag) : noErr;
  static Float32 samples[frames * most];
  AudioBufferList list = {1, {{channels, sizeof samples, samples}}};
  UInt32 count = frames;
  const OSStatus read = ExtAudioFileRead(file, &count, &list);
  printf("  %s %s %u frames:", status_text(status), status_text(read), (unsigned)count);
  for (UInt32 channel = 0; channel < channels; ++channel) {
    int wrong = 0;
    for (UInt32 frame = 0; frame < count; ++frame) {
      double expected = 0;
      for (UInt32 input = 0; input < inputs; ++input) expected += gains[channel * inputs + input] * sample(frame, input);
      wrong += fabs(samples[frame * channels + channel] - expected) > 1e-7;
    }
    if (wrong) printf(" %g, %d wrong", samples[channel], wrong); else printf(" ok");
  }
  printf("\n");
  need(ExtAudioFileDispose(file), "dispose");
  CFRelease(url);
}

static void say_mask(const char *path) {
  unsigned char head[64] = {0};
  FILE *file = fopen(path, "rb");
  const size_t got = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  printf("  form %02x%02x", head[21], head[20]);
  if (got == sizeof head && head[21] == 0xFF) printf(" mask %02x%02x%02x%02x", head[43], head[42], head[41], head[40]);
  printf("\n");
}

void client_layouts(void) {
  enum { surround = kAudioChannelLayoutTag_MPEG_5_1_A, centre_first = kAudioChannelLayoutTag_MPEG_5_1_D };
  static const double straight[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
  static const double turned[36] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
  const double stereo[12] = {1, 0, half, 0, half, 0, 0, 1, half, 0, 0, half}, mono[6] = {half, half, 1, 0, 0.5, 0.5};
  const double first_two[12] = {1, 0, 0, 0, 0, 0, 0, 1}, up[12] = {1, 0, 0, 1}, both[2] = {half, half};
  const char *path = temporary("loudspeakers");
  static const char *const types[] = {"WAVE", "caff", "AIFC"};
  for (size_t type = 0; type < 3; ++type) {
    printf("%s of 5.1\n", types[type]);
    write_file(path, types[type], 6, surround, 6, 0);
    read_file(path, 6, 0, straight, 6);
    read_file(path, 6, surround, straight, 6);
    read_file(path, 6, centre_first, turned, 6);
    read_file(path, 2, kAudioChannelLayoutTag_Stereo, stereo, 6);
    read_file(path, 1, kAudioChannelLayoutTag_Mono, mono, 6);
    read_file(path, 2, 0, first_two, 6);
    printf("%s of stereo\n", types[type]);
    write_file(path, types[type], 2, kAudioChannelLayoutTag_Stereo, 2, 0);
    read_file(path, 1, kAudioChannelLayoutTag_Mono, both, 2);
    printf("%s of stereo, from a client's 5.1\n", types[type]);
    write_file(path, types[type], 2, kAudioChannelLayoutTag_Stereo, 6, surround);
    read_file(path, 2, 0, stereo, 6);
    printf("%s of 5.1, from a client's stereo\n", types[type]);
    write_file(path, types[type], 6, surround, 2, kAudioChannelLayoutTag_Stereo);
    read_file(path, 6, 0, up, 2);
  }
  printf("WAVE without a layout\n");
  for (UInt32 channels = 1; channels <= 8; ++channels) {
    write_file(path, "WAVE", channels, 0, channels, 0);
    say_mask(path);
  }
  printf("WAVE of 5.1\n");
  write_file(path, "WAVE", 6, surround, 6, 0);
  say_mask(path);
}

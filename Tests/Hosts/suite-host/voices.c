// The codecs of telephony value for value, and a converter's other ways in: whole buffers, planes, questions before
// answers.
#include "host.h"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static AudioStreamBasicDescription coded(const char *id, Float64 rate, UInt32 channels) {
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = rate, format.mFormatID = four(id), format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = channels, format.mBitsPerChannel = 8;
  format.mBytesPerFrame = format.mBytesPerPacket = channels;
  return format;
}

static OSStatus give_old(AudioConverterRef converter, UInt32 *bytes, void **data, void *user) {
  (void)converter;
  static unsigned char stock[1000];
  UInt32 *left = user;
  if (*bytes > 96) *bytes = 96;
  if (*bytes > *left) *bytes = *left;
  // Small numbers as floats too: of sums with NaN and infinity, instruction sets give other bits.
  for (UInt32 at = 0; at < *bytes; ++at) stock[at] = (unsigned char)(noise(*left - at) & 0x3F);
  *data = stock, *left -= *bytes;
  return noErr;
}

static void every_value(const char *law) {
  const AudioStreamBasicDescription code = coded(law, 8000, 1), words = pcm(8000, 1, 16, 2, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked), floats = pcm(8000, 1, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked);
  AudioConverterRef converter;
  unsigned char codes[256];
  SInt16 values[256];
  Float32 numbers[256];
  for (int at = 0; at < 256; ++at) codes[at] = (unsigned char)at;
  need(AudioConverterNew(&code, &words, &converter), "decoder");
  UInt32 size = sizeof values;
  printf("%s decodes: %s", law, status_text(AudioConverterConvertBuffer(converter, 256, codes, &size, values)));
  for (int at = 0; at < 256; ++at) printf(" %d", values[at]);
  printf("\n");
  AudioConverterDispose(converter);
  need(AudioConverterNew(&code, &floats, &converter), "decoder of floats");
  size = sizeof numbers;
  printf("%s as floats: %s %016llx\n", law, status_text(AudioConverterConvertBuffer(converter, 256, codes, &size, numbers)), digest(0, numbers, sizeof numbers));
  AudioConverterDispose(converter);
  static SInt16 all[65536];
  static unsigned char made[65536];
  for (int at = 0; at < 65536; ++at) all[at] = (SInt16)(at - 32768);
  need(AudioConverterNew(&words, &code, &converter), "coder");
  size = sizeof made;
  printf("%s encodes: %s", law, status_text(AudioConverterConvertBuffer(converter, sizeof all, all, &size, made)));
  // The values at which the code changes, and the new code.
  for (int at = 0; at < 65536; ++at) {
    if (at == 0 || made[at] != made[at - 1]) printf(" %d:%02x", all[at], made[at]);
  }
  printf("\n");
  AudioConverterDispose(converter);
}

static void ask(AudioConverterRef converter) {
  const char *names[] = {"mibs", "mobs", "mips", "xops", "cibs", "cobs", "srci", "srcd", "srcq", "srca", "prmm", "prim", "chmp", "cdmg", "cmgc", "icl ", "ocl ", "acif", "acof", "aclo", "brat", "pfnd", "edit"};
  for (size_t which = 0; which < sizeof names / sizeof names[0]; ++which) {
    UInt32 size = 0;
    Boolean writable = 9;
    unsigned char room[512];
    memset(room, 0, sizeof room);
    OSStatus status = AudioConverterGetPropertyInfo(converter, four(names[which]), &size, &writable);
    printf(" %s %s %u %d", names[which], status_text(status), status == noErr ? (unsigned)size : 0, status == noErr ? writable : -1);
    size = sizeof room;
    if (strcmp(names[which], "mibs") == 0 || strcmp(names[which], "mobs") == 0 || strcmp(names[which], "cibs") == 0 || strcmp(names[which], "cobs") == 0) {
      const UInt32 asked = 1000;
      memcpy(room, &asked, 4), size = 4;
    }
    status = AudioConverterGetProperty(converter, four(names[which]), &size, room);
    printf(" %s", status_text(status));
    if (status == noErr) printf(" %u %016llx", (unsigned)size, digest(0, room, size));
    printf(";");
  }
  printf("\n");
}

void voices(void) {
  every_value("ulaw"), every_value("alaw");
  const UInt32 floats = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, words = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  const AudioStreamBasicDescription kinds[] = {
      coded("ulaw", 8000, 2), coded("alaw", 44100, 1), pcm(44100, 2, 16, 2, words), pcm(44100, 2, 32, 4, floats), planar(44100, 2),
      planar(48000, 1), pcm(8000, 2, 24, 3, words), pcm(44100, 6, 64, 8, floats), pcm(44100, 2, 16, 2, words | kAudioFormatFlagIsNonInterleaved)};
  const int count = (int)(sizeof kinds / sizeof kinds[0]);
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      AudioConverterRef converter = NULL;
      const OSStatus status = AudioConverterNew(&kinds[from], &kinds[to], &converter);
      printf("%d to %d: %s", from, to, status_text(status));
      if (status != noErr) {
        printf("\n");
        continue;
      }
      ask(converter);
      // A whole buffer: for planes this is refused.
      static unsigned char source[9600], made[96000];
      for (size_t at = 0; at < sizeof source; ++at) source[at] = (unsigned char)(noise((UInt32)at) & 0x3F);
      const UInt32 bytes[] = {0, 480, 481, 4800};
      for (int which = 0; which < 4; ++which) {
        UInt32 room = sizeof made;
        memset(made, 0, sizeof made);
        const OSStatus answer = AudioConverterConvertBuffer(converter, bytes[which], source, &room, made);
        printf("  buffer of %u: %s %u %016llx", (unsigned)bytes[which], status_text(answer), (unsigned)room, answer == noErr ? digest(0, made, room) : 0);
        room = 100;
        const OSStatus small = AudioConverterConvertBuffer(converter, bytes[which], source, &room, made);
        printf(" into 100: %s %u\n", status_text(small), (unsigned)room);
        AudioConverterReset(converter);
      }
      // The oldest way: bytes from a callback.
      UInt32 left = 4800, room = 1200;
      memset(made, 0, sizeof made);
      for (int turn = 0; turn < 3; ++turn) {
        room = 1200;
        const OSStatus answer = AudioConverterFillBuffer(converter, give_old, &left, &room, made);
        printf("  filled: %s %u %u left %016llx\n", status_text(answer), (unsigned)room, (unsigned)left, answer == noErr ? digest(0, made, room) : 0);
      }
      AudioConverterReset(converter);
      // Planes against planes.
      const UInt32 inputs = kinds[from].mFormatFlags & kAudioFormatFlagIsNonInterleaved ? kinds[from].mChannelsPerFrame : 1;
      const UInt32 outputs = kinds[to].mFormatFlags & kAudioFormatFlagIsNonInterleaved ? kinds[to].mChannelsPerFrame : 1;
      for (UInt32 frames = 0; frames <= 200; frames += 100) {
        char input_room[200], output_room[200];
        AudioBufferList *input = (AudioBufferList *)input_room, *output = (AudioBufferList *)output_room;
        input->mNumberBuffers = inputs, output->mNumberBuffers = outputs;
        for (UInt32 at = 0; at < inputs; ++at) input->mBuffers[at] = (AudioBuffer){inputs == 1 ? kinds[from].mChannelsPerFrame : 1, frames * kinds[from].mBytesPerFrame, source + at * 2400};
        for (UInt32 at = 0; at < outputs; ++at) output->mBuffers[at] = (AudioBuffer){outputs == 1 ? kinds[to].mChannelsPerFrame : 1, 100 * kinds[to].mBytesPerFrame, made + at * 16000};
        memset(made, 0, sizeof made);
        const OSStatus answer = AudioConverterConvertComplexBuffer(converter, frames, input, output);
        printf("  planes of %u: %s %u %016llx\n", (unsigned)frames, status_text(answer), (unsigned)output->mBuffers[0].mDataByteSize, digest(0, made, sizeof made));
      }
      AudioConverterDispose(converter);
    }
  }
}

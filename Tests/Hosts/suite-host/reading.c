// ExtAudioFile: files read as other formats, rates and channels, from other places; written so, at once and later.
#include "host.h"

static void ask(ExtAudioFileRef file) {
  const char *names[] = {"ffmt", "fclo", "cfmt", "cclo", "fmps", "cmps", "#frm", "iobs", "xpti", "cman", "accf", "iobf", "none"};
  for (size_t which = 0; which < sizeof names / sizeof names[0]; ++which) {
    UInt32 size = 0;
    Boolean writable = 9;
    const OSStatus status = ExtAudioFileGetPropertyInfo(file, four(names[which]), &size, &writable);
    printf(" %s %s %u %d", names[which], status_text(status), status == noErr ? (unsigned)size : 0, status == noErr ? writable : -1);
    unsigned char room[1024];
    memset(room, 0, sizeof room);
    size = sizeof room;
    const OSStatus answer = ExtAudioFileGetProperty(file, four(names[which]), &size, room);
    printf(" %s", status_text(answer));
    if (answer == noErr) printf(" %u %016llx", (unsigned)size, digest(0, room, size));
    size = 3;
    printf(" %s;", status_text(ExtAudioFileGetProperty(file, four(names[which]), &size, room)));
  }
  SInt64 place = -1;
  const OSStatus status = ExtAudioFileTell(file, &place);
  printf(" at %s %lld\n", status_text(status), (long long)place);
}

static void read_some(ExtAudioFileRef file, const AudioStreamBasicDescription *format, UInt32 wanted, int most) {
  static unsigned char stock[8][8192 * 8];
  const UInt32 buffers = format->mFormatFlags & kAudioFormatFlagIsNonInterleaved ? format->mChannelsPerFrame : 1;
  char list_room[400];
  AudioBufferList *list = (AudioBufferList *)list_room;
  Digest all = 0;
  UInt32 made = 0;
  OSStatus status = noErr;
  int turn = 0;
  for (; turn < most; ++turn) {
    list->mNumberBuffers = buffers;
    for (UInt32 at = 0; at < buffers; ++at) list->mBuffers[at] = (AudioBuffer){buffers == 1 ? format->mChannelsPerFrame : 1, wanted * format->mBytesPerFrame, stock[at]};
    UInt32 frames = wanted;
    status = ExtAudioFileRead(file, &frames, list);
    if (status != noErr || frames == 0) break;
    for (UInt32 at = 0; at < buffers; ++at) all = digest(all, stock[at], frames * format->mBytesPerFrame);
    made += frames;
  }
  printf("  read %u by %u in %d: %s %016llx", (unsigned)made, (unsigned)wanted, turn, status_text(status), all);
}

static void read_as(const char *path, int which, AudioStreamBasicDescription client, const SInt32 *map, UInt32 mapped) {
  ExtAudioFileRef file = NULL;
  CFURLRef url = url_of(path);
  const OSStatus opened = ExtAudioFileOpenURL(url, &file);
  CFRelease(url);
  printf("%s as %d: %s", strrchr(path, '/') + 1, which, status_text(opened));
  if (opened != noErr) {
    printf("\n");
    return;
  }
  const OSStatus set = ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client);
  printf(" client %s", status_text(set));
  if (set == noErr && map) {
    AudioConverterRef converter = NULL;
    UInt32 size = sizeof converter;
    const OSStatus got = ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &converter);
    printf(" converter %s map %s", status_text(got), got == noErr && converter ? status_text(AudioConverterSetProperty(converter, kAudioConverterChannelMap, mapped * 4, map)) : "none");
    const void *nothing = NULL;
    printf(" anew %s", status_text(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, sizeof nothing, &nothing)));
  }
  printf("\n");
  ask(file);
  if (set == noErr) {
    read_some(file, &client, 1000, 3);
    const SInt64 places[] = {0, 1, 777, 4999, 100000000, -1};
    for (size_t at = 0; at < sizeof places / sizeof places[0]; ++at) {
      SInt64 place = -1;
      const OSStatus status = ExtAudioFileSeek(file, places[at]);
      ExtAudioFileTell(file, &place);
      printf("\n  to %lld: %s %lld;", (long long)places[at], status_text(status), (long long)place);
      read_some(file, &client, at % 2 ? 333 : 4096, 2);
      ExtAudioFileTell(file, &place);
      printf(" then at %lld", (long long)place);
    }
    ExtAudioFileSeek(file, 0);
    read_some(file, &client, 8192, 200);
    printf("\n");
  }
  if (which == 0) show(file);
  const UInt32 layouts[2] = {kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Mono};
  for (int at = 0; at < 2; ++at) {
    const AudioChannelLayout layout = {.mChannelLayoutTag = layouts[at]};
    const UInt32 size = offsetof(AudioChannelLayout, mChannelDescriptions);
    printf("  layouts %s %s\n", status_text(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientChannelLayout, size, &layout)), status_text(ExtAudioFileSetProperty(file, kExtAudioFileProperty_FileChannelLayout, size, &layout)));
  }
  ask(file);
  const UInt32 bytes[] = {0, 100, 4096, 1 << 20};
  for (int at = 0; at < 4; ++at) printf("  room %u %s", (unsigned)bytes[at], status_text(ExtAudioFileSetProperty(file, kExtAudioFileProperty_IOBufferSizeBytes, 4, &bytes[at])));
  ExtAudioFileSeek(file, 5);
  read_some(file, &client, 100, 30);
  printf(" disposed %s\n", status_text(ExtAudioFileDispose(file)));
}

static void write_as(const char *type, AudioStreamBasicDescription kept, AudioStreamBasicDescription client, int later) {
  static int number;
  char name[40];
  snprintf(name, sizeof name, "written-%d", ++number);
  const char *path = temporary(name);
  CFURLRef url = url_of(path);
  ExtAudioFileRef file = NULL;
  const OSStatus made = ExtAudioFileCreateWithURL(url, four(type), &kept, NULL, kAudioFileFlags_EraseFile, &file);
  CFRelease(url);
  printf("write %s ", type), say_format(&kept), printf(" %d: %s", later, status_text(made));
  if (made != noErr) {
    printf("\n");
    return;
  }
  printf(" client %s", status_text(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client)));
  static unsigned char stock[8][4096 * 8];
  const UInt32 buffers = client.mFormatFlags & kAudioFormatFlagIsNonInterleaved ? client.mChannelsPerFrame : 1;
  if (later) printf(" ready %s", status_text(ExtAudioFileWriteAsync(file, 0, NULL)));
  for (UInt32 turn = 0; turn < 7; ++turn) {
    const UInt32 frames = turn == 4 ? 0 : 100 + turn * 457;
    char list_room[400];
    AudioBufferList *list = (AudioBufferList *)list_room;
    list->mNumberBuffers = buffers;
    for (UInt32 at = 0; at < buffers; ++at) {
      list->mBuffers[at] = (AudioBuffer){buffers == 1 ? client.mChannelsPerFrame : 1, frames * client.mBytesPerFrame, stock[at]};
      for (UInt32 byte = 0; byte < list->mBuffers[at].mDataByteSize; ++byte) stock[at][byte] = (unsigned char)(noise(byte + at * 77 + turn * 5051) & 0x3E);
    }
    SInt64 place = -1;
    const OSStatus status = later ? ExtAudioFileWriteAsync(file, frames, list) : ExtAudioFileWrite(file, frames, list);
    ExtAudioFileTell(file, &place);
    printf(" %s %lld", status_text(status), later ? 0 : (long long)place);
  }
  printf("\n");
  if (!later) ask(file), printf("  seek %s\n", status_text(ExtAudioFileSeek(file, 10)));
  printf("  disposed %s", status_text(ExtAudioFileDispose(file)));
  long bytes = 0;
  const Digest whole = file_digest(path, &bytes);
  printf(" %ld bytes %016llx\n", bytes, whole);
  read_as(path, -1, planar(kept.mSampleRate, 2), NULL, 0);
  remove(path);
}

void reading(void) {
  const UInt32 floats = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, words = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  const AudioStreamBasicDescription clients[] = {
      planar(44100, 2), planar(48000, 1), pcm(44100, 2, 16, 2, words), pcm(22050, 6, 32, 4, floats), pcm(96000, 2, 24, 3, words | kAudioFormatFlagIsBigEndian),
      pcm(44100, 0, 16, 2, words), pcm(44100, 2, 64, 8, floats), {.mSampleRate = 44100, .mFormatID = 'ulaw', .mFramesPerPacket = 1, .mChannelsPerFrame = 1, .mBytesPerFrame = 1, .mBytesPerPacket = 1, .mBitsPerChannel = 8}};
  const SInt32 swapped[] = {1, 0}, silent[] = {-1, 0}, wrong[] = {0, 7};
  const char *paths[] = {"../audio/drums.flac", "../audio/crow-22050.flac", "../audio/none.flac"};
  for (size_t path = 0; path < 3; ++path) {
    for (size_t which = 0; which < sizeof clients / sizeof clients[0]; ++which) read_as(paths[path], (int)which, clients[which], NULL, 0);
    read_as(paths[path], 20, clients[0], swapped, 2), read_as(paths[path], 21, clients[2], silent, 2), read_as(paths[path], 22, clients[0], wrong, 2), read_as(paths[path], 23, clients[1], swapped, 1);
  }
  for (int later = 0; later < 2; ++later) {
    write_as("WAVE", pcm(44100, 2, 16, 2, words), planar(44100, 2), later);
    write_as("caff", pcm(48000, 2, 32, 4, floats), pcm(44100, 2, 16, 2, words), later);
    write_as("AIFF", pcm(44100, 1, 24, 3, words | kAudioFormatFlagIsBigEndian), planar(44100, 2), later);
    write_as("WAVE", pcm(22050, 2, 16, 2, words), planar(44100, 1), later);
    write_as("NeXT", pcm(44100, 2, 32, 4, floats | kAudioFormatFlagIsBigEndian), pcm(44100, 2, 64, 8, floats), later);
    write_as("AIFF", pcm(44100, 2, 16, 2, words), planar(44100, 2), later);
    write_as("nope", pcm(44100, 2, 16, 2, words), planar(44100, 2), later);
    AudioStreamBasicDescription law = {.mSampleRate = 8000, .mFormatID = 'alaw', .mFramesPerPacket = 1, .mChannelsPerFrame = 2, .mBytesPerFrame = 2, .mBytesPerPacket = 2, .mBitsPerChannel = 8};
    write_as("WAVE", law, planar(8000, 2), later);
    law.mFormatID = 'ulaw';
    write_as("NeXT", law, pcm(16000, 2, 16, 2, words), later);
  }
}

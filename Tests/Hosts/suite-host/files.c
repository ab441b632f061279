// Files of plain samples, written in pieces on disk and behind callbacks, opened again and made longer; what they say
// of themselves, byte by byte.
#include "host.h"

static unsigned char sound[65536];

static void fill(const AudioStreamBasicDescription *format) {
  for (UInt32 at = 0; at < sizeof sound; ++at) sound[at] = (unsigned char)noise(at);
  if (!(format->mFormatFlags & kAudioFormatFlagIsFloat)) return;
  // Numbers, not whatever the noise says: an exponent near that of a half.
  const UInt32 size = format->mBitsPerChannel / 8;
  for (UInt32 at = 0; at + size <= sizeof sound; at += size) {
    sound[format->mFormatFlags & kAudioFormatFlagIsBigEndian ? at : at + size - 1] = 0x3E;
  }
}

static void say(AudioFileID file) {
  static const char *const numbers[] = {"ffmt", "optm", "psze", "pkub", "brat", "sbtd", "rrap", "dszu", "atct"};
  for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; ++index) {
    UInt32 value = 0, size = sizeof value;
    OSStatus status = AudioFileGetProperty(file, four(numbers[index]), &size, &value);
    printf(" %s", numbers[index]);
    if (status == noErr) printf(" %u", (unsigned)value); else printf(" %s", status_text(status));
  }
  static const char *const long_numbers[] = {"bcnt", "pcnt", "doff"};
  for (size_t index = 0; index < sizeof long_numbers / sizeof long_numbers[0]; ++index) {
    SInt64 value = 0;
    UInt32 size = sizeof value;
    OSStatus status = AudioFileGetProperty(file, four(long_numbers[index]), &size, &value);
    printf(" %s", long_numbers[index]);
    if (status == noErr) printf(" %lld", (long long)value); else printf(" %s", status_text(status));
  }
  Float64 seconds = 0;
  UInt32 size = sizeof seconds;
  OSStatus status = AudioFileGetProperty(file, kAudioFilePropertyEstimatedDuration, &size, &seconds);
  printf(" edur %s %.9g", status_text(status), seconds);
  AudioFilePacketTableInfo table = {0};
  size = sizeof table;
  status = AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &size, &table);
  printf(" pnfo %s %lld %d %d", status_text(status), (long long)table.mNumberValidFrames, (int)table.mPrimingFrames, (int)table.mRemainderFrames);
  AudioStreamBasicDescription format;
  size = sizeof format;
  if (AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format) == noErr) {
    printf(" ");
    say_format(&format);
  }
  UInt32 ids[64];
  size = sizeof ids;
  status = AudioFileGetProperty(file, kAudioFilePropertyChunkIDs, &size, ids);
  printf(" chunks");
  for (UInt32 index = 0; status == noErr && index < size / 4; ++index) printf(" %s", status_text((OSStatus)ids[index]));
  printf("\n");
}

static void say_places(AudioFileID file) {
  static const SInt64 places[] = {0, 1, 7, 576, 600, 1151, 1152, 4096, 100000, -1};
  for (size_t index = 0; index < sizeof places / sizeof places[0]; ++index) {
    AudioFramePacketTranslation frame = {places[index], 0, 0}, packet = {0, places[index], 0};
    AudioBytePacketTranslation byte = {places[index], 0, 0, 0}, start = {0, places[index], 0, 0};
    UInt32 size = sizeof frame;
    OSStatus one = AudioFileGetProperty(file, kAudioFilePropertyFrameToPacket, &size, &frame);
    OSStatus two = AudioFileGetProperty(file, kAudioFilePropertyPacketToFrame, &size, &packet);
    size = sizeof byte;
    OSStatus three = AudioFileGetProperty(file, kAudioFilePropertyByteToPacket, &size, &byte);
    OSStatus fourth = AudioFileGetProperty(file, kAudioFilePropertyPacketToByte, &size, &start);
    printf(" %lld: %s %lld+%u, %s %lld, %s %lld+%u/%u, %s %lld/%u;", (long long)places[index], status_text(one), (long long)frame.mPacket,
           (unsigned)frame.mFrameOffsetInPacket, status_text(two), (long long)packet.mFrame, status_text(three), (long long)byte.mPacket,
           (unsigned)byte.mByteOffsetInPacket, (unsigned)byte.mFlags, status_text(fourth), (long long)start.mByte, (unsigned)start.mFlags);
  }
  printf("\n");
}

// The contents of the file so far.
static void say_file(const char *when, const char *path) {
  long bytes;
  Digest all = file_digest(path, &bytes);
  printf("  %s: %ld bytes %016llx\n", when, bytes, all);
}

static void write_packets(AudioFileID file, const AudioStreamBasicDescription *format, SInt64 start, UInt32 count) {
  UInt32 packets = count;
  OSStatus status = AudioFileWritePackets(file, false, count * format->mBytesPerPacket, NULL, start, &packets, sound + start * format->mBytesPerPacket % 30000);
  printf("  write %lld+%u %s %u\n", (long long)start, (unsigned)count, status_text(status), (unsigned)packets);
}

static void one(const char *type, AudioStreamBasicDescription format) {
  printf("%s ", type);
  say_format(&format);
  printf("\n");
  fill(&format);
  const char *path = temporary("sound");
  remove(path);
  CFURLRef url = url_of(path);
  AudioFileID file = NULL;
  OSStatus status = AudioFileCreateWithURL(url, four(type), &format, 0, &file);
  printf("  create %s", status_text(status));
  AudioFileID other = NULL;
  printf(" again %s\n", status_text(AudioFileCreateWithURL(url, four(type), &format, 0, &other)));
  if (status == noErr) {
    say_file("empty", path);
    write_packets(file, &format, 0, 600);
    say_file("in between", path);
    write_packets(file, &format, 600, 401);
    write_packets(file, &format, 5, 2);
    printf(" ");
    say(file);
    UInt32 defers = 1;
    printf("  defer %s optimize %s", status_text(AudioFileSetProperty(file, kAudioFilePropertyDeferSizeUpdates, 4, &defers)), status_text(AudioFileOptimize(file)));
    write_packets(file, &format, 1001, 10);
    say_file("deferred", path);
    printf("  user %s", status_text(AudioFileSetUserData(file, four("note"), 0, 7, "example")));
    printf(" remove %s\n", status_text(AudioFileRemoveUserData(file, four("note"), 0)));
    printf("  close %s\n", status_text(AudioFileClose(file)));
    say_file("closed", path);
    status = AudioFileOpenURL(url, kAudioFileReadWritePermission, 0, &file);
    printf("  open %s", status_text(status));
    if (status == noErr) {
      say(file);
      say_places(file);
      static unsigned char room[65536];
      UInt32 packets = 777, bytes = sizeof room;
      status = AudioFileReadPacketData(file, false, &bytes, NULL, 300, &packets, room);
      printf("  read %s %u packets %u bytes %016llx\n", status_text(status), (unsigned)packets, (unsigned)bytes, digest(0, room, bytes));
      write_packets(file, &format, 1011, 7);
      printf("  close %s\n", status_text(AudioFileClose(file)));
      say_file("longer", path);
    }
  }
  CFRelease(url);
}

// A file in memory.
static struct {
  unsigned char bytes[1 << 20];
  SInt64 size;
  long reads, writes;
  OSStatus failure;
  UInt32 most;
} memory;

static OSStatus read_memory(void *client, SInt64 position, UInt32 wanted, void *buffer, UInt32 *got) {
  (void)client;
  ++memory.reads;
  if (memory.failure != noErr) return memory.failure;
  const SInt64 there = position < memory.size ? memory.size - position : 0;
  *got = wanted < there ? wanted : (UInt32)there;
  if (memory.most != 0 && *got > memory.most) *got = memory.most;
  memcpy(buffer, memory.bytes + position, *got);
  return noErr;
}

static OSStatus write_memory(void *client, SInt64 position, UInt32 wanted, const void *buffer, UInt32 *got) {
  (void)client;
  ++memory.writes;
  if (memory.failure != noErr) return memory.failure;
  *got = wanted;
  if (memory.most != 0 && *got > memory.most) *got = memory.most;
  if (position + *got > (SInt64)sizeof memory.bytes) return -34;
  memcpy(memory.bytes + position, buffer, *got);
  if (position + *got > memory.size) memory.size = position + *got;
  return noErr;
}

static SInt64 size_of_memory(void *client) {
  (void)client;
  return memory.size;
}

static OSStatus resize_memory(void *client, SInt64 size) {
  (void)client;
  if (memory.failure != noErr) return memory.failure;
  memory.size = size;
  return noErr;
}

static void in_memory(const char *type, AudioStreamBasicDescription format, UInt32 most, OSStatus failure) {
  printf("callbacks %s at most %u, failing with %s\n", type, (unsigned)most, status_text(failure));
  fill(&format);
  memset(&memory, 0, sizeof memory);
  AudioFileID file = NULL;
  OSStatus status = AudioFileInitializeWithCallbacks(&memory, read_memory, write_memory, size_of_memory, resize_memory, four(type), &format, 0, &file);
  printf("  create %s %lld %016llx\n", status_text(status), (long long)memory.size, digest(0, memory.bytes, (size_t)memory.size));
  if (status != noErr) return;
  write_packets(file, &format, 0, 501);
  memory.most = most;
  memory.failure = failure;
  write_packets(file, &format, 501, 501);
  static unsigned char room[65536];
  UInt32 packets = 777, bytes = sizeof room;
  status = AudioFileReadPacketData(file, false, &bytes, NULL, 300, &packets, room);
  printf("  read %s %u packets %u bytes %016llx\n", status_text(status), (unsigned)packets, (unsigned)bytes, digest(0, room, bytes));
  bytes = 99;
  status = AudioFileReadBytes(file, false, 33, &bytes, room);
  printf("  bytes %s %u %016llx\n", status_text(status), (unsigned)bytes, digest(0, room, bytes));
  memory.failure = noErr;
  memory.most = 0;
  printf("  close %s %lld %016llx\n", status_text(AudioFileClose(file)), (long long)memory.size, digest(0, memory.bytes, (size_t)memory.size));
  memory.most = most;
  status = AudioFileOpenWithCallbacks(&memory, read_memory, write_memory, size_of_memory, resize_memory, 0, &file);
  printf("  open %s", status_text(status));
  if (status != noErr) {
    printf("\n");
    return;
  }
  say(file);
  memory.failure = failure;
  packets = 777, bytes = sizeof room;
  status = AudioFileReadPacketData(file, false, &bytes, NULL, 300, &packets, room);
  printf("  read %s %u packets %u bytes %016llx\n", status_text(status), (unsigned)packets, (unsigned)bytes, digest(0, room, bytes));
  memory.failure = noErr;
  memory.most = 0;
  printf("  close %s\n", status_text(AudioFileClose(file)));
  // Cut off at every length of the header, and a little behind it.
  const SInt64 whole = memory.size;
  printf("  cut:");
  for (SInt64 length = 0; length < 140 && length < whole; length += 3) {
    memory.size = length;
    status = AudioFileOpenWithCallbacks(&memory, read_memory, write_memory, size_of_memory, resize_memory, 0, &file);
    printf(" %s", status_text(status));
    if (status == noErr) AudioFileClose(file);
  }
  printf("\n");
}

void files(void) {
  const UInt32 packed = kAudioFormatFlagIsPacked, floats = kAudioFormatFlagIsFloat | packed, integers = kAudioFormatFlagIsSignedInteger | packed;
  const UInt32 big = kAudioFormatFlagIsBigEndian;
  const struct {
    UInt32 bits, flags;
  } encodings[] = {{8, packed}, {8, integers}, {16, integers}, {16, integers | big}, {24, integers}, {24, integers | big},
                   {32, integers}, {32, integers | big}, {32, floats}, {32, floats | big}, {64, floats}, {64, floats | big}};
  static const char *const types[] = {"WAVE", "RF64", "BW64", "AIFF", "AIFC", "caff", "NeXT", "W64f", "MPG3", "flac"};
  for (size_t type = 0; type < sizeof types / sizeof types[0]; ++type) {
    for (size_t index = 0; index < sizeof encodings / sizeof encodings[0]; ++index) {
      const UInt32 channels = 1 + (UInt32)(index + type) % 3;
      one(types[type], pcm(index % 2 ? 44100 : 8000, channels, encodings[index].bits, encodings[index].bits / 8, encodings[index].flags));
    }
  }
  one("WAVE", pcm(44100.5, 2, 16, 2, integers));
  one("WAVE", pcm(0, 2, 16, 2, integers));
  one("WAVE", pcm(44100, 0, 16, 2, integers));
  static const char *const kept[] = {"WAVE", "RF64", "AIFC", "caff", "NeXT", "W64f"};
  for (size_t type = 0; type < sizeof kept / sizeof kept[0]; ++type) {
    const UInt32 order = strcmp(kept[type], "AIFC") == 0 || strcmp(kept[type], "NeXT") == 0 ? big : 0;
    in_memory(kept[type], pcm(48000, 1, 16, 2, integers | order), 0, noErr);
    in_memory(kept[type], pcm(48000, 3, 24, 3, integers | order), 100, noErr);
    in_memory(kept[type], pcm(48000, 2, 32, 4, floats | order), 0, -1234);
  }
}

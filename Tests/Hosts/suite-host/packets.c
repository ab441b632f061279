// Files of packets that differ in size: where each packet lies. MPEG by hand, from the tables of ISO 11172-3 and
// 13818-3; FLAC and Apple Lossless as the library writes them.
#include "host.h"
#include <unistd.h>

static void say_packets(const char *path) {
  CFURLRef url = url_of(path);
  AudioFileID file = NULL;
  OSStatus status = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file);
  CFRelease(url);
  printf("  open %s", status_text(status));
  if (status != noErr) {
    printf("\n");
    return;
  }
  static const char *const numbers[] = {"pcnt", "bcnt", "doff", "psze", "pkub", "brat"};
  for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; ++index) {
    SInt64 value = 0;
    UInt32 size = sizeof value;
    status = AudioFileGetProperty(file, four(numbers[index]), &size, &value);
    printf(" %s %s %lld", numbers[index], status_text(status), (long long)value);
  }
  AudioFilePacketTableInfo table = {0};
  UInt32 size = sizeof table;
  status = AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &size, &table);
  printf(" pnfo %s %lld %d %d ", status_text(status), (long long)table.mNumberValidFrames, (int)table.mPrimingFrames, (int)table.mRemainderFrames);
  AudioStreamBasicDescription format;
  size = sizeof format;
  if (AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format) == noErr) say_format(&format);
  static unsigned char room[1 << 22];
  static AudioStreamPacketDescription descriptions[4096];
  UInt32 bytes = sizeof room, packets = 4096;
  status = AudioFileReadPacketData(file, false, &bytes, descriptions, 0, &packets, room);
  printf(" read %s %u packets %u bytes %016llx\n   ", status_text(status), (unsigned)packets, (unsigned)bytes, digest(0, room, bytes));
  for (UInt32 index = 0; index < packets && index < 90; ++index) printf(" %u", (unsigned)descriptions[index].mDataByteSize);
  Digest all = digest(0, descriptions, packets * sizeof descriptions[0]);
  printf(" %016llx\n   ", all);
  static const SInt64 places[] = {0, 1, 10, 100, 417, 418, 1000, 1152, 5000, 100000, 1 << 30};
  for (size_t index = 0; index < sizeof places / sizeof places[0]; ++index) {
    AudioFramePacketTranslation frame = {places[index], 0, 0};
    AudioBytePacketTranslation byte = {places[index], 0, 0, 0}, start = {0, (SInt64)index, 0, 0};
    size = sizeof frame;
    OSStatus one = AudioFileGetProperty(file, kAudioFilePropertyFrameToPacket, &size, &frame);
    size = sizeof byte;
    OSStatus two = AudioFileGetProperty(file, kAudioFilePropertyByteToPacket, &size, &byte);
    OSStatus three = AudioFileGetProperty(file, kAudioFilePropertyPacketToByte, &size, &start);
    AudioPacketRangeByteCountTranslation range = {(SInt64)index, 2, 0};
    size = sizeof range;
    OSStatus fourth = AudioFileGetProperty(file, kAudioFilePropertyPacketRangeByteCountUpperBound, &size, &range);
    printf(" %s %lld+%u %s %lld+%u/%u %s %lld %s %lld;", status_text(one), (long long)frame.mPacket, (unsigned)frame.mFrameOffsetInPacket,
           status_text(two), (long long)byte.mPacket, (unsigned)byte.mByteOffsetInPacket, (unsigned)byte.mFlags, status_text(three),
           (long long)start.mByte, status_text(fourth), (long long)range.mByteCountUpperBound);
  }
  printf("\n");
  packets = 5, bytes = 100;
  status = AudioFileReadPacketData(file, false, &bytes, descriptions, 2, &packets, room);
  printf("   little room %s %u %u", status_text(status), (unsigned)packets, (unsigned)bytes);
  packets = 3, bytes = 8192;
  status = AudioFileReadPackets(file, false, &bytes, descriptions, 3, &packets, room);
  printf(" old %s %u %u %016llx", status_text(status), (unsigned)packets, (unsigned)bytes, digest(0, room, bytes));
  printf(" close %s\n", status_text(AudioFileClose(file)));
}

// MARK: MPEG

// Kilobits a second by index 1 to 14.
static const int rates_of[5][14] = {
    {32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},  // MPEG-1, layer I
    {32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},     // layer II
    {32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},      // layer III
    {32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},     // MPEG-2 and 2.5, layer I
    {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},          // layers II and III
};

static FILE *output;

// The bytes of a frame. `version`: 1, 2, or 3 for 2.5.
static long frame_bytes(int version, int layer, int rate, int bits, int padding) {
  const int kilobits = rates_of[version == 1 ? layer - 1 : layer == 1 ? 3 : 4][bits - 1];
  static const int hertz[] = {44100, 48000, 32000};
  const int frequency = hertz[rate] >> (version - 1);
  if (layer == 1) return (12L * kilobits * 1000 / frequency + padding) * 4;
  const int samples = layer == 3 && version != 1 ? 576 : 1152;
  return samples / 8 * kilobits * 1000L / frequency + padding;
}

static void put_frame(int version, int layer, int rate, int bits, int padding, const char *tag) {
  static unsigned char bytes[8192];
  memset(bytes, 0, sizeof bytes);
  const int versions[] = {3, 2, 0};
  bytes[0] = 0xFF;
  bytes[1] = (unsigned char)(0xE0 | versions[version - 1] << 3 | (4 - layer) << 1 | 1);
  bytes[2] = (unsigned char)(bits << 4 | rate << 2 | padding << 1);
  bytes[3] = 0xC0;
  if (tag) memcpy(bytes + 21, tag, 4);
  fwrite(bytes, 1, (size_t)frame_bytes(version, layer, rate, bits, padding), output);
}

static const char *begin_file(void) {
  const char *path = temporary("coded.mp3");
  output = fopen(path, "wb");
  if (output == NULL) exit(1);
  return path;
}

static void put_tag(int size) {
  const unsigned char head[] = {'I', 'D', '3', 4, 0, 0, 0, 0, (unsigned char)(size >> 7), (unsigned char)(size & 0x7F)};
  fwrite(head, 1, sizeof head, output);
  for (int at = 0; at < size; ++at) fputc(at % 5 == 0 ? 0xFF : 0xFB, output);
}

static void mpeg(void) {
  for (int version = 1; version <= 3; ++version) {
    for (int layer = 1; layer <= 3; ++layer) {
      for (int rate = 0; rate < 3; ++rate) {
        const char *path = begin_file();
        printf("MPEG %d layer %d rate %d, right:", version, layer, rate);
        // From the middle on: decoders look at the first ones.
        for (int index = 0; index < 28; ++index) {
          const int bits = (index / 2 + 8) % 14 + 1;
          put_frame(version, layer, rate, bits, index % 2, NULL);
          printf(" %ld", frame_bytes(version, layer, rate, bits, index % 2));
        }
        printf("\n");
        fclose(output);
        say_packets(path);
      }
    }
  }
  static const char *const tags[] = {"Xing", "Info", "VBRI", "None"};
  for (size_t tag = 0; tag < sizeof tags / sizeof tags[0]; ++tag) {
    for (int damage = 0; damage < 6; ++damage) {
      printf("%s damage %d\n", tags[tag], damage);
      const char *path = begin_file();
      if (damage == 1) put_tag(700);
      if (damage == 2) fwrite("rubbish\xFF\xFB\x90", 1, 10, output);
      put_frame(1, 3, 0, 9, 0, tags[tag]);
      for (int index = 0; index < 12; ++index) {
        if (damage == 3 && index == 5) fwrite("\xFF\xFB\x90rubbish in between\xFF\xFF", 1, 23, output);
        if (damage == 4 && index == 7) put_frame(1, 2, 0, 9, 0, NULL);
        put_frame(1, 3, 0, 9, index % 3 == 0, NULL);
      }
      if (damage == 5) fwrite("TAG and what follows it", 1, 23, output);
      fclose(output);
      if (damage == 2) {
        FILE *file = fopen(path, "r+b");
        fclose(file);
      }
      say_packets(path);
    }
  }
  // In front of the sound, what looks like two frames and is none: a layer, a version, a bit rate or a rate that is not
  // given to anything, and a broken sync word.
  static const unsigned char strange[][4] = {{0xFF, 0xF9, 0x90, 0xC0}, {0xFF, 0xEB, 0x90, 0xC0}, {0xFF, 0xFB, 0x00, 0xC0},
                                             {0xFF, 0xFB, 0xF0, 0xC0}, {0xFF, 0xFB, 0x9C, 0xC0}, {0xFF, 0x1B, 0x90, 0xC0},
                                             {0xFF, 0xDB, 0x90, 0xC0}, {0xFE, 0xFB, 0x90, 0xC0}, {0xFF, 0xE3, 0x90, 0xC0}};
  for (size_t kind = 0; kind < sizeof strange / sizeof strange[0]; ++kind) {
    for (int place = 0; place < 2; ++place) {
      printf("strange %zu place %d\n", kind, place);
      const char *path = begin_file();
      for (int index = 0; index < 12; ++index) {
        if (index == place * 5) {
          for (int twice = 0; twice < 2; ++twice) {
            fwrite(strange[kind], 1, 4, output);
            for (int at = 4; at < 417; ++at) fputc(0, output);
          }
        }
        put_frame(1, 3, 0, 9, index % 3 == 0, NULL);
      }
      fclose(output);
      say_packets(path);
    }
  }
  // Cut within the last frame.
  for (int cut = 0; cut < 420; cut += 60) {
    printf("cut at %d\n", cut);
    const char *path = begin_file();
    for (int index = 0; index < 8; ++index) put_frame(1, 3, 0, 9, 0, NULL);
    put_frame(1, 3, 0, 9, 1, NULL);
    fflush(output);
    if (ftruncate(fileno(output), 8 * 417 + cut) != 0) exit(1);
    fclose(output);
    say_packets(path);
  }
}

// MARK: What the library writes

static void coded(const char *type, const char *name, const char *codec, UInt32 flags, Float64 rate, UInt32 channels, long frames) {
  printf("%s %s %x %g %u channels %ld frames\n", type, codec, (unsigned)flags, rate, (unsigned)channels, frames);
  const char *path = temporary(name);
  CFURLRef url = url_of(path);
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = rate;
  format.mFormatID = four(codec);
  format.mFormatFlags = flags;
  format.mChannelsPerFrame = channels;
  ExtAudioFileRef file = NULL;
  OSStatus status = ExtAudioFileCreateWithURL(url, four(type), &format, NULL, kAudioFileFlags_EraseFile, &file);
  printf("  create %s", status_text(status));
  CFRelease(url);
  if (status != noErr) {
    printf("\n");
    return;
  }
  AudioStreamBasicDescription client = planar(rate, channels);
  printf(" client %s", status_text(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client)));
  for (long done = 0; done < frames && status == noErr;) {
    const UInt32 count = frames - done < most_frames ? (UInt32)(frames - done) : most_frames;
    Planes *room = planes_of(channels, count);
    for (UInt32 channel = 0; channel < channels; ++channel) {
      for (UInt32 frame = 0; frame < count; ++frame) {
        // Packets of different sizes: noise that comes and goes.
        const long place = done + frame;
        room->samples[channel][frame] = place / 5000 % 3 == 0 ? (Float32)(SInt16)noise((UInt32)place + channel * 99991) / 65536 : (Float32)(place % 100) / 4096;
      }
    }
    status = ExtAudioFileWrite(file, count, room->list);
    done += count;
  }
  printf(" write %s close %s\n", status_text(status), status_text(ExtAudioFileDispose(file)));
  say_packets(path);
  // The same behind a tag, which FLAC and MPEG files may have in front.
  if (strcmp(type, "caff") == 0) return;
  const char *tagged = begin_file();
  put_tag(300);
  FILE *plain = fopen(path, "rb");
  static unsigned char all[1 << 21];
  size_t got = fread(all, 1, sizeof all, plain);
  fclose(plain);
  fwrite(all, 1, got, output);
  fclose(output);
  printf("  tagged\n");
  say_packets(tagged);
  static const size_t cuts[] = {4, 20, 41, 60, 100, 5000};
  for (size_t cut = 0; cut < sizeof cuts / sizeof cuts[0]; ++cut) {
    FILE *less = fopen(path, "wb");
    fwrite(all, 1, got < cuts[cut] ? got : cuts[cut], less);
    fclose(less);
    printf("  cut at %zu\n", cuts[cut]);
    say_packets(path);
  }
}

void packets(void) {
  mpeg();
  coded("flac", "coded.flac", "flac", 1, 44100, 2, 30001);
  coded("flac", "coded.flac", "flac", 3, 48000, 1, 4096 * 2);
  coded("flac", "coded.flac", "flac", 1, 11000, 1, 4096 * 140 + 5);
  coded("flac", "coded.flac", "flac", 1, 12345, 3, 70000);
  coded("flac", "coded.flac", "flac", 1, 96000, 2, 190);
  coded("flac", "coded.flac", "flac", 1, 123450, 2, 5000);
  coded("caff", "coded.caf", "alac", 1, 44100, 2, 30001);
  coded("caff", "coded.caf", "alac", 3, 48000, 1, 4096 * 3);
  coded("caff", "coded.caf", "alac", 1, 22050, 2, 5);
  coded("MPG3", "coded.mp3", ".mp3", 0, 44100, 2, 30001);
}

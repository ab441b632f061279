// Files whose packets are blocks of a codec, written byte by byte as their formats have them: what AudioFile says of packets, frames and places, by the
// header's own numbers.
#include "refused.h"

static unsigned char bytes[8192];
static UInt32 length;
static void put(const char *text) { memcpy(bytes + length, text, strlen(text)), length += (UInt32)strlen(text); }
static void number(UInt32 value, int count, int is_big) {
  for (int at = 0; at < count; ++at) bytes[length++] = (unsigned char)(value >> 8 * (is_big ? count - 1 - at : at));
}

typedef struct Codec {
  const char *name;
  UInt32 tag, format, channels, block, frames, blocks, extra;
} Codec;

// WAVE: the block and its frames stand in the format chunk; coefficients of Microsoft's ADPCM behind them.
static void write_wave(const Codec *codec) {
  static const int coefficients[7][2] = {{256, 0}, {512, -256}, {0, 0}, {192, 64}, {240, 0}, {460, -208}, {392, -232}};
  const UInt32 chunk = 18 + codec->extra, data = codec->block * codec->blocks;
  length = 0;
  put("RIFF"), number(4 + 8 + chunk + 12 + 8 + data, 4, 0), put("WAVEfmt "), number(chunk, 4, 0);
  number(codec->tag, 2, 0), number(codec->channels, 2, 0), number(8000, 4, 0), number(8000 * codec->block / codec->frames, 4, 0), number(codec->block, 2, 0), number(codec->tag == 0x31 ? 0 : 4, 2, 0), number(codec->extra, 2, 0), number(codec->frames, 2, 0);
  if (codec->tag == 2) {
    number(7, 2, 0);
    for (int at = 0; at < 7; ++at) number((UInt32)coefficients[at][0], 2, 0), number((UInt32)coefficients[at][1], 2, 0);
  }
  put("fact"), number(4, 4, 0), number(codec->frames * codec->blocks, 4, 0), put("data"), number(data, 4, 0);
  for (UInt32 at = 0; at < data; ++at) bytes[length++] = codec->tag == 0x31 && at % 65 == 0 ? 0 : 0;
}

// AIFF-C: 64 frames in 34 bytes of each channel.
static void write_aifc(const Codec *codec) {
  const UInt32 data = codec->block * codec->blocks;
  length = 0;
  put("FORM"), number(4 + 8 + 24 + 8 + 8 + data, 4, 1), put("AIFCCOMM"), number(24, 4, 1), number(codec->channels, 2, 1), number(codec->blocks, 4, 1), number(16, 2, 1);
  // 8000 as an extended number.
  number(0x400B, 2, 1), number(0xFA000000, 4, 1), number(0, 4, 1), put("ima4"), number(0, 2, 1), put("SSND"), number(8 + data, 4, 1), number(0, 4, 1), number(0, 4, 1);
  for (UInt32 at = 0; at < data; ++at) bytes[length++] = 0;
}

static void ask(const Codec *codec) {
  char text[96];
  FILE *file = fopen(temporary("coded"), "wb");
  fwrite(bytes, 1, length, file), fclose(file);
  AudioFileID one = open_file("coded", 1);
  AudioStreamBasicDescription format;
  UInt64 packets = 0, data = 0;
  SInt64 offset = 0;
  UInt32 size = sizeof format, largest[2] = {0, 0};
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyDataFormat, &size, &format));
  snprintf(text, sizeof text, "%s: format, bytes and frames of a packet, channels", codec->name);
  judge(text, (OSStatus)format.mFormatID, (OSStatus)codec->format), judge(text, (OSStatus)format.mBytesPerPacket, (OSStatus)codec->block), judge(text, (OSStatus)format.mFramesPerPacket, (OSStatus)codec->frames), judge(text, (OSStatus)format.mChannelsPerFrame, (OSStatus)codec->channels);
  HOLDS(format.mSampleRate == 8000 && format.mBytesPerFrame == 0 && format.mBitsPerChannel == 0);
  size = 8;
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyAudioDataPacketCount, &size, &packets)), HOLDS(packets == codec->blocks);
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyAudioDataByteCount, &size, &data)), HOLDS(data == codec->block * codec->blocks);
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyDataOffset, &size, &offset)), HOLDS(offset == (SInt64)(length - codec->block * codec->blocks));
  size = 4;
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyMaximumPacketSize, &size, &largest[0])), ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyPacketSizeUpperBound, &size, &largest[1])), HOLDS(largest[0] == codec->block && largest[1] == codec->block);
  AudioFramePacketTranslation place = {.mFrame = codec->frames * 2 + 5};
  size = sizeof place;
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyFrameToPacket, &size, &place)), HOLDS(place.mPacket == 2 && place.mFrameOffsetInPacket == 5);
  place = (AudioFramePacketTranslation){.mPacket = 3};
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyPacketToFrame, &size, &place)), HOLDS(place.mFrame == codec->frames * 3);
  AudioBytePacketTranslation byte = {.mPacket = 2};
  size = sizeof byte;
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyPacketToByte, &size, &byte)), HOLDS(byte.mByte == codec->block * 2);
  byte = (AudioBytePacketTranslation){.mByte = codec->block * 2 + 7};
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyByteToPacket, &size, &byte)), HOLDS(byte.mPacket == 2 && byte.mByteOffsetInPacket == 7);
  // Each packet stands for itself.
  for (SInt64 at = 0; at < 3; ++at) {
    AudioIndependentPacketTranslation neighbour = {.mPacket = at};
    size = sizeof neighbour;
    ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyPreviousIndependentPacket, &size, &neighbour)), HOLDS(neighbour.mIndependentlyDecodablePacket == (at > 0 ? at - 1 : 0));
    ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyNextIndependentPacket, &size, &neighbour)), HOLDS(neighbour.mIndependentlyDecodablePacket == at + 1);
    AudioPacketRollDistanceTranslation roll = {.mPacket = at, .mRollDistance = 9};
    size = sizeof roll;
    ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyPacketToRollDistance, &size, &roll)), HOLDS(roll.mRollDistance == 0);
  }
  AudioIndependentPacketTranslation before = {.mPacket = -1};
  size = sizeof before;
  ANSWERS('pck?', AudioFileGetProperty(one, kAudioFilePropertyPreviousIndependentPacket, &size, &before)), ANSWERS('pck?', AudioFileGetProperty(one, kAudioFilePropertyNextIndependentPacket, &size, &before));
  Float64 seconds = 0;
  size = 8;
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyEstimatedDuration, &size, &seconds)), HOLDS(fabs(seconds - codec->frames * codec->blocks / 8000.0) < 1e-9);
  UInt32 bits = 0, got = 2, room = sizeof bytes;
  size = 4;
  ANSWERS(0, AudioFileGetProperty(one, kAudioFilePropertyBitRate, &size, &bits));
  snprintf(text, sizeof text, "%s: bits in a second", codec->name), judge(text, (OSStatus)bits, (OSStatus)floor(8000.0 * 8 * codec->block / codec->frames + 0.5));
  ANSWERS(0, AudioFileReadPacketData(one, 0, &room, NULL, (SInt64)codec->blocks - 1, &got, bytes)), HOLDS(got == 1 && room == codec->block);
  need(AudioFileClose(one), "close");
  // It can be read as samples, all of its frames, and not be written.
  ExtAudioFileRef extended = open_extended("coded");
  const AudioStreamBasicDescription client = pcm(8000, codec->channels, 32, 4, floats);
  static Float32 samples[16384];
  AudioBufferList list = {1, {{codec->channels, sizeof samples, samples}}};
  UInt32 frames = 16384 / codec->channels;
  ANSWERS(-66563, ExtAudioFileRead(extended, &frames, &list));
  ANSWERS(0, ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
  frames = 16384 / codec->channels;
  ANSWERS(0, ExtAudioFileRead(extended, &frames, &list));
  snprintf(text, sizeof text, "%s: frames", codec->name), judge(text, (OSStatus)frames, (OSStatus)(codec->frames * codec->blocks));
  need(ExtAudioFileDispose(extended), "dispose");
  CFURLRef url = new_url("coded");
  ANSWERS(unsupported, AudioFileOpenURL(url, 2, 0, &one));
  CFRelease(url);
}

void coded_packets(void) {
  static const Codec waves[] = {{"IMA in WAVE", 0x11, 0x6D730011, 1, 256, 505, 4, 2}, {"IMA in WAVE", 0x11, 0x6D730011, 2, 512, 505, 4, 2}, {"Microsoft's ADPCM", 2, 0x6D730002, 1, 256, 500, 4, 32}, {"Microsoft's ADPCM", 2, 0x6D730002, 2, 256, 244, 5, 32}, {"GSM", 0x31, 0x6D730031, 1, 65, 320, 4, 2}};
  for (int at = 0; at < 5; ++at) write_wave(&waves[at]), ask(&waves[at]);
  static const Codec blocks[] = {{"IMA in AIFF-C", 0, 'ima4', 1, 34, 64, 6, 0}, {"IMA in AIFF-C", 0, 'ima4', 2, 68, 64, 6, 0}};
  for (int at = 0; at < 2; ++at) write_aifc(&blocks[at]), ask(&blocks[at]);
  say_judged("packets of codecs");
}

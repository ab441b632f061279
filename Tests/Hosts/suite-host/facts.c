// AudioFormat's facts about formats, held to a table of the codecs' own standards: every format at every rate and number of
// channels, with and without fields that are given; descriptions of MPEG packets from the numbers of ISO 11172-3 and
// 13818-3; sizes of answers, and the errors for what is asked wrongly.
#include "drawn.h"

typedef struct Encoding {
  const char *id;
  // Frames of a packet, 0: the stream says. Bytes of a packet for each channel, 0: they vary, or the bit rate says.
  UInt32 frames, bytes;
  int varies, is_framed_outside;
} Encoding;

// G.711; IMA's block of Apple; MACE; ATSC A/52; ISO 11172-3; ISO 14496-3; ALAC; 3GPP 26.071 and 26.171 (20 ms at 8 and 16
// kHz); GSM 06.10 as of Microsoft, two blocks of 160 frames in 65 bytes.
static const Encoding encodings[] = {
    {"lpcm", 1, 0, 0, 0},    {"ulaw", 1, 1, 0, 0},    {"alaw", 1, 1, 0, 0},    {"ima4", 64, 34, 0, 0},  {"MAC3", 6, 2, 0, 0},    {"MAC6", 6, 1, 0, 0},    {"ac-3", 1536, 0, 0, 0},
    {"cac3", 1536, 0, 0, 0}, {"ec-3", 1536, 0, 1, 0}, {"aac ", 1024, 0, 1, 1}, {"aach", 2048, 0, 1, 1}, {"aacp", 2048, 0, 1, 1}, {"aacl", 512, 0, 1, 1},  {"aace", 512, 0, 1, 1},
    {"aacf", 1024, 0, 1, 1}, {"aacg", 1024, 0, 1, 1}, {".mp1", 384, 0, 1, 0},  {".mp2", 1152, 0, 1, 0}, {".mp3", 1152, 0, 1, 0}, {"alac", 4096, 0, 1, 1}, {"flac", 0, 0, 1, 1},
    {"opus", 0, 0, 1, 1},    {"samr", 160, 0, 1, 0},  {"sawb", 320, 0, 1, 0},  {"ms\0\x31", 320, 65, 0, 0}};
enum { encoding_count = sizeof encodings / sizeof encodings[0] };
static const Float64 rates[] = {0, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000};
static int faults;

static void fault(UInt32 id, Float64 rate, UInt32 channels, const char *text, double found, double expected) {
  if (++faults <= 40) printf("  FAULT %s, %g Hz, %u channels: %s: %g, expected %g\n", status_text((OSStatus)id), rate, (unsigned)channels, text, found, expected);
}

static UInt32 ask_word(UInt32 property, const void *specifier, UInt32 size, OSStatus *status) {
  UInt32 word = 0xDEAD, bytes = sizeof word;
  *status = AudioFormatGetProperty(property, size, specifier, &bytes, &word);
  return *status == noErr && bytes == 4 ? word : 0xDEAD;
}

static void judge_encoding(const Encoding *encoding, Float64 rate, UInt32 channels) {
  const UInt32 id = four(encoding->id);
  // Layer 3 has half as many frames at the lower rates of MPEG-2 and those below.
  const UInt32 frames = id == kAudioFormatMPEGLayer3 && rate > 0 && rate < 32000 ? 576 : encoding->frames;
  const UInt32 bytes = encoding->bytes * channels;
  AudioStreamBasicDescription format = {.mSampleRate = rate, .mFormatID = id, .mChannelsPerFrame = channels};
  if (id == kAudioFormatLinearPCM) format = pcm(rate, channels, 16, 2, kAudioFormatFlagIsSignedInteger), format.mBytesPerPacket = format.mFramesPerPacket = 0;
  UInt32 size = sizeof format;
  OSStatus status = AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &format);
  if (status != noErr || size != sizeof format) fault(id, rate, channels, "status of a description", status, 0);
  if (format.mFramesPerPacket != frames) fault(id, rate, channels, "frames of a packet", format.mFramesPerPacket, frames);
  if (id != kAudioFormatLinearPCM && format.mBytesPerPacket != bytes) fault(id, rate, channels, "bytes of a packet", format.mBytesPerPacket, bytes);
  if (id == kAudioFormatLinearPCM && format.mBytesPerPacket != 2 * channels) fault(id, rate, channels, "bytes of a packet", format.mBytesPerPacket, 2 * channels);
  if (encoding->frames == 1 && format.mBytesPerFrame != format.mBytesPerPacket) fault(id, rate, channels, "bytes of a frame", format.mBytesPerFrame, format.mBytesPerPacket);
  if (format.mSampleRate != rate || format.mChannelsPerFrame != channels || format.mFormatID != id) fault(id, rate, channels, "a field that was given is changed", format.mSampleRate, rate);
  // Fields that are given stay.
  AudioStreamBasicDescription given = format;
  if (id != kAudioFormatLinearPCM) {
    given.mFramesPerPacket = 77, given.mBytesPerPacket = 99;
    status = AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &given);
    if (status != noErr || given.mFramesPerPacket != 77 || given.mBytesPerPacket != 99) fault(id, rate, channels, "given frames and bytes", given.mFramesPerPacket, 77);
  }
  const UInt32 varies = ask_word(kAudioFormatProperty_FormatIsVBR, &format, sizeof format, &status);
  if (varies != (UInt32)encoding->varies) fault(id, rate, channels, "varies", varies, encoding->varies);
  const UInt32 outside = ask_word(kAudioFormatProperty_FormatIsExternallyFramed, &format, sizeof format, &status);
  if (outside != (UInt32)encoding->is_framed_outside) fault(id, rate, channels, "framed outside", outside, encoding->is_framed_outside);
  const UInt32 encrypted = ask_word(kAudioFormatProperty_FormatIsEncrypted, &format, sizeof format, &status);
  if (encrypted != 0) fault(id, rate, channels, "encrypted", encrypted, 0);
}

// Bit rates in kbit/s by version (MPEG-1; 2 and 2.5) and layer, and rates.
static const int bit_rates[2][3][14] = {{{32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448}, {32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384}, {32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}},
                                        {{32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256}, {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}, {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}}};

// The four bytes in front of a packet: version 0 is MPEG-2.5, 2 is MPEG-2, 3 is MPEG-1.
static void judge_packet(int version, int layer, int bit_rate, int rate, int padding, int mode) {
  static const int first_rates[] = {44100, 48000, 32000};
  static const char *const ids[] = {".mp1", ".mp2", ".mp3"};
  const unsigned char header[4] = {0xFF, (unsigned char)(0xE1 | version << 3 | (4 - layer) << 1), (unsigned char)(bit_rate << 4 | rate << 2 | padding << 1), (unsigned char)(mode << 6)};
  const int is_right = version != 1 && layer < 4 && bit_rate > 0 && bit_rate < 15 && rate < 3;
  AudioStreamBasicDescription format = {0};
  UInt32 size = sizeof format;
  const OSStatus status = AudioFormatGetProperty(kAudioFormatProperty_ASBDFromMPEGPacket, sizeof header, header, &size, &format);
  if ((status == noErr) != is_right) fault(four("mpeg"), version, (UInt32)layer, "status of a packet", status, !is_right);
  if (status != noErr || !is_right) return;
  const Float64 hertz = first_rates[rate] / (version == 3 ? 1 : version == 2 ? 2 : 4);
  const UInt32 frames = layer == 1 ? 384 : layer == 3 && version != 3 ? 576 : 1152, channels = mode == 3 ? 1 : 2;
  if (format.mFormatID != four(ids[layer - 1])) fault(four(ids[layer - 1]), hertz, channels, "id of a packet", format.mFormatID, four(ids[layer - 1]));
  if (format.mSampleRate != hertz) fault(format.mFormatID, hertz, channels, "rate of a packet", format.mSampleRate, hertz);
  if (format.mFramesPerPacket != frames) fault(format.mFormatID, hertz, channels, "frames of a packet", format.mFramesPerPacket, frames);
  if (format.mChannelsPerFrame != channels) fault(format.mFormatID, hertz, channels, "channels of a packet", format.mChannelsPerFrame, channels);
}

// A file of such packets: as many bytes each as its bit rate gives, and its format and packets as the interface says.
static void judge_file(UInt32 seed) {
  draw_from(seed + 130000);
  const int is_first = once_in(2), version = is_first ? 3 : once_in(2) ? 2 : 0, layer = 1 + (int)draw(3), rate = (int)draw(3), mode = once_in(2) ? 3 : 0;
  const int hertz = (rate == 0 ? 44100 : rate == 1 ? 48000 : 32000) / (is_first ? 1 : version == 2 ? 2 : 4), packets = 3 + (int)draw(20);
  const int frames = layer == 1 ? 384 : layer == 3 && !is_first ? 576 : 1152;
  // One bit rate for all: a rate that varies is a header's affair.
  const int index = 1 + (int)draw(14);
  const int bits = 1000 * bit_rates[!is_first][layer - 1][index - 1];
  static unsigned char bytes[200000];
  SInt64 length = 0;
  memset(bytes, 0, sizeof bytes);
  for (int packet = 0; packet < packets; ++packet) {
    const int padding = (int)draw(2), size = layer == 1 ? (12 * bits / hertz + padding) * 4 : frames / 8 * bits / hertz + padding;
    if (length + size > (SInt64)sizeof bytes) break;
    const unsigned char header[4] = {0xFF, (unsigned char)(0xE1 | version << 3 | (4 - layer) << 1), (unsigned char)(index << 4 | rate << 2 | padding << 1), (unsigned char)(mode << 6)};
    memcpy(bytes + length, header, 4);
    length += size;
  }
  const char *path = temporary("aubench-suite-packets.mp3");
  FILE *file = fopen(path, "wb");
  need(file ? noErr : -1, path);
  fwrite(bytes, 1, (size_t)length, file), fclose(file);
  AudioFileID audio = NULL;
  CFURLRef url = url_of(path);
  const OSStatus status = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &audio);
  CFRelease(url);
  AudioStreamBasicDescription format = {0};
  if (status != noErr) {
    fault(four("mpeg"), hertz, (UInt32)layer, "a file does not open", status, 0);
  } else {
    UInt32 size = sizeof format;
    need(AudioFileGetProperty(audio, kAudioFilePropertyDataFormat, &size, &format), "format");
    if (format.mSampleRate != hertz) fault(format.mFormatID, hertz, (UInt32)layer, "rate of a file", format.mSampleRate, hertz);
    if (format.mFramesPerPacket != (UInt32)frames) fault(format.mFormatID, hertz, (UInt32)layer, "frames of a packet of a file", format.mFramesPerPacket, frames);
    if (format.mChannelsPerFrame != (UInt32)(mode == 3 ? 1 : 2)) fault(format.mFormatID, hertz, (UInt32)layer, "channels of a file", format.mChannelsPerFrame, mode == 3 ? 1 : 2);
    need(AudioFileClose(audio), "close");
  }
  remove(path);
}

// Sizes, and what is asked wrongly.
static void judge_errors(UInt32 property, const AudioStreamBasicDescription *format) {
  UInt32 size = 0, short_size = 2;
  unsigned char room[64];
  OSStatus status = AudioFormatGetPropertyInfo(property, sizeof *format, format, &size);
  if (status != noErr || size != 4) fault(property, 0, 0, "size of an answer", size, 4);
  status = AudioFormatGetProperty(property, sizeof *format, format, &short_size, room);
  if (status != kAudioFormatBadPropertySizeError) fault(property, 0, 0, "status in too little room", status, kAudioFormatBadPropertySizeError);
  ask_word(property, format, sizeof *format - 8, &status);
  if (status != kAudioFormatBadSpecifierSizeError) fault(property, 0, 0, "status of too short a specifier", status, kAudioFormatBadSpecifierSizeError);
  AudioStreamBasicDescription none = *format;
  none.mFormatID = four("none");
  ask_word(property, &none, sizeof none, &status);
  if (status != kAudioFormatUnknownFormatError) fault(property, 0, 0, "status of an unknown format", status, kAudioFormatUnknownFormatError);
}

static void judge_tag(UInt32 seed) {
  draw_from(seed + 140000);
  const UInt32 body = draw(once_in(2) ? 1u << 28 : 1000), has_footer = draw(2);
  unsigned char tag[20] = {'I', 'D', '3', 4, 0, (unsigned char)(has_footer << 4), body >> 21 & 127, body >> 14 & 127, body >> 7 & 127, body & 127};
  OSStatus status;
  const UInt32 size = ask_word(kAudioFormatProperty_ID3TagSize, tag, sizeof tag, &status), expected = body + (has_footer ? 20 : 10);
  if (size != expected) fault(four("ID3 "), body, has_footer, "bytes of a tag", size, expected);
}

void format_facts(void) {
  for (int at = 0; at < encoding_count; ++at) {
    const int before = faults;
    for (size_t rate = 0; rate < sizeof rates / sizeof rates[0]; ++rate)
      for (UInt32 channels = 1; channels <= 8; ++channels) judge_encoding(&encodings[at], rates[rate], channels);
    AudioStreamBasicDescription format = {.mSampleRate = 44100, .mFormatID = four(encodings[at].id), .mChannelsPerFrame = 2};
    judge_errors(kAudioFormatProperty_FormatIsVBR, &format), judge_errors(kAudioFormatProperty_FormatIsExternallyFramed, &format);
    printf("%s: %s\n", status_text((OSStatus)four(encodings[at].id)), faults == before ? "ok" : "faults");
  }
  for (int number = 0; number < 4 * 4 * 16 * 4 * 2 * 4; ++number) judge_packet(number & 3, 1 + (number >> 2 & 3), number >> 4 & 15, number >> 8 & 3, number >> 10 & 1, number >> 11 & 3);
  for (UInt32 seed = 1; seed <= 60; ++seed) judge_file(seed), judge_tag(seed);
  printf("packets, files and tags, faults: %d\n", faults);
}

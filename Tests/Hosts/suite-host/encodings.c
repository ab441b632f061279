// Every value of 16 bits, both ends of other widths and of floats, and what lies beyond full scale, through AudioConverter and ExtAudioFile into
// each encoding of each kind of file, and back. Beside a plain model: ITU-T G.711 as the reference software of ITU-T G.191 has it (samples of 16
// bits, negative ones by their one's complement); integers are × 2^(bits-1), rounded half to even, clipped. The same values go through the
// commands in sessions/encodings.py.
#include "host.h"

enum { most_values = 70000 };

typedef struct Encoding {
  const char *name;
  UInt32 id, bits, bytes, flags;
} Encoding;

enum { big = kAudioFormatFlagIsBigEndian, whole = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, real = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked };

static const Encoding encodings[] = {
    {"int16", kAudioFormatLinearPCM, 16, 2, whole},      {"int24", kAudioFormatLinearPCM, 24, 3, whole},
    {"int32", kAudioFormatLinearPCM, 32, 4, whole},      {"float32", kAudioFormatLinearPCM, 32, 4, real},
    {"float64", kAudioFormatLinearPCM, 64, 8, real},     {"int8", kAudioFormatLinearPCM, 8, 1, whole},
    {"uint8", kAudioFormatLinearPCM, 8, 1, kAudioFormatFlagIsPacked}, {"int16 big", kAudioFormatLinearPCM, 16, 2, whole | big},
    {"int24 big", kAudioFormatLinearPCM, 24, 3, whole | big}, {"int32 big", kAudioFormatLinearPCM, 32, 4, whole | big},
    {"float32 big", kAudioFormatLinearPCM, 32, 4, real | big}, {"float64 big", kAudioFormatLinearPCM, 64, 8, real | big},
    {"ulaw", kAudioFormatULaw, 8, 1, 0},                 {"alaw", kAudioFormatALaw, 8, 1, 0},
};
enum { encoding_count = sizeof encodings / sizeof encodings[0], source_count = 5 };

static AudioStreamBasicDescription described(const Encoding *encoding) {
  AudioStreamBasicDescription format = pcm(8000, 1, encoding->bits, encoding->bytes, encoding->flags);
  format.mFormatID = encoding->id;
  return format;
}

// MARK: The model

static int ulaw_code(int value) {
  int magnitude = ((value < 0 ? ~value : value) >> 2) + 33;
  if (magnitude > 8191) magnitude = 8191;
  int segment = 0;
  while (magnitude >> (segment + 6)) ++segment;
  const int code = (7 - segment) << 4 | (15 - (magnitude >> (segment + 1) & 15));
  return value < 0 ? code : code | 0x80;
}

static int ulaw_value(int code) {
  const int segment = 7 - (code >> 4 & 7), step = 15 - (code & 15);
  const int value = (((2 * step + 33) << segment) - 33) * 4;
  return code & 0x80 ? value : -value;
}

static int alaw_code(int value) {
  const int magnitude = (value < 0 ? ~value : value) >> 4;
  int segment = 0;
  while (magnitude >> (segment + 5)) ++segment;
  const int code = segment == 0 ? magnitude : (magnitude >> segment) - 16 + ((segment + 1) << 4);
  return (value < 0 ? code : code | 0x80) ^ 0x55;
}

static int alaw_value(int code) {
  const int segment = (code ^ 0x55) >> 4 & 7, step = (code ^ 0x55) & 15;
  const int value = (segment == 0 ? 2 * step + 1 : (2 * step + 33) << (segment - 1)) * 8;
  return code & 0x80 ? value : -value;
}

static double rounded(double value, UInt32 bits) {
  const double full = ldexp(1, (int)bits - 1), steps = nearbyint(value * full) + 0.0;
  return steps > full - 1 ? full - 1 : steps < -full ? -full : steps;
}

static int is_wide(const Encoding *encoding) { return encoding->id == kAudioFormatLinearPCM && (encoding->flags & kAudioFormatFlagIsFloat ? encoding->bits > 32 : encoding->bits > 24); }

// The bytes of a sample as `target` has it; returns its value when it is read again.
static double put(double value, const Encoding *source, const Encoding *target, unsigned char *bytes) {
  if (!is_wide(source) || !is_wide(target)) value = (float)value;
  if (target->id != kAudioFormatLinearPCM) {
    const int sample = (int)rounded(value, 16), is_ulaw = target->id == kAudioFormatULaw;
    bytes[0] = (unsigned char)(is_ulaw ? ulaw_code(sample) : alaw_code(sample));
    return (is_ulaw ? ulaw_value(bytes[0]) : alaw_value(bytes[0])) / 32768.0;
  }
  unsigned long long word;
  if (!(target->flags & kAudioFormatFlagIsFloat)) {
    const double steps = rounded(value, target->bits);
    value = ldexp(steps, 1 - (int)target->bits);
    word = (unsigned long long)(long long)steps;
    if (!(target->flags & kAudioFormatFlagIsSignedInteger)) word ^= 0x80;
  } else if (target->bits == 32) {
    const float narrow = (float)value;
    UInt32 half;
    memcpy(&half, &narrow, 4);
    word = half;
    value = narrow;
  } else {
    memcpy(&word, &value, 8);
  }
  for (UInt32 byte = 0; byte < target->bytes; ++byte)
    bytes[target->flags & big ? target->bytes - 1 - byte : byte] = (unsigned char)(word >> (8 * byte));
  return value;
}

// MARK: The values

static double values[most_values];
static UInt32 count;
static unsigned char input[most_values * 8], expected[most_values * 8], found[most_values * 8 + 64];
static double again[most_values];

// Every value of 16 bits; the ends of the source's own width; of floats also what lies between the steps and beyond full scale.
static void make_values(const Encoding *source) {
  count = 0;
  for (int value = -32768; value < 32768; ++value) values[count++] = value / 32768.0;
  static const UInt32 widths[] = {8, 12, 14, 16, 24, 31, 32};
  const int is_float = (source->flags & kAudioFormatFlagIsFloat) != 0;
  for (size_t width = 0; width < sizeof widths / sizeof widths[0]; ++width) {
    if (!is_float && widths[width] > source->bits) continue;
    const double step = ldexp(1, 1 - (int)widths[width]);
    const double near[] = {step, 1 - step, 1 - 2 * step, 0.5 + step, step / 2, 1 - step / 2, 1 - step / 4, 0.5 + step / 2, 0.5 - step / 2, 1.5 * step};
    for (size_t index = 0; index < (is_float ? 10 : 4); ++index) {
      values[count++] = near[index];
      values[count++] = -1;
      values[count++] = -near[index];
    }
  }
  static const double beyond[] = {1, 1.5, 2, 4, 32768, 2147483648.0, 1e30, 3e38, 1.4012984643248171e-45, 1.1754943508222875e-38};
  for (size_t index = 0; is_float && index < sizeof beyond / sizeof beyond[0]; ++index) {
    values[count++] = beyond[index];
    values[count++] = -beyond[index];
  }
  for (UInt32 index = 0; index < count; ++index) values[index] = put(values[index], source, source, input + index * source->bytes);
}

static void expect(const Encoding *source, const Encoding *target) {
  for (UInt32 index = 0; index < count; ++index) again[index] = put(values[index], source, target, expected + index * target->bytes);
}

static void compare(const Encoding *target, UInt32 bytes) {
  if (bytes != count * target->bytes) {
    printf(" %u bytes, not %u", (unsigned)bytes, (unsigned)(count * target->bytes));
    return;
  }
  for (UInt32 index = 0; index < count; ++index) {
    if (memcmp(found + index * target->bytes, expected + index * target->bytes, target->bytes) == 0) continue;
    printf(" value %.17g is", values[index]);
    for (UInt32 byte = 0; byte < target->bytes; ++byte) printf(" %02x", found[index * target->bytes + byte]);
    return;
  }
  printf(" ok");
}

static void convert(const Encoding *source, const Encoding *target) {
  const AudioStreamBasicDescription from = described(source), to = described(target);
  AudioConverterRef converter = NULL;
  need(AudioConverterNew(&from, &to, &converter), "converter");
  UInt32 bytes = sizeof found;
  const OSStatus status = AudioConverterConvertBuffer(converter, count * source->bytes, input, &bytes, found);
  if (status != noErr) printf(" %s", status_text(status)); else compare(target, bytes);
  AudioConverterDispose(converter);
}

// MARK: Files

// Writes the values into a file, compares its bytes of sound, and what is read from it as doubles.
static void write_file(const char *type, const Encoding *source, const Encoding *target, const AudioStreamBasicDescription *format) {
  const AudioStreamBasicDescription from = described(source), to = pcm(8000, 1, 64, 8, real);
  const char *path = temporary("encoded");
  remove(path);
  CFURLRef url = url_of(path);
  ExtAudioFileRef file = NULL;
  OSStatus status = ExtAudioFileCreateWithURL(url, four(type), format, NULL, 0, &file);
  if (status == noErr) status = ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof from, &from);
  AudioBufferList list = {1, {{1, count * source->bytes, input}}};
  if (status == noErr) status = ExtAudioFileWrite(file, count, &list);
  if (file) ExtAudioFileDispose(file);
  if (status == noErr && format->mFormatID == target->id) {
    AudioFileID bytes_of = NULL;
    status = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &bytes_of);
    UInt32 bytes = sizeof found;
    if (status == noErr) AudioFileReadBytes(bytes_of, false, 0, &bytes, found);
    if (bytes_of) AudioFileClose(bytes_of);
    if (status == noErr) compare(target, bytes);
  }
  if (status == noErr) status = ExtAudioFileOpenURL(url, &file);
  if (status == noErr) status = ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof to, &to);
  UInt32 frames = sizeof found / 8;
  list.mBuffers[0].mDataByteSize = sizeof found / 8 * 8;
  list.mBuffers[0].mData = found;
  if (status == noErr) {
    status = ExtAudioFileRead(file, &frames, &list);
    ExtAudioFileDispose(file);
    UInt32 index = 0;
    while (index < count && index < frames && memcmp(found + index * 8, again + index, 8) == 0) ++index;
    if (frames != count) printf(" %u frames, not %u", (unsigned)frames, (unsigned)count);
    else if (index < count) printf(" read value %u: not %.17g", (unsigned)index, again[index]);
    else printf(" read ok");
  }
  if (status != noErr) printf(" %s", status_text(status));
  CFRelease(url);
}

// True where a kind of file has an encoding; others are refused.
static int holds(const char *type, const Encoding *encoding) {
  const int is_law = encoding->id != kAudioFormatLinearPCM, is_big = (encoding->flags & big) != 0 || encoding->bytes == 1;
  const int is_unsigned = !is_law && !(encoding->flags & (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsFloat));
  if (strcmp(type, "caff") == 0) return !is_unsigned;
  if (strcmp(type, "AIFF") == 0) return !is_law && !is_unsigned && is_big && !(encoding->flags & kAudioFormatFlagIsFloat);
  if (strcmp(type, "AIFC") == 0) return !is_unsigned && (is_big || encoding->bits == 16);
  if (strcmp(type, "NeXT") == 0) return !is_unsigned && is_big;
  return is_law || (!(encoding->flags & big) && (encoding->bytes > 1 || is_unsigned));
}

void all_encodings(void) {
  for (UInt32 source = 0; source < source_count; ++source) {
    make_values(&encodings[source]);
    for (UInt32 target = 0; target < encoding_count; ++target) {
      printf("%s to %s:", encodings[source].name, encodings[target].name);
      expect(&encodings[source], &encodings[target]);
      convert(&encodings[source], &encodings[target]);
      printf("\n");
    }
  }
  static const char *const types[] = {"WAVE", "RF64", "BW64", "W64f", "AIFF", "AIFC", "caff", "NeXT"};
  UInt32 turn = 0;
  for (size_t type = 0; type < sizeof types / sizeof types[0]; ++type) {
    for (UInt32 target = 0; target < encoding_count; ++target) {
      if (!holds(types[type], &encodings[target])) continue;
      const Encoding *source = &encodings[turn++ % source_count];
      const AudioStreamBasicDescription format = described(&encodings[target]);
      make_values(source);
      expect(source, &encodings[target]);
      printf("%s %s from %s:", types[type], encodings[target].name, source->name);
      write_file(types[type], source, &encodings[target], &format);
      printf("\n");
    }
  }
  static const struct { const char *type; UInt32 id, flags, target; } coded[] = {
      {"flac", kAudioFormatFLAC, 1, 0}, {"flac", kAudioFormatFLAC, 3, 1}, {"caff", kAudioFormatAppleLossless, 1, 0}};
  for (size_t index = 0; index < sizeof coded / sizeof coded[0]; ++index) {
    for (UInt32 source = 0; source < source_count; ++source) {
      AudioStreamBasicDescription format = {0};
      format.mSampleRate = 8000, format.mChannelsPerFrame = 1;
      format.mFormatID = coded[index].id, format.mFormatFlags = coded[index].flags;
      make_values(&encodings[source]);
      expect(&encodings[source], &encodings[coded[index].target]);
      printf("%s %s, %s, from %s:", coded[index].type, status_text((OSStatus)coded[index].id), encodings[coded[index].target].name, encodings[source].name);
      write_file(coded[index].type, &encodings[source], &encodings[coded[index].target], &format);
      printf("\n");
    }
  }
}

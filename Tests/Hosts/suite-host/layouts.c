// Samples of every layout into every other, by AudioConverter: integers of 8 to 32 bits, packed, in wider words at
// either end, of both byte orders, fixed points, floats; one channel and three, planes and interleaved.
#include "host.h"

enum { frames = 203 };
typedef struct Layout {
  UInt32 bits, bytes, flags;
} Layout;

static int layouts_of(Layout *list) {
  const UInt32 packed = kAudioFormatFlagIsPacked, sign = kAudioFormatFlagIsSignedInteger, high = kAudioFormatFlagIsAlignedHigh;
  const UInt32 floats = kAudioFormatFlagIsFloat | packed;
  const UInt32 eight_twenty_four = 24u << kLinearPCMFormatFlagsSampleFractionShift;
  const Layout all[] = {
      {8, 1, packed}, {8, 1, packed | sign}, {16, 2, packed | sign}, {16, 2, packed}, {24, 3, packed | sign}, {24, 3, packed},
      {32, 4, packed | sign}, {32, 4, packed}, {24, 4, sign}, {24, 4, sign | high}, {20, 3, sign | high}, {12, 2, sign | high}, {12, 2, sign},
      {20, 4, sign}, {16, 4, sign | high}, {24, 4, high}, {32, 4, packed | sign | eight_twenty_four}, {32, 4, floats}, {64, 8, floats},
  };
  int count = 0;
  for (size_t index = 0; index < sizeof all / sizeof all[0]; ++index) {
    list[count++] = all[index];
    if (all[index].bytes == 1) continue;
    list[count] = all[index];
    list[count++].flags |= kAudioFormatFlagIsBigEndian;
  }
  return count;
}

static void put(unsigned char *to, const Layout *layout, UInt32 place) {
  unsigned char word[8];
  if (layout->flags & kAudioFormatFlagIsFloat) {
    // Beyond both ends as well, halves of steps, and what is no number.
    static const Float64 special[] = {0, -0.0, 1, -1, 1.5, -1.5, INFINITY, -INFINITY, NAN, 0.5 / 32768, 1.5 / 32768, -2.5 / 32768, 0.999999999, 1e-30, -0.5 / 128};
    const Float64 value = place < sizeof special / sizeof special[0] ? special[place] : (Float64)(SInt32)noise(place) / 2147483648.0 * 1.1;
    const Float32 narrow = (Float32)value;
    memcpy(word, layout->bytes == 8 ? (const void *)&value : (const void *)&narrow, layout->bytes);
  } else {
    UInt32 bits = place == 0 ? 0 : place == 1 ? 0xFFFFFFFF : place == 2 ? 0x80000000 : place == 3 ? 0x7FFFFFFF : noise(place);
    const UInt32 spare = 8 * layout->bytes - layout->bits;
    // The value is at the top of 32 bits.
    if (layout->flags & kAudioFormatFlagIsAlignedHigh) {
      bits = bits >> (32 - layout->bits) << (32 - layout->bits) >> (32 - 8 * layout->bytes);
    } else if (layout->flags & kAudioFormatFlagIsSignedInteger) {
      bits = (UInt32)((SInt32)bits >> (32 - layout->bits));
    } else {
      bits >>= 32 - layout->bits;
    }
    (void)spare;
    memcpy(word, &bits, 4);
  }
  for (UInt32 at = 0; at < layout->bytes; ++at) to[layout->flags & kAudioFormatFlagIsBigEndian ? layout->bytes - 1 - at : at] = word[at];
}

static void convert(const Layout *from, const Layout *to, UInt32 channels) {
  AudioStreamBasicDescription source = pcm(48000, channels, from->bits, from->bytes, from->flags);
  AudioStreamBasicDescription target = pcm(48000, channels, to->bits, to->bytes, to->flags);
  AudioConverterRef converter = NULL;
  OSStatus status = AudioConverterNew(&source, &target, &converter);
  if (status != noErr) {
    printf(" %s", status_text(status));
    return;
  }
  static unsigned char input[frames * 4 * 8], output[frames * 4 * 8];
  for (UInt32 place = 0; place < frames * channels; ++place) put(input + place * from->bytes, from, place);
  UInt32 size = sizeof output;
  memset(output, 0, sizeof output);
  status = AudioConverterConvertBuffer(converter, frames * source.mBytesPerFrame, input, &size, output);
  if (status == noErr) printf(" %016llx", digest(0, output, size));
  else printf(" %s", status_text(status));
  AudioConverterDispose(converter);
}

void layouts(void) {
  Layout list[64];
  const int count = layouts_of(list);
  for (int from = 0; from < count; ++from) {
    printf("%u bits in %u bytes, %x", (unsigned)list[from].bits, (unsigned)list[from].bytes, (unsigned)list[from].flags);
    for (int to = 0; to < count; ++to) convert(&list[from], &list[to], 1 + (UInt32)(from + to) % 2 * 2);
    printf("\n");
  }
}

// Linear PCM in memory <-> float and double samples.
// Runs on any thread, the render thread too: no allocation, no state.
// Law: to integer x 2^(bits-1), round half to even, clip, count what was changed; back / 2^(bits-1).
// One body serves every layout: the dispatchers below call it with constants, and the compiler makes the fast paths.

#include <float.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "CKernelsPCM.h"

#define INLINE static inline __attribute__((always_inline))
typedef struct ckpcm_layout Layout;

// 1.5 x 2^52: adding it leaves the nearest integer, ties to even, in the low bits of a double's mantissa.
// Holds for |x| < 2^31 in the default rounding mode, on every machine with IEEE doubles, and vectorises.
static const double kRoundingMagic = 6755399441055744.0;

INLINE double power_of_two(int exponent) {
  uint64_t bits = (uint64_t)(1023 + exponent) << 52;
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

INLINE uint64_t load(const uint8_t *p, int bytes, int big) {
  uint64_t value = 0;
  switch (bytes) {
    case 1: return p[0];
    case 2: { uint16_t x; memcpy(&x, p, 2); return big ? __builtin_bswap16(x) : x; }
    case 3: { uint16_t x; memcpy(&x, big ? p + 1 : p, 2);
      return big ? (uint64_t)__builtin_bswap16(x) | (uint64_t)p[0] << 16 : (uint64_t)x | (uint64_t)p[2] << 16; }
    case 4: { uint32_t x; memcpy(&x, p, 4); return big ? __builtin_bswap32(x) : x; }
    default: memcpy(&value, p, 8); return big ? __builtin_bswap64(value) : value;
  }
}

INLINE void store(uint8_t *p, uint64_t value, int bytes, int big) {
  switch (bytes) {
    case 1: p[0] = (uint8_t)value; return;
    case 2: { uint16_t x = (uint16_t)value; if (big) x = __builtin_bswap16(x); memcpy(p, &x, 2); return; }
    case 3: { uint16_t x = (uint16_t)value; if (big) x = __builtin_bswap16(x);
      memcpy(big ? p + 1 : p, &x, 2); p[big ? 0 : 2] = (uint8_t)(value >> 16); return; }
    case 4: { uint32_t x = (uint32_t)value; if (big) x = __builtin_bswap32(x); memcpy(p, &x, 4); return; }
    default: if (big) value = __builtin_bswap64(value); memcpy(p, &value, 8); return;
  }
}

// The integer of one sample, sign and alignment resolved.
INLINE int32_t load_integer(Layout l, const uint8_t *p) {
  uint32_t word = (uint32_t)load(p, l.bytes, l.big_endian);
  // To the top of 32 bits: a container aligned high is there once its width is made up; low bits below are dropped.
  word <<= l.high ? 32 - 8 * l.bytes : 32 - l.bits;
  if (l.is_unsigned) word ^= 0x80000000u;
  return (int32_t)word >> (32 - l.bits);
}

INLINE void store_integer(Layout l, uint8_t *p, int32_t value) {
  uint32_t word = (uint32_t)value;
  if (l.is_unsigned) {
    word ^= 1u << (l.bits - 1);
    if (l.bits < 32) word &= (1u << l.bits) - 1;
  }
  if (l.high) word <<= 8 * l.bytes - l.bits;
  store(p, word, l.bytes, l.big_endian);
}

INLINE double load_float(Layout l, const uint8_t *p) {
  uint64_t word = load(p, l.bytes, l.big_endian);
  if (l.bytes == 8) { double x; memcpy(&x, &word, 8); return x; }
  uint32_t half = (uint32_t)word;
  float x;
  memcpy(&x, &half, 4);
  return x;
}

INLINE void decode32(Layout l, const uint8_t *restrict p, ptrdiff_t stride, float *restrict out, size_t count) {
  if (l.is_float) {
    for (size_t i = 0; i < count; i++, p += stride) {
      if (l.bytes == 4) { uint32_t word = (uint32_t)load(p, 4, l.big_endian); memcpy(out + i, &word, 4); }
      else out[i] = (float)load_float(l, p);
    }
    return;
  }
  // A power of two is exact as a float, and so is the product: the only rounding is that of a 32-bit integer to float.
  const float scale = (float)power_of_two(-l.scale_exponent);
  for (size_t i = 0; i < count; i++, p += stride) out[i] = (float)load_integer(l, p) * scale;
}

INLINE void decode64(Layout l, const uint8_t *restrict p, ptrdiff_t stride, double *restrict out, size_t count) {
  if (l.is_float) {
    for (size_t i = 0; i < count; i++, p += stride) out[i] = load_float(l, p);
    return;
  }
  const double scale = power_of_two(-l.scale_exponent);
  for (size_t i = 0; i < count; i++, p += stride) out[i] = (double)load_integer(l, p) * scale;
}

// One scaled sample to its integer. Counts what the rounded value had to be moved for; NaN fails both comparisons.
INLINE int32_t round_clip(double x, double low, double high, size_t *clipped) {
  double bounded = x < low ? low : x;
  bounded = bounded > high ? high : bounded;
  bounded = x == x ? bounded : 0.0;
  double shifted = bounded + kRoundingMagic;
  double before = x + kRoundingMagic - kRoundingMagic;
  *clipped += !(before >= low && before <= high);
  uint64_t word;
  memcpy(&word, &shifted, 8);
  return (int32_t)(uint32_t)word;
}

// A block of floats to integers of at most 24 bits, where float holds every step: the same values as round_clip.
INLINE size_t round_block(const float *restrict in, size_t count, float scale, int32_t low, int32_t high,
                          int32_t *restrict out) {
  size_t clipped = 0, i = 0;
#if defined(__SSE2__)
  const __m128 vscale = _mm_set1_ps(scale), top = _mm_set1_ps(0x1p30f), bottom = _mm_set1_ps(-0x1p30f);
  const __m128i vlow = _mm_set1_epi32(low), vhigh = _mm_set1_epi32(high);
  __m128i moved = _mm_setzero_si128();
  for (; i + 4 <= count; i += 4) {
    __m128 x = _mm_mul_ps(_mm_loadu_ps(in + i), vscale);
    __m128 number = _mm_cmpord_ps(x, x);
    x = _mm_max_ps(_mm_min_ps(_mm_and_ps(x, number), top), bottom);
    __m128i r = _mm_cvtps_epi32(x);  // to nearest, ties to even: the default of the machine
    __m128i over = _mm_cmpgt_epi32(r, vhigh), under = _mm_cmplt_epi32(r, vlow), out_of_range = _mm_or_si128(over, under);
    moved = _mm_sub_epi32(moved, _mm_or_si128(out_of_range, _mm_xor_si128(_mm_castps_si128(number), _mm_set1_epi32(-1))));
    r = _mm_andnot_si128(out_of_range, r);
    r = _mm_or_si128(r, _mm_or_si128(_mm_and_si128(over, vhigh), _mm_and_si128(under, vlow)));
    _mm_storeu_si128((__m128i *)(out + i), r);
  }
  uint32_t lanes[4];
  memcpy(lanes, &moved, sizeof lanes);
  clipped += lanes[0] + lanes[1] + lanes[2] + lanes[3];
#endif
  for (; i < count; i++) out[i] = round_clip((double)in[i] * scale, low, high, &clipped);
  return clipped;
}

#define DEFINE_ENCODE(NAME, SAMPLE, WORD, BYTES)                                                             \
  INLINE size_t NAME(Layout l, const SAMPLE *restrict in, const double *restrict dither, uint8_t *restrict p,  \
                     ptrdiff_t stride, size_t count) {                                                         \
    if (l.is_float) {                                                                                          \
      for (size_t i = 0; i < count; i++, p += stride) {                                                        \
        if (l.bytes == BYTES) { WORD word; memcpy(&word, in + i, BYTES); store(p, word, BYTES, l.big_endian); } \
        else if (l.bytes == 4) { float x = (float)in[i]; uint32_t word; memcpy(&word, &x, 4);                  \
          store(p, word, 4, l.big_endian); }                                                                   \
        else { double x = in[i]; uint64_t word; memcpy(&word, &x, 8); store(p, word, 8, l.big_endian); }       \
      }                                                                                                        \
      return 0;                                                                                                \
    }                                                                                                          \
    const double scale = power_of_two(l.scale_exponent);                                                       \
    const double high = power_of_two(l.bits - 1) - 1, low = -power_of_two(l.bits - 1);                         \
    size_t clipped = 0;                                                                                        \
    if (dither) {                                                                                              \
      for (size_t i = 0; i < count; i++, p += stride)                                                          \
        store_integer(l, p, round_clip((double)in[i] * scale + dither[i], low, high, &clipped));               \
    } else {                                                                                                   \
      for (size_t i = 0; i < count; i++, p += stride)                                                          \
        store_integer(l, p, round_clip((double)in[i] * scale, low, high, &clipped));                           \
    }                                                                                                          \
    return clipped;                                                                                            \
  }

DEFINE_ENCODE(encode32, float, uint32_t, 4)
DEFINE_ENCODE(encode64, double, uint64_t, 8)

// Integers of at most 24 bits from float without dither go by blocks: rounding vectorises, packing three bytes does
// not.
INLINE size_t encode32_blocks(Layout l, const float *restrict in, const double *restrict dither, uint8_t *restrict p,
                              ptrdiff_t stride, size_t count) {
  if (l.is_float || l.bits > 24 || l.scale_exponent > 24 || dither) return encode32(l, in, dither, p, stride, count);
  const int32_t high = (int32_t)((1u << (l.bits - 1)) - 1), low = -high - 1;
  const float scale = (float)power_of_two(l.scale_exponent);
  int32_t block[256];
  size_t clipped = 0;
  for (size_t done = 0; done < count; done += 256) {
    size_t size = count - done < 256 ? count - done : 256;
    clipped += round_block(in + done, size, scale, low, high, block);
    for (size_t i = 0; i < size; i++, p += stride) store_integer(l, p, block[i]);
  }
  return clipped;
}

static const Layout kUInt8 = {0, 1, 8, 1, 0, 0, 7};
static const Layout kInt16 = {0, 0, 16, 2, 0, 0, 15}, kInt16BE = {0, 0, 16, 2, 1, 0, 15};
static const Layout kInt24 = {0, 0, 24, 3, 0, 0, 23}, kInt24BE = {0, 0, 24, 3, 1, 0, 23};
static const Layout kInt32 = {0, 0, 32, 4, 0, 0, 31};
static const Layout kFloat32 = {1, 0, 32, 4, 0, 0, 0};
static const Layout kInt24High = {0, 0, 24, 4, 0, 1, 23};

INLINE int same(Layout a, Layout b) {
  return a.is_float == b.is_float && a.is_unsigned == b.is_unsigned && a.bits == b.bits && a.bytes == b.bytes &&
         a.big_endian == b.big_endian && (a.high == b.high || a.bits == 8 * a.bytes) &&
         (a.is_float || a.scale_exponent == b.scale_exponent);
}

// The constants make each call below its own specialised loop; the packed strides of mono and stereo have one more
// each.
#define FAST(LAYOUT, CALL)                         \
  if (same(layout, LAYOUT)) {                      \
    if (stride == LAYOUT.bytes) return CALL(LAYOUT, (ptrdiff_t)LAYOUT.bytes);         \
    if (stride == 2 * LAYOUT.bytes) return CALL(LAYOUT, (ptrdiff_t)(2 * LAYOUT.bytes)); \
    return CALL(LAYOUT, stride);                   \
  }
#define FAST_ALL(CALL) FAST(kUInt8, CALL) FAST(kInt24, CALL) FAST(kInt16, CALL) FAST(kFloat32, CALL) FAST(kInt32, CALL) \
  FAST(kInt24BE, CALL) FAST(kInt16BE, CALL) FAST(kInt24High, CALL)

void ckpcm_decode_f32(Layout layout, const void *source, ptrdiff_t stride, float *out, size_t count) {
#define CALL(LAYOUT, STRIDE) decode32(LAYOUT, source, STRIDE, out, count)
  FAST_ALL(CALL)
#undef CALL
  decode32(layout, source, stride, out, count);
}

void ckpcm_decode_f64(Layout layout, const void *source, ptrdiff_t stride, double *out, size_t count) {
  decode64(layout, source, stride, out, count);
}

size_t ckpcm_encode_f32(
  Layout layout, const float *source, const double *dither, void *out, ptrdiff_t stride, size_t count) {
#define CALL(LAYOUT, STRIDE) encode32_blocks(LAYOUT, source, dither, out, STRIDE, count)
  FAST_ALL(CALL)
#undef CALL
  return encode32_blocks(layout, source, dither, out, stride, count);
}

size_t ckpcm_encode_f64(
  Layout layout, const double *source, const double *dither, void *out, ptrdiff_t stride, size_t count) {
  return encode64(layout, source, dither, out, stride, count);
}

// SplitMix64 by counter (Steele, Lea, Flood 2014): each half of the word is one uniform value; their sum is triangular.
// Written here as well as in AudioCore: the law of the dither is published by frame number, and this loop goes by
// vectors.
void ckpcm_dither(uint64_t key, int64_t first_frame, double *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t z = key + ((uint64_t)first_frame + i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    // Plus one: the sum of two's complement halves lies in -2^32 ... 2^32 - 2, and one makes it symmetric about 0.
    int64_t sum = (int64_t)(int32_t)(uint32_t)z + (int64_t)(int32_t)(uint32_t)(z >> 32) + 1;
    out[i] = (double)sum * 0x1p-32;
  }
}

size_t ckpcm_bound(float *samples, size_t count) {
  size_t changed = 0;
  for (size_t i = 0; i < count; i++) {
    float x = samples[i];
    float bounded = x > 1.0f ? 1.0f : x;
    bounded = bounded < -1.0f ? -1.0f : bounded;
    bounded = x == x ? bounded : 0.0f;
    // Samples that are not finite are counted elsewhere, and were not clipped.
    float magnitude = x < 0.0f ? -x : x;
    changed += magnitude > 1.0f && magnitude <= FLT_MAX;
    samples[i] = bounded;
  }
  return changed;
}

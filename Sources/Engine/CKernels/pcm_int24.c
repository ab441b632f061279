// Interleaved stereo of packed little-endian 24-bit samples to two planes and back, four frames at a time.
// The commonest format of studio files, and three bytes to a sample are what compilers do not vectorise. The values are
// those of pcm.c: a 24-bit integer is exact in float, and so is its multiplication or division by a power of two.

#include "CKernelsPCM.h"
#include "instruction_set.h"

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("ssse3"))) static size_t decode_ssse3(
    const uint8_t *p, float *left, float *right, size_t frames) {
  // Two frames of 12 bytes: each sample to the top three bytes of a 32-bit word, left ones first.
  const __m128i spread = _mm_setr_epi8(-1, 0, 1, 2, -1, 6, 7, 8, -1, 3, 4, 5, -1, 9, 10, 11);
  const __m128 scale = _mm_set1_ps(0x1p-31f);
  size_t done = 0;
  // The second load reads 28 bytes from the first frame on: stay a frame clear of the end.
  for (; done + 5 <= frames; done += 4, p += 24) {
    __m128i first = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), spread);
    __m128i second = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 12)), spread);
    _mm_storeu_ps(left + done, _mm_mul_ps(_mm_cvtepi32_ps(_mm_unpacklo_epi64(first, second)), scale));
    _mm_storeu_ps(right + done, _mm_mul_ps(_mm_cvtepi32_ps(_mm_unpackhi_epi64(first, second)), scale));
  }
  return done;
}

static const struct ckpcm_layout kInt24 = {0, 0, 24, 3, 0, 0, 23};

__attribute__((target("ssse3"))) static size_t encode_ssse3(
    const float *left, const float *right, uint8_t *p, size_t frames, size_t *clipped) {
  // The low three bytes of each 32-bit word, side by side.
  const __m128i pack = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  const __m128 scale = _mm_set1_ps(0x1p23f), limit = _mm_set1_ps(8388607.5f);
  const __m128 magnitude = _mm_castsi128_ps(_mm_set1_epi32(0x7FFFFFFF));
  size_t done = 0;
  // The second store writes 28 bytes from the first frame on: stay a frame clear of the end.
  for (; done + 5 <= frames; done += 4, p += 24) {
    __m128 a = _mm_mul_ps(_mm_loadu_ps(left + done), scale), b = _mm_mul_ps(_mm_loadu_ps(right + done), scale);
    __m128 fits = _mm_and_ps(
      _mm_cmplt_ps(_mm_and_ps(a, magnitude), limit), _mm_cmplt_ps(_mm_and_ps(b, magnitude), limit));
    if (__builtin_expect(_mm_movemask_ps(fits) != 15, 0)) {
      // Something is to be clipped, or is no number, or comes close to that.
      *clipped += ckpcm_encode_f32(kInt24, left + done, 0, p, 6, 4);
      *clipped += ckpcm_encode_f32(kInt24, right + done, 0, p + 3, 6, 4);
      continue;
    }
    // To nearest, ties to even: the default of the machine.
    __m128i x = _mm_cvtps_epi32(a), y = _mm_cvtps_epi32(b);
    _mm_storeu_si128((__m128i *)(void *)p, _mm_shuffle_epi8(_mm_unpacklo_epi32(x, y), pack));
    _mm_storeu_si128((__m128i *)(void *)(p + 12), _mm_shuffle_epi8(_mm_unpackhi_epi32(x, y), pack));
  }
  return done;
}
#endif

size_t ckpcm_decode_stereo_int24(const void *source, float *left, float *right, size_t frames) {
#if defined(__x86_64__)
  if (kernels_active_instruction_set() >= KERNELS_AVX2) return decode_ssse3(source, left, right, frames);
#endif
  (void)source, (void)left, (void)right, (void)frames;
  return 0;
}

size_t ckpcm_encode_stereo_int24(
  const float *left, const float *right, void *out, size_t frames, size_t *clipped) {
#if defined(__x86_64__)
  if (kernels_active_instruction_set() >= KERNELS_AVX2) return encode_ssse3(left, right, out, frames, clipped);
#endif
  (void)left, (void)right, (void)out, (void)frames, (void)clipped;
  return 0;
}

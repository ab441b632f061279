// Interleaved stereo of little-endian 16-bit samples to two planes and back: what most files are written as.
// Runs on any thread, the render thread too: no allocation, no state. The law is that of pcm.c.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "CKernelsPCM.h"

#if defined(__SSE2__)
static const struct ckpcm_layout kInt16 = {0, 0, 16, 2, 0, 0, 15};

size_t ckpcm_encode_stereo_int16(
  const float *left, const float *right, void *out, size_t frames, size_t *clipped) {
  const __m128 scale = _mm_set1_ps(0x1p15f), limit = _mm_set1_ps(32767.5f);
  const __m128 magnitude = _mm_castsi128_ps(_mm_set1_epi32(0x7FFFFFFF));
  size_t done = 0;
  for (; done + 4 <= frames; done += 4) {
    __m128 a = _mm_mul_ps(_mm_loadu_ps(left + done), scale), b = _mm_mul_ps(_mm_loadu_ps(right + done), scale);
    __m128 fits = _mm_and_ps(
      _mm_cmplt_ps(_mm_and_ps(a, magnitude), limit), _mm_cmplt_ps(_mm_and_ps(b, magnitude), limit));
    uint8_t *place = (uint8_t *)out + 4 * done;
    if (__builtin_expect(_mm_movemask_ps(fits) != 15, 0)) {
      // Something is to be clipped, or is no number, or comes close to that.
      *clipped += ckpcm_encode_f32(kInt16, left + done, 0, place, 4, 4);
      *clipped += ckpcm_encode_f32(kInt16, right + done, 0, place + 2, 4, 4);
      continue;
    }
    // To nearest, ties to even: the default of the machine.
    __m128i both = _mm_packs_epi32(_mm_cvtps_epi32(a), _mm_cvtps_epi32(b));
    _mm_storeu_si128((__m128i *)place, _mm_unpacklo_epi16(both, _mm_srli_si128(both, 8)));
  }
  return done;
}

size_t ckpcm_decode_stereo_int16(const void *source, float *left, float *right, size_t frames) {
  const __m128 scale = _mm_set1_ps(0x1p-15f);
  const uint8_t *p = source;
  size_t done = 0;
  for (; done + 4 <= frames; done += 4, p += 16) {
    // Four words of a left sample below a right one.
    __m128i both = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i x = _mm_srai_epi32(_mm_slli_epi32(both, 16), 16), y = _mm_srai_epi32(both, 16);
    _mm_storeu_ps(left + done, _mm_mul_ps(_mm_cvtepi32_ps(x), scale));
    _mm_storeu_ps(right + done, _mm_mul_ps(_mm_cvtepi32_ps(y), scale));
  }
  return done;
}
#else
size_t ckpcm_decode_stereo_int16(const void *source, float *left, float *right, size_t frames) {
  (void)source, (void)left, (void)right, (void)frames;
  return 0;
}

size_t ckpcm_encode_stereo_int16(
  const float *left, const float *right, void *out, size_t frames, size_t *clipped) {
  (void)left, (void)right, (void)out, (void)frames, (void)clipped;
  return 0;
}
#endif
